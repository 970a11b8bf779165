// The source with edits shown on it: correct, wrong and missed ones, or changes without a verdict.

const KINDS = {
  correct: { mark: "✓", said: "correct" },
  wrong: { mark: "✗", said: "wrong" },
  missed: { mark: "○", said: "missed" },
  gold: { mark: "", said: "edit" },
  changed: { mark: "", said: "change" },
};
const NOTHING = "∅";

// The edits that a system made, and the gold edits that it missed.
// `gains` has what each of the system's edits did to the score, if that is known.
function judgedDifference(words, made, gold, gains = null) {
  const found = new Set(made.map((edit) => edit.gold));
  const missed = gold.filter((_, index) => !found.has(index));
  return laidOut(words, [
    ...made.map((edit, place) => ({ ...madeChange(edit, gold), gain: gains?.[place] })),
    ...missed.map((edit) => ({
      ...goldChange(edit, "missed"),
      // If the system changed the same words, they are struck out: show only the correction.
      aside: made.some((other) => overlap(edit, other)),
    })),
  ]);
}

// A reference: the source with its gold edits.
function goldDifference(words, gold) {
  return laidOut(words, gold.map((edit) => goldChange(edit, "gold")));
}

function changedDifference(words, changes, gains = null) {
  return laidOut(words, changes.map(({ start, end, correction }, place) => (
    { start, end, correction, kind: "changed", type: null, gain: gains?.[place] }
  )));
}

function madeChange({ start, end, correction, gold: index, type }, gold) {
  return index < 0
    ? { start, end, correction, kind: "wrong", type }
    : { start, end, correction, kind: "correct", type: gold[index].type };
}

function goldChange({ start, end, corrections, type }, kind) {
  return { start, end, correction: corrections.join(" / "), kind, type };
}

function overlap(one, other) {
  if (one.start === one.end && other.start === other.end) return one.start === other.start;
  return one.start < other.end && other.start < one.end;
}

function laidOut(words, changes) {
  const late = ({ kind }) => (kind === "missed" ? 1 : 0);
  changes.sort((a, b) => a.start - b.start || late(a) - late(b) || a.end - b.end);
  const nodes = [];
  let position = 0;
  for (const change of changes) {
    const aside = change.aside || change.start < position;
    const until = Math.max(position, Math.min(change.start, words.length));
    if (until > position) nodes.push(words.slice(position, until).join(" "), " ");
    position = until;
    nodes.push(changeNode(change, words.slice(change.start, change.end).join(" "), aside), " ");
    if (!aside) position = Math.max(position, change.end);
  }
  if (position < words.length) nodes.push(words.slice(position).join(" "));
  return nodes;
}

function changeNode(change, old, aside) {
  const { mark, said } = KINDS[change.kind];
  const node = element(
    "span",
    { class: `edit ${change.kind}`, title: [said, change.type].filter(Boolean).join(": ") },
    mark && element("span", { class: "mark", "aria-hidden": "true" }, mark),
    hiddenText(`${said}: `),
    changeText(change, old, aside),
    change.type && element("span", { class: "type" }, change.type),
  );
  const hasGain = change.gain !== undefined && change.gain !== null;
  return hasGain ? element("span", { class: "with-gain" }, node, gainNode(change.gain)) : node;
}

// A bar under the edit: green for a gain, red for a loss. A third of the range of scores fills it.
function gainNode(gain) {
  const [full, least] = [40, 1];
  const width = Math.max(least, Math.min(1, (3 * Math.abs(gain)) / 1000) * full);
  const text = sentenceScore(gain, true);
  return element(
    "span",
    { class: "gain", title: `${summary.attributed}: ${text}` },
    svg(
      "svg",
      { class: "gain-bar", viewBox: `0 0 ${width} 4`, width, height: 4, "aria-hidden": "true" },
      svg("rect", { class: gain < 0 ? "loss" : "profit", x: 0, y: 0, width, height: 4 }),
    ),
    hiddenText(`${summary.attributed}: `),
    element("small", {}, text),
  );
}

function changeText({ kind, correction }, old, aside) {
  if (aside) return element("span", { class: "aside" }, `${old || "+"} → ${correction || NOTHING}`);
  if (kind === "missed") {
    return [
      old && element("span", { class: "kept" }, old),
      element("span", { class: "wanted" }, `→ ${correction || NOTHING}`),
    ];
  }
  return [
    old && element("del", {}, old),
    old && correction && " ",
    correction && element("ins", {}, correction),
  ];
}

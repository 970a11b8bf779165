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
function judgedDifference(words, made, gold) {
  const found = new Set(made.map((edit) => edit.gold));
  const missed = gold.filter((_, index) => !found.has(index));
  return laidOut(words, [
    ...made.map((edit) => madeChange(edit, gold)),
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

function changedDifference(words, changes) {
  return laidOut(words, changes.map(({ start, end, correction }) => (
    { start, end, correction, kind: "changed", type: null }
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
  return element(
    "span",
    { class: `edit ${change.kind}`, title: [said, change.type].filter(Boolean).join(": ") },
    mark && element("span", { class: "mark", "aria-hidden": "true" }, mark),
    hiddenText(`${said}: `),
    changeText(change, old, aside),
    change.type && element("span", { class: "type" }, change.type),
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

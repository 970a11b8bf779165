// The source with the edits made on it: right ones, wrong ones, and those that were missed.

const KINDS = {
  correct: { mark: "✓", said: "correct" },
  wrong: { mark: "✗", said: "wrong" },
  missed: { mark: "○", said: "missed" },
  gold: { mark: "", said: "edit" },
};

// Nodes of a source sentence in which `made` was done and `gold` wanted.
function difference(source, made, gold) {
  const words = source ? source.split(" ") : [];
  const found = new Set(made.map(([, , , place]) => place));
  const changes = [
    ...made.map(([start, end, correction, place, type = ""]) => ({
      start, end, correction, kind: place < 0 ? "wrong" : "correct", type: place < 0 ? type : gold[place][3],
    })),
    ...gold.filter((_, place) => !found.has(place)).map(([start, end, corrections, type]) => ({
      start, end, correction: corrections.join(" / "), kind: "missed", type,
      // Where the system did something else, the words are struck already: only say what was wanted.
      aside: made.some((edit) => overlap(edit, [start, end])),
    })),
  ];
  return laidOut(words, changes);
}

// A reference: the source with an annotator's edits.
function goldDifference(source, gold) {
  const changes = gold.map(([start, end, corrections, type]) => ({ start, end, correction: corrections.join(" / "), kind: "gold", type }));
  return laidOut(source ? source.split(" ") : [], changes);
}

function overlap([start, end], [from, to]) {
  if (start === end && from === to) return start === from;
  return start < to && from < end;
}

function laidOut(words, changes) {
  const order = { correct: 0, wrong: 0, gold: 0, missed: 1 };
  changes.sort((a, b) => a.start - b.start || order[a.kind] - order[b.kind] || a.end - b.end);
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
  const missed = change.kind === "missed";
  return element(
    "span",
    { class: `edit ${change.kind}`, title: [said, change.type].filter(Boolean).join(": ") },
    mark && element("span", { class: "mark", "aria-hidden": "true" }, mark),
    hiddenText(`${said}: `),
    aside ? element("span", { class: "aside" }, `${old || "+"} → ${change.correction || "∅"}`)
      : missed ? [old && element("span", { class: "kept" }, old), element("span", { class: "wanted" }, `→ ${change.correction || "∅"}`)]
      : [old && element("del", {}, old), old && change.correction && " ", change.correction && element("ins", {}, change.correction)],
    change.type && element("span", { class: "type" }, change.type),
  );
}

// What became of a sentence: a system is right if it made all edits of some annotator and no others.

let rightness = null;

// For each sentence, for each of its distinct outputs, whether it is right.
function rightOutputs() {
  if (rightness === null) {
    const { gold, outputs } = sentences();
    rightness = outputs.map((distinct, index) => distinct.map(([, ...edits]) => gold[index].some((wanted, annotator) => isRight(edits[annotator], wanted))));
  }
  return rightness;
}

function isRight(edits, gold) {
  return edits.length === gold.length && edits.every(([, , , place]) => place >= 0);
}

function isSystemRight(index, system) {
  return rightOutputs()[index][sentences().output[index][system]];
}

function rightSystems(index) {
  const right = rightOutputs()[index];
  return sentences().output[index].filter((place) => right[place]).length;
}

// Which sentences an outcome keeps; `system` is the one that is asked about.
const OUTCOMES = {
  any: { label: "any outcome", keeps: () => true },
  wrong: { label: "all systems wrong", keeps: (index) => rightSystems(index) === 0 },
  right: { label: "all systems right", keeps: (index) => rightSystems(index) === systems.length },
  disagree: {
    label: "systems disagree: some right, some wrong",
    keeps: (index) => rightSystems(index) > 0 && rightSystems(index) < systems.length,
  },
  differ: { label: "outputs differ", keeps: (index) => sentences().outputs[index].length > 1 },
  same: { label: "all outputs the same", keeps: (index) => sentences().outputs[index].length === 1 },
  systemWrong: { label: "the system below wrong", needsSystem: true, keeps: (index, system) => !isSystemRight(index, system) },
  systemRight: { label: "the system below right", needsSystem: true, keeps: (index, system) => isSystemRight(index, system) },
  falsePositive: {
    label: "the system below has a false positive",
    needsSystem: true,
    keeps: (index, system) => madeEdits(index, system, CHOSEN).made.some(([, , , place]) => place < 0),
  },
  missed: {
    label: "the system below misses an edit",
    needsSystem: true,
    keeps: (index, system) => {
      const { made, gold } = madeEdits(index, system, CHOSEN);
      return made.filter(([, , , place]) => place >= 0).length < gold.length;
    },
  },
};

const CHOSEN = "chosen";

// A system's edits of a sentence against an annotator, or against the one that the metric chose.
function madeEdits(index, system, against) {
  const { gold, outputs, output, annotator } = sentences();
  const chosen = against === CHOSEN ? annotator[index][system] : Math.min(Number(against), gold[index].length - 1);
  const [text, ...edits] = outputs[index][output[index][system]];
  return { annotator: chosen, gold: gold[index][chosen], made: edits[chosen], text };
}

// The outcome of a sentence. A system is right on a sentence if it made all edits of one reference
// and no others. On a sentence without references, a system is neither right nor wrong.

const CHOSEN = "chosen";

const rightness = [];

// Whether each distinct output of a sentence is right; null without references.
function rightOutputs(index) {
  if (referenceCount(index) === 0) return null;
  rightness[index] ??= distinctOutputs(index).map((output) =>
    sentences().gold[index].some((gold, reference) => isRight(output, reference, gold.length)),
  );
  return rightness[index];
}

function isRight(output, reference, goldCount) {
  const edits = editsAgainst(output, reference);
  return edits.length === goldCount && edits.every(isCorrect);
}

function isCorrect(edit) {
  return edit.gold >= 0;
}

// How many systems are right; null without references.
function rightSystems(index) {
  const right = rightOutputs(index);
  return right && sentences().output_of[index].filter((output) => right[output]).length;
}

function isSystemRight(index, system) {
  return rightOutputs(index)?.[sentences().output_of[index][system]];
}

// The outcomes that the list can be filtered by. `judged` ones need references; `ofSystem` ones ask
// about the selected system.
const OUTCOMES = {
  any: { label: "any outcome", keeps: () => true },
  wrong: { label: "all systems wrong", judged: true, keeps: (index) => rightSystems(index) === 0 },
  right: {
    label: "all systems right",
    judged: true,
    keeps: (index) => rightSystems(index) === systems.length,
  },
  disagree: {
    label: "some systems right, some wrong",
    judged: true,
    keeps: (index) => rightSystems(index) > 0 && rightSystems(index) < systems.length,
  },
  differ: { label: "outputs differ", keeps: (index) => sentences().outputs[index].length > 1 },
  same: { label: "all outputs equal", keeps: (index) => sentences().outputs[index].length === 1 },
  systemWrong: {
    label: "selected system wrong",
    judged: true,
    ofSystem: true,
    keeps: (index, system) => isSystemRight(index, system) === false,
  },
  systemRight: {
    label: "selected system right",
    judged: true,
    ofSystem: true,
    keeps: (index, system) => isSystemRight(index, system) === true,
  },
  falsePositive: {
    label: "selected system makes a wrong edit",
    judged: true,
    ofSystem: true,
    keeps: (index, system) => !systemEdits(index, system, CHOSEN).made.every(isCorrect),
  },
  missed: {
    label: "selected system misses an edit",
    judged: true,
    ofSystem: true,
    keeps: (index, system) => {
      const { made, gold } = systemEdits(index, system, CHOSEN);
      return made.filter(isCorrect).length < gold.length;
    },
  },
};

// A system's edits of a sentence, against one reference or the one that the extractor chose.
// Without references there are only changes.
function systemEdits(index, system, against) {
  const output = outputOf(index, system);
  const count = referenceCount(index);
  const known = sentences().gains?.[index][system] ?? null;
  if (count === 0) {
    const changes = changesOf(output);
    return { output, reference: null, gold: [], made: [], changes, gains: known };
  }
  const chosen = sentences().compared_with[index][system];
  const reference = against === CHOSEN ? chosen : Math.min(Number(against), count - 1);
  const made = editsAgainst(output, reference);
  // Against another reference the extractor may find other edits, whose gains are not known.
  const gains = reference === chosen ? known : null;
  return { output, reference, gold: goldEdits(index, reference), made, changes: [], gains };
}

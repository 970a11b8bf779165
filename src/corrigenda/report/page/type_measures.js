// Precision, recall and F of the edits of one type.

// Wrong edits have types only if the extractor gives them some.
const BETA_SQUARED = 0.25;
const EDIT_MEASURES = {
  recall: { name: "recall of gold edits", of: (made, gold) => share(made, gold) },
  precision: {
    name: "precision of edits", needsWrong: true,
    of: (made, _, wrong) => share(made, made + wrong),
  },
  f: {
    name: "F0.5 of edits", needsWrong: true,
    of: (made, gold, wrong) =>
      share((1 + BETA_SQUARED) * made, made + wrong + BETA_SQUARED * gold),
  },
};

function share(part, whole) {
  return whole > 0 ? part / whole : null;
}

// The measures of edits that the slices have.
function editMeasures(slicing) {
  if (!slicing.edits) return [];
  const hasWrong = slicing.edits.wrong !== null;
  return Object.keys(EDIT_MEASURES).filter((each) => hasWrong || !EDIT_MEASURES[each].needsWrong);
}

function editMeasure(measure, slicing, slice, system) {
  const { gold, made, wrong } = slicing.edits;
  return EDIT_MEASURES[measure].of(
    made[slice][system], gold[slice][system], wrong?.[slice][system] ?? null,
  );
}

// Precision, recall and F of each type, for the two systems.
function typeTable(slicing) {
  const shown = [...new Set([pair.a, pair.b])];
  const measures = editMeasures(slicing);
  const heads = { precision: "P", recall: "R", f: "F0.5" };
  const column = (system, measure) => {
    const value = ({ slice }) => editMeasure(measure, slicing, slice, system);
    const head = `${systems[system]} ${heads[measure]}`;
    return numberColumn(head, value, (row) => percent(value(row), 1));
  };
  const order = ["precision", "recall", "f"].filter((each) => measures.includes(each));
  const goldEdits = ({ slice }) => slicing.edits.gold[slice][shown[0]];
  const columns = [
    {
      head: sliceName(slicing.by),
      value: (row) => slicing.labels[row.slice],
      cell: (row) => sliceButton(slicing, row.slice),
      className: () => "name",
    },
    numberColumn("Gold edits", goldEdits, (row) => String(goldEdits(row)), {
      title: `in the references that count for ${systems[shown[0]]}`,
    }),
    ...shown.flatMap((system) => order.map((measure) => column(system, measure))),
  ];
  const title = slicing.edits.wrong
    ? "Precision, recall and F0.5 by type"
    : "Recall by type";
  const note = slicing.edits.wrong
    ? "An edit that is right has the type of its gold edit. Wrong edits whose type no gold edit " +
      "has are not shown."
    : "Precision by type needs types of wrong edits: write the report with --extractor errant.";
  const rows = slicing.labels.map((_, slice) => ({ slice }));
  return element(
    "details",
    { class: "by-type" },
    element("summary", {}, title),
    paragraph("note", note),
    sortableTable(title, columns, rows, 1),
  );
}

// The human ceiling: each reference against the others, and the systems against the same ones.

function showCeiling() {
  const { ceiling } = summary;
  if (!ceiling) return;
  const HUMAN = -1;
  const rows = [HUMAN, ...systems.keys()];
  const name = (row) => (row === HUMAN ? "human ceiling" : systems[row]);
  const value = (found, row) => (row === HUMAN ? found.human : found.systems[row]);
  const columns = [
    { head: "System", value: name, cell: (row) => nameOfCeiling(row === HUMAN, name(row)) },
    ...ceiling.by_metric.map((found, place) =>
      numberColumn(
        metrics[place].name,
        (row) => value(found, row),
        (row) => percent(value(found, row)),
      )),
  ];
  byId("leaderboard-body").append(
    element("h3", { id: "ceiling" }, "Human ceiling"),
    paragraph("note", ceilingText(ceiling)),
    sortableTable("The human ceiling and the systems", columns, rows, 1),
  );
}

function nameOfCeiling(isHuman, name) {
  return isHuman ? element("em", {}, name) : name;
}

function ceilingText({ sentences: count, subsets }) {
  return `Each of ${subsets} references was scored against the others, and each system against ` +
    `the same subsets of references; both are means. ${plural(count, "sentence")} with two ` +
    "references or more. Scores against fewer references are mostly lower than those above.";
}

// Correlations of metrics, and with human scores, over the systems that the reader includes.

function correlation(indices, xs, ys) {
  if (indices.length < 2) return { r: null, rho: null };
  const [some, others] = [indices.map((index) => xs[index]), indices.map((index) => ys[index])];
  return { r: pearson(some, others), rho: spearman(some, others) };
}

// Boxes that include a system in the correlation or exclude it.
function countedSystems(changed) {
  const toggled = (index) => (event) => {
    if (event.target.checked) scatterState.excluded.delete(index);
    else scatterState.excluded.add(index);
    changed();
  };
  const boxes = systems.map((name, index) => {
    const checked = !scatterState.excluded.has(index);
    const box = element("input", { type: "checkbox", checked, change: toggled(index) });
    return element("label", { class: "check" }, box, name);
  });
  return element(
    "details",
    { class: "counted" },
    element("summary", {}, "Choose the systems for the correlation"),
    element("div", { class: "checks" }, boxes),
  );
}

function correlationTable() {
  if (!summary.human) return null;
  const rows = metrics.map(({ name, scores }) => {
    const indices = counted(scores, summary.human.scores);
    return { name, count: indices.length, ...correlation(indices, scores, summary.human.scores) };
  });
  const columns = [
    { head: "Metric", value: (row) => row.name, cell: (row) => row.name, className: () => "name" },
    numberColumn("Pearson r", (row) => row.r, (row) => coefficient(row.r)),
    numberColumn("Spearman ρ", (row) => row.rho, (row) => coefficient(row.rho)),
    numberColumn("Systems", (row) => row.count, (row) => String(row.count)),
  ];
  return [
    element("h4", {}, `Agreement with ${humanName()}`),
    sortableTable("Correlation with human scores", columns, rows, 1),
  ];
}

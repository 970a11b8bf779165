// The significance matrix: every system against every other, by the metric that is chosen.

function showSignificance() {
  const target = byId("significance-body");
  if (systems.length < 2) {
    replace(target, element("p", { class: "lead" }, "A single system has nothing to be compared with."));
    return;
  }
  const body = element("div");
  const show = (metric) => replace(body, matrix(metrics[metric], ranked(metric)));
  replace(
    target,
    element(
      "p",
      { class: "lead" },
      "The row’s system against the column’s: ",
      element("span", { class: "key better" }, "▲ better"), " ",
      element("span", { class: "key worse" }, "▼ worse"), " ",
      element("span", { class: "key even" }, "· no significant difference."),
      ` The number is the p-value of a paired bootstrap test${correctionText()}.`,
    ),
    element("div", { class: "controls" }, choice("Metric", metricOptions(), "0", (value) => show(Number(value)))),
    body,
  );
  show(0);
}

function correctionText() {
  const names = { bh: ", corrected by Benjamini–Hochberg", holm: ", corrected by Holm’s method", none: ", not corrected" };
  return names[summary.resampling.correction];
}

function matrix(metric, order) {
  const label = `Significance by ${metric.name}`;
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "System"),
    element("th", { scope: "col", class: "number" }, "Score"),
    order.map((system, place) =>
      element("th", { scope: "col", title: systems[system] }, String(place + 1), hiddenText(` ${systems[system]}`)),
    ),
  );
  const rows = order.map((one, place) =>
    element(
      "tr",
      { class: place > 0 && metric.clusters[one] !== metric.clusters[order[place - 1]] ? "group" : null },
      element("th", { scope: "row", class: "name" }, element("span", { class: "place" }, `${place + 1} `), systems[one]),
      element("td", { class: "number" }, percent(metric.scores[one])),
      order.map((other) => matrixCell(metric, one, other)),
    ),
  );
  return [
    scrolled(label, element("table", { class: "matrix" }, element("caption", { class: "unseen" }, label),
      element("thead", {}, head), element("tbody", {}, rows))),
    element("p", { class: "note" }, "A line between rows parts groups of systems whose ranges of ranks do not overlap."),
  ];
}

function matrixCell(metric, one, other) {
  if (one === other) return element("td", { class: "self" }, hiddenText("itself"));
  const p = ofPair(metric.p, one, other);
  const difference = metric.scores[one] - metric.scores[other];
  const title = `${systems[one]} − ${systems[other]}: ${signed(difference)}, p = ${p}`;
  if (p >= ALPHA || difference === 0) {
    return element("td", { class: "even", title }, element("span", { "aria-hidden": "true" }, "·"), hiddenText("even"),
      element("small", {}, pText(p)));
  }
  const [kind, mark] = difference > 0 ? ["better", "▲"] : ["worse", "▼"];
  return element("td", { class: kind, title }, element("span", { "aria-hidden": "true" }, mark), hiddenText(kind),
    element("small", {}, pText(p)));
}

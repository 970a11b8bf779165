// The significance matrix: every system against every other, by the selected metric.

const CORRECTIONS = {
  bh: ", corrected for the number of tests (Benjamini–Hochberg)",
  holm: ", corrected for the number of tests (Holm)",
  none: ", not corrected for the number of tests",
};

function correctionText() {
  return CORRECTIONS[summary.resampling.correction];
}

function showSignificance() {
  const target = byId("significance-body");
  if (systems.length < 2) {
    const text = "The report has one system, so there is nothing to compare.";
    replace(target, paragraph("lead", text));
    return;
  }
  const body = element("div");
  const show = (value) => replace(body, matrix(metrics[value], ranked(value)));
  const metricChoice = choice("Metric", metricOptions(), "0", show);
  replace(target, significanceLead(), element("div", { class: "controls" }, metricChoice), body);
  show("0");
}

function significanceLead() {
  return paragraph(
    "lead",
    "Each cell compares the system of the row with the system of the column: ",
    element("span", { class: "key better" }, "▲ better"), " ",
    element("span", { class: "key worse" }, "▼ worse"), " ",
    element("span", { class: "key even" }, "· no significant difference"), ". ",
    `The number is the p-value of a paired permutation test${correctionText()}.`,
  );
}

function matrix(metric, order) {
  const rows = order.map((one, place) => matrixRow(metric, order, one, place));
  return [
    captionedTable(
      "matrix", `Significance by ${metric.name}`, matrixHead(order), element("tbody", {}, rows),
    ),
    paragraph("note", "Lines separate groups whose rank ranges do not overlap."),
    systems.length > 2 ? pairList(metric) : null,
  ];
}

// Every pair with the better system first; significant differences come first.
function pairList(metric) {
  const pairs = systems.flatMap((_, one) =>
    [...Array(one).keys()].map((other) => {
      const [a, b] = metric.scores[one] >= metric.scores[other] ? [one, other] : [other, one];
      const difference = metric.scores[a] - metric.scores[b];
      return { a, b, difference, p: ofPair(metric.p, a, b) };
    }),
  );
  const isReal = ({ p, difference }) => p < ALPHA && difference !== 0;
  const real = pairs.filter(isReal).length;
  pairs.sort((x, y) => isReal(y) - isReal(x) || y.difference - x.difference);
  const rows = pairs.map((each) => pairRow(each, isReal(each)));
  const heads = ["System", "above", "Difference", "p", "Verdict"].map((text, place) =>
    element("th", { scope: "col", class: place === 2 || place === 3 ? "number" : null }, text));
  return element("details", {},
    element("summary", {}, `${real} of ${pairs.length} pairs differ significantly: list them`),
    element("div", { class: "tall" },
      captionedTable("pairs", `Pairs by ${metric.name}`, element("tr", {}, heads),
        element("tbody", {}, rows))),
  );
}

function pairRow({ a, b, difference, p }, real) {
  return element("tr", {},
    element("th", { scope: "row", class: "name" }, systems[a]),
    element("td", {}, systems[b]),
    element("td", { class: "number" }, signed(difference)),
    element("td", { class: "number" }, pText(p)),
    real
      ? element("td", { class: "better" }, "▲ significant")
      : element("td", { class: "even" }, "· not significant"),
  );
}

function matrixHead(order) {
  const head = (system, place) =>
    element("th", { scope: "col", title: systems[system] },
      String(place + 1), hiddenText(` ${systems[system]}`));
  return element(
    "tr",
    {},
    element("th", { scope: "col" }, "System"),
    element("th", { scope: "col", class: "number" }, "Score"),
    order.map(head),
  );
}

function matrixRow(metric, order, one, place) {
  const startsGroup = place > 0 && metric.clusters[one] !== metric.clusters[order[place - 1]];
  return element(
    "tr",
    { class: startsGroup ? "group" : null },
    element("th", { scope: "row", class: "name" },
      element("span", { class: "place" }, `${place + 1} `), systems[one]),
    element("td", { class: "number" }, percent(metric.scores[one])),
    order.map((other) => matrixCell(metric, one, other)),
  );
}

function matrixCell(metric, one, other) {
  if (one === other) return element("td", { class: "self" }, hiddenText("itself"));
  const p = ofPair(metric.p, one, other);
  const difference = metric.scores[one] - metric.scores[other];
  const title = `${systems[one]} − ${systems[other]}: ${signed(difference)}, p = ${p}`;
  const [kind, mark] = matrixVerdict(p, difference);
  return element(
    "td",
    { class: kind, title },
    element("span", { "aria-hidden": "true" }, mark),
    hiddenText(kind),
    element("small", {}, pText(p)),
  );
}

function matrixVerdict(p, difference) {
  if (p >= ALPHA || difference === 0) return ["even", "·"];
  return difference > 0 ? ["better", "▲"] : ["worse", "▼"];
}

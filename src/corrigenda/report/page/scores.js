// A panel for each metric: every system's score with its interval, in the order of the first metric.

const SCORE_PANEL = { width: 380, label: 118, row: 21, top: 8, bottom: 24, right: 14 };

function showScores() {
  const order = ranked();
  replace(
    byId("scores-body"),
    pairKey(),
    element("div", { class: "panels" }, metrics.map((metric) => scorePanel(metric, order))),
    systems.length > 1 && element("p", { class: "note" }, `Systems are in the order of ${metrics[0].name} in every panel: a dot out of line is a metric that disagrees.`),
  );
}

// A score beyond the edge of its panel, as an arrow with its number.
function farOff(left, x, y, text) {
  const at = { class: "far", x, y: y + 4, "text-anchor": left ? "start" : "end" };
  return svg("text", at, left ? `◂ ${text}` : `${text} ▸`);
}

function scorePanel(metric, order) {
  const { width, label, row, top, bottom, right } = SCORE_PANEL;
  const height = top + row * order.length + bottom;
  const [least, most] = focused(metric.scores);
  const inside = (score) => score >= least && score <= most;
  const bounds = order.filter((system) => inside(metric.scores[system])).flatMap((system) => [metric.low[system], metric.high[system]]);
  const range = padded(extent([least, most, ...bounds]));
  const x = linear(range, [label, width - right]);
  const rows = order.map((system, place) => {
    const y = top + row * (place + 0.5);
    const [low, score, high] = [metric.low[system], metric.scores[system], metric.high[system]];
    if (score === null) return null;
    const name = svg("text", { class: "row-label", x: label - 10, y: y + 4, "text-anchor": "end" }, shortened(systems[system], 16), svg("title", {}, systems[system]));
    if (!inside(score)) return svg("g", { class: pairClass(system) }, name, farOff(score < least, score < least ? label : width - right, y, percent(score)));
    return svg(
      "g",
      { class: pairClass(system) },
      name,
      low === null ? null : svg("line", { class: `whisk ${pairClass(system)}`, x1: x(low), x2: x(high), y1: y, y2: y }),
      dot(system, x(score), y, `${systems[system]}: ${percent(score)} (${between(low, high)})`),
    );
  });
  return element(
    "figure",
    {},
    element("figcaption", {}, metric.name),
    plot(`Scores by ${metric.name}`, width, height, axisBottom(x, range, height - bottom, top), rows.filter(Boolean)),
  );
}

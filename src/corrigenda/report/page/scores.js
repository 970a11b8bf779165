// One panel per metric: every system's score with its interval, in the order of the first metric.

const SCORE_PANEL = { width: 380, label: 118, row: 21, top: 8, bottom: 24, right: 14 };

function showScores() {
  const order = ranked();
  const note = `All plots list the systems in the order of ${metrics[0].name}. If another metric ` +
    "orders them differently, its marks do not fall in one line.";
  replace(
    byId("scores-body"),
    pairKey(),
    element("div", { class: "panels" }, metrics.map((metric) => scorePanel(metric, order))),
    paragraph("note", "Lines are confidence intervals. ",
      systems.length > 1 && metrics.length > 1 && note),
  );
}

function scorePanel(metric, order) {
  const { width, label, row, top, bottom, right } = SCORE_PANEL;
  const height = top + row * order.length + bottom;
  const focus = focused(metric.scores);
  const bounds = order
    .filter((system) => isWithin(metric.scores[system], focus))
    .flatMap((system) => [metric.low[system], metric.high[system]]);
  const range = padded(extent([...focus, ...bounds]));
  const x = linear(range, [label, width - right]);
  const rows = order.map((system, place) => {
    const y = top + row * (place + 0.5);
    return metric.scores[system] === null ? null : scoreRow(metric, system, x, y, focus);
  });
  const lines = axisBottom(x, range, height - bottom, top);
  return element(
    "figure",
    {},
    element("figcaption", {}, metric.name),
    plot(`Scores by ${metric.name}`, width, height, lines, rows),
  );
}

function isWithin(value, [low, high]) {
  return value >= low && value <= high;
}

function scoreRow(metric, system, x, y, focus) {
  const [low, score, high] = [metric.low[system], metric.scores[system], metric.high[system]];
  const group = (...marks) =>
    svg("g", { class: pairClass(system) }, scoreLabel(systems[system], y), ...marks);
  if (!isWithin(score, focus)) return group(farOff(score < focus[0], y, percent(score)));
  const line = { class: `whisk ${pairClass(system)}`, x1: x(low), x2: x(high), y1: y, y2: y };
  return group(
    low === null ? null : svg("line", line),
    dot(system, x(score), y, `${systems[system]}: ${percent(score)} (${between(low, high)})`),
  );
}

function scoreLabel(name, y) {
  const at = { class: "row-label", x: SCORE_PANEL.label - 10, y: y + 4, "text-anchor": "end" };
  return svg("text", at, shortened(name, 16), svg("title", {}, name));
}

// A score beyond the edge of its panel: an arrow with its number.
function farOff(isLeft, y, text) {
  const x = isLeft ? SCORE_PANEL.label : SCORE_PANEL.width - SCORE_PANEL.right;
  const at = { class: "far", x, y: y + 4, "text-anchor": isLeft ? "start" : "end" };
  return svg("text", at, isLeft ? `◂ ${text}` : `${text} ▸`);
}

// Metric against metric, or against human scores: one point per system.

const SCATTER = { height: 440, left: 52, right: 16, top: 14, bottom: 44 };
const HUMAN = "human";
// People are on the horizontal axis, as in all figures of `corrigenda meta`.
const scatterState = {
  x: summary.human ? HUMAN : "0",
  y: summary.human ? "0" : String(Math.min(1, metrics.length - 1)),
  excluded: new Set(),
};

function showScatter() {
  const target = byId("scatter-body");
  if (systems.length < 3 || (metrics.length < 2 && !summary.human)) return;
  const body = element("div");
  const correlations = element("div");
  const redraw = () => replace(body, scatterFigure(widthWithin(body, 700)));
  const redrawAll = () => {
    redraw();
    replace(correlations, correlationTable());
  };
  const title = `Metrics against each other${summary.human ? " and against people" : ""}`;
  replace(
    target,
    element("h3", {}, title),
    element("div", { class: "controls" },
      axisChoice("Horizontal axis", "x", redraw), axisChoice("Vertical axis", "y", redraw)),
    element("div", { class: summary.human ? "beside" : null }, body, correlations),
    countedSystems(redrawAll),
  );
  redrawAll();
}

function axisChoice(label, name, changed) {
  const options = [...metricOptions(), ...(summary.human ? [[HUMAN, humanName()]] : [])];
  return choice(label, options, scatterState[name], (value) => {
    scatterState[name] = value;
    changed();
  });
}

function humanName() {
  return `human scores (${summary.human.name})`;
}

function scatterValues(which) {
  return which === HUMAN ? summary.human.scores : metrics[which].scores;
}

function scatterName(which) {
  return which === HUMAN ? humanName() : metrics[which].name;
}

// The systems that have both scores and are not excluded.
function counted(xs, ys) {
  const hasBoth = (index) => xs[index] !== null && ys[index] !== null;
  return [...systems.keys()]
    .filter((index) => hasBoth(index) && !scatterState.excluded.has(index));
}

function scatterFigure(width) {
  const [xs, ys] = [scatterValues(scatterState.x), scatterValues(scatterState.y)];
  const indices = counted(xs, ys);
  if (indices.length < 2) {
    return paragraph("note", "Fewer than two systems have both scores.");
  }
  const { r, rho } = correlation(indices, xs, ys);
  const text = `Pearson r = ${coefficient(r)}, Spearman ρ = ${coefficient(rho)} ` +
    `over ${indices.length} systems`;
  return element(
    "figure",
    { class: "scatter" },
    scatterPlot(width, indices, xs, ys),
    element("figcaption", { role: "status" }, text),
  );
}

function scatterPlot(width, indices, xs, ys) {
  const { height, left, right, top, bottom } = SCATTER;
  const xRange = padded(extent(indices.map((index) => xs[index])), 0.1);
  const yRange = padded(extent(indices.map((index) => ys[index])), 0.1);
  const x = linear(xRange, [left, width - right]);
  const y = linear(yRange, [height - bottom, top]);
  const points = indices.map((index) => ({
    index, x: x(xs[index]), y: y(ys[index]), text: shortened(systems[index], 18),
  }));
  return plot(
    `${scatterName(scatterState.y)} against ${scatterName(scatterState.x)}`,
    width,
    height,
    axisBottom(x, xRange, height - bottom, top, 6, scatterFormat(scatterState.x)),
    axisLeft(y, yRange, left, width - right, scatterFormat(scatterState.y)),
    axisNames(width),
    pointLabels(points, left, width),
    pairLast(indices).map((index) => dot(index, x(xs[index]), y(ys[index]), systems[index])),
  );
}

// Human scores have a scale of their own; they are not percentages.
function scatterFormat(which) {
  if (which !== HUMAN) return null;
  return (value) => String(Number(value.toFixed(2))).replace("-", "−");
}

function axisNames(width) {
  const { height, left, right, top, bottom } = SCATTER;
  const [across, up] = [(left + width - right) / 2, (top + height - bottom) / 2];
  const at = { class: "axis-name", "text-anchor": "middle" };
  return [
    svg("text", { ...at, x: across, y: height - 8 }, scatterName(scatterState.x)),
    svg("text", { ...at, transform: `translate(13 ${up}) rotate(-90)` },
      scatterName(scatterState.y)),
  ];
}

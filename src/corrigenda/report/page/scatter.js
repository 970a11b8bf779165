// Metric against metric, or against human scores, a point for each system.

const SCATTER = { width: 640, height: 440, left: 52, right: 16, top: 14, bottom: 44 };  // the width follows the screen
const HUMAN = "human";
const scatterState = { x: "0", y: String(Math.min(1, metrics.length - 1)), left: new Set() };

function showScatter() {
  const target = byId("scatter-body");
  if (systems.length < 3 || (metrics.length < 2 && !summary.human)) {
    replace(target);
    return;
  }
  if (summary.human && scatterState.x === "0" && scatterState.y !== HUMAN) scatterState.y = HUMAN;
  const body = element("div", { class: "drawn" });
  const correlations = element("div");
  const redraw = () => {
    SCATTER.width = widthWithin(body, 700);
    replace(body, scatterFigure());
  };
  const options = [...metricOptions(), ...(summary.human ? [[HUMAN, humanName()]] : [])];
  const axis = (name) => choice(`${name === "x" ? "Across" : "Up"}`, options, scatterState[name], (value) => {
    scatterState[name] = value;
    redraw();
  });
  replace(
    target,
    element("h3", {}, summary.human ? "Metric against metric, and against people" : "Metric against metric"),
    element("div", { class: "controls" }, axis("x"), axis("y")),
    element("div", { class: summary.human ? "beside" : null }, body, correlations),
    leftOut(() => {
      redraw();
      replace(correlations, correlationTable());
    }),
  );
  replace(correlations, correlationTable());
  redraw();
}

function humanName() {
  return `people: ${summary.human.name}`;
}

function scatterValues(which) {
  return which === HUMAN ? summary.human.scores : metrics[Number(which)].scores;
}

function scatterName(which) {
  return which === HUMAN ? humanName() : metrics[Number(which)].name;
}

function counted(xs, ys) {
  return systems
    .map((_, index) => index)
    .filter((index) => !scatterState.left.has(index) && xs[index] !== null && ys[index] !== null);
}

function scatterFigure() {
  const [xs, ys] = [scatterValues(scatterState.x), scatterValues(scatterState.y)];
  const [xName, yName] = [scatterName(scatterState.x), scatterName(scatterState.y)];
  const indices = counted(xs, ys);
  if (indices.length < 2) return element("p", { class: "note" }, "Fewer than two systems have both scores.");
  const [px, py] = [indices.map((index) => xs[index]), indices.map((index) => ys[index])];
  const text = `Pearson r = ${coefficient(pearson(px, py))}, Spearman ρ = ${coefficient(spearman(px, py))} over ${indices.length} systems`;
  return element("figure", { class: "scatter" }, scatterPlot(indices, xs, ys, xName, yName), element("figcaption", { role: "status" }, text));
}

function scatterPlot(indices, xs, ys, xName, yName) {
  const { width, height, left, right, top, bottom } = SCATTER;
  const xRange = padded(extent(indices.map((index) => xs[index])), 0.1);
  const yRange = padded(extent(indices.map((index) => ys[index])), 0.1);
  const x = linear(xRange, [left, width - right]);
  const y = linear(yRange, [height - bottom, top]);
  const raw = (name) => (name === HUMAN ? (value) => String(Number(value.toFixed(2))).replace("-", "−") : null);
  const points = indices.map((index) => ({ index, x: x(xs[index]), y: y(ys[index]), text: shortened(systems[index], 18) }));
  return plot(
    `${yName} against ${xName}`,
    width,
    height,
    axisBottom(x, xRange, height - bottom, top, 6, raw(scatterState.x)),
    axisLeft(y, yRange, left, width - right, raw(scatterState.y)),
    svg("text", { class: "axis-name", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, xName),
    svg("text", { class: "axis-name", transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yName),
    labelled(points),
    pairLast(indices).map((index) => dot(index, x(xs[index]), y(ys[index]), systems[index])),
  );
}

// Each label goes where it covers no point and no label before it, if there is such a place.
function labelled(points) {
  const taken = points.map((point) => ({ x: point.x - 6, y: point.y - 6, width: 12, height: 12 }));
  const covered = (box) => {
    const outside = Math.max(0, SCATTER.left - box.x) + Math.max(0, box.x + box.width - SCATTER.width);
    return outside * 20 + taken.reduce((sum, other) => sum + shared(box.x, box.width, other.x, other.width) * shared(box.y, box.height, other.y, other.height), 0);
  };
  return points.map((point) => {
    const width = [...point.text].length * 6.6;
    const sideways = [9, -9 - width, -width / 2, 14, -14 - width];
    const places = [[9, -7], [-9 - width, -7], ...[-21, 7, -32, 18].flatMap((dy) => sideways.map((dx) => [dx, dy]))];
    const boxes = places.map(([dx, dy]) => ({ x: point.x + dx, y: point.y + dy, width, height: 14 }));
    const cover = boxes.map(covered);
    const box = boxes[cover.indexOf(Math.min(...cover))];
    taken.push(box);
    return svg("text", { class: `point-label ${pairClass(point.index)}`, x: box.x, y: box.y + 11 }, point.text);
  });
}

// How much two stretches have in common.
function shared(from, length, otherFrom, otherLength) {
  return Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));
}

function leftOut(changed) {
  const boxes = systems.map((name, index) =>
    element(
      "label",
      { class: "check" },
      element("input", {
        type: "checkbox",
        checked: true,
        change: (event) => {
          if (event.target.checked) scatterState.left.delete(index);
          else scatterState.left.add(index);
          changed();
        },
      }),
      name,
    ),
  );
  return element("details", { class: "left-out" }, element("summary", {}, "Systems that count in the correlation"), element("div", { class: "checks" }, boxes));
}

function correlationTable() {
  if (!summary.human) return null;
  const rows = metrics.map((metric) => {
    const indices = counted(metric.scores, summary.human.scores);
    const [xs, ys] = [indices.map((index) => metric.scores[index]), indices.map((index) => summary.human.scores[index])];
    return { name: metric.name, count: indices.length, r: indices.length > 1 ? pearson(xs, ys) : null, rho: indices.length > 1 ? spearman(xs, ys) : null };
  });
  const columns = [
    { head: "Metric", value: (row) => row.name, cell: (row) => row.name, className: () => "name" },
    { head: "Pearson r", numeric: true, value: (row) => row.r, cell: (row) => coefficient(row.r) },
    { head: "Spearman ρ", numeric: true, value: (row) => row.rho, cell: (row) => coefficient(row.rho) },
    { head: "Systems", numeric: true, value: (row) => row.count, cell: (row) => String(row.count) },
  ];
  return [element("h4", {}, `Agreement with ${humanName()}`), sortableTable("Correlation with human scores", columns, rows, { column: 1, direction: "descending" })];
}

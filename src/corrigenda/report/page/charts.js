// What the plots share: scales, axes, marks. Classes give the colours, so they follow the theme.

const FEW = 7;

function linear([low, high], [from, to]) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

function padded([low, high], part = 0.06) {
  const space = (high - low || Math.abs(high) || 1) * part;
  return [low - space, high + space];
}

// Round values between low and high, about `wanted` of them.
function ticks([low, high], wanted = 5) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = (step) => Math.abs(Math.log(step / rough));
  const steps = [1, 2, 5, 10].map((factor) => factor * power);
  const step = steps.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) {
    values.push(value);
  }
  return { values, decimals: Math.max(0, -Math.floor(Math.log10(step * 100) + 1e-9)) };
}

// A plot that fills the width it gets; a screen reader says `label`.
function plot(label, width, height, ...children) {
  const viewBox = `0 0 ${width} ${height}`;
  const attributes = { class: "plot", viewBox, width, height, role: "img", "aria-label": label };
  return svg("svg", attributes, children);
}

// The ticks of an axis: `tick` gives the line and the position of the text for a value.
function axis(range, wanted, format, tick) {
  const { values, decimals } = ticks(range, wanted);
  const text = format ?? ((value) => percent(value, decimals));
  const marks = values.map((value) => {
    const { line, at } = tick(value);
    return [svg("line", { class: "grid", ...line }), svg("text", at, text(value))];
  });
  return svg("g", { class: "axis" }, marks);
}

function axisBottom(scale, range, y, from, wanted = 5, format = null) {
  return axis(range, wanted, format, (value) => ({
    line: { x1: scale(value), x2: scale(value), y1: from, y2: y },
    at: { x: scale(value), y: y + 15, "text-anchor": "middle" },
  }));
}

function axisLeft(scale, range, x, to, format = null) {
  return axis(range, 5, format, (value) => ({
    line: { x1: x, x2: to, y1: scale(value), y2: scale(value) },
    at: { x: x - 6, y: scale(value) + 4, "text-anchor": "end" },
  }));
}

// The first system is a disc, the second a square, the others are rings. So colour is not needed.
function dot(system, x, y, title) {
  const kind = pairClass(system);
  const attributes = { class: `dot ${kind}` };
  const tip = svg("title", {}, title);
  if (kind === "second") {
    return svg("rect", { ...attributes, x: x - 5, y: y - 5, width: 10, height: 10 }, tip);
  }
  return svg("circle", { ...attributes, cx: x, cy: y, r: kind === "first" ? 5.5 : 4 }, tip);
}

// Later marks lie above earlier ones, so the two compared systems come last.
function pairLast(indices) {
  const weight = { other: 0, second: 1, first: 2 };
  return [...indices].sort((a, b) => weight[pairClass(a)] - weight[pairClass(b)]);
}

// The width of a plot inside an element. Before the layout is known it is a usual width.
function widthWithin(node, most = 1180) {
  return Math.max(300, Math.min(most, (node.clientWidth || 760) - 28));
}

// The range of most values. A value far from the others is left out; plots mark it at the edge.
function focused(values) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const far = (sorted.at(-1) - sorted[0]) * 0.45;
  let inside = sorted;
  if (sorted.length > FEW && sorted[1] - sorted[0] > far) inside = sorted.slice(1);
  else if (sorted.length > FEW && sorted.at(-1) - sorted.at(-2) > far) inside = sorted.slice(0, -1);
  return [inside[0], inside.at(-1)];
}

function shortened(text, length) {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}

function pairKey() {
  const several = systems.length > 1;
  return element(
    "p",
    { class: "legend" },
    element("span", { class: "sample first" }, "● ", systems[pair.a]), " ",
    several && element("span", { class: "sample second" }, "■ ", systems[pair.b]), " ",
    systems.length > 2 && element("span", { class: "sample other" }, "○ other systems"),
  );
}

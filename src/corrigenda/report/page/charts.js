// What the plots share: scales, axes, marks. Colours come from classes, so that they follow the theme.

const FEW = 7;

function linear([low, high], [from, to]) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

function padded([low, high], part = 0.06) {
  const space = (high - low || Math.abs(high) || 1) * part;
  return [low - space, high + space];
}

// Round values between low and high, about as many as wished.
function ticks([low, high], wished = 5) {
  const rough = (high - low) / wished;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = (step) => Math.abs(Math.log(step / rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const values = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) values.push(value);
  return { values, decimals: Math.max(0, -Math.floor(Math.log10(step * 100) + 1e-9)) };
}

// A plot that fills the width it gets; `label` is what a screen reader says.
function plot(label, width, height, ...children) {
  return svg(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    children,
  );
}

function axisBottom(scale, range, y, from, wished = 5, format = null) {
  const { values, decimals } = ticks(range, wished);
  return svg(
    "g",
    { class: "axis" },
    values.map((value) => [
      svg("line", { class: "grid", x1: scale(value), x2: scale(value), y1: from, y2: y }),
      svg("text", { x: scale(value), y: y + 15, "text-anchor": "middle" }, format ? format(value) : percent(value, decimals)),
    ]),
  );
}

function axisLeft(scale, range, x, to, format = null) {
  const { values, decimals } = ticks(range);
  return svg(
    "g",
    { class: "axis" },
    values.map((value) => [
      svg("line", { class: "grid", x1: x, x2: to, y1: scale(value), y2: scale(value) }),
      svg("text", { x: x - 6, y: scale(value) + 4, "text-anchor": "end" }, format ? format(value) : percent(value, decimals)),
    ]),
  );
}

// The first system is a disc, the second a square, others are rings: shape as well as colour.
function dot(system, x, y, title) {
  const kind = pairClass(system);
  const attributes = { class: `dot ${kind}` };
  const tip = svg("title", {}, title);
  if (kind === "second") return svg("rect", { ...attributes, x: x - 5, y: y - 5, width: 10, height: 10 }, tip);
  return svg("circle", { ...attributes, cx: x, cy: y, r: kind === "first" ? 5.5 : 4 }, tip);
}

// What is drawn later lies above: the two that are compared come last.
function pairLast(indices) {
  const weight = { other: 0, second: 1, first: 2 };
  return [...indices].sort((a, b) => weight[pairClass(a)] - weight[pairClass(b)]);
}

// The width that a plot may take inside an element; a page that is not laid out yet gets a usual one.
function widthWithin(node, most = 1180) {
  return Math.max(300, Math.min(most, (node.clientWidth || 760) - 28));
}

// The range of most values: where a few lie far off, they are left to be marked at the edge.
function focused(values) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [low, high] = [sorted[0], sorted.at(-1)];
  let inside = sorted;
  const far = (high - low) * 0.45;
  if (sorted.length > FEW && sorted[1] - sorted[0] > far) inside = sorted.slice(1);
  else if (sorted.length > FEW && sorted.at(-1) - sorted.at(-2) > far) inside = sorted.slice(0, -1);
  return [inside[0], inside.at(-1)];
}

function shortened(text, length) {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}

function pairKey() {
  return element(
    "p",
    { class: "legend" },
    element("span", { class: "sample first" }, "● ", systems[pair.a]), " ",
    systems.length > 1 && element("span", { class: "sample second" }, "■ ", systems[pair.b]), " ",
    systems.length > 2 && element("span", { class: "sample other" }, "○ other systems"),
  );
}

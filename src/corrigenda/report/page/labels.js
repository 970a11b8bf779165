// Labels of points in a plot: each one covers as little as possible of points and other labels.

const LABEL_HEIGHT = 14;
const OUTSIDE_COST = 20;

// Points are {index, x, y, text}; `left` and `right` are the edges of the plot.
function pointLabels(points, left, right) {
  const taken = points.map(({ x, y }) => ({ x: x - 6, y: y - 6, width: 12, height: 12 }));
  const cover = (box) => {
    const outside = Math.max(0, left - box.x) + Math.max(0, box.x + box.width - right);
    return taken.reduce((sum, other) => sum + sharedArea(box, other), outside * OUTSIDE_COST);
  };
  return points.map((point) => {
    const places = labelPlaces(point);
    const covers = places.map(cover);
    const place = places[covers.indexOf(Math.min(...covers))];
    taken.push(place);
    return labelText(point, place);
  });
}

// The boxes where the label of a point can be, the most wanted first.
function labelPlaces(point) {
  const width = [...point.text].length * (pairClass(point.index) === "other" ? 6.6 : 7.4);
  const right = (distance) => ({ dx: distance, anchor: "start" });
  const left = (distance) => ({ dx: -distance - width, anchor: "end" });
  const sideways = [right(9), left(9), { dx: -width / 2, anchor: "middle" }, right(14), left(14)];
  const rows = [[-7, [right(9), left(9)]], ...[-21, 7, -32, 18].map((dy) => [dy, sideways])];
  return rows.flatMap(([dy, places]) =>
    places.map(({ dx, anchor }) => ({
      x: point.x + dx, y: point.y + dy, width, height: LABEL_HEIGHT, anchor,
    })),
  );
}

function labelText(point, { x, y, width, anchor }) {
  const shift = { start: 0, middle: width / 2, end: width }[anchor];
  const attributes = { class: `point-label ${pairClass(point.index)}`, "text-anchor": anchor };
  return svg("text", { ...attributes, x: x + shift, y: y + 11 }, point.text);
}

function sharedArea(one, other) {
  return shared(one.x, one.width, other.x, other.width) *
    shared(one.y, one.height, other.y, other.height);
}

// The length of the overlap of two intervals.
function shared(from, length, otherFrom, otherLength) {
  return Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));
}

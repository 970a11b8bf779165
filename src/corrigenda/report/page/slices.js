// Slices: scores by length, by gold edits, by error type, or by a column of the sidecar.

const SLICE_PLOT = { label: 150, row: 25, top: 8, bottom: 26, right: 16 };
const SLICE_NAMES = {
  length: "length in words",
  edits: "number of gold edits",
  type: "error type",
};
const sliceState = { slicing: "0", measure: "0" };

function sliceName(by) {
  return SLICE_NAMES[by] ?? by;
}

function showSlices() {
  const controls = element("div", { class: "controls" });
  const body = element("div");
  const redraw = () => {
    replace(controls, sliceControls(change));
    replace(body, sliceBody(summary.slicings[sliceState.slicing]), leadTable());
  };
  // The controls are made again, so the one that was used gets the focus back.
  const change = (place, apply) => {
    apply();
    redraw();
    controls.querySelectorAll("select")[place].focus();
  };
  const text = "A slice is a group of similar sentences, for example of one length or error type." +
    (HAS_REFERENCES ? " Gold edits are the edits of the references." : "");
  replace(byId("slices-body"), paragraph("lead", text), controls, body);
  redraw();
}

function sliceControls(change) {
  const slicing = summary.slicings[sliceState.slicing];
  const ofEdits = editMeasures(slicing);
  if (sliceState.measure in EDIT_MEASURES && !ofEdits.includes(sliceState.measure)) {
    sliceState.measure = "0";
  }
  const slicings = summary.slicings.map(({ by }, index) => [String(index), sliceName(by)]);
  const measures = [
    ...metricOptions(),
    ...ofEdits.map((measure) => [measure, EDIT_MEASURES[measure].name]),
  ];
  const set = (place, name) => (value) => change(place, () => (sliceState[name] = value));
  const setPair = (place, name) => (value) => change(place, () => choosePair(name, value));
  const pairChoice = (label, place, name) =>
    choice(label, systemOptions(), String(pair[name]), setPair(place, name));
  return [
    choice("Slices by", slicings, sliceState.slicing, set(0, "slicing")),
    choice("Measure", measures, sliceState.measure, set(1, "measure")),
    systems.length > 1 && pairChoice("● First system", 2, "a"),
    systems.length > 1 && pairChoice("■ Second system", 3, "b"),
  ];
}

// The plots show the same pair of systems.
function choosePair(name, value) {
  pair[name] = Number(value);
  showScores();
  showScatter();
}

function sliceBody(slicing) {
  if (slicing.labels.length) {
    return [sliceFigure(slicing), sliceTable(slicing), slicing.edits && typeTable(slicing)];
  }
  return paragraph("note", "No sentence belongs to a slice.");
}

// The shown values [slice][system].
function sliceValues(slicing) {
  const { measure } = sliceState;
  if (!(measure in EDIT_MEASURES)) return slicing.scores[measure];
  return slicing.labels.map((_, slice) =>
    systems.map((_, system) => editMeasure(measure, slicing, slice, system)),
  );
}

function measureName() {
  const { measure } = sliceState;
  return EDIT_MEASURES[measure]?.name ?? metrics[measure].name;
}

function sliceFigure(slicing) {
  const { label, row, top, bottom, right } = SLICE_PLOT;
  const width = widthWithin(byId("slices-body"));
  const values = sliceValues(slicing);
  const range = padded(extent(values.flat()), 0.04);
  const height = top + row * values.length + bottom;
  const x = linear(range, [label, width - right]);
  const rows = values.map((scores, slice) =>
    sliceRow(slicing, slice, scores, x, top + row * (slice + 0.5), width - right),
  );
  const lines = axisBottom(x, range, height - bottom, top, width > 600 ? 8 : 4);
  const chosenNote = HAS_REFERENCES ? " References were chosen on the whole corpus." : "";
  return element(
    "figure",
    {},
    pairKey(),
    plot(`${measureName()} by ${sliceName(slicing.by)}`, width, height, lines, rows),
    element("figcaption", { class: "note" }, `${measureName()} on the sentences of each slice. ` +
      `The small number is the number of sentences.${chosenNote}`),
  );
}

function sliceRow(slicing, slice, scores, x, y, right) {
  const { label } = SLICE_PLOT;
  const name = slicing.labels[slice];
  const present = [...systems.keys()].filter((index) => scores[index] !== null);
  const tip = (index) => `${name}, ${systems[index]}: ${percent(scores[index])}`;
  return svg(
    "g",
    {},
    svg("line", { class: "lane", x1: label, x2: right, y1: y, y2: y }),
    svg("text", { class: "row-label", x: label - 10, y: y + 4, "text-anchor": "end" },
      shortened(name, 14),
      svg("tspan", { class: "count", dx: 6 }, String(slicing.counts[slice])),
      svg("title", {}, name)),
    pairLast(present).map((index) => dot(index, x(scores[index]), y, tip(index))),
  );
}

function sliceTable(slicing) {
  const values = sliceValues(slicing);
  const range = extent(values.flat());
  const systemColumn = (system) => {
    const value = (row) => row.scores[system];
    const className = (row) => `heat-${heat(value(row), range)}`;
    return numberColumn(systems[system], value, (row) => percent(value(row), 1), { className });
  };
  const columns = [
    {
      head: sliceName(slicing.by),
      value: (row) => row.slice,
      cell: (row) => sliceButton(slicing, row.slice),
      className: () => "name",
    },
    sentencesColumn(),
    ...ranked().map(systemColumn),
  ];
  const rows = values.map((scores, slice) => ({ slicing, slice, scores }));
  const title = `${measureName()} by ${sliceName(slicing.by)}`;
  return element(
    "details",
    {},
    element("summary", {}, "All numbers as a table"),
    sortableTable(title, columns, rows, 0),
  );
}

function sentencesColumn() {
  const count = ({ slicing, slice }) => slicing.counts[slice];
  return numberColumn("Sentences", count, (row) => String(count(row)));
}

// The step of the background colour, from 0 to 5.
function heat(value, [low, high]) {
  return value === null ? 0 : Math.min(5, Math.floor((6 * (value - low)) / (high - low || 1)));
}

function sliceButton(slicing, slice) {
  const show = () => showSlice(summary.slicings.indexOf(slicing), slice);
  const attributes = { type: "button", class: "link", title: "List these sentences", click: show };
  return element("button", attributes, slicing.labels[slice]);
}

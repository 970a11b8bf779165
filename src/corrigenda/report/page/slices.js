// Slices: how systems do by length, by edits, by type of error, by any column; and where one beats the other.

const RECALL = "recall";
const SLICE_PLOT = { label: 150, row: 25, top: 8, bottom: 26, right: 16 };
const sliceState = { slicing: 0, measure: "0" };
const sliceNames = { length: "length in words", edits: "number of gold edits", type: "type of error" };

function sliceName(by) {
  return sliceNames[by] ?? by;
}

function showSlices() {
  const slicings = summary.slicings.map((slicing, index) => [String(index), sliceName(slicing.by)]);
  const body = element("div");
  const controls = element("div", { class: "controls" });
  const redraw = () => {
    const slicing = summary.slicings[sliceState.slicing];
    if (sliceState.measure === RECALL && !slicing.recall) sliceState.measure = "0";
    const measures = [...metricOptions(), ...(slicing.recall ? [[RECALL, "recall of gold edits"]] : [])];
    replace(
      controls,
      choice("Sentences by", slicings, String(sliceState.slicing), (value) => update(() => (sliceState.slicing = Number(value)), "Sentences by")),
      choice("Measure", measures, sliceState.measure, (value) => update(() => (sliceState.measure = value), "Measure")),
      systems.length > 1 && choice("● First system", systemOptions(), String(pair.a), (value) => choosePair("a", value)),
      systems.length > 1 && choice("■ Second system", systemOptions(), String(pair.b), (value) => choosePair("b", value)),
    );
    replace(body, slicing.labels.length ? [sliceFigure(slicing), sliceTable(slicing)] : element("p", { class: "note" }, "No sentence has any."), leadTable());
  };
  // The controls are made anew, so the one that was used gets the focus back.
  const update = (change, label) => {
    change();
    redraw();
    [...controls.querySelectorAll("label")].find((field) => field.textContent.startsWith(label))?.querySelector("select").focus();
  };
  const choosePair = (which, value) => {
    pair[which] = Number(value);
    update(() => {}, which === "a" ? "● First" : "■ Second");
    showScores();
    showScatter();
  };
  replace(byId("slices-body"), controls, body);
  redraw();
}

// Values [slice][system] of what is shown.
function sliceValues(slicing) {
  if (sliceState.measure !== RECALL) return slicing.scores[Number(sliceState.measure)];
  const { gold, made } = slicing.recall;
  return gold.map((row, slice) => row.map((count, system) => (count ? made[slice][system] / count : null)));
}

function measureName() {
  return sliceState.measure === RECALL ? "recall of gold edits" : metrics[Number(sliceState.measure)].name;
}

function sliceFigure(slicing) {
  const { label, row, top, bottom, right } = SLICE_PLOT;
  const width = widthWithin(byId("slices-body"));
  const values = sliceValues(slicing);
  const range = padded(extent(values.flat()), 0.04);
  const height = top + row * values.length + bottom;
  const x = linear(range, [label, width - right]);
  const rows = values.map((scores, slice) => {
    const y = top + row * (slice + 0.5);
    const present = systems.map((_, index) => index).filter((index) => scores[index] !== null);
    return svg(
      "g",
      {},
      svg("line", { class: "lane", x1: label, x2: width - right, y1: y, y2: y }),
      svg("text", { class: "row-label", x: label - 10, y: y + 4, "text-anchor": "end" },
        shortened(slicing.labels[slice], 14),
        svg("tspan", { class: "count", dx: 6 }, String(slicing.counts[slice])),
        svg("title", {}, slicing.labels[slice])),
      pairLast(present).map((index) => dot(index, x(scores[index]), y, `${slicing.labels[slice]}, ${systems[index]}: ${percent(scores[index])}`)),
    );
  });
  return element(
    "figure",
    {},
    pairKey(),
    plot(`${measureName()} by ${sliceName(slicing.by)}`, width, height, axisBottom(x, range, height - bottom, top, width > 600 ? 8 : 4), rows),
    element("figcaption", { class: "note" }, `${measureName()} on the sentences of each slice, with the references chosen on the whole corpus; the small number is how many sentences it has.`),
  );
}

function sliceTable(slicing) {
  const values = sliceValues(slicing);
  const range = extent(values.flat());
  const columns = [
    { head: sliceName(slicing.by), value: (row) => row.slice, cell: (row) => sliceButton(slicing, row.slice), className: () => "name" },
    { head: "Sentences", numeric: true, value: (row) => slicing.counts[row.slice], cell: (row) => String(slicing.counts[row.slice]) },
    ...ranked().map((system) => ({
      head: systems[system],
      numeric: true,
      value: (row) => row.scores[system],
      cell: (row) => percent(row.scores[system], 1),
      className: (row) => `heat-${heat(row.scores[system], range)}`,
    })),
  ];
  const rows = values.map((scores, slice) => ({ slice, scores }));
  return element(
    "details",
    {},
    element("summary", {}, "All numbers as a table"),
    sortableTable(`${measureName()} by ${sliceName(slicing.by)}`, columns, rows, { column: 0, direction: "ascending" }),
  );
}

function heat(value, [low, high]) {
  return value === null ? 0 : Math.min(5, Math.floor((6 * (value - low)) / (high - low || 1)));
}

function sliceButton(slicing, slice) {
  const show = () => showSlice(summary.slicings.indexOf(slicing), slice);
  return element("button", { type: "button", class: "link", title: "show its sentences", click: show }, slicing.labels[slice]);
}

// All slices of all kinds, those first where the first system is furthest ahead of the second.
function leadTable() {
  if (pair.a === pair.b || systems.length < 2) return null;
  const measure = sliceState.measure === RECALL ? 0 : Number(sliceState.measure);
  const rows = summary.slicings.flatMap((slicing) =>
    slicing.labels.map((_, slice) => {
      const scores = slicing.scores[measure][slice];
      const p = measure === 0 && slicing.p[slice] ? ofPair(slicing.p[slice], pair.a, pair.b) : null;
      return { slicing, slice, a: scores[pair.a], b: scores[pair.b], lead: scores[pair.a] - scores[pair.b], p };
    }),
  ).filter((row) => row.slicing.counts[row.slice] >= summary.resampling.min_sentences);
  const columns = [
    { head: "Slice", value: (row) => row.slice, className: () => "name",
      cell: (row) => [element("small", {}, `${sliceName(row.slicing.by)}: `), sliceButton(row.slicing, row.slice)] },
    { head: "Sentences", numeric: true, value: (row) => row.slicing.counts[row.slice], cell: (row) => String(row.slicing.counts[row.slice]) },
    { head: systems[pair.a], numeric: true, value: (row) => row.a, cell: (row) => percent(row.a) },
    { head: systems[pair.b], numeric: true, value: (row) => row.b, cell: (row) => percent(row.b) },
    { head: "Lead", numeric: true, value: (row) => row.lead, cell: (row) => signed(row.lead),
      className: (row) => (row.p !== null && row.p < ALPHA ? (row.lead > 0 ? "better" : "worse") : "") },
    { head: "p", title: "corrected over all slices of this pair", numeric: true, value: (row) => row.p,
      cell: (row) => (row.p === null ? MISSING : [pText(row.p), row.p < ALPHA ? element("span", { class: "star", title: "significant" }, " *") : ""]) },
  ];
  return [
    element("h3", {}, "Where ", element("span", { class: "sample first" }, systems[pair.a]), " beats ", element("span", { class: "sample second" }, systems[pair.b]), " most, by ", metrics[measure].name),
    element("p", { class: "note" }, measure === 0
      ? `* significant at a false discovery rate of ${Math.round(100 * ALPHA)} %${correctionText()} over all slices of at least ${summary.resampling.min_sentences} sentences.`
      : `Slices are tested by the first metric, ${metrics[0].name}, only.`),
    element("div", { class: "tall" }, sortableTable("Where the first system beats the second most", columns, rows, { column: 4, direction: "descending" })),
  ];
}

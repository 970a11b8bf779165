// Where the first system beats the second: all slices, the largest lead first.

const LEAD_COLUMN = 4;

function leadTable() {
  if (pair.a === pair.b || systems.length < 2) return null;
  const measure = sliceState.measure in EDIT_MEASURES ? 0 : Number(sliceState.measure);
  const caption = "Slices by the lead of the first system";
  const table = sortableTable(caption, leadColumns(), leadRows(measure), LEAD_COLUMN);
  return [
    element("h3", {}, "Where ",
      element("span", { class: "sample first" }, systems[pair.a]), " beats ",
      element("span", { class: "sample second" }, systems[pair.b]), " most, by ",
      metrics[measure].name),
    paragraph("note", leadNote(measure)),
    element("div", { class: "tall" }, table),
  ];
}

function leadNote(measure) {
  if (measure !== 0) return `Only the first metric, ${metrics[0].name}, is tested on slices.`;
  const smallest = plural(summary.resampling.min_sentences, "sentence");
  return `* marks a p-value below ${wholePercent(ALPHA)}${correctionText()}. ` +
    `Slices with fewer than ${smallest} are left out.`;
}

function leadRows(measure) {
  const smallest = summary.resampling.min_sentences;
  return summary.slicings
    .flatMap((slicing) => slicing.labels.map((_, slice) => leadRow(slicing, slice, measure)))
    .filter(({ slicing, slice }) => slicing.counts[slice] >= smallest);
}

function leadRow(slicing, slice, measure) {
  const scores = slicing.scores[measure][slice];
  const [a, b] = [scores[pair.a], scores[pair.b]];
  const tested = measure === 0 && slicing.p[slice];
  const p = tested ? ofPair(slicing.p[slice], pair.a, pair.b) : null;
  return { slicing, slice, a, b, lead: a === null || b === null ? null : a - b, p };
}

function leadColumns() {
  const isSignificant = ({ p }) => p !== null && p < ALPHA;
  const star = () => element("span", { class: "star", title: "significant" }, " *");
  const pCell = (row) =>
    row.p === null ? MISSING : [pText(row.p), isSignificant(row) ? star() : null];
  return [
    { head: "Slice", value: leadPlace, className: () => "name", cell: leadName },
    sentencesColumn(),
    numberColumn(systems[pair.a], (row) => row.a, (row) => percent(row.a)),
    numberColumn(systems[pair.b], (row) => row.b, (row) => percent(row.b)),
    numberColumn("Lead", (row) => row.lead, (row) => signed(row.lead), {
      className: (row) => (isSignificant(row) ? (row.lead > 0 ? "better" : "worse") : ""),
    }),
    numberColumn("p", (row) => row.p, pCell, { title: "p-value of the lead", first: "ascending" }),
  ];
}

function leadPlace({ slicing, slice }) {
  return summary.slicings.indexOf(slicing) * 1e6 + slice;
}

function leadName({ slicing, slice }) {
  return [element("small", {}, `${sliceName(slicing.by)}: `), sliceButton(slicing, slice)];
}

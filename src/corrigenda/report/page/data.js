// The data of the page: the summary, read at once, and the sentences, read when first needed.
// All scripts read the data through this file. schema.js describes the fields.

/** @type {ReportSummary} */
const summary = readBlock("summary");
const systems = summary.systems;
const metrics = summary.metrics;
const ALPHA = Number((1 - summary.resampling.confidence).toFixed(12));
const HAS_REFERENCES = summary.references[1] > 0;

let readSentences = null;

/** @returns {SentenceData} */
function sentences() {
  readSentences ??= readBlock("corpus");
  return readSentences;
}

function readBlock(id) {
  return JSON.parse(byId(id).textContent);
}

// A row as an object with the names of its fields. Fields that the row leaves out are null.
function named(kind, row) {
  const record = {};
  ROW_FIELDS[kind].forEach((name, index) => {
    record[name] = row[index] ?? null;
  });
  return record;
}

function sourceWords(index) {
  const source = sentences().sources[index];
  return source ? source.split(" ") : [];
}

function referenceCount(index) {
  return sentences().references[index].length;
}

/** @returns {GoldEditRow[]} */
function goldEdits(index, reference) {
  return sentences().gold[index][reference].map((row) => named("GoldEditRow", row));
}

/** @returns {OutputRow[]} */
function distinctOutputs(index) {
  return sentences().outputs[index].map((row) => named("OutputRow", row));
}

/** @returns {OutputRow} */
function outputOf(index, system) {
  const { outputs, output_of: outputIndex } = sentences();
  return named("OutputRow", outputs[index][outputIndex[index][system]]);
}

/** @returns {MadeEditRow[]} */
function editsAgainst(output, reference) {
  return output.edits[reference].map((row) => named("MadeEditRow", row));
}

/** @returns {ChangeRow[]} */
function changesOf(output) {
  return output.changes.map((row) => named("ChangeRow", row));
}

// All systems, best first by a metric.
function ranked(metric = 0) {
  const scores = metrics[metric].scores;
  return [...systems.keys()].sort((a, b) => (scores[b] ?? -Infinity) - (scores[a] ?? -Infinity));
}

// The value of a pair of systems, from a list of all pairs (1, 0), (2, 0), (2, 1), …
function ofPair(values, one, other) {
  const [high, low] = one > other ? [one, other] : [other, one];
  return values[(high * (high - 1)) / 2 + low];
}

// The two systems that plots and tables compare.
const pair = { a: ranked()[0], b: ranked()[Math.min(1, systems.length - 1)] };

function pairClass(system) {
  if (system === pair.a) return "first";
  return system === pair.b ? "second" : "other";
}

function systemOptions() {
  return systems.map((name, index) => [String(index), name]);
}

function metricOptions() {
  return metrics.map((metric, index) => [String(index), metric.name]);
}

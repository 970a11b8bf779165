// The data of the page: a summary, read at once, and the sentences, read when they are first needed.

const summary = JSON.parse(byId("summary").textContent);
const systems = summary.systems;
const metrics = summary.metrics;
const ALPHA = 1 - summary.resampling.confidence;

let readSentences = null;

function sentences() {
  if (readSentences === null) readSentences = JSON.parse(byId("corpus").textContent);
  return readSentences;
}

// All systems, the best by a metric first.
function ranked(metric = 0) {
  const scores = metrics[metric].scores;
  return systems.map((_, index) => index).sort((a, b) => (scores[b] ?? -Infinity) - (scores[a] ?? -Infinity));
}

// The value of a pair of systems from a list of all pairs (1, 0), (2, 0), (2, 1), …
function ofPair(values, one, other) {
  const [high, low] = one > other ? [one, other] : [other, one];
  return values[(high * (high - 1)) / 2 + low];
}

// Two systems that plots and tables set against each other.
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

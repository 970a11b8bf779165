// The leaderboard: every system by every metric, with intervals and ranks.

function showLeaderboard() {
  const rows = systems.map((name, index) => ({ name, index }));
  const first = { column: 2, direction: "descending" };
  replace(
    byId("leaderboard-body"),
    element("p", { class: "lead" }, leaderboardLead()),
    sortableTable("Leaderboard", leaderboardColumns(), rows, first),
  );
}

function leaderboardLead() {
  const confidence = `${Math.round(100 * summary.resampling.confidence)}\u00a0%`;
  return [
    `Scores are multiplied by 100, at ${summary.level} level, with ${confidence} intervals.`,
    metrics.some((metric) => metric.precision) && "P is precision, R is recall.",
    systems.length > 1 && "★ marks the best score of a metric.",
    systems.length > 1 && "A rank is a range where the tests do not separate systems.",
    HAS_REFERENCES ? null : "There are no references, so edits cannot be judged.",
    "Click a column heading to sort.",
  ].filter(Boolean).join(" ");
}

function leaderboardColumns() {
  const editColumns = [
    ["correct", "✓", "edits that equal a gold edit"],
    ["wrong", "✗", "edits that equal no gold edit"],
    ["missed", "○", "gold edits that the system did not make"],
  ];
  return [
    { head: "System", value: (row) => row.name, cell: (row) => row.name, className: () => "name" },
    rankColumn(),
    ...metrics.map(scoreColumn),
    ...(summary.edits ? editColumns.map((column) => editColumn(...column)) : []),
  ];
}

function rankColumn() {
  const { ranks: ranges, name } = metrics[0];
  const text = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);
  return {
    head: "Rank",
    title: `by ${name}`,
    value: (row) => -ranges[row.index][0] * 1000 - ranges[row.index][1],
    cell: (row) => text(ranges[row.index]),
    numeric: true,
  };
}

function scoreColumn(metric) {
  const best = Math.max(...metric.scores.filter((score) => score !== null));
  const range = scoreRange(metric);
  const isBest = ({ index }) => systems.length > 1 && metric.scores[index] === best;
  const star = () =>
    element("span", { class: "star", title: "best of the column" }, "★", hiddenText(" best"));
  return {
    head: metric.name,
    title: metric.title,
    numeric: true,
    value: (row) => metric.scores[row.index],
    className: (row) => (isBest(row) ? "score best" : "score"),
    cell: (row) => {
      const [low, score, high] = [metric.low, metric.scores, metric.high].map((v) => v[row.index]);
      return [
        element("span", { class: "value" }, percent(score)),
        isBest(row) ? star() : null,
        element("span", { class: "interval" }, between(low, high)),
        whisker(range, low, score, high),
        precisionRecall(metric, row.index),
      ];
    },
  };
}

// The scale of a column: its intervals, without a score that lies far from the others.
function scoreRange(metric) {
  const [least, most] = focused(metric.scores);
  const near = systems
    .map((_, index) => index)
    .filter((index) => metric.scores[index] >= least && metric.scores[index] <= most);
  return extent(
    near.flatMap((index) => [metric.low[index], metric.scores[index], metric.high[index]]),
  );
}

function precisionRecall({ precision, recall }, index) {
  if (!precision || !recall) return null;
  const text = `P ${percent(precision[index], 1)} · R ${percent(recall[index], 1)}`;
  return element("span", { class: "interval", title: "precision and recall" }, text);
}

function editColumn(kind, mark, title) {
  return {
    head: [element("span", { class: `mark ${kind}`, "aria-hidden": "true" }, mark), ` ${kind}`],
    title: `${title} (${summary.extractor})`,
    numeric: true,
    value: (row) => summary.edits[row.index][kind],
    cell: (row) => summary.edits[row.index][kind].toLocaleString("en"),
  };
}

// An interval on the scale of its column.
function whisker([low, high], from, at, to) {
  if (from === null || to === null) return null;
  const x = (value) => 3 + 94 * Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
  const line = (name, x1, x2, y1, y2) => svg("line", { class: name, x1, x2, y1, y2 });
  return svg(
    "svg",
    { class: "whisker", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    line("track", 0, 100, 4, 4),
    line("reach", x(from), x(to), 4, 4),
    line("at", x(at), x(at), 0, 8),
  );
}

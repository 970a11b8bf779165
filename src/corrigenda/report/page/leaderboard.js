// The leaderboard: every system by every metric, with intervals and the ranks that the tests leave open.

function showLeaderboard() {
  const rows = systems.map((name, index) => ({ name, index }));
  const columns = [
    { head: "System", value: (row) => row.name, cell: (row) => row.name, className: () => "name" },
    rankColumn(),
    ...metrics.map(scoreColumn),
    editColumn("correct", "✓", "edits that equal a gold edit"),
    editColumn("wrong", "✗", "edits that equal none"),
    editColumn("missed", "○", "gold edits that were not made"),
  ];
  const confidence = Math.round(100 * summary.resampling.confidence);
  replace(
    byId("leaderboard-body"),
    element(
      "p",
      { class: "lead" },
      `Scores × 100, ${summary.level} level, with ${confidence} % intervals. `,
      systems.length > 1 && "★ is the best of a column. ",
      "A rank is the range that significant differences leave to a system. Choose a head to sort by it.",
    ),
    sortableTable("Leaderboard", columns, rows, { column: 2, direction: "descending" }),
  );
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
  const [least, most] = focused(metric.scores);
  const near = systems.map((_, index) => index).filter((index) => metric.scores[index] >= least && metric.scores[index] <= most);
  const range = extent(near.flatMap((index) => [metric.low[index], metric.scores[index], metric.high[index]]));
  return {
    head: metric.name,
    title: metric.title,
    numeric: true,
    value: (row) => metric.scores[row.index],
    className: (row) => (isBest(row) ? "score best" : "score"),
    cell: (row) => [
      element("span", { class: "value" }, percent(metric.scores[row.index])),
      isBest(row) ? element("span", { class: "star", title: "best of the column" }, "★", hiddenText(" best")) : null,
      element("span", { class: "interval" }, between(metric.low[row.index], metric.high[row.index])),
      whisker(range, metric.low[row.index], metric.scores[row.index], metric.high[row.index]),
    ],
  };

  function isBest(row) {
    return systems.length > 1 && metric.scores[row.index] === best;
  }
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
  return svg(
    "svg",
    { class: "whisker", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "track", x1: 0, x2: 100, y1: 4, y2: 4 }),
    svg("line", { class: "reach", x1: x(from), x2: x(to), y1: 4, y2: 4 }),
    svg("line", { class: "at", x1: x(at), x2: x(at), y1: 0, y2: 8 }),
  );
}

function extent(values) {
  const present = values.filter((value) => value !== null && value !== undefined);
  return [Math.min(...present), Math.max(...present)];
}

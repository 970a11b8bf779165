// The leaderboard: every system by every metric. Python declares its columns (report/columns.py).
// This file shows any list of columns, each by its kind.

// `text` shows a value, and the table sorts by its `key`, or by the value itself. `first` is the
// direction of the first click, if it is not the usual one. `look` makes richer cells.
const COLUMN_KINDS = {
  score: { text: ([score]) => percent(score), key: ([score]) => score, look: scoreLook },
  fraction: { text: (value) => percent(value, 1) },
  change: { text: (value) => signed(value) },
  number: { text: (value) => value.toFixed(3).replace("-", "−") },
  count: { text: (value) => value.toLocaleString("en") },
  rank: {
    text: ([best, worst]) => (best === worst ? String(best) : `${best}–${worst}`),
    key: ([best, worst]) => best * 1e6 + worst,
    first: "ascending",
  },
  p: { text: pText, first: "ascending" },
  text: { text: String, numeric: false },
};

function showLeaderboard() {
  const columns = leaderboardColumns();
  const rows = [...systems.keys()];
  const first = Math.max(0, columns.findIndex(({ kind }) => kind === "score"));
  replace(
    byId("leaderboard-body"),
    paragraph("lead", leaderboardLead()),
    sortableTable("Leaderboard", columns, rows, first),
    columnNotes(columns.slice(1)),
    copyControls(columns),
    summary.earlier && besideEarlier(summary.earlier),
  );
}

// The earlier run and this one side by side: also systems that only one of them has.
function besideEarlier({ name, systems: all, scores: before }) {
  const now = (metric, system) => metrics[metric].scores[system] ?? null;
  const old = (metric, system) => before[metric][system];
  const change = (metric, system) =>
    isLeftOut(now(metric, system)) || isLeftOut(old(metric, system))
      ? null
      : now(metric, system) - old(metric, system);
  const column = (head, value, text) =>
    numberColumn(head, value, (system) => text(value(system)));
  const columns = [
    { head: "System", value: (system) => all[system], cell: (system) => all[system],
      className: () => "name" },
    ...metrics.flatMap((metric, place) => [
      column(`${metric.name} before`, (system) => old(place, system), (value) => percent(value)),
      column(`${metric.name} now`, (system) => now(place, system), percent),
      column("Δ", (system) => change(place, system), signed),
    ]),
  ];
  return element("details", { class: "two-runs", open: true },
    element("summary", {}, `${name} and this report side by side`),
    sortableTable(`${name} and this report side by side`, columns, [...all.keys()], 2),
  );
}

function leaderboardLead() {
  const level = summary.level === "corpus" ? "of the whole corpus" : "means over all sentences";
  const confidence = wholePercent(summary.resampling.confidence);
  return [
    `Scores are ${level}, multiplied by 100, with ${confidence} confidence intervals.`,
    HAS_REFERENCES ? null : "There are no references, so edits cannot be judged.",
    earlierText(),
    systems.length > 1 && "★ marks the best score of a metric. Click a column heading to sort.",
  ].filter(Boolean).join(" ");
}

function earlierText() {
  if (!summary.earlier) return null;
  const { name, other_settings: other } = summary.earlier;
  const note = other.length ? ` It was computed in another way for ${other.join(", ")}.` : "";
  return `Δ is the change since ${name}.${note}`;
}

function leaderboardColumns() {
  const names = shownColumn({ title: "System", kind: "text" }, systems);
  const shown = [{ ...names, className: () => "name" }];
  const add = (column, values) => {
    const made = shownColumn(column, values);
    if (column.under) shown.at(-1).under.push(made);
    else shown.push(made);
  };
  for (const metric of metrics) {
    for (const column of metric.columns) add(column, column.values ?? scoreRows(metric));
  }
  for (const column of summary.columns) add(column, column.values);
  return shown;
}

// The scores of a metric are stored once, with the metric, because the plots also show them.
function scoreRows({ scores, low, high }) {
  return systems.map((_, index) => [scores[index], low[index], high[index]]);
}

function shownColumn({ title, note, kind }, values) {
  const { text, key = (value) => value, look, first, numeric = true } = COLUMN_KINDS[kind];
  const { content = text, className = () => "" } = look ? look(values) : {};
  const each = (show, missing) => (system) =>
    isLeftOut(values[system]) ? missing : show(values[system]);
  const under = [];
  return {
    kind, first, numeric, under,
    name: title,
    head: markedTitle(title),
    title: note,
    value: each(key, null),
    text: each(text, MISSING),
    cell: (system) => [each(content, MISSING)(system), underLine(under, system)],
    className: each(className, ""),
  };
}

// A heading that begins with the mark of a verdict has the mark in its colour.
function markedTitle(title) {
  const verdict = Object.keys(KINDS).find((kind) => KINDS[kind].mark === title[0]);
  if (!verdict) return title;
  const mark = { class: `mark ${verdict}`, "aria-hidden": "true" };
  return [element("span", mark, title[0]), title.slice(1)];
}

function underLine(columns, system) {
  if (!columns.length) return null;
  const texts = columns.map(({ name, text }) => `${name} ${text(system)}`);
  return element("span", { class: "interval" }, texts.join(" · "));
}

// A score with its interval, as numbers and as a bar on the scale of the column.
function scoreLook(values) {
  const present = values.filter(Boolean);
  const scores = present.map(([score]) => score);
  const focus = focused(scores);
  const range = extent(present.filter(([score]) => isWithin(score, focus)).flat());
  const isBest = ([score]) => systems.length > 1 && score === extent(scores)[1];
  const star = () =>
    element("span", { class: "star", title: "best of this column" }, "★", hiddenText(" best"));
  return {
    className: (value) => (isBest(value) ? "score best" : "score"),
    content: ([score, low, high]) => [
      element("span", { class: "value" }, percent(score)),
      isBest([score]) ? star() : null,
      low === null ? null : element("span", { class: "interval" }, between(low, high)),
      low === null ? null : whisker(range, low, score, high),
    ],
  };
}

// An interval on the scale of its column.
function whisker([low, high], from, at, to) {
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

// What the headings mean. Tooltips say the same, but a touch screen does not show them.
function columnNotes(columns) {
  const notes = new Map();
  for (const { name, title } of columns.flatMap(sortKeys)) {
    notes.set(`${name}: ${title}`, [element("dt", {}, name), element("dd", {}, title)]);
  }
  return element(
    "details",
    {},
    element("summary", {}, "What the columns mean"),
    element("dl", { class: "meanings" }, [...notes.values()]),
  );
}

// The leaderboard as LaTeX or CSV, to copy.

const LATEX_SIGNS = {
  "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_",
  "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
  "–": "--", "−": "$-$", "✓": "", "✗": "", "○": "", "Δ": "$\\Delta$", "²": "$^2$",
};

function copyControls(columns) {
  const area = element("textarea", {
    class: "copied", readonly: true, spellcheck: "false", "aria-label": "The table as text",
  });
  const state = element("span", { role: "status", class: "note" });
  const shown = element("div", { hidden: true }, area);
  const button = (label, make) =>
    element("button", { type: "button", click: () => copy(make(columns)) }, label);

  // A browser may refuse to copy; then the text is selected, ready to be copied by hand.
  async function copy(text) {
    area.value = text;
    shown.hidden = false;
    area.focus();
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      state.textContent = "Copied.";
    } catch {
      state.textContent = "Press Ctrl+C to copy.";
    }
  }

  return element("div", { class: "copy" },
    element("div", { class: "controls" },
      button("Copy as LaTeX", latexTable), button("Copy as CSV", csvTable), state),
    shown,
  );
}

// The columns in full, those that share a cell included, and the systems best first.
function flatTable(columns) {
  const flat = columns.flatMap((column) =>
    sortKeys(column).map((key) => ({
      ...key, name: key === column ? key.name : `${column.name} ${key.name}`,
    })),
  );
  return [flat, ranked()];
}

function latexTable(columns) {
  const [flat, rows] = flatTable(columns);
  const line = (cells) => `${cells.map(latexText).join(" & ")} \\\\`;
  return [
    ...metrics.map(({ signature }) => `% ${signature}`),
    `\\begin{tabular}{${flat.map(({ numeric }) => (numeric ? "r" : "l")).join("")}}`,
    "\\toprule",
    line(flat.map(({ name }) => name)),
    "\\midrule",
    ...rows.map((system) => line(flat.map(({ text }) => text(system)))),
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

function latexText(text) {
  return [...text].map((sign) => LATEX_SIGNS[sign] ?? sign).join("").trim();
}

function csvTable(columns) {
  const [flat, rows] = flatTable(columns);
  const line = (cells) => cells.map(csvText).join(",");
  return [
    line(flat.map(({ name }) => name)),
    ...rows.map((system) => line(flat.map(({ text }) => text(system).replace("−", "-")))),
    "",
  ].join("\n");
}

// A spreadsheet would compute a text that begins like a formula; a signed number is none.
function csvText(text) {
  const isFormula = /^[=+@-]/.test(text) && !/^[+-]?[\d.]+$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

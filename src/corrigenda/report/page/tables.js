// Tables that sort by a click on a column's head.

// Columns are {head, title, value: row → what to sort by, cell: row → content, numeric, className: row → text}.
function sortableTable(caption, columns, rows, sorted) {
  const order = { ...sorted };
  const body = element("tbody");
  const heads = columns.map((column, index) =>
    element(
      "th",
      { scope: "col", class: column.numeric ? "number" : null },
      element(
        "button",
        { type: "button", class: "sort", title: column.title, click: () => sortBy(index) },
        column.head,
        element("span", { class: "arrow", "aria-hidden": "true" }),
      ),
    ),
  );

  function sortBy(index) {
    const first = columns[index].numeric ? "descending" : "ascending";
    const turned = order.direction === "ascending" ? "descending" : "ascending";
    order.direction = order.column === index ? turned : first;
    order.column = index;
    show();
  }

  function show() {
    const { value } = columns[order.column];
    const sign = order.direction === "ascending" ? 1 : -1;
    const shown = [...rows].sort((a, b) => sign * compared(value(a), value(b)));
    heads.forEach((head, index) =>
      head.setAttribute("aria-sort", index === order.column ? order.direction : "none"),
    );
    replace(body, shown.map((row) => tableRow(columns, row)));
  }

  show();
  return scrolled(
    caption,
    element("table", { class: "sortable" }, element("caption", { class: "unseen" }, caption),
      element("thead", {}, element("tr", {}, heads)), body),
  );
}

function tableRow(columns, row) {
  return element(
    "tr",
    {},
    columns.map((column, index) => {
      const attributes = { class: [column.numeric ? "number" : "", column.className?.(row) ?? ""].join(" ").trim() || null };
      return index === 0
        ? element("th", { ...attributes, scope: "row" }, column.cell(row))
        : element("td", attributes, column.cell(row));
    }),
  );
}

function compared(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

// A wide table scrolls by itself, also by keyboard.
function scrolled(label, table) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

// Tables that sort by a click on a column heading.

// Each column is {head, title, value, cell, numeric, className}. `value(row)` is what the table
// sorts by, `cell(row)` is what it shows, `className(row)` is a class of the cell.
function sortableTable(caption, columns, rows, sorted) {
  const order = { ...sorted };
  const body = element("tbody");
  const heads = columns.map((column, index) => headCell(column, () => sortBy(index)));

  function sortBy(index) {
    const first = columns[index].numeric ? "descending" : "ascending";
    const opposite = order.direction === "ascending" ? "descending" : "ascending";
    order.direction = order.column === index ? opposite : first;
    order.column = index;
    show();
  }

  function show() {
    const { value } = columns[order.column];
    const sign = order.direction === "ascending" ? 1 : -1;
    const shown = [...rows].sort((a, b) => sign * compareValues(value(a), value(b)));
    heads.forEach((head, index) =>
      head.setAttribute("aria-sort", index === order.column ? order.direction : "none"),
    );
    replace(body, shown.map((row) => tableRow(columns, row)));
  }

  show();
  return captionedTable("sortable", caption, element("tr", {}, heads), body);
}

// A wide table scrolls inside its own box, also by keyboard.
function captionedTable(className, caption, head, body) {
  const table = element(
    "table",
    { class: className },
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, head),
    body,
  );
  const box = { class: "scroll", tabindex: "0", role: "region", "aria-label": caption };
  return element("div", box, table);
}

function headCell(column, onclick) {
  const arrow = element("span", { class: "arrow", "aria-hidden": "true" });
  const attributes = { type: "button", class: "sort", title: column.title, click: onclick };
  return element(
    "th",
    { scope: "col", class: column.numeric ? "number" : null },
    element("button", attributes, column.head, arrow),
  );
}

function tableRow(columns, row) {
  const cells = columns.map((column, index) => {
    const names = [column.numeric ? "number" : "", column.className?.(row) ?? ""];
    const attributes = { class: names.join(" ").trim() || null };
    return index === 0
      ? element("th", { ...attributes, scope: "row" }, column.cell(row))
      : element("td", attributes, column.cell(row));
  });
  return element("tr", {}, cells);
}

// Missing values are smaller than all others.
function compareValues(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

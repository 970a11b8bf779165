// Tables that sort by a click on a column heading.

// Each column is {head, title, value, cell, numeric, first, className, under}. `value(row)` is what
// the table sorts by, `cell(row)` is what it shows, `className(row)` is a class of the cell.
// `first` is the direction of the first click. `under` are more columns in the same cells: the
// heading has a button for each of them. At first the rows are sorted by column `sortedBy`.
function sortableTable(caption, columns, rows, sortedBy) {
  const order = { column: columns[sortedBy], direction: firstDirection(columns[sortedBy]) };
  const body = element("tbody");
  const buttons = new Map(
    columns.flatMap(sortKeys).map((key) => [key, sortButton(key, () => sortBy(key))]),
  );
  const heads = columns.map((column) => headCell(column, buttons));

  function sortBy(column) {
    const opposite = order.direction === "ascending" ? "descending" : "ascending";
    order.direction = order.column === column ? opposite : firstDirection(column);
    order.column = column;
    show();
  }

  function show() {
    const { column, direction } = order;
    buttons.forEach((button, key) => {
      button.dataset.sorted = key === column ? direction : "none";
    });
    heads.forEach((head, place) => {
      const isSorted = sortKeys(columns[place]).includes(column);
      head.setAttribute("aria-sort", isSorted ? direction : "none");
    });
    replace(body, sortedRows(rows, column, direction).map((row) => tableRow(columns, row)));
  }

  show();
  return captionedTable("sortable", caption, element("tr", {}, heads), body);
}

// A column of numbers.
function numberColumn(head, value, cell, more = {}) {
  return { head, numeric: true, value, cell, ...more };
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

function sortKeys(column) {
  return [column, ...(column.under ?? [])];
}

function firstDirection({ first, numeric }) {
  return first ?? (numeric ? "descending" : "ascending");
}

function sortButton({ head, title }, click) {
  const arrow = element("span", { class: "arrow", "aria-hidden": "true" });
  return element("button", { type: "button", class: "sort", title, click }, head, arrow);
}

function headCell(column, buttons) {
  const [main, ...under] = sortKeys(column).map((key) => buttons.get(key));
  return element(
    "th",
    { scope: "col", class: column.numeric ? "number" : null },
    main,
    under.length > 0 && element("div", { class: "under" }, under),
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

// Rows without a value come last in both directions.
function sortedRows(rows, { value }, direction) {
  const sign = direction === "ascending" ? 1 : -1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (isLeftOut(a) || isLeftOut(b)) return isLeftOut(a) - isLeftOut(b);
    return sign * (typeof a === "string" ? a.localeCompare(b) : a - b);
  });
}

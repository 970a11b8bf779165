// The list of sentences, a page at a time; what is not on the screen is not in the document.

const PAGE_SIZE = 25;
const browserState = { found: [], page: 0, open: new Set() };

function showBrowser() {
  resetFilters();
  const form = element("div", { id: "filters" });
  replace(
    byId("sentences-body"),
    element("p", { class: "lead" },
      "On the source: ",
      element("span", { class: "edit correct" }, element("span", { class: "mark" }, "✓"), element("del", {}, "a"), " ", element("ins", {}, "an")), " a correct edit, ",
      element("span", { class: "edit wrong" }, element("span", { class: "mark" }, "✗"), element("del", {}, "the"), " ", element("ins", {}, "a")), " a wrong one, ",
      element("span", { class: "edit missed" }, element("span", { class: "mark" }, "○"), element("span", { class: "kept" }, "go"), element("span", { class: "wanted" }, "→ goes")), " one that was missed. ",
      "A system is right on a sentence if it made all edits of some reference and no others. ",
      element("button", { type: "button", class: "link", click: () => byId("keys").showModal() }, "Keys")),
    form,
    element("div", { class: "found" },
      element("p", { id: "count", role: "status" }),
      element("button", { type: "button", class: "quiet", click: clearFilters }, "Reset")),
    element("ol", { id: "list", class: "list" }),
    element("nav", { id: "pages", class: "pages", "aria-label": "Pages of sentences" }),
  );
  showFilters();
}

function showFilters() {
  replace(byId("filters"), filterForm(filterAnew));
  filterAnew();
}

function clearFilters() {
  resetFilters();
  showFilters();
}

function filterAnew() {
  browserState.found = listed();
  browserState.page = 0;
  showPage();
}

// Only the sentences of one slice, from the plots and tables.
function showSlice(slicing, slice) {
  resetFilters();
  filterState.slices[slicing] = String(slice);
  showFilters();
  byId("sentences").scrollIntoView();
  byId("count").focus();
}

function pageCount() {
  return Math.max(1, Math.ceil(browserState.found.length / PAGE_SIZE));
}

function showPage() {
  const { found, page } = browserState;
  const shown = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  byId("count").textContent = found.length === summary.sentences
    ? `All ${plural(found.length, "sentence")}`
    : `${found.length.toLocaleString("en")} of ${plural(summary.sentences, "sentence")}`;
  replace(byId("list"), shown.length ? shown.map(listItem) : element("li", { class: "none" }, "No sentence is like that."));
  showPager();
}

function showPager() {
  const { page } = browserState;
  const count = pageCount();
  const button = (text, to, label) =>
    element("button", { type: "button", disabled: to < 0 || to >= count, "aria-label": label, click: () => turnTo(to) }, text);
  replace(
    byId("pages"),
    count > 1 && [
      button("« First", 0, "First page"), button("‹ Previous", page - 1, "Previous page"),
      element("span", { class: "where" }, `page ${page + 1} of ${count}`),
      button("Next ›", page + 1, "Next page"), button("Last »", count - 1, "Last page"),
    ],
  );
}

function turnTo(page) {
  if (page < 0 || page >= pageCount()) return false;
  browserState.page = page;
  showPage();
  byId("list").scrollIntoView({ block: "start" });
  return true;
}

function listItem(index) {
  const { sources } = sentences();
  const right = rightSystems(index);
  const body = element("div", { id: `detail-${index + 1}`, class: "opened", hidden: true });
  const button = element(
    "button",
    { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": body.id, click: () => toggle(index, button, body) },
    element("span", { class: "line" }, String(index + 1)),
    element("span", { class: "text" }, sources[index] || element("em", {}, "(empty)")),
    element("span", { class: "tally" }, tallyBar(right), element("span", {}, tallyText(index, right))),
  );
  const item = element("li", { id: `sentence-${index + 1}` }, button, body);
  if (browserState.open.has(index)) open(index, button, body);
  return item;
}

function tallyText(index, right) {
  const value = sentenceValue(index);
  const score = Number.isFinite(value) ? sentenceScore(value) : MISSING;
  const outcome = systems.length > 1 ? `${right} of ${systems.length} right` : right ? "right" : "wrong";
  return `${outcome} · ${metrics[Number(filterState.metric)].name} ${score}`;
}

function tallyBar(right) {
  return svg(
    "svg",
    { class: "tally-bar", viewBox: "0 0 60 6", "aria-hidden": "true" },
    svg("rect", { class: "rest", x: 0, y: 0, width: 60, height: 6, rx: 3 }),
    right > 0 && svg("rect", { class: "part", x: 0, y: 0, width: (60 * right) / systems.length, height: 6, rx: 3 }),
  );
}

function toggle(index, button, body) {
  if (browserState.open.has(index)) {
    browserState.open.delete(index);
    button.setAttribute("aria-expanded", "false");
    body.hidden = true;
    replace(body);
  } else {
    browserState.open.add(index);
    open(index, button, body);
  }
}

function open(index, button, body) {
  replace(body, sentenceDetail(index, filterState.against, Number(filterState.metric)));
  button.setAttribute("aria-expanded", "true");
  body.hidden = false;
}

// Go to a sentence by its number, whatever the filters keep.
function goTo(number) {
  const index = number - 1;
  if (!(index >= 0 && index < summary.sentences)) return;
  if (!browserState.found.includes(index)) clearFilters();
  browserState.open.add(index);
  browserState.page = Math.floor(browserState.found.indexOf(index) / PAGE_SIZE);
  showPage();
  const opener = byId(`sentence-${number}`).querySelector(".opener");
  opener.focus();
  opener.scrollIntoView({ block: "start" });
}

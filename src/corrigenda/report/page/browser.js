// The list of sentences, one page at a time. Only the shown sentences are in the document.

const PAGE_SIZE = 25;
const browserState = { found: [], page: 0, open: new Set() };

function showBrowser() {
  resetFilters();
  const reset = { type: "button", class: "quiet", click: clearFilters };
  replace(
    byId("sentences-body"),
    paragraph("lead", HAS_REFERENCES ? verdictKey() : changeKey(), shortcutsButton()),
    element("div", { id: "filters" }),
    element("div", { class: "found" },
      element("p", { id: "count", role: "status", tabindex: "-1" }),
      element("button", reset, "Reset filters")),
    element("ol", { id: "list", class: "list" }),
    element("nav", { id: "pages", class: "pages", "aria-label": "Pages of sentences" }),
  );
  showFilters();
}

function verdictKey() {
  const sample = (kind, ...content) =>
    element("span", { class: `edit ${kind}` },
      element("span", { class: "mark" }, KINDS[kind].mark), content);
  const replaced = (old, correction) =>
    [element("del", {}, old), " ", element("ins", {}, correction)];
  return [
    "Edits are shown on the source: ",
    sample("correct", replaced("a", "an")), " correct, ",
    sample("wrong", replaced("the", "a")), " wrong, ",
    sample("missed", element("span", { class: "kept" }, "go"),
      element("span", { class: "wanted" }, "→ goes")), " missed. ",
    "A system is right on a sentence if it makes all edits of one reference and no others. ",
    summary.references[0] === 0 && "Sentences without references show changes without a verdict. ",
  ];
}

function changeKey() {
  return [
    "There are no references, so the changes of each system have no verdict: ",
    element("span", { class: "edit changed" },
      element("del", {}, "a"), " ", element("ins", {}, "an")), ". ",
  ];
}

function shortcutsButton() {
  const show = () => byId("keys").showModal();
  return element("button", { type: "button", class: "link", click: show }, "Keyboard shortcuts");
}

function showFilters() {
  replace(byId("filters"), filterForm(applyFilters));
  applyFilters();
}

function clearFilters() {
  resetFilters();
  showFilters();
}

function applyFilters() {
  browserState.found = listed();
  browserState.page = 0;
  showPage();
}

// Lists the sentences of one slice, for links in other sections.
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
  const total = plural(summary.sentences, "sentence");
  const isAll = found.length === summary.sentences;
  const count = isAll ? "All" : `${found.length.toLocaleString("en")} of`;
  byId("count").textContent = `${count} ${total}`;
  const none = element("li", { class: "none" }, "No sentence matches these filters.");
  replace(byId("list"), shown.length ? shown.map(listItem) : none);
  showPager();
}

function showPager() {
  const { page } = browserState;
  const last = pageCount() - 1;
  const button = (text, to, label, disabled) =>
    element("button",
      { type: "button", disabled, "aria-label": label, click: () => turnTo(to) }, text);
  replace(
    byId("pages"),
    last > 0 && [
      button("« First", 0, "First page", page === 0),
      button("‹ Previous", page - 1, "Previous page", page === 0),
      element("span", { class: "where" }, `page ${page + 1} of ${last + 1}`),
      button("Next ›", page + 1, "Next page", page === last),
      button("Last »", last, "Last page", page === last),
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
  const right = rightSystems(index);
  const body = element("div", { id: `detail-${index + 1}`, class: "opened", hidden: true });
  const button = element(
    "button",
    {
      type: "button", class: "opener", "aria-expanded": "false", "aria-controls": body.id,
      click: () => toggle(index, button, body),
    },
    element("span", { class: "line" }, String(index + 1)),
    element("span", { class: "text" }, sentences().sources[index] || element("em", {}, "(empty)")),
    element("span", { class: "tally" },
      right === null ? null : tallyBar(right), element("span", {}, tallyText(index, right))),
  );
  if (browserState.open.has(index)) open(index, button, body);
  return element("li", { id: `sentence-${index + 1}` }, button, body);
}

function tallyText(index, right) {
  const score = sentenceScore(sentenceValue(index));
  return [rightText(right), `${metrics[filterState.metric].name} ${score}`]
    .filter(Boolean).join(" · ");
}

function rightText(right) {
  if (right === null) return HAS_REFERENCES ? "no references" : "";
  if (systems.length > 1) return `${right} of ${systems.length} right`;
  return right ? "right" : "wrong";
}

function tallyBar(right) {
  const bar = (name, width) => svg("rect", { class: name, x: 0, y: 0, width, height: 6, rx: 3 });
  return svg(
    "svg",
    { class: "tally-bar", viewBox: "0 0 60 6", "aria-hidden": "true" },
    bar("rest", 60),
    right > 0 && bar("part", (60 * right) / systems.length),
  );
}

function toggle(index, button, body) {
  if (!browserState.open.delete(index)) {
    browserState.open.add(index);
    open(index, button, body);
    return;
  }
  button.setAttribute("aria-expanded", "false");
  body.hidden = true;
  replace(body);
}

function open(index, button, body) {
  replace(body, sentenceDetail(index, filterState.against, filterState.metric));
  button.setAttribute("aria-expanded", "true");
  body.hidden = false;
}

// Goes to a sentence by its number, and resets the filters if they hide it.
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

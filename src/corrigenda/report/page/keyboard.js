// Single keys for the list of sentences. They do nothing while the reader types in a field.

function openers() {
  return [...byId("list").querySelectorAll(".opener")];
}

function step(by) {
  const all = openers();
  const here = all.findIndex((opener) => opener.parentElement.contains(document.activeElement));
  const next = here < 0 ? (by > 0 ? 0 : all.length - 1) : here + by;
  if (next >= 0 && next < all.length) all[next].focus();
  else if (turnTo(browserState.page + by)) openers().at(by > 0 ? 0 : -1)?.focus();
}

const KEYS = {
  "/": () => byId("search").focus(),
  j: () => step(1),
  k: () => step(-1),
  n: () => turnTo(browserState.page + 1) && openers()[0]?.focus(),
  p: () => turnTo(browserState.page - 1) && openers()[0]?.focus(),
  r: clearFilters,
  "?": () => byId("keys").showModal(),
};

function onKey(event) {
  const typing = event.target.closest?.("input, select, textarea, dialog");
  if (event.key === "Escape" && typing) event.target.blur();
  const withModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (typing || withModifier || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

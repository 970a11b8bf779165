// The form with the filters.

const TYPING_PAUSE = 120;

function filterForm(changed) {
  const set = (name) => (value) => {
    filterState[name] = value;
    changed();
  };
  return element(
    "form",
    { class: "filters", role: "search", submit: (event) => event.preventDefault() },
    findFields(set),
    sliceFields(set, changed),
    orderFields(set),
  );
}

function fieldset(legend, className, ...fields) {
  return element("fieldset", { class: className }, element("legend", {}, legend), fields);
}

function findFields(set) {
  const search = { id: "search", placeholder: "words to find" };
  return fieldset(
    "Find",
    "find",
    typed("Search", "search", "search", set("search"), search),
    choice("Search in", searchOptions(), filterState.where, set("where")),
    choice("Outcome", outcomeOptions(), filterState.outcome, set("outcome")),
    systems.length > 1 && HAS_REFERENCES &&
      choice("Selected system", systemOptions(), filterState.system, set("system")),
  );
}

function searchOptions() {
  const options = [["all", "all texts"], ["source", "sources"], ["outputs", "outputs"]];
  return HAS_REFERENCES ? [...options, ["references", "references"]] : options;
}

function outcomeOptions() {
  const isOffered = ([value, { judged, ofSystem }]) =>
    (HAS_REFERENCES || !judged) && (systems.length > 1 || ofSystem || value === "any");
  return Object.entries(OUTCOMES)
    .filter(isOffered)
    .map(([value, { label }]) => [value, label]);
}

function sliceFields(set, changed) {
  const number = { min: 0, inputmode: "numeric" };
  return fieldset(
    "Slices",
    null,
    summary.slicings.map((slicing, which) =>
      slicing.labels.length > 0 && sliceChoice(slicing, which, changed)),
    element("div", { class: "together" },
      typed("Words from", "shortest", "number", set("shortest"), number),
      typed("to", "longest", "number", set("longest"), number)),
  );
}

function sliceChoice(slicing, which, changed) {
  const text = (label, slice) => `${label} (${slicing.counts[slice]})`;
  const options = slicing.labels.map((label, slice) => [String(slice), text(label, slice)]);
  const chosen = filterState.slices[which] ?? "";
  return choice(sliceName(slicing.by), [["", "any"], ...options], chosen, (value) => {
    filterState.slices[which] = value;
    changed();
  });
}

function orderFields(set) {
  const orders = Object.entries(ORDERS)
    .filter(([, { several }]) => systems.length > 1 || !several)
    .map(([value, { label }]) => [value, label()]);
  const of = [["all", "all systems (mean)"], ...systemOptions()];
  return fieldset(
    "Order and scores",
    null,
    choice("Order", orders, filterState.order, set("order")),
    choice("by metric", metricOptions(), filterState.metric, set("metric")),
    systems.length > 1 && choice("of system", of, filterState.of, set("of")),
    summary.references[1] > 1 &&
      choice("Edits against", againstOptions(), filterState.against, set("against")),
  );
}

function againstOptions() {
  const numbers = [...Array(summary.references[1]).keys()];
  const options = numbers.map((reference) => [String(reference), `reference ${reference + 1}`]);
  return [[CHOSEN, "chosen reference"], ...options];
}

// A field to type in. The list follows after a short pause.
function typed(label, name, type, changed, attributes) {
  let waiting;
  const input = (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => changed(event.target.value), TYPING_PAUSE);
  };
  const value = filterState[name];
  const field = element("input", { type, name, value, autocomplete: "off", ...attributes, input });
  return element("label", { class: `field typed-${type}` }, element("span", {}, label), field);
}

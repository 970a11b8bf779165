// Which sentences are listed, and in which order.

const filterState = {};

const DEFAULTS = {
  search: "", where: "all", outcome: "any", system: "0", slices: {}, shortest: "", longest: "",
  order: "corpus", metric: "0", of: "all", against: "chosen",
};

function resetFilters() {
  Object.assign(filterState, DEFAULTS, { slices: {}, system: String(pair.a) });
}

// The searched texts of a sentence, lower case; made once.
const searched = {};

function searchedText(index, where) {
  const texts = (searched[where] ??= []);
  return (texts[index] ??= searchParts(index, where).join("\n").toLowerCase());
}

function searchParts(index, where) {
  const { sources, references, outputs } = sentences();
  const parts = {
    source: () => [sources[index]],
    references: () => references[index],
    outputs: () => outputs[index].map(([text]) => text),
  };
  return where === "all" ? Object.values(parts).flatMap((part) => part()) : parts[where]();
}

function wordCount(index) {
  const source = sentences().sources[index];
  return source ? source.split(" ").length : 0;
}

function listed() {
  const needle = filterState.search.trim().toLowerCase();
  const outcome = OUTCOMES[filterState.outcome];
  const chosen = Object.entries(filterState.slices).filter(([, slice]) => slice !== "");
  const [shortest, longest] = [Number(filterState.shortest || 0), Number(filterState.longest || Infinity)];
  const found = [];
  for (let index = 0; index < summary.sentences; index += 1) {
    if (needle && !searchedText(index, filterState.where).includes(needle)) continue;
    if (!chosen.every(([slicing, slice]) => sentences().slices[slicing][index].includes(Number(slice)))) continue;
    const words = wordCount(index);
    if (words < shortest || words > longest) continue;
    if (outcome.keeps(index, Number(filterState.system))) found.push(index);
  }
  return ordered(found);
}

function ordered(indices) {
  if (filterState.order === "corpus") return indices;
  const key = ORDERS[filterState.order].key;
  const keys = new Map(indices.map((index) => [index, key(index)]));
  return indices.sort((a, b) => keys.get(a) - keys.get(b) || a - b);
}

const ORDERS = {
  corpus: { label: "corpus order" },
  worst: { label: "worst first", key: (index) => sentenceValue(index) },
  best: { label: "best first", key: (index) => -sentenceValue(index) },
  spread: { label: "systems furthest apart first", key: (index) => -spread(index) },
  lead: { label: "first system ahead of second", key: (index) => -lead(index) },
  longest: { label: "longest first", key: (index) => -wordCount(index) },
};

function present(index) {
  return sentences().scores[Number(filterState.metric)][index].filter((score) => score !== null);
}

// The score of a sentence by the chosen metric: of one system, or the mean of all.
function sentenceValue(index) {
  if (filterState.of === "all") return present(index).length ? mean(present(index)) : Infinity;
  return sentences().scores[Number(filterState.metric)][index][Number(filterState.of)] ?? Infinity;
}

function spread(index) {
  return Math.max(...present(index)) - Math.min(...present(index));
}

function lead(index) {
  const scores = sentences().scores[Number(filterState.metric)][index];
  return (scores[pair.a] ?? 0) - (scores[pair.b] ?? 0);
}

function filterForm(changed) {
  const set = (name) => (value) => {
    filterState[name] = value;
    changed();
  };
  const several = systems.length > 1;
  const orders = Object.entries(ORDERS).map(([value, { label }]) => [value, value === "lead" ? `${systems[pair.a]} ahead of ${systems[pair.b]}` : label]);
  const outcomes = Object.entries(OUTCOMES).map(([value, { label }]) => [value, label]);
  return element(
    "form",
    { class: "filters", role: "search", submit: (event) => event.preventDefault() },
    element("fieldset", { class: "find" }, element("legend", {}, "Find"),
      typed("Search", "search", "search", set("search"), { id: "search", placeholder: "words of any text" }),
      choice("in", [["all", "all texts"], ["source", "sources"], ["references", "references"], ["outputs", "outputs"]], filterState.where, set("where")),
      choice("Outcome", several ? outcomes : outcomes.filter(([value]) => OUTCOMES[value].needsSystem || value === "any"), filterState.outcome, set("outcome")),
      several && choice("System", systemOptions(), filterState.system, set("system"))),
    element("fieldset", {}, element("legend", {}, "Only"),
      summary.slicings.map((slicing, which) => slicing.labels.length > 0 && sliceChoice(slicing, which, changed)),
      element("div", { class: "together" },
        typed("Words from", "shortest", "number", set("shortest"), { min: 0, inputmode: "numeric" }),
        typed("to", "longest", "number", set("longest"), { min: 0, inputmode: "numeric" }))),
    element("fieldset", {}, element("legend", {}, "Order"),
      choice("Order", several ? orders : orders.filter(([value]) => !["spread", "lead"].includes(value)), filterState.order, set("order")),
      choice("by", metricOptions(), filterState.metric, set("metric")),
      several && choice("of", [["all", "all systems (mean)"], ...systemOptions()], filterState.of, set("of")),
      summary.references[1] > 1 && choice("Edits against", againstOptions(), filterState.against, set("against"))),
  );
}

function againstOptions() {
  const numbers = [...Array(summary.references[1]).keys()];
  return [[CHOSEN, "the chosen reference"], ...numbers.map((place) => [String(place), `reference ${place + 1}`])];
}

function sliceChoice(slicing, which, changed) {
  const options = slicing.labels.map((label, slice) => [String(slice), `${label} (${slicing.counts[slice]})`]);
  return choice(sliceName(slicing.by), [["", "any"], ...options], filterState.slices[which] ?? "", (value) => {
    filterState.slices[which] = value;
    changed();
  });
}

function typed(label, name, type, changed, attributes) {
  let waiting;
  const input = element("input", {
    type, name, value: filterState[name], autocomplete: "off", ...attributes,
    input: (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => changed(event.target.value), 120);
    },
  });
  return element("label", { class: `field typed-${type}` }, element("span", {}, label), input);
}

// Which sentences are listed, and in which order.

const filterState = {};

const DEFAULTS = {
  search: "", where: "all", outcome: "any", shortest: "", longest: "",
  order: "corpus", metric: "0", of: "all", against: CHOSEN,
};

function resetFilters() {
  Object.assign(filterState, DEFAULTS, { slices: {}, system: String(pair.a) });
}

// The texts of each sentence in lower case, made once.
const searched = {};

function searchedText(index, where) {
  const texts = (searched[where] ??= []);
  return (texts[index] ??= searchParts(index, where).join("\n").toLowerCase());
}

function searchParts(index, where) {
  const parts = {
    source: () => [sentences().sources[index]],
    references: () => sentences().references[index],
    outputs: () => distinctOutputs(index).map((output) => output.text),
  };
  return where === "all" ? Object.values(parts).flatMap((part) => part()) : parts[where]();
}

function listed() {
  const needle = filterState.search.trim().toLowerCase();
  const outcome = OUTCOMES[filterState.outcome];
  const chosen = Object.entries(filterState.slices).filter(([, slice]) => slice !== "");
  const shortest = Number(filterState.shortest || 0);
  const longest = Number(filterState.longest || Infinity);
  const isInSlices = (index) =>
    chosen.every(([slicing, slice]) => sentences().slices[slicing][index].includes(Number(slice)));
  const found = [];
  for (let index = 0; index < summary.sentences; index += 1) {
    if (needle && !searchedText(index, filterState.where).includes(needle)) continue;
    if (!isInSlices(index)) continue;
    const words = sourceWords(index).length;
    if (words < shortest || words > longest) continue;
    if (outcome.keeps(index, Number(filterState.system))) found.push(index);
  }
  return ordered(found);
}

function ordered(indices) {
  const { key } = ORDERS[filterState.order];
  if (!key) return indices;
  const keys = new Map(indices.map((index) => [index, key(index) ?? Infinity]));
  return indices.sort((a, b) => keys.get(a) - keys.get(b) || a - b);
}

// `key` gives the number to sort by; sentences without one come last.
const ORDERS = {
  corpus: { label: () => "corpus order" },
  worst: { label: () => "worst score first", key: (index) => sentenceValue(index) },
  best: { label: () => "best score first", key: (index) => negated(sentenceValue(index)) },
  spread: {
    label: () => "largest spread of scores first",
    several: true,
    key: (index) => negated(spread(index)),
  },
  lead: {
    label: () => `${systems[pair.a]} furthest ahead of ${systems[pair.b]} first`,
    several: true,
    key: (index) => negated(lead(index)),
  },
  longest: { label: () => "longest first", key: (index) => -sourceWords(index).length },
};

function negated(value) {
  return value === null ? null : -value;
}

function scoresOf(index) {
  return sentences().scores[filterState.metric][index];
}

// The score of a sentence by the selected metric: of one system, or the mean of all.
function sentenceValue(index) {
  if (filterState.of !== "all") return scoresOf(index)[filterState.of];
  const present = scoresOf(index).filter((score) => score !== null);
  return present.length ? mean(present) : null;
}

function spread(index) {
  const present = scoresOf(index).filter((score) => score !== null);
  return present.length ? Math.max(...present) - Math.min(...present) : null;
}

function lead(index) {
  const scores = scoresOf(index);
  const isMissing = scores[pair.a] === null || scores[pair.b] === null;
  return isMissing ? null : scores[pair.a] - scores[pair.b];
}

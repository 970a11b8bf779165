// An open sentence: its references, the edits of each system, and the scores by each metric.

function sentenceDetail(index, against, sortMetric) {
  return element(
    "div",
    { class: "detail" },
    referenceList(index),
    systemsTable(index, against, sortMetric),
  );
}

function referenceList(index) {
  if (!HAS_REFERENCES) return null;
  const texts = sentences().references[index];
  if (texts.length === 0) {
    return paragraph("note", "This sentence has no references.");
  }
  return element("dl", { class: "references" }, texts.map((text, reference) => [
    element("dt", {}, `Reference ${reference + 1}`),
    element("dd", { lang: "und" }, referenceText(index, reference, text)),
  ]));
}

function referenceText(index, reference, text) {
  const gold = goldEdits(index, reference);
  if (gold.length) return goldDifference(sourceWords(index), gold);
  return text || element("em", {}, "(empty)");
}

function systemsTable(index, against, sortMetric) {
  const { scores } = sentences();
  const best = ({ members }) =>
    Math.max(...members.map((system) => scores[sortMetric][index][system] ?? -Infinity));
  const groups = sameOutputs(index, against).sort((a, b) => best(b) - best(a));
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "System"),
    element("th", { scope: "col" }, HAS_REFERENCES ? "Edits" : "Changes"),
    metrics.map((metric) => element("th", { scope: "col", class: "number" }, metric.name)),
  );
  const rows = groups.map((group) => groupRows(index, group));
  const caption = `Systems on sentence ${index + 1}`;
  return captionedTable("systems", caption, head, element("tbody", {}, rows));
}

// Systems with the same output, compared with the same reference, share a cell.
function sameOutputs(index, against) {
  const groups = new Map();
  ranked().forEach((system) => {
    const edits = systemEdits(index, system, against);
    const key = `${sentences().output_of[index][system]}/${edits.reference}`;
    if (!groups.has(key)) groups.set(key, { edits, members: [] });
    groups.get(key).members.push(system);
  });
  return [...groups.values()];
}

function groupRows(index, { edits, members }) {
  const scoreCell = (system) => (metric, which) => {
    const score = sentenceScore(sentences().scores[which][index][system]);
    const attributes = { class: "number", "data-metric": metric.name };
    return element("td", attributes, score, chosenNote(which, index, system));
  };
  return members.map((system, place) =>
    element(
      "tr",
      { class: place === 0 ? "group" : null },
      element("th", { scope: "row", class: "name" }, systems[system]),
      place === 0 && editsCell(index, edits, members.length),
      metrics.map(scoreCell(system)),
    ),
  );
}

function editsCell(index, edits, rowspan) {
  const words = sourceWords(index);
  const isEmptied = edits.output.text === "" && words.length > 0;
  const text = edits.reference === null
    ? changedDifference(words, edits.changes, edits.gains)
    : judgedDifference(words, edits.made, edits.gold, edits.gains);
  return element(
    "td",
    { class: "did", rowspan },
    isEmptied && [element("em", {}, "(empty output)"), " "],
    element("span", { class: "sentence" }, text),
    element("small", { class: "judged" }, editsText(edits, referenceCount(index))),
  );
}

function editsText({ reference, made, gold, changes }, references) {
  if (reference === null) return changes.length ? plural(changes.length, "change") : "no change";
  const correct = made.filter(isCorrect).length;
  const [wrong, missed] = [made.length - correct, gold.length - correct];
  const counts = `${correct} correct, ${wrong} wrong, ${missed} missed`;
  return references > 1 ? `${counts}, against reference ${reference + 1}` : counts;
}

function sentenceScore(thousandths, signed = false) {
  if (thousandths === null) return MISSING;
  const text = (thousandths / 10).toFixed(1).replace("-", "−");
  return signed && thousandths > 0 ? `+${text}` : text;
}

// The reference that counts for a score, if the sentence has several and exactly one counts.
function chosenNote(metric, index, system) {
  const chosen = sentences().chosen[metric];
  if (!chosen || referenceCount(index) < 2 || chosen[index][system] < 0) return null;
  const number = chosen[index][system] + 1;
  const attributes = { class: "chosen", title: `this score uses reference ${number}` };
  return element("small", attributes, hiddenText("reference "), `r${number}`);
}

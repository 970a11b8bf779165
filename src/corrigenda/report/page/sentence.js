// One sentence, opened: its references, what each system made of it, and what each metric says.

function sentenceDetail(index, against, sortMetric) {
  const { sources, references, gold } = sentences();
  return element(
    "div",
    { class: "detail" },
    element("dl", { class: "references" }, references[index].map((text, place) => [
      element("dt", {}, `Reference ${place + 1}`),
      element("dd", { lang: "und" }, gold[index][place]?.length ? goldDifference(sources[index], gold[index][place]) : text || element("em", {}, "(empty)")),
    ])),
    systemsTable(index, against, sortMetric),
  );
}

function systemsTable(index, against, sortMetric) {
  const { scores } = sentences();
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "System"),
    element("th", { scope: "col" }, "What it did"),
    metrics.map((metric) => element("th", { scope: "col", class: "number" }, metric.name)),
  );
  const groups = sameOutputs(index, against).sort((a, b) => best(b) - best(a));
  return scrolled(
    `Systems on sentence ${index + 1}`,
    element("table", { class: "systems" }, element("caption", { class: "unseen" }, `Systems on sentence ${index + 1}`),
      element("thead", {}, head), element("tbody", {}, groups.map((group) => groupRows(index, group)))),
  );

  function best(group) {
    return Math.max(...group.members.map((system) => scores[sortMetric][index][system] ?? -Infinity));
  }
}

// Systems with the same output, held against the same annotator, share what is shown of it.
function sameOutputs(index, against) {
  const groups = new Map();
  ranked().forEach((system) => {
    const edits = madeEdits(index, system, against);
    const key = `${sentences().output[index][system]}/${edits.annotator}`;
    if (!groups.has(key)) groups.set(key, { edits, members: [] });
    groups.get(key).members.push(system);
  });
  return [...groups.values()];
}

function groupRows(index, { edits, members }) {
  const { sources, references, scores } = sentences();
  return members.map((system, place) =>
    element(
      "tr",
      { class: place === 0 ? "group" : null },
      element("th", { scope: "row", class: "name" }, systems[system]),
      place === 0 && element("td", { class: "did", rowspan: members.length },
        edits.text === "" && sources[index] !== "" ? [element("em", {}, "(empty output)"), " "] : null,
        element("span", { class: "sentence" }, difference(sources[index], edits.made, edits.gold)),
        element("small", { class: "judged" }, judgedText(edits, references[index].length))),
      metrics.map((metric, which) => element("td", { class: "number", "data-metric": metric.name }, sentenceScore(scores[which][index][system]), chosenNote(which, index, system))),
    ),
  );
}

function judgedText({ annotator, made, gold }, references) {
  const correct = made.filter(([, , , place]) => place >= 0).length;
  const counts = `${correct} correct, ${made.length - correct} wrong, ${gold.length - correct} missed`;
  return references > 1 ? `${counts}, against reference ${annotator + 1}` : counts;
}

function sentenceScore(thousandths) {
  return thousandths === null ? MISSING : (thousandths / 10).toFixed(1).replace("-", "−");
}

function chosenNote(metric, index, system) {
  const chosen = sentences().chosen[metric];
  if (!chosen || sentences().references[index].length < 2) return null;
  const number = chosen[index][system] + 1;
  if (number < 1) return null;
  return element("small", { class: "chosen", title: `reference ${number} counts` }, hiddenText("reference "), `r${number}`);
}

// How the numbers were made.

function showMethod() {
  const thinned = metrics.filter((metric) => metric.thinned).map((metric) => metric.name);
  const { draws } = summary.resampling;
  replace(
    byId("method-body"),
    element("p", {}, `This report was made by Corrigenda ${summary.version}. The same texts with ` +
      "the same signatures give the same numbers:"),
    element("dl", { class: "signatures" }, metrics.map(signatureEntry)),
    element("p", {}, resamplingText()),
    thinned.length > 0 &&
      element("p", {}, `Intervals and tests of ${thinned.join(", ")} use only ${draws} draws of ` +
        "references, to save time."),
    element("p", {}, editsMethod()),
    summary.attributed && element("p", {}, gainsMethod()),
  );
}

function signatureEntry({ title, signature }) {
  return [element("dt", {}, title), element("dd", {}, element("code", {}, signature))];
}

function resamplingText() {
  const { resamples, seed, confidence, min_sentences: smallest } = summary.resampling;
  return [
    `Intervals are percentile intervals at ${wholePercent(confidence)}, from`,
    `${plural(resamples, "bootstrap resample")} of the sentences.`,
    `Tests are two-sided paired permutation tests${correctionText()}. They exchange the outputs`,
    `of sentences ${plural(resamples, "time")} or more, as often as the number of tests needs.`,
    `The seed is ${seed}, and all systems share the same resamples.`,
    HAS_REFERENCES && "The references chosen on the whole corpus stay the same in all resamples.",
    `Slices with fewer than ${plural(smallest, "sentence")} are shown but not tested.`,
  ].filter(Boolean).join(" ");
}

function gainsMethod() {
  return `The bar under an edit is its share of what the output changed in the sentence's score ` +
    `by ${summary.attributed}, compared with the source (a Shapley value): the mean gain over ` +
    "all orders in which the edits could be applied. The shares add up to the change.";
}

function editsMethod() {
  const alone = "The scores of a sentence come from this sentence alone.";
  if (!HAS_REFERENCES) {
    return "The corpus has no references. The changes of each system come from a minimal " +
      `alignment of its output with the source; they are not judged. ${alone}`;
  }
  const gold = summary.gold === "annotated" ? "the annotated gold edits" :
    "gold edits, which come from a minimal alignment of the references with the source";
  return `The edits of the systems come from the extractor ${summary.extractor}, which compares ` +
    `them with ${gold}. ${alone} r1, r2, … say which reference a score uses.`;
}

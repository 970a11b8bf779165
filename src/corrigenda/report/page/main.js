// Puts the page together: first what is seen first, then the sentences.

const THEMES = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };

function showHead() {
  document.title = `${summary.title} – Corrigenda report`;
  byId("title").textContent = summary.title;
  const [fewest, most] = summary.references;
  const references = fewest === most ? plural(most, "reference") : `${fewest} to ${most} references`;
  byId("facts").textContent = [
    plural(systems.length, "system"), plural(summary.sentences, "sentence"), `${references} a sentence`, plural(metrics.length, "metric"),
  ].join(" · ");
}

function showTheme(theme = "auto") {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = byId("theme");
  button.textContent = THEMES[theme];
  button.setAttribute("aria-label", `Colours: ${theme}`);
  const names = Object.keys(THEMES);
  button.onclick = () => showTheme(names[(names.indexOf(theme) + 1) % names.length]);
}

function showMethod() {
  const { resamples, seed, confidence, draws, min_sentences: smallest } = summary.resampling;
  const thinned = metrics.filter((metric) => metric.thinned).map((metric) => metric.name);
  const edits = summary.gold === "annotated" ? "annotated gold edits" : "gold edits extracted from the references by minimal alignment";
  replace(
    byId("method-body"),
    element("p", {}, `Made by Corrigenda ${summary.version}. Everybody who scores the same texts by these signatures gets the same numbers:`),
    element("ul", { class: "signatures" }, metrics.map((metric) => element("li", {}, element("code", {}, metric.signature), ` ${metric.title}`))),
    element("p", {}, `Intervals and tests: ${plural(resamples, "bootstrap resample")} of the sentences, seed ${seed}, the same for all systems; percentile intervals at ${Math.round(100 * confidence)} %; two-sided paired tests${correctionText()}. The references chosen on the whole corpus stay.`),
    thinned.length > 0 && element("p", {}, `${thinned.join(", ")}: resampled on ${draws} of its draws of references.`),
    element("p", {}, `Slices of fewer than ${plural(smallest, "sentence")} are shown, not tested. Edits (correct, wrong, missed): ${summary.extractor}, against ${edits}. A sentence’s scores are those of the sentence alone; r1, r2 … is the reference that counts for it, where a single one does.`),
  );
}

function followHash() {
  const match = /^#sentence-(\d+)$/.exec(location.hash);
  if (match) goTo(Number(match[1]));
}

// Plots are as wide as the screen: they are drawn anew where that changes.
function followWidth() {
  let width = document.documentElement.clientWidth;
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (document.documentElement.clientWidth === width) return;
      width = document.documentElement.clientWidth;
      showScatter();
      showSlices();
    }, 150);
  });
}

showHead();
showTheme();
showLeaderboard();
showSignificance();
showScores();
showScatter();
showSlices();
showMethod();
followWidth();
// The sentences, most of the data, stand behind this script: the rest is on the screen before they are read.
document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(() => {
  showBrowser();
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", followHash);
  followHash();
  document.documentElement.dataset.ready = "yes";
})));

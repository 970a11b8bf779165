// Builds the page: first the parts at the top, then the sentences.

const THEMES = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };
const RESIZE_PAUSE = 150;

function showHead() {
  document.title = `${summary.title} – Corrigenda report`;
  byId("title").textContent = summary.title;
  const facts = [
    plural(systems.length, "system"),
    plural(summary.sentences, "sentence"),
    referencesText(),
    plural(metrics.length, "metric"),
  ];
  byId("headline").textContent = summary.headline;
  byId("facts").textContent = facts.join(" · ");
}

function referencesText() {
  const [fewest, most] = summary.references;
  if (most === 0) return "no references";
  const number = fewest === most ? plural(most, "reference") : `${fewest} to ${most} references`;
  return `${number} per sentence`;
}

function showTheme(theme = "auto") {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = byId("theme");
  button.textContent = THEMES[theme];
  button.title = `Colours: ${theme}`;
  button.setAttribute("aria-label", button.title);
  const names = Object.keys(THEMES);
  button.onclick = () => showTheme(names[(names.indexOf(theme) + 1) % names.length]);
}

function followHash() {
  const match = /^#sentence-(\d+)$/.exec(location.hash);
  if (match) goTo(Number(match[1]));
}

// Plots are as wide as the screen, so they are drawn again when its width changes.
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
    }, RESIZE_PAUSE);
  });
}

function showSentences() {
  showBrowser();
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", followHash);
  followHash();
  document.documentElement.dataset.ready = "yes";
}

showHead();
showTheme();
showHealth();
showLeaderboard();
showCeiling();
showSignificance();
showScores();
showScatter();
showSlices();
showMethod();
followWidth();
// The sentences are most of the data and come after this script. The rest is on the screen before
// they are read.
document.addEventListener("DOMContentLoaded", () =>
  requestAnimationFrame(() => setTimeout(showSentences)),
);

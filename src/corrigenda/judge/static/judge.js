// What scripts add to the form of an item: keys, drag, the time taken, and sending again.
// Without scripts the form works as it is.
"use strict";

document.documentElement.classList.add("script");

const KEPT = "corrigenda-kept-answer";
const form = document.getElementById("answer");
const statusLine = document.getElementById("status");
const keySwitch = document.getElementById("keys");
const markSwitch = document.getElementById("marks");
const mode = form.dataset.mode;
const count = Number(form.dataset.count);
const candidates = [...document.querySelectorAll(".candidate")];

// Settings of this device

function remember(box, name) {
  if (!box) return;
  try {
    if (localStorage.getItem(name) === "off") box.checked = false;
    box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "on" : "off"));
  } catch { /* a private window may keep nothing */ }
}
remember(keySwitch, "corrigenda-keys");
remember(markSwitch, "corrigenda-marks");

// The time that the page was in view

let seen = 0;
let since = document.hidden ? null : performance.now();
document.addEventListener("visibilitychange", () => {
  if (document.hidden && since !== null) { seen += performance.now() - since; since = null; }
  else if (!document.hidden && since === null) since = performance.now();
});
function milliseconds() {
  return Math.round(seen + (since === null ? 0 : performance.now() - since));
}

// Ranks

const rankOf = (card) => card.querySelector("input[type=radio][name^=rank-]:checked");
const nextCard = () => candidates.find((card) => !rankOf(card)) ?? null;
let current = null;

function setCurrent(card) {
  current = card;
  for (const each of candidates) each.classList.toggle("current", each === card && mode !== "pair");
}

function showRanks() {
  for (const card of candidates) card.classList.toggle("ranked", Boolean(rankOf(card)));
}

function setRank(card, rank) {
  const radio = card.querySelector(`input[name^=rank-][value="${rank}"]`);
  if (!radio) return;
  radio.checked = true;
  showRanks();
  document.getElementById("heard").textContent = `Output ${card.dataset.letter}: rank ${rank}.`;
  const next = nextCard();
  setCurrent(next);
  if (!next) document.getElementById("save").focus();
}

form.addEventListener("change", (event) => {
  if (event.target.name?.startsWith("rank-")) { showRanks(); setCurrent(nextCard()); }
});
form.addEventListener("focusin", (event) => {
  const card = event.target.closest(".candidate");
  if (card && mode !== "rate" && event.target.matches(":focus-visible")) setCurrent(card);
});

// Keys

const typing = (target) => target.matches("input[type=number], input[type=text], textarea, select");

document.addEventListener("keydown", (event) => {
  if (!keySwitch?.checked || event.ctrlKey || event.altKey || event.metaKey) return;
  if (typing(event.target) || !/^[0-9]$/.test(event.key)) return;
  const digit = Number(event.key);
  if (mode === "pair") {
    const value = { 1: "A", 2: "B", 0: "equal" }[digit];
    const radio = value && form.querySelector(`input[name=choice][value=${value}]`);
    if (radio) { radio.checked = true; document.getElementById("save").focus(); event.preventDefault(); }
  } else if (mode !== "rate" && digit >= 1 && digit <= count) {
    const card = current ?? nextCard();
    if (card) { setRank(card, digit); event.preventDefault(); }
  }
});

// Drag: from the handle of an output to the number of its rank

const lanes = document.querySelector(".lanes");
function laneAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest(".lane") ?? null;
}
function startDrag(card, pointer) {
  const mine = (listener) => (event) => { if (event.pointerId === pointer) listener(event); };
  const move = mine((event) => {
    const over = laneAt(event);
    for (const lane of lanes.children) lane.classList.toggle("over", lane === over);
  });
  const stop = () => {
    card.classList.remove("dragged");
    lanes.hidden = true;
    for (const lane of lanes.children) lane.classList.remove("over");
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", cancel);
  };
  const drop = mine((event) => {
    const lane = laneAt(event);
    stop();
    if (lane) setRank(card, lane.dataset.rank);
  });
  const cancel = mine(stop);
  card.classList.add("dragged");
  lanes.hidden = false;
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", cancel);
}
for (const handle of document.querySelectorAll(".handle")) {
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    startDrag(handle.closest(".candidate"), event.pointerId);
  });
}

// Ratings: the slider and the number are one value

for (const slider of document.querySelectorAll("input[type=range][data-for]")) {
  const number = document.getElementById(slider.dataset.for);
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { if (number.value !== "") slider.value = number.value; });
}

// Sending: an answer is kept on this device until the server has it

function keep(sent) {
  try { localStorage.setItem(KEPT, JSON.stringify(sent)); } catch { /* it is still in memory */ }
}
function kept() {
  try { return JSON.parse(localStorage.getItem(KEPT)); } catch { return null; }
}
function forget() {
  try { localStorage.removeItem(KEPT); } catch { /* nothing was kept */ }
}

const pause = (seconds) => new Promise((resolve) => {
  const done = () => { clearTimeout(timer); removeEventListener("online", done); resolve(); };
  const timer = setTimeout(done, seconds * 1000);
  addEventListener("online", done);
});

async function attempt(sent) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 20000);
  try {
    const response = await fetch(sent.url, {
      method: "POST", body: sent.body, credentials: "same-origin", signal: abort.signal,
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
    });
    const text = await response.text();
    let problem = "The server refused the answer.";
    try { problem = JSON.parse(text).problem ?? problem; } catch { /* not from this program */ }
    return { code: response.status, problem };
  } catch {
    return { code: 0, problem: "" };
  } finally {
    clearTimeout(timer);
  }
}

async function send(sent) {
  keep(sent);
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  for (let tries = 0; ; tries += 1) {
    const { code, problem } = await attempt(sent);
    if (code === 200) {
      forget();
      location.replace(sent.next);
      return;
    }
    if (code >= 400 && code < 500 && code !== 408 && code !== 429) {
      forget();
      for (const button of document.querySelectorAll("button")) button.disabled = false;
      statusLine.textContent = problem;
      return;
    }
    statusLine.textContent =
      "No connection. Your answer is kept on this device and is sent again by itself.";
    await pause(Math.min(15, 2 ** tries));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  form.elements.milliseconds.value = String(milliseconds());
  const body = new URLSearchParams(new FormData(form, event.submitter ?? undefined));
  if (!body.has("action")) body.set("action", "answer");
  const url = form.getAttribute("action");
  send({ url, body: body.toString(), next: url.replace(/\/answer$/, "") });
});

showRanks();
setCurrent(mode === "rate" || mode === "pair" ? null : nextCard());
const waiting = kept();
if (waiting) send(waiting);

// Keeps the organiser's page up to date while the switch is on.
"use strict";

document.documentElement.classList.add("script");
const live = document.getElementById("live");
const SECONDS = 15;

setInterval(async () => {
  if (!live.checked || document.hidden) return;
  try {
    const response = await fetch(location.href, { credentials: "same-origin" });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("figures");
    if (fresh) document.getElementById("figures").replaceWith(fresh);
  } catch { /* the next attempt may go better */ }
}, SECONDS * 1000);

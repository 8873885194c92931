// Opens a hand by itself when its player decides, if this phone was touched lately and they didn't choose otherwise on
// it (`data-opens-itself`). Covers a hand that nobody touches, and ends a turn that has nothing left (`data-presses-itself`).

import { ignoreTaps, NERVOUS_MS } from "./attention.js";

const main = document.querySelector("main");
const CHOICE = "hand-opens-itself";

// A phone that was touched so lately is in its player's hand, or before them.
const HELD_MS = 120_000;
// A hand is covered after so long without a touch.
const COVERED_MS = 30_000;
// A turn that has nothing left ends after so long: its player sees their cards before.
const [LEAST_MS, MOST_MS] = [5000, 9000];

let touched = -Infinity;
let covering;
let ending;
// A sheet that was closed stays closed until the next decision.
let closed;

function opensItself(choice) {
  try {
    if (choice !== undefined) localStorage.setItem(CHOICE, choice);
    return localStorage.getItem(CHOICE) !== "false";
  } catch {
    return false; // the browser stores nothing
  }
}

function open() {
  const opener = main.querySelector("#question:not(:has(.passed)) [data-reveal$='/play']");
  if (!opener || opener.dataset.opens === closed || document.hidden) return;
  // What was undone is read first.
  if (document.querySelector("dialog[open], .now.undone")) return;
  coverLater();
  opener.click();
}

// Not at once: the second tap of a double tap would decide.
function openSoon() {
  if (opensItself() && Date.now() - touched < HELD_MS) setTimeout(open, NERVOUS_MS);
}

function coverLater() {
  clearTimeout(covering);
  covering = setTimeout(() => document.querySelector("dialog[data-secret][open]")?.close(), COVERED_MS);
}

for (const touch of ["pointerdown", "keydown"])
  document.addEventListener(touch, () => {
    touched = Date.now();
    coverLater();
  });
document.addEventListener("change", ({ target }) => target.matches("[data-opens-itself]") && opensItself(target.checked));
document.addEventListener("revealed", ({ target }) => {
  // A tap that was meant for the page must play no card.
  ignoreTaps(target);
  const choice = target.querySelector("[data-opens-itself]");
  if (choice) choice.checked = opensItself();
  const end = target.querySelector("[data-presses-itself]");
  clearTimeout(ending);
  // A sheet that was closed no longer has this button.
  ending = setTimeout(() => end?.isConnected && end.click(), LEAST_MS + Math.random() * (MOST_MS - LEAST_MS));
});
document.addEventListener("close", ({ target }) => target.matches("[data-secret]") && (closed = target.id), true);
document.addEventListener("shown", openSoon);

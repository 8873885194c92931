// Opens a hand by itself when its player decides, if they chose so on this phone (`data-opens-itself`).

import { NERVOUS_MS } from "./attention.js";

const main = document.querySelector("main");
const CHOICE = "hand-opens-itself";

// A sheet that was closed stays closed until the next decision.
let closed;

function opensItself(choice) {
  try {
    if (choice !== undefined) localStorage.setItem(CHOICE, choice);
    return localStorage.getItem(CHOICE) === "true";
  } catch {
    return false; // the browser stores nothing
  }
}

function open() {
  const opener = main.querySelector("#question:not(:has(.passed)) .main[data-reveal]");
  if (!opener || opener.dataset.opens === closed || document.hidden || document.querySelector("dialog[open]")) return;
  opener.click();
}

// Not at once: the second tap of a double tap would decide.
function openSoon() {
  if (opensItself()) setTimeout(open, NERVOUS_MS);
}

document.addEventListener("change", ({ target }) => target.matches("[data-opens-itself]") && opensItself(target.checked));
document.addEventListener("revealed", ({ target }) => {
  const choice = target.querySelector("[data-opens-itself]");
  if (choice) choice.checked = opensItself();
});
document.addEventListener("close", ({ target }) => target.matches("[data-secret]") && (closed = target.id), true);
document.addEventListener("shown", openSoon);
openSoon();

// Leads through a finished game: shows the move that is chosen, and keeps it in the page's address.

import "./main.js";
import "./uploads.js";
import { sayUnheard } from "./page.js";

// How long each move stays while the game is played by itself.
const STAY_MS = 1600;
// Moves that were shown already: going back needs no request.
const KEPT = 400;

const replay = document.getElementById("replay");
const at = document.getElementById("at");
const shown = new Map();
let wanted = Number(at?.value);
let loading = false;
let playing = 0;

function showsRoles() {
  return replay.querySelector("[data-roles]").getAttribute("aria-pressed") === "true";
}

function query() {
  return showsRoles() ? "?roles=1" : "";
}

// The first move of each turn.
function begins() {
  return replay.dataset.turns.split(" ").map(Number);
}

// The steps that the buttons lead to.
const WAYS = {
  before: (step) => step - 1,
  after: (step) => step + 1,
  "turn-before": (step) => begins().findLast((begin) => begin < step) ?? 0,
  "turn-after": (step) => begins().find((begin) => begin > step) ?? Number(at.max),
};

function go(step) {
  wanted = Math.min(Number(at.max), Math.max(0, step));
  at.value = wanted;
  if (wanted === Number(at.max)) pause();
  load();
}

// Only the last step that was asked for is loaded: a finger on the scrubber passes many.
async function load() {
  if (loading) return;
  loading = true;
  let done;
  while (done !== wanted + query()) {
    done = wanted + query();
    const [step, address] = [wanted, `${replay.dataset.replay}/${wanted}${query()}`];
    const html = shown.get(address) ?? (await fetched(address));
    if (html === undefined) break;
    if (shown.size < KEPT) shown.set(address, html);
    draw(step, html);
  }
  loading = false;
}

async function fetched(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return await answer.text();
  } catch {
    // Said below.
  }
  pause();
  sayUnheard();
}

function draw(step, html) {
  const part = document.getElementById("step");
  const template = document.createElement("template");
  template.innerHTML = html;
  window.Idiomorph.morph(part, template.content.childNodes, { morphStyle: "innerHTML" });
  at.setAttribute("aria-valuetext", part.querySelector("[data-step]").textContent);
  const address = `${replay.dataset.replay}?step=${step}${showsRoles() ? "&roles=1" : ""}`;
  document.getElementById("here").href = address;
  history.replaceState(null, "", address);
}

function pause() {
  clearInterval(playing);
  playing = 0;
  replay.querySelector("[data-play]").setAttribute("aria-pressed", "false");
}

function play() {
  if (wanted === Number(at.max)) go(0);
  playing = setInterval(() => go(wanted + 1), STAY_MS);
  replay.querySelector("[data-play]").setAttribute("aria-pressed", "true");
}

at?.addEventListener("input", () => {
  pause();
  go(Number(at.value));
});

replay?.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if ("play" in button.dataset) return playing ? pause() : play();
  pause();
  if ("roles" in button.dataset) {
    button.setAttribute("aria-pressed", String(!showsRoles()));
    load();
  } else go(WAYS[button.dataset.go](wanted));
});

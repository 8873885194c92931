// Plays each event once, while it is new: what happened stands in the page (`#moments`), in order.
// Tells other scripts with the events `step`, `finale` and `cleared`, so that it can be heard, too.

import { main } from "./page.js";
import { clearStage, lengthOf, play, playFinale } from "./stage.js";

// A step that could only start later than this after its event is left out.
const LATE_MS = 3000;
// A long row of steps is played faster, so that its end isn't left out.
const ROW_MS = 2500;
const FASTEST = 2;

// What a strike makes players lose belongs to it.
const STRIKES = ["shots", "gatling", "dynamite", "indians"];

let shown = latest();
let queue = [];
let run = 0;
let busy = false;

// The game that the page shows, and the number of its last event.
function latest() {
  const { dataset, lastElementChild } = main.querySelector("#moments") ?? {};
  return { game: dataset?.game, number: Number(lastElementChild?.dataset.number ?? 0) };
}

// The moments since the page was looked at last. Of another game, only its beginning is news: one that was
// restored was played before.
function newMoments() {
  const before = shown;
  shown = latest();
  let { number } = before;
  if (shown.game !== before.game) {
    stop();
    number = shown.number === 1 ? 0 : shown.number;
  }
  return [...main.querySelectorAll("#moments > li")]
    .map(({ dataset }) => ({
      ...dataset,
      number: Number(dataset.number),
      to: dataset.to?.split(" ") ?? [],
      amount: Number(dataset.amount ?? 1),
    }))
    .filter((moment) => moment.number > number);
}

// Put moments that are played together into one step.
function stepsOf(moments) {
  const steps = [];
  for (const moment of moments) {
    const before = steps.at(-1);
    if (moment.kind === "loss" && STRIKES.includes(before?.kind)) before.losses.push(moment);
    else if (moment.kind === before?.kind) before.moments.push(moment);
    else steps.push({ kind: moment.kind, moments: [moment], losses: [], since: performance.now() });
  }
  return steps;
}

// Some games bring acts of their own for the stage.
let acts;
function loadActs() {
  const { script } = main.querySelector("#moments")?.dataset ?? {};
  if (!script || script === acts) return;
  acts = script;
  document.head.append(Object.assign(document.createElement("script"), { type: "module", src: script }));
}

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

function playNews() {
  const moments = newMoments();
  // After an undo, what was about to be played is no longer true.
  const undone = moments.findLastIndex((moment) => moment.kind === "undone");
  if (undone !== -1) stop();
  if (!moments.length) return;
  const news = moments.slice(Math.max(0, undone));
  queue.push(...stepsOf(news.filter((moment) => moment.kind !== "end")));
  // Rather what everybody looks at now than what still waits.
  while (lengthOf(queue) / FASTEST > LATE_MS) queue.shift();
  const row = lengthOf(queue);
  const rate = Math.min(FASTEST, Math.max(1, row / ROW_MS));
  for (const step of queue) step.rate = rate;
  const end = news.at(-1);
  if (end.kind === "end") tell("finale", { end, delay: row / rate / 1000, roles: playFinale(row / rate) });
  if (!busy) playQueue();
}

async function playQueue() {
  const mine = ++run;
  busy = true;
  while (queue.length && mine === run) {
    const step = queue.shift();
    if (performance.now() - step.since > LATE_MS) continue;
    tell("step", step);
    await play(step);
  }
  if (mine === run) busy = false;
}

function stop() {
  queue = [];
  run += 1;
  busy = false;
  clearStage();
  tell("cleared");
}

loadActs();
document.addEventListener("shown", ({ detail }) => {
  loadActs();
  // A page that was away shows how things stand, not what it missed.
  if (detail.interrupted || document.hidden) {
    stop();
    shown = latest();
  }
  // The page itself comes first: moments begin once it is painted.
  else requestAnimationFrame(() => setTimeout(playNews));
});

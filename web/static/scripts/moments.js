// Tells the story on the table page: each page that comes waits until what led to it has been played, so that
// nobody sees the end before the shot flies. What happened stands in the page (`#moments`), in order.
// Tells other scripts with the events `finale` and `cleared`, as stage.js does with `step`, so that it can be heard,
// too.

import { lengthOf } from "./acts.js";
import { load } from "./later.js";
import { show } from "./live.js";
import { main } from "./page.js";
import { parse } from "./patching.js";
import { clearStage, isStill, play, playFinale, rollDice } from "./stage.js";

// A story that is longer than this is played faster; of one that is longer still, only the newest page is told.
const ROW_MS = 4000;
const CUT_MS = 10_000;
const FASTEST = 2.5;

// How many sentences stand on the page.
const TOLD = 3;

// How many steps run back at most when they are undone.
const BACK = 6;

// What a strike makes players lose belongs to it.
const STRIKES = ["shots", "gatling", "dynamite", "indians"];

// Where the page shows what is lost or gained, and which of both it is.
const METERS = { arrows: [".arrows", 1], returned: [".arrows", -1], loss: [".life", -1], gain: [".life", 1] };

let heard = latest(main);
// The pages that wait to be shown, each with the steps that lead to it.
let waiting = [];
// The latest steps that were seen to happen, and still count.
let played = [];
let run = 0;
let busy = false;

// The game that a page shows, how many events begin it, and the number of its last event.
function latest(page) {
  const { dataset = {}, lastElementChild } = page.querySelector("#moments") ?? {};
  return { game: dataset.game, start: Number(dataset.start), number: Number(lastElementChild?.dataset.number ?? 0) };
}

// The moments that are new with a page. Of another game, only its beginning is news: one that was restored was
// played before.
function newMoments(page) {
  const { game, number } = heard;
  heard = latest(page);
  const first = heard.game === game ? number : heard.number <= heard.start ? 0 : heard.number;
  return [...page.querySelectorAll("#moments > li")]
    .map(({ dataset }) => ({
      ...dataset,
      number: Number(dataset.number),
      to: dataset.to?.split(" ") ?? [],
      amount: Number(dataset.amount ?? 1),
      back: Number(dataset.back),
    }))
    .filter((moment) => moment.number > first);
}

// Put moments that are played together into one step.
function stepsOf(moments) {
  const steps = [];
  for (const moment of moments) {
    const before = steps.at(-1);
    if (moment.kind === "loss" && STRIKES.includes(before?.kind)) before.losses.push(moment);
    else if (moment.kind === before?.kind) before.moments.push(moment);
    else if (moment.kind !== "end") steps.push({ kind: moment.kind, moments: [moment], losses: [] });
  }
  return steps;
}

// What a first look at the page doesn't need comes once a game is played: how things move, and what only some
// games show.
function loadActs() {
  const { script, styles = "" } = main.querySelector("#moments")?.dataset ?? {};
  for (const href of styles.split(" ")) load(href, "link", { rel: "stylesheet", href });
  load(script, "script", { type: "module", src: script });
}

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

export function receive(html, interrupted) {
  const { game } = heard;
  const page = parse(html).content;
  // A page that was away shows how things stand, not what it missed.
  const away = interrupted || document.hidden;
  const moments = newMoments(page).filter(() => !away);
  // After an undo or a correction, what was about to be told is no longer true; what was undone runs back.
  const undone = moments.findLast(({ kind }) => kind === "undone" || kind === "corrected");
  const steps = stepsOf(moments.slice(Math.max(0, moments.indexOf(undone))));
  const last = moments.at(-1);
  const end = last?.kind === "end" ? last : undefined;
  const anew = away || heard.game !== game;
  mute(page);
  if (anew || undone) stop();
  if (anew) played = [];
  const back = undone ? played.filter((step) => step.moments[0].number >= undone.back) : [];
  played = played.filter((step) => !back.includes(step));
  if (undone) steps[0].back = back;
  const atOnce = anew || isStill() || (undone && !back.length);
  const news = !anew && !undone;
  // While an undo runs back over a page that shows it, nothing waits for it.
  const held = waiting.some((told) => told.html);
  if (atOnce || !(steps.length || end || held)) present(html, news, interrupted);
  // What is shown at once must not come again later, after newer pages.
  const later = atOnce ? "" : html;
  if (steps.length || end) waiting.push({ html: later, page, steps, end, news });
  else if (held) Object.assign(waiting.at(-1), { html: later, page });
  cut();
  // A card is named as soon as it is read, whatever is still played.
  if (busy && later && steps[0]?.moments[0].card) caption(steps[0]);
  // The page itself comes first: moments begin once it is painted.
  if (!busy && waiting.length) requestAnimationFrame(() => setTimeout(playPages));
}

// `news`: whether the dice on it were thrown since the last page.
function present(html, news, interrupted) {
  show(html, interrupted);
  rollDice(news);
}

// Silence is asked for now.
function mute(page) {
  const muted = Boolean(page.querySelector("[data-muted]"));
  if (main.firstElementChild.hasAttribute("data-muted") === muted) return;
  main.firstElementChild.toggleAttribute("data-muted", muted);
  if (muted) tell("cleared");
}

function length() {
  return lengthOf(waiting.flatMap(({ steps }) => steps));
}

function cut() {
  if (waiting.length < 2 || length() <= CUT_MS) return;
  const newest = waiting.pop();
  stop();
  waiting.push(newest);
}

async function playPages() {
  if (busy) return;
  const mine = ++run;
  busy = true;
  try {
    await playWaiting(mine);
  } catch (error) {
    // Whatever can't be played must hold up no page.
    stop();
    throw error;
  }
  if (mine === run) busy = false;
}

async function playWaiting(mine) {
  while (waiting.length) {
    const [told] = waiting;
    while (told.steps.length) {
      const rate = Math.min(FASTEST, Math.max(1, length() / ROW_MS));
      const step = { ...told.steps.shift(), rate, page: told.page, shown: !told.html };
      if (!step.shown) caption(step);
      await play(step, () => land(step));
      if (mine !== run) return;
    }
    waiting.shift();
    if (told.html) present(told.html, told.news);
    if (told.end) tell("finale", { end: told.end, delay: 0, roles: playFinale() });
  }
}

// Say what happens, above what happened before.
function caption({ moments }) {
  const list = main.querySelector("#told");
  for (const { told, number } of moments) {
    if (!list || !told || list.firstElementChild?.textContent === told) continue;
    const early = list.querySelector(`[value="${number}"]`);
    list.prepend(early ?? Object.assign(document.createElement("li"), { textContent: told, value: number }));
    if (list.children.length > TOLD) list.lastElementChild.remove();
  }
}

// Bring into the page what has been seen to happen, and no more.
function land(step) {
  const { moments, losses, page } = step;
  if (step.kind !== "undone") played = [...played, { ...step, page: undefined }].slice(-BACK);
  if (step.shown) return;
  for (const { kind, from, to, amount } of [...moments, ...losses]) {
    const seat = `.place[data-seat="${to[0] ?? from}"]`;
    const place = main.querySelector(seat);
    const [meter, sign] = METERS[kind] ?? [];
    if (kind === "turn")
      for (const other of main.querySelectorAll(".place")) other.classList.toggle("turn", other === place);
    if (kind === "death") bury(place, page.querySelector(seat));
    // After the attack nobody has arrows.
    if (kind === "indians") for (const { dataset } of main.querySelectorAll(".place .arrows")) dataset.has = 0;
    if (meter) count(place?.querySelector(meter), sign * amount);
  }
}

function count(meter, change) {
  if (!meter) return;
  meter.dataset.has = Number(meter.dataset.has) + change;
  const number = meter.parentElement.querySelector(".number");
  if (number) number.textContent = Math.max(0, meter.dataset.has);
}

// Who has won is told later.
function bury(place, fallen) {
  const shown = fallen?.cloneNode(true);
  shown?.classList.remove("winner", "turn");
  if (shown) place?.replaceWith(shown);
}

// End what is played, and show what waits.
function stop() {
  const last = waiting.findLast(({ html }) => html);
  waiting = [];
  run += 1;
  busy = false;
  clearStage();
  tell("cleared");
  if (last) present(last.html, false);
}

loadActs();
document.addEventListener("shown", loadActs);
document.addEventListener("visibilitychange", () => document.hidden && stop());

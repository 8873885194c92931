// Keeps a page at what the table is now, and sends what is pressed. Without it nothing moves.
"use strict";

const main = document.querySelector("main");
const said = document.getElementById("said");
const lost = document.getElementById("lost");
const { unheard } = said.dataset;
const proof = document.querySelector("meta[name=page]").content;

// What the table pushes: the whole page, laid over the one that is there.

// Parts begin and end with this. Most come as they were, and are not even read.
const PART = /<div class="part(?: later)?" id="([\w-]+)">|<\/div><!---->/;
const FIRST_TAG = /^\s*<[^>]*>/;

// A connection may be dead without an error (Wi-Fi that was away, a table with a new address). The
// table sends a beat after 15 seconds without news.
const SILENT_MS = 40_000;

let stream;
let retry;
let silent;

function listen() {
  clearTimeout(retry);
  stream?.close();
  stream = new EventSource(document.body.dataset.live);
  heard();
  stream.addEventListener("beat", heard);
  stream.onmessage = (event) => {
    heard();
    const again = !lost.hidden;
    lost.hidden = true;
    show(event.data);
    if (again) look(true);
  };
  stream.onerror = () => {
    lost.hidden = false;
    // A refused stream (503: too many pages) does not come back by itself.
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(listen, 3000);
  };
}

function heard() {
  clearTimeout(silent);
  silent = setTimeout(() => {
    lost.hidden = false;
    listen();
  }, SILENT_MS);
}

// What each part with an id was last drawn from: where that is the same again, nothing has to be laid over it.
const drawn = new WeakMap();

function same(old, next) {
  if (!next.id) return false;
  const html = next.outerHTML;
  if (drawn.get(old) === html) return true;
  drawn.set(old, html);
  return false;
}

// The page as it came last, in pieces: what stands before a part, its id, the part, nothing; and so on.
let shown = [];
// The first push repeats what the page was loaded with.
const loaded = main.innerHTML.trim();

function show(html) {
  const pieces = html.split(PART);
  if (!layParts(pieces)) {
    waiting.clear();
    layAll(html);
  }
  shown = pieces;
  heed();
  busy = false;
  follow();
  look();
  call();
  step();
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template;
}

function layAll(html) {
  const next = parsed(html);
  if (shown.length || next.innerHTML.trim() !== loaded) lay(main, next.content);
}

// Lay what is another part over the old one; return whether that is all, as where parts came or went it is not.
function layParts(pieces) {
  const rest = (piece, place) => (place ? piece : piece.replace(FIRST_TAG, ""));
  const alike = (piece, place) => place % 4 === 2 || rest(piece, place) === rest(shown[place], place);
  if (pieces.length !== shown.length || !pieces.every(alike)) return false;
  const [tag] = pieces[0].match(FIRST_TAG) ?? [""];
  if (!shown[0].startsWith(tag)) become(main.firstElementChild, parsed(tag).content.firstElementChild);
  const news = [];
  for (let place = 2; place < pieces.length; place += 4) {
    if (pieces[place] === shown[place]) continue;
    const part = document.getElementById(pieces[place - 1]);
    // All of them before any is laid: what is in sight is known now, and then not without working it out anew.
    news.push([part.classList.contains("later") && !inSight(part) ? later : layPart, part, pieces[place]]);
  }
  for (const [way, part, html] of news) way(part, html);
  return true;
}

function layPart(part, html) {
  waiting.delete(part);
  drawn.delete(part);
  lay(part, parsed(html).content);
}

// A part that nobody sees, below the screen or in a sheet that is closed, may wait (`later`) until the
// rest is painted or somebody touches the page.
const PAINTED_MS = 100;
const waiting = new Map();

function inSight(part) {
  return [...part.children].some((child) => {
    const { top, bottom } = child.getBoundingClientRect();
    return top < bottom && bottom > 0 && top < innerHeight;
  });
}

function later(part, html) {
  if (!waiting.size) setTimeout(layWaiting, PAINTED_MS);
  waiting.set(part, html);
}

function layWaiting() {
  for (const [part, html] of waiting) layPart(part, html);
}

for (const touch of ["pointerdown", "keydown", "click", "submit"]) addEventListener(touch, layWaiting, true);

function become(element, next) {
  for (const { name } of [...element.attributes]) if (!next.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of next.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function lay(over, content) {
  Idiomorph.morph(over, content.childNodes, {
    morphStyle: "innerHTML",
    callbacks: {
      // What somebody is in the middle of (`data-keep`) stays until the table names it otherwise.
      beforeNodeMorphed: (old, next) =>
        !(old.dataset?.keep && old.dataset.keep === next.dataset?.keep) && !same(old, next),
      beforeAttributeUpdated: (name, node) =>
        name !== "open" && !(name === "src" && (node.dataset.src || node.dataset.camera)),
    },
  });
}

// What nobody may miss, wherever he has scrolled to: another part of the evening, what he is asked,
// what was taken back. Each with a mark that is another one when it comes anew.

function notable() {
  const page = main.firstElementChild;
  const undone = main.querySelector(".seat .now.undone");
  return [
    [page, page.className],
    [main.querySelector("#question") ?? main.querySelector("header"), page.dataset.calls],
    [undone, undone?.textContent],
    ...[...main.querySelectorAll("section.asked")].map((asked) => [asked, asked.id]),
  ].filter(([, mark]) => mark);
}

let heeded = new Set(notable().map(([, mark]) => mark));

function heed() {
  const now = notable();
  const [element] = now.find(([, mark]) => !heeded.has(mark)) ?? [];
  heeded = new Set(now.map(([, mark]) => mark));
  if (!element) return;
  scrollTo(0, 0);
  if (element === main.firstElementChild) return;
  element.scrollIntoView({ block: "nearest" });
  if (element.matches(".question, .asked")) holdBack(element);
}

function follow() {
  const goto = main.querySelector("[data-goto]");
  if (goto) location.replace(goto.dataset.goto);
}

// A phone that slept has missed things, and its old connection may be dead without knowing it.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") listen();
  look(true);
});
addEventListener("pageshow", (event) => event.persisted && listen());
addEventListener("online", listen);

// What a camera sees (`data-camera`) comes only while somebody looks.

function look(again) {
  for (const picture of main.querySelectorAll("img[data-camera]")) {
    if (document.visibilityState !== "visible") picture.removeAttribute("src");
    else if (again || !picture.hasAttribute("src")) picture.src = `${picture.dataset.camera}?${Date.now()}`;
  }
}

// Steps of a question (`data-step`): one is open, those before show their answers and open again at a
// tap, and the answer to the last one sends them all.

const NERVOUS_MS = 300;

const answers = (form) => form.querySelectorAll("[data-step] [aria-pressed=true]");

function step() {
  for (const form of main.querySelectorAll("form.question")) {
    const steps = [...form.querySelectorAll("[data-step]")];
    const answered = steps.map((fieldset) => !!fieldset.querySelector("[aria-pressed=true]"));
    const open = answered.indexOf(false);
    steps.forEach((fieldset, number) => {
      fieldset.classList.toggle("done", answered[number]);
      fieldset.classList.toggle("later", !answered[number] && number > open);
    });
  }
}

// Take a tap on a target of a step; return whether all steps are answered now.
function answer(form, target) {
  const fieldset = target.closest("[data-step]");
  const again = fieldset.classList.contains("done");
  for (const other of fieldset.querySelectorAll(".target")) other.removeAttribute("aria-pressed");
  if (!again) target.setAttribute("aria-pressed", true);
  step();
  const next = form.querySelector("[data-step]:not(.done)");
  if (!next) return true;
  if (again) return false;
  holdBack(next, () => {
    // Whoever goes by keys, or hears the page, goes on there.
    if ([target, document.body].includes(document.activeElement)) next.querySelector(".target").focus();
  });
  return false;
}

// What comes to where the finger just was: the second tap of a nervous one must not answer it.
function holdBack(element, then = () => {}) {
  element.inert = true;
  setTimeout(() => {
    element.inert = false;
    then();
  }, NERVOUS_MS);
}

// Presses: `data-press` is where to, on a form with its fields, on a button with `data-with`.

let busy = false;
let silence;

// Send a press; return whether the table took it.
async function press(where, fields, form) {
  if (busy) return false;
  busy = true;
  say("");
  const { version, reading } = main.querySelector("[data-version]").dataset;
  fields.append("version", version);
  if (reading !== undefined) fields.append("reading", reading);
  try {
    const answer = await fetch(where, { method: "POST", body: fields, headers: { "X-Page": proof } });
    if (answer.redirected) location.assign(answer.url);
    else if (!answer.ok) say(await answer.text());
    else {
      form?.reset();
      // A second tap of the same finger may come before the push that answers the first one.
      setTimeout(() => (busy = false), 500);
      return true;
    }
  } catch {
    say(unheard);
    listen();
  }
  busy = false;
  return false;
}

function say(text) {
  const line = text.trim();
  clearTimeout(silence);
  said.textContent = line && line[0].toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
  said.hidden = !line;
  if (line) silence = setTimeout(() => say(""), 8000);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.press) return;
  event.preventDefault();
  const { submitter } = event;
  const stepped = submitter?.closest("[data-step]");
  if (stepped && !answer(form, submitter)) return;
  const fields = new URLSearchParams(new FormData(form));
  for (const given of stepped ? answers(form) : [submitter]) if (given?.name) fields.append(given.name, given.value);
  if (!(await press(form.dataset.press, fields, form)) && stepped) {
    // To be given again.
    submitter.removeAttribute("aria-pressed");
    step();
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (event.target.matches("dialog")) event.target.close(); // beside the sheet
  if (!button) return;
  if (button.dataset.opens) open(button.dataset.opens);
  if (button.type === "button" && button.dataset.press)
    press(button.dataset.press, new URLSearchParams(button.dataset.with));
  if ("closes" in button.dataset) button.closest("dialog").close();
});

function open(id) {
  const dialog = document.getElementById(id);
  const { reading } = main.querySelector("[data-version]").dataset;
  for (const picture of dialog.querySelectorAll("img[data-src]")) picture.src = `${picture.dataset.src}?${reading}`;
  dialog.showModal();
}

// No picture of this die: the sheet does without. (Errors of pictures don't bubble.)
document.addEventListener("error", (event) => event.target.matches?.("img[data-src]") && event.target.remove(), true);
// No camera, or too many look at it.
document.addEventListener(
  "error",
  (event) => event.target.matches?.("img[data-camera]") && setTimeout(() => look(true), 3000),
  true,
);

// So many at most: what is beyond that can't be ticked.
document.addEventListener("change", (event) => {
  const group = event.target.closest("[data-most]");
  if (!group) return;
  const full = group.querySelectorAll(":checked").length >= Number(group.dataset.most);
  for (const box of group.querySelectorAll("input")) box.disabled = full && !box.checked;
});

// A role is here while a finger or a key holds the button, and not a moment longer.

let holding;

async function hold(button) {
  release();
  const mine = (holding = {
    button,
    output: document.getElementById(button.getAttribute("aria-controls")),
    request: new AbortController(),
  });
  button.classList.add("held");
  try {
    const answer = await fetch(button.dataset.hold, {
      method: "POST",
      headers: { "X-Page": proof },
      signal: mine.request.signal,
    });
    const text = await answer.text();
    if (holding !== mine) return;
    if (answer.ok) mine.output.innerHTML = text;
    else say(text);
  } catch {
    if (holding === mine) say(unheard);
  }
}

function release() {
  if (!holding) return;
  holding.request.abort();
  holding.output.replaceChildren();
  holding.button.classList.remove("held");
  holding = undefined;
}

const held = (event) => event.target.closest?.("[data-hold]");

document.addEventListener("pointerdown", (event) => {
  const button = held(event);
  if (!button || !event.isPrimary || event.button) return;
  // Fingers are bound to what they touched first; a finger that slides off must let go.
  if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  hold(button);
});
document.addEventListener("pointermove", (event) => {
  if (holding && !holding.button.contains(document.elementFromPoint(event.clientX, event.clientY))) release();
});
document.addEventListener("keydown", (event) => {
  const button = held(event);
  if (!button || (event.key !== " " && event.key !== "Enter")) return;
  event.preventDefault();
  if (!event.repeat) hold(button);
});
document.addEventListener("contextmenu", (event) => held(event) && event.preventDefault());
document.addEventListener("focusout", (event) => event.target === holding?.button && release());
for (const end of ["pointerup", "pointercancel", "keyup", "visibilitychange", "mouseleave"])
  document.addEventListener(end, release);
for (const end of ["blur", "pagehide"]) addEventListener(end, release);

// Whoever hears the page is told a role after asking, and it goes with the dialog.

async function reveal(button) {
  const output = document.getElementById(button.getAttribute("aria-controls"));
  try {
    const answer = await fetch(button.dataset.reveal, { method: "POST", headers: { "X-Page": proof } });
    const text = await answer.text();
    if (!output.closest("dialog").open) return;
    if (answer.ok) output.innerHTML = text;
    else say(text);
  } catch {
    say(unheard);
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal]");
  if (button) reveal(button);
});
document.addEventListener(
  "close",
  (event) => event.target.matches("[data-secret]") && event.target.querySelector("output").replaceChildren(),
  true,
);
for (const end of ["visibilitychange", "pagehide"])
  addEventListener(end, () => document.querySelector("dialog[data-secret][open]")?.close(), true);

// Sound and vibration when this phone is needed (`data-calls`), once its player has asked for it.

const CALLS = "calls";
let sounds;
let called = main.querySelector("[data-calls]")?.dataset.calls;

function wanted() {
  try {
    return localStorage.getItem(CALLS) === "yes";
  } catch {
    return false; // a browser that keeps nothing
  }
}

function beep() {
  if (!sounds || sounds.state !== "running") return;
  const volume = sounds.createGain();
  volume.connect(sounds.destination);
  // Two soft tones, a fifth apart.
  [587, 880].forEach((pitch, number) => {
    const tone = sounds.createOscillator();
    const begin = sounds.currentTime + number * 0.18;
    tone.frequency.value = pitch;
    tone.connect(volume);
    tone.start(begin);
    tone.stop(begin + 0.16);
  });
  volume.gain.setValueAtTime(0.25, sounds.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.5);
}

function ring() {
  navigator.vibrate?.([180, 90, 180]);
  beep();
}

function call() {
  const now = main.querySelector("[data-calls]")?.dataset.calls;
  if (now && now !== called && wanted()) ring();
  called = now;
  for (const button of main.querySelectorAll("[data-alert]")) button.setAttribute("aria-pressed", wanted());
}

// Browsers let a page sound only after a touch: the first one after loading opens its voice.
document.addEventListener("pointerup", () => {
  if (!wanted() || !window.AudioContext) return;
  sounds ??= new AudioContext();
  if (sounds.state !== "running") sounds.resume();
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-alert]");
  if (!button) return;
  try {
    localStorage.setItem(CALLS, wanted() ? "no" : "yes");
  } catch {
    return;
  }
  call();
  if (!wanted()) return;
  if (window.AudioContext) {
    sounds ??= new AudioContext();
    await sounds.resume();
  }
  ring();
});

follow();
look();
call();
step();
listen();

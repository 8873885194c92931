// Lets the table page be heard: off until somebody turns sound on here, and never while a phone mutes the table.

import { hush, isVoiceless, prepareVoice, say } from "./voice.js";

const SETTING = "sound";
const main = document.querySelector("main");
const panel = document.getElementById("sound");
const state = panel.querySelector("[data-state]");

// Where an arrow is seen to hit, it is heard to: when the sounds of a step begin, s.
const BEGIN = { arrows: 0.35, dynamite: 0.3, gatling: 0.2, gain: 0.3, death: 0.25 };
// Over how long the sounds of several arrows or shots are spread, s.
const SPREAD = { arrows: 0.24, shots: 0.48 };
const MOST_AT_ONCE = 5;
// The announcer lets the sounds begin first, s.
const SAID_AFTER = 0.5;
// A heart is heard to beat once the hit has died away, s.
const HEART_AFTER = 0.3;

const wanted = { on: false, volume: 70, announcer: true, ...stored() };
// Recordings by name, once they are loaded; what plays now.
const sounds = new Map();
const playing = new Set();
let audio;
let output;
let loading;
let tray = readTray();
// The number of the card that was read last and became no move.
let read = readNumber();
// The options, once they are loaded.
let options;
let toggle;
let announcer;
let level;
let reason;

function stored() {
  try {
    return JSON.parse(localStorage.getItem(SETTING) ?? "{}");
  } catch {
    return {}; // the browser stores nothing, or something else did
  }
}

function store() {
  try {
    localStorage.setItem(SETTING, JSON.stringify(wanted));
  } catch {
    // It holds until the page is closed.
  }
}

const muted = () => main.querySelector("[data-version]").dataset.muted !== undefined;
const audible = () => wanted.on && !muted() && audio?.state === "running";

// Play sounds one after another, `delay` seconds from now. Each is played `times` times, spread over `spread` seconds.
function playSounds(names, { delay = 0, times = 1, spread = 0 } = {}) {
  if (!audible()) return;
  let at = audio.currentTime + delay;
  for (const name of names) {
    const sound = sounds.get(name);
    if (!sound) continue;
    for (let nth = 0; nth < times; nth += 1) begin(sound, at + (nth * spread) / times);
    at += sound.duration + spread;
  }
}

function begin(sound, at) {
  const source = audio.createBufferSource();
  source.buffer = sound;
  source.connect(output);
  playing.add(source);
  source.onended = () => playing.delete(source);
  source.start(at);
}

// Let the announcer say a sentence, `delay` seconds from now.
function announce(text, delay = 0) {
  if (audible() && wanted.announcer) say(text, delay);
}

// Stop what is heard.
function silence() {
  for (const source of playing) source.stop();
  playing.clear();
  hush();
}

// Browsers let a page be heard only after a touch; some televisions do at once.
function open() {
  if (!options || !wanted.on || !window.AudioContext) return;
  if (!audio) {
    audio = new AudioContext();
    // Several sounds at a time stay below the loudest that there is.
    const limiter = audio.createDynamicsCompressor();
    output = audio.createGain();
    output.connect(limiter).connect(audio.destination);
    audio.onstatechange = show;
  }
  if (audio.state !== "running") audio.resume();
  show();
}

// Sounds are loaded when they are first needed, not with the page.
async function load() {
  const { from, names } = options.dataset;
  const missing = names.split(" ").filter((name) => !sounds.has(name));
  const fetched = missing.map(async (name) => {
    const answer = await fetch(`${from}${name}.wav`);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    sounds.set(name, await audio.decodeAudioData(await answer.arrayBuffer()));
  });
  const failed = (await Promise.allSettled(fetched)).some(({ status }) => status === "rejected");
  // What is shown next tries again.
  if (failed) loading = undefined;
  options.dataset.loaded = sounds.size;
}

function show() {
  if (!options) return;
  const running = audio?.state === "running";
  if (wanted.on && running) {
    loading ??= load();
    // Loudness is heard by ratios.
    output.gain.value = (wanted.volume / 100) ** 2;
  }
  if (wanted.on && wanted.announcer) prepareVoice(wanted.volume / 100, language(), show);
  if (!audible() || !wanted.announcer) hush();
  toggle.checked = wanted.on;
  announcer.checked = wanted.announcer;
  announcer.disabled = level.disabled = !wanted.on;
  level.value = wanted.volume;
  panel.toggleAttribute("data-heard", audible());
  panel.toggleAttribute("data-hindered", wanted.on && !audible());
  const hindered = wanted.on ? hindrance(running) : "off";
  state.textContent = options.dataset[hindered] ?? options.dataset.on;
  const text = reason.dataset[hindered] ?? "";
  // A live region speaks only of changes.
  if (reason.textContent !== text) reason.textContent = text;
}

// The host may choose another language while the page is open.
function language() {
  return main.querySelector("#moments")?.lang || document.documentElement.lang;
}

// Why nothing, or not everything, is heard.
function hindrance(running) {
  if (muted()) return "muted";
  if (!running) return "tap";
  return wanted.announcer && isVoiceless() ? "voiceless" : "";
}

// The sound of what waits in the tray, once it is read.
function readTray() {
  return main.querySelector("[data-sound]")?.dataset.sound ?? "";
}

function readNumber() {
  return Number(main.querySelector("[data-read]")?.dataset.read ?? 0);
}

function hearStep({ kind, moments, rate, last, landing }) {
  const things = moments.reduce((sum, { to, amount }) => sum + (kind === "shots" ? to.length : amount), 0);
  const times = kind in SPREAD ? Math.min(MOST_AT_ONCE, Math.max(1, things)) : 1;
  const spread = (SPREAD[kind] ?? 0) / rate;
  playSounds(moments[0].sounds.split(" "), { delay: (BEGIN[kind] ?? 0) / rate, times, spread });
  if (last.length) playSounds(["heart"], { delay: landing / 1000 / rate + HEART_AFTER });
  for (const { says } of moments) if (says) announce(says, SAID_AFTER);
}

// The last roles are turned over, then somebody has won.
function hearFinale({ end, delay, roles }) {
  if (roles.times) playSounds(["role"], { delay, ...roles });
  playSounds(end.sounds.split(" "), { delay: delay + roles.spread });
  announce(end.says, delay + roles.spread + SAID_AFTER);
}

document.addEventListener("step", ({ detail }) => hearStep(detail));
document.addEventListener("finale", ({ detail }) => hearFinale(detail));
document.addEventListener("cleared", silence);
document.addEventListener("shown", ({ detail }) => {
  if (muted()) silence();
  // What comes to rest in the tray is heard.
  const before = { tray, read };
  tray = readTray();
  read = readNumber() || read;
  const isNew = readNumber() ? read !== before.read : !before.tray;
  if (tray && isNew && !detail.interrupted && !document.hidden) playSounds([tray]);
  show();
});
for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, open);

function scrollToOptions() {
  if (panel.open) options.scrollIntoView({ block: "nearest" });
}

// The options leave the game free: with Escape, a tap beside them, or once nobody has used them for a while.
const UNUSED_MS = 20_000;
let unused;

function closeOptions({ type, key, target }) {
  if (type === "keydown" ? key === "Escape" : !panel.contains(target)) panel.open = false;
}

function awaitUse() {
  clearTimeout(unused);
  if (panel.open) unused = setTimeout(() => (panel.open = false), UNUSED_MS);
}

for (const touch of ["keydown", "pointerdown"]) document.addEventListener(touch, closeOptions);
for (const use of ["toggle", "input"]) panel.addEventListener(use, awaitUse);

async function fetchOptions() {
  const answer = await fetch(panel.dataset.options);
  if (!answer.ok) return;
  panel.insertAdjacentHTML("beforeend", await answer.text());
  // On a phone they open below the fold, and are as large as they will be once they have their style.
  panel.querySelector("link").addEventListener("load", scrollToOptions);
  panel.addEventListener("toggle", scrollToOptions);
  options = panel.querySelector("[data-names]");
  [toggle, announcer, level] = options.querySelectorAll("input");
  reason = options.querySelector("[role=status]");
  toggle.addEventListener("change", () => {
    wanted.on = toggle.checked;
    store();
    if (!wanted.on) silence();
    open();
    show();
  });
  announcer.addEventListener("change", () => {
    wanted.announcer = announcer.checked;
    store();
    show();
  });
  level.addEventListener("input", () => {
    wanted.volume = Number(level.value);
    show();
  });
  level.addEventListener("change", () => {
    store();
    playSounds(["turn"]);
  });
  open();
  show();
}

fetchOptions();

// The stage over the table page: draws one step of what happened (acts.js), and the end of a game.

import { draw, drawDice, landingOf, lastOf, lengthOf } from "./acts.js";
import { main } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

const stage = document.createElement("div");
stage.id = "stage";
stage.setAttribute("aria-hidden", "true");
document.body.append(stage);

// How long after one role the next one turns over at the end, ms.
const ROLE_MS = 320;

let running = [];
let timer;
let finale = [];
// The dice on the last page.
let rolled = readTray();

export function isStill() {
  return still.matches;
}

// Play a step, `step.rate` times as fast; the promise ends with it. `land` is called once it is seen to come true.
export async function play(step, land) {
  // All is measured before anything is drawn, so that the browser lays out once.
  const at = measureAll();
  const seats = [...step.moments, ...step.losses].flatMap(({ from, to }) => [from, ...to]);
  if (seats.some((seat) => seat !== undefined && !at.places[seat])) return;
  const told = { ...step, last: lastOf(step, at), landing: landingOf(step) };
  document.dispatchEvent(new CustomEvent("step", { detail: told }));
  const own = (running = []);
  // The faces of its edition (base.css).
  stage.classList.toggle("walking-dead", at.upright);
  stage.dataset.kind = step.kind;
  stage.dataset.numbers = [...step.moments, ...step.losses].map((moment) => moment.number).join(" ");
  const duration = lengthOf([step]);
  if (still.matches) {
    for (const seat of new Set(seats)) if (seat !== undefined) emphasise(step, seat, at.places[seat]);
    if (step.kind === "undone") place(put({ look: "sprite-disc", content: ["icons", "undo"] }), at.middle);
    await new Promise((done) => (timer = setTimeout(done, duration)));
  } else {
    for (const sprite of draw(step, at)) {
      const element = sprite.seat === undefined ? put(sprite, step.page) : partOf(sprite);
      if (element) running.push(element.animate(sprite.frames, { duration, fill: "both" }));
    }
    if (step.rate !== 1) for (const animation of running) animation.playbackRate = step.rate;
    let landed = false;
    // A timer: an animation that moves nothing would cost the page each frame until then.
    const landWhenDue = () => {
      const left = own.length ? landingOf(step) - own[0].currentTime : 0;
      landed = left <= 0;
      if (landed) land();
      else timer = setTimeout(landWhenDue, left / step.rate);
    };
    landWhenDue();
    await Promise.allSettled(own.map((animation) => animation.finished));
    if (running === own && !landed) landWhenDue();
  }
  // Unless the stage was cleared, and something else is on it now.
  if (running !== own) return;
  clearTimeout(timer);
  empty();
}

// Stop what is being played.
export function clearStage() {
  clearTimeout(timer);
  for (const animation of [...running, ...finale]) animation.cancel();
  finale = [];
  empty();
}

function empty() {
  // What shook is an element of the page, and would stay animated.
  for (const animation of running) animation.cancel();
  running = [];
  stage.replaceChildren();
  delete stage.dataset.kind;
  delete stage.dataset.numbers;
}

// A player’s place, or a part of it.
const partOf = ({ seat, part = "" }, page = main) => page.querySelector(`.place[data-seat="${seat}"] ${part}`);

// The box of an element, the centre of the portrait in it, and the life points that it shows.
function measure(element) {
  const box = element.getBoundingClientRect();
  const face = element.querySelector(".portrait")?.getBoundingClientRect() ?? box;
  const life = Number(element.querySelector(".life")?.dataset.has);
  return { box, x: face.x + face.width / 2, y: face.y + face.height / 2, life };
}

// What the page shows, as acts.js takes it.
function measureAll() {
  const middle = main.querySelector(".middle");
  const seats = [...main.querySelectorAll(".place[data-seat]")];
  return {
    places: Object.fromEntries(seats.map((seat) => [seat.dataset.seat, measure(seat)])),
    open: seats.filter((seat) => seat.querySelector(".role")).map(({ dataset }) => Number(dataset.seat)),
    middle: measure(middle),
    tray: measure(main.querySelector(".tray") ?? middle),
    pile: measure(main.querySelector(".pile .arrows") ?? middle),
    upright: Boolean(main.querySelector(".walking-dead[data-version]")),
    height: innerHeight,
    unit: parseFloat(getComputedStyle(document.documentElement).fontSize) / 16,
  };
}

// Drawing

// A text, a picture, a part of a player’s place (now, or on the page to come), or a drawing by its file and name.
function contentOf(content, page) {
  if (typeof content === "string") return content;
  if (content.picture) return Object.assign(new Image(), { src: content.picture, alt: "" });
  if (content.part) return (partOf(content) ?? (page && partOf(content, page)))?.cloneNode(true) ?? "";
  const [file, name] = content;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", file === "faces" ? `face ${name}` : "icon");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${file}-${name}`);
  svg.append(use);
  return svg;
}

function put({ look, text = "", content = "", width }, page) {
  const element = document.createElement("div");
  element.className = look;
  if (content.part) element.classList.add(...(partOf({ seat: content.seat })?.className.match(/of-\d/) ?? []));
  element.append(text, contentOf(content, page));
  if (width) element.style.width = `${width}px`;
  stage.append(element);
  return element;
}

function place(element, { x, y }) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

function readTray() {
  const dice = [...main.querySelectorAll(".tray .die")].map((die) => ({
    state: die.classList[1] ?? "",
    face: die.querySelector(".face")?.classList[1],
  }));
  return { read: Boolean(main.querySelector(".tray[data-sound]")?.dataset.sound), dice };
}

// Let dice that were thrown since the last page tumble in, unless what they show is no news.
export function rollDice(news) {
  const before = rolled;
  rolled = readTray();
  if (!news || still.matches) return;
  for (const { die, frames, ...timing } of drawDice(before, rolled)) {
    const cube = main.querySelectorAll(".tray .die .cube")[die];
    cube.animate(frames, { ...timing, easing: "ease-out", fill: "backwards" });
  }
}

// Without motion: a frame round each place that is concerned, and a picture of what happened.
const PICTURES = {
  arrows: "arrow",
  returned: "arrow",
  indians: "arrow",
  dynamite: "dynamite",
  shots: "bullseye1",
  gatling: "gatling",
};

function emphasise(step, seat, { box: { x, y, width, height } }) {
  const frame = put({ look: "emphasis", width });
  frame.style.height = `${height}px`;
  place(frame, { x, y });
  const lost = [...step.moments, ...step.losses].find(({ kind, to }) => kind === "loss" && to[0] === seat);
  const gained = step.moments.find(({ kind, to }) => kind === "gain" && to[0] === seat);
  if (lost) frame.append(`\u2212${lost.amount}`);
  else if (gained) frame.append(`+${gained.amount}`);
  else if (PICTURES[step.kind]) frame.append(contentOf(["faces", PICTURES[step.kind]]));
}

// The end: roles turn over one by one, then come the winners' posters and the awards. All of it is
// in the page already. Return how many roles turn over, and in how many seconds.
export function playFinale() {
  let delay = 0;
  const turned = ".place:not(.out) > .role:not(.sheriff)";
  const times = main.querySelectorAll(turned).length;
  const roles = { times, spread: (times * ROLE_MS) / 1000 };
  if (still.matches) return roles;
  const enter = (selector, transform, gap, duration) => {
    const shown = main.querySelectorAll(selector);
    shown.forEach((element, nth) => {
      const timing = { delay: delay + nth * gap, duration, easing: "ease-out", fill: "backwards" };
      finale.push(element.animate([{ transform, opacity: 0 }, {}], timing));
    });
    if (shown.length) delay += shown.length * gap + duration / 2;
  };
  enter(turned, "perspective(300px) rotateX(90deg)", ROLE_MS, 450);
  enter(".poster", "translateY(60%) rotate(-9deg) scale(.6)", 280, 550);
  enter(".award", "translateX(30%)", 260, 450);
  // It shows all roles, so it comes last.
  enter(".shooting", "scale(.8)", 0, 500);
  return roles;
}

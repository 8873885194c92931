// The stage over the table page: draws one step of what happened, with transforms and opacity alone.

import { main } from "./page.js";

const MINUS = "\u2212";
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

const stage = document.createElement("div");
stage.id = "stage";
stage.setAttribute("aria-hidden", "true");
document.body.append(stage);

// How long each kind of step takes, ms.
const LENGTHS = {
  turn: 700,
  arrows: 1000,
  returned: 1000,
  indians: 1600,
  dynamite: 1600,
  shots: 1300,
  gatling: 1500,
  loss: 1000,
  gain: 1100,
  death: 1900,
  undone: 900,
};
// How long after one role the next one turns over at the end, ms.
const ROLE_MS = 320;
// When a strike hits, as a share of its step.
const HIT = 0.45;
// When each kind of step has come true, as a share of it.
const LANDINGS = { turn: 0.5, arrows: 0.6, indians: HIT, dynamite: HIT, shots: HIT, gatling: HIT, gain: 0.4, death: 0.4 };

let running = [];
let timer;
let finale = [];
// How large the page is drawn, as a multiple of one of 1280 x 720.
let unit = 1;
// How long the step takes that is being drawn, ms.
let length = 0;

export function lengthOf(steps) {
  return steps.reduce((sum, { kind }) => sum + (LENGTHS[kind] ?? 0), 0);
}

export function isStill() {
  return still.matches;
}

// Play a step, `step.rate` times as fast; the promise ends with it. `land` is called once it is seen to come true.
export async function play(step, land) {
  unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const seats = step.moments.flatMap((moment) => [moment.from, ...moment.to]);
  const places = new Map();
  for (const seat of [...seats, ...step.losses.flatMap((moment) => moment.to)])
    if (seat !== undefined && !places.has(seat)) places.set(seat, measure(`[data-seat="${seat}"]`));
  const at = {
    place: (seat) => places.get(seat),
    middle: measure(".middle"),
    tray: measure(".tray") ?? measure(".middle"),
    pile: measure(".pile .arrows") ?? measure(".middle"),
    page: step.page,
  };
  // All of the above is measured before anything is drawn, so that the browser lays out once.
  if ([...places.values()].some((place) => !place)) return;
  const own = (running = []);
  stage.dataset.kind = step.kind;
  stage.dataset.numbers = [...step.moments, ...step.losses].map((moment) => moment.number).join(" ");
  if (still.matches) {
    for (const seat of places.keys()) emphasise(step, seat, at.place(seat));
    if (step.kind === "undone") put("sprite-disc", picture("icons", "undo"), at.middle);
    await new Promise((done) => (timer = setTimeout(done, LENGTHS[step.kind])));
  } else {
    length = LENGTHS[step.kind];
    ACTS[step.kind]?.(step, at);
    if (step.kind !== "loss") for (const moment of step.losses) lose(moment, at, HIT * length);
    const landing = stage.animate([], { duration: (LANDINGS[step.kind] ?? 0) * length });
    running.push(landing);
    landing.finished.then(land, () => {});
    if (step.rate !== 1) for (const animation of running) animation.playbackRate = step.rate;
    await Promise.allSettled(own.map((animation) => animation.finished));
  }
  // Unless the stage was cleared, and something else is on it now.
  if (running === own) empty();
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

// The centre of an element, its size, and the centre of the portrait in it.
function measure(selector) {
  const element = main.querySelector(selector);
  if (!element) return undefined;
  const box = element.getBoundingClientRect();
  const face = element.querySelector(".portrait")?.getBoundingClientRect() ?? box;
  return { element, box, x: face.x + face.width / 2, y: face.y + face.height / 2 };
}

// Drawing

function picture(file, name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", file === "faces" ? `face ${name}` : "icon");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${file}-${name}`);
  svg.append(use);
  return svg;
}

function put(name, content, { x, y } = { x: 0, y: 0 }) {
  const element = document.createElement("div");
  element.className = name;
  if (content) element.append(content);
  element.style.transform = `translate(${x}px, ${y}px)`;
  stage.append(element);
  return element;
}

// All animations of a step begin and end together, and keep still before and after their part of it:
// each begin and each end costs the page some frames (docs/dev/decisions/2026-11-22-moments.md).
function animate(element, frames, delay, duration, easing = "ease-out") {
  const begin = Math.min(1, delay / length);
  const share = Math.min(1 - begin, duration / length);
  const timed = frames.map((frame, nth) => ({
    ...frame,
    offset: begin + share * (frame.offset ?? nth / (frames.length - 1)),
    easing,
  }));
  const whole = [{ ...timed[0], offset: 0 }, ...timed, { ...timed.at(-1), offset: 1 }];
  running.push(element.animate(whole, { duration: length, fill: "both" }));
}

const move = ({ x, y }, more = "") => `translate(${x}px, ${y}px) ${more}`;
// `right` and `down` are for a page of 1280 x 720.
const near = ({ x, y }, right, down) => ({ x: x + right * unit, y: y + down * unit });

// Degrees from one place to another, clockwise from the right.
const direction = (from, to) => (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;

// Two animations of one element would leave the compositor, and cost the page a frame each time.
function shake(place, delay) {
  if (running.some(({ effect }) => effect.target === place.element)) return;
  const frames = [0, -6, 5, -4, 2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  animate(place.element, frames, delay, 320);
}

function burst(place, delay, size = 1) {
  const shown = put("burst");
  const frame = (scale, opacity) => ({ transform: move(place, `scale(${scale * size})`), opacity });
  animate(shown, [frame(0.2, 0), { ...frame(1, 1), offset: 0.3 }, frame(1.3, 0)], delay, 450);
}

// A number that rises from a place: what is lost or gained.
function number(text, place, delay, kind) {
  const shown = put(`float ${kind}`, text);
  const from = { x: place.box.x + 0.8 * place.box.width, y: place.y };
  const frame = (up, opacity) => ({ transform: move(near(from, 0, -up)), opacity });
  const frames = [frame(0, 0), { ...frame(10, 1), offset: 0.2 }, { ...frame(24, 1), offset: 0.7 }, frame(40, 0)];
  animate(shown, frames, delay, 1000);
}

// Bullets drop from the card of whoever loses life points.
function lose({ to: [seat], amount }, at, delay) {
  const place = at.place(seat);
  const foot = { x: place.box.x + 0.15 * place.box.width, y: place.box.y + 0.6 * place.box.height };
  for (let point = 0; point < amount; point += 1) {
    const bullet = put("sprite-small", picture("icons", "life"));
    const from = near(foot, point * 14, 0);
    const [aside, turned] = point % 2 ? [26, 200] : [-18, -160];
    const way = (part) => ({
      transform: move(near(from, aside * part, 150 * part * part - 40 * part), `rotate(${turned * part}deg)`),
      opacity: part > 0 && part < 0.8 ? 1 : 0,
    });
    animate(bullet, [0, 0.25, 0.5, 0.75, 1].map(way), delay + 60 * point, 800, "linear");
  }
  shake(place, delay);
  number(`${MINUS}${amount}`, place, delay, "lost");
}

function arrow(from, to, delay) {
  // The arrow is drawn pointing to the upper right; a Walker stays upright.
  const turned = main.querySelector(".walking-dead[data-version]") ? 0 : direction(from, to) + 45;
  const shown = put("sprite", picture("faces", "arrow"));
  const frame = (where, opacity, scale = 1) => ({
    transform: move(where, `rotate(${turned}deg) scale(${scale})`),
    opacity,
  });
  const between = { x: from.x + 0.12 * (to.x - from.x), y: from.y + 0.12 * (to.y - from.y) };
  animate(
    shown,
    [frame(from, 0, 0.6), { ...frame(between, 1), offset: 0.15 }, { ...frame(to, 1), offset: 0.75 }, frame(to, 0)],
    delay,
    750,
    "cubic-bezier(.5, 0, .8, .6)",
  );
}

// A bullet leaves a trail from whoever shoots to whom they hit.
function bullet(from, to, delay) {
  const turned = `rotate(${direction(from, to)}deg)`;
  const trail = put("trail");
  trail.style.width = `${Math.hypot(to.x - from.x, to.y - from.y)}px`;
  const frame = (scale, opacity) => ({ transform: move(from, `${turned} scaleX(${scale})`), opacity });
  animate(trail, [frame(0, 1), { ...frame(1, 1), offset: 0.45 }, frame(1, 0)], delay, 700, "linear");
  const tip = put("tip");
  const [begin, end] = [from, to].map((where) => ({ transform: move(where, turned), opacity: 0 }));
  const flight = [begin, { ...begin, opacity: 1, offset: 0.01 }, { ...end, opacity: 1, offset: 0.5 }, end];
  animate(tip, flight, delay, 630, "linear");
  burst(from, delay, 0.6);
  burst(to, delay + 300, 0.8);
}

// A thing that appears at a place, does something and leaves.
function show(file, name, frames, duration, delay = 0) {
  const shown = put(file === "icons" ? "sprite-disc" : "sprite-large", picture(file, name));
  const drawn = frames.map(([where, more, opacity]) => ({ transform: move(where, more), opacity }));
  animate(shown, drawn, delay, duration);
}

// What each kind of step shows.
const ACTS = {
  turn({ moments }, at) {
    const place = at.place(moments.at(-1).to[0]);
    const ring = put("ring");
    const frame = (scale, opacity) => ({ transform: move(place, `scale(${scale})`), opacity });
    animate(ring, [frame(2.2, 0), { ...frame(1.2, 1), offset: 0.5 }, frame(1, 0)], 0, LENGTHS.turn);
  },

  arrows({ moments }, at) {
    const seats = moments.flatMap(({ to, amount }) => Array(amount).fill(to[0]));
    seats.forEach((seat, nth) => arrow(at.pile, at.place(seat), (nth * 240) / seats.length));
  },

  returned({ moments }, at) {
    const seats = moments.flatMap(({ from, amount }) => Array(amount).fill(from));
    seats.forEach((seat, nth) => arrow(at.place(seat), at.pile, (nth * 240) / seats.length));
  },

  indians(_, at) {
    const { x, y, width, height } = at.middle.box;
    for (let nth = 0; nth < 9; nth += 1) {
      const level = y + (height * (nth + 0.5)) / 9;
      const from = { x: x - 80, y: level - 60 };
      arrow(from, { x: x + width * (0.55 + 0.05 * ((nth * 5) % 9)), y: level + 30 }, ((nth * 7) % 9) * 60);
    }
    const veil = put("veil");
    animate(veil, [{ opacity: 0 }, { opacity: 0.22, offset: 0.4 }, { opacity: 0 }], 0, LENGTHS.indians);
  },

  dynamite({ moments }, at) {
    const place = at.place(moments[0].to[0]);
    const above = { x: (at.tray.x + place.x) / 2, y: Math.min(at.tray.y, place.y) - 30 };
    show(
      "faces",
      "dynamite",
      [
        [at.tray, "scale(.5)", 0],
        [at.tray, "scale(1.2)", 1],
        [above, "scale(1.2) rotate(160deg)", 1],
        [place, "rotate(360deg)", 1],
        [place, "scale(.2) rotate(380deg)", 0],
      ],
      800,
    );
    burst(place, 700, 2.6);
    burst(place, 800, 1.8);
  },

  shots({ moments }, at) {
    const shots = moments.flatMap(({ from, to }) => to.map((seat) => [from, seat]));
    shots.forEach(([from, to], nth) => {
      const delay = (nth * 480) / shots.length;
      // Whoever shoots themselves does it from beside their card.
      bullet(from === to ? at.tray : at.place(from), at.place(to), delay);
    });
  },

  gatling({ moments: [{ from, to }] }, at) {
    const place = at.place(from);
    const frames = [
      [place, "scale(.4)", 0],
      [place, "scale(1.1) rotate(240deg)", 1],
      [place, "scale(1) rotate(720deg)", 1],
      [place, "scale(.6) rotate(800deg)", 0],
    ];
    show("faces", "gatling", frames, 1300);
    to.forEach((seat, nth) => bullet(place, at.place(seat), 220 + (nth * 520) / to.length));
  },

  loss({ moments }, at) {
    for (const moment of moments) lose(moment, at, 0);
  },

  gain({ moments }, at) {
    moments.forEach(({ to: [seat], amount, cause }, nth) => {
      const place = at.place(seat);
      const delay = nth * 120;
      // A beer that helps nobody is spilt.
      const turned = amount ? "rotate(-18deg)" : "rotate(100deg)";
      const frames = [
        [at.tray, "scale(.5)", 0],
        [place, "scale(1.1)", 1],
        [place, turned, 1],
        [place, `${turned} scale(.7)`, 0],
      ];
      if (cause === "beer") show("faces", "beer", frames, 1000, delay);
      if (amount) number(`+${amount}`, place, delay + (cause === "beer" ? 300 : 0), "gained");
    });
  },

  // The card of whoever falls turns over and shows their role, which stands in their place.
  death({ moments }, at) {
    moments.forEach(({ to: [seat] }, nth) => {
      const place = at.place(seat);
      const { element, box } = place;
      const role = at.page.querySelector(`[data-seat="${seat}"] .role`);
      // Wholly on the screen, which is lower than the card only on phones.
      const half = 130 * unit;
      const middle = Math.max(half, Math.min(innerHeight - half, box.y + box.height / 2));
      const centre = { x: box.x + box.width / 2, y: middle };
      const delay = nth * 140;
      for (const [side, turn] of [["card-front", 0], ["card-back", 180]]) {
        const card = put(`${side} ${element.className.match(/of-\d/) ?? ""}`);
        if (turn === 0) card.append(element.querySelector(".portrait").cloneNode(true));
        else if (role) card.append(role.cloneNode(true));
        const frame = (scale, degrees) => ({
          transform: move(centre, `perspective(900px) scale(${scale}) rotateY(${turn - degrees}deg)`),
        });
        animate(
          card,
          [
            { ...frame(0.9, 0), opacity: 0 },
            { ...frame(1.12, 0), opacity: 1, offset: 0.14 },
            { ...frame(1.2, 180), opacity: 1, offset: 0.45 },
            { ...frame(1.2, 180), opacity: 1, offset: 0.88 },
            { ...frame(0.9, 180), opacity: 0 },
          ],
          delay,
          LENGTHS.death - 140,
          "ease-in-out",
        );
      }
    });
  },

  undone(_, at) {
    const frames = [
      [at.middle, "rotate(120deg) scale(.5)", 0],
      [at.middle, "scale(1.4)", 1],
      [at.middle, "rotate(-200deg) scale(1.4)", 1],
      [at.middle, "rotate(-260deg) scale(.8)", 0],
    ];
    show("icons", "undo", frames, LENGTHS.undone);
  },
};

// What only some games show is loaded later (`loadActs` in moments.js).
document.addEventListener("acts", ({ detail }) => {
  const added = detail({ animate, move, near, picture, put, shake });
  Object.assign(LENGTHS, added.lengths);
  Object.assign(ACTS, added.acts);
});

// Without motion: a frame round each place that is concerned, and a picture of what happened.
const PICTURES = {
  arrows: "arrow",
  returned: "arrow",
  indians: "arrow",
  dynamite: "dynamite",
  shots: "bullseye1",
  gatling: "gatling",
};

function emphasise(step, seat, place) {
  const { x, y, width, height } = place.box;
  const frame = put("emphasis", null, { x, y });
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
  const lost = [...step.moments, ...step.losses].find(({ kind, to }) => kind === "loss" && to[0] === seat);
  const gained = step.moments.find(({ kind, to }) => kind === "gain" && to[0] === seat);
  if (lost) frame.append(`${MINUS}${lost.amount}`);
  else if (gained) frame.append(`+${gained.amount}`);
  else if (PICTURES[step.kind]) frame.append(picture("faces", PICTURES[step.kind]));
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
  enter(".round-shot", "scale(.8)", 0, 500);
  return roles;
}

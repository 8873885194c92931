// Says what each step of the story looks like. A frame follows from what the page shows, the step and the time, and
// from nothing else: each sprite has key frames over the whole step, of which stage.js makes animations.

const MINUS = "\u2212";

// How long each kind of step takes, ms.
const LENGTHS = {
  deal: 4000,
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
  undone: 1000,
};
// When a strike hits, as a share of its step.
const HIT = 0.45;
// When each kind of step has come true, as a share of it.
const STRUCK = { indians: HIT, dynamite: HIT, shots: HIT, gatling: HIT };
const LANDINGS = { ...STRUCK, turn: 0.5, arrows: 0.6, gain: 0.4, death: 0.4 };
// A card that nobody sees.
const BACK_OF_CARD = { look: "sprite-card back" };

export function lengthOf(steps) {
  return steps.reduce((sum, { kind }) => sum + (LENGTHS[kind] ?? 0), 0);
}

export function landingOf({ kind }) {
  return (LANDINGS[kind] ?? 0) * lengthOf([{ kind }]);
}

// The seats that a step leaves with one life point. `shown`: the page shows that already.
export function lastOf({ moments, losses, shown }, { places }) {
  const lost = {};
  for (const { kind, to, amount } of [...moments, ...losses])
    if (kind === "loss") lost[to[0]] = (lost[to[0]] ?? 0) + amount;
  return Object.keys(lost).filter((seat) => places[seat].life - (shown ? 0 : lost[seat]) === 1);
}

// The sprites of a step. `at` is what the page shows: `places` by seat, each with its `box`, the middle of its
// portrait and `life`; `middle`, `tray` and `pile`; the seats whose role is `open`; and `unit`, its size as a
// multiple of one of 1280 x 720. Key frames have transforms and opacity alone.
export function draw(step, at) {
  const length = lengthOf([step]);
  const strike = step.kind === "loss" ? [] : step.losses.flatMap((moment) => lose(moment, step, at, HIT * length));
  const shaken = new Set();
  // Two animations of one element would leave the compositor, and cost the page a frame each time.
  const once = ({ seat }) => seat === undefined || (!shaken.has(seat) && shaken.add(seat));
  return [...(ACTS[step.kind]?.(step, at) ?? []), ...strike].filter(once).map((sprite) => spread(sprite, length));
}

// All sprites of a step begin and end together, and keep still before and after their part of it:
// each begin and each end costs the page some frames (docs/dev/decisions/2026-11-22-moments.md).
function spread({ frames, delay = 0, duration, easing = "ease-out", ...sprite }, length) {
  const begin = Math.min(1, delay / length);
  const share = Math.min(1 - begin, duration / length);
  const timed = frames.map((frame, nth) => ({
    ...frame,
    offset: begin + share * (frame.offset ?? nth / (frames.length - 1)),
    easing,
  }));
  return { ...sprite, frames: [{ ...timed[0], offset: 0 }, ...timed, { ...timed.at(-1), offset: 1 }] };
}

const move = ({ x, y }, more = "") => `translate(${x}px, ${y}px) ${more}`;
// `right` and `down` are for a page of 1280 x 720.
const near = ({ x, y }, right, down, { unit }) => ({ x: x + right * unit, y: y + down * unit });

// Degrees from one place to another, clockwise from the right.
const direction = (from, to) => (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;

function shake({ seat }, delay) {
  const frames = [0, -6, 5, -4, 2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  return { seat, frames, delay, duration: 320 };
}

function burst(place, delay, size = 1) {
  const frame = (scale, opacity) => ({ transform: move(place, `scale(${scale * size})`), opacity });
  const frames = [frame(0.2, 0), { ...frame(1, 1), offset: 0.3 }, frame(1.3, 0)];
  return { look: "burst", frames, delay, duration: 450 };
}

function ring(place, scales, delay, duration) {
  const [from, to, end] = scales.map((scale) => move(place, `scale(${scale})`));
  const frames = [
    { transform: from, opacity: 0 },
    { transform: to, opacity: 1, offset: 0.45 },
    { transform: end, opacity: 0 },
  ];
  return { look: "ring", frames, delay, duration };
}

// A number that rises from a place: what is lost or gained.
function number(text, place, delay, kind, at) {
  const from = { x: place.box.x + 0.8 * place.box.width, y: place.y };
  const frame = (up, opacity) => ({ transform: move(near(from, 0, -up, at)), opacity });
  const frames = [frame(0, 0), { ...frame(10, 1), offset: 0.2 }, { ...frame(24, 1), offset: 0.7 }, frame(40, 0)];
  return { look: `float ${kind}`, content: text, frames, delay, duration: 1000 };
}

// Bullets drop from the card of a player who loses life points. The heart of one who has one left is heard to beat.
function lose({ to: [seat], amount }, step, at, delay) {
  const place = at.places[seat];
  const last = lastOf(step, at).includes(String(seat));
  const foot = { x: place.box.x + 0.15 * place.box.width, y: place.box.y + 0.6 * place.box.height };
  const bullets = Array.from({ length: amount }, (_, point) => {
    const from = near(foot, point * 14, 0, at);
    const [aside, turned] = point % 2 ? [26, 200] : [-18, -160];
    const way = (part) => ({
      transform: move(near(from, aside * part, 150 * part * part - 40 * part, at), `rotate(${turned * part}deg)`),
      opacity: part > 0 && part < 0.8 ? 1 : 0,
    });
    const frames = [0, 0.25, 0.5, 0.75, 1].map(way);
    const timing = { delay: delay + 60 * point, duration: 800, easing: "linear" };
    return { look: "sprite-small", content: ["icons", "life"], frames, ...timing };
  });
  const told = number(`${MINUS}${amount}`, place, delay, "lost", at);
  return [...bullets, shake({ seat }, delay), told, ...(last ? [heartbeat(place, delay + 100)] : [])];
}

function heartbeat(place, delay) {
  const beat = [1, 1.3, 1.05, 1.25, 1];
  const frames = beat.map((scale, nth) => ({ transform: move(place, `scale(${scale})`), opacity: nth % 4 ? 1 : 0 }));
  return { look: "ring-beat", frames, delay, duration: 800 };
}

function arrow(from, to, delay, { upright }) {
  // The arrow is drawn pointing to the upper right; a Walker stays upright.
  const turned = upright ? 0 : direction(from, to) + 45;
  const frame = (where, opacity, scale = 1) => ({
    transform: move(where, `rotate(${turned}deg) scale(${scale})`),
    opacity,
  });
  const between = { x: from.x + 0.12 * (to.x - from.x), y: from.y + 0.12 * (to.y - from.y) };
  const [begin, end] = [frame(from, 0, 0.6), frame(to, 0)];
  const frames = [begin, { ...frame(between, 1), offset: 0.15 }, { ...end, opacity: 1, offset: 0.75 }, end];
  const timing = { delay, duration: 750, easing: "cubic-bezier(.5, 0, .8, .6)" };
  return { look: "sprite", content: ["faces", "arrow"], frames, ...timing };
}

// A bullet leaves a trail from the shooter to whom they hit.
function bullet(from, to, delay) {
  const turned = `rotate(${direction(from, to)}deg)`;
  const width = Math.hypot(to.x - from.x, to.y - from.y);
  const frame = (scale, opacity) => ({ transform: move(from, `${turned} scaleX(${scale})`), opacity });
  const trail = [frame(0, 1), { ...frame(1, 1), offset: 0.45 }, frame(1, 0)];
  const [begin, end] = [from, to].map((where) => ({ transform: move(where, turned), opacity: 0 }));
  const flight = [begin, { ...begin, opacity: 1, offset: 0.01 }, { ...end, opacity: 1, offset: 0.5 }, end];
  return [
    { look: "trail", width, frames: trail, delay, duration: 700, easing: "linear" },
    { look: "tip", frames: flight, delay, duration: 630, easing: "linear" },
    burst(from, delay, 0.6),
    burst(to, delay + 300, 0.8),
  ];
}

// A thing that appears at a place, does something and leaves; `way`: where it is, how, and its opacity.
function thing(content, way, duration, delay = 0) {
  const frames = way.map(([where, more, opacity]) => ({ transform: move(where, more), opacity }));
  return { look: content[0] === "faces" ? "sprite-large" : "sprite-disc", content, frames, duration, delay };
}

// Both sides of a card that turns over; `way`: where it is, its size, how far it is turned, its opacity, and when.
function turning(sides, way, duration, delay = 0) {
  return sides.map((side, nth) => {
    const frames = way.map(([where, scale, degrees, opacity, offset]) => ({
      transform: move(where, `perspective(900px) scale(${scale}) rotateY(${180 * nth - degrees}deg)`),
      opacity,
      offset,
    }));
    return { ...side, look: `${side.look} turning`, frames, delay, duration, easing: "ease-in-out" };
  });
}

// What each kind of step shows.
const ACTS = {
  // A card slides to each seat. Roles that lie open turn over there, such as the Sheriff’s.
  deal({ moments: [{ to: [first] }] }, at) {
    const seats = Object.keys(at.places).map(Number);
    return seats.flatMap((seat) => {
      const [place, nth] = [at.places[seat], (seat - first + seats.length) % seats.length];
      const turns = at.open.includes(seat) ? 180 : 0;
      const way = [
        [at.middle, 0.7, 0, 0, 0],
        [at.middle, 1, 0, 1, 0.05],
        [place, 1, 0, 1, 0.25],
        [place, turns ? 1.15 : 1, turns, 1, 0.5],
        [place, turns ? 1.15 : 1, turns, 1, 0.85],
        [place, 0.8, turns, 0, 1],
      ];
      if (!turns) return turning([BACK_OF_CARD], way, 3000, nth * 120);
      const role = { look: "sprite-card", content: { seat, part: ".role .icon" } };
      // In its place it is seen from then on.
      const landing = [{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }];
      const open = { seat, part: ".role", frames: landing, duration: 3500 };
      return [...turning([BACK_OF_CARD, role], way, 3000, nth * 120), open];
    });
  },

  turn({ moments }, at) {
    return [ring(at.places[moments.at(-1).to[0]], [2.2, 1.2, 1], 0, LENGTHS.turn)];
  },

  arrows({ moments }, at) {
    const seats = moments.flatMap(({ to, amount }) => Array(amount).fill(to[0]));
    return seats.map((seat, nth) => arrow(at.pile, at.places[seat], (nth * 240) / seats.length, at));
  },

  returned({ moments }, at) {
    const seats = moments.flatMap(({ from, amount }) => Array(amount).fill(from));
    return seats.map((seat, nth) => arrow(at.places[seat], at.pile, (nth * 240) / seats.length, at));
  },

  indians(_, at) {
    const { x, y, width, height } = at.middle.box;
    const arrows = Array.from({ length: 9 }, (_, nth) => {
      const level = y + (height * (nth + 0.5)) / 9;
      const to = { x: x + width * (0.55 + 0.05 * ((nth * 5) % 9)), y: level + 30 };
      return arrow({ x: x - 80, y: level - 60 }, to, ((nth * 7) % 9) * 60, at);
    });
    const frames = [{ opacity: 0 }, { opacity: 0.22, offset: 0.4 }, { opacity: 0 }];
    return [...arrows, { look: "veil", frames, duration: LENGTHS.indians }];
  },

  dynamite({ moments }, { tray, places }) {
    const place = places[moments[0].to[0]];
    const above = { x: (tray.x + place.x) / 2, y: Math.min(tray.y, place.y) - 30 };
    const way = [
      [tray, "scale(.5)", 0],
      [tray, "scale(1.2)", 1],
      [above, "scale(1.2) rotate(160deg)", 1],
      [place, "rotate(360deg)", 1],
      [place, "scale(.2) rotate(380deg)", 0],
    ];
    return [thing(["faces", "dynamite"], way, 800), burst(place, 700, 2.6), burst(place, 800, 1.8)];
  },

  shots({ moments }, { places, tray }) {
    const shots = moments.flatMap(({ from, to }) => to.map((seat) => [from, seat]));
    // Players who shoot themselves do it from beside their card.
    return shots.flatMap(([from, to], nth) =>
      bullet(from === to ? tray : places[from], places[to], (nth * 480) / shots.length),
    );
  },

  gatling({ moments: [{ from, to }] }, { places }) {
    const place = places[from];
    const way = [
      [place, "scale(.4)", 0],
      [place, "scale(1.1) rotate(240deg)", 1],
      [place, "scale(1) rotate(720deg)", 1],
      [place, "scale(.6) rotate(800deg)", 0],
    ];
    const bullets = to.flatMap((seat, nth) => bullet(place, places[seat], 220 + (nth * 520) / to.length));
    return [thing(["faces", "gatling"], way, 1300), ...bullets];
  },

  loss(step, at) {
    return step.moments.flatMap((moment) => lose(moment, step, at, 0));
  },

  gain({ moments }, at) {
    return moments.flatMap(({ to: [seat], amount, cause }, nth) => {
      const place = at.places[seat];
      const delay = nth * 120;
      // A beer that helps nobody is spilt.
      const turned = amount ? "rotate(-18deg)" : "rotate(100deg)";
      const way = [
        [at.tray, "scale(.5)", 0],
        [place, "scale(1.1)", 1],
        [place, turned, 1],
        [place, `${turned} scale(.7)`, 0],
      ];
      return [
        ...(cause === "beer" ? [thing(["faces", "beer"], way, 1000, delay)] : []),
        ...(amount ? [number(`+${amount}`, place, delay + (cause === "beer" ? 300 : 0), "gained", at)] : []),
      ];
    });
  },

  // The card of a player who falls turns over and shows their role, which stands in their place.
  death({ moments }, at) {
    return moments.flatMap(({ to: [seat] }, nth) => {
      const { box } = at.places[seat];
      // Wholly on the screen, which is lower than the card only on phones.
      const half = 130 * at.unit;
      const y = Math.max(half, Math.min(at.height - half, box.y + box.height / 2));
      const centre = { x: box.x + box.width / 2, y };
      const sides = [
        { look: "card-front", content: { seat, part: ".portrait" } },
        { look: "card-back", content: { seat, part: ".role" } },
      ];
      const way = [
        [centre, 0.9, 0, 0],
        [centre, 1.12, 0, 1, 0.14],
        [centre, 1.2, 180, 1, 0.45],
        [centre, 1.2, 180, 1, 0.88],
        [centre, 0.9, 180, 0],
      ];
      return turning(sides, way, LENGTHS.death - 140, nth * 140);
    });
  },

  // What was told runs back, the latest first.
  undone({ back = [] }, at) {
    const steps = [...back].reverse();
    const duration = LENGTHS.undone / Math.max(1, steps.length);
    const reversed = ({ frames, ...sprite }) => ({
      ...sprite,
      frames: frames.map((frame) => ({ ...frame, offset: 1 - frame.offset })).reverse(),
    });
    const film = steps.flatMap((step, nth) =>
      draw(step, at)
        .filter(({ seat }) => seat === undefined)
        .map((sprite) => ({ ...reversed(sprite), delay: nth * duration, duration, easing: "linear" })),
    );
    const way = [
      [at.middle, "rotate(120deg) scale(.5)", 0],
      [at.middle, "scale(1.4)", 1],
      [at.middle, "rotate(-200deg) scale(1.4)", 1],
      [at.middle, "rotate(-260deg) scale(.8)", 0],
    ];
    return [...film, thing(["icons", "undo"], way, LENGTHS.undone)];
  },
};

// The dice that were thrown tumble in and settle as they were read; one that is corrected turns over. `before` and
// `after`: whether the dice of a page are `read`, and the face and the state of each.
export function drawDice(before, after) {
  if (!after.read) return [];
  const still = { transform: "none", opacity: 1 };
  return after.dice.flatMap(({ face, state }, die) => {
    const was = before.dice[die]?.face;
    const over = { transform: "perspective(300px) rotateX(-270deg)" };
    if (before.read) return face === was ? [] : [{ die, frames: [over, still], duration: 700 }];
    if (state === "kept" || state === "faded") return [];
    const from = (x, y, turn) => `translate(${x}%, ${y}%) rotate(${turn}deg)`;
    const spin = (die % 2 ? 1 : -1) * (300 + 70 * die);
    const frames = [
      { transform: from(-60, -140, spin), opacity: 0 },
      { transform: from(-25, 0, spin / 3), opacity: 1, offset: 0.45 },
      { transform: from(-8, -25, spin / 8), opacity: 1, offset: 0.65 },
      still,
    ];
    return [{ die, frames, delay: 60 * die, duration: 650 }];
  });
}

// What only some games show is loaded later (`loadActs` in moments.js).
document.addEventListener("acts", ({ detail }) => {
  const added = detail({ move, near, ring, shake, turning });
  Object.assign(LENGTHS, added.lengths);
  Object.assign(ACTS, added.acts);
});

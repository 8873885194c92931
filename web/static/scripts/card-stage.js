// What the stage plays for the card game alone: cards that fly, are flipped and lie across each other.

const LENGTHS = { card: 1300, draw: 800, move: 1000, flip: 1700, duel: 1500, jail: 1400, missed: 900, shuffle: 1300 };
const CORRECTED = 1900;

function acts({ move, near, ring, shake, turning }) {
  // A card with a drawing and perhaps a rank, or its back.
  const cardOf = ({ card, text = "" }) => ({
    look: `sprite-card${card ? "" : " back"}${card === "H" || card === "D" ? " red" : ""}`,
    text,
    content: card ? ["cards", card] : "",
  });

  // Where the 300 pixels of a large card leave the caption free, which tells at the same time what was played.
  const overCaption = ({ tray, unit }) => ({ x: tray.x, y: Math.max(tray.box.bottom - 150 * unit, 158 * unit) });

  // A card flies from one place to another.
  function fly(card, from, to, delay, duration, turned = 14) {
    const frame = (where, degrees, scale, opacity) => ({
      transform: move(where, `rotate(${degrees}deg) scale(${scale})`),
      opacity,
    });
    const frames = [
      frame(from, -turned, 0.6, 0),
      { ...frame(from, -turned, 0.9, 1), offset: 0.15 },
      { ...frame(to, turned / 2, 1.1, 1), offset: 0.65 },
      { ...frame(to, turned / 2, 1.1, 1), offset: 0.85 },
      frame(to, turned / 2, 0.9, 0),
    ];
    return { ...card, frames, delay, duration, easing: "ease-in-out" };
  }

  return {
    lengths: { ...LENGTHS, corrected: CORRECTED },
    acts: {
      // It is shown large, and flies on to whom it is for, where the page shows it until it is answered.
      card({ moments }, { places, tray, unit }) {
        const large = overCaption({ tray, unit });
        return moments.flatMap((moment, nth) => {
          const others = moment.to.filter((seat) => seat !== moment.from);
          const [end = tray] = others.map((seat) => places[seat]);
          const frame = (where, turned, scale, opacity, offset) => ({
            transform: move(where, `rotate(${turned}deg) scale(${scale})`),
            opacity,
            offset,
          });
          const frames = [
            frame(places[moment.from], -14, 0.2, 0, 0),
            frame(places[moment.from], -14, 0.3, 1, 0.1),
            frame(large, 0, 1, 1, 0.4),
            frame(large, 0, 1, 1, 0.7),
            frame(end, 7, 0.35, 1, 0.9),
            frame(end, 7, 0.35, 1, 0.99),
            frame(end, 7, 0.35, 0, 1),
          ];
          const card = cardOf(moment);
          const timing = { delay: nth * 150, duration: LENGTHS.card - nth * 150, easing: "ease-in-out" };
          return [
            { ...card, look: `${card.look} laid-card`, frames, ...timing },
            ...others.map((seat) => shake({ seat }, 1000)),
          ];
        });
      },

      draw({ moments }, at) {
        const seats = moments.flatMap(({ to, amount }) => Array(Math.min(3, amount)).fill(to[0]));
        const deck = near(at.tray, -120, 0, at);
        return seats.map((seat, nth) => fly(cardOf({}), deck, at.places[seat], (nth * 250) / seats.length, 550));
      },

      move({ moments }, { places }) {
        return moments.map((moment, nth) =>
          fly(cardOf(moment), places[moment.from], places[moment.to[0]], nth * 120, LENGTHS.move - 120),
        );
      },

      // The flipped card turns over beside the pile, and stays long enough to be read.
      flip({ moments }, at) {
        return moments.flatMap((moment, nth) => {
          const where = near(at.tray, nth * 90, -70, at);
          const way = [
            [where, 0.8, 0, 0, 0],
            [where, 1.2, 0, 1, 0.15],
            [where, 1.5, 180, 1, 0.45],
            [where, 1.5, 180, 1, 0.88],
            [where, 1.1, 180, 0, 1],
          ];
          return turning([cardOf({}), cardOf(moment)], way, LENGTHS.flip);
        });
      },

      duel({ moments: [{ from, to }] }, { places }) {
        const [one, other] = [places[from], places[to[0]]];
        const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
        return [
          fly(cardOf({ card: "duel" }), one, middle, 0, LENGTHS.duel, 30),
          ...[one, other].map((place) => ring(place, [2, 1.2, 1], 250, 1000)),
          shake({ seat: to[0] }, 700),
        ];
      },

      jail({ moments: [{ to: [seat] }] }, at) {
        const place = at.places[seat];
        const frame = (where, scale, opacity) => ({ transform: move(where, `scale(${scale})`), opacity });
        const frames = [
          frame(near(place, 0, -160, at), 1.6, 0),
          { ...frame(place, 1.6, 1), offset: 0.35 },
          { ...frame(place, 1.6, 1), offset: 0.8 },
          frame(place, 1.3, 0),
        ];
        const bars = { look: "sprite-disc", content: ["cards", "jail"], frames, duration: LENGTHS.jail };
        return [bars, shake({ seat }, 480)];
      },

      // What waited there is swatted away.
      missed({ moments }, at) {
        return moments.flatMap(({ to: [seat] }, nth) => {
          const away = (right, down) => move(near(at.places[seat], right, down, at));
          const frame = (right, down, opacity) => ({ transform: away(right, down), opacity });
          const frames = [frame(0, 0, 0), { ...frame(0, 0, 1), offset: 0.3 }, frame(90, -60, 0)];
          const timing = { delay: nth * 100, duration: LENGTHS.missed - 100 };
          const gone = { transform: "translate(9rem, -6rem) rotate(200deg)", opacity: 0 };
          const card = { seat, part: ".open-card", frames: [{}, { offset: 0.3 }, gone], ...timing };
          return [{ look: "sprite-disc", content: ["cards", "missed"], frames, ...timing }, card];
        });
      },

      // The card as the camera saw it, beside what it was taken for, and then what it is; or it goes to whose it is.
      corrected({ moments: [{ from, to: [seat], card, text, was, wasText, picture }] }, at) {
        if (!was) return [fly(cardOf({ card, text }), at.places[from], at.places[seat], 0, CORRECTED)];
        const stand = (sprite, right, begin, end) => {
          const where = near(overCaption(at), right, 0, at);
          const frame = (scale, opacity, offset) => ({ transform: move(where, `scale(${scale})`), opacity, offset });
          const frames = [frame(0.7, 0, 0), frame(1, 1, 0.15), frame(1, 1, 0.85), frame(0.9, 0, 1)];
          const timing = { delay: begin * CORRECTED, duration: (end - begin) * CORRECTED };
          return { ...sprite, look: `${sprite.look} laid-card`, frames, ...timing };
        };
        const [taken, is] = [cardOf({ card: was, text: wasText }), cardOf({ card, text })];
        return [
          ...(picture ? [stand({ look: "sprite-card", content: { picture } }, -115, 0, 1)] : []),
          stand({ ...taken, look: `${taken.look} struck` }, picture ? 115 : 0, 0, 0.5),
          stand(is, picture ? 115 : 0, 0.4, 1),
        ];
      },

      // The pile is turned over and becomes the deck.
      shuffle(_, at) {
        return [...Array(6).keys()].map((nth) => {
          const aside = near(at.tray, nth % 2 ? 110 : -110, (nth - 3) * 8, at);
          const [from, to, turned] = nth % 2 ? [at.tray, aside, 24] : [aside, at.tray, -24];
          return fly(cardOf({}), from, to, nth * 110, 620, turned);
        });
      },
    },
  };
}

document.dispatchEvent(new CustomEvent("acts", { detail: acts }));

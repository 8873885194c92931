// What the stage plays for the card game alone: cards that fly, are flipped and lie across each other.

const LENGTHS = { card: 1100, draw: 800, move: 1000, flip: 1700, duel: 1500, jail: 1400, missed: 900, shuffle: 1300 };

function acts({ animate, move, near, picture, put, shake }) {
  // A card with a drawing and perhaps a rank, or its back.
  function cardOf({ card, text = "" }) {
    const red = card === "H" || card === "D";
    const shown = put(`sprite-card${card ? "" : " back"}${red ? " red" : ""}`);
    if (text) shown.append(text);
    if (card) shown.append(picture("cards", card));
    return shown;
  }

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
    animate(card, frames, delay, duration, "ease-in-out");
  }

  return {
    lengths: LENGTHS,
    acts: {
      // Onto the pile; then whom it is played on feels it.
      card({ moments }, at) {
        moments.forEach((moment, nth) => {
          const delay = nth * 150;
          fly(cardOf(moment), at.place(moment.from), at.tray, delay, LENGTHS.card - 150);
          for (const seat of moment.to) if (seat !== moment.from) shake(at.place(seat), 600);
        });
      },

      draw({ moments }, at) {
        const seats = moments.flatMap(({ to, amount }) => Array(Math.min(3, amount)).fill(to[0]));
        const deck = near(at.tray, -120, 0);
        seats.forEach((seat, nth) => fly(cardOf({}), deck, at.place(seat), (nth * 250) / seats.length, 550));
      },

      move({ moments }, at) {
        moments.forEach((moment, nth) =>
          fly(cardOf(moment), at.place(moment.from), at.place(moment.to[0]), nth * 120, LENGTHS.move - 120),
        );
      },

      // The flipped card turns over beside the pile, and stays long enough to be read.
      flip({ moments }, at) {
        moments.forEach((moment, nth) => {
          const where = near(at.tray, nth * 90, -70);
          for (const [card, turn] of [[cardOf({}), 0], [cardOf(moment), 180]]) {
            card.classList.add("turning");
            const frame = (degrees, scale) => ({
              transform: move(where, `perspective(900px) scale(${scale}) rotateY(${turn - degrees}deg)`),
            });
            const frames = [
              { ...frame(0, 0.8), opacity: 0 },
              { ...frame(0, 1.2), opacity: 1, offset: 0.15 },
              { ...frame(180, 1.5), opacity: 1, offset: 0.45 },
              { ...frame(180, 1.5), opacity: 1, offset: 0.88 },
              { ...frame(180, 1.1), opacity: 0 },
            ];
            animate(card, frames, 0, LENGTHS.flip, "ease-in-out");
          }
        });
      },

      duel({ moments: [{ from, to }] }, at) {
        const [one, other] = [at.place(from), at.place(to[0])];
        const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
        fly(cardOf({ card: "duel" }), one, middle, 0, LENGTHS.duel, 30);
        for (const place of [one, other]) {
          const ring = put("ring");
          const frame = (scale, opacity) => ({ transform: move(place, `scale(${scale})`), opacity });
          animate(ring, [frame(2, 0), { ...frame(1.2, 1), offset: 0.4 }, frame(1, 0)], 250, 1000);
        }
        shake(other, 700);
      },

      jail({ moments: [{ to }] }, at) {
        const place = at.place(to[0]);
        const frame = (where, scale, opacity) => ({ transform: move(where, `scale(${scale})`), opacity });
        const frames = [
          frame(near(place, 0, -160), 1.6, 0),
          { ...frame(place, 1.6, 1), offset: 0.35 },
          { ...frame(place, 1.6, 1), offset: 0.8 },
          frame(place, 1.3, 0),
        ];
        const bars = put("sprite-disc", picture("cards", "jail"));
        animate(bars, frames, 0, LENGTHS.jail);
        shake(place, 480);
      },

      missed({ moments }, at) {
        moments.forEach(({ to: [seat] }, nth) => {
          const place = at.place(seat);
          const icon = put("sprite-disc", picture("cards", "missed"));
          const frame = (right, down, opacity) => ({ transform: move(near(place, right, down)), opacity });
          const frames = [frame(0, 0, 0), { ...frame(0, 0, 1), offset: 0.3 }, frame(90, -60, 0)];
          animate(icon, frames, nth * 100, LENGTHS.missed - 100);
        });
      },

      // The pile is turned over and becomes the deck.
      shuffle(_, at) {
        for (let nth = 0; nth < 6; nth += 1) {
          const aside = near(at.tray, nth % 2 ? 110 : -110, (nth - 3) * 8);
          fly(cardOf({}), nth % 2 ? at.tray : aside, nth % 2 ? aside : at.tray, nth * 110, 620, nth % 2 ? 24 : -24);
        }
      },
    },
  };
}

document.dispatchEvent(new CustomEvent("acts", { detail: acts }));

"""Measures neat piles of cards over evenings: `python -m tests.tools.bench.neat_piles [NUMBER…]`.

Each number decides a worn deck, and how it looks (see `drawn_decks`). On three tables 40 times a
card is laid on a pile, up to 0.6, 1.5 or 4 mm from the one below, or, once in five times, taken off
again, one in four times together with the next. The pile is followed from frame to frame, so that
what was read before counts. *Asked* are cards whose title isn't sure. A card that was taken off and
is told as a new one is what must never happen. Prints a markdown table.
"""

from __future__ import annotations

import argparse
from collections import Counter

import cv2
import numpy as np
from hand_tray import HandTray

from companion.games.registry import card_signs
from tests.tools.bench.drawn_decks import CARDS, SIZE, WARM, DrawnDeck, camera, lessons, mat
from vision.cards.deck import TaughtCard, TaughtDeck, encode_picture
from vision.cards.follow import CardFollower
from vision.cards.reader import CardReader
from vision.cards.reading import CardReading, PileVerdict
from vision.cards.signs import parse_sign
from vision.cards.teach import cut_out
from vision.simulate.cards.tray import PileSettings

TABLES, STEPS, FRAMES, FPS = 3, 40, 7, 15
TAKEN, TWO = 0.2, 0.25
"""How often cards are taken off instead of laid, and how often that are two."""
NEAT = ((0.06, 1.2), (0.15, 3.0), (0.4, 3.0))
"""How far cards lie from the one below, cm, and how far they are turned, degrees."""


def teach(drawn: DrawnDeck, number: int) -> CardReader:
    """Return a reader that was shown two cards of each title."""
    shown = list(lessons(drawn, np.random.default_rng((11, number))))
    cards = zip(shown, cut_out([picture for _, _, picture in shown]), strict=True)
    taught = (
        TaughtCard(title, parse_sign(sign), encode_picture(card))
        for (title, sign, _), card in cards
        if card is not None
    )
    return CardReader(TaughtDeck("bench", tuple(taught)), card_signs())


class Table:
    """A pile in front of a camera, and what is told of it."""

    def __init__(self, drawn: DrawnDeck, reader: CardReader, rng: np.random.Generator) -> None:
        spread, turn = NEAT[int(rng.integers(len(NEAT)))]
        pile = PileSettings(
            sleeve=None, spread=spread, turn=turn, any_turn=False, bent=rng.uniform(0, 0.15), slid=0
        )
        seed = int(rng.integers(1 << 30))
        self.tray = HandTray(
            CARDS, SIZE, seed, settings=camera(rng, False), pile=pile, draw=drawn.draw, mat=mat(rng)
        )
        self._follower, self._clock = CardFollower(reader.read, shows=reader.shows), 0.0
        self.look()

    def look(self) -> CardReading:
        """Return what is told once the pile lies still."""
        reading = CardReading(PileVerdict.NONE)
        self.tray.settle()
        for _ in range(FRAMES):
            self._clock += 1 / FPS
            lit = (self.tray.frame() * WARM).astype(np.uint8)
            change = self._follower.update(lit, self._clock)
            if change is not None and change.reading is not None:
                reading = change.reading
        return reading


def play(table: Table, rng: np.random.Generator, told: Counter[str]) -> None:
    """Lay and take cards, and count what is told."""
    for _ in range(STEPS):
        many = 2 if rng.random() < TWO else 1
        if rng.random() < TAKEN and len(table.tray.laid_cards) > many:
            for _ in range(many):
                table.tray.take_off()
            new = table.look().verdict is PileVerdict.OK
            told["taken off, told as new" if new else "taken off"] += 1
            continue
        title, sign = table.tray.flip()
        reading = table.look()
        told["laid"] += 1
        if reading.verdict is PileVerdict.UNSURE:
            told["asked"] += 1
        elif reading.verdict is not PileVerdict.OK:
            told["not read"] += 1
        elif reading.title != title or (reading.sign_sure and str(reading.sign) != sign):
            told["sure and wrong"] += 1
        else:
            told["title sure"] += 1
            told["sign sure"] += reading.sign_sure


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("numbers", type=int, nargs="*", default=[94, 96, 97])
    cv2.setNumThreads(1)
    columns = (
        "laid", "title sure", "sign sure", "asked", "not read", "sure and wrong",
        "taken off", "taken off, told as new",
    )  # fmt: skip
    print(f"| deck | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for number in parser.parse_args().numbers:
        drawn, told = DrawnDeck(number, worn=True), Counter[str]()
        reader = teach(drawn, number)
        for each in range(TABLES):
            rng = np.random.default_rng((number, each, 5))
            play(Table(drawn, reader, rng), rng, told)
        print(f"| {number} | {' | '.join(str(told[each]) for each in columns)} |", flush=True)


if __name__ == "__main__":
    main()

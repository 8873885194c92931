"""Measures neat piles over evenings: `python -m tests.tools.bench.neat_piles [--silent] [NUMBER…]`.

Each number decides a worn deck, and how it looks (see `drawn_decks`). On six tables 40 times a card
is laid on a pile, up to 0.6, 1.5 or 4 mm from the one below, or, once in five times, taken off
again, one in four times together with the next. The pile is followed from frame to frame, so that
what was read before counts. *Asked* are cards whose title isn't sure: the answer is true, and is
learned. What isn't read is taken as it lies. With `--silent` nobody answers, and each table begins
with the deck as it was taught. A card that was taken off and is told as a new one is what must
never happen. Prints a markdown table.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from hand_tray import HandTray

from companion.camera.deck_learner import DeckLearner
from companion.camera.pile_reader import PileFollower, PileReader
from companion.games.registry import card_signs
from companion.table.surface.cards.state import PileObservation, PileState
from companion.table.surface.cards.surface import NamedCard
from tests.tools.bench.drawn_decks import CARDS, SIZE, WARM, DrawnDeck, camera, lessons, mat
from vision.cards.deck import TaughtCard, TaughtDeck, encode_picture
from vision.cards.reading import UNREAD, PileVerdict
from vision.cards.signs import parse_sign
from vision.cards.teach import cut_out
from vision.simulate.cards.tray import PileSettings

TABLES, STEPS, FRAMES, FPS = 6, 40, 7, 15
TAKEN, TWO = 0.2, 0.25
"""How often cards are taken off instead of laid, and how often that are two."""
NEAT = ((0.06, 1.2), (0.15, 3.0), (0.4, 3.0))
"""How far cards lie from the one below, cm, and how far they are turned, degrees."""


def teach(drawn: DrawnDeck, number: int) -> TaughtDeck:
    """Return a deck of which two cards of each title were shown."""
    shown = list(lessons(drawn, np.random.default_rng((11, number))))
    cards = zip(shown, cut_out([picture for _, _, picture in shown]), strict=True)
    taught = (
        TaughtCard(title, parse_sign(sign), encode_picture(card))
        for (title, sign, _), card in cards
        if card is not None
    )
    return TaughtDeck("bench", tuple(taught))


class Table:
    """A pile in front of a camera, and what is told of it."""

    def __init__(
        self, drawn: DrawnDeck, deck: TaughtDeck, rng: np.random.Generator, folder: Path
    ) -> None:
        spread, turn = NEAT[int(rng.integers(len(NEAT)))]
        pile = PileSettings(
            sleeve=None, spread=spread, turn=turn, any_turn=False, bent=rng.uniform(0, 0.15), slid=0
        )
        seed = int(rng.integers(1 << 30))
        self.tray = HandTray(
            CARDS, SIZE, seed, settings=camera(rng, False), pile=pile, draw=drawn.draw, mat=mat(rng)
        )
        self.reader = PileReader(deck, card_signs())
        self.learner = DeckLearner(self.reader, folder)
        self.state, self._clock = PileState(), 0.0
        self._follower = PileFollower(self.reader, lambda: self.state)
        self.look()

    def look(self) -> PileObservation:
        """Return what is told once the pile lies still."""
        seen = PileObservation(PileVerdict.NONE)
        self.tray.settle()
        for _ in range(FRAMES):
            self._clock += 1 / FPS
            lit = (self.tray.frame() * WARM).astype(np.uint8)
            told = self._follower.update(lit, self._clock)
            if told is not None and told.verdict is not None:
                seen = told
        return seen

    def answer(self, seen: PileObservation, title: str) -> None:
        """Say what a card is that was asked about, as a player does."""
        self.learner.learn(
            self.reader.pictures(), [NamedCard(seen.number, title)], f"bench-{seen.number}"
        )

    def take_as_is(self) -> None:
        """Say that the pile lies right though it wasn't read."""
        self.state = replace(self.state, taken_as_is=self.state.taken_as_is + 1)


def play(table: Table, rng: np.random.Generator, told: Counter[str], silent: bool) -> None:
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
        seen = table.look()
        told["laid"] += 1
        if seen.verdict is PileVerdict.UNSURE:
            told["asked"] += 1
            if not silent:
                table.answer(seen, title)
        elif seen.verdict is not PileVerdict.OK:
            told["not read"] += 1
            if not silent and seen.verdict in UNREAD:
                table.take_as_is()
        elif seen.likely[0] != title or (seen.sign_sure and seen.sign != sign):
            told["sure and wrong"] += 1
        else:
            told["title sure"] += 1
            told["sign sure"] += seen.sign_sure


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("numbers", type=int, nargs="*", default=[94, 95, 96, 97, 98])
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    columns = (
        "laid", "title sure", "sign sure", "asked", "not read", "sure and wrong",
        "taken off", "taken off, told as new",
    )  # fmt: skip
    print(f"| deck | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for number in arguments.numbers:
        drawn, told = DrawnDeck(number, worn=True), Counter[str]()
        deck = taught = teach(drawn, number)
        for each in range(TABLES):
            rng = np.random.default_rng((number, each, 5))
            with tempfile.TemporaryDirectory() as folder:
                table = Table(drawn, taught if arguments.silent else deck, rng, Path(folder))
                play(table, rng, told, arguments.silent)
            deck = table.reader.deck or deck
        print(f"| {number} | {' | '.join(str(told[each]) for each in columns)} |", flush=True)


if __name__ == "__main__":
    main()

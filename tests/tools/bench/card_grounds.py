"""Measures how decks are taught and read on any ground: `python -m tests.tools.bench.card_grounds`.

    [--deck NAME] [--ground NAME] [--number N] [--taught] [--save FOLDER]

Decks are drawn by chance: with pictures, with nothing but numbers, alike when they are turned, in
pairs of which one turned looks like the other, and playing cards. They are taught by one picture of
each title on carpet, cloth, plaid, terrazzo, planks and felt, in uneven light, and then read there
by another lamp and camera: laid at any turn, sideways, on a pile, and without a picture before.
`--taught` measures teaching alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.registry import card_signs
from companion.setup.lesson import chosen_copies
from tests.tools.bench.drawn_decks import SIZE, TITLES, DrawnDeck, camera
from tests.tools.bench.machine import machine
from tests.tools.bench.plain_decks import NumberDeck, PairedDeck, PlayingDeck, TurnedDeck
from vision.cards.agree import align_cards
from vision.cards.deck import PICTURE, TaughtCard, TaughtDeck, encode_picture
from vision.cards.reader import CardReader
from vision.cards.sides import outline_of
from vision.cards.signs import parse_sign
from vision.cards.teach import cut_out
from vision.cards.titles import local_contrast, rectify_card
from vision.imaging.geometry import Image
from vision.simulate.cards.sheet import PlacedCard
from vision.simulate.cards.tray import SimulatedCardTray
from vision.training.drawing import colour, smooth_noise
from vision.training.trays.ground import PITCH, ornaments, planks, tartan, terrazzo

DECKS = {
    "pictures": DrawnDeck,
    "numbers": NumberDeck,
    "turned": TurnedDeck,
    "pairs": PairedDeck,
    "playing": PlayingDeck,
}


def carpet(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return tufts of wool, in a few colours that make a pattern."""
    levels = smooth_noise(rng, h, w, rng.uniform(12, 50))
    image = np.broadcast_to(colour(rng), (h, w, 3)).astype(np.float32).copy()
    for threshold in rng.uniform(-0.8, 0.8, 2):
        image[levels > threshold] = colour(rng)
    tufts = 0.3 * smooth_noise(rng, h, w, 2.2) + 0.15 * smooth_noise(rng, h, w, 5)
    return image * (1 + tufts)[..., None]


def printed_cloth(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Return a cloth with stars, boxes, letters and lines."""
    image = np.broadcast_to(colour(rng), (h, w, 3)).astype(np.float32).copy()
    for _ in range(3):
        ornaments(rng, image, PITCH)
    return image * (1 + 0.05 * smooth_noise(rng, h, w, 1.3))[..., None]


GROUNDS = {
    "felt": None,
    "planks": planks,
    "plaid": tartan,
    "terrazzo": terrazzo,
    "cloth": printed_cloth,
    "carpet": carpet,
}


class Room:
    """A tray with a ground, under a camera and a lamp; deck: what is laid there."""

    def __init__(
        self, deck: DrawnDeck, mat: Image | None, rng: np.random.Generator, teaching: bool
    ) -> None:
        self.settings = camera(rng, teaching)
        cards = deck_cards(deck)
        seed = int(rng.integers(1 << 30))
        self.tray = SimulatedCardTray(
            cards, SIZE, seed, settings=self.settings, draw=deck.draw, mat=mat
        )
        self._rng = rng
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
        far = rng.uniform((0, 0), SIZE)
        away = np.hypot(x - far[0], y - far[1]) / SIZE[0]
        warm = rng.uniform((0.75, 0.9, 1.0), (1.0, 1.0, 1.0))
        light = (1 - rng.uniform(0.2, 0.6) * np.minimum(away, 1))[..., None] * warm
        self._light = np.asarray(light, np.float32)

    def picture(self) -> Image:
        """What the camera sees now, exposed a little otherwise each time."""
        exposed = self.tray.frame() * self._light * np.float32(self._rng.uniform(0.9, 1.1))
        return np.asarray(exposed.clip(0, 255), np.uint8)

    def lay(self, title: str, sign: str, *, turn: float, reach: float) -> None:
        """Lay a card; turn: degrees as the picture shows it, reach: cm from the middle."""
        rng = self._rng
        x, y = rng.uniform(-reach, reach), 0.6 * rng.uniform(-reach, reach)
        bent = float(abs(rng.normal(0, 0.08)))
        z = 0.033 * len(self.tray.laid_cards)
        angle = turn - self.settings.turn
        self.tray.place(PlacedCard(title, sign, float(x), float(y), angle, z=z, lift=bent))


def deck_cards(deck: DrawnDeck) -> list[tuple[str, str]]:
    """Return a copy of each title, with its sign."""
    if isinstance(deck, PlayingDeck):
        return [(title, deck.card(title)) for title in TITLES]
    return [*chosen_copies(card_signs()).items()]


class Lesson(NamedTuple):
    """What is shown to teach a deck, and what is true."""

    empty: Image
    cards: list[tuple[str, str]]
    shown: list[Image]
    corners: list[np.ndarray]


def lesson(room: Room, deck: DrawnDeck, rng: np.random.Generator) -> Lesson:
    """Show a copy of each title, upright."""
    room.tray.clear()
    given = Lesson(room.picture(), deck_cards(deck), [], [])
    for title, sign in given.cards:
        room.tray.clear()
        room.lay(title, sign, turn=rng.uniform(-12, 12), reach=3)
        given.shown.append(room.picture())
        given.corners.append(room.tray.corners(room.tray.laid_cards[-1]))
    return given


def offset(card: Image, true: Image) -> float:
    """Return by which share of its width a card was cut otherwise than it should be; 1: no card."""
    small = [local_contrast(np.asarray(cv2.resize(c, (96, 134))), 8.0) for c in (card, true)]
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-5)
    warp, everywhere = np.eye(3, dtype=np.float32), np.full((134, 96), 255, np.uint8)
    try:
        like, found = cv2.findTransformECC(
            small[1],
            small[0],
            warp,
            cv2.MOTION_HOMOGRAPHY,
            stop,
            everywhere,
            5,
        )
    except cv2.error:
        return 1.0
    corners = outline_of((96, 134))[None]
    moved = cv2.perspectiveTransform(corners, np.asarray(found, np.float64)) - corners
    return float(abs(moved).max() / 96) if like > 0.6 else 1.0


def measure_cuts(given: Lesson, cards: Sequence[Image | None]) -> Counter[str]:
    """Return how the cards of a lesson were cut out."""
    count: Counter[str] = Counter(shown=len(given.shown))
    for cut, picture, corners in zip(cards, given.shown, given.corners, strict=True):
        if cut is None:
            count["none"] += 1
        else:
            off = offset(cut, rectify_card(picture, corners.astype(np.float64), PICTURE))
            count["exact" if off < 0.03 else "askew" if off < 0.1 else "wrong"] += 1
    return count


def taught_deck(given: Lesson, cards: Sequence[Image | None]) -> TaughtDeck:
    """Return the deck of cards that were cut out of a lesson."""
    return TaughtDeck(
        "drawn",
        tuple(
            TaughtCard(title, parse_sign(sign), encode_picture(card))
            for (title, sign), card in zip(given.cards, cards, strict=True)
            if card is not None
        ),
    )


class Shown(NamedTuple):
    """A picture to read, and the title that it shows."""

    kind: str
    title: str
    picture: Image
    before: Image | None


def scenes(deck: DrawnDeck, mat: Image | None, rng: np.random.Generator) -> Iterator[Shown]:
    """Yield each card laid at any turn, sideways, on a pile, and without a picture before."""
    for title, sign in deck_cards(deck):
        room = Room(deck, mat, rng, teaching=False)
        for kind in ("laid", "sideways", "pile", "alone"):
            room.tray.clear()
            if kind == "pile":
                others = [card for card in room.tray.stock if card[0] != title]
                room.tray.stack(others[: int(rng.integers(1, 12))])
            before = room.picture()
            turn = rng.uniform(0, 360)
            if kind == "sideways":
                turn = rng.choice((90, 270)) + rng.uniform(-20, 20)
            room.lay(title, sign, turn=float(turn), reach=2.5)
            yield Shown(kind, title, room.picture(), None if kind == "alone" else before)


def measure_readings(
    reader: CardReader, shown: Iterator[Shown], counts: dict[str, Counter[str]], save: Path | None
) -> None:
    """Count how pictures are read, by kind."""
    for number, one in enumerate(shown):
        reading = reader.read(one.picture, one.before)
        count = counts.setdefault(one.kind, Counter())
        count["pictures"] += 1
        count["right"] += reading.title == one.title
        count["sure"] += reading.sure and reading.title == one.title
        wrong = reading.sure and reading.title != one.title
        count["sure and wrong"] += wrong
        count[f"as {reading.verdict}"] += 1
        if save and (wrong or reading.title != one.title):
            said = f"{one.kind}-{one.title}-{reading.verdict}-{reading.title}".replace(" ", "-")
            cv2.imwrite(str(save / f"{said}-{number:03}.png"), one.picture)


def drawn_table(
    name: str, ground: str, number: int
) -> tuple[DrawnDeck, Image | None, np.random.Generator]:
    """Return a deck of DECKS, a ground of GROUNDS, and the chance that decides all else."""
    rng = np.random.default_rng((17, number, [*DECKS].index(name), [*GROUNDS].index(ground)))
    deck = DECKS[name](int(rng.integers(1 << 20)))
    paint = GROUNDS[ground]
    if paint is None:
        return deck, None, rng
    return deck, np.asarray(paint(rng, 342, 468).clip(0, 1) ** 0.6 * 255, np.uint8), rng


def row(name: str, count: Counter[str], columns: tuple[str, ...]) -> str:
    return f"| {name} | " + " | ".join(str(count[column]) for column in columns) + " |"


def main() -> None:
    """Print a row for each deck and ground."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deck", choices=DECKS, action="append")
    parser.add_argument("--ground", choices=GROUNDS, action="append")
    parser.add_argument("--number", type=int, default=1, help="where chance begins")
    parser.add_argument("--taught", action="store_true", help="measure teaching alone")
    parser.add_argument("--save", type=Path, help="a folder for what was misread")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"{machine()}; one thread\n")
    cuts = ("shown", "exact", "askew", "wrong", "none")
    read = ("pictures", "right", "sure", "sure and wrong")
    for name in given.deck or DECKS:
        for ground in given.ground or GROUNDS:
            deck, mat, rng = drawn_table(name, ground, given.number)
            shown = lesson(Room(deck, mat, rng, teaching=True), deck, rng)
            cards = cut_out(shown.shown, shown.empty)
            print(row(f"{name}, {ground}", measure_cuts(shown, cards), cuts))
            if given.taught:
                blind = cut_out(shown.shown)
                print(row(f"{name}, {ground}, not shown", measure_cuts(shown, blind), cuts))
            taught = taught_deck(shown, cards)
            odd = align_cards([card.picture for card in taught.cards]).odd
            print(f"called odd: {[taught.cards[n].title for n in sorted(odd)]}", flush=True)
            if given.taught:
                continue
            counts: dict[str, Counter[str]] = {}
            reader = CardReader(taught, card_signs())
            measure_readings(reader, scenes(deck, mat, rng), counts, given.save)
            for kind, count in counts.items():
                told = ", ".join(f"{count[k]} {k}" for k in sorted(count) if k.startswith("as "))
                print(
                    row(kind, count, read),
                    told,
                    flush=True,
                )


if __name__ == "__main__":
    sys.exit(main())

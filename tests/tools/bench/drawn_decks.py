"""Draws a deck by chance, and scenes with it.

    python -m tests.tools.bench.drawn_decks FOLDER [--number N] [--scenes N] [--worn]

The number decides the deck's words, pictures, frames and layout; each scene has a tray, camera and
light of its own. Cards are bent, lie in sleeves, slide out of them, and are out of focus. With
`--worn`, rims are worn and cards scuffed, titles are long, the lamp is warm though the deck was
taught by day, and some piles are neat. Then the folder holds what `tests.tools.bench.cards`
measures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from hand_tray import HandTray

from companion.games.cards.rules.deck import KINDS
from vision.imaging.geometry import Image
from vision.simulate.cards.art import CARD
from vision.simulate.cards.art import SUITS as SUIT_SHAPES
from vision.simulate.cards.lettering import trace_words
from vision.simulate.cards.sheet import PlacedCard, SleeveSettings
from vision.simulate.cards.tray import PileSettings
from vision.simulate.settings import RenderSettings
from vision.simulate.shapes import Disc, Polygon, Polyline

CARDS = tuple((str(title), str(sign)) for title, kind in KINDS.items() for sign in kind.signs)
TITLES = tuple(map(str, KINDS))
PER_MM = 6
FONTS = (
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
SYLLABLES = (
    "ba", "co", "du", "fe", "gra", "hi", "jo", "kel", "la", "mo", "na", "pis", "que", "ri", "so",
    "ta", "tru", "va", "wen", "zi",
)  # fmt: skip
SIZE = (820, 616)
Colour = tuple[int, int, int]


class DrawnDeck:
    """A deck drawn by chance; the number decides it."""

    def __init__(self, number: int, worn: bool = False) -> None:
        rng = self._rng = np.random.default_rng((7, number))
        self.paper = self._colour(190, 252, 14)
        self.frames = (self._colour(20, 160, 60), self._colour(20, 160, 60))
        self.frame = (rng.uniform(1.5, 4), rng.uniform(0.6, 2.6))
        self.font = FONTS[int(rng.integers(len(FONTS)))]
        self.word_height = rng.uniform(3.6, 6.5)
        self.word_above = bool(rng.random() < 0.75)
        self.banner = bool(rng.random() < 0.3)
        self.window = (rng.uniform(5, 10), rng.uniform(15, 19), rng.uniform(43, 58))
        self.emblem = bool(rng.random() < 0.5)
        self.text_lines = int(rng.integers(0, 4))
        self.sign_height = rng.uniform(5.6, 8.0)
        self.sign_left = rng.uniform(3.5, 6.5)
        self.sign_low = rng.uniform(4, 8)
        self.sign_gap = rng.uniform(0.1, 0.3)
        self.sign_font = int(rng.integers(3))
        self.red: Colour = (
            int(rng.integers(10, 60)),
            int(rng.integers(10, 50)),
            int(rng.integers(150, 215)),
        )
        self.black: Colour = (int(rng.integers(10, 45)),) * 3
        self.words = {
            title: " ".join(
                "".join(rng.choice(SYLLABLES, int(rng.integers(1, 4)))).upper()
                for _ in range(int(rng.integers(1, 3)))
            )
            for title in TITLES
        }
        self.seeds = {title: int(rng.integers(1 << 30)) for title in (*TITLES, "")}
        if worn:
            self.words = {title: _long_title(np.random.default_rng(seed))
                          for title, seed in self.seeds.items()}  # fmt: skip
        self.draw = lru_cache(maxsize=128)(self._draw_worn if worn else self._draw)

    def _colour(self, low: int, high: int, apart: int) -> Colour:
        base = self._rng.uniform(low, high)
        parts = np.clip(base + self._rng.uniform(-apart, apart, 3), 0, 255).astype(int)
        return int(parts[0]), int(parts[1]), int(parts[2])

    def _draw_worn(self, title: str | None, sign: str) -> Image:
        card = self._draw(title, sign)
        rng = np.random.default_rng((13, *f"{title}{sign}".encode()))
        h, w = card.shape[:2]
        blue, green, red = (min(255, colour + 20) for colour in self.paper)
        bare = (blue, green, red)
        for _ in range(16):
            way = float(rng.uniform(0, 1))
            x, y = ((way * w, rng.choice((0, h))), (rng.choice((0, w)), way * h))[rng.integers(2)]
            size = round(rng.uniform(0.4, 1.6) * PER_MM)
            cv2.circle(card, (round(x), round(y)), size, bare, -1, cv2.LINE_AA)
        for x, y in ((0, 0), (w, 0), (0, h), (w, h)):
            size = round(rng.uniform(1, 5) * PER_MM)
            cv2.circle(card, (x, y), size, bare, -1, cv2.LINE_AA)
        for _ in range(5):
            start, end = rng.uniform(0, (w, h), (2, 2))
            self._line(card, (start / PER_MM, (start + 0.4 * (end - start)) / PER_MM), 0.3, bare)
        return card

    def _draw(self, title: str | None, sign: str) -> Image:
        size = (round(CARD[1] * PER_MM), round(CARD[0] * PER_MM), 3)
        card = np.full(size, self.paper, np.uint8)
        if title is None:
            self._back(card)
            return card
        far, width = self.frame
        colour = self.frames[KINDS_BLUE[title]]
        self._box(card, far, far, CARD[0] - far, CARD[1] - far, colour, width)
        self._art(card, title)
        self._word(card, self.words[title])
        for n in range(self.text_lines):
            y = self.window[2] + 5.5 + 3 * n
            start, end = 12 + 2 * n, 50 - 4 * n
            for x in np.arange(start, end, 1.7):
                self._line(card, ((x, y), (x + 1.1, y + (n * x) % 0.8)), 0.5, self.black)
        self._sign(card, sign)
        return card

    def _box(
        self, card: Image, left: float, top: float, right: float, bottom: float, colour: Colour,
        width: float = -1,
    ) -> None:  # fmt: skip
        start, end = (
            (round(x * PER_MM), round(y * PER_MM)) for x, y in ((left, top), (right, bottom))
        )
        cv2.rectangle(card, start, end, colour, -1 if width < 0 else max(1, round(width * PER_MM)))

    def _line(self, card: Image, points: Any, width: float, colour: Colour) -> None:
        pixels = np.round(np.array(points) * PER_MM * 16).astype(np.int32)
        thick = max(1, round(width * PER_MM))
        cv2.polylines(card, [pixels], False, colour, thick, cv2.LINE_AA, 4)

    def _back(self, card: Image) -> None:
        rng = np.random.default_rng(self.seeds[""])
        self._box(card, 3, 3, 60, 85, self.frames[0])
        for _ in range(40):
            x, y, r = rng.uniform(5, 58), rng.uniform(5, 83), rng.uniform(1, 4)
            for px, py in ((x, y), (CARD[0] - x, CARD[1] - y)):
                place = (round(px * PER_MM), round(py * PER_MM))
                cv2.circle(card, place, round(r * PER_MM), self.frames[1], 3, cv2.LINE_AA)

    def _art(self, card: Image, title: str) -> None:
        rng = np.random.default_rng(self.seeds[title])
        left, top, bottom = self.window
        right = CARD[0] - left
        w, h = round((right - left) * PER_MM), round((bottom - top) * PER_MM)
        one, other = rng.integers(40, 235, 3), rng.integers(40, 235, 3)
        way = np.linspace(0, 1, h)[:, None, None]
        art = np.broadcast_to(one * (1 - way) + other * way, (h, w, 3)).astype(np.uint8).copy()
        for _ in range(int(rng.integers(4, 9))):
            colour = tuple(int(c) for c in rng.integers(0, 256, 3))
            x, y = rng.uniform(0.1, 0.9) * w, rng.uniform(0.1, 0.9) * h
            reach = rng.uniform(0.1, 0.35) * h
            match int(rng.integers(4)):
                case 0:
                    cv2.circle(art, (round(x), round(y)), round(reach), colour, -1, cv2.LINE_AA)
                case 1:
                    turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
                    far = reach * rng.uniform(0.5, 1.2, len(turns))
                    points = np.column_stack((x + far * np.cos(turns), y + far * np.sin(turns)))
                    cv2.fillPoly(art, [points.astype(np.int32)], colour, cv2.LINE_AA)
                case 2:
                    ends = [(round(x), round(y)), (round(x + reach), round(y - reach / 2))]
                    cv2.line(art, ends[0], ends[1], colour, round(reach / 5) + 1, cv2.LINE_AA)
                case _:
                    axes = (round(reach), round(reach * rng.uniform(0.3, 0.8)))
                    turn = float(rng.uniform(0, 180))
                    cv2.ellipse(
                        art, (round(x), round(y)), axes, turn, 0, 360, colour, 4, cv2.LINE_AA
                    )
        if self.emblem:
            cv2.circle(art, (w // 2, h // 2), h // 6, self.black, 5, cv2.LINE_AA)
        x, y = round(left * PER_MM), round(top * PER_MM)
        card[y : y + h, x : x + w] = art
        self._box(card, left, top, right, bottom, self.black, 0.4)

    def _word(self, card: Image, word: str) -> None:
        ink, ground = self.black, self.paper
        top = 7.0 if self.word_above else self.window[2] + 1.5
        if self.banner:
            ink, ground = ground, ink
            self._box(card, 6, top - 0.8, 57, top + self.word_height + 0.8, ground)
        (wide, tall), _ = cv2.getTextSize(word, self.font, 1.0, 2)
        scale = min(self.word_height * PER_MM / tall, 48 * PER_MM / wide)
        at = (
            round(CARD[0] / 2 * PER_MM - wide * scale / 2),
            round((top + self.word_height) * PER_MM),
        )
        thick = max(1, round(1.2 * scale))
        cv2.putText(card, word, at, self.font, scale, ink, thick, cv2.LINE_AA)

    def _sign(self, card: Image, sign: str) -> None:
        rank, suit = sign[:-1], sign[-1]
        colour = self.red if suit in "HD" else self.black
        height = self.sign_height
        left, top = self.sign_left + self.frame[0], CARD[1] - self.sign_low - self.frame[0] - height
        if self.sign_font < 2:
            font = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX)[self.sign_font]
            (wide, tall), _ = cv2.getTextSize(rank, font, 1.0, 2)
            scale = height * PER_MM / tall
            # Hershey's letters are wide.
            canvas = np.zeros((round(height * PER_MM) + 8, round(wide * scale) + 8), np.uint8)
            at = (2, round(height * PER_MM) + 2)
            cv2.putText(canvas, rank, at, font, scale, 255, max(2, round(2.2 * scale)), cv2.LINE_AA)
            narrow = cv2.resize(canvas, None, fx=0.75, fy=1, interpolation=cv2.INTER_AREA)
            share = narrow[..., None] / 255
            column, row = round(left * PER_MM), round(top * PER_MM)
            part = card[row : row + narrow.shape[0], column : column + narrow.shape[1]]
            part[:] = np.round((1 - share) * part + share * np.array(colour))
            width = narrow.shape[1] / PER_MM
        else:
            strokes, units = trace_words(rank, 1.7, 2.2)
            size = height / 10
            for stroke in strokes:
                way = np.array(stroke.points) * size + (left, top)
                self._line(card, way, stroke.width * size, colour)
            width = units * size
        beside = left + width + self.sign_gap * height
        for shape in SUIT_SHAPES[suit]:
            unit = height / 100
            match shape:
                case Polygon(points, _):
                    pixels = (np.array(points) * unit + (beside, top)) * PER_MM * 16
                    cv2.fillPoly(card, [np.round(pixels).astype(np.int32)], colour, cv2.LINE_AA, 4)
                case Disc(x, y, radius, _):
                    place = (round((beside + x * unit) * PER_MM), round((top + y * unit) * PER_MM))
                    cv2.circle(card, place, round(radius * unit * PER_MM), colour, -1, cv2.LINE_AA)
                case Polyline():
                    raise AssertionError("suits have no lines")


def _long_title(rng: np.random.Generator) -> str:
    """Three words, such as other languages need where English has one."""
    words = ("".join(rng.choice(SYLLABLES, int(rng.integers(2, 5)))) for _ in range(3))
    return " ".join(words).upper()


KINDS_BLUE = {str(title): int(kind.border == "blue") for title, kind in KINDS.items()}


class DrawnScene(NamedTuple):
    """A picture of a pile, the one before, and what is true."""

    kind: str
    picture: Image
    before: Image
    title: str | None = None
    sign: str | None = None
    corners: Any = None


def mat(rng: np.random.Generator) -> Image | None:
    """What covers the floor: nothing but felt, a plaid, planks or cardboard."""
    h, w = 190 * 4, 260 * 4
    base = rng.integers(40, 200, 3).astype(np.float32)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    match int(rng.integers(4)):
        case 0:
            return None
        case 1:
            pitch = rng.uniform(80, 180)
            bars = ((x % pitch < pitch / 2).astype(np.float32) + (y % pitch < pitch / 2)) / 2
            lines = ((x % pitch < 8) | (y % pitch < 8)).astype(np.float32)
            other = rng.integers(60, 245, 3).astype(np.float32)
            picture = base + (other - base) * bars[..., None] - 60 * lines[..., None]
        case 2:
            grain = cv2.resize(
                rng.normal(0, 14, (h // 2, w // 60)).astype(np.float32),
                (w, h),
                interpolation=cv2.INTER_CUBIC,
            )
            picture = base + grain[..., None] - 70 * (y % 160 < 4)[..., None]
        case _:
            picture = base + 12 * np.sin(x / 9)[..., None] + rng.normal(0, 4, (h, w, 1))
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def camera(rng: np.random.Generator, teaching: bool) -> RenderSettings:
    """A camera, a light and a tray by chance."""
    dim = not teaching and rng.random() < 0.15
    turn = rng.uniform(-8, 8) + (180 if not teaching and rng.random() < 0.3 else 0)
    blur = rng.uniform(0.5, 0.9) if teaching or rng.random() < 0.7 else rng.uniform(0.9, 1.8)
    felt = rng.integers(20, 150, 3)
    return RenderSettings(
        felt_colour=(int(felt[0]), int(felt[1]), int(felt[2])),
        height=rng.uniform(25, 30) if teaching else rng.uniform(25, 36),
        tilt=rng.uniform(0, 15 if teaching else 20),
        turn=turn,
        light=(rng.uniform(0, 360), rng.uniform(40, 80)),
        ambient=rng.uniform(0.45, 0.75),
        noise=rng.uniform(5, 9) if dim else rng.uniform(1.5, 4),
        blur=blur,
    )


def lessons(deck: DrawnDeck, rng: np.random.Generator) -> Iterator[tuple[str, str, Image]]:
    """Yield title, sign and picture of what is taught: of each title two copies, if it has them."""
    # No sign is sure before all ranks were taught: titles with few copies choose first.
    taught = Counter[str]()
    settings = camera(rng, True)
    seed = int(rng.integers(1 << 30))
    tray = HandTray(CARDS, SIZE, seed, settings=settings, draw=deck.draw, mat=mat(rng))
    for title, kind in sorted(KINDS.items(), key=lambda entry: len(entry[1].signs)):
        signs = sorted(map(str, kind.signs), key=lambda s: (taught[s[:-1]], rng.random()))[:2]
        taught.update(sign[:-1] for sign in signs)
        for sign in signs:
            tray.clear()
            x, y = rng.uniform(-4, 4), rng.uniform(-2.5, 2.5)
            angle = rng.uniform(-12, 12) - settings.turn
            bent = float(abs(rng.normal(0, 0.08)))
            tray.place(PlacedCard(str(title), sign, x, y, angle, lift=bent))
            yield str(title), sign, tray.frame()


SHARES = {
    "top": 0.44, "bent": 0.14, "slid": 0.06, "facedown": 0.06, "two": 0.06, "hand": 0.06,
    "pushed": 0.06, "nudged": 0.06, "taken": 0.06,
}  # fmt: skip


NEAT = 0.25
"""The share of other piles that are neat, where cards are worn."""
WARM = np.array((0.68, 0.88, 1.0), np.float32)
"""How much of blue, green and red a warm lamp gives."""


def scenes(
    deck: DrawnDeck, count: int, rng: np.random.Generator, worn: bool = False
) -> Iterator[DrawnScene]:
    """Yield scenes with a deck."""
    kinds = rng.choice(list(SHARES), count, p=np.array(list(SHARES.values())))
    for kind in map(str, kinds):
        sleeve = None
        if kind == "slid" or rng.random() < 0.33:
            lamp = None
            if rng.random() < 0.5:
                lamp = (float(rng.uniform(-5, 5)), float(rng.uniform(-5, 5)))
            sleeve = SleeveSettings(lamp, rng.uniform(0.4, 0.9), rng.uniform(1.2, 2.4))
        neat = worn and kind in ("top", "facedown") and rng.random() < NEAT
        pile = PileSettings(
            sleeve=sleeve,
            spread=0.06 if neat else rng.uniform(0.5, 1.3),
            turn=1.2 if neat else rng.uniform(5, 25),
            any_turn=not neat,
            bent=0.5 if kind == "bent" else rng.uniform(0, 0.15),
            slid=1.0 if kind == "slid" else 0.0,
        )
        settings, floor = camera(rng, False), mat(rng)
        tray = HandTray(
            CARDS,
            SIZE,
            int(rng.integers(1 << 30)),
            settings=settings,
            pile=pile,
            draw=deck.draw,
            mat=floor,
        )
        least = 1 if kind in ("pushed", "nudged", "taken") else 0
        tray.stack(tray.stock[: max(least, int(rng.integers(0, 18)))])
        before = tray.frame()
        scene = _scene(kind, tray, before, rng)
        if worn:
            lit = ((scene.picture * WARM).astype(np.uint8), (before * WARM).astype(np.uint8))
            scene = scene._replace(picture=lit[0], before=lit[1])
        yield scene._replace(kind="neat") if neat and kind == "top" else scene


def _scene(kind: str, tray: HandTray, before: Image, rng: np.random.Generator) -> DrawnScene:
    match kind:
        case "facedown":
            tray.lay(*tray.stock[0], face_up=False)
        case "two":
            tray.flip()
            tray.settle()
            first, second = tray.laid_cards[-1], tray.stock[0]
            x, y = first.x + rng.choice((-1, 1)) * rng.uniform(1.5, 5), first.y + rng.uniform(-2, 2)
            angle = first.angle + rng.uniform(-40, 40)
            tray.place(PlacedCard(*second, float(x), float(y), float(angle), z=first.z + 0.03))
        case "hand":
            tray.reach_in(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(0, 360))
        case "pushed":
            right, up = rng.uniform(0.6, 2.5, 2) * rng.choice((-1, 1), 2)
            tray.push(float(right), float(up), float(rng.uniform(-20, 20)))
        case "nudged":
            far, way = rng.uniform(0.15, 0.7), rng.uniform(0, 2 * np.pi)
            tray.push(float(far * np.cos(way)), float(far * np.sin(way)), float(rng.uniform(-4, 4)))
        case "taken":
            tray.take_off()
        case _:
            title, sign = tray.flip()
            tray.settle()
            corners = tray.corners(tray.laid_cards[-1])
            return DrawnScene(kind, tray.frame(), before, title, sign, corners)
    tray.settle()
    return DrawnScene(kind, tray.frame(), before)


def main() -> None:
    """Write a folder with pictures of one deck and their truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=1, help="decides the deck")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--worn", action="store_true", help="worn cards, long titles, a warm lamp")
    given = parser.parse_args()
    folder: Path = given.folder
    cv2.setNumThreads(1)
    deck, rng = DrawnDeck(given.number, given.worn), np.random.default_rng((11, given.number))
    for n, (title, sign, picture) in enumerate(lessons(deck, rng)):
        write(folder / "teach" / title / f"{sign}-{n:03}.jpg", picture)
    truth: dict[str, Any] = {}
    for n, scene in enumerate(scenes(deck, given.scenes, rng, given.worn)):
        name = f"{scene.kind}/{n:03}.jpg"
        write(folder / name, scene.picture)
        write(folder / name.replace(".jpg", "-before.jpg"), scene.before)
        corners = None if scene.corners is None else np.asarray(scene.corners).round(2).tolist()
        truth[name] = {
            "kind": scene.kind, "title": scene.title, "sign": scene.sign, "corners": corners,
        }  # fmt: skip
    (folder / "truth.json").write_text(json.dumps(truth, indent=1), "utf-8")


def write(path: Path, picture: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()

"""How readings bear what cameras and light do to pictures: `python -m tests.tools.bench.changed`.

Takes the sets in tests/pictures/renders or in the folder given, as `tests.tools.bench.symbols`
does. First the throws with the picture of their empty tray changed; then with ornaments: dice of
the throw are in the picture of the tray too, as if printed on it, so they must not be read. Last
all pictures changed, without their trays. Prints markdown tables.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from tests.tools.bench.symbols import RENDERS, THROWS, Picture, pictures, profile_of, wrong
from vision.dice.find.tray_model import TrayModel
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, TrayVerdict

Image = np.ndarray
ORNAMENTS = 2  # of the five dice
AROUND = 1.6  # edges of the square that is taken over with a die: with its sides and shadow


class Change(NamedTuple):
    """A changed picture, and where the places of the old one are in it, (2, 3)."""

    image: Image
    to: np.ndarray


def levels(*gains: float) -> Callable[[Image], Image]:
    """Each channel brighter or darker."""
    return lambda image: np.clip(image * np.array(gains), 0, 255).astype(np.uint8)


def shifted(x: int, y: int) -> Callable[[Image], Image]:
    matrix = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return lambda image: cv2.warpAffine(
        image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
    )


def grey(image: Image) -> Image:
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def jpeg(quality: int) -> Callable[[Image], Image]:
    def change(image: Image) -> Image:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert decoded is not None
        return decoded

    return change


WARM, COLD = levels(0.8, 1, 1.2), levels(1.2, 1, 0.8)
LIGHT = {
    "as it is": lambda image: image,
    "blue x 0.8, red x 1.2": WARM,
    "blue x 1.2, red x 0.8": COLD,
    "all x 1.1": levels(1.1, 1.1, 1.1),
    "all x 0.85": levels(0.85, 0.85, 0.85),
    "grey": grey,
    "shifted by (6, 5) pixels": shifted(6, 5),
}


def in_place(change: Callable[[Image], Image]) -> Callable[[Image], Change]:
    return lambda image: Change(change(image), np.eye(2, 3))


def wide(width: int) -> Callable[[Image], Change]:
    def change(image: Image) -> Change:
        scale = width / image.shape[1]
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        size = width, round(scale * image.shape[0])
        return Change(cv2.resize(image, size, interpolation=way), scale * np.eye(2, 3))

    return change


def cropped(by: int) -> Callable[[Image], Change]:
    to = np.array([[1, 0, -by], [0, 1, -by]])
    return lambda image: Change(image[by:-by, by:-by].copy(), to)


def framed(by: int, how: int, value: int = 0) -> Callable[[Image], Change]:
    to = np.array([[1, 0, by], [0, 1, by]])
    return lambda image: Change(
        cv2.copyMakeBorder(image, by, by, by, by, how, value=(value,) * 3), to
    )


def upright(image: Image) -> Change:
    to = np.array([[0, 1, 0], [-1, 0, image.shape[1] - 1]])
    return Change(np.rot90(image).copy(), to)


CHANGES: dict[str, Callable[[Image], Change]] = {
    "as it is": in_place(lambda image: image),
    "615 x 462": wide(615),
    "1640 x 1232": wide(1640),
    "40 pixels cut off at each side": cropped(40),
    "mirrored border, 60 pixels": framed(60, cv2.BORDER_REFLECT),
    "black border, 100 pixels": framed(100, cv2.BORDER_CONSTANT),
    "white border, 100 pixels": framed(100, cv2.BORDER_CONSTANT, 255),
    "blurred over 5 pixels": in_place(lambda image: cv2.blur(image, (5, 1))),
    "JPEG, quality 30": in_place(jpeg(30)),
    "JPEG, quality 15": in_place(jpeg(15)),
    "blue x 0.8, red x 1.2": in_place(WARM),
    "turned by 90 degrees": upright,
}


def printed(picture: Picture, number: int) -> Image:
    """The tray with dice of the throw in it, from the `number`th on."""
    assert picture.tray is not None
    tray = picture.tray.copy()
    mask = np.zeros(tray.shape[:2], np.uint8)
    boxes = picture.truth["boxes"]
    for x, y, edge, _ in [boxes[(number + i) % DICE] for i in range(ORNAMENTS)]:
        half = AROUND * edge / 2
        first, last = [(round(x - s * half), round(y - s * half)) for s in (1, -1)]
        cv2.rectangle(mask, first, last, 255, cv2.FILLED)
    tray[mask > 0] = picture.image[mask > 0]
    return tray


def moved(picture: Picture, to: np.ndarray) -> Picture:
    """Its truth where `to` takes it."""
    scale = abs(np.linalg.det(to[:, :2])) ** 0.5
    boxes = [(*(to @ (x, y, 1)), scale * edge, face) for x, y, edge, face in picture.truth["boxes"]]
    return picture._replace(truth=picture.truth | {"boxes": boxes})


def verdicts(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())) or "none"


def with_trays(throws: Sequence[tuple[DiceReader, Picture]]) -> Iterator[str]:
    yield "| tray's picture | right | said | sure and wrong |"
    yield "|---|---|---|---|"
    for name, change in LIGHT.items():
        said: Counter[str] = Counter()
        right = silent = 0
        for reader, picture in throws:
            assert picture.tray is not None
            reading = reader.read(picture.image, TrayModel(change(picture.tray)))
            said[reading.verdict] += 1
            right += Counter(d.face for d in reading.dice) == Counter(picture.truth["dice"])
            silent += sum(wrong(die, picture.truth) for die in reading.dice if die.sure)
        yield f"| {name} | {right} of {len(throws)} | {verdicts(said)} | {silent} |"


def ornaments(throws: Sequence[tuple[DiceReader, Picture]]) -> Iterator[str]:
    yield "| tray's picture | printed dice read | thrown dice read | printed dice alone: said |"
    yield "|---|---|---|---|"
    for name, change in LIGHT.items():
        old = new = olds = news = 0
        alone: Counter[str] = Counter()
        for number, (reader, picture) in enumerate(throws):
            tray = printed(picture, number)
            reading = reader.read(picture.image, TrayModel(change(tray)))
            for i, (x, y, edge, _) in enumerate(picture.truth["boxes"]):
                seen = any(np.hypot(d.x - x, d.y - y) < edge / 2 for d in reading.dice)
                if (i - number) % DICE < ORNAMENTS:
                    old, olds = old + seen, olds + 1
                else:
                    new, news = new + seen, news + 1
            noise = np.random.default_rng(number).normal(0, 3, tray.shape)
            again = np.clip(tray + noise, 0, 255).astype(np.uint8)
            alone[reader.read(again, TrayModel(change(tray))).verdict] += 1
        yield f"| {name} | {old} of {olds} | {new} of {news} | {verdicts(alone)} |"


def changed(all_pictures: Sequence[tuple[DiceReader, Picture]]) -> Iterator[str]:
    yield (
        "| picture | flat throws right | `ok` | said | leaning: said | counted wrong: said "
        "| sure and wrong | leaning, yet sure | wrong `ok` |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, change in CHANGES.items():
        said = {kind: Counter[str]() for kind in ("flat", "cocked", "count")}
        right = silent = leaning = total = 0
        failed = []
        for reader, picture in all_pictures:
            kind = picture.truth["kind"]
            image, to = change(picture.image)
            seen = moved(picture, to)
            reading = reader.read(image)
            good = Counter(d.face for d in reading.dice) == Counter(seen.truth["dice"])
            ok = reading.verdict is TrayVerdict.OK
            if ok and not (kind in THROWS and good):
                failed.append(picture.name)
            sure = [die for die in reading.dice if die.sure]
            if kind in (*THROWS, "cocked", "count"):
                silent += sum(wrong(die, seen.truth) for die in sure)
            for x, y, edge, face in seen.truth["boxes"]:
                if face == "cocked":
                    leaning += any(np.hypot(d.x - x, d.y - y) < edge / 2 for d in sure)
            if kind in THROWS:
                right, total = right + good, total + 1
            if (which := "flat" if kind in THROWS else kind) in said:
                said[which][reading.verdict] += 1
        flat, cocked, count = said.values()
        yield (
            f"| {name} | {right} of {total} | {flat['ok']} | {verdicts(flat)} | {verdicts(cocked)} "
            f"| {verdicts(count)} | {silent} | {leaning} | {', '.join(failed) or 'none'} |"
        )


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("renders", nargs="?", type=Path, default=RENDERS)
    parser.add_argument("--only", choices=("trays", "ornaments", "pictures"))
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    seen = [
        (reader, picture)
        for home in sorted(p.parent for p in options.renders.glob("*/truth.json"))
        for reader in [DiceReader(profile_of(home))]
        for picture in pictures(home)
    ]
    throws = [(reader, p) for reader, p in seen if p.tray is not None]
    parts = {"trays": with_trays(throws), "ornaments": ornaments(throws), "pictures": changed(seen)}
    for part, lines in parts.items():
        if options.only in (None, part):
            for line in lines:
                print(line, flush=True)
            print()


if __name__ == "__main__":
    main(sys.argv[1:])

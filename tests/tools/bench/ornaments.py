"""Measures large dice with ornamental faces: `python -m tests.tools.bench.ornaments [--sheet OUT]`.

Each set has a number in the middle of each face, and ornaments around it that look like dice of
their own from near: medallions, curls, small squares. One die a picture of 640 x 360, up to half as
wide as that. *Right* is a picture from which the whole face is cut out, or in which it is read and
no other die; *wrong part* one from which a part of a face is cut out, or in which one is read. The
others are refused. Prints markdown tables; `--sheet` writes what isn't right as a picture.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.dice.draw import draw_reading
from vision.dice.faces.crops import profile_picture
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, DiceReading, Die
from vision.dice.teach import ProfileTrainer, build_profile
from vision.imaging.geometry import FaceBox
from vision.imaging.pyramid import build_pyramid
from vision.training.cubes import FaceTruth, top_face
from vision.training.drawing import rotation
from vision.training.trays.art import TEXTURE
from vision.training.trays.camera import TrayCamera, named_lights, steady_film
from vision.training.trays.dice import draw_make, flat_die
from vision.training.trays.ground import draw_ground
from vision.training.trays.scenes import put_dice
from vision.training.trays.tray import DrawnTray

SIZE = 640, 360
SHARES = (0.2, 0.3, 0.4, 0.5)
"""Edges of dice, of the picture's width."""
SETS, SHOWN, THROWN = 5, 2, 1
"""Sets, and pictures of each of their faces to teach and to read."""
EDGE = 1.6
"""Of a die, cm."""
OFF, OCTAVES = 0.25, 0.45
"""Edges by which a face may be off its place, and octaves off its size: edges may be rounded."""
GROUNDS = ("felt", "wood", "leather", "cardboard")
_FOUR = [(-1, -1), (1, -1), (1, 1), (-1, 1)]


class Portrait(NamedTuple):
    """A picture of one die, and what it shows."""

    picture: np.ndarray
    truth: FaceTruth


def ornate_faces(rng: np.random.Generator) -> np.ndarray:
    """Return the ink of six faces that differ in the number within their ornaments."""
    frame, middle = np.zeros((TEXTURE, TEXTURE), np.uint8), TEXTURE // 2
    corner, size = int(rng.integers(28, 34)), int(rng.integers(7, 12))
    at = [(middle + x * corner, middle + y * corner) for x, y in _FOUR]
    _medallion(rng, frame, middle)
    _draw_each(rng, frame, at, size)
    if rng.random() < 0.6:
        sides = [(middle + x * 36, middle + y * 36) for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        _draw_each(rng, frame, sides, int(rng.integers(3, 6)))
    if rng.random() < 0.6:
        cv2.rectangle(frame, (4, 4), (TEXTURE - 5, TEXTURE - 5), 255, int(rng.integers(1, 4)))
    font, thick = int(rng.choice([0, 2, 3, 4])), int(rng.integers(3, 6))
    tall = rng.uniform(26, 34)
    faces = []
    for digit in "123456":
        (w, h), _ = cv2.getTextSize(digit, font, 1, thick)
        scale = tall / h
        face, place = frame.copy(), (middle - int(w * scale / 2), middle + int(h * scale / 2))
        cv2.putText(face, digit, place, font, scale, 255, thick, cv2.LINE_AA)
        faces.append(face.astype(np.float32) / 255)
    return np.stack(faces)


def _medallion(rng: np.random.Generator, face: np.ndarray, middle: int) -> None:
    kind, radius, width = rng.integers(4), int(rng.integers(22, 27)), int(rng.integers(2, 4))
    if kind < 2:
        cv2.circle(face, (middle, middle), radius, 255, width, cv2.LINE_AA)
    if kind == 1:
        cv2.circle(face, (middle, middle), radius - 4, 255, 1, cv2.LINE_AA)
    if kind == 2:
        turned = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]) * radius * 1.25 + middle
        cv2.polylines(face, [turned.astype(np.int32)], True, 255, width, cv2.LINE_AA)


def _draw_each(
    rng: np.random.Generator, face: np.ndarray, at: Sequence[tuple[int, int]], size: int
) -> None:
    """Draw one ornament at each place, turned towards the middle."""
    kind, inner = rng.integers(5), max(1, size // 3)
    for number, (x, y) in enumerate(at):
        if kind == 0:  # a ring with a dot
            cv2.circle(face, (x, y), size, 255, 2, cv2.LINE_AA)
            cv2.circle(face, (x, y), inner, 255, -1, cv2.LINE_AA)
        elif kind == 1:  # a square in a square
            cv2.rectangle(face, (x - size, y - size), (x + size, y + size), 255, 2)
            cv2.rectangle(face, (x - inner, y - inner), (x + inner, y + inner), 255, -1)
        elif kind == 2:  # a curl
            for ring, radius in enumerate(range(size, 1, -3)):
                turn = 90 * number + 140 * ring
                cv2.ellipse(face, (x, y), (radius, radius), turn, 0, 250, 255, 2, cv2.LINE_AA)
        elif kind == 3:  # a lozenge
            points = np.array([(x, y - size), (x + size, y), (x, y + size), (x - size, y)])
            cv2.fillPoly(face, [points], 255, cv2.LINE_AA)
            cv2.circle(face, (x, y), inner, 0, -1, cv2.LINE_AA)
        else:  # three leaves
            for turn in (0, 60, 120):
                cv2.ellipse(face, (x, y), (size, inner), turn, 0, 360, 255, -1, cv2.LINE_AA)


def near_camera(rng: np.random.Generator, share: float) -> TrayCamera:
    """Return a camera that sees a die so wide, a share of its picture's width."""
    camera = TrayCamera(rng, *SIZE)
    tilt = np.radians(rng.uniform(0, 12))
    camera.turn = np.diag([1, -1, -1]) @ rotation(2, rng.uniform(0, 6.3)) @ rotation(0, tilt)
    camera.focal = SIZE[0] * rng.uniform(0.9, 1.6)
    camera.height = EDGE * camera.focal / (share * SIZE[0]) + EDGE
    camera.centre = camera.turn[2] / camera.turn[2][2] * camera.height
    return camera


def portraits(number: int, share: float, *, shown: bool) -> Iterator[Portrait]:
    """Yield pictures of each face of a set to teach, or else to read, in the order of FACES."""
    make = draw_make(rng := np.random.default_rng([number, 0]), ornate_faces(rng), EDGE)
    for face in range(len(FACES)):
        for shot in range(SHOWN if shown else THROWN):
            rng = np.random.default_rng([number, round(1000 * share), shown, face, shot])
            camera, lights = near_camera(rng, share), named_lights(rng, "room")
            tray = DrawnTray(np.array(_FOUR) * (30, 30), 2.0, 0.6)
            x, y = rng.uniform(-0.15, 0.15, 2)
            die = flat_die(rng, make, x, y, rng.uniform(0, 6.3), face)
            image = draw_ground(rng, camera, tray, lights, str(rng.choice(GROUNDS)))
            owner = put_dice(rng, image, camera, tray, [die], lights)
            film = steady_film(rng, float(np.median(image)))
            yield Portrait(film.develop(rng, image), top_face(camera, die.cube(), owner, 1))


def is_whole(x: float, y: float, edge: float, truth: FaceTruth) -> bool:
    """Return whether a face that was found is the die's, and all of it."""
    whole = 2 * float(np.sqrt(abs(np.linalg.det(truth.axes))))
    off = np.hypot(x - truth.x, y - truth.y) / whole
    return bool(off < OFF and abs(np.log2(edge / whole)) < OCTAVES)


def teach(teacher: ProfileTrainer, shown: Portrait) -> str:
    """Return what became of a picture to teach from."""
    found = [crop.spot for crop in teacher.crops(shown.picture) if crop.picture is not None]
    if not found:
        return "refused"
    return "right" if all(s and is_whole(*s, shown.truth) for s in found) else "wrong part"


def profile_of(shown: Sequence[Portrait]) -> Profile:
    """Return the profile of whole faces."""
    faces: dict[str, list[np.ndarray]] = {face: [] for face in FACES}
    for picture, truth in shown:
        box = FaceBox(truth.x, truth.y, np.asarray(truth.axes, np.float32), 1.0)
        faces[FACES[truth.face]].append(profile_picture(build_pyramid(picture), box))
    return build_profile("ornate", faces, "base")


def judge(reading: DiceReading, truth: FaceTruth) -> Iterator[str]:
    """Yield what became of a picture that was read."""
    whole = [die for die in reading.dice if is_whole(die.x, die.y, die.size, truth)]
    parts = len(reading.dice) - len(whole)
    good = len(whole) == 1 and whole[0].face == FACES[truth.face]
    yield "right" if good and not parts else "wrong part" if parts else "refused"
    if any(die.sure and not _is_right(die, truth) for die in reading.dice):
        yield "sure and wrong"


def _is_right(die: Die, truth: FaceTruth) -> bool:
    return is_whole(die.x, die.y, die.size, truth) and die.face == FACES[truth.face]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheet", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    teacher, wrong = ProfileTrainer(), []
    columns = ("right", "wrong part", "refused", "sure and wrong")
    print(f"| edge | what | {' | '.join(columns)} |\n|---|---|---|---|---|---|")
    for share in SHARES:
        taught: Counter[str] = Counter()
        read: Counter[str] = Counter()
        for number in range(SETS):
            shown = list(portraits(number, share, shown=True))
            taught.update(teach(teacher, each) for each in shown)
            reader = DiceReader(profile_of(shown))
            for picture, truth in portraits(number, share, shown=False):
                reading = reader.read(picture)
                told = list(judge(reading, truth))
                read.update(told)
                if "right" not in told:
                    wrong.append(draw_reading(picture, reading))
        for what, each in (("taught", taught), ("read", read)):
            cells = " | ".join(str(each[column]) for column in columns)
            print(f"| {share} | {what} | {cells} |", flush=True)
    if options.sheet and wrong:
        rows = [np.hstack(wrong[k : k + 4]) for k in range(0, len(wrong) - 3, 4)]
        cv2.imwrite(str(options.sheet), np.vstack(rows[:12]))


if __name__ == "__main__":
    main()

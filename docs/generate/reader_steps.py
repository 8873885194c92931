"""Draw how the reader reads a throw, step by step: `python -m docs.generate.reader_steps FOLDER`.

The pictures of docs/dev/reader.md, of one throw of symbol dice in the simulated tray. The profile
is taught by other throws in it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.dice.draw import draw_reading
from vision.dice.faces.classifier import NO_FACE, FaceClassifier
from vision.dice.faces.crops import WHOLE, embedder_crop, profile_picture, turned_crop
from vision.dice.faces.embedder import Embedder
from vision.dice.find.candidate import Candidate
from vision.dice.find.detector import Detections, DiceDetector
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, FACES
from vision.imaging.geometry import Array, FaceBox, Image
from vision.imaging.pyramid import build_pyramid
from vision.simulate.dice.tray import SimulatedDiceTray

_SEED = 5
_THROWN = ("bullseye2", "arrow", "beer", "bullseye1", "dynamite")
_PICTURES = 4  # that teach a face
_BOX, _FRAME, _LEAN, _OTHER = (255, 180, 60), (80, 200, 80), (60, 60, 255), (150, 150, 150)  # BGR
_TRAY, _TINT = (90, 160, 60), 0.45
_CELL, _SHOWN = 48, 3  # pixels of a face, and how many of the likeliest are drawn beside it
_NEAR, _SPAN = 144, 3.2  # pixels of a picture from near, and edges of a die that it shows
_SCALE = 0.6  # of whole pictures
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def main(folder: str) -> None:
    out = Path(folder)
    profile = _teach()
    tray = _tray(_SEED)
    picture = _throw(tray, _THROWN)
    levels = build_pyramid(picture)
    _save(out / "reader-1-survey.jpg", _draw_survey(picture, DiceDetector().detect(levels)), _SCALE)
    reader = DiceReader(profile)
    dice = reader.gather(picture).candidates[:DICE]
    _save(out / "reader-2-pose.jpg", _draw_poses(levels, dice))
    _save(out / "reader-3-faces.jpg", _draw_faces(levels, dice, profile))
    verdict = draw_reading(picture, reader.read(picture))
    _save(out / "reader-4-verdict.jpg", verdict, _SCALE)


def _tray(seed: int) -> SimulatedDiceTray:
    return SimulatedDiceTray("symbols", seed=seed)


def _throw(tray: SimulatedDiceTray, faces: Sequence[str]) -> Image:
    tray.throw(faces=faces)
    while not tray.at_rest:
        tray.frame()
    return tray.frame()


def _teach() -> Profile:
    """Return a profile with pictures of each face, from other throws."""
    taught = {}
    for number, face in enumerate(FACES):
        tray = _tray(100 + number)
        levels = build_pyramid(_throw(tray, [face] * DICE))
        boxes = [_box(quad) for quad in tray.quads[:_PICTURES]]
        taught[face] = tuple(profile_picture(levels, box) for box in boxes)
    return Profile("simulated", taught=taught)


def _box(quad: Array) -> FaceBox:
    """Return a face by its corners (4, 2)."""
    x, y = quad.mean(0)
    axes = np.stack([quad[1] - quad[0], quad[3] - quad[0]], 1) / 2
    return FaceBox(float(x), float(y), np.asarray(axes, np.float32), 1.0)


def _draw_survey(picture: Image, seen: Detections) -> Image:
    """Draw the detector's boxes, and tint where it sees the tray."""
    height, width = picture.shape[:2]
    tray = cv2.resize(seen.tray, (width, height))[..., None]
    tinted = picture * (1 - _TINT) + np.array(_TRAY) * _TINT
    out = np.where(tray > 0.5, tinted, picture).astype(np.uint8)
    for box in seen.boxes:
        _frame(out, box, _BOX)
        at = _pixel(np.array((box.x - box.edge / 2, box.y - box.edge * 0.8)))
        cv2.putText(out, f"{box.score:.2f}", at, _FONT, 0.6, _BOX, 2, cv2.LINE_AA)
    return out


def _draw_poses(levels: Sequence[Image], dice: Sequence[Candidate]) -> Image:
    """Draw each die from near: its top, and an arrow to where its lower face lies."""
    cells = []
    for die in dice:
        side = round(_SPAN * die.box.edge)
        corner = np.array((die.box.x, die.box.y)) - side / 2
        near = cv2.getRectSubPix(levels[0], (side, side), (die.box.x, die.box.y))
        scale = _NEAR / side
        cell = np.asarray(cv2.resize(near, (_NEAR, _NEAR)), np.uint8)
        top = (np.array((die.box.x, die.box.y)) - corner) * scale
        box = FaceBox(top[0], top[1], np.asarray(die.box.axes * scale, np.float32), 1.0)
        _frame(cell, box, _FRAME)
        below = top + die.lean * die.box.edge * scale
        cv2.arrowedLine(cell, _pixel(top), _pixel(below), _LEAN, 2, cv2.LINE_AA, tipLength=0.3)
        cells.append(cell)
    return np.hstack(cells)


def _draw_faces(levels: list[Image], dice: Sequence[Candidate], profile: Profile) -> Image:
    """Draw a row for each die: its face set upright, and the faces likeliest to be it."""
    crops = [embedder_crop(levels, die.box) for die in dice]
    classifier = FaceClassifier(Embedder(), profile)
    told = classifier.tell(levels, [die.box for die in dice], crops)
    rows = []
    for crop, scores in zip(crops, told.scores, strict=True):
        row = [crop, np.zeros((_CELL, _CELL // 2, 3), np.uint8)]
        for face in np.argsort(-scores)[:_SHOWN]:
            taught = turned_crop(profile.taught[profile.faces[face]][0], 0, WHOLE)
            row += [np.asarray(cv2.resize(taught, (_CELL, _CELL)), np.uint8)]
            row += [_draw_score(scores[face] - NO_FACE)]
        rows.append(np.hstack(row))
    return np.vstack(rows)


def _draw_score(lead: float) -> Image:
    cell = np.zeros((_CELL, 3 * _CELL // 2, 3), np.uint8)
    colour = _FRAME if lead > 0 else _OTHER
    cv2.putText(cell, f"{lead:+.1f}", (8, _CELL // 2 + 6), _FONT, 0.55, colour, 1, cv2.LINE_AA)
    return cell


def _frame(out: Image, box: FaceBox, colour: tuple[int, int, int]) -> None:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ box.axes.T + (box.x, box.y)
    cv2.polylines(out, [corners.round().astype(np.int32)], True, colour, 2, cv2.LINE_AA)


def _pixel(at: Array) -> tuple[int, int]:
    x, y = at.round().astype(int).tolist()
    return x, y


def _save(path: Path, picture: Image, scale: float = 1.0) -> None:
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Fit what the reader of dice believes: `python -m vision.training.calibrate COMMAND`.

`draw ICONS.npz FOLDER SEED...` draws sets of dice of their own, ten a seed: what would be shown to
teach each (five pictures a face) and eight scenes. `fit FOLDER [RENDERS]` teaches each set and fits
by logistic regression when something found is a die, and when its face is named right; `leans
FOLDER...`, of sets as vision/training/own_sets.py makes them, when a die of a throw leans. `pips
SCENES PICTURES` fits what `fit` does for dice with pips, to so many newly drawn scenes and labelled
photographs: with 900 and tests/pictures it prints is_right as it is in use, but for what hardly
counts, and another is_die, with which two photographs fewer are read, see
docs/dev/decisions/2026-11-22-one-finder.md. All print the weights for vision/dice/decide.py and how
reliable they are.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.dice.decide import leans_of
from vision.dice.find.tray_model import TrayModel
from vision.dice.profile import Profile, load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import DICE, FACES
from vision.dice.teach import ProfileTrainer, build_profile
from vision.imaging.geometry import FaceBox
from vision.training.drawing import read_picture
from vision.training.pips.dice import OTHER
from vision.training.pips.scenes import draw_scene as draw_pips
from vision.training.trays.art import draw_art
from vision.training.trays.dice import DiceMake, draw_make
from vision.training.trays.scenes import draw_scene

SETS, SHOWN, ROLLS = 10, 5, 8
RENDERED = 10.0  # what is found in a path-traced picture counts as so many in drawn ones, harder
PHOTO = 2.0  # and in a photograph as so many in drawn scenes of dice with pips
PIPS_SEED = 900


class Row(NamedTuple):
    """One thing that the finder found in a picture."""

    seen: np.ndarray
    """The evidence for it, as the reader gathers it."""
    die: bool
    """Whether it is a die."""
    right: bool
    """Whether its face was read right."""
    counted: bool = True
    """Whether it counts for faces: a die that lies flat and is seen well."""


def draw(icons: np.ndarray, folder: Path, seed: int) -> None:
    """Draw sets of dice into a folder: what is shown to teach each, throws, and what these show."""
    rng = np.random.default_rng([seed, 3])
    for number in range(SETS):
        home = folder / f"{seed:03}-{number}"
        home.mkdir(parents=True, exist_ok=True)
        make = draw_make(rng, draw_art(rng, icons), rng.uniform(1.4, 1.95))
        draw_teaching(rng, icons, make, home)
        truth = {}
        for roll in range(ROLLS):
            scene = draw_scene(rng, icons, make)
            cv2.imwrite(str(home / f"roll-{roll}.jpg"), scene.image)
            truth[f"roll-{roll}.jpg"] = [
                [t.x, t.y, t.edge, t.face, t.seen, t.cocked] for t in scene.truths
            ]
        (home / "truth.json").write_text(json.dumps(truth))


def draw_teaching(rng: np.random.Generator, icons: np.ndarray, make: DiceMake, home: Path) -> None:
    """Draw what is shown to teach a set of dice into a folder."""
    for face, name in enumerate(FACES):
        for shot in range(SHOWN):
            scene = draw_scene(rng, icons, make, face)
            cv2.imwrite(str(home / f"teach-{name}-{shot}.jpg"), scene.image)


def teach_profile(pictures: dict[str, list[Path]]) -> Profile | None:
    """Return the profile that pictures teach, by face; None if a face is found in none."""
    teacher = ProfileTrainer()
    found = {
        face: [s.picture for p in paths if (s := teacher.crop(read_picture(p))).picture is not None]
        for face, paths in pictures.items()
    }
    return build_profile("set", found, "base") if all(found.values()) else None


def rows_of(
    reader: DiceReader, image: np.ndarray, truths: list[list[float]], tray: np.ndarray | None = None
) -> Iterator[Row]:
    """Yield what the reader finds in a picture, beside what it shows; tray: the same seen empty."""
    evidence = reader.gather(image, TrayModel(tray))
    for i, candidate in enumerate(evidence.candidates):
        box = candidate.box
        near = [t for t in truths if np.hypot(t[0] - box.x, t[1] - box.y) < 0.35 * t[2]]
        if not near:
            yield Row(evidence.rows[i], False, False)
        elif near[0][4] > 0.75:
            flat = not near[0][5]
            right = int(evidence.likely[i][0]) == near[0][3]
            yield Row(evidence.rows[i], near[0][3] != OTHER, right, flat)


def drawn_rows(folder: Path) -> Iterator[Row]:
    """Yield what the reader finds in the drawn sets of a folder."""
    for home in sorted(folder.iterdir()):
        pictures = {face: sorted(home.glob(f"teach-{face}-*.jpg")) for face in FACES}
        profile = teach_profile(pictures)
        if profile is None:
            print(home, "could not be taught", file=sys.stderr)
            continue
        reader = DiceReader(profile)
        for name, truths in json.loads((home / "truth.json").read_text()).items():
            yield from rows_of(reader, read_picture(home / name), truths)


def rendered_sets(root: Path) -> Iterator[tuple[Path, DiceReader, dict[str, Any]]]:
    """Each set in a folder, read by what its pictures teach, and what these show."""
    for home in sorted(
        p.parent for p in root.glob("*/truth.json") if (p.parent / "teach").is_dir()
    ):
        profile = teach_profile({f: sorted((home / "teach" / f).glob("*.jpg")) for f in FACES})
        assert profile is not None, f"{home}: could not be taught"
        yield home, DiceReader(profile), json.loads((home / "truth.json").read_text())


def rendered_rows(root: Path) -> Iterator[Row]:
    """The path-traced sets, without their empty trays and with them."""
    for home, reader, truth in rendered_sets(root):
        for name, t in truth.items():
            if t["kind"] == "teach":
                continue
            truths = [
                [*b[:3], FACES.index(b[3]) if b[3] in FACES else -1, seen, b[3] == "cocked"]
                for b, seen in zip(t["boxes"], t["visible"], strict=True)
            ]
            truths += [[*b[:3], -1, 0.0, False] for b in t.get("outside") or []]
            image, tray = read_picture(home / name), home / "tray" / name.replace("/", "_")
            for empty in (None, read_picture(tray)) if tray.is_file() else (None,):
                yield from rows_of(reader, image, truths, empty)


def lean_rows(root: Path) -> Iterator[tuple[np.ndarray, bool]]:
    """What speaks for each die of a throw to lean, beside the others, and whether it does."""
    for home, reader, truth in rendered_sets(root):
        for name, t in truth.items():
            if t["kind"] not in ("normal", "touching", "hires", "othercolour", "cocked"):
                continue
            seen = reader.gather(read_picture(home / name))
            leans = leans_of(seen)
            for number, row in zip(leans.dice, leans.rows[0], strict=True):
                box = seen.candidates[number].box
                near = [b for b in t["boxes"] if np.hypot(b[0] - box.x, b[1] - box.y) < b[2] / 2]
                if near and len(leans.dice) == DICE:
                    yield row, near[0][3] == "cocked"


def pips_rows(reader: DiceReader, scenes: int) -> Iterator[Row]:
    """Yield what the reader finds in newly drawn scenes of dice with pips."""
    rng = np.random.default_rng(PIPS_SEED)
    for _ in range(scenes):
        image, truths = draw_pips(rng)
        told = [[t.x, t.y, t.edge, t.face, t.seen, False] for t in truths]
        yield from rows_of(reader, image, told)


def photo_rows(reader: DiceReader, folder: Path) -> Iterator[Row]:
    """Yield what the reader finds in the labelled photographs of a folder."""
    for name, label in json.loads((folder / "labels.json").read_text()).items():
        evidence = reader.gather(read_picture(folder / name))
        partly = "incomplete" in label or "complete" in label
        left = list(label["boxes"])
        for found, seen, likely in zip(
            evidence.candidates, evidence.rows, evidence.likely, strict=True
        ):
            box = next((b for b in left if is_within(found.box, b)), None)
            if box:
                left.remove(box)
                yield Row(seen, True, bool(box[4] == int(likely[0]) + 1))
            elif not partly:
                yield Row(seen, False, False)


def is_within(found: FaceBox, box: list[float]) -> bool:
    """Return whether what was found lies in a labelled box (x, y, width, height, value)."""
    x, y, w, h, _ = box
    return x <= found.x <= x + w and y <= found.y <= y + h and found.edge > 0.4 * w


def logistic(x: np.ndarray, y: np.ndarray, share: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Weights, offset first, by Newton's method; `share`: how much each row counts."""
    x = np.column_stack([np.ones(len(x)), x]).astype(np.float64)
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (share * (y - p)) - ridge * w
        bend = (x * (share * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w))
        w += np.linalg.solve(bend, slope)
    return w


def fit(rows: list[Row], share: list[float]) -> None:
    """Print the weights that tell dice and right faces; share: how much each row counts."""
    seen = np.array([r.seen for r in rows])
    die, right = np.array([r.die for r in rows]), np.array([r.right for r in rows])
    counted = np.array([r.counted for r in rows])
    for name, use, y in (
        ("is_die", np.full(len(rows), True), die),
        ("is_right", die & counted, right),
    ):
        x, t = seen[use], y[use]
        w = logistic(x, t.astype(float), np.array(share)[use])
        report(name, w, x, t, (0, 0.1, 0.5, 0.8, 0.95, 0.98, 0.99, 0.995, 1.01))


def fit_leans(rows: list[tuple[np.ndarray, bool]]) -> None:
    """Print the weights that tell dice that lean."""
    x, t = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    w = logistic(x, t.astype(float), np.ones(len(t)), ridge=1e-4)
    report("leans", w, x, t, (0, 0.01, 0.03, 1 / 16, 0.15, 0.3, 0.54, 0.8, 1.01))


def report(name: str, w: np.ndarray, x: np.ndarray, t: np.ndarray, steps: Sequence[float]) -> None:
    """Print weights `w`, and how reliable their probabilities for rows `x` are by truths `t`."""
    p = 1 / (1 + np.exp(-np.column_stack([np.ones(len(x)), x]) @ w))
    print(f"{name}=({', '.join(f'{v:.2f}' for v in w)}),")
    print(f"# of {len(t)}: {t.mean():.1%}; found out {np.mean((p > 0.5) == t):.1%}")
    for low, high in pairwise(steps):
        part = (p >= low) & (p < high)
        if part.any():
            print(f"#   {low:.3f} to {high:.3f}: {part.sum():5}, true {t[part].mean():.3f}")


def main() -> None:
    """Draw sets, or fit the reader to them or to dice with pips."""
    if sys.argv[1] == "pips":
        reader = DiceReader(load_profile("pips"))
        drawn = list(pips_rows(reader, int(sys.argv[2])))
        folders = sorted(p.parent for p in Path(sys.argv[3]).glob("*/labels.json"))
        photos = [row for folder in folders for row in photo_rows(reader, folder)]
        fit(drawn + photos, [1.0] * len(drawn) + [PHOTO] * len(photos))
        return
    cv2.setNumThreads(1)
    if sys.argv[1] == "draw":
        icons = np.load(sys.argv[2])["ink"]
        for seed in map(int, sys.argv[4:]):
            draw(icons, Path(sys.argv[3]), seed)
            print(seed, flush=True)
        return
    if sys.argv[1] == "leans":
        fit_leans([row for root in sys.argv[2:] for row in lean_rows(Path(root))])
        return
    rows = list(drawn_rows(Path(sys.argv[2])))
    share = [1.0] * len(rows)
    if len(sys.argv) > 3:
        rows += rendered_rows(Path(sys.argv[3]))
        share += [RENDERED] * (len(rows) - len(share))
    fit(rows, share)


if __name__ == "__main__":
    main()

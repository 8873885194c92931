"""Compare how faces are told: `python -m tests.tools.bench.compare_faces RENDERS [FACES.npz]`.

On dice whose places are given, jittered as a finder would (8 % in size, 3 % of the edge, 6
degrees): the path-traced sets in RENDERS, each taught from its own pictures; and sets of faces
drawn by vision/training/tray_pool.py, each taught from the five most legible. Prints a table.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.training.trays.scenes import CROP, FACE

SEED = 5
Taught = list[tuple[int, np.ndarray]]  # faces and their crops
Tell = Callable[[np.ndarray], np.ndarray]  # a crop to the scores (6,) of the faces
TURNS = [90 * k + a for k in range(4) for a in (-16, -8, 0, 8, 16)]


def turn_face(crop: np.ndarray, degrees: float, share: float, side: int) -> np.ndarray:
    """The inner `share` of the face, turned, `side` pixels wide."""
    middle = ((CROP - 1) / 2, (CROP - 1) / 2)
    m = np.asarray(cv2.getRotationMatrix2D(middle, degrees, side / FACE / share), np.float64)
    m[:, 2] += (side - CROP) / 2
    return cv2.warpAffine(crop, m, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)


def unit(x: np.ndarray) -> np.ndarray:
    """Return vectors (..., d) of length 1."""
    return x / (np.linalg.norm(x, axis=-1, keepdims=True) + 1e-6)


def best_per_face(similar: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return the best similarity to each face's pictures, (6,); faces: (k,), theirs."""
    return np.array([similar[faces == f].max() if (faces == f).any() else -1 for f in range(6)])


def correlation(turns: list[int], share: float = 0.9) -> Callable[[Taught], Tell]:
    """Return a design that compares the inner `share` of faces by their grey levels."""

    def teach(taught: Taught) -> Tell:
        side, margin = 32, 2
        rows, faces = [], []
        for face, crop in taught:
            for turn in turns:
                p = turn_face(crop, turn, share, side)[margin:-margin, margin:-margin].ravel()
                rows.append(p - p.mean())
                faces.append(face)
        patterns, names = unit(np.array(rows)), np.array(faces)

        def tell(crop: np.ndarray) -> np.ndarray:
            inner = side - 2 * margin
            view = turn_face(crop, 0, share, side)
            w = np.lib.stride_tricks.sliding_window_view(view, (inner, inner)).reshape(-1, inner**2)
            return best_per_face((unit(w - w.mean(1, keepdims=True)) @ patterns.T).max(0), names)

        return tell

    return teach


def histograms(crop: np.ndarray, turn: float, share: float) -> np.ndarray:
    """Histograms of unsigned gradients after Dalal and Triggs (2005): 5 x 5 cells of 8 bins."""
    side, cells, bins = 40, 5, 8
    face = cv2.GaussianBlur(turn_face(crop, turn, share, side), (0, 0), 0.8)
    gx, gy = cv2.Sobel(face, cv2.CV_32F, 1, 0), cv2.Sobel(face, cv2.CV_32F, 0, 1)
    size, angle = cv2.cartToPolar(gx, gy)
    bin_at = angle / np.pi * bins % bins
    low = np.floor(bin_at).astype(int) % bins
    part = bin_at - np.floor(bin_at)
    maps = np.zeros((bins, side, side), np.float32)
    for b in range(bins):
        maps[b] = size * ((low == b) * (1 - part) + ((low + 1) % bins == b) * part)
    pooled = [
        cv2.resize(cv2.blur(m, (12, 12)), (cells, cells), interpolation=cv2.INTER_AREA)
        for m in maps
    ]
    flat = unit(np.stack(pooled, -1).reshape(-1))
    return unit(np.minimum(flat, 0.2))


def gradients(share: float) -> Callable[[Taught], Tell]:
    """Return a design that compares the inner `share` of faces by histograms of gradients."""

    def teach(taught: Taught) -> Tell:
        rows = np.array([histograms(c, t, share) for _, c in taught for t in TURNS])
        faces = np.array([f for f, _ in taught for _ in TURNS])
        return lambda crop: best_per_face(rows @ histograms(crop, 0, share), faces)

    return teach


def embedding(path: Path, share: float = 1.04) -> Callable[[Taught], Tell]:
    """Return a design that compares faces by the network in a file."""
    net = cv2.dnn.readNetFromONNX(str(path))

    def vectors(crops: list[np.ndarray], turns: list[int]) -> np.ndarray:
        faces = [turn_face(c, t, share, 48) for c in crops for t in turns]
        faces = [f - f.mean() for f in faces]
        faces = [f / (np.sqrt((f * f).mean()) + 4) for f in faces]
        net.setInput(np.stack(faces)[:, None])
        return net.forward()

    def teach(taught: Taught) -> Tell:
        turns = [0, 90, 180, 270]
        rows = vectors([c for _, c in taught], turns)
        faces = np.array([f for f, _ in taught for _ in turns])
        return lambda crop: best_per_face(rows @ vectors([crop], [0])[0], faces)

    return teach


def together(
    one: Callable[[Taught], Tell], other: Callable[[Taught], Tell], weight: float
) -> Callable[[Taught], Tell]:
    """Return a design that adds the scores of another, times `weight`."""

    def teach(taught: Taught) -> Tell:
        a, b = one(taught), other(taught)
        return lambda crop: a(crop) + weight * b(crop)

    return teach


# What is told.


def cut(rng: np.random.Generator, grey: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The face in `quad` as a finder might frame it, (CROP, CROP)."""
    c, u, v = quad.mean(0), (quad[1] - quad[0] + quad[2] - quad[3]) / 4, None
    v = (quad[3] - quad[0] + quad[2] - quad[1]) / 4
    axes = np.stack([u, v], 1)
    if np.linalg.det(axes) < 0:
        axes = axes[:, ::-1]
    t = np.radians(rng.normal(0, 3) + rng.integers(4) * 90)
    turn = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    c = c + axes @ rng.normal(0, 0.06, 2)
    back = axes @ turn * 2 / FACE * rng.uniform(0.94, 1.08)
    m = np.column_stack([back, c - back.sum(1) * (CROP - 1) / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(grey, m, (CROP, CROP), flags=flags, borderMode=cv2.BORDER_REPLICATE)


Set = tuple[Taught, list[tuple[int, np.ndarray, int]]]  # taught; face, crop, picture


def rendered_set(folder: Path) -> Set:
    """Return the faces of a path-traced set: those that teach it, and those asked about."""
    rng = np.random.default_rng(SEED)
    truth = json.loads((folder / "truth.json").read_text())
    names = sorted({t["teach_face"] for t in truth.values() if t["kind"] == "teach"})
    taught, asked = [], []
    for number, (name, t) in enumerate(sorted(truth.items())):
        if t["kind"] not in ("teach", "normal", "touching"):
            continue
        grey = cv2.imread(str(folder / name), cv2.IMREAD_GRAYSCALE)
        assert grey is not None
        for face, quad, seen in zip(t["dice"], t["quads"], t["visible"], strict=True):
            if seen < 0.8:
                continue
            crop = cut(rng, grey, np.array(quad))
            if t["kind"] == "teach":
                taught.append((names.index(face), crop))
            else:
                asked.append((names.index(face), crop, number))
    return taught, asked


def drawn_sets(path: Path, most: int = 40) -> list[Set]:
    """Return the faces of sets that `tray_pool` drew, as `rendered_set` does."""
    shard = np.load(path)
    sets = []
    for crops, legible in list(zip(shard["crops"], shard["legible"], strict=True))[:most]:
        taught, asked = [], []
        for face in range(6):
            order = np.argsort(-legible[face], kind="stable")
            taught += [(face, crops[face, v]) for v in order[:5]]
            asked += [
                (face, crops[face, v], face * 100 + int(v))
                for v in order[5:]
                if legible[face, v] > 0.6
            ]
        sets.append((taught, asked))
    return sets


def auroc(good: np.ndarray, bad: np.ndarray) -> float:
    """Return the area under the curve of true and false positives; NaN without either."""
    if not len(good) or not len(bad):
        return float("nan")
    return float((good[:, None] > bad[None]).mean() + 0.5 * (good[:, None] == bad[None]).mean())


def measure(design: Callable[[Taught], Tell], sets: list[Set]) -> str:
    """Return a design's row: faces right, pictures right, how well its margin tells."""
    right, margins = [], []
    pictures: dict[tuple[int, int], list[bool]] = {}
    for number, (taught, asked) in enumerate(sets):
        tell = design(taught)
        for face, crop, picture in asked:
            scores = tell(crop)
            order = np.sort(scores)
            right.append(int(scores.argmax()) == face)
            margins.append(order[-1] - order[-2])
            pictures.setdefault((number, picture), []).append(right[-1])
    hit, margin = np.array(right), np.array(margins)
    whole = np.mean([all(p) for p in pictures.values()])
    return f"{hit.mean():.1%} of {len(hit)} | {whole:.0%} | {auroc(margin[hit], margin[~hit]):.2f}"


def main() -> None:
    """Print the table of all designs."""
    root = Path(sys.argv[1])
    sets = [
        rendered_set(p.parent)
        for p in sorted(root.glob("*/truth.json"))
        if (p.parent / "teach").is_dir()
    ]
    sources = {"rendered": sets}
    networks = [Path(a) for a in sys.argv[2:] if a.endswith(".onnx")]
    for path in (Path(a) for a in sys.argv[2:] if a.endswith(".npz")):
        sources[f"drawn {path.stem}"] = drawn_sets(path)
    designs = {
        "correlation, 4 turns": correlation([0, 90, 180, 270]),
        "correlation, 20 turns": correlation(TURNS),
        "gradient histograms, whole face": gradients(0.95),
        "gradient histograms, inner 62 %": gradients(0.62),
        "gradient histograms, inner 75 %": gradients(0.75),
    }
    for network in networks:
        designs[f"embedding {network.stem}"] = embedding(network)
        for weight in (0.5, 1.0):
            both = together(embedding(network), gradients(0.7), weight)
            designs[f"embedding {network.stem} + {weight} histograms"] = both
    print("| design | " + " | ".join(f"{s}: dice right | whole | AUROC" for s in sources) + " |")
    for name, design in designs.items():
        print(
            f"| {name} | " + " | ".join(measure(design, s) for s in sources.values()) + " |",
            flush=True,
        )


if __name__ == "__main__":
    main()

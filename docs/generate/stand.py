"""Write the pieces of the stand to print and draw it: `make stand`. It needs openscad.

python -m docs.generate.stand docs/print/stand
"""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

PIECES = ("tray", "mast", "joint", "arm")
_VIEW = (np.radians(30), np.radians(25))
"""From where the picture looks: turned about the mast, and above the table."""
_LIGHT = np.array([0.4, -0.5, 0.77])
_EDGE, _MARGIN, _FINER = 640, 20, 3
"""Longer side and margin of the picture in pixels, and how much finer it is drawn first."""
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
"""A triangle of a binary STL file, millimetres."""


def triangles(stl: bytes) -> npt.NDArray[np.float64]:
    """Return the corners of a binary STL file's triangles, (n, 3, 3), in millimetres."""
    number = int.from_bytes(stl[80:84], "little")
    return np.frombuffer(stl[84:], _TRIANGLE, number)["corners"].astype(np.float64)


def export(source: Path, part: str, target: Path) -> None:
    """Write a part of an OpenSCAD file as a binary STL file."""
    command = ["openscad", "-q", "-D", f'part="{part}"', "--export-format", "binstl"]
    subprocess.run([*command, "-o", target, source], check=True)


def picture(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return triangles (n, 3, 3) as a picture on white, (h, w, 3), without perspective."""
    turn, above = _VIEW
    look = np.array([
        [np.cos(turn), -np.sin(turn), 0],
        [-np.sin(turn) * np.sin(above), -np.cos(turn) * np.sin(above), -np.cos(above)],
        [np.sin(turn) * np.cos(above), np.cos(turn) * np.cos(above), -np.sin(above)],
    ])  # fmt: skip
    seen = corners @ look.T
    low, high = seen[..., :2].min((0, 1)), seen[..., :2].max((0, 1))
    scale = (_EDGE - 2 * _MARGIN) * _FINER / (high - low).max()
    seen[..., :2] = (seen[..., :2] - low) * scale + _MARGIN * _FINER
    width, height = np.ceil((high - low) * scale).astype(int) + 2 * _MARGIN * _FINER
    drawn = np.full((height, width), 255, np.uint8)
    nearest = np.full((height, width), np.inf)
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = sides @ _LIGHT / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)
    for triangle, lit in zip(seen, facing, strict=True):
        covered = np.zeros_like(drawn)
        cv2.fillConvexPoly(covered, np.round(triangle[:, :2]).astype(np.int32), 1)
        rows, columns = np.nonzero(covered)
        plane = np.linalg.lstsq(np.c_[triangle[:, :2], np.ones(3)], triangle[:, 2])[0]
        depth = plane[0] * columns + plane[1] * rows + plane[2]
        ahead = depth < nearest[rows, columns]
        rows, columns = rows[ahead], columns[ahead]
        nearest[rows, columns] = depth[ahead]
        drawn[rows, columns] = 90 + 140 * max(0.0, lit)
    small = cv2.resize(drawn, (width // _FINER, height // _FINER), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8)


def main(folder: Path) -> None:
    """Write all pieces and the picture of the whole beside stand.scad."""
    for piece in PIECES:
        export(folder / "stand.scad", piece, folder / f"{piece}.stl")
    whole = folder / "stand.stl"
    export(folder / "stand.scad", "all", whole)
    cv2.imwrite(str(folder / "stand.png"), picture(triangles(whole.read_bytes())))
    whole.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Make the gallery of all pages from pictures taken by the page tests: `make gallery`.

python -m docs.generate.gallery PICTURES docs/gallery
"""

import re
import sys
from itertools import groupby
from pathlib import Path

import cv2

WIDTHS = {True: 640, False: 360}
"""Width of a picture in pixels, by whether a television shows it."""

LONGEST = 1600
QUALITY = 60

NAME = re.compile(r"(?P<look>\w+-\w+)-(?P<number>\d{2,3})-(?P<state>[\w-]+)")

INTRODUCTION = """\
# Every page, in every state

Taken by `make gallery`, in the order of an evening; then the set-up, and what comes less often. On
a phone of 390 x 844, long pages whole, and on a television of 1280 x 720 for the table page.
English by night, French by day.

Whole games on the television, a picture a moment, taken by `make film`: [base](films/base.webp),
[The Walking Dead](films/walking-dead.webp), [cards](films/cards.webp).
"""


def draw(source: Path, target: Path) -> None:
    """Write a scaled-down picture."""
    picture = cv2.imread(str(source))
    width = picture.shape[1]
    wide = WIDTHS[width > 1000]
    scale = wide / width
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(target), picture[:LONGEST], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def main(pictures: str, gallery: str) -> None:
    folder = Path(gallery)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()
    taken = [
        (found["look"], found["number"], found["state"], path)
        for path in Path(pictures).glob("*.png")
        if (found := NAME.fullmatch(path.stem))
    ]
    taken.sort(key=lambda entry: (entry[0], int(entry[1])))
    if not taken:
        raise SystemExit(f"{pictures}: no pictures there")
    if len({entry[:2] for entry in taken}) < len(taken):
        raise SystemExit(f"{pictures}: two pictures of one number")
    lines = [INTRODUCTION]
    for look, shown in groupby(taken, key=lambda entry: entry[0]):
        lines.append(f"\n## {look}\n\n")
        for _, _, state, path in shown:
            draw(path, folder / f"{path.stem}.webp")
            said = state.replace("-", " ")
            lines.append(f'<img src="{path.stem}.webp" width="180" alt="{said}" title="{said}">\n')
    (folder / "README.md").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

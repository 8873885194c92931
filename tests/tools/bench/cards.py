"""Measures the card reader on pictures of a pile: `python -m tests.tools.bench.cards [FOLDER]`.

FOLDER holds teach/TITLE/SIGN-NNN.jpg, KIND/NNN.jpg, KIND/NNN-before.jpg, and truth.json: `kind`,
`title`, `sign` and `corners` of each picture. Without it: tests/pictures/cards. Beside the reader a
baseline: SIFT with a homography, which is told where the card lies. Times are the processor's, so
that what else runs here counts for little.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from places import PICTURES

from companion.games.registry import card_signs
from tests.tools.bench.machine import machine
from vision.cards.deck import TaughtCard, TaughtDeck, encode_picture
from vision.cards.keypoints import KeypointFinder
from vision.cards.reader import CardReader, resize_to_read
from vision.cards.signs import parse_sign
from vision.cards.teach import cut_out

CARDS = PICTURES / "cards"
EXPECTED = {
    "top": "ok", "flip": "ok", "hires": "ok", "bent": "ok", "slid": "ok",
    "neat": "ok",
    "facedown": "facedown", "two": "many", "hand": "blocked", "empty": "none",
    "pushed": "moved", "nudged": "moved", "taken": "moved",
}  # fmt: skip


@cache
def taught(folder: Path) -> TaughtDeck:
    """Return the deck that the pictures in a folder TITLE/SIGN-NNN.jpg teach, once a process."""
    files = sorted(folder.glob("*/*.jpg"))
    cards = cut_out([np.asarray(cv2.imread(str(file)), np.uint8) for file in files])
    return TaughtDeck(
        "bench",
        tuple(
            TaughtCard(
                file.parent.name, parse_sign(file.stem.partition("-")[0]), encode_picture(card)
            )
            for file, card in zip(files, cards, strict=True)
            if card is not None
        ),
    )


def by_keypoints(
    finder: KeypointFinder, deck: TaughtDeck, picture: np.ndarray, corners: Any
) -> str:
    """Return the title that most keypoints within a card's true outline agree on."""
    scale = picture.shape[1] / resize_to_read(picture).shape[1]
    small = resize_to_read(picture)
    where = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(where, np.rint(np.array(corners) / scale).astype(np.int32), 1)
    found = finder.find(small, where > 0)
    return deck.cards[found[0].number].title if found else ""


def main(arguments: list[str]) -> None:
    """Print a line for each kind, and the times."""
    folder = Path(arguments[0]) if arguments else CARDS
    cv2.setNumThreads(1)
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    deck = taught(folder / "teach")
    reader = CardReader(deck, card_signs())
    finder = KeypointFinder([c.picture for c in deck.cards], [c.title for c in deck.cards])
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    spent: dict[str, list[float]] = defaultdict(list)
    for name, true in truth.items():
        kind = true["kind"]
        if kind not in EXPECTED:
            continue
        picture = np.asarray(cv2.imread(str(folder / name)), np.uint8)
        earlier = folder / name.replace(".jpg", "-before.jpg")
        before = np.asarray(cv2.imread(str(earlier)), np.uint8)
        begun = time.process_time()
        reading = reader.read(picture, before)
        spent["reader"].append(time.process_time() - begun)
        count = counts[kind]
        count["pictures"] += 1
        count["verdict"] += reading.verdict == EXPECTED[kind]
        count["wrong"] += reading.sure and reading.title != true["title"]
        if true["title"] is None:
            continue
        sign = None if reading.sign is None else str(reading.sign)
        count["title"] += reading.title == true["title"]
        count["sign"] += sign == true["sign"]
        count["sign sure"] += reading.sign_sure and sign == true["sign"]
        count["sign wrong"] += reading.sign_sure and sign != true["sign"]
        begun = time.process_time()
        count["by keypoints"] += (
            by_keypoints(finder, deck, picture, true["corners"]) == true["title"]
        )
        spent["keypoints"].append(time.process_time() - begun)
    print(f"{machine()}; one thread; {len(deck.cards)} pictures taught\n")
    columns = (
        "pictures", "verdict", "title", "wrong", "sign", "sign sure", "sign wrong", "by keypoints"
    )  # fmt: skip
    print("| kind | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for kind, count in counts.items():
        print(f"| {kind} | " + " | ".join(str(count[column]) for column in columns) + " |")
    for name, times in spent.items():
        middle, late = np.percentile(times, [50, 95]) * 1000
        print(f"\n{name}: {middle:.0f} ms a picture (median), {late:.0f} ms (95 %)")


if __name__ == "__main__":
    # NumPy's OpenBLAS counts its threads when it is loaded.
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    main(sys.argv[1:])

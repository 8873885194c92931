"""Benchmarks and the boot test run by themselves: nothing else notices what they name in vain."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import PICTURES, ROOT, TESTS

from companion.table.journal.journal import BACKUP, FILE, Journal
from companion.table.journal.saved import Line, LineKind, Saved
from tests.tools.attacks.kills import version_in
from tests.tools.bench import close_ups, follow, mat
from tests.tools.bench.drawn_evenings import Throw
from tests.tools.bench.evenings import judge
from tests.tools.bench.load import lost_presses
from vision.dice.profile import FACE_EDGE, PICTURE, load_profile
from vision.dice.reading import FACES, DiceReading, Die, TrayVerdict

pytestmark = [pytest.mark.processes, pytest.mark.slow]


NOT_HERE = {"camera_virtual"}
"""Runs where picamera2 is real."""


OTHERS = "import cv2, flask, hypothesis, numpy, paho.mqtt.client, playwright.sync_api, pytest"
"""What many modules need of others' packages: imported once, since that takes longest."""

IMPORT_EACH = f"""
import os, sys
{OTHERS}
failed = []
for module in sys.argv[1:]:
    child = os.fork()
    if not child:
        __import__(module)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(module)
sys.exit(", ".join(failed) or 0)
"""


@pytest.mark.parametrize(
    ("package", "one"), [("bench", "load"), ("boot", "__main__"), ("attacks", "cuts")]
)
def test_what_runs_by_itself_finds_what_it_names(package, one):
    """Each module is imported first, as by `python -m`."""
    modules = {path.stem for path in (TESTS / "tools" / package).glob("*.py")} - NOT_HERE
    assert one in modules
    assert imported([f"tests.tools.{package}.{name}" for name in sorted(modules)]) == (0, "")


def imported(modules: list[str]) -> tuple[int, str]:
    """Import each module in a process that has imported none of ours; how that ended."""
    command = [sys.executable, "-c", IMPORT_EACH, *modules]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_a_module_that_names_what_is_not_there_is_told():
    status, told = imported(["tests.tools.bench.machine", "tests.tools.bench.nothing"])
    assert status == 1
    assert "No module named 'tests.tools.bench.nothing'" in told


def test_accepted_presses_that_a_kill_lost_are_counted(tmp_path):
    lines = (Line(LineKind.HEADER, "{}"), Line(LineKind.MOVE, "{}"), Line(LineKind.UNDO, "1 0"))
    journal = Journal(tmp_path)
    for count in range(1, len(lines) + 1):
        journal.save(Saved(version=7_000_000 + count, game=1, lines=lines[:count]))
    journal.close()
    assert lost_presses(2, tmp_path) == 0
    assert version_in(tmp_path) == 7_000_003
    for path in (tmp_path / FILE, tmp_path / BACKUP):
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert lost_presses(2, tmp_path) == 1
    assert version_in(tmp_path) == 7_000_002, "`last-save` names a later one"


# A figure that can't be wrong proves nothing: each bench that counts what is sure and wrong is told
# a wrong truth. With the right one, the same pictures have no such figure.

ANOTHER = dict(zip(FACES, (*FACES[1:], FACES[0]), strict=True))


def throw_of(folder: Path, lies: bool) -> None:
    """Put a set of dice with one throw there; lies: its truth names another face for each die."""
    home, name = folder / "set", "normal/000.jpg"
    shutil.copytree(PICTURES / "renders/D/teach", home / "teach")
    (home / "normal").mkdir()
    shutil.copy(PICTURES / "renders/D" / name, home / name)
    truth = json.loads((PICTURES / "renders/D/truth.json").read_text())[name]
    if lies:
        truth["dice"] = [ANOTHER[face] for face in truth["dice"]]
        truth["boxes"] = [[*box, ANOTHER[face]] for *box, face in truth["boxes"]]
    (home / "truth.json").write_text(json.dumps({name: truth}))


def photo_of(folder: Path, lies: bool) -> None:
    """Put a photo of ordinary dice there."""
    home, name = folder / "photos", "WIN_20221210_14_48_16_Pro.jpg"
    home.mkdir()
    shutil.copy(PICTURES / "oblique_webcam" / name, home / name)
    label = json.loads((PICTURES / "oblique_webcam/labels.json").read_text())[name]
    dice = [7 - pips if lies else pips for pips in label["dice"]]
    (home / "labels.json").write_text(json.dumps({name: {"dice": dice}}))


def card_of(folder: Path, lies: bool) -> None:
    """Put a taught deck and a card on a pile there."""
    (folder / "teach").symlink_to(PICTURES / "cards/teach")
    (folder / "top").symlink_to(PICTURES / "cards/top")
    truth = json.loads((PICTURES / "cards/truth.json").read_text())["top/013.jpg"]
    truth |= {"title": "duel"} if lies else {}
    (folder / "truth.json").write_text(json.dumps({"top/013.jpg": truth}))


def column(printed: str, name: str) -> int:
    """Add up a column of the tables that were printed."""
    place, total = 0, 0
    for line in printed.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if name in cells:
            place = cells.index(name)
        elif 0 < place < len(cells) and (figure := re.match(r"\d+", cells[place])):
            total += int(figure[0])
    return total


BENCHES: dict[str, tuple[list[str], Callable[[Path, bool], None], str]] = {
    "symbols": ([".", "--reader-only"], throw_of, "dice sure and wrong"),
    "aim": (["."], throw_of, "sure and wrong"),
    "changed": ([".", "--only", "pictures"], throw_of, "sure and wrong"),
    "sizes": ([".", "--only=parts", "--parts=1"], throw_of, "sure and wrong"),
    "learn": (["."], throw_of, "sure and wrong"),
    "bracket": ([".", "."], throw_of, "of these wrong"),
    "follow": ([], throw_of, "of these wrong"),
    "vision": ([".", "--reader-only"], photo_of, "sure and wrong"),
    "cards": (["."], card_of, "wrong"),
}


@pytest.mark.parametrize("bench", BENCHES)
def test_a_bench_that_is_told_another_truth_counts_what_is_wrong(
    tmp_path, monkeypatch, capsys, bench
):
    given, put, name = BENCHES[bench]
    noisy = partial(follow.print_noisy, Path())
    main = noisy if bench == "follow" else import_module(f"tests.tools.bench.{bench}").main
    for lies in (False, True):
        folder = tmp_path / f"{lies}"
        folder.mkdir()
        put(folder, lies)
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", [bench, *given])
        main(*[given] if signature(main).parameters else [])
        assert (column(capsys.readouterr().out, name) > 0) == lies


def test_a_mat_on_which_dice_are_misread_is_told(monkeypatch):
    def profile(name: str) -> Any:
        found = load_profile(name)
        return replace(found, faces=(*found.faces[1:], found.faces[0]))

    monkeypatch.setattr(mat, "THROWS", 1)
    assert mat.score(mat.DICES[0], 16.0, None).wrong == 0
    monkeypatch.setattr(mat, "load_profile", profile)
    assert mat.score(mat.DICES[0], 16.0, None).wrong == 5


def test_an_evening_counts_dice_that_are_sure_and_wrong():
    dice = tuple(Die(face, 50 * x, 50, 40, 0, 1, True, (face,)) for x, face in enumerate(FACES[:5]))
    reading = DiceReading(TrayVerdict.OK, dice)
    right = [(die.x, die.y, die.size, die.face) for die in dice]
    picture = np.zeros((1, 1, 3), np.uint8)
    for wrong, misread in ((right, 0), ([(*right[0][:3], FACES[5]), *right[1:]], 1)):
        count = judge(reading, Throw(picture, wrong))
        assert (count.silent, count.wrong_ok) == (misread, misread)
    leaning = judge(reading, Throw(picture, [(*right[0][:3], "cocked"), *right[1:]]))
    assert (leaning.silent, leaning.leaning_ok) == (1, 1)


def test_a_close_up_from_which_something_else_was_cut_out_is_wrong():
    _, face = close_ups.close_up(PICTURES / "renders/D", "teach/beer/000.jpg", 0.35, np.zeros(2))
    around = [((PICTURE - FACE_EDGE) // 2,) * 2] * 2 + [(0, 0)]
    for shift, right in ((0, True), (FACE_EDGE // 2, False)):
        kept = np.pad(np.roll(face, shift, axis=1), around)
        assert (close_ups.likeness(kept, face) > close_ups.SAME) == right

"""Pulls the plug of a disk that loses its cache, and looks what is left of the saved table.

    python -m tests.tools.attacks.cuts [--cuts 60] [--seed 1]

A table plays on ext4, on a disk whose writes QEMU notes. Then the disk is put together as it may
be at a random moment: what was flushed is there, of later writes each by chance. The file system
is mended as a boot does, and the table starts. The control plays without waiting for the disk,
and must lose presses. Needs root, qemu-storage-daemon and e2fsprogs. Prints a Markdown table.
Exits with 1 where an answered press was lost, or where the control lost none.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from places import TESTS
from stand_ins import dice_game

from companion.games.registry import GAMES
from companion.table.journal.journal import Journal
from companion.table.table import Table
from tests.tools.attacks.kills import version_in
from tests.tools.bench.machine import machine
from tests.tools.boot.lossy_disk import check_disk, noted, replay, take

PLAYER = TESTS / "support/endless_game.py"
NOT_WAITING = "import os\nos.fdatasync = lambda number: None\n"
PRESSES, SIZE = 90, 128 << 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    figures = []
    for before in ("", NOT_WAITING):
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            figures.append(cut_often(Path(folder), before, arguments.cuts, arguments.seed))
    print(f"\n{arguments.cuts} cuts of {PRESSES} presses, {machine()}\n")
    print("| | answered presses lost | bytes a press, on the disk |\n|---|---|---|")
    for name, (lost, size) in zip(("the table", "not waiting (control)"), figures, strict=True):
        print(f"| {name} | {lost} | {size:,} |")
    return int(bool(figures[0][0]) or not figures[1][0])


def cut_often(folder: Path, before: str, cuts: int, seed: int) -> tuple[int, int]:
    """Return in how many cuts an answered press was lost, and how many bytes a press wrote.

    before: a program that runs before the table.
    """
    disk, empty, log = folder / "disk.img", folder / "empty.img", folder / "writes.log"
    with empty.open("wb") as file:
        file.truncate(SIZE)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-b", "4096", empty], check=True)
    subprocess.run(["cp", "--sparse=always", empty, disk], check=True)
    program = folder / "player.py"
    program.write_text(before + PLAYER.read_text("utf-8"))
    with noted(disk, log) as mounted:
        answered = play(program, mounted / "table", log, seed)
    chance, lost, end = random.Random(seed), 0, log.stat().st_size
    for _ in range(cuts):
        cut = chance.randrange(answered[0][0], end)
        replay(empty, log, cut, disk, chance)
        check_disk(disk)
        take(disk, "/table", folder / "saved")
        version = version_in(folder / "saved")
        with closing(Journal(folder / "saved")) as journal:
            # It starts, whatever is left.
            Table(journal, GAMES, dice_game())
        lost += version < [told for written, told in answered if written <= cut][-1]
    return lost, (end - answered[0][0]) // len(answered)


def play(program: Path, folder: Path, log: Path, seed: int) -> list[tuple[int, int]]:
    """Play; return for each answered press how much was written by then, and the version."""
    paths = os.pathsep.join([str(PLAYER.parents[2]), str(PLAYER.parent)])
    player = subprocess.Popen(
        [sys.executable, program, folder, str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert player.stdout is not None
    answered = []
    for _ in range(PRESSES):
        version = int(player.stdout.readline())
        answered.append((log.stat().st_size, version))
    player.kill()
    player.communicate()
    return answered


if __name__ == "__main__":
    sys.exit(main())

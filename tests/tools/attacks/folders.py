"""Damages the data folder of a saved table in several ways at once, and looks at the next start.

    python -m tests.tools.attacks.folders [--folders 300] [--seed 1]

A table plays and is killed. In a copy of its folder, one to five things are spoilt: its file and
the copy of that, what is proven in them but makes no sense, and whatever may lie in their places or
beside them. Prints a Markdown table. Exits with 1 where the table did not start or could not go on,
lost or changed something without a word, or lost what was still there.
"""

import argparse
import json
import logging
import os
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from endless_game import begin, play
from people import join
from stand_ins import dice_game

from companion.app.build import RunningTable, start_table
from companion.games.registry import GAMES
from companion.settings import Settings
from companion.table import rounds
from companion.table.changes import Press
from companion.table.journal.journal import BACKUP, FILE, PART, Journal
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.saved import Saved
from companion.table.table import Table
from tests.tools.attacks.flips import content
from tests.tools.bench.machine import machine

MOVES, SEED = 20, 5
"""A deal that lasts longer than that many moves."""
MOST = 5
"""Things that are spoilt at once."""

FACTS = ("options", "dealing", "sheriff", "claims", "bid", "queue", "guesses", "tray", "told")


class Damage(NamedTuple):
    """What is done to a data folder."""

    where: str
    """The file or folder that is damaged: only one damage of each at once."""
    do: Callable[[Path, random.Random], object]
    told: bool = True
    """Whether the pages say so where nothing else is damaged."""
    senseless: bool = False
    """Whether the file and its copy are whole, but say what makes no sense."""


def resave(data: Path, change: Callable[[Saved], Saved]) -> None:
    """Save something else, as a table would."""
    with closing(Journal(data)) as journal:
        saved = journal.saved
        journal.save(Saved(saved.version))
        journal.save(change(saved))


def spoil_fact(data: Path, chance: random.Random) -> None:
    name, text = chance.choice(FACTS), chance.choice(["1x2", "[[]]", "[" * 5000, "\ud7ff"])
    resave(data, lambda saved: replace(saved, facts={**saved.facts, name: text}))


def spoil_line(data: Path, chance: random.Random) -> None:
    def spoilt(saved: Saved) -> Saved:
        lines = list(saved.lines)
        number = chance.randrange(1, len(lines))
        lines[number] = lines[number]._replace(body=chance.choice(["{", "", "{}", "[[]]"]))
        return replace(saved, lines=tuple(lines))

    resave(data, spoilt)


def turn_bit(path: Path, chance: random.Random) -> None:
    # Behind the lines there is room for more: zeros.
    spoilt = bytearray(path.read_bytes().rstrip(b"\0"))
    spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    path.write_bytes(spoilt)


def cut(path: Path, chance: random.Random) -> None:
    whole = path.read_bytes().rstrip(b"\0")
    *lines, last = whole.splitlines(keepends=True)
    # Where there are several lines, one less at least: a pulled plug leaves half a last one.
    end = chance.randrange(1, len(whole) - (len(last) if lines else 1))
    # Between two lines nothing would show it, were the copy gone too.
    path.write_bytes(whole[: end - 2 * (b"\n" in whole[end - 1 : end + 1])])


def overwrite(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(path.stat().st_size))


def put_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def setup(**changes: Any) -> str:
    return json.dumps({"mains": 50, "held": {}, "profile": "", "steps": {}} | changes)


def put_games(data: Path, put: Callable[[Path], object]) -> None:
    """Put something in the place of the folder of records."""
    shutil.rmtree(data / RECORDS, ignore_errors=True)
    put(data / RECORDS)


def of_file(name: str, whose: str, *, told: bool) -> dict[str, Damage]:
    """What may happen to the file of a table, or to its copy."""
    return {
        f"{whose} is missing": Damage(name, lambda data, _: (data / name).unlink(), told),
        f"{whose} is empty": Damage(name, lambda data, _: (data / name).write_bytes(b""), told),
        f"{whose} is cut off": Damage(name, lambda data, c: cut(data / name, c), told),
        f"{whose} has a bit turned": Damage(name, lambda data, c: turn_bit(data / name, c), told),
        f"{whose} is overwritten": Damage(name, lambda data, c: overwrite(data / name, c), told),
    }


THINGS: Mapping[str, Damage] = {
    "a fact that makes no sense": Damage(FILE, spoil_fact, senseless=True),
    "a line that makes no sense": Damage(FILE, spoil_line, senseless=True),
    **of_file(FILE, "the file", told=True),
    **of_file(BACKUP, "the copy", told=False),
    "a folder called like the copy": Damage(
        BACKUP, lambda data, _: put_folder(data / BACKUP), told=False
    ),
    "a file called games": Damage(
        RECORDS, lambda data, _: put_games(data, lambda games: games.write_text("mine"))
    ),
    "a link that leads nowhere called games": Damage(
        RECORDS, lambda data, _: put_games(data, lambda games: games.symlink_to("nowhere"))
    ),
    "a folder called like the new file": Damage(
        PART, lambda data, _: (data / PART / "full").mkdir(parents=True)
    ),
    "a file called like a folder for damage": Damage(
        "damaged",
        lambda data, _: [
            (data / f"damaged-{year}-{month:02}-{day:02}").touch()
            for year in (2026, 2027)
            for month in range(1, 13)
            for day in range(1, 32)
        ],
        told=False,
    ),
    "a pipe called setup.json": Damage(
        "setup.json", lambda data, _: os.mkfifo(data / "setup.json")
    ),
    "a folder called setup.json": Damage(
        "setup.json", lambda data, _: (data / "setup.json").mkdir()
    ),
    "nested setup.json": Damage(
        "setup.json", lambda data, _: (data / "setup.json").write_text("[" * 100_000)
    ),
    "no text in setup.json": Damage(
        "setup.json", lambda data, _: (data / "setup.json").write_bytes(b"\xff\xfe\x00")
    ),
    "an overlong profile": Damage(
        "setup.json",
        lambda data, _: (data / "setup.json").write_text(setup(profile="x" * 5000)),
        told=False,
    ),
    "no name of a profile": Damage(
        "setup.json",
        lambda data, _: (data / "setup.json").write_text(setup(profile="\ud800")),
    ),
    "strange steps": Damage(
        "setup.json",
        lambda data, _: (data / "setup.json").write_text(setup(steps={"x": "y"})),
        told=False,
    ),
    "strange settings": Damage(
        "setup.json",
        lambda data, _: (data / "setup.json").write_text(setup(held={"usb": {"x": 1}})),
        told=False,
    ),
    "a file called profiles": Damage(
        "profiles", lambda data, _: (data / "profiles").write_text("mine"), told=False
    ),
    "a profile that is none": Damage(
        "profiles",
        lambda data, _: (
            (data / "profiles").mkdir(),
            (data / "profiles/mine.dice").write_bytes(b"PK" * 99),
            (data / "setup.json").exists()
            or (data / "setup.json").write_text(setup(profile="mine")),
        ),
        told=False,
    ),
    "a pipe called tray.png": Damage(
        "tray.png", lambda data, _: os.mkfifo(data / "tray.png"), told=False
    ),
    "a picture that is none": Damage(
        "tray.png", lambda data, _: (data / "tray.png").write_bytes(b"\x89PNG" * 99), told=False
    ),
    "names that are no text": Damage(
        "names", lambda data, _: Path(os.fsdecode(bytes(data) + b"/\xff\xfe")).touch(), told=False
    ),
}
"""What may lie in a data folder, in the order in which it is done."""

OUTCOMES = ("whole", "whole, told", "lost, told")
BAD = ("lost, silent", "lost, but it was there", "did not start", "did not go on")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folders", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        figures = damage_often(Path(folder), arguments.folders, arguments.seed)
    print(f"\n{arguments.folders} folders, seed {arguments.seed}, {machine()}\n")
    print(f"| things spoilt at once | {' | '.join((*OUTCOMES, *BAD))} |")
    print(f"|{'---|' * (1 + len(OUTCOMES) + len(BAD))}")
    for number, counted in sorted(figures.items()):
        outcomes = " | ".join(str(len(counted[outcome])) for outcome in (*OUTCOMES, *BAD))
        print(f"| {number} | {outcomes} |")
    bad = [
        f"{outcome}: {', '.join(things)}"
        for counted in figures.values()
        for outcome in BAD
        for things in counted[outcome]
    ]
    print(*bad, sep="\n")
    return int(bool(bad))


Figures = Mapping[int, Mapping[str, list[Collection[str]]]]
"""By how many things were spoilt and by outcome: what was spoilt each time."""


def damage_often(folder: Path, folders: int, seed: int) -> Figures:
    """Return how often each start ended how: first with each damage alone, then with several."""
    chance, killed = random.Random(seed), folder / "killed"
    played(folder / "played", killed)
    with started(Path(shutil.copytree(killed, folder / "whole"))) as running:
        whole = content(running.table)
    alone = [[name] for name in THINGS]
    figures: defaultdict[int, defaultdict[str, list[Collection[str]]]]
    figures = defaultdict(lambda: defaultdict(list))
    for number in range(folders):
        things = alone[number] if number < len(alone) else several(chance)
        copy = folder / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(killed, copy)
        for name in things:
            THINGS[name].do(copy, chance)
        figures[len(things)][outcome(copy, whole, things)].append(things)
    return figures


def several(chance: random.Random) -> list[str]:
    """Choose what is spoilt at once, in the order in which it is done."""
    wheres = sorted({damage.where for damage in THINGS.values()})
    chosen = chance.sample(wheres, chance.randint(2, MOST))
    picked = {
        chance.choice([name for name, damage in THINGS.items() if damage.where == where])
        for where in chosen
    }
    return [name for name in THINGS if name in picked]


def played(folder: Path, killed: Path) -> None:
    """Leave a folder as a kill leaves it in the middle of a table's second game."""
    with closing(Journal(folder)) as journal:
        table = Table(journal, GAMES, dice_game(), chance=random.Random(SEED))
        host, chance = begin(table), random.Random(SEED)
        table.do(rounds.new_game, Press(host, table.view().version))
        begin(table)
        for _ in range(MOVES):
            play(table, host, chance)
        shutil.copytree(folder, killed)


@contextmanager
def started(data: Path) -> Iterator[RunningTable]:
    with ExitStack() as stack:
        yield start_table(Settings(host="127.0.0.1", port=0, camera="none", data=data), stack)


def outcome(data: Path, whole: Saved, things: Collection[str]) -> str:
    """Return what the next start makes of a folder, and whether the table goes on from there."""
    try:
        with started(data) as running:
            kept, told = content(running.table) == whole, bool(running.table.view().troubles)
            found = content(running.table)
            go_on(running.table)
            left = content(running.table)
    except Exception:
        return "did not start"
    try:
        with started(data) as running:
            if content(running.table) != left or found == left:
                return "did not go on"
    except Exception:
        return "did not go on"
    if kept:
        return "whole, told" if told else "whole"
    if not told:
        return "lost, silent"
    spoilt = [THINGS[name] for name in things]
    both = {damage.where for damage in spoilt} >= {FILE, BACKUP}
    if not both and not any(damage.senseless for damage in spoilt):
        return "lost, but it was there"
    return "lost, told"


def go_on(table: Table) -> None:
    """Press something that is saved."""
    people = table.view().people
    if not people:
        join(table, "Zoe", "")
    elif table.scene.history is None:
        table.do(rounds.start_game, Press(people[0].id, table.view().version))
    else:
        table.do(rounds.new_game, Press(people[0].id, table.view().version))


if __name__ == "__main__":
    sys.exit(main())

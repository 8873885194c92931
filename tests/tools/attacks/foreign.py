"""Puts older files and those of other tables into the folder of a saved table, and starts it.

    python -m tests.tools.attacks.foreign [--each 4] [--seed 1]

A table plays dice, another one cards; what lies on the disk is noted after every change. Then a
copy of the folder is spoilt: one file at a time, its journal and the copy of that cut off at the
same line, or older ones, or those of another table, put in their place, alone or with `last-save`.
A part of the cases are what kills and pulled plugs leave, where nothing is lost. Prints a Markdown
table. Exits with 1 where something was lost without a word or told for nothing, where what was
found was not kept, or where the table did not start.
"""

import argparse
import logging
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from endless_game import play, seat
from places import SAVED
from stand_ins import dice_game

from companion.base.refused import Refused
from companion.club.publishing.outbox import FILE as OUTBOX
from companion.club.publishing.outbox import Outbox
from companion.games.cards import players as card_players
from companion.games.cards.game import CARD_GAME
from companion.games.game import Selection
from companion.games.registry import GAMES
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.journal.journal import (
    BACKUP,
    FILE,
    PART,
    RESERVE,
    ROLLS,
    STORIES,
    WITNESS,
    WITNESSES,
    Journal,
)
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.migrations import FILE as OLD_FILE
from companion.table.journal.saved import Saved
from companion.table.scene import Trouble
from companion.table.table import Table
from tests.tools.attacks.flips import content
from tests.tools.attacks.folders import started
from tests.tools.bench.machine import machine

KINDS: Mapping[str, Selection] = {"dice": dice_game(), "cards": CARD_GAME.select("base")}
MOVES = 14
"""Moves until the table is stopped, or begins the next of its three games."""

GOOD = ("whole", "whole, told", "lost, told")
BAD = ("lost, silent", "told for nothing", "not kept", "did not start")

Files = Mapping[str, bytes | None]
"""Contents by name; None of a file that isn't there."""


class Moment(NamedTuple):
    """A moment of an evening."""

    files: Files
    """The journal, its copy, and what tells how new they are."""
    saved: Saved
    """What the table held."""
    sure: bool
    """Whether the last change was on the disk, so that no plug could take it."""
    kept: Set[str]
    """The records of the games that had left the table, their stories, and pictures of rolls."""


class Case(NamedTuple):
    """What is put into a folder."""

    files: Files
    """The files."""
    expected: Saved
    """What the table holds if nothing is lost."""
    honest: bool = False
    """Whether kills and pulled plugs leave this: nothing is lost, and nothing may be told."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=4, help="bits, and cuts, of each single file")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    logging.disable()
    figures: dict[str, Counter[str]] = {}
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            found = attack(Path(folder), kind, arguments.each, 1, arguments.seed)
        figures |= {f"{kind}: {way}": counted for way, counted in found.items()}
    cases = sum(counted.total() for counted in figures.values())
    print(f"\n{cases} folders, seed {arguments.seed}, {machine()}\n")
    print(f"| what lies there | {' | '.join((*GOOD, *BAD))} |\n|{'---|' * (len(GOOD + BAD) + 1)}")
    for way, counted in figures.items():
        print(f"| {way} | {' | '.join(str(counted[outcome]) for outcome in GOOD + BAD)} |")
    return int(any(counted[bad] for counted in figures.values() for bad in BAD))


def attack(folder: Path, kind: str, each: int, step: int, seed: int) -> dict[str, Counter[str]]:
    """Return how often each start ended how, by what lay there.

    each: how often single files are spoilt; step: of what can be done at every moment, one in so
    many is tried.
    """
    chance, killed = random.Random(seed), folder / "killed"
    moments = played(killed, kind, seed)
    others = [played(folder / name, name, seed + 1)[-1].files for name in KINDS]
    last = moments[-1]

    def some(cases: Iterator[Case], step: int = step) -> Sequence[Case]:
        tried = list(cases)
        count = len(tried) // step
        return tried if count == len(tried) else chance.sample(tried, count)

    ways = {
        "one file, damaged": some(one_file(killed, last, chance, each), 1),
        "journal and copy, cut off at the same line": some(both_cut(last)),
        "another table's": some(foreign(last, others), 1),
        "older": some(older(moments)),
        "what a kill or a pulled plug leaves": some(honest(moments, chance)),
    }
    return {
        way: Counter(outcome(killed, folder / "copy", kind, case) for case in cases)
        for way, cases in ways.items()
    }


def played(folder: Path, kind: str, seed: int) -> list[Moment]:
    """Play three games, the last two with a restart in between; return what was on the disk."""
    moments: list[Moment] = []
    chance = random.Random(seed)
    for begins in (True, True, False, True, False):
        with closing(Journal(folder)) as journal:
            table = Table(journal, GAMES, KINDS[kind], chance=chance)
            table.follow(lambda *_, of=table: moments.append(moment(folder, of)))
            host = seat(table)
            if begins and table.scene.history is not None:
                table.do(rounds.new_game, Press(host, table.view().version))
            if begins:
                table.do(rounds.start_game, Press(host, table.view().version))
            # Pictures are kept once the table has saved.
            picture = folder / ROLLS / str(table.view().game_number) / "1.jpg"
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(b"no picture")
            for number in range(MOVES):
                press = Press(host, table.view().version)
                if number == MOVES // 2:
                    with suppress(Refused):
                        table.do(moves.undo, press)
                elif kind == "dice":
                    play(table, host, chance)
                else:
                    assert table.scene.history
                    state: Any = table.scene.history.state
                    if state.result is not None:
                        break
                    table.do(moves.move, press, card_players.random_move(state, chance))
    with started(folder):
        # Makes what else lies in a folder.
        Outbox(folder / OUTBOX).close()
    put(folder, moments[-1].files)
    return moments


def moment(folder: Path, table: Table) -> Moment:
    files = {name: (folder / name).read_bytes() for name in (FILE, BACKUP)}
    seen = {name: folder / name for name in WITNESSES}
    last = files[FILE].rstrip(b"\0").splitlines()[-1]
    return Moment(
        {**files, **{name: at.read_bytes() if at.exists() else None for name, at in seen.items()}},
        content(table),
        b'{"version": ' in last or b'{"format": ' in last,
        {
            str(path.relative_to(folder))
            for kept in (RECORDS, ROLLS, STORIES)
            for path in folder.glob(f"{kept}/**/*")
            if path.is_file()
        }
        - {*WITNESSES},
    )


def put(folder: Path, files: Files) -> None:
    for name, there in files.items():
        if there is None:
            (folder / name).unlink(missing_ok=True)
            with suppress(OSError):
                # The pictures of a game have a folder for themselves.
                (folder / name).parent.rmdir()
        else:
            (folder / name).write_bytes(there)


# What lies there


def one_file(killed: Path, last: Moment, chance: random.Random, each: int) -> Iterator[Case]:
    """Spoil every file of a folder alone."""
    for path in sorted(path for path in killed.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        spoilt: list[bytes | None] = [None, b"", bytes(len(whole)), chance.randbytes(len(whole))]
        # Behind its lines a journal has room for more.
        for _ in range(each if whole else 0):
            place = chance.randrange(len(whole.rstrip(b"\0")))
            turned = bytes([whole[place] ^ 1 << chance.randrange(8)])
            spoilt += [whole[:place], whole[:place] + turned + whole[place + 1 :]]
        name = str(path.relative_to(killed))
        # Of what isn't the table's own file, nothing needs to be said here.
        yield from (Case({name: left}, last.saved, honest=name in WITNESSES) for left in spoilt)


def both_cut(last: Moment) -> Iterator[Case]:
    """Cut the journal and its copy off at the same line, as short as they are then or filled up."""
    lines = text(last.files[FILE]).splitlines(keepends=True)
    for number in range(1, len(lines)):
        left = b"".join(lines[:number])
        for file in (left, filled(left)):
            yield Case({FILE: file, BACKUP: left}, last.saved)


def foreign(last: Moment, others: Sequence[Files]) -> Iterator[Case]:
    """Put in what another table wrote, of this version or of earlier ones."""
    earlier = [
        {name: (SAVED / folder / name).read_bytes() for name in (FILE, BACKUP)}
        for folder in ("0.3.0/lobby", "0.3.0/playing", "0.3.0/cards")
    ]
    for theirs in (*others, *earlier):
        for names in ((FILE,), (BACKUP,), (FILE, BACKUP), (FILE, BACKUP, WITNESS)):
            yield Case({name: theirs.get(name) for name in names}, last.saved)
        yield Case({FILE: None, PART: theirs[FILE]}, last.saved)
        yield Case({FILE: theirs[FILE], WITNESS: None}, last.saved)
        yield Case({BACKUP: theirs[FILE], WITNESS: None}, last.saved)
        yield Case({FILE: theirs[FILE], BACKUP: b""}, last.saved)
    for folder in ("0.1.0/playing", "0.2.0/playing"):
        sides = [path for path in (SAVED / folder).iterdir() if path.name.startswith(OLD_FILE)]
        yield Case({path.name: path.read_bytes() for path in sides}, last.saved)


def older(moments: Sequence[Moment]) -> Iterator[Case]:
    """Put in what the table itself wrote at an earlier moment."""
    *before, last = moments
    for there in before:
        for names in ((FILE,), (BACKUP,), (FILE, BACKUP), (FILE, BACKUP, WITNESS)):
            yield Case({name: there.files[name] for name in names}, last.saved)


def honest(moments: Sequence[Moment], chance: random.Random) -> Iterator[Case]:
    """Leave what a kill leaves at a moment, or what a pulled plug does: files that lag behind."""
    kept = moments[-1].kept
    for number, there in enumerate(moments):
        left = dict.fromkeys(kept - there.kept)
        yield Case({**there.files, **left}, there.saved, honest=True)
        if there.sure:
            lagging = chance.choice([chance.choice(moments[: number + 1]).files[BACKUP], b"", None])
            seen = {name: chance.choice(moments[: number + 1]).files[name] for name in WITNESSES}
            seen = {
                name: chance.choice([said, text(said)[:40], b"", None])
                for name, said in seen.items()
            }
            torn = there.files[FILE]
            after = text(moments[min(number + 1, len(moments) - 1)].files[FILE])
            if lagging and (line := after.removeprefix(text(torn))) != after and len(line) > 1:
                line = line[: chance.randrange(len(line) - 1)]
                torn = filled(text(torn) + line)
            files = {FILE: torn, BACKUP: lagging, **seen}
            yield Case({**files, **left}, there.saved, honest=True)
    last = moments[-1]
    # A game that was deleted, and those that a backup of another table brought.
    yield Case(dict.fromkeys(kept), last.saved, honest=True)
    yield Case({f"{RECORDS}/WXYZ-99.jsonl": b"{}\n"}, last.saved, honest=True)


def filled(content: bytes) -> bytes:
    """Return the lines of a file with room for more."""
    return content.ljust(-(-len(content) // RESERVE) * RESERVE, b"\0")


def text(content: bytes | None) -> bytes:
    """Return the lines of a file, without the room for more."""
    return (content or b"").rstrip(b"\0")


# What becomes of it


def outcome(killed: Path, copy: Path, kind: str, case: Case) -> str:
    """Return what two starts make of a folder with other files in it."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(killed, copy)
    put(copy, case.files)
    there = {path.read_bytes() for path in copy.glob("table.*")}
    # Only the whole program opens all files.
    whole = len(case.files) == 1 and not case.files.keys() & {FILE, BACKUP, *WITNESSES}
    try:
        found, told = start(copy, kind, whole=whole)
        again = start(copy, kind, whole=whole)
    except Exception:
        return "did not start"
    kept = {path.read_bytes() for path in copy.glob("*-*/table.*")}
    if again != (found, told) or (told & {Trouble.DAMAGE, Trouble.OLDER} and there - kept):
        return "not kept"
    if found != case.expected:
        return "lost, told" if told and not case.honest else "lost, silent"
    if told:
        return "told for nothing" if case.honest else "whole, told"
    return "whole"


def start(folder: Path, kind: str, *, whole: bool) -> tuple[Saved, set[Trouble]]:
    """Start the table, or the whole program; return what it holds, and what it tells."""
    if whole:
        with started(folder) as running:
            return content(running.table), set(running.table.view().troubles)
    with closing(Journal(folder)) as journal:
        table = Table(journal, GAMES, KINDS[kind])
        return content(table), set(table.view().troubles)


if __name__ == "__main__":
    sys.exit(main())

"""Damages each file of a data folder in each way, and looks at the next start.

    python -m tests.tools.attacks.files [--cases 0] [--seed 1]

A table of either game plays and is killed, and so is a hall. In a copy of its folder, one file or
folder is damaged: bits turn, it is cut off, emptied, deleted, called by bytes that are no text, or
another thing lies in its place. Prints a Markdown table. Exits with 1 where the table hung or did
not start, or where something was lost or changed without a word on a page or in the log.
"""

import argparse
import logging
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import cv2
import numpy as np
from clubs import Club, ClubTable
from disks import copy_in_use
from endless_game import begin, play
from many_games import NAMES, fill
from people import join
from places import RECORDED

from companion.app.build import RunningTable, start_table
from companion.app.hall import FOLDER as HALL
from companion.camera.setup_store import SetupStore
from companion.club.hall.tournament import add_players, create
from companion.club.publishing.outbox import FILE as OUTBOX
from companion.club.publishing.outbox import Outbox
from companion.club.publishing.progress import Outgoing, Sent
from companion.games.cards.players import random_move
from companion.memory.statistics import queries
from companion.memory.statistics.database import FILE as STATISTICS
from companion.memory.statistics.database import Database
from companion.memory.statistics.players import PlayerNames
from companion.settings import MqttSettings, Settings
from companion.table import moves, rounds
from companion.table.changes import Press
from companion.table.scene import Phase, Trouble
from companion.table.table import Table
from hardware.camera.interface import CameraError
from hardware.camera.pictures import load_picture
from tests.tools.attacks.flips import content
from tests.tools.bench.machine import machine
from vision.profile_files import SHIPPED
from web.site import EXTENSION

FORMS = ("dice", "cards", HALL)
MOVES, SEED = 12, 5
"""Moves of the game on the table, which doesn't end with them."""
PATIENCE_S = 60.0
"""How long a start may take on a machine that does other things too."""

CARD_GAME = RECORDED / "cards/five-players-law.jsonl"

Damage = Callable[[Path, random.Random], object]


def turn_bit(path: Path, chance: random.Random) -> None:
    # Behind the lines of a journal there is room for more: zeros.
    spoilt = bytearray(path.read_bytes().rstrip(b"\0"))
    spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    path.write_bytes(spoilt)


def cut(path: Path, chance: random.Random) -> None:
    whole = path.read_bytes().rstrip(b"\0")
    path.write_bytes(whole[: chance.randrange(1, len(whole) - 1)])


def put_back(path: Path, chance: random.Random) -> None:
    """Put in what the file was earlier: it lacks some of its last lines."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: chance.randrange(1, len(lines))]))


def put_bytes(path: Path, chance: random.Random) -> None:
    """Put what is no UTF-8 into a text, inside a string where there is one."""
    whole = path.read_bytes()
    at = whole.find(b'"') + 1
    path.write_bytes(whole[:at] + b"\xff\xfe" + whole[at:])


def put_half_a_letter(path: Path, chance: random.Random) -> None:
    """Put half a surrogate pair into a string that is a value."""
    whole = path.read_bytes()
    places = [found.start() for found in re.finditer(rb'(?<=[:\[,] ")[^"\\]', whole)]
    at = chance.choice(places or [whole.find(b'"') + 1])
    path.write_bytes(whole[:at] + rb"\ud83e" + whole[at + 1 :])


def replaced(put: Callable[[Path], object]) -> Damage:
    """Return what puts something else in the place of a file or folder."""

    def replace(path: Path, chance: random.Random) -> None:
        remove(path, chance)
        put(path)

    return replace


def remove(path: Path, chance: random.Random) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def rename(path: Path, chance: random.Random) -> None:
    path.rename(os.fsdecode(bytes(path.with_suffix("")) + b"\xff" + path.suffix.encode()))


OF_BOTH: Mapping[str, Damage] = {
    "deleted": remove,
    "called by bytes that are no text": rename,
    "a pipe": replaced(os.mkfifo),
    "a link that leads nowhere": replaced(lambda path: path.symlink_to("nowhere")),
}
OF_FILES: Mapping[str, Damage] = {
    "a bit turned": turn_bit,
    "cut off": cut,
    "emptied": lambda path, _: path.write_bytes(b""),
    "zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "a folder": replaced(Path.mkdir),
    **OF_BOTH,
}
OF_TEXTS: Mapping[str, Damage] = {
    "bytes that are no text": put_bytes,
    "half a letter": put_half_a_letter,
    **OF_FILES,
}
OF_LOGS: Mapping[str, Damage] = {"an older one": put_back, **OF_TEXTS}
OF_FOLDERS: Mapping[str, Damage] = {
    "a file": replaced(lambda path: path.write_text("mine")),
    **OF_BOTH,
}


class Case(NamedTuple):
    """One damage of one folder."""

    form: str
    """Which game is on the table; or the hall."""
    path: str
    """The file or folder that is damaged, in the data folder."""
    how: str
    """What happens to it."""
    do: Damage
    """Makes that happen."""


OUTCOMES = ("whole", "changed, told")
BAD = ("changed, silent", "did not start", "hung")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=0, help="default: all")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = damage_each(Path(folder), arguments.cases, arguments.seed)
    return report(figures, arguments.seed)


Figures = Mapping[str, Mapping[str, Sequence[str]]]
"""By kind of file and by outcome: what was damaged, and how."""


def report(figures: Figures, seed: int) -> int:
    """Print the figures; return the status to exit with."""
    total = sum(len(cases) for counted in figures.values() for cases in counted.values())
    print(f"\n{total} damages, one at a time, seed {seed}, {machine()}\n")
    print(f"| damaged | {' | '.join((*OUTCOMES, *BAD))} |\n|{'---|' * (1 + len(OUTCOMES + BAD))}")
    for kind, counted in sorted(figures.items()):
        cells = " | ".join(str(len(counted.get(each, ()))) for each in (*OUTCOMES, *BAD))
        print(f"| `{kind}` | {cells} |")
    return int(any(counted.get(each) for counted in figures.values() for each in BAD))


def damage_each(folder: Path, most: int, seed: int) -> Figures:
    """Return how each start ended. most: that many cases, drawn at random; 0: all."""
    cases: list[Any] = []
    wholes: dict[str, Any] = {}
    for form in FORMS:
        if form == HALL:
            fill_hall(folder / form)
        else:
            fill_folder(folder / f"played-{form}", folder / form, form)
        cases += cases_of(folder / form, form)
        copy = Path(shutil.copytree(folder / form, folder / "whole"))
        wholes[form] = seen(copy, form)
        shutil.rmtree(copy)
        assert isinstance(wholes[form], Seen), wholes[form]
    chance = random.Random(seed)
    if most:
        cases = chance.sample(cases, most)
    figures: defaultdict[str, defaultdict[str, list[str]]]
    figures = defaultdict(lambda: defaultdict(list))
    for case in cases:
        copy = Path(shutil.copytree(folder / case.form, folder / "damaged"))
        case.do(copy / case.path, chance)
        outcome, changed = outcome_of(seen(copy, case.form), wholes[case.form])
        done = f"{case.form}: {case.path}: {case.how}{changed}"
        figures[kind_of(case.path)][outcome].append(done)
        if outcome in BAD:
            print(f"{outcome}: {done}", flush=True)
        shutil.rmtree(copy)
    return figures


def kind_of(path: str) -> str:
    """Return a path with what differs between files of a kind left out."""
    return re.sub(r"[A-Z]{4}|\d+|Oak|Mine", "*", path)


def cases_of(folder: Path, form: str) -> Iterator[Case]:
    """Yield each damage of each file in a folder, and of each folder."""
    for path in sorted(folder.rglob("*")):
        ways = OF_FOLDERS
        if path.is_file():
            text = path.suffix in (".json", ".jsonl", ".journal")
            ways = (
                OF_LOGS
                if path.suffix == ".log"
                else OF_TEXTS
                if text
                else OF_FILES
                if path.stat().st_size > 2
                else OF_BOTH
            )
        for how, do in ways.items():
            yield Case(form, str(path.relative_to(folder)), how, do)


# The folder


def settings(data: Path, form: str) -> Settings:
    """Return the settings of a table whose message broker is gone."""
    gone = MqttSettings(host="127.0.0.1", port=1, name="corner")
    return Settings(host="127.0.0.1", port=0, camera="none", data=data, game=form, mqtt=gone)


@contextmanager
def started(data: Path, form: str) -> Iterator[RunningTable]:
    with ExitStack() as stack:
        yield start_table(settings(data, form), stack)


def fill_folder(folder: Path, killed: Path, form: str) -> None:
    """Leave a folder with everything in it, as a kill leaves it in the middle of a game."""
    fill(folder, 1)
    shutil.copy(CARD_GAME, folder / "games/ABCD-9.jsonl")
    (folder / "profiles").mkdir()
    shutil.copy(SHIPPED / "print.dice", folder / "profiles/Oak.dice")
    shutil.copy(SHIPPED / "print.cards", folder / "profiles/Mine.cards")
    SetupStore(folder).save(mains=60, profile="Oak", deck="Mine", held={"usb": {"gain": 2}})
    (folder / "players.json").write_text(PlayerNames({"ann": "Anna", "bob": "Robert"}).to_json())
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    (folder / "tray.png").write_bytes(cv2.imencode(".png", noise)[1].tobytes())
    for picture in ("rolls/1/3.jpg", "corrections/1-3-0.jpg"):
        (folder / picture).parent.mkdir(parents=True)
        (folder / picture).write_bytes(cv2.imencode(".jpg", noise)[1].tobytes())
    with closing(Outbox(folder / OUTBOX)) as outbox:
        outbox.add([Outgoing("bang/corner/events", b'{"game": 1}', False)], Sent())
    chance = random.Random(SEED)
    with started(folder, form) as running:
        host = begin(running.table)
        while running.table.scene.phase is not Phase.OVER:
            decide(running.table, host, chance)
        running.table.do(rounds.new_game, Press(host, running.table.view().version))
        begin(running.table)
        for _ in range(MOVES):
            decide(running.table, host, chance)
        running.statistics.bring_up_to_date()
        copy_in_use(folder, killed)
    # These are gone once the table has started.
    (killed / "deleting.json").write_text('{"games": ["GONE-1"], "names": [], "everything": false}')
    (killed / "dice-used.json").write_text('{"game": 2, "sets": ["Oak"]}')
    (killed / "restoring").mkdir()
    (killed / "restoring/backup.zip").write_bytes(b"PK" * 99)


def fill_hall(folder: Path) -> None:
    """Leave the folder of a hall as a kill leaves it, with results and a tournament."""
    club = Club(folder / HALL)
    club.tell(*map(ClubTable("Oak").result, range(1, 4)))
    club.change(lambda _: create("Cup", "dollars", 4, 8))
    club.change(lambda found: add_players(found, NAMES))
    club.close()


def decide(table: Table, host: int, chance: random.Random) -> None:
    """Make a random move of either game."""
    history = table.scene.history
    assert history is not None
    if history.game.cards is None:
        play(table, host, chance)
    else:
        state: Any = history.state
        table.do(moves.move, Press(host, table.view().version), random_move(state, chance))


# A start


class Seen(NamedTuple):
    """What a start finds in a folder."""

    kept: Mapping[str, Any]
    """What must be as it was, or told: the game on the table, what is counted, and so on."""
    told: Sequence[str]
    """What the pages and the log say is wrong."""


def seen(data: Path, form: str) -> Seen | str:
    """Start a table in a process of its own; return what it finds, or how that failed."""
    fresh = multiprocessing.get_context("forkserver")
    fresh.set_forkserver_preload([__spec__.name, "warm"])
    ours, theirs = fresh.Pipe(duplex=False)
    process = fresh.Process(
        target=look_at_hall if form == HALL else look, args=(data, form, theirs)
    )
    process.start()
    theirs.close()
    try:
        with suppress(EOFError):
            if ours.poll(PATIENCE_S):
                return ours.recv()
            return "hung"
        return "did not start"
    finally:
        process.kill()
        process.join()


def look(data: Path, form: str, answer: Connection) -> None:
    """Start a table, look at everything that it keeps, and go on playing."""
    log = _Lines()
    with started(data, form) as running:
        table, statistics = running.table, running.statistics
        statistics.bring_up_to_date()
        backups = running.app.extensions[EXTENSION].backups
        with backups.make().file as file, ZipFile(file) as made:
            backup = sorted(set(made.namelist()))
        kept = {
            "table": repr(content(table)),
            "counted": statistics.ask(lambda base: sorted(map(repr, queries.every_seat(base)))),
            "names": statistics.names(),
            # A game whose story is gone is told by its record.
            "story": table.past.record(1),
            "watched": [
                table.past.find_record(path.stem) is not None
                for path in sorted((data / "games").glob("*.jsonl"))
            ],
            "setup": repr(SetupStore(data).stored),
            "dice": running.watching.reader.profile.name,
            "tray": has_picture(data / "tray.png"),
            "backup": backup,
        }
        troubles = {**table.view().troubles}
        troubles.pop(Trouble.MQTT, None)
        wrong = Database(data / STATISTICS).wrong_records()
        said = [statistics.fault, statistics.set_aside, *backups.view().left_out]
        told = [*map(repr, troubles.items()), *(f"{each.where}: {each.what}" for each in wrong)]
        view = table.view()
        if view.people:
            table.do(rounds.new_game, Press(view.people[0].id, view.version))
        else:
            join(table, "Zoe", "")
        answer.send(Seen(kept, [*log.lines, *filter(None, said), *told]))


def look_at_hall(data: Path, form: str, answer: Connection) -> None:
    """Open a hall, look at everything that it keeps, and go on with it."""
    log = _Lines()
    club = Club(data / form)
    view = club.view
    kept = {
        "results": repr(club.hall.results()),
        "tournament": repr(view.tournament),
        "undoable": view.undoable,
    }
    club.tell(ClubTable("Elm").result(1))
    club.change(lambda _: create("Other cup", "wins", 4, 8))
    answer.send(Seen(kept, [*log.lines, *view.troubles]))


class _Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        logging.getLogger().addHandler(self)
        logging.getLogger("companion").setLevel(logging.INFO)
        logging.lastResort = None
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # Other news is no word about damage.
        if record.levelno >= logging.WARNING:
            self.lines.append(record.getMessage())


def has_picture(path: Path) -> bool:
    with suppress(CameraError):
        return path.is_file() and load_picture(path) is not None
    return False


def outcome_of(found: Seen | str, whole: Seen | str) -> tuple[str, str]:
    """Return how a start ended, compared with that of the whole folder, and what changed."""
    assert isinstance(whole, Seen)
    if isinstance(found, str):
        return found, ""
    changed = ", ".join(name for name in whole.kept if found.kept[name] != whole.kept[name])
    if not changed:
        return "whole", ""
    news = Counter(found.told) - Counter(whole.told)
    return ("changed, told" if news else "changed, silent"), f" ({changed})"


if __name__ == "__main__":
    sys.exit(main())

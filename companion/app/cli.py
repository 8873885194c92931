"""The commands, and the only place that builds and joins everything.

What a command needs is imported inside it, so that `replay` and `--help` start without OpenCV
and Flask.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from companion import __version__

if TYPE_CHECKING:
    from companion.doctor.patient import Finding, Patient

_T = TypeVar("_T")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = _parser().parse_args(argv)
    # Ours is the one line of an error. OpenCV looks at this when it is imported.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        status: int = arguments.command(arguments)
        sys.stdout.flush()
    except _CommandError as error:
        print(error, file=sys.stderr)
        return error.status
    except BrokenPipeError:
        # Whoever read the output has seen enough (`| head`).
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        print(f"{error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        return 2
    return status


def _drop_output() -> None:
    """Let nothing be flushed at exit: it would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _CommandError(Exception):
    """`WHERE: what is wrong`, for standard error."""

    status = 2


class _FaultError(_CommandError):
    """No mistake of whoever gave the command, and it may pass: a service is started again."""

    status = 1


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a command, and takes no option by its beginning."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="bang-companion", description="A companion for BANG! The Dice Game.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    replay = commands.add_parser(
        "replay",
        help="play a record again and print the state after each line",
        description="Play a record again and print the state after each line.",
        epilog="Example: bang-companion replay evening.jsonl --as table",
    )
    replay.add_argument("file", metavar="FILE", help="the record; - is standard input")
    replay.add_argument(
        "--as",
        dest="viewer",
        metavar="SEAT|table",
        help="hide the roles that this seat, or everybody, may not know",
    )
    replay.set_defaults(command=_replay)
    run = commands.add_parser(
        "run",
        help="run the table: camera, buttons, game and pages",
        description="Run the table: camera, buttons, game and pages. Prints its address as JSON "
        "once the page answers; ends at Ctrl-C.",
        epilog="Example: bang-companion run --camera simulated --port 8000",
    )
    run.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    run.add_argument(
        "--camera",
        metavar="SOURCE",
        help="picamera, usb:0, a folder of pictures or a video (played as a camera), simulated "
        "(a drawn tray), none (dice by hand); default: auto, the first that works",
    )
    run.add_argument("--profile", metavar="P", help="the dice; default: those last chosen")
    run.add_argument("--host", metavar="H", help="address to serve on; default: all")
    run.add_argument("--port", type=int, metavar="N", help="port; default: 8000, 0: any free one")
    run.add_argument("--data", type=Path, metavar="DIR", help="folder for games and profiles")
    run.set_defaults(command=_run)

    read = commands.add_parser(
        "read",
        help="read the dice in pictures",
        description="Read the dice in pictures and print a JSON line for each.",
        epilog="Example: bang-companion read --profile pips tray.jpg",
    )
    read.add_argument("--profile", default="pips", metavar="P", help="the dice; default: pips")
    read.add_argument("--tray", type=Path, metavar="PICTURE", help="the same tray, seen empty")
    read.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE")
    read.set_defaults(command=_read)

    watch = commands.add_parser(
        "watch",
        help="follow the dice through a video",
        description="Follow the dice through a folder of numbered frames or a video, as the table "
        "does before its camera, and print a JSON line for every change: empty, moving, settled, "
        "picked_up or blocked, and the dice of what lies still, each with the number that it keeps "
        "and whether it has moved.",
        epilog="Example: bang-companion watch --profile pips --fps 15 throw.mp4",
    )
    watch.add_argument("--profile", default="pips", metavar="P", help="the dice; default: pips")
    watch.add_argument(
        "--fps",
        type=float,
        metavar="F",
        help="frames a second; default: the video's own, 30 of a folder",
    )
    watch.add_argument("frames", type=Path, metavar="FRAMES", help="a folder or a video")
    watch.set_defaults(command=_watch)

    play = commands.add_parser(
        "play",
        help="let random players play games to their end",
        description="Let random players play games to their end, with dice thrown by chance, and "
        "print a JSON line for each.",
        epilog="Example: bang-companion play --players 5 --games 1000 --seed 7 --records games/",
    )
    play.add_argument("--players", type=int, default=4, metavar="K", help="default: 4")
    play.add_argument("--ruleset", default="base", metavar="R", help="default: base")
    play.add_argument(
        "--house-rule",
        dest="house_rules",
        action="append",
        default=[],
        metavar="NAME",
        help="play a ruling otherwise; may be given several times",
    )
    play.add_argument("--games", type=int, default=1, metavar="N", help="default: 1")
    play.add_argument(
        "--seed", type=int, default=1, metavar="S", help="another one gives other games; default: 1"
    )
    play.add_argument("--records", type=Path, metavar="DIR", help="folder for their records")
    play.set_defaults(command=_play)

    teach = commands.add_parser(
        "teach",
        help="teach the faces of dice from pictures",
        description="Teach the faces of dice: DIR/FACE/ holds pictures of a single die with FACE "
        "up, three to six of each face. Creates the profile or adds to it, and prints as JSON how "
        "many pictures each face has and how many are told right by the others.",
        epilog="Example: bang-companion teach --profile mine pictures/",
    )
    teach.add_argument("--profile", required=True, metavar="P", help="a name or a path")
    teach.add_argument(
        "--edition",
        metavar="base|walking-dead|print|pips",
        help="whose symbols the dice carry; default: base, or as before",
    )
    teach.add_argument("folder", type=Path, metavar="DIR")
    teach.set_defaults(command=_teach)

    doctor = commands.add_parser(
        "doctor",
        help="say what works here and what doesn't, and how to mend it",
        description="Look at camera, buttons, light, files, power and network, and print a JSON "
        "line for each. Nothing is changed. Status 1 if the table could not run.",
        epilog="Example: bang-companion doctor --buttons",
    )
    doctor.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    doctor.add_argument("--camera", metavar="SOURCE", help="as of run")
    doctor.add_argument("--profile", metavar="P", help="as of run")
    doctor.add_argument("--host", metavar="H", help="as of run")
    doctor.add_argument("--port", type=int, metavar="N", help="as of run")
    doctor.add_argument("--data", type=Path, metavar="DIR", help="as of run")
    doctor.add_argument(
        "--buttons", action="store_true", help="then try both buttons and the light by hand"
    )
    doctor.add_argument(
        "--report",
        type=Path,
        nargs="?",
        const=Path("bang-companion-report.txt"),
        metavar="FILE",
        help="then measure what only a real Pi can show, and write all of it to a file to send; "
        "default: bang-companion-report.txt",
    )
    doctor.set_defaults(command=_doctor)
    return parser


def _replay(arguments: argparse.Namespace) -> int:
    from companion.dicegame.record import RecordError, replay, view_line
    from companion.dicegame.views import Audience, Viewer, view

    name, wanted = arguments.file, arguments.viewer
    viewer: Viewer = Audience.RECORD
    if wanted == "table":
        viewer = Audience.TABLE
    elif wanted is not None:
        if not re.fullmatch("[0-9]", wanted):
            raise _CommandError(f"{name}:1: --as: there is no seat {wanted[:20]!r}")
        viewer = int(wanted)
    try:
        for state in replay(_lines(name)):
            if isinstance(viewer, int) and viewer >= len(state.life):
                raise _CommandError(
                    f"{name}:1: --as: there is no seat {viewer}, only 0 to {len(state.life) - 1}"
                )
            print(view_line(view(state, viewer)))
    except RecordError as error:
        sys.stdout.flush()
        raise _CommandError(f"{name}:{error.line}: {error}") from None
    return 0


def _lines(name: str) -> Iterator[bytes]:
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                yield from file
        elif sys.stdin is None:
            raise _CommandError("-: standard input is closed")
        else:
            yield from sys.stdin.buffer
    except OSError as error:
        raise _CommandError(f"{name}: {error.strerror}") from None


def _run(arguments: argparse.Namespace) -> int:
    import logging

    from companion.settings import ConfigError, load
    from hardware.notify import JournalFormatter, in_journal

    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    if in_journal():
        logging.getLogger().handlers[0].setFormatter(JournalFormatter())
    overrides = {
        key: getattr(arguments, key) for key in ("camera", "profile", "host", "port", "data")
    }
    try:
        settings = load(arguments.config, **overrides)
    except ConfigError as error:
        raise _CommandError(str(error)) from None

    from companion.app.watchdog import PageError
    from companion.app.wiring import run_table
    from companion.table.journal import JournalError
    from hardware.camera import CameraError
    from vision.profile import ProfileError
    from web.server import ServerError

    try:
        return run_table(settings)
    except JournalError as error:
        # A file in the place of the data folder is a wrong setting, and stays.
        wrong = isinstance(error.__cause__, FileExistsError | NotADirectoryError)
        raise (_CommandError if wrong else _FaultError)(str(error)) from None
    except (ServerError, PageError) as error:
        raise _FaultError(str(error)) from None
    except (CameraError, ProfileError) as error:
        raise _CommandError(str(error)) from None


def _read(arguments: argparse.Namespace) -> int:
    from companion.app.commands.read import read_pictures
    from hardware.camera import CameraError
    from vision.profile import ProfileError

    try:
        return read_pictures(arguments.profile, arguments.pictures, arguments.tray)
    except (CameraError, ProfileError) as error:
        raise _CommandError(str(error)) from None


def _watch(arguments: argparse.Namespace) -> int:
    from companion.app.commands.watch import watch_frames
    from hardware.camera import CameraError
    from vision.profile import ProfileError

    try:
        return watch_frames(arguments.profile, arguments.frames, arguments.fps)
    except (CameraError, ProfileError) as error:
        raise _CommandError(str(error)) from None


def _play(arguments: argparse.Namespace) -> int:
    import json
    import random
    import time

    from companion.app.progress import show_progress
    from companion.chance.play import play_game
    from companion.dicegame.house import HouseRule
    from companion.dicegame.record import Origin, header_line, move_line
    from companion.dicegame.rulesets import RULESETS
    from companion.dicegame.state import SetupError
    from companion.table.dealing import deal

    ruleset = _known("--ruleset", arguments.ruleset, RULESETS)
    known = {rule.value: rule for rule in HouseRule}
    house_rules = frozenset(_known("--house-rule", name, known) for name in arguments.house_rules)
    games, folder = arguments.games, arguments.records
    if games < 0:
        raise _CommandError("--games: 0 or more")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if arguments.players not in ruleset.players:
        raise _CommandError(f"--players: {ruleset.id} is for {ruleset.numbers}")
    names = [f"Player {seat + 1}" for seat in range(arguments.players)]
    chance = random.Random(arguments.seed)
    begun = time.perf_counter()
    for number in range(games):
        try:
            setup = deal(ruleset, names, chance, house_rules)
        except SetupError as error:
            raise _CommandError(f"--house-rule: {error}") from None
        played = play_game(setup, chance)
        if folder is not None:
            lines = [header_line(setup, Origin(__version__)), *map(move_line, played.moves)]
            name = f"{ruleset.id}-{len(names)}-seed-{arguments.seed}-{number:05}.jsonl"
            _write(folder / name, "".join(f"{line}\n" for line in lines))
        assert played.end.result is not None
        entry = {
            "game": number,
            "players": len(names),
            "actions": len(played.moves),
            "turns": played.turns,
            "side": played.end.result.side,
        }
        print(json.dumps(entry))
        show_progress(number + 1, games)
    print(json.dumps({"games": games, "seconds": round(time.perf_counter() - begun, 3)}))
    return 0


def _known(where: str, name: str, known: Mapping[str, _T]) -> _T:
    if name not in known:
        raise _CommandError(f"{where}: {name[:40]!r} is not one of {', '.join(known)}")
    return known[name]


def _write(path: Path, text: str) -> None:
    """Write a record whole or not at all; the same game's stays, and no other game's is lost."""
    from companion.dicegame.record import same_game

    try:
        if not same_game(path.read_text(encoding="utf-8"), text):
            raise _CommandError(f"{path}: another game is kept here")
    except (FileNotFoundError, UnicodeDecodeError):
        part = path.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)


def _teach(arguments: argparse.Namespace) -> int:
    from companion.app.commands.teach import teach_profile
    from vision.profile import ProfileError

    try:
        return teach_profile(arguments.profile, arguments.edition, arguments.folder)
    except ProfileError as error:
        raise _CommandError(str(error)) from None


def _doctor(arguments: argparse.Namespace) -> int:
    import json
    import logging

    from companion.doctor.checks import examine
    from companion.doctor.patient import Finding, Level, Patient
    from hardware.machine import Machine

    # What the parts log on their way is what the findings say.
    logging.disable(logging.CRITICAL)
    overrides = {
        key: getattr(arguments, key) for key in ("camera", "profile", "host", "port", "data")
    }
    patient = Patient(Machine(), arguments.config, overrides)
    found: list[tuple[str, Finding]] = []

    def tell(name: str, finding: Finding) -> None:
        found.append((name, finding))
        line = {"check": name, "ok": finding.ok, "detail": finding.detail, "mend": finding.mend}
        print(json.dumps(line, ensure_ascii=False), flush=True)

    for name, finding in examine(patient):
        tell(name, finding)
    if arguments.buttons:
        for name, finding in _tried(patient):
            tell(name, finding)
    mended = [(name, finding) for name, finding in found if finding.mend]
    for name, finding in mended:
        print(f"{name}: {finding.detail}\n    {finding.mend}", file=sys.stderr)
    print(f"{len(found)} checks, {len(mended)} to look at", file=sys.stderr)
    if arguments.report is not None:
        from companion.doctor.report import report

        print("measuring the camera: half a minute", file=sys.stderr)
        arguments.report.write_text(report(patient, found), encoding="utf-8")
        print(f"written: {arguments.report}", file=sys.stderr)
    return int(any(finding.level is Level.STOP for _, finding in found))


def _tried(patient: "Patient") -> "Iterator[tuple[str, Finding]]":
    from companion.doctor.patient import Finding, Level
    from companion.doctor.trial import try_buttons, try_light
    from hardware.pins import HardwareError

    def ask(question: str) -> str:
        print(question, end="", file=sys.stderr, flush=True)
        return sys.stdin.readline()

    if patient.table is not None:
        mend = "sudo systemctl stop bang-companion; or try them on the page: Set up the table"
        yield "buttons tried", Finding(Level.NOTE, "the table that runs has the pins", mend)
        return
    if not patient.pins.real:
        yield (
            "buttons tried",
            Finding(Level.NOTE, "there are no pins with wires", "see pin library"),
        )
        return
    pins, factory = patient.settings.pins, patient.pins.factory
    try:
        yield from try_buttons(pins, factory, lambda text: print(text, file=sys.stderr))
        yield from try_light(pins, factory, ask)
    except HardwareError as error:
        yield "buttons tried", Finding(Level.WRONG, str(error), "see the checks of the pins")

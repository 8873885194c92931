"""What holds of every command: how it ends, where it prints, and what it says of wrong options."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest
from cases import cases
from disks import contents
from mosquitto import free_port
from places import PICTURES, RECORDED, ROOT
from process import COMMAND, START_S, companion, picture_of, run, within
from tiers import later
from waiting import wait_until

from companion import __version__
from companion.app.cli import COMMANDS
from companion.app.doctor.checks import CHECKS
from companion.app.doctor.findings import Finding, Level
from companion.app.doctor.output import TextReport
from companion.camera.table_reader import save_model
from companion.table.journal.chain import link
from companion.table.journal.journal import FILE
from vision.dice.find.tray_model import TrayModel
from vision.dice.reading import LyingDie
from vision.profile_files import SHIPPED

pytestmark = pytest.mark.processes

RECORD = RECORDED / "every-action.jsonl"
CLIP = PICTURES / "clip"
DOCTOR = ("doctor", "--camera", "none", "--port", "0")

ENDING = [signal.SIGINT, signal.SIGTERM]


# The version


@pytest.mark.parametrize("script", [True, False])
def test_the_version_is_the_name_and_a_number(script):
    command = (Path(sys.executable).with_name("bang-companion"),) if script else COMMAND
    done = run(*command, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"bang-companion {__version__}\n"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


# Interrupted


@contextmanager
def started(*arguments: object, **options: object) -> Iterator["subprocess.Popen[bytes]"]:
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], **streams | options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended_quietly(
    process: "subprocess.Popen[bytes]", number: signal.Signals = signal.SIGINT
) -> bytes:
    """End a process by a signal; return what it had printed and was not read yet."""
    process.send_signal(number)
    out, errors = process.communicate(timeout=START_S)
    assert (process.returncode, errors) == (-number, b"")
    assert out == b"" or out.endswith(b"\n"), "a line was cut off"
    return out


@contextmanager
def stopped_at(module: str, folder: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command that has come to the import of a module, which never ends."""
    reading, writing = os.pipe()
    (folder / f"{module}.py").write_text(
        f"import os, threading\nos.write({writing}, b'!')\nthreading.Event().wait()\n"
    )
    environment = os.environ | {"PYTHONPATH": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    with started(*arguments, env=environment, pass_fds=[writing]) as process:
        os.close(writing)
        with open(reading, "rb") as imported:
            assert imported.read(1) == b"!", process.stderr.read()
        yield process


EARLY = [
    *(("run", "argparse"), ("run", "logging"), ("run", "cv2"), ("read", "cv2"), ("play", "random")),
    *later(*((name, "argparse") for name in COMMANDS if name != "run")),
    *later(("run", "flask"), ("watch", "cv2"), ("teach", "cv2")),
]
ARGUMENTS = {
    "run": ("--camera", "none", "--port", "0"),
    "read": ("picture.jpg",),
    "watch": ("video.mp4",),
    "teach": ("--profile", "mine", "pictures"),
    "replay": ("record.jsonl",),
}


@pytest.mark.parametrize(("name", "module"), EARLY)
def test_a_command_that_is_interrupted_in_an_import_ends_quietly(tmp_path, name, module):
    with stopped_at(module, tmp_path, name, *ARGUMENTS.get(name, ())) as process:
        assert ended_quietly(process) == b""


def test_a_doctor_that_is_interrupted_in_a_check_ends_quietly(tmp_path):
    """It imports OpenCV in a process of its own, which ends with it."""
    with stopped_at("cv2", tmp_path, *DOCTOR) as process:
        lines = ended_quietly(process).splitlines()
    assert next(json.loads(line)["check"] for line in lines) == "version"


@pytest.mark.parametrize("number", ENDING)
def test_play_that_is_interrupted_leaves_whole_lines_and_records(tmp_path, number, capsys):
    with started("play", "--games", "1000000", "--records", tmp_path) as process:
        process.stdout.readline()
        ended_quietly(process, number)
    records = list(tmp_path.iterdir())
    assert {record.suffix for record in records} == {".jsonl"}
    assert {within(capsys, "replay", record).returncode for record in records} == {0}


WAITING = {
    "replay": ("replay", "-"),
    "read": ("read", "1.png", "9.jpg"),
    "watch": ("watch", "."),
    "teach": ("teach", "--profile", "mine.dice", "faces"),
}
"""Commands that have begun to work, and wait for a line or for a picture that never comes."""


@pytest.mark.parametrize("name", WAITING)
def test_a_command_that_waits_for_more_ends_quietly_and_writes_nothing(tmp_path, name):
    for frame in range(9):
        picture_of(tmp_path / f"{frame}.png", 64)
    (tmp_path / "faces/arrow").mkdir(parents=True)
    (tmp_path / "faces/arrow/1.heic").touch()
    for endless in ("9.jpg", "faces/arrow/1.jpg"):
        os.mkfifo(tmp_path / endless)
    with started(*WAITING[name], stdin=subprocess.PIPE, cwd=tmp_path) as process:
        process.stdin.write(RECORD.read_bytes().splitlines(keepends=True)[0])
        process.stdin.flush()
        teaches = name == "teach"
        said = (process.stderr if teaches else process.stdout).readline()
        assert (b"not used" if teaches else b"\n") in said
        ended_quietly(process)
    assert not (tmp_path / "mine.dice").exists()


SIGNALS = """
import os, signal, sys, tempfile
from companion.app.interrupts import delay_signals, interrupt_on_signals
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.stdout.reconfigure(line_buffering=True)
"""


def test_ctrl_c_that_was_held_back_while_python_starts_ends_it_quietly():
    def press() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        os.kill(os.getpid(), signal.SIGINT)

    with started("--version", preexec_fn=press) as process:
        assert process.communicate(timeout=START_S) == (b"", b"")
        assert process.returncode == -signal.SIGINT


def test_make_run_holds_ctrl_c_back_while_python_starts():
    # make hands what it was called with on to those that tests call.
    called = {"cwd": ROOT, "env": os.environ | {"MAKEFLAGS": ""}, "check": True}
    done = run("make", "--no-print-directory", "-n", "run", **called)
    command = "exec env --block-signal=INT .venv/bin/python -m companion run"
    assert done.stdout.rstrip().endswith(command)


def ended(code: str) -> tuple[int, str, str]:
    """Run a program that takes signals: its status and what it printed."""
    done = run(sys.executable, "-c", SIGNALS + code)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", ENDING)
def test_what_must_be_whole_is_finished_first(number):
    code = f"""
with delay_signals():
    os.kill(os.getpid(), {number:d})
    print("finished")
print("went on")
"""
    assert ended(code) == (-number, "finished\n", "")


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("caught", ["ZeroDivisionError", "KeyboardInterrupt"])
def test_what_is_open_is_closed_before_the_end(number, caught):
    """Also where other code makes an error of its own of the interrupt."""
    code = f"""
with interrupt_on_signals():
    with tempfile.TemporaryDirectory() as folder:
        print(folder)
        try:
            os.kill(os.getpid(), {number:d})
        except {caught}:
            1 / 0
"""
    status, folder, errors = ended(code)
    assert (status, errors) == (-number, "")
    assert not Path(folder.strip()).exists()


def test_what_is_not_interrupted_goes_on():
    code = """
with delay_signals(), interrupt_on_signals():
    pass
assert signal.getsignal(signal.SIGINT) is signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
print("went on")
"""
    assert ended(code) == (0, "went on\n", "")


# Closed output


@pytest.fixture
def printing(tmp_path: Path) -> dict[str, tuple[object, ...]]:
    """Commands that print something and end."""
    return {
        "help": ("--help",),
        "version": ("--version",),
        "help of a command": ("play", "--help"),
        "play": ("play", "--games", 3),
        "replay": ("replay", RECORD),
        "read": ("read", picture_of(tmp_path / "a.png")),
        "watch": ("watch", CLIP),
        "doctor": (*DOCTOR, "--data", tmp_path / "data"),
    }


LATER = later("version", "help of a command", "read", "watch")


def redirected(how: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run a command with its streams as a shell would leave them."""
    return run("sh", "-c", f'exec "$@" {how}', "sh", *COMMAND, *arguments)


@pytest.mark.parametrize("name", ["help", "play", "replay", "doctor", *LATER])
def test_a_command_whose_output_is_closed_unread_or_full_ends_quietly_or_with_one_line(
    printing, name
):
    done = redirected(">&-", *printing[name])
    assert (done.returncode, done.stdout) == (0, "")
    # The doctor says in words what can be fixed.
    assert ("to look at" in done.stderr) if name == "doctor" else done.stderr == ""
    assert "Traceback" not in done.stderr
    done = redirected("> /dev/full", *printing[name])
    assert (done.returncode, done.stderr) == (2, "standard output: No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody_reads:
        command = [*COMMAND, *map(str, printing[name])]
        options = {"stdout": nobody_reads, "stderr": subprocess.PIPE, "timeout": START_S}
        unread = subprocess.run(command, check=False, **options)
    assert (unread.returncode, unread.stderr) == (0, b"")


@pytest.mark.parametrize("how", ["2>&-", "2> /dev/full", ">&- 2>&-", "<&- >&- 2>&-"])
def test_an_error_that_nobody_can_read_is_still_an_error(how):
    done = redirected(how, "read", "--profile", "nosuch", "a.jpg")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def page(port: int, path: str = "", host: str = "") -> str:
    """A page of the table at a port; nothing if none answers."""
    asked = Request(f"http://127.0.0.1:{port}/{path}", headers={"Host": host} if host else {})
    with suppress(URLError), urlopen(asked) as answer:
        return answer.read().decode()
    return ""


def test_a_table_runs_with_all_its_streams_closed_and_for_this_machine_shows_no_other_address(
    tmp_path,
):
    port = free_port()
    shell = 'exec "$@" <&- >&- 2>&-'
    arguments = ("--camera", "none", "--host", "127.0.0.1", "--port", port, "--data", tmp_path)
    process = subprocess.Popen(["sh", "-c", shell, "sh", *COMMAND, "run", *map(str, arguments)])
    try:
        wait_until(lambda: process.poll() is not None or page(port))
        for host in ("", f"localhost:{port}", f"saloon.local:{port}", f"192.0.2.7:{port}"):
            for shown in (page(port, "card", host), page(port, "table", host)):
                assert re.findall(r"https?://[^/<\"]+/", shown) == [f"http://127.0.0.1:{port}/"]
            foot = shown.partition("<footer>")[2].partition("</footer>")[0]
            assert f"Version {__version__}" in foot
        process.terminate()
        assert process.wait(START_S) == 0
    finally:
        process.kill()
        process.wait()


# Options


def furnish(folder: Path) -> None:
    """Put there what the commands above name."""
    for name in ("empty", "newer", "odd", "bad/beer", "no-title/catalogue", "no-sign/bang"):
        (folder / name).mkdir(parents=True)
    for name in ("a.png", "no-title/catalogue/4D-000.png", "no-sign/bang/photo.png"):
        picture_of(folder / name)
    picture_of(folder / "small.png", 24)
    for name in ("bad/beer/a.png", "notes.mp4", "damaged.dice"):
        (folder / name).write_text("neither picture, nor video, nor set of dice")
    (folder / "damaged.toml").write_text('profile = "damaged.dice"\n')
    (folder / "odd/players.json").write_text("[]")
    (folder / "cut.jpg").write_bytes(b"\xff\xd8\xff\xe0 the beginning")
    (folder / "print.cards").symlink_to(SHIPPED / "print.cards")
    (folder / "newer" / FILE).write_bytes(link(None, '{"format": 99, "companion": "9.0.0"}').line)
    dice = tuple(LyingDie(n / 20, n / 20, 0.0, 0.0) for n in range(12))
    save_model(TrayModel(size=(820, 616), dice=dice), folder / "far.json")
    film = cv2.VideoWriter(str(folder / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    film.write(np.zeros((48, 64, 3), np.uint8))
    film.release()
    for whole, part in (("far.json", "cut.json"), ("film.avi", "cut.avi")):
        (folder / part).write_bytes((folder / whole).read_bytes()[:300])


@pytest.mark.parametrize(("typed", "said"), cases("app/commands.txt", "Options"))
def test_what_cannot_be_done_is_named_with_what_to_do(tmp_path, monkeypatch, capsys, typed, said):
    furnish(tmp_path)
    before = contents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    command, _, given = typed.partition(" < ")
    with open(given or "/dev/null") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        done = within(capsys, *shlex.split(command))
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(".*".join(map(re.escape, said.split(" … "))), done.stderr)
    assert done.stderr.count("\n") == 1
    assert contents(tmp_path) == before


def test_a_call_without_a_command_says_what_there_is():
    done = companion()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == companion("--help").stdout


def test_a_terminal_gets_the_address_as_a_sentence_and_no_troubles_of_pin_libraries(tmp_path):
    ours, theirs = pty.openpty()
    options = ("--camera", "none", "--port", "0", "--host", "127.0.0.1", "--data", tmp_path)
    with started("run", *options, stdout=theirs) as process:
        said = b""
        while not said.endswith(b"\n"):
            said += os.read(ours, 1000)
        assert re.fullmatch(rb"Open http://\S+ to see the table\. Ctrl-C stops it\.\r\n", said)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=START_S)
        assert process.returncode == 0
    os.close(ours)
    os.close(theirs)
    assert not re.search("No module|Traceback", errors.decode())
    # A new table lacks files, but nothing is wrong.
    assert "no such file" not in errors.decode()


# What is loaded

LOADED = """
import json, sys
from companion.app.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit:
        pass
print(*sys.modules, file=sys.stderr)
"""


def loaded(*commands: tuple[object, ...]) -> set[str]:
    """The modules that have been imported once these commands have ended."""
    given = json.dumps([[*map(str, arguments)] for arguments in commands])
    done = run(sys.executable, "-c", LOADED, given, check=True)
    assert done.stdout, done.stderr
    return set(done.stderr.split())


def test_help_version_and_replay_load_nothing_heavy():
    helps = [(name, "--help") for name in COMMANDS]
    heavy = {"cv2", "numpy", "flask", "waitress", "gpiozero", "vision", "hardware", "web"}
    assert loaded(("--help",), ("--version",), *helps, ("replay", RECORD)) & heavy == set()


def test_what_reads_dice_loads_no_web_server(tmp_path):
    teach = ("teach", "--profile", tmp_path / "mine.dice", teachable(tmp_path / "pictures"))
    modules = loaded(("read", picture_of(tmp_path / "a.png")), ("watch", CLIP), teach)
    assert modules >= {"vision.dice.reader", "vision.dice.teach"}
    servers = {"flask", "waitress", "werkzeug", "jinja2", "web", "companion.app.build"}
    assert not modules & servers


def teachable(folder: Path) -> Path:
    """Pictures that can be taught."""
    renders = PICTURES / "renders" / "D" / "teach"
    for face in sorted(renders.iterdir()):
        (folder / face.name).mkdir(parents=True)
        for picture in sorted(face.glob("*.jpg"))[:1]:
            (folder / face.name / picture.name).symlink_to(picture)
    return folder


# Standard input


def test_read_takes_a_picture_on_standard_input():
    picture = sorted(CLIP.glob("*.jpg"))[-1]
    named = companion("read", picture)
    piped = companion("read", "-", input=picture.read_bytes(), text=False)
    assert (piped.returncode, piped.stderr) == (0, b"")
    line, expected = json.loads(piped.stdout), json.loads(named.stdout)
    assert list(line) == ["picture", "verdict", "dice", "ms"]
    assert (line["picture"], expected["picture"]) == ("-", str(picture))
    assert min(line["ms"], expected["ms"]) > 0
    assert line | {"picture": str(picture), "ms": expected["ms"]} == expected
    assert line["dice"]


@pytest.mark.parametrize("command", ["read", "replay"])
def test_without_standard_input_there_is_nothing_to_read(command):
    done = redirected("<&-", command, "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert re.match("-: .*standard input", done.stderr)


def test_a_file_may_be_named_by_a_dash(tmp_path):
    picture_of(tmp_path / "a.png").rename(tmp_path / "-")
    done = companion("read", "./-", cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr


# On a terminal


def on_terminal(*arguments: object, **variables: str) -> str:
    """Run a command whose output is a terminal of 100 columns; return what it shows."""
    ours, theirs = os.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm"} | variables
    shown = b""
    with started(*arguments, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        # The end of a terminal is an error.
        with suppress(OSError):
            while True:
                shown += os.read(ours, 4096)
        process.wait(START_S)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_results_in_words(tmp_path):
    shown = on_terminal("play", "--games", 2, "--minds", "random").splitlines()
    assert re.fullmatch(r"game 0, players 4, actions \d+, turns \d+, side \w+", shown[0])
    assert re.fullmatch(r"games 2, seconds [\d.]+", shown[2])
    assert re.fullmatch(r"  minds random: seats 8, won \d, interval [\d.]+ [\d.]+", shown[3])
    assert re.fullmatch(r"    roles sheriff: seats 2, won \d, interval [\d.]+ [\d.]+", shown[4])
    shown = on_terminal("replay", RECORD).splitlines()
    assert shown[0].startswith("turn ")
    assert re.match(r"  players 0: life \d+, max life \d+, arrows \d, alive, char", shown[1])
    assert on_terminal("statistics", "--data", tmp_path).startswith("games 0, stopped 0, ")
    assert "{" not in "".join(shown)


def test_the_doctor_prints_a_report_on_a_terminal_and_json_elsewhere(tmp_path):
    command = (*DOCTOR, "--data", tmp_path / "data", "--buttons")
    shown = on_terminal(*command)
    text = re.sub(r"\033\[\d*m", "", shown)
    assert shown.startswith("This machine\n\033[32mok   \033[0m  version ")
    lines = [json.loads(line) for line in companion(*command).stdout.splitlines()]
    # Without pins, there is nothing to try by hand.
    assert [line["check"] for line in lines] == [*(check.name for check in CHECKS), "buttons tried"]
    assert all(set(line) == {"check", "ok", "detail", "mend"} for line in lines)
    assert list(tmp_path.iterdir()) == []
    assert f"bang-companion {__version__}" in lines[0]["detail"]
    assert f"bang-companion {__version__}" in text
    for line in lines:
        found = re.search(rf"^(ok|note|wrong|stop) +{line['check']}  ", text, re.MULTILINE)
        assert found, line
        assert (found[1] in ("ok", "note")) == line["ok"]
    assert re.search(rf"\n\n{len(lines)} checks: \d+ ok.*\. The table can run\.\n$", text)
    # The tests' own folder may be longer.
    assert max(map(len, text.replace(str(tmp_path), "").splitlines())) <= 100
    mended = [line for line in lines if line["mend"]]
    assert text.count("Tip: ") + text.count("Fix: ") == len(mended)


def test_the_form_of_the_report_can_be_chosen(tmp_path):
    (tmp_path / "file").touch()
    text = companion(*DOCTOR, "--data", tmp_path / "file", "--text")
    assert (text.returncode, text.stderr) == (1, "")
    assert text.stdout.startswith("This machine\nok     version ")
    assert re.search(r"^stop +data +", text.stdout, re.MULTILINE)
    assert "Fix: " in text.stdout
    assert text.stdout.endswith("The table can't run until that is fixed.\n")
    shown = on_terminal(*DOCTOR, "--data", tmp_path, "--json").splitlines()
    lines = [json.loads(line) for line in shown if line.startswith("{")]
    assert lines[0]["check"] == "version"
    assert shown[-1].startswith(f"{len(lines)} checks, ")


@pytest.mark.parametrize(
    ("terminal", "variables", "coloured"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colours_are_for_terminals_that_have_them(
    monkeypatch, capsys, terminal, variables, coloured
):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    TextReport().add("port", Finding(Level.WRONG, "port 80 is taken", "set another"))
    assert ("\033[31m" in capsys.readouterr().out) == coloured


# Progress


def test_progress_is_shown_on_a_terminal_and_its_line_is_ended(tmp_path):
    ours, theirs = os.openpty()
    options = {"stdout": subprocess.PIPE, "stderr": theirs, "check": False, "timeout": START_S}
    good = picture_of(tmp_path / "a.png")
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    done = subprocess.run([*COMMAND, "read", str(good), str(tmp_path / "bad.jpg")], **options)
    assert (done.returncode, done.stdout.count(b"\n")) == (2, 1)
    shown = os.read(ours, 4096).decode()
    assert shown.startswith(f"\r1 of 2\r\n{tmp_path / 'bad.jpg'}: ")
    assert subprocess.run([*COMMAND, "play", "--games", "3"], **options).returncode == 0
    assert os.read(ours, 4096).decode().endswith("\r3 of 3\r\n")
    os.close(ours)
    os.close(theirs)

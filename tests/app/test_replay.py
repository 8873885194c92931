"""The command `replay`: what it prints where, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import RECORDED

from companion.app.cli import main

GAMES = RECORDED
RECORD = GAMES / "every-action.jsonl"
CARDS = GAMES / "cards/five-players-law.jsonl"
STATES = RECORD.with_suffix(".states.jsonl").read_text("utf-8").splitlines()
LINES = RECORD.read_bytes().splitlines(keepends=True)


def command(*arguments: str | Path, stdin: bytes | int | None = None) -> tuple[int, str, str]:
    """Run the command in a process of its own: status, standard output, standard error."""
    fed = {"stdin": stdin} if isinstance(stdin, int) else {"input": stdin}
    done = subprocess.run(
        [sys.executable, "-m", "companion", *map(str, arguments)],
        capture_output=True,
        check=False,
        **fed,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A record whose third line is wrong."""
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(LINES[0] + LINES[1] + b"roll\n" + LINES[2])
    return path


def replayed(
    capsys: pytest.CaptureFixture[str], *arguments: str | int | Path
) -> tuple[int, list[dict], str]:
    """The same within this process: status, states, standard error."""
    status = main(["replay", *map(str, arguments)])
    output = capsys.readouterr()
    return status, [json.loads(line) for line in output.out.splitlines()], output.err


# In a process of its own


def test_a_record_gives_a_state_for_each_line_and_status_0() -> None:
    for record in (RECORD, CARDS):
        status, output, errors = command("replay", record)
        assert (status, errors) == (0, "")
        assert output == record.with_suffix(".states.jsonl").read_text("utf-8")


def test_standard_input_is_read_where_the_file_is_a_dash() -> None:
    status, output, errors = command("replay", "-", stdin=RECORD.read_bytes())
    assert (status, output.splitlines(), errors) == (0, STATES, "")


def test_a_wrong_line_gives_the_states_before_it_then_one_line_and_status_2(wrong: Path) -> None:
    status, output, errors = command("replay", wrong)
    assert status == 2
    assert output.splitlines() == STATES[:2]
    assert errors == f"{wrong}:3: this is not JSON: Expecting value (column 1)\n"
    status, output, errors = command("replay", "-", stdin=wrong.read_bytes())
    assert (status, output.splitlines()) == (2, STATES[:2])
    assert errors == "-:3: this is not JSON: Expecting value (column 1)\n"


def test_nothing_on_standard_input_is_an_empty_record() -> None:
    assert command("replay", "-", stdin=subprocess.DEVNULL) == (
        2, "", "-:1: the record is empty\n"
    )  # fmt: skip


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "replay", RECORD],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


# Within this process


def test_an_unfinished_record_is_fine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "unfinished.jsonl"
    path.write_bytes(b"".join(LINES[:5]).rstrip())
    status, states, errors = replayed(capsys, path)
    assert (status, len(states), errors) == (0, 5, "")


CONTENTS = {
    "empty": (b"", 1, "the record is empty"),
    "blank": (b"\n", 1, "the line is blank"),
    "blank within": (LINES[0] + b"\n" + LINES[1], 2, "the line is blank"),
    "blank at the end": (LINES[0] + b"\n", 2, "the line is blank"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00", 1, "byte 1 is not UTF-8"),
    "not UTF-8 later": (LINES[0] + LINES[1] + b"\xff\n", 3, "byte 1 is not UTF-8"),
    "marked": (b"\xef\xbb\xbf" + LINES[0], 1, "this is not JSON"),
    "another game": (b'{"record": "poker"}\n', 1, 'is "poker", not bang-dice or bang-card\n'),
    "another JSON": (b"[1, 2, 3]\n", 1, "expected an object"),
    "illegal": (LINES[0] + b'{"action": "stop", "seat": 0}\n', 2, "expected roll, not stop"),
    "deep": (LINES[0] + b"[" * 1000 + b"]" * 1000, 2, ""),
    "headless": (b"".join(LINES[1:]), 1, 'the key "players" is missing'),
    "two headers": (LINES[0] * 2, 2, 'the key "action" is missing'),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_wrong_file_is_one_line_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    content, line, reason = CONTENTS[name]
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    status, states, errors = replayed(capsys, path)
    assert (status, len(states)) == (2, line - 1)
    assert errors.startswith(f"{path}:{line}: ")
    assert errors.count("\n") == 1
    assert reason in errors


def test_a_file_that_cannot_be_read_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "missing.jsonl"
    assert replayed(capsys, missing) == (2, [], f"{missing}: No such file or directory\n")
    assert replayed(capsys, tmp_path) == (2, [], f"{tmp_path}: Is a directory\n")


@pytest.mark.parametrize(
    ("record", "hidden", "viewer"),
    [
        *((RECORD, 6, viewer) for viewer in (*range(8), "table")),
        *((CARDS, 2, viewer) for viewer in (0, 3, "table")),
    ],
)
def test_as_a_viewer_hides_the_roles_that_they_may_not_know(
    capsys: pytest.CaptureFixture[str], record: Path, hidden: int, viewer: int | str
) -> None:
    _, expected, _ = replayed(capsys, record)
    for state in expected:
        for seat, player in enumerate(state["players"]):
            public = player["role"] == "sheriff" or not player["alive"] or state["result"]
            if seat != viewer and not public:
                player["role"] = None
    assert [player["role"] for player in expected[0]["players"]].count(None) >= hidden
    assert replayed(capsys, record, "--as", viewer) == (0, expected, "")


def test_as_anybody_shows_all_roles_of_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    record = GAMES / "three-players-kill.jsonl"
    _, full, _ = replayed(capsys, record)
    for viewer in ("0", "2", "table"):
        assert replayed(capsys, record, "--as", viewer)[1] == full


@pytest.mark.parametrize(
    "viewer", ["8", "99", "-1", "1.0", "Table", "", " 1", "²", "٣", "9" * 5000]
)
def test_as_an_unknown_seat_is_an_error_and_prints_no_state(
    capsys: pytest.CaptureFixture[str], viewer: str
) -> None:
    status, states, errors = replayed(capsys, RECORD, f"--as={viewer}")
    assert (status, states) == (2, [])
    assert errors.startswith(f"{RECORD}:1: --as: ")
    assert errors.count("\n") == 1
    assert replayed(capsys, CARDS, "--as=5") == (
        2, [], f"{CARDS}:1: --as: there is no seat 5, only 0 to 4\n"
    )  # fmt: skip

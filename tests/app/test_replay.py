"""The command `replay`: what it prints where, and how it ends."""

import json
from collections.abc import Callable

import pytest
from places import RECORDED
from process import companion, within

GAMES = RECORDED
RECORD = GAMES / "every-action.jsonl"
CARDS = GAMES / "cards/five-players-law.jsonl"
STATES = RECORD.with_suffix(".states.jsonl").read_text("utf-8").splitlines()
LINES = RECORD.read_bytes().splitlines(keepends=True)


Replayed = Callable[..., tuple[int, list[dict], str]]


@pytest.fixture
def replayed(capsys: pytest.CaptureFixture[str]) -> Replayed:
    """Replays within this process: status, states, standard error."""

    def replay(*arguments: object) -> tuple[int, list[dict], str]:
        done = within(capsys, "replay", *arguments)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    return replay


# In a process of its own


def test_a_record_gives_a_state_for_each_line_and_status_0():
    for record in (RECORD, CARDS):
        done = companion("replay", record)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == record.with_suffix(".states.jsonl").read_text("utf-8")


def test_a_wrong_line_gives_the_states_before_it_then_one_line_and_status_2(tmp_path):
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(LINES[0] + LINES[1] + b"roll\n" + LINES[2])
    for named, options in ((path, {}), ("-", {"input": path.read_text("utf-8")})):
        done = companion("replay", named, **options)
        assert (done.returncode, done.stdout.splitlines()) == (2, STATES[:2])
        assert done.stderr == f"{named}:3: this is not JSON: Expecting value (column 1)\n"


# Within this process


def test_an_unfinished_record_is_fine(replayed, tmp_path):
    path = tmp_path / "unfinished.jsonl"
    path.write_bytes(b"".join(LINES[:5]).rstrip())
    status, states, errors = replayed(path)
    assert (status, len(states), errors) == (0, 5, "")


CONTENTS = {
    "empty": (b"", 1, "the record is empty"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00", 1, "byte 1 is not UTF-8"),
    "another game": (b'{"record": "poker"}\n', 1, 'is "poker", not bang-dice or bang-card\n'),
    "deep": (LINES[0] + b"[" * 1000 + b"]" * 1000, 2, ""),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_wrong_file_is_one_line_with_its_place(replayed, tmp_path, name):
    content, line, reason = CONTENTS[name]
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    status, states, errors = replayed(path)
    assert (status, len(states)) == (2, line - 1)
    assert errors.startswith(f"{path}:{line}: ")
    assert errors.count("\n") == 1
    assert reason in errors


@pytest.mark.parametrize(
    ("record", "hidden", "viewer"),
    [
        *((RECORD, 6, viewer) for viewer in (0, 7, "table")),
        *((CARDS, 2, viewer) for viewer in (3, "table")),
    ],
)
def test_as_a_viewer_hides_the_roles_that_they_may_not_know(replayed, record, hidden, viewer):
    _, expected, _ = replayed(record)
    for state in expected:
        for seat, player in enumerate(state["players"]):
            public = player["role"] == "sheriff" or not player["alive"] or state["result"]
            if seat != viewer and not public:
                player["role"] = None
    assert [player["role"] for player in expected[0]["players"]].count(None) >= hidden
    assert replayed(record, "--as", viewer) == (0, expected, "")


@pytest.mark.parametrize("viewer", ["8", "-1", "1.0", "Table", "", "²", "9" * 5000])
def test_as_an_unknown_seat_is_an_error_and_prints_no_state(replayed, viewer):
    status, states, errors = replayed(RECORD, f"--as={viewer}")
    assert (status, states) == (2, [])
    assert errors.startswith(f"{RECORD}:1: --as: ")
    assert errors.count("\n") == 1
    there = "there is no seat 5, only 0 to 4"
    assert replayed(CARDS, "--as=5") == (2, [], f"{CARDS}:1: --as: {there}\n")

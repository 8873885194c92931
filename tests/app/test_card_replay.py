"""The command `replay` and records of the card game."""

import json
from pathlib import Path

import pytest
from places import RECORDED

from companion.app.cli import main

GAMES = RECORDED / "cards"
RECORDS = sorted(path for path in GAMES.glob("*.jsonl") if ".states" not in path.name)


def test_a_replay_prints_the_states_of_either_game(capsys: pytest.CaptureFixture[str]) -> None:
    for record in (RECORDS[0], GAMES.parent / "every-action.jsonl"):
        assert main(["replay", str(record)]) == 0
        printed = capsys.readouterr().out
        assert printed == record.with_suffix(".states.jsonl").read_text("utf-8")


@pytest.mark.parametrize("viewer", ["table", "0", "3"])
def test_as_a_viewer_hides_the_roles_that_they_may_not_know(
    capsys: pytest.CaptureFixture[str], viewer: str
) -> None:
    record = RECORDS[0]
    expected = [
        json.loads(line)
        for line in record.with_suffix(".states.jsonl").read_text("utf-8").splitlines()
    ]
    for state in expected:
        for seat, player in enumerate(state["players"]):
            public = player["role"] == "sheriff" or not player["alive"] or state["result"]
            if str(seat) != viewer and not public:
                player["role"] = None
    assert [player["role"] for player in expected[0]["players"]].count(None) >= 2
    assert main(["replay", str(record), "--as", viewer]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == expected


def test_as_an_unknown_seat_is_an_error_and_prints_no_state(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["replay", str(GAMES / "four-players-outlaws.jsonl"), "--as", "4"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith(":1: --as: there is no seat 4, only 0 to 3\n")


def test_a_record_of_another_game_is_refused_in_line_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"record": "poker"}\n', "utf-8")
    assert main(["replay", str(path)]) == 2
    reason = 'this is not a record: "record" is "poker", not bang-dice or bang-card'
    assert capsys.readouterr() == ("", f"{path}:1: {reason}\n")

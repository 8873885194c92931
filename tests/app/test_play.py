"""`bang-companion play`, as scripts call it."""

import json
from pathlib import Path

import pytest
from process import companion

from companion import __version__
from companion.games.cards.rules.record import replay as card_replay
from companion.games.common.events import TurnBegan
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.record import (
    Origin,
    header_line,
    parse_header,
    parse_origin,
    replay,
)
from companion.games.dice.rules.rulesets import RULESETS

pytestmark = pytest.mark.tables


def games(*options: str) -> list[dict[str, object]]:
    done = companion("play", *options)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = map(json.loads, done.stdout.splitlines())
    assert set(last) == {"games", "seconds"}
    assert last["games"] == len(lines)
    assert [line["game"] for line in lines] == list(range(len(lines)))
    return lines


@pytest.mark.parametrize(
    ("game", "ruleset", "players"),
    [*(("dice", ruleset, 4) for ruleset in RULESETS), ("cards", "base", 7)],
)
def test_games_are_played_to_their_end_and_their_records_replay(
    game: str, ruleset: str, players: int, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "records"
    options = f"--game {game} --players {players} --ruleset {ruleset} --games 5 --seed 3"
    played = games(*options.split(), "--records", str(folder))
    records = sorted(folder.iterdir())
    before = "cards-" if game == "cards" else ""
    assert [path.name for path in records] == [
        f"{before}{ruleset}-{players}-seed-3-{number:05}.jsonl" for number in range(5)
    ]
    for entry, path in zip(played, records, strict=True):
        lines = path.read_bytes().splitlines(keepends=True)
        states = list((card_replay if game == "cards" else replay)(lines))
        assert json.loads(lines[0])["ruleset"] == ruleset
        assert entry["players"] == len(states[0].life) == players
        assert entry["actions"] == len(lines) - 1
        assert states[-1].result is not None
        assert entry["side"] == states[-1].result.side
        begun = [event for state in states for event in state.events]
        assert entry["turns"] == sum(isinstance(event, TurnBegan) for event in begun)


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_the_same_seed_gives_the_same_games_and_another_one_others(game: str) -> None:
    options = ("--game", game, "--players", "6", "--games", "4", "--seed")
    assert games(*options, "7") == games(*options, "7") != games(*options, "8")


def test_house_rules_stand_in_the_records(tmp_path: Path) -> None:
    rules = ("gatling_discard_last", "vulture_outlives")
    switches = [word for rule in rules for word in ("--house-rule", rule)]
    games(*switches, "--records", str(tmp_path))
    (path,) = tmp_path.iterdir()
    (first, *_) = replay(path.read_bytes().splitlines(keepends=True))
    assert first.setup.house_rules == frozenset(map(HouseRule, rules))


def test_records_name_the_version_and_no_date_so_that_a_seed_gives_the_same(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        games("--seed", "5", "--records", str(tmp_path / folder))
    (one,), (two,) = (list((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert parse_origin(one.read_bytes().splitlines()[0]) == Origin(__version__)


def test_the_record_of_an_earlier_version_stays(tmp_path: Path) -> None:
    options = ("--seed", "5", "--records", str(tmp_path))
    games(*options)
    (path,) = tmp_path.iterdir()
    header, *moves = path.read_bytes().splitlines(keepends=True)
    earlier = header_line(parse_header(header)).encode() + b"\n" + b"".join(moves)
    path.write_bytes(earlier)
    games(*options)
    assert path.read_bytes() == earlier


def test_a_record_is_never_overwritten_by_another_game(tmp_path: Path) -> None:
    options = ("--seed", "5", "--records", str(tmp_path))
    games(*options)
    (path,) = tmp_path.iterdir()
    before = path.read_bytes()
    games(*options)
    other = companion("play", *options, "--house-rule", "one_arrow_a_turn")
    assert other.returncode == 2
    assert other.stderr == f"{path}: another game is kept here\n"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


CONTRADICTION = "--house-rule fallen_keep_places --house-rule fallen_leave_places"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--players 2", "--players: base is for 3 to 8 players"),
        ("--players 9 --games 0", "--players: base is for 3 to 8 players"),
        ("--players 5 --ruleset quick", "--players: quick is for 4 players"),
        ("--players four", "--players: 'four' is not a whole number"),
        ("--ruleset card", "--ruleset: 'card' is not one of base, base-fr, walking-dead"),
        ("--games -1", "--games: -1 games can't be played; give 0 or more"),
        ("--house-rule none", "--house-rule: 'none' is not one of fallen_keep_places"),
        (CONTRADICTION, "fallen_keep_places and fallen_leave_places contradict each other"),
        ("--records /dev/null/records", "--records: /dev/null/records: Not a directory"),
        ("--game poker", "--game: 'poker' is not one of dice, cards"),
        ("--game cards --players 3", "--players: the card game is for 4 to 7 players\n"),
        ("--game cards --players 8", "--players: the card game is for 4 to 7 players\n"),
        ("--game cards --ruleset quick", "--ruleset: 'quick' is not one of base\n"),
        ("--game cards --minds best", "--minds: 'best' is not one of random, sensible, strong"),
        ("--game cards --minds random --hands claimed", "--hands: stand-ins hold the cards that"),
        ("--hands dealt", "--hands: the dice game has no hands\n"),
        ("--game cards --house-rule one_arrow_a_turn", "the card game has no house rules\n"),
    ],
)
def test_bad_input_is_one_line_and_status_2(options: str, reason: str) -> None:
    done = companion("play", *options.split())
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_help_lists_the_rulesets_and_the_house_rules() -> None:
    done = companion("play", "--help")
    assert done.returncode == 0
    words = done.stdout.replace(",", " ").split()
    assert [ruleset for ruleset in RULESETS if ruleset not in words] == []
    assert [rule for rule in HouseRule if f"{rule}" not in words and f"{rule};" not in words] == []
    assert "quick (4 players)" in " ".join(done.stdout.split())


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_stand_ins_play_and_the_last_line_says_how_they_did(game: str) -> None:
    levels = "strong,sensible,random,random"
    options = ("--game", game, "--players", "4", "--games", "4", "--minds", levels)
    done = companion("play", *options)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = map(json.loads, done.stdout.splitlines())
    assert len(lines) == last["games"] == 4
    minds = last["minds"]
    seats = {level: found["seats"] for level, found in minds.items()}
    assert seats == {"strong": 4, "sensible": 4, "random": 8}
    for found in minds.values():
        low, high = found["interval"]
        assert 0 <= low <= found["won"] / found["seats"] <= high <= 1
        assert sum(by["seats"] for by in found["roles"].values()) == found["seats"]
    again = json.loads(companion("play", *options).stdout.splitlines()[-1])
    assert again["minds"] == minds


def test_records_of_stand_ins_stand_beside_those_of_random_players(tmp_path: Path) -> None:
    for more in ((), ("--minds", "sensible")):
        done = companion("play", "--games", "1", "--records", str(tmp_path), *more)
        assert (done.returncode, done.stderr) == (0, "")
    names = [path.name for path in sorted(tmp_path.iterdir())]
    assert names == ["base-4-seed-1-00000.jsonl", "base-4-sensible-seed-1-00000.jsonl"]


def test_games_with_dealt_hands_leave_ordinary_records(tmp_path: Path) -> None:
    options = ("--game", "cards", "--hands", "dealt", "--games", "3")
    played = games(*options, "--records", str(tmp_path))
    assert games(*options, "--seed", "1") == played != games(*options, "--seed", "2")
    for entry, path in zip(played, sorted(tmp_path.iterdir()), strict=True):
        assert path.name.startswith("cards-base-4-random-seed-1-")
        states = list(card_replay(path.read_bytes().splitlines(keepends=True)))
        assert entry["actions"] == len(states) - 1
        assert states[-1].result is not None
        assert entry["side"] == states[-1].result.side
        begun = [event for state in states for event in state.events]
        assert entry["turns"] == sum(isinstance(event, TurnBegan) for event in begun)

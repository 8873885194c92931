"""`bang-companion play`, as scripts call it."""

import json
from collections.abc import Callable

import pytest
from process import within

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


Games = Callable[[str], list[dict[str, object]]]


@pytest.fixture
def games(capsys: pytest.CaptureFixture[str]) -> Games:
    """Plays games with options, as a script types them, and returns what is printed of each."""

    def play(options: str) -> list[dict[str, object]]:
        done = within(capsys, "play", *options.split())
        assert (done.returncode, done.stderr) == (0, "")
        *lines, last = map(json.loads, done.stdout.splitlines())
        assert set(last) - {"minds"} == {"games", "seconds"}
        assert last["games"] == len(lines)
        assert [line["game"] for line in lines] == list(range(len(lines)))
        return lines

    return play


@pytest.mark.parametrize(
    ("options", "names"),
    [
        *((f"--ruleset {ruleset} --players 4", f"{ruleset}-4-seed") for ruleset in RULESETS),
        ("--ruleset base --players 5 --minds sensible", "base-5-sensible-seed"),
        ("--game cards --ruleset base --players 7", "cards-base-7-seed"),
        ("--game cards --ruleset base --players 5 --hands dealt", "cards-base-5-random-seed"),
    ],
)
def test_games_are_played_to_their_end_and_their_records_replay(games, options, names, tmp_path):
    folder = tmp_path / "new" / "records"
    played = games(f"{options} --games 5 --seed 3 --records {folder}")
    records = sorted(folder.iterdir())
    assert [path.name for path in records] == [f"{names}-3-{n:05}.jsonl" for n in range(5)]
    for entry, path in zip(played, records, strict=True):
        lines = path.read_bytes().splitlines(keepends=True)
        states = list((card_replay if "cards" in options else replay)(lines))
        assert f"--ruleset {json.loads(lines[0])['ruleset']} " in options
        assert f"--players {len(states[0].life)}" in options
        assert entry["players"] == len(states[0].life)
        assert entry["actions"] == len(lines) - 1
        assert states[-1].result is not None
        assert entry["side"] == states[-1].result.side
        begun = [event for state in states for event in state.events]
        assert entry["turns"] == sum(isinstance(event, TurnBegan) for event in begun)


@pytest.mark.parametrize("game", ["dice", "cards", "cards --hands dealt"])
def test_the_same_seed_gives_the_same_games_and_another_one_others(games, game):
    options = f"--game {game} --players 6 --games 4 --seed"
    assert games(f"{options} 7") == games(f"{options} 7") != games(f"{options} 8")


def test_house_rules_stand_in_the_records(games, tmp_path):
    rules = ("gatling_discard_last", "vulture_outlives")
    switches = " ".join(f"--house-rule {rule}" for rule in rules)
    games(f"{switches} --records {tmp_path}")
    (path,) = tmp_path.iterdir()
    (first, *_) = replay(path.read_bytes().splitlines(keepends=True))
    assert first.setup.house_rules == frozenset(map(HouseRule, rules))


def test_records_name_the_version_and_no_date_so_that_a_seed_gives_the_same(games, tmp_path):
    for folder in ("one", "two"):
        games(f"--seed 5 --records {tmp_path / folder}")
    (one,), (two,) = (list((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert parse_origin(one.read_bytes().splitlines()[0]) == Origin(__version__)


def test_a_record_is_never_overwritten_by_another_game_or_version(games, capsys, tmp_path):
    options = f"--seed 5 --records {tmp_path}"
    games(options)
    (path,) = tmp_path.iterdir()
    header, *moves = path.read_bytes().splitlines(keepends=True)
    earlier = header_line(parse_header(header)).encode() + b"\n" + b"".join(moves)
    path.write_bytes(earlier)
    games(options)
    other = within(capsys, "play", *options.split(), "--house-rule", "one_arrow_a_turn")
    assert other.returncode == 2
    assert other.stderr == f"{path}: another game is kept here\n"
    assert path.read_bytes() == earlier
    assert list(tmp_path.iterdir()) == [path]


def test_help_lists_the_rulesets_and_the_house_rules(capsys):
    done = within(capsys, "play", "--help")
    assert done.returncode == 0
    words = done.stdout.replace(",", " ").split()
    assert [ruleset for ruleset in RULESETS if ruleset not in words] == []
    assert [rule for rule in HouseRule if f"{rule}" not in words and f"{rule};" not in words] == []
    assert "quick (4 players)" in " ".join(done.stdout.split())


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_stand_ins_play_and_the_last_line_says_how_they_did(capsys, game):
    options = f"--game {game} --players 4 --games 4 --minds strong,sensible,random,random"
    done, again = (within(capsys, "play", *options.split()) for _ in range(2))
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
    assert json.loads(again.stdout.splitlines()[-1])["minds"] == minds

"""The record format: what it refuses, at which line, and that nothing is lost on the way."""

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import chances, deal, play_on, setups

from companion.games.common.lines import FormatError, RecordError
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.corrections import RecordedCorrection, RecordedCorrectionKind
from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.moves import (
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.record import (
    Origin,
    header_line,
    move_line,
    parse_corrections,
    parse_header,
    parse_move,
    parse_origin,
    replay,
    view_line,
    with_corrections,
)
from companion.games.dice.rules.rules import start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Player, Setup, State
from companion.games.dice.rules.views import Audience, view

PLAYERS: list[dict[str, Any]] = [
    {"name": "Ann", "role": "sheriff", "character": "willy_the_kid"},
    {"name": "Bo", "role": "outlaw", "character": "calamity_janet"},
    {"name": "Cy", "role": "renegade", "character": "slab_the_killer"},
    {"name": "Di", "role": "outlaw", "character": "kit_carlson"},
]
HEADER: dict[str, Any] = {
    "record": "bang-dice", "version": 1, "ruleset": "base", "players": PLAYERS,
}  # fmt: skip
HOUSE_HEADER = HEADER | {"version": 2, "house_rules": ["one_arrow_a_turn"]}
DATED_HEADER = HEADER | {"version": 3, "companion": "0.2.0", "date": "2026-11-22T19:30:00Z"}
DICE_SHOWN = ["beer", "arrow", "bullseye1", "gatling", "beer"]
ROLL: dict[str, Any] = {"action": "roll", "seat": 0, "dice": DICE_SHOWN}
STOP: dict[str, Any] = {"action": "stop", "seat": 0}
SHOOT: dict[str, Any] = {"action": "shoot", "seat": 0, "shots": [{"die": 2, "target": 1}]}
BEER: dict[str, Any] = {"action": "beer", "seat": 0, "targets": [0, 3]}
GAME = [HEADER, ROLL, STOP, SHOOT, BEER]


def lines(*entries: Any) -> list[bytes]:
    """A record: each entry is a line, given as bytes or as what to write in JSON."""
    return [
        entry if isinstance(entry, bytes) else json.dumps(entry).encode() + b"\n"
        for entry in entries
    ]


def replayed(record: list[bytes]) -> tuple[list[State], RecordError | None]:
    """The states of a record up to its first wrong line, and what is wrong there."""
    states = []
    try:
        for state in replay(record):
            states.append(state)
    except RecordError as error:
        return states, error
    return states, None


def as_far_as(reason: str, error: RecordError) -> str:
    """What the error says; where `reason` ends in dots, all from there on is dots."""
    said = str(error)
    return said[: len(reason) - 3] + "..." if reason.endswith("...") else said


Refusal = tuple[str, int, int]
"""What is said of a record's first wrong line, its number, and the states before it."""


def unlike(cases: Iterable[tuple[list[bytes], Refusal]]) -> list[tuple[Refusal, Refusal | None]]:
    """What should be said of each record, and what is said, wherever they differ."""
    found: list[tuple[Refusal, Refusal | None]] = []
    for record, expected in cases:
        states, error = replayed(record)
        said = error and (as_far_as(expected[0], error), error.line, len(states))
        if said != expected:
            found.append((expected, said))
    return found


def without(entry: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}


def player(**changes: Any) -> dict[str, Any]:
    return HEADER | {"players": [PLAYERS[0] | changes, *PLAYERS[1:]]}


def shot(**changes: Any) -> dict[str, Any]:
    return SHOOT | {"shots": [SHOOT["shots"][0] | changes]}


def test_the_record_that_the_errors_below_are_made_from_is_right() -> None:
    states, error = replayed(lines(*GAME))
    assert error is None
    assert len(states) == len(GAME)
    assert states[-1].turn == 1


# Bytes and lines

ROLL_LINE = json.dumps(ROLL).encode()

NOT_JSON: list[tuple[bytes, str]] = [
    (b"\n", "the line is blank"),
    (b"\r\n", "the line is blank"),
    (b" \t\n", "the line is blank"),
    (b"\xef\xbb\xbf" + ROLL_LINE + b"\n", "this is not JSON: ..."),
    (b"\xff\xfe{\x00}\x00\n", "byte 1 is not UTF-8"),
    (ROLL_LINE.replace(b"beer", b"be\xe9r") + b"\n", "byte 43 is not UTF-8"),
    (ROLL_LINE.replace(b"beer", b"\xed\xa0\x80") + b"\n", "byte 41 is not UTF-8"),
    (b"roll\n", "this is not JSON: Expecting value (column 1)"),
    (ROLL_LINE[:-1] + b"\n", "this is not JSON: ..."),
    (ROLL_LINE + b"," + b"\n", "this is not JSON: ..."),
    (ROLL_LINE + ROLL_LINE + b"\n", "this is not JSON: ..."),
    (ROLL_LINE.replace(b'"', b"'") + b"\n", "this is not JSON: ..."),
    (ROLL_LINE.replace(b"}", b",}") + b"\n", "this is not JSON: ..."),
    (b"X" + ROLL_LINE + b"\n", "this is not JSON: ..."),
    (b"\x0c" + ROLL_LINE + b"\n", "this is not JSON: ..."),
    ("\u00a0".encode() + ROLL_LINE + b"\n", "this is not JSON: ..."),
    (b'{"action": "stop", "seat": NaN}\n', "NaN is not JSON"),
    (b'{"action": "stop", "seat": Infinity}\n', "Infinity is not JSON"),
    (b'{"action": "stop", "seat": -Infinity}\n', "-Infinity is not JSON"),
    (b'{"action": "stop", "seat": 00}\n', "this is not JSON: ..."),
    (b'{"action": "stop", "seat": ' + b"9" * 5000 + b"}\n", "a number has too many digits"),
    (b'{"action": "stop", "seat": 0, "seat": 0}\n', "the same key appears twice"),
    (b'{"action": "a\tb", "seat": 0}\n', "this is not JSON: ..."),
    (b"\x00\n", "this is not JSON: ..."),
]  # fmt: skip


def test_a_line_that_is_no_json_is_an_error_wherever_it_stands() -> None:
    befores: list[list[Any]] = [[], [HEADER], [HEADER, ROLL]]
    assert (
        unlike(
            (lines(*before, line, STOP), (reason, len(before) + 1, len(before)))
            for line, reason in NOT_JSON
            for before in befores
        )
        == []
    )


def test_what_is_said_of_a_line_is_one_line_itself() -> None:
    for line, _ in NOT_JSON:
        _, error = replayed(lines(line, STOP))
        assert error
        assert "\n" not in str(error), line


def test_a_record_that_is_refused_otherwise_is_named() -> None:
    record = lines(HEADER, b"\n", STOP)
    assert unlike([(record, ("the line is blank", 2, 1))]) == []
    assert unlike([(lines(*GAME), ("the line is blank", 2, 1))]) == [
        (("the line is blank", 2, 1), None)
    ]
    for expected in (("the line is ...", 3, 1), ("the line is ...", 2, 2), ("no line", 2, 1)):
        assert len(unlike([(record, expected)])) == 1


@pytest.mark.parametrize("depth", [500, 1000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_a_thousand_deep_is_an_error_like_any_other(
    depth: int, opening: bytes, closing: bytes
) -> None:
    deep = opening * depth + b"1" + closing * depth
    for line in (deep, b'{"action": "stop", "seat": ' + deep + b"}"):
        states, error = replayed(lines(HEADER, line + b"\n"))
        assert error is not None
        assert (error.line, len(states)) == (2, 1)
        if depth == 100_000:
            assert str(error) == "this is nested too deeply"


def test_an_empty_record_is_an_error_at_its_first_line() -> None:
    with pytest.raises(RecordError, match=r"^the record is empty$") as error:
        list(replay([]))
    assert error.value.line == 1


def test_lines_end_with_crlf_too_and_the_last_may_lack_its_end() -> None:
    expected, _ = replayed(lines(*GAME))
    crlf = [line[:-1] + b"\r\n" for line in lines(*GAME)]
    bare = [*lines(*GAME[:-1]), lines(GAME[-1])[0][:-1]]
    assert replayed(crlf) == replayed(bare) == (expected, None)


def test_blanks_round_the_json_and_within_are_nothing() -> None:
    expected, _ = replayed(lines(*GAME))
    blanks = [b" \t" + line[:-1].replace(b": ", b"\t:  ") + b"  \r\n" for line in lines(*GAME)]
    assert replayed(blanks) == (expected, None)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x1c"])
def test_separators_in_a_name_end_no_line(separator: str) -> None:
    header = json.dumps(player(name=f"A{separator}nn"), ensure_ascii=separator < " ").encode()
    file = BytesIO(b"".join([header, b"\n", *lines(*GAME[1:])]))
    states = list(replay(file))
    assert len(states) == len(GAME)
    assert states[0].player(0).name == f"A{separator}nn"


@pytest.mark.parametrize(
    "name", [" ", "null", "Ann\n", "\u202e", "\U0001f920", "a" * 10_000, "\ud83e"]
)
def test_odd_names_are_names(name: str) -> None:
    setup = parse_header(json.dumps(player(name=name)).encode())
    assert setup.players[0].name == name
    assert parse_header(header_line(setup).encode()) == setup


def test_names_are_written_as_they_are_read() -> None:
    name = "Zoë \u2028 \U0001f920"
    assert name in header_line(parse_header(json.dumps(player(name=name)).encode()))


# The header

HEADERS: list[tuple[Any, str]] = [
    *[(without(HEADER, key), f'the key "{key}" is missing') for key in HEADER],
    (HEADER | {"record": None}, 'this is not a record: "record" is not "bang-dice"'),
    (HEADER | {"version": None}, '"version" is not an integer'),
    (HEADER | {"ruleset": None}, '"ruleset" is not a string'),
    (HEADER | {"players": None}, '"players" is not a list'),
    (HEADER | {"comment": 1}, 'the key "comment" is unknown'),
    (HEADER | {"record": "bang"}, 'this is not a record: "record" is not "bang-dice"'),
    (HEADER | {"version": 5}, "unknown version 5: only 1, 2, 3 and 4 are known"),
    (HEADER | {"version": 0}, "unknown version 0: only 1, 2, 3 and 4 are known"),
    (HEADER | {"version": 4}, 'the key "companion" is missing'),
    (HEADER | {"house_rules": ["one_arrow_a_turn"]}, 'the key "house_rules" is unknown'),
    (HEADER | {"house_rules": []}, 'the key "house_rules" is unknown'),
    (HEADER | {"version": 2}, 'the key "house_rules" is missing'),
    (HOUSE_HEADER | {"house_rules": []}, '"house_rules" is not a list of at least one rule'),
    (HOUSE_HEADER | {"house_rules": "one_arrow_a_turn"},
     '"house_rules" is not a list of at least one rule'),
    (HOUSE_HEADER | {"house_rules": ["mine"]},
     '"house_rules" is "mine", not one of fallen_keep_places, ...'),
    (HOUSE_HEADER | {"house_rules": [1]}, '"house_rules" is not a string'),
    (HOUSE_HEADER | {"house_rules": ["one_arrow_a_turn"] * 2}, "the same house rule appears twice"),
    (
        HOUSE_HEADER | {"house_rules": ["fallen_keep_places", "fallen_leave_places"]},
        "fallen_keep_places and fallen_leave_places contradict each other",
    ),
    *[
        (header | {key: DATED_HEADER[key]}, f'the key "{key}" is unknown')
        for header in (HEADER, HEADER | {"record": "bang"}, HEADER | {"version": 5}, HOUSE_HEADER)
        for key in ("companion", "date")
    ],
    *[(without(DATED_HEADER, key), f'the key "{key}" is missing') for key in (*HEADER, "companion")
      if key != "version"],
    (without(DATED_HEADER, "version"), 'the key "version" is missing'),
    (DATED_HEADER | {"comment": 1}, 'the key "comment" is unknown'),
    (DATED_HEADER | {"record": "bang"}, 'this is not a record: "record" is not "bang-dice"'),
    (DATED_HEADER | {"version": 3.0}, 'the key "companion" is unknown'),
    (HEADER | {"version": 3.0}, '"version" is not an integer'),
    (DATED_HEADER | {"house_rules": []}, '"house_rules" is not a list of at least one rule'),
    (DATED_HEADER | {"house_rules": None}, '"house_rules" is not a list of at least one rule'),
    *[
        (DATED_HEADER | {"companion": companion}, '"companion" is not a string')
        for companion in (None, 0.2, 2, True, ["0.2.0"], {})
    ],
    *[
        (DATED_HEADER | {"companion": companion},
         f'"companion" is {json.dumps(companion[:40])[:-1]}...')
        for companion in ("", "v0.2.0", ".2", " 0.2", "0.2\n", "0_2", "\u0662", "0" * 41)
    ],
    *[
        (DATED_HEADER | {"date": date}, '"date" is not a string')
        for date in (None, 20261122, 2026.5, True, ["2026-11-22"], {})
    ],
    *[
        (DATED_HEADER | {"date": date}, f'"date" is {json.dumps(date[:40])}, not a day such as ...')
        for date in (
            "", "2026", "2026-11", "20261122", "2026-1-2", "26-11-22", "2026-W47-7", "2026-13-01",
            "2026-00-01", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29", "0000-01-01",
            "2026-11-22 ", "2026-11-22\n", "2026-11-22T19:30Z", "2026-11-22T19:30:00",
            "2026-11-22 19:30:00Z", "2026-11-22t19:30:00z", "2026-11-22T19:30:00+00:00",
            "2026-11-22T19:30:00.5Z", "2026-11-22T24:00:00Z", "2026-11-22T19:60:00Z",
            "2026-11-22T19:30:60Z", "2026-11-2\u0662",
        )
    ],
    (HEADER | {"version": 1.0}, '"version" is not an integer'),
    (HEADER | {"version": True}, '"version" is not an integer'),
    (HEADER | {"version": "1"}, '"version" is not an integer'),
    (HEADER | {"ruleset": "bang"},
     '"ruleset" is "bang", not one of base, base-fr, walking-dead, quick'),
    (HEADER | {"ruleset": ["base"]}, '"ruleset" is not a string'),
    (HEADER | {"ruleset": {}}, '"ruleset" is not a string'),
    (HEADER | {"players": {}}, '"players" is not a list'),
    (HEADER | {"players": []}, "base is for 3 to 8 players, not 0"),
    (HEADER | {"players": PLAYERS[:2]}, "base is for 3 to 8 players, not 2"),
    (HEADER | {"ruleset": "quick", "players": PLAYERS[:3]}, "quick is for 4 players, not 3"),
    (HEADER | {"players": PLAYERS[:3]}, "3 players have the roles deputy, outlaw, renegade"),
    (HEADER | {"players": ["Ann", *PLAYERS[1:]]}, "player 0: expected an object"),
    *[
        (HEADER | {"players": [without(PLAYERS[0], key)]}, f'player 0: the key "{key}" is missing')
        for key in PLAYERS[0]
    ],
    (player(seat=0), 'player 0: the key "seat" is unknown'),
    (player(name=""), "a player has no name"),
    (player(name=None), 'player 0: "name" is not a string'),
    (player(name=1), 'player 0: "name" is not a string'),
    (player(name="Bo"), "two players have the same name"),
    (player(role="deputy"), "4 players have the roles sheriff, renegade, outlaw, outlaw"),
    (player(role="Sheriff"),
     'player 0: "role" is "Sheriff", not one of sheriff, deputy, outlaw, renegade'),
    (player(role=0), 'player 0: "role" is not a string'),
    (player(character="kit_carlson"), "two players have the same character"),
    (player(character="Willy the Kid"),
     'player 0: "character" is "Willy the Kid", not one of bart_cassidy, ...'),
    (player(character=None), 'player 0: "character" is not a string'),
    ([HEADER], "expected an object"),
    ("bang-dice", "expected an object"),
    (None, "expected an object"),
    (ROLL, 'the key "players" is missing'),
]  # fmt: skip


def test_a_wrong_header_is_an_error_at_the_first_line() -> None:
    assert unlike((lines(header, *GAME[1:]), (why, 1, 0)) for header, why in HEADERS) == []


DATES = ("2026-11-22", "2024-02-29", "0001-01-01", "9999-12-31T23:59:59Z", "2026-11-22T00:00:00Z")


VERSIONS = ("0.2.0", "1", "10.0.0rc1", "0.3.0.dev1+g4b7e09e")


@pytest.mark.parametrize("house_rules", [{}, {"house_rules": ["one_arrow_a_turn"]}])
def test_version_3_says_where_the_record_comes_from(house_rules: dict[str, Any]) -> None:
    for companion, day in product(VERSIONS, ["", *DATES]):
        told = {"companion": companion} | ({"date": day} if day else {})
        line = json.dumps(HEADER | {"version": 3} | told | house_rules).encode()
        setup, origin = parse_header(line), parse_origin(line)
        assert setup.house_rules == set(house_rules.get("house_rules", ()))
        assert origin == Origin(companion, day)
        assert json.loads(header_line(setup, origin)) == json.loads(line)
        states, error = replayed([line + b"\n", *lines(*GAME[1:])])
        assert (len(states), error) == (len(GAME), None)


SAID = [
    {"kind": "face", "seat": 1, "die": 0, "read": "gatling", "face": "beer"},
    {"kind": "face", "die": 4, "face": "beer"},
    {"kind": "kept", "seat": 0, "die": 2},
    {"kind": "thrown", "die": 3},
    {"kind": "left_out", "seat": 2},
    {"kind": "added", "seat": 0, "face": "arrow"},
    {"kind": "by_hand"},
]
CORRECTED_HEADER = DATED_HEADER | {"version": 4}


def corrected(said: Any) -> list[dict[str, Any]]:
    """The game, as version 4 has it, with corrections of its first roll."""
    _, first, *others = GAME
    return [CORRECTED_HEADER, first | {"corrected": said}, *others]


def test_version_4_holds_what_players_corrected_and_replays_alike() -> None:
    usual, _ = replayed([*lines(DATED_HEADER, *GAME[1:])])
    states, error = replayed([*lines(*corrected(SAID))])
    assert (states, error) == (usual, None)
    line = json.dumps(corrected(SAID)[1]).encode()
    said = parse_corrections(line)
    assert said[0] == RecordedCorrection(RecordedCorrectionKind.FACE, 1, 0, Face.GATLING, Face.BEER)
    assert [each.kind for each in said] == [each["kind"] for each in SAID]
    written = with_corrections(
        [json.dumps(entry) for entry in (DATED_HEADER, *GAME[1:])], {1: said}
    )
    assert [json.loads(line) for line in written] == corrected(SAID)
    # Without corrections, and in records that earlier programs wrote, nothing changes.
    for header, made in ((DATED_HEADER, {}), (HEADER, {1: said}), (HOUSE_HEADER, {1: said})):
        before = [json.dumps(entry) for entry in (header, *GAME[1:])]
        assert with_corrections(before, made) == before
    assert parse_corrections(json.dumps(GAME[2]).encode()) == ()


@pytest.mark.parametrize("header", [HEADER, HOUSE_HEADER, DATED_HEADER])
def test_earlier_versions_hold_no_corrections(header: dict[str, Any]) -> None:
    states, error = replayed([*lines(header, *corrected(SAID)[1:])])
    assert len(states) == 1
    assert error is not None
    assert (error.line, str(error)) == (2, 'the key "corrected" is unknown')


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([], '"corrected" is not a list of at least one correction'),
        ({}, '"corrected" is not a list of at least one correction'),
        ([[]], 'a correction is an object with the key "kind"'),
        ([{"seat": 1}], 'a correction is an object with the key "kind"'),
        ([{"kind": "said"}], '"kind" is "said", not one of face, kept, thrown, left_out, added,'),
        ([{"kind": "face", "die": 0}], 'the key "face" is missing'),
        ([{"kind": "kept", "die": 0, "face": "beer"}], 'the key "face" is unknown'),
        ([{"kind": "added", "face": "beers"}], '"face" is "beers", not one of arrow,'),
        ([{"kind": "face", "die": 0, "face": "beer", "read": None}], '"read" is not a string'),
        ([{"kind": "kept", "die": 5}], '"die" is 5, not one of 0 to 4'),
        ([{"kind": "kept", "die": True}], '"die" is not an integer'),
        ([{"kind": "by_hand", "seat": 8}], '"seat" of a correction is 8: there is no such seat'),
        ([{"kind": "by_hand", "seat": -1}], '"seat" of a correction is -1: there is no such seat'),
        ([{"kind": "by_hand", "seat": None}], '"seat" is not an integer'),
    ],
)
def test_a_correction_that_makes_no_sense_is_an_error(said: Any, reason: str) -> None:
    states, error = replayed([*lines(*corrected(said))])
    assert len(states) == 1
    assert error is not None
    assert error.line == 2
    assert str(error).startswith(reason)


def test_earlier_versions_say_nothing_of_that() -> None:
    for header in (HEADER, HOUSE_HEADER):
        assert parse_origin(json.dumps(header).encode()) is None
        setup = parse_header(json.dumps(header).encode())
        assert json.loads(header_line(setup)) == header
    with pytest.raises(FormatError, match=r'^the key "ruleset" is missing$'):
        parse_origin(json.dumps(without(DATED_HEADER, "ruleset")).encode())


@given(st.dates() | st.datetimes().map(lambda at: at.replace(microsecond=0)))
def test_every_day_and_every_second_is_a_date(at: date) -> None:
    text = f"{at.isoformat()}Z" if isinstance(at, datetime) else at.isoformat()
    line = header_line(parse_header(json.dumps(HEADER).encode()), Origin("0.2.0", text))
    assert parse_origin(line.encode()) == Origin("0.2.0", text)


@given(st.integers(0, 9999), st.integers(0, 14), st.integers(0, 40))
def test_no_other_day_is_a_date(year: int, month: int, day: int) -> None:
    text = f"{year:04}-{month:02}-{day:02}"
    try:
        date.fromisoformat(text)
    except ValueError:
        with pytest.raises(FormatError, match="not a day such as"):
            parse_header(json.dumps(DATED_HEADER | {"date": text}).encode())
    else:
        parse_header(json.dumps(DATED_HEADER | {"date": text}).encode())


@pytest.mark.parametrize("origin", [Origin(""), Origin("v1"), Origin("0.2.0", "today")])
def test_no_header_is_written_that_could_not_be_read(origin: Origin) -> None:
    with pytest.raises(FormatError, match="not a "):
        header_line(parse_header(json.dumps(HEADER).encode()), origin)


def test_from_version_3_on_characters_are_those_of_the_ruleset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = replace(RULESETS["base"], characters=("kit_carlson", "slab_the_killer", "willy_the_kid"))
    monkeypatch.setattr("companion.games.dice.rules.record.RULESETS", {"base": few})
    reason = (
        'player 1: "character" is "calamity_janet", not one of kit_carlson, slab_the_killer,'
        " willy_the_kid"
    )
    with pytest.raises(FormatError, match=f"^{reason}$"):
        parse_header(json.dumps(DATED_HEADER).encode())
    for header in (HEADER, HOUSE_HEADER):
        assert len(parse_header(json.dumps(header).encode()).players) == 4


def test_the_same_game_is_known_whoever_wrote_it() -> None:
    record, dated = (
        (b"".join(lines(first, *GAME[1:]))).decode() for first in (HEADER, DATED_HEADER)
    )
    assert DICE_GAME.same(record, dated)
    assert DICE_GAME.same(dated, record)
    assert not DICE_GAME.same(record, dated.replace('"targets": [0, 3]', '"targets": [3, 0]'))
    assert not DICE_GAME.same(record, dated.replace("Ann", "Anna"))
    assert not DICE_GAME.same(record, "no record\n" + record.partition("\n")[2])


def test_the_same_key_twice_in_a_player_is_an_error() -> None:
    twice = lines(HEADER)[0].replace(b'"name": "Bo"', b'"name": "Bo", "name": "Bo"')
    _, error = replayed([twice])
    assert error is not None
    assert (error.line, str(error)) == (1, "the same key appears twice")


# Actions

EVERY_ACTION = [
    *GAME[1:],
    {"action": "heal", "seat": 0, "target": 1},
    {"action": "take_arrows", "seat": 1, "count": 1},
    {"action": "discard_arrows", "seat": 1, "count": 1},
    {"action": "discard_from", "seat": 0, "targets": [1]},
]


@pytest.mark.parametrize("action", EVERY_ACTION, ids=lambda action: action["action"])
def test_an_action_has_exactly_its_keys(action: dict[str, Any]) -> None:
    parse_move(json.dumps(action).encode())
    with pytest.raises(FormatError, match=r'^the key "comment" is unknown$'):
        parse_move(json.dumps(action | {"comment": ""}).encode())
    for key in action:
        with pytest.raises(FormatError, match=rf'^the key "{key}" is missing$'):
            parse_move(json.dumps(without(action, key)).encode())


ONE_SHOT_EACH = "the bull's eyes are dice [2]: one shot each, in this order"
NOT_INTEGERS = (True, False, 1.0, 0.5, "0", None, [0], {})

ACTIONS: list[tuple[list[Any], Any, str]] = [
    # (the record before, the wrong line, what is wrong)
    *[([HEADER], wrong, "an action is an object") for wrong in ([ROLL], "roll", 1, None, True)],
    ([HEADER], {"seat": 0}, 'the key "action" is missing'),
    ([HEADER], {}, 'the key "action" is missing'),
    ([HEADER], ROLL | {"action": "reroll"}, '"action" is "reroll", not one of heal, ...'),
    ([HEADER], ROLL | {"action": None}, '"action" is not a string'),
    ([HEADER], ROLL | {"action": ["roll"]}, '"action" is not a string'),
    ([HEADER], HEADER, 'the key "action" is missing'),
    *[([HEADER], without(ROLL, key), f'the key "{key}" is missing') for key in ("seat", "dice")],
    *[([HEADER], ROLL | {"seat": seat}, '"seat" is not an integer') for seat in NOT_INTEGERS],
    ([HEADER], ROLL | {"seat": 1}, "seat 0 decides now, not seat 1"),
    ([HEADER], ROLL | {"seat": -1}, "seat 0 decides now, not seat -1"),
    ([HEADER], ROLL | {"comment": ""}, 'the key "comment" is unknown'),
    ([HEADER], ROLL | {"dice": DICE_SHOWN[:4]}, '"dice" is not a list of 5 faces'),
    ([HEADER], ROLL | {"dice": [*DICE_SHOWN, "beer"]}, '"dice" is not a list of 5 faces'),
    ([HEADER], ROLL | {"dice": "beer"}, '"dice" is not a list of 5 faces'),
    ([HEADER], ROLL | {"dice": None}, '"dice" is not a list of 5 faces'),
    ([HEADER], ROLL | {"dice": ["Beer", *DICE_SHOWN[1:]]},
     '"dice" is "Beer", not one of arrow, ...'),
    *[
        ([HEADER], ROLL | {"dice": [face, *DICE_SHOWN[1:]]}, '"dice" is not a string')
        for face in (1, 1.5, None, True, ["beer"], {})
    ],
    ([HEADER], ROLL | {"rerolled": [0, 1, 2, 3, 4]},
     'the first roll throws all dice: omit "rerolled"'),
    ([HEADER], ROLL | {"rerolled": []}, 'the first roll throws all dice: omit "rerolled"'),
    ([HEADER], ROLL | {"rerolled": None}, '"rerolled" is not a list of integers'),
    ([HEADER], STOP, "expected roll, not stop"),
    ([HEADER], BEER, "expected roll, not beer"),
    ([HEADER, ROLL], ROLL, "every later roll names the dice that were thrown again"),
    ([HEADER, ROLL], ROLL | {"rerolled": []},
     "every later roll names the dice that were thrown again"),
    ([HEADER, ROLL], ROLL | {"rerolled": 0}, '"rerolled" is not a list of integers'),
    ([HEADER, ROLL], ROLL | {"rerolled": [True]}, '"rerolled" is not a list of integers'),
    ([HEADER, ROLL], ROLL | {"rerolled": [0.0]}, '"rerolled" is not a list of integers'),
    ([HEADER, ROLL], ROLL | {"rerolled": [5]}, "dice are numbered 0 to 4"),
    ([HEADER, ROLL], ROLL | {"rerolled": [-1]}, "dice are numbered 0 to 4"),
    ([HEADER, ROLL], ROLL | {"rerolled": [1, 0]},
     "rerolled dice are listed in ascending order, each once"),
    ([HEADER, ROLL], ROLL | {"rerolled": [1, 1]},
     "rerolled dice are listed in ascending order, each once"),
    ([HEADER, ROLL], ROLL | {"rerolled": [1], "dice": ["gatling"] * 5},
     "die 0 was kept: it must still show beer, not gatling"),
    ([HEADER, ROLL], STOP | {"dice": []}, 'the key "dice" is unknown'),
    ([HEADER, ROLL], STOP | {"seat": False}, '"seat" is not an integer'),
    ([HEADER, ROLL], STOP | {"x" * 40: 0}, f'the key "{"x" * 40}" is unknown'),
    ([HEADER, ROLL], STOP | {"x" * 41: 0}, f'the key "{"x" * 40}..." is unknown'),
    ([HEADER, ROLL], SHOOT, "expected roll or stop, not shoot"),
    ([HEADER, ROLL, STOP], STOP, "expected shoot, not stop"),
    ([HEADER, ROLL, STOP], without(SHOOT, "shots"), 'the key "shots" is missing'),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": {}}, '"shots" is not a list'),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": [[2, 1]]}, "expected an object"),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": []}, ONE_SHOT_EACH),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": SHOOT["shots"] * 2}, ONE_SHOT_EACH),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": [{"die": 2}]}, 'the key "target" is missing'),
    ([HEADER, ROLL, STOP], SHOOT | {"shots": [{"target": 1}]}, 'the key "die" is missing'),
    ([HEADER, ROLL, STOP], shot(die=0), ONE_SHOT_EACH),
    ([HEADER, ROLL, STOP], shot(die=None), '"die" is not an integer'),
    ([HEADER, ROLL, STOP], shot(die=2.0), '"die" is not an integer'),
    ([HEADER, ROLL, STOP], shot(target=True), '"target" is not an integer'),
    ([HEADER, ROLL, STOP], shot(target="1"), '"target" is not an integer'),
    ([HEADER, ROLL, STOP], shot(target=None), "die 2 must hit one of the seats [1, 3]"),
    ([HEADER, ROLL, STOP], shot(target=2), "die 2 does not reach seat 2, only [1, 3]"),
    ([HEADER, ROLL, STOP], shot(target=9), "there is no seat 9"),
    ([HEADER, ROLL, STOP], shot(face="bullseye1"), 'the key "face" is unknown'),
    ([HEADER, ROLL, STOP], shot(**{"as": "bullseye1"}),
     "die 2: this character can't use a bull's eye as the other one"),
    ([HEADER, ROLL, STOP], shot(**{"as": None}), '"as" is not a string'),
    ([HEADER, ROLL, STOP], shot(**{"as": 1}), '"as" is not a string'),
    ([HEADER, ROLL, STOP], shot(**{"as": "bullseye3"}),
     '"as" is "bullseye3", not one of arrow, ...'),
    ([HEADER, ROLL, STOP], shot(beer=0), "die 2: this character can't double a shot"),
    ([HEADER, ROLL, STOP], shot(beer=None), '"beer" is not an integer'),
    ([HEADER, ROLL, STOP], shot(beer=False), '"beer" is not an integer'),
    ([HEADER, ROLL, STOP, SHOOT], without(BEER, "targets"), 'the key "targets" is missing'),
    ([HEADER, ROLL, STOP, SHOOT], BEER | {"targets": 0}, '"targets" is not a list of integers'),
    ([HEADER, ROLL, STOP, SHOOT], BEER | {"targets": [0, True]},
     '"targets" is not a list of integers'),
    ([HEADER, ROLL, STOP, SHOOT], BEER | {"targets": [0, None]},
     '"targets" is not a list of integers'),
    ([HEADER, ROLL, STOP, SHOOT], BEER | {"targets": [0]}, "there are 2 beers to drink, not 1"),
    ([HEADER, ROLL, STOP, SHOOT], BEER | {"targets": [0, 4]}, "there is no seat 4"),
    (GAME, {"action": "take_arrows", "seat": 1, "count": 0}, "expected roll, not take_arrows"),
    (GAME, {"action": "take_arrows", "seat": 1}, 'the key "count" is missing'),
    (GAME, {"action": "take_arrows", "seat": 1, "count": True}, '"count" is not an integer'),
    (GAME, {"action": "discard_arrows", "seat": 1, "count": 1.0}, '"count" is not an integer'),
    (GAME, {"action": "discard_arrows", "seat": 1, "count": None}, '"count" is not an integer'),
    (GAME, {"action": "discard_from", "seat": 1, "targets": {}},
     '"targets" is not a list of integers'),
    (GAME, {"action": "discard_from", "seat": 1}, 'the key "targets" is missing'),
    (GAME, {"action": "heal", "seat": 1}, 'the key "target" is missing'),
    (GAME, {"action": "heal", "seat": 1, "target": None}, '"target" is not an integer'),
    (GAME, {"action": "heal", "seat": 1, "target": 0, "count": 1}, 'the key "count" is unknown'),
]  # fmt: skip


def test_a_wrong_action_is_an_error_at_its_line() -> None:
    assert (
        unlike(
            (lines(*before, wrong, STOP), (reason, len(before) + 1, len(before)))
            for before, wrong, reason in ACTIONS
        )
        == []
    )


def test_an_action_after_the_end_is_an_error() -> None:
    setup = deal(RULESETS["base"], 4, random.Random(4))
    game = play_on(start(setup), random.Random(4))
    record = [header_line(setup).encode(), *(move_line(move).encode() for move in game.moves)]
    states, error = replayed([*record, json.dumps(STOP).encode()])
    assert len(states) == len(record)
    assert error is not None
    assert (error.line, str(error)) == (len(record) + 1, "the game is over")


def test_calamity_janet_may_name_the_face_that_a_die_shows_anyway() -> None:
    janet = player(character="calamity_janet")
    janet["players"][1] = PLAYERS[1] | {"character": "willy_the_kid"}
    for used_as, target in (("bullseye1", 1), ("bullseye2", 2)):
        wanted = shot(**{"as": used_as, "target": target})
        assert replayed(lines(janet, ROLL, STOP, wanted))[1] is None


def test_slab_the_killer_may_name_a_beer_once() -> None:
    slab = player(character="slab_the_killer")
    slab["players"][2] = PLAYERS[2] | {"character": "willy_the_kid"}
    two = ROLL | {"dice": ["beer", "bullseye1", "bullseye1", "arrow", "beer"]}
    once, again = {"die": 1, "target": 1, "beer": 0}, {"die": 2, "target": 1, "beer": 4}
    right = SHOOT | {"shots": [once, without(again, "beer")]}
    assert replayed(lines(slab, two, STOP, right))[1] is None
    _, error = replayed(lines(slab, two, STOP, SHOOT | {"shots": [once, again]}))
    assert error is not None
    assert (error.line, str(error)) == (4, "only one shot a turn can be doubled")


def test_an_unfinished_record_is_none_the_worse() -> None:
    for length in range(1, len(GAME) + 1):
        assert replayed(lines(*GAME[:length]))[1] is None


# Writing

seats, dice = st.integers(-1, 9), st.integers(-1, 5)
some_seats = st.lists(seats, max_size=6).map(tuple)
faces = st.sampled_from(Face)
shots = st.builds(Shot, dice, st.none() | seats, st.none() | faces, st.none() | dice)
any_moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Heal, seats, seats),
    st.builds(
        Roll,
        seats,
        st.lists(faces, min_size=DICE, max_size=DICE).map(tuple),
        st.none() | st.lists(dice, max_size=6).map(tuple),
    ),
    st.builds(Stop, seats),
    st.builds(Shoot, seats, st.lists(shots, max_size=5).map(tuple)),
    st.builds(TakeArrows, seats, dice),
    st.builds(DiscardArrows, seats, dice),
    st.builds(Beer, seats, some_seats),
    st.builds(DiscardFrom, seats, some_seats),
)


@given(any_moves)
def test_writing_and_reading_an_action_are_inverse_whether_it_is_legal_or_not(move: Move) -> None:
    line = move_line(move)
    assert "\n" not in line
    assert parse_move(line.encode()) == move
    assert move_line(parse_move(line.encode())) == line
    assert "null" not in line or "target" in line, "a key that could be left out is left out"


@given(setups(), st.lists(st.text(min_size=1), min_size=8, max_size=8, unique=True))
def test_writing_and_reading_a_header_are_inverse(setup: Setup, names: list[str]) -> None:
    players = zip(setup.players, names, strict=False)
    named = Setup(setup.ruleset, tuple(Player(name, *rest) for (_, *rest), name in players))
    line = header_line(named)
    assert "\n" not in line
    assert parse_header(line.encode()) == named


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    for parse in (parse_header, parse_move):
        with pytest.raises(FormatError):
            parse(line)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(st.sampled_from(GAME), st.data(), json_values)
def test_any_value_in_any_place_is_read_or_refused(
    entry: dict[str, Any], data: st.DataObject, value: Any
) -> None:
    changed = entry | {data.draw(st.sampled_from(sorted(entry))): value}
    record = lines(*[changed if line is entry else line for line in GAME])
    states, error = replayed(record)
    assert error is None or error.line == len(states) + 1


# Long games


def test_a_record_of_four_hundred_actions_replays() -> None:
    chance = random.Random(8)
    setup = deal(RULESETS["walking-dead"], 8, chance)
    game = play_on(start(setup), chance, (*Face, *[Face.BEER] * 6), most=400)
    assert len(game.moves) == 400, "beers enough that nobody is in a hurry to die"
    record = [header_line(setup), *map(move_line, game.moves)]
    states, error = replayed([f"{line}\n".encode() for line in record])
    assert error is None
    assert tuple(states) == game.states


# States, as `replay` prints them


@given(setups(), chances)
def test_a_state_is_printed_with_exactly_the_keys_of_the_format(
    setup: Setup, chance: random.Random
) -> None:
    for state in play_on(start(setup), chance).states[::7]:
        for viewer in (0, Audience.TABLE, Audience.RECORD):
            entry = json.loads(view_line(view(state, viewer)))
            assert list(entry) == ["turn", "rolls", "dice", "pile", "players", "awaits", "result"]
            for seat, shown in enumerate(entry["players"]):
                assert list(shown) == [
                    "life", "max_life", "arrows", "alive", "character", "role"
                ]  # fmt: skip
                assert shown["alive"] is (shown["life"] > 0)
                assert shown["life"] == state.life[seat] >= 0
            assert (entry["dice"] is None) == (entry["rolls"] == 0)
            assert entry["pile"] + sum(shown["arrows"] for shown in entry["players"]) == 9
            if entry["awaits"] is None:
                assert list(entry["result"]) == ["side", "winners"]
                assert entry["result"]["winners"] == sorted(entry["result"]["winners"])
            else:
                assert entry["result"] is None
                assert list(entry["awaits"]) == ["seat", "actions"]
                assert entry["awaits"]["actions"]

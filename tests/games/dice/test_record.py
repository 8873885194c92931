"""The record format: what it refuses, at which line, and that nothing is lost on the way."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.common.lines import FormatError, RecordError
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.corrections import RecordedCorrection, RecordedCorrectionKind
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.record import (
    Origin,
    header_line,
    move_line,
    parse_corrections,
    parse_header,
    parse_move,
    parse_origin,
    replay,
    with_corrections,
)
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import State

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


def assert_refused(cases: Iterable[tuple[list[Any], Any, str]]) -> None:
    """Assert what is said of the line after each record; dots at its end stand for any words."""
    for before, wrong, reason in cases:
        states, error = replayed(lines(*before, wrong, STOP))
        assert error is not None, (wrong, reason)
        said, ends = str(error), len(before) + 1
        if reason.endswith("..."):
            said = said[: len(reason) - 3] + "..."
        assert (said, error.line, len(states)) == (reason, ends, len(before)), wrong


def without(entry: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}


def player(**changes: Any) -> dict[str, Any]:
    return HEADER | {"players": [PLAYERS[0] | changes, *PLAYERS[1:]]}


def shot(**changes: Any) -> dict[str, Any]:
    return SHOOT | {"shots": [SHOOT["shots"][0] | changes]}


# Bytes and lines

ROLL_LINE = json.dumps(ROLL).encode()

STOPS = b'{"action": "stop", "seat": %s}'
NOT_JSON: list[tuple[bytes, str]] = [
    (text + b"\n", reason)
    for reason, texts in {
        "the line is blank": (b"", b"\r", b" \t"),
        "this is not JSON: Expecting value (column 1)": (b"roll",),
        "this is not JSON: ...": (
            b"\xef\xbb\xbf" + ROLL_LINE, ROLL_LINE[:-1], ROLL_LINE + b",", ROLL_LINE + ROLL_LINE,
            ROLL_LINE.replace(b'"', b"'"), ROLL_LINE.replace(b"}", b",}"), b"X" + ROLL_LINE,
            b"\x0c" + ROLL_LINE, "\u00a0".encode() + ROLL_LINE, STOPS % b"00", b"\x00",
            b'{"action": "a\tb", "seat": 0}',
        ),
        "byte 1 is not UTF-8": (b"\xff\xfe{\x00}\x00",),
        "byte 43 is not UTF-8": (ROLL_LINE.replace(b"beer", b"be\xe9r"),),
        "byte 41 is not UTF-8": (ROLL_LINE.replace(b"beer", b"\xed\xa0\x80"),),
        "NaN is not JSON": (STOPS % b"NaN",),
        "Infinity is not JSON": (STOPS % b"Infinity",),
        "-Infinity is not JSON": (STOPS % b"-Infinity",),
        "a number has too many digits": (STOPS % (b"9" * 5000),),
        "the same key appears twice": (STOPS % b'0, "seat": 0',),
        "this is nested too deeply": (b"[" * 100_000, STOPS % (b'{"a":' * 100_000)),
        # Some versions of Python read so much, and then it is no move.
        "...": (b"[" * 1000 + b"]" * 1000, STOPS % (b"[" * 1000 + b"]" * 1000)),
    }.items()
    for text in texts
]  # fmt: skip


def test_a_line_that_is_no_json_is_an_error_wherever_it_stands():
    befores: list[list[Any]] = [[], [HEADER], [HEADER, ROLL]]
    assert_refused((before, line, reason) for line, reason in NOT_JSON for before in befores)
    for line, _ in NOT_JSON:
        assert "\n" not in str(replayed(lines(line, STOP))[1]), line


def test_blanks_round_the_json_and_within_are_nothing():
    expected, _ = replayed(lines(*GAME))
    blanks = [b" \t" + line[:-1].replace(b": ", b"\t:  ") + b"  \r\n" for line in lines(*GAME)]
    # Nor need the last line have an end.
    blanks[-1] = blanks[-1].rstrip()
    assert replayed(blanks) == (expected, None)


NAMES = (
    " ", "null", "Ann\n", "A\u2028nn", "A\u2029nn", "A\x85nn", "A\x1cnn", "\u202e",
    "Zoë \U0001f920", "a" * 10_000, "\ud83e",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_are_names_and_written_as_they_are_read(name):
    text = json.dumps(player(name=name), ensure_ascii=False)
    header = text.encode("utf-8", "backslashreplace")
    states = list(replay(BytesIO(b"".join([header, b"\n", *lines(*GAME[1:])]))))
    assert len(states) == len(GAME), "no separator in a name ends a line"
    assert states[0].player(0).name == name
    assert header_line(states[0].setup).encode() == header


# The header


def with_each(entry: dict[str, Any], key: str, *values: Any) -> list[dict[str, Any]]:
    """An entry with each of these values in one place."""
    return [entry | {key: value} for value in values]


NO_STRINGS = (None, 2, 2026.5, True, ["2026-11-22"], {})
NO_DAYS = (
    "", "2026", "2026-11", "20261122", "2026-1-2", "26-11-22", "2026-W47-7", "2026-13-01",
    "2026-00-01", "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29", "0000-01-01",
    "2026-11-22 ", "2026-11-22\n", "2026-11-22T19:30Z", "2026-11-22T19:30:00",
    "2026-11-22 19:30:00Z", "2026-11-22t19:30:00z", "2026-11-22T19:30:00+00:00",
    "2026-11-22T19:30:00.5Z", "2026-11-22T24:00:00Z", "2026-11-22T19:60:00Z",
    "2026-11-22T19:30:60Z", "2026-11-2\u0662",
)  # fmt: skip
NO_VERSIONS = ("", "v0.2.0", ".2", " 0.2", "0.2\n", "0_2", "\u0662", "0" * 41)
UNDATED = (HEADER, HEADER | {"record": "bang"}, HEADER | {"version": 5}, HOUSE_HEADER)

HEADERS: dict[str, list[Any]] = {
    **{f'the key "{key}" is missing': [without(HEADER, key), without(DATED_HEADER, key)]
       for key in HEADER},
    'the key "companion" is missing': [without(DATED_HEADER, "companion"), HEADER | {"version": 4}],
    'the key "house_rules" is missing': [HEADER | {"version": 2}],
    'this is not a record: "record" is not "bang-dice"': [
        *with_each(HEADER, "record", None, "bang"), DATED_HEADER | {"record": "bang"},
    ],
    '"version" is not an integer': with_each(HEADER, "version", None, 1.0, 3.0, True, "1"),
    "unknown version 5: only 1, 2, 3 and 4 are known": [HEADER | {"version": 5}],
    "unknown version 0: only 1, 2, 3 and 4 are known": [HEADER | {"version": 0}],
    'the key "comment" is unknown': [HEADER | {"comment": 1}, DATED_HEADER | {"comment": 1}],
    'the key "house_rules" is unknown': with_each(HEADER, "house_rules", ["one_arrow_a_turn"], []),
    **{f'the key "{key}" is unknown': [header | {key: DATED_HEADER[key]} for header in UNDATED]
       for key in ("companion", "date")},
    # That the version is no integer comes second.
    'the key "companion" is unknown...': [DATED_HEADER | {"version": 3.0}],
    '"house_rules" is not a list of at least one rule': [
        *with_each(HOUSE_HEADER, "house_rules", [], "one_arrow_a_turn"),
        *with_each(DATED_HEADER, "house_rules", [], None),
    ],
    '"house_rules" is "mine", not one of fallen_keep_places, ...':
        with_each(HOUSE_HEADER, "house_rules", ["mine"]),
    '"house_rules" is not a string': with_each(HOUSE_HEADER, "house_rules", [1]),
    "the same house rule appears twice":
        with_each(HOUSE_HEADER, "house_rules", ["one_arrow_a_turn"] * 2),
    "fallen_keep_places and fallen_leave_places contradict each other":
        with_each(HOUSE_HEADER, "house_rules", ["fallen_keep_places", "fallen_leave_places"]),
    '"companion" is not a string': with_each(DATED_HEADER, "companion", *NO_STRINGS),
    **{f'"companion" is {json.dumps(version[:40])[:-1]}...':
       with_each(DATED_HEADER, "companion", version) for version in NO_VERSIONS},
    '"date" is not a string': with_each(DATED_HEADER, "date", *NO_STRINGS),
    **{f'"date" is {json.dumps(day)}, not a day such as ...': with_each(DATED_HEADER, "date", day)
       for day in NO_DAYS},
    '"ruleset" is "bang", not one of base, base-fr, walking-dead, quick':
        with_each(HEADER, "ruleset", "bang"),
    '"ruleset" is not a string': with_each(HEADER, "ruleset", None, ["base"], {}),
    '"players" is not a list': with_each(HEADER, "players", None, {}),
    "base is for 3 to 8 players, not 0": with_each(HEADER, "players", []),
    "base is for 3 to 8 players, not 2": with_each(HEADER, "players", PLAYERS[:2]),
    "quick is for 4 players, not 3": [HEADER | {"ruleset": "quick", "players": PLAYERS[:3]}],
    "3 players have the roles deputy, outlaw, renegade": with_each(HEADER, "players", PLAYERS[:3]),
    "player 0: expected an object": with_each(HEADER, "players", ["Ann", *PLAYERS[1:]]),
    **{f'player 0: the key "{key}" is missing':
       with_each(HEADER, "players", [without(PLAYERS[0], key)]) for key in PLAYERS[0]},
    'player 0: the key "seat" is unknown': [player(seat=0)],
    "a player has no name": [player(name="")],
    'player 0: "name" is not a string': [player(name=None), player(name=1)],
    "two players have the same name": [player(name="Bo")],
    "4 players have the roles sheriff, renegade, outlaw, outlaw": [player(role="deputy")],
    'player 0: "role" is "Sheriff", not one of sheriff, deputy, outlaw, renegade':
        [player(role="Sheriff")],
    'player 0: "role" is not a string': [player(role=0)],
    "two players have the same character": [player(character="kit_carlson")],
    'player 0: "character" is "Willy the Kid", not one of bart_cassidy, ...':
        [player(character="Willy the Kid")],
    'player 0: "character" is not a string': [player(character=None)],
    "expected an object": [[HEADER], "bang-dice", None],
    'the key "players" is missing...': [ROLL],
}  # fmt: skip


def test_a_wrong_header_is_an_error_at_the_first_line():
    for reason, headers in HEADERS.items():
        assert_refused(([], header, reason) for header in headers)


DATES = ("2026-11-22", "2024-02-29", "0001-01-01", "9999-12-31T23:59:59Z", "2026-11-22T00:00:00Z")


VERSIONS = ("0.2.0", "1", "10.0.0rc1", "0.3.0.dev1+g4b7e09e")


@pytest.mark.parametrize("house_rules", [{}, {"house_rules": ["one_arrow_a_turn"]}])
def test_version_3_says_where_the_record_comes_from(house_rules):
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


def test_version_4_holds_what_players_corrected_and_replays_alike():
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


def test_earlier_versions_say_nothing_of_that():
    for header in (HEADER, HOUSE_HEADER):
        assert parse_origin(json.dumps(header).encode()) is None
        setup = parse_header(json.dumps(header).encode())
        assert json.loads(header_line(setup)) == header
    with pytest.raises(FormatError, match=r'^the key "ruleset" is missing$'):
        parse_origin(json.dumps(without(DATED_HEADER, "ruleset")).encode())


@given(st.dates() | st.datetimes().map(lambda at: at.replace(microsecond=0)))
def test_every_day_and_every_second_is_a_date(at):
    text = f"{at.isoformat()}Z" if isinstance(at, datetime) else at.isoformat()
    line = header_line(parse_header(json.dumps(HEADER).encode()), Origin("0.2.0", text))
    assert parse_origin(line.encode()) == Origin("0.2.0", text)


@pytest.mark.parametrize("origin", [Origin(""), Origin("v1"), Origin("0.2.0", "today")])
def test_no_header_is_written_that_could_not_be_read(origin):
    with pytest.raises(FormatError, match="not a "):
        header_line(parse_header(json.dumps(HEADER).encode()), origin)


def test_from_version_3_on_characters_are_those_of_the_ruleset(monkeypatch):
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


def test_a_game_is_known_as_the_same_from_any_program():
    record, dated = (
        (b"".join(lines(first, *GAME[1:]))).decode() for first in (HEADER, DATED_HEADER)
    )
    assert DICE_GAME.same(record, dated)
    assert DICE_GAME.same(dated, record)
    assert not DICE_GAME.same(record, dated.replace('"targets": [0, 3]', '"targets": [3, 0]'))
    assert not DICE_GAME.same(record, dated.replace("Ann", "Anna"))
    assert not DICE_GAME.same(record, "no record\n" + record.partition("\n")[2])


# Actions

EVERY_ACTION = [
    *GAME[1:],
    {"action": "heal", "seat": 0, "target": 1},
    {"action": "take_arrows", "seat": 1, "count": 1},
    {"action": "discard_arrows", "seat": 1, "count": 1},
    {"action": "discard_from", "seat": 0, "targets": [1]},
]


@pytest.mark.parametrize("action", EVERY_ACTION, ids=lambda action: action["action"])
def test_an_action_has_exactly_its_keys_and_is_written_as_it_is_read(action):
    line = json.dumps(action)
    assert move_line(parse_move(line.encode())) == line
    with pytest.raises(FormatError, match=r'^the key "comment" is unknown$'):
        parse_move(json.dumps(action | {"comment": ""}).encode())
    for key in action:
        with pytest.raises(FormatError, match=rf'^the key "{key}" is missing$'):
            parse_move(json.dumps(without(action, key)).encode())


NOT_INTEGERS = (True, False, 1.0, 0.5, "0", None, [0], {})


def shows(*faces: Any) -> list[dict[str, Any]]:
    """The first roll with each of these in the place of its first face."""
    return [ROLL | {"dice": [face, *DICE_SHOWN[1:]]} for face in faces]


ACTIONS: list[tuple[list[Any], dict[str, list[Any]]]] = [
    # The record before, and the wrong lines by what is said of them.
    ([HEADER], {
        "an action is an object": [[ROLL], "roll", 1, None, True],
        'the key "action" is missing': [{"seat": 0}, {}, HEADER],
        '"action" is "reroll", not one of heal, ...': [ROLL | {"action": "reroll"}],
        '"action" is not a string': with_each(ROLL, "action", None, ["roll"]),
        '"seat" is not an integer': with_each(ROLL, "seat", *NOT_INTEGERS),
        "seat 0 decides now, not seat 1": [ROLL | {"seat": 1}],
        '"dice" is not a list of 5 faces':
            with_each(ROLL, "dice", DICE_SHOWN[:4], [*DICE_SHOWN, "beer"], "beer", None),
        '"dice" is "Beer", not one of arrow, ...': shows("Beer"),
        '"dice" is not a string': shows(1, 1.5, None, True, ["beer"], {}),
        '"rerolled" is not a list of integers': [ROLL | {"rerolled": None}],
        "expected roll, not stop": [STOP],
        "expected roll, not beer": [BEER],
    }),
    ([HEADER, ROLL], {
        '"rerolled" is not a list of integers': with_each(ROLL, "rerolled", 0, [True], [0.0]),
        '"seat" is not an integer': [STOP | {"seat": False}],
        f'the key "{"x" * 40}" is unknown': [STOP | {"x" * 40: 0}],
        f'the key "{"x" * 40}..." is unknown': [STOP | {"x" * 41: 0}],
        "expected roll or stop, not shoot": [SHOOT],
    }),
    ([HEADER, ROLL, STOP], {
        "expected shoot, not stop": [STOP],
        '"shots" is not a list': [SHOOT | {"shots": {}}],
        "expected an object": [SHOOT | {"shots": [[2, 1]]}],
        'the key "target" is missing': [SHOOT | {"shots": [{"die": 2}]}],
        'the key "die" is missing': [SHOOT | {"shots": [{"target": 1}]}],
        '"die" is not an integer': [shot(die=None), shot(die=2.0)],
        '"target" is not an integer': [shot(target=True), shot(target="1")],
        'the key "face" is unknown': [shot(face="bullseye1")],
        '"as" is not a string': [shot(**{"as": None}), shot(**{"as": 1})],
        '"as" is "bullseye3", not one of arrow, ...': [shot(**{"as": "bullseye3"})],
        '"beer" is not an integer': [shot(beer=None), shot(beer=False)],
    }),
    ([HEADER, ROLL, STOP, SHOOT], {
        '"targets" is not a list of integers': with_each(BEER, "targets", 0, [0, True], [0, None]),
    }),
    (GAME, {
        "expected roll, not take_arrows": [{"action": "take_arrows", "seat": 1, "count": 0}],
        '"count" is not an integer': [
            {"action": "take_arrows", "seat": 1, "count": True},
            *with_each({"action": "discard_arrows", "seat": 1}, "count", 1.0, None),
        ],
        '"targets" is not a list of integers':
            [{"action": "discard_from", "seat": 1, "targets": {}}],
        '"target" is not an integer': [{"action": "heal", "seat": 1, "target": None}],
    }),
]  # fmt: skip


NO_CORRECTIONS: dict[str, list[Any]] = {
    '"corrected" is not a list of at least one correction': [[], {}],
    'a correction is an object with the key "kind"': [[[]], [{"seat": 1}]],
    '"kind" is "said", not one of face, kept, thrown, left_out, added, ...': [[{"kind": "said"}]],
    'the key "face" is missing': [[{"kind": "face", "die": 0}]],
    'the key "face" is unknown': [[{"kind": "kept", "die": 0, "face": "beer"}]],
    '"face" is "beers", not one of arrow, ...': [[{"kind": "added", "face": "beers"}]],
    '"read" is not a string': [[{"kind": "face", "die": 0, "face": "beer", "read": None}]],
    '"die" is 5, not one of 0 to 4': [[{"kind": "kept", "die": 5}]],
    '"die" is not an integer': [[{"kind": "kept", "die": True}]],
    '"seat" of a correction is 8: there is no such seat': [[{"kind": "by_hand", "seat": 8}]],
    '"seat" of a correction is -1: there is no such seat': [[{"kind": "by_hand", "seat": -1}]],
    '"seat" is not an integer': [[{"kind": "by_hand", "seat": None}]],
}


def test_a_wrong_action_or_correction_is_an_error_at_its_line():
    for before, refusals in ACTIONS:
        for reason, wrongs in refusals.items():
            assert_refused((before, wrong, reason) for wrong in wrongs)
    for reason, said in NO_CORRECTIONS.items():
        assert_refused(([CORRECTED_HEADER], ROLL | {"corrected": each}, reason) for each in said)
    # Earlier versions hold none.
    for header in (HEADER, HOUSE_HEADER, DATED_HEADER):
        assert_refused([([header], ROLL | {"corrected": SAID}, 'the key "corrected" is unknown')])


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(line):
    for parse in (parse_header, parse_move):
        with pytest.raises(FormatError):
            parse(line)

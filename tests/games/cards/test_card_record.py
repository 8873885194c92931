"""Records of the card game: what is written can be read, and nothing else."""

import json
from typing import Any

import pytest

from companion.games.cards.rules.moves import HAND, Draw, DrawSource, End, Flip, Pass, Play, Regain
from companion.games.cards.rules.public import board_entry, event_entry
from companion.games.cards.rules.record import (
    header_line,
    move_line,
    parse_header,
    parse_move,
    replay,
    view_line,
)
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.common.lines import FormatError, RecordError

HEADER = {
    "record": "bang-card",
    "version": 1,
    "ruleset": "base",
    "players": [
        {"name": "Ann", "role": "sheriff", "character": "slab_the_killer"},
        {"name": "Ben", "role": "outlaw", "character": "jourdonnais"},
        {"name": "Cat", "role": "renegade", "character": "bart_cassidy"},
        {"name": "Dan", "role": "outlaw", "character": "el_gringo"},
    ],
}

ACTIONS = [
    {"action": "play", "seat": 0, "card": "bang", "target": 1},
    {"action": "flip", "seat": 1, "signs": ["4H"]},
    {"action": "play", "seat": 1, "card": "missed"},
    {"action": "play", "seat": 0, "card": "indians"},
    {"action": "pass", "seat": 1},
    {"action": "play", "seat": 2, "card": "bang"},
    {"action": "pass", "seat": 3},
    {"action": "end", "seat": 0},
]


def line(entry: Any) -> bytes:
    return json.dumps(entry).encode()


def states(*entries: Any) -> list[dict[str, Any]]:
    lines = [entry if isinstance(entry, bytes) else line(entry) for entry in entries]
    return [json.loads(view_line(view(state, Audience.RECORD))) for state in replay(lines)]


def test_the_example_of_the_format_goes_through_its_states() -> None:
    shown = states(HEADER, *ACTIONS)
    start = shown[0]
    assert (start["phase"], start["players"][0]["hand"], start["deck"]) == ("play", 7, 62)
    assert start["awaits"]["plays"]["bang"] == [1, 3]
    assert shown[1] == {
        **start,
        "bangs": 1,
        "discard": 1,
        "top": "bang",
        "players": [{**start["players"][0], "hand": 6}, *start["players"][1:]],
        "open": {"card": "bang", "by": 0, "on": 1, "needed": 2, "barrels": 1},
        "awaits": {"seat": 1, "actions": ["flip", "play", "pass"], "plays": {"missed": []}},
    }
    flipped = shown[2]
    assert (flipped["top"], flipped["open"]["needed"], flipped["open"]["barrels"]) == ("4H", 1, 0)
    assert flipped["deck"] == 61
    assert shown[3]["open"] is None
    assert shown[3]["awaits"]["seat"] == 0
    assert "bang" not in shown[3]["awaits"]["plays"]
    assert [state["awaits"]["seat"] for state in shown[4:7]] == [1, 2, 3]
    assert shown[5]["players"][1]["life"] == 3
    assert shown[6]["top"] == "bang"
    hurt = shown[7]["players"]
    assert (hurt[3]["life"], hurt[3]["hand"], hurt[0]["hand"]) == (2, 4, 4)
    last = shown[8]
    assert (last["turn"], last["phase"], last["deck"]) == (1, "play", 59)
    assert last["players"][1]["hand"] == 5


def test_a_state_has_exactly_its_keys() -> None:
    state = states(HEADER)[0]
    assert list(state) == [
        "turn", "phase", "bangs", "deck", "discard", "top", "regain", "players", "open", "awaits",
        "result",
    ]  # fmt: skip
    assert list(state["players"][0]) == [
        "life", "max_life", "hand", "in_play", "alive", "character", "role",
    ]  # fmt: skip
    assert list(state["awaits"]) == ["seat", "actions", "plays"]


def test_the_header_is_written_as_it_is_read() -> None:
    assert json.loads(header_line(parse_header(line(HEADER)))) == HEADER


MOVES = {
    '{"action": "flip", "seat": 1, "signs": ["4H"]}': Flip(1, (SIGNS["4H"],)),
    '{"action": "flip", "seat": 1, "signs": ["10S", "AH"]}': Flip(1, (SIGNS["10S"], SIGNS["AH"])),
    '{"action": "draw", "seat": 2, "from": "deck"}': Draw(2, DrawSource.DECK),
    '{"action": "draw", "seat": 2, "from": "discard"}': Draw(2, DrawSource.DISCARD),
    '{"action": "draw", "seat": 2, "from": 0}': Draw(2, 0),
    '{"action": "draw", "seat": 2, "shown": "QD"}': Draw(2, shown=SIGNS["QD"]),
    '{"action": "play", "seat": 0, "card": "gatling"}': Play(0, Title.GATLING),
    '{"action": "play", "seat": 0, "card": "panic", "target": 1, "take": "hand"}': Play(
        0, Title.PANIC, 1, HAND
    ),
    '{"action": "play", "seat": 0, "card": "cat_balou", "target": 0, "take": "dynamite"}': Play(
        0, Title.CAT_BALOU, 0, Title.DYNAMITE
    ),
    '{"action": "pass", "seat": 3}': Pass(3),
    '{"action": "regain", "seat": 3}': Regain(3),
    '{"action": "end", "seat": 3}': End(3),
}


@pytest.mark.parametrize("text", MOVES)
def test_every_action_is_read_and_written(text: str) -> None:
    assert parse_move(text.encode()) == MOVES[text]
    assert move_line(MOVES[text]) == text


def test_line_ends_and_blanks_round_the_json_are_free() -> None:
    lines = [line(HEADER) + b"\r\n", b" \t" + line(ACTIONS[0]) + b" \n", line(ACTIONS[1])]
    assert len(list(replay(lines))) == 3


def test_a_name_may_hold_what_ends_lines_elsewhere() -> None:
    entry = json.loads(json.dumps(HEADER))
    entry["players"][0]["name"] = "Ann\u2028Lee"
    text = header_line(parse_header(json.dumps(entry, ensure_ascii=False).encode()))
    assert json.loads(text) == entry


def changed(entry: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**entry, **changes}.items() if value is not ...}


def with_player(**changes: Any) -> dict[str, Any]:
    first, *others = HEADER["players"]
    return changed(HEADER, players=[changed(first, **changes), *others])


HEADERS = {
    "not an object": ([1, 2], "expected an object"),
    "a key missing": (changed(HEADER, ruleset=...), 'the key "ruleset" is missing'),
    "an unknown key": (changed(HEADER, date="2026-11-22"), 'the key "date" is unknown'),
    "another record": (changed(HEADER, record="bang-dice"), '"record" is not "bang-card"'),
    "another version": (changed(HEADER, version=2), "unknown version 2: only 1 is known"),
    "a version that is no integer": (changed(HEADER, version=1.0), '"version" is not an integer'),
    "a version that is true": (changed(HEADER, version=True), '"version" is not an integer'),
    "another ruleset": (changed(HEADER, ruleset="quick"), 'is "quick", not one of base'),
    "a null": (changed(HEADER, ruleset=None), '"ruleset" is not a string'),
    "players no list": (changed(HEADER, players={}), '"players" is not a list'),
    "three players": (changed(HEADER, players=HEADER["players"][:3]), "4 to 7 players, not 3"),
    "a player's unknown key": (with_player(seat=0), 'player 0: the key "seat" is unknown'),
    "a player's missing key": (with_player(role=...), 'player 0: the key "role" is missing'),
    "a name that is no string": (with_player(name=5), 'player 0: "name" is not a string'),
    "no name": (with_player(name=""), "a player has no name"),
    "the same name": (with_player(name="Ben"), "two players have the same name"),
    "the same character": (with_player(character="el_gringo"), "have the same character"),
    "an unknown character": (with_player(character="calm"), 'player 0: "character" is "calm"'),
    "an unknown role": (with_player(role="vice"), 'player 0: "role" is "vice"'),
    "no Sheriff": (with_player(role="outlaw"), "4 players have the roles"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_wrong_header_is_refused(name: str) -> None:
    entry, reason = HEADERS[name]
    with pytest.raises(FormatError) as wrong:
        parse_header(line(entry))
    assert reason in str(wrong.value)
    with pytest.raises(RecordError) as at:
        list(replay([line(entry)]))
    assert at.value.line == 1


BROKEN = {
    "no object": ("[]", "an action is an object"),
    "no action": ('{"seat": 0}', 'the key "action" is missing'),
    "an unknown action": ('{"action": "roll", "seat": 0}', '"action" is "roll", not one of'),
    "no seat": ('{"action": "end"}', 'the key "seat" is missing'),
    "a seat in a string": ('{"action": "end", "seat": "0"}', '"seat" is not an integer'),
    "a seat that is a float": ('{"action": "end", "seat": 1.0}', '"seat" is not an integer'),
    "a seat that is true": ('{"action": "end", "seat": true}', '"seat" is not an integer'),
    "a null": (
        '{"action": "play", "seat": 0, "card": "bang", "target": null}',
        '"target" is not an integer',
    ),
    "the same key twice": ('{"action": "end", "seat": 0, "seat": 0}', "the same key appears twice"),
    "NaN": ('{"action": "end", "seat": NaN}', "NaN is not JSON"),
    "an unknown key": ('{"action": "end", "seat": 0, "card": "bang"}', 'the key "card" is unknown'),
    "no card": ('{"action": "play", "seat": 0}', 'the key "card" is missing'),
    "an unknown title": (
        '{"action": "play", "seat": 0, "card": "appaloosa"}',
        '"card" is "appaloosa"',
    ),
    "an unknown take": (
        '{"action": "play", "seat": 0, "card": "panic", "target": 1, "take": "purse"}',
        '"take" is "purse", not one of hand',
    ),
    "a null take": (
        '{"action": "play", "seat": 0, "card": "panic", "target": 1, "take": null}',
        '"take" is not a string',
    ),
    "no signs": ('{"action": "flip", "seat": 0}', 'the key "signs" is missing'),
    "signs no list": ('{"action": "flip", "seat": 0, "signs": "4H"}', '"signs" is not a list'),
    "an unknown sign": ('{"action": "flip", "seat": 0, "signs": ["1H"]}', '"signs" is "1H"'),
    "a sign that is no string": (
        '{"action": "flip", "seat": 0, "signs": [4]}',
        '"signs" is not a string',
    ),
    "a draw from nowhere": ('{"action": "draw", "seat": 0}', 'a draw has either "from" or "shown"'),
    "a draw of both kinds": (
        '{"action": "draw", "seat": 0, "from": "deck", "shown": "4H"}',
        'a draw has either "from" or "shown"',
    ),
    "a draw from elsewhere": (
        '{"action": "draw", "seat": 0, "from": "hand"}',
        '"from" is "hand", not one of deck, discard',
    ),
    "a draw from a float": (
        '{"action": "draw", "seat": 0, "from": 1.0}',
        '"from" is neither a seat nor a string',
    ),
    "a draw from true": (
        '{"action": "draw", "seat": 0, "from": true}',
        '"from" is neither a seat nor a string',
    ),
    "an unknown shown sign": ('{"action": "draw", "seat": 0, "shown": "11H"}', '"shown" is "11H"'),
    "blank": ("", "the line is blank"),
    "no JSON": ("end", "this is not JSON"),
    "deep": ("[" * 1000 + "]" * 1000, ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_action_is_refused_with_its_line(name: str) -> None:
    text, reason = BROKEN[name]
    with pytest.raises(FormatError) as wrong:
        parse_move(text.encode())
    assert str(wrong.value).startswith(reason)
    seen = []
    with pytest.raises(RecordError) as at:
        seen.extend(replay([line(HEADER), line(ACTIONS[0]), text.encode()]))
    assert at.value.line == 3


ILLEGAL = [
    ({"action": "play", "seat": 0, "card": "bang", "target": 2}, "doesn't reach seat 2"),
    ({"action": "play", "seat": 0, "card": "bang", "target": 9}, "there is no seat 9"),
    ({"action": "play", "seat": 0, "card": "bang", "target": -1}, "there is no seat -1"),
    ({"action": "play", "seat": 0, "card": "beer", "target": 1}, "beer has no target"),
    ({"action": "play", "seat": 0, "card": "panic", "target": 1}, "panic names what it takes"),
    ({"action": "play", "seat": 1, "card": "bang", "target": 0}, "seat 0 decides now, not seat 1"),
    ({"action": "pass", "seat": 0}, "expected play or end, not pass"),
    ({"action": "flip", "seat": 0, "signs": ["4H"]}, "expected play or end, not flip"),
    ({"action": "draw", "seat": 0, "from": "deck"}, "expected play or end, not draw"),
    ({"action": "regain", "seat": 0}, "can't trade two cards"),
]


@pytest.mark.parametrize(("action", "reason"), ILLEGAL)
def test_an_illegal_action_is_refused_with_its_line(action: dict[str, Any], reason: str) -> None:
    with pytest.raises(RecordError) as wrong:
        states(HEADER, action)
    assert wrong.value.line == 2
    assert reason in str(wrong.value)


def test_cards_signs_and_actions_are_published_by_their_names_in_records() -> None:
    shot, saved = list(replay(map(line, [HEADER, *ACTIONS[:2]])))[1:]
    board = json.loads(json.dumps(board_entry(view(shot, Audience.TABLE))))
    assert (board["top"], board["actions"]) == ("bang", ["flip", "play", "pass"])
    board = json.loads(json.dumps(board_entry(view(saved, Audience.TABLE))))
    assert (board["top"], board["open"]["needed"]) == ("4H", 1)
    told = {"seat": 1, "signs": ["4H"], "card": "barrel", "success": True}
    assert [event_entry(event) for event in saved.events] == [{"kind": "card_flipped", **told}]


def test_an_empty_record_is_wrong_in_line_1() -> None:
    with pytest.raises(RecordError, match="the record is empty") as wrong:
        list(replay([]))
    assert wrong.value.line == 1

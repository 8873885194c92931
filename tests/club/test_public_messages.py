"""What a table tells other programs: described by schemas, and without any secret."""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, get_args

import jsonschema
import pytest
from most_pips import FACES, MOST_PIPS, ONE_THROW
from people import join
from places import ROOT
from random_games import KINDS, RandomGame, Step
from stand_ins import Die
from stand_ins import reading as reading_of
from tiers import later

from companion.base.refused import Message
from companion.club.publishing import reading
from companion.club.publishing.messages import (
    TableName,
    encode,
    event_messages,
    result_message,
    state_message,
)
from companion.club.publishing.progress import Outgoing, Sent, due, is_behind
from companion.club.publishing.reading import MessageKind, NewerMessageError, UnreadableMessageError
from companion.club.publishing.topics import Parsed, Topics, may_begin, may_name, parse
from companion.games.cards.rules import public as public_cards
from companion.games.cards.rules.events import CardEvent, Occasion
from companion.games.dice.minds.levels import MINDS
from companion.games.dice.rules import public as public_dice
from companion.games.dice.rules.events import Cause, Event
from companion.games.game import Correction, CorrectionKind, Selection
from companion.table import rounds
from companion.table.changes import Press
from companion.table.history import EntryStatus
from companion.table.journal.journal import Journal
from companion.table.scene import CameraStatus, Trouble
from companion.table.table import Table
from web.text import translate

pytestmark = pytest.mark.tables

TABLE = TableName("k3", "corner", "0.3.0")
TOPICS = Topics("bang", "corner")


def unknown(message: Any, schema: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """The keys of a message that its schema doesn't describe."""
    if isinstance(message, list):
        for item in message:
            yield from unknown(item, schema["items"], f"{where}[]")
    if isinstance(message, dict):
        for key, value in message.items():
            described = schema.get("properties", {}).get(key)
            described = described or schema.get("additionalProperties")
            if described is None:
                yield f"{where}.{key}"
            else:
                yield from unknown(value, described, f"{where}.{key}")


def checked(kind: MessageKind, payload: bytes) -> dict[str, Any]:
    """A message that its schema holds for, by two libraries, without keys that it doesn't know."""
    message = reading.read(kind, payload)
    described = reading.schema(kind)
    jsonschema.Draft7Validator(described).validate(message)
    if kind is not MessageKind.EVENT:
        assert list(unknown(message, described)) == []
    return dict(message)


class Told:
    """All messages of a game, in the order in which a broker gets them."""

    def __init__(self) -> None:
        self.sent = Sent()
        self.messages: list[Outgoing] = []

    def look(self, game: RandomGame, number: int = 0) -> Sequence[Outgoing]:
        view, record = game.view(number), game.histories[number].record
        assert not is_behind(view, self.sent)
        found, self.sent = due(view, record, self.sent, TABLE)
        state = encode(state_message(view, TABLE))
        found.append(Outgoing("state", state, True))
        self.messages += found
        return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("games", [3, *later(10)])
def test_every_message_of_random_games_fits_its_schema(kind, games):
    for seed in range(games):
        game, told = RandomGame(kind, seed), Told()
        told.look(game)
        for step in game.steps():
            game.make(step)
            told.look(game)
        events: list[Mapping[str, Any]] = []
        for topic, payload, retain in told.messages:
            name, found = parse("bang", f"{TOPICS.base}/{topic}")
            assert name == "corner"
            message = checked(MessageKind(found), payload)
            assert retain == (found != "event")
            if found == "event":
                events.append(message)
        assert [event["number"] for event in events] == list(range(1, len(events) + 1))
        result = json.loads(told.messages[-2].payload)
        assert told.messages[-2].topic == "result/1"
        assert result["events"] == len(events)
        assert result["record"] == game.histories[0].record
        assert None not in {player["role"] for player in result["players"]}
        outcome = game.histories[0].standing.outcome
        assert outcome is not None
        ended = {"side": outcome.side, "winners": list(outcome.winners)}
        assert events[-1]["event"] == {"kind": "game_ended", "result": ended}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("games", [10, *later(500)])
def test_twins_whose_hidden_roles_differ_send_the_same_bytes(kind, games):
    compared, apart, met = 0, 0, set()
    for seed in range(games):
        game, told = RandomGame(kind, seed), [Told(), Told()]
        assert told[0].look(game) == told[1].look(game, 1)
        met |= {game.selection.ruleset.id, *game.selection.house_rules, *game.stand_ins.values()}
        for step in game.steps():
            game.make(step)
            game.make(step, 1)
            if game.told_apart:
                # The comparison sees a difference where there is one.
                apart += told[0].look(game) != told[1].look(game, 1)
                break
            assert told[0].look(game) == told[1].look(game, 1)
        compared += len(told[0].messages)
        met |= {json.loads(one.payload).get("event", {}).get("kind") for one in told[0].messages}
        assert game.histories[0].lines[0] != game.histories[1].lines[0]
    assert compared > games * 20
    assert apart
    # All that tables offer was compared, and what happens after a third player's death.
    played = game.kind.game
    assert met >= {*played.rulesets, *played.house_rules, "eliminated", "undone"}
    assert met >= ({*MINDS, "corrected"} if kind == "dice" else {"retitled"})


@pytest.mark.parametrize(
    ("events", "module"), [(get_args(Event), public_dice), (get_args(CardEvent), public_cards)]
)
def test_every_kind_of_event_is_told_and_listed_with_all_its_fields(events, module):
    told = {event: tuple(field.name for field in dataclasses.fields(event)) for event in events}
    assert {event: fields for event, (_, fields) in module.EVENTS.items()} == told
    names = [kind for kind, _ in module.EVENTS.values()]
    assert len(set(names)) == len(names)
    assert not {"undone", "corrected", "told"} & set(names)
    lines = (ROOT / "docs/dev/mqtt.md").read_text("utf-8").splitlines()
    for kind, fields in module.EVENTS.values():
        (line,) = (line for line in lines if line.startswith("|") and f"`{kind}`" in line)
        assert all(f"`{field}`" in line for field in fields)


@pytest.mark.parametrize(("key", "words"), [("cause", Cause), ("occasion", Occasion)])
def test_causes_and_occasions_have_the_names_that_programs_are_promised(key, words):
    text = (ROOT / "docs/dev/mqtt.md").read_text("utf-8")
    (promised,) = re.findall(rf"`{key}` is (.*?)\.\s", text, re.S)
    assert re.findall("`(.+?)`", promised) == list(words)


def over(kind: str = "dice") -> RandomGame:
    game = RandomGame(kind, 3)
    for step in game.steps():
        game.make(step)
    return game


def test_an_undo_of_the_end_takes_the_result_back():
    game, told = over(), Told()
    told.look(game)
    assert not json.loads(told.messages[-2].payload)["withdrawn"]
    game.make(Step(None))
    undone, result, _ = told.look(game)
    assert checked(MessageKind.EVENT, undone.payload)["event"]["kind"] == "undone"
    assert checked(MessageKind.RESULT, result.payload)["withdrawn"]
    assert (result.topic, result.retain) == ("result/1", True)
    assert len(told.look(game)) == 1
    for step in game.steps():
        game.make(step)
    *_, again, _ = told.look(game)
    assert not checked(MessageKind.RESULT, again.payload)["withdrawn"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_says_who_was_eliminated_in_which_order(kind):
    for seed in range(8):
        game = RandomGame(kind, seed)
        by_move: list[set[int]] = []
        for step in game.steps():
            game.make(step)
            alive = game.histories[0].standing.alive
            fallen = {seat for seat, there in enumerate(alive) if not there}
            # An undo brings them back.
            by_move = [kept for seats in by_move if (kept := seats & fallen)]
            if new := fallen.difference(*by_move):
                by_move.append(new)
        told = Told()
        told.look(game)
        outcome = checked(MessageKind.RESULT, told.messages[-2].payload)["outcome"]
        order = iter(outcome["eliminated"])
        # Several may fall by one move.
        assert [set(islice(order, len(seats))) for seats in by_move] == by_move
        assert list(order) == []


def test_a_running_game_has_no_result():
    game = RandomGame("dice", 1)
    with pytest.raises(ValueError, match="isn't over"):
        result_message(game.view(), game.histories[0].record, TABLE)


def test_corrections_are_told_once_the_roll_is_accepted():
    game = RandomGame("dice", 1)
    before = game.view()
    said = Correction(CorrectionKind.FACE, 0, 1, "beer", "arrow")
    statuses = (*before.statuses, EntryStatus(1))
    waiting = replace(before, story=(*before.story, said), statuses=statuses)
    events = list(event_messages(waiting, TABLE))
    assert events == list(event_messages(before, TABLE))
    assert state_message(waiting, TABLE)["game"]["events"] == len(events)


def faulty(**given: Any) -> Mapping[str, Any]:
    """What a table with these faults tells of its health, as it is read elsewhere."""
    view = replace(RandomGame("dice", 1).view(), **given)
    return checked(MessageKind.STATE, encode(state_message(view, TABLE)))["health"]


def test_a_fault_arrives_so_that_it_can_be_translated():
    why = Message("%(file)s: %(reason)s", file="users", reason=Message("no room"), secret="role")
    health = faulty(camera=CameraStatus("usb:0", fault=why), troubles={Trouble.LIGHT: why})
    assert health["troubles"] == {"light": "users: no room"}
    for part in ("camera", "light"):
        found = reading.reason(health, part)
        assert isinstance(found, Message)
        assert (found, found.text) == ("users: no room", "%(file)s: %(reason)s")
        assert found.particulars == {"file": "users", "reason": "no room"}
    assert "secret" not in health["reasons"]["light"]["particulars"]


def test_a_fault_that_is_a_plain_text_arrives_as_it_is():
    health = faulty(troubles={Trouble.GREEN: "GPIO17 100%"})
    assert health["reasons"] == {}
    assert reading.reason(health, "green") == "GPIO17 100%"
    assert not isinstance(reading.reason(health, "green"), Message)


def test_a_fault_with_a_long_path_is_cut_and_can_still_be_read():
    long = Message("%(file)s: gone", file="x" * 1000)
    health = faulty(camera=CameraStatus("y" * 1000, fault=long), troubles={Trouble.SAVING: long})
    assert (len(health["camera"]["name"]), len(reading.reason(health, "saving"))) == (200, 500)
    assert health["reasons"] == {}


MANY: Any = "x" * 400
for _ in range(2):
    MANY = {"text": "%(a)s" * 80, "particulars": {"a": MANY}}


def told_of(parts: Any) -> str:
    """What is read of a table whose light is "gone", with these parts of the reason."""
    health = {**STATE["health"], "troubles": {"light": "gone"}, "reasons": {"light": parts}}
    read = reading.read(MessageKind.STATE, encode({**STATE, "health": health}))["health"]
    return reading.reason(read, "light")


def test_parts_that_are_not_those_of_the_fault_count_for_nothing():
    for parts in (
        {"text": "something else", "particulars": {}},
        {"text": "%(why)s", "particulars": {}},
        {"text": "%(why)s", "particulars": {"why": {"text": "%(a)s", "particulars": {}}}},
        {"text": "%(why)999999999s", "particulars": {"why": "gone"}},
        {"text": "%d", "particulars": {"why": "gone"}},
        {"text": "%", "particulars": {}},
        MANY,
    ):
        assert (told_of(parts), isinstance(told_of(parts), Message)) == ("gone", False), parts


def test_a_placeholder_of_any_name_stands_for_a_text_or_a_reason():
    for name in ("text", "cls", "self", "string"):
        told = told_of({"text": f"%({name})s", "particulars": {name: "gone"}})
        assert (translate(told), isinstance(told, Message)) == ("gone", True)
    for why in (3, {}, {"text": 3, "particulars": {}}, {"text": "gone"}):
        with pytest.raises(UnreadableMessageError):
            told_of({"text": "%(why)s", "particulars": {"why": why}})


def test_a_table_that_lost_moves_or_games_says_so():
    view = over().view()
    events = len(view.story)
    assert not is_behind(view, Sent(1, events, events))
    assert is_behind(view, Sent(1, events + 1))
    assert is_behind(view, Sent(2, 1))
    assert not is_behind(replace(view, game_number=0), Sent(2, 1))


def test_a_game_without_words_for_other_programs_is_told_plainly(tmp_path):
    known = {MOST_PIPS.record_name: MOST_PIPS}
    table = Table(Journal(tmp_path), known, Selection(MOST_PIPS, ONE_THROW))
    for name in ("Ann", "Bob"):
        join(table, name, table.scene.code)
    table.do(rounds.start_game, Press(1, table.view().version))
    table.watch(CameraStatus("test"))
    table.see(reading_of("ok", [Die(FACES[4], 100.0 * place) for place in range(5)]))
    table.press_green()
    view = table.view()
    state = checked(MessageKind.STATE, encode(state_message(view, TABLE)))
    assert state["game"]["board"] == {}
    assert state["game"]["players"][1] == {"name": "Bob", "stand_in": "", "alive": True}
    (event,) = event_messages(view, TABLE)
    assert event["event"] == {"kind": "told", "text": str(view.story[0])}
    assert table.scene.code.encode() not in encode(state)


STATE = state_message(RandomGame("dice", 1).view(), TABLE)


def test_a_message_of_a_newer_version_is_named_as_such():
    newer = encode({**STATE, "schema": 2, "people": "written otherwise"})
    with pytest.raises(NewerMessageError, match="schema 2"):
        reading.read(MessageKind.STATE, newer)
    # Keys that a later version adds are no mistake.
    assert reading.read(MessageKind.STATE, encode({**STATE, "weather": "dusty"}))["weather"]


GAME = STATE["game"]


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"online", b"\xff\xfe", b"[]", b"{" * 2000, b'{"schema": 1}',
        b" " * reading.MAX_BYTES + b"{}", encode({**STATE, "schema": "1"}),
        encode({**STATE, "schema": True}), encode({**STATE, "schema": 0}),
        encode({**STATE, "people": [3]}), encode({**STATE, "phase": "asleep"}),
        encode({**STATE, "game": {**GAME, "turn": 9}}),
        encode({**STATE, "game": {**GAME, "awaited": 9}}),
        encode({**STATE, "game": {**GAME, "outcome": {"side": "law", "winners": [8]}}}),
        encode({**STATE, "game": {**GAME, "number": -1}}),
        encode({**STATE, "waiting": ["x" * 201]}),
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(payload):
    with pytest.raises(UnreadableMessageError):
        reading.read(MessageKind.STATE, payload)


def test_a_name_with_half_a_character_is_still_utf8():
    told = encode({"name": "\ud800 é"})
    assert told == b'{"name":"\\ud800 \xc3\xa9"}'
    assert json.loads(told) == {"name": "\ud800 é"}


def test_topics_are_taken_apart_as_they_were_joined():
    topics = Topics("club/tables", "corner")
    assert parse("club/tables", topics.state) == Parsed("corner", "state")
    assert parse("club/tables", topics.result(47)) == Parsed("corner", "result")
    assert topics.result(47) == "club/tables/corner/result/7"
    for other in ("club/tables", "club/tables//state", "club/corner/state",
                  "club/tables/corner", "club/tables/corner/state/x", "club/tables/corner/secret",
                  "club/tables/corner/result/x", "club/tables/corner/result"):  # fmt: skip
        assert parse("club/tables", other) is None


@pytest.mark.parametrize(
    "name", ["corner", "Table 7", "Ünter_den-Linden.2", "桌子", "मेज़ १", "โต๊ะ", "தமிழ்"]
)
def test_a_table_may_have_any_name_without_separators(name):
    assert may_name(name)
    assert may_begin(name.replace(" ", "/"))


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "$SYS", "a\nb", "x" * 41, "a\0"])
def test_a_name_that_means_other_topics_is_none(name):
    assert not may_name(name)

"""The product's replay against a second implementation of both games, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import zip_longest
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from card_strategies import deal, opening
from tiers import later

from companion.games.cards.players import random_move
from companion.games.cards.rules import record as card_record
from companion.games.cards.rules import views as card_views
from companion.games.cards.rules.rules import apply
from companion.games.common.audience import Audience, Viewer
from companion.games.common.lines import RecordError
from companion.games.dice.rules.record import replay, view_line
from companion.games.dice.rules.views import view
from tests.tools.reference import card_records, cards, records, rules
from tests.tools.reference.rules import Wrong

pytestmark = pytest.mark.tables


def card_line(*seen: Any) -> str:
    return card_record.view_line(card_views.view(*seen))


class Agreement(NamedTuple):
    """The two implementations of a game, as functions of a record."""

    replay: Callable[[Iterable[bytes]], Iterator[Any]]
    """The product's states."""
    line: Callable[[Any, Viewer], str]
    """A state of the product as it is printed."""
    reference: Callable[[Iterable[bytes], int | str | None], Iterator[Any]]
    """The reference's states, as a viewer sees them."""
    records: ModuleType
    """Writes records: those of whole games, and those with a wrong line."""

    def check(self, kind: str, number: int) -> int | None:
        """Compare what is seen by who sees all, and by one other viewer.

        Returns the first wrong line if any.
        """
        name, data = f"{kind} {number}", numbered(self, kind, number)
        states, wrong = states_of(self.replay(io.BytesIO(data)))
        seats = range(len(states[0].life)) if states else ()
        other = Random(name).choice([("table", Audience.TABLE), *zip(seats, seats, strict=True)])
        for viewer, audience in ((None, Audience.RECORD), other):
            shown = [json.loads(self.line(state, audience)) for state in states]
            reference, line = states_of(self.reference(io.BytesIO(data), viewer))
            for place, (one, another) in enumerate(zip_longest(shown, reference), 1):
                assert one == another, f"{name}, line {place}, as {viewer}"
            assert wrong == line, f"{name}, as {viewer}"
        return wrong


@cache
def numbered(game: Agreement, kind: str, number: int) -> bytes:
    data: bytes = getattr(game.records, kind)(Random(f"{kind} {number}"))
    return data


def states_of(replayed: Iterator[Any]) -> tuple[list[Any], int | None]:
    """All states of a record, and its first wrong line if any."""
    states = []
    try:
        for state in replayed:
            states.append(state)
    except (RecordError, Wrong) as error:
        return states, error.line
    return states, None


DICE = Agreement(replay, lambda *seen: view_line(view(*seen)), rules.replay, records)
CARDS = Agreement(card_record.replay, card_line, cards.replay, card_records)
LEGAL = {DICE: 150, CARDS: 120}
"""So many legal games of each are played."""
BROKEN = 300

both_games = pytest.mark.parametrize("game", [DICE, CARDS], ids=["dice", "cards"])
in_tenths = pytest.mark.parametrize("tenth", [*range(5), *later(*range(5, 10))])
"""Of the records: make test plays half of them."""


@in_tenths
@both_games
def test_legal_games_are_played_alike(game, tenth):
    for number in range(tenth, LEGAL[game], 10):
        assert game.check("legal", number) is None, f"legal {number}"


@in_tenths
@both_games
def test_the_first_wrong_line_is_found_alike(game, tenth):
    wrong = [game.check("broken", number) for number in range(tenth, BROKEN, 10)]
    assert len(wrong) - wrong.count(None) > len(wrong) / 2


@pytest.mark.parametrize("numbers", [range(30), *later(range(30, 80))])
def test_games_with_few_cards_to_draw_are_played_alike(numbers):
    """Hands hold nearly all cards, so that the deck is shuffled all the time, and runs out."""
    dry = 0
    for number in numbers:
        chance = Random(f"dry {number}")
        setup = deal(4 + number % 4, chance)
        state = opening(setup, "dry", chance)
        game = cards.set_up(json.loads(card_record.header_line(setup)))
        steps = cards.play(game)
        next(steps)
        game["deck"] = state.deck
        for player, hand in zip(game["players"], state.hands, strict=True):
            player["hand"] = hand
        for _ in range(150):
            printed = json.loads(card_line(state, Audience.RECORD))
            assert printed == json.loads(json.dumps(cards.shown(game, None))), number
            dry += state.deck == 0
            if state.result:
                break
            move = random_move(state, chance)
            state = apply(state, move)
            steps.send(cards.read(json.loads(card_record.move_line(move))))
    assert dry > 5


@pytest.mark.slow
def test_the_legal_games_of_dice_hold_everything_that_can_happen():
    seen: Counter[str | int] = Counter()
    for number in range(LEGAL[DICE]):
        lines = [json.loads(line) for line in io.BytesIO(numbered(DICE, "legal", number))]
        header, actions = lines[0], lines[1:]
        seen.update([header["ruleset"], len(header["players"]), f"version {header['version']}"])
        seen["day"] += len(header.get("date", "")) == len("2026-11-22")
        seen["time"] += header.get("date", "").endswith("Z")
        seen.update(player["character"] for player in header["players"])
        seen.update({action["action"] for action in actions})
        said = [each for action in actions for each in action.get("corrected", ())]
        seen.update(f"said: {each['kind']}" for each in said)
        shots = [shot for action in actions for shot in action.get("shots", ())]
        seen.update(f"shot with {key}" for shot in shots for key in shot)
        seen["lost shot"] += any(shot["target"] is None for shot in shots)
        states, _ = states_of(DICE.reference(io.BytesIO(numbered(DICE, "legal", number)), None))
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
    everything = [*rules.RULESETS, *range(3, 9), *rules.LIFE, *rules.KEYS, "unfinished"]
    everything += [
        "shot with as",
        "shot with beer",
        "version 1",
        "version 3",
        "version 4",
        "version 5",
    ]
    everything += ["day", "time", "lost shot", *(f"said: {kind}" for kind in rules.SAID)]
    sides = ("law", "outlaws", "renegade", "deputy", "outlaw", "none")
    everything += [f"won by {side}" for side in sides]
    assert [what for what in everything if seen[what] == 0] == []


@pytest.mark.slow
def test_the_legal_games_of_cards_hold_everything_that_can_happen():
    seen: Counter[object] = Counter()
    for number in range(LEGAL[CARDS]):
        record = numbered(CARDS, "legal", number)
        header, *actions = [json.loads(line) for line in io.BytesIO(record)]
        seen[len(header["players"])] += 1
        seen.update(player["character"] for player in header["players"])
        seen.update(action["action"] for action in actions)
        seen.update(action["card"] for action in actions if "card" in action)
        states, _ = states_of(CARDS.reference(io.BytesIO(record), None))
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
        for state in states:
            seen["one card left"] += state["deck"] == 1
            opened = state["open"]
            if opened and state["players"][opened["on"]]["life"] < 1:
                seen["dying", opened["card"]] += 1
    everything = [*range(4, 8), *cards.LIFE, *cards.COPIES, "one card left", "unfinished"]
    everything += ["flip", "draw", "play", "pass", "regain", "end"]
    everything += [f"won by {side}" for side in ("law", "outlaws", "renegade")]
    dying = ("bang", "gatling", "indians", "duel", "dynamite")
    assert [what for what in everything if seen[what] == 0] == []
    assert [card for card in dying if seen["dying", card] == 0] == []

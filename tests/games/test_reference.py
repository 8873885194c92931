"""The product's replay against a second implementation of both games, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from agreement import Agreement, RandomRecords
from card_strategies import deal, opening
from tiers import later

from companion.games.cards.players import random_move
from companion.games.cards.rules import record as card_record
from companion.games.cards.rules import views as card_views
from companion.games.cards.rules.rules import apply
from companion.games.common.audience import Audience
from companion.games.dice.rules.record import replay, view_line
from companion.games.dice.rules.views import view
from tests.tools.reference import card_records, cards, records, rules

pytestmark = pytest.mark.tables


def card_line(*seen: Any) -> str:
    return card_record.view_line(card_views.view(*seen))


class TestDiceRecords(RandomRecords):
    game = Agreement(replay, lambda *seen: view_line(view(*seen)), rules.replay)
    records, legal = records, 150


class TestCardRecords(RandomRecords):
    game = Agreement(card_record.replay, card_line, cards.replay)
    records, legal = card_records, 120


@pytest.mark.parametrize("numbers", [range(30), *later(range(30, 80))])
def test_games_with_few_cards_to_draw_are_played_alike(numbers: range) -> None:
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
def test_the_legal_games_of_dice_hold_everything_that_can_happen() -> None:
    seen: Counter[str | int] = Counter()
    for number in range(TestDiceRecords.legal):
        lines = [json.loads(line) for line in io.BytesIO(TestDiceRecords.numbered("legal", number))]
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
        states, _ = TestDiceRecords.game.expected(TestDiceRecords.numbered("legal", number), None)
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
    everything = [*rules.RULESETS, *range(3, 9), *rules.LIFE, *rules.KEYS]
    everything += ["shot with as", "shot with beer", "lost shot", "unfinished"]
    everything += ["version 1", "version 3", "version 4", "day", "time"]
    everything += [f"said: {kind}" for kind in rules.SAID]
    sides = ("law", "outlaws", "renegade", "deputy", "outlaw", "none")
    everything += [f"won by {side}" for side in sides]
    assert [what for what in everything if seen[what] == 0] == []


@pytest.mark.slow
def test_the_legal_games_of_cards_hold_everything_that_can_happen() -> None:
    seen: Counter[object] = Counter()
    for number in range(TestCardRecords.legal):
        record = TestCardRecords.numbered("legal", number)
        header, *actions = [json.loads(line) for line in io.BytesIO(record)]
        seen[len(header["players"])] += 1
        seen.update(player["character"] for player in header["players"])
        seen.update(action["action"] for action in actions)
        seen.update(action["card"] for action in actions if "card" in action)
        states, _ = TestCardRecords.game.expected(record, None)
        result = states[-1]["result"]
        seen[f"won by {result['side']}" if result else "unfinished"] += 1
        for state in states:
            seen["one card left"] += state["deck"] == 1
            opened = state["open"]
            if opened and state["players"][opened["on"]]["life"] < 1:
                seen["dying", opened["card"]] += 1
    everything = [*range(4, 8), *cards.LIFE, *cards.COPIES]
    everything += ["flip", "draw", "play", "pass", "regain", "end"]
    everything += ["one card left", "unfinished"]
    everything += [f"won by {side}" for side in ("law", "outlaws", "renegade")]
    dying = ("bang", "gatling", "indians", "duel", "dynamite")
    assert [what for what in everything if seen[what] == 0] == []
    assert [card for card in dying if seen["dying", card] == 0] == []

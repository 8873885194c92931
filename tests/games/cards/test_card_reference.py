"""The product's replay of card games against a second implementation, on random records.

Both must show every viewer the same states and find the same first wrong line.
"""

import io
import json
from collections import Counter
from random import Random

import pytest
from agreement import Agreement, RandomRecords
from card_strategies import deal, opening
from tiers import later

from companion.games.cards.players import random_move
from companion.games.cards.rules.record import header_line, move_line, replay, view_line
from companion.games.cards.rules.rules import apply
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from tests.tools.reference import card_records, cards

pytestmark = pytest.mark.tables

LEGAL = 120

GAME = Agreement(replay, lambda *seen: view_line(view(*seen)), cards.replay)


class TestCardRecords(RandomRecords):
    game, records, legal = GAME, card_records, LEGAL


@pytest.mark.parametrize("numbers", [range(30), *later(range(30, 80))])
def test_games_with_few_cards_to_draw_are_played_alike(numbers: range) -> None:
    """Hands hold nearly all cards, so that the deck is shuffled all the time, and runs out."""
    dry = 0
    for number in numbers:
        chance = Random(f"dry {number}")
        setup = deal(4 + number % 4, chance)
        state = opening(setup, "dry", chance)
        game = cards.set_up(json.loads(header_line(setup)))
        steps = cards.play(game)
        next(steps)
        game["deck"] = state.deck
        for player, hand in zip(game["players"], state.hands, strict=True):
            player["hand"] = hand
        for _ in range(150):
            printed = json.loads(view_line(view(state, Audience.RECORD)))
            assert printed == json.loads(json.dumps(cards.shown(game, None))), number
            dry += state.deck == 0
            if state.result:
                break
            move = random_move(state, chance)
            state = apply(state, move)
            steps.send(cards.read(json.loads(move_line(move))))
    assert dry > 5


@pytest.mark.slow
def test_the_legal_games_hold_everything_that_can_happen() -> None:
    seen: Counter[object] = Counter()
    for number in range(LEGAL):
        record = TestCardRecords.numbered("legal", number)
        header, *actions = [json.loads(line) for line in io.BytesIO(record)]
        seen[len(header["players"])] += 1
        seen.update(player["character"] for player in header["players"])
        seen.update(action["action"] for action in actions)
        seen.update(action["card"] for action in actions if "card" in action)
        states, _ = GAME.expected(record, None)
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

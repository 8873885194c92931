"""The card game behind the table's interface: moves from phones, undo, a restart, the record."""

import json
import random

import pytest
from card_evening import CardEvening

from companion.base.refused import Refused
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import Pass
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.table import rounds
from companion.table.past.past_games import record_of
from companion.table.scene import Phase
from companion.table.surface.dice import rolling


@pytest.fixture
def evening(tmp_path):
    evening = CardEvening(tmp_path, "soro", chance=random.Random(4))
    return evening.start(watched=False)


def play(evening, chance, most=2000):
    """Play at random; return how many moves were made."""
    made = 0
    while evening.view.phase is Phase.PLAYING and made < most:
        evening.tap(random_move(evening.state, chance))
        made += 1
    return made


def test_a_game_runs_on_the_table_from_its_start_to_its_record(evening):
    assert evening.view.phase is Phase.PLAYING
    made = play(evening, random.Random(1))
    assert evening.view.phase is Phase.OVER
    lines = record_of(evening.table.scene).splitlines()
    assert json.loads(lines[0])["record"] == "bang-card"
    assert len(lines) == made + 1
    *_, last = replay(line.encode() for line in lines)
    assert last == evening.state
    assert evening.view.standing.outcome.winners == last.result.winners
    assert evening.view.game == view(last, Audience.TABLE)
    assert CARD_GAME.open_view(last) == view(last, Audience.RECORD)
    assert CARD_GAME.names(last.setup) == ("Ann", "Ben", "Cat", "Dan")
    evening.do(rounds.new_game)


def test_what_the_rules_forbid_is_refused_and_changes_nothing(evening):
    before = evening.state
    evening.table.press_green()
    assert evening.view.notice == "the turn can’t end now"
    evening.table.press_red()
    assert evening.view.notice == "there is nothing to pass on now"
    with pytest.raises(Refused):
        evening.do(rolling.enter_by_hand)
    with pytest.raises(Refused, match="not pass"):
        evening.tap(Pass(before.awaited))
    assert evening.state == before
    assert CARD_GAME.dice is None


def test_the_game_answers_all_that_the_table_asks():
    ruleset = CARD_GAME.rulesets["base"]
    deck = CARD_GAME.deck(ruleset, 6)
    assert (deck.roles.count("outlaw"), deck.first_role, len(deck.characters)) == (3, "sheriff", 16)
    assert CARD_GAME.sides(4) == ("law", "outlaws", "renegade")
    assert CARD_GAME.house_rules == ()
    assert not CARD_GAME.stand_ins
    assert CARD_GAME.terms(ruleset, "fr").roles["sheriff"] == "Shérif"
    with pytest.raises(ValueError, match="poker: no such ruleset"):
        CARD_GAME.select("poker")
    with pytest.raises(ValueError, match="the card game has no house rules"):
        CARD_GAME.select("base", ["one_arrow_a_turn"])

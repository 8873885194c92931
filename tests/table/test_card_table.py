"""The card game behind the table's interface: moves from phones, undo, a restart, the record."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from people import join

from companion.base.refused import Refused
from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import Pass
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.game import AnyRuleset, Game
from companion.games.registry import GAMES
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.journal.journal import Journal
from companion.table.past.past_games import record_of
from companion.table.scene import Phase
from companion.table.surface.dice import rolling
from companion.table.table import Table

KNOWN = {**GAMES, CARD_GAME.record_name: CARD_GAME}


class Evening:
    """A table with four people, of whom only the host has a phone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.open()
        join(self.table, "Ann", self.table.scene.code)
        for name in ("Ben", "Cat", "Dan"):
            self.table.do(seats.add_person, self.press, name)

    def open(self) -> None:
        self.journal = Journal(self.folder)
        chosen = CARD_GAME.select("base")
        self.table = Table(self.journal, KNOWN, chosen, chance=random.Random(4))

    def reopen(self) -> None:
        self.journal.close()
        self.open()

    @property
    def view(self):
        return self.table.view(1)

    @property
    def press(self) -> Press:
        return Press(1, self.view.version, self.view.reading)

    @property
    def state(self):
        return self.table.scene.history.state

    def play(self, chance: random.Random, most: int = 2000) -> int:
        made = 0
        while self.view.phase is Phase.PLAYING and made < most:
            self.table.do(moves.move, self.press, random_move(self.state, chance))
            made += 1
        return made


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.journal.close()


def test_a_game_runs_on_the_table_from_its_start_to_its_record(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    assert evening.view.phase is Phase.PLAYING
    made = evening.play(random.Random(1))
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
    evening.table.do(rounds.new_game, evening.press)


def test_a_game_stands_where_it_stood_after_an_undo_and_a_restart(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    chance = random.Random(2)
    evening.play(chance, most=9)
    before = evening.state
    evening.play(chance, most=1)
    assert evening.state != before
    evening.table.do(moves.undo, evening.press)
    assert evening.state == before
    story = evening.view.story
    evening.reopen()
    assert evening.state == before
    assert evening.view.story == story
    evening.play(chance)
    assert evening.view.phase is Phase.OVER


def test_buttons_and_dice_change_nothing_that_the_rules_forbid(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    before = evening.state
    evening.table.press_green()
    assert evening.view.notice == "the turn can’t end now"
    evening.table.press_red()
    assert evening.view.notice == "there is nothing to pass on now"
    with pytest.raises(Refused):
        evening.table.do(rolling.enter_by_hand, evening.press)
    assert evening.state == before
    assert CARD_GAME.dice is None


def test_an_illegal_move_is_refused_and_changes_nothing(evening: Evening) -> None:
    evening.table.do(rounds.start_game, evening.press)
    before = evening.state
    with pytest.raises(Refused, match="not pass"):
        evening.table.do(moves.move, evening.press, Pass(before.awaited))
    assert evening.state == before


def test_the_game_answers_all_that_the_table_asks() -> None:
    game: Game = CARD_GAME
    ruleset: AnyRuleset = game.rulesets["base"]
    deck = game.deck(ruleset, 6)
    assert deck.roles.count("outlaw") == 3
    assert deck.first_role == "sheriff"
    assert len(deck.characters) == 16
    assert game.house_rules == ()
    assert game.sides(4) == ("law", "outlaws", "renegade")
    assert not game.stand_ins
    assert game.terms(ruleset, "fr").roles["sheriff"] == "Shérif"
    with pytest.raises(ValueError, match="poker: no such ruleset"):
        game.select("poker")
    with pytest.raises(ValueError, match="the card game has no house rules"):
        game.select("base", ["one_arrow_a_turn"])

"""The rulebook lets survivors keep their characters for the next game, if the host chooses so."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from card_evening import CardEvening

from companion.games.cards.players import random_move
from companion.table import rounds, seats
from companion.table.scene import Phase


def play_out(evening: CardEvening, seed: int = 4) -> dict[str, str]:
    """Play a card game to its end by chance; return who is alive then, by name, as whom."""
    chance = random.Random(seed)
    while evening.view.phase is Phase.PLAYING:
        evening.tap(random_move(evening.state, chance))
    players = evening.state.setup.players
    return {players[seat].name: players[seat].character.id for seat in evening.state.living}


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[CardEvening]:
    evening = CardEvening(tmp_path, "srood", chance=random.Random(2))
    evening.do(rounds.choose, "characters", "kept")
    yield evening
    evening.close()


def test_survivors_keep_their_characters_and_the_others_draw_new_ones(cards):
    cards.start(watched=False)
    for _ in range(4):
        survived = play_out(cards)
        assert survived
        cards.reopen()
        cards.do(rounds.new_game)
        cards.reopen()
        assert {each.name: each.keeps for each in cards.view.people if each.keeps} == survived
        cards.do(rounds.start_game)
        dealt = {player.name: player.character.id for player in cards.state.setup.players}
        assert {name: dealt[name] for name in survived} == survived
        assert len(set(dealt.values())) == len(dealt)


def test_who_is_removed_keeps_nothing_and_nobody_after_a_game_without_an_end(cards):
    gone, seed = None, 0
    while gone is None:
        cards.do(rounds.start_game)
        seed += 1
        survived = play_out(cards, seed)
        cards.do(rounds.new_game)
        others = [person for person in cards.view.people[1:] if person.name in survived]
        gone = others[0] if others else None
    cards.do(seats.remove_person, gone.id)
    assert gone.id not in cards.table.scene.last.survivors
    cards.do(seats.add_person, "New")
    cards.do(rounds.start_game)
    cards.tap(random_move(cards.state, random.Random(1)))
    cards.do(rounds.new_game)
    assert cards.table.scene.last.survivors == {}


def test_another_game_than_the_card_game_deals_all_characters(cards):
    cards.start(watched=False)
    play_out(cards)
    cards.do(rounds.new_game)
    cards.do(rounds.choose_game, "bang-dice")
    assert cards.table.scene.last.survivors
    cards.do(rounds.start_game)
    assert len(cards.state.setup.players) == 5

"""Whole card games with real cards: laid into the tray, drawn, seen as frames and read."""

import random

import pytest
from card_rooms import ToldRoom, WatchedRoom
from real_cards import RealCards
from tiers import later

from companion.games.cards.rules.record import replay
from companion.table.scene import Phase

pytestmark = pytest.mark.pictures


def played(room: ToldRoom, seed: int, most: int = 3000) -> RealCards:
    """Play with 80 cards, which must agree with what the companion counts after each move."""
    cards = RealCards(room, random.Random(seed))
    cards.play(most)
    states = list(replay(line.encode() for line in room.lines))
    assert states[-1] == room.state
    room.close()
    return cards


@pytest.mark.parametrize(
    ("players", "games", "most"), [(5, 6, 2.9), *later((4, 24, 2.6), (6, 24, 3.1), (7, 24, 3.3))]
)
def test_hands_deck_and_pile_agree_with_real_cards_to_the_end_in_few_touches(
    tmp_path, players, games, most
):
    touches = turns = 0
    for seed in range(games):
        room = ToldRoom(tmp_path / str(seed), seed, players)
        game = played(room, seed)
        assert room.view.phase is Phase.OVER
        touches, turns = touches + sum(game.touches.values()), turns + game.turns
    assert touches < most * turns


def test_a_game_is_followed_from_frames_card_by_card(tmp_path):
    room = WatchedRoom(tmp_path, 5, 5)
    assert played(room, 5, most=15).laid > 10
    assert room.unread == 0


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 5), (4, 6), (3, 7)])
def test_a_whole_game_is_followed_from_frames(tmp_path, seed, players):
    room = WatchedRoom(tmp_path, seed, players)
    cards = played(room, seed)
    assert room.view.phase is Phase.OVER
    assert room.unread <= 0.03 * cards.laid

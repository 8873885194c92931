"""The rulings of the card game: scenes of card_rulings.txt, and tests in their words."""

from dataclasses import replace

import pytest
from card_scenes import CARD_WORDS, asked, deal, game, play, refusal
from scenes import each_scene

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import CARDS, COPIES, KINDS, SIGN_COPIES, Border
from companion.games.cards.rules.moves import End, Pass
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import SIGNS, Sign, Suit, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience
from companion.games.common.players import SetupError
from companion.games.common.roles import ROLES

FOUR = "S O R O"


@each_scene(__file__, "card_rulings.txt")
def test_a_scene_goes_as_its_ruling_says(ruling):
    ruling.check(CARD_WORDS)


# The deck


def test_the_deck_has_80_cards():
    assert CARDS == sum(SIGN_COPIES[sign] for sign in SIGNS.values()) == 80
    brown = [kind for kind in KINDS.values() if kind.border is Border.BROWN]
    assert sum(COPIES[kind.title] for kind in brown) == 63
    assert sum(COPIES[kind.title] for kind in KINDS.values() if kind.reach) == 8
    for suit in Suit:
        assert sum(SIGN_COPIES[sign] for sign in SIGNS.values() if sign.suit is suit) == 20
        assert SIGN_COPIES[Sign("", suit)] == 20
    for sign in SIGNS.values():
        assert SIGN_COPIES[sign] == (1 if sign.rank in "234567" else 2)


def test_a_sign_names_one_or_two_titles():
    named = [(sign, kind.title) for kind in KINDS.values() for sign in kind.signs]
    assert len(set(named)) == 79, "only the nine of spades is the same card twice"
    assert named.count((SIGNS["9S"], Title.STAGECOACH)) == 2


# Set-up


@pytest.mark.parametrize("players", ["S R O O", "S R O O D", "S R O O O D", "S R O O O D D"])
def test_roles_depend_on_the_number_of_players(players):
    setup = deal(players)
    assert sorted(setup.roles) == sorted(ROLES[len(setup.players)])
    with pytest.raises(SetupError, match="players have the roles"):
        deal(players.replace("R", "D"))


@pytest.mark.parametrize("players", ["S R O", "S R O O O D D R"])
def test_roles_are_for_four_to_seven(players):
    with pytest.raises(SetupError, match="base is for 4 to 7 players"):
        deal(players)


def test_life_points_are_the_characters_and_one_more_for_the_sheriff():
    three = {"el_gringo", "paul_regret"}
    assert {name: one.life for name, one in CHARACTERS.items()} == {
        name: 3 if name in three else 4 for name in CHARACTERS
    }
    assert deal("S:el_gringo O:paul_regret R O").max_life == (4, 3, 4, 4)
    assert deal(FOUR).max_life == (5, 4, 4, 4)


def test_a_hand_at_the_start_has_as_many_cards_as_life_points():
    state = start(deal("O S:el_gringo R O"))
    # The Sheriff has drawn two for the first turn.
    assert state.hands == (4, 4 + 2, 4, 4)
    assert state.deck == 80 - 18


def test_the_sheriff_begins_and_turns_go_to_the_left():
    state = start(deal("O S R O"))
    turns = [state.turn]
    for _ in range(4):
        state = play(state, "end")
        turns.append(state.turn)
    assert turns == [1, 2, 3, 0, 1]
    scene = game(FOUR, life={1: 0, 2: 0})
    assert play(scene, "end").turn == 3


# A turn


def test_the_dynamite_explodes_on_two_to_nine_of_spades():
    before = game(FOUR, in_play={1: "dynamite"})
    for sign in SIGNS:
        scene = play(before, "end")
        assert asked(scene) == (1, ["flip"], {})
        assert scene.phase is TurnPhase.START
        after = play(scene, f"flip {sign}")
        exploded = sign.endswith("S") and sign[:-1] in list("23456789")
        assert after.life[1] == (1 if exploded else 4)
        assert after.in_play[2] == (() if exploded else ("dynamite",))
        assert after.in_play[1] == ()
        assert after.pile[-1] == (Title.DYNAMITE if exploded else SIGNS[sign])


def test_black_jacks_second_card_may_come_from_a_deck_shuffled_anew():
    scene = game("S:black_jack O R O", turn=3, deck=1)
    once = play(scene, "end", "show 2H")
    # The shuffle between the two cards forgot the signs; the shown card is the first after it.
    assert once.shown == (SIGNS["2H"],)
    # So a sign that was shown before may be shown again, but not while the deck holds both cards.
    seen = replace(play(scene, "end"), shown=(SIGNS["2H"],))
    assert play(seen, "show 2H").shown == (SIGNS["2H"],)
    assert "2H was shown before" in refusal(replace(seen, deck=2), "show 2H")


# The end of the game


def test_a_finished_game_awaits_nobody():
    scene = game(FOUR, turn=2, life={0: 1, 1: 0, 3: 0}, bangs=0)
    over = play(scene, "bang 0", "pass")
    seen = view(over, Audience.TABLE)
    assert (seen.open, seen.awaits, seen.regain) == (None, None, None)
    assert (seen.turn, seen.phase, seen.bangs) == (2, TurnPhase.PLAY, 1)
    assert refusal(over, End(2)) == "the game is over"


# Suzy Lafayette


def test_suzy_lafayette_draws_after_a_jail_and_a_dynamite_that_passes():
    for cards, sign in (("jail", "KS"), ("jail", "KH"), ("dynamite", "KH")):
        scene = play(game("S O R O:suzy_lafayette", in_play={1: cards}), "end")
        # Nothing was left to draw when their last card went; now there is.
        bare = replace(scene, hands=(*scene.hands[:3], 0), deck=scene.deck + scene.hands[3])
        assert play(bare, f"flip {sign}").hands[3] == 1


# Answers


def test_only_one_seat_is_awaited_at_a_time():
    scene = play(game(FOUR), "gatling")
    for seat in (0, 2, 3):
        assert refusal(scene, Pass(seat)) == f"seat 1 decides now, not seat {seat}"
    assert refusal(scene, "end") == "expected play or pass, not end"
    assert refusal(scene, "flip KH") == "expected play or pass, not flip"
    assert refusal(game(FOUR), "pass") == "expected play or end, not pass"
    assert refusal(game(FOUR), "draw deck") == "expected play or end, not draw"


def test_a_state_is_the_same_whatever_was_told_last():
    saved = play(game(FOUR), "bang 1", "missed")
    assert saved.events
    assert replace(saved, log=()) == saved

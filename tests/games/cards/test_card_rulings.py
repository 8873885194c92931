"""The rulings of the card game: scenes of card_rulings.txt, and tests in card_scenario's words."""

from dataclasses import replace
from pathlib import Path

import pytest
from card_scenario import (
    answer,
    asked,
    card,
    claims,
    deal,
    draw,
    end,
    flip,
    game,
    let_be,
    play,
    refusal,
)
from card_scenes import CARD_WORDS
from scenes import Ruling, rulings

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.choices import CardQuestion, question
from companion.games.cards.rules.deck import CARDS, COPIES, KINDS, SIGN_COPIES, Border
from companion.games.cards.rules.moves import CardAction, Pass
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import SIGNS, Suit, Title
from companion.games.cards.rules.views import view
from companion.games.common.audience import Audience, Viewer
from companion.games.common.players import SetupError
from companion.games.common.roles import ROLES

FOUR = "S O R O"
SCENES = rulings(Path(__file__).with_name("card_rulings.txt"))


@pytest.mark.parametrize("ruling", SCENES, ids=lambda ruling: ruling.title)
def test_a_scene_goes_as_its_ruling_says(ruling: Ruling) -> None:
    ruling.check(CARD_WORDS)


# The deck


def test_the_deck_has_80_cards() -> None:
    assert CARDS == sum(SIGN_COPIES.values()) == 80
    brown = [kind for kind in KINDS.values() if kind.border is Border.BROWN]
    assert sum(COPIES[kind.title] for kind in brown) == 63
    assert sum(COPIES[kind.title] for kind in KINDS.values() if kind.reach) == 8
    for suit in Suit:
        assert sum(n for sign, n in SIGN_COPIES.items() if sign.suit is suit) == 20
    for sign, copies in SIGN_COPIES.items():
        assert copies == (1 if sign.rank in "234567" else 2)
    assert set(SIGN_COPIES) == set(SIGNS.values())


def test_a_sign_names_one_or_two_titles() -> None:
    named = [(sign, kind.title) for kind in KINDS.values() for sign in kind.signs]
    assert len(set(named)) == 79, "only the nine of spades is the same card twice"
    assert named.count((SIGNS["9S"], Title.STAGECOACH)) == 2


# What the companion knows


def test_a_hand_is_a_number() -> None:
    scene = game(FOUR, in_play={1: "barrel"})
    taken = play(scene, card("panic", 1, "barrel"))
    seen = view(taken, Audience.RECORD)
    assert (seen.players[0].hand, seen.players[1].in_play) == (3, ())
    # The Barrel is in a hand again, and the player who says so may put it down.
    assert "barrel" in claims(taken)


def test_a_role_is_known_to_its_owner_alone_until_it_is_shown() -> None:
    scene = game("S O R O D", life={3: 0})

    def known(state: CardState, viewer: Viewer) -> list[int]:
        players = view(state, viewer).players
        assert [player.name for player in players] == ["P0", "P1", "P2", "P3", "P4"]
        return [seat for seat, player in enumerate(players) if player.role is not None]

    assert known(scene, Audience.TABLE) == [0, 3], "the Sheriff's and those of the eliminated"
    assert known(scene, 2) == [0, 2, 3]
    assert known(scene, Audience.RECORD) == [0, 1, 2, 3, 4]
    over = play(game("S O R O D", life={1: 0, 2: 1, 3: 0, 4: 0}), card("duel", 2), let_be)
    assert over.result is not None
    assert known(over, Audience.TABLE) == known(over, 4) == [0, 1, 2, 3, 4]
    for stranger in (-1, 5):
        with pytest.raises(ValueError, match=f"there is no seat {stranger}"):
            view(scene, stranger)


def test_a_sign_is_shown_only_as_often_as_the_deck_holds_it_on_its_last_card_too() -> None:
    scene = play(game("S O:jourdonnais R O", deck=1), card("bang", 1))
    seen = replace(scene, shown=(SIGNS["2H"],))
    assert "2H was shown before" in refusal(seen, flip("2H"))
    # The shuffle follows the flip, and begins the count anew.
    assert play(seen, flip("3H")).shown == ()


# Set-up


@pytest.mark.parametrize("players", ["S R O O", "S R O O D", "S R O O O D", "S R O O O D D"])
def test_roles_depend_on_the_number_of_players(players: str) -> None:
    setup = deal(players)
    assert sorted(setup.roles) == sorted(ROLES[len(setup.players)])
    with pytest.raises(SetupError, match="players have the roles"):
        deal(players.replace("R", "D"))


@pytest.mark.parametrize("players", ["S R O", "S R O O O D D R"])
def test_roles_are_for_four_to_seven(players: str) -> None:
    with pytest.raises(SetupError, match="base is for 4 to 7 players"):
        deal(players)


def test_life_points_are_the_characters_and_one_more_for_the_sheriff() -> None:
    three = {"el_gringo", "paul_regret"}
    assert {name: one.life for name, one in CHARACTERS.items()} == {
        name: 3 if name in three else 4 for name in CHARACTERS
    }
    assert deal("S:el_gringo O:paul_regret R O").max_life == (4, 3, 4, 4)
    assert deal(FOUR).max_life == (5, 4, 4, 4)


def test_a_hand_at_the_start_has_as_many_cards_as_life_points() -> None:
    state = start(deal("O S:el_gringo R O"))
    # The Sheriff has drawn two for the first turn.
    assert state.hands == (4, 4 + 2, 4, 4)
    assert state.deck == 80 - 18


def test_the_sheriff_begins_and_turns_go_to_the_left() -> None:
    state = start(deal("O S R O"))
    turns = [state.turn]
    for _ in range(4):
        state = play(state, end)
        turns.append(state.turn)
    assert turns == [1, 2, 3, 0, 1]
    scene = game(FOUR, life={1: 0, 2: 0})
    assert play(scene, end).turn == 3


# A turn


def test_the_dynamite_explodes_on_two_to_nine_of_spades() -> None:
    before = game(FOUR, in_play={1: "dynamite"})
    for sign in SIGNS:
        scene = play(before, end)
        assert asked(scene) == (1, ["flip"], {})
        assert scene.phase is TurnPhase.START
        after = play(scene, flip(sign))
        exploded = sign.endswith("S") and sign[:-1] in list("23456789")
        assert after.life[1] == (1 if exploded else 4)
        assert after.in_play[2] == (() if exploded else ("dynamite",))
        assert after.in_play[1] == ()
        assert after.pile[-1] == (Title.DYNAMITE if exploded else SIGNS[sign])


def test_black_jacks_second_card_may_come_from_a_deck_shuffled_anew() -> None:
    scene = game("S:black_jack O R O", turn=3, deck=1)
    once = play(scene, end, draw(shown="2H"))
    # The shuffle between the two cards forgot the signs; the shown card is the first after it.
    assert once.shown == (SIGNS["2H"],)
    # So a sign that was shown before may be shown again, but not while the deck holds both cards.
    seen = replace(play(scene, end), shown=(SIGNS["2H"],))
    assert play(seen, draw(shown="2H")).shown == (SIGNS["2H"],)
    assert "2H was shown before" in refusal(replace(seen, deck=2), draw(shown="2H"))


# Draw!


# Deck and pile


# The cards


# Elimination


# The end of the game


def test_a_finished_game_awaits_nobody() -> None:
    scene = game(FOUR, turn=2, life={0: 1, 1: 0, 3: 0}, bangs=0)
    over = play(scene, card("bang", 0), let_be)
    seen = view(over, Audience.TABLE)
    assert (seen.open, seen.awaits, seen.regain) == (None, None, None)
    assert (seen.turn, seen.phase, seen.bangs) == (2, TurnPhase.PLAY, 1)
    assert refusal(over, lambda state: end(scene)) == "the game is over"


# Suzy Lafayette


def test_suzy_lafayette_draws_after_a_jail_and_a_dynamite_that_passes() -> None:
    for cards, sign in (("jail", "KS"), ("jail", "KH"), ("dynamite", "KH")):
        scene = play(game("S O R O:suzy_lafayette", in_play={1: cards}), end)
        # Nothing was left to draw when their last card went; now there is.
        bare = replace(scene, hands=(*scene.hands[:3], 0), deck=scene.deck + scene.hands[3])
        assert play(bare, flip(sign)).hands[3] == 1


# Sid Ketchum


def test_sid_ketchum_is_seen_to_have_what_to_trade() -> None:
    for life, trader in (({1: 2}, 1), ({1: 0}, None), ({}, None)):
        scene = game("S O:sid_ketchum R O", life=life)
        assert view(scene, Audience.TABLE).regain == trader


# Answers


def test_only_one_seat_is_awaited_at_a_time() -> None:
    scene = play(game(FOUR), card("gatling"))
    for seat in (0, 2, 3):
        wrong = Pass(seat)
        reason = refusal(scene, lambda state, wrong=wrong: wrong)
        assert reason == f"seat 1 decides now, not seat {seat}"
    assert refusal(scene, end) == "expected play or pass, not end"
    assert refusal(scene, flip("KH")) == "expected play or pass, not flip"
    assert refusal(game(FOUR), let_be) == "expected play or end, not pass"
    assert refusal(game(FOUR), draw("deck")) == "expected play or end, not draw"


def test_a_state_is_the_same_whatever_was_told_last() -> None:
    saved = play(game(FOUR), card("bang", 1), answer("missed"))
    assert saved.events
    assert replace(saved, log=()) == saved


# What a page needs to offer a decision


def offer(state: CardState) -> CardQuestion:
    """What a page is asked in a state that asks something."""
    asked_for = question(state)
    assert asked_for is not None
    return asked_for


def test_a_question_says_why_the_other_titles_cant_be_played() -> None:
    scene = game("S O R O", in_play={0: "mustang"}, hands={1: 0, 2: 0, 3: 0}, bangs=1)
    offered = offer(scene)
    refused = {title: str(why) for title, why in offered.refused.items()}
    assert refused["bang"] == "only one BANG! a turn"
    assert refused["mustang"] == "seat 0 already has mustang in play"
    assert refused["missed"] == "missed is only an answer"
    assert "panic" not in refused, "one's own Mustang may be taken"
    assert {*refused} | {*offered.plays} == {*KINDS}
    bare = offer(game("S O R O", hands={1: 0, 2: 0, 3: 0}))
    assert str(bare.refused[Title.PANIC]) == "panic reaches nobody now"
    assert str(bare.refused[Title.CAT_BALOU]) == "cat_balou reaches nobody now"
    empty = offer(game("S O R O", hands={0: 0}))
    assert {str(why) for why in empty.refused.values()} == {"seat 0 has no card in hand"}


def test_a_question_on_ones_own_turn_has_distances_and_what_can_be_taken() -> None:
    offered = offer(game("S O R O", in_play={1: "barrel scope"}, hands={2: 0}))
    assert offered.distances == {1: 1, 2: 2, 3: 1}
    in_play = (Title.BARREL, Title.SCOPE)
    assert offered.takes == {0: (), 1: ("hand", *in_play), 2: (), 3: ("hand",)}
    assert (offered.flips, offered.sources, offered.shows_second) == (0, (), False)


def test_a_question_out_of_turn_offers_an_answer_and_flips_alone() -> None:
    scene = play(game("S O:lucky_duke R O", in_play={1: "barrel"}), card("bang", 1))
    offered = offer(scene)
    assert (offered.seat, {*offered.plays}, offered.flips) == (1, {Title.MISSED}, 2)
    assert (offered.refused, offered.takes, offered.distances) == ({}, {}, {})
    one = offer(play(game("S O R O", in_play={1: "barrel"}), card("bang", 1)))
    assert one.flips == 1


def test_a_question_names_the_signs_that_the_deck_has_no_more_of() -> None:
    def spent(state: CardState) -> list[str]:
        return list(map(str, offer(state).spent))

    barrels = {2: "barrel", 3: "barrel"}
    scene = game("S O:black_jack R:lucky_duke O", hands=6, in_play=barrels)
    scene = play(scene, card("gatling"), let_be, flip("4H", "9H"), flip("9H"))
    assert spent(scene) == []
    shot = play(scene, card("bang", 3))
    assert spent(shot) == ["4H", "9H"]
    assert spent(replace(shot, shown=shot.shown[:2])) == ["4H"], "the deck holds two 9H"
    # With the last card of the deck, the pile is shuffled only after this one flip.
    assert spent(replace(shot, deck=1)) == ["4H", "9H"]
    assert shot.open is not None
    assert spent(replace(shot, deck=1, open=shot.open._replace(on=2))) == []
    shown = play(shot, flip("2H"), end)
    assert spent(shown) == ["4H", "9H", "2H"]
    assert spent(replace(shown, deck=1)) == []


def test_a_question_before_a_turns_cards_says_where_they_come_from() -> None:
    jesse = offer(play(game("S O:jesse_jones R O", hands={2: 0}), end))
    assert (jesse.sources, jesse.shows_second) == (("deck", 0, 3), False)
    assert jesse.actions == (CardAction.DRAW,)
    assert (jesse.refused, jesse.takes, jesse.distances) == ({}, {}, {})
    playing = offer(game("S:jesse_jones O R O"))
    assert (playing.actions, playing.sources) == ((CardAction.PLAY, CardAction.END), ())
    jack = offer(play(game("S O:black_jack R O"), end))
    assert (jack.sources, jack.shows_second) == ((), True)


def test_a_question_names_who_may_trade_two_cards() -> None:
    assert offer(game("S O:sid_ketchum R O", life={1: 3})).regain == 1
    assert offer(game("S O:sid_ketchum R O")).regain is None

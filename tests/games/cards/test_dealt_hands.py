"""What happens to real cards: scenes of dealt_hands.txt, and what chance decides."""

from dataclasses import replace
from pathlib import Path

import pytest
from card_scenario import game
from dealt_hands import decide, hold, legal_moves, names
from dealt_scenes import DEALT_WORDS
from scenes import Ruling, rulings

from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.moves import Choose, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import check
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DECK
from companion.games.cards.dealt.views import question
from companion.games.cards.rules.moves import Draw, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title

SCENES = rulings(Path(__file__).with_name("dealt_hands.txt"))


@pytest.mark.parametrize("ruling", SCENES, ids=lambda ruling: ruling.title)
def test_a_scene_of_hands_goes_as_it_is_told(ruling: Ruling) -> None:
    ruling.check(DEALT_WORDS)


def test_an_empty_deck_is_shuffled_at_once() -> None:
    state = hold(game("S O R O", hands={0: 1}, deck=2, pile="beer"), {0: "stagecoach"})
    lay = {*state.pile, *state.hands[0]}
    state = decide(state, Play(0, Title.STAGECOACH))
    assert not state.pile
    assert set(state.deck) == lay


def test_panic_takes_a_random_card_of_a_hand_and_cat_balou_discards_one() -> None:
    start = hold(game("S O R O", hands=3), {0: "panic cat_balou", 1: "bang beer jail"})
    taken, removed = set(), set()
    for number in range(3):
        state = make(replace(start, luck=number), Play(0, Title.PANIC, 1, "hand"))
        taken.add(names(state.hands[0])[-1])
        assert sorted(names(state.hands[1]) + names(state.hands[0])[-1:]) == [
            "bang",
            "beer",
            "jail",
        ]
        state = make(replace(start, luck=number), Play(0, Title.CAT_BALOU, 1, "hand"))
        removed.add(names(state.pile)[-1])
        assert len(state.hands[1]) == 2
    assert taken == removed == {"bang", "beer", "jail"}


<<<<<<< HEAD
def test_a_card_in_play_is_taken_by_its_title() -> None:
    state = hold(game("S O R O", in_play={1: "scope barrel"}), {0: "panic cat_balou"})
    state = decide(state, Play(0, Title.PANIC, 1, Title.BARREL))
    assert names(state.hands[0])[-1] == "barrel"
    state = decide(state, Play(0, Title.CAT_BALOU, 1, Title.SCOPE))
    assert names(state.pile) == ["panic", "cat_balou", "scope"]


def test_cards_beyond_the_limit_are_chosen_by_their_player() -> None:
    state = hold(game("S O R O", life={0: 2}, hands=4), {0: "bang beer jail duel"})
    hand = state.hands[0]
    assert str(check(state, EndTurn(0, hand[:1]))) == "2 cards are discarded, not 1"
    assert str(check(state, EndTurn(0, (hand[0], hand[0])))) == "seat 0 has no bang in hand"
    state = decide(state, EndTurn(0, (hand[2], hand[0])))
    assert names(state.hands[0]) == ["beer", "duel"]
    assert names(state.pile) == ["jail", "bang"]


def test_sid_ketchum_chooses_two_cards_in_anybodys_turn() -> None:
    state = hold(game("S O R O:sid_ketchum", life={3: 1}), {3: "bang beer jail"})
    hand = state.hands[3]
    assert Trade(3, hand[1:]) in legal_moves(state)
    state = decide(state, Trade(3, hand[1:]))
    assert (names(state.hands[3]), state.public.life[3]) == (["bang"], 2)
    assert names(state.pile) == ["beer", "jail"]


def test_a_flip_shows_the_top_of_the_deck() -> None:
    state = hold(game("S O R O", in_play={1: "barrel"}), {0: "bang"}, deck="6H")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert state.made == Flip(1, (SIGNS["6H"],))
    assert state.public.open is None
    assert names(state.pile) == ["bang", "beer"]


def test_dynamite_and_jail_are_flipped_for_unasked() -> None:
    state = hold(game("S O R O", in_play={1: "dynamite jail"}), deck="3H 4C")
    state = decide(state, EndTurn(0))
    for sign in ("3H", "4C"):
        assert forced_move(state) == TurnUp(1)
        state = decide(state, TurnUp(1))
        assert state.made == Flip(1, (SIGNS[sign],))
    assert names(state.in_play[2]) == ["dynamite"]
    assert names(state.pile) == ["wells_fargo", "bang", "jail"]
    assert (state.public.turn, forced_move(state)) == (2, TurnUp(2))


def test_a_barrel_is_used_by_itself_but_for_a_player_who_gains_by_a_hit() -> None:
    for character in ("willy_the_kid", "el_gringo", "bart_cassidy"):
        scene = game(f"S R:{character} O O", in_play={1: "barrel"})
        state = decide(hold(scene, {0: "bang"}), Play(0, Title.BANG, 1))
        assert forced_move(state) == (TurnUp(1) if character == "willy_the_kid" else None)


def test_a_turn_with_an_empty_hand_ends_by_itself() -> None:
    state = hold(game("S O R O", hands={0: 1, 1: 3}), {0: "stagecoach"})
    assert forced_move(state) is None
    state = hold(game("S O R O", hands={0: 1, 1: 3}), {0: "mustang"})
    assert forced_move(decide(state, Play(0, Title.MUSTANG))) == EndTurn(0)


def test_a_jail_without_a_card_to_flip_lies_on_the_pile() -> None:
    hands = {0: 0, 1: 26, 2: 26, 3: 27}
    state = hold(game("S O R O", in_play={1: "jail"}, hands=hands))
    state = decide(state, EndTurn(0))
    assert (state.public.turn, state.in_play[1]) == (2, ())
    # It became the deck, which the next player drew.
    assert names(state.hands[2])[-1] == "jail"


def test_lucky_duke_chooses_between_two_cards_with_different_effects() -> None:
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H 9D")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert state.offer is not None
    assert (state.offer.kind, names(state.offer.cards)) == (OfferKind.FLIP, ["bang", "beer"])
    assert state.made is None
    assert str(check(state, Pass(1))) == "seat 1 chooses a card first"
    heart = state.offer.cards[1]
    for other in (Choose(0, heart), Choose(1, DECK[0])):
        assert "not offered" in str(check(state, other))
    state = decide(state, Choose(1, heart))
    assert state.made == Flip(1, (SIGNS["6H"], SIGNS["4C"]))
    assert names(state.pile) == ["bang", "beer", "bang"]
    assert state.public.open is None


def test_lucky_duke_is_not_asked_if_both_cards_do_the_same() -> None:
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 9D")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert (state.offer, state.made) == (None, Flip(1, (SIGNS["4C"], SIGNS["9D"])))


=======
>>>>>>> main
def test_lucky_dukes_second_card_may_come_from_a_shuffled_deck() -> None:
    scene = game("S O:lucky_duke R O", in_play={1: "barrel"}, deck=1)
    state = hold(scene, {0: "bang"}, deck="4C")
    state = decide(state, Play(0, Title.BANG, 1))
    under = set(state.pile)
    for number in range(40):
        up = make(replace(state, luck=number * 7**90), TurnUp(1))
        if up.offer is not None:
            second = up.offer.cards[1]
            after = decide(up, Choose(1, second))
            assert second in under
            assert after.pile[0] == second or after.pile[-2] == second
            return
    raise AssertionError("no two cards differed")


def test_sid_ketchum_changes_no_card_that_was_flipped() -> None:
    """The pile would be shuffled for the second card, and the trade lays two more on it."""
    scene = game("S O:lucky_duke R O:sid_ketchum", life={3: 1}, in_play={1: "barrel"}, deck=40)
    state = hold(scene, {0: "bang", 3: "jail beer duel"}, deck="2H 3S")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert state.offer is not None
    traded = decide(state, Trade(3, state.hands[3][:2]))
    assert traded.offer == state.offer
    for before in (state, traded):
        flipped = decide(before, Choose(1, state.offer.cards[0]))
        assert set(flipped.pile) >= set(state.offer.cards)
    short = replace(state, deck=state.deck[-2:])
    assert str(check(short, Trade(3, state.hands[3][:2]))) == "seat 1 chooses a card first"


def test_the_same_luck_deals_the_same_cards() -> None:
    setup = game("S O R O").setup
    assert deal(setup, 5**400) == deal(setup, 5**400)
    assert deal(setup, 5**400).deck != deal(setup, 3**500).deck
    assert deal(setup, 5**400).public.phase is TurnPhase.PLAY


def test_luck_chooses_all_alike() -> None:
    assert sorted(RandomChoices(number).below(6) for number in range(6)) == list(range(6))
    orders = set()
    for number in range(24):
        items = list("abcd")
        RandomChoices(number).shuffle(items)
        orders.add("".join(items))
    assert len(orders) == 24


def test_only_what_is_offered_is_chosen_and_nobody_decides_what_the_deck_shows() -> None:
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H 9D")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert state.offer is not None
    for other in (Choose(0, state.offer.cards[1]), Choose(1, DECK[0])):
        assert "not offered" in str(check(state, other))
    state = decide(hold(game("S O:black_jack R O")), EndTurn(0), TurnUp(1))
    assert "nobody's decision" in str(check(state, Draw(1, shown=SIGNS["6H"])))


def test_a_question_names_who_may_trade_and_all_ways_to_are_legal() -> None:
    state = hold(game("S O R O:sid_ketchum", life={3: 1}), {3: "bang beer jail"})
    asked = question(state)
    assert asked is not None
    assert asked.regain == 3
    assert Trade(3, state.hands[3][1:]) in legal_moves(state)

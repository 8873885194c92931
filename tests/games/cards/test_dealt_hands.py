"""What happens to real cards: scenes of dealt_hands.txt, and what chance decides."""

from dataclasses import replace

from card_scenes import game
from dealt_hands import decide, hold, names
from dealt_scenes import DEALT_WORDS
from scenes import each_scene

from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.moves import Choose, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import check
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DECK
from companion.games.cards.rules.moves import Draw, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title


@each_scene(__file__, "dealt_hands.txt")
def test_a_scene_of_hands_goes_as_it_is_told(ruling):
    ruling.check(DEALT_WORDS)


def test_panic_takes_a_random_card_of_a_hand_and_cat_balou_discards_one():
    start = hold(game("S O R O", hands=3), {0: "panic cat_balou", 1: "bang beer jail"})
    taken, removed = set(), set()
    for number in range(3):
        state = make(replace(start, luck=number), Play(0, Title.PANIC, 1, "hand"))
        taken.add(names(state.hands[0])[-1])
        held = names((*state.hands[1], state.hands[0][-1]))
        assert sorted(held) == ["bang", "beer", "jail"]
        state = make(replace(start, luck=number), Play(0, Title.CAT_BALOU, 1, "hand"))
        removed.add(names(state.pile)[-1])
        assert len(state.hands[1]) == 2
    assert taken == removed == {"bang", "beer", "jail"}


def test_lucky_dukes_second_card_may_come_from_a_shuffled_deck():
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


def test_sid_ketchum_changes_no_card_that_was_flipped():
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


def test_the_same_luck_deals_the_same_cards():
    setup = game("S O R O").setup
    assert deal(setup, 5**400) == deal(setup, 5**400)
    assert deal(setup, 5**400).deck != deal(setup, 3**500).deck
    assert deal(setup, 5**400).public.phase is TurnPhase.PLAY


def test_luck_chooses_all_alike():
    assert sorted(RandomChoices(number).below(6) for number in range(6)) == list(range(6))
    orders = set()
    for number in range(24):
        items = list("abcd")
        RandomChoices(number).shuffle(items)
        orders.add("".join(items))
    assert len(orders) == 24


def test_only_what_is_offered_is_chosen_and_nobody_decides_what_the_deck_shows():
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H 9D")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert state.offer is not None
    for other in (Choose(0, state.offer.cards[1]), Choose(1, DECK[0])):
        assert "not offered" in str(check(state, other))
    state = decide(hold(game("S O:black_jack R O")), EndTurn(0), TurnUp(1))
    assert "nobody's decision" in str(check(state, Draw(1, shown=SIGNS["6H"])))

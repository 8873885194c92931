"""What happens to real cards: each test holds what players with a box would do."""

from dataclasses import replace

import pytest
from card_scenario import game
from dealt_hands import decide, hold, legal_moves, names

from companion.games.cards.dealt.luck import RandomChoices
from companion.games.cards.dealt.moves import Choose, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import can_only_pass, check, forced_move
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DECK, OfferKind
from companion.games.cards.dealt.views import hand, question
from companion.games.cards.rules.moves import Draw, DrawSource, Flip, Pass, Play
from companion.games.cards.rules.state import TurnPhase
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.common.refusals import IllegalMove


def test_a_card_is_played_from_the_hand_that_holds_it() -> None:
    state = hold(game("S O R O", hands=2), {0: "bang beer", 1: "missed jail"})
    assert str(check(state, Play(0, Title.DUEL, 1))) == "seat 0 has no duel in hand"
    state = decide(state, Play(0, Title.BANG, 1))
    assert (names(state.hands[0]), names(state.pile)) == (["beer"], ["bang"])
    state = decide(state, Play(1, Title.MISSED))
    assert (names(state.hands[1]), names(state.pile)) == (["jail"], ["bang", "missed"])
    with pytest.raises(IllegalMove):
        make(state, Play(0, Title.BANG, 1))


def test_a_new_weapon_sends_the_old_one_to_the_pile() -> None:
    state = hold(game("S O R O", in_play={0: "volcanic mustang"}), {0: "winchester"})
    state = decide(state, Play(0, Title.WINCHESTER))
    assert names(state.in_play[0]) == ["mustang", "winchester"]
    assert names(state.pile) == ["volcanic"]


def test_cards_are_drawn_from_the_top_of_the_deck() -> None:
    state = hold(game("S O R O", hands={0: 1}), {0: "wells_fargo"}, deck="beer jail duel 2H")
    state = decide(state, Play(0, Title.WELLS_FARGO))
    assert names(state.hands[0]) == ["beer", "jail", "duel"]
    assert state.deck[-1].title is Title.DYNAMITE


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


def test_kit_carlson_puts_one_of_three_back_unseen() -> None:
    state = hold(game("S O:kit_carlson R O", hands=1), deck="beer jail duel gatling")
    state = decide(state, EndTurn(0))
    assert state.offer is not None
    assert (state.offer.kind, names(state.offer.cards)) == (
        OfferKind.LOOK,
        ["beer", "jail", "duel"],
    )
    assert state.decider == 1
    kept = decide(state, Choose(1, state.offer.cards[2]))
    assert names(kept.hands[1])[1:] == ["beer", "jail"]
    swapped = decide(state, Choose(1, state.offer.cards[0]))
    assert names(swapped.hands[1])[1:] == ["jail", "duel"]
    assert [card.title for card in swapped.deck[:-3:-1]] == ["beer", "gatling"]
    assert swapped.public == kept.public == state.public


def test_black_jack_shows_the_second_card_and_keeps_it() -> None:
    state = hold(game("S O:black_jack R O", hands=1), deck="jail 6H duel gatling")
    state = decide(state, EndTurn(0))
    assert forced_move(state) == TurnUp(1)
    state = decide(state, TurnUp(1))
    assert state.made == Draw(1, shown=SIGNS["6H"])
    assert names(state.hands[1])[1:] == ["jail", "beer", "duel"]
    assert "nobody's decision" in str(check(state, Draw(1, shown=SIGNS["6H"])))


def test_jesse_jones_and_pedro_ramirez_draw_from_elsewhere() -> None:
    state = hold(game("S O:jesse_jones R O", hands=1), {2: "gatling"}, deck="jail")
    state = decide(state, EndTurn(0), Draw(1, 2))
    assert names(state.hands[1])[1:] == ["gatling", "jail"]
    state = hold(game("S O:pedro_ramirez R O", hands=1, pile="beer 2H"), deck="jail")
    state = decide(state, EndTurn(0), Draw(1, DrawSource.DISCARD))
    assert names(state.hands[1])[1:] == ["dynamite", "jail"]
    assert names(state.pile) == ["beer"]


def test_players_choose_from_the_general_store_in_turn() -> None:
    state = hold(game("S O R O", turn=1, hands=2), {1: "general_store"}, deck="beer jail duel bang")
    state = decide(state, Play(1, Title.GENERAL_STORE))
    for seat, title in ((1, "duel"), (2, "beer"), (3, "bang")):
        assert state.decider == seat
        assert state.offer is not None
        assert not check(state, Choose(seat, state.offer.cards[0]))
        chosen = next(card for card in state.offer.cards if card.title == title)
        state = decide(state, Choose(seat, chosen))
        assert names(state.hands[seat])[-1] == title
    # The last card is taken unasked.
    assert (state.offer, state.decider) == (None, 1)
    assert names(state.hands[0])[-1] == "jail"


def test_sid_ketchum_trades_while_somebody_chooses_from_the_general_store() -> None:
    scene = game("S O R O:sid_ketchum", turn=1, hands=2, life={3: 1})
    state = hold(scene, {1: "general_store", 3: "gatling jail"}, deck="beer missed duel bang")
    state = decide(state, Play(1, Title.GENERAL_STORE))
    before = state.offer
    asked = question(state)
    assert asked is not None
    assert (asked.regain, hand(state, 3).trades) == (3, True)
    state = decide(state, Trade(3, state.hands[3]))
    assert (state.offer, state.decider, state.public.life[3]) == (before, 1, 2)
    assert names(state.pile) == ["general_store", "gatling", "jail"]
    # The card that comes to Sid isn't in hand yet.
    assert not hand(state, 3).trades
    assert state.offer is not None
    state = decide(state, Choose(1, state.offer.cards[0]))
    assert state.decider == 2


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


def test_vulture_sam_inherits_hand_and_cards_in_play() -> None:
    scene = game("S O R O:vulture_sam", life={1: 1}, hands=1, in_play={1: "scope"})
    state = hold(scene, {0: "bang", 1: "jail", 3: "duel"}, deck="beer bang gatling")
    state = decide(state, Play(0, Title.BANG, 1), Pass(1), Pass(1))
    assert names(state.hands[3]) == ["duel", "scope", "jail"]
    assert names(state.hands[0]) == ["beer", "bang", "gatling"]


def test_without_heirs_all_cards_go_to_the_pile() -> None:
    scene = game("S O R O D", life={4: 1}, hands={0: 2, 4: 1}, in_play={0: "volcanic", 4: "scope"})
    state = hold(scene, {0: "bang beer", 4: "jail"})
    state = decide(state, Play(0, Title.BANG, 4), Pass(4), Pass(4))
    assert names(state.pile) == ["bang", "scope", "jail", "volcanic", "beer"]
    assert (state.hands[0], state.hands[4]) == ((), ())


def test_only_a_seat_without_an_answer_can_only_pass() -> None:
    for card, only in (("missed", False), ("beer", True)):
        state = hold(game("S O R O", hands=1), {0: "bang", 1: card})
        state = decide(state, Play(0, Title.BANG, 1))
        assert can_only_pass(state) is only
        # Everybody sees the same.
        assert state.public.awaited == 1
    state = hold(game("S O R O", hands=1, in_play={1: "barrel"}), {0: "bang", 1: "beer"})
    assert not can_only_pass(decide(state, Play(0, Title.BANG, 1)))


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

"""Stand-ins of the card game: what they know, whom they take for what, and how they play."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from card_scenes import game
from card_strategies import deal
from dealt_hands import decide, hold
from dealt_scenes import DEALT_WORDS
from hypothesis import given
from scenes import each_scene
from strategies import chances, swapped
from tiers import later

from companion.games.cards.dealt.moves import EndTurn, TurnUp
from companion.games.cards.dealt.options import check
from companion.games.cards.dealt.state import DealtState, OfferKind
from companion.games.cards.minds.known import knowledge
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import play_match, play_steps
from companion.games.cards.minds.memory import remember
from companion.games.cards.minds.unseen import chance_of_none, chance_to_hit
from companion.games.cards.rules import views
from companion.games.cards.rules.moves import CardMove, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.games.common.beliefs import Memory, believe, no_memory
from companion.games.common.roles import Role


def decision(state: DealtState, level: str = "strong", memory: Memory | None = None) -> object:
    """What a stand-in decides whose turn it is."""
    seat = state.decider
    assert seat is not None
    known = memory or no_memory(len(state.hands))
    move = MINDS[level](knowledge(state, seat), known, random.Random(1))
    assert check(state, move) is None
    return move


def seen(state: DealtState, *moves: CardMove) -> Memory:
    """What everybody remembers if these moves were made in this state."""
    memory = no_memory(len(state.hands))
    for move in moves:
        memory = remember(memory, knowledge(state, None), move)
    return memory


@each_scene(__file__, "minds.txt")
def test_a_stand_in_decides_as_a_scene_tells(ruling):
    ruling.check(DEALT_WORDS)


def test_a_seat_knows_its_hand_and_what_lies_open():
    state = hold(game("S O R O", pile="beer -", in_play={2: "scope"}), {1: "bang jail"})
    known = knowledge(state, 1)
    assert known.hand == state.hands[1]
    assert (known.pile, known.in_play) == (state.pile, state.in_play)
    assert known.roles == (Role.SHERIFF, Role.OUTLAW, None, None)
    assert known.hidden_roles == (Role.OUTLAW, Role.RENEGADE)
    assert knowledge(state, None).hand == ()
    assert not hasattr(known, "deck")


@given(chances)
def test_the_game_that_a_seat_knows_has_no_hidden_role(chance):
    state = hold(game("S O R O", hands=2))
    setup, _ = swapped(state.public.setup, state.public, views, 0, chance)
    twin = replace(state, public=replace(state.public, setup=setup))
    assert knowledge(twin, 0) == knowledge(state, 0)
    assert knowledge(twin, 0).game.setup == knowledge(state, 0).game.setup


def test_nobody_sees_what_kit_carlson_looks_at_nor_what_is_to_come():
    state = hold(game("S O:kit_carlson R O", hands=1))
    state = decide(state, EndTurn(0))
    assert knowledge(state, 1).offer == state.offer
    assert knowledge(state, 2).offer is knowledge(state, None).offer is None
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert knowledge(state, 0).offer == state.offer is not None
    assert not hasattr(knowledge(state, 0), "luck")


def test_roles_follow_from_deeds():
    state = hold(game("S O R O D", turn=2, hands=4))
    nothing = believe(no_memory(5), knowledge(state, None))
    assert nothing[3] == {Role.DEPUTY: 0.25, Role.OUTLAW: 0.5, Role.RENEGADE: 0.25}
    attacked = believe(seen(state, Play(2, Title.DUEL, 0)), knowledge(state, None))
    assert attacked[2][Role.OUTLAW] > 0.75
    freed = hold(game("S O R O D", turn=2, hands=4, in_play={0: "jail", 1: "jail"}))
    helped = believe(seen(freed, Play(2, Title.CAT_BALOU, 0, Title.JAIL)), knowledge(state, None))
    assert helped[2][Role.DEPUTY] > 0.4
    # Answers and what is aimed at nobody say nothing.
    idle = seen(state, Play(2, Title.INDIANS), Play(2, Title.PANIC, 2, Title.SCOPE), Pass(1))
    assert idle == no_memory(5)
    # What is known anyway stays so, but is remembered.
    sheriff = hold(game("S O R O D", hands=4))
    memory = seen(sheriff, Play(0, Title.DUEL, 3))
    assert (memory.weights, len(memory.deeds)) == (no_memory(5).weights, 1)


def test_hands_are_estimated_by_all_cards_that_are_seen():
    scene = game("S O R O", hands={0: 0, 1: 2, 2: 0, 3: 2}, pile="missed " * 6)
    known = knowledge(hold(scene, {3: "missed missed"}), 3)
    # Four of them lie somewhere in 72 cards.
    assert chance_of_none(known, 1, Title.MISSED) == pytest.approx((68 / 72) ** 2)
    assert chance_of_none(known, 2, Title.MISSED) == 1.0
    assert chance_to_hit(known, 1) == pytest.approx((68 / 72) ** 2)
    assert chance_to_hit(known, 1, 2) > chance_to_hit(known, 1)
    guarded = knowledge(hold(game("S O R O", in_play={1: "barrel"})), 3)
    none = chance_of_none(guarded, 1, Title.MISSED)
    assert chance_to_hit(guarded, 1) == pytest.approx(none * 0.75)


def test_levels_remember_who_attacked_the_sheriff():
    state = hold(game("S O R O D", turn=4, hands=2), {4: "bang missed"})
    before = hold(game("S O R O D", turn=3, hands=2))
    memory = seen(before, *[Play(3, Title.DUEL, 0)] * 3)
    for level in ("sensible", "strong"):
        assert decision(state, level, memory) == Play(4, Title.BANG, 3), level
    # Outlaws don't shoot each other.
    state = hold(game("S O R O D", turn=1, hands=1, in_play={1: "winchester"}), {1: "bang"})
    for level in ("sensible", "strong"):
        assert decision(state, level, memory) == Play(1, Title.BANG, 0), level


def test_nobody_takes_a_burden_off_an_enemy():
    scene = game("S O R O", turn=0, hands={0: 1, 1: 1, 2: 0, 3: 0}, in_play={3: "jail"})
    for level in ("sensible", "strong"):
        assert decision(hold(scene, {0: "cat_balou"}), level) != Play(0, Title.CAT_BALOU, 3, "jail")


@pytest.mark.parametrize("players", [5, *later(4, 6, 7)])
def test_the_same_chance_gives_the_same_game(players):
    setup = deal(players, random.Random(players))
    minds = [tuple(MINDS.values())[seat % 3] for seat in range(players)]
    first, second = (play_match(setup, minds, random.Random(5)) for _ in range(2))
    assert first.moves == second.moves
    assert first.end.result is not None
    assert first.turns == second.turns > 3


@pytest.mark.tables
def test_all_levels_decide_legally_with_every_character():
    characters, offers = Counter[str](), Counter[OfferKind]()
    for number in range(24):
        chance = random.Random(number)
        setup = deal(4 + number % 4, chance)
        minds = [tuple(MINDS.values())[(seat + number) % 3] for seat in range(len(setup.players))]
        # A decision that isn't legal raises.
        steps = play_steps(setup, minds, chance)
        characters.update(player.character.id for player in setup.players)
        offers.update(step.state.offer.kind for step in steps if step.state.offer)
    assert len(characters) == 16
    assert len(offers) == 3

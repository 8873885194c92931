"""Stand-ins: always legal, by nothing that their seat may not know, and better by level."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from dice_scenes import game, throw
from hypothesis import given
from strategies import Played, chances, games, moments, swapped

from companion.games.common.beliefs import Memory, believe, no_memory, weigh_assignments
from companion.games.common.tallies import Tally, add_game, summary
from companion.games.dice.minds.choice import Choice, Throw, build_roll
from companion.games.dice.minds.known import knowledge, world
from companion.games.dice.minds.levels import MINDS, strong
from companion.games.dice.minds.memory import remember
from companion.games.dice.minds.rerolls import COUNTS, HANDS, PILES, count_faces, prospect, to_throw
from companion.games.dice.minds.why import explain
from companion.games.dice.rules import views
from companion.games.dice.rules.check import check
from companion.games.dice.rules.faces import ALL_DICE, ARROW, DICE, DYNAMITE, Face
from companion.games.dice.rules.moves import Action, Move, Shoot, Shot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import apply
from companion.games.dice.rules.state import State
from companion.games.dice.rules.views import Audience, knows_role, view

EVERY_MIND = pytest.mark.parametrize("mind", MINDS.values(), ids=MINDS)


def remembered(played: Played[State, Move]) -> list[Memory]:
    """The memory in each state of a game."""
    memories = [no_memory(len(played.states[0].life))]
    for state, move in zip(played.states, played.moves, strict=False):
        memories.append(remember(memories[-1], state, move))
    return memories


def move_of(state: State, choice: Choice, chance: random.Random) -> Move:
    if not isinstance(choice, Throw):
        return choice
    new = chance.choices(tuple(Face), k=DICE)
    before = state.dice or tuple(new)
    dice = tuple(new[die] if die in choice.dice else before[die] for die in ALL_DICE)
    return build_roll(choice, state.dice, dice)


@EVERY_MIND
@given(moments(), chances)
def test_every_decision_is_legal(mind, state, chance):
    assert state.awaits is not None
    memory = no_memory(len(state.life))
    choice = mind(knowledge(state, state.awaits.seat), memory, chance)
    assert check(state, move_of(state, choice, chance)) is None


@EVERY_MIND
@given(games, chances)
def test_hidden_roles_change_no_decision_and_no_reason(mind, played, chance):
    """Twin games that differ only in roles that the seat can't know, seen from their start."""
    number = chance.randrange(len(played.moves))
    state, move = played.states[number], played.moves[number]
    seat, seed = move.seat, chance.random()
    other = replace(state, setup=swapped(state.setup, state, views, seat, chance)[0])
    memories = []
    for roles in (state.setup, other.setup):
        memory = no_memory(len(state.life))
        for earlier, done in zip(played.states[:number], played.moves, strict=False):
            # Somebody who fell has shown their role, in both games the same.
            memory = remember(memory, replace(earlier, setup=roles), done)
        memories.append(memory)
    assert knowledge(other, seat) == knowledge(state, seat)
    assert memories[0] == memories[1]
    first, second = (
        mind(knowledge(at, seat), memories[0], random.Random(seed)) for at in (state, other)
    )
    assert first == second
    reasons = [explain(knowledge(at, None), memories[0], first) for at in (state, other)]
    assert reasons[0] == reasons[1]


@given(games, chances)
def test_what_a_seat_knows_makes_the_same_game_with_other_roles(played, chance):
    state = chance.choice(played.states)
    seat = chance.choice((None, *range(len(state.life))))
    seen, viewer = knowledge(state, seat), Audience.TABLE if seat is None else seat
    for other, role in enumerate(seen.roles):
        assert (role is None) == (not knows_role(state, viewer, other))
    possible = world(seen)
    hidden = [role for role, shown in zip(state.setup.roles, seen.roles, strict=True) if not shown]
    assert sorted(hidden) == sorted(seen.hidden_roles)
    assert sorted(possible.setup.roles) == sorted(state.setup.roles)
    assert view(possible, viewer) == view(state, viewer)
    # With the right roles it is the game itself.
    assert world(seen, hidden) == state
    assert replace(possible, setup=state.setup) == state


@given(games)
def test_beliefs_are_probabilities_and_certain_where_roles_are_known(played):
    memories = remembered(played)
    for number in (len(played.moves) // 2, len(played.moves) - 1):
        state = played.states[number]
        for seat in (None, *state.living):
            seen = knowledge(state, seat)
            for role, belief in zip(seen.roles, believe(memories[number], seen), strict=True):
                assert sum(belief.values()) == pytest.approx(1)
                if role is not None:
                    assert belief == {role: 1.0}
                else:
                    assert set(belief) <= set(seen.hidden_roles)


def test_beliefs_are_bayes_over_all_assignments():
    state = game("S O R D O")
    memory = Memory(((1, 1, 1, 1), (0, 1, 4, 2), (0, 2, 1, 1), (0, 1, 1, 3), (0, 1, 1, 1)))
    seen = knowledge(state, 1)
    found = believe(memory, seen)
    total, third = 0.0, Counter[Role]()
    for roles in set(product(Role, repeat=3)):
        if Counter(roles) == Counter(seen.hidden_roles):
            weight = 1.0
            for seat, role in zip((2, 3, 4), roles, strict=True):
                weight *= memory.weights[seat][tuple(Role).index(role)]
            total += weight
            third[roles[1]] += weight
    assert found[3] == pytest.approx({role: weight / total for role, weight in third.items()})
    assert len(weigh_assignments(memory.weights[2:], seen.hidden_roles)) == 6


@pytest.mark.parametrize(("target", "role"), [(0, Role.OUTLAW), (3, Role.DEPUTY)])
def test_a_player_who_shoots_the_sheriff_is_taken_for_an_outlaw(target, role):
    state = throw(game("S O R D O", turn=4), "12BAG")
    memory = no_memory(5)
    before = believe(memory, knowledge(state, None))[4]
    memory = remember(memory, state, Shoot(4, (Shot(0, target), Shot(1, 1))))
    after = believe(memory, knowledge(state, None))[4]
    assert after[role] > before[role]


def test_the_value_of_throwing_is_exact():
    """Against a plain recursion over each die, with arrows that cost and change the pile."""
    chance = np.random.default_rng(3)
    final, cost = chance.normal(size=(len(HANDS), PILES)), chance.uniform(size=(PILES, DICE + 1))
    numbers = {hand: number for number, hand in enumerate(HANDS)}

    def value(dice: tuple[Face, ...], left: int, pile: int) -> float:
        faces = count_faces(dice)
        stop = float(final[numbers[faces], pile - 1])
        if not left or dice.count(DYNAMITE) >= 3:
            return stop
        return max(stop, *(expected(kept, left, pile) for kept in kept_sets(dice)))

    @cache
    def expected(kept: tuple[Face, ...], left: int, pile: int) -> float:
        total, count = 0.0, DICE - len(kept)
        for thrown in product(Face, repeat=count):
            arrows = thrown.count(ARROW)
            after = pile - arrows if arrows < pile else pile - arrows + 9
            dice = tuple(sorted((*kept, *thrown)))
            total += value(dice, left - 1, after) - float(cost[pile - 1, arrows])
        return total / 6**count

    def kept_sets(dice: tuple[Face, ...]) -> set[tuple[Face, ...]]:
        return {
            tuple(sorted(part))
            for size in range(DICE)
            for part in combinations(dice, size)
            if part.count(DYNAMITE) == dice.count(DYNAMITE)
        }

    dice = tuple(sorted((Face.DYNAMITE, Face.DYNAMITE, Face.BEER, Face.ARROW, Face.BULLSEYE1)))
    for left, pile in ((1, 9), (1, 2), (2, 2), (2, 1)):
        found = prospect(dice, left, pile, final, cost, rerolls_dynamite=False)
        assert found.stop == pytest.approx(float(final[numbers[count_faces(dice)], pile - 1]))
        expected_values = {
            count_faces(kept): expected(kept, left, pile) for kept in kept_sets(dice)
        }
        assert found.throws == pytest.approx(expected_values)
        best = max(expected_values, key=expected_values.__getitem__)
        assert found.best == (best if expected_values[best] > found.stop else None)


def test_kept_dice_stay():
    dice = (Face.BEER, Face.ARROW, Face.BEER, Face.DYNAMITE, Face.GATLING)
    assert to_throw(dice, count_faces((Face.BEER, Face.DYNAMITE))) == (1, 2, 4)
    assert COUNTS.sum(axis=1).tolist() == [DICE] * len(HANDS)


def test_strong_shoots_for_its_side():
    """An Outlaw next to the Sheriff shoots them, a Deputy doesn't; and the shot that wins."""
    for players, dice, life, target in (
        ("S O R D O", "1GAA2", 5, 0),
        ("S D R O O", "1AAG2", 5, 2),
        ("S O R D O", "1AAGB", {0: 1}, 0),
    ):
        state = throw(game(players, turn=1, life=life), dice)
        move = strong(knowledge(state, 1), no_memory(5), random.Random(1))
        assert isinstance(move, Shoot)
        hit = {shot.target for shot in move.shots}
        assert target in hit
        assert players.split()[1] == "O" or 0 not in hit


def test_a_stand_in_gives_its_reasons_by_what_everybody_saw():
    state = throw(game("S O R D O", turn=1, life={1: 3}), "1BB2G")
    public = knowledge(state, None)
    assert [str(why) for why in explain(public, no_memory(5), Throw(1, (4,)))] == [
        "dice [4] can show something better"
    ]
    move = strong(knowledge(state, 1), no_memory(5), random.Random(1))
    reasons = [str(why) for why in explain(knowledge(state, None), no_memory(5), move)]
    assert reasons[0] == "seat 0 wears the star"
    assert not any(role in " ".join(reasons) for role in ("outlaw", "renegade", "deputy"))
    state = apply(state, move)
    move = strong(knowledge(state, 1), no_memory(5), random.Random(1))
    assert move.action is Action.BEER
    most = state.setup.max_life[1]
    assert [str(why) for why in explain(knowledge(state, None), no_memory(5), move)] == [
        f"they have 3 of {most} life points"
    ]


def test_tallies_count_seats_and_wins_by_level_and_role():
    roles = (Role.SHERIFF, Role.OUTLAW, Role.OUTLAW, Role.RENEGADE)
    tallies = add_game({}, ("strong", "random", "strong", "random"), roles, (1, 2))
    tallies = add_game(tallies, ("strong",) * 4, roles, (0,))
    shown = summary(tallies)
    assert shown["strong"]["seats"] == 6
    assert shown["strong"]["won"] == 2
    assert shown["random"]["roles"] == {
        Role.OUTLAW: {"seats": 1, "won": 1, "interval": [0.207, 1.0]},
        Role.RENEGADE: {"seats": 1, "won": 0, "interval": [0.0, 0.793]},
    }
    low, high = Tally(100, 50).interval
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)

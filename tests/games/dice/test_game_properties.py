"""What holds in every game, whoever plays and however the dice fall."""

import random
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from itertools import combinations, product

import pytest
from game_properties import (
    check_frozen,
    check_named,
    check_no_more_seats,
    check_roles_shown,
    swapped,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    BIASES,
    OPENINGS,
    chances,
    deal,
    games,
    loaded,
    moments,
    opening,
    openings,
    play_on,
    setups,
)

from companion.games.common.endings import Side
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.players import random_move
from companion.games.dice.rules import views
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import Question, only_move, question
from companion.games.dice.rules.events import (
    ArrowsDiscarded,
    ArrowsTaken,
    Event,
    IndiansAttacked,
    LifeGained,
    LifeLost,
)
from companion.games.dice.rules.faces import BULLSEYES, Face
from companion.games.dice.rules.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import Course, apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import ARROWS, State
from companion.games.dice.rules.targets import throwable
from companion.games.dice.rules.views import Audience, view

pytestmark = pytest.mark.tables

SEATS = range(-1, 9)
"""Every seat there may be, and one beyond at each end."""

COUNTED = {Action.TAKE_ARROWS, Action.DISCARD_ARROWS, Action.BEER, Action.DISCARD_FROM}
"""Decisions about a number of arrows or beers."""


@given(games)
def test_nine_arrows_and_life_within_bounds(game):
    for state in game.states:
        assert state.pile + sum(state.arrows) == 9
        assert all(arrows >= 0 for arrows in state.arrows)
        assert state.pile >= 1, "the last arrow never stays taken"
        for life, most in zip(state.life, state.setup.max_life, strict=True):
            assert 0 <= life <= most


@given(games)
def test_the_eliminated_neither_act_nor_hold_arrows_nor_come_back(game):
    dead: set[int] = set()
    for state in game.states:
        assert dead.isdisjoint(state.living)
        dead = set(range(len(state.life))) - set(state.living)
        assert not any(state.arrows[seat] for seat in dead)
        assert state.awaits is None or state.awaits.seat not in dead


@given(games)
def test_each_moment_awaits_one_seat_that_has_a_legal_move(game):
    for state, move in zip(game.states, game.moves, strict=False):
        assert state.awaits is not None
        assert state.result is None
        assert move.seat == state.awaits.seat
        assert move.action in state.actions
        assert check(state, move) is None
        if state.actions[0] in (Action.HEAL, Action.ROLL, Action.SHOOT, Action.BEER):
            assert state.awaits.seat == state.turn


@given(games)
def test_states_never_change(game):
    check_frozen((game.states[0], game.states[-1]))
    again = [game.states[0]]
    for move in game.moves:
        again.append(apply(again[-1], move))
    assert tuple(again) == game.states


@given(games)
def test_a_course_makes_the_same_game_in_place(game):
    """What `apply` returns move by move, with the same events, and the first state untouched."""
    first = replace(game.states[0])
    course = Course.of(game.states[0])
    for move, after, events in zip(game.moves, game.states[1:], game.events, strict=True):
        course.make(move)
        seen = Course.of(course)
        seen.log = course.log
        assert (seen.ended(), course.events) == (after, events)
    assert course.ended() == game.states[-1]
    assert game.states[0] == first
    with pytest.raises(FrozenInstanceError):
        course.turn = 0


@given(games)
def test_every_game_ends_with_a_result_that_its_living_players_bear_out(game):
    last = game.states[-1]
    assert last.result is not None
    assert last.awaits is None
    assert question(last) is None
    roles = [player.role for player in last.setup.players]
    living = [roles[seat] for seat in last.living]
    winners = [roles[seat] for seat in last.result.winners]
    if last.setup.roles_open:
        assert len(winners) <= 1
        assert last.result.side == (winners[0] if winners else "none")
        assert set(last.result.winners) <= set(last.living)
    elif last.result.side == "law":
        assert set(living) <= {Role.SHERIFF, Role.DEPUTY}
        assert Role.SHERIFF in living
        assert winners.count(Role.DEPUTY) == roles.count(Role.DEPUTY)
    elif last.result.side == "renegade":
        assert living == winners == [Role.RENEGADE]
    else:
        assert Role.SHERIFF not in living
        assert winners == [Role.OUTLAW] * roles.count(Role.OUTLAW)
    with pytest.raises(ValueError, match="the game is over"):
        random_move(last, random.Random(0))


@given(games)
def test_events_account_for_every_change(game):
    for before, after, events in zip(game.states, game.states[1:], game.events, strict=False):
        life, arrows = Counter(), Counter()
        for seat in range(len(before.life)):
            life[seat], arrows[seat] = before.life[seat], before.arrows[seat]
        for event in events:
            match event:
                case LifeLost(seat, count):
                    life[seat] -= count
                case LifeGained(seat, count):
                    life[seat] += count
                case ArrowsTaken(seat, count):
                    arrows[seat] += count
                case ArrowsDiscarded(seat, count):
                    arrows[seat] -= count
                case Eliminated(seat, role):
                    assert life[seat] == 0
                    assert role is before.player(seat).role
                    arrows[seat] = 0
                case IndiansAttacked():
                    assert arrows.total() == ARROWS
                    arrows.clear()
                case TurnBegan(seat):
                    assert seat == after.turn
                case GameEnded(result):
                    assert event is events[-1]
                    assert result == after.result
        assert [life[seat] for seat in range(len(before.life))] == list(after.life)
        assert [arrows[seat] for seat in range(len(before.life))] == list(after.arrows)


@given(openings, st.integers(), st.sampled_from(BIASES))
def test_the_same_seed_plays_the_same_game(opening, seed, faces):
    again = [play_on(opening, random.Random(seed), faces, most=30) for _ in range(2)]
    assert again[0] == again[1]


# Legality


def any_move(state: State, seat: int, chance: random.Random) -> Move:
    """A move of the awaited kind, or of any, that was made without looking at the rules."""

    def some(values: range, most: int) -> tuple[int, ...]:
        return tuple(chance.choice(values) for _ in range(chance.randint(0, most)))

    dice = tuple(chance.choices(tuple(Face), k=chance.choice((4, 5, 5, 5, 5, 6))))
    kept = tuple(
        face if chance.random() < 0.8 else other
        for face, other in zip(state.dice or dice, dice, strict=False)
    )
    target, beer = (None, *SEATS), (None, None, *range(-1, 6))
    shots = tuple(
        Shot(die, *map(chance.choice, (target, (None, None, *Face), beer)))
        for die, face in enumerate(state.dice)
        if face in BULLSEYES or chance.random() < 0.05
    )
    made: dict[Action, Move] = {
        Action.HEAL: Heal(seat, chance.choice(SEATS)),
        Action.ROLL: Roll(seat, kept, chance.choice((None, some(range(-1, 6), 5)))),
        Action.STOP: Stop(seat),
        Action.SHOOT: Shoot(seat, shots),
        Action.TAKE_ARROWS: TakeArrows(seat, chance.randint(-1, 6)),
        Action.DISCARD_ARROWS: DiscardArrows(seat, chance.randint(-1, 6)),
        Action.BEER: Beer(seat, some(SEATS, 5)),
        Action.DISCARD_FROM: DiscardFrom(seat, some(SEATS, 5)),
    }
    return made[chance.choice((*state.actions, *state.actions, *Action))]


@settings(max_examples=150)
@given(moments(), chances)
def test_an_illegal_move_names_its_reason_and_leaves_the_state(state, chance):
    awaited = state.awaits.seat if state.awaits else None
    seats = (awaited if chance.random() < 0.9 else chance.choice(SEATS) for _ in range(30))
    check_named(check, apply, state, (any_move(state, seat, chance) for seat in seats))


@settings(max_examples=150)
@given(moments())
def test_what_is_offered_is_legal_and_what_is_legal_is_offered(state):
    asked = question(state)
    assert asked is not None
    assert (asked.seat, asked.action) == state.awaits
    seat, dice = asked.seat, state.dice
    assert bool(asked.most) is (asked.action in COUNTED)
    assert bool(asked.aims) is (asked.action is Action.SHOOT)
    assert not asked.beers or asked.aims

    def legal(move: Move) -> bool:
        return check(state, move) is None

    match asked.action:
        case Action.HEAL:
            assert {to for to in SEATS if legal(Heal(seat, to))} == set(asked.targets)
        case Action.ROLL if not dice:
            assert throwable(state) == (0, 1, 2, 3, 4)
            assert legal(Roll(seat, (Face.DYNAMITE,) * 5))
        case Action.ROLL:
            sets = [thrown for count in range(6) for thrown in combinations(range(5), count)]
            allowed = {thrown for thrown in sets if legal(Roll(seat, dice, thrown))}
            assert allowed == {
                thrown for thrown in sets if thrown and set(thrown) <= set(throwable(state))
            }
            assert legal(Stop(seat))
        case Action.SHOOT:
            offered = {die: offered_shots(asked, die) for die in asked.aims}
            plain = [
                min(shots, key=lambda shot: shot.beer is not None) for shots in offered.values()
            ]
            for index, die in enumerate(offered):
                answers = product((None, *SEATS), (None, *Face), (None, *range(-1, 6)))
                tried = {Shot(die, *answer) for answer in answers}
                assert offered[die] == {
                    shot
                    for shot in tried
                    if legal(Shoot(seat, (*plain[:index], shot, *plain[index + 1 :])))
                }
        case Action.TAKE_ARROWS | Action.DISCARD_ARROWS:
            taking = asked.action is Action.TAKE_ARROWS
            kind = TakeArrows if taking else DiscardArrows
            allowed = {count for count in range(-1, 11) if legal(kind(seat, count))}
            assert allowed == set(range(asked.most + 1))
        case Action.BEER:
            lengths = {count for count in range(7) if legal(Beer(seat, (seat,) * count))}
            assert lengths == {asked.most}
            targets = {to for to in SEATS if legal(Beer(seat, (to,) * asked.most))}
            assert targets == set(asked.targets)
        case Action.DISCARD_FROM:
            held = [to for to in asked.targets for _ in range(state.arrows[to])]
            lengths = {count for count in range(7) if legal(DiscardFrom(seat, tuple(held[:count])))}
            assert max(len(held[:count]) for count in lengths) == asked.most
            assert {to for to in SEATS if legal(DiscardFrom(seat, (to,)))} == set(asked.targets)


def offered_shots(asked: Question, die: int) -> set[Shot]:
    """All that the question lets a page make of one die."""
    ways = asked.aims[die]
    return {
        Shot(die, target, used_as, beer)
        for way in ways
        for used_as in (None, way.face)
        if (way is ways[0] if used_as is None else len(ways) > 1)
        for target in way.targets or (None,)
        for beer in (None, *(asked.beers if way.targets else ()))
    }


SETTLED = tuple(action for action in Action if action not in (Action.ROLL, Action.STOP))
"""What may be decided without asking."""


@settings(max_examples=100)
@given(moments(Action.SHOOT), chances)
def test_the_only_move_is_what_every_answer_comes_to(state, chance):
    """What else may be decided without asking, test_questions.py answers in every way."""
    only = only_move(state)
    if only is not None:
        outcomes = [apply(state, random_move(state, chance)) for _ in range(60)]
        assert all(outcome == apply(state, only) for outcome in outcomes)


def test_hardly_anybody_is_asked_in_vain():
    """Some answers come to the same by what happens long after them: a few in ten thousand."""
    chance = random.Random(1)
    asked = vain = 0
    for number in range(120):
        setup = deal(RULESETS["base"], 3 + number % 6, chance)
        for state in play_on(start(setup), chance).states:
            if not state.awaits or state.awaits.action not in SETTLED or only_move(state):
                continue
            asked += 1
            outcomes = (apply(state, random_move(state, chance)) for _ in range(40))
            first = next(outcomes)
            vain += all(outcome == first for outcome in outcomes)
    assert asked > 1000
    assert vain <= 1


@given(moments())
def test_no_roll_is_decided_without_asking(state):
    assert only_move(state) is None or state.actions[0] in SETTLED


# Secrets


@given(setups(), chances, st.sampled_from(BIASES), st.data())
def test_what_a_viewer_sees_depends_on_nothing_they_may_not_know(setup, chance, faces, data):
    viewer = data.draw(st.sampled_from([*range(len(setup.players)), Audience.TABLE]))
    other_setup, hidden = swapped(setup, start(setup), views, viewer, chance)
    one, other = start(setup), start(other_setup)
    while True:
        if one.result or other.result or not hidden <= set(one.living):
            return
        assert view(one, viewer) == view(other, viewer)
        assert one.events == other.events
        assert question(one) == question(other)
        assert only_move(one) == only_move(other)
        move = random_move(one, chance, loaded(faces))
        one, other = apply(one, move), apply(other, move)


@given(games)
def test_roles_are_shown_to_whom_the_rules_show_them(game):
    check_roles_shown(game.states, views)


@given(setups())
def test_no_seat_beyond_the_table_sees_anything(setup):
    check_no_more_seats(start(setup), views)


# The random player


def test_random_games_bring_up_every_rarity():
    """What the properties above promise is worth nothing for what no game ever comes to."""
    seen: Counter[str] = Counter()
    chance = random.Random(1)
    for index in range(400):
        ruleset = chance.choice(tuple(RULESETS.values()))
        setup = deal(ruleset, chance.choice(ruleset.players), chance)
        begun = opening(setup, OPENINGS[index % len(OPENINGS)], chance)
        game = play_on(begun, chance, chance.choice(BIASES))
        for state, move in zip(game.states, game.moves, strict=False):
            seen[move.action] += 1
            seen[state.player(move.seat).character.id] += 1
            if isinstance(move, Shoot):
                seen["lost"] += any(shot.target is None for shot in move.shots)
                seen["doubled"] += any(shot.beer is not None for shot in move.shots)
                seen["as"] += any(shot.used_as is not None for shot in move.shots)
                seen["fallen"] += bool(state.aside.fallen)
        for event in (event for step in game.events for event in step):
            seen[type(event).__name__] += 1
            if isinstance(event, GameEnded):
                seen[event.result.side] += 1
    rare = {*Action, *CHARACTERS, *Side, "lost", "doubled", "as", "fallen"}
    rare |= {kind.__name__ for kind in Event.__args__}
    assert {what for what in rare if not seen[what]} == set()

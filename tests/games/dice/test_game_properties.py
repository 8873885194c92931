"""What holds in every game, whoever plays and however the dice fall."""

import random
from collections import Counter
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from strategies import BIASES, OPENINGS, SEATS, chances, deal, games, moments, opening, play_on

from companion.games.common.endings import Side
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.players import random_move
from companion.games.dice.rules import events
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.choices import MOST_VOLLEYS, Question, only_move, question, volleys
from companion.games.dice.rules.faces import Face
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
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import ARROWS, State
from companion.games.dice.rules.targets import throwable

pytestmark = pytest.mark.tables

COUNTED = {Action.TAKE_ARROWS, Action.DISCARD_ARROWS, Action.BEER, Action.DISCARD_FROM}
"""Decisions about a number of arrows or beers."""


@given(games)
def test_every_state_is_whole(game):
    """Nine arrows, life within bounds; the eliminated neither act, hold arrows nor come back."""
    living = set(range(len(game.states[0].life)))
    for state in game.states:
        assert state.pile + sum(state.arrows) == ARROWS
        assert state.pile >= 1, "the last arrow never stays taken"
        bounds = zip(state.life, state.setup.max_life, strict=True)
        assert all(0 <= life <= most for life, most in bounds)
        assert living >= set(state.living) == {seat for seat, life in enumerate(state.life) if life}
        living = set(state.living)
        assert all(held == 0 or seat in living for seat, held in enumerate(state.arrows))
        assert (state.awaits is None) is (state.result is not None)
        if state.awaits:
            assert state.awaits.seat in living
            if state.actions[0] in (Action.HEAL, Action.ROLL, Action.SHOOT, Action.BEER):
                assert state.awaits.seat == state.turn
            assert state.awaits.action is not Action.DISCARD_FROM or any(state.arrows)


@given(games)
def test_events_account_for_every_change(game):
    for before, after in pairwise(game.states):
        life, arrows = Counter(), Counter()
        for seat in range(len(before.life)):
            life[seat], arrows[seat] = before.life[seat], before.arrows[seat]
        told = after.events
        for event in told:
            match event:
                case events.LifeLost(seat, count):
                    life[seat] -= count
                case events.LifeGained(seat, count):
                    life[seat] += count
                case events.ArrowsTaken(seat, count):
                    arrows[seat] += count
                case events.ArrowsDiscarded(seat, count):
                    arrows[seat] -= count
                case Eliminated(seat, role):
                    assert life[seat] == 0
                    assert role is before.player(seat).role
                    arrows[seat] = 0
                case events.IndiansAttacked():
                    assert arrows.total() == ARROWS
                    arrows.clear()
                case TurnBegan(seat):
                    assert seat == after.turn
                case GameEnded(result):
                    assert event is told[-1]
                    assert result == after.result
        assert [life[seat] for seat in range(len(before.life))] == list(after.life)
        assert [arrows[seat] for seat in range(len(before.life))] == list(after.arrows)


# Legality


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


def effect(state: State) -> tuple[object, ...]:
    """What a move leaves, without the dice that did it."""
    return state.life, state.arrows, state.living, state.awaits, state.turn, state.result


@settings(max_examples=150)
@given(moments(Action.SHOOT), chances)
def test_what_is_offered_is_legal_and_complete_if_it_says_so(state, chance):
    asked = question(state)
    assert asked is not None
    ways = volleys(asked)
    assert len(ways.offered) <= MOST_VOLLEYS
    aimed = [Shoot(asked.seat, shots) for shots in ways.offered]
    assert [check(state, move) for move in aimed] == [None] * len(aimed)
    if ways.complete:
        left = {effect(apply(state, move)) for move in aimed}
        assert {effect(apply(state, random_move(state, chance))) for _ in range(30)} <= left


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
        for event in (event for state in game.states[1:] for event in state.events):
            seen[type(event).__name__] += 1
            if isinstance(event, GameEnded):
                seen[event.result.side] += 1
    rare = {*Action, *CHARACTERS, *Side, "lost", "doubled", "as", "fallen"}
    rare |= {kind.__name__ for kind in events.Event.__args__}
    assert {what for what in rare if not seen[what]} == set()

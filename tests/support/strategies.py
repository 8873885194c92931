"""Shared hypothesis strategies: games dealt, games begun, games played by a random player."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st

from companion.games.dice.players import FAIR as FAIR_THROWS
from companion.games.dice.players import random_move
from companion.games.dice.rules import moves
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.faces import BULLSEYES, DICE, Dice, Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.roles import ROLES
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS, Ruleset
from companion.games.dice.rules.state import ARROWS, Player, Setup, State

# The same examples on every run; a busy machine is no failure.
settings.register_profile(
    "games",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("games")

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")

SEATS = range(-1, 9)
"""Every seat there may be, and one beyond at each end."""

FAIR = tuple(Face)
BIASES = (
    FAIR,
    (*FAIR, Face.ARROW, Face.ARROW, Face.ARROW),
    (*FAIR, Face.DYNAMITE, Face.DYNAMITE),
    (*FAIR, Face.ARROW, Face.BULLSEYE1, Face.BULLSEYE1, Face.BULLSEYE2),
    (*FAIR, Face.BULLSEYE2, Face.BULLSEYE2, Face.BEER),
    (*FAIR, Face.GATLING, Face.GATLING, Face.ARROW),
)
"""Dice that bring up what fair ones seldom show together."""


HOUSES = (frozenset[HouseRule](), *(frozenset({rule}) for rule in HouseRule))


@cache
def loaded(faces: tuple[Face, ...]) -> Sequence[Dice]:
    """Throws of dice that have these faces; where there are too many, some thousands of them."""
    if len(faces) ** DICE <= len(FAIR_THROWS):
        return tuple(product(faces, repeat=DICE))
    chance = random.Random(len(faces))
    return tuple(tuple(chance.choices(faces, k=DICE)) for _ in range(4000))


def deal(ruleset: Ruleset, players: int, chance: random.Random) -> Setup:
    roles = chance.sample(ROLES[players], players)
    characters = map(CHARACTERS.__getitem__, chance.sample(ruleset.characters, players))
    names = (f"Player {seat}" for seat in range(players))
    return Setup(ruleset, tuple(map(Player, names, roles, characters)))


class Played(NamedTuple, Generic[StateT, MoveT]):
    """A game: states[0] and then one state for each move."""

    moves: tuple[MoveT, ...]
    states: tuple[StateT, ...]


def play(
    state: StateT,
    choose: Callable[[StateT], MoveT | None],
    apply: Callable[[StateT, MoveT], StateT],
    most: int,
) -> Played[StateT, MoveT]:
    """Play from `state` until nobody chooses any more, or for `most` moves."""
    made: list[MoveT] = []
    states = [state]
    while len(made) < most and (move := choose(states[-1])) is not None:
        made.append(move)
        states.append(apply(states[-1], move))
    return Played(tuple(made), tuple(states))


def play_on(
    state: State, chance: random.Random, faces: tuple[Face, ...] = FAIR, most: int = 1000
) -> Played[State, moves.Move]:
    """Let the random player play from `state` to the end, or for `most` moves."""

    def choose(now: State) -> moves.Move | None:
        return random_move(now, chance, loaded(faces)) if now.awaits else None

    return play(state, choose, apply, most)


OPENINGS = ("fresh", "late", "besieged")


def opening(setup: Setup, kind: str, chance: random.Random) -> State:
    """Before a first move, in a fresh game or one that has gone on for a while.

    late: few life points, many arrows; besieged: one arrow more and the beginner's neighbours are
    eliminated, so that their bull's eyes may reach nobody.
    """
    state = start(setup)
    if kind == "fresh":
        return state
    seats = range(len(state.life))
    life = [chance.randint(1, 3) for _ in seats]
    arrows = chance.choices(seats, k=chance.randint(5, ARROWS - 1))
    if kind == "besieged":
        neighbours = ((state.turn + 1) % len(seats), (state.turn - 1) % len(seats))
        life = [1 if seat in neighbours else most for seat, most in enumerate(state.life)]
        arrows = [*neighbours, *chance.choices(seats, k=ARROWS - 1 - len(neighbours))]
    held = tuple(arrows.count(seat) for seat in seats)
    return replace(state, life=tuple(life), arrows=held)


# A seed for each game: Python's own generator deals and plays far faster than drawn choices.
chances = st.integers(0, 2**32 - 1).map(random.Random)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Every ruleset with each of its numbers of players, and with each house rule or none."""
    ruleset = draw(st.sampled_from(tuple(RULESETS.values())))
    setup = deal(ruleset, draw(st.sampled_from(ruleset.players)), draw(chances))
    return replace(setup, house_rules=draw(st.sampled_from(HOUSES)))


openings = st.builds(opening, setups(), st.sampled_from(OPENINGS), chances)


@cache
def numbered_game(number: int) -> Played[State, moves.Move]:
    """A game from an opening to the end, with fair dice or biased ones; it is played once."""
    chance = random.Random(number)
    ruleset = chance.choice(tuple(RULESETS.values()))
    setup = deal(ruleset, chance.choice(ruleset.players), chance)
    setup = replace(setup, house_rules=chance.choice(HOUSES))
    begun = opening(setup, chance.choice(OPENINGS), chance)
    return play_on(begun, chance, chance.choice(BIASES))


GAMES = 100
"""So many different games all properties are held against."""

games = st.sampled_from(range(GAMES)).map(numbered_game)


@st.composite
def moments(draw: st.DrawFn, *actions: moves.Action) -> State:
    """A state in which somebody has to decide, all kinds of decisions (or `actions`) alike."""
    by_action: dict[moves.Action, list[State]] = {}
    # Some decisions are rare: not every game has one.
    for _ in range(5):
        for state in draw(games).states[:-1]:
            if not actions or state.actions[0] in actions:
                by_action.setdefault(state.actions[0], []).append(state)
        if by_action:
            break
    assume(by_action)
    return draw(st.sampled_from(sorted(by_action)).flatmap(lambda a: st.sampled_from(by_action[a])))


def any_move(state: State, chance: random.Random) -> moves.Move:
    """A move of the awaited kind, or of any, that was made without looking at the rules."""
    assert state.awaits
    seat = state.awaits.seat if chance.random() < 0.9 else chance.choice(SEATS)

    def some(values: range, most: int) -> tuple[int, ...]:
        return tuple(chance.choice(values) for _ in range(chance.randint(0, most)))

    dice = tuple(chance.choices(tuple(Face), k=chance.choice((4, 5, 5, 5, 5, 6))))
    kept = tuple(
        face if chance.random() < 0.8 else other
        for face, other in zip(state.dice or dice, dice, strict=False)
    )
    target, beer = (None, *SEATS), (None, None, *range(-1, 6))
    shots = tuple(
        moves.Shot(die, *map(chance.choice, (target, (None, None, *Face), beer)))
        for die, face in enumerate(state.dice)
        if face in BULLSEYES or chance.random() < 0.05
    )
    made: dict[moves.Action, moves.Move] = {
        moves.Action.HEAL: moves.Heal(seat, chance.choice(SEATS)),
        moves.Action.ROLL: moves.Roll(seat, kept, chance.choice((None, some(range(-1, 6), 5)))),
        moves.Action.STOP: moves.Stop(seat),
        moves.Action.SHOOT: moves.Shoot(seat, shots),
        moves.Action.TAKE_ARROWS: moves.TakeArrows(seat, chance.randint(-1, 6)),
        moves.Action.DISCARD_ARROWS: moves.DiscardArrows(seat, chance.randint(-1, 6)),
        moves.Action.BEER: moves.Beer(seat, some(SEATS, 5)),
        moves.Action.DISCARD_FROM: moves.DiscardFrom(seat, some(SEATS, 5)),
    }
    return made[chance.choice((*state.actions, *state.actions, *moves.Action))]


def swapped(setup: Any, first: Any, views: ModuleType, viewer: Any, chance: Random) -> Any:
    """The same players with the roles that a viewer may not know dealt anew; and their seats."""
    seats = range(len(setup.players))
    hidden = [seat for seat in seats if not views.knows_role(first, viewer, seat)]
    roles = [setup.players[seat].role for seat in hidden]
    players = list(setup.players)
    for seat, role in zip(hidden, chance.sample(roles, len(roles)), strict=True):
        players[seat] = players[seat]._replace(role=role)
    return replace(setup, players=tuple(players)), set(hidden)

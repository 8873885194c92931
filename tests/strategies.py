"""Shared hypothesis strategies: games dealt, games begun, games played by a random player."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.events import Event
from companion.dicegame.faces import Face
from companion.dicegame.moves import Move
from companion.dicegame.roles import ROLES
from companion.dicegame.rules import apply, start
from companion.dicegame.rulesets import RULESETS, Ruleset
from companion.dicegame.state import ARROWS, Player, Setup, State
from companion.play import random_move

# The same examples on every run; a busy machine is no failure.
settings.register_profile("games", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("games")

FAIR = tuple(Face)
BIASES = (
    FAIR,
    (*FAIR, Face.ARROW, Face.ARROW, Face.ARROW),
    (*FAIR, Face.DYNAMITE, Face.DYNAMITE),
    (*FAIR, Face.BULLSEYE1, Face.BULLSEYE1, Face.BULLSEYE2, Face.BULLSEYE2),
    (*FAIR, Face.BULLSEYE2, Face.BULLSEYE2, Face.BEER),
    (*FAIR, Face.GATLING, Face.GATLING, Face.ARROW),
)
"""Dice that bring up what fair ones seldom show together."""


def deal(ruleset: Ruleset, players: int, chance: random.Random) -> Setup:
    roles = chance.sample(ROLES[players], players)
    characters = chance.sample(list(CHARACTERS.values()), players)
    names = (f"Player {seat}" for seat in range(players))
    return Setup(ruleset, tuple(map(Player, names, roles, characters)))


class Played(NamedTuple):
    """A game: states[0] and then one state, and the events on its way, for each move."""

    moves: tuple[Move, ...]
    states: tuple[State, ...]
    events: tuple[tuple[Event, ...], ...]


def play_on(
    state: State, chance: random.Random, faces: Sequence[Face] = FAIR, most: int = 1000
) -> Played:
    """Let the random player play from `state` to the end, or for `most` moves."""
    moves: list[Move] = []
    states = [state]
    events = []
    while states[-1].awaits and len(moves) < most:
        moves.append(random_move(states[-1], chance, faces))
        step = apply(states[-1], moves[-1])
        states.append(step.state)
        events.append(step.events)
    return Played(tuple(moves), tuple(states), tuple(events))


# A seed for each game: Python's own generator deals and plays far faster than drawn choices.
chances = st.integers(0, 2**32 - 1).map(random.Random)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Every ruleset with each of its numbers of players."""
    ruleset = draw(st.sampled_from(tuple(RULESETS.values())))
    players = draw(st.sampled_from(ruleset.players))
    return deal(ruleset, players, draw(chances))


@st.composite
def openings(draw: st.DrawFn) -> State:
    """Before a game's first move; half of them late in the evening: little life, many arrows."""
    state = start(draw(setups())).state
    if draw(st.booleans()):
        return state
    chance = draw(chances)
    arrows = [0] * len(state.life)
    for _ in range(chance.randrange(ARROWS)):
        arrows[chance.randrange(len(arrows))] += 1
    life = tuple(chance.randint(1, 4) for _ in arrows)
    return state._replace(life=life, arrows=tuple(arrows))


@st.composite
def games(draw: st.DrawFn) -> Played:
    """Games from an opening to the end, with fair dice or biased ones."""
    return play_on(draw(openings()), draw(chances), draw(st.sampled_from(BIASES)))


@st.composite
def moments(draw: st.DrawFn) -> State:
    """A state somewhere in a game, in which somebody has to decide."""
    states = draw(games()).states[:-1]
    # Decisions other than rolls are rarer, and ask for more.
    rare = [state for state in states if state.actions[0] != "roll"]
    return draw(st.sampled_from(rare or states) | st.sampled_from(states))

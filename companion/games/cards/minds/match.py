"""Games between stand-ins with dealt hands."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from companion.games.cards.dealt.luck import LUCK_BITS
from companion.games.cards.dealt.moves import DealtMove
from companion.games.cards.dealt.options import forced_move
from companion.games.cards.dealt.rules import deal, make
from companion.games.cards.dealt.state import DealtState
from companion.games.cards.minds.known import knowledge
from companion.games.cards.minds.levels import Strategy
from companion.games.cards.minds.memory import remember
from companion.games.cards.rules.moves import CardMove, Play
from companion.games.cards.rules.state import CardSetup, CardState
from companion.games.common.beliefs import no_memory
from companion.games.common.events import TurnBegan
from companion.games.common.played import Played


class DealtStep(NamedTuple):
    """A decision of a game, and the game after it."""

    move: DealtMove | None
    """The decision; None at the start."""
    state: DealtState
    """The game after it."""


def play_steps(setup: CardSetup, minds: Sequence[Strategy], chance: Random) -> list[DealtStep]:
    """Play a game with dealt hands to its end; the same `chance` gives the same game."""
    state, memory = deal(setup, chance.getrandbits(LUCK_BITS)), no_memory(len(minds))
    steps = [DealtStep(None, state)]
    while (seat := state.decider) is not None:
        move = forced_move(state) or minds[seat](knowledge(state, seat), memory, chance)
        before, state = state, make(state, move)
        if isinstance(state.made, Play):
            memory = remember(memory, knowledge(before, None), state.made)
        steps.append(DealtStep(move, state))
    return steps


def play_match(
    setup: CardSetup, minds: Sequence[Strategy], chance: Random
) -> Played[CardState, CardMove]:
    """Play a game like `play_steps`, and return what everybody saw of it."""
    steps = play_steps(setup, minds, chance)
    made = [step.state for step in steps[1:] if step.state.made is not None]
    turns = sum(
        kind is TurnBegan for state in (steps[0].state, *made) for kind, *_ in state.public.log
    )
    moves = [state.made for state in made if state.made is not None]
    return Played(steps[-1].state.public, moves, turns)

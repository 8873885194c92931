"""Games between stand-ins."""

from collections.abc import Sequence
from random import Random

from companion.games.common.beliefs import no_memory
from companion.games.common.played import Played
from companion.games.dice.minds.choice import Mind, Throw, simulate_roll
from companion.games.dice.minds.known import knowledge
from companion.games.dice.minds.memory import remember
from companion.games.dice.players import FAIR
from companion.games.dice.rules.moves import Move
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.state import Setup, State


def play_match(setup: Setup, minds: Sequence[Mind], chance: Random) -> Played[State, Move]:
    """Play a game to its end with a mind for each seat; the same `chance` gives the same game."""
    state, memory = start(setup), no_memory(len(minds))
    moves: list[Move] = []
    turns = 1
    while state.awaits is not None:
        seat = state.awaits.seat
        choice = minds[seat](knowledge(state, seat), memory, chance)
        move = (
            simulate_roll(choice, state.dice, lambda: chance.choice(FAIR))
            if isinstance(choice, Throw)
            else choice
        )
        memory = remember(memory, state, move)
        after = apply(state, move)
        turns += after.turn != state.turn
        state = after
        moves.append(move)
    return Played(state, moves, turns)

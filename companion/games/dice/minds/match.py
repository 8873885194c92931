"""Games between stand-ins, to measure who plays better."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from companion.games.common.played import Played
from companion.games.common.shares import interval
from companion.games.dice.minds.choice import Mind, Throw, simulate_roll
from companion.games.dice.minds.known import knowledge
from companion.games.dice.minds.memory import no_memory, remember
from companion.games.dice.players import FAIR
from companion.games.dice.rules.moves import Move
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.state import Setup, State


class Tally(NamedTuple):
    """How often a level won."""

    seats: int = 0
    """How many seats it played."""
    won: int = 0
    """How many of them won."""

    def add(self, won: bool) -> "Tally":
        """Return the tally with one more seat."""
        return Tally(self.seats + 1, self.won + won)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds that hold its share of wins 19 times in 20."""
        return interval(self.won, self.seats)


Tallies = Mapping[tuple[str, Role], Tally]
"""By level and role, how often it won."""


def add_game(
    tallies: Tallies, levels: Sequence[str], roles: Sequence[Role], winners: Sequence[int]
) -> Tallies:
    """Return the tallies with one more game: the level and role of each seat, and who won."""
    result = dict(tallies)
    for seat, key in enumerate(zip(levels, roles, strict=True)):
        result[key] = result.get(key, Tally()).add(seat in winners)
    return result


def summary(tallies: Tallies) -> dict[str, dict[str, object]]:
    """Return the tally of each level, in all and by role, for JSON."""
    levels = dict.fromkeys(level for level, _ in tallies)
    return {
        level: _tally_json(Tally(*map(sum, zip(*by_role.values(), strict=True))))
        | {"roles": {role: _tally_json(tally) for role, tally in by_role.items()}}
        for level in levels
        if (by_role := {role: tallies[level, role] for role in Role if (level, role) in tallies})
    }


def _tally_json(tally: Tally) -> dict[str, object]:
    low, high = tally.interval
    return {"seats": tally.seats, "won": tally.won, "interval": [round(low, 3), round(high, 3)]}


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

"""The dice game, played to its end by sensible stand-ins.

Each game first deals the hidden roles again: a deal is as likely as what everybody saw makes it
(`minds.memory`). Then each player decides by what their seat may know (`minds.sensible`). Nothing
that isn't public is used, so that games which differ in hidden roles alone give the same odds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from itertools import accumulate
from random import Random
from typing import NamedTuple

from companion.games.common.beliefs import Memory, no_memory, weigh_assignments
from companion.games.common.endings import Side
from companion.games.dice.minds.choice import Throw, simulate_roll
from companion.games.dice.minds.known import Known, knowledge, world
from companion.games.dice.minds.memory import remember
from companion.games.dice.minds.sensible import decide_sensibly, deeds
from companion.games.dice.players import FAIR
from companion.games.dice.rules.moves import Beer, Heal, Move, Shoot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import Course
from companion.games.dice.rules.sides import sides
from companion.games.dice.rules.state import State
from companion.games.dice.rules.views import Audience, view


class PublicHistory(NamedTuple):
    """What everybody saw of a game."""

    now: Known
    """The game now."""
    acts: tuple[tuple[State, Move], ...]
    """What players chose to do to others, each with the state before, without its secrets."""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that can win."""
        return sides(world(self.now).setup.roles)

    def play(self, games: range) -> Counter[str]:
        """Play games, by their numbers, and return how often each side won."""
        return play(self, games)


def public_history(states: Sequence[State], moves: Sequence[Move]) -> PublicHistory:
    """Return what everybody saw of a game. Its hidden roles don't change it."""
    acts = tuple(
        (world(knowledge(state, None)), move)
        for state, move in zip(states, moves, strict=False)
        if isinstance(move, Shoot | Beer | Heal)
    )
    return PublicHistory(knowledge(states[-1], None), acts)


def play(seen: PublicHistory, games: range) -> Counter[str]:
    """Play games to their ends and return how often each side won.

    A game depends on its number and on what was seen. Raises ValueError if the game is over.
    """
    memory, now = _memory(seen.acts, len(seen.now.seen.players)), seen.now
    roles, weights = _deals(memory, now)
    base, against = _seed(now), deeds(memory, now.roles)
    won: Counter[str] = Counter()
    for number in games:
        chance = Random(f"{base} {number}")
        (deal,) = chance.choices(roles, cum_weights=weights)
        won[play_on(world(now, deal), against, chance)] += 1
    return won


def play_on(state: State, against: Mapping[int, int], chance: Random) -> Side:
    """Play a game to its end with sensible players and return who won.

    against: `minds.sensible.deeds` so far. Raises ValueError if the game is over.
    """
    if state.result is not None:
        raise ValueError("the game is over")
    course, so_far = Course.of(state), Counter(against)
    roles = state.setup.roles
    sheriff = roles.index(Role.SHERIFF) if Role.SHERIFF in roles else None
    by_seat: dict[int, tuple[Role | None, ...]] = {}
    living = course.living
    while course.awaits is not None:
        seat = course.awaits.seat
        if course.living != living:
            living = course.living
            by_seat.clear()
        if seat not in by_seat:
            by_seat[seat] = knowledge(course, seat).roles
        choice = decide_sensibly(course, by_seat[seat], so_far, chance)
        if isinstance(choice, Throw):
            choice = simulate_roll(
                choice, course.dice, lambda: FAIR[int(chance.random() * len(FAIR))]
            )
        elif seat != sheriff:
            so_far[seat] += _against(choice, sheriff)
        course.make(choice)
    assert course.result is not None
    return course.result.side


def _against(move: Move, sheriff: int | None) -> int:
    """Return how much a move is against the Sheriff."""
    if isinstance(move, Shoot):
        return sum(shot.target == sheriff for shot in move.shots)
    if isinstance(move, Beer):
        return -move.targets.count(sheriff) if sheriff is not None else 0
    return -1 if isinstance(move, Heal) and move.target == sheriff else 0


@lru_cache(maxsize=2)
def _memory(acts: tuple[tuple[State, Move], ...], players: int) -> Memory:
    return reduce(lambda memory, act: remember(memory, *act), acts, no_memory(players))


def _deals(memory: Memory, now: Known) -> tuple[list[tuple[Role, ...]], list[float]]:
    """Return the deals of the hidden roles, and their weights added up."""
    hidden = [memory.weights[seat] for seat, role in enumerate(now.roles) if role is None]
    deals = weigh_assignments(hidden, now.hidden_roles)
    return [deal for deal, _ in deals], list(accumulate(weight for _, weight in deals))


def _seed(now: Known) -> str:
    """Return a text that changes with what everybody sees, and with nothing else."""
    return repr(view(world(now), Audience.TABLE))

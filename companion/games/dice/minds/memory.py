"""What everybody saw others do, and which roles follow from it.

Players show their side by whom they shoot and whom they give a beer. Each such act multiplies a
weight for each role that the player may have, by how likely somebody with that role would have
done it (`_LIKES`). How likely an assignment of the hidden roles is, is then the product of the
weights of all players: Bayes' theorem, over all assignments.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from companion.games.common.beliefs import Beliefs, Weights, believe_roles
from companion.games.dice.minds.known import Known, knowledge, world
from companion.games.dice.rules.faces import BULLSEYE1
from companion.games.dice.rules.moves import Beer, Heal, Move, Shoot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import in_reach


class Act(NamedTuple):
    """Something that a player did to another, or to themselves, although they had a choice."""

    actor: int
    """The seat that did it."""
    hurts: bool
    """Whether it was a shot; otherwise life points were given."""
    target: int
    """The seat that it was done to."""


class Memory(NamedTuple):
    """What everybody can remember of a game; the same for all players."""

    weights: tuple[tuple[float, ...], ...]
    """By seat: how likely what it did is, for each role in the order of `Role`."""
    acts: tuple[Act, ...] = ()
    """What players chose to do to each other, in order."""


_ROLES = tuple(Role)
_SHERIFF, _DEPUTY, _OUTLAW, _RENEGADE = _ROLES

_LIKES: Mapping[Role, Mapping[Role, float]] = {
    _OUTLAW: {_SHERIFF: 1.0, _DEPUTY: 0.5, _OUTLAW: -0.6, _RENEGADE: 0.1},
    _DEPUTY: {_SHERIFF: -1.5, _DEPUTY: -0.7, _OUTLAW: 0.9, _RENEGADE: 0.5},
    _RENEGADE: {_SHERIFF: -0.7, _DEPUTY: 0.3, _OUTLAW: 0.3, _RENEGADE: 0.2},
}
"""How much a player with the first role likes to shoot one who may have the second."""

_CERTAINTY = 2.2
"""How reliably players act by their role."""

_WHIM = 0.12
"""How often they act at random instead."""


def no_memory(players: int) -> Memory:
    """Return the memory of a game that begins."""
    return Memory(((1.0,) * len(_ROLES),) * players)


def remember(memory: Memory, state: State, move: Move) -> Memory:
    """Return the memory after `move` was made in `state`. Only what everybody sees is used."""
    if state.setup.roles_open or not isinstance(move, Shoot | Beer | Heal):
        return memory
    public = knowledge(state, None)
    if public.roles[move.seat] is not None:
        return memory._replace(acts=memory.acts + tuple(_acts(public, move)))
    beliefs = believe(memory, public)
    weights = dict(zip(_ROLES, memory.weights[move.seat], strict=True))
    acts = []
    for act, options in _options(public, move):
        acts.append(act)
        for role, likes in _LIKES.items():
            weights[role] *= _likelihood(likes, act, options, beliefs)
    most = max(weights.values())
    seats = list(memory.weights)
    seats[move.seat] = tuple(weight / most for weight in weights.values())
    return Memory(tuple(seats), memory.acts + tuple(acts))


def _acts(public: Known, move: Shoot | Beer | Heal) -> Iterator[Act]:
    return (act for act, _ in _options(public, move))


def _options(public: Known, move: Shoot | Beer | Heal) -> Iterator[tuple[Act, Sequence[int]]]:
    """Yield what was done, and to whom it could have been done instead."""
    state = world(public)
    if isinstance(move, Heal):
        yield Act(move.seat, False, move.target), state.living
    elif isinstance(move, Beer):
        for target in move.targets:
            yield Act(move.seat, False, target), state.living
    else:
        near, far = in_reach(state)
        swaps = state.ability.swaps_bullseyes
        for shot in move.shots:
            options = near if state.hand.dice[shot.die] is BULLSEYE1 else far
            if swaps:
                options = tuple({*near, *far})
            if shot.target is not None and len(options) > 1:
                yield Act(move.seat, True, shot.target), options


def _likelihood(likes: Weights, act: Act, options: Sequence[int], beliefs: Beliefs) -> float:
    """Return how likely somebody who likes to shoot as `likes` says would have chosen this."""
    sign = _CERTAINTY if act.hurts else -_CERTAINTY
    pulls = {}
    for seat in options:
        liked = sum(likes[role] * share for role, share in beliefs[seat].items())
        # Who drinks their own beer shows little: everybody likes to live.
        if seat == act.actor:
            liked = -1.0
        pulls[seat] = exp(sign * liked)
    chosen = pulls[act.target] / sum(pulls.values())
    return _WHIM / len(pulls) + (1 - _WHIM) * chosen


def believe(memory: Memory, known: Known) -> Beliefs:
    """Return how likely each seat has each role, by what is known and what was done."""
    return believe_roles(memory.weights, known.roles, known.hidden_roles)

"""What everybody saw others do, and which roles follow from it.

Players show their side by whom they shoot and whom they give a beer. Each such deed multiplies a
weight for each role that the player may have, by how likely somebody with that role would have
done it (`LIKES`). How likely an assignment of the hidden roles is, is then the product of the
weights of all players: Bayes' theorem, over all assignments.
"""

from collections.abc import Iterator, Sequence
from math import exp

from companion.games.common.beliefs import (
    CERTAINTY,
    LIKES,
    WHIM,
    Beliefs,
    Deed,
    Memory,
    Weights,
    believe,
)
from companion.games.dice.minds.known import Known, knowledge, world
from companion.games.dice.rules.faces import BULLSEYE1
from companion.games.dice.rules.moves import Beer, Heal, Move, Shoot
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.state import State
from companion.games.dice.rules.targets import in_reach


def remember(memory: Memory, state: State, move: Move) -> Memory:
    """Return the memory after `move` was made in `state`. Only what everybody sees is used."""
    if state.setup.roles_open or not isinstance(move, Shoot | Beer | Heal):
        return memory
    public = knowledge(state, None)
    if public.roles[move.seat] is not None:
        return memory._replace(
            deeds=memory.deeds + tuple(deed for deed, _ in _options(public, move))
        )
    beliefs = believe(memory, public)
    weights = dict(zip(Role, memory.weights[move.seat], strict=True))
    found = []
    for deed, options in _options(public, move):
        found.append(deed)
        for role, likes in LIKES.items():
            weights[role] *= _likelihood(likes, deed, options, beliefs)
    most = max(weights.values())
    seats = list(memory.weights)
    seats[move.seat] = tuple(weight / most for weight in weights.values())
    return Memory(tuple(seats), memory.deeds + tuple(found))


def _options(public: Known, move: Shoot | Beer | Heal) -> Iterator[tuple[Deed, Sequence[int]]]:
    """Yield what was done, and to whom it could have been done instead."""
    state = world(public)
    if isinstance(move, Heal):
        yield Deed(move.seat, False, move.target), state.living
    elif isinstance(move, Beer):
        for target in move.targets:
            yield Deed(move.seat, False, target), state.living
    else:
        near, far = in_reach(state)
        swaps = state.ability.swaps_bullseyes
        for shot in move.shots:
            options = near if state.hand.dice[shot.die] is BULLSEYE1 else far
            if swaps:
                options = tuple({*near, *far})
            if shot.target is not None and len(options) > 1:
                yield Deed(move.seat, True, shot.target), options


def _likelihood(likes: Weights, deed: Deed, options: Sequence[int], beliefs: Beliefs) -> float:
    """Return how likely somebody who likes to shoot as `likes` says would have chosen this."""
    sign = CERTAINTY if deed.hurts else -CERTAINTY
    pulls = {}
    for seat in options:
        liked = sum(likes[role] * share for role, share in beliefs[seat].items())
        # Who drinks their own beer shows little: everybody likes to live.
        if seat == deed.doer:
            liked = -1.0
        pulls[seat] = exp(sign * liked)
    chosen = pulls[deed.target] / sum(pulls.values())
    return WHIM / len(pulls) + (1 - WHIM) * chosen

"""What everybody remembers of a game, and how likely it makes each assignment of hidden roles."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from companion.games.common.roles import Role

Weights = Mapping[Role, float]
"""How likely each role is, not normalised."""

Beliefs = Sequence[Mapping[Role, float]]
"""By seat, how likely each role is; the probabilities of a seat add up to 1."""

_ROLES = tuple(Role)
_ORDER = {role: number for number, role in enumerate(Role)}
_SHERIFF, _DEPUTY, _OUTLAW, _RENEGADE = _ROLES

LIKES: Mapping[Role, Weights] = {
    _OUTLAW: {_SHERIFF: 1.0, _DEPUTY: 0.5, _OUTLAW: -0.6, _RENEGADE: 0.1},
    _DEPUTY: {_SHERIFF: -1.5, _DEPUTY: -0.7, _OUTLAW: 0.9, _RENEGADE: 0.5},
    _RENEGADE: {_SHERIFF: -0.7, _DEPUTY: 0.3, _OUTLAW: 0.3, _RENEGADE: 0.2},
}
"""How much a player with the first role likes to attack one who may have the second."""

CERTAINTY = 2.2
"""How reliably players act by their role."""

WHIM = 0.12
"""How often they act at random instead."""


class Deed(NamedTuple):
    """Something that a player did to another, or to themselves, although they had a choice."""

    doer: int
    """The seat that did it."""
    hurts: bool
    """Whether it was an attack; otherwise it helped."""
    target: int
    """The seat that it was done to."""


class Memory(NamedTuple):
    """What everybody can remember of a game; the same for all players."""

    weights: tuple[tuple[float, ...], ...]
    """By seat: how likely what it did is, for each role in the order of `Role`."""
    deeds: tuple[Deed, ...] = ()
    """What players did to each other, in order."""

    def deeds_against(self, seat: int | None) -> dict[int, int]:
        """Return how often each other seat attacked a seat, less how often it helped it."""
        against: dict[int, int] = {}
        for deed in self.deeds:
            if deed.target == seat != deed.doer:
                against[deed.doer] = against.get(deed.doer, 0) + (1 if deed.hurts else -1)
        return against


class KnownRoles(Protocol):
    """What somebody knows of the roles."""

    @property
    def roles(self) -> tuple[Role | None, ...]:
        """The roles by seat; None where it is unknown."""

    @property
    def hidden_roles(self) -> tuple[Role, ...]:
        """The unknown roles, in the order of `Role`."""


def no_memory(players: int) -> Memory:
    """Return the memory of a game that begins."""
    return Memory(((1.0,) * len(_ROLES),) * players)


def roles_left(deck: Sequence[Role], known: Sequence[Role | None]) -> tuple[Role, ...]:
    """Return the roles of a deck without those that are known, in the order of `Role`."""
    left = list(deck)
    for role in known:
        if role is not None:
            left.remove(role)
    return tuple(sorted(left, key=_ORDER.__getitem__))


def believe(memory: Memory, known: KnownRoles) -> Beliefs:
    """Return how likely each seat has each role, for somebody who knows some of them."""
    unknown = [seat for seat, role in enumerate(known.roles) if role is None]
    shares = _shares(tuple([memory.weights[seat] for seat in unknown]), known.hidden_roles)
    beliefs: list[Mapping[Role, float]] = [
        {} if role is None else {role: 1.0} for role in known.roles
    ]
    for seat, share in zip(unknown, shares, strict=True):
        beliefs[seat] = share
    return beliefs


@lru_cache(maxsize=1 << 12)
def _shares(
    weights: tuple[tuple[float, ...], ...], hidden: tuple[Role, ...]
) -> tuple[Mapping[Role, float], ...]:
    total = 0.0
    shares = [dict.fromkeys(dict.fromkeys(hidden), 0.0) for _ in weights]
    for roles, weight in weigh_assignments(weights, hidden):
        total += weight
        for share, role in zip(shares, roles, strict=True):
            share[role] += weight
    return tuple({role: part / total for role, part in share.items()} for share in shares)


def weigh_assignments(
    weights: Sequence[Sequence[float]], hidden: tuple[Role, ...]
) -> list[tuple[tuple[Role, ...], float]]:
    """Return each assignment of the hidden roles to as many seats, with how likely it is."""
    rows = [dict(zip(_ROLES, row, strict=True)) for row in weights]
    found = []
    for roles in _assignments(hidden):
        weight = 1.0
        for row, role in zip(rows, roles, strict=True):
            weight *= row[role]
        found.append((roles, weight))
    return found


@lru_cache(maxsize=1 << 10)
def _assignments(hidden: tuple[Role, ...]) -> tuple[tuple[Role, ...], ...]:
    """Return each different order of `hidden`."""
    if not hidden:
        return ((),)
    found = []
    for role in dict.fromkeys(hidden):
        left = list(hidden)
        left.remove(role)
        found += [(role, *rest) for rest in _assignments(tuple(left))]
    return tuple(found)

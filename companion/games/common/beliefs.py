"""How likely each assignment of hidden roles is, by how well each fits what players did."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.games.common.roles import Role

Weights = Mapping[Role, float]
"""How likely each role is, not normalised."""

Beliefs = Sequence[Mapping[Role, float]]
"""By seat, how likely each role is; the probabilities of a seat add up to 1."""

_ROLES = tuple(Role)


def believe_roles(
    weights: Sequence[tuple[float, ...]],
    roles: Sequence[Role | None],
    hidden: tuple[Role, ...],
) -> Beliefs:
    """Return how likely each seat has each role.

    weights: by seat, how likely what it did is, for each role in the order of `Role`; roles: those
    that are known, by seat; hidden: all others.
    """
    unknown = [seat for seat, role in enumerate(roles) if role is None]
    shares = _shares(tuple([weights[seat] for seat in unknown]), hidden)
    beliefs: list[Mapping[Role, float]] = [{} if role is None else {role: 1.0} for role in roles]
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

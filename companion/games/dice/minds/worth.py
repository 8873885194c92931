"""What life points of each player are worth to a seat, by its role and what it believes of others.

Worth is measured in logits of winning: 0.3 moves the chance to win from 50 % to 57 %. The figures
are rounded from logistic regressions of who won on how the players stood when each turn began, in
games of stand-ins (docs/dev/decisions/2026-11-22-stand-ins.md).
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.common.beliefs import Beliefs
from companion.games.dice.rules.roles import PREY, Role
from companion.games.dice.rules.state import State

_SHERIFF, _DEPUTY, _OUTLAW, _RENEGADE = Role

_LAW = {_SHERIFF: -0.30, _DEPUTY: -0.12, _OUTLAW: 0.11, _RENEGADE: 0.11}
_LIFE: Mapping[Role, Mapping[Role, float]] = {
    _SHERIFF: _LAW,
    _DEPUTY: _LAW,
    _OUTLAW: {_SHERIFF: 0.35, _DEPUTY: 0.06, _OUTLAW: -0.13, _RENEGADE: 0.03},
    _RENEGADE: {_SHERIFF: -0.02, _DEPUTY: 0.12, _OUTLAW: 0.10, _RENEGADE: 0.15},
}
"""What it is worth to a player with the first role that one with the second loses a life point."""

_LAWS_FALL = {_DEPUTY: -0.5, _OUTLAW: 0.8, _RENEGADE: 0.2}
_FALL: Mapping[Role, Mapping[Role, float]] = {
    _SHERIFF: _LAWS_FALL,
    _DEPUTY: _LAWS_FALL,
    _OUTLAW: {_DEPUTY: 0.2, _OUTLAW: -0.9, _RENEGADE: 0.2},
    _RENEGADE: {_DEPUTY: 0.5, _OUTLAW: 0.5, _RENEGADE: 0.7},
}
"""What the fall of a player is worth beyond their last life point."""

_WINS = 4.0
"""What it is worth to win, and costs to lose."""

_SCARCE = 0.4
"""How much more a life point counts the fewer are left: of 2, by this; of 4, by half of it."""

_ARROW = 0.17
"""What an arrow costs while the pile is full."""

_RENEGADES_LIFE = 0.3
"""What a Renegade's own life points are worth to them."""


class Worth(NamedTuple):
    """What life points of each player are worth to one seat."""

    seat: int
    """The seat."""
    life: tuple[int, ...]
    """The life points of each seat."""
    point: tuple[float, ...]
    """By seat, what it is worth that it loses one of many life points. Friends cost."""
    losses: tuple[tuple[float, ...], ...]
    """By seat, what it is worth that it loses 0, 1, ... life points, up to all of them."""
    arrow: float
    """What one more arrow costs the seat."""

    def loss(self, seat: int, count: int) -> float:
        """Return what it is worth that `seat` loses `count` life points."""
        losses = self.losses[seat]
        return losses[count] if count < len(losses) else losses[-1]

    def gain(self, seat: int, count: int, most: int) -> float:
        """Return what it is worth that `seat` gains `count` life points, of at most `most`."""
        life = self.life[seat]
        point = self.point[seat]
        return -sum([point * _need(now + 1) for now in range(life, min(life + count, most))])


def _need(life: int) -> float:
    """Return how much the last of `life` points counts: with few left, more."""
    return 1.0 + 2 * _SCARCE / life if life > 1 else 1.0 + 2 * _SCARCE


def worth(state: State, seat: int, role: Role, beliefs: Beliefs) -> Worth:
    """Return what life points are worth to `seat`. Roles are taken from `beliefs` alone."""
    find = _alone if state.setup.roles_open else _in_teams
    points, falls = find(state, seat, role, beliefs)
    most = state.setup.abilities[seat].max_indian_loss
    free = most is not None and state.arrows[seat] >= most
    # The more arrows are out, the sooner the attack.
    arrow = 0.0 if free else _ARROW * (0.7 + 0.1 * sum(state.arrows))
    losses = map(_losses, state.life, points, falls)
    return Worth(seat, state.life, tuple(points), tuple(losses), arrow)


def _losses(life: int, point: float, fall: float) -> tuple[float, ...]:
    worth, losses = 0.0, [0.0]
    for left in range(life, 0, -1):
        worth += point * _need(left)
        losses.append(worth if left > 1 else worth + fall)
    return tuple(losses)


def _in_teams(
    state: State, seat: int, role: Role, beliefs: Beliefs
) -> tuple[list[float], list[float]]:
    """Return what a life point and the fall of each seat is worth, with secret roles."""
    points, falls = [0.0] * len(state.life), [0.0] * len(state.life)
    others = [other for other in state.living if other != seat]
    likes = _LIFE[role]
    if role is _RENEGADE:
        likes = _renegades_likes(state, others, beliefs)
    bad = sum(_bad(beliefs[other]) for other in others)
    for other in others:
        if _SHERIFF in beliefs[other]:
            points[other] = likes[_SHERIFF]
            falls[other] = _WINS if role is _OUTLAW or len(others) == 1 else -_WINS
            continue
        for kind, share in beliefs[other].items():
            points[other] += share * likes[kind]
            falls[other] += share * _FALL[role][kind]
        if role in (_SHERIFF, _DEPUTY) and bad < 1.5:
            falls[other] += _WINS * _bad(beliefs[other])
    if role is _RENEGADE:
        points[seat], falls[seat] = -_RENEGADES_LIFE, -_WINS
    else:
        points[seat] = likes[role]
        falls[seat] = -_WINS if role is _SHERIFF else _FALL[role][role]
    return points, falls


def _bad(belief: Mapping[Role, float]) -> float:
    """Return how likely somebody is no friend of the Sheriff."""
    return belief.get(_OUTLAW, 0.0) + belief.get(_RENEGADE, 0.0)


def _renegades_likes(state: State, others: list[int], beliefs: Beliefs) -> Mapping[Role, float]:
    """A Renegade keeps both sides level, and the Sheriff until everybody else has fallen."""
    if len(others) == 1:
        return dict.fromkeys(Role, 0.3)
    strength = dict.fromkeys(Role, 0.0)
    for other in others:
        for kind, share in beliefs[other].items():
            strength[kind] += share * state.life[other]
    law = strength[_SHERIFF] + strength[_DEPUTY]
    lead = (strength[_OUTLAW] - law) / (strength[_OUTLAW] + law + 1)
    return dict(_LIFE[_RENEGADE]) | {
        _SHERIFF: -0.05 - 0.25 * lead,
        _DEPUTY: 0.12 - 0.10 * lead,
        _OUTLAW: 0.10 + 0.10 * lead,
    }


def _alone(
    state: State, seat: int, role: Role, beliefs: Beliefs
) -> tuple[list[float], list[float]]:
    """Return the same for three players: who hits their prey last, or is left, wins."""
    points, falls = [0.0] * len(state.life), [0.0] * len(state.life)
    for other in state.living:
        if other == seat:
            points[other], falls[other] = -0.3, -_WINS
        elif PREY[role] in beliefs[other] or len(state.living) == 2:
            points[other], falls[other] = 0.35, _WINS
        else:
            points[other], falls[other] = 0.0, 0.3
    return points, falls

"""How much a seat gains by what happens to each other one: its enmity, negative for friends."""

from collections.abc import Mapping, Sequence

from companion.games.cards.minds.known import SeatKnowledge
from companion.games.common.beliefs import Beliefs, Memory, believe
from companion.games.common.roles import Role

_SHERIFF, _DEPUTY, _OUTLAW, _RENEGADE = Role

Enmities = Sequence[float]
"""By seat, what it is worth that it loses a life point, in one's own life points."""

ONESELF = -1.0
"""What it is worth to lose one's own life point."""

_ENMITY: Mapping[Role, Mapping[Role, float]] = {
    _SHERIFF: {_SHERIFF: -1.0, _DEPUTY: -0.8, _OUTLAW: 0.8, _RENEGADE: 0.6},
    _DEPUTY: {_SHERIFF: -1.0, _DEPUTY: -0.5, _OUTLAW: 0.8, _RENEGADE: 0.6},
    _OUTLAW: {_SHERIFF: 1.0, _DEPUTY: 0.4, _OUTLAW: -0.5, _RENEGADE: 0.1},
}
"""What it is worth to a player with the first role that one with the second loses a life point."""


def enmities_by_beliefs(known: SeatKnowledge, memory: Memory) -> Enmities:
    """Return the enmities of a seat towards all others, by how likely each role is."""
    seat, beliefs = known.seat, believe(memory, known)
    assert seat is not None
    role = known.roles[seat]
    assert role is not None
    values = _ENMITY[role] if role in _ENMITY else _renegades(known, beliefs)
    found = [sum(values[other] * share for other, share in belief.items()) for belief in beliefs]
    found[seat] = ONESELF
    return found


def _renegades(known: SeatKnowledge, beliefs: Beliefs) -> Mapping[Role, float]:
    """Return the enmities of a Renegade, who must be the last one to stand beside the Sheriff."""
    living = known.game.living
    if len(living) == 2:
        return dict.fromkeys(Role, 1.0)
    law = sum(beliefs[seat].get(_DEPUTY, 0.0) for seat in living) + 1.0
    outlaws = sum(beliefs[seat].get(_OUTLAW, 0.0) for seat in living)
    strength = known.game.life[known.game.setup.sheriff] / 5 + law - 1.0 - outlaws
    return {
        _SHERIFF: -0.5 if outlaws > 0.2 or law > 1.2 else 0.3,
        _DEPUTY: 0.5 if strength > -0.5 else 0.2,
        _OUTLAW: 0.5 if strength < 1.0 else 0.3,
        _RENEGADE: 0.5,
    }


def enmities_by_deeds(known: SeatKnowledge, memory: Memory) -> Enmities:
    """Return the enmities of a seat by a rule of thumb: by who attacked the Sheriff."""
    game, seat = known.game, known.seat
    sheriff = game.setup.sheriff
    against = memory.deeds_against(sheriff)
    found = [0.0] * len(known.roles)
    for other in game.living:
        if other == seat:
            found[other] = ONESELF
        elif other == sheriff:
            found[other] = _towards_the_sheriff(known)
        else:
            found[other] = _towards(known, against.get(other, 0))
    return found


def _towards_the_sheriff(known: SeatKnowledge) -> float:
    assert known.seat is not None
    role = known.roles[known.seat]
    if role is _RENEGADE:
        return 1.0 if len(known.game.living) == 2 else -0.5
    return 1.0 if role is _OUTLAW else -1.0


def _towards(known: SeatKnowledge, against: int) -> float:
    """Return the enmity towards somebody who attacked the Sheriff `against` times."""
    assert known.seat is not None
    role = known.roles[known.seat]
    if role is _RENEGADE:
        return 0.5
    if role is _OUTLAW:
        return -0.5 if against > 0 else 0.2 * (against < 0)
    return 1.0 if against > 0 else 0.3 * (against == 0) - 0.5 * (against < 0)

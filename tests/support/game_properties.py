"""What holds in the dice game as in the card game, of states that chance comes to."""

from collections.abc import Iterable, Sequence
from dataclasses import FrozenInstanceError, fields, replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from companion.games.common.audience import Audience
from companion.games.common.refusals import IllegalMove
from companion.games.common.roles import Role


def check_frozen(states: Iterable[Any]) -> None:
    """States never change."""
    for state in states:
        for field in fields(state):
            with pytest.raises(FrozenInstanceError):
                setattr(state, field.name, None)
            with pytest.raises(FrozenInstanceError):
                delattr(state, field.name)


def check_named(check: Any, apply: Any, state: Any, moves: Iterable[Any]) -> None:
    """An illegal move names its reason and leaves the state, a legal one leads to another."""
    before = repr(state)
    for move in moves:
        reason = check(state, move)
        if reason is None:
            assert apply(state, move) != state
            continue
        assert str(reason)
        assert "\n" not in str(reason)
        with pytest.raises(IllegalMove) as illegal:
            apply(state, move)
        assert illegal.value.refusal == reason
        assert str(illegal.value) == str(reason)
    assert repr(state) == before


def swapped(setup: Any, first: Any, views: ModuleType, viewer: Any, chance: Random) -> Any:
    """The same players with the roles that a viewer may not know dealt anew; and their seats."""
    seats = range(len(setup.players))
    hidden = [seat for seat in seats if not views.knows_role(first, viewer, seat)]
    roles = [setup.players[seat].role for seat in hidden]
    players = list(setup.players)
    for seat, role in zip(hidden, chance.sample(roles, len(roles)), strict=True):
        players[seat] = players[seat]._replace(role=role)
    return replace(setup, players=tuple(players)), set(hidden)


def check_roles_shown(states: Sequence[Any], views: ModuleType) -> None:
    """Roles are shown to their owners, and to all where the rules say so."""
    for state in (*states[:: max(1, len(states) // 10)], states[-1]):
        seats = range(len(state.life))
        open_to_all = state.result is not None or len(seats) == 3
        for viewer in (*seats, Audience.TABLE, Audience.RECORD):
            for seat, player in enumerate(views.view(state, viewer).players):
                role = state.player(seat).role
                known = viewer in (seat, Audience.RECORD) or role is Role.SHERIFF or open_to_all
                known = known or seat not in state.living
                assert player.role == (role if known else None)
                assert player.name == state.player(seat).name


def check_no_more_seats(state: Any, views: ModuleType) -> None:
    """No seat beyond the table sees anything."""
    for seat in (-1, len(state.life)):
        with pytest.raises(ValueError, match=f"there is no seat {seat}"):
            views.view(state, seat)

"""Twins of games that differ in hidden roles alone."""

from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any


def swapped(setup: Any, first: Any, views: ModuleType, viewer: Any, chance: Random) -> Any:
    """The same players with the roles that a viewer may not know dealt anew; and their seats."""
    seats = range(len(setup.players))
    hidden = [seat for seat in seats if not views.knows_role(first, viewer, seat)]
    roles = [setup.players[seat].role for seat in hidden]
    players = list(setup.players)
    for seat, role in zip(hidden, chance.sample(roles, len(roles)), strict=True):
        players[seat] = players[seat]._replace(role=role)
    return replace(setup, players=tuple(players)), set(hidden)

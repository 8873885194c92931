"""Whether the players of a game can play it together."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.common.roles import Role


class SetupError(ValueError):
    """The players, roles, characters or house rules don't fit the ruleset."""


class Dealt(NamedTuple):
    """What is dealt to a player, by the names in records."""

    name: str
    """The player's name."""
    role: Role
    """Their role."""
    character: str
    """The id of their character."""


def check_players(players: Sequence[Dealt], roles: Sequence[Role]) -> None:
    """Raise SetupError unless names and characters differ and the roles are those to deal."""
    count = len(players)
    if "" in (names := {player.name for player in players}):
        raise SetupError("a player has no name")
    if len(names) < count:
        raise SetupError("two players have the same name")
    if len({player.character for player in players}) < count:
        raise SetupError("two players have the same character")
    if sorted([player.role for player in players]) != sorted(roles):
        raise SetupError(f"{count} players have the roles {', '.join(roles)}")


def numbers(players: range) -> str:
    """Return how many can play, in words: `3 to 8 players`."""
    low, high = players[0], players[-1]
    return f"{low} players" if low == high else f"{low} to {high} players"

"""Whether the players of a game can play it together."""

from collections.abc import Sequence

from companion.games.common.roles import Role


class SetupError(ValueError):
    """The players, roles, characters or house rules don't fit the ruleset."""


def check_players(
    names: Sequence[str], roles: Sequence[Role], characters: Sequence[str], deck: Sequence[Role]
) -> None:
    """Raise SetupError unless names and characters differ and the roles are those of the deck.

    names, roles, characters: what each player is called and was dealt, by seat.
    """
    count = len(names)
    if "" in names:
        raise SetupError("a player has no name")
    if len(set(names)) < count:
        raise SetupError("two players have the same name")
    if len(set(characters)) < count:
        raise SetupError("two players have the same character")
    if sorted(roles) != sorted(deck):
        raise SetupError(f"{count} players have the roles {', '.join(deck)}")


def numbers(players: range) -> str:
    """Return how many can play, in words: `3 to 8 players`."""
    low, high = players[0], players[-1]
    return f"{low} players" if low == high else f"{low} to {high} players"

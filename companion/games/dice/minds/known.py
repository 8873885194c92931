"""What a seat may know of a game: an allow-list, and the games that are possible by it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.common.beliefs import roles_left
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.hand import HANDS
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.roles import ROLES, Role
from companion.games.dice.rules.rulesets import Ruleset
from companion.games.dice.rules.state import Aside, Awaits, Player, Setup, State
from companion.games.dice.rules.views import Audience, View, view


class Known(NamedTuple):
    """What a seat, or everybody in the room, may know of a moment of a game."""

    seat: int | None
    """The seat that knows it; None for what everybody knows."""
    ruleset: Ruleset
    """The ruleset that is played."""
    house_rules: frozenset[HouseRule]
    """The house rules that are on."""
    seen: View
    """The game as the seat may see it; roles that it may not know are None."""
    aside: Aside
    """What the table remembers until the turn ends. All of it was seen by everybody."""

    @property
    def roles(self) -> tuple[Role | None, ...]:
        """The role of each seat; None where it isn't known."""
        return tuple([player.role for player in self.seen.players])

    @property
    def hidden_roles(self) -> tuple[Role, ...]:
        """The roles that are still hidden, in the order of `Role`."""
        return roles_left(ROLES[len(self.seen.players)], self.roles)


def knowledge(state: State, seat: int | None) -> Known:
    """Return what `seat` may know of `state`; None: what everybody knows."""
    viewer = Audience.TABLE if seat is None else seat
    setup = state.setup
    return Known(seat, setup.ruleset, setup.house_rules, view(state, viewer), state.aside)


def world(known: Known, roles: Sequence[Role] | None = None) -> State:
    """Return a game that is possible by what is known.

    roles: the roles of the seats whose role isn't known, ascending by seat; None: in a fixed order.
    Raises SetupError if they aren't the hidden ones.
    """
    left = iter(known.hidden_roles if roles is None else roles)
    seen = known.seen
    setup = _setup(
        known.ruleset,
        known.house_rules,
        tuple([(player.name, player.character) for player in seen.players]),
        tuple([next(left) if role is None else role for role in known.roles]),
    )
    return State(
        setup=setup,
        turn=seen.turn,
        rolls=seen.rolls,
        hand=HANDS[seen.dice or ()],
        life=tuple([player.life for player in seen.players]),
        arrows=tuple([player.arrows for player in seen.players]),
        living=tuple([seat for seat, player in enumerate(seen.players) if player.alive]),
        aside=known.aside,
        awaits=None if seen.awaited_seat is None else Awaits(seen.awaited_seat, seen.actions[0]),
        result=seen.result,
        log=(),
    )


@lru_cache(maxsize=4096)
def _setup(
    ruleset: Ruleset,
    house_rules: frozenset[HouseRule],
    players: tuple[tuple[str, str], ...],
    roles: tuple[Role, ...],
) -> Setup:
    dealt = [
        Player(name, role, CHARACTERS[character])
        for (name, character), role in zip(players, roles, strict=True)
    ]
    return Setup(ruleset, tuple(dealt), house_rules)

"""What a seat may know of a game with dealt hands: an allow-list."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from companion.games.cards.dealt.options import plays
from companion.games.cards.dealt.state import Cards, DealtState, Offer
from companion.games.cards.dealt.views import open_offer
from companion.games.cards.rules.state import CardSetup, CardState
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import knows_role
from companion.games.common.audience import Audience, Viewer
from companion.games.common.beliefs import roles_left
from companion.games.common.roles import ROLES, Role


class SeatKnowledge(NamedTuple):
    """What a seat, or everybody in the room, may know of a moment of a game."""

    seat: int | None
    """The seat that knows it; None for what everybody knows."""
    roles: tuple[Role | None, ...]
    """The role of each seat; None where it isn't known."""
    game: CardState
    """The public game. In it, the roles that aren't known are in a fixed order."""
    hand: Cards
    """The seat's own hand."""
    pile: Cards
    """The discard pile, which lies face up."""
    in_play: tuple[Cards, ...]
    """The cards in front of each seat."""
    offer: Offer | None
    """The cards that are offered, if the seat may see them."""

    @property
    def hidden_roles(self) -> tuple[Role, ...]:
        """The roles that the seat doesn't know, in the order of `Role`."""
        return roles_left(ROLES[len(self.roles)], self.roles)

    @property
    def plays(self) -> Mapping[Title, tuple[int, ...]]:
        """The titles that the awaited seat can play from this hand, each with its targets."""
        return plays(self.game, self.hand)


def knowledge(state: DealtState, seat: int | None) -> SeatKnowledge:
    """Return what a seat may know of a game; without a seat, what everybody knows."""
    game = state.public
    viewer: Viewer = Audience.TABLE if seat is None else seat
    roles = tuple(
        [
            role if knows_role(game, viewer, other) else None
            for other, role in enumerate(game.setup.roles)
        ]
    )
    return SeatKnowledge(
        seat=seat,
        roles=roles,
        game=replace(game, setup=_possible(game.setup, roles), log=()),
        hand=() if seat is None else state.hands[seat],
        pile=state.pile,
        in_play=state.in_play,
        offer=open_offer(state.offer, viewer),
    )


@lru_cache(maxsize=4096)
def _possible(setup: CardSetup, roles: tuple[Role | None, ...]) -> CardSetup:
    """Return a setup that is possible by the roles that are known, the same for all that are."""
    left = iter(roles_left(ROLES[len(roles)], roles))
    players = [
        player._replace(role=next(left) if role is None else role)
        for player, role in zip(setup.players, roles, strict=True)
    ]
    return CardSetup(setup.ruleset, tuple(players))

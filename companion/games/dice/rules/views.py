"""What a viewer may see of a state: an allow-list, built field by field.

Roles are the only secret. A seat knows its own role, the Sheriff's and those of eliminated players.
With three players, and once the game is over, everybody knows all roles.
"""

from typing import NamedTuple

from companion.games.common.audience import Audience, Viewer, check_viewer
from companion.games.common.endings import Result
from companion.games.dice.rules.faces import Dice
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.state import State

__all__ = ["Audience", "SeatView", "View", "Viewer", "knows_role", "view"]


class SeatView(NamedTuple):
    """A player, as the viewer may see them."""

    name: str
    """The player's name."""
    character: str
    """The id of their character."""
    role: Role | None
    """Their role; None if the viewer may not know it."""
    life: int
    """Their life points."""
    max_life: int
    """The most life points that they can have."""
    arrows: int
    """How many arrows they hold."""
    alive: bool
    """Whether they are still in the game."""


class View(NamedTuple):
    """A state, as the viewer may see it."""

    turn: int
    """The seat whose turn it is."""
    rolls: int
    """How many rolls were made this turn."""
    dice: Dice | None
    """The five faces; None before the first roll of a turn."""
    pile: int
    """How many arrows nobody holds."""
    players: tuple[SeatView, ...]
    """The players by seat."""
    awaited_seat: int | None
    """The seat that decides; None once the game is over."""
    actions: tuple[Action, ...]
    """The kinds of moves that it can choose from."""
    result: Result | None
    """How the game ended; None until then."""


def knows_role(state: State, viewer: Viewer, seat: int) -> bool:
    """Return whether `viewer` knows the role of `seat`."""
    return (
        viewer is Audience.RECORD
        or viewer == seat
        or state.setup.roles_open
        or state.result is not None
        or not state.life[seat]
        or state.player(seat).role is Role.SHERIFF
    )


def view(state: State, viewer: Viewer) -> View:
    """Return what `viewer` may see of `state`. Raises ValueError if there is no such seat."""
    check_viewer(viewer, len(state.life))
    return View(
        turn=state.turn,
        rolls=state.rolls,
        dice=state.dice or None,
        pile=state.pile,
        players=tuple(
            SeatView(
                name=player.name,
                character=player.character.id,
                role=player.role if knows_role(state, viewer, seat) else None,
                life=state.life[seat],
                max_life=state.setup.max_life[seat],
                arrows=state.arrows[seat],
                alive=state.life[seat] > 0,
            )
            for seat, player in enumerate(state.setup.players)
        ),
        awaited_seat=state.awaits.seat if state.awaits else None,
        actions=state.actions,
        result=state.result,
    )

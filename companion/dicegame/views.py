"""What a viewer may see of a state: an allow-list, built field by field from what is public.

Roles are the only secret. A seat knows its own, the Sheriff's and those of eliminated players;
everybody knows all of them with three players, and once the game is over.
"""

from enum import Enum
from typing import NamedTuple

from companion.dicegame.events import Result
from companion.dicegame.faces import Dice
from companion.dicegame.moves import Action
from companion.dicegame.roles import Role
from companion.dicegame.state import State


class Audience(Enum):
    """Viewers that are no seat."""

    TABLE = "table"
    """Everybody in the room: what nobody has to hide."""
    RECORD = "record"
    """The record itself, which holds all roles."""


Viewer = int | Audience
"""A seat, or one of the audiences."""


class SeatView(NamedTuple):
    """A player as the viewer sees him; `role` is None where he may not know it."""

    name: str
    character: str
    role: Role | None
    life: int
    max_life: int
    arrows: int
    alive: bool


class View(NamedTuple):
    """A state as the viewer sees it; fields as in `state.State`.

    dice: None before the first roll of a turn.
    """

    turn: int
    rolls: int
    dice: Dice | None
    pile: int
    players: tuple[SeatView, ...]
    awaited_seat: int | None
    actions: tuple[Action, ...]
    result: Result | None


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
    """Return what `viewer` may see of `state`. Raises ValueError for an unknown seat."""
    if isinstance(viewer, int) and not 0 <= viewer < len(state.life):
        raise ValueError(f"there is no seat {viewer}")
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

"""What a viewer may see of a state: an allow-list, built field by field.

Roles are the only secret that is kept: hands are numbers for everybody. A seat knows its own role,
the Sheriff's and those of eliminated players. Once the game is over, everybody knows all roles.
"""

from typing import NamedTuple

from companion.games.cards.rules.claims import Awaiting, awaiting, regainer
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Sign, Title
from companion.games.common.audience import Audience, Viewer, check_viewer
from companion.games.common.endings import Result
from companion.games.common.roles import Role


class CardSeatView(NamedTuple):
    """A player, as the viewer may see them."""

    name: str
    """The player's name."""
    character: str
    """The id of their character."""
    role: Role | None
    """Their role; None if the viewer may not know it."""
    life: int
    """Their life points; below 1 only while they are dying, 0 after they are eliminated."""
    max_life: int
    """The most life points that they can have."""
    hand: int
    """How many cards they have in hand."""
    in_play: tuple[Title, ...]
    """The cards in front of them, in the order in which they came to lie there."""
    alive: bool
    """Whether they are still in the game."""


class OpenView(NamedTuple):
    """A card that is being settled."""

    card: Title
    """The card, as it was played."""
    by: int | None
    """The seat that played it; None for Dynamite and Jail."""
    on: int
    """The seat whose flip, answer or last Beer is awaited."""
    needed: int
    """How many cards the answer still needs; 0 for the flip at the start of a turn."""
    barrels: int
    """How many flips may still be made to avoid the shot."""


class CardView(NamedTuple):
    """A state, as the viewer may see it."""

    turn: int
    """The seat whose turn it is."""
    phase: TurnPhase
    """How far the turn has come."""
    bangs: int
    """How many BANG! cards were played on this turn."""
    deck: int
    """How many cards the deck has."""
    discard: int
    """How many cards the discard pile has."""
    top: Title | Sign | None
    """The top card of the pile, by title or, if it was flipped, by sign; None if unnamed."""
    regain: int | None
    """The seat that may trade two cards for a life point now, if any."""
    players: tuple[CardSeatView, ...]
    """The players by seat."""
    open: OpenView | None
    """The card that is being settled, if any."""
    awaits: Awaiting | None
    """The decision that the game waits for; None once the game is over."""
    result: Result | None
    """How the game ended; None until then."""


def knows_role(state: CardState, viewer: Viewer, seat: int) -> bool:
    """Return whether `viewer` knows a role: their own, the Sheriff's, and those shown."""
    return (
        viewer is Audience.RECORD
        or viewer == seat
        or state.result is not None
        or seat not in state.living
        or seat == state.setup.sheriff
    )


def view(state: CardState, viewer: Viewer) -> CardView:
    """Return what `viewer` may see of a card game. Raises ValueError if there is no such seat."""
    check_viewer(viewer, len(state.life))
    card = state.open
    return CardView(
        turn=state.turn,
        phase=state.phase,
        bangs=state.bangs,
        deck=state.deck,
        discard=len(state.pile),
        top=state.pile[-1] if state.pile else None,
        regain=regainer(state),
        players=tuple(
            CardSeatView(
                name=player.name,
                character=player.character.id,
                role=player.role if knows_role(state, viewer, seat) else None,
                life=state.life[seat],
                max_life=state.setup.max_life[seat],
                hand=state.hands[seat],
                in_play=state.in_play[seat],
                alive=seat in state.living,
            )
            for seat, player in enumerate(state.setup.players)
        ),
        open=card and OpenView(card.card, card.by, card.on, card.needed, card.barrels),
        awaits=awaiting(state),
        result=state.result,
    )

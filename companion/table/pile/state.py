"""What is known about the pile, as a value."""

from dataclasses import dataclass

from companion.table.pile.observation import LaidCard, PileObservation


@dataclass(frozen=True, slots=True)
class PileState:
    """What is known about the pile from the camera and from players."""

    now: PileObservation | None = None
    """The camera's latest observation; None while no camera watches the cards."""
    laid: tuple[LaidCard, ...] = ()
    """The new cards that haven't become moves yet, in order; only the first can become one."""
    due: tuple[str | None, ...] = ()
    """The cards still to be laid that count as no move."""
    may_be_shown: tuple[str, ...] = ()
    """Titles of cards in play that were tapped, and may still be shown in the tray; that counts as
    no move."""
    counted: LaidCard | None = None
    """The last card laid, if it was counted as one that was due."""
    drawing: bool = False
    """Whether the awaited player said that they flip a card."""
    held: bool = False
    """Whether the cards that wait became no move because one was undone: a tap plays them."""
    lifting: bool = False
    """Whether a card is taken off the pile again, of which the camera has not heard yet."""
    taken_as_is: int = 0
    """Counts how often the pile was taken as it lies although it wasn't read: the follower must
    compare with that picture from now on."""

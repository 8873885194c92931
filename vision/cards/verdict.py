"""What may have happened on a pile of cards, for those who need no pictures."""

from enum import StrEnum


class PileVerdict(StrEnum):
    """What happened on the pile: only `OK` may be used without a question to the players."""

    OK = "ok"
    """A new card, and its title is sure."""
    UNSURE = "unsure"
    """A new card, face up, whose title isn't sure."""
    NONE = "none"
    """No new card."""
    FACEDOWN = "facedown"
    """A new card that shows its back."""
    MANY = "many"
    """More than one new card."""
    BLOCKED = "blocked"
    """A hand over the pile, or a thing that is no card."""
    MOVED = "moved"
    """No new card: the pile was pushed, or a card taken off."""

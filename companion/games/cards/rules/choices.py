"""What can be decided now, with everything that a page needs to offer it."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.cards.rules.check import claim_refusal
from companion.games.cards.rules.claims import (
    awaiting,
    excess,
    flips,
    may_flip,
    regainer,
    shows_second,
    sources,
    spent_signs,
    takes,
)
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.distance import distance
from companion.games.cards.rules.moves import CardAction, DrawSource, End, Take
from companion.games.cards.rules.reasons import CardRefusal
from companion.games.cards.rules.state import CardState, TurnPhase
from companion.games.cards.rules.titles import Sign, Title


class CardQuestion(NamedTuple):
    """A decision that the game waits for, with everything that can be answered. All is public."""

    seat: int
    """The seat that decides."""
    actions: tuple[CardAction, ...]
    """The kinds of moves that it can choose from."""
    plays: Mapping[Title, tuple[int, ...]]
    """The titles that it may claim, each with its targets; empty where none is named."""
    refused: Mapping[Title, CardRefusal]
    """On its own turn, why it may not claim each of the other titles."""
    takes: Mapping[int, tuple[Take, ...]]
    """On its own turn, what Panic! and Cat Balou may take from each seat."""
    distances: Mapping[int, int]
    """On its own turn, the distance at which it sees each other living player."""
    flips: int
    """How many cards are flipped now; 0 if none may be."""
    sources: tuple[DrawSource | int, ...]
    """Where the first card of a turn may come from; empty if there is nothing to choose."""
    shows_second: bool
    """Whether the second card of a turn is shown now."""
    spent: tuple[Sign, ...]
    """The signs that a card flipped or shown now can't have: they were shown since the shuffle."""
    regain: int | None
    """The seat that may trade two cards for a life point, whatever is asked; None if nobody may."""
    excess: int
    """How many cards it discards if it ends the turn; 0 if it can't end now."""


def only_move(state: CardState) -> End | None:
    """Return the move that is made unasked: the end of a turn that has nothing else left.

    That is so with an empty hand. As everybody sees it, it tells of no hand.
    """
    waiting = awaiting(state)
    ends = waiting is not None and waiting.actions == (CardAction.END,)
    return End(state.turn) if ends and not state.hands[state.turn] else None


def question(state: CardState) -> CardQuestion | None:
    """Return what the awaited seat can decide; None once the game is over."""
    waiting = awaiting(state)
    if waiting is None:
        return None
    seat, actions, plays = waiting
    playing = not state.open and state.phase is TurnPhase.PLAY
    drawing = CardAction.DRAW in actions
    shows, flipped = drawing and shows_second(state), flips(state) if may_flip(state) else 0
    others = [one for one in state.living if playing and one != seat]
    refused = {title: claim_refusal(state, title) for title in KINDS if playing}
    return CardQuestion(
        seat=seat,
        actions=actions,
        plays=plays,
        refused={title: refusal for title, refusal in refused.items() if refusal},
        takes={one: takes(state, one) for one in state.living if playing},
        distances={one: distance(state, seat, one) for one in others},
        flips=flipped,
        sources=sources(state) if drawing else (),
        shows_second=shows,
        spent=spent_signs(state) if flipped or shows else (),
        regain=regainer(state),
        excess=excess(state) if playing else 0,
    )

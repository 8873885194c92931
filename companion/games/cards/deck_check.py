"""Check the real deck against the companion's count, when the pile is shuffled.

A card that is missing, or there twice, can't be seen at once: the companion counts cards and knows
no hand. But each card that is laid shows that its copy exists, and a copy that is seen again while
it still lies there must be another card.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from companion.games.cards.rules.deck import COPIES, KINDS, SIGN_COPIES
from companion.games.cards.rules.events import DrawnFromPile, Inherited, Shuffled, Taken
from companion.games.cards.rules.moves import CardMove, Draw, Flip, Play
from companion.games.cards.rules.state import CardState
from companion.games.cards.rules.titles import SIGNS, Sign, Title
from companion.games.game import DeckCopy, DeckDoubts, SeenMove, UnseenCopies

SeenCardMove: TypeAlias = SeenMove[CardState, CardMove]
"""A move of the card game, and what the camera saw of it."""

NEAR = 5
"""With so many cards left in the deck, it is soon shuffled."""

RECENT = 12
"""For so many moves after a shuffle, cards may still lie where the deck was."""


def check_deck(played: Sequence[SeenCardMove]) -> DeckDoubts | None:
    """Return what is known of the real deck; None while it is far from being shuffled.

    played: each move of the game with the state after it, the start first.
    """
    state: CardState = played[-1].state
    if state.result or not (state.deck <= NEAR or any(map(_shuffles, played[-RECENT:]))):
        return None
    census = _Census()
    for before, after in pairwise(played):
        census.follow(before.state, after)
    return DeckDoubts(state.deck, tuple(census.unseen_copies()), tuple(census.twice))


def _shuffles(played: SeenCardMove) -> bool:
    return any(isinstance(event, Shuffled) for event in played.state.events)


class _Census:
    """Counts the copies that were seen, move by move."""

    def __init__(self) -> None:
        self._most = Counter[Title]()
        """By title, how many copies lay there at the same time at most."""
        self._known: dict[Title, set[Sign]] = {title: set() for title in KINDS}
        """By title, the signs of the copies that were seen."""
        self._lying: list[tuple[Title | None, Sign]] = []
        """The cards that lie there, of which the sign was seen."""
        self.twice: dict[DeckCopy, None] = {}
        """Cards of which there was one more than the deck has, in the order they were found."""

    def follow(self, before: CardState, played: SeenCardMove) -> None:
        """Count the cards of a move. before: the state before it."""
        move: CardMove | None = played.move
        if isinstance(move, Play):
            there = COPIES[move.card] - before.unseen[move.card] + 1
            self._most[move.card] = max(self._most[move.card], there)
            for seen in played.signs:
                self._see(move.card, SIGNS[seen])
        elif isinstance(move, Flip):
            for sign in move.signs:
                if sign.rank:
                    self._see(None, sign)
        elif isinstance(move, Draw) and move.shown is not None:
            # It goes into a hand.
            self._identify(None, move.shown)
        self._lose(before, played.state)

    def unseen_copies(self) -> Iterable[UnseenCopies]:
        """Yield the copies that nobody saw in this game."""
        for title, kind in KINDS.items():
            seen = max(self._most[title], len(self._known[title]))
            if seen < COPIES[title]:
                left = dict.fromkeys(sign for sign in kind.signs if sign not in self._known[title])
                yield UnseenCopies(title, COPIES[title] - seen, tuple(map(str, left)))

    def _see(self, title: Title | None, sign: Sign) -> None:
        if title is not None and sign not in KINDS[title].signs:
            # A deck of another edition has other signs.
            return
        self._identify(title, sign)
        self._lying.append((title, sign))
        alike = self._lying.count((title, sign))
        same = sum(sign == other for _, other in self._lying)
        if title is not None and alike > KINDS[title].signs.count(sign):
            self.twice[DeckCopy(str(sign), title)] = None
        elif same > SIGN_COPIES[sign]:
            self.twice[DeckCopy(str(sign))] = None

    def _identify(self, title: Title | None, sign: Sign) -> None:
        found = [title] if title else [one for one in KINDS if sign in KINDS[one].signs]
        if len(found) == 1:
            self._known[found[0]].add(sign)

    def _lose(self, before: CardState, after: CardState) -> None:
        """Forget the cards that now lie where nobody sees them."""
        for event in after.events:
            gone: Sequence[object] = ()
            match event:
                case Shuffled():
                    self._lying.clear()
                case Taken(_, _, take):
                    gone = (take,)
                case Inherited(_, source):
                    gone = before.in_play[source]
                case DrawnFromPile(_, card) if card is not None:
                    gone = (card,)
            self._lying = [
                (title, sign)
                for title, sign in self._lying
                if title not in gone and sign not in gone
            ]

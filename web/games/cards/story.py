"""What happened in the card game, a sentence for each event."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import SAID_SIGNS, Title
from companion.games.cards.terms import CardTerms
from companion.games.cards.terms.telling import card_name, drop_double_stops
from companion.games.cards.terms.telling import tell as told
from companion.games.common.events import Eliminated
from companion.table.history import Retitled, Undone
from companion.table.views import TableView
from web.games.cards.board import names_of, terms_of
from web.games.game import CorrectableCard, StoryLine

Entry = Any
"""An entry of the story: an event, an undo, or what the table adds."""


# Every page of a language tells the same story.
@lru_cache(maxsize=64)
def tell(
    story: tuple[Entry, ...], names: tuple[str, ...], words: CardTerms
) -> tuple[StoryLine, ...]:
    """Return a story, a line for each event. names: of the players, by seat."""
    return tuple(
        StoryLine(type(event).__name__, sentence(event, names, words), cards=_cards(event, words))
        for event in story
    )


def tell_entries(view: TableView, story: tuple[Entry, ...]) -> tuple[StoryLine, ...]:
    """Return entries of the story of this table's card game as sentences."""
    return tell(story, names_of(view), terms_of(view))


def _cards(event: Entry, words: CardTerms) -> tuple[CorrectableCard, ...]:
    """Return the cards that players may have named wrongly: played, flipped or shown ones."""
    match event:
        case events.CardPlayed(card=card) | events.CardAnswered(card=card):
            return (CorrectableCard(words.cards[card].name, "wrong-title"),)
        case events.CardFlipped(signs=signs):
            dialog = "wrong-sign" if len(signs) == 1 else "wrong-pair"
            return tuple(CorrectableCard(card_name(sign, words), dialog) for sign in signs)
        case events.SecondShown(sign=sign):
            return (CorrectableCard(card_name(sign, words), "wrong-sign"),)
    return ()


def sentence(
    event: events.CardEvent | Undone | Retitled, names: Sequence[str], words: CardTerms
) -> str:
    """Return the sentence that tells an entry of the story."""
    if isinstance(event, Retitled):
        before, after = (
            SAID_SIGNS.get(card) or Title(card)
            for card in (event.before or event.after, event.after)
        )
        corrected = words.story.signed_again if event.before in SAID_SIGNS else words.story.retitled
        if not event.before:
            corrected = words.story.put_in
        if event.other_counts:
            corrected = words.story.other_counts
        if event.to is not None:
            corrected = words.story.of_other
        sentence = corrected.format(
            by=names[event.by],
            who=names[event.whose],
            to=names[event.whose if event.to is None else event.to],
            before=card_name(before, words),
            after=card_name(after, words),
        )
        return drop_double_stops(sentence)
    if not isinstance(event, Undone):
        return told(event, names, words)
    story = words.story
    if event.decisions > 1:
        return story.undone_more.format(by=names[event.by], moves=words.number(event.decisions))
    own = event.by == event.whose
    return (story.undone if own else story.undone_of).format(
        by=names[event.by], who=names[event.whose]
    )


class LastMove(NamedTuple):
    """What the last press, or the last card, caused."""

    events: tuple[Entry, ...]
    """Its events, of all moves that followed from it."""
    undone: Undone | Retitled | None
    """The undo or the correction, if that is the last thing that happened."""


def last_move(view: TableView) -> LastMove:
    """Return what the last press, or card, caused; the undo or correction, if it was one."""
    story, statuses = view.story, view.statuses
    begin = len(story)
    while begin and statuses[begin - 1].again:
        begin -= 1
    last = story[begin - 1] if begin else None
    if isinstance(last, Undone | Retitled):
        return LastMove((), last)
    begin = len(story)
    while begin and _is_latest(view, begin - 1):
        begin -= 1
    return LastMove(tuple(story[begin:]), None)


def _is_latest(view: TableView, place: int) -> bool:
    """Return whether an entry of the story comes from the last press or card."""
    if isinstance(view.story[place], Undone | Retitled):
        return False
    return view.statuses[place].moves >= view.latest


FEW = 2
"""How many sentences say what just happened, besides those of further losses."""

LOSSES = (Eliminated, events.Hurt)
"""The kinds of events that are always told."""

TELLING = (
    Eliminated,
    events.CardFlipped,
    events.SecondShown,
    events.CardPlayed,
    events.JailServed,
    events.Hurt,
    events.CardAnswered,
    events.Regained,
    events.Cancelled,
)
"""The kinds of events that say what just happened, the most telling first. How cards move is told
beside it (`web.games.cards.helping`)."""


def just_happened(view: TableView, kinds: Sequence[type] = TELLING) -> tuple[StoryLine, ...]:
    """Return the FEW most telling effects of the last press, or card, and all losses.

    kinds: of events that may be told, the most telling first.
    """
    happened, undone = last_move(view)
    if undone:
        return tell_entries(view, (undone,))
    telling = [event for event in happened if isinstance(event, tuple(kinds))]
    chosen = sorted(telling, key=lambda event: kinds.index(type(event)))[:FEW]
    few = [e for e in telling if isinstance(e, LOSSES) or any(e is one for one in chosen)]
    return tell_entries(view, tuple(few))

"""What happened in the card game, as short moments that the television plays."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Title
from companion.games.cards.rules.views import CardSeatView
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.table.history import EntryStatus, Retitled, Undone
from companion.table.views import TableView
from web.games.cards.board import drawing_of
from web.games.cards.story import Entry

LATEST = 32
"""How many events of the story a page names: more than one press ever causes."""


class CardMoment(NamedTuple):
    """Something that the television plays once."""

    number: int
    """The event's place in the story, from 1. The story only grows, so no number comes twice."""
    kind: str
    """What to play, as `moments.js` and `card-stage.js` name it."""
    by: int | None = None
    """The seat that it comes from."""
    to: tuple[int, ...] = ()
    """The seats that it reaches."""
    amount: int = 1
    """How many life points or cards."""
    card: str = ""
    """The drawing of the card that is shown; empty for a card that nobody names."""
    text: str = ""
    """What is written on it: the rank of a flipped card."""
    cause: str = ""
    """Why life points come."""


def moments(view: TableView) -> tuple[CardMoment, ...]:
    """Return the latest events with cards to show. All of them are public."""
    return tuple(latest_moments(view.story, view.statuses, view.game.players))


def latest_moments(
    story: tuple[Entry, ...], statuses: tuple[EntryStatus, ...], players: tuple[CardSeatView, ...]
) -> Iterator[CardMoment]:
    """Yield the moments among the last LATEST events of a story, none of them twice."""
    begin = max(0, len(story) - LATEST)
    for number, event in enumerate(story[begin:], start=begin + 1):
        if statuses[number - 1].again:
            continue
        match event:
            case TurnBegan(seat):
                yield CardMoment(number, "turn", to=(seat,))
            case events.CardPlayed(seat, card, target):
                yield _moment(number, seat, card, target, _others(story[number:], players, seat))
            case events.CardAnswered(seat, card):
                yield CardMoment(number, "card", seat, card=drawing_of(card))
            case events.CardFlipped(seat, signs, card, success):
                sign = signs[0]
                yield CardMoment(number, "flip", to=(seat,), card=sign.suit, text=sign.rank)
                if card is Title.DYNAMITE and success:
                    yield CardMoment(number, "dynamite", to=(seat,))
            case events.Cancelled(seat):
                yield CardMoment(number, "missed", to=(seat,))
            case events.Hurt(seat, count):
                yield CardMoment(number, "loss", to=(seat,), amount=count)
            case events.Regained(seat, count, card):
                cause = "beer" if card in (Title.BEER, Title.SALOON) else ""
                yield CardMoment(number, "gain", to=(seat,), amount=count, cause=cause)
            case events.Taken(seat, source):
                yield CardMoment(number, "move", source, (seat,))
            case events.Inherited(seat, source):
                yield CardMoment(number, "move", source, (seat,))
            case events.Removed(seat):
                yield CardMoment(number, "card", seat)
            case events.Drawn(seat, count):
                yield CardMoment(number, "draw", to=(seat,), amount=count)
            case events.DynamitePassed(seat, target):
                yield CardMoment(number, "move", seat, (target,), card="dynamite")
            case events.JailServed(seat):
                yield CardMoment(number, "jail", to=(seat,))
            case events.Shuffled():
                yield CardMoment(number, "shuffle")
            case Eliminated(seat):
                yield CardMoment(number, "death", to=(seat,))
            case GameEnded():
                yield CardMoment(number, "end")
            case Undone() | Retitled():
                yield CardMoment(number, "undone")


def _moment(
    number: int, seat: int, card: Title, target: int | None, others: tuple[int, ...]
) -> CardMoment:
    """Return the moment of a card that was played. others: who else was in the game then."""
    drawn = drawing_of(card)
    match card:
        case Title.GATLING:
            return CardMoment(number, "gatling", seat, others)
        case Title.INDIANS:
            return CardMoment(number, "indians", seat, card=drawn)
        case Title.DUEL:
            assert target is not None
            return CardMoment(number, "duel", seat, (target,), card=drawn)
        case Title.JAIL:
            assert target is not None
            return CardMoment(number, "jail", seat, (target,), card=drawn)
        case Title.BANG | Title.MISSED:
            assert target is not None
            return CardMoment(number, "shots", seat, (target,))
    return CardMoment(number, "card", seat, () if target is None else (target,), card=drawn)


def _others(
    later: tuple[Entry, ...], players: tuple[CardSeatView, ...], seat: int
) -> tuple[int, ...]:
    """Return who was in the game besides `seat` before `later` happened, from the left of it."""
    fallen = {event.seat for event in later if isinstance(event, Eliminated)}
    count = len(players)
    round_table = ((seat + place) % count for place in range(1, count))
    return tuple(other for other in round_table if players[other].alive or other in fallen)

"""What happened in the card game, as short moments that the television plays."""

from collections.abc import Iterator

from companion.games.cards.rules import events
from companion.games.cards.rules.titles import SAID_SIGNS, Title
from companion.games.cards.rules.views import CardSeatView
from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.table.history import EntryStatus, Retitled, Undone
from companion.table.views import TableView
from web.games.cards.board import drawing_of
from web.games.cards.story import Entry
from web.games.moments import TelevisionMoment, latest_events, turn_moment, undo_moment


def moments(view: TableView) -> tuple[TelevisionMoment, ...]:
    """Return the latest events with cards to show. All of them are public."""
    return tuple(
        latest_moments(view.story, view.statuses, view.game.players, game=view.game_number)
    )


def latest_moments(
    story: tuple[Entry, ...],
    statuses: tuple[EntryStatus, ...],
    players: tuple[CardSeatView, ...],
    *,
    game: int = 0,
) -> Iterator[TelevisionMoment]:
    """Yield the moments among the last LATEST events of a story, none of them twice.

    game: its number.
    """
    for number, event in latest_events(story):
        if statuses[number - 1].again:
            continue
        match event:
            case TurnBegan(seat):
                yield turn_moment(number, seat)
            case events.CardPlayed(seat, card, target):
                yield _moment(number, seat, card, target, _others(story[number:], players, seat))
            case events.CardAnswered(seat, card):
                yield TelevisionMoment(number, "card", seat, card=drawing_of(card))
            case events.CardFlipped(seat, signs, card, success):
                sign = signs[0]
                yield TelevisionMoment(number, "flip", to=(seat,), card=sign.suit, text=sign.rank)
                if card is Title.DYNAMITE and success:
                    yield TelevisionMoment(number, "dynamite", to=(seat,))
            case events.Cancelled(seat):
                yield TelevisionMoment(number, "missed", to=(seat,))
            case events.Hurt(seat, count, card):
                if card in (Title.BANG, Title.MISSED):
                    yield TelevisionMoment(number, "shots", _shooter(story[:number]), (seat,))
                yield TelevisionMoment(number, "loss", to=(seat,), amount=count)
            case events.Regained(seat, count, card):
                cause = "beer" if card in (Title.BEER, Title.SALOON) else ""
                yield TelevisionMoment(number, "gain", to=(seat,), amount=count, cause=cause)
            case events.Taken(seat, source):
                yield TelevisionMoment(number, "move", source, (seat,))
            case events.Inherited(seat, source):
                yield TelevisionMoment(number, "move", source, (seat,))
            case events.Removed(seat):
                yield TelevisionMoment(number, "card", seat)
            case events.Drawn(seat, count):
                yield TelevisionMoment(number, "draw", to=(seat,), amount=count)
            case events.DynamitePassed(seat, target):
                yield TelevisionMoment(number, "move", seat, (target,), card="dynamite")
            case events.JailServed(seat):
                yield TelevisionMoment(number, "jail", to=(seat,))
            case events.Shuffled():
                yield TelevisionMoment(number, "shuffle")
            case Eliminated(seat):
                yield TelevisionMoment(number, "death", to=(seat,))
            case GameEnded():
                yield TelevisionMoment(number, "end")
            case Undone():
                yield undo_moment(number, story, statuses)
            case Retitled():
                yield _correction(game, number, event)


def _moment(
    number: int, seat: int, card: Title, target: int | None, others: tuple[int, ...]
) -> TelevisionMoment:
    """Return the moment of a card that was played. others: who else was in the game then."""
    drawn = drawing_of(card)
    match card:
        case Title.GATLING:
            return TelevisionMoment(number, "gatling", seat, others)
        case Title.INDIANS:
            return TelevisionMoment(number, "indians", seat, card=drawn)
        case Title.DUEL:
            assert target is not None
            return TelevisionMoment(number, "duel", seat, (target,), card=drawn)
        case Title.JAIL:
            assert target is not None
            return TelevisionMoment(number, "jail", seat, (target,), card=drawn)
    return TelevisionMoment(number, "card", seat, () if target is None else (target,), card=drawn)


def _correction(game: int, number: int, said: Retitled) -> TelevisionMoment:
    """Return the moment of a card that was corrected: what it was taken for, and what it is."""
    (was, was_text), (card, text) = _face_of(said.before or said.after), _face_of(said.after)
    if said.to is not None:
        return TelevisionMoment(number, "corrected", said.whose, (said.to,), card=card, text=text)
    return TelevisionMoment(
        number,
        "corrected",
        card=card,
        text=text,
        was=was,
        was_text=was_text,
        picture=f"/card/{game}-{number}.jpg" if said.picture else "",
    )


def _face_of(name: str) -> tuple[str, str]:
    """Return the drawing of a title or of a sign, and what is written on it."""
    sign = SAID_SIGNS.get(name)
    return (drawing_of(Title(name)), "") if sign is None else (sign.suit, sign.rank)


def _shooter(told: tuple[Entry, ...]) -> int:
    """Return who played the last card on a turn."""
    return next(event.seat for event in reversed(told) if isinstance(event, events.CardPlayed))


def _others(
    later: tuple[Entry, ...], players: tuple[CardSeatView, ...], seat: int
) -> tuple[int, ...]:
    """Return who was in the game besides `seat` before `later` happened, from the left of it."""
    fallen = {event.seat for event in later if isinstance(event, Eliminated)}
    count = len(players)
    round_table = ((seat + place) % count for place in range(1, count))
    return tuple(other for other in round_table if players[other].alive or other in fallen)

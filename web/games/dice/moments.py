"""What happened, as short moments that the television plays."""

from collections.abc import Iterator

from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules import events
from companion.games.dice.rules.views import SeatView
from companion.table.history import EntryStatus, Undone
from companion.table.views import TableView
from web.games.dice.story import Entry
from web.games.moments import TelevisionMoment, latest_events, turn_moment, undo_moment


def moments(view: TableView) -> tuple[TelevisionMoment, ...]:
    """Return the latest events with dice to show. All of them are public."""
    assert view.game is not None
    return tuple(latest_moments(view.story, view.statuses, view.game.players))


def latest_moments(
    story: tuple[Entry, ...], statuses: tuple[EntryStatus, ...], players: tuple[SeatView, ...]
) -> Iterator[TelevisionMoment]:
    """Yield the moments among the last LATEST events of a story."""
    for number, event in latest_events(story):
        match event:
            case TurnBegan(seat):
                yield turn_moment(number, seat)
            case events.ArrowsTaken(seat, count):
                yield TelevisionMoment(number, "arrows", to=(seat,), amount=count)
            case events.ArrowsDiscarded(seat, count):
                yield TelevisionMoment(number, "returned", by=seat, amount=count)
            case events.IndiansAttacked():
                yield TelevisionMoment(number, "indians")
            case events.DynamiteExploded(seat):
                yield TelevisionMoment(number, "dynamite", to=(seat,))
            case events.ShotsFired(seat, shots):
                hits = [s.target for s in shots for _ in range(1 if s.beer is None else 2)]
                yield TelevisionMoment(
                    number, "shots", seat, tuple(hit for hit in hits if hit is not None)
                )
            case events.GatlingFired(seat):
                yield TelevisionMoment(
                    number, "gatling", seat, _others(story[number:], players, seat)
                )
            case events.LifeLost(seat, count, cause):
                yield TelevisionMoment(number, "loss", to=(seat,), amount=count, cause=cause)
            case events.LifeGained(seat, count, cause):
                yield TelevisionMoment(number, "gain", to=(seat,), amount=count, cause=cause)
            case Eliminated(seat):
                yield TelevisionMoment(number, "death", to=(seat,))
            case GameEnded():
                yield TelevisionMoment(number, "end")
            case Undone():
                yield undo_moment(number, story, statuses)


def _others(later: tuple[Entry, ...], players: tuple[SeatView, ...], seat: int) -> tuple[int, ...]:
    """Return who was in the game besides `seat` before `later` happened."""
    fallen = {event.seat for event in later if isinstance(event, Eliminated)}
    return tuple(
        other
        for other, player in enumerate(players)
        if other != seat and (player.alive or other in fallen)
    )

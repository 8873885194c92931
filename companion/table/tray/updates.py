"""Update what is known about the tray after observations and moves."""

from dataclasses import replace

from companion.table.tray.evaluate import AwaitedRoll, tray_of
from companion.table.tray.observation import EMPTY, Observation, Sight
from companion.table.tray.state import (
    COUNT_IS_RIGHT,
    ByHand,
    TrayState,
    Unwatched,
    Watched,
    accepted_last,
    watched,
)
from companion.table.tray.status import Status
from vision.dice.reading import TrayVerdict


def camera_works(tray: TrayState) -> TrayState:
    """Return the tray once a camera works; earlier observations and corrections no longer count.

    After a restart, earlier corrections count while the camera sees the same dice.
    """
    if isinstance(tray, Unwatched) and tray.before is not None:
        return tray.before
    return Watched(EMPTY, EMPTY, accepted=accepted_last(tray))


def camera_fails(tray: TrayState) -> TrayState:
    """Return the tray once no camera works."""
    return Unwatched(accepted_last(tray))


def observe(tray: TrayState, seen: Observation, roll: AwaitedRoll | None) -> TrayState:
    """Return the tray after a new observation.

    roll: the awaited roll; None while no dice are awaited.
    """
    if isinstance(tray, Unwatched):
        tray = camera_works(tray)
    if isinstance(tray, ByHand):
        empty = seen.verdict is TrayVerdict.EMPTY
        stayed = () if empty else tray.watched.stayed
        return replace(tray, watched=replace(tray.watched, now=seen, stayed=stayed))
    assert isinstance(tray, Watched)
    tray = replace(tray, now=seen)
    if seen.sight is Sight.STILL:
        if not seen.unmoved(tray.at_rest):
            tray = replace(tray, marks={}, count=COUNT_IS_RIGHT)
        tray = replace(tray, at_rest=seen)
    if seen.verdict is TrayVerdict.EMPTY:
        return replace(tray, stayed=())
    if roll is not None and tray_of(tray, roll).status is Status.PICKED_UP:
        return replace(tray, stayed=seen.dice)
    return tray


def next_roll(tray: TrayState, accepted: Observation | None = None) -> TrayState:
    """Return the tray once the game has moved on, which ends players' corrections.

    accepted: the camera's observation of the dice just accepted; None if none were.
    """
    before = accepted_last(tray)
    seen = watched(tray)
    if seen is None:
        return Unwatched(before if accepted is None else accepted)
    return Watched(seen.now, seen.at_rest, before if accepted is None else accepted)

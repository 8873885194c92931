"""The hint below the dice: what to do with them now."""

from collections.abc import Callable, Mapping

from companion.table.tray.observation import DICE
from companion.table.tray.status import Status
from companion.table.views import TableView
from web.i18n import gettext, ngettext
from web.play.game_pages import terms_of
from web.play.tray import presses
from web.text import capital

_TAPPED = (Status.INCOMPLETE, Status.BESIDE, Status.UNSURE)
"""Taps name what the camera can't read."""


def guide(view: TableView) -> str:
    """Return what this page's player should do with the dice; "" while none are awaited."""
    if not view.rolling or view.standing is None:
        return ""
    status = view.tray.status
    if status in _TAPPED and not presses(view).buttons:
        who = view.people[view.standing.turn].name
        if status is Status.BESIDE:
            return gettext("Waiting for %(name)s to say which dice were kept.", name=who)
        return gettext("Waiting for %(name)s to say what the dice show.", name=who)
    return _GUIDES[status](view)


def _nothing_thrown(view: TableView) -> str:
    if view.by_hand:
        if view.tray.status is Status.EMPTY:
            return gettext("Throw the dice, then tap each one to choose its face.")
        return gettext("Throw dice again and tap each one you threw, or stop rolling.")
    if not view.lying:
        return gettext("Throw all five dice.")
    if view.camera.throws:
        return gettext("Tap the dice to throw again, or stop rolling.")
    return gettext("Throw dice again, or stop rolling.")


def _picked_up(view: TableView) -> str:
    if not view.lying:
        return gettext("Throw all five dice.")
    beside = sum(die.place is None for die in view.tray.dice)
    held = DICE - view.tray.seen - beside
    return capital(
        ngettext(
            "A die is picked up: throw it or put it back.",
            "%(number)s dice are picked up: throw them or put them back.",
            held,
            number=terms_of(view).number(held),
        )
    )


def _unsure(view: TableView) -> str:
    if any(die.bumped for die in view.tray.dice):
        return gettext("Was the marked die kept or thrown? Tap it to answer.")
    unsure = sum(not die.sure for die in view.tray.dice)
    return capital(
        ngettext(
            "One die is uncertain: tap it to choose its face.",
            "%(number)s dice are uncertain: tap each one to choose its face.",
            unsure,
            number=terms_of(view).number(unsure),
        )
    )


def _miscounted(view: TableView) -> str:
    return ngettext(
        "The camera sees one die. There must be five.",
        "The camera sees %(number)s dice. There must be five.",
        view.tray.seen,
        number=terms_of(view).number(view.tray.seen),
    )


_GUIDES: Mapping[Status, Callable[[TableView], str]] = {
    Status.EMPTY: _nothing_thrown,
    Status.LYING: _nothing_thrown,
    Status.INCOMPLETE: lambda _: gettext("Tap each die with a question mark to choose its face."),
    Status.MOVING: lambda _: gettext("The dice are rolling."),
    Status.PICKED_UP: _picked_up,
    Status.READY: lambda _: gettext("All dice are read. Accept the roll."),
    Status.BESIDE: lambda _: gettext("Tap the dice that were kept beside the tray."),
    Status.UNSURE: _unsure,
    Status.COUNT: _miscounted,
    Status.COCKED: lambda _: gettext("A die is leaning: lay it flat or throw it again."),
    Status.BLOCKED: lambda _: gettext("Something covers the dice: clear the tray."),
}

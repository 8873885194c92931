"""The hint below the dice: what to do with them now, or what everybody waits for."""

from collections import Counter
from collections.abc import Callable, Mapping

from companion.table.surface.dice.state import DICE, Status
from companion.table.views import TableView
from web.games.game import terms_of
from web.i18n import gettext, ngettext
from web.play.tray import presses
from web.text import capital


def guide(view: TableView) -> str:
    """Return what to do with the dice or, where this page can't do it, what its reader waits for.

    "" while no dice are awaited.
    """
    if not view.rolling or view.standing is None:
        return ""
    if view.wish and view.tray.status in (Status.LYING, Status.EMPTY):
        return _wish(view)
    guides = _GUIDES if presses(view).buttons else _WAITING
    return guides[view.tray.status](view)


def read_dice(view: TableView) -> str:
    """Return what the thrown dice show, for screen readers; "" until they are read."""
    if view.tray.status not in (Status.READY, Status.UNSURE):
        return ""
    words = terms_of(view)
    thrown = [die for die in view.tray.dice if die.thrown or not die.sure]
    told = counted_faces(view, Counter(die.face for die in thrown if die.sure and die.face))
    unsure = sum(not die.sure for die in thrown)
    if unsure:
        number = words.number(unsure)
        told.append(
            ngettext("one uncertain die", "%(number)s uncertain dice", unsure, number=number)
        )
    return gettext("The dice show %(faces)s.", faces=words.join(told))


def _wish(view: TableView) -> str:
    """Return which dice a stand-in wants to be thrown again."""
    assert view.standing is not None
    faces = counted_faces(view, Counter(view.lying[die] for die in view.wish))
    return gettext(
        "%(name)s throws again: %(faces)s. Throw these dice and accept the roll.",
        name=view.people[view.standing.turn].name,
        faces=terms_of(view).join(faces),
    )


def counted_faces(view: TableView, counts: Mapping[str, int]) -> list[str]:
    """Return the names of faces, with how often each is there."""
    return [
        f"{name}\N{NO-BREAK SPACE}×{counts[face]}" if counts[face] > 1 else name
        for face, name in terms_of(view).faces.items()
        if face in counts
    ]


def _nothing_thrown(view: TableView) -> str:
    if view.by_hand:
        if view.tray.status is Status.EMPTY:
            return gettext("Throw the dice, then tap each one to choose its face.")
        return gettext("Throw dice again and tap each one you threw, or stop rolling.")
    if not view.lying:
        return gettext("Throw all five dice.")
    if view.camera.tray:
        return gettext("Tap the dice to throw again, or stop rolling.")
    return gettext("Throw dice again, or stop rolling.")


def _in_hand(view: TableView) -> str:
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


def _wrong_count(view: TableView) -> str:
    return ngettext(
        "The camera sees one die. There must be five.",
        "The camera sees %(number)s dice. There must be five.",
        view.tray.seen,
        number=terms_of(view).number(view.tray.seen),
    )


def _turner(view: TableView) -> str:
    assert view.standing is not None
    return view.people[view.standing.turn].name


def _waiting_for_throw(view: TableView) -> str:
    who = _turner(view)
    if view.lying:
        return gettext("%(name)s may throw dice again, or stop rolling.", name=who)
    return gettext("Waiting for %(name)s to throw.", name=who)


def _waiting_for_faces(view: TableView) -> str:
    return gettext("Waiting for %(name)s to say what the dice show.", name=_turner(view))


_GUIDES: Mapping[Status, Callable[[TableView], str]] = {
    Status.EMPTY: _nothing_thrown,
    Status.LYING: _nothing_thrown,
    Status.INCOMPLETE: lambda _: gettext("Tap each die with a question mark to choose its face."),
    Status.MOVING: lambda _: gettext("The dice are rolling."),
    Status.PICKED_UP: _in_hand,
    Status.READY: lambda _: gettext("All dice are read. Accept the roll."),
    Status.BESIDE: lambda _: gettext("Tap the dice that were kept beside the tray."),
    Status.UNSURE: _unsure,
    Status.COUNT: _wrong_count,
    Status.TOO_NEAR: lambda _: gettext("The camera is too near for five dice: raise it."),
    Status.COCKED: lambda _: gettext("A die is leaning: lay it flat or throw it again."),
    Status.BLOCKED: lambda _: gettext("Something covers the dice: clear the tray."),
}
"""For the player who throws, and for the host."""

_WAITING: Mapping[Status, Callable[[TableView], str]] = {
    Status.EMPTY: _waiting_for_throw,
    Status.LYING: _waiting_for_throw,
    Status.INCOMPLETE: _waiting_for_faces,
    Status.MOVING: _GUIDES[Status.MOVING],
    Status.PICKED_UP: lambda view: gettext("%(name)s has dice in hand.", name=_turner(view)),
    Status.READY: lambda view: gettext(
        "All dice are read. Waiting for %(name)s to accept the roll.", name=_turner(view)
    ),
    Status.BESIDE: lambda view: gettext(
        "Waiting for %(name)s to say which dice were kept.", name=_turner(view)
    ),
    Status.UNSURE: _waiting_for_faces,
    Status.COUNT: _wrong_count,
    Status.TOO_NEAR: _GUIDES[Status.TOO_NEAR],
    Status.COCKED: lambda view: gettext(
        "A die is leaning. Waiting for %(name)s to lay it flat.", name=_turner(view)
    ),
    Status.BLOCKED: lambda _: gettext("Something covers the dice."),
}
"""For everybody else."""

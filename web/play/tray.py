"""The dice in the tray as pages show them, and what this phone may do with them."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.game import GameTerms
from companion.table.surface.dice.state import DICE, Status, TrayDie
from companion.table.views import TableView
from web.games.game import terms_of
from web.i18n import gettext, lazy_gettext, ngettext

_THROWN = (Status.READY, Status.UNSURE, Status.MOVING)
"""The dice were thrown and wait to be accepted."""

_HINDERED = (Status.COUNT, Status.TOO_NEAR, Status.COCKED, Status.BLOCKED)

_UNREADABLE = (Status.EMPTY, Status.BESIDE, *_HINDERED)
"""The camera doesn't see five dice, though they may be there."""

_NO_ACCEPT = {
    Status.READY: "",
    Status.EMPTY: lazy_gettext("nothing thrown"),
    Status.LYING: lazy_gettext("nothing thrown"),
    Status.MOVING: lazy_gettext("still rolling"),
    Status.PICKED_UP: lazy_gettext("dice in hand"),
    Status.UNSURE: lazy_gettext("a die is uncertain"),
    Status.BESIDE: lazy_gettext("which were kept?"),
    Status.INCOMPLETE: lazy_gettext("a die is unknown"),
    Status.COUNT: lazy_gettext("not five dice"),
    Status.TOO_NEAR: lazy_gettext("camera too near"),
    Status.COCKED: lazy_gettext("a die is leaning"),
    Status.BLOCKED: lazy_gettext("dice are covered"),
}
"""Why dice can't be accepted, as a button label."""

_ACCEPT_FIRST = (Status.READY, Status.UNSURE, Status.BESIDE)
"""Dice were thrown and read, as far as the camera can."""

_NO_STOP = {
    **dict.fromkeys(_ACCEPT_FIRST, lazy_gettext("accept first")),
    **{status: _NO_ACCEPT[status] for status in (Status.MOVING, *_HINDERED)},
}
"""Why rolling can't be stopped, as a button label."""


class Presses(NamedTuple):
    """What this phone may do with the dice now."""

    buttons: bool = False
    """Whether it shows the on-screen copies of the two buttons."""
    no_accept: str = ""
    """Why the roll can't be accepted now; empty if it can."""
    no_stop: str = ""
    """Why rolling can't be stopped now; empty if it can."""
    both: bool = False
    """Whether one press can accept the roll and stop rolling."""
    throw: bool = False
    """Whether the table can throw the dice."""
    correct: bool = False
    """Whether a tapped die can be corrected."""
    missing: bool = False
    """Whether a missing die can be added."""
    by_hand: bool = False
    """Whether the whole roll can be entered by hand, since the camera can't read it."""
    pick: tuple[int, ...] = ()
    """The dice that a tap picks up for the table to throw."""


def presses(view: TableView) -> Presses:
    """Return what this phone may do with the dice now."""
    standing, status = view.standing, view.tray.status
    if standing is None or not view.rolling or not (view.host or view.seat == standing.turn):
        return Presses()
    thrown = status in _THROWN
    throws = view.camera.tray is not None and not thrown
    hindrance = _NO_STOP.get(status, "")
    no_stop = hindrance if view.may_stop or status in _ACCEPT_FIRST else gettext("roll first")
    return Presses(
        buttons=True,
        no_accept=str(_NO_ACCEPT[status]),
        no_stop=str(no_stop),
        both=view.goes_on,
        throw=throws and (not view.lying or bool(view.picked)),
        correct=bool(view.tray.counted)
        or (bool(view.tray.dice) and (bool(view.lying) or status is not Status.LYING)),
        missing=0 < len(view.tray.counted) < DICE,
        by_hand=status in _UNREADABLE and not view.by_hand,
        pick=view.throwable if throws and view.lying and view.tray.dice else (),
    )


class DieView(NamedTuple):
    """A die on a page."""

    number: int
    """Its number, from 0."""
    face: str | None
    """What it shows; None while unknown."""
    state: str = "faded"
    """Its state, for styling; empty for a plain throw."""
    word: str = ""
    """Its state in words."""
    thrown: bool = False
    """Whether it was thrown since the last accepted roll."""
    likely: tuple[str, ...] = ()
    """All faces to choose from, most likely first."""
    guesses: int = 0
    """How many of those the camera suggests."""
    pictured: bool = False
    """Whether the camera sees it."""
    said: bool = False
    """Whether a player, not the camera, said what it shows."""


def dice(view: TableView) -> tuple[DieView, ...]:
    """Return the five dice as they lie; all unknown before a throw."""
    tray = view.tray
    if view.standing is None:
        return ()
    if tray.counted:
        word = gettext("not a die?") if len(tray.counted) > DICE else ""
        return tuple(
            DieView(n, die.face, "counted", word, thrown=True, pictured=die.place is not None)
            for n, die in enumerate(tray.counted)
        )
    if not tray.dice:
        known: Sequence[str | None] = view.lying or (None,) * DICE
        state = "rolling" if tray.status is Status.MOVING else "faded"
        return tuple(DieView(n, face, state) for n, face in enumerate(known))
    rules = view.selection.game.dice
    faces = rules.faces() if rules is not None else ()
    tapped = gettext("tap") if presses(view).correct else ""
    shown = []
    for number, die in enumerate(tray.dice):
        state, word = _state(view, number, die, tapped)
        likely = die.likely if not die.sure else ()
        shown.append(
            DieView(
                number=number,
                face=die.face,
                state=state,
                word=word,
                thrown=die.thrown,
                likely=likely + tuple(face for face in faces if face not in likely),
                guesses=len(likely),
                pictured=die.place is not None,
                said=die.said and die.face is not None,
            )
        )
    return tuple(shown)


def _state(view: TableView, number: int, die: TrayDie, tapped: str) -> tuple[str, str]:
    """Return a die's state, for styling and in words. tapped: what an unknown die asks for."""
    thrown = view.tray.status in _THROWN
    if die.face is None:
        return "unknown", tapped
    if die.bumped:
        return "unsure", gettext("thrown?")
    if not die.sure:
        return "unsure", gettext("unsure")
    if view.rolling and number in view.picked and not thrown:
        return "picked", gettext("picked up")
    if not view.lying or not view.rolling:
        return ("faded", "") if view.rolling and not die.thrown else ("", "")
    if die.thrown:
        return "thrown", gettext("thrown")
    if thrown:
        return "kept", gettext("kept")
    return "kept", "" if number in view.throwable else gettext("stays")


def describe_die(die: DieView, words: GameTerms) -> str:
    """Return a die in words, for screen readers."""
    shows = words.faces[die.face] if die.face else gettext("unknown")
    by_hand = gettext("set by hand") if die.said else ""
    said = ", ".join(filter(None, (shows, die.word, by_hand)))
    return gettext("Die %(number)s: %(said)s", number=die.number + 1, said=said)


class Beside(NamedTuple):
    """Dice that may have been kept beside the tray."""

    dice: tuple[int, ...]
    """Their numbers."""
    faces: tuple[str, ...]
    """What they show."""
    names: tuple[str, ...]
    """The names of these faces."""


def beside(view: TableView) -> tuple[Beside, ...]:
    """Return the dice that may lie beside the tray, if this phone is asked about them."""
    names, tray = terms_of(view).faces, view.tray
    if not presses(view).buttons:
        return ()
    choices = []
    for dice in tray.choices:
        faces = tuple(face for die in dice if (face := tray.dice[die].face))
        choices.append(Beside(dice, faces, tuple(names[face] for face in faces)))
    return tuple(choices)


def throws(view: TableView) -> str:
    """Return what the throw button does: `Throw two dice`."""
    count = len(view.picked)
    if not count or not view.lying:
        return gettext("Throw the dice")
    number = terms_of(view).number(count)
    return ngettext("Throw one die", "Throw %(number)s dice", count, number=number)


def learned_counts(view: TableView) -> str:
    """Return how many pictures of each face were learned while playing ("" if none)."""
    known = ((name, view.learned.get(face, 0)) for face, name in terms_of(view).faces.items())
    return ", ".join(f"{name}\N{NO-BREAK SPACE}{count}" for name, count in known if count)

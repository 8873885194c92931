"""The dice in the tray as pages show them, what this phone may do with them, and the hint below."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.game import GameTerms
from companion.table.surface.dice.state import DICE, TrayDie, TrayStatus
from companion.table.views import TableView
from web.games.game import terms_of
from web.i18n import gettext, lazy_gettext, ngettext
from web.text import capital

_THROWN = (TrayStatus.READY, TrayStatus.UNSURE, TrayStatus.MOVING)
"""The dice were thrown and wait to be accepted."""

_HINDERED = (TrayStatus.COUNT, TrayStatus.TOO_NEAR, TrayStatus.COCKED, TrayStatus.BLOCKED)

_UNREADABLE = (TrayStatus.EMPTY, TrayStatus.BESIDE, *_HINDERED)
"""The camera doesn't see five dice, though they may be there."""

_NO_ACCEPT = {
    TrayStatus.READY: "",
    TrayStatus.EMPTY: lazy_gettext("nothing thrown"),
    TrayStatus.LYING: lazy_gettext("nothing thrown"),
    TrayStatus.MOVING: lazy_gettext("still rolling"),
    TrayStatus.PICKED_UP: lazy_gettext("dice in hand"),
    TrayStatus.UNSURE: lazy_gettext("a die is uncertain"),
    TrayStatus.BESIDE: lazy_gettext("which were kept?"),
    TrayStatus.INCOMPLETE: lazy_gettext("a die is unknown"),
    TrayStatus.COUNT: lazy_gettext("not five dice"),
    TrayStatus.TOO_NEAR: lazy_gettext("camera too near"),
    TrayStatus.COCKED: lazy_gettext("a die is leaning"),
    TrayStatus.BLOCKED: lazy_gettext("dice are covered"),
}
"""Why dice can't be accepted, as a button label."""

_ACCEPT_FIRST = (TrayStatus.READY, TrayStatus.UNSURE, TrayStatus.BESIDE)
"""Dice were thrown and read, as far as the camera can."""

_NO_STOP = {
    **dict.fromkeys(_ACCEPT_FIRST, lazy_gettext("accept first")),
    **{status: _NO_ACCEPT[status] for status in (TrayStatus.MOVING, *_HINDERED)},
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
    throws: bool = False
    """Whether the table throws the dice next, instead of a hand."""
    throw: bool = False
    """Whether it can throw them now."""
    correct: bool = False
    """Whether a tapped die can be corrected."""
    missing: bool = False
    """Whether a missing die can be added."""
    confirm: int | None = None
    """A die by which to say that all are right as they were read; None if nobody asks that."""
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
        throws=throws,
        throw=throws and (not view.lying or bool(view.picked)),
        correct=bool(view.tray.counted)
        or (bool(view.tray.dice) and (bool(view.lying) or status is not TrayStatus.LYING)),
        missing=0 < len(view.tray.counted) < DICE,
        confirm=_first_thrown(view) if view.tray.doubted else None,
        by_hand=status in _UNREADABLE and not view.by_hand,
        pick=view.throwable if throws and view.lying and view.tray.dice else (),
    )


def _first_thrown(view: TableView) -> int | None:
    return next((number for number, die in enumerate(view.tray.dice) if die.thrown), None)


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
    picture: str = ""
    """The address of its picture, where it may lean; empty otherwise."""


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
    if tray.cocked:
        return tuple(_die_at_rest(n, die) for n, die in enumerate(tray.cocked))
    if not tray.dice:
        known: Sequence[str | None] = view.lying or (None,) * DICE
        state = "rolling" if tray.status is TrayStatus.MOVING else "faded"
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
                picture=_picture(number, die) if _may_lean(die) else "",
            )
        )
    return tuple(shown)


def _die_at_rest(number: int, die: TrayDie) -> DieView:
    """Return a die of a throw in which one leans."""
    if not die.leans:
        return DieView(number, die.face)
    return DieView(number, die.face, "unsure", gettext("leans"), picture=_picture(number, die))


def _may_lean(die: TrayDie) -> bool:
    """Return whether a die may lean, and no player said what it shows."""
    return die.leans and not die.sure


def _picture(number: int, die: TrayDie) -> str:
    """Return the address of a die's picture, another one for each place: pages load it anew."""
    assert die.place is not None
    return f"/die/{number}.jpg?at={die.place.x},{die.place.y}"


def _state(view: TableView, number: int, die: TrayDie, tapped: str) -> tuple[str, str]:
    """Return a die's state, for styling and in words. tapped: what an unknown die asks for."""
    thrown = view.tray.status in _THROWN
    if die.face is None:
        return "unknown", tapped
    if die.bumped:
        return "unsure", gettext("thrown?")
    if not die.sure:
        return "unsure", gettext("leans?") if die.leans else gettext("unsure")
    if view.rolling and number in view.picked and not thrown:
        return "picked", gettext("in hand")
    if not view.lying or not view.rolling:
        return ("faded", "") if view.rolling and not die.thrown else ("", "")
    if die.thrown:
        return "thrown", gettext("thrown")
    if thrown:
        return "kept", gettext("kept")
    return "kept", "" if number in view.throwable else gettext("stays")


@lru_cache
def face_names(words: GameTerms, pips: tuple[str, ...]) -> Mapping[str, str]:
    """Return what the faces are called, with a capital.

    pips: what one to six pips stand for, which is said, too; empty for dice with symbols.
    """
    names = {face: capital(name) for face, name in words.faces.items()}
    for count, face in enumerate(pips, start=1):
        names[face] = ngettext(
            "%(name)s: one pip", "%(name)s: %(number)s pips", count, name=names[face], number=count
        )
    return names


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


def beside(view: TableView, words: GameTerms) -> tuple[Beside, ...]:
    """Return the dice that may lie beside the tray."""
    names, tray = words.faces, view.tray
    choices = []
    for dice in tray.choices:
        faces = tuple(face for die in dice if (face := tray.dice[die].face))
        choices.append(Beside(dice, faces, tuple(names[face] for face in faces)))
    return tuple(choices)


def throws(view: TableView, words: GameTerms) -> str:
    """Return what the throw button does: `Throw two dice`."""
    count = len(view.picked)
    if not count or not view.lying:
        return gettext("Throw the dice")
    number = words.number(count)
    return ngettext("Throw one die", "Throw %(number)s dice", count, number=number)


def learned_counts(view: TableView, words: GameTerms) -> str:
    """Return how many pictures of each face were learned while playing ("" if none)."""
    known = ((name, view.learned.get(face, 0)) for face, name in words.faces.items())
    return ", ".join(f"{name}\N{NO-BREAK SPACE}{count}" for name, count in known if count)


# The hint below the dice


def guide(view: TableView) -> str:
    """Return what to do with the dice or, where this page can't do it, what its reader waits for.

    "" while no dice are awaited.
    """
    if not view.rolling or view.standing is None:
        return ""
    if view.wish and view.tray.status in (TrayStatus.LYING, TrayStatus.EMPTY):
        return _wish(view)
    guides = _GUIDES if presses(view).buttons else _WAITING
    return guides[view.tray.status](view)


def read_dice(view: TableView) -> str:
    """Return what the thrown dice show, for screen readers; "" until they are read."""
    if view.tray.status not in (TrayStatus.READY, TrayStatus.UNSURE):
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
    thrower, joined = view.people[view.standing.turn].name, terms_of(view).join(faces)
    if view.by_hand:
        return gettext(
            "%(name)s throws again: %(faces)s. Throw these dice and tap what they show.",
            name=thrower,
            faces=joined,
        )
    return gettext(
        "%(name)s throws again: %(faces)s. Throw these dice and accept the roll.",
        name=thrower,
        faces=joined,
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
        if view.tray.status is TrayStatus.EMPTY:
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
    if view.tray.doubted:
        return gettext("Perhaps there is one more die. Look, and say if all is right.")
    leaning = _leans(view)
    if leaning:
        return ngettext(
            "Die %(numbers)s may lean: throw it again or, if it lies flat, tap it.",
            "Dice %(numbers)s may lean: throw them again or, if they lie flat, tap them.",
            len(leaning),
            numbers=terms_of(view).join(leaning),
        )
    unsure = sum(not die.sure for die in view.tray.dice)
    return capital(
        ngettext(
            "One die is uncertain: tap it to choose its face.",
            "%(number)s dice are uncertain: tap each one to choose its face.",
            unsure,
            number=terms_of(view).number(unsure),
        )
    )


def _leans(view: TableView) -> list[str]:
    """Return the numbers on pages of the dice that may lean."""
    dice = view.tray.cocked or view.tray.dice
    return [f"{number}" for number, die in enumerate(dice, 1) if _may_lean(die)]


def _lay_flat(view: TableView) -> str:
    leaning = _leans(view)
    if not leaning:
        return gettext("A die is leaning: lay it flat or throw it again.")
    return ngettext(
        "Die %(numbers)s leans: lay it flat or throw it again.",
        "Dice %(numbers)s lean: lay them flat or throw them again.",
        len(leaning),
        numbers=terms_of(view).join(leaning),
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


def _decider(view: TableView) -> str:
    """Return the name of who decides about the dice: for a stand-in, the host."""
    assert view.standing is not None
    turner = view.people[view.standing.turn]
    hosts = [person for person in view.people if person.host] if turner.stand_in else []
    return (hosts or [turner])[0].name


def _waiting_for_throw(view: TableView) -> str:
    who = _turner(view)
    if view.lying:
        return gettext("%(name)s may throw dice again, or stop rolling.", name=who)
    return gettext("Waiting for %(name)s to throw.", name=who)


def _waiting_for_faces(view: TableView) -> str:
    return gettext("Waiting for %(name)s to say what the dice show.", name=_decider(view))


def _waiting_for_look(view: TableView) -> str:
    leaning = _leans(view)
    if not leaning:
        return _waiting_for_faces(view)
    return ngettext(
        "Die %(numbers)s may lean. Waiting for %(name)s to look.",
        "Dice %(numbers)s may lean. Waiting for %(name)s to look.",
        len(leaning),
        numbers=terms_of(view).join(leaning),
        name=_decider(view),
    )


def _waiting_for_flat(view: TableView) -> str:
    leaning = _leans(view)
    if not leaning:
        return gettext(
            "A die is leaning. Waiting for %(name)s to lay it flat.", name=_decider(view)
        )
    return ngettext(
        "Die %(numbers)s leans. Waiting for %(name)s to lay it flat.",
        "Dice %(numbers)s lean. Waiting for %(name)s to lay them flat.",
        len(leaning),
        numbers=terms_of(view).join(leaning),
        name=_decider(view),
    )


_GUIDES: Mapping[TrayStatus, Callable[[TableView], str]] = {
    TrayStatus.EMPTY: _nothing_thrown,
    TrayStatus.LYING: _nothing_thrown,
    TrayStatus.INCOMPLETE: lambda _: gettext(
        "Tap each die with a question mark to choose its face."
    ),
    TrayStatus.MOVING: lambda _: gettext("The dice are rolling."),
    TrayStatus.PICKED_UP: _in_hand,
    TrayStatus.READY: lambda _: gettext("All dice are read. Accept the roll."),
    TrayStatus.BESIDE: lambda _: gettext("Tap the dice that were kept beside the tray."),
    TrayStatus.UNSURE: _unsure,
    TrayStatus.COUNT: _wrong_count,
    TrayStatus.TOO_NEAR: lambda _: gettext("The camera is too near for five dice: raise it."),
    TrayStatus.COCKED: _lay_flat,
    TrayStatus.BLOCKED: lambda _: gettext("Something covers the dice: clear the tray."),
}
"""For the player who throws, and for the host."""

_WAITING: Mapping[TrayStatus, Callable[[TableView], str]] = {
    TrayStatus.EMPTY: _waiting_for_throw,
    TrayStatus.LYING: _waiting_for_throw,
    TrayStatus.INCOMPLETE: _waiting_for_faces,
    TrayStatus.MOVING: _GUIDES[TrayStatus.MOVING],
    TrayStatus.PICKED_UP: lambda view: gettext("%(name)s has dice in hand.", name=_turner(view)),
    TrayStatus.READY: lambda view: gettext(
        "All dice are read. Waiting for %(name)s to accept the roll.", name=_decider(view)
    ),
    TrayStatus.BESIDE: lambda view: gettext(
        "Waiting for %(name)s to say which dice were kept.", name=_decider(view)
    ),
    TrayStatus.UNSURE: _waiting_for_look,
    TrayStatus.COUNT: _wrong_count,
    TrayStatus.TOO_NEAR: _GUIDES[TrayStatus.TOO_NEAR],
    TrayStatus.COCKED: _waiting_for_flat,
    TrayStatus.BLOCKED: lambda _: gettext("Something covers the dice."),
}
"""For everybody else."""

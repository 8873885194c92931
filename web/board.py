"""What pages show of a table, worked out from a view alone, for templates to lay out."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.events import Side, TurnBegan
from companion.dicegame.faces import DICE, Face
from companion.dicegame.house import HouseRule
from companion.dicegame.moves import Action
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.terms import Terms, terms
from companion.table.scene import Phase
from companion.table.tray.status import Status
from companion.table.views import TableView
from web.i18n import gettext, language, lazy_gettext, ngettext

_THROWN = (Status.READY, Status.UNSURE, Status.MOVING)
"""The dice have left the hand, and wait to be accepted."""

_UNREADABLE = (Status.EMPTY, Status.BESIDE, Status.COUNT, Status.COCKED, Status.BLOCKED)
"""The camera sees no five dice, though they may well lie there."""

_NO_ACCEPT = {
    Status.READY: "",
    Status.EMPTY: lazy_gettext("nothing thrown"),
    Status.LYING: lazy_gettext("nothing thrown"),
    Status.MOVING: lazy_gettext("still rolling"),
    Status.PICKED_UP: lazy_gettext("dice in hand"),
    Status.UNSURE: lazy_gettext("a die is uncertain"),
    Status.BESIDE: lazy_gettext("say what was kept"),
    Status.INCOMPLETE: lazy_gettext("a die is not known"),
    Status.COUNT: lazy_gettext("not five dice"),
    Status.COCKED: lazy_gettext("a die leans"),
    Status.BLOCKED: lazy_gettext("dice are covered"),
}
"""Why dice can't be accepted, on the button."""

_ALTERED = {
    HouseRule.PLACES_EITHER_WAY: "rose_doolan",
    HouseRule.THIRST_AT_EACH_BEER: "jesse_jones",
    HouseRule.VULTURE_OUTLIVES: "vulture_sam",
    HouseRule.KIT_DISCARDS_LAST: "kit_carlson",
    HouseRule.ONE_ARROW_A_TURN: "el_gringo",
}
"""Whose ability a house rule alters."""


def round_table(view: TableView, first: int) -> tuple[int, ...]:
    """Return all seats clockwise, beginning with `first`."""
    count = len(view.people)
    return tuple((first + place) % count for place in range(count))


def sides(view: TableView) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who sits at the far and the near side of the table, each from left to right."""
    far = (len(view.people) + 1) // 2
    return tuple(range(far)), tuple(reversed(range(far, len(view.people))))


def terms_of(view: TableView) -> Terms:
    """Return the terms of the game at this table, in the language of the page."""
    return terms(RULESETS[view.selection.ruleset.id], language())


def house_rules(view: TableView) -> tuple[str, ...]:
    """Return what is played otherwise at this table, a sentence each."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule] for rule in HouseRule if rule in view.selection.house_rules
    )


def altered(view: TableView, character: str) -> tuple[str, ...]:
    """Return the house rules of this table that alter the ability of a character."""
    words = terms_of(view)
    return tuple(
        words.house_rules[rule]
        for rule, whose in _ALTERED.items()
        if whose == character and rule in view.selection.house_rules
    )


def choices(
    view: TableView, seats: Sequence[int], targets: Sequence[int], why: str
) -> Iterator[tuple[str, list[int]]]:
    """Group seats, in their order, by the reason why they can't be chosen ("": they can).

    targets: who can be chosen; why: the reason against others who live.
    """
    assert view.game is not None
    players, out = view.game.players, terms_of(view).questions.out

    def reason(seat: int) -> str:
        if seat in targets:
            return ""
        return why if players[seat].alive else out

    return ((reason, list(same)) for reason, same in groupby(seats, reason))


class DieView(NamedTuple):
    """A die on a page.

    face: None while unknown; state: how it lies, for its look ("" as everybody rolled it); word:
    the same in words; thrown: since the last accepted roll; likely: all faces to choose from,
    likely ones first; guesses: how many of those the camera thinks of; pictured: whether the
    camera sees it.
    """

    number: int
    face: Face | None
    state: str
    word: str
    thrown: bool
    likely: tuple[Face, ...]
    guesses: int
    pictured: bool


def dice(view: TableView) -> tuple[DieView, ...]:
    """Return the five dice as they lie; none of them known before a throw."""
    if view.game is None:
        return ()
    rolled, tray = view.game.dice, view.tray
    if view.tray.counted:
        word = gettext("no die?") if len(view.tray.counted) > DICE else ""
        return tuple(
            DieView(n, _face(die.face), "counted", word, True, (), 0, die.place is not None)
            for n, die in enumerate(view.tray.counted)
        )
    if not tray.dice:
        known: Sequence[Face | None] = rolled or (None,) * DICE
        state = "rolling" if tray.status is Status.MOVING else "faded"
        return tuple(
            DieView(n, face, state, "", False, (), 0, False) for n, face in enumerate(known)
        )
    shown = []
    tapped = gettext("tap") if presses(view).correct else ""
    for number, die in enumerate(tray.dice):
        if die.face is None:
            state, word = "unknown", tapped
        elif die.bumped:
            state, word = "unsure", gettext("thrown?")
        elif not die.sure:
            state, word = "unsure", gettext("unsure")
        elif view.rolling and number in view.picked and tray.status not in _THROWN:
            state, word = "picked", gettext("picked")
        elif rolled is None or not view.rolling:
            state, word = ("faded", "") if view.rolling and not die.thrown else ("", "")
        elif die.thrown:
            state, word = "thrown", gettext("thrown")
        elif tray.status in _THROWN:
            state, word = "kept", gettext("kept")
        else:
            state, word = "kept", "" if number in view.throwable else gettext("stays")
        likely = tuple(map(Face, die.likely)) if not die.sure else ()
        shown.append(
            DieView(
                number=number,
                face=_face(die.face),
                state=state,
                word=word,
                thrown=die.thrown,
                likely=likely + tuple(face for face in Face if face not in likely),
                guesses=len(likely),
                pictured=die.place is not None,
            )
        )
    return tuple(shown)


def _face(name: str | None) -> Face | None:
    return None if name is None else Face(name)


def spoken(die: DieView, words: Terms) -> str:
    """Return a die in words, for those who hear the page."""
    shows = words.faces[die.face] if die.face else gettext("not known")
    said = ", ".join(filter(None, (shows, die.word)))
    return gettext("Die %(number)s: %(said)s", number=die.number + 1, said=said)


class Presses(NamedTuple):
    """What this phone may do with the dice now.

    buttons: it shows the twins of the buttons; no_accept, no_stop: why they don't work now ("":
    they do); throw: the table can throw; correct: a tapped die can be corrected; missing: a die can
    be added that the camera misses; by_hand: all of
    them can be said, since the camera can't; pick: the dice that a tap picks up, for the table to
    throw.
    """

    buttons: bool
    no_accept: str
    no_stop: str
    throw: bool
    correct: bool
    missing: bool
    by_hand: bool
    pick: tuple[int, ...]


def presses(view: TableView) -> Presses:
    """Return what this phone may do with the dice now."""
    game, status = view.game, view.tray.status
    if game is None or not view.rolling or not (view.host or view.seat == game.turn):
        return Presses(False, "", "", False, False, False, False, ())
    thrown = status in _THROWN
    throws = view.camera.throws and not thrown
    no_stop = "" if Action.STOP in game.actions else gettext("roll first")
    if status in (Status.READY, Status.UNSURE, Status.BESIDE):
        no_stop = gettext("accept first")
    return Presses(
        buttons=True,
        no_accept=str(_NO_ACCEPT[status]),
        no_stop=no_stop,
        throw=throws and (game.dice is None or bool(view.picked)),
        correct=bool(view.tray.counted)
        or (bool(view.tray.dice) and (game.dice is not None or status is not Status.LYING)),
        missing=0 < len(view.tray.counted) < DICE,
        by_hand=status in _UNREADABLE and not view.by_hand,
        pick=view.throwable if throws and game.dice is not None and view.tray.dice else (),
    )


class Beside(NamedTuple):
    """Dice that may have been kept beside the tray: their numbers, and the names of their faces."""

    dice: tuple[int, ...]
    faces: tuple[Face, ...]
    names: tuple[str, ...]


def beside(view: TableView) -> tuple[Beside, ...]:
    """Return what may lie beside the tray, where that is asked of this phone."""
    words, tray = terms_of(view), view.tray
    if not presses(view).buttons:
        return ()
    choices = []
    for dice in tray.choices:
        faces = tuple(Face(face) for die in dice if (face := tray.dice[die].face))
        choices.append(Beside(dice, faces, tuple(words.faces[face] for face in faces)))
    return tuple(choices)


def asked(view: TableView) -> bool:
    """Return whether this phone must decide something that is not thrown."""
    question = view.question
    return (
        view.phase is Phase.PLAYING
        and question is not None
        and question.action is not Action.ROLL
        and question.seat in view.decides
    )


def passed_secrets(view: TableView) -> tuple[int, ...]:
    """Return the seats whose roles are looked at on this phone, because they have none."""
    if view.game is None:
        return ()
    return tuple(seat for seat in view.passed_around if view.game.players[seat].role is None)


def rolls(view: TableView) -> str:
    """Return which roll is next: `Roll 2 of 3`."""
    assert view.game is not None
    character = CHARACTERS[view.game.players[view.game.turn].character]
    most = character.ability.max_rolls
    return gettext("Roll %(roll)s of %(most)s", roll=min(view.game.rolls + 1, most), most=most)


def throws(view: TableView) -> str:
    """Return what the table throws if it is told to: `Throw two dice`."""
    count = len(view.picked)
    if not count or view.game is None or view.game.dice is None:
        return gettext("Throw the dice")
    number = terms_of(view).number(count)
    return ngettext("Throw one die", "Throw %(number)s dice", count, number=number)


def learned(view: TableView) -> str:
    """Return how many pictures of which faces were learned while playing ("" if none)."""
    words = terms_of(view)
    known = ((words.faces[face], view.learned.get(face, 0)) for face in Face)
    return ", ".join(f"{name}\N{NO-BREAK SPACE}{count}" for name, count in known if count)


def winners(view: TableView) -> tuple[str, ...]:
    """Return who won."""
    assert view.game is not None
    assert view.game.result is not None
    return tuple(view.game.players[seat].name for seat in view.game.result.winners)


class Away(NamedTuple):
    """How far somebody sits from the player whose turn it is, by the shorter way round.

    left, right: on which hand; both where both ways are as long.
    """

    places: int
    left: bool
    right: bool


def away(view: TableView, seat: int) -> Away | None:
    """Return how far `seat` is away while that counts: to a player who is in the game."""
    ways = view.question.away.get(seat) if view.question else None
    if ways is None:
        return None
    # Seats are numbered clockwise, and the next one clockwise sits on the left hand.
    left, right = ways
    places = min(ways)
    return Away(places, left == places, right == places)


def spoken_away(distance: Away) -> str:
    """Return a distance in words, for those who hear the page."""
    if distance.left and distance.right:
        return ngettext("%(num)s place away", "%(num)s places away", distance.places)
    if distance.left:
        return ngettext("%(num)s place to the left", "%(num)s places to the left", distance.places)
    return ngettext("%(num)s place to the right", "%(num)s places to the right", distance.places)


def calls(view: TableView) -> str:
    """Return what this phone is needed for, as a text that changes when it is needed anew.

    Empty while it is not: phones call their players when it becomes another text.
    """
    if view.game is None or view.phase is not Phase.PLAYING:
        return ""
    if asked(view):
        return f"question-{view.version}"
    if view.rolling and view.seat == view.game.turn:
        turns = sum(isinstance(event, TurnBegan) for event in view.story)
        return f"turn-{view.game_number}-{turns}"
    return ""


class Bet(NamedTuple):
    """A side that may win: its name, its chance in percent (None: not worked out), and whether this
    player thinks so.
    """

    side: Side
    name: str
    percent: int | None
    chosen: bool


def bets(view: TableView) -> tuple[Bet, ...]:
    """Return the sides that may still win, for an eliminated player to guess."""
    assert view.game is not None
    words, own = terms_of(view), view.guesses.get(view.seat if view.seat is not None else -1)
    shares = view.odds.shares if view.odds else {}
    return tuple(
        Bet(side, words.sides[side], _percent(shares.get(side)), side == own)
        for side in map(Side, view.sides)
    )


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def guessed(view: TableView) -> tuple[tuple[str, str, bool], ...]:
    """Return after the game who guessed what, and whether that was right."""
    if view.game is None or view.game.result is None:
        return ()
    words, side = terms_of(view), view.game.result.side
    return tuple(
        (view.game.players[seat].name, words.sides[Side(guess)], guess == side)
        for seat, guess in sorted(view.guesses.items())
    )

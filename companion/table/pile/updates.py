"""Update what is known about the pile after observations, presses and moves."""

from collections.abc import Collection
from dataclasses import replace

from companion.table.game import CardRules, Move, ReadAs, State
from companion.table.pile.observation import LaidCard, PileObservation, PileVerdict
from companion.table.pile.state import PileState
from companion.table.pile.status import Pile, PileStatus

AS_BEFORE = PileObservation(PileVerdict.NONE)
"""The observation of a pile on which nothing is new."""

_SEVERAL = 2
"""How many cards lie there at least when the camera sees several new ones."""


def camera_fails(known: PileState) -> PileState:
    """Return what is known once no camera watches the cards. What was laid still waits."""
    return replace(known, now=None, due=(), may_be_shown=(), counted=None, lifting=False)


def observed(
    known: PileState, seen: PileObservation, pile: Pile, titles: Collection[str]
) -> PileState:
    """Return what is known after an observation.

    pile: as everybody saw it before; titles: those that cards of the game have.
    """
    known = replace(known, now=seen)
    verdict = seen.verdict
    if verdict in (PileVerdict.OK, PileVerdict.UNSURE):
        likely = tuple(title for title in seen.likely if title in titles)
        sure = verdict is PileVerdict.OK and bool(likely) and likely[0] == seen.likely[0]
        card = LaidCard(
            likely[:1] if sure else likely, sure, seen.sign, seen.sign_sure, number=seen.number
        )
        known = without_illegal(known, pile)
        held = known.held and bool(known.laid)
        return replace(known, laid=(*known.laid, card), counted=None, held=held)
    if verdict is PileVerdict.MOVED:
        known = without_illegal(known, pile)
        if known.lifting or pile.status is PileStatus.ILLEGAL:
            return replace(known, now=AS_BEFORE, lifting=False)
    if verdict is PileVerdict.MANY and len(known.due) >= _SEVERAL:
        return taken_as_it_lies(replace(known, due=(), counted=None))
    if verdict is PileVerdict.FACEDOWN and None in known.due:
        return taken_as_it_lies(replace(known, due=_less(known.due, None), counted=None))
    return known


def without_illegal(known: PileState, pile: Pile) -> PileState:
    """Return what is known without a card that can't be played, which was taken back."""
    return without_waiting(known, pile) if pile.status is PileStatus.ILLEGAL else known


def without_waiting(known: PileState, pile: Pile) -> PileState:
    """Return what is known without the card that waits, or the flipped ones."""
    laid = () if pile.awaits is ReadAs.SIGN else known.laid[1:]
    return replace(known, laid=laid)


def taken_as_it_lies(known: PileState) -> PileState:
    """Return what is known once the pile counts as it lies, though the camera couldn't read it."""
    return replace(known, now=AS_BEFORE, taken_as_is=known.taken_as_is + 1)


def ignored(known: PileState, pile: Pile) -> PileState | None:
    """Return what is known once players put aside what the camera claims to see.

    None if there is nothing to put aside.
    """
    if known.laid and pile.status in _ON_A_CARD:
        return without_waiting(known, pile)
    if pile.status in (PileStatus.FACEDOWN, PileStatus.MANY, PileStatus.BLOCKED):
        return taken_as_it_lies(known)
    if pile.status is PileStatus.MOVED:
        return replace(known, now=AS_BEFORE)
    if known.due or known.counted:
        return replace(known, due=(), counted=None)
    return None


_ON_A_CARD = (
    PileStatus.CHOOSE,
    PileStatus.UNSURE,
    PileStatus.SIGN_UNSURE,
    PileStatus.ILLEGAL,
)
"""Statuses that are about a card which waits."""


def with_due_counted(known: PileState, awaits: ReadAs | None) -> PileState:
    """Return what is known once new cards that are due count as such.

    awaits: how the next card is read; of cards read by their titles, only the first is looked at.
    """
    laid: list[LaidCard] = []
    for card in known.laid:
        if not card.new or (laid and awaits is not ReadAs.SIGN):
            laid.append(card)
            continue
        due = _less_card(known.due, card)
        if card.title in known.may_be_shown:
            known = replace(known, may_be_shown=(), lifting=True)
        elif due is None:
            laid.append(replace(card, new=False))
        else:
            known = replace(known, due=due, counted=card)
    return replace(known, laid=tuple(laid))


def _less_card(due: tuple[str | None, ...], card: LaidCard) -> tuple[str | None, ...] | None:
    """Return the cards still due after one was laid; None if it isn't one of them."""
    for title in (*card.likely, None):
        if title in due:
            return _less(due, title)
    return None


def _less(due: tuple[str | None, ...], title: str | None) -> tuple[str | None, ...]:
    place = due.index(title)
    return due[:place] + due[place + 1 :]


def moved(known: PileState, rules: CardRules, before: State, move: Move, after: State) -> PileState:
    """Return what is known after a move from one state of the game to the next."""
    laid, counted = list(known.laid), known.counted
    own: list[str | None] = []
    shown: list[str] = []
    lays = rules.lays(move)
    for title in lays:
        if laid:
            del laid[0]
        elif counted is not None:
            counted = None
        elif not rules.is_taken_back(move):
            own.append(title)
        elif title is not None:
            shown.append(title)
    due = rules.due(before, move, after)
    taken_as_is = known.taken_as_is
    now = known.now
    if move == rules.ending(before):
        # What was laid before the turn ended was discarded.
        due, laid = due[len(laid) :], []
        if due and now and now.verdict in (PileVerdict.MANY, PileVerdict.FACEDOWN):
            due = () if now.verdict is PileVerdict.MANY else due[1:]
            now, taken_as_is = AS_BEFORE, taken_as_is + 1
    elif not lays:
        due = known.due + due
    if now is None:
        own, due, shown = [], (), []
    elif now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(
        now=now,
        laid=tuple(replace(card, early=True) for card in laid),
        due=(*own, *due),
        may_be_shown=tuple(shown),
        # A player who presses quickly hasn't taken the card back yet.
        lifting=rules.lifts(before, move, after) or (known.lifting and not lays),
        taken_as_is=taken_as_is,
    )


def undone(known: PileState, pile: Pile) -> PileState:
    """Return what is known once a move was undone: cards that wait go on waiting, for a tap.

    Flipped ones don't: what they were flipped for may be undone.
    """
    laid = known.laid if pile.awaits is ReadAs.TITLE else ()
    return replace(reset(known), laid=laid, held=bool(laid))


def reset(known: PileState) -> PileState:
    """Return what is known once the game has moved otherwise: what lies there counts as laid."""
    now = known.now
    if now and now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(now, taken_as_is=known.taken_as_is)

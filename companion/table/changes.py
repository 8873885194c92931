"""What presses on a phone may change, and what each change requires of the press.

A change is a function from one `Scene` to the next that raises `Refused` if the press does
nothing. `Table.do` checks the press, makes the change, saves it and shows it. Each phone is known
by a secret, of which a scene holds only the digest.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Concatenate, Generic, NamedTuple, ParamSpec

from companion.base.refused import Message, Problem, Refused
from companion.table.journal.saved import Person
from companion.table.scene import Claim, Guest, Phase, Scene, running

P = ParamSpec("P")


class Press(NamedTuple):
    """A press on a page."""

    person: int | None
    """The person whose phone sent it; None for a phone without a seat."""
    version: int | None = None
    """The version of the table that the page showed."""
    reading: int | None = None
    """The number of the reading that the page showed."""


class Permission(Enum):
    """Who may make a change."""

    ANYBODY = auto()
    """Every phone; the change itself checks whose it is."""
    TURN = auto()
    """The player whose turn it is, or the host."""
    AWAITED = auto()
    """The phone on which the player decides who must decide now, or the host."""
    HOST = auto()


@dataclass(frozen=True, slots=True)
class Change(Generic[P]):
    """A function from one scene to the next, with its requirements of a press."""

    function: Callable[Concatenate[Scene, int | None, P], Scene]
    """Takes the scene, the person who pressed, and what the page sent."""
    by: Permission
    """Who may press it."""
    versioned: bool
    """Whether the page must show the table as it is now."""
    sees_tray: bool
    """Whether the page must show the dice or the cards as they lie now, too."""
    phase: Phase | None
    """The only phase in which it is allowed; None for any."""

    def __call__(self, scene: Scene, press: Press, *arguments: P.args, **named: P.kwargs) -> Scene:
        """Return the scene after a press. Raises Refused."""
        self.check(scene, press)
        return self.function(scene, press.person, *arguments, **named)

    def check(self, scene: Scene, press: Press) -> None:
        """Raise Refused unless the press meets the change's requirements."""
        if self.versioned:
            check_current(scene, press, sees_tray=self.sees_tray)
        if self.by is Permission.HOST:
            check_host(scene, press.person)
        elif self.by is Permission.TURN:
            _check_turn(scene, press.person)
        elif self.by is Permission.AWAITED:
            _check_awaited(scene, press.person)
        if self.phase is not None and scene.phase is not self.phase:
            raise Refused(Problem.ILLEGAL, _NOT_IN_PHASE[self.phase])


_NOT_IN_PHASE = {
    Phase.LOBBY: Message("you can’t do that during a game"),
    Phase.OVER: Message("the game is not over yet"),
}
"""Why a change that belongs to one phase is refused in the others."""


def change(
    by: Permission = Permission.ANYBODY,
    *,
    versioned: bool = True,
    sees_tray: bool = False,
    phase: Phase | None = None,
) -> Callable[[Callable[Concatenate[Scene, int | None, P], Scene]], Change[P]]:
    """Return a decorator that turns a function into a `Change`."""

    def made(function: Callable[Concatenate[Scene, int | None, P], Scene]) -> Change[P]:
        return Change(function, by, versioned, sees_tray, phase)

    return made


def check_current(scene: Scene, press: Press, *, sees_tray: bool = False) -> None:
    """Raise Refused unless the page shows the table and, if required, the tray as they are."""
    if press.version != scene.version or (sees_tray and press.reading != scene.reading):
        raise Refused(Problem.STALE, "Something has changed. Check the page, then try again.")


def check_host(scene: Scene, person: int | None) -> None:
    """Raise Refused unless the phone is the host's."""
    if not any(entry.host and entry.id == person for entry in scene.people):
        raise Refused(Problem.FORBIDDEN, "only the host can do that")


def _check_turn(scene: Scene, person: int | None) -> None:
    here = person_here(scene, person)
    if here is not None and here.host:
        return
    if here is None or seat_of(scene, here) != running(scene).standing.turn:
        raise Refused(Problem.FORBIDDEN, "only the player whose turn it is or the host can do that")


def _check_awaited(scene: Scene, person: int | None) -> None:
    here = person_here(scene, person)
    awaited = running(scene).standing.awaited
    if not (here is not None and here.host) and awaited not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")


def person_here(scene: Scene, person: int | None) -> Person | None:
    """Return a person at the table; None for anybody else."""
    return next((entry for entry in scene.people if entry.id == person), None)


def seat_of(scene: Scene, person: Person | None) -> int | None:
    """Return a person's seat in the game, or in the one being dealt; None before that."""
    if person is None or scene.phase is Phase.LOBBY:
        return None
    return scene.people.index(person)


def seats_without_phone(scene: Scene) -> tuple[int, ...]:
    """Return the seats whose players have no phone, and for whom no stand-in plays."""
    return tuple(
        seat
        for seat, person in enumerate(scene.people)
        if person.token is None and person.id not in scene.stand_ins.levels
    )


def decides(scene: Scene, person: int | None) -> tuple[int, ...]:
    """Return the seats whose decisions are made on a person's phone, ascending.

    The host's phone is passed round to players without one.
    """
    here = person_here(scene, person)
    seat = seat_of(scene, here)
    if here is None or seat is None:
        return ()
    return tuple(sorted({seat, *(seats_without_phone(scene) if here.host else ())}))


def may_undo(scene: Scene, person: Person | None) -> bool:
    """Return whether a player may undo the last move now."""
    if scene.history is None or person is None or not scene.history.undoable:
        return False
    return person.host or scene.people.index(person) == scene.history.standing.turn


# Whose phone it is


def new_secret() -> str:
    """Return a new secret for a phone, which nobody can guess."""
    return secrets.token_urlsafe(24)


def digest(secret: str) -> str:
    """Return the digest of a phone's secret, or of anything else that isn't to be stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def person_of(scene: Scene, secret: str) -> int | None:
    """Return the person whose phone holds a secret."""
    known = digest(secret)
    for person in scene.people:
        if person.token is not None and hmac.compare_digest(person.token, known):
            return person.id
    return None


def claim_of(scene: Scene, secret: str) -> Claim | None:
    """Return the unanswered request of a phone without a seat."""
    known, claims = digest(secret), scene.requests.claims
    return next((claim for claim in claims if hmac.compare_digest(claim.token, known)), None)


def guest_of(scene: Scene, secret: str) -> Guest | None:
    """Return the guest whose phone holds a secret."""
    known, queue = digest(secret), scene.requests.queue
    return next((guest for guest in queue if hmac.compare_digest(guest.token, known)), None)


def check_code(scene: Scene, code: str) -> None:
    """Raise Refused unless this is the table's join code, in letters of any case."""
    if not hmac.compare_digest(code.strip().upper().encode(), scene.code.encode()):
        raise Refused(Problem.FORBIDDEN, "Wrong code. The table page shows the current one.")

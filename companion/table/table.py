"""The running table: every press, every phone and every reading goes through it.

A change takes one lock, is saved before it counts, and replaces the immutable `Scene`.
So looking at the table (`view`) needs no lock. A press from a phone names the version that its
page showed, and is refused if the table has moved on.
"""

import hashlib
import hmac
import logging
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from companion import __version__
from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.games.game import Game, Odds, RecordOrigin, Selection, WantedOdds
from companion.table import rounds, seats
from companion.table import scene as scenes
from companion.table.changes import Change, P, Press, check_current, check_host
from companion.table.history import History
from companion.table.journal.facts import LASTING, changes, restore_scene, saved
from companion.table.journal.journal import GAMES, STORIES, Journal, JournalError, utc_now
from companion.table.lessons import CorrectionLearner, Lessons
from companion.table.past.opened import OpenedRecords
from companion.table.past.past_games import PastGames
from companion.table.past.replays import Replay, finished
from companion.table.scene import CameraStatus, Claim, Guest, Phase, Scene, Trouble, surface_of
from companion.table.spectators import Spectators
from companion.table.surface.cards import laying
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Place
from companion.table.surface.interface import AnySurface, Seen, Signal
from companion.table.views import TableView, Viewer, may_see_chances

_log = logging.getLogger(__name__)

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of the join code, chosen because they are hard to confuse."""

EPOCH = 1 << 20
"""The least versions to skip at each start, because damage may have lost the last ones."""

FIRST_BELOW = 1 << 44
"""The first version of a new table and the first reading of each start are random, below this.

A page sends them as up to 15 digits: there is room for millions of starts."""

_MARKS = tuple(f"{number:02}" for number in range(100))
"""Signs by which the host recognises the phone that asks for a seat."""


class FinishedGame(NamedTuple):
    """A game whose roles are all known."""

    name: str
    """Its name, unique across tables."""
    record: str
    """Its record."""


class CardLayer(Protocol):
    """Lays cards into a simulated tray."""

    def play(self, title: str) -> None:
        """Lay a card with this title. Raises Refused if all its copies lie in the tray."""

    def flip(self) -> None:
        """Lay the top card of the deck."""

    def take_off(self) -> None:
        """Take the topmost card off the pile."""


class GameKeeper(Protocol):
    """Keeps more of each game that leaves the table than its record."""

    def keep(self, record: Path, scene: Scene) -> None:
        """Keep what is to be kept of the game of a scene, whose record this file is."""


class Table:
    """The table. Every method may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        games: Mapping[str, Game],
        selection: Selection,
        *,
        chance: random.Random | None = None,
        now: Callable[[], str] = utc_now,
        epoch: Callable[[int], int] = secrets.randbelow,
        ask_always: bool = False,
        fallen_see_roles: bool = False,
    ) -> None:
        """Open the table that the journal saved. Raises JournalError.

        games: those that can be played, by the name in their records' headers; selection:
        what is played next; chance: deals roles and characters (default: the system's randomness);
        now: returns the time as records have it; epoch: returns a number below the one given, from
        which this start counts versions and readings;
        ask_always: ask even if all legal answers are equivalent; fallen_see_roles:
        eliminated players may look at all roles, until the host chooses.
        """
        self._lock = threading.RLock()
        self._journal = journal
        self._chance = chance or secrets.SystemRandom()
        self._now = now
        self.listeners = Listeners()
        """Told after every change."""
        self._reasons: dict[Trouble, dict[str, str]] = {}
        self._throw: Callable[[Sequence[Place]], None] | None = None
        self._lessons = Lessons()
        self._followers: list[Callable[[Scene, Scene], None]] = [self._lessons.follow]
        self.card_layer: CardLayer | None = None
        """Lays cards into a simulated tray; None without one."""
        self.keeper: GameKeeper | None = None
        """Keeps more of each game that leaves the table than its record; None if nothing does."""
        self.spectators = Spectators()
        """Those who look at the odds."""
        self._viewer = Viewer()
        self.opened = OpenedRecords(games)
        """Records of other tables that are watched here."""
        was = journal.saved
        code = was.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4))
        records = journal.path.with_name(GAMES)
        self.past = PastGames(journal.path.with_name(STORIES), games, records, code)
        """The finished games."""
        # Versions and readings on old pages must never match newer ones.
        version = was.version + EPOCH + epoch(EPOCH)
        scene = Scene(
            version=version if was.version else 1 + epoch(FIRST_BELOW),
            code=code,
            games=games,
            selection=selection,
            usual=selection,
            people=was.people,
            surface=surface_of(selection.game),
            last_game=was.last_game,
            reading=epoch(FIRST_BELOW),
            ask_always=ask_always,
            fallen_see_roles=fallen_see_roles,
        )
        scene, senseless = restore_scene(scene, was)
        if senseless:
            _log.warning("%s: can't be understood: %s", journal.path, ", ".join(senseless))
            journal.distrust()
        self._scene = replace(scene, latest=_latest(None, scene.history))
        if journal.missing:
            self.report(Trouble.LOST, journal.missing)
        # On a full disk, it is saved with the first press that can be saved.
        with suppress(Refused):
            self._take(self._scene)

    # Looking

    def follow(self, follower: Callable[[Scene, Scene], None]) -> None:
        """Call `follower` after every press, with what was before it and what is now."""
        with self._lock:
            self._followers.append(follower)

    @property
    def scene(self) -> Scene:
        """Everything as it is now. It contains secrets: never send it anywhere."""
        return self._scene

    @property
    def journal(self) -> Journal:
        """The journal that saves the table."""
        return self._journal

    @property
    def signal(self) -> Signal:
        """What the status light shows now."""
        return self._scene.signal

    @property
    def code(self) -> str:
        """The join code."""
        return self._scene.code

    @property
    def language(self) -> str:
        """The language of pages that the host chose; empty: each phone has its own."""
        return self._scene.language

    def person(self, token: str) -> int | None:
        """Return the person whose phone holds `token`."""
        digest = _digest(token)
        for person in self._scene.people:
            if person.token is not None and hmac.compare_digest(person.token, digest):
                return person.id
        return None

    def view(self, person: int | None = None) -> TableView:
        """Return what the phone of `person` may see or, without one, what everybody may."""
        return self._viewer.view(self._scene, person)

    def role(self, person: int | None, seat: int) -> str:
        """Return the role at `seat`, for its owner or for the host, whose phone is passed round."""
        scene = self._scene
        role = None
        if seat in self._viewer.view(scene, person).decides:
            if scene.history is not None:
                role = scene.history.game.roles(scene.history.state)[seat]
            elif scene.dealing is not None:
                role = scene.dealing.roles[seat]
        if not role:
            raise Refused(Problem.FORBIDDEN, "you can’t see this role")
        return role

    def roles(self, person: int | None) -> tuple[str, ...]:
        """Return all roles by seat, for an eliminated player if the table allows it."""
        scene = self._scene
        if scene.history is None or not self._viewer.view(scene, person).sees_roles:
            raise Refused(Problem.FORBIDDEN, "you can’t see the roles")
        return scene.history.game.roles(scene.history.state)

    def claim(self, token: str) -> Claim | None:
        """Return the unanswered request of a phone without a seat."""
        digest = _digest(token)
        for claim in self._scene.claims:
            if hmac.compare_digest(claim.token, digest):
                return claim
        return None

    def guest(self, token: str) -> Guest | None:
        """Return the guest whose phone holds `token`."""
        digest = _digest(token)
        for guest in self._scene.queue:
            if hmac.compare_digest(guest.token, digest):
                return guest
        return None

    def record(self) -> str:
        """Return the record of a finished game. Raises Refused while roles are secret."""
        finished = self.finished()
        if finished is None:
            raise Refused(Problem.FORBIDDEN, "the record shows all roles: save it after the game")
        return finished.record

    def finished(self) -> FinishedGame | None:
        """Return the finished game on the table; None while there is none or roles are secret."""
        history = self._scene.history
        if history is None or history.standing.outcome is None:
            return None
        return FinishedGame(self._scene.game_name, history.record)

    def replay(self, number: int) -> Replay | None:
        """Return a finished game of this table, to be watched again; None if there is none."""
        scene = self._scene
        if scene.history is not None and scene.history.number == number:
            return finished(scene)
        return self.past.replay(number)

    def keep_opened(self, press: Press, number: int) -> None:
        """Keep a record that was opened with the games of this table. Raises Refused."""
        with self._lock:
            self.check_host(press)
            opened = self.opened.replay(number)
            if opened is None:
                raise Refused(Problem.STALE, "This record is gone. Open it again.")
            if opened.history.standing.outcome is None:
                raise Refused(Problem.ILLEGAL, "only games that are over can be kept")
            record = opened.history.record
            name = f"opened-{hashlib.sha256(record.encode()).hexdigest()[:12]}"
            try:
                self._journal.keep_record(name, record)
            except JournalError as error:
                raise Refused(
                    Problem.FAILED, "nothing was changed: %(error)s", error=self._journal.fault
                ) from error
            self.opened.note_kept(number)

    # Pressing

    def do(self, change: Change[P], press: Press, *given: P.args, **named: P.kwargs) -> None:
        """Make the change of a press. `given`: what the page sent with it.

        Raises Refused, with nothing changed.
        """
        with self._lock:
            before = self._scene
            self._take(change(before, press, *given, **named))
            self._tell(before)

    def check_host(self, press: Press) -> None:
        """Raise Refused unless the host pressed on an up-to-date page."""
        scene = self._scene
        check_current(scene, press)
        check_host(scene, press.person)

    def press_green(self) -> None:
        """Accept the dice or end the turn, as the green button does. Pages show a refusal."""
        self._press(scenes.press_green)

    def press_red(self) -> None:
        """Stop rolling or pass, as the red button does. Pages show a refusal."""
        self._press(scenes.press_red)

    def hold_both_buttons(self) -> None:
        """Let the players at the table stand in for the host's lost phone."""
        self._press(lambda scene: seats.vouch(scene, Press(None)))

    def _press(self, change: Callable[[Scene], Scene]) -> None:
        with self._lock:
            before = self._scene
            try:
                self._take(change(before))
                self._tell(before)
            except Refused as refused:
                self._show(replace(self._scene, notice=refused.reason))

    def _tell(self, before: Scene) -> None:
        for follower in self._followers:
            follower(before, self._scene)

    # Changes that need randomness or the time

    def join(self, name: str, code: str) -> str:
        """Take a seat as `name` and return this phone's secret. Raises Refused.

        The first to join is the host and needs no code. During a game, or at a full table, the
        phone waits for the next game.
        """
        with self._lock:
            token, scene = _new_token(), self._scene
            if scene.people:
                self._check_code(code)
            free = scene.phase is Phase.LOBBY and len(scene.people) < seats.MAX_PEOPLE
            self.do(seats.join if free else seats.wait, Press(None), name, _digest(token))
            return token

    def claim_seat(self, person: int, code: str, before: str = "", *, address: str = "") -> str:
        """Ask for a seat from a phone that holds none; return the secret that will hold it.

        It opens nothing until the host agrees. before: the secret that the same phone was given
        when it last asked; address: where it asks from, which can ask for one seat at a time.
        Raises Refused.
        """
        with self._lock:
            self._check_code(code)
            token, earlier = _new_token(), self.claim(before)
            others = [claim for claim in self._scene.claims if claim != earlier]
            if address and any(one.address == _digest(one.token + address) for one in others):
                raise Refused(
                    Problem.ILLEGAL,
                    "another phone at your address has asked for a seat: the host must answer it "
                    "first",
                )
            marks = {claim.mark for claim in others}
            mark = secrets.choice([mark for mark in _MARKS if mark not in marks])
            digest = _digest(token)
            asked_from = _digest(digest + address) if address else ""
            request = Claim(secrets.randbelow(10**9), person, digest, mark, asked_from)
            self.do(seats.claim, Press(None), request, earlier)
            if (guest := self.guest(before)) is not None:
                self.do(seats.leave_queue, Press(None), guest)
            return token

    def _check_code(self, code: str) -> None:
        given, own = code.strip().upper().encode(), self._scene.code.encode()
        if not hmac.compare_digest(given, own):
            raise Refused(Problem.FORBIDDEN, "Wrong code. The table page shows the current one.")

    def start_game(self, press: Press) -> None:
        """Deal, and start the game unless cards must still be entered or chosen. Raises Refused."""
        self.do(rounds.start_game, press, self._chance, self._origin())

    def play_again(self, press: Press) -> None:
        """Deal a new game to the same seats after a game. Raises Refused."""
        self.do(rounds.play_again, press, self._chance, self._origin())

    def enter(
        self, press: Press, seat: int, role: str | None, character: str | None, number: int
    ) -> None:
        """Enter the cards that a player holds or chooses, see `rounds.enter`. Raises Refused."""
        self.do(rounds.enter, press, seat, role, character, number, self._origin())

    def _origin(self) -> RecordOrigin:
        return RecordOrigin(__version__, self._now())

    # The camera

    def see(self, seen: Seen) -> None:
        """Take over an observation of the dice, or the cards; a new card may be a move."""
        with self._lock:
            self._see(scenes.observe(self._scene, seen))

    def watch(
        self, camera: CameraStatus, throw: Callable[[Sequence[Place]], None] | None = None
    ) -> None:
        """Set what reads the dice from now on; without a camera, `CameraStatus()`.

        throw: throws all dice but those that lie at the places given, in a simulated tray.
        """
        with self._lock:
            self._throw = throw
            self._see(scenes.watch(self._scene, camera))

    def throw(self, press: Press) -> None:
        """Throw the dice that were picked up or, before the first roll, all. Raises Refused."""
        with self._lock:
            rolling.throw.check(self._scene, press)
            kept, throw = rolling.kept_places(self._scene), self._throw
        if throw is not None:
            throw(kept)

    def lay_card(self, press: Press, title: str) -> None:
        """Lay a card with this title into a simulated tray; "": the top one of the deck.

        Raises Refused.
        """
        layer = self._layer_for(press)
        if title:
            layer.play(title)
        else:
            layer.flip()

    def lift_card(self, press: Press) -> None:
        """Take the topmost card off a simulated pile. Raises Refused."""
        self._layer_for(press).take_off()

    def _layer_for(self, press: Press) -> CardLayer:
        with self._lock:
            laying.lay(self._scene, press)
            if self.card_layer is None:
                raise Refused(Problem.ILLEGAL, "this table can’t lay cards for you")
            return self.card_layer

    # What fails

    def report(self, trouble: Trouble, reason: str, part: str = "") -> None:
        """Report that a part fails, and why; without a reason, that it works again.

        part: which one, where several have the same trouble: it lasts until all work again.
        """
        with self._lock:
            reasons = self._reasons.setdefault(trouble, {})
            reasons[part] = reason
            reason = next(filter(None, reasons.values()), "")
            before = self._scene.troubles.get(trouble, "")
            if reason == before:
                return
            _log.warning("%s: %s", trouble, reason or "works again")
            others = {k: v for k, v in self._scene.troubles.items() if k is not trouble}
            troubles = {**others, trouble: reason} if reason else others
            self._show(replace(self._scene, troubles=troubles))

    # Learning

    def teach(self, kind: type[AnySurface], learner: CorrectionLearner) -> None:
        """Teach `learner` what players correct on one kind of surface: the dice, or the cards."""
        with self._lock:
            self._lessons.use(kind, learner, self._scene)

    def show_learned(self, counts: Mapping[str, int], fault: str = "") -> None:
        """Show what was learned, and why it could not be saved (empty if it could)."""
        with self._lock:
            notice = fault or self._scene.notice
            self._show(replace(self._scene, learned=counts, notice=notice))

    def forget_learned(self, press: Press) -> None:
        """Make the reader forget everything it learned while playing. Raises Refused."""
        with self._lock:
            self.check_host(press)
            learner = self._lessons.learner(self._scene.surface)
            if learner is None:
                raise Refused(Problem.ILLEGAL, "this table doesn’t learn while playing")
            learner.forget()

    # Odds

    def odds_wanted(self) -> WantedOdds | None:
        """Return the game up to the moment whose odds somebody wants; None if nobody does.

        The game contains secrets: odds must be worked out from public knowledge.
        """
        return self.spectators.wanted(self._scene)

    def show_odds(self, wanted: WantedOdds, odds: Odds) -> None:
        """Take over the odds of a game, unless it has moved on."""
        with self._lock:
            if wanted == self.odds_wanted():
                self._show(replace(self._scene, odds=odds))

    def spectate(self, person: int | None) -> TableView:
        """Return what a spectator may see, with the odds. Raises Refused for other players.

        Living players don't get them; nor does a phone that decides for one.
        """
        view = self.view(person)
        if not may_see_chances(view):
            raise Refused(Problem.FORBIDDEN, "only spectators and eliminated players see chances")
        self.spectators.look()
        return replace(view, odds=self._scene.odds)

    # Saving and showing

    def _see(self, scene: Scene) -> None:
        """Show what the camera changed, with the moves that follow; save it first if need be.

        What can't be saved becomes no move: it waits in the tray until it can.
        """
        before, after = self._scene, scenes.settle(scene)
        if after.history is not before.history or after.surface.kept != before.surface.kept:
            with suppress(Refused):
                self._take(after)
                return
            after = replace(scene, troubles=self._scene.troubles)
        self._show(after)

    def _take(self, scene: Scene) -> None:
        """Save what must outlast a power cut, then show the scene. Raises Refused."""
        before, after = self._journal.saved, saved(scene)
        changed = changes(before, after)
        if not changed:
            self._show(scene)
            return
        left, history = self._scene.history, scene.history
        if left is not None and history is not None and left.number == history.number:
            left = None
        if left is not None:
            # The next game starts without it.
            scene = _without_troubles(scene, *LASTING)
            after = saved(scene)
        try:
            kept = self._journal.keep_damaged()
            if kept is not None:
                trouble = Trouble.OLDER if self._journal.older else Trouble.DAMAGE
                self.report(trouble, kept.name)
                # Part of the save that replaces them: after a pulled plug it is still told.
                scene = replace(scene, troubles={**scene.troubles, trouble: kept.name})
                after = saved(scene)
            if left is not None:
                record = self._journal.keep_record(self._scene.game_name, left.record)
                if self.keeper is not None:
                    self.keeper.keep(record, self._scene)
                if left.standing.outcome is not None:
                    self.past.keep(self._scene)
            # Corrections must survive a crash, but not a power cut: dice and cards still lie there.
            self._journal.save(after, waits=not set(changed) <= {"tray", "pile"})
        except JournalError as error:
            self.report(Trouble.SAVING, self._journal.fault)
            raise Refused(
                Problem.FAILED, "nothing was changed: %(error)s", error=self._journal.fault
            ) from error
        self._show(_without_troubles(scene, Trouble.SAVING))

    def _show(self, scene: Scene) -> None:
        if scene is self._scene:
            return
        if scene.history is not self._scene.history:
            scene = replace(scene, latest=_latest(self._scene.history, scene.history))
        if scene.shown != self._scene.shown:
            scene = scene.with_reading(self._scene.reading + 1)
        self._scene = scene
        self.listeners.tell()


def _latest(before: History | None, now: History | None) -> int:
    """Return the number of the first move that led from one game to the next, or the last one."""
    if now is None:
        return 0
    goes_on = before is not None and before.number == now.number
    if before is not None and goes_on and len(before.moments) < len(now.moments):
        return len(before.moments)
    return len(now.moments) - 1


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _without_troubles(scene: Scene, *troubles: Trouble) -> Scene:
    left = {trouble: why for trouble, why in scene.troubles.items() if trouble not in troubles}
    return replace(scene, troubles=left) if left != scene.troubles else scene

"""The running table: every press, every phone and every reading goes through it.

A change takes one lock, is saved before it counts, and replaces the immutable `Scene`.
So looking at the table (`view`) needs no lock. A press from a phone names the version that its
page showed, and is refused if the table has moved on.
"""

import logging
import random
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from companion.base.refused import Problem, Refused
from companion.games.game import Game, Selection
from companion.table import scene as scenes
from companion.table import seats
from companion.table.changes import Change, P, Press, check_current, check_host
from companion.table.history import History
from companion.table.journal.facts import LASTING, changes, restore_scene, saved
from companion.table.journal.journal import Journal, JournalError, utc_now
from companion.table.lessons import Lessons
from companion.table.past.opened import OpenedRecords
from companion.table.past.past_games import PastGames
from companion.table.scene import CameraStatus, Environment, Scene, Trouble, surface_of
from companion.table.spectators import Spectators
from companion.table.surface.interface import Seen
from companion.table.views import TableView, Viewer

_log = logging.getLogger(__name__)

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of the join code, chosen because they are hard to confuse."""

EPOCH = 1 << 20
"""The least versions to skip at each start, because damage may have lost the last ones."""

FIRST_BELOW = 1 << 44
"""The first version of a new table and the first reading of each start are random, below this.

A page sends them as up to 15 digits: there is room for millions of starts."""

Follower = Callable[[Scene, Scene], object]
"""Is told what was before a change, and what is now."""


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
        self._followers: list[Follower] = []
        self._reasons: dict[Trouble, dict[str, str]] = {}
        self._viewer = Viewer()
        self.lessons = Lessons(self.follow, self.amend)
        """Those who learn from what players correct."""
        self.spectators = Spectators(self._viewer, lambda: self._scene, self.amend)
        """Those who look at the odds."""
        self.opened = OpenedRecords(games)
        """Records of other tables that are watched here."""
        was = journal.saved
        code = was.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4))
        self.past = PastGames(journal, games, code)
        """The finished games."""
        # Versions and readings on old pages must never match newer ones.
        version = was.version + EPOCH + epoch(EPOCH)
        scene = Scene(
            version=version if was.version else 1 + epoch(FIRST_BELOW),
            code=code,
            environment=Environment(
                games,
                selection,
                chance or secrets.SystemRandom(),
                now,
                ask_always=ask_always,
                fallen_see_roles=fallen_see_roles,
            ),
            selection=selection,
            people=was.people,
            surface=surface_of(selection.game),
            last_game=was.last_game,
            reading=epoch(FIRST_BELOW),
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

    def follow(self, follower: Follower) -> None:
        """Call `follower` after every change from now on, in the thread that made it.

        It must not wait. It is told what was before the change, and what is now.
        """
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

    def view(self, person: int | None = None) -> TableView:
        """Return the table as it is now for the phone of `person`, or for everybody."""
        return self._viewer.view(self._scene, person)

    # Pressing

    def do(self, change: Change[P], press: Press, *given: P.args, **named: P.kwargs) -> None:
        """Make the change of a press. `given`: what the page sent with it.

        Raises Refused, with nothing changed.
        """
        with self._lock:
            self._take(change(self._scene, press, *given, **named))

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
            try:
                self._take(change(self._scene))
            except Refused as refused:
                self._show(replace(self._scene, notice=refused.reason))

    # What is seen and reported

    def see(self, seen: Seen) -> None:
        """Take over an observation of the dice, or the cards; a new card may be a move."""
        with self._lock:
            self._see(scenes.observe(self._scene, seen))

    def watch(self, camera: CameraStatus) -> None:
        """Set what reads the dice from now on; without a camera, `CameraStatus()`."""
        with self._lock:
            self._see(scenes.watch(self._scene, camera))

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

    def amend(self, change: Callable[[Scene], Scene]) -> None:
        """Show a change of what isn't saved, such as the odds."""
        with self._lock:
            self._show(change(self._scene))

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
        leaves = left is not None and (history is None or left.number != history.number)
        if leaves:
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
            if leaves:
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
        before = self._scene
        if scene is before:
            return
        if scene.history is not before.history:
            scene = replace(scene, latest=_latest(before.history, scene.history))
        if scene.shown != before.shown:
            scene = scene.with_reading(before.reading + 1)
        self._scene = scene
        for follower in tuple(self._followers):
            try:
                follower(before, scene)
            except Exception:
                # What changed counts even if somebody could not be told.
                _log.exception("a follower failed")


def _latest(before: History | None, now: History | None) -> int:
    """Return the number of the first move that led from one game to the next, or the last one."""
    if now is None:
        return 0
    goes_on = before is not None and before.number == now.number
    if before is not None and goes_on and len(before.moments) < len(now.moments):
        return len(before.moments)
    return len(now.moments) - 1


def _without_troubles(scene: Scene, *troubles: Trouble) -> Scene:
    left = {trouble: why for trouble, why in scene.troubles.items() if trouble not in troubles}
    return replace(scene, troubles=left) if left != scene.troubles else scene

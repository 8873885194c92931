"""Stand-ins: seats that the table plays, for players who left or to fill up.

A stand-in decides like a person at the table: after a pause, and by what its seat may know. Its
dice are thrown by the people there; a table that throws dice itself does it for them. What it
decides follows from the game so far, so that it is the same after a restart.
"""

import logging
import time
from dataclasses import replace
from enum import Enum, auto
from random import Random, SystemRandom
from typing import NamedTuple

from companion.base.names import check_name
from companion.base.refused import Problem, Refused
from companion.base.worker import Worker, WorkerThread
from companion.games.game import AnyMove
from companion.table import moves, rounds, seats
from companion.table.changes import Permission, Press, change
from companion.table.history import History
from companion.table.scene import News, NewsKind, Phase, Scene, renew
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import TrayStatus, Wish
from companion.table.table import Table

_log = logging.getLogger(__name__)

LEVELS = ("random", "sensible", "strong")
"""How stand-ins can play, weakest first."""

NAMES = ("Abilene", "Buck", "Clementine", "Dusty", "Etta", "Flint", "Gus", "Hattie")
"""Their names in the lobby."""

PAUSE = 1.5
"""Seconds before each of their decisions, so that people can follow."""

_LONGEST = 10.0
"""The longest time before the table passes for a player, in pauses."""

_UNTHROWN = (TrayStatus.LYING, TrayStatus.EMPTY)
"""The dice wait for the player who throws next."""


# Which seats they play


@change(Permission.HOST, phase=Phase.LOBBY)
def add(scene: Scene, _: int | None, level: str) -> Scene:
    """Seat a stand-in."""
    _check_level(scene, level)
    for name in NAMES:
        try:
            check_name(name, seats.names(scene))
        except Refused:
            continue
        seated = seats.sit(scene, name, None, host=False)
        return seats.with_stand_in(seated, seated.people[-1].id, level)
    raise Refused(Problem.ILLEGAL, "all stand-ins sit at the table")


@change(phase=Phase.LOBBY)
def fill(scene: Scene, _: int | None, count: int, level: str) -> Scene:
    """Seat stand-ins alone at an empty table, the first one as the host."""
    _check_level(scene, level)
    if scene.people:
        raise Refused(Problem.ILLEGAL, "people sit at the table")
    for number in range(count):
        seated = seats.sit(scene, NAMES[number], None, host=not number)
        scene = seats.with_stand_in(seated, seated.people[-1].id, level)
    return scene


@change(versioned=False)
def dismiss(scene: Scene, _: int | None) -> Scene:
    """Free a table where stand-ins sit alone; its game is left, and guests who wait get seats."""
    if any(person.token is not None for person in scene.people):
        raise Refused(Problem.ILLEGAL, "people sit at the table")
    everybody = frozenset(person.id for person in scene.people)
    return rounds.new_game.function(replace(scene, left=everybody), None)


@change(Permission.HOST)
def assign(scene: Scene, _: int | None, person: int, level: str) -> Scene:
    """Let a stand-in play for somebody without a phone; without a level, the host again."""
    entry = seats.find(scene, person)
    if level:
        _check_level(scene, level)
        if entry.token is not None:
            raise Refused(Problem.ILLEGAL, "%(name)s has a phone", name=entry.name)
        if scene.phase is Phase.DEALING:
            raise Refused(Problem.ILLEGAL, "stand-ins can take over once the cards are dealt")
    elif person not in scene.stand_ins.levels:
        raise Refused(Problem.STALE, "no stand-in plays for %(name)s", name=entry.name)
    scene = seats.with_stand_in(scene, person, level)
    news = (News(NewsKind.STAND_IN if level else NewsKind.PHONELESS, entry.name),)
    return renew(seats.with_news(scene, *news))


def _check_level(scene: Scene, level: str) -> None:
    game = scene.history.game if scene.history else scene.selection.game
    if level not in LEVELS or not game.stand_ins:
        raise Refused(Problem.ILLEGAL, "there is no such stand-in")


@change()
def ask_for_throw(scene: Scene, person: int | None, dice: tuple[int, ...]) -> Scene:
    """Show which dice a stand-in wants to be thrown again."""
    surface = replace(rolling.dice_of(scene), wish=Wish(scene.version, dice))
    return replace(scene, surface=surface)


@change()
def decide(scene: Scene, person: int | None, move: AnyMove, why: tuple[object, ...]) -> Scene:
    """Make a stand-in's decision, and keep its reasons until the game leaves the table.

    While dice are awaited, the decision is to stop rolling.
    """
    assert scene.history is not None
    number = len(scene.history.moments)
    if scene.history.standing.rolling:
        after = rolling.stop.function(scene, person)
    else:
        after = moves.move.function(scene, person, move)
    reasons = {**after.stand_ins.reasons, number: why}
    return replace(after, stand_ins=replace(after.stand_ins, reasons=reasons))


# How they play


class _Duty(Enum):
    """What a stand-in can do."""

    DECIDE = auto()
    THROW = auto()
    ACCEPT = auto()
    PASS = auto()
    """Wait for a player's answer, and pass if their hand has none, so that nobody learns it from
    how long it takes them to press."""


class _Due(NamedTuple):
    """What a stand-in, or the table for a player, has to do now."""

    duty: _Duty
    person: int
    level: str
    version: int


def _due(scene: Scene) -> _Due | None:
    """Return what a stand-in has to do now; None if it is up to people, or to the dice."""
    history = scene.history
    if history is None or history.standing.awaited is None:
        return None
    person = scene.people[history.standing.awaited].id
    level = scene.stand_ins.levels.get(person)
    if level is None:
        hands = history.game.hands
        # Whether the player could answer makes no difference here, so that it takes no time.
        asked = hands is not None and hands.passing(history.state) is not None
        return _Due(_Duty.PASS, person, "", scene.version) if asked else None
    duty = _duty(scene, history)
    return None if duty is None else _Due(duty, person, level, scene.version)


def _duty(scene: Scene, history: History) -> _Duty | None:
    if not history.standing.rolling:
        return _Duty.DECIDE
    throws, status, known = (
        scene.camera.tray is not None,
        scene.shown.status,
        rolling.dice_of(scene),
    )
    if status is TrayStatus.READY:
        return _Duty.ACCEPT if throws else None
    if status not in _UNTHROWN:
        return None
    if rolling.is_first(scene):
        return _Duty.THROW if throws else None
    wished = known.wish is not None and known.wish.version == scene.version
    return None if wished and not throws else _Duty.DECIDE


def _can_only_pass(scene: Scene) -> bool:
    history = scene.history
    hands = history.game.hands if history else None
    return history is not None and hands is not None and hands.can_only_pass(history.state)


class StandIns(Worker):
    """Plays the stand-ins' seats, in its own thread."""

    def __init__(self, table: Table, *, pause: float = PAUSE) -> None:
        """Prepare the thread. pause: seconds before each decision."""
        super().__init__("stand-ins")
        self._table, self._pause = table, pause

    def catch_up(self, thread: WorkerThread) -> None:
        """Press for a stand-in, if it is one's turn.

        A press names its version, so what a thread that hung decides late is refused.
        """
        due = _due(self._table.scene)
        if due is None or not self._wait_until(thread, due):
            return
        scene = self._table.scene
        if _due(scene) != due:
            # People were quicker.
            self.wake()
            return
        try:
            self._act(scene, due)
        except Refused as refused:
            # Something has changed since, which calls for another look.
            _log.info("a stand-in was refused: %s", refused.reason)

    def _wait_until(self, thread: WorkerThread, due: _Due) -> bool:
        """Wait before doing what is due; return whether it is still to be done.

        For a player who has an answer, that is never.
        """
        pause = self._pause_before(due)
        if due.duty is not _Duty.PASS:
            return not thread.wait(pause)
        end = time.monotonic() + pause
        while (left := end - time.monotonic()) > 0 or not _can_only_pass(self._table.scene):
            if self.rest(thread, left if left > 0 else None):
                return False
            if _due(self._table.scene) != due:
                self.wake()
                return False
        return True

    def _pause_before(self, due: _Due) -> float:
        """Return how long to wait; before passing for a player, as long as somebody may think."""
        if due.duty is not _Duty.PASS:
            return self._pause
        # Nobody may work out when the table would pass, to tell it from a player.
        return self._pause * min(SystemRandom().lognormvariate(1.2, 0.5), _LONGEST)

    def _act(self, scene: Scene, due: _Due) -> None:
        table, press = self._table, Press(due.person, scene.version, scene.reading)
        if due.duty is _Duty.PASS:
            assert scene.history is not None
            assert scene.history.game.hands is not None
            passing = scene.history.game.hands.passing(scene.history.state)
            assert passing is not None
            table.do(moves.move, press, passing)
            return
        if due.duty is _Duty.ACCEPT:
            table.do(rolling.accept, press)
        elif due.duty is _Duty.THROW:
            rolling.throw_dice(table.scene, press)
        else:
            self._decide(scene, due, press)

    def _decide(self, scene: Scene, due: _Due, press: Press) -> None:
        table, history = self._table, scene.history
        assert history is not None
        assert history.game.decide is not None
        begun = time.monotonic()
        chance = Random(f"{scene.code} {history.number} {len(history.moments)}")
        states = [moment.state for moment in history.moments]
        made = [moment.move for moment in history.moments if moment.move is not None]
        decision = history.game.decide(due.level, states, made, chance)
        if history.game.hands is not None:
            # How long it takes to decide must not tell of the hand.
            time.sleep(max(0.0, self._pause / 5 - (time.monotonic() - begun)))
        if decision.move is None:
            self._throw(scene, decision.throw, press)
        else:
            table.do(decide, press, decision.move, decision.why)

    def _throw(self, scene: Scene, dice: tuple[int, ...], press: Press) -> None:
        table = self._table
        if not scene.camera.tray:
            table.do(ask_for_throw, press, dice)
            return
        for die in rolling.dice_of(scene).picked ^ set(dice):
            table.do(rolling.pick, press, die)
        rolling.throw_dice(table.scene, press)

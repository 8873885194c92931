"""The first run: camera, tray, dice, buttons and light, one after the other, a tick for each."""

import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from companion.dicegame.faces import DICE
from companion.table.refused import Problem, Refused
from companion.table.scene import Phase, Signal
from companion.table.table import Table
from companion.watching.setup import EmptyTray, Memory, SetupView

_log = logging.getLogger(__name__)


class Step(StrEnum):
    """What is looked at, in this order."""

    CAMERA = "camera"
    TRAY = "tray"
    DICE = "dice"
    BUTTONS = "buttons"
    LIGHT = "light"


class Tick(StrEnum):
    """How a step ended."""

    DONE = "done"
    WITHOUT = "without"
    """The table plays without this part, or the part needs nothing."""


class Button(StrEnum):
    """The buttons, in the order in which they are asked for."""

    GREEN = "green"
    RED = "red"


COLOURS = (Signal.CERTAIN, Signal.UNCERTAIN, Signal.ILLEGAL, Signal.WAITING)
"""What the light shows, in this order: green, amber, red, dim blue."""


class FirstRunView(NamedTuple):
    """What the page shows.

    now: the step that is open, None before and after; pressed: the buttons that came; swapped:
    whether the other one came last; colour: what the light shows, None once all were seen; unseen:
    whether somebody said that it does not. wired: whether there are pins with wires.
    """

    ticks: dict[Step, Tick]
    now: Step | None
    pressed: tuple[Button, ...]
    swapped: bool
    colour: Signal | None
    unseen: bool
    wired: bool

    @property
    def asked(self) -> Button | None:
        """The button that is to be pressed next."""
        return next((button for button in Button if button not in self.pressed), None)


class FirstRun:
    """The first run of one table. Every method may be called from any thread."""

    def __init__(self, table: Table, memory: Memory, *, wired: bool) -> None:
        """`wired`: whether the pins have wires."""
        self._table, self._memory, self._wired = table, memory, wired
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self._now: Step | None = None
        self._pressed: tuple[Button, ...] = ()
        self._swapped = False
        self._seen = 0
        self._unseen = False

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever page or light are to show something else."""
        self._listeners.append(listener)

    def _changed(self) -> None:
        # Never with the lock held: listeners ask the table, which may be asking here.
        for listener in self._listeners:
            listener()

    def view(self) -> FirstRunView:
        """Return what the page shows."""
        with self._lock:
            colour = COLOURS[self._seen] if self._seen < len(COLOURS) else None
            return FirstRunView(
                {
                    Step(step): Tick(tick)
                    for step, tick in self._memory.kept.steps.items()
                    if step in set(Step) and tick in set(Tick)
                },
                self._open,
                self._pressed,
                self._swapped,
                colour,
                self._unseen,
                self._wired,
            )

    @property
    def signal(self) -> Signal:
        """What the light says now: the table's, unless colours are being tried."""
        view = self.view()
        return view.colour if view.now is Step.LIGHT and view.colour else self._table.signal

    @property
    def _open(self) -> Step | None:
        """The step that is open. A game closes all: its buttons and its light are its own."""
        return self._now if self._table.view().phase is Phase.LOBBY else None

    # What happens by itself

    def look(self, setup: SetupView) -> None:
        """Tick what the camera shows to be well, in the step that is open."""
        with self._lock:
            now, sight = self._open, setup.sight
            well = sight is not None and not sight.advice
            certain = sight is not None and sight.dice == sight.sure == DICE
            shown = {
                Step.CAMERA: well,
                Step.TRAY: setup.tray is EmptyTray.KNOWN,
                Step.DICE: well and certain,
            }
            ticked = now is not None and shown.get(now, False) and self._tick(now, Tick.DONE)
        if ticked:
            self._changed()

    def press_green(self) -> None:
        """The green button was pressed."""
        if not self._take(Button.GREEN):
            self._table.press_green()

    def press_red(self) -> None:
        """The red button was pressed."""
        if not self._take(Button.RED):
            self._table.press_red()

    def _take(self, button: Button) -> bool:
        """Whether a press is one that was asked for here, and not for the table."""
        with self._lock:
            asked = self.view().asked
            if self._open is not Step.BUTTONS or asked is None:
                return False
            self._swapped = button is not asked
            if not self._swapped:
                self._pressed = (*self._pressed, button)
                if self.view().asked is None:
                    self._tick(Step.BUTTONS, Tick.DONE)
        self._changed()
        return True

    def _tick(self, step: Step, tick: Tick) -> bool:
        """Keep how a step ended; return whether that is new."""
        kept = self._memory.kept.steps
        if kept.get(step) == tick:
            return False
        try:
            self._memory.keep(steps={**kept, str(step): str(tick)})
        except Refused as refused:
            _log.warning("%s", refused)
            return False
        return True

    # Presses on the page

    def go(self, person: int | None, version: int, step: str) -> None:
        """Open a step, as if for the first time; "": close all. Raises Refused."""
        self._check(person, version)
        with self._lock:
            self._now = _step(step) if step else None
            self._pressed, self._swapped = (), False
            self._seen, self._unseen = 0, False
        self._changed()

    def without(self, person: int | None, version: int, step: str) -> None:
        """Go on without a part, or with one that needs nothing. Raises Refused."""
        self._check(person, version)
        ended = _step(step)
        with self._lock:
            self._tick(ended, Tick.WITHOUT)
            self._now = following(ended)
        self._changed()

    def see(self, person: int | None, version: int, *, seen: bool) -> None:
        """Say whether the light shows the colour that is asked for. Raises Refused."""
        self._check(person, version)
        with self._lock:
            if self._open is not Step.LIGHT or self._seen == len(COLOURS):
                raise Refused(Problem.STALE, "the table has moved on: look again")
            self._unseen = not seen
            if seen:
                self._seen += 1
                if self._seen == len(COLOURS):
                    self._tick(Step.LIGHT, Tick.DONE)
        self._changed()

    def _check(self, person: int | None, version: int) -> None:
        self._table.check_host(person, version)
        if self._table.view().phase is not Phase.LOBBY:
            raise Refused(Problem.ILLEGAL, "a game is running")


def following(step: Step) -> Step | None:
    """The step after one; None after the last."""
    steps: list[Step | None] = [*Step, None]
    return steps[steps.index(step) + 1]


def _step(name: str) -> Step:
    try:
        return Step(name)
    except ValueError:
        raise Refused(Problem.ILLEGAL, "there is no such step") from None

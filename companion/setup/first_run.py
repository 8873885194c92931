"""Leads the host of a new table through its parts: camera, tray, dice or cards, buttons, light."""

import logging
import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.camera.setup_store import SetupStore
from companion.table.changes import Press
from companion.table.controls.buttons import Button, ButtonRouter
from companion.table.controls.light import SignalRouter
from companion.table.scene import Phase, Signal
from companion.table.table import Table
from vision.dice.reading import DICE

if TYPE_CHECKING:
    from companion.setup.aiming import CameraSetup

_log = logging.getLogger(__name__)


class Step(StrEnum):
    """The steps, in this order; which of them there are depends on the game."""

    CAMERA = "camera"
    TRAY = "tray"
    DICE = "dice"
    CARDS = "cards"
    BUTTONS = "buttons"
    LIGHT = "light"


class Tick(StrEnum):
    """How a step ended."""

    DONE = "done"
    WITHOUT = "without"
    """The table plays without this part, or the part needs nothing."""


DICE_STEPS = tuple(step for step in Step if step is not Step.CARDS)
CARD_STEPS = tuple(step for step in Step if step not in (Step.TRAY, Step.DICE))
"""Cards are told from any tray by what changes in it."""

COLOURS = (Signal.CERTAIN, Signal.UNCERTAIN, Signal.ILLEGAL, Signal.WAITING)
"""What the light shows during its step, in this order: green, amber, red, dim blue."""


class FirstRunView(NamedTuple):
    """What the page shows."""

    steps: tuple[Step, ...]
    """The steps that there are, in order."""
    ticks: dict[Step, Tick]
    """The steps that have ended."""
    now: Step | None
    """The step that is open; None before the first, after the last and during a game."""
    pressed: tuple[Button, ...]
    """The buttons that were pressed when asked for."""
    swapped: bool
    """Whether the last press came from the other button."""
    colour: Signal | None
    """What the light shows; None once every colour was seen."""
    unseen: bool
    """Whether somebody said that the light does not show it."""
    wired: bool
    """Whether the pins are real ones, with wires."""
    deck: str = ""
    """The deck of cards that the camera reads; "": none."""

    @property
    def following(self) -> Step | None:
        """The step after the open one; None after the last, and if none is open."""
        return following(self.now, self.steps) if self.now else None

    @property
    def asked(self) -> Button | None:
        """The button to be pressed next."""
        return next((button for button in Button if button not in self.pressed), None)


class FirstRun:
    """The first run of one table. Any thread may call.

    While a step is open that needs the buttons or the light it takes them over, and a game gives
    them back.
    """

    def __init__(
        self,
        table: Table,
        store: SetupStore,
        setup: "CameraSetup",
        buttons: ButtonRouter,
        light: SignalRouter,
        *,
        wired: bool,
        deck: Callable[[], str] = str,
    ) -> None:
        """Begin with no step open.

        store: keeps which steps have ended; setup: what the camera sees; wired: whether the pins
        are real ones; deck: returns the name of the deck of cards that is read, "" if none is.
        """
        self._deck = deck
        self._table, self._store, self._setup = table, store, setup
        self._buttons, self._light, self._wired = buttons, light, wired
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._lock = threading.RLock()
        self._now: Step | None = None
        self._pressed: tuple[Button, ...] = ()
        self._swapped = False
        self._seen = 0
        self._unseen = False
        setup.listeners.add(self.look)
        table.follow(lambda *_: self._table_changed())

    def view(self) -> FirstRunView:
        """Return what the page of the first run shows."""
        with self._lock:
            colour = COLOURS[self._seen] if self._seen < len(COLOURS) else None
            return FirstRunView(
                steps=self._steps,
                ticks={
                    Step(step): Tick(tick)
                    for step, tick in self._store.stored.steps.items()
                    if step in set(Step) and tick in set(Tick)
                },
                now=self._open,
                pressed=self._pressed,
                swapped=self._swapped,
                colour=colour,
                unseen=self._unseen,
                wired=self._wired,
                deck=self._deck(),
            )

    @property
    def _steps(self) -> tuple[Step, ...]:
        """The steps of the game that is chosen."""
        return DICE_STEPS if self._table.view().selection.game.cards is None else CARD_STEPS

    @property
    def _open(self) -> Step | None:
        """The step that is open; a game closes all."""
        return self._now if self._table.view().phase is Phase.LOBBY else None

    # The host's presses on the page

    def go(self, press: Press, step: str) -> None:
        """Open a step as if for the first time; "": close all. Raises Refused."""
        self._check(press)
        with self._lock:
            self._now = _step(step) if step else None
            self._pressed, self._swapped = (), False
            self._seen, self._unseen = 0, False
        self._refresh()

    def without(self, press: Press, step: str) -> None:
        """Go on without a part, or with one that needs nothing. Raises Refused."""
        self._check(press)
        ended = _step(step)
        with self._lock:
            self._tick(ended, Tick.WITHOUT)
            self._now = following(ended, self._steps)
        self._refresh()

    def confirm(self, press: Press) -> None:
        """Say that the camera sees the whole tray, where it looks for cards. Raises Refused."""
        self._check(press)
        with self._lock:
            if self._open is not Step.CAMERA or Step.CARDS not in self._steps:
                raise Refused(
                    Problem.STALE, "Something has changed. Check the page, then try again."
                )
            self._tick(Step.CAMERA, Tick.DONE)
        self._refresh()

    def see(self, press: Press, *, seen: bool) -> None:
        """Say whether the light shows the colour that is asked for. Raises Refused."""
        self._check(press)
        with self._lock:
            if self._open is not Step.LIGHT or self._seen == len(COLOURS):
                raise Refused(
                    Problem.STALE, "Something has changed. Check the page, then try again."
                )
            self._unseen = not seen
            if seen:
                self._seen += 1
                if self._seen == len(COLOURS):
                    self._tick(Step.LIGHT, Tick.DONE)
        self._refresh()

    def _check(self, press: Press) -> None:
        self._table.check_host(press)
        if self._table.view().phase is not Phase.LOBBY:
            raise Refused(Problem.ILLEGAL, "you can’t do that during a game")

    # What the camera sees

    def look(self) -> None:
        """Tick the open step if what it asks for is there."""
        if self._tick_what_is_seen():
            self._refresh()

    def _tick_what_is_seen(self) -> bool:
        """Tick the open step if the camera shows that all is well; return whether that is new."""
        with self._lock:
            setup, now = self._setup.view(), self._open
            inspection = setup.inspection
            well = inspection is not None and not inspection.advice
            certain = inspection is not None and inspection.dice == inspection.sure == DICE
            shown = {
                Step.CAMERA: well and Step.DICE in self._steps,
                Step.TRAY: setup.tray_known,
                Step.DICE: well and certain,
                Step.CARDS: bool(self._deck()),
            }
            return now is not None and shown.get(now, False) and self._tick(now, Tick.DONE)

    # Buttons and light

    def _table_changed(self) -> None:
        """Give buttons and light back when a game begins."""
        if self._now in (Step.BUTTONS, Step.LIGHT):
            self._claim_controls()

    def _claim_controls(self) -> None:
        """Take buttons and light over for their steps, and give them back after these.

        Never with the lock held: the light asks the table, which may be asking here.
        """
        view = self.view()
        if view.now is Step.BUTTONS and view.asked is not None:
            self._buttons.take_over(self._take_press)
        else:
            self._buttons.release()
        if view.now is Step.LIGHT and view.colour is not None:
            self._light.take_over(self._colour)
        else:
            self._light.release()

    def _take_press(self, button: Button) -> bool:
        """Take note of a press while buttons are asked for; return whether they are."""
        with self._lock:
            asked = self.view().asked
            if self._open is not Step.BUTTONS or asked is None:
                return False
            self._swapped = button is not asked
            if not self._swapped:
                self._pressed = (*self._pressed, button)
                if self.view().asked is None:
                    self._tick(Step.BUTTONS, Tick.DONE)
        self._refresh()
        return True

    def _colour(self) -> Signal | None:
        """The colour that the light is tested with; None outside its step."""
        view = self.view()
        return view.colour if view.now is Step.LIGHT else None

    # Changing

    def _tick(self, step: Step, tick: Tick) -> bool:
        """Store how a step ended; return whether that is new."""
        stored = self._store.stored.steps
        if stored.get(step) == tick:
            return False
        try:
            self._store.save(steps={**stored, str(step): str(tick)})
        except Refused as refused:
            _log.warning("%s", refused)
            return False
        return True

    def _refresh(self) -> None:
        # What was seen before a step was opened counts for it.
        self._tick_what_is_seen()
        self._claim_controls()
        self.listeners.tell()


def following(step: Step, steps: Sequence[Step] = DICE_STEPS) -> Step | None:
    """Return the step after one; None after the last."""
    later = [*Step][[*Step].index(step) + 1 :]
    return next((each for each in later if each in steps), None)


def _step(name: str) -> Step:
    try:
        return Step(name)
    except ValueError:
        raise Refused(Problem.ILLEGAL, "there is no such step") from None

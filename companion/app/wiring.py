"""Builds the running table from its parts and joins them: camera, reader, pins, game and pages.

The only module that knows all of them; the commands import it when they need it.
"""

import ctypes
import json
import logging
import random
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from flask import Flask

from companion.app.watchdog import Watchdog, tell_ready
from companion.chance.odds import Bookmaker
from companion.dicegame.events import Rolled
from companion.dicegame.rulesets import RULESETS
from companion.settings import Settings
from companion.table.journal import Journal
from companion.table.refused import Message
from companion.table.scene import Eyes, Phase, Trouble
from companion.table.table import Table
from companion.table.tray import Place
from companion.watching.first_run import FirstRun
from companion.watching.fitting import DiceSchool, Hands, TableDice, TrayOptics
from companion.watching.frames import Feed
from companion.watching.learning import Learner
from companion.watching.setup import Memory, Setup
from companion.watching.teaching import Teaching
from companion.watching.watcher import Source, Watcher
from hardware.buttons import open_button, when_both_held
from hardware.camera import (
    Camera,
    CameraError,
    FolderCamera,
    drawn,
    open_camera,
)
from hardware.keys import Keys
from hardware.light import Light, StatusLight
from hardware.notify import notify, watchdog_s
from hardware.pins import HardwareError, Pins, open_pins
from vision.learn import ProfileLearner, open_profile
from vision.profile import (
    Profile,
    ProfileError,
    counts,
    load_profile,
)
from vision.simulate.art import DiceKind
from vision.simulate.throw import PlacedDie
from vision.simulate.tray import SimulatedTray
from web import compile_templates, create_app
from web.server import Server, serve
from web.stream import Broadcast

Image = npt.NDArray[np.uint8]

FPS = 12.0
"""Pictures a second that are looked at for motion."""

DICE = "pips"
"""The dice that are read where none were chosen."""

PROFILES = "profiles"
"""Where in the data folder the dice are kept that were taught."""

MALLOC = {
    "M_ARENA_MAX": (-8, 2),
    "M_MMAP_THRESHOLD": (-3, 1 << 19),
    "M_TRIM_THRESHOLD": (-1, 1 << 20),
}
"""What glibc's mallopt is told: parameters by their numbers in malloc.h, and values.

Two stores for all threads: eight for each core, each of which keeps what its threads once had, are
the default. Pictures are mapped each for itself and given back: by default they come from a store
after the first one was freed. A reader of pips takes 153 MB so, and 162 otherwise.
"""

_log = logging.getLogger(__name__)


class DrawnDice:
    """A simulated tray as a camera, and the hand that throws its dice. For several threads."""

    def __init__(self, seed: int | None = None, kind: DiceKind = "pips") -> None:
        self._seed, self._kind = seed, kind
        self._chance = random.Random(seed)
        self.tray = SimulatedTray(kind, seed=seed)
        self._lock = threading.Lock()

    def bear(self, kind: DiceKind) -> None:
        """Let the dice bear pips or symbols; where they bore others the tray is empty then."""
        with self._lock:
            if kind != self._kind:
                self._kind, self.tray = kind, SimulatedTray(kind, seed=self._seed)

    def show(self, face: str) -> None:
        """Lay a single die with a symbol, somewhere and turned anyhow."""
        self.bear("symbols")
        x, y, angle = (self._chance.uniform(-reach, reach) for reach in (10.0, 7.0, 180.0))
        with self._lock:
            self.tray.place([PlacedDie(face, x, y, angle)])

    def frame(self) -> Image:
        """Draw the next picture."""
        with self._lock:
            return self.tray.frame()

    def throw(self, kept: Sequence[Place]) -> None:
        """Throw all dice but those that lie at the places given."""
        with self._lock:
            self.tray.throw(
                {
                    number
                    for number, (x, y) in enumerate(self.tray.centres)
                    if any(place.near(Place(x, y, place.size)) for place in kept)
                }
            )

    def lay(self, dice: Sequence[tuple[str, Place]]) -> None:
        """Lay dice where they lay before the table was restarted."""
        # How the pictures show the plane of the top faces, from four dice there.
        spots = [(-8.0, -6.0), (8.0, -6.0), (8.0, 6.0), (-8.0, 6.0)]
        with self._lock:
            self.tray.place(PlacedDie("beer", x, y, 0.0) for x, y in spots)
            floor = cv2.getPerspectiveTransform(
                np.asarray(self.tray.centres, np.float32), np.array(spots, np.float32)
            )
            pixels = np.array([[(place.x, place.y) for _, place in dice]], np.float32)
            centres = cv2.perspectiveTransform(pixels, floor)[0]
            self.tray.clear()
            # How they were turned is not saved: two that lay close together may not fit any more.
            with suppress(ValueError):
                self.tray.place(
                    PlacedDie(face, float(x), float(y), 0.0)
                    for (face, _), (x, y) in zip(dice, centres, strict=True)
                )


def run_table(settings: Settings) -> int:
    """Run the table until SIGINT or SIGTERM. Raises what can't be used: see `cli`."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    _save_memory()
    with ExitStack() as stack:
        running = start_table(settings, stack)
        tell_ready(notify, running.server.here, running.server.url)
        print(json.dumps({"url": running.server.url}), flush=True)
        _join_watchdog(running, stack)
        keys = Keys({"g": running.first_run.press_green, "r": running.first_run.press_red})
        if stack.enter_context(keys).listening:
            _log.info("keys: g is the green button, r the red one")
        # Nobody who waits for the table waits for that; the first to open a page would.
        compile_templates(running.app)
        # An Event that waits without end can't be interrupted by a signal on every platform.
        while not ended.wait(1.0):
            pass
        _log.info("stopping")
        notify(STOPPING="1")
    return 0


def _save_memory() -> None:
    """Have the C library give back what is freed (`MALLOC`)."""
    with suppress(OSError, AttributeError):  # glibc's alone
        for parameter, value in MALLOC.values():
            ctypes.CDLL(None).mallopt(parameter, value)


class Running(NamedTuple):
    """A running table and what it is made of."""

    table: Table
    server: Server
    pins: Pins
    dice: TableDice
    drawn_dice: DrawnDice | None
    watcher: Watcher | None
    first_run: FirstRun
    app: Flask


def _join_watchdog(running: Running, stack: ExitStack) -> None:
    period = watchdog_s()
    if period is None:
        return
    watcher = running.watcher
    turns = (lambda: watcher.turns) if watcher is not None else None
    watchdog = Watchdog(notify, running.server.here, turns, period)
    watchdog.start()
    stack.callback(watchdog.stop)


def start_table(settings: Settings, stack: ExitStack, *, seed: int | None = None) -> Running:
    """Start everything; leaving `stack` stops it again, in the opposite order.

    seed: makes the table deal, and the simulated tray throw, the same every time.
    """
    memory = Memory(settings.data)
    settings = replace(settings, profile=settings.profile or _chosen(settings, memory))
    dice = TableDice(open_profile(settings.profile, settings.data / PROFILES))
    journal = Journal(settings.data)
    stack.callback(journal.close)
    table = Table(
        journal,
        ruleset=RULESETS[settings.ruleset],
        house_rules=settings.house_rules,
        chance=None if seed is None else random.Random(seed),
        ask_always=settings.ask_always,
        fallen_see_roles=settings.fallen_see_roles,
    )
    _join_bookmaker(table, stack)
    streams = Broadcast()
    pins = open_pins()
    first_run = FirstRun(table, memory, wired=pins.real)
    _join_pins(settings, table, first_run, pins, stack)
    feed, hands = Feed(), Hands()
    first_run.listen(streams.notify)

    def seen() -> None:
        first_run.look(setup.view())
        streams.notify()

    setup = Setup(table, feed, memory, TrayOptics(dice, hands), seen)
    # What was seen before a step was opened counts too.
    first_run.listen(lambda: first_run.look(setup.view()))
    dice.tray = setup.tray_for
    watcher, drawn_dice = _watcher(settings, table, dice, setup, seed)
    if settings.learn and watcher is not None:
        _join_learner(settings, table, dice, watcher, stack)
    teaching = None
    if watcher is not None:
        teaching = _teaching(settings, table, feed, hands, dice, drawn_dice, memory, streams.notify)
    app = create_app(
        table,
        streams,
        die_picture=_die_pictures(table, watcher),
        setup=setup if watcher else None,
        teaching=teaching,
        first_run=first_run,
        language=settings.language,
        hotspot=settings.hotspot if settings.hotspot.name else None,
        host=settings.host,
    )
    stack.callback(hands.close)
    server = serve(app, streams, settings.host, settings.port)
    stack.callback(server.stop)
    # Before the server: who looks at pictures waits for no more of them.
    stack.callback(feed.close)
    table.listen(streams.notify)
    if watcher is not None:
        watcher.start()
        stack.callback(watcher.stop)
    return Running(table, server, pins, dice, drawn_dice, watcher, first_run, app)


def _join_bookmaker(table: Table, stack: ExitStack) -> None:
    bookmaker = Bookmaker(table.odds_wanted, table.show_odds)
    table.listen(bookmaker.look)
    bookmaker.start()
    stack.callback(bookmaker.stop)
    # A game may have been restored.
    bookmaker.look()


def _chosen(settings: Settings, memory: Memory) -> str:
    """The dice that were chosen on the page, if they are still there."""
    chosen = memory.kept.profile
    try:
        if chosen:
            load_profile(chosen, settings.data / PROFILES)
            return chosen
    except ProfileError as error:
        _log.warning("%s; %s are read instead", error, DICE)
    return DICE


def _teaching(
    settings: Settings,
    table: Table,
    feed: Feed,
    hands: Hands,
    dice: TableDice,
    drawn_dice: DrawnDice | None,
    memory: Memory,
    changed: Callable[[], None],
) -> Teaching:
    def settle() -> None:
        if drawn_dice is not None:
            drawn_dice.bear(_kind(dice))

    def use(name: str, profile: Profile) -> None:
        memory.keep(profile=name)
        dice.use(profile)
        table.show_learned(counts(profile.learned))

    def advance(face: str) -> None:
        if isinstance(feed.camera, FolderCamera):
            feed.camera.advance()

    if drawn_dice is not None:
        # A game may begin in the middle of a lesson.
        table.listen(lambda: None if table.view().phase is Phase.LOBBY else settle())
    school = DiceSchool(
        settings.data / PROFILES, hands, lambda: dice.reader.profile.name, use, settle
    )
    lay, lays = None, ""
    if drawn_dice is not None:
        lay, lays = drawn_dice.show, Message("Lay a die for me")
    elif Path(settings.camera).expanduser().is_dir():
        lay, lays = advance, Message("Next picture")
    return Teaching(table, feed, school, changed, lay, lays)


def _kind(dice: TableDice) -> DiceKind:
    return "pips" if dice.reader.profile.pips else "symbols"


def _join_pins(
    settings: Settings, table: Table, first_run: FirstRun, pins: Pins, stack: ExitStack
) -> None:
    """Buttons and light; what is missing is one line in the log, and the page has its twin."""
    _log.info(pins.note)
    buttons = []
    for trouble, pin, press in (
        (Trouble.GREEN, settings.pins.green, first_run.press_green),
        (Trouble.RED, settings.pins.red, first_run.press_red),
    ):
        try:
            button = open_button(
                f"{trouble} button", pin, press, pins.factory, _stuck(table, trouble, pin)
            )
            stack.callback(button.close)
            buttons.append(button)
        except HardwareError as error:
            _log.warning("%s; its twin on the page works", error)
    if len(buttons) == 2:
        green, red = buttons
        when_both_held(green, red, table.vouch)
    wired = settings.pins
    try:
        light = StatusLight(pins.factory, wired.light_red, wired.light_green, wired.light_blue)
    except HardwareError as error:
        _log.warning("%s; the page shows what it would", error)
        return
    stack.callback(light.close)

    def show() -> None:
        try:
            light.show(Light(first_run.signal))
        except HardwareError as error:
            table.report(Trouble.LIGHT, str(error))
        else:
            table.report(Trouble.LIGHT, "")

    table.listen(show)
    first_run.listen(show)
    show()


def _stuck(table: Table, trouble: Trouble, pin: int) -> Callable[[bool], None]:
    return lambda is_stuck: table.report(trouble, f"GPIO {pin}" if is_stuck else "")


def _join_learner(
    settings: Settings, table: Table, dice: TableDice, watcher: Watcher, stack: ExitStack
) -> None:
    pupil = ProfileLearner(lambda: dice.reader, settings.profile, settings.data / PROFILES)
    learner = Learner(pupil, lambda: watcher.picture, table.show_learned)
    dice.changed = learner.refresh
    table.use_learner(learner)
    learner.start()
    stack.callback(learner.stop)


def _watcher(
    settings: Settings, table: Table, dice: TableDice, setup: Setup, seed: int | None
) -> tuple[Watcher | None, DrawnDice | None]:
    source, camera = settings.camera, None
    if source == "auto":
        try:
            camera = open_camera(source, fps=FPS)
        except CameraError as error:
            _log.info("%s", error)
            # Away from a Pi somebody tries the table out; on one a camera is meant to be there.
            source = "picamera" if _is_raspberry_pi() else "simulated"
    if source == "none":
        table.use_eyes(Eyes())
        return None, None
    if source == "simulated":
        return _simulated_watcher(table, dice, setup, seed)
    if camera is None and source != "picamera" and not source.startswith("usb:"):
        # A folder that can't be played is a mistake to mend now, not a camera to wait for.
        camera = open_camera(source, fps=FPS)
    return _real_watcher(source, camera, table, dice, setup), None


def _simulated_watcher(
    table: Table, dice: TableDice, setup: Setup, seed: int | None
) -> tuple[Watcher, DrawnDice]:
    drawn_dice = DrawnDice(seed, _kind(dice))
    lying = [
        (str(die.face), die.place)
        for die in table.view().tray.dice
        if die.face is not None and die.place is not None
    ]
    if lying:
        drawn_dice.lay(lying)
    camera = drawn(drawn_dice.frame, FPS)
    watcher = Watcher(table, lambda: setup.through(camera), dice.follow, drawn_dice.throw)
    return watcher, drawn_dice


def _real_watcher(
    source: str, first: Camera | None, table: Table, dice: TableDice, setup: Setup
) -> Watcher:
    """Watch a camera, opened already (`first`) or not; a folder goes on with each roll."""
    current = first

    def open_source() -> Source:
        nonlocal current, first
        # A folder with a picture that can't be read goes on behind it.
        if first is None and not isinstance(current, FolderCamera):
            current = open_camera(source, fps=FPS)
        first = None
        assert current is not None
        return setup.through(current)

    accepted = _rolls(table)

    def next_picture() -> None:
        nonlocal accepted
        now = _rolls(table)
        if now > accepted and isinstance(current, FolderCamera):
            current.advance()
        accepted = now

    table.listen(next_picture)
    return Watcher(table, open_source, dice.follow)


def _rolls(table: Table) -> int:
    return sum(isinstance(event, Rolled) for event in table.view().story)


def _is_raspberry_pi() -> bool:
    try:
        model = Path("/proc/device-tree/model").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return model.startswith("Raspberry Pi")


def _die_pictures(table: Table, watcher: Watcher | None) -> Callable[[int], bytes | None]:
    def picture(number: int) -> bytes | None:
        view = table.view()
        dice = view.counted or view.tray.dice
        image = watcher.picture if watcher else None
        place = dice[number].place if 0 <= number < len(dice) else None
        if image is None or place is None:
            return None
        half = round(0.8 * place.size)
        x, y = round(place.x), round(place.y)
        cut = image[max(0, y - half) : y + half, max(0, x - half) : x + half]
        if not cut.size:
            return None
        done, coded = cv2.imencode(".jpg", cv2.resize(cut, (160, 160)))
        return coded.tobytes() if done else None

    return picture

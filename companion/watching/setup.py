"""Setting the camera up: what it sees and what to change, the empty tray, and what is locked."""

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard, runtime_checkable

from companion.table.table import Problem, Refused, Table
from companion.watching.frames import Feed, Window
from companion.watching.watcher import Source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]

MAINS = (50, 60)
"""Hertz."""

PAUSE = 2.0
"""Times as long as a look took it is not looked again, so that the watcher has the processor."""
LEAST_PAUSE_S = 0.4

DOUBTS = 4
"""Readings in a row that must find the camera moved before the empty tray is forgotten."""

DRAWN_S = 2.5
"""Seconds for which what was read is drawn in."""

_log = logging.getLogger(__name__)


class Advice(Protocol):
    """One thing to change, as `vision.advice.Advice`."""

    @property
    def fault(self) -> str:
        """What is wrong."""

    @property
    def region(self) -> str | None:
        """Where in the picture; None: everywhere."""

    @property
    def seen(self) -> int:
        """Pixels that a die has, where it should have more."""

    @property
    def needed(self) -> int:
        """Pixels that it should have."""


class Sight(Protocol):
    """What was seen in one picture."""

    @property
    def dice(self) -> int:
        """How many dice were read."""

    @property
    def sure(self) -> int:
        """How many of them nobody need be asked about."""

    @property
    def advice(self) -> Sequence[Advice]:
        """What to change, the worst first."""


class Optics(Protocol):
    """The part that looks at pictures: a reader, and one who judges how well it can read."""

    def look(self, image: "Image") -> Sight:
        """Return what is seen in a picture."""

    def forget(self) -> None:
        """Free what looking needs, until the next look."""

    def show(self, image: "Image", sight: Sight | None, names: Mapping[str, str]) -> bytes:
        """Return the picture with what is seen drawn in, faces by their names: JPEG."""

    def load(self, path: Path) -> "Image | None":
        """Return the picture in a file; None if there is none that can be read."""

    def encode(self, image: "Image") -> bytes:
        """Return a picture without loss: PNG."""

    def moved(self, tray: "Image", image: "Image") -> bool:
        """Return whether the camera has moved since it saw the tray empty."""


@runtime_checkable
class Lockable(Source, Protocol):
    """A camera that can hold what it has settled on, as `hardware.camera.PiCamera`."""

    def lock(self) -> Mapping[str, Any]:
        """Fix exposure, white balance and focus; return the values."""

    def hold(self, held: Mapping[str, Any]) -> None:
        """Fix them at such values."""

    def release(self, hertz: int) -> None:
        """Find them again and again; `hertz`: of the mains that the lamps flicker with."""


class Lock(StrEnum):
    """How a camera stands."""

    NONE = "none"
    """It can't be locked."""
    OPEN = "open"
    LOCKED = "locked"


class EmptyTray(StrEnum):
    """What is known of the tray without dice."""

    UNKNOWN = "unknown"
    KNOWN = "known"
    MOVED = "moved"
    """The camera has moved since it was shown."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What lasts from start to start.

    held: by the name of a camera; profile: "" if none chosen; steps: of the first run, how each
    ended (`companion.watching.first_run`).
    """

    mains: int = MAINS[0]
    held: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    profile: str = ""
    steps: Mapping[str, str] = field(default_factory=dict)


class Memory:
    """The files of the set-up in the data folder: `setup.json` and `tray.png`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "setup.json"
        self.tray = folder / "tray.png"
        self._lock = threading.Lock()
        self.kept = self._load()

    def keep(self, **changes: Any) -> None:
        """Change what is kept. Raises Refused, with nothing changed."""
        with self._lock:
            kept = replace(self.kept, **changes)
            self._write(self._file, json.dumps(asdict(kept), indent=1).encode())
            self.kept = kept

    def keep_tray(self, picture: bytes) -> None:
        """Keep the picture of the empty tray. Raises Refused."""
        self._write(self.tray, picture)

    def forget_tray(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self.tray.unlink()

    def _load(self) -> Kept:
        try:
            kept = Kept(**json.loads(self._file.read_text("utf-8")))
            sound = (
                kept.mains in MAINS
                and isinstance(kept.held, dict)
                and all(isinstance(values, dict) for values in kept.held.values())
                and isinstance(kept.profile, str)
                and isinstance(kept.steps, dict)
                and all(isinstance(tick, str) for tick in kept.steps.values())
            )
        except FileNotFoundError:
            return Kept()
        except (OSError, ValueError, TypeError) as error:
            _log.warning("%s: %s; the camera is not set up", self._file, error)
            return Kept()
        if not sound:
            _log.warning("%s: damaged; the camera is not set up", self._file)
            return Kept()
        return kept

    def _write(self, path: Path, content: bytes) -> None:
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise Refused(
                Problem.FAILED, "nothing was changed: %(error)s", error=f"{path}: {error.strerror}"
            ) from error


class SetupView(NamedTuple):
    """What the page of the set-up shows.

    camera: whether one works; sight: what was last seen, None while nobody has looked; tray_shown:
    when the empty tray was, in nanoseconds (for the address of its picture).
    """

    camera: bool
    sight: Sight | None
    lock: Lock
    mains: int
    tray: EmptyTray
    tray_shown: int


class Setup:
    """The set-up of one table's camera. Every method may be called from any thread."""

    def __init__(
        self,
        table: Table,
        feed: Feed,
        memory: Memory,
        optics: Optics,
        changed: Callable[[], None],
    ) -> None:
        """`changed`: called whenever the page is to show something else."""
        self._table, self._feed, self._memory, self._optics = table, feed, memory, optics
        self._changed = changed
        self._window = Window(feed, "setup", self._look, self._rest)
        self._lock = threading.RLock()
        self._sight: Sight | None = None
        self._looked = 0.0
        self._tray = optics.load(memory.tray)
        self._moved = False
        self._doubts = 0
        self._shown = 0

    def view(self) -> SetupView:
        """Return what the page shows."""
        camera = self._feed.camera
        lock = Lock.NONE
        if camera is not None and can_lock(camera):
            lock = Lock.LOCKED if camera.name in self._memory.kept.held else Lock.OPEN
        if self._tray is not None:
            tray = EmptyTray.KNOWN
        else:
            tray = EmptyTray.MOVED if self._moved else EmptyTray.UNKNOWN
        return SetupView(
            camera is not None, self._sight, lock, self._memory.kept.mains, tray, self._shown
        )

    # Looking

    def pictures(self, fps: float, names: Mapping[str, str]) -> "Pictures":
        """Return what the camera sees with what is read drawn in, JPEG, until closed.

        names: what faces, by their names in records, are called. Raises Refused when too many look.
        """
        return Pictures(self, fps, names)

    def _look(self, picture: "Image") -> float:
        begun = time.monotonic()
        sight = self._optics.look(picture)
        now = time.monotonic()
        news = self._sight is None or _gist(sight) != _gist(self._sight)
        self._sight, self._looked = sight, now
        if news:
            self._changed()
        return max(LEAST_PAUSE_S, PAUSE * (now - begun))

    def _rest(self) -> None:
        self._optics.forget()
        self._sight = None

    # The camera

    def through(self, camera: Source) -> Source:
        """Hold what was locked, in a camera that was just opened; return it as to be watched."""
        if can_lock(camera):
            held = self._memory.kept.held.get(camera.name)
            try:
                if held is None:
                    camera.release(self._memory.kept.mains)
                else:
                    camera.hold(held)
            except Exception as error:
                # Pictures that shift are better than none.
                _log.warning("%s: what was locked can't be held: %s", camera.name, error)
        return self._feed.through(camera)

    def lock(self, person: int | None, version: int) -> None:
        """Hold exposure, white balance and focus as they are. Raises Refused."""
        self._table.check_host(person, version)

        def order(camera: Source) -> tuple[str, Mapping[str, Any]]:
            return camera.name, _checked(camera).lock()

        name, held = self._ask(order)
        self._memory.keep(held={**self._memory.kept.held, name: held})
        self._changed()

    def release(self, person: int | None, version: int, mains: int | None = None) -> None:
        """Let the camera find them by itself, under lamps of such mains. Raises Refused."""
        self._table.check_host(person, version)
        if mains not in (None, *MAINS):
            raise Refused(Problem.ILLEGAL, "the mains have 50 or 60 hertz")
        hertz = mains or self._memory.kept.mains

        def order(camera: Source) -> str:
            _checked(camera).release(hertz)
            return camera.name

        name = self._ask(order)
        held = {other: values for other, values in self._memory.kept.held.items() if other != name}
        self._memory.keep(held=held, mains=hertz)
        self._changed()

    def _ask(self, order: Callable[[Source], Any]) -> Any:
        try:
            return self._feed.ask(order)
        except Refused:
            raise
        except Exception as error:
            raise Refused(Problem.FAILED, str(error) or type(error).__name__) from error

    # The empty tray

    @property
    def tray(self) -> "Image | None":
        """The tray as it was shown without dice."""
        return self._tray

    def keep_tray(self, person: int | None, version: int) -> None:
        """Take the newest picture for that of the empty tray. Raises Refused."""
        self._table.check_host(person, version)
        picture = self._feed.picture
        if picture is None:
            raise Refused(Problem.FAILED, "no camera works now")
        self._memory.keep_tray(self._optics.encode(picture))
        with self._lock:
            self._tray, self._moved, self._shown = picture, False, time.time_ns()
            self._doubts = 0
        self._changed()

    def forget_tray(self, person: int | None, version: int) -> None:
        """Read without it. Raises Refused."""
        self._table.check_host(person, version)
        self._drop_tray(moved=False)

    def tray_for(self, picture: "Image") -> "Image | None":
        """Return the empty tray for reading a picture; None where it is not this one's.

        It is forgotten once the camera has moved.
        """
        tray = self._tray
        if tray is None or tray.shape != picture.shape:
            return None
        if not self._optics.moved(tray, picture):
            self._doubts = 0
            return tray
        # One picture alone may be full of hands.
        self._doubts += 1
        if self._doubts == DOUBTS:
            _log.info("the camera has moved: the picture of the empty tray is forgotten")
            self._drop_tray(moved=True)
        return None

    def tray_picture(self) -> bytes | None:
        """Return the empty tray for the page, JPEG."""
        tray = self._tray
        return None if tray is None else self._optics.show(tray, None, {})

    def _drop_tray(self, *, moved: bool) -> None:
        with self._lock:
            self._memory.forget_tray()
            self._tray, self._moved = None, moved
        self._changed()


class Pictures:
    """What the camera sees, with what is read drawn in. An iterator with `close`."""

    def __init__(self, setup: Setup, fps: float, names: Mapping[str, str]) -> None:
        self._setup, self._names = setup, names
        self._look = setup._window.open(fps)

    def __iter__(self) -> "Pictures":
        return self

    def __next__(self) -> bytes:
        picture = next(self._look)
        setup = self._setup
        # What was read long ago lies elsewhere now.
        fresh = time.monotonic() - setup._looked < DRAWN_S
        return setup._optics.show(picture, setup._sight if fresh else None, self._names)

    def close(self) -> None:
        """Look no longer."""
        self._look.close()


def can_lock(camera: Source) -> TypeGuard[Lockable]:
    """Return whether a camera can hold what it has settled on."""
    return isinstance(camera, Lockable)


def _checked(camera: Source) -> Lockable:
    if not can_lock(camera):
        raise Refused(
            Problem.ILLEGAL, "%(camera)s has nothing that can be locked", camera=camera.name
        )
    return camera


def _gist(sight: Sight) -> tuple[object, ...]:
    """What of it the page shows."""
    return sight.dice, sight.sure, tuple(sight.advice)

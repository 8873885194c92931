"""Sets the camera up: judges what it sees while the host aims it, and takes the host's presses."""

import time
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, Protocol

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.camera.camera_lock import CameraLock, LockState
from companion.camera.empty_tray import EmptyTray, EmptyTrayState
from companion.camera.frames import JpegStream, LiveView, SharedCamera
from companion.camera.pictures import scale_reading, shrunk, small_jpeg
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers, trim_memory
from companion.table.changes import Press
from companion.table.scene import Phase, Trouble
from companion.table.table import Table
from vision.dice.advice import Advice as Advice
from vision.dice.aim import AimAdvisor
from vision.dice.draw import draw_reading
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading
from vision.imaging.geometry import Image
from vision.motion import Motion, MotionDetector

PAUSE = 2.0
"""The pause after an inspection, as a multiple of its time: the watcher needs the CPU too."""
LEAST_PAUSE_S = 0.4

DRAWN_S = 2.5
"""Seconds for which the dice of an inspection are drawn into the live view."""

AIMED_S = 1.5
"""After so many seconds without an inspection, a frame is inspected although something moves: a
camera that is aimed by hand needs advice, too. Dice roll for less."""


class Inspection(NamedTuple):
    """What one frame shows of the dice, and how well the camera is set up."""

    dice: int
    """How many dice were read."""
    sure: int
    """How many of them were read surely."""
    advice: tuple[Advice, ...]
    """What to change about camera and lamp, the worst fault first."""
    reading: DiceReading
    """The dice themselves."""


class TrayInspector:
    """Inspects frames, and draws what it has read into them. Any thread may call."""

    def __init__(self, reader: TableReader, workers: FrameWorkers) -> None:
        self._table_reader, self._workers = reader, workers
        # A separate reader, because the table's may be reading in another thread.
        self._reader: DiceReader | None = None
        self._advisor: AimAdvisor | None = None

    def inspect(self, frame: Image) -> Inspection:
        """Read a frame and judge how well it can be read."""
        return self._workers.analyse(lambda: self._inspect(frame))

    def _inspect(self, frame: Image) -> Inspection:
        # No lock: an inspection that hangs would keep it.
        profile, reader = self._table_reader.profile, self._reader
        if reader is None or reader.profile is not profile:
            reader = self._reader = DiceReader(profile)
        advisor = self._advisor = self._advisor or AimAdvisor()
        reading = reader.read(frame, self._table_reader.model_for(frame))
        advice = advisor.advise(frame, reading)
        return Inspection(len(reading.dice), sum(die.sure for die in reading.dice), advice, reading)

    def unload(self) -> None:
        """Free the networks until the next inspection."""
        self._reader = self._advisor = None
        trim_memory()

    def jpeg(
        self,
        frame: Image,
        inspection: Inspection | None = None,
        names: Mapping[str, str] | None = None,
    ) -> bytes:
        """Return a small JPEG of a frame, with the dice of `inspection` called by `names`."""

        def encode() -> bytes:
            if inspection is None:
                return small_jpeg(frame)
            small = shrunk(frame)
            reading = scale_reading(inspection.reading, small.shape[1] / frame.shape[1])
            return small_jpeg(draw_reading(small, reading, small=True, names=names))

        return self._workers.encode(encode)


class TrayHands(Protocol):
    """Puts the dice in and out of a tray into which no hand can reach, because it is simulated."""

    def throw_all(self) -> None:
        """Throw all five dice."""

    def take_out(self) -> None:
        """Leave the tray empty."""


class SetupView(NamedTuple):
    """What the set-up page shows."""

    camera: bool
    """Whether a camera works."""
    inspection: Inspection | None
    """The last inspection; None while nobody has the live view open."""
    lock: LockState
    """Whether the camera can be locked, and whether it is."""
    mains: int
    """Frequency of the mains in hertz."""
    tray: EmptyTrayState
    """Whether the empty tray is known, and still in its place."""
    tray_kept_at: int
    """When the empty tray was shown, in nanoseconds: part of the address of its picture."""
    throws: bool = False
    """Whether the table can put the dice in and out of the tray, and may do so now."""

    @property
    def tray_known(self) -> bool:
        """Whether the empty tray is known."""
        return self.tray is EmptyTrayState.KNOWN


class CameraSetup:
    """The set-up of one table's camera, as the host's page sees it. Any thread may call."""

    def __init__(
        self,
        table: Table,
        shared: SharedCamera,
        lock: CameraLock,
        empty_tray: EmptyTray,
        inspector: TrayInspector,
        hands: TrayHands | None = None,
    ) -> None:
        """Build the set-up. hands: moves the dice where people can't."""
        self._table, self._shared = table, shared
        self._camera_lock, self._empty_tray, self._inspector = lock, empty_tray, inspector
        self._hands = hands
        self._live_view = LiveView(
            shared, "setup", self._look, self._idle,
            tell=partial(table.report, Trouble.LIVE_VIEW, part="setup"),
        )  # fmt: skip
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._inspection: Inspection | None = None
        self._inspected_at = 0.0
        self._motion = MotionDetector()
        self._due_at: float | None = None
        """When the next frame is inspected, whatever moves; None until one comes."""
        lock.listeners.add(self.listeners.tell)
        empty_tray.listeners.add(self.listeners.tell)

    def view(self) -> SetupView:
        """Return what the page shows."""
        return SetupView(
            camera=self._shared.camera is not None,
            inspection=self._inspection,
            lock=self._camera_lock.state,
            mains=self._camera_lock.mains,
            tray=self._empty_tray.state,
            tray_kept_at=self._empty_tray.time_kept,
            throws=self._hands is not None and not self._playing,
        )

    @property
    def _playing(self) -> bool:
        return self._table.view().phase is not Phase.LOBBY

    def live(self, fps: float, names: Mapping[str, str]) -> JpegStream:
        """Return the live view with the dice drawn in, faces called by `names`, until closed.

        While it is open, frames are inspected. Raises Refused when too many viewers look.
        """

        def encode(frame: Image) -> bytes:
            fresh = time.monotonic() - self._inspected_at < DRAWN_S
            return self._inspector.jpeg(frame, self._inspection if fresh else None, names)

        return self._live_view.open(fps, encode)

    def empty_tray_jpeg(self) -> bytes | None:
        """Return a picture of the empty tray; None while it is not known."""
        picture = self._empty_tray.picture
        return None if picture is None else self._inspector.jpeg(picture)

    # The host's presses

    def lock(self, press: Press) -> None:
        """Lock the camera for the host. Raises Refused."""
        self._table.check_host(press)
        self._camera_lock.lock()

    def release(self, press: Press, mains: int | None = None) -> None:
        """Let the camera adjust them, under lamps on `mains` hertz. Raises Refused."""
        self._table.check_host(press)
        self._camera_lock.release(mains)

    def keep_tray(self, press: Press, *, printed: bool = False) -> None:
        """Take the newest frame for the empty tray. Raises Refused, also where dice lie in it.

        printed: what looks like dice there is part of the tray.
        """
        self._table.check_host(press)
        frame = self._shared.frame
        if frame is None:
            raise Refused(Problem.FAILED, "no camera is working")
        if not printed and (dice := self._inspector.inspect(frame).dice):
            reason = "the camera still sees dice in the tray (%(dice)s): take them out"
            raise Refused(Problem.ILLEGAL, reason, dice=dice)
        self._empty_tray.keep(frame)

    def forget_tray(self, press: Press) -> None:
        """Read without the empty tray. Raises Refused."""
        self._table.check_host(press)
        self._empty_tray.forget()

    def throw(self, press: Press) -> None:
        """Throw five dice into a simulated tray. Raises Refused."""
        self._hands_for(press).throw_all()

    def take_out(self, press: Press) -> None:
        """Take the dice out of a simulated tray. Raises Refused."""
        self._hands_for(press).take_out()

    def _hands_for(self, press: Press) -> TrayHands:
        self._table.check_host(press)
        if self._playing:
            raise Refused(Problem.ILLEGAL, "you can’t do that during a game")
        if self._hands is None:
            raise Refused(Problem.ILLEGAL, "this table can’t move the dice for you")
        return self._hands

    # Inspecting, while somebody has the live view open

    def _look(self, frame: Image) -> float:
        began = time.monotonic()
        if self._due_at is None:
            self._due_at = began + AIMED_S
        motion = self._motion.update(frame, began)
        if motion is Motion.MOVING:
            # What was read doesn't lie there any more.
            self._inspected_at = 0.0
        if motion is not Motion.SETTLED and began < self._due_at:
            return 0.0
        inspection = self._inspector.inspect(frame)
        now = time.monotonic()
        before, self._inspection, self._inspected_at = self._inspection, inspection, now
        self._motion, self._due_at = MotionDetector(), None
        # All but the reading: the page shows no places.
        if before is None or inspection[:3] != before[:3]:
            self.listeners.tell()
        return max(LEAST_PAUSE_S, PAUSE * (now - began))

    def _idle(self) -> None:
        self._inspector.unload()
        self._inspection = None
        self._motion, self._due_at = MotionDetector(), None

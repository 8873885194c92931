"""Joins the set-up and the lessons with the camera, the reader and the teacher."""

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.table.table import Problem, Refused
from companion.watching.watcher import Change, Follow
from hardware.camera import CameraError, load_picture
from vision.advice import Advice
from vision.aim import AimAdvisor
from vision.camera_shift import camera_moved
from vision.draw import draw_reading
from vision.follow import Follower
from vision.learn import open_profile
from vision.motion import Motion, MotionDetector
from vision.profile import (
    SHIPPED,
    SUFFIX,
    Profile,
    ProfileError,
    load_profile,
    profile_path,
    save_profile,
)
from vision.reader import Reader
from vision.reading import Reading
from vision.teach import CrossValidation, FaceCrop, ProfileTrainer, build_profile

Image = npt.NDArray[np.uint8]

_T = TypeVar("_T")

WIDTH = 640
"""Pixels of a live picture: more than a phone shows, and little work for a small Pi."""
QUALITY = 70
"""Of its JPEG."""
REST_S = 0.7
"""Seconds for which a die that is taught must lie: hands are slower than rolling dice."""


class TableDice:
    """The dice that are read; others may take their place while the table runs."""

    def __init__(self, profile: Profile) -> None:
        self.reader = Reader(profile)
        self.tray: Callable[[Image], Image | None] = lambda _: None
        """The empty tray for a picture, where it was shown."""
        self.changed: Callable[[], None] = lambda: None
        """Told when others are read."""

    def use(self, profile: Profile) -> None:
        """Read other dice from the next picture on, and what lies there again."""
        self.reader = Reader(profile)
        self.changed()

    def read(self, image: Image, tray: Image | None) -> Reading:
        """Read a picture; `tray`: the tray as it was last seen empty, if it was."""
        return self.reader.read(image, self.tray(image) if tray is None else tray)

    def follow(self) -> Follow:
        """Return a new follower of these dice, whichever they are."""
        of, update = self.reader, Follower(self.read).update

        def follow(image: Image, at: float) -> Change | None:
            nonlocal of, update
            if of is not self.reader:
                of, update = self.reader, Follower(self.read).update
            return update(image, at)

        return follow


class Hands:
    """Two threads that do all work on pictures for the pages, one to look, one to draw.

    Requests are answered in hundreds of threads; each that works on a picture keeps megabytes of
    memory for the next one.
    """

    def __init__(self) -> None:
        self._look = ThreadPoolExecutor(1, "looking")
        self._draw = ThreadPoolExecutor(1, "drawing")

    def look(self, work: Callable[[], _T]) -> _T:
        """Do what may take long, and return what came of it."""
        return self._look.submit(work).result()

    def draw(self, work: Callable[[], _T]) -> _T:
        """Do what a live picture waits for."""
        return self._draw.submit(work).result()

    def close(self) -> None:
        """Do nothing more."""
        self._look.shutdown(cancel_futures=True)
        self._draw.shutdown(cancel_futures=True)


class Sight(NamedTuple):
    """What was seen in one picture; see `companion.watching.setup.Sight`."""

    dice: int
    sure: int
    advice: Sequence[Advice]
    reading: Reading


class TrayOptics:
    """Looks at the tray for the set-up."""

    def __init__(self, dice: TableDice, hands: Hands) -> None:
        self._dice, self._hands = dice, hands
        self._lock = threading.Lock()
        # Its own reader: the one of the table may read in another thread.
        self._reader: Reader | None = None
        self._aimer: AimAdvisor | None = None

    def look(self, image: Image) -> Sight:
        """Read a picture and judge it."""
        return self._hands.look(lambda: self._look(image))

    def _look(self, image: Image) -> Sight:
        with self._lock:
            profile = self._dice.reader.profile
            if self._reader is None or self._reader.profile is not profile:
                self._reader = Reader(profile)
            self._aimer = self._aimer or AimAdvisor()
            reading = self._reader.read(image, self._dice.tray(image))
            advice = self._aimer.advise(image, reading.dice)
        return Sight(len(reading.dice), sum(die.sure for die in reading.dice), advice, reading)

    def forget(self) -> None:
        """Let the networks go."""
        with self._lock:
            self._reader = self._aimer = None
        _give_memory_back()

    def show(self, image: Image, sight: object, names: Mapping[str, str]) -> bytes:
        """Return the picture, small, with what was read drawn in, faces by their names: JPEG."""
        return self._hands.draw(lambda: self._show(image, sight, names))

    def _show(self, image: Image, sight: object, names: Mapping[str, str]) -> bytes:
        small = _small(image)
        if isinstance(sight, Sight):
            scale = small.shape[1] / image.shape[1]
            small = draw_reading(small, _scaled(sight.reading, scale), small=True, names=names)
        return _jpeg(small)

    def load(self, path: Path) -> Image | None:
        """Return the picture in a file; None if there is none that can be read."""
        try:
            return load_picture(path)
        except CameraError:
            return None

    def encode(self, image: Image) -> bytes:
        """Return a picture as PNG."""
        return self._hands.draw(lambda: cv2.imencode(".png", image)[1].tobytes())

    def moved(self, tray: Image, image: Image) -> bool:
        """Return whether the camera has moved since it saw the tray empty."""
        return camera_moved(tray, image)


class DiceSchool:
    """Teaches dice for the lessons, and keeps their profiles in a folder."""

    def __init__(
        self,
        folder: Path,
        hands: Hands,
        used: Callable[[], str],
        use: Callable[[str, Profile], None],
        settle: Callable[[], None],
    ) -> None:
        """`used`: which dice the table reads; use: lets it read others; settle: ends a lesson."""
        self._folder, self._hands = folder, hands
        self._used, self._use, self._settle = used, use, settle
        self._teacher: ProfileTrainer | None = None
        self._settler = MotionDetector(rest=REST_S)

    def begin(self) -> None:
        """Prepare for a lesson."""
        self._teacher, self._settler = ProfileTrainer(), MotionDetector(rest=REST_S)

    def end(self) -> None:
        """Let the networks go."""
        self._teacher = None
        self._settle()
        _give_memory_back()

    def moving(self, image: Image, at: float) -> bool | None:
        """Return whether something moves: True, None while unclear, and False once it lies."""
        motion = self._hands.look(lambda: self._settler.update(image, at))
        return {Motion.MOVING: True, Motion.PAUSED: None}.get(motion, False)

    def show(self, image: Image) -> FaceCrop:
        """Return the face of the single die in a picture."""
        teacher = self._teacher
        assert teacher is not None
        return self._hands.look(lambda: teacher.crop(image))

    def check(self, pictures: Mapping[str, Sequence[Image]]) -> CrossValidation:
        """Return how well the faces are told apart."""
        teacher = self._teacher
        assert teacher is not None
        return self._hands.look(lambda: teacher.check(build_profile("", pictures, "base")))

    def names(self) -> Sequence[str]:
        """Return which dice were taught before, by the alphabet."""
        return _names(self._folder)

    def others(self) -> Sequence[str]:
        """Return the dice that come with the product."""
        return _names(SHIPPED)

    def taken(self, name: str) -> bool:
        """Return whether other dice have this name; letters large or small are the same."""
        if name.casefold() in (other.casefold() for other in self.names()):
            return True
        try:
            # Those that come with the product keep their names.
            profile_path(name, self._folder)
        except ProfileError:
            return True
        return False

    def load(self, name: str) -> tuple[str, Mapping[str, Sequence[Image]]]:
        """Return the edition and the pictures of dice that were taught. Raises Refused."""
        profile = self._profile(name)
        return profile.edition, profile.taught

    def save(self, name: str, edition: str, pictures: Mapping[str, Sequence[Image]]) -> None:
        """Keep what was taught, and of the same dice what was learned since. Raises Refused."""
        profile = build_profile(name, pictures, edition)
        path = self._folder / f"{name}{SUFFIX}"
        with suppress(ProfileError):
            profile = replace(load_profile(path), taught=profile.taught, edition=edition)
        try:
            save_profile(profile, path)
        except ProfileError as error:
            raise Refused(Problem.FAILED, "nothing was changed: %(error)s", error=error) from error

    def use(self, name: str) -> None:
        """Let the table read these dice from now on. Raises Refused."""
        self._use(name, self._profile(name))

    def jpeg(self, image: Image) -> bytes:
        """Return a picture for a page."""
        return self._hands.draw(lambda: _jpeg(_small(image)))

    @property
    def used(self) -> str:
        """Which dice are read now."""
        return self._used()

    def _profile(self, name: str) -> Profile:
        try:
            return open_profile(name, self._folder)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error


def _give_memory_back() -> None:
    """Return what was freed to the system, which the C library keeps otherwise: 60 MB here."""
    with suppress(OSError, AttributeError):  # glibc's alone
        ctypes.CDLL(None).malloc_trim(0)


def _names(folder: Path) -> Sequence[str]:
    return sorted(
        path.stem
        for path in folder.glob("*")
        if path.suffix in (SUFFIX, ".toml") and path.is_file()
    )


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    if width <= WIDTH:
        return image
    size = (WIDTH, max(1, round(height * WIDTH / width)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(reading: Reading, scale: float) -> Reading:
    dice = tuple(
        replace(die, x=die.x * scale, y=die.y * scale, size=die.size * scale)
        for die in reading.dice
    )
    return replace(reading, dice=dice)


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

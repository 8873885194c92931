"""Collects pictures of dice and tray on the host's page, to be looked through and downloaded.

Nothing is saved here and nothing is sent: a restart forgets the pictures.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import NamedTuple

import cv2
import numpy as np

from companion.base.listeners import Listeners
from companion.base.refused import Problem, Refused
from companion.camera.frames import SharedCamera
from companion.camera.pictures import small_jpeg
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers, trim_memory
from companion.setup.collection import (
    CollectedDie,
    CollectedThrow,
    DiceCollection,
    camera_kind,
    collection_zip,
)
from companion.table.changes import Press
from companion.table.table import Table
from vision.dice.profile import Profile
from vision.dice.reader import DiceReader
from vision.dice.reading import FACES, Die, TrayVerdict
from vision.dice.redact import TrayRedactor
from vision.imaging.geometry import Image

MOST = 40
"""Throws at most: some megabytes of memory."""
QUALITY = 92
"""Of their JPEGs."""
_SHARE = 1.5
"""Width of a die's picture, in edges."""
_SAME = 0.1
"""Edges by which a die that nobody touched may seem to move."""


@dataclass(frozen=True, slots=True)
class KeptThrow:
    """A throw on the page."""

    id: int
    """Its number since the start."""
    throw: CollectedThrow
    """What would leave."""
    seen: tuple[Die, ...]
    """The dice where the camera saw them."""


class KeptFace(NamedTuple):
    """A picture of a face that belongs to the dice in use."""

    id: int
    """Its number among all of these dice."""
    face: str
    """What it shows."""
    left_out: bool
    """Whether it stays here."""


class Collecting:
    """The collection of one table. Any thread may call."""

    def __init__(
        self, table: Table, shared: SharedCamera, reader: TableReader, workers: FrameWorkers
    ) -> None:
        """Begin with no throws, and with all pictures of the dice in use."""
        self._table, self._shared = table, shared
        self._reader, self._workers = reader, workers
        self.listeners = Listeners()
        """Told whenever the page is to show something else."""
        self._lock = threading.RLock()
        self._throws: tuple[KeptThrow, ...] = ()
        self._number = 0
        self._left_out: frozenset[int] = frozenset()
        self._profile = reader.profile
        self._camera = ""

    @property
    def edition(self) -> str:
        """Whose symbols the dice in use have (`vision.dice.profile.EDITIONS`)."""
        return self._reader.profile.edition

    @property
    def throws(self) -> tuple[KeptThrow, ...]:
        """The throws, the latest first."""
        with self._lock:
            self._follow_dice()
            return self._throws[::-1]

    @property
    def faces(self) -> tuple[KeptFace, ...]:
        """The pictures by which the dice in use were taught and learned."""
        with self._lock:
            self._follow_dice()
            return tuple(
                KeptFace(number, face, number in self._left_out)
                for number, (face, _) in enumerate(_pictures(self._profile))
            )

    def jpeg(self, number: int) -> bytes | None:
        """Return the picture of a throw, as it would leave; None if there is none."""
        kept = self._find(number)
        return kept.throw.jpeg if kept is not None else None

    def die_jpeg(self, number: int, die: int) -> bytes | None:
        """Return a die of a throw; None if there is none."""
        kept = self._find(number)
        if kept is None or die >= len(kept.throw.dice):
            return None
        there, data = kept.throw.dice[die], np.frombuffer(kept.throw.jpeg, np.uint8)

        def cut() -> bytes:
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
            side = max(2, round(_SHARE * there.size))
            return small_jpeg(
                np.asarray(cv2.getRectSubPix(image, (side, side), (there.x, there.y)), np.uint8)
            )

        return self._workers.encode(cut)

    def face_jpeg(self, number: int) -> bytes | None:
        """Return a picture of a face; None if there is none."""
        pictures = _pictures(self._reader.profile)
        if number >= len(pictures):
            return None
        return self._workers.encode(lambda: small_jpeg(pictures[number][1]))

    def download(self, person: int | None) -> bytes:
        """Return all that was not left out, as a ZIP file. Raises Refused."""
        self._table.check_host(Press(person, self._table.view().version))
        with self._lock:
            self._follow_dice()
            collection = DiceCollection(
                _without(self._profile, self._left_out),
                camera_kind(self._camera),
                tuple(kept.throw for kept in self._throws),
            )
        return collection_zip(collection)

    # The host's presses

    def add(self, press: Press) -> None:
        """Add the dice that lie in the tray now. Raises Refused."""
        self._table.check_host(press)
        frame, camera = self._shared.frame, self._shared.camera
        if frame is None or camera is None:
            raise Refused(Problem.FAILED, "no camera is working")
        if len(self._throws) >= MOST:
            raise Refused(Problem.ILLEGAL, "%(most)s pictures are enough", most=MOST)
        profile = self._reader.profile
        seen = self._workers.analyse(lambda: _read_throw(frame, profile))
        if seen is None:
            raise Refused(
                Problem.ILLEGAL,
                "no dice in the tray, or something lies over it: nothing was added",
            )
        throw, dice = seen
        with self._lock:
            self._follow_dice()
            if any(_same(dice, kept.seen) for kept in self._throws):
                raise Refused(
                    Problem.ILLEGAL, "this throw is in the collection already: throw the dice again"
                )
            self._number += 1
            self._camera = camera.name
            self._throws = (*self._throws, KeptThrow(self._number, throw, dice))
        self.listeners.tell()

    def mark(self, press: Press, number: int, die: int, face: str) -> None:
        """Say what a die of a throw shows. Raises Refused."""
        self._table.check_host(press)
        with self._lock:
            kept = self._find(number)
            if kept is None or not 0 <= die < len(kept.throw.dice) or face not in FACES:
                raise Refused(Problem.ILLEGAL, "there is no such die or face")
            dice = list(kept.throw.dice)
            dice[die] = replace(dice[die], face=face)
            said = replace(kept, throw=replace(kept.throw, dice=tuple(dice)))
            self._throws = tuple(said if each is kept else each for each in self._throws)
        self.listeners.tell()

    def drop(self, press: Press, number: int) -> None:
        """Leave a throw out. Raises Refused."""
        self._table.check_host(press)
        with self._lock:
            self._throws = tuple(kept for kept in self._throws if kept.id != number)
        self.listeners.tell()

    def leave_out(self, press: Press, number: int, *, out: bool) -> None:
        """Leave a picture of a face out, or take it in again. Raises Refused."""
        self._table.check_host(press)
        with self._lock:
            self._follow_dice()
            left_out = self._left_out | {number} if out else self._left_out - {number}
            if not all(_without(self._profile, left_out).taught.values()):
                raise Refused(Problem.ILLEGAL, "each face needs at least one picture")
            self._left_out = left_out
        self.listeners.tell()

    def _follow_dice(self) -> None:
        """Begin anew when other dice came into use, or something was learned of them."""
        profile = self._reader.profile
        if profile is self._profile:
            return
        if profile.name != self._profile.name:
            self._throws = ()
        self._profile, self._left_out = profile, frozenset()

    def _find(self, number: int) -> KeptThrow | None:
        return next((kept for kept in self._throws if kept.id == number), None)


def _read_throw(frame: Image, profile: Profile) -> tuple[CollectedThrow, tuple[Die, ...]] | None:
    """Return the part of a frame that may be given away, and the dice in the frame.

    None if there is none, or no die.
    """
    reading = DiceReader(profile).read(frame)
    shown = None
    if reading.verdict is not TrayVerdict.BLOCKED:
        shown = TrayRedactor().redact(frame, reading.dice)
    trim_memory()
    if shown is None:
        return None
    # OpenCV writes no date and no camera into a JPEG.
    jpeg = cv2.imencode(".jpg", shown.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    dice = (
        CollectedDie(die.face, die.face, die.sure, die.x, die.y, die.size) for die in shown.dice
    )
    return CollectedThrow(jpeg, str(reading.verdict), tuple(dice)), reading.dice


def _same(dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Return whether dice lie where they lay before."""
    return len(dice) == len(before) and all(
        min(dist((die.x, die.y), (other.x, other.y)) for other in before) < _SAME * die.size
        for die in dice
    )


def _pictures(profile: Profile) -> list[tuple[str, Image]]:
    """Return all pictures of the faces, taught ones first, each with its face."""
    return [
        (face, picture)
        for origin in (profile.taught, profile.learned)
        for face in profile.faces
        for picture in origin.get(face, ())
    ]


def _without(profile: Profile, left_out: frozenset[int]) -> Profile:
    """Return the profile without these pictures, by their numbers in `_pictures`."""
    numbers = iter(range(len(_pictures(profile))))
    taught, learned = (
        {
            face: tuple(p for p in origin.get(face, ()) if next(numbers) not in left_out)
            for face in profile.faces
        }
        for origin in (profile.taught, profile.learned)
    )
    if profile.pips:
        return profile
    return replace(profile, taught=taught, learned=learned, sources={})

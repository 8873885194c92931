"""Keeps the pictures of a lesson that was stopped, or cut off, until it goes on."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

import cv2

from companion.base import codec
from companion.base.whole_file import read_whole, write_whole
from companion.setup.lesson import CapturedFace, Lesson, LessonPlan, begin_lesson
from vision.profile_files import decode_png

FOLDER = "lessons"
"""Where unfinished lessons lie, in the data folder."""

_FILE = "lesson.json"

_log = logging.getLogger(__name__)


class _SavedPicture(NamedTuple):
    """A picture of the lesson."""

    face: str
    file: str
    """The name of its PNG, which tells its content."""
    sign: str
    warning: str
    looks_like: str
    spot: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class _SavedLesson:
    """A lesson as it is saved."""

    name: str
    edition: str
    again: bool
    pictures: tuple[_SavedPicture, ...]


class UnfinishedLesson:
    """The last lesson about dice, or about cards, that was not finished. For one thread at a time.

    Each picture is a file, written before the list that names it: whatever is cut off, the lesson
    is there as it was before the last picture, or after it.
    """

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        """Keep it in a folder of its own; size: width and height of its pictures."""
        self._folder, self._size = folder, size
        self._files: dict[int, str] = {}
        self._saved = self._read()

    @property
    def name(self) -> str:
        """What was being taught; "": there is none."""
        return self._saved.name if self._saved else ""

    @property
    def taken(self) -> int:
        """How many faces or titles have pictures."""
        return len({each.face for each in self._saved.pictures}) if self._saved else 0

    def keep(self, lesson: Lesson) -> None:
        """Keep a lesson in the place of the last one. What can't be written is logged.

        One without pictures is none.
        """
        if not any(lesson.pictures.values()):
            self.forget()
            return
        try:
            self._saved = self._write(lesson)
        except OSError as error:
            _log.warning("%s: the lesson isn't kept: %s", self._folder, error)

    def forget(self) -> None:
        """Delete it."""
        self._saved = None
        self._files.clear()
        rmtree(self._folder, ignore_errors=True)

    def lesson(self, plan: LessonPlan, number: Callable[[], int]) -> Lesson | None:
        """Return the lesson, to go on with; None if there is none. number: gives a picture's id."""
        saved = self._saved
        if saved is None:
            return None
        pictures: dict[str, list[CapturedFace]] = {}
        for face, file, sign, warning, looks_like, spot in saved.pictures:
            image = decode_png(self._picture(file), *self._size)
            if image is not None:
                taken = CapturedFace(number(), image, warning, looks_like, spot, sign)
                self._files[taken.id] = file
                pictures.setdefault(face, []).append(taken)
        begun = begin_lesson(saved.name, saved.edition, plan, pictures, again=saved.again)
        return begun.asking_for((*begun.missing, begun.face)[0], anew=False)

    def _read(self) -> _SavedLesson | None:
        try:
            return codec.read(_SavedLesson, json.loads(read_whole(self._folder / _FILE)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _log.warning("%s: the unfinished lesson can't be read: %s", self._folder, error)
            return None

    def _picture(self, file: str) -> bytes:
        try:
            return read_whole(self._folder / Path(file).name)
        except OSError as error:
            _log.warning("a picture of the unfinished lesson can't be read: %s", error)
            return b""

    def _write(self, lesson: Lesson) -> _SavedLesson:
        kept = tuple(
            _SavedPicture(
                face,
                self._file(each),
                each.sign,
                each.warning,
                each.looks_like,
                (float(each.spot[0]), float(each.spot[1]), float(each.spot[2]))
                if each.spot
                else None,
            )
            for face, captured in lesson.pictures.items()
            for each in captured
        )
        saved = _SavedLesson(lesson.name, lesson.edition, lesson.again, kept)
        write_whole(self._folder / _FILE, json.dumps(codec.write(saved)).encode())
        for left in {path.name for path in self._folder.glob("*.png")} - {
            each.file for each in kept
        }:
            (self._folder / left).unlink()
        return saved

    def _file(self, picture: CapturedFace) -> str:
        """Return the name of the file of a picture, written unless it is there."""
        if picture.id not in self._files:
            png = cv2.imencode(".png", picture.image)[1].tobytes()
            name = f"{blake2b(png, digest_size=12).hexdigest()}.png"
            write_whole(self._folder / name, png)
            self._files[picture.id] = name
        return self._files[picture.id]

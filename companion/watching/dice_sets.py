"""Keeps the sets of dice that were taught, and says which one the table reads."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.table.refused import Message, Problem, Refused
from companion.watching.lesson import EDITIONS, LEAST, MOST, Lesson, LessonPlan
from companion.watching.setup_store import SetupStore
from companion.watching.table_reader import TableReader
from companion.watching.teaching import KnownPicture, TeachingWords
from vision.learn import open_profile
from vision.profile import (
    SHIPPED,
    SUFFIX,
    Profile,
    ProfileError,
    load_profile,
    profile_path,
    save_profile,
)
from vision.reading import FACES
from vision.teach import build_profile

Image = npt.NDArray[np.uint8]


DICE = "pips"
"""The set of dice that is read until another is chosen."""


class DiceSets:
    """The profiles in a folder, and those that come with the product."""

    plan = LessonPlan(FACES)
    """What a lesson asks for: the faces of dice that can be taught, in order."""

    editions = EDITIONS
    """Whose symbols dice may bear."""

    always = True
    """Some dice are always read."""

    words = TeachingWords(
        playing=Message("you can’t teach dice during a game"),
        none=Message("no dice are being taught"),
        taken=Message("another set of dice has this name: choose a different one"),
        unknown=Message("there is no set of dice with this name"),
        untaught=Message("no set of dice with this name was taught here"),
        few=Message("each face needs at least %(least)s pictures", least=LEAST),
        many=Message("%(most)s pictures of a face are enough", most=MOST),
    )
    """What is said of dice."""

    def __init__(
        self, folder: Path, store: SetupStore, reader: TableReader, named: str = ""
    ) -> None:
        """Keep profiles in `folder`; `store` remembers which one `reader` is to use.

        named: the set that the settings file names, which can't be deleted; "": none.
        """
        self._folder, self._store, self._reader = folder, store, reader
        self._named = named

    @property
    def named(self) -> str:
        """The set that the settings name; "": none."""
        return self._named

    @property
    def used(self) -> str:
        """The set that the table reads."""
        return self._reader.profile.name

    def names(self) -> Sequence[str]:
        """Return the sets that were taught here, sorted."""
        # What was learned of a set that comes with the product is kept under its name.
        shipped = self.others()
        return [name for name in _names(self._folder) if name not in shipped]

    def others(self) -> Sequence[str]:
        """Return the sets that come with the product, sorted."""
        return _names(SHIPPED)

    def taken(self, name: str) -> bool:
        """Return whether a set has this name, in upper or lower case."""
        if name.casefold() in (other.casefold() for other in self.names()):
            return True
        try:
            # Sets that come with the product keep their names.
            profile_path(name, self._folder)
        except ProfileError:
            return True
        return False

    def load(self, name: str) -> tuple[str, Mapping[str, Sequence[Image]]]:
        """Return a set's edition and the taught pictures of each face. Raises Refused."""
        profile = self._profile(name)
        return profile.edition, profile.taught

    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        """Return a set's edition and the taught pictures of each face. Raises Refused."""
        edition, pictures = self.load(name)
        return edition, {face: [KnownPicture(p) for p in each] for face, each in pictures.items()}

    def keep(self, lesson: Lesson) -> None:
        """Keep what a lesson taught. Raises Refused."""
        self.save(lesson.name, lesson.edition, lesson.images)

    def save(self, name: str, edition: str, pictures: Mapping[str, Sequence[Image]]) -> None:
        """Keep what was taught, with what was learned of the same dice since. Raises Refused."""
        profile = build_profile(name, pictures, edition)
        path = self._folder / f"{name}{SUFFIX}"
        with suppress(ProfileError):
            profile = replace(load_profile(path), taught=profile.taught, edition=edition)
        try:
            save_profile(profile, path)
        except ProfileError as error:
            raise Refused(Problem.FAILED, "nothing was changed: %(error)s", error=error) from error

    def use(self, name: str) -> None:
        """Make the table read this set from now on, also after a restart. Raises Refused.

        It does so until the settings name another set.
        """
        profile = self._profile(name)
        self._store.save(profile=name, instead_of=self._named)
        self._reader.use(profile)

    def files(self) -> Mapping[str, Path]:
        """Return the file of each set that was taught here, by its name."""
        found = sorted(self._folder.glob(f"*{SUFFIX}"))
        return {path.stem: path for path in found if path.is_file()}

    def check(self, path: Path) -> None:
        """Raise Refused unless the file holds a set of dice."""
        try:
            load_profile(path)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error

    def add(self, path: Path) -> str:
        """Move a set's file to the others and return the name it has there.

        If another set has its name, a number is added. Empty if the same file is already there.
        """
        return added(path, self._folder)

    def delete(self, name: str) -> None:
        """Delete a set that was taught here. Raises Refused, with nothing deleted.

        If it is in use, dice with pips are read from now on: first of all, so that the table finds
        its dice if it is unplugged in between.
        """
        if name == self._named:
            raise Refused(
                Problem.ILLEGAL, "the settings file names these dice: choose others there first"
            )
        if name == self.used:
            self.use(DICE)
        try:
            for suffix in (SUFFIX, ".toml"):
                (self._folder / f"{name}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise Refused(
                Problem.FAILED,
                "the dice could not be deleted: %(error)s",
                error=f"{error.filename}: {error.strerror}",
            ) from error

    def _profile(self, name: str) -> Profile:
        try:
            return open_profile(name, self._folder)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error


def added(path: Path, folder: Path) -> str:
    """Move a taught file to a folder and return the name it has there.

    If another one has its name, a number is added. Empty if the same file is already there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name, again = path.stem, 1
    while (place := folder / f"{name}{path.suffix}").exists():
        if place.read_bytes() == path.read_bytes():
            return ""
        again += 1
        name = f"{path.stem}-{again}"
    path.replace(place)
    return name


def _names(folder: Path) -> Sequence[str]:
    return sorted(
        path.stem
        for path in folder.glob("*")
        if path.suffix in (SUFFIX, ".toml") and path.is_file()
    )

"""The files of what was taught: those of this table, and those that come with the product."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from companion.base.refused import Message, Problem, Refused
from companion.base.whole_file import free_place
from companion.camera.setup_store import SetupStore
from companion.setup.lesson import Lesson, LessonPlan
from vision.imaging.geometry import Image
from vision.profile_files import SHIPPED, ProfileError

Taught = TypeVar("Taught")


class TeachingWords(NamedTuple):
    """What is said of things that can be taught: dice, or cards."""

    playing: Message
    """Why nothing is taught during a game."""
    none: Message
    """Why nothing can be done: no lesson is given."""
    taken: Message
    """Why a name can't be given."""
    unknown: Message
    """Why nothing can be used that is called so."""
    untaught: Message
    """Why nothing can be taught again, or deleted, that is called so."""
    few: Message
    """Why a lesson can't be checked: some face has too few pictures."""
    many: Message
    """Why no more pictures are taken of a face."""


class TaughtForm(NamedTuple):
    """How what was taught is kept in files. Each raises ProfileError."""

    open: Callable[[str, Path], Any]
    """Returns one by its name or path, in a folder or shipped, with what was learned of it."""
    load: Callable[[Path], Any]
    """Returns what a file holds."""
    path: Callable[[str, Path], Path]
    """Returns where one of a name is kept in a folder."""


class KnownPicture(NamedTuple):
    """A picture that was taught before."""

    image: Image
    """As a profile or a deck keeps it."""
    sign: str = ""
    """The sign of a card, such as `10H`; "" for a die."""


class TaughtFolder(ABC, Generic[Taught]):
    """The sets of dice, or the decks of cards, in a folder and among those that are shipped."""

    form: ClassVar[TaughtForm]
    """How they are kept."""
    suffixes: ClassVar[tuple[str, ...]]
    """What their files end with; the first one is written."""

    spare: ClassVar[str]
    """What the table reads once the one in use is deleted; "": nothing, as can be chosen, too."""

    chosen_in_game: ClassVar[bool]
    """Whether another one can be read while a game runs."""

    plan: LessonPlan
    """What a lesson asks for."""

    editions: ClassVar[tuple[str, ...]] = ()
    """The editions among which the host chooses; empty where that means nothing."""

    words: ClassVar[TeachingWords]
    """What is said of them."""

    def __init__(self, folder: Path, store: SetupStore, named: str = "") -> None:
        """Keep files in `folder`; `store` remembers which one the table reads.

        named: the one that the settings file names, which can't be deleted; "": none.
        """
        self._folder, self._store, self._named = folder, store, named

    @property
    def named(self) -> str:
        """The name of the one that the settings file names; "": none."""
        return self._named

    @property
    @abstractmethod
    def used(self) -> str:
        """The name of the one that the table reads now; "": none."""

    @abstractmethod
    def use(self, name: str) -> None:
        """Read this one from now on, and remember it for the next start. Raises Refused."""

    @abstractmethod
    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        """Return the edition, and the taught pictures of each face. Raises Refused."""

    def keep(self, lesson: Lesson) -> None:
        """Keep what a lesson taught. Raises Refused."""
        try:
            self._keep(lesson)
        except ProfileError as error:
            raise Refused(Problem.FAILED, "nothing was changed: %(error)s", error=error) from error

    def names(self) -> Sequence[str]:
        """Return the names of those here that don't come with the product, sorted."""
        # What was learned of one that comes with the product is kept under its name.
        shipped = self.others()
        return [name for name in self._names(self._folder) if name not in shipped]

    def others(self) -> Sequence[str]:
        """Return the names of the shipped ones, sorted."""
        return self._names(SHIPPED)

    def is_taken(self, name: str) -> bool:
        """Return whether one has this name, in upper or lower case, or none can have it."""
        names = (*self.names(), *self.others())
        if name.casefold() in (other.casefold() for other in names):
            return True
        try:
            self.form.path(name, self._folder)
        except ProfileError:
            return True
        return False

    def files(self) -> Mapping[str, Path]:
        """Return the file of each one that was taught here, by its name."""
        found = sorted(self._folder.glob(f"*{self.suffixes[0]}"))
        return {path.stem: path for path in found if path.is_file()}

    def check(self, path: Path) -> None:
        """Raise Refused unless the file holds one."""
        try:
            self.form.load(path)
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error

    def add(self, path: Path) -> str:
        """Move a file to the others and return the name it has there.

        If another one has its name, a number is added. Empty if the same file is already there.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        place, there = free_place(self._folder, path.stem, path.suffix, path.read_bytes())
        if there:
            return ""
        path.replace(place)
        return place.stem

    def delete(self, name: str) -> None:
        """Delete one that was taught here. Raises Refused, with nothing deleted.

        If it is in use, the spare one is read from now on: first of all, so that the table finds
        what it reads if it is unplugged in between.
        """
        if name and name == self.named:
            raise Refused(
                Problem.ILLEGAL, "the settings file names these dice: choose others there first"
            )
        if name == self.used:
            self.use(self.spare)
        try:
            for suffix in self.suffixes:
                (self._folder / f"{name}{suffix}").unlink(missing_ok=True)
        except OSError as error:
            raise Refused(
                Problem.FAILED,
                "it could not be deleted: %(error)s",
                error=f"{error.filename}: {error.strerror}",
            ) from error

    def open(self, name: str) -> Taught:
        """Return one, taught here or shipped. Raises Refused."""
        try:
            found: Taught = self.form.open(name, self._folder)
            return found
        except ProfileError as error:
            raise Refused(Problem.FAILED, str(error)) from error

    @abstractmethod
    def _keep(self, lesson: Lesson) -> None:
        """Write what a lesson taught. Raises ProfileError."""

    def _names(self, folder: Path) -> Sequence[str]:
        return sorted(
            path.stem
            for path in folder.glob("*")
            if path.suffix in self.suffixes and path.is_file()
        )

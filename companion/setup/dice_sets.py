"""Keeps the sets of dice that were taught, and says which one the table reads."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.base.refused import Message, Refused
from companion.camera.setup_store import SetupStore
from companion.camera.table_reader import TableReader
from companion.setup.lesson import EDITIONS, LEAST, MOST, Lesson, LessonPlan
from companion.setup.taught_folder import KnownPicture, TaughtFolder, TaughtForm, TeachingWords
from vision.dice.learn import open_profile
from vision.dice.profile import SUFFIX, Profile, load_profile, profile_path, save_profile
from vision.dice.reading import FACES
from vision.dice.teach import build_profile
from vision.profile_files import ProfileError

DICE = "pips"
"""The set of dice that is read until another is chosen."""


class DiceSets(TaughtFolder[Profile]):
    """The profiles in a folder, and those that come with the product."""

    form = TaughtForm(open_profile, load_profile, profile_path)
    suffixes = (SUFFIX, ".toml")

    spare = DICE
    """Dice with pips are read."""

    chosen_in_game = True

    plan = LessonPlan(FACES)
    """What a lesson asks for: the faces of dice that can be taught, in order."""

    editions = EDITIONS
    """Whose symbols dice may bear."""

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
        super().__init__(folder, store, named)
        self._reader = reader

    @property
    def used(self) -> str:
        """The set that the table reads."""
        return self._reader.profile.name

    def known(self, name: str) -> tuple[str, Mapping[str, Sequence[KnownPicture]]]:
        """Return a set's edition and its pictures of each face, to be taught on. Raises Refused."""
        profile = self.open(name)
        taught = {face: [KnownPicture(p) for p in each] for face, each in profile.taught.items()}
        return profile.edition, taught

    def opened(self) -> Iterator[Profile]:
        """Return all sets that can be opened, each as it is asked for."""
        for name in (*self.names(), *self.others()):
            with suppress(Refused):
                yield self.open(name)

    def use(self, name: str) -> None:
        """Make the table read this set from now on, also after a restart. Raises Refused.

        It does so until the settings name another set.
        """
        profile = self.open(name)
        self._store.save(profile=name, instead_of=self._named)
        self._reader.use(profile)

    def _keep(self, lesson: Lesson) -> None:
        # What was learned of the same dice since stays.
        profile = build_profile(lesson.name, lesson.images, lesson.edition)
        path = self._folder / f"{lesson.name}{SUFFIX}"
        with suppress(ProfileError):
            profile = replace(load_profile(path), taught=profile.taught, edition=profile.edition)
        save_profile(profile, path)

"""Learn while dice are played: add faces that players named to the profile of a running reader."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.dice.faces.crops import profile_picture
from vision.dice.find.finder import DiceFinder
from vision.dice.matching import NEAR, PlacedBox
from vision.dice.profile import MOST, SUFFIX, Profile, counts, load_profile, save_profile
from vision.dice.reader import DiceReader
from vision.imaging.geometry import Image
from vision.imaging.pyramid import build_pyramid
from vision.profile_files import ProfileError


class LabelledDie(PlacedBox, Protocol):
    """A die that a player named."""

    @property
    def face(self) -> str:
        """Its face."""


def open_profile(name_or_path: str | Path, folder: Path) -> Profile:
    """Return the profile of this name or path, with what was learned of it.

    folder: where learned pictures are kept. Raises ProfileError as `load_profile` does, and where
    `folder` holds other dice of that name.
    """
    profile = load_profile(name_or_path, folder)
    home = _home(profile, folder)
    if profile.pips or not home.is_file():
        return profile
    kept = load_profile(home, folder)
    if not _are_same_dice(kept, profile):
        raise ProfileError(f"{home}: other dice than those of {name_or_path}; rename one of them")
    return replace(profile, learned=kept.learned, sources=kept.sources)


class ProfileLearner:
    """Adds pictures to a reader's profile while another thread reads with it. For one thread.

    Each change is saved in `folder`, whole or not at all, together with the taught pictures, so
    that the file can be copied alone. What can't be saved is known until the end all the same.
    """

    def __init__(
        self, reader: Callable[[], DiceReader], name_or_path: str | Path, folder: Path
    ) -> None:
        """Learn for the reader in use, as `reader` returns it.

        name_or_path, folder: of the first reader's dice, as given to `open_profile`; later readers
        are of profiles in `folder`. Where pips are counted, nothing is learned.
        """
        self._reader = reader
        self._origin, self._folder = name_or_path, folder

    @property
    def counts(self) -> dict[str, int]:
        """How many pictures of each face were learned."""
        return counts(self._reader().profile.learned)

    def learn(self, image: Image, named: Sequence[LabelledDie], source: str) -> None:
        """Learn dice that were read in `image`, BGR (H, W, 3); source: names the lesson.

        A die that is not found again where it was read is left out. Raises ProfileError where the
        profile can't be saved.
        """
        reader = self._reader()
        if reader.profile.pips:
            return
        levels = build_pyramid(image)
        boxes = [c.box for c in DiceFinder().find(levels).candidates]
        profile = reader.profile
        for die in named:
            here = (b for b in boxes if hypot(b.x - die.x, b.y - die.y) <= NEAR * die.size)
            box = next(here, None)
            if box is not None:
                profile = add_learned_picture(
                    profile, die.face, profile_picture(levels, box), source
                )
        self._use(reader, profile)

    def take_back(self, is_taken_back: Callable[[str], bool]) -> None:
        """Unlearn the pictures for whose source this is true. Raises ProfileError as `learn`."""
        reader = self._reader()
        self._use(reader, remove_learned_pictures(reader.profile, is_taken_back))

    def _use(self, reader: DiceReader, profile: Profile) -> None:
        if profile is reader.profile:
            return
        origin = self._origin if Path(self._origin).stem == profile.name else profile.name
        # The dice may have been taught again since.
        with suppress(ProfileError):
            profile = replace(profile, taught=load_profile(origin, self._folder).taught)
        reader.know(profile)
        save_profile(profile, _home(profile, self._folder))


def add_learned_picture(profile: Profile, face: str, picture: Image, source: str) -> Profile:
    """Return the profile with one more learned picture, at most MOST of a face: the newest."""
    pictures = (*profile.learned.get(face, ()), picture)[-MOST:]
    sources = (*_sources(profile, face), source)[-MOST:]
    return replace(
        profile,
        learned={**profile.learned, face: pictures},
        sources={**profile.sources, face: sources},
    )


def remove_learned_pictures(profile: Profile, is_taken_back: Callable[[str], bool]) -> Profile:
    """Return the profile without the pictures of these lessons; itself if there are none."""
    left = {
        face: [
            (picture, source)
            for picture, source in zip(pictures, _sources(profile, face), strict=True)
            if not is_taken_back(source)
        ]
        for face, pictures in profile.learned.items()
    }
    if all(len(left[face]) == len(pictures) for face, pictures in profile.learned.items()):
        return profile
    return replace(
        profile,
        learned={face: tuple(picture for picture, _ in each) for face, each in left.items()},
        sources={face: tuple(source for _, source in each) for face, each in left.items()},
    )


def _sources(profile: Profile, face: str) -> tuple[str, ...]:
    return profile.sources.get(face) or ("",) * len(profile.learned.get(face, ()))


def _home(profile: Profile, folder: Path) -> Path:
    return folder / f"{profile.name}{SUFFIX}"


def _are_same_dice(one: Profile, other: Profile) -> bool:
    """Return whether both were taught by at least one and the same picture."""
    return any(
        np.array_equal(mine, yours)
        for face in one.faces
        for mine in one.taught.get(face, ())
        for yours in other.taught.get(face, ())
    )

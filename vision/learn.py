"""Learns while dice are played: faces that players named join the profile of a running reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.faces import picture_at
from vision.locate import Image
from vision.look import Eye
from vision.profile import MOST, SUFFIX, Profile, ProfileError, counts, load_profile, save_profile
from vision.reader import Reader
from vision.views import halves

SAME = 0.1
"""A die is found again at most so many edges from where it was read."""


class Named(Protocol):
    """A die that a player named."""

    @property
    def face(self) -> str:
        """Its face."""

    @property
    def x(self) -> float:
        """Centre, pixels from the left."""

    @property
    def y(self) -> float:
        """Centre, pixels from the top."""

    @property
    def size(self) -> float:
        """Edge, pixels."""


def opened(name_or_path: str | Path, folder: Path) -> Profile:
    """The profile of this name or path, with what was learned of it, which is kept in `folder`.

    Raises ProfileError as `load_profile` does, and where `folder` holds other dice of that name.
    """
    profile = load_profile(name_or_path, folder)
    home = _home(profile, folder)
    if profile.pips or not home.is_file():
        return profile
    kept = load_profile(home, folder)
    if not _same_dice(kept, profile):
        raise ProfileError(f"{home}: other dice than those of {name_or_path}; rename one of them")
    return replace(profile, learned=kept.learned, sources=kept.sources)


class Pupil:
    """Adds to what a reader knows, while another thread reads with it. For one thread itself.

    Each change is saved in `folder`, whole or not at all, with the taught pictures: that file alone
    can be copied. What can't be saved is known nevertheless, until the end.
    """

    def __init__(
        self, reader: Callable[[], Reader], name_or_path: str | Path, folder: Path
    ) -> None:
        """Learn for whichever reader is in use, of dice as `opened` by this name or path.

        Later ones are of profiles in `folder`. Where pips are counted nothing is learned.
        """
        self._reader = reader
        self._origin, self._folder = name_or_path, folder

    @property
    def counts(self) -> dict[str, int]:
        """How many pictures of each face were learned."""
        return counts(self._reader().profile.learned)

    def learn(self, image: Image, named: Sequence[Named], source: str) -> None:
        """Learn dice that were read in `image`; `source` names the lesson.

        One that is not found again where it was read is left out. Raises ProfileError where the
        profile can't be saved.
        """
        reader = self._reader()
        if reader.profile.pips:
            return
        levels = halves(image)
        spots = [found.spot for found in Eye().find(levels).found]
        profile = reader.profile
        for die in named:
            here = (s for s in spots if hypot(s.x - die.x, s.y - die.y) < SAME * die.size)
            spot = next(here, None)
            if spot is not None:
                profile = learned(profile, die.face, picture_at(levels, spot), source)
        self._take(reader, profile)

    def take_back(self, is_taken_back: Callable[[str], bool]) -> None:
        """Unlearn the lessons whose source says so. Raises ProfileError as `learn` does."""
        reader = self._reader()
        self._take(reader, unlearned(reader.profile, is_taken_back))

    def _take(self, reader: Reader, profile: Profile) -> None:
        if profile is reader.profile:
            return
        origin = self._origin if Path(self._origin).stem == profile.name else profile.name
        # The dice may have been taught again since.
        with suppress(ProfileError):
            profile = replace(profile, taught=load_profile(origin, self._folder).taught)
        reader.know(profile)
        save_profile(profile, _home(profile, self._folder))


def learned(profile: Profile, face: str, picture: Image, source: str) -> Profile:
    """The profile with one more learned picture; of a face that has MOST, the oldest is dropped."""
    pictures = (*profile.learned.get(face, ()), picture)[-MOST:]
    sources = (*_sources(profile, face), source)[-MOST:]
    return replace(
        profile,
        learned={**profile.learned, face: pictures},
        sources={**profile.sources, face: sources},
    )


def unlearned(profile: Profile, is_taken_back: Callable[[str], bool]) -> Profile:
    """The profile without the pictures of those lessons; itself if there are none."""
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


def _same_dice(one: Profile, other: Profile) -> bool:
    """Whether they were taught by at least one and the same picture."""
    return any(
        np.array_equal(mine, yours)
        for face in one.faces
        for mine in one.taught.get(face, ())
        for yours in other.taught.get(face, ())
    )

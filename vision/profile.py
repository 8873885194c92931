"""Profiles: which dice are on the table and what their faces mean."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).with_name("profiles")
FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")


class ProfileError(Exception):
    """A profile that is missing or malformed; the message names the place and what is wrong."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of dice: `faces[n - 1]` is the face that n pips stand for."""

    name: str
    faces: tuple[str, ...]


def load_profile(name_or_path: str | Path) -> Profile:
    """The profile that ships under this name, or the one at this path.

    Raises ProfileError where there is none, or it is malformed.
    """
    shipped = SHIPPED / f"{name_or_path}.toml"
    path = shipped if shipped.is_file() else Path(name_or_path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"{name_or_path}: no such profile") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: {error}") from error
    if data.get("kind") != "pips":
        raise ProfileError(f"{path}: kind must be 'pips', not {data.get('kind')!r}")
    faces = data.get("faces")
    if not isinstance(faces, list) or sorted(map(str, faces)) != sorted(FACES):
        raise ProfileError(f"{path}: faces must name each of {', '.join(FACES)} once")
    return Profile(path.stem, tuple(faces))

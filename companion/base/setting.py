"""What a page may change of a settings file. It is said once, at the field that holds it."""

from collections.abc import Mapping
from dataclasses import Field, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from companion.base.refused import Message

_T = TypeVar("_T")
_ABOUT = "about"


class Setting(NamedTuple):
    """How a page shows a setting, or a section of settings."""

    title: Message
    """What it is called."""
    hint: Message | None = None
    """What else one should know."""
    choices: Mapping[str, Message] = MappingProxyType({})
    """The texts that it can be, each with what it means; none: any."""
    pattern: str = ""
    """What the whole text is like, as a regular expression; empty: any."""
    span: range | None = None
    """The numbers that it can be."""
    secret: bool = False
    """Whether no page is told what it is."""
    opened: bool = True
    """Of a section: whether pages show it even if it isn't in the file yet."""
    owner: bool = False
    """Of a section: whether changes take the owner's code."""


class Entry(NamedTuple):
    """A setting as a page shows it."""

    key: str
    """Its name in the file, such as `mqtt.port`."""
    about: Setting
    """What it is called, and what it can be."""
    value: Any
    """What it is; of a secret, only whether there is one."""


class Section(NamedTuple):
    """Settings that are changed together."""

    name: str
    """Its name in the file; empty for the settings above all sections."""
    about: Setting
    """What it is called."""
    entries: tuple[Entry, ...]
    """Its settings."""


def setting(default: _T, title: Message, hint: Message | None = None, **more: Any) -> _T:
    """Return the field of a dataclass with a setting that a page shows. more: as in `Setting`."""
    made: _T = field(default=default, metadata={_ABOUT: Setting(title, hint, **more)})
    return made


def about(known: "Field[Any]") -> Setting | None:
    """Return how a page shows a field of a dataclass; None if it doesn't."""
    found: Setting | None = known.metadata.get(_ABOUT)
    return found

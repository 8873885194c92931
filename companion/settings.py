"""Settings: a TOML file to a dataclass, with errors that name the key."""

import os
import tomllib
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from companion.dicegame.house import CONTRADICTORY, HouseRule
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.terms import LANGUAGES

_T = TypeVar("_T")


class ConfigError(ValueError):
    """A configuration that can't be used: `FILE: key: what is wrong`."""


def _default_data() -> Path:
    """Where systemd keeps the state of the service, else where users' programs keep theirs."""
    service = os.environ.get("STATE_DIRECTORY")
    if service:
        return Path(service)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "bang-companion"


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers of the GPIO pins."""

    green: int = 17
    red: int = 27
    light_red: int = 22
    light_green: int = 23
    light_blue: int = 24

    def __post_init__(self) -> None:
        for entry in fields(self):
            if not 0 <= getattr(self, entry.name) <= 27:
                raise ConfigError(f"{entry.name}: a BCM number from 0 to 27")


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The Wi-Fi that the Pi opens where it knows none, as `systemd/install --hotspot` made it."""

    name: str = ""
    """Empty: there is none."""
    key: str = ""

    def __post_init__(self) -> None:
        if self.name and not 8 <= len(self.key) <= 63:
            raise ConfigError("key: 8 to 63 letters")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; each key of the file is a field here."""

    host: str = "0.0.0.0"
    """Address to serve the pages on."""
    port: int = 8000
    camera: str = "auto"
    """`auto`, `picamera`, `usb:0`, a folder of pictures, a video file, `simulated` or `none`."""
    profile: str = ""
    """The dice on the table; empty: those chosen on the page, at first `pips`."""
    learn: bool = True
    """Let dice that players correct teach the reader."""
    data: Path = field(default_factory=_default_data)
    """Folder for games and profiles."""
    ruleset: str = "base"
    language: str = ""
    """Of pages whose browser asks for none that there is; empty: the one of the ruleset."""
    house_rules: frozenset[HouseRule] = frozenset()
    """Rulings that this table plays otherwise."""
    ask_always: bool = False
    """Ask also where everything that is legal comes to the same."""
    fallen_see_roles: bool = False
    """Let whoever is eliminated look at all roles."""
    pins: Pins = Pins()
    hotspot: Hotspot = Hotspot()

    @property
    def profiles(self) -> Path:
        """Folder for the profiles of dice that were taught."""
        return self.data / "profiles"

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError("port: a number from 0 to 65535")
        if self.ruleset not in RULESETS:
            raise ConfigError(f"ruleset: {self.ruleset!r} is not one of {', '.join(RULESETS)}")
        if self.language not in ("", *LANGUAGES):
            raise ConfigError(f"language: {self.language!r} is not one of {', '.join(LANGUAGES)}")
        if self.house_rules >= CONTRADICTORY:
            raise ConfigError(f"house_rules: not {' and '.join(sorted(CONTRADICTORY))} together")
        for key in ("host", "camera"):
            if not getattr(self, key):
                raise ConfigError(f"{key}: must not be empty")


def load(path: Path | None, **overrides: object) -> Settings:
    """Return the settings of a file (None: the defaults), but for what `overrides` says.

    Overrides that are None count as unsaid. Raises ConfigError.
    """
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path}: this is no UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path}: {error}") from None
    values |= {key: value for key, value in overrides.items() if value is not None}
    try:
        return _build(Settings, values)
    except ConfigError as error:
        raise ConfigError(f"{path or 'settings'}: {error}") from None


def _build(kind: type[_T], values: dict[str, Any]) -> _T:
    types = get_type_hints(kind)
    arguments = {}
    for key, value in values.items():
        if key not in types:
            raise ConfigError(f"{key}: no such key; there are {', '.join(types)}")
        arguments[key] = _convert(key, types[key], value)
    return kind(**arguments)


def _convert(key: str, kind: Any, value: object) -> object:
    if is_dataclass(kind):
        if not isinstance(value, dict):
            raise ConfigError(f"{key}: {value!r} is not a table of settings")
        try:
            return _build(cast(type, kind), value)
        except ConfigError as error:
            raise ConfigError(f"{key}.{error}") from None
    if get_origin(kind) is frozenset:
        return _choices(key, get_args(kind)[0], value)
    if kind is Path and isinstance(value, str | Path) and str(value):
        return Path(value).expanduser()
    if type(value) is not kind:
        name = {int: "a whole number", bool: "true or false", Path: "a folder"}.get(kind, "a text")
        raise ConfigError(f"{key}: {value!r} is not {name}")
    return value


def _choices(key: str, kind: type[StrEnum], value: object) -> frozenset[StrEnum]:
    if not isinstance(value, list):
        raise ConfigError(f"{key}: {value!r} is not a list")
    known = {choice.value: choice for choice in kind}
    for name in value:
        if name not in known:
            raise ConfigError(f"{key}: {name!r} is not one of {', '.join(known)}")
    return frozenset(known[name] for name in value)

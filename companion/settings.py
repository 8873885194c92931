"""Settings: a TOML file as a dataclass, with errors that name the key."""

import os
import re
import tomllib
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

from companion.base import codec
from companion.base.whole_file import read_whole
from companion.club.publishing.topics import may_begin, may_name
from companion.games.common.players import numbers
from companion.games.common.texts import LANGUAGES
from companion.games.registry import LIST

CAMERAS = ("auto", "picamera", "simulated", "none")
"""Cameras by name. Others are `usb:N`, a folder of pictures or a video file."""

RULESETS = ChainMap(*(dict(game.rulesets) for game in LIST.values()))
"""The rulesets of all games by id; of two with the same id, that of the game listed first."""

HOUSE_RULES = tuple(rule for game in LIST.values() for rule in game.house_rules)
"""The house rules of all games."""

OWN_FOLDER = "bang-companion"
"""The name of the data folder in the user's folder for data."""


class ConfigError(ValueError):
    """A setting can't be used: `FILE: key: what is wrong`, or `--key: …` for an option."""


def default_data(environ: Mapping[str, str] = os.environ) -> Path:
    """Return systemd's folder for the service's state, or the user's folder for data."""
    if service := environ.get("STATE_DIRECTORY"):
        return Path(service)
    if home := environ.get("XDG_DATA_HOME"):
        return Path(home) / OWN_FOLDER
    return Path(environ.get("HOME") or Path.home()) / ".local" / "share" / OWN_FOLDER


@dataclass(frozen=True, slots=True)
class PinNumbers:
    """The GPIO pins, by their BCM numbers."""

    green: int = 17
    """The green button."""
    red: int = 27
    """The red button."""
    light_red: int = 22
    """The red LED of the status light."""
    light_green: int = 23
    """The green LED of the status light."""
    light_blue: int = 24
    """The blue LED of the status light."""

    @property
    def light(self) -> tuple[int, int, int]:
        """The LEDs of the status light: red, green and blue."""
        return self.light_red, self.light_green, self.light_blue

    def __post_init__(self) -> None:
        for entry in fields(self):
            if not 0 <= getattr(self, entry.name) <= 27:
                raise ConfigError(
                    f"{entry.name}: {getattr(self, entry.name)} is not a GPIO pin; "
                    "choose a BCM number from 0 to 27"
                )


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The Pi's own Wi-Fi, for places without one; `systemd/install --hotspot` sets it up."""

    name: str = ""
    """Its name; empty if there is none."""
    key: str = ""
    """Its password, of 8 to 63 characters."""

    def __post_init__(self) -> None:
        if self.name and not 8 <= len(self.key) <= 63:
            raise ConfigError("key: a Wi-Fi key has 8 to 63 letters")


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """A loudspeaker at the Pi itself; the television's sound is chosen on its page."""

    effects: bool = False
    """Whether the speaker plays the sounds of the game."""
    announcer: bool = False
    """Whether it says what happens."""
    voice: str = ""
    """The file of a voice for piper; empty: espeak-ng speaks."""
    device: str = ""
    """The device, as `aplay -L` lists it; empty: the usual one."""
    volume: int = 80
    """How loud, in percent."""

    def __post_init__(self) -> None:
        if not 1 <= self.volume <= 100:
            raise ConfigError(f"volume: {self.volume} is not a volume; choose 1 to 100")

    @property
    def is_on(self) -> bool:
        """Whether there is anything to hear."""
        return self.effects or self.announcer


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """A message broker, where this table meets others and Home Assistant."""

    host: str = ""
    """Its name or address; empty: the table publishes nothing."""
    port: int = 0
    """Its port; 0: the usual one, 1883 or, with TLS, 8883."""
    user: str = ""
    """The user to log in as; empty: without a password."""
    password: str = ""
    """That user's password."""
    password_file: str = ""
    """A file with the password, which nobody else needs to read."""
    tls: bool = False
    """Whether the connection is encrypted."""
    ca: str = ""
    """The file of the certificate authority to trust; empty: those that the system trusts."""
    prefix: str = "bang-companion"
    """What all topics begin with."""
    name: str = ""
    """The name of this table on the broker."""
    home_assistant: str = "homeassistant"
    """The prefix under which Home Assistant finds the table; empty: it is not announced."""
    buttons: bool = False
    """Whether Home Assistant may mute the table and deal the next game."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port: {self.port} is not a port; choose 0 to 65535")
        checks = {"prefix": may_begin, "home_assistant": may_begin, "name": may_name}
        for key, allowed in checks.items():
            text = getattr(self, key)
            if text and not allowed(text):
                raise ConfigError(f"{key}: {text!r} can't stand in a topic; use letters and digits")
        if not self.prefix:
            raise ConfigError("prefix: can't be empty; all topics begin with it")
        if self.password and self.password_file:
            raise ConfigError("password_file: choose either password or password_file")
        if (self.password or self.password_file) and not self.user:
            raise ConfigError("user: a password needs a user")
        if self.ca and not self.tls:
            raise ConfigError("ca: is for TLS; set tls = true")


@dataclass(frozen=True, slots=True)
class HallSettings:
    """The page of all tables on a broker, `bang-companion hall`."""

    name: str = ""
    """What the page is called; empty: the hall."""
    port: int = 8001
    """Its TCP port."""
    password: str = ""
    """The organiser's password; without one, nobody runs tournaments there."""
    password_file: str = ""
    """A file with the password, which nobody else needs to read."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port: {self.port} is not a port; choose 0 to 65535")
        if self.password and self.password_file:
            raise ConfigError("password_file: choose either password or password_file")
        if len(self.name) > 60 or not self.name.isprintable():
            raise ConfigError("name: choose up to 60 characters")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; each key of the file is a field here."""

    host: str = "0.0.0.0"
    """The network address to serve the pages on."""
    port: int = 8000
    """The TCP port of the pages."""
    camera: str = "auto"
    """`auto`, `picamera`, `usb:0`, a folder of pictures, a video file, `simulated` or `none`."""
    profile: str = ""
    """The set of dice; empty: the one chosen on the page, initially `pips`."""
    learn: bool = True
    """Whether the reader learns from the players' corrections."""
    dice_pictures: bool = True
    """Whether pictures of the dice of each roll are kept, to watch a finished game again."""
    data: Path = field(default_factory=default_data)
    """The folder for games and profiles."""
    game: str = "dice"
    """The first game, by its name in LIST; the host can choose another."""
    ruleset: str = "base"
    """The ruleset of the first game; the host can choose another."""
    language: str = ""
    """The language for browsers that ask for none of ours; empty: that of the ruleset."""
    house_rules: frozenset[Annotated[str, HOUSE_RULES]] = frozenset()
    """The house rules that are on."""
    ask_always: bool = False
    """Whether to ask players even if every legal choice has the same effect."""
    fallen_see_roles: bool = False
    """Whether eliminated players see all roles."""
    pins: PinNumbers = PinNumbers()
    """The GPIO pins of buttons and light."""
    hotspot: Hotspot = Hotspot()
    """The Pi's own Wi-Fi."""
    sound: SoundSettings = SoundSettings()
    """A loudspeaker at the Pi."""
    mqtt: MqttSettings = MqttSettings()
    """A message broker."""
    hall: HallSettings = HallSettings()
    """The page of all tables on a broker."""
    stand_ins: int = 0
    """How many stand-ins play game after game by themselves, to show the table; 0: people play."""
    origins: tuple[str, ...] = ()
    """The other sites whose pages may read what the table tells programs."""

    @property
    def profiles(self) -> Path:
        """The folder for the profiles of dice that were taught."""
        return self.data / "profiles"

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port: {self.port} is not a port; choose 0 to 65535, such as 8000")
        if self.game not in LIST:
            raise ConfigError(f"game: {self.game!r} is not one of {', '.join(LIST)}")
        if self.ruleset not in RULESETS:
            raise ConfigError(f"ruleset: {self.ruleset!r} is not one of {', '.join(RULESETS)}")
        if self.language not in ("", *LANGUAGES):
            raise ConfigError(f"language: {self.language!r} is not one of {', '.join(LANGUAGES)}")
        for game in LIST.values():
            if game.contradictory and self.house_rules >= game.contradictory:
                names = " and ".join(sorted(game.contradictory))
                raise ConfigError(f"house_rules: {names} contradict each other")
        for key in ("host", "camera"):
            if not getattr(self, key):
                raise ConfigError(f"{key}: must not be empty")
        if mistake := camera_mistake(self.camera):
            raise ConfigError(f"camera: {mistake}")
        if self.stand_ins and self.stand_ins not in RULESETS[self.ruleset].players:
            fitting = numbers(RULESETS[self.ruleset].players)
            raise ConfigError(f"stand_ins: {self.ruleset} is for {fitting}")
        if self.stand_ins and self.camera not in ("auto", "simulated"):
            raise ConfigError(
                "stand_ins: only a simulated tray throws their dice: camera simulated"
            )
        for origin in self.origins:
            if not _ORIGIN.fullmatch(origin):
                raise ConfigError(
                    f"origins: {origin!r} is not an origin, such as 'https://example.org'"
                )


_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:]+\](:\d{1,5})?")


def camera_mistake(source: str) -> str:
    """Return what is wrong with the name of a USB camera; empty for any other camera."""
    if source.startswith("usb:") and not re.fullmatch(r"usb:\d{1,3}", source):
        return f"{source!r} is not a camera; number USB cameras from usb:0"
    return ""


def load(path: Path | None, **overrides: object) -> Settings:
    """Return the table's settings in a file (None: the defaults), with some of them overridden.

    overrides: options by the names of the settings; None counts as left out. Raises ConfigError.
    """
    settings = load_for_hall(path, **overrides)
    if settings.mqtt.host and not settings.mqtt.name:
        raise ConfigError(f"{path}: mqtt.name: is needed to publish; for example name = 'corner'")
    return settings


def load_for_hall(path: Path | None, **overrides: object) -> Settings:
    """Return settings like `load`, for a hall: it needs no name on the broker."""
    given = {key: value for key, value in overrides.items() if value is not None}
    try:
        return codec.read(Settings, _values(path) | given)
    except ValueError as error:
        key = str(error).partition(":")[0]
        where = f"--{error}" if key in given else f"{path or 'settings'}: {error}"
        raise ConfigError(where) from None


def _values(path: Path | None) -> dict[str, Any]:
    """Return what a settings file says, by its keys. Raises ConfigError."""
    if path is None:
        return {}
    try:
        # A shell hands over a pipe as /dev/fd/63. A pipe of another name may never end.
        piped = path.is_relative_to("/dev")
        return tomllib.loads((path.read_bytes() if piped else read_whole(path)).decode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None

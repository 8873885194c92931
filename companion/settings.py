"""Settings: a TOML file as a dataclass, with errors that name the key."""

import os
import re
import tomllib
import zoneinfo
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

from companion.base import codec
from companion.base.codec import MisfitError
from companion.base.refused import Message
from companion.base.setting import Setting, setting
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


TABLE = Setting(Message("The table"))
"""How a page shows the settings above all sections."""

CAMERA_CHOICES = {
    "auto": Message("The first that is found"),
    "picamera": Message("Raspberry Pi camera"),
    "usb:0": Message("First USB camera"),
    "usb:1": Message("Second USB camera"),
    "simulated": Message("A simulated tray"),
    "none": Message("None, dice by hand"),
}
"""The cameras that a page offers. Files and folders of the Pi are no choice of a host."""


class ConfigError(MisfitError):
    """A setting can't be used: `FILE: key: what is wrong`, or `--key: …` for an option."""


def default_data(environ: Mapping[str, str] = os.environ) -> Path:
    """Return systemd's folder for the service's state, or the user's folder for data."""
    if service := environ.get("STATE_DIRECTORY"):
        return Path(service)
    if home := environ.get("XDG_DATA_HOME"):
        return Path(home) / OWN_FOLDER
    return Path(environ.get("HOME") or Path.home()) / ".local" / "share" / OWN_FOLDER


PINS, PIXELS, VOLUMES, PORTS = range(28), range(101), range(1, 101), range(65536)
"""The numbers that pins, pixels, volumes and ports can have."""


@dataclass(frozen=True, slots=True)
class PinNumbers:
    """The GPIO pins, by their BCM numbers."""

    green: int = setting(17, Message("Green button"), span=PINS)
    """The green button."""
    red: int = setting(27, Message("Red button"), span=PINS)
    """The red button."""
    light_red: int = setting(22, Message("Red of the light"), span=PINS)
    """The red LED of the status light."""
    light_green: int = setting(23, Message("Green of the light"), span=PINS)
    """The green LED of the status light."""
    light_blue: int = setting(24, Message("Blue of the light"), span=PINS)
    """The blue LED of the status light."""

    lamp_green: int = setting(25, Message("Lamp of the green button"), span=PINS)
    """The lamp in the green button."""
    lamp_red: int = setting(26, Message("Lamp of the red button"), span=PINS)
    """The lamp in the red button."""

    @property
    def light(self) -> tuple[int, int, int]:
        """The LEDs of the status light: red, green and blue."""
        return self.light_red, self.light_green, self.light_blue

    def __post_init__(self) -> None:
        for entry in fields(self):
            number = getattr(self, entry.name)
            if number not in PINS:
                raise ConfigError(
                    entry.name,
                    Message(
                        "%(number)s is not a GPIO pin; choose a BCM number from 0 to 27",
                        number=number,
                    ),
                )


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The Pi's own Wi-Fi, for places without one; `systemd/install --hotspot` sets it up."""

    name: str = setting("", Message("Name"), pattern=r"[A-Za-z0-9][A-Za-z0-9 -]{0,31}")
    """Its name; empty if there is none."""
    key: str = setting("", Message("Key"), pattern="[ -~]{8,63}", secret=True)
    """Its password, of 8 to 63 characters."""

    def __post_init__(self) -> None:
        if self.name and not 8 <= len(self.key) <= 63:
            raise ConfigError("key", "a Wi-Fi key has 8 to 63 letters")


def _check_port(port: int) -> None:
    if port not in PORTS:
        raise ConfigError(
            "port", Message("%(number)s is not a port; choose 0 to 65535", number=port)
        )


HTTPS = {
    "off": Message("Nobody"),
    "offered": Message("Phones that ask for it"),
    "first": Message("All, by QR code"),
}
"""Who gets encrypted pages."""


@dataclass(frozen=True, slots=True)
class HttpsSettings:
    """Pages over HTTPS, beside those over HTTP."""

    use: Annotated[str, tuple(HTTPS)] = setting(
        "off", Message("Who gets encrypted pages"), choices=HTTPS
    )
    """`off`, `offered` or `first`."""
    port: int = 0
    """Their port; 0: 443 beside port 80, otherwise 8443, or any free one beside any free one."""
    certificate: str = ""
    """The file of a certificate that phones trust already; empty: the table makes its own."""
    key: str = ""
    """The file of its private key."""

    def __post_init__(self) -> None:
        _check_port(self.port)
        if bool(self.certificate) != bool(self.key):
            raise ConfigError("key", Message("name both: the certificate and its key"))


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """A loudspeaker at the Pi itself; the television's sound is chosen on its page."""

    effects: bool = setting(False, Message("It plays the sounds of the game"))
    """Whether the speaker plays the sounds of the game."""
    announcer: bool = setting(False, Message("It says what happens"))
    """Whether it says what happens."""
    voice: str = ""
    """The file of a voice for piper; empty: espeak-ng speaks."""
    # On no page: ALSA runs programs that the name of a device can hold.
    device: str = ""
    """The device, as `aplay -L` lists it; empty: the usual one."""
    volume: int = setting(80, Message("Volume, in percent"), span=VOLUMES)
    """How loud, in percent."""

    def __post_init__(self) -> None:
        if self.volume not in VOLUMES:
            raise ConfigError(
                "volume", Message("%(number)s is not a volume; choose 1 to 100", number=self.volume)
            )

    @property
    def is_on(self) -> bool:
        """Whether there is anything to hear."""
        return self.effects or self.announcer


_ONE_PASSWORD = Message("choose either password or password_file")


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """A message broker, where this table meets others and Home Assistant."""

    host: str = setting("", Message("Address"), Message("Empty: nothing is published."))
    """Its name or address; empty: the table publishes nothing."""
    port: int = setting(0, Message("Port number"), Message("0: the usual one."), span=PORTS)
    """Its port; 0: the usual one, 1883 or, with TLS, 8883."""
    user: str = setting("", Message("User"))
    """The user to log in as; empty: without a password."""
    password: str = setting("", Message("Password"), secret=True)
    """That user's password."""
    password_file: str = ""
    """A file with the password, which nobody else needs to read."""
    tls: bool = setting(False, Message("The connection is encrypted (TLS)"))
    """Whether the connection is encrypted."""
    ca: str = ""
    """The file of the certificate authority to trust; empty: those that the system trusts."""
    prefix: str = setting("bang-companion", Message("What all topics begin with"))
    """What all topics begin with."""
    name: str = setting("", Message("This table’s name there"))
    """The name of this table on the broker."""
    home_assistant: str = setting(
        "homeassistant",
        Message("Prefix of Home Assistant"),
        Message("Empty: the table isn’t announced to it."),
    )
    """The prefix under which Home Assistant finds the table; empty: it is not announced."""
    buttons: bool = setting(
        False, Message("Home Assistant may mute the table and deal the next game")
    )
    """Whether Home Assistant may mute the table and deal the next game."""

    def __post_init__(self) -> None:
        _check_port(self.port)
        checks = {"prefix": may_begin, "home_assistant": may_begin, "name": may_name}
        for key, allowed in checks.items():
            text = getattr(self, key)
            if text and not allowed(text):
                raise ConfigError(
                    key,
                    Message("'%(text)s' can't stand in a topic; use letters and digits", text=text),
                )
        if not self.prefix:
            raise ConfigError("prefix", Message("can't be empty; all topics begin with it"))
        if self.password and self.password_file:
            raise ConfigError("password_file", _ONE_PASSWORD)
        if (self.password or self.password_file) and not self.user:
            raise ConfigError("user", Message("a password needs a user"))
        if self.ca and not self.tls:
            raise ConfigError("ca", Message("is for TLS; set tls = true"))


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
        _check_port(self.port)
        if self.password and self.password_file:
            raise ConfigError("password_file", _ONE_PASSWORD)
        if len(self.name) > 60 or not self.name.isprintable():
            raise ConfigError("name", "choose up to 60 characters")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; each key of the file is a field here."""

    host: str = "0.0.0.0"
    """The network address to serve the pages on."""
    port: int = 8000
    """The TCP port of the pages."""
    camera: str = setting("auto", Message("Camera"), choices=CAMERA_CHOICES)
    """`auto`, `picamera`, `usb:0`, a folder of pictures, a video file, `simulated` or `none`."""
    profile: str = ""
    """The set of dice; empty: the one chosen on the page, initially `pips`."""
    learn: bool = setting(True, Message("The reader learns from corrections"))
    """Whether the reader learns from the players' corrections."""
    dice_pictures: bool = setting(
        True,
        Message("Pictures of the dice are kept"),
        Message("To watch a game again; they take at most 20 MB. Otherwise they are deleted."),
    )
    """Whether pictures of the dice of each roll are kept, to watch a finished game again."""
    data: Path = field(default_factory=default_data)
    """The folder for games and profiles."""
    stick: Path | None = None
    """Where a USB stick is mounted that holds this folder instead; None: without one."""
    game: str = "dice"
    """The first game, by its name in LIST; the host can choose another."""
    ruleset: str = "base"
    """The ruleset of the first game; the host can choose another."""
    language: str = ""
    """The language for browsers that ask for none of ours; empty: that of the ruleset."""
    house_rules: frozenset[Annotated[str, HOUSE_RULES]] = frozenset()
    """The house rules that are on."""
    ask_always: bool = setting(
        False, Message("Players are asked even if every choice has the same effect")
    )
    """Whether to ask players even if every legal choice has the same effect."""
    fallen_see_roles: bool = False
    """Whether eliminated players see all roles."""
    time_zone: str = setting(
        "", Message("Time zone"), Message("Such as Europe/Paris; empty: that of the Pi.")
    )
    """The time zone of the pages, by its name in the IANA's database; empty: the machine's."""
    usb_buttons: bool = setting(
        False,
        Message("A foot switch, presenter or keypad at USB works like the buttons"),
        Message("Page up, left, minus and backspace are red; every other key is green."),
    )
    """Whether keyboards at USB act like the buttons."""
    pins: PinNumbers = setting(
        PinNumbers(), Message("Buttons and light"), Message("Each pin by its BCM number.")
    )
    """The GPIO pins of buttons and light."""
    lamps: bool = setting(
        False,
        Message("The buttons have lamps"),
        Message("Each is lit while its button does something."),
    )
    """Whether there are lamps in the buttons."""
    pixels: int = setting(
        0,
        Message("Pixels (WS2812) in place of the light"),
        Message("A number; 0: none. They need SPI, which “Build” explains."),
        span=PIXELS,
    )
    """How many WS2812 pixels there are on GPIO 10 in place of the light."""
    hotspot: Hotspot = setting(
        Hotspot(),
        Message("The Pi’s own Wi-Fi"),
        Message("Phones join it anew then, and the card is to be printed again."),
        opened=False,
        owner=True,
    )
    """The Pi's own Wi-Fi."""
    https: HttpsSettings = setting(
        HttpsSettings(),
        Message("Encrypted pages (HTTPS)"),
        Message("Each phone installs the table’s certificate first: see the page HTTPS."),
    )
    """Pages over HTTPS."""
    sound: SoundSettings = setting(SoundSettings(), Message("Loudspeaker at the Pi"))
    """A loudspeaker at the Pi."""
    mqtt: MqttSettings = setting(MqttSettings(), Message("Message broker (MQTT)"), owner=True)
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
        if self.port not in PORTS:
            raise ConfigError("port", f"{self.port} is not a port; choose 0 to 65535, such as 8000")
        if self.pixels not in PIXELS:
            raise ConfigError("pixels", f"{self.pixels} is no number of pixels; choose 0 to 100")
        if self.game not in LIST:
            raise ConfigError("game", f"{self.game!r} is not one of {', '.join(LIST)}")
        if self.ruleset not in RULESETS:
            raise ConfigError("ruleset", f"{self.ruleset!r} is not one of {', '.join(RULESETS)}")
        if self.language not in ("", *LANGUAGES):
            raise ConfigError("language", f"{self.language!r} is not one of {', '.join(LANGUAGES)}")
        for game in LIST.values():
            if game.contradictory and self.house_rules >= game.contradictory:
                names = " and ".join(sorted(game.contradictory))
                raise ConfigError("house_rules", f"{names} contradict each other")
        for key in ("host", "camera"):
            if not getattr(self, key):
                raise ConfigError(key, "must not be empty")
        if mistake := camera_mistake(self.camera):
            raise ConfigError("camera", mistake)
        if self.stand_ins and self.stand_ins not in RULESETS[self.ruleset].players:
            fitting = numbers(RULESETS[self.ruleset].players)
            raise ConfigError("stand_ins", f"{self.ruleset} is for {fitting}")
        if self.stand_ins and self.camera not in ("auto", "simulated"):
            raise ConfigError(
                "stand_ins", Message("only a simulated tray throws their dice: camera simulated")
            )
        if self.time_zone and self.time_zone not in zoneinfo.available_timezones():
            raise ConfigError(
                "time_zone",
                Message(
                    "'%(zone)s' is not a time zone; choose one such as Europe/Paris",
                    zone=self.time_zone,
                ),
            )
        for origin in self.origins:
            if not _ORIGIN.fullmatch(origin):
                raise ConfigError(
                    "origins", f"{origin!r} is not an origin, such as 'https://example.org'"
                )


_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:]+\](:\d{1,5})?")


_ONE_CAMERA = "the table looks through one camera: name one"


def camera_mistake(source: str) -> str:
    """Return what is wrong with the name of a camera, as far as it can be told from the name."""
    if len(re.findall(r"picamera|usb:\d", source)) > 1:
        return _ONE_CAMERA
    if source.startswith("usb:") and not re.fullmatch(r"usb:\d{1,3}", source):
        return f"{source!r} is not a camera; number USB cameras from usb:0"
    return ""


def load(path: Path | None, **overrides: object) -> Settings:
    """Return the table's settings in a file (None: the defaults), with some of them overridden.

    overrides: options by the names of the settings; None counts as left out. Raises ConfigError.
    """
    return _load(path, overrides, check)


def load_for_hall(path: Path | None, **overrides: object) -> Settings:
    """Return settings like `load`, for a hall: it needs no name on the broker."""
    return _load(path, overrides, lambda values: codec.read(Settings, values))


def check(values: Mapping[str, Any]) -> Settings:
    """Return the table's settings that the keys of a file say. Raises MisfitError."""
    if isinstance(values.get("camera"), list):
        raise ConfigError("camera", _ONE_CAMERA)
    settings = codec.read(Settings, values)
    if settings.mqtt.host and not settings.mqtt.name:
        raise ConfigError("mqtt.name", Message("is needed to publish; for example name = 'corner'"))
    return settings


def parse(text: str) -> dict[str, Any]:
    """Return what the text of a settings file says, by its keys. Raises MisfitError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("", str(error)) from None


def _load(
    path: Path | None,
    overrides: Mapping[str, object],
    read: Callable[[Mapping[str, Any]], Settings],
) -> Settings:
    given = {key: value for key, value in overrides.items() if value is not None}
    try:
        values = {} if path is None else parse(_text(path))
        return read(values | given)
    except MisfitError as error:
        where = "--" if error.key in given else f"{path or 'settings'}: "
        raise ConfigError("", f"{where}{error}") from None


def _text(path: Path) -> str:
    try:
        # A shell hands over a pipe as /dev/fd/63. A pipe of another name may never end.
        piped = path.is_relative_to("/dev")
        return (path.read_bytes() if piped else read_whole(path)).decode()
    except OSError as error:
        raise ConfigError("", str(error.strerror)) from None
    except UnicodeDecodeError:
        raise ConfigError("", "not UTF-8 text; save it as UTF-8") from None

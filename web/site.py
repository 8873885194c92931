"""What the pages of a table show and press: one value, which the app holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from flask import abort, current_app, request

from companion.base.refused import Message
from companion.table.table import Table
from web.fragments import DrawnPages, SharedPage
from web.i18n import LANGUAGES
from web.serving.address import PublicAddress, format_url
from web.serving.connections import PLAIN_PORT
from web.serving.refusals import Throttle
from web.serving.stream import Broadcast

if TYPE_CHECKING:
    from companion.base.clock import Clock
    from companion.club.publishing.public_table import PublicTable
    from companion.memory.backup.backups import Backups
    from companion.memory.statistics.keeper import Statistics
    from companion.setup.aiming import CameraSetup
    from companion.setup.collecting import Collecting
    from companion.setup.first_run import FirstRun
    from companion.setup.machine.power import PowerSwitch
    from companion.setup.machine.settings_editor import SettingsEditor
    from companion.setup.machine.updates import Updates
    from companion.setup.machine.wifi import Wifi
    from companion.setup.teaching import Teaching

EXTENSION = "site"
"""Extension of an app: its TableSite."""

_T = TypeVar("_T")


class WifiNetwork(Protocol):
    """A Wi-Fi network: its name and its key (WPA2)."""

    @property
    def name(self) -> str:
        """The name that phones list."""

    @property
    def key(self) -> str:
        """8 to 63 letters."""


@dataclass(frozen=True)
class SecurePages:
    """The pages over HTTPS."""

    names: tuple[str, ...] = ()
    """The host names and addresses of their certificate."""
    port: int = 443
    """Their port."""
    lead: bool = False
    """Whether QR codes lead there."""
    authority: bytes = b""
    """The certificate that phones install to trust them (DER); empty: they need none."""
    fault: Message | None = None
    """Why there are none although the settings ask for them."""

    def url(self, name: str) -> str:
        """Return their address, by this name if the certificate is for it."""
        return format_url("https", name if name in self.names else self.names[0], self.port)


SHARED_PAGES = ("table", "story")
"""The pages that are the same for all phones without a seat."""


def _shared_pages() -> Mapping[tuple[str, str], SharedPage]:
    return {(page, language): SharedPage() for page in SHARED_PAGES for language in LANGUAGES}


@dataclass(frozen=True)
class TableSite:
    """A table, and what stands round it: None where it has none."""

    table: Table
    """The table."""
    streams: Broadcast
    """Notified of every change."""
    die_picture: Callable[[int], bytes | None] = lambda die: None
    """Returns a die by its number (0-4), as the camera sees it (JPEG), or None."""
    correction_picture: Callable[[int, int, int], bytes | None] = lambda game, move, die: None
    """Returns a die whose reading was changed, by game, move and number."""
    card_picture: Callable[[int, int], bytes | None] = lambda game, entry: None
    """Returns a card that was corrected, by game and entry of the story that did so, from 1."""
    roll_picture: Callable[[int, int], bytes | None] | None = None
    """Returns the dice of a roll as the camera saw them (JPEG), by game and move."""
    setup: "CameraSetup | None" = None
    """The set-up of its camera."""
    teaching: "Teaching | None" = None
    """What teaches its reader dice."""
    card_teaching: "Teaching | None" = None
    """What teaches its reader cards."""
    collecting: "Collecting | None" = None
    """What collects pictures of dice."""
    first_run: "FirstRun | None" = None
    """The guided set-up of the whole table."""
    clock: "Clock | None" = None
    """Tells the time; None: the machine's own clock does."""
    power: "PowerSwitch | None" = None
    """What turns the machine off."""
    updates: "Updates | None" = None
    """What updates the table."""
    settings: "SettingsEditor | None" = None
    """What changes the settings file."""
    wifi: "Wifi | None" = None
    """What joins another Wi-Fi."""
    backups: "Backups | None" = None
    """Backups of what it keeps."""
    statistics: "Statistics | None" = None
    """The statistics of all its games."""
    public: "PublicTable | None" = None
    """The table as other programs see it; None: without a name."""
    hotspot: WifiNetwork | None = None
    """The Wi-Fi to show."""
    address: PublicAddress = field(default_factory=PublicAddress)
    """Where phones find the pages."""
    https: SecurePages | None = None
    """The pages over HTTPS; None: they aren't wanted."""
    origins: tuple[str, ...] = ()
    """The other sites whose pages may read the table as programs see it."""
    language: str = ""
    """For browsers that accept none of ours; empty: that of the ruleset."""
    tries: Throttle = field(default_factory=Throttle)
    """Limits how often an address tries to join."""
    shared: Mapping[tuple[str, str], SharedPage] = field(default_factory=_shared_pages)
    """The pages that are the same for all phones without a seat, by name and language."""
    drawn_statistics: DrawnPages = field(default_factory=DrawnPages)
    """The pages of the statistics that were drawn last."""


def site() -> TableSite:
    """Return what this app shows."""
    found: TableSite = current_app.extensions[EXTENSION]
    return found


def table_address() -> Callable[[], str]:
    """Return a function that returns the pages' address for phones; it may change over time.

    It is the one that the settings choose, however this page was asked for.
    """
    address, secure = site().address, secure_pages()
    asked, is_secure = request.host_url, request.is_secure
    port = int(request.environ[PLAIN_PORT if is_secure else "SERVER_PORT"])
    if secure and secure.lead:
        return lambda: secure.url(address.name(asked))
    if is_secure:
        return lambda: format_url("http", address.name(asked), port)
    return lambda: address.url(asked, port)


def secure_pages() -> SecurePages | None:
    """Return the pages over HTTPS; None if they aren't served."""
    found = site().https
    return found if found and not found.fault else None


def need(part: _T | None, missing: str) -> _T:
    """Return a part of the site; without it, refuse the request (404) and say what is missing."""
    return part if part is not None else abort(404, missing)

"""The Wi-Fi that the Pi is in: the host chooses another on their page, and root joins it.

Names of networks are bytes of strangers. They are known by their hexadecimal digits, and shown as
far as they are text. The key passes through to root, and is kept nowhere here.
"""

import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from companion.base.refused import Message, Problem, Refused
from companion.setup.machine.helper import RootHelper
from companion.table.changes import Press
from companion.table.table import Table

OUTCOMES = {
    "": Message("The Pi is in another Wi-Fi now: %(network)s."),
    "code": Message("The owner’s code was wrong. Nothing has changed."),
    "key": Message("The key for %(network)s was wrong. The Pi is back where it was."),
    "gone": Message("The Pi doesn’t hear that network any longer. Nothing has changed."),
    "nobody": Message("The Pi was in %(network)s, but nobody opened a page of the table there. So "
                      "it is back where it was."),
    "failed": Message("The Pi couldn’t join %(network)s, and is back where it was."),
}  # fmt: skip
"""How a trial ended, by the word that the installer has for it."""

_RUNNING = Message("The Pi changes to another Wi-Fi: %(network)s. Join it with your phone, too, "
                   "and open the table again.")  # fmt: skip

_KEY = re.compile("[ -~]{8,63}")

_log = logging.getLogger(__name__)


class Network(NamedTuple):
    """A network that the Pi hears."""

    id: str
    """The bytes of its name, in hexadecimal digits."""
    signal: int
    """How strong it is, 0 to 100."""
    lock: str
    """Empty if it is open; "other" if no key opens it."""

    @property
    def name(self) -> str:
        """Its name, as far as it is text."""
        return readable(self.id)


class WifiView(NamedTuple):
    """What the page shows."""

    networks: tuple[Network, ...] = ()
    """The strongest first."""
    here: str | None = None
    """The name of the network that the Pi is in; empty if it is in none, None until root looked."""
    is_own: bool = False
    """Whether that is the Pi's own."""
    step: str = ""
    """What root is at: looking, joining, or waiting for somebody to open a page."""
    trial: str = ""
    """The name of the network that is tried, or was last."""
    told: str = ""
    """How the last trial ended."""
    is_well: bool = False
    """Whether the Pi is in that network since."""


class Wifi:
    """The Wi-Fi of one table. Any thread may call."""

    def __init__(self, table: Table, helper: RootHelper) -> None:
        """helper: asks NetworkManager."""
        self._table, self._helper = table, helper
        self.listeners = helper.listeners
        """Told whenever the page is to show something else."""

    @property
    def works(self) -> bool:
        """Whether the Pi's Wi-Fi can be changed here."""
        return self._helper.works

    def view(self) -> WifiView:
        """Return which networks there are, and how far a trial is."""
        said = self._helper.status
        here, trial = said.get("here"), readable(said.get("network"))
        step = str(said.get("step", "")) or ("looking" if self._helper.is_running else "")
        word = said.get("fault")
        told = Message("") if step or word is None else OUTCOMES.get(str(word), OUTCOMES["failed"])
        return WifiView(
            tuple(_networks(said)), None if here is None else readable(here),
            bool(here) and here == said.get("own"), step, trial,
            Message(told.text, network=trial) if told else "", word == "",
        )  # fmt: skip

    def notice(self) -> str:
        """Return what everybody is to read; empty while no network is tried."""
        said = self._helper.status
        if said.get("step") not in ("joining", "waiting"):
            return ""
        return Message(_RUNNING.text, network=readable(said.get("network")))

    def look(self, press: Press) -> None:
        """Have root look which networks there are. Raises Refused."""
        self._check(press)
        self._helper.ask({"do": "look"})

    def join(self, press: Press, network: str, key: str, code: str) -> None:
        """Have the Pi join a network. Raises Refused.

        network: its `id`; key: of the network; code: the owner's.
        """
        self._check(press)
        found = next((one for one in _networks(self._helper.status) if one.id == network), None)
        if found is None or found.lock == "other":
            raise Refused(Problem.ILLEGAL, "choose a network of the list")
        if found.lock and not _KEY.fullmatch(key):
            raise Refused(Problem.ILLEGAL, "a Wi-Fi key has 8 to 63 letters, digits and signs")
        self._helper.ask({"do": "join", "network": network, "key": key, "code": code[:40]})
        _log.info("asked root to join the Wi-Fi %s", network)

    @property
    def awaits_page(self) -> bool:
        """Whether the network that is tried stays if somebody opens a page now."""
        return self._helper.works and self._helper.status.get("step") == "waiting"

    def keep(self) -> None:
        """Have root keep the network that is tried: another machine has opened a page."""
        with suppress(Refused):
            self._helper.ask({"do": "stay"})

    def _check(self, press: Press) -> None:
        self._table.check_host(press)
        if not self._helper.works:
            raise Refused(Problem.ILLEGAL, "the Pi’s Wi-Fi can’t be changed here")
        if self._helper.is_running:
            raise Refused(Problem.ILLEGAL, "one moment: the last press isn’t done yet")


def _networks(said: Mapping[str, Any]) -> list[Network]:
    with suppress(KeyError, TypeError, ValueError):
        return [Network(str(one["name"]), int(one["signal"]), str(one["lock"]))
                for one in said["networks"]]  # fmt: skip
    return []


def readable(name: object) -> str:
    """Return the name of a network from its hexadecimal digits, without what can't be seen."""
    try:
        text = bytes.fromhex(str(name or "")).decode(errors="replace")
    except ValueError:
        return ""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )

"""The address of this table, as phones in the same network must write it."""

import ipaddress
import socket
import time
from collections.abc import Callable

_ELSEWHERE = ("192.0.2.1", 9)
"""No machine has this address (RFC 5737): what is sent there would leave by the usual route."""

_KNOWN_S = 1.0
"""How long a name that was found is kept: every page that is drawn asks for it."""


def name_in_network() -> str:
    """Return this machine's address in its network; without one, its name in multicast DNS."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only looks up the route: nothing is sent.
            probe.connect(_ELSEWHERE)
            address = str(probe.getsockname()[0])
        except OSError:
            address = ""
    if address and not _is_loopback(address):
        return address
    return f"{socket.gethostname().removesuffix('.local')}.local"


class PublicAddress:
    """Tells under which address others reach the pages."""

    def __init__(
        self,
        host: str = "0.0.0.0",
        find: Callable[[], str] = name_in_network,
        known_s: float = _KNOWN_S,
    ) -> None:
        """host: what the pages are served on; find: returns this machine's name in its network.

        known_s: for how many seconds a name that was found is kept.
        """
        self._host = "" if _is_every_address(host) else host
        self._find, self._known_s = find, known_s
        self._known: tuple[float, str] | None = None

    def url(self, asked: str) -> str:
        """Return the root of the pages, as it was asked for, as others reach it.

        It ends with a slash. Served on one address, the pages are reached by that only. Served on
        all, `localhost` becomes the name of this machine in its network.
        """
        scheme, _, rest = asked.partition("://")
        netloc = rest.split("/", 1)[0]
        name, colon, port = netloc.rpartition(":")
        if not colon or port.endswith("]"):
            name, port = netloc, ""
        if self._host:
            name = f"[{self._host}]" if ":" in self._host else self._host
        elif _is_loopback(name.strip("[]")):
            name = self._found()
        else:
            return asked
        return f"{scheme}://{name}{':' if port else ''}{port}/"

    def _found(self) -> str:
        now = time.monotonic()
        if self._known is None or now - self._known[0] >= self._known_s:
            self._known = now, self._find()
        return self._known[1]


def _is_loopback(name: str) -> bool:
    if name.lower() == "localhost" or name.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_every_address(host: str) -> bool:
    """Whether a server on this host answers at all addresses of the machine; "0" is one form."""
    try:
        return socket.inet_aton(host) == bytes(4)
    except OSError:
        pass
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False

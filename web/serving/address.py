"""The address of this table for phones in the same network.

Requests may name any host (`Host`). Only the names and addresses of this machine
appear on pages and in QR codes, so that nobody can make the table draw ever new ones.
"""

import ipaddress
import socket
from collections.abc import Callable, Collection

_ELSEWHERE = ("192.0.2.1", 9)
"""No machine has this address (RFC 5737): what is sent there would leave by the usual route."""

_BROADCAST = ipaddress.ip_address("255.255.255.255")


HOTSPOT_ADDRESS = "10.42.0.1"
"""This machine's address in its own Wi-Fi, as NetworkManager chooses it."""

USUAL_PORTS = {"http": 80, "https": 443}
"""The ports that an address without one means."""


def format_url(scheme: str, name: str, port: int) -> str:
    """Return the root URL of pages; it ends with a slash."""
    shown = "" if port == USUAL_PORTS[scheme] else f":{port}"
    return f"{scheme}://{f'[{name}]' if ':' in name else name}{shown}/"


def own_address() -> str:
    """Return this machine's address in its network; empty without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only looks up the route: nothing is sent.
            probe.connect(_ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def name_in_network() -> str:
    """Return this machine's address in its network; without one, its name in multicast DNS."""
    address = own_address()
    if address and not _is_loopback(address):
        return address
    return f"{socket.gethostname().removesuffix('.local')}.local"


def own_names() -> frozenset[str]:
    """Return the names by which others may reach this machine, in lower case."""
    name = socket.gethostname().lower().removesuffix(".local")
    return frozenset({name, f"{name}.local"})


def is_own_address(address: str) -> bool:
    """Return whether an IP address is one of this machine."""
    ip = ipaddress.ip_address(address)
    if ip.is_multicast or ip.is_unspecified or ip == _BROADCAST:
        # Servers may be bound to these, but nobody can connect to them.
        return False
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            # This sends nothing. It fails unless an interface has the address.
            probe.bind((address, 0))
        except OSError:
            return False
    return True


class PublicAddress:
    """Works out the address at which others reach the pages."""

    def __init__(
        self,
        host: str = "0.0.0.0",
        find: Callable[[], str] = name_in_network,
        *,
        names: Callable[[], Collection[str]] = own_names,
        owns: Callable[[str], bool] = is_own_address,
    ) -> None:
        """host: what the pages are served on; find: returns this machine's name in its network.

        names: returns this machine's other names; owns: returns whether an IP address is this
        machine's. All are called for every page that is drawn, so each page is up to date.
        """
        self._host = "" if _is_every_address(host) else host
        self._find, self._names, self._owns = find, names, owns

    def url(self, asked: str, served_port: int) -> str:
        """Return the root URL of the pages, as requested if others can reach it by that.

        It ends with a slash. Served on one address, the pages are reached by that only. Served on
        all, `localhost` and every name that isn't this machine's become the name of this machine in
        its network. A port is repeated only if it is the served one.
        """
        scheme, _, port = _parts(asked)
        return format_url(scheme, self.name(asked), served_port if port else USUAL_PORTS[scheme])

    def name(self, asked: str) -> str:
        """Return the name or address of this machine in `url`."""
        _, name, _ = _parts(asked)
        return self._host or self._own(name) or self._find()

    def lasting_names(self) -> tuple[str, ...]:
        """Return the names and addresses by which phones reach this machine, if they last.

        That which changes least is first.
        """
        if self._host:
            return (self._host,)
        names = (*sorted(self._names(), reverse=True), own_address(), HOTSPOT_ADDRESS)
        return tuple(name for name in names if name and not _is_loopback(name))

    def is_foreign(self, asked: str) -> bool:
        """Return whether the pages were asked for by a name that isn't this machine's."""
        _, name, _ = _parts(asked)
        return not (_is_loopback(name) or name == self._host or self._own(name))

    def _own(self, name: str) -> str:
        """Return the requested name if others can reach this machine by it, else ""."""
        if _is_loopback(name):
            return ""
        try:
            address = str(ipaddress.ip_address(name))
        except ValueError:
            return name if name in self._names() else ""
        return address if self._owns(address) else ""


def _parts(asked: str) -> tuple[str, str, str]:
    """Return the scheme, the name in lower case without brackets, and the port of an address."""
    scheme, _, rest = asked.partition("://")
    netloc = rest.split("/", 1)[0]
    name, colon, port = netloc.rpartition(":")
    if not colon or port.endswith("]"):
        name, port = netloc, ""
    return scheme, name.strip("[]").lower(), port


def _is_loopback(name: str) -> bool:
    if name.lower() == "localhost" or name.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_every_address(host: str) -> bool:
    """Return whether a server on this host answers at all addresses; "0" is one form."""
    try:
        return socket.inet_aton(host) == bytes(4)
    except OSError:
        pass
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False

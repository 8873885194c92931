"""The address of this table, as a phone in the same network must write it."""

import ipaddress
import socket
import time

_ELSEWHERE = ("192.0.2.1", 9)
"""No machine has this address (RFC 5737): what is sent there would leave by the usual way."""

_KNOWN_S = 1.0
"""How long a name is believed: every page that is drawn asks for it."""

_known: tuple[float, str] | None = None


def public_url(url: str) -> str:
    """Return `url`, the root of the pages as it was asked for, as others reach it.

    It ends with a slash. A name or address that means the asking machine itself becomes the one
    that this machine has in its network.
    """
    scheme, _, rest = url.partition("://")
    netloc = rest.split("/", 1)[0]
    name, colon, port = netloc.rpartition(":")
    if not colon or port.endswith("]"):
        name, port = netloc, ""
    if not _is_local(name.strip("[]")):
        return url
    return f"{scheme}://{_own_name()}{':' if port else ''}{port}/"


def _is_local(name: str) -> bool:
    if name.lower() == "localhost" or name.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _own_name() -> str:
    global _known
    now = time.monotonic()
    if _known is None or now - _known[0] > _KNOWN_S:
        _known = now, _look_up()
    return _known[1]


def _look_up() -> str:
    """The address in the local network; without one, the name that multicast DNS gives."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Of a datagram socket this only looks up the way: nothing is sent.
            probe.connect(_ELSEWHERE)
            address = str(probe.getsockname()[0])
        except OSError:
            address = ""
    if address and not _is_local(address):
        return address
    return f"{socket.gethostname().removesuffix('.local')}.local"

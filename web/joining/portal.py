"""Leads phones that join the Pi's own Wi-Fi to the table, and lets them stay in it.

A system that joins a network asks for an address of its maker's, and knows by the answer whether
the internet is there. In the Pi's own Wi-Fi these names lead here (`systemd/hotspot-dns.conf`). A
phone is led to a page first, and told that all is well once it has opened the table or said so.
"""

from collections.abc import Mapping

from flask import Response, redirect, request
from flask.typing import ResponseReturnValue

ADDRESS = "10.42.0.1"
"""The Pi in its own Wi-Fi; NetworkManager gives it this one."""

_ANDROID = {"/generate_204": "", "/gen_204": ""}

PROBES: Mapping[str, Mapping[str, str]] = {
    "connectivitycheck.gstatic.com": _ANDROID,
    "connectivitycheck.android.com": _ANDROID,
    "captive.apple.com": {
        "/hotspot-detect.html": (
            "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
        )
    },
    "www.msftconnecttest.com": {"/connecttest.txt": "Microsoft Connect Test"},
    "www.msftncsi.com": {"/ncsi.txt": "Microsoft NCSI"},
    "detectportal.firefox.com": {
        "/canonical.html": (
            '<meta http-equiv="refresh" '
            'content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
        ),
        "/success.txt": "success\n",
    },
}
"""What each system asks for, and what its maker's server answers; empty: nothing (204)."""

MOST_ARRIVED = 1000
"""So many addresses are known to have found the table."""

_ON_THE_WAY = ("static", "joining.welcome")
"""What a phone may ask for before it has found the table."""


class Portal:
    """The way in of the Pi's own Wi-Fi."""

    def __init__(self) -> None:
        self._arrived: set[str] = set()

    def answer(self) -> ResponseReturnValue | None:
        """Answer a request for the name of a probe, whatever it is for; None for all others."""
        expected = PROBES.get(request.host.partition(":")[0].lower())
        address = request.remote_addr or ""
        if expected is None:
            if request.endpoint not in _ON_THE_WAY and len(self._arrived) < MOST_ARRIVED:
                self._arrived.add(address)
            return None
        body = expected.get(request.path)
        if body is None or address not in self._arrived:
            return redirect(f"http://{ADDRESS}/welcome", 302)
        kind = "text/html" if body.startswith("<") else "text/plain"
        return Response(body, 200 if body else 204, mimetype=kind)

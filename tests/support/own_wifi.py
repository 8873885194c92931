"""Runs as root of a network of its own: the Pi's dnsmasq, a table, and what phones ask there.

NetworkManager runs dnsmasq with these arguments (`src/core/dnsmasq/nm-dnsmasq-manager.c`) and the
folder of what is added; but for `--no-daemon`, since no other user is known here. Prints, for each
system, what it finds before and after its owner stays.
"""

import json
import secrets
import socket
import struct
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from waiting import wait_until

from companion.app.build import start_table
from companion.settings import Hotspot, Settings

ADDRESS = "10.42.0.1"
DNSMASQ = (
    "dnsmasq", "--conf-file=/dev/null", "--no-hosts", "--no-daemon", "--bind-interfaces",
    "--except-interface=lo", "--clear-on-reload", "--strict-order", f"--listen-address={ADDRESS}",
    "--dhcp-range=10.42.0.10,10.42.0.254,60m", "--dhcp-lease-max=50", "--pid-file",
)  # fmt: skip
SYSTEMS = {
    "Android": ("http://connectivitycheck.gstatic.com/generate_204", 204, b""),
    "iOS": ("http://captive.apple.com/hotspot-detect.html", 200, b"<BODY>Success</BODY>"),
    "Windows": ("http://www.msftconnecttest.com/connecttest.txt", 200, b"Microsoft Connect Test"),
    "Firefox": ("http://detectportal.firefox.com/success.txt?ipv4", 200, b"success"),
}
"""What each asks for, and what it takes for the internet: a status, and what is in the body."""


def look_up(name: str) -> list[str]:
    """Ask the Pi's DNS for the addresses of a name."""
    number = secrets.token_bytes(2)
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    question = number + struct.pack(">5H", 0x0100, 1, 0, 0, 0) + labels + b"\0\0\1\0\1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.settimeout(5)
        asked.sendto(question, (ADDRESS, 53))
        answer = asked.recv(512)
    records = answer[len(question) :]
    return [socket.inet_ntoa(records[at + 12 : at + 16]) for at in range(0, len(records) - 15, 16)]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect to the system that asks."""

    def redirect_request(self, *_: Any) -> None:
        return None


def fetch(address: str) -> tuple[int, str, bytes]:
    """Return status, where it leads, and body, as a client does that knows only the Pi's DNS."""
    parts = urllib.parse.urlsplit(address)
    name = parts.hostname or ""
    there = name if name[0].isdigit() else look_up(name)[0]
    asked = urllib.request.Request(
        parts._replace(netloc=there).geturl(), headers={"Host": name, "User-Agent": "probe"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect())
    try:
        answer: HTTPResponse | urllib.error.HTTPError = opener.open(asked, timeout=20)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status or 0, answer.headers.get("Location", ""), answer.read()


def act(system: str) -> dict[str, object]:
    """Join the network as a system does; its owner reads the page and stays."""
    address, status, body = SYSTEMS[system]
    before, led, _ = fetch(address)
    page = fetch(led)[2].decode()
    still = fetch(address)[0]
    fetch(f"http://{ADDRESS}/welcome/stay")
    after, _, said = fetch(address)
    return {"before": [before, led], "page": f"{ADDRESS}" in page, "still": still,
            "online": after == status and body in said}  # fmt: skip


def main(folder: Path) -> None:
    """Print what the systems find. folder: of the data."""
    for words in ("link set lo up", "link add hot type bridge", f"addr add {ADDRESS}/24 dev hot",
                  "link set hot up"):  # fmt: skip
        subprocess.run(["ip", *words.split()], check=True)
    names = Path(__file__).parents[2] / "systemd"
    (folder / "shared.d").mkdir()
    (folder / "shared.d/bang-companion.conf").write_text((names / "hotspot-dns.conf").read_text())
    arguments = (*DNSMASQ, f"--dhcp-leasefile={folder}/leases", f"--conf-dir={folder}/shared.d")
    found: dict[str, object] = {}
    # Each system is a phone of its own: only the Pi's address is known here, so each gets a table.
    with subprocess.Popen(arguments, stderr=subprocess.DEVNULL) as dnsmasq:
        try:
            wait_until(_answers)
            for system in SYSTEMS:
                settings = Settings(data=folder / system, port=80, camera="none",
                                    hotspot=Hotspot("BANG", "abcdefgh2345"))  # fmt: skip
                with ExitStack() as stack:
                    start_table(settings, stack)
                    found[system] = act(system)
            found["others"] = [look_up("www.google.com"), look_up("dns.msftncsi.com")]
        finally:
            dnsmasq.terminate()
    print(json.dumps(found))


def _answers() -> bool:
    try:
        return bool(look_up("captive.apple.com"))
    except OSError:
        return False


if __name__ == "__main__":
    main(Path(sys.argv[1]))

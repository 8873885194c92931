"""Wi-Fi lost and found: the installed table in the virtual machine, with imitated radios.

    python -m tests.tools.boot.radio [--folder DIR] [--pulls N] [--seed 1]

Needs root on a Debian with debootstrap and QEMU, and the network once. The kernel's mac80211_hwsim
gives the machine three radios, which hear each other: the Pi's; that of a home with two networks
(hostapd); and that of a phone, which joins a network and opens the table's page there. The host
presses on the page over a cable. The folder keeps the installed system of a commit.
"""

import argparse
import hashlib
import html
import http.client
import os
import random
import re
import shutil
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.machine import BOOT_S, Machine, clear_downloads, make_disk, prepare
from tests.tools.boot.player import Page, Phone, play

PACKAGES = ("linux-image-amd64", "hostapd", "iw", "wpasupplicant", "udhcpc")
"""The kernel that has the radios as a module, and what the home and the phone need."""

OWN = "Saloon"
PI = "saloon"
"""The host name of the Pi, by which the home's router knows it."""

PAGE = "/machine/wifi"
SETTINGS = "etc/bang-companion/settings.toml"


class Network(NamedTuple):
    """A network of the home."""

    name: str
    key: str

    @property
    def id(self) -> str:
        """The bytes of its name, in hexadecimal digits."""
        return self.name.encode().hex()


HOME = Network("Café d’Ann", 'bean "soup" & \\beer')
BARN = Network("Barn", "hay and straw ")

RADIOS = """#!/bin/sh
# Gives the home and the phone a radio each, before NetworkManager sees them.
set -e
modprobe mac80211_hwsim radios=3
for place in home phone; do
    ip netns add $place
    ip -n $place link set lo up
done
iw phy phy1 set netns name home
iw phy phy2 set netns name phone
ip -n home link add home0 type bridge
ip -n home address add 192.168.77.1/24 dev home0
ip -n home link set home0 up
ip -n phone link set wlan2 up
"""

PHONE = """#!/bin/sh
# phone NETWORK ADDRESS: join a network, and print the page at an address there.
inside="ip netns exec phone"
kill "$(cat /run/phone.pid)"
until $inside wpa_supplicant -B -P /run/phone.pid -i wlan2 -c "/etc/phone/$1"; do sleep 1; done
load="import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=9).read().decode())"
until $inside udhcpc -q -n -f -i wlan2 -s /usr/local/sbin/phone-address &&
      $inside python3 -c "$load" "$2"; do sleep 1; done 2>/run/phone.faults
"""

ADDRESS = """#!/bin/sh
# What udhcpc calls.
[ "$1" = bound ] || exit 0
ip address flush dev "$interface"
ip address add "$ip/$mask" dev "$interface"
echo "nameserver $dns" > /etc/netns/phone/resolv.conf
"""

ROUTER = """
[Unit]
Requires=radios.service
After=radios.service
[Service]
NetworkNamespacePath=/run/netns/home
ExecStart={command}
[Install]
WantedBy=multi-user.target
"""

UNITS = {
    "radios": """
[Unit]
Before=NetworkManager.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/radios
[Install]
WantedBy=multi-user.target
""",
    "addresses": ROUTER.format(
        command="/usr/sbin/dnsmasq --keep-in-foreground --conf-file=/dev/null --interface=home0"
        " --dhcp-range=192.168.77.10,192.168.77.99 --dhcp-leasefile=/run/addresses --no-resolv"
    ),
    "home": ROUTER.format(command="/usr/sbin/hostapd /etc/home.conf"),
}

RADIO = """interface=wlan1
driver=nl80211
hw_mode=g
channel=6
"""
BSS = """bridge=home0
ssid2={id}
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={key}
"""


def furnish(root: Path) -> None:
    """Put radios, home and phone into an installed system. Can be repeated."""
    hotspot = tomllib.loads((root / SETTINGS).read_text())["hotspot"]
    known = {"own": Network(hotspot["name"], hotspot["key"]), "home": HOME, "barn": BARN}
    files = {
        "etc/hostname": f"{PI}\n",
        "etc/home.conf": (
            f"{RADIO}{BSS.format(id=HOME.id, key=HOME.key)}"
            f"bss=barn\n{BSS.format(id=BARN.id, key=BARN.key)}"
        ),
        "etc/netns/phone/resolv.conf": "",
        # The cable is the way of the host's presses.
        "etc/NetworkManager/conf.d/cable.conf": (
            "[keyfile]\nunmanaged-devices=interface-name:en*\n"
        ),
    }
    files |= {
        f"etc/phone/{place}": f'network={{\nssid={network.id}\npsk="{network.key}"\n}}\n'
        for place, network in known.items()
    }
    files |= {f"etc/systemd/system/{name}.service": text for name, text in UNITS.items()}
    programs = {"radios": RADIOS, "phone": PHONE, "phone-address": ADDRESS}
    files |= {f"usr/local/sbin/{name}": text for name, text in programs.items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if name.startswith("usr") else 0o644)
    roots.chroot(root, "systemctl", "enable", "--quiet", *UNITS)


def installed(folder: Path, base: Path) -> Path:
    """Return a root with the table of the last commit, and its own Wi-Fi; the folder keeps it."""
    digest = hashlib.sha256(roots.archive().read_bytes()).hexdigest()[:8]
    root = folder / f"radio-{digest}"
    if root.exists():
        return root
    for old in folder.glob("radio-*"):
        shutil.rmtree(old)
    made = folder / "radio.part"
    shutil.rmtree(made, ignore_errors=True)
    roots.copy(base, made)
    roots.put_source(made)
    pi = Container(made, folder / "tools")
    try:
        pi.run(*roots.OFFLINE, roots.INSTALL, "--hotspot", OWN)
        # A drawn tray is too much for a processor that is imitated: dice are entered by hand.
        pi.run("sed", "-i", r'1i camera = "none"', f"/{SETTINGS}")
    finally:
        pi.shut_down()
    prepare(made, PACKAGES)
    roots.chroot(made, "systemctl", "unmask", "--quiet", "NetworkManager.service")
    clear_downloads(made)
    made.rename(root)
    return root


class Pi:
    """The machine that runs, its host, and the phone with a radio."""

    def __init__(self, machine: Machine, memory: Path) -> None:
        """memory: what the host's phone remembers."""
        self.machine, self.memory = machine, memory
        self.host = Phone(machine.url, memory, BOOT_S)

    def story(self) -> list[str]:
        return self.host.story()

    def says(self) -> str:
        """What the host's page says of the Wi-Fi."""
        found = re.search(r'<p role="status"[^>]*>(.*?)</p>', self.host.ask(PAGE)[1])
        return html.unescape(found[1]) if found else ""

    def networks(self) -> list[str]:
        """The networks that the page lists, each by its id."""
        return re.findall(r'name="network" value="([0-9a-f]+)"', self.host.ask(PAGE)[1])

    def press(self, path: str, **fields: str) -> None:
        page = Page(self.host.ask(PAGE)[1])
        status, said = self.host.ask(f"{PAGE}/{path}", page.proof, **page.state, **fields)
        assert status == http.client.NO_CONTENT, said

    def join(self, network: Network, key: str = "") -> None:
        """Ask for a network on the page; key: another than its own."""
        code = self.machine.do("cat /etc/bang-companion/owner-code").strip()
        self.press("join", network=network.id, key=key or network.key, code=code)

    def look(self) -> str:
        """Have the Pi look which networks there are; return what the page says then."""
        self.press("look")
        until(lambda: "One moment" not in self.says())
        return self.says()

    def visit(self, place: str, address: str = f"http://{PI}/") -> str:
        """Have the phone join a network, and return the page at an address there."""
        return self.machine.do(f"timeout {BOOT_S:.0f} phone {place} {address}")

    def is_heard(self) -> bool:
        """Whether the phone hears the Pi's own Wi-Fi."""
        scan = "ip netns exec phone iw dev wlan2 scan flush"
        return f"SSID: {OWN}" in self.machine.do(f"until {scan}; do sleep 1; done 2>/dev/null")

    def opens_own(self) -> None:
        """Wait until the Pi has opened its own Wi-Fi, and let the phone find the table there."""
        until(lambda: "The Pi has opened its own Wi-Fi" in self.says())
        # Any system's probe leads to the page that says where the table is.
        assert "http://10.42.0.1/" in self.visit("own", "http://captive.apple.com/")


def until(condition: Callable[[], object]) -> None:
    """Wait for what may take as long as a boot; looked at seldom, since each look is a page."""
    end = time.monotonic() + BOOT_S
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(1)


@contextmanager
def powered(root: Path, disk: Path, memory: Path) -> Iterator[Pi]:
    """The machine, from when its page answers to when its plug is pulled."""
    machine = Machine(root, disk)
    try:
        yield Pi(machine, memory)
    finally:
        machine.pull_plug()


class Course:
    """What was held, with the figures that are asked for."""

    def __init__(self) -> None:
        self.figures: list[tuple[str, str]] = []

    @contextmanager
    def holds(self, what: str) -> Iterator[None]:
        begun = time.monotonic()
        yield
        print(f"held: {what}, {time.monotonic() - begun:.0f} s", flush=True)
        self.figures.append((what, f"{time.monotonic() - begun:.0f} s"))


def lost_and_found(root: Path, disk: Path, memory: Path, pulls: int, seed: int) -> Course:
    """Go through it from a Pi that knows no network."""
    course, chance = Course(), random.Random(seed)
    with powered(root, disk, memory) as pi:
        story = play(pi.machine.url, memory, 5, BOOT_S)
        with course.holds("the Pi knows no network: it opens its own, and a phone finds the table"):
            pi.opens_own()
        assert {HOME.id, BARN.id} <= set(pi.networks()), pi.networks()
        with course.holds("a wrong key: the Pi is back in its own Wi-Fi, and says so"):
            pi.join(HOME, "not the key")
            until(lambda: f"The key for {HOME.name} was wrong" in pi.says())
            pi.visit("own", "http://10.42.0.1/")
        with course.holds("the right key: a phone finds the table in that network"):
            pi.join(HOME)
            # The host waits: their page, over the cable, would count for somebody who has come.
            pi.visit("home")
        until(lambda: f"in another Wi-Fi now: {HOME.name}" in pi.says())
        assert not pi.is_heard()
        pi.machine.do("systemctl stop home")
        until(lambda: "in no Wi-Fi" in pi.look())
        with course.holds("the home's network went and came: the Pi is in it again"):
            pi.machine.do("systemctl start home")
            pi.visit("home")
        assert f"in the Wi-Fi {HOME.name}" in pi.look()
        pi.machine.do("systemctl disable home; sync")
    with powered(root, disk, memory) as pi:
        with course.holds("started where the home's network isn't: the Pi opens its own"):
            pi.opens_own()
        assert pi.story() == story
        pi.machine.do("systemctl enable home; sync")
    with powered(root, disk, memory) as pi:
        with course.holds("started where it is again: the Pi is in it"):
            pi.visit("home")
        assert pi.story() == story
    return course


def run(folder: Path, base: Path, pulls: int, seed: int = 1) -> list[tuple[str, str]]:
    """Install the table, and lose and find its Wi-Fi; return the figures.

    base: the fresh Debian of the boot test.
    """
    root = installed(folder, base)
    furnish(root)
    disk, memory = folder / "radio.img", folder / "radio.json"
    memory.unlink(missing_ok=True)
    make_disk(root, disk)
    course = lost_and_found(root, disk, memory, pulls, seed)
    disk.unlink()
    return course.figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/bang-boot-test"))
    parser.add_argument("--pulls", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1, help="of when it is pulled; default: 1")
    arguments = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("this needs root, and: apt-get install debootstrap qemu-system-x86")
    base = roots.base(arguments.folder, roots.SUITE, PACKAGES)
    for name, value in run(arguments.folder, base, arguments.pulls, arguments.seed):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()

"""Wi-Fi lost and found: the installed table in the virtual machine, with imitated radios.

    python -m tests.tools.boot --only connecting

The kernel's mac80211_hwsim gives the machine three radios, which hear each other: the Pi's; that
of a home with two networks (hostapd); and that of a phone, which joins a network and opens the
table's page there. The host presses on the page over a cable. The folder keeps the installed
system of a commit.
"""

import hashlib
import html
import http.client
import random
import re
import shutil
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.evening import Report
from tests.tools.boot.machine import BOOT_S, Machine, make_disk, prepare
from tests.tools.boot.player import Page, Phone, play

PACKAGES = ("linux-image-amd64", "hostapd", "iw", "wpasupplicant", "udhcpc")
"""The kernel that has the radios as a module, and what the home and the phone need."""

OWN, OWN_ADDRESS = "Saloon", "http://10.42.0.1/"
PI = "saloon"
"""The host name of the Pi, by which the home's router knows it."""

PAGE = "/machine/wifi"
MADE = ("radio.img", "radio.console", "radio.shell", "radio.json", "radio.part",
        "radio.part.console")  # fmt: skip
"""What a run makes in the folder, beside the installed system."""
PARTS = ("companion", "hardware", "systemd", "vision", "web")
"""Of the sources: an installed system without a change of these is the same."""
SETTINGS = "etc/bang-companion/settings.toml"


class Network(NamedTuple):
    """A network that the phone can join."""

    name: str
    key: str
    address: str = f"http://{PI}/"
    """The table's page there."""

    @property
    def id(self) -> str:
        """The bytes of its name, in hexadecimal digits."""
        return self.name.encode().hex()


HOMES = {
    "home": Network("Café d’Ann", 'bean "soup" & \\beer'),
    "barn": Network("Barn", "hay and straw "),
}
"""The networks of the home."""

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

PROGRAMS = {"radios": RADIOS, "phone": PHONE, "phone-address": ADDRESS}

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
    known = HOMES | {"own": Network(hotspot["name"], hotspot["key"])}
    networks = [BSS.format(id=home.id, key=home.key) for home in HOMES.values()]
    files = {
        "etc/hostname": f"{PI}\n",
        "etc/home.conf": RADIO + "bss=second\n".join(networks),
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
    files |= {f"usr/local/sbin/{name}": text for name, text in PROGRAMS.items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if path.name in PROGRAMS else 0o644)
    roots.chroot(root, "systemctl", "enable", "--quiet", *UNITS)


def installed(folder: Path, base: Path) -> Path:
    """Return a root with the table of the last commit, and its own Wi-Fi; the folder keeps it."""
    trees = roots.run("git", "-C", roots.PROJECT, "rev-parse", *(f"HEAD:{part}" for part in PARTS))
    root = folder / f"radio-{hashlib.sha256(trees.encode()).hexdigest()[:8]}"
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
    made.rename(root)
    return root


class Pi:
    """The machine that runs, its host, and the phone with a radio."""

    def __init__(self, machine: Machine, memory: Path) -> None:
        """memory: what the host's phone remembers."""
        self.machine, self._memory = machine, memory

    @property
    def host(self) -> Phone:
        """The phone, with what it remembers by now."""
        return Phone(self.machine.url, self._memory, BOOT_S)

    def says(self) -> str:
        """What the host's page says of the Wi-Fi."""
        found = re.search(r'<p role="status"[^>]*>(.*?)</p>', self.host.ask(PAGE)[1])
        return html.unescape(found[1]) if found else ""

    def networks(self) -> set[str]:
        """The networks that the page lists, each by its id."""
        return set(re.findall(r'name="network" value="([0-9a-f]+)"', self.host.ask(PAGE)[1]))

    def press(self, path: str, **fields: str) -> None:
        page = Page(self.host.ask(PAGE)[1])
        status, said = self.host.ask(f"{PAGE}/{path}", page.proof, **page.state, **fields)
        assert status == http.client.NO_CONTENT, said

    def join(self, home: Network, key: str = "") -> None:
        """Ask for a network on the page; key: another than its own."""
        code = self.machine.do("cat /etc/bang-companion/owner-code").strip()
        self.press("join", network=home.id, key=key or home.key, code=code)

    def look(self) -> str:
        """Have the Pi look which networks there are; return what the page says then."""
        # It may be looking already, after a start or a trial.
        until(lambda: "One moment" not in self.says())
        self.press("look")
        until(lambda: "One moment" not in self.says())
        return self.says()

    def place(self) -> str:
        """Wait until the Pi is in a network, or has opened its own; return which, by its page."""
        active = "nmcli -c no -t -f NAME,STATE connection show --active"
        until(lambda: re.search(r"^bang-[^:]+:activated", self.machine.do(active), re.MULTILINE))
        said = self.look()
        words = {place: f"in the Wi-Fi {home.name}." for place, home in HOMES.items()}
        words["own"] = "has opened its own Wi-Fi"
        found = [place for place, told in words.items() if told in said]
        assert len(found) == 1, said
        return found[0]

    def visit(self, place: str, address: str = "") -> str:
        """Have the phone join a network, and return the table's page there.

        address: another page.
        """
        address = address or (HOMES[place].address if place in HOMES else OWN_ADDRESS)
        return self.machine.do(f"timeout {BOOT_S:.0f} phone {place} {address}")

    def is_heard(self) -> bool:
        """Whether the phone hears the Pi's own Wi-Fi."""
        # One that meets another of wpa_supplicant's hears nothing of its end.
        scan = "timeout 20 ip netns exec phone iw dev wlan2 scan flush"
        return f"SSID: {OWN}" in self.machine.do(f"until {scan}; do sleep 1; done 2>/dev/null")

    def opens_own(self) -> None:
        """Wait until the Pi has opened its own Wi-Fi, and let the phone find the table there."""
        until(lambda: "The Pi has opened its own Wi-Fi" in self.says())
        # Any system's probe leads to the page that says where the table is.
        assert "Stay in this Wi-Fi" in self.visit("own", "http://captive.apple.com/")


def until(condition: Callable[[], object]) -> None:
    """Wait for what may take as long as a boot; looked at seldom, since each look is a page."""
    end = time.monotonic() + BOOT_S
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(1)


class Course:
    """A Pi that is started and unplugged, what was held, and the figures."""

    def __init__(self, root: Path, disk: Path, memory: Path) -> None:
        self.root, self.disk, self.memory = root, disk, memory
        self.story: list[str] = []
        self.figures: list[tuple[str, str]] = []
        self.joined_s = 0.0

    @contextmanager
    def powered(self) -> Iterator[Pi]:
        """The Pi, from when its page answers to when its plug is pulled; its game is the same."""
        machine = Machine(self.root, self.disk)
        try:
            pi = Pi(machine, self.memory)
            if self.story:
                assert pi.host.story() == self.story, "the story has changed"
            yield pi
        finally:
            machine.pull_plug()

    @contextmanager
    def holds(self, what: str) -> Iterator[None]:
        begun = time.monotonic()
        yield
        self.figures.append((what, f"{time.monotonic() - begun:.0f} s"))
        print(f"held: {what}, {self.figures[-1][1]}", flush=True)

    def change(self) -> None:
        """From a Pi that knows no network to one that has lost its network, and found it."""
        home = HOMES["home"]
        with self.powered() as pi:
            self.story = play(pi.machine.url, self.memory, 5, BOOT_S)
            with self.holds("no network is known: the Pi opens its own, a phone finds the table"):
                pi.opens_own()
            assert {one.id for one in HOMES.values()} <= pi.networks(), pi.networks()
            with self.holds("a wrong key: the Pi is back in its own, and its page says why"):
                pi.join(home, "not the key")
                until(lambda: f"The key for {home.name} was wrong" in pi.says())
                pi.visit("own")
            with self.holds("the right key: a phone finds the table in that network"):
                begun = time.monotonic()
                pi.join(home)
                # The host's page, over the cable, would count for somebody who has come.
                pi.visit("home")
                self.joined_s = time.monotonic() - begun
            until(lambda: f"in another Wi-Fi now: {home.name}" in pi.says())
            assert not pi.is_heard(), "the Pi's own Wi-Fi is still there"
            pi.machine.do("systemctl stop home")
            until(lambda: "in no Wi-Fi" in pi.look())
            with self.holds("the network went, and came: the Pi is in it again"):
                pi.machine.do("systemctl start home")
                pi.visit("home")
            assert pi.place() == "home"
            pi.machine.do("systemctl disable home && sync")

    def lose(self) -> None:
        """Start the Pi where its network isn't."""
        with self.powered() as pi:
            with self.holds("started where that network isn't: the Pi opens its own"):
                pi.opens_own()
            pi.machine.do("systemctl enable home && sync")

    def pull(self, pulls: int, chance: random.Random) -> None:
        """Pull the plug in the middle of changes from one network to another, or from its own."""
        what = "started where it is again: the Pi is in it"
        for number in range(pulls + 1):
            with self.powered() as pi:
                with self.holds(what):
                    place = pi.place()
                    pi.visit(place)
                    assert number or place == "home", place
                print(f"      it is in: {place}", flush=True)
                if number == pulls:
                    break
                target = "barn" if place == "home" else "home"
                pi.join(HOMES[target])
                what = f"the plug was pulled while the Pi tried a network, pull {number + 1}"
                if number % 2:
                    what = f"the plug was pulled as somebody came there, pull {number + 1}"
                    waits = "grep -q waiting /run/bang-companion-wifi/status.json"
                    pi.machine.do(f"until {waits}; do sleep 0.2; done")
                    pi.machine.do(f"systemd-run --quiet phone {target} {HOMES[target].address}")
                time.sleep(chance.uniform(0, self.joined_s))


def connecting(folder: Path, base: Path, report: Report, pulls: int, seed: int = 1) -> None:
    """Install the table, and lose and find its Wi-Fi.

    base: the fresh Debian of the boot test.
    """
    root = installed(folder, base)
    furnish(root)
    disk, memory = folder / "radio.img", folder / "radio.json"
    memory.unlink(missing_ok=True)
    make_disk(root, disk)
    course = Course(root, disk, memory)
    course.change()
    course.lose()
    course.pull(pulls, random.Random(seed))
    disk.unlink()
    for name, value in course.figures:
        report.figure(name, value)

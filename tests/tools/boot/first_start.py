"""A card that installs itself, in a Debian 13 with cloud-init set up as Raspberry Pi OS has it.

The image is made with `make card`'s own steps; its boot partition is a folder of the container
then. Everything is cut off in the middle, some times, and in the end the table must answer.
"""

import random
import shutil
import time
from pathlib import Path

from card_image import make_image
from installer.card import PROGRESS
from installer.places import CODE_ON_CARD
from memory_card import boot_partition, make_card
from waiting import wait_until

from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.evening import Report

IMAGERS = {
    "user-data": """#cloud-config
hostname: saloon
manage_etc_hosts: true
users:
- name: ann
  groups: users,sudo
  shell: /bin/bash
  lock_passwd: true
timezone: Europe/Paris
runcmd:
- [ touch, /etc/the-imager-was-here ]
""",
    "network-config": """network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      optional: true
""",
    "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
}
"""What the Imager writes, as far as it matters."""

AS_ON_THE_PI = """datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
"""
"""Raspberry Pi OS's 99_raspberry-pi.cfg (pi-gen, stage2/04-cloud-init)."""

INSTALL_S = 1200


def prepare(base: Path, root: Path) -> None:
    """Make a root with cloud-init, its boot partition mounted as on the Pi."""
    roots.copy(base, root)
    roots.chroot(root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", "cloud-init")
    (root / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(AS_ON_THE_PI)


def make(folder: Path) -> Path:
    """Make the card, in a folder of its own."""
    made = folder / "flash"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    image = made / "raspios.img"
    make_image(image, 256 << 20, IMAGERS)
    archive = Path(shutil.copy(roots.archive(), made))
    card, _ = make_card(image, archive, "x86_64")
    image.unlink()
    return card


def put(card: Path, root: Path) -> None:
    """Let the boot partition of a card be the root's."""
    firmware = root / "boot/firmware"
    firmware.mkdir(parents=True, exist_ok=True)
    place = f"{card}@@{boot_partition(card)}"
    roots.run("mcopy", "-s", "-n", "-i", place, "::/", firmware)


def waits_for(pi: Container, status: int) -> str:
    """Return the page once it answers with a status. Raises TimeoutError."""
    asked = ("tests.tools.boot.player", "http://127.0.0.1/", "-", "answers", status, INSTALL_S)
    return pi.in_network(*asked)


def install(folder: Path, root: Path, report: Report, cuts: int) -> None:
    """Start it, cut it off some times, and let it install."""
    chance, tools = random.Random(1), folder / "tools"
    pi = Container(root, tools)
    try:
        assert "The table is being installed" in waits_for(pi, 503)
        report.held("the page tells of the installation")
        for number in range(cuts):
            time.sleep(chance.uniform(5, 60))
            told = pi.run("cat", PROGRESS, check=False).stdout
            pi.cut()
            pi = Container(root, tools)
            report.held(f"cut off, {number + 1} of {cuts}, and started again: {told}")
        begun = time.monotonic()
        waits_for(pi, 200)
        report.held(f"the table answers, {time.monotonic() - begun:.0f} s after the last start")
        check(pi, root)
        report.held("the card is clear; host name, user and command are as the Imager wrote them")
        pi.shut_down()
        pi = Container(root, tools)
        waits_for(pi, 200)
        assert pi.run("systemctl", "cat", "bang-companion-card.service", check=False).returncode
        report.held("started again: the table answers, and nothing is installed any longer")
    finally:
        pi.shut_down()


def check(pi: Container, root: Path) -> None:
    """Hold that what the Imager wrote counts, and that the card is clear."""
    firmware = root / "boot/firmware"
    left = {*IMAGERS, CODE_ON_CARD.parent.name}
    wait_until(lambda: {file.name for file in firmware.iterdir()} == left, patience_s=INSTALL_S)
    assert pi.run("hostname").stdout.strip() == "saloon"
    assert pi.run("id", "ann").returncode == 0
    assert (root / "etc/the-imager-was-here").exists()


def starting(folder: Path, base: Path, report: Report, cuts: int) -> None:
    """Make a card and start it. base: the fresh Debian of the boot test."""
    root = folder / "card"
    shutil.rmtree(root, ignore_errors=True)
    prepare(base, root)
    card = make(folder)
    put(card, root)
    card.unlink()
    install(folder, root, report, cuts)
    shutil.rmtree(root)

"""A Debian root as the disk of a virtual PC, whose plug can be pulled (QEMU, without KVM)."""

import os
import re
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path

from tests.tools.boot.player import wait_for
from tests.tools.boot.root import WHEELS, chroot

KERNEL = ("linux-image-cloud-amd64",)
BOOT_S = 900.0
"""Half a minute where nothing else runs; many times that on a busy machine."""

IDLE = ("systemd-networkd-wait-online.service", "NetworkManager.service", "apt-daily.timer",
        "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer",
        "fstrim.timer")  # fmt: skip


def prepare(root: Path, packages: Sequence[str] = KERNEL) -> None:
    """Put in the root what only a machine needs: a kernel, a network, a disk.

    packages: the kernel, and what else it is to have.
    """
    # A start that unpacks all drivers takes an imitated processor twice as long.
    for name, text in (
        ("etc/initramfs-tools/conf.d/drivers.conf", "MODULES=list\n"),
        ("usr/share/initramfs-tools/modules.d/disk", "virtio_pci\nvirtio_blk\next4\n"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    chroot(root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages)
    (root / "etc/systemd/network").mkdir(exist_ok=True)
    (root / "etc/systemd/network/80-cable.network").write_text(
        "[Match]\nName=en*\n[Network]\nDHCP=yes\n"
    )
    # As on Raspberry Pi OS.
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults,noatime 0 1\n")
    # An imitated processor on a busy machine is many times slower than the slowest Pi.
    for path, section, limits in (
        ("system/bang-companion.service.d", "Service", ("TimeoutStartSec", "WatchdogSec")),
        ("system.conf.d", "Manager", ("DefaultTimeoutStartSec", "DefaultDeviceTimeoutSec")),
    ):
        patience = root / "etc/systemd" / path / "patience.conf"
        patience.parent.mkdir(exist_ok=True)
        lines = [f"[{section}]", *(f"{limit}={BOOT_S:.0f}" for limit in limits)]
        patience.write_text("\n".join(lines) + "\n")
    # Commands from outside: see `Machine.do`.
    (root / "etc/systemd/system/shell.service").write_text(
        "[Service]\nExecStart=/bin/sh\nStandardInput=tty\nTTYPath=/dev/ttyS1\nRestart=always\n"
        "[Install]\nWantedBy=multi-user.target\n"
    )
    chroot(root, "systemctl", "enable", "--quiet", "systemd-networkd.service", "shell.service")
    # What has nothing to do here: an imitated processor takes minutes for it.
    chroot(root, "systemctl", "mask", "--quiet", *IDLE)


def clear_downloads(root: Path) -> None:
    """Remove what was downloaded."""
    chroot(root, "apt-get", "clean")
    shutil.rmtree(root / WHEELS.relative_to("/"), ignore_errors=True)


def make_disk(root: Path, disk: Path) -> None:
    """Make a disk that holds the root."""
    disk.unlink(missing_ok=True)
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-d", root, disk, "3G"], check=True, capture_output=True
    )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Machine:
    """A machine that runs."""

    def __init__(self, root: Path, disk: Path) -> None:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}/"
        self._shell = disk.with_suffix(".shell")
        (kernel,) = root.glob("boot/vmlinuz-*")
        (initrd,) = root.glob("boot/initrd.img-*")
        drive = f"driver=file,filename={disk},node-name=disk"
        self._console = disk.with_suffix(".console").open("ab")
        self._qemu = subprocess.Popen(
            ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi",
             # With all that TCG can do, now and then its guest panics.
             "-cpu", "max,-cx16,-la57", "-smp", str(os.cpu_count() or 1), "-m", "512",
             "-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot",
             "-serial", f"unix:{self._shell},server=on,wait=off",
             "-kernel", kernel, "-initrd", initrd,
             # A busy machine can't imitate a timer that is on time.
             "-append", "root=/dev/vda rw console=ttyS0 quiet panic=-1 no_timer_check"
             " mitigations=off",
             "-blockdev", drive,
             "-device", "virtio-blk-pci,drive=disk",
             "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:80",
             "-device", "virtio-net-pci,netdev=net"],
            stdin=subprocess.DEVNULL, stdout=self._console, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            self.boot_s = wait_for(self.url, BOOT_S, lambda: self._qemu.poll() is None)
        except BaseException:
            self.pull_plug()
            raise

    def do(self, command: str) -> str:
        """Let a shell of the machine run a command, and return what it printed.

        Raises RuntimeError where it fails.
        """
        with socket.socket(socket.AF_UNIX) as shell:
            shell.settimeout(BOOT_S)
            shell.connect(str(self._shell))
            shell.sendall(f"echo said:; {command}; echo status=$?\n".encode())
            answer = b""
            # What was typed is shown too, in one line. Hung up before, it would be cut off.
            while not (found := re.search(rb"said:\r\n(.*)status=(\d+)\r", answer, re.DOTALL)):
                answer += shell.recv(4096)
        said = found[1].decode()
        if int(found[2]):
            raise RuntimeError(f"{command}\n{said}")
        return said

    def year(self) -> int:
        """The year that the machine's clock has, by its pages."""
        with urllib.request.urlopen(self.url, timeout=BOOT_S) as page:
            return parsedate_to_datetime(page.headers["Date"]).year

    def pull_plug(self) -> None:
        """What was not written to the disk is lost."""
        self._qemu.kill()
        self._qemu.wait()
        self._console.close()

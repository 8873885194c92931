"""What the system must have: Debian's packages, and the service's user."""

import os
import sys
from pathlib import Path

from installer import places
from installer.machine import InstallError, Machine, say

# Camera and pins come from apt: only there do they fit the kernel and each other. OpenCV does not:
# apt's brings 230 packages and 870 MB (release 12: 327, 850 MB) for what a wheel of 60 MB does.
PACKAGES = (
    "python3", "python3-venv", "python3-numpy", "python3-gpiozero", "avahi-daemon", "openssl",
)  # fmt: skip
PI_PACKAGES = ("python3-picamera2", "python3-lgpio")
"""Only in Raspberry Pi's archive."""
HOTSPOT_PACKAGES = ("network-manager", "dnsmasq-base")
_AS_A_UNIT = ("systemd-run", "--quiet", "--wait", "--pipe", "--collect")
_HANDED_ON = ("DEBIAN_FRONTEND", "PIP_NO_INDEX", "PIP_FIND_LINKS")
"""What apt and pip are told by their environment."""
GROUPS = ("video", "gpio", "spi", "audio", "input")
"""Who may use camera, pins, pixels, loudspeaker and keyboards; the unit names them, too."""


def check_machine(machine: Machine) -> None:
    """Raise InstallError on a machine that the table can't be installed on."""
    runs = machine.path(Path("/run/systemd/system")).is_dir()
    if not runs or not machine.succeeds("apt-get", "--version"):
        raise InstallError("this needs Raspberry Pi OS or Debian, with systemd running")
    if machine.run("dpkg", "--print-architecture").strip() not in ("arm64", "amd64"):
        raise InstallError(
            "this system has 32 bits: install Raspberry Pi OS (64-bit), which has OpenCV's wheels"
        )


def install_packages(machine: Machine, *, hotspot: bool) -> None:
    """Install the packages that are missing. Asks the network for nothing else."""
    _need(machine, *PACKAGES)
    if hotspot:
        _need(machine, *HOTSPOT_PACKAGES)
    for package in PI_PACKAGES:
        if machine.succeeds("apt-cache", "show", package):
            _need(machine, package)
        else:
            say(f"only Raspberry Pi OS has {package}: the table goes without")


def _need(machine: Machine, *packages: str) -> None:
    missing = [package for package in packages if not _is_installed(machine, package)]
    if not missing:
        return
    say(f"packages: {' '.join(missing)}")
    # The plug may have been pulled while apt worked.
    fetch(machine, "dpkg", "--configure", "-a")
    fetch(machine, "apt-get", "update", "-qq")
    # Without what is only recommended: of picamera2 that would be a desktop.
    options = ("-y", "-qq", "--no-install-recommends", "--fix-broken")
    fetch(machine, "apt-get", "install", *options, "-o", "DPkg::Lock::Timeout=300", *missing)


def fetch(machine: Machine, *command: object) -> None:
    """Run a program that needs the network or the whole system. Raises InstallError."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # The units that install have no network, and write to few folders: there systemd runs it.
    confined = not os.access("/usr", os.W_OK)
    told = [f"--setenv={name}={env[name]}" for name in _HANDED_ON if name in env]
    machine.run(*((*_AS_A_UNIT, *told) if confined else ()), *command, env=env)


def _is_installed(machine: Machine, package: str) -> bool:
    shown = ("dpkg-query", "-W", "-f", "${db:Status-Status}", package)
    return machine.succeeds(*shown) and machine.run(*shown) == "installed"


def install_user(machine: Machine) -> None:
    """Make the service's user and the groups that it needs."""
    for group in GROUPS:
        if not machine.succeeds("getent", "group", group):
            machine.run("groupadd", "--system", group)
    if not machine.succeeds("id", places.SERVICE_USER):
        machine.run(
            "useradd", "--system", "--user-group", "--home-dir", places.DATA, "--no-create-home",
            "--shell", "/usr/sbin/nologin", places.SERVICE_USER,
        )  # fmt: skip


def wheels(source: Path) -> Path:
    """Return the list of the wheels for this Python. Raises InstallError if there is none."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    listed = source / "systemd/wheels" / f"python-{python}.txt"
    if not listed.exists():
        known = ", ".join(sorted(file.stem[7:] for file in listed.parent.glob("python-*.txt")))
        raise InstallError(f"Python {python} was not tried with this version; it needs {known}")
    return listed

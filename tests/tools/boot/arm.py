"""Installs and runs the table on arm64, a Pi's kind of processor, under qemu-user: `make arm-test`.

    python -m tests.tools.boot.arm [--folder DIR] [--only installed,plays,reads,doctor,quick]

Needs root on a Debian with debootstrap, qemu-user-static and binfmt_misc, and the network once. The
folder keeps the Debian 13 that is made for it, 1.1 GB. Programs run a dozen times slower than on a
Pi; what they print has to be what they print here: records of games to the byte, readings to the
face. Beside that runs what `make quick` runs, with the versions that a release installs.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from installer.packages import PACKAGES as INSTALLED
from places import PICTURES, RECORDED

from tests.tools.bench.machine import machine
from tests.tools.boot import root as roots

BINFMT = Path("/proc/sys/fs/binfmt_misc")
REGISTERED = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
"""Debian's own line for the kernel: by which bytes it knows an arm64 program."""

CHECKOUT = Path("/checkout")
"""In the root: the last commit, tests included."""

EMULATED = {
    "tests/hardware/test_speaker.py::test_sounds_and_sentences_are_heard_in_order_at_their_volume":
        "a program is ended that takes much longer than its sound; here each starts for seconds",
    "tests/hardware/test_speaker.py::test_a_program_that_went_is_a_trouble_too":
        "a program that isn't there ends with 127 instead of failing to start",
    "tests/vision/test_networks.py::test_a_network_that_lacked_memory_works_once_there_is_some":
        "the emulator itself needs the memory that is limited",
}  # fmt: skip
"""Tests that are left out, and why they say nothing under an emulator."""

WHEELS = Path("/var/cache/dev-wheels")
"""In the root: what the tests need beside the product."""

CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
PACKAGES = (*INSTALLED, "make")

INSTALLS = """
import sys
from pathlib import Path
sys.path.insert(0, "/root/bang-companion/systemd")
from installer.machine import Machine
from installer.packages import install_packages, install_user
from installer.version import new_version, try_version
machine, source = Machine(), Path("/root/bang-companion")
assert machine.run("dpkg", "--print-architecture").strip() == "arm64"
install_packages(machine, hotspot=False)
install_user(machine)
with new_version(machine, source) as folder:
    settings = Path("/etc/bang-companion/settings.toml")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text((source / "systemd/settings.toml").read_text())
    try_version(machine, folder)
Path("/program").unlink(missing_ok=True)
Path("/program").symlink_to(folder)
"""
"""The installer's own steps up to the change-over, which asks systemd: apt's packages, wheels by
name and hash in a folder of their own, and a table that is started and has to answer."""

GAMES = (
    ("play", "--games", "20", "--seed", "7"),
    ("play", "--games", "5", "--seed", "7", "--players", "5", "--game", "cards"),
    ("play", "--games", "2", "--seed", "7", "--players", "5", "--minds", "strong"),
)
REPLAYED = ("seven-players-twisted-shots.jsonl", "cards/five-players-law.jsonl")

TAUGHT = "pictures/renders/D/teach"
PHOTOGRAPHS = sorted(path.relative_to(PICTURES) for path in PICTURES.glob("gray_plate/*.jpg"))[:10]
SYMBOLS = sorted(path.relative_to(PICTURES) for path in PICTURES.glob("renders/D/*ing/*.jpg"))[:3]
THROWS = sorted(path.relative_to(PICTURES) for path in PICTURES.glob("renders/D/normal/*.jpg"))[:7]


class Here:
    """The program of this checkout, on this machine."""

    def run(self, *arguments: str) -> str:
        """Return what the command of these arguments prints."""
        return roots.run(sys.executable, "-m", "companion", *arguments)

    def file(self, name: str) -> str:
        """Return where a file of the tests is."""
        return str(roots.PROJECT / "tests" / name)


class Arm(Here):
    """The installed program, on the emulated processor."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *arguments: str) -> str:
        return inside(self.root, "/program/bin/bang-companion", *arguments)

    def file(self, name: str) -> str:
        return str(CHECKOUT / "tests" / name)


def inside(root: Path, *command: object, into: int | None = subprocess.PIPE) -> str:
    """Run a command in the root, with /proc, /dev and mock pins; raises where it fails."""
    mounted = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounted, root,
         *map(str, command)],
        stdin=subprocess.DEVNULL, stdout=into, stderr=None if into is None else subprocess.STDOUT,
        text=True, env=os.environ | {"GPIOZERO_PIN_FACTORY": "mock", "TMPDIR": "/tmp"},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout or ''}")
    return done.stdout or ""


def register() -> None:
    """Let the kernel start programs for arm64 by the emulator, in any root."""
    if not (BINFMT / "register").exists():
        roots.run("mount", "-t", "binfmt_misc", "none", BINFMT)
    if not (BINFMT / "qemu-aarch64").exists():
        (BINFMT / "register").write_text(REGISTERED.read_text())


def make(root: Path) -> None:
    """Make a Debian 13 for arm64, with the packages of the installation."""
    roots.make_debian(root, options=("--arch=arm64",))
    roots.chroot(root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", *PACKAGES)
    # Of this machine, which may reach the network by a way of its own.
    (root / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(f"/{CERTIFICATES}", root / CERTIFICATES)


def put_checkout(root: Path) -> None:
    """Put the last commit there; an environment that was made before stays."""
    target = root / CHECKOUT.relative_to("/")
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        if old.name != ".venv-wheels":
            roots.run("rm", "-rf", old)
    packed = root / "tmp/checkout.tar"
    roots.run("git", "-C", roots.PROJECT, "archive", "--output", packed, "HEAD")
    roots.run("tar", "-xf", packed, "-C", target)
    packed.unlink()


def install(root: Path) -> str:
    """Run the installer's steps."""
    inside(root, "python3", "-c", INSTALLS)
    size = inside(root, "du", "-sm", "/program/").split()[0]
    return f"packages, wheels by hash, a table that answers; {size} MB"


def play(arm: Arm) -> str:
    """Play and replay games on both machines; what is printed must be the same."""
    for arguments in GAMES:
        # The last line says how long it took.
        told = [where.run(*arguments).splitlines()[:-1] for where in (arm, Here())]
        assert told[0] == told[1] != [], arguments
    for name in REPLAYED:
        told = [
            where.run("replay", where.file(f"{RECORDED.name}/{name}")) for where in (arm, Here())
        ]
        assert told[0] == told[1], name
    games = sum(int(arguments[2]) for arguments in GAMES)
    return f"{games} games played and {len(REPLAYED)} replayed: the same to the byte"


def read(arm: Arm) -> str:
    """Read pictures on both machines: dice with pips, a set of symbols that each taught itself."""
    faces, same = [], 0
    for where in (arm, Here()):
        profile = "/tmp/arm-test.dice"
        where.run("teach", "--profile", profile, where.file(TAUGHT))
        lines: list[str] = []
        for known, pictures in (("pips", PHOTOGRAPHS), (profile, [*THROWS, *SYMBOLS])):
            names = [where.file(f"pictures/{picture}") for picture in pictures]
            lines += where.run("read", "--profile", known, *names).splitlines()
        readings = [json.loads(line) for line in lines]
        faces.append(
            [
                (reading["verdict"], [(die["face"], die["sure"]) for die in reading["dice"]])
                for reading in readings
            ]
        )
    count = len(faces[1])
    same = sum(one == other for one, other in zip(*faces, strict=True))
    assert same == count > 0, [pair for pair in zip(*faces, strict=True) if pair[0] != pair[1]]
    return f"{same} of {count} readings the same, face by face"


def examine(arm: Arm) -> str:
    """Let the doctor look; what it finds wrong here is what this root lacks."""
    told = subprocess.run(
        ["chroot", arm.root, "/program/bin/bang-companion", "doctor", "--json", "--camera",
         "simulated", "--data", "/tmp/arm-test"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env=os.environ | {"GPIOZERO_PIN_FACTORY": "mock"},
    )  # fmt: skip
    checks = [json.loads(line) for line in told.stdout.splitlines()]
    assert checks, told.stderr
    return f"{len(checks)} checks, status {told.returncode}"


def download_wheels(root: Path) -> None:
    """Put the wheels that the tests need there: an emulated pip is too slow for servers to wait."""
    project = tomllib.loads((roots.PROJECT / "pyproject.toml").read_text())
    needed = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["dev"]
    python = inside(root, "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    listed = (roots.PROJECT / f"systemd/wheels/python-{python.strip()}.txt").read_text()
    target = root / WHEELS.relative_to("/")
    target.mkdir(parents=True, exist_ok=True)
    versions = target / "versions.txt"
    numpy = re.findall(r" numpy ([\d.]+)\.$", listed, re.MULTILINE)
    released = re.findall(r"^[^ #]+==[^ ]+", listed, re.MULTILINE)
    versions.write_text("\n".join([f"numpy=={numpy[0]}", *released]))
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in (17, 26, 27, 28, 34)]
    roots.run(
        sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:",
        f"--python-version={python.strip()}", *platforms, "--platform=manylinux2014_aarch64",
        "--constraint", versions, "--dest", target,
        *needed, *project["build-system"]["requires"], "editables",
    )  # fmt: skip


def test_quick(root: Path, expression: str) -> str:
    """Run the tests of make quick, with the versions of a release."""
    download_wheels(root)
    inside(root, "env", "PIP_NO_INDEX=1", f"PIP_FIND_LINKS={WHEELS}",
           "make", "-C", CHECKOUT, ".venv-wheels/dev")  # fmt: skip
    left = " ".join(f"--deselect={test}" for test in EMULATED)
    pytest = f".venv-wheels/bin/python -m pytest -q -n 2 -m '{expression}' {left}"
    # Tests choose the pins themselves.
    command = f"cd {CHECKOUT} && unset GPIOZERO_PIN_FACTORY && exec {pytest}"
    inside(root, "sh", "-c", command, into=None)
    return f"passed but for {len(EMULATED)} that an emulator can't pass, see above"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/bang-boot-test"))
    parser.add_argument("--only", default="installed,plays,reads,doctor,quick")
    parser.add_argument("--quick", default="", help="pytest's expression for the quick tier")
    arguments = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap") or not REGISTERED.exists():
        sys.exit("arm-test needs root, and: apt-get install debootstrap qemu-user-static")
    register()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    root = arguments.folder / "arm64"
    if not root.exists():
        part = root.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        make(part)
        part.rename(root)
    roots.put_source(root)
    put_checkout(root)
    arm = Arm(root)
    steps: dict[str, Callable[[], str]] = {
        "installed": lambda: install(root),
        "plays": lambda: play(arm),
        "reads": lambda: read(arm),
        "doctor": lambda: examine(arm),
        "quick": lambda: test_quick(root, arguments.quick),
    }
    rows: list[Sequence[str]] = []
    for name in arguments.only.split(","):
        begun = time.monotonic()
        said = steps[name]()
        rows.append((name, said, f"{time.monotonic() - begun:.0f} s"))
        print(f"held: {name}: {said}", flush=True)
    print(f"\n{machine()}, arm64 by qemu-user\n\n| step | held | took |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

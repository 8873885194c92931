"""What a Raspberry Pi says of itself: its files, devices, processes, pins and health.

Everything is read through a `Machine`, which can be given another root folder, another way to run
commands and another `ioctl`: so each finding can be had on any machine. What isn't there is None or
empty, never an error: off a Pi nearly everything is missing.
"""

import fcntl
import grp
import json
import os
import pwd
import re
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

COMMAND_S = 15.0
"""Seconds after which a command that does not answer is given up."""

# linux/gpio.h, the second version of the kernel's interface to GPIO character devices (Linux 5.10).
_CHIP_INFO, _CHIP = 0x8044B401, struct.Struct("32s32sI")
_LINE_INFO, _LINE, _LINE_BYTES = 0xC100B405, struct.Struct("32s32sIIQ"), 256
_LINE_USED = 1

_HEADER_CHIPS = re.compile("pinctrl-(bcm|rp1)")
"""Labels of the chips behind the 40-pin header: pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1."""

_LISTENING = "0A"


class Ran(NamedTuple):
    """The result of a command."""

    status: int
    """The exit status."""
    out: str
    """What it wrote to standard output."""
    err: str
    """What it wrote to standard error."""


class Process(NamedTuple):
    """A running process."""

    pid: int
    """The process number."""
    words: tuple[str, ...]
    """The words of its command line."""

    @property
    def name(self) -> str:
        """What it is called, without its folder."""
        return Path(self.words[0]).name if self.words else str(self.pid)

    @property
    def table(self) -> bool:
        """Whether it is a table of bang-companion that runs."""
        ours = any(Path(word).name in ("bang-companion", "companion") for word in self.words)
        return ours and "run" in self.words


class Chip(NamedTuple):
    """A GPIO chip."""

    number: int
    """The N of /dev/gpiochipN."""
    label: str
    """The name of its driver."""
    lines: int
    """How many lines it has."""

    @property
    def header(self) -> bool:
        """Whether its lines are on the 40-pin header."""
        return _HEADER_CHIPS.match(self.label) is not None


def run_command(*words: str) -> Ran | None:
    """Run a command; None where there is no such program, or it does not answer."""
    try:
        ran = subprocess.run(
            words,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=COMMAND_S,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Ran(ran.returncode, ran.stdout.strip(), ran.stderr.strip())


class Machine:
    """The machine that this runs on, or one that was made up for a test."""

    def __init__(
        self,
        root: Path = Path("/"),
        run: Callable[..., Ran | None] = run_command,
        ioctl: Callable[[int, int, bytearray], int] = fcntl.ioctl,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """root: what stands for `/`; environ: the environment of the table."""
        self._root, self.run, self._ioctl, self.environ = root, run, ioctl, environ

    # Files

    def path(self, name: str) -> Path:
        """Where a file of this machine is; `name` begins with a slash."""
        return self._root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """What is in a file, without the space around it."""
        try:
            return self.path(name).read_text("utf-8", "replace").strip("\0 \n")
        except OSError:
            return None

    def devices(self, *patterns: str) -> list[Path]:
        """The files of `/dev` that fit, such as `video*`, in order."""
        return sorted(path for pattern in patterns for path in self.path("/dev").glob(pattern))

    def locked_out(self, name: str, *patterns: str) -> dict[str, str]:
        """The devices that a user may not use, each with the group that may."""
        return {
            f"/dev/{path.relative_to(self.path('/dev'))}": _group(path.stat().st_gid)
            for path in self.devices(*patterns)
            if not may_write(path, name)
        }

    # The board

    @property
    def model(self) -> str:
        """`Raspberry Pi 4 Model B Rev 1.4` and the like; empty off a Pi."""
        model = self.text("/proc/device-tree/model") or ""
        return model if model.startswith("Raspberry Pi") else ""

    @property
    def throttled(self) -> int | None:
        """The bits of `vcgencmd get_throttled`.

        0 under-voltage, 1 frequency capped, 2 throttled, 3 soft temperature limit; the same from 16
        on for what has happened since the start (Raspberry Pi documentation, os, vcgencmd).
        """
        answer = self.run("vcgencmd", "get_throttled")
        match = re.fullmatch("throttled=(0x[0-9a-fA-F]+)", answer.out) if answer else None
        return int(match[1], 16) if match else None

    @property
    def temperature(self) -> float | None:
        """Of the processor, in degrees Celsius."""
        answer = self.run("vcgencmd", "measure_temp")
        if answer and (match := re.fullmatch(r"temp=(-?[\d.]+)'C", answer.out)):
            return float(match[1])
        # Of other machines this zone may be anything.
        zone = self.text("/sys/class/thermal/thermal_zone0/temp") if self.model else None
        return int(zone) / 1000 if zone and zone.lstrip("-").isdigit() else None

    @property
    def memory(self) -> tuple[int, int] | None:
        """Bytes that there are, and that programs can still have."""
        lines = (self.text("/proc/meminfo") or "").splitlines()
        sizes = {
            name: 1024 * int(rest.split()[0])
            for name, _, rest in (line.partition(":") for line in lines)
            if rest.split() and rest.split()[0].isdigit()
        }
        try:
            return sizes["MemTotal"], sizes["MemAvailable"]
        except KeyError:
            return None

    # Pins

    def chips(self) -> list[Chip]:
        """The GPIO chips that may be asked."""
        found = []
        for path in self.devices("gpiochip*"):
            # The Pi 5 has had a link gpiochip4 to gpiochip0 since its kernel 6.6.47
            # (raspberrypi/linux pull 6144, gpiozero issue 1166).
            if path.is_symlink() or not path.name[8:].isdigit():
                continue
            answer = self._asked(path, _CHIP_INFO, bytearray(_CHIP.size))
            if answer is not None:
                _, label, lines = _CHIP.unpack(answer)
                found.append(Chip(int(path.name[8:]), _word(label), lines))
        return found

    def line_user(self, chip: int, line: int) -> str | None:
        """What uses a line, as it told the kernel ("" if it didn't); None where it is free."""
        question = bytearray(_LINE_BYTES)
        _LINE.pack_into(question, 0, b"", b"", line, 0, 0)
        answer = self._asked(self.path(f"/dev/gpiochip{chip}"), _LINE_INFO, question)
        if answer is None:
            return None
        _, consumer, _, _, flags = _LINE.unpack_from(answer)
        return _word(consumer) if flags & _LINE_USED else None

    def _asked(self, path: Path, request: int, question: bytearray) -> bytearray | None:
        try:
            device = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            self._ioctl(device, request, question)
        except OSError:
            return None
        finally:
            os.close(device)
        return question

    # Processes

    def processes(self) -> Iterator[Process]:
        """Every process."""
        for folder in self.path("/proc").glob("[0-9]*"):
            words = self.text(f"/proc/{folder.name}/cmdline")
            if words:
                yield Process(int(folder.name), tuple(words.split("\0")))

    def holders(self, *patterns: str) -> list[Process]:
        """Which other processes have devices open, by the names of these in `/dev`.

        Other users' processes are seen by root only.
        """
        wanted = re.compile("/dev/(?:" + "|".join(patterns) + ")")
        return [
            process
            for process in self.processes()
            if process.pid != os.getpid()
            and any(wanted.fullmatch(name) for name in self._open_files(process))
        ]

    def listener(self, port: int) -> tuple[bool, Process | None]:
        """Whether something serves a TCP port here, and which process, where that can be seen."""
        sockets = set()
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for line in (self.text(table) or "").splitlines()[1:]:
                words = line.split()
                if words[3] == _LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                    sockets.add(f"socket:[{words[9]}]")
        users = (p for p in self.processes() if sockets and sockets & self._open_files(p))
        return bool(sockets), next(users, None)

    def _open_files(self, process: Process) -> set[str]:
        files = set()
        # A process may end, or be another user's.
        with suppress(OSError):
            for entry in self.path(f"/proc/{process.pid}/fd").iterdir():
                with suppress(OSError):
                    files.add(os.readlink(entry))
        return files

    # The network

    def addresses(self) -> dict[str, list[str]]:
        """The IPv4 addresses of each interface that leads to others."""
        answer = self.run("ip", "-json", "-4", "address")
        try:
            entries = json.loads(answer.out) if answer else []
            return {
                entry["ifname"]: [info["local"] for info in entry["addr_info"]]
                for entry in entries
                if entry.get("addr_info") and "LOOPBACK" not in entry["flags"]
            }
        except (ValueError, KeyError, TypeError):
            return {}

    def wireless(self) -> list[str]:
        """The Wi-Fi interfaces."""
        return sorted(p.parent.name for p in self.path("/sys/class/net").glob("*/wireless"))

    def neighbours(self, interface: str) -> list[str]:
        """Who else was heard through an interface lately: IPv4 addresses, without the gateway."""
        gateways = {
            _dotted(words[2])
            for words in map(str.split, (self.text("/proc/net/route") or "").splitlines()[1:])
            if words[0] == interface and int(words[3], 16) & 2  # RTF_GATEWAY
        }
        return [
            words[0]
            for words in map(str.split, (self.text("/proc/net/arp") or "").splitlines()[1:])
            if words[-1] == interface
            and int(words[2], 16) & 2  # ATF_COM: it answered
            and words[0] not in gateways
        ]

    def wifi_blocked(self) -> bool:
        """Whether Wi-Fi is switched off, as it is until a country has been set."""
        return any(
            self.text(f"/sys/class/rfkill/{entry.name}/type") == "wlan"
            and self.text(f"/sys/class/rfkill/{entry.name}/soft") == "1"
            for entry in self.path("/sys/class/rfkill").glob("rfkill*")
        )


def user() -> str:
    """The name of the user that this runs as."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def user_exists(name: str) -> bool:
    """Whether there is such a user."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def may_write(path: Path, name: str) -> bool:
    """Whether a user may read and write a file, or make files in a folder.

    Of other users than this one by the bits of the mode alone.
    """
    folder = path.is_dir()
    if name == user():
        return os.access(path, os.W_OK | (os.X_OK if folder else os.R_OK))
    entry, state = pwd.getpwnam(name), path.stat()
    needed = 0o3 if folder else 0o6
    if entry.pw_uid == state.st_uid:
        bits = state.st_mode >> 6
    elif state.st_gid in os.getgrouplist(name, entry.pw_gid):
        bits = state.st_mode >> 3
    else:
        bits = state.st_mode
    return entry.pw_uid == 0 or bits & needed == needed


def file_owner(path: Path) -> str:
    """Whose file it is."""
    with suppress(KeyError, OSError):
        return pwd.getpwuid(path.stat().st_uid).pw_name
    return "somebody else"


def read_only(path: Path) -> bool:
    """Whether the file system that holds `path` is mounted read-only."""
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _word(field: bytes) -> str:
    return field.split(b"\0")[0].decode("utf-8", "replace")


def _dotted(little_endian: str) -> str:
    """An address as /proc/net/route writes it."""
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(little_endian)))

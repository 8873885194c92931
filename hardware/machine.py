"""Facts about this machine: its files, devices, processes, pins and health.

Everything is read through a `Machine`. Tests give it another root folder, another function to run
commands and another `ioctl`, to simulate any machine. What is missing is None or empty, not an
error, since nearly everything is missing without a Pi.
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
"""Seconds after which a command is stopped."""

# linux/gpio.h, the second version of the kernel's interface to GPIO character devices (Linux 5.10).
_CHIP_INFO, _CHIP = 0x8044B401, struct.Struct("32s32sI")
_LINE_INFO, _LINE, _LINE_BYTES = 0xC100B405, struct.Struct("32s32sIIQ"), 256
_LINE_USED = 1

_HEADER_CHIPS = re.compile("pinctrl-(bcm|rp1)")
"""Labels of the chips behind the 40-pin header: pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1."""

_LISTENING = "0A"

PROGRAM = "bang-companion"
"""The name of this program's command."""
_PYTHON = re.compile(r"python[0-9.]*")


class CommandResult(NamedTuple):
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
        """Its name, without the folder."""
        if self.command:
            return PROGRAM
        return Path(self.words[0]).name if self.words else str(self.pid)

    @property
    def table(self) -> bool:
        """Whether it is a running table of bang-companion."""
        return self.command[:1] == ("run",)

    @property
    def command(self) -> tuple[str, ...]:
        """The command of bang-companion that it runs; empty if it runs another program."""
        words = self.words
        if words and _PYTHON.fullmatch(Path(words[0]).name):
            words = words[1:]
            while words and words[0].startswith("-") and words[0] != "-m":
                words = words[2 if words[0] in ("-W", "-X") else 1 :]
            if words[:2] == ("-m", "companion"):
                return words[2:]
        return words[1:] if words and Path(words[0]).name == PROGRAM else ()

    def option(self, name: str) -> str | None:
        """Return the value of one of its options, given as two words or as `--name=value`."""
        for word, following in zip(self.words, (*self.words[1:], None), strict=True):
            if word == name:
                return following
            if word.startswith(f"{name}="):
                return word.partition("=")[2]
        return None


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


def run_command(*words: str) -> CommandResult | None:
    """Run a command; return None if there is no such program or it doesn't end in time."""
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
    return CommandResult(ran.returncode, ran.stdout.strip(), ran.stderr.strip())


class Machine:
    """The machine that the program runs on, or one that a test simulates."""

    def __init__(
        self,
        root: Path = Path("/"),
        run: Callable[..., CommandResult | None] = run_command,
        ioctl: Callable[[int, int, bytearray], int] = fcntl.ioctl,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """Look at a machine. root: the folder used as `/`. environ: the table's environment."""
        self._root, self.run, self._ioctl, self.environ = root, run, ioctl, environ

    # Files

    def path(self, name: str) -> Path:
        """Return the path of a file of this machine; `name` begins with a slash."""
        return self._root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """Return the contents of a file, without surrounding space."""
        try:
            return self.path(name).read_text("utf-8", "replace").strip("\0 \n")
        except OSError:
            return None

    def devices(self, *patterns: str) -> list[Path]:
        """Return the files in `/dev` that match a pattern such as `video*`, sorted."""
        return sorted(path for pattern in patterns for path in self.path("/dev").glob(pattern))

    def closed_devices(self, name: str, *patterns: str) -> dict[str, str]:
        """Return the devices that a user can't use, each with the group that can."""
        return {
            f"/dev/{path.relative_to(self.path('/dev'))}": _group(path.stat().st_gid)
            for path in self.devices(*patterns)
            if not may_write(path, name)
        }

    # The board

    @property
    def model(self) -> str:
        """Return the model, such as `Raspberry Pi 4 Model B Rev 1.4`; empty without a Pi."""
        model = self.text("/proc/device-tree/model") or ""
        return model if model.startswith("Raspberry Pi") else ""

    @property
    def throttle_bits(self) -> int | None:
        """Return the bits of `vcgencmd get_throttled`.

        0 is under-voltage, 1 a capped frequency, 2 throttling, 3 the soft temperature limit. Bits
        16 to 19 say the same since the start (Raspberry Pi documentation, os, vcgencmd).
        """
        answer = self.run("vcgencmd", "get_throttled")
        match = re.fullmatch("throttled=(0x[0-9a-fA-F]+)", answer.out) if answer else None
        return int(match[1], 16) if match else None

    @property
    def temperature(self) -> float | None:
        """Return the temperature of the processor, in degrees Celsius."""
        answer = self.run("vcgencmd", "measure_temp")
        if answer and (match := re.fullmatch(r"temp=(-?[\d.]+)'C", answer.out)):
            return float(match[1])
        # On other machines this zone can be anything.
        zone = self.text("/sys/class/thermal/thermal_zone0/temp") if self.model else None
        return int(zone) / 1000 if zone and zone.lstrip("-").isdigit() else None

    @property
    def memory(self) -> tuple[int, int] | None:
        """Return the bytes of memory, and those still available."""
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
        """Return the GPIO chips that can be opened."""
        found = []
        for path in self.devices("gpiochip*"):
            # The Pi 5 has had a link gpiochip4 to gpiochip0 since its kernel 6.6.47
            # (raspberrypi/linux pull 6144, gpiozero issue 1166).
            if path.is_symlink() or not path.name[8:].isdigit():
                continue
            answer = self._ask(path, _CHIP_INFO, bytearray(_CHIP.size))
            if answer is not None:
                _, label, lines = _CHIP.unpack(answer)
                found.append(Chip(int(path.name[8:]), _word(label), lines))
        return found

    def line_user(self, chip: int, line: int) -> str | None:
        """Return the name of what uses a line ("" if it gave none); None if the line is free."""
        question = bytearray(_LINE_BYTES)
        _LINE.pack_into(question, 0, b"", b"", line, 0, 0)
        answer = self._ask(self.path(f"/dev/gpiochip{chip}"), _LINE_INFO, question)
        if answer is None:
            return None
        _, consumer, _, _, flags = _LINE.unpack_from(answer)
        return _word(consumer) if flags & _LINE_USED else None

    def _ask(self, path: Path, request: int, question: bytearray) -> bytearray | None:
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
        """Return all processes."""
        for folder in self.path("/proc").glob("[0-9]*"):
            words = self.text(f"/proc/{folder.name}/cmdline")
            if words:
                yield Process(int(folder.name), tuple(words.split("\0")))

    def environment(self, process: Process) -> dict[str, str] | None:
        """Return the environment of a process; None if that is another user's secret."""
        words = self.text(f"/proc/{process.pid}/environ")
        if words is None:
            return None
        return dict(word.split("=", 1) for word in words.split("\0") if "=" in word)

    def working_folder(self, process: Process) -> Path:
        """Return the working directory of a process, or ours if that is another user's secret."""
        try:
            return self.path(f"/proc/{process.pid}/cwd").readlink()
        except OSError:
            return Path.cwd()

    def holders(self, *patterns: str) -> list[Process]:
        """Return the other processes that have devices open, given the names of these in `/dev`.

        Only root sees the processes of other users.
        """
        wanted = re.compile("/dev/(?:" + "|".join(patterns) + ")")
        return [
            process
            for process in self.processes()
            if process.pid != os.getpid()
            and any(wanted.fullmatch(name) for name in self._open_files(process))
        ]

    def listener(self, port: int) -> tuple[bool, Process | None]:
        """Return whether a TCP port is in use, and by which process if that can be seen."""
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
        # The process has ended, or it is another user's.
        with suppress(OSError):
            for entry in self.path(f"/proc/{process.pid}/fd").iterdir():
                with suppress(OSError):
                    files.add(os.readlink(entry))
        return files

    # The network

    def addresses(self) -> dict[str, list[str]]:
        """Return the IPv4 addresses of each interface except the loopback."""
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

    def wifi_interfaces(self) -> list[str]:
        """Return the Wi-Fi interfaces."""
        return sorted(p.parent.name for p in self.path("/sys/class/net").glob("*/wireless"))

    def neighbours(self, interface: str) -> list[str]:
        """Return the IPv4 addresses of devices heard lately, except the gateway."""
        gateways = {
            _dotted_address(words[2])
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

    def is_wifi_blocked(self) -> bool:
        """Return whether Wi-Fi is switched off, as it is until a country is set."""
        return any(
            self.text(f"/sys/class/rfkill/{entry.name}/type") == "wlan"
            and self.text(f"/sys/class/rfkill/{entry.name}/soft") == "1"
            for entry in self.path("/sys/class/rfkill").glob("rfkill*")
        )


def user() -> str:
    """Return the name of the user that this runs as."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def user_exists(name: str) -> bool:
    """Return whether a user exists."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def may_write(path: Path, name: str) -> bool:
    """Return whether a user can read and write a file, or create files in a folder.

    For users other than this one, only the mode bits count.
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
    """Return the owner of a file."""
    with suppress(KeyError, OSError):
        return pwd.getpwuid(path.stat().st_uid).pw_name
    return "somebody else"


def is_read_only(path: Path) -> bool:
    """Return whether the file system with `path` is mounted read-only."""
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _word(field: bytes) -> str:
    return field.split(b"\0")[0].decode("utf-8", "replace")


def _dotted_address(little_endian: str) -> str:
    """Return an address from the form that /proc/net/route uses."""
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(little_endian)))

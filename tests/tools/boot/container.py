"""A Debian root, booted in a container by systemd-nspawn: hardening and watchdog are real."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

BOOT_S = 600.0
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
}
TOOLS = ("systemd-container", "libsystemd-shared", "systemd")
HIERARCHIES = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup/systemd"))
"""Of control groups, on a machine that no systemd runs."""


def nspawn(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command, with its environment: this machine's, or one unpacked in `folder`.

    Installing the package would exchange the systemd of this machine.
    """
    own = shutil.which("systemd-nspawn")
    if own:
        return [own], {}
    if not (folder / "usr").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-q", *TOOLS], cwd=folder, check=True,
                       capture_output=True)  # fmt: skip
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder], check=True)
    (libraries,) = folder.glob("usr/lib/*/systemd")
    return [str(folder / "usr/bin/systemd-nspawn")], {
        "LD_LIBRARY_PATH": f"{libraries}:{libraries.parent}"
    }


class Container:
    """A booted root; its network is its own, with nothing but a loopback device."""

    def __init__(self, root: Path, tools: Path) -> None:
        command, environment = nspawn(tools)
        self.root = root
        self._console = (root.parent / f"{root.name}.console").open("ab")
        self._nspawn = subprocess.Popen(
            [*command, "--quiet", "--boot", "--directory", root, f"--machine={root.name}",
             "--register=no", "--private-network", "--resolv-conf=off", "--console=pipe",
             *([] if _managed() else ["--keep-unit"])],
            stdin=subprocess.DEVNULL, stdout=self._console, stderr=subprocess.STDOUT,
            env=os.environ | environment | {"UNIFIED_CGROUP_HIERARCHY": "1"},
            preexec_fn=None if _managed() else _enter_group,
        )  # fmt: skip
        try:
            self.leader = self._wait_for_boot()
        except BaseException:
            if (leader := self._find_leader()) is not None:
                os.kill(leader, signal.SIGKILL)
            self._nspawn.kill()
            self._clear_up()
            raise

    def _wait_for_boot(self) -> int:
        begun = time.monotonic()
        while not (leader := self._find_leader()) or not self._is_up(leader):
            if self._nspawn.poll() is not None or time.monotonic() - begun > BOOT_S:
                raise RuntimeError(f"no boot: see {self._console.name}")
            time.sleep(0.1)
        return leader

    def _find_leader(self) -> int | None:
        pending = [self._nspawn.pid]
        while pending:
            pid = pending.pop()
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                pending += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
            (inside,) = (line for line in status.splitlines() if line.startswith("NSpid:"))
            if inside.split()[1:][-1] == "1" and len(inside.split()) > 2:
                return pid
        return None

    def _is_up(self, leader: int) -> bool:
        done = subprocess.run(
            [*_enter(leader), "systemctl", "is-system-running"], capture_output=True, text=True
        )
        return done.stdout.strip() in ("running", "degraded")

    def run(self, *command: object, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command inside as root; raises where it fails, unless told otherwise."""
        done = subprocess.run(
            [*_enter(self.leader), *map(str, command)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        if check and done.returncode:
            raise RuntimeError(f"{command}\n{done.stdout}{done.stderr}")
        return done

    def outside(self, pid: str) -> int:
        """The number by which this machine knows a process of the container."""
        space = Path(f"/proc/{self.leader}/ns/pid").readlink()
        for process in Path("/proc").glob("[0-9]*"):
            # Some end meanwhile, some are nobody's business.
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                numbers = re.search(r"^NSpid:(.*)$", (process / "status").read_text(), re.M)
                same = (process / "ns/pid").readlink() == space
                if same and numbers and numbers[1].split()[-1] == pid:
                    return int(process.name)
        raise ProcessLookupError(pid)

    def property(self, name: str, unit: str = "bang-companion.service") -> str:
        """What systemd says of the unit."""
        return self.run("systemctl", "show", "-P", name, unit).stdout.strip()

    def in_network(self, *arguments: object) -> str:
        """Run a Python module of this machine in the network of the container."""
        with self.begin_in_network(*arguments) as running:
            said, complaints = running.communicate()
        if running.returncode:
            raise RuntimeError(f"{arguments}\n{said}{complaints}")
        return said

    def begin_in_network(self, *arguments: object) -> "subprocess.Popen[str]":
        """Start such a module."""
        network = ["nsenter", f"--net=/proc/{self.leader}/ns/net"]
        command = [*network, sys.executable, "-m", *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def cut(self) -> None:
        """Kill everything in it at once."""
        os.kill(self.leader, signal.SIGKILL)
        self._clear_up()

    def shut_down(self) -> None:
        """Let it end as `poweroff` does; one that has ended stays so."""
        if self._nspawn.poll() is not None:
            return
        os.kill(self.leader, signal.SIGRTMIN + 4)
        try:
            self._nspawn.wait(60)
        except subprocess.TimeoutExpired:
            os.kill(self.leader, signal.SIGKILL)
        self._clear_up()

    def wait_for_end(self) -> None:
        """Wait until it has turned itself off. Raises TimeoutExpired."""
        self._nspawn.wait(60)
        self._clear_up()

    def _clear_up(self) -> None:
        self._nspawn.wait()
        self._console.close()
        for group in _groups(self._nspawn.pid):
            # Its control groups are empty by now; folders in them can be removed, files need not.
            for folder, _, _ in os.walk(group, topdown=False):
                os.rmdir(folder)


def _enter(leader: int) -> list[str]:
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    return ["nsenter", "-t", str(leader), "-a", "env", "-i", *variables]


def _managed() -> bool:
    """Whether a systemd runs this machine, and gives containers their groups itself."""
    return Path("/run/systemd/system").is_dir()


def _groups(pid: int) -> list[Path]:
    """The control groups of a container, by the number of its nspawn."""
    return [hierarchy / f"bang-boot-test-{pid}" for hierarchy in HIERARCHIES]


def _enter_group() -> None:
    for group in _groups(os.getpid()):
        group.mkdir(exist_ok=True)
        (group / "cgroup.procs").write_text(str(os.getpid()))

"""Raspberry Pis made up for tests: a folder for `/`, answers of commands, and a kernel's pins."""

import errno
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.app.doctor.installation import Installation
from hardware.camera.interface import CameraError
from hardware.camera.sources import open_camera
from hardware.machine import CommandResult, Machine
from hardware.pins import Pins
from vision.simulate.dice.tray import SimulatedDiceTray

CHIP_INFO, LINE_INFO = 0x8044B401, 0xC100B405


class Pi:
    """A Pi on which all is well, until something of it is changed."""

    def __init__(self, folder: Path, model: str = "Raspberry Pi 4 Model B Rev 1.4") -> None:
        self.root, self.data, self.home = folder / "root", folder / "data", folder / "home"
        self.data.mkdir()
        self.home.mkdir()
        self.write("/proc/device-tree/model", f"{model}\0")
        self.write("/proc/meminfo", "MemTotal: 1000000 kB\nMemFree: 9 kB\nMemAvailable: 700000 kB")
        self.write("/proc/net/tcp", "  sl  local_address rem_address   st\n")
        self.write("/proc/net/arp", "IP address HW type Flags HW address Mask Device\n")
        self.write("/proc/net/route", "Iface Destination Gateway Flags\nwlan0 0 FE01A8C0 0003\n")
        self.write("/etc/hostname", "saloon\n")
        (self.root / "sys/class/net/wlan0/wireless").mkdir(parents=True)
        self.neighbour("192.168.1.20")
        self.process(300, "avahi-daemon: running [saloon.local]")
        self.labels = {0: "pinctrl-bcm2711"}
        self.write("/dev/gpiochip0", "")
        self.used: dict[int, str] = {}
        said = {
            "vcgencmd get_throttled": "throttled=0x0",
            "vcgencmd measure_temp": "temp=48.3'C",
            "timedatectl": "yes",
            "systemctl": "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\n"
            "Result=success\nNRestarts=0",
            "ip": '[{"ifname": "wlan0", "flags": ["UP"], "addr_info": [{"local": "192.168.1.7"}]}]',
            "import numpy, cv2": "2.2.4 4.10.0",
            "import picamera2": "0.3.38",
        }
        self.answers = {command: CommandResult(0, text, "") for command, text in said.items()}
        self.environ = {"LG_WD": str(self.home)}
        self.settings: dict[str, object] = {"data": self.data, "port": 0}
        self.config: Path | None = None
        self.picture = folder / "seen.png"
        self.camera_error = ""
        self.missing: tuple[str, ...] = ()
        self.pin_factory = MockFactory(pin_class=MockPWMPin)
        self.pins = Pins(self.pin_factory, real=True, note="pins: LGPIOFactory")
        self.now: Callable[[], float] | None = None

    def write(self, name: str, text: str) -> Path:
        path = self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def process(self, pid: int, *words: str, opens: str = "") -> None:
        self.write(f"/proc/{pid}/cmdline", "\0".join(words) + "\0")
        files = self.root / f"proc/{pid}/fd"
        files.mkdir()
        if opens:
            (files / "5").symlink_to(opens)

    def listens(self, port: int, inode: int) -> None:
        line = f"0: 00000000:{port:04X} 00000000:0000 0A 0:0 00:0 0 1000 0 {inode} 1 0 100 0"
        self.write("/proc/net/tcp", f"  sl  local_address rem_address   st\n{line}\n")

    def neighbour(self, address: str) -> None:
        path = self.root / "proc/net/arp"
        line = f"{address} 0x1 0x2 aa:bb:cc:dd:ee:ff * wlan0\n"
        path.write_text(path.read_text("utf-8") + line, "utf-8")

    def run(self, *words: str) -> CommandResult | None:
        said = " ".join(words)
        if words[0] in self.missing:
            return None
        for begin, answer in self.answers.items():
            if said.startswith(begin) or begin in said:
                return answer
        return None

    def ioctl(self, device: int, request: int, question: bytearray) -> int:
        """As drivers/gpio/gpiolib-cdev.c of Linux answers."""
        path = Path(f"/proc/self/fd/{device}").readlink()
        number = int(path.name.removeprefix("gpiochip"))
        if number not in self.labels:
            raise OSError(errno.ENODEV, "no such chip")
        if request == CHIP_INFO and len(question) == 68:
            label = self.labels[number].encode()
            question[:] = struct.pack("32s32sI", path.name.encode(), label, 54)
        elif request == LINE_INFO and len(question) == 256:
            (line,) = struct.unpack_from("I", question, 64)
            user = self.used.get(line)
            struct.pack_into("32s", question, 32, (user or "").encode())
            struct.pack_into("Q", question, 72, user is not None)
        else:
            raise OSError(errno.EINVAL, "no such request")
        return 0

    def open_camera(self, source: str) -> Any:
        if self.camera_error:
            raise CameraError(self.camera_error)
        if not self.picture.exists():
            import cv2

            cv2.imwrite(str(self.picture), SimulatedDiceTray(seed=1).frame())
        return open_camera(str(self.picture))

    @property
    def machine(self) -> Machine:
        return Machine(self.root, self.run, self.ioctl, self.environ)

    @property
    def examined(self) -> Installation:
        clock = {"now": self.now} if self.now else {}
        return Installation(
            self.machine,
            self.config,
            self.settings,
            open_camera=self.open_camera,
            open_pins=lambda: self.pins,
            **clock,
        )

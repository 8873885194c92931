"""A report of one machine to send: `bang-companion doctor --report`.

It contains the doctor's findings, versions, and what only a real Pi can show
(docs/hardware.md). It contains no names, addresses or keys, and of games only whether they are
intact.
"""

import platform
import re
import resource
import socket
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from companion.app.doctor.findings import Finding
from companion.app.doctor.installation import Installation
from hardware.machine import user

FRAMES_S = 5.0
"""How many seconds of pictures are counted."""

LOCKED_S = 3.0
READINGS = 20
"""How many pictures are read."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Something that only a real Pi can show."""

    name: str
    """The heading in the report."""
    shows: str
    """What it shows, for the documentation."""
    measure: Callable[["OpenCamera"], Iterator[str]]
    """Measures it and yields the lines of the report."""


class OpenCamera:
    """The open camera and the examined installation, shared by the measurements."""

    def __init__(self, examined: Installation, open_camera: Callable[[str], Any]) -> None:
        """Open the camera in the settings. Raises CameraError."""
        self.examined = examined
        begun = time.monotonic()
        self.camera = open_camera(examined.settings.camera)
        self.opened_s = time.monotonic() - begun

    def frames(self, seconds: float) -> Iterator[tuple[float, Any]]:
        """Yield pictures for some seconds, each with the time when it came."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            picture = self.camera.frame()
            yield time.monotonic(), picture


def report(
    examined: Installation,
    findings: Iterable[tuple[str, Finding]],
    open_camera: Callable[[str], Any] | None = None,
) -> str:
    """Return the report; `findings`: what the doctor found."""
    versions = [f"{name}: {value}" for name, value in _versions(examined).items()]
    lines = ["", "What the doctor finds"]
    for name, finding in findings:
        detail = finding.detail
        if host := examined.settings.mqtt.host:
            detail = detail.replace(host, "HOST")
        lines.append(f"{finding.level.name.lower():5} {name}: {detail}")
    lines += ["", "What only a real Pi can show"]
    lines += _try_camera(examined, open_camera)
    # A version with four numbers looks like an address.
    head = redact_names("\n".join(["bang-companion report", "", *versions]))
    return head + redact_addresses(redact_names("\n" + "\n".join(lines) + "\n"))


def _versions(examined: Installation) -> dict[str, str]:
    from importlib import metadata

    machine = examined.machine
    release = machine.text("/etc/os-release") or ""
    system = re.search('PRETTY_NAME="(.*)"', release)
    named = {"Pi": machine.model or "none", "system": system[1] if system else "unknown"}
    named |= {"kernel": platform.release(), "Python": platform.python_version()}
    for package in ("bang-companion", "numpy", "opencv-python-headless", "gpiozero", "lgpio"):
        try:
            named[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            named[package] = "not here"
    apt = machine.run("dpkg-query", "-W", "python3-picamera2", "python3-libcamera", "python3-lgpio")
    if apt is not None and apt.out:
        named["apt"] = ", ".join(" ".join(line.split()) for line in apt.out.splitlines())
    settings = examined.settings
    named["settings"] = f"camera {settings.camera}, port {settings.port}, {settings.pins}"
    return named


def _try_camera(examined: Installation, open_camera: Callable[[str], Any] | None) -> Iterator[str]:
    from hardware.camera.interface import CameraError
    from hardware.camera.sources import open_camera as real

    if examined.camera_in_use:
        yield "the table runs and has the camera: sudo systemctl stop bang-companion, and again"
        return
    if examined.settings.camera in ("none", "simulated"):
        yield "no camera is set"
        return
    try:
        opened = OpenCamera(examined, open_camera or real)
    except CameraError as error:
        yield f"no camera: {error}"
        return
    try:
        for item in MEASUREMENTS:
            yield f"[{item.name}]"
            try:
                yield from item.measure(opened)
            except Exception as error:
                yield f"failed: {type(error).__name__}: {error}"
    finally:
        opened.camera.close()


def _camera(opened: OpenCamera) -> Iterator[str]:
    height, width = opened.camera.frame().shape[:2]
    yield f"{opened.camera.name}: {width} x {height}, first picture after {opened.opened_s:.2f} s"
    answer = opened.examined.machine.run("rpicam-hello", "--list-cameras")
    if answer is not None:
        yield from answer.out.splitlines()


def _pace(opened: OpenCamera) -> Iterator[str]:
    times = [at for at, _ in opened.frames(FRAMES_S)]
    gaps = [after - before for before, after in pairwise(times)]
    if not gaps:
        yield "no second picture came"
        return
    yield (
        f"{len(gaps) / (times[-1] - times[0]):.1f} pictures a second; "
        f"gaps: median {statistics.median(gaps) * 1000:.0f} ms, longest {max(gaps) * 1000:.0f} ms"
    )


def _colours(opened: OpenCamera) -> Iterator[str]:
    import numpy as np

    picture = opened.camera.frame()
    for name, channel in zip(("blue", "green", "red"), range(3), strict=True):
        low, middle, high = np.percentile(picture[..., channel], (2, 50, 98))
        yield f"{name}: {low:.0f} to {high:.0f}, median {middle:.0f} of 255"


def _aim(opened: OpenCamera) -> Iterator[str]:
    from vision.dice.aim import AimAdvisor
    from vision.dice.profile import load_profile
    from vision.dice.reader import DiceReader

    reader = DiceReader(load_profile(opened.examined.settings.profile or "pips"))
    picture = opened.camera.frame()
    reading = reader.read(picture)
    sizes = ", ".join(f"{die.size:.0f}" for die in reading.dice)
    yield f"{len(reading.dice)} dice of {sizes or 'no'} pixels, verdict {reading.verdict}"
    faults = ", ".join(str(entry.fault) for entry in AimAdvisor().advise(picture, reading))
    yield f"to change: {faults or 'nothing'}"


def _speed(opened: OpenCamera) -> Iterator[str]:
    from vision.dice.profile import load_profile
    from vision.dice.reader import DiceReader

    reader = DiceReader(load_profile(opened.examined.settings.profile or "pips"))
    took = []
    for _ in range(READINGS):
        picture = opened.camera.frame()
        begun = time.perf_counter()
        reader.read(picture)
        took.append((time.perf_counter() - begun) * 1000)
    took.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield f"reading: median {statistics.median(took):.0f} ms, slowest {took[-1]:.0f} ms"
    yield f"memory at most {peak} MB"


def _lock(opened: OpenCamera) -> Iterator[str]:
    if not hasattr(opened.camera, "lock"):
        yield "this camera can't be locked"
        return
    held = opened.camera.lock()
    yield f"held: {held}"
    means = [float(picture.mean()) for _, picture in opened.frames(LOCKED_S)]
    yield f"brightness while locked: {min(means):.1f} to {max(means):.1f} of 255"
    opened.camera.release(50)


def _pins(opened: OpenCamera) -> Iterator[str]:
    examined = opened.examined
    yield examined.pins.note
    for chip in examined.machine.chips():
        yield f"gpiochip{chip.number}: {chip.label}, {chip.lines} lines"


def _health(opened: OpenCamera) -> Iterator[str]:
    machine = opened.examined.machine
    throttled, degrees = machine.throttle_bits, machine.temperature
    yield f"throttled: {'unknown' if throttled is None else hex(throttled)}"
    yield f"temperature after all this: {'unknown' if degrees is None else f'{degrees:.0f} °C'}"
    boot = machine.run("systemd-analyze", "time")
    if boot is not None and boot.status == 0:
        yield boot.out.splitlines()[0]


MEASUREMENTS = (
    Measurement("camera", "sensor, modes, and how long it takes to open", _camera),
    Measurement("pace", "pictures a second, and the longest gap", _pace),
    Measurement("colours", "exposure and white balance of the image processor", _colours),
    Measurement("aim", "how large dice are, and what the page would change", _aim),
    Measurement("speed", "how long a reading takes on this Pi, and its memory", _speed),
    Measurement("lock", "whether a locked exposure stays as it is", _lock),
    Measurement("pins", "which GPIO chips there are, and which library drives them", _pins),
    Measurement("health", "voltage, heat after the work above, time to boot", _health),
)
"""All measurements, in order. The button bounce and the light's colours need a person."""


def redact_addresses(text: str) -> str:
    """Return a text without network addresses and adapter addresses."""
    text = re.sub(r"\b\d{1,3}(\.\d{1,3}){3}\b", "[address]", text)
    return re.sub(r"\b([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b", "[address]", text)


def redact_names(text: str) -> str:
    """Return a text without the names of this machine and of its user."""
    text = re.sub(r"/home/[^/\s]+", "/home/[user]", text)
    for name in {socket.gethostname(), user()} - {"root", "pi", "localhost"}:
        text = re.sub(rf"\b{re.escape(name)}\b", "[name]", text)
    return text

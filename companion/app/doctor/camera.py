"""Check the camera: permissions, a picture, and enough light."""

import re

from companion.app.doctor.findings import (
    Check,
    Finding,
    Level,
    Symptom,
    diagnose,
    fine,
    no_access,
    wrong,
)
from companion.app.doctor.installation import Installation

CAMERA_DEVICES = (r"video\d+", r"media\d+", r"v4l-subdev\d+")


def _camera_access(examined: Installation) -> Finding:
    closed = examined.machine.closed_devices(examined.user, "video*", "media*", "dma_heap/*")
    return no_access(examined, closed) if closed else fine(f"{examined.user} may use cameras")


_RIBBON = (
    "switch the Pi off, push the ribbon cable in at both ends, contacts the right way, and close "
    "the latches; Pi 5 and Zero take the narrow cable"
)
# The errors of libcamera and picamera2 if another process uses the camera, or if there is none:
# their issues 627, 1048 and 399.
_CAMERAS = (
    Symptom("picamera2 cannot be loaded", "{message}", "see the check picamera2"),
    Symptom(
        "resource busy|failed to acquire|in use by another",
        "another program holds the camera ({message})",
        "sudo bang-companion doctor names it; or restart the Pi",
    ),
    Symptom("no picture for", "the camera is connected, but gives no picture ({message})", _RIBBON),
    Symptom("no camera found|index out of range", "the Pi finds no camera: {message}", _RIBBON),
    Symptom("no camera is plugged in|does not open", "{message}", "plug the USB camera in again"),
    Symptom("no such file or folder|holds no", "{message}", "correct camera in the settings"),
)


def _camera(examined: Installation) -> Finding:
    source, machine = examined.settings.camera, examined.machine
    if source in ("none", "simulated"):
        return fine(f"not needed: camera is set to {source}")
    if examined.camera_in_use:
        return fine("in use by the running table, whose page says whether it works")
    shot = examined.shot
    if shot.picture is not None:
        height, width = shot.picture.shape[:2]
        return fine(f"{shot.name} gives pictures of {width} x {height} pixels")
    holders = machine.holders(*CAMERA_DEVICES)
    if holders:
        holder = holders[0]
        return wrong(
            f"another program holds the camera: {holder.name} (process {holder.pid})",
            f"end it: kill {holder.pid}",
        )
    if source == "auto" and not machine.model:
        return fine("no camera, and not a Raspberry Pi: the tray is simulated")
    config = machine.text("/boot/firmware/config.txt") or ""
    if machine.model and re.search(r"^\s*camera_auto_detect\s*=\s*0", config, re.MULTILINE):
        return wrong(
            "the Pi doesn't look for a camera: camera_auto_detect=0 in /boot/firmware/config.txt",
            "make that a 1, and restart the Pi",
        )
    other = Symptom("", "{message}", _RIBBON if machine.model else "try another camera")
    # The table waits for a device to be plugged in, but not for files.
    waits = source in ("auto", "picamera") or source.startswith("usb:")
    level = Level.WRONG if waits else Level.STOP
    return Finding(level, *diagnose(shot.error, _CAMERAS, other))


def _brightness(examined: Installation) -> Finding:
    import numpy as np

    from vision.dice.aim import LEAST_LIGHT

    if examined.camera_in_use or examined.settings.camera in ("none", "simulated"):
        return fine("not checked here: see the page Set up the camera")
    picture = examined.shot.picture
    if picture is None:
        return fine("no picture to check")
    bright = float(np.percentile(picture, 98))
    if bright < LEAST_LIGHT:
        return wrong(
            f"the picture is dark: its brightest parts reach {bright:.0f} of 255",
            "switch a lamp on, take the cap off the lens, and follow the page Set up the camera",
        )
    return fine(f"the brightest parts of the picture reach {bright:.0f} of 255")


CHECKS = (
    Check("camera access", "groups of the camera's devices", _camera_access),
    Check("camera", "a picture, or which program uses the camera", _camera),
    Check("light in the tray", "how bright the picture is", _brightness),
)
"""The checks: first what can prevent a picture, then the picture."""

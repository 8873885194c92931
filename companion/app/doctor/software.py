"""Check the software: OpenCV and numpy, picamera2, the service."""

import sys

from companion.app.doctor.findings import (
    ANEW,
    Check,
    Finding,
    Symptom,
    diagnose,
    fine,
    note,
    stop,
    wrong,
)
from companion.app.doctor.installation import SERVICE, Installation
from hardware.machine import COMMAND_S

# numpy's message; see picamera2's issues 1088, 1170 and 1211.
_IMPORTS = (
    Symptom(
        r"dtype size changed|_ARRAY_API not found|multiarray failed to import|compiled using NumPy",
        "two versions of numpy conflict ({message})",
        "install again with apt's numpy: sudo systemd/install; in your own virtual environment: "
        "pip uninstall numpy",
    ),
    Symptom(
        r"libGL|libX11|libxcb|libSM",
        "this OpenCV wants a screen ({message})",
        "pip uninstall opencv-python; pip install opencv-python-headless",
    ),
)


def _try_import(examined: Installation, *modules: str) -> tuple[bool, str]:
    """Import modules in a new process; return whether it worked, and the versions or the error."""
    names = ", ".join(modules)
    versions = ", ".join(f"getattr({name}, '__version__', '')" for name in modules)
    answer = examined.machine.run(sys.executable, "-c", f"import {names}; print({versions})")
    if answer is None:
        return False, f"importing {names} takes more than {COMMAND_S:g} s"
    if answer.status == 0:
        return True, answer.out.splitlines()[-1] if answer.out else ""
    return False, (answer.err.splitlines() or [f"status {answer.status}"])[-1]


def _opencv(examined: Installation) -> Finding:
    works, words = _try_import(examined, "numpy", "cv2")
    if works:
        numpy, opencv = words.split()
        return fine(f"OpenCV {opencv} with numpy {numpy}")
    missing = Symptom("", "OpenCV can't be loaded ({message})", ANEW)
    return stop(*diagnose(words, _IMPORTS, missing))


def _picamera2(examined: Installation) -> Finding:
    source = examined.settings.camera
    if not (examined.machine.model and source == "auto") and source != "picamera":
        return fine("picamera2 is not needed for this camera")
    works, words = _try_import(examined, "picamera2")
    if works:
        return fine("picamera2 can be loaded")
    hidden = Symptom(
        "No module named '?(picamera2|libcamera)",
        "picamera2 is not seen from here ({message})",
        "sudo apt install python3-picamera2; a virtual environment needs --system-site-packages",
    )
    other = Symptom("", "picamera2 can't be loaded ({message})", hidden.mend)
    return wrong(*diagnose(words, (*_IMPORTS, hidden), other))


def _service(examined: Installation) -> Finding:
    asked = "LoadState,UnitFileState,ActiveState,Result,NRestarts"
    answer = examined.machine.run("systemctl", "show", SERVICE, f"--property={asked}")
    if answer is None or answer.status != 0:
        return fine("systemd is not running on this machine")
    state = dict(line.partition("=")[::2] for line in answer.out.splitlines())
    if state.get("LoadState") != "loaded":
        return note("the table is not installed as a service", "sudo systemd/install")
    if state.get("ActiveState") == "failed" or state.get("Result") not in ("success", None, ""):
        return wrong(
            f"the service has failed ({state.get('Result')})",
            f"read why: journalctl -u {SERVICE} -n 30; then sudo systemctl restart {SERVICE}",
        )
    if state.get("UnitFileState") not in ("enabled", "enabled-runtime"):
        return note(
            "the service does not start with the Pi", f"sudo systemctl enable --now {SERVICE}"
        )
    if state.get("ActiveState") != "active":
        return note("the service is stopped", f"sudo systemctl start {SERVICE}")
    restarts = state.get("NRestarts", "0")
    if restarts != "0":
        return note(
            f"the service is running, after {restarts} restarts",
            f"read why: journalctl -u {SERVICE} -n 30",
        )
    return fine("the service is running")


CHECKS = (
    Check("opencv", "whether OpenCV and numpy work together", _opencv),
    Check("picamera2", "whether picamera2 can be loaded", _picamera2),
    Check("service", "the systemd unit", _service),
)
"""The checks: whether libraries can be loaded, and whether the unit runs."""

"""Runs tests/tools/boot/camera_virtual.py where picamera2 and libcamera are real: `make
camera-test`.

    python -m tests.tools.boot.camera [--folder DIR]

Needs root on a Debian with debootstrap, and the network once. The folder keeps the Debian 13 that
is made for it, 1.3 GB: only there libcamera plays pictures as a camera.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.tools.boot import root as roots

SYSTEM = ("python3-venv", "python3-prctl", "python3-piexif", "python3-dev", "gcc", "libc6-dev")
BACKPORTS = ("python3-libcamera",)
"""Debian 13's own libcamera (0.4) gives no second stream."""
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
PYTHON = "/venv/bin/python"


def make(root: Path) -> None:
    """Make a Debian 13 with picamera2, OpenCV, and what the table needs."""
    roots.make_debian(root, backports=True)
    install = ("apt-get", "install", "-qq", "-y", "--no-install-recommends")
    roots.chroot(root, *install, *SYSTEM)
    roots.chroot(root, *install, "-t", "trixie-backports", *BACKPORTS)
    # Of this machine, which may reach the network by a way of its own.
    (root / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(f"/{CERTIFICATES}", root / CERTIFICATES)
    roots.chroot(root, "python3", "-m", "venv", "--system-site-packages", "/venv")
    roots.chroot(root, PYTHON, "-m", "pip", "install", "-q", "picamera2", *roots.requirements())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/bang-boot-test"))
    arguments = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("make camera-test needs root, and: apt-get install debootstrap")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    root = arguments.folder / "camera"
    if not root.exists():
        make(root.with_suffix(".part"))
        root.with_suffix(".part").rename(root)
    source = root / "source"
    shutil.rmtree(source, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    for name in ("companion", "vision", "hardware", "web", "tests"):
        shutil.copytree(roots.PROJECT / name, source / name, ignore=ignored)
    # A mount namespace of its own: nothing stays mounted, however this ends.
    inside = (
        'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
        'exec chroot "$0" env PYTHONPATH=/source LIBCAMERA_LOG_LEVELS=*:FATAL '
        f"{PYTHON} /source/tests/tools/boot/camera_virtual.py"
    )
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", inside, root]
    return subprocess.run(command, env=os.environ | {"TMPDIR": "/tmp"}).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Archives of releases as they are uploaded, and keys that sign them."""

import io
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from installer.archive import TOP, seal

CHANGES = (
    "# Changelog\n\n## [9.9.0] - 2026-12-24\n\n- A hat.\n\n## [0.3.0] - 2026-11-20\n\n- Old.\n"
)
FILES = {
    "companion/__init__.py": '__version__ = "9.9.0"\n',
    "systemd/install": "#!/bin/sh\n",
    "CHANGELOG.md": CHANGES,
}


class Keys(NamedTuple):
    """A pair of keys, in files."""

    private: Path
    public: Path


def make_keys(folder: Path) -> Keys:
    keys = Keys(folder / "private.pem", folder / "public.pem")
    run("openssl", "genpkey", "-algorithm", "ed25519", "-out", keys.private)
    run("openssl", "pkey", "-in", keys.private, "-pubout", "-out", keys.public)
    return keys


def run(*command: object, **options: Any) -> str:
    """Run a program, which must not fail; return what it printed."""
    given = {"capture_output": True, "text": True, "timeout": 300} | options
    done = subprocess.run([*map(str, command)], **given)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def member(name: str, **facts: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    for fact, value in facts.items():
        setattr(info, fact, value)
    return info


def make_archive(
    path: Path, files: Mapping[str, str] = FILES, *more: tarfile.TarInfo, key: Path | None = None
) -> Path:
    """Make an archive of files; more: entries as they are, filled with zeros."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            content = text.encode()
            info = member(f"{TOP}/{name}", size=len(content), mode=0o755)
            archive.addfile(info, io.BytesIO(content))
        for info in more:
            archive.addfile(info, io.BytesIO(bytes(info.size)))
    if key is not None:
        seal(path, key)
    return path


def pack(path: Path, folder: Path, key: Path | None = None) -> Path:
    """Make an archive of a folder of sources."""
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, TOP)
    if key is not None:
        seal(path, key)
    return path

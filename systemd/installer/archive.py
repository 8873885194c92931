"""The archive of a release, as somebody uploads it: nothing in it is trusted before it is checked.

Its signature is a second, empty part of the gzip file, which every program that unpacks it skips.
Its comment holds the Ed25519 signature of the SHA-256 of all bytes before it.
"""

import base64
import gzip
import hashlib
import re
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

TOP = "bang-companion"
"""The folder that holds everything in it."""

MOST_UPLOAD = 24 << 20
MOST_BYTES = 64 << 20
MOST_FILE = 16 << 20
MOST_FILES = 4000
"""The largest archive; all its files unpacked, with what stands between them; one of them; how many
there are. A release has 8, 13 and 3 MB, and a thousand files."""

MOST_CHANGES = 20_000
"""The most letters of what is new."""

NEEDED = ("companion/__init__.py", "systemd/install", "CHANGELOG.md")

_SEAL = re.compile(
    rb"\x1f\x8b\x08\x10\0\0\0\0\0\xffbang-companion ed25519 ([A-Za-z0-9+/]{86}==)\0\x03\0"
    + bytes(8)
)
_SEAL_BYTES = 132
_SIGNED = b"bang-companion release\n"
"""What comes before the SHA-256 in what is signed, so that the signature says nothing else."""

_VERSION = re.compile(r'^__version__ = "(\d{1,4}(?:\.\d{1,4}){1,3})"$', re.MULTILINE)

_DAMAGE = (tarfile.TarError, zlib.error, EOFError, ValueError, RuntimeError, OSError)


class Fault(StrEnum):
    """Why an archive is not installed."""

    SIZE = "size"
    DAMAGED = "damaged"
    CONTENT = "content"
    """It holds something else than a release."""
    SIGNATURE = "signature"
    OLDER = "older"
    """It is not newer than what is installed."""
    CHANGED = "changed"
    """It is another one than was shown to the host."""
    CODE = "code"


class ArchiveError(Exception):
    """An archive that is not installed."""

    def __init__(self, fault: Fault, what: str = "") -> None:
        super().__init__(f"{fault}: {what}" if what else fault)
        self.fault = fault


class Release(NamedTuple):
    """What an archive says of itself, once it is checked."""

    version: str
    sha256: str
    signed: bool
    """Whether the key of the version that is installed has signed it."""
    changes: str
    """Its changelog, as Markdown."""


def inspect(path: Path, key: Path) -> Release:
    """Check an archive as a whole. key: the public key; without such a file, none is signed.

    Raises ArchiveError.
    """
    sha256, signed = _check_seal(path, key)
    files = dict.fromkeys(NEEDED, "")
    for name, _, content in _files(path):
        if name in files:
            files[name] = content.decode(errors="replace")
    if missing := [name for name in NEEDED if not files[name]]:
        raise ArchiveError(Fault.CONTENT, missing[0])
    version = _VERSION.search(files["companion/__init__.py"])
    if version is None:
        raise ArchiveError(Fault.CONTENT, "version")
    return Release(version[1], sha256, signed, files["CHANGELOG.md"])


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive into a new folder. Raises ArchiveError, and OSError."""
    for name, program, content in _files(path):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as opened:
            opened.write(content)
        file.chmod(0o755 if program else 0o644)


def numbers(version: str) -> tuple[int, ...]:
    """Return a version in a form that can be compared; anything unknown is older than all."""
    return tuple(map(int, version.split("."))) if re.fullmatch(r"\d+(\.\d+)*", version) else ()


def news(changes: str, since: str) -> str:
    """Return the sections of a changelog about versions after another one, as plain text."""
    sections = re.split(r"^(?=## \[)", changes, flags=re.MULTILINE)[1:]
    named = ((re.match(r"## \[([\d.]+)\]", section), section) for section in sections)
    new = [text for name, text in named if name and numbers(name[1]) > numbers(since)]
    plain = re.sub(r"^#+ |\*\*|`", "", "".join(new), flags=re.MULTILINE)
    return re.sub(r"\[([^]]+)\](\([^)]*\))?", r"\1", plain)[:MOST_CHANGES].strip()


def seal(path: Path, key: Path) -> None:
    """Sign an archive with a private key: append the signature. Raises CalledProcessError."""
    body = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        signed = _signed_file(Path(folder), hashlib.sha256(body).hexdigest())
        command = ("openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", signed)
        signature = subprocess.run(command, check=True, capture_output=True).stdout
    comment = b"bang-companion ed25519 " + base64.b64encode(signature)
    end = b"\x1f\x8b\x08\x10\0\0\0\0\0\xff" + comment + b"\0\x03\0" + bytes(8)
    path.write_bytes(body + end)


def _check_seal(path: Path, key: Path) -> tuple[str, bool]:
    """Return the SHA-256 of a file, and whether it is signed. Raises ArchiveError if wrongly."""
    size = path.stat().st_size
    if size > MOST_UPLOAD:
        raise ArchiveError(Fault.SIZE)
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    found = _SEAL.fullmatch(content[-_SEAL_BYTES:])
    if found is None or not key.exists():
        return sha256, False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        signature = folder / "signature"
        signature.write_bytes(base64.b64decode(found[1]))
        body = hashlib.sha256(content[:-_SEAL_BYTES]).hexdigest()
        done = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin",
             "-in", _signed_file(folder, body), "-sigfile", signature],
            capture_output=True,
        )  # fmt: skip
    if done.returncode:
        raise ArchiveError(Fault.SIGNATURE)
    return sha256, True


def _signed_file(folder: Path, sha256: str) -> Path:
    # OpenSSL signs with Ed25519 what lies in a file, not what comes through a pipe.
    file = folder / "signed"
    file.write_bytes(_SIGNED + sha256.encode())
    return file


class _Bounded:
    """A stream that ends with ArchiveError once it has given too much."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self._left = stream, MOST_BYTES

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError(Fault.SIZE)
        return data


def _files(path: Path) -> Iterator[tuple[str, bool, bytes]]:
    """Yield each file: its name below TOP, whether it is a program, its content.

    Raises ArchiveError for what is no plain file or folder, and for names that lead elsewhere.
    """
    names: set[str] = set()
    try:
        with gzip.open(path) as unzipped:
            stream = _Bounded(unzipped)
            with tarfile.open(fileobj=stream, mode="r|") as archive:  # type: ignore[call-overload]
                for member in archive:
                    name = _name(member, names)
                    if member.isdir():
                        continue
                    taken = archive.extractfile(member)
                    assert taken is not None, "plain files have a content"
                    yield name, bool(member.mode & 0o100), taken.read()
            # Whatever follows has a checksum, too.
            while stream.read(1 << 16):
                pass
    except _DAMAGE as error:
        raise ArchiveError(Fault.DAMAGED, str(error)) from error


def _name(member: tarfile.TarInfo, names: set[str]) -> str:
    name = member.name
    if not (member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.isdir()):
        raise ArchiveError(Fault.CONTENT, "a link or device")
    if member.issparse() or member.size > MOST_FILE or len(names) >= MOST_FILES:
        raise ArchiveError(Fault.SIZE, name)
    first, *rest = name.split("/")
    right = first == TOP and (rest or member.isdir()) and all(part.strip(". ") for part in rest)
    if not right or not name.isprintable() or "\\" in name or len(name) > 200 or name in names:
        raise ArchiveError(Fault.CONTENT, "a name")
    names.add(name)
    return "/".join(rest)

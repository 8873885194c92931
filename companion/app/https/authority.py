"""The table's own certificate authority, which a phone can trust without trusting anybody else.

It vouches for the names and addresses of one table alone, and for nothing from then on: its private
key, which is on no disk, is forgotten once it has signed the table's certificates. There is one for
each year, because phones trust none for longer, and a Pi without internet may mistake the date.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.https.certificate import HttpsError
from companion.base.refused import Message
from companion.base.whole_file import sync, write_whole

YEARS = 20
"""How many years the certificates last."""

AUTHORITY, KEY = "authority.crt", "key.pem"
"""The files of the authority's certificate (DER, as phones install it), and of the table's key."""

# Phones take certificates of at most 825 days: these reach seven months beyond their year.
_FROM, _TO = "0516000000Z", "0817000000Z"

_IPV4 = re.compile(r"[0-9.]+")

_CONFIG = Path(__file__).with_name("openssl.cnf")


def certificate_of(folder: Path, year: int) -> Path:
    """Return the file of a year's certificate; before the first, or after the last, of that one."""
    years = sorted(int(file.stem) for file in folder.glob("[0-9]*.pem")) or [year]
    return folder / f"{min(max(year, years[0]), years[-1])}.pem"


def make_authority(folder: Path, names: Sequence[str], year: int) -> None:
    """Make an authority and its certificates, all in a new folder or nothing.

    names: host names and addresses of the table, its usual name first; year: the first.
    Raises HttpsError.
    """
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        with TemporaryDirectory() as work:
            for file, content in _sign(Path(work), names, year).items():
                write_whole(part / file, content)
        part.rename(folder)
        sync(folder.parent)
    except FileNotFoundError as error:
        missing = Message("the program openssl is missing: sudo apt install openssl")
        raise HttpsError(missing) from error
    except subprocess.CalledProcessError as error:
        told = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise HttpsError(Message("openssl: %(reason)s", reason=told)) from error
    except OSError as error:
        raise HttpsError(Message("the disk refuses: %(error)s", error=str(error))) from error


def _sign(work: Path, names: Sequence[str], year: int) -> dict[str, bytes]:
    """Return the files of a new authority: what it is, the table's key, and all certificates."""
    kinds = [("IP" if _IPV4.fullmatch(name) else "DNS", name) for name in names]
    allowed = [f"permitted;{of}:{n}" + "/255.255.255.255" * (of == "IP") for of, n in kinds]
    if "IP" not in dict(kinds):
        allowed += ["excluded;IP:0.0.0.0/0.0.0.0", "excluded;IP:::/::"]
    named = ", ".join(f"{of}:{name}" for of, name in kinds)
    environ = {**os.environ, "ALLOWED": ", ".join(allowed), "NAMED": named}

    def openssl(*words: str, given: bytes = b"") -> bytes:
        return subprocess.run(
            ("openssl", *words), cwd=work, env=environ, input=given, capture_output=True, check=True
        ).stdout

    def make_key(subject: str) -> bytes:
        """Return a new key, and leave a request for its certificate in the folder."""
        kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        to = ("-keyout", "/dev/stdout", "-out", "request", "-subj", f"/CN={subject[:64]}")
        return openssl("req", "-new", "-config", str(_CONFIG), *kind, *to)

    def sign(kind: str, begins: str, ends: str, *by: str) -> bytes:
        dates = ("-extensions", kind, "-startdate", begins, "-enddate", ends)
        signing = ("ca", "-batch", "-notext", "-config", str(_CONFIG), "-keyfile", "/dev/stdin")
        return openssl(*signing, *dates, "-in", "request", *by, given=authority_key)

    (work / "index").touch()
    authority_key = make_key(f"Bang companion at {names[0]}")
    authority = sign("authority", "20200101000000Z", f"{year + YEARS}1231235959Z", "-selfsign")
    (work / "authority").write_bytes(authority)
    files = {
        KEY: make_key(names[0]),
        AUTHORITY: openssl("x509", "-outform", "DER", given=authority),
    }
    for of in range(year, year + YEARS):
        begins, ends = f"{of - 1}{_FROM}", f"{of + 1}{_TO}"
        files[f"{of}.pem"] = sign("server", begins, ends, "-cert", "authority")
    return files

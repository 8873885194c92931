"""What is uploaded as a release: only whole ones pass, and whose they are is told."""

import gzip
import hashlib
import sys
import tarfile
from pathlib import Path

import pytest
from installer import archive
from installer.__main__ import describe
from installer.archive import ArchiveError, Fault, inspect, news, numbers, unpack
from releases import CHANGES, FILES, make_archive, make_keys, member, run

pytestmark = pytest.mark.processes


def refused(path: Path, key: Path = Path("/nowhere")) -> Fault:
    with pytest.raises(ArchiveError) as found:
        inspect(path, key)
    return found.value.fault


def test_a_signed_release_is_told_from_one_that_is_not(tmp_path, keys):
    plain = make_archive(tmp_path / "plain")
    signed = make_archive(tmp_path / "signed", key=keys.private)
    found = inspect(signed, keys.public)
    assert found.signed
    assert (found.version, found.changes) == ("9.9.0", CHANGES)
    assert found.sha256 == hashlib.sha256(signed.read_bytes()).hexdigest()
    assert not inspect(plain, keys.public).signed
    # A version without a key knows nobody.
    assert not inspect(signed, tmp_path / "none").signed


def test_every_other_program_unpacks_a_signed_release_as_if_it_were_not(tmp_path, keys):
    plain = make_archive(tmp_path / "plain")
    signed = make_archive(tmp_path / "signed", key=keys.private)
    assert gzip.decompress(signed.read_bytes()) == gzip.decompress(plain.read_bytes())
    run("tar", "-xzf", signed, "-C", tmp_path)
    assert (tmp_path / "bang-companion/CHANGELOG.md").read_text() == CHANGES


def test_a_signature_fits_one_key_and_one_archive_only(tmp_path, keys):
    others = tmp_path / "others"
    others.mkdir()
    foreign = make_archive(tmp_path / "foreign", key=make_keys(others).private)
    signed = make_archive(tmp_path / "signed", key=keys.private).read_bytes()
    evil = make_archive(tmp_path / "evil", FILES | {"systemd/install": "#!/bin/sh\nrm -rf /\n"})
    evil.write_bytes(evil.read_bytes() + signed[-132:])
    twice = tmp_path / "twice"
    twice.write_bytes(signed + signed[-132:])
    for forged in (foreign, evil, twice):
        assert refused(forged, keys.public) is Fault.SIGNATURE, forged.name


def test_no_bit_of_a_signed_release_can_be_turned(tmp_path, keys):
    signed = make_archive(tmp_path / "signed", key=keys.private).read_bytes()
    path = tmp_path / "turned"
    for at in range(0, len(signed), 7):
        path.write_bytes(signed[:at] + bytes([signed[at] ^ 1 << at % 8]) + signed[at + 1 :])
        try:
            found = inspect(path, keys.public)
        except ArchiveError:
            continue
        assert not found.signed, at


def test_no_part_of_a_release_passes_for_the_whole_nor_any_other_file(tmp_path):
    whole = make_archive(tmp_path / "whole").read_bytes()
    others = (b"no archive", gzip.compress(b"no archive", mtime=0), bytes(600))
    path = tmp_path / "part"
    for content in (*(whole[:length] for length in range(len(whole))), *others):
        path.write_bytes(content)
        assert refused(path) in (Fault.DAMAGED, Fault.CONTENT), content


HOSTILE = {
    **{name: {} for name in ("../evil", "a/../../evil", "/etc/passwd", "", "a\\..\\b", "a\nb",
                             "a" * 300, "CHANGELOG.md")},
    "link": {"type": tarfile.SYMTYPE, "linkname": "/etc"},
    "hard": {"type": tarfile.LNKTYPE, "linkname": "bang-companion/CHANGELOG.md"},
    "device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 1},
    "pipe": {"type": tarfile.FIFOTYPE},
}  # fmt: skip
"""By their names in the folder: entries that no release has."""


@pytest.mark.parametrize(
    "entry",
    [*(member(f"bang-companion/{name}", **facts) for name, facts in HOSTILE.items()),
     *map(member, ("/etc/passwd", "evil", "bang-companion"))],
    ids=lambda entry: repr(entry.name)[:30],
)  # fmt: skip
def test_names_and_kinds_that_no_release_has_are_refused(tmp_path, entry):
    path = make_archive(tmp_path / "made", FILES, entry)
    assert refused(path) is Fault.CONTENT
    out = tmp_path / "in/out"
    with pytest.raises(ArchiveError):
        unpack(path, out)
    written = {file for file in tmp_path.rglob("*") if not file.is_dir()} - {path}
    assert all(file.is_relative_to(out) and not file.is_symlink() for file in written)


BOUNDS = {"MOST_BYTES": 4000, "MOST_FILE": 50, "MOST_FILES": 2, "MOST_UPLOAD": 100}


@pytest.mark.parametrize(("bound", "value"), BOUNDS.items())
def test_what_is_larger_than_any_release_is_refused(tmp_path, monkeypatch, bound, value):
    path = make_archive(tmp_path / "made")
    monkeypatch.setattr(archive, bound, value)
    assert refused(path) is Fault.SIZE


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    # A gigabyte of zeros in one megabyte: as a file, as the head of one, and behind the end.
    path = tmp_path / "bomb"
    large = member("bang-companion/zeros", size=archive.MOST_FILE + 1)
    assert refused(make_archive(path, FILES, large)) is Fault.SIZE
    path.write_bytes(make_archive(path).read_bytes() + gzip.compress(bytes(archive.MOST_BYTES)))
    assert refused(path) is Fault.SIZE
    head = member("bang-companion/x", size=1 << 30, type=tarfile.GNUTYPE_LONGNAME)
    path.write_bytes(gzip.compress(head.tobuf() + bytes(archive.MOST_BYTES)))
    assert refused(path) is Fault.SIZE


@pytest.mark.parametrize("missing", list(FILES))
def test_an_archive_of_something_else_is_no_release(tmp_path, missing):
    files = {name: text for name, text in FILES.items() if name != missing}
    assert refused(make_archive(tmp_path / "made", files)) is Fault.CONTENT


@pytest.mark.parametrize("version", ["", "9.9;reboot", "../9", "9" * 30, "9.9\\n", "nine"])
def test_a_version_that_is_no_number_is_refused(tmp_path, version):
    files = FILES | {"companion/__init__.py": f'__version__ = "{version}"\n'}
    assert refused(make_archive(tmp_path / "made", files)) is Fault.CONTENT


def test_what_is_unpacked_is_what_was_packed(tmp_path):
    out = tmp_path / "out"
    unpack(make_archive(tmp_path / "made"), out)
    assert {str(f.relative_to(out)): f.read_text() for f in out.rglob("*") if f.is_file()} == FILES
    assert (out / "systemd/install").stat().st_mode & 0o7777 == 0o755


def test_the_host_reads_what_is_new_since_the_version_that_runs(tmp_path):
    path = make_archive(tmp_path / "made")
    assert describe(path, "0.3.0")["changes"] == "9.9.0 - 2026-12-24\n\n- A hat."
    for since in ("9.9.0", "9.9.1", "10.0"):
        assert describe(path, since) == {"fault": "older"}
    assert news("nothing", "0.3.0") == ""
    written = "## [1.0] - 2027-01-01\n\n### Added\n\n- **Hats**: `make` [them](docs/hats.md#all)."
    assert news(written, "0.3.0") == "1.0 - 2027-01-01\n\nAdded\n\n- Hats: make them."
    assert numbers("0.10.0") > numbers("0.9.9") > numbers("unreleased")


def test_the_table_asks_a_process_of_its_own(tmp_path):
    describe = [sys.executable, "-m", "installer", "describe", make_archive(tmp_path / "made")]
    said = run(*describe, "0.3.0", cwd=Path(archive.__file__).parents[1])
    assert '"version": "9.9.0"' in said

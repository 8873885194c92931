"""Profiles of taught dice: one file, to be copied, and what is said of a bad one."""

import errno
import json
import re
import shutil
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from vision.dice.profile import (
    MOST,
    PICTURE,
    Profile,
    counts,
    load_profile,
    profile_path,
    save_profile,
)
from vision.dice.reading import FACES
from vision.profile_files import ProfileError


def crop(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (PICTURE, PICTURE, 3), np.uint8)


@pytest.fixture
def profile() -> Profile:
    taught = {face: (crop(n), crop(n + 10)) for n, face in enumerate(FACES)}
    return Profile("mine", FACES, "walking-dead", taught, {"beer": (crop(99),)})


@pytest.fixture
def path(profile: Profile, tmp_path: Path) -> Path:
    path = tmp_path / "mine.dice"
    save_profile(profile, path)
    return path


def test_a_profile_comes_back_from_a_copy_of_its_file(profile, path, tmp_path):
    other = tmp_path / "another Pi" / "mine.dice"
    other.parent.mkdir()
    shutil.copy(path, other)
    back = load_profile(other)
    assert (back.name, back.faces, back.edition) == ("mine", FACES, "walking-dead")
    assert not back.pips
    for face in FACES:
        assert np.array_equal(profile.taught[face], back.taught[face])
    assert counts(back.learned) == {**dict.fromkeys(FACES, 0), "beer": 1}


def test_a_profile_is_found_by_its_name_in_the_folder(path, tmp_path):
    assert profile_path("mine", tmp_path) == path
    assert load_profile("mine", tmp_path).name == "mine"
    with pytest.raises(ProfileError, match=r"^yours: no such profile$"):
        load_profile("yours", tmp_path)


def rewritten(path: Path, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> None:
    """Write the ZIP at `path` again with every entry changed, or left out."""
    with zipfile.ZipFile(path) as file:
        entries = [(name, file.read(name)) for name in file.namelist()]
    with zipfile.ZipFile(path, "w") as file:
        for entry in entries:
            changed = change(*entry)
            if changed:
                file.writestr(*changed)


HEAD = {"format": 1, "kind": "taught", "edition": "base"}


@pytest.mark.parametrize(
    ("head", "reason"),
    [(HEAD | {"format": 2}, "written by a newer version"),
     (HEAD | {"kind": "drawn"}, "kind must be 'taught', not 'drawn'"),
     (HEAD | {"edition": "chess"}, "edition must be one of base"),
     *((HEAD | {"format": number}, "damaged") for number in (None, 0, -3, True)),
     ([], "damaged")],
)  # fmt: skip
def test_a_bad_head_is_named(path, head, reason):
    replaced(path, "profile.json", json.dumps(head).encode())
    with pytest.raises(ProfileError, match=f"^{path}: .*{reason}"):
        load_profile(path)


def replaced(path: Path, entry: str, content: bytes) -> None:
    rewritten(path, lambda name, data: (name, content if name.endswith(entry) else data))


@pytest.mark.parametrize(
    ("change", "reason"),
    [(lambda name, data: None if "/beer/" in name else (name, data), "no picture of beer"),
     (lambda name, data: (name.replace("taught/beer", "taught/wine"), data), "wine is no face")],
)  # fmt: skip
def test_pictures_of_other_faces_are_named(path, change, reason):
    rewritten(path, change)
    with pytest.raises(ProfileError, match=reason):
        load_profile(path)


def plain(shade: int) -> bytes:
    """A picture of one colour."""
    return cv2.imencode(".png", np.full((PICTURE, PICTURE, 3), shade, np.uint8))[1].tobytes()


BAD: dict[str, tuple[str, bytes, str]] = {
    "no picture": ("beer/00.png", b"pixels", r"taught/beer/00\.png: no picture of a face"),
    **{f"shade {shade}": ("beer/01.png", plain(shade), r"taught/beer/01\.png: one colour")
       for shade in (0, 128, 255)},
    "deep head": ("profile.json", b"[" * 100_000, "damaged"),
    "large head": ("profile.json", b" " * (1 << 21) + b"{}", "damaged"),
}  # fmt: skip
"""An entry, what it holds, and what is said of that."""


@pytest.mark.parametrize(("entry", "content", "reason"), BAD.values(), ids=BAD)
def test_bad_contents_are_named(path, entry, content, reason):
    replaced(path, entry, content)
    with pytest.raises(ProfileError, match=reason):
        load_profile(path)


def test_a_small_file_that_declares_a_huge_picture_is_not_decoded(path, monkeypatch):
    huge = plain(0)[:16] + struct.pack(">II", 30_000, 3000) + plain(0)[24:]
    replaced(path, "beer/00.png", huge)
    decode = mock.Mock(wraps=cv2.imdecode)
    monkeypatch.setattr(cv2, "imdecode", decode)
    with pytest.raises(ProfileError, match=r"taught/beer/00\.png: no picture of a face"):
        load_profile(path)
    assert huge not in [call.args[0].tobytes() for call in decode.call_args_list]


@pytest.mark.parametrize("cut", [10, 300, -30])
def test_a_damaged_file_is_named(path, cut):
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ProfileError, match="damaged"):
        load_profile(path)


def test_a_flipped_byte_is_noticed_or_harmless(path):
    rng = np.random.default_rng(1)
    whole = path.read_bytes()
    noticed = 0
    for _ in range(40):
        broken = bytearray(whole)
        broken[int(rng.integers(len(whole)))] ^= 0xFF
        path.write_bytes(broken)
        with suppress(ProfileError):
            assert set(load_profile(path).taught) == set(FACES)
            continue
        noticed += 1
    assert noticed > 30


def in_each_entry(path: Path, offset: int, value: bytes) -> None:
    """Change what the ZIP says of each entry, `offset` bytes after the version it needs."""
    data = bytearray(path.read_bytes())
    for mark, start in ((b"PK\3\4", 4), (b"PK\1\2", 6)):
        at = data.find(mark)
        while at >= 0:
            where = at + start + offset
            data[where : where + len(value)] = value
            at = data.find(mark, at + 1)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("offset", "value"),
    [(2, b"\1\0"), (4, b"\x08\0"), (4, b"\x0c\0"), (4, b"\x0e\0"), (4, b"\x63\0")],
    ids=["encrypted", "deflate", "bzip2", "lzma", "unknown"],
)
def test_entries_packed_otherwise_than_they_say_are_damage(path, offset, value):
    in_each_entry(path, offset, value)
    with pytest.raises(ProfileError, match=f"^{path}: .*damaged"):
        load_profile(path)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [("mine.dice", "", "the file is empty"), ("mine.toml", "", "the file is empty"),
     ("mine.toml", "a=" + "[" * 50_000, "damaged"),
     ("mine.toml", "kind = 'pips'", "faces must name each of arrow, dynamite"),
     ("mine.toml", "kind = 'pips'\nfaces = ['arrow', 'arrow']", "faces must name each of"),
     ("mine.toml", "kind = 'cubes'", "kind must be 'pips', not 'cubes'"),
     ("mine.toml", "kind = ", "not a dice profile (Invalid value")],
)  # fmt: skip
def test_what_is_no_profile_is_named(tmp_path, name, text, reason):
    (tmp_path / name).write_text(text)
    with pytest.raises(ProfileError, match=f"^{tmp_path / name}: {re.escape(reason)}"):
        load_profile(tmp_path / name)


def test_what_is_there_and_cannot_be_read_is_not_called_missing(path, monkeypatch):
    with pytest.raises(ProfileError, match=f"^{path.parent}: Is a directory$"):
        load_profile(path.parent)
    with pytest.raises(ProfileError, match="Not a directory"):
        load_profile(path / "mine.dice")

    locked = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(Path, "read_bytes", mock.Mock(side_effect=locked))
    with pytest.raises(ProfileError, match=f"^{path}: Permission denied$"):
        load_profile(path)


def test_the_newest_of_too_many_learned_pictures_are_kept(profile, path):
    learned = tuple(crop(number) for number in range(105))
    sources = {"beer": tuple(f"lesson-{number}" for number in range(105))}
    save_profile(replace(profile, learned={"beer": learned}, sources=sources), path)
    back = load_profile(path)
    assert back.sources["beer"] == sources["beer"][-MOST:]
    assert np.array_equal(back.learned["beer"], learned[-MOST:])


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", "'': a profile needs a name"), ("mine/", "mine/: a folder"),
     ("a\nb", r"'a\\nb': no name of a profile: it has control characters"),
     ("a\0b", r"'a\\x00b': no name")],
)  # fmt: skip
def test_what_can_be_no_name_is_neither_read_nor_written(tmp_path, name, reason):
    for refused in (profile_path, load_profile):
        with pytest.raises(ProfileError, match=reason) as error:
            refused(name, tmp_path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [*((name, rf"^{name}: .* \*\.dice") for name in ("mine.toml", "mine.zip", "sets/mine.json")),
     *((name, "no name of a profile") for name in (".", "..", ".dice", "sets/..", "sets/.dice")),
     ("pips", "^pips: comes with the product")],
)  # fmt: skip
def test_taught_dice_are_written_to_files_with_a_name_and_their_own_ending(tmp_path, name, said):
    with pytest.raises(ProfileError, match=said):
        profile_path(name, tmp_path)

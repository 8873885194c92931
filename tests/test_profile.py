"""Profiles of taught dice: one file, to be copied, and what is said of a bad one."""

import json
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from vision.profile import (
    FACES,
    PICTURE,
    Profile,
    ProfileError,
    counts,
    load_profile,
    profile_path,
    save_profile,
)


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


def test_a_profile_comes_back_from_a_copy_of_its_file(
    profile: Profile, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "another Pi" / "mine.dice"
    other.parent.mkdir()
    shutil.copy(path, other)
    back = load_profile(other)
    assert (back.name, back.faces, back.edition) == ("mine", FACES, "walking-dead")
    assert not back.pips
    for face in FACES:
        for one, two in zip(profile.taught[face], back.taught[face], strict=True):
            assert (one == two).all()
    assert counts(back.learned) == {**dict.fromkeys(FACES, 0), "beer": 1}


def test_a_profile_is_found_by_its_name_in_the_folder(path: Path, tmp_path: Path) -> None:
    assert profile_path("mine", tmp_path) == path
    assert load_profile("mine", tmp_path).name == "mine"
    with pytest.raises(ProfileError, match=r"^yours: no such profile$"):
        load_profile("yours", tmp_path)


def test_a_shipped_profile_is_not_taught_over(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"^pips: comes with the product"):
        profile_path("pips", tmp_path)


def test_saving_leaves_nothing_half_written(profile: Profile, path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProfileError, match="file"):
        save_profile(profile, tmp_path / "file" / "mine.dice")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "mine.dice"]


def rewritten(path: Path, change: Callable[[str, bytes], tuple[str, bytes] | None]) -> None:
    """Write the ZIP at `path` again with every entry changed, or left out."""
    with zipfile.ZipFile(path) as file:
        entries = [(name, file.read(name)) for name in file.namelist()]
    with zipfile.ZipFile(path, "w") as file:
        for entry in entries:
            changed = change(*entry)
            if changed:
                file.writestr(*changed)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ({"format": 2, "kind": "taught", "edition": "base"}, "written by a newer version"),
        ({"format": 1, "kind": "drawn", "edition": "base"}, "kind must be 'taught', not 'drawn'"),
        ({"format": 1, "kind": "taught", "edition": "chess"}, "edition must be one of base"),
        ({"kind": "taught"}, "damaged"),
        ([], "damaged"),
    ],
)
def test_a_bad_head_is_named(path: Path, head: object, reason: str) -> None:
    text = json.dumps(head).encode()
    rewritten(path, lambda name, data: (name, text if name == "profile.json" else data))
    with pytest.raises(ProfileError, match=reason) as error:
        load_profile(path)
    assert str(error.value).startswith(f"{path}: ")


def test_a_missing_face_is_named(path: Path) -> None:
    rewritten(path, lambda name, data: None if "/beer/" in name else (name, data))
    with pytest.raises(ProfileError, match="no picture of beer"):
        load_profile(path)


def test_a_face_that_is_none_is_named(path: Path) -> None:
    rewritten(path, lambda name, data: (name.replace("taught/beer", "taught/wine"), data))
    with pytest.raises(ProfileError, match="wine is no face"):
        load_profile(path)


def test_a_picture_that_is_none_is_named(path: Path) -> None:
    rewritten(path, lambda name, data: (name, b"pixels" if "beer/00" in name else data))
    with pytest.raises(ProfileError, match=r"taught/beer/00\.png: no picture of a face"):
        load_profile(path)


@pytest.mark.parametrize("cut", [10, 300, -30])
def test_a_damaged_file_is_named(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ProfileError, match="damaged"):
        load_profile(path)


def test_a_flipped_byte_is_noticed_or_harmless(path: Path) -> None:
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

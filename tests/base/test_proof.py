"""Files that the host alone can make again: no damage changes in silence what they say."""

from pathlib import Path

import pytest

from companion.base.proof import prove, take_proven
from companion.camera.setup_store import SetupStore, StoredSetup
from companion.memory.statistics.players import PlayerNames, PlayersError, from_json

NAMES = PlayerNames({"ann": "Ann", "annie": "Ann", "zo\u00eb": "Zo\u00e9"})
SETUP = StoredSetup(
    held={"picamera": {"ExposureTime": 20_000, "gains": [1.9, 1.6]}}, profile="ours"
)


def read_setup(folder: Path, content: bytes) -> StoredSetup | None:
    """What the file says; None where it is told that it is damaged."""
    (folder / "setup.json").write_bytes(content)
    store = SetupStore(folder)
    return None if store.set_damaged_aside() else store.stored


def read_names(folder: Path, content: bytes) -> PlayerNames | None:
    try:
        return from_json(content)
    except PlayersError:
        return None


def saved_setup(folder: Path) -> bytes:
    SetupStore(folder).save(held=SETUP.held, profile=SETUP.profile)
    return (folder / "setup.json").read_bytes()


def test_a_bit_that_turns_is_told_or_changes_nothing(tmp_path):
    names, setup = NAMES.to_json().encode(), saved_setup(tmp_path)
    for content, read, said in (names, read_names, NAMES), (setup, read_setup, SETUP):
        assert read(tmp_path, content) == said
        for at in range(len(content)):
            turned = bytearray(content)
            turned[at] ^= 1 << at % 8
            assert read(tmp_path, bytes(turned)) in (None, said), bytes(turned)


def test_what_earlier_versions_wrote_and_what_is_changed_by_hand_is_read_without_proof():
    assert take_proven({"format": 1}) == {"format": 1}
    proven = prove({"format": 1})
    assert take_proven(proven) == {"format": 1}
    with pytest.raises(ValueError, match="not what was saved"):
        take_proven({**proven, "format": 2})

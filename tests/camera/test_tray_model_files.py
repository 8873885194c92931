"""What the table knows of its tray is there after a restart, whatever became of its file."""

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from companion.base.proof import prove
from companion.camera.table_reader import FORMAT, load_known_model, load_model, save_model
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.reading import LyingDie

MODEL = TrayModel(
    size=(820, 616), dice=tuple(LyingDie(n / 20, n / 30, 0.5 - n / 20, 1 / 3) for n in range(15))
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_model(MODEL, tmp_path / "tray.json")
    return tmp_path / "tray.json"


def test_a_table_without_a_model_is_unknown(tmp_path):
    assert load_known_model(tmp_path / "tray.json") is UNKNOWN


def said(**changes: object) -> Callable[[Path], None]:
    """Save these changes, with a digest that is right."""

    def change(file: Path) -> None:
        found = json.loads(file.read_text())
        del found["proof"]
        file.write_text(json.dumps(prove(found | changes)))

    return change


DIE = {"x": 0.1, "y": 0.1, "right": 0.0, "down": 0.0}
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (lambda file: file.write_bytes(file.read_bytes()[:200]), "Unterminated|Expecting"),
    "empty": (lambda file: file.write_bytes(b""), "Expecting"),
    "no text": (lambda file: file.write_bytes(bytes(range(256))), "Expecting"),
    "changed": (lambda file: file.write_text(file.read_text().replace("820", "821")), "not what"),
    "newer": (said(format=FORMAT + 1, colours=[1]), f"newer version .format {FORMAT + 1}"),
    "of another kind": (lambda file: file.write_text('{"mains": 50}'), "format: is missing"),
    "a list": (lambda file: file.write_text("[1]"), "what is saved"),
    "nested": (lambda file: file.write_text("[" * 99999), "nested|Expecting"),
    "without a place": (said(dice=[{"x": 0.5}]), "y"),
    "no number": (said(dice=[DIE | {"y": float("nan")}]), "lie in a picture"),
    "no size": (said(size=["wide", "tall"]), "size"),
}


@pytest.mark.parametrize(("damage", "reason"), DAMAGES.values(), ids=DAMAGES)
def test_a_file_that_is_no_model_is_named_and_the_table_learned_anew(file, caplog, damage, reason):
    damage(file)
    with pytest.raises(ValueError, match=reason):
        load_model(file)
    with caplog.at_level(logging.WARNING):
        assert load_known_model(file) is UNKNOWN
    assert caplog.messages[0].startswith(f"{file}: ")
    save_model(MODEL, file)
    assert load_known_model(file).dice == MODEL.dice


def test_a_pipe_in_its_place_is_no_model(tmp_path, caplog):
    os.mkfifo(tmp_path / "tray.json")
    assert load_known_model(tmp_path / "tray.json") is UNKNOWN
    assert "this is no file" in caplog.text


def test_a_save_that_is_cut_short_leaves_what_was_there(file):
    more = MODEL.add((820, 616), [LyingDie(0.9, 0.1, 0.0, 0.0)])
    full = mock.patch.object(os, "fsync", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(OSError, match="No space left"):
        save_model(more, file)
    assert load_known_model(file).digest == MODEL.digest
    # A kill leaves the new file beside the old one.
    (file.parent / f".{file.name}.1-1.part").write_bytes(file.read_bytes()[:100])
    assert load_known_model(file).digest == MODEL.digest

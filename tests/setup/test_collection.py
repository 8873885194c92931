"""Collections: nothing but dice and tray leaves, and it is seen before; bad ones are named."""

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from cases import cases
from places import PICTURES
from sites import Site, reason

from companion.app.cli import main
from companion.base.refused import Problem, Refused
from companion.camera.empty_tray import EmptyTray
from companion.camera.frames import SharedCamera
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.setup.collecting import Collecting
from companion.setup.collection import (
    CollectedDie,
    CollectedThrow,
    DiceCollection,
    camera_kind,
    collection_zip,
)
from hardware.camera.drawn import open_drawn
from tests.tools.bench.collection import main as bench
from tests.tools.bench.given_collections import CollectionError, decoded_throw, load_collection
from vision.dice.profile import Profile, load_profile
from vision.dice.reader import DiceReader
from vision.dice.redact import GREY, TrayRedactor
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.pictures

RENDERS = PICTURES / "renders"


def tray(seed: int = 3) -> SimulatedDiceTray:
    thrown = SimulatedDiceTray("pips", seed=seed)
    thrown.throw()
    while not thrown.at_rest:
        thrown.frame()
    return thrown


class Giving:
    """A table whose host collects pictures."""

    def __init__(self, folder: Path, image: np.ndarray, profile: str = "pips") -> None:
        self.site = Site(folder)
        self.workers, shared = FrameWorkers(), SharedCamera()
        self.image = image
        self.camera = shared.share(open_drawn(lambda: self.image, 1000, "usb:0"))
        self.camera.frame()
        empty = EmptyTray(folder / "tray.png", self.workers)
        self.reader = TableReader(load_profile(profile), empty)
        self.collecting = Collecting(self.site.table, shared, self.reader, self.workers)
        self.site.furnish(collecting=self.collecting)

    def see(self, image: np.ndarray) -> None:
        """Let the camera see something else."""
        self.image = image
        self.camera.frame()

    def press(self, path: str, **fields: object):
        return self.site.host.post(f"/collection/{path}", **fields)

    def download(self) -> bytes:
        return self.site.host.open("/collection/download").data


@pytest.fixture
def giving(tmp_path: Path) -> Iterator[Giving]:
    made = Giving(tmp_path / "table", tray().frame())
    yield made
    made.workers.close()


class LiveNames:
    """Notes what faces are called in the live pictures, and has none."""

    def live(self, fps: float, names: Mapping[str, str]) -> None:
        self.names = names
        raise Refused(Problem.FAILED, "no camera is working")


def test_the_live_picture_calls_faces_as_the_page_does(giving):
    live = LiveNames()
    giving.site.furnish(setup=live)
    assert giving.site.host.open("/collection/camera").status_code == 503
    assert live.names["bullseye1"] == "bull’s eye 1"


def test_what_is_beside_the_tray_is_painted_over_and_reads_as_before():
    thrown = tray()
    image = thrown.frame()
    # A face beside the tray.
    cv2.circle(image, (40, 40), 30, (140, 170, 215), cv2.FILLED)
    reader, before = DiceReader(load_profile("pips")), sorted(thrown.faces)
    shown = TrayRedactor().redact(image, reader.read(image).dice)
    assert shown is not None
    skin = np.abs(shown.image.astype(int) - (140, 170, 215)).max(2) < 8
    assert not skin.any()
    assert (shown.image == GREY).all(2).any()
    again = reader.read(shown.image)
    assert sorted(die.face for die in again.dice) == before
    for there in shown.dice:
        nearest = min(np.hypot(die.x - there.x, die.y - there.y) for die in again.dice)
        assert nearest < there.size / 4


def test_a_hand_over_the_tray_and_a_tray_without_dice_leave_nothing():
    image = cv2.imread(str(RENDERS / "D" / "blocked" / "000.jpg"))
    dice = DiceReader(load_profile("print")).read(image).dice
    assert TrayRedactor().redact(image, dice) is None
    assert TrayRedactor().redact(tray().frame(), ()) is None


def test_the_host_looks_through_corrects_leaves_out_and_downloads(giving, tmp_path):
    assert "Add at least one throw first." in giving.site.host.live("collection")
    for seed in (3, 4):
        giving.see(tray(seed).frame())
        assert giving.press("add").status_code == 204
    first, second = (kept.id for kept in giving.collecting.throws[::-1])
    assert giving.press("drop", throw=second).status_code == 204
    truth = giving.collecting.throws[0].throw.dice[0]
    other = next(face for face in giving.reader.profile.faces if face != truth.read)
    assert giving.press("mark", throw=first, die=0, face=other).status_code == 204
    assert giving.press("mark", throw=first, die=9, face=other).status_code == 422
    assert giving.press("mark", throw=first, die=0, face="wheel").status_code == 422
    page = giving.site.host.live("collection")
    assert page.count("/collection/throws/") == 1 + 2 * 5
    shown = giving.site.host.open(f"/collection/throws/{first}.jpg").data
    assert giving.site.host.open(f"/collection/throws/{first}-0.jpg").data[:3] == b"\xff\xd8\xff"
    assert giving.site.host.open(f"/collection/throws/{second}.jpg").status_code == 204

    file = tmp_path / "given.zip"
    file.write_bytes(giving.download())
    given = load_collection(file)
    (throw,) = given.throws
    assert throw.jpeg == shown, "what leaves is what was shown"
    assert (given.camera, throw.dice[0].face, throw.dice[0].read) == ("usb", other, truth.read)
    with zipfile.ZipFile(file) as parts:
        assert sorted(parts.namelist()) == ["manifest.json", "throws/001.jpg"]
        assert {entry.date_time for entry in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        said = parts.read("manifest.json").decode()
    for name in ("Ann", "Bob", "usb:0", str(tmp_path)):
        assert name not in said
    assert b"Exif" not in throw.jpeg


def test_a_throw_is_added_once_however_noisy_its_pictures(giving):
    thrown = tray()
    for seen, added in ((thrown, True), (thrown, False), (tray(4), True), (thrown, False)):
        giving.see(seen.frame())
        if added:
            assert giving.press("add").status_code == 204
        else:
            assert "in the collection already" in reason(giving.press("add"), 422)
    last, first = giving.collecting.throws
    assert giving.press("drop", throw=first.id).status_code == 204
    assert giving.press("add").status_code == 204
    assert len(giving.collecting.throws) == 2
    assert last in giving.collecting.throws


def test_taught_pictures_go_along_and_one_of_each_face_stays(tmp_path):
    giving = Giving(tmp_path, tray().frame(), profile="print")
    profile = giving.reader.profile
    number = len(profile.taught[profile.faces[0]])
    # Where a picture was learned is a matter of its game.
    face = profile.faces[0]
    learned = {face: profile.taught[face][:1]}
    giving.reader.use(
        Profile("print", profile.faces, profile.edition, profile.taught, learned, {face: ("7-31",)})
    )
    for picture in range(number - 1):
        assert giving.press("leave-out", picture=picture, out=1).status_code == 204
    why = reason(giving.press("leave-out", picture=number - 1, out=1), 422)
    assert why == "each face needs at least one picture"
    data = giving.download()
    assert b"7-31" not in data
    (tmp_path / "given.zip").write_bytes(data)
    given = load_collection(tmp_path / "given.zip").profile
    assert len(given.taught[face]) == 1
    assert len(given.learned[face]) == 1
    assert given.sources == {face: ("",)}
    giving.workers.close()


def test_a_table_without_a_picture_collects_nothing(giving):
    giving.camera.close()
    assert reason(giving.press("add"), 503) == "no camera is working"
    assert giving.collecting.throws == ()


def test_a_camera_is_named_by_its_kind():
    kinds = {"picamera": "picamera", "usb:2": "usb", "simulated": "simulated", "/a/x": "pictures"}
    assert {name: camera_kind(name) for name in kinds} == kinds


# Reading collections


def small() -> DiceCollection:
    """A collection of one throw, with the second die misread."""
    image = tray().frame()
    reading = DiceReader(load_profile("pips")).read(image)
    shown = TrayRedactor().redact(image, reading.dice)
    jpeg = cv2.imencode(".jpg", shown.image)[1].tobytes()
    dice = (CollectedDie(d.face, d.face, d.sure, d.x, d.y, d.size) for d in shown.dice)
    thrown = CollectedThrow(jpeg, str(reading.verdict), tuple(dice))
    return DiceCollection(load_profile("pips"), "simulated", (thrown,))


@pytest.fixture(scope="module")
def data() -> bytes:
    return collection_zip(small())


def unpacked(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        parts.extractall(folder)
    return folder


def test_a_folder_and_its_zip_are_the_same_and_the_benchmark_reads_both(data, tmp_path, capsys):
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "one.zip").write_bytes(data)
    folder = unpacked(data, tmp_path / "all" / "two")
    assert load_collection(folder) == load_collection(tmp_path / "all" / "one.zip")
    assert bench([str(tmp_path / "all")]) == 0
    said = capsys.readouterr().out
    assert "| one.zip | pips | simulated | 1 | 1 | 1 | 5 of 5 | 5 | 0 | 0 of 0 |" in said
    assert "| all | | | 2 | 2 | 2 | 10 of 10 | 10 | 0 | 0 of 0 |" in said
    assert bench([str(folder)]) == 0


def test_a_wrong_truth_counts_as_sure_and_wrong(data, tmp_path, capsys):
    throws = json.loads((unpacked(data, tmp_path) / "manifest.json").read_text())["throws"]
    die = throws[0]["dice"][0]
    die["face"] = "beer" if die["face"] != "beer" else "arrow"
    assert bench([str(forged(data, tmp_path, {"throws": throws}))]) == 0
    assert "| 1 | 0 | 1 | 4 of 5 | 5 | 1 | 0 of 0 |" in capsys.readouterr().out


MANY = (json.dumps({"throws": [{}] * 201}), "throws must be a list of at most 200")


@pytest.mark.parametrize(("changes", "said"), [*cases("setup/refused.txt", "In a manifest"), MANY])
def test_a_forged_manifest_is_named(data, tmp_path, changes, said):
    with pytest.raises(CollectionError) as raised:
        load_collection(forged(data, tmp_path, json.loads(changes)))
    assert str(raised.value).startswith(str(tmp_path))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def forged(data: bytes, folder: Path, changes: Mapping[str, object]) -> Path:
    """The collection, with other words in its manifest."""
    manifest = unpacked(data, folder) / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | changes))
    return folder


def test_beside_a_forged_collection_the_others_are_read(data, tmp_path, capsys):
    forged(data, tmp_path / "forged", {"kind": "cards"})
    (tmp_path / "sound.zip").write_bytes(data)
    assert bench([str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert "kind must be taught or pips" in captured.err
    assert "| sound.zip |" in captured.out


def test_files_that_are_damaged_huge_or_links_are_named(data, tmp_path):
    def load_all(path: Path) -> None:
        for throw in load_collection(path).throws:
            decoded_throw(path, throw)

    def refused(path: Path, said: str) -> None:
        with pytest.raises(CollectionError, match=said) as raised:
            load_all(path)
        assert "\n" not in str(raised.value)

    refused(tmp_path / "none.zip", "No such file")
    for cut in (0, 40, len(data) // 2, len(data) - 5):
        (tmp_path / "cut.zip").write_bytes(data[:cut])
        refused(tmp_path / "cut.zip", "no collection, or damaged")
    picture = unpacked(data, tmp_path / "folder") / "throws" / "001.jpg"
    whole = picture.read_bytes()
    picture.write_bytes(whole[: len(whole) // 2])
    refused(tmp_path / "folder", "cut off")
    picture.write_bytes(cv2.imencode(".jpg", np.zeros((4000, 4000, 3), np.uint8))[1].tobytes())
    refused(tmp_path / "folder", "4000 x 4000 pixels is no part of a tray")
    picture.write_bytes(whole + bytes(16 << 20))
    refused(tmp_path / "folder", "is too large")
    picture.unlink()
    os.symlink("/dev/zero", picture)
    refused(tmp_path / "folder", "throws/001.jpg is missing")
    (tmp_path / "folder" / "manifest.json").write_text("[" * 100_000)
    refused(tmp_path / "folder", "manifest.json: damaged")
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("manifest.json", bytes(64 << 20))
    refused(tmp_path / "bomb.zip", "manifest.json is too large")


def test_the_command_writes_a_collection_and_a_sheet_of_it(tmp_path, capsys):
    teach = ["teach", "--profile", str(tmp_path / "mine.dice")]
    pictures = str(RENDERS / "D" / "teach")
    file = tmp_path / "mine.zip"
    assert main([*teach, "--collect", str(file), pictures]) == 0
    assert f"{file}: look at {tmp_path / 'mine.png'}" in capsys.readouterr().err
    given = load_collection(file)
    assert (given.throws, given.camera) == ((), "pictures")
    assert all(len(pictures) == 4 for pictures in given.profile.taught.values())
    assert cv2.imread(str(tmp_path / "mine.png")) is not None
    assert bench([str(file)]) == 0
    row = "| mine.zip | base | pictures | 0 | 0 | 0 | 0 of 0 | 0 | 0 | 24 of 24 |"
    assert row in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("mine.rar", "--collect: mine.rar: collections are files *.zip"),
        ("missing/mine.zip", "--collect: missing/mine.png: No such file or directory"),
        ("/dev/full/mine.zip", "--collect: /dev/full/mine.png: Not a directory"),
    ],
)
def test_a_collection_that_cannot_be_written_leaves_the_profile_as_it_was(
    file, said, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    pictures = str(RENDERS.resolve() / "D" / "teach")
    assert main(["teach", "--profile", "./mine.dice", "--collect", file, pictures]) == 2
    assert said in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == []

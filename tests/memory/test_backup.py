"""Backups: what is in them, whose they are, and that nothing is lost by a bad or half one."""

import io
import json
import os
import re
import shutil
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from places import RECORDED
from sites import PIECE, Phone, Site, finish, reason

from companion.camera.empty_tray import EmptyTray
from companion.camera.pile_reader import PileReader
from companion.camera.setup_store import SetupStore
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from companion.games.registry import card_signs
from companion.memory.backup import archive
from companion.memory.backup.archive import CONTENTS, FORMAT, MOST_UPLOAD
from companion.memory.backup.backups import RESTORING, SPARE, Backups, Restored
from companion.setup.decks import Decks
from companion.setup.dice_sets import DiceSets
from companion.table.journal.journal import WITNESS
from vision.dice.profile import load_profile
from vision.profile_files import SHIPPED

pytestmark = pytest.mark.pictures

GAME = sorted(RECORDED.glob("*.jsonl"))[0]
PRINT = (SHIPPED / "print.dice").read_bytes()


class SavedTable:
    """A table in a data folder, with its backups and the host's phone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = Site(folder)
        self.workers = FrameWorkers()
        self.start()

    def start(self) -> None:
        """Make the parts that a start makes."""
        tray = EmptyTray(self.folder / "tray.png", self.workers)
        self.store = SetupStore(self.folder)
        reader = TableReader(load_profile("pips"), tray)
        self.sets = DiceSets(self.folder / "profiles", self.store, reader)
        self.decks = Decks(self.folder / "profiles", self.store, PileReader(), card_signs())
        self.backups = Backups(self.folder, self.site.table, self.store, self.sets, self.decks)
        self.site.furnish(backups=self.backups)

    @property
    def host(self) -> Phone:
        return self.site.host

    def lobby(self) -> None:
        assert self.host.post("/game/new").status_code == 204

    def teach(self, name: str, content: bytes = PRINT) -> None:
        (self.folder / "profiles").mkdir(exist_ok=True)
        (self.folder / "profiles" / f"{name}.dice").write_bytes(content)

    def save(self) -> bytes:
        with self.host.client.get("/backup/file.zip") as answer:
            assert answer.status_code == 200, answer.text
            return answer.data

    def piece(self, content: bytes, at: int, size: int):
        return self.host.send_piece("/backup/piece", content, at, size)

    def upload(self, content: bytes):
        return self.host.upload("/backup/piece", content)

    def restore(self, content: bytes) -> Restored | None:
        assert self.upload(content).status_code == 204
        answer = self.host.post("/backup/restore")
        assert answer.status_code == 204, answer.text
        return self.backups.view().restored

    def files(self) -> dict[str, bytes]:
        """What lies in the folder, but for the journal, which goes on."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and "journal" not in path.name and path.name != WITNESS
        }

    def close(self) -> None:
        self.site.journal.close()
        self.workers.close()


@pytest.fixture
def new(tmp_path: Path) -> Iterator[SavedTable]:
    with closing(SavedTable(tmp_path / "new")) as home:
        yield home


@pytest.fixture
def old(tmp_path: Path) -> Iterator[SavedTable]:
    """A table that has a game and was taught dice, with choices of its own."""
    home = SavedTable(tmp_path / "old")
    (home.folder / "games").mkdir()
    shutil.copy(GAME, home.folder / "games/ABCD-1.jsonl")
    home.teach("Oak")
    home.sets.use("Oak")
    home.store.save(mains=60)
    home.host.post("/game/options", option="characters", value="choice")
    with closing(home):
        yield home


def test_another_table_gets_games_dice_and_choices(old, new):
    saved = old.save()
    assert new.restore(saved) == Restored(games=1, dice=("Oak",))
    theirs, ours = old.files(), new.files()
    assert ours.keys() == theirs.keys()
    assert {name for name in ours if ours[name] != theirs[name]} <= {"setup.json"}
    assert new.sets.used == "Oak"
    assert SetupStore(new.folder).stored.profile == "Oak"
    assert SetupStore(new.folder).stored.mains == 60
    assert new.site.table.scene.choices.options == old.site.table.scene.choices.options
    # Once more, it brings nothing, and nothing to the table that it is of.
    assert new.restore(saved) == old.restore(saved) == Restored(games=0, dice=())
    assert new.files() == ours


def test_what_differs_under_the_same_name_is_kept_beside(old, new):
    new.teach("Oak", PRINT + b"\0")
    game = next(name for name in old.files() if name.startswith("games/"))
    (new.folder / "games").mkdir()
    (new.folder / game).write_bytes(b"another\n")
    before = new.files()
    assert new.restore(old.save()) == Restored(games=1, dice=("Oak-2",))
    assert before.items() <= new.files().items()
    assert new.files()[game.replace(".jsonl", "-2.jsonl")] == old.files()[game]
    assert new.sets.used == "Oak-2"


def test_a_finished_game_on_the_table_is_in_it_but_no_running_one(new):
    new.site.start()
    running = new.save()
    assert entries(running) == {CONTENTS, SETTINGS}
    secrets = [person.token.encode() for person in new.site.table.scene.people if person.token]
    assert not any(secret in running for secret in secrets)
    new.lobby()
    left = entries(new.save())
    finish(new.site.start())
    (game,) = entries(new.save()) - left
    finished = zipfile.ZipFile(io.BytesIO(new.save())).read(game)
    new.lobby()
    assert new.files()[game] == finished


def entries(backup: bytes) -> set[str]:
    return set(zipfile.ZipFile(io.BytesIO(backup)).namelist())


def edited(backup: bytes, **changes: bytes | None) -> bytes:
    """A backup with other contents of some files, as an editor of archives leaves it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = changes.get(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def listing(saved: bytes, **fields: object) -> bytes:
    """A backup whose list of contents says something else."""
    listed = json.loads(zipfile.ZipFile(io.BytesIO(saved)).read(CONTENTS))
    return edited(saved, **{CONTENTS: json.dumps(listed | fields).encode()})


def made_of(files: dict[str, bytes]) -> bytes:
    """A backup with these files, digests and all."""
    out = io.BytesIO()
    archive.write(out, "2026-11-22T19:30:00Z", files.items())
    return out.getvalue()


PART = "it is not a backup, or only a part of one"
SETTINGS = "settings.json"

BAD = {
    "half of it": (lambda b: b[: len(b) // 2], PART),
    "a photo": (lambda b: b"\xff\xd8" + bytes(5000), PART),
    "another archive": (lambda b: edited(b, **{CONTENTS: None}), PART),
    "a flipped bit": (lambda b: b[:200] + bytes([b[200] ^ 4]) + b[201:], "it is damaged"),
    "edited settings": (lambda b: edited(b, **{SETTINGS: b"{}"}), "settings.json in it is damaged"),
    "a newer version's": (lambda b: listing(b, backup=FORMAT + 1, companion="9.1.0"),
                          "version 9.1.0 made it: update this table"),
    "no list": (lambda b: edited(b, **{CONTENTS: b"[" * 100_000}), "it is damaged"),
    "a list of lists": (lambda b: listing(b, files=[]), "backup.json in it is damaged"),
    "a missing file": (lambda b: edited(b, **{SETTINGS: None}), "it is damaged"),
    "a way out": (lambda b: made_of({"games/../../x.jsonl": b""}),
                  "games/../../x.jsonl in it is damaged"),
    "a hidden file": (lambda b: made_of({"profiles/.x.dice": b""}),
                      "profiles/.x.dice in it is damaged"),
    "a version that is no text": (lambda b: listing(b, companion="\ud83e"), "it is damaged"),
    "a date that is no text": (lambda b: listing(b, made="\ud83e"), "it is damaged"),
    "a name that is no text": (lambda b: listing(b, files={"profiles/\ud83e.dice": ""}),
                               "it is damaged"),
    "a huge file": (lambda b: made_of({"games/A-1.jsonl": bytes(9 << 20)}),
                    "games/A-1.jsonl in it is too large"),
    "settings of nobody": (
        lambda b: made_of({SETTINGS: b'{"options": 3, "dice": "", "mains": 50}'}),
        "settings.json in it is damaged"),
}  # fmt: skip


def test_a_bad_file_is_refused_and_changes_nothing(old, new):
    saved = old.save()
    before, options = new.files(), new.site.table.scene.choices.options
    for kind, (spoil, why) in BAD.items():
        answer = new.upload(spoil(saved))
        if answer.status_code == 204:
            answer = new.host.post("/backup/restore")
        assert reason(answer, 422) == f"This file can’t be restored: {why}.", kind
        assert (new.files(), new.site.table.scene.choices.options) == (before, options)
        assert new.backups.view().uploaded is None
    # A sound one is taken after them.
    assert new.restore(saved) == Restored(games=1, dice=("Oak",))


def test_what_is_too_large_or_finds_no_room_is_refused(old, new, monkeypatch):
    answer = new.piece(b"P" * PIECE, 0, MOST_UPLOAD + 1)
    assert "it is too large for a backup" in reason(answer, 422), "before it is sent"
    assert not (new.folder / RESTORING).exists()
    with monkeypatch.context() as small:
        small.setattr(archive, "MOST_BYTES", len(PRINT) - 1)
        assert "it is too large for a backup" in reason(new.upload(old.save()), 422)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1, 1, SPARE))
    assert reason(new.upload(old.save()), 503) == "there isn’t enough space on the disk for it"


HALF = b'"name": "\\ud83e"'
"""A name that is half a letter."""

HALF_NAMED = re.sub(rb'"name": ?"[^"]*"', HALF.replace(b"\\", rb"\\"), GAME.read_bytes(), count=1)

LEFT_OUT: dict[str, bytes] = {
    "games/none-1.jsonl": b"hello\n",
    "games/empty-1.jsonl": b"",
    "games/chess-1.jsonl": b'{"record": "chess"}\n',
    "games/half-a-letter-1.jsonl": HALF_NAMED,
    "games/illegal-1.jsonl": GAME.read_bytes() + b'{"action": "stop", "seat": 0}\n',
    "games/long-1.jsonl": GAME.read_bytes() + b"\n" * 5000,
    "games/A-1.notes.json": b"[]",
    "profiles/Elm.dice": PRINT[:5000],
    "profiles/Elm.cards": PRINT[:5000],
    "players.json": b'{"format": 1, "names": {"a": "\\ud83e"}}',
}


def test_what_cannot_be_read_is_left_out_and_named_and_everything_else_restored(old, new):
    files = {name: content for name, content in old.files().items() if "/" in name}
    assert new.restore(made_of(files | LEFT_OUT)) == Restored(games=1, dice=("Oak",))
    assert new.files().keys() == files.keys()
    assert {*new.backups.view().left_out} == {*LEFT_OUT}
    page = new.host.live("backup")
    assert "Left out, because they can’t be read: " in page
    assert all(name in page for name in LEFT_OUT)
    new.upload(old.save())
    assert new.backups.view().left_out == ()


@pytest.mark.parametrize("where", ["games/A-1.jsonl", "games/ABCD-1.notes.json", "players.json"])
def test_what_cannot_be_read_is_no_reason_to_make_no_backup(old, where):
    before = entries(old.save())
    assert old.backups.view().left_out == ()
    os.mkfifo(old.folder / where)
    assert entries(old.save()) == before
    assert f"Left out, because they can’t be read: {where}." in old.host.live("backup")


def test_a_record_is_in_a_backup_whatever_it_is_called(old, new):
    shutil.copy(GAME, old.folder / "games/Grandma’s last game.jsonl")
    Path(os.fsdecode(bytes(old.folder) + b"/games/\xff.jsonl")).write_bytes(GAME.read_bytes())
    saved = old.save()
    assert old.backups.view().left_out == ("games/\\udcff.jsonl",)
    assert new.restore(saved) == Restored(games=2, dice=("Oak",))
    assert (new.folder / "games/Grandma’s last game.jsonl").read_bytes() == GAME.read_bytes()


def test_pieces_come_in_order_and_may_come_twice(old, new):
    saved = old.save()

    def send(at: int):
        return new.piece(saved[at : at + PIECE], at, len(saved))

    _, *places = range(0, len(saved), PIECE)
    assert len(places) > 2
    assert send(0).status_code == 204
    again = "The upload was interrupted. Choose the file again."
    assert reason(send(2 * PIECE), 409) == again
    for at in places:
        assert send(at).status_code == send(at).status_code == 204
    assert new.backups.view().uploaded is not None
    assert new.host.post("/backup/restore").status_code == 204
    # A second tap finds nothing more to do.
    assert reason(new.host.post("/backup/restore"), 409) == again


@pytest.mark.parametrize("moves_done", range(4))
def test_the_plug_pulled_while_restoring_loses_nothing(old, new, moves_done, monkeypatch):
    old.teach("Elm", PRINT + b"\0")
    saved, before = old.save(), new.files()
    real, left = os.rename, [moves_done]

    def failing(self: Path, target: Path) -> None:
        if not left[0]:
            raise OSError(5, "Input/output error")
        left[0] -= 1
        real(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    new.upload(saved)
    new.host.post("/backup/restore")
    monkeypatch.undo()
    new.start()
    assert not (new.folder / RESTORING).exists()
    assert before.items() <= new.files().items()
    new.restore(saved)
    expected = {name for name in old.files() if "/" in name}
    assert {name for name in new.files() if "/" in name} == expected


def test_nothing_is_restored_during_a_game(old, new):
    new.upload(old.save())
    new.site.start()
    assert reason(new.host.post("/backup/restore"), 422) == "you can’t do that during a game"
    assert reason(new.piece(b"x", 0, 1), 422) == "you can’t do that during a game"


def test_an_upload_is_discarded(old, new):
    new.upload(old.save())
    assert new.host.post("/backup/discard").status_code == 204
    assert new.backups.view().uploaded is None
    assert not (new.folder / RESTORING).exists()


def test_the_page_says_what_a_file_holds(old, new):
    assert "one game" in old.host.live("backup")
    assert "Oak" in old.host.live("backup")
    new.upload(old.save())
    page = new.host.live("backup")
    assert "one game</li>" in page
    made = f"{date.today():%-d\N{NO-BREAK SPACE}%B %Y}"
    assert f"A backup from {made}, made by version" in page
    new.host.post("/backup/restore")
    assert "Restored: one game." in new.host.live("backup")
    new.upload(old.save())
    assert "one game, of which this table has 1" in new.host.live("backup")

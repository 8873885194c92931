"""Root installs what the table asks for, on a machine that is a folder: and nothing else."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from asked_machine import AskedMachine
from installer import places, update
from installer.archive import MOST_UPLOAD
from installer.change import WAY_BACK
from releases import Keys, make_archive, pack
from stub_machine import GAMES, make_sources

pytestmark = pytest.mark.processes

OLD = "0.3.0-20261121-abcdef"


class Pi(AskedMachine):
    """A machine with a version, on which systemd works at once."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "root", update, update.update, update.WORK)
        self.sources, self.uploaded = folder / "sources", self.request.with_name(update.UPLOAD)

    @property
    def version(self) -> str:
        return self.running.split("-")[0]

    @property
    def games(self) -> set[str]:
        data = self.path(places.DATA)
        return {name for name, content in GAMES.items() if (data / name).read_bytes() == content}

    def upload(self, behaviour: str = "works", key: Path | None = None, version: str = "") -> str:
        """Leave a release for the installer; return its SHA-256."""
        if not self.sources.exists():
            make_sources(self.sources, behaviour)
        if version:
            (self.sources / "companion/__init__.py").write_text(f'__version__ = "{version}"\n')
        pack(self.uploaded, self.sources, key)
        return hashlib.sha256(self.uploaded.read_bytes()).hexdigest()

    def ask(self, **asked: str) -> dict[str, str]:
        """Ask for something, and return how it ended."""
        return self.answer(json.dumps(asked))

    def upgrade(self, **release: str) -> dict[str, str]:
        """Upload a release, and have it installed by the owner's code."""
        return self.ask(do="install", sha256=self.upload(**release), code=self.code)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def trust(pi: Pi, keys: Keys) -> None:
    (pi.path(places.VERSIONS) / OLD / places.KEY).write_bytes(keys.public.read_bytes())


def test_a_release_that_is_signed_is_installed_once_it_was_shown(pi, keys):
    trust(pi, keys)
    ended = pi.ask(do="install", version="9.9", sha256=pi.upload(key=keys.private))
    assert (ended["version"], ended["fault"]) == ("9.9", "")
    assert pi.version == "9.9"
    assert pi.games == set(GAMES)


def test_any_other_takes_the_owners_code_which_works_once(pi):
    copy = pi.path(places.CODE_ON_CARD)
    copy.parent.parent.mkdir(parents=True)
    shown, code = pi.upload(), pi.code
    assert len(code) == 14
    assert pi.path(places.CODE).stat().st_mode & 0o777 == 0o600
    for wrong in ("", "abcd", "\n", code[:-1]):
        assert pi.ask(do="install", sha256=shown, code=wrong)["fault"] == "code"
    assert pi.version == "0.3.0"
    assert pi.code == code
    assert pi.ask(do="install", sha256=shown, code=code.upper())["fault"] == ""
    assert pi.version == "9.9"
    assert pi.code != code
    assert copy.read_text().strip() == pi.code
    # The next one, with the code that somebody overheard.
    assert pi.ask(do="install", sha256=pi.upload(version="9.10"), code=code)["fault"] == "code"
    assert pi.version == "9.9"


def test_an_archive_that_was_replaced_after_it_was_shown_is_refused(pi, keys):
    trust(pi, keys)
    shown = pi.upload(key=keys.private)
    make_archive(pi.uploaded, key=keys.private)
    assert pi.ask(do="install", sha256=shown)["fault"] == "changed"
    assert pi.ask(do="install")["fault"] == "changed"
    assert pi.version == "0.3.0"


@pytest.mark.parametrize("version", ["0.3.0", "0.2.9", "0.1"])
def test_nothing_older_is_installed_even_if_it_is_signed(pi, keys, version):
    trust(pi, keys)
    shown = pi.upload(key=keys.private, version=version)
    assert pi.ask(do="install", sha256=shown)["fault"] == "older"
    assert pi.version == "0.3.0"


def _link(path: Path) -> None:
    secret = path.parents[1] / "secret"
    secret.write_text("root's alone")
    path.symlink_to(secret)


STRANGE: Mapping[str, Callable[[Path], None]] = {
    "link": _link,
    "link that leads nowhere": lambda path: path.symlink_to("nowhere"),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "huge file": lambda path: path.touch() or os.truncate(path, MOST_UPLOAD + 1),
    "empty file": Path.touch,
    "other file": lambda path: path.write_bytes(b"no archive") and None,
    "nothing": lambda path: None,
}


@pytest.mark.parametrize("kind", STRANGE)
def test_whatever_lies_in_the_place_of_an_archive_is_refused(pi, kind):
    STRANGE[kind](pi.uploaded)
    ended = pi.ask(do="install", sha256="0" * 64, code=pi.code)
    assert ended["fault"] in ("size", "damaged", "failed")
    assert "root's alone" not in json.dumps(ended)
    assert pi.version == "0.3.0"


@pytest.mark.parametrize("kind", [kind for kind in STRANGE if kind not in ("folder", "nothing")])
def test_whatever_lies_in_the_place_of_a_request_is_taken_away(pi, kind):
    pi.upload()
    STRANGE[kind](pi.request)
    if kind.startswith("link"):
        with pytest.raises(OSError, match="Too many levels"):
            pi.act()
        assert not pi.request.is_symlink()
    else:
        assert pi.act()["fault"] == "changed"
    assert pi.version == "0.3.0"


@pytest.mark.parametrize(
    "request_text", ["[]", "7", "{", '{"do": 7}', '{"do": "back"}', '{"do": "rm -rf /"}', "[" * 900]
)
def test_a_request_is_one_of_two(pi, request_text):
    pi.upload()
    assert pi.answer(request_text)["fault"] == "changed"
    assert pi.version == "0.3.0"


def test_a_folder_that_is_a_link_is_not_followed(pi, tmp_path):
    asked = pi.request.parent.rename(tmp_path / "elsewhere")
    pi.request.parent.symlink_to(asked)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        pi.answer("{}")


@pytest.mark.parametrize("behaviour", ["dead", "spoils the games", "stops answering"])
def test_a_release_that_does_not_work_leaves_everything_as_it_was(pi, behaviour):
    ended = pi.upgrade(behaviour=behaviour)
    assert (ended["fault"], ended["why"]) == ("failed", "the new version did not prove itself")
    assert pi.version == "0.3.0"
    assert pi.games == set(GAMES)


def way_back(pi: Pi) -> dict[str, object]:
    return json.loads(pi.path(WAY_BACK).read_text())


def test_one_can_go_back_to_the_games_that_the_version_before_can_open(pi):
    pi.upgrade()
    assert way_back(pi) == {"version": "0.3.0", "opens": "earlier", "games": 8}
    newer = pi.path(places.DATA) / "games/since.jsonl"
    newer.write_text("played since\n")
    assert pi.ask(do="back", version="0.3.0")["fault"] == ""
    assert pi.version == "0.3.0"
    assert pi.games == set(GAMES)
    assert not (pi.path(places.DATA) / "converted").exists()
    # What it can't open is lost to nobody.
    (kept,) = pi.path(places.DATA).parent.glob("bang-companion.after-*/games/since.jsonl")
    assert kept.read_text() == "played since\n"
    assert way_back(pi) == {"version": "9.9", "opens": "all", "games": 8}
    assert pi.ask(do="back", version="9.9")["fault"] == ""
    assert pi.version == "9.9"
    assert pi.games == set(GAMES)
    assert kept.exists()


def test_going_back_leads_to_the_version_that_was_shown_only(pi):
    assert pi.ask(do="back", version="0.3.0")["fault"] == "changed"
    pi.upgrade()
    for version in ("", "9.9", "../../etc", "0.1"):
        assert pi.ask(do="back", version=version)["fault"] == "changed"
    assert pi.version == "9.9"


def test_a_change_that_failed_leaves_no_way_back_to_offer(pi):
    pi.upgrade()
    assert way_back(pi)["version"] == "0.3.0"
    (pi.sources / "web/behaviour").write_text("dead")
    assert (pi.upgrade(version="9.10")["fault"], pi.version) == ("failed", "9.9")
    assert not pi.path(WAY_BACK).exists()


def test_a_version_that_could_not_be_left_again_is_no_way_back(pi):
    (pi.path(places.VERSIONS) / OLD / places.UPDATE_PATH).unlink()
    pi.upgrade()
    assert pi.version == "9.9"
    assert not pi.path(WAY_BACK).exists()


def test_the_version_before_is_kept_and_none_before_that(pi):
    for version in ("9.9", "9.10", "9.11"):
        assert pi.upgrade(version=version)["fault"] == ""
    kept = {path.name.split("-")[0] for path in pi.path(places.VERSIONS).iterdir()}
    assert kept == {"9.10", "9.11"}
    assert len(list(pi.path(places.DATA).parent.glob("bang-companion.*"))) == 1

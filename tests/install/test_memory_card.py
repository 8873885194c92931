"""The image of a card that installs itself, and what the Pi does with it at its first starts."""

import hashlib
import json
import lzma
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from card_image import BEGIN, SECTOR, make_image
from installer import places
from installer.card import BOOT, CARD, PAGE, PROGRESS, VENDOR_DATA, install_from_card
from installer.card_page import STEPS, make_server
from installer.machine import InstallError
from installer.packages import install_packages
from memory_card import CardError, boot_partition, main, make_card
from places import ROOT
from releases import make_archive, run
from stub_machine import GAMES, StubMachine, make_installed, make_sources

pytestmark = pytest.mark.processes

FOLDER = ROOT / "systemd/card"
IMAGERS = {name: f"The Imager's {name}" for name in ("user-data", "meta-data", "network-config")}


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "raspios.img"
    make_image(path, 8 << 20, IMAGERS)
    return path


def on_card(card: Path, folder: Path) -> dict[str, bytes]:
    """What the boot partition of an image holds."""
    folder.mkdir()
    run("mcopy", "-s", "-i", f"{card}@@{boot_partition(card)}", "::/", folder)
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.mark.parametrize("address", ["", "https://example.org/cards/"])
def test_the_card_holds_the_release_beside_what_the_imager_writes(
    image, archive, tmp_path, address
):
    """Also one for others, found where they load it, of an image that is compressed."""
    before = image.read_bytes()
    if address:
        image = image.with_suffix(".img.xz")
        image.write_bytes(lzma.compress(before))
    card, manifest = make_card(image, archive, address=address)
    held = on_card(card, tmp_path / "held")
    assert held.pop(f"bang-companion/{archive.name}") == archive.read_bytes()
    for unit in FOLDER.glob("*.service"):
        assert held.pop(f"bang-companion/{unit.name}") == unit.read_bytes()
    assert held.pop("bang-companion/spur-1.0-py3-none-any.whl")
    assert held.pop("vendor-data") == (FOLDER / "vendor-data").read_bytes()
    assert held == {name: text.encode() for name, text in IMAGERS.items()}
    assert card.read_bytes()[:BEGIN] == before[:BEGIN]
    told = json.loads(manifest.read_text())
    (system,) = told["os_list"]
    assert system["extract_sha256"] == hashlib.sha256(card.read_bytes()).hexdigest()
    assert system["extract_size"] == system["image_download_size"] == card.stat().st_size
    assert system["url"] == (f"{address}{card.name}" if address else card.as_uri())
    assert system["init_format"] == "cloudinit-rpi"
    for device in told["imager"]["devices"]:
        assert set(device["tags"]) <= set(system["devices"])


def test_what_is_no_such_image_or_release_is_refused_and_leaves_nothing(image, archive, tmp_path):
    def refused(told: str) -> None:
        with pytest.raises(CardError, match=told):
            make_card(image, archive)
        assert not list(tmp_path.glob("*.part"))
        assert not list(tmp_path.glob("bang*.img"))

    whole = image.read_bytes()
    release = archive.read_bytes()
    make_archive(archive)
    refused("can't install itself")
    archive.write_bytes(release)
    run("mdel", "-i", f"{image}@@{BEGIN}", "::/user-data")
    refused("isn't of Raspberry Pi OS 13")
    image.write_bytes(bytes(SECTOR) + whole[SECTOR:])
    refused("no image of a memory card")
    image = image.rename(image.with_suffix(".xz"))
    image.write_bytes(lzma.compress(whole)[:-9])
    refused("is damaged")


def test_a_boot_partition_without_room_is_refused(image, archive):
    full = image.with_name("full")
    full.write_bytes(bytes(7_800_000))
    run("mcopy", "-i", f"{image}@@{BEGIN}", full, "::/")
    archive.write_bytes(archive.read_bytes() + bytes(2 << 20))
    with pytest.raises(CardError, match="can't take it"):
        make_card(image, archive)


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert main([str(tmp_path / "none.img"), "--archive", str(tmp_path / "none.tar.gz")]) == 1
    assert "none.img" in capsys.readouterr().err


def test_cloud_init_takes_it_for_a_script_of_each_boot():
    kind, shell, *_ = (FOLDER / "vendor-data").read_text().splitlines()
    assert (kind, shell) == ("#cloud-boothook", "#!/bin/sh")
    script = (FOLDER / "vendor-data").read_text()
    assert f"card={CARD}\n" in script
    run("sh", "-n", FOLDER / "vendor-data")
    assert "$card/*.service" in script
    installs = (FOLDER / "bang-companion-card.service").read_text()
    assert f"RuntimeDirectory={PROGRESS.parent.name}\n" in installs
    assert f"ReadWritePaths=/opt /etc /usr/local {BOOT}\n" in installs
    assert f"PIP_FIND_LINKS={CARD}\n" in installs
    assert f"Conflicts={places.SERVICE}\n" in (FOLDER / PAGE).read_text()


class Pi(StubMachine):
    """A fresh machine with a card, on which systemd works at once."""

    def __init__(self, folder: Path, behaviour: str = "works") -> None:
        super().__init__(folder / "root")
        make_installed(self, version=False)
        self.source = make_sources(folder / "sources", behaviour)
        self.path(CARD).mkdir(parents=True)
        (self.path(CARD) / "wheel").touch()
        self.path(VENDOR_DATA).touch()
        self.boot()

    def boot(self) -> None:
        super().boot()
        self.path(PROGRESS.parent).mkdir(parents=True)

    @property
    def is_clear(self) -> bool:
        return not self.path(CARD).exists() and not self.path(VENDOR_DATA).exists()


def test_the_pi_installs_what_is_on_the_card_and_clears_it(tmp_path):
    pi = Pi(tmp_path)
    install_from_card(pi, pi.source)
    assert pi.running.startswith("9.9-")
    assert pi.is_clear
    assert pi.path(BOOT).is_dir()
    for name, content in GAMES.items():
        assert (pi.path(places.DATA) / name).read_bytes() == content


def test_what_apt_left_half_done_is_finished_before_it_is_asked_again(tmp_path, monkeypatch):
    pi, asked = Pi(tmp_path), []
    monkeypatch.setattr(
        pi, "run", lambda *words, **_: asked.append(" ".join(map(str, words))) or ""
    )
    install_packages(pi, hotspot=False)
    begun = next(number for number, words in enumerate(asked) if "apt-get install" in words)
    assert "dpkg --configure -a" in " ".join(asked[:begun])
    assert "--fix-broken" in asked[begun]


def test_what_fails_is_told_and_tried_again_at_the_next_start(tmp_path):
    pi = Pi(tmp_path, "dead")
    with pytest.raises(InstallError):
        install_from_card(pi, pi.source)
    assert "did not prove itself" in json.loads(pi.path(PROGRESS).read_text())["fault"]
    assert not pi.is_clear
    (pi.source / "web/behaviour").write_text("works")
    pi.boot()
    install_from_card(pi, pi.source)
    assert pi.running
    assert pi.is_clear


def test_a_plug_that_is_pulled_in_any_step_is_made_up_for(tmp_path):
    for moment in range(1, 1000):
        pi = Pi(tmp_path / str(moment))
        pulled = pi.cut(moment, partial(install_from_card, pi, pi.source))
        pi.boot()
        install_from_card(pi, pi.source)
        assert pi.running.startswith("9.9-"), moment
        assert pi.is_clear, moment
        assert len(list(pi.path(places.VERSIONS).iterdir())) <= 2, moment
        if not pulled:
            break
    assert moment > 20


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    server = make_server(0, tmp_path / "progress.json", ROOT / "web/translations")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def load(url: str, language: str = "en") -> str:
    """Return the page, which must not count as an answer of the table."""
    asked = urllib.request.Request(url, headers={"Accept-Language": language})
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.urlopen(asked, timeout=10)
    with answer.value as page:
        assert page.code == 503
        return page.read().decode()


def tell(folder: Path, line: str = "", fault: str = "") -> None:
    (folder / "progress.json").write_text(json.dumps({"line": line, "fault": fault}))


def test_the_page_says_which_step_it_is_at(page, tmp_path):
    for line, step in (
        ("", "Packages of Raspberry Pi OS are loaded"),
        ("packages: python3-venv", "Packages of Raspberry Pi OS are loaded"),
        ("building 9.9", "The table is built"),
        ("checking it", "It is checked"),
        ("changing over; this takes two minutes", "It starts"),
    ):
        tell(tmp_path, line)
        assert f"<li aria-current=step>{step}</li>" in load(page)
        assert line in load(page)


def test_the_page_says_what_failed_and_what_helps(page, tmp_path):
    tell(tmp_path, fault="failed: apt-get update <b>")
    shown = load(page)
    assert "tries again by itself" in shown
    assert "Does the Pi have internet" in shown
    assert "apt-get update &lt;b&gt;" in shown
    assert "<li" not in shown


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("de, fr;q=0.5", "fr"), ("de", "en"), ("../fr", "en")],
)
def test_the_page_speaks_the_language_of_the_phone(page, accepted, language, tmp_path):
    shown = load(page, accepted)
    assert f'<html lang="{language}">' in shown
    assert ("La table s’installe" in shown) == (language == "fr")


def test_each_step_of_the_page_is_one_that_the_installer_tells():
    source = "".join(file.read_text() for file in (ROOT / "systemd/installer").glob("*.py"))
    for step in STEPS:
        assert f'say("{step}' in source or f'say(f"{step}' in source, step

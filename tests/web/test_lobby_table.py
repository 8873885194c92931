"""The host chooses in the lobby which dice the table reads, in plain words; it is remembered."""

import re
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from school import sets_in
from sites import Site

from companion.app.watching import dice_in_use
from companion.camera.setup_store import SetupStore
from companion.settings import Settings
from companion.setup.dice_sets import DiceSets
from web.play.narration import PagesNarration


def lobby(folder: Path, lesson: object = None, **sets: object) -> str:
    """The host's lobby; sets: of the sets of dice, what is another than usual."""
    usual = {"names": tuple, "others": lambda: ("pips", "print"), "used": "pips", "named": ""}
    teaching = SimpleNamespace(sets=SimpleNamespace(**usual | sets), lesson=lesson)
    return unescape(Site(folder, teaching=teaching).host.open("/seat").text)


def choices(page: str) -> list[tuple[str, str, bool]]:
    """The dice to choose from: what is pressed, the name, whether it is chosen."""
    found = re.findall(
        r'"/teach/choose" data-with="name=(.*?)" aria-pressed="(\w+)"><strong>(.*?)</strong>', page
    )
    return [(name, said, pressed == "true") for name, pressed, said in found]


def test_the_dice_are_chosen_in_the_lobby_in_plain_words(tmp_path):
    page = lobby(tmp_path, names=lambda: ("grandpa’s",), used="print")
    assert [(said, chosen) for _, said, chosen in choices(page)] == [
        ("Ordinary dice", False), ("Printed dice", True), ("grandpa’s", False),
    ]  # fmt: skip
    assert "1\N{NO-BREAK SPACE}arrow, 2\N{NO-BREAK SPACE}dynamite" in page


def test_a_set_that_the_settings_name_by_its_path_can_be_chosen(tmp_path):
    page = lobby(tmp_path, used="blue", named="/home/ann/blue.dice")
    assert choices(page)[0] == ("%2Fhome%2Fann%2Fblue.dice", "blue", True)
    assert "named in the settings file" in page


def test_without_a_camera_or_during_a_lesson_no_dice_are_offered(tmp_path):
    assert choices(Site(tmp_path / "blind").host.open("/seat").text) == []
    assert choices(lobby(tmp_path, lesson=object())) == []


def test_the_announcer_speaks_the_language_of_the_table(tmp_path):
    site = Site(tmp_path)
    spoken = PagesNarration("en")
    assert spoken.language(site.view) == "en"
    site.host.post("/game/language", language="fr")
    assert spoken.language(site.view) == "fr"


def in_use(folder: Path, named: str) -> str:
    return dice_in_use(Settings(data=folder, profile=named), SetupStore(folder))


@pytest.mark.parametrize("named", ["", "print"])
def test_the_settings_name_the_dice_until_the_host_chooses_others(tmp_path, named):
    chosen = "pips" if named else "print"
    assert in_use(tmp_path, named) == (named or "pips")
    _, reader = sets_in(tmp_path)
    DiceSets(tmp_path / "profiles", SetupStore(tmp_path), reader, named).use(chosen)
    # A host who edits the settings afterwards, or starts with --profile, means it.
    assert [in_use(tmp_path, each) for each in (named, "mine")] == [chosen, "mine"]


def test_a_set_that_is_gone_leaves_the_one_of_the_settings(tmp_path):
    (tmp_path / "setup.json").write_text('{"profile": "gone", "instead_of": "print"}')
    assert in_use(tmp_path, "print") == "print"

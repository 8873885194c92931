"""The host changes the settings file on a page of the Pi, and no secret leaves."""

import html
import json
import logging
import re
from pathlib import Path

import pytest
from cases import cases
from helped import Helped

from companion.settings import load
from companion.settings_file import read_sections, rewrite
from companion.setup.machine.helper import HelperPlaces, RootHelper
from companion.setup.machine.settings_editor import OUTCOMES, SettingsEditor

FILE = Path(__file__).with_name("owners.toml").read_text("utf-8")
CODE = "abcd-efgh-jkmn"


class Pi(Helped):
    """A table with a settings file. service: whether a service runs it, for which root writes."""

    shown = "/machine/settings"

    def __init__(self, folder: Path, *, service: bool) -> None:
        super().__init__(folder)
        self.file = folder / "settings.toml"
        self.file.write_text(FILE)
        self.furnish(self.places if service else None, self.file)

    def furnish(self, places: HelperPlaces | None, file: Path | None) -> None:
        helper = RootHelper(places)
        self.editor = SettingsEditor(self.site.table, file, helper, read_sections, rewrite)
        self.site.furnish(settings=self.editor)

    @property
    def digest(self) -> str:
        """Of the file, as the page names it."""
        found = re.search("digest=([0-9a-f]*)", self.page())
        return found[1] if found else ""

    def save(self, section: str, **given: str) -> int:
        """Send a form as the page shows it, with something else in it."""
        form = next((form for form in self.page().split("<form ")[1:]
                     if f'data-with="section={section}&' in form), "")  # fmt: skip
        fields = dict(re.findall(r'<input name="([^"]*)" value="([^"]*)"', form))
        fields |= dict(re.findall(r'type="number"[^>]* name="([^"]*)" value="([^"]*)"', form))
        fields |= dict.fromkeys(re.findall(r'name="([^"]*)" value="1" checked', form), "1")
        fields |= dict(re.findall(
            r'<select name="([^"]*)".*?<option value="([^"]*)" selected', form))  # fmt: skip
        fields |= {"section": section, "digest": self.digest}
        return self.press("save", **fields | given)

    @property
    def changes(self) -> object:
        """What root is asked to change; None: nothing."""
        return self.request and json.loads(self.request["changes"])


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path, service=True)


@pytest.fixture
def pc(tmp_path: Path) -> Pi:
    return Pi(tmp_path, service=False)


def test_root_is_asked_for_what_is_different_and_for_nothing_else(pi):
    assert "/machine/settings" in pi.site.host.open("/machine").text
    assert pi.save("", version="0", camera="usb:0") == 409
    assert pi.save("", camera="usb:0", learn="") == 204
    assert pi.changes == {"camera": "usb:0", "learn": False}
    assert pi.places.request.stat().st_mode & 0o777 == 0o600
    assert pi.file.read_text() == FILE
    assert "the table restarts with these settings" in pi.page()
    assert pi.editor.notice().startswith("The table restarts with other settings")
    assert pi.save("pins", **{"pins.green": "17"}) == 422
    assert pi.said.strip() == "nothing is different"


@pytest.mark.parametrize("fault", OUTCOMES)
def test_how_it_ended_is_told_also_by_the_table_that_comes_after_the_restart(pi, fault):
    # Root restarts it with what is to be saved, and can only then say how that ended.
    pi.tell(step="saving")
    pi.furnish(pi.places, pi.file)
    assert "the table restarts with these settings" in pi.page()
    pi.tell(fault=fault)
    assert OUTCOMES[fault] in pi.page()
    assert pi.editor.notice() == ""


def test_without_a_service_the_table_writes_the_file_itself(pc):
    pc.file.chmod(0o640)
    assert pc.save("pins", **{"pins.green": "5"}) == 204
    assert pc.file.read_text().startswith(FILE.partition("[mqtt]")[0])
    assert "# in the attic" in pc.file.read_text()
    assert pc.file.stat().st_mode & 0o777 == 0o640
    assert load(pc.file).pins.green == 5
    assert "from the next start" in pc.page()
    assert [path.name for path in pc.file.parent.glob("*settings*")] == ["settings.toml"]


def test_a_unit_that_an_update_puts_there_is_asked_from_then_on(pi):
    pi.places.waits.unlink()
    assert "from the next start" in pi.page()
    pi.places.waits.symlink_to("anything")
    assert pi.save("pins", **{"pins.green": "5"}) == 204
    assert pi.changes == {"pins.green": 5}
    assert pi.file.read_text() == FILE


def test_a_file_that_cannot_be_written_is_said_and_as_it_was(pc):
    # There is no room for the name of another file beside it.
    path = pc.file.rename(pc.file.with_name("x" * 250))
    pc.furnish(None, path)
    assert pc.save("pins", **{"pins.green": "5"}) == 503
    assert pc.said.startswith("the disk refuses: File name too long")
    assert path.read_text() == FILE
    assert "Saved" not in pc.page()


def test_a_file_that_is_gone_is_made_anew_and_one_behind_a_link_stays_behind_it(pc):
    elsewhere = pc.file.with_name("elsewhere.toml")
    pc.file.rename(elsewhere)
    pc.file.symlink_to(elsewhere)
    assert pc.save("sound", **{"sound.effects": "1"}) == 204
    assert pc.file.is_symlink()
    assert load(pc.file).sound.effects
    pc.file.unlink()
    elsewhere.unlink()
    assert pc.save("sound", **{"sound.announcer": "1"}) == 204
    assert pc.file.read_text() == "[sound]\nannouncer = true\n"


@pytest.mark.parametrize(("form", "said"), cases("setup/refused.txt", "In a form"))
def test_a_mistake_is_told_at_its_field_and_what_was_typed_stays(pi, form, said):
    section, _, fields = form.partition(" ")
    given = json.loads(fields)
    assert pi.save(section.removeprefix("table"), **given) == 422
    assert said in pi.said
    page = pi.site.host.open("/machine/settings").text
    key, typed = next(iter(given.items()))
    field = page[page.index(f'name="{key}"') :]
    assert 'aria-invalid="true"' in field[: field.index(">")]
    assert said[1:] in html.unescape(field[: field.index("</div>")])
    assert f'value="{html.escape(typed)}"' in field
    assert pi.request is None


def test_what_no_page_shows_cannot_be_sent(pi):
    assert pi.save("pins", port="81", data="/", **{"pins.green": "6", "mqtt.host": "mine"}) == 204
    assert pi.changes == {"pins.green": 6}
    for section in ("hall", "hotspot", "nonsense"):
        assert pi.save(section, **{f"{section}.name": "x", "code": CODE}) == 422


def test_secrets_are_on_no_page_in_no_log_and_stay_if_they_are_left_empty(pi, caplog):
    caplog.set_level(logging.INFO)
    assert "hush" not in pi.page()
    assert pi.save("mqtt", code=CODE, **{"mqtt.password": "sesame", "mqtt.host": "attic"}) == 204
    assert pi.changes == {"mqtt.password": "sesame", "mqtt.host": "attic"}
    assert pi.request is not None
    assert pi.request["code"] == CODE
    for text in (pi.page(), pi.site.phones[1].open("/seat").text, caplog.text):
        assert not re.search(f"sesame|hush|{CODE}", text)
    assert "mqtt.host = 'attic'" in caplog.text
    assert "mqtt.password is another" in caplog.text
    assert pi.save("mqtt", code=CODE, **{"mqtt.host": "attic"}) == 204
    assert pi.changes == {"mqtt.host": "attic"}
    given = {"forget mqtt.password": "1", "mqtt.user": "", "mqtt.host": "broker"}
    assert pi.save("mqtt", code=CODE, **given) == 204
    assert pi.changes == {"mqtt.user": "", "mqtt.password": ""}


def test_the_owners_things_need_a_code_that_only_root_can_check(pc):
    assert "Only the owner changes this" in pc.page()
    assert pc.save("mqtt", code=CODE, **{"mqtt.host": "mine"}) == 422
    assert pc.file.read_text() == FILE


def test_what_the_owner_edits_meanwhile_is_never_overwritten(pi):
    shown = pi.digest
    pi.file.write_text(FILE + "tls = true\n")
    assert pi.save("pins", digest=shown, **{"pins.green": "5"}) == 409
    assert "look again" in pi.said
    assert pi.request is None


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"camera = 0", "The settings file has a mistake"), (b"camera = ", "The settings file has"),
     (b"\xff", "not UTF-8"), (None, "The disk refuses")],
)  # fmt: skip
def test_a_file_with_a_mistake_is_said_and_left_alone(pi, content, said):
    pi.file.unlink()
    if content is None:
        pi.file.mkdir()
    else:
        pi.file.write_bytes(content)
    page = pi.page()
    assert said in page
    assert "<form" not in page
    assert pi.save("pins", **{"pins.green": "5"}) != 204
    assert pi.request is None


def test_a_table_without_a_file_says_so(pi):
    pi.furnish(None, None)
    assert "started without a settings file" in pi.page()
    assert pi.save("pins") == 422

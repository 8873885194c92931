"""The host changes the settings file on a page of the Pi; nobody else may, and no secret leaves."""

import html
import json
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from sites import Phone, Site
from waiting import wait_until

from companion.settings import load
from companion.settings_file import read_sections, rewrite
from companion.setup.machine.helper import HelperFollower, HelperPlaces, RootHelper
from companion.setup.machine.settings_editor import OUTCOMES, SettingsEditor

FILE = """# Ours.
port = 80

[mqtt]
host = "broker"  # in the attic
name = "corner"
user = "table"
password = "hush hush"
"""
CODE = "abcd-efgh-jkmn"


class Pi:
    """A table with a settings file. service: whether a service runs it, for which root writes."""

    def __init__(self, folder: Path, *, service: bool) -> None:
        self.site = Site(folder / "data")
        self.file = folder / "settings.toml"
        self.file.write_text(FILE)
        self.places = HelperPlaces(
            folder / "asked/settings", folder / "status.json", folder / "waits"
        )
        self.places.request.parent.mkdir()
        self.places.waits.symlink_to("anything")
        self.furnish(self.places if service else None)

    def furnish(self, places: HelperPlaces | None, file: Path | None = None) -> None:
        self.helper = RootHelper(places)
        self.editor = SettingsEditor(
            self.site.table, file or self.file, self.helper, read_sections, rewrite
        )
        self.site.furnish(settings=self.editor)

    def page(self) -> str:
        return html.unescape(self.site.host.open("/machine/settings").text)

    def save(self, section: str, phone: Phone | None = None, **given: str) -> int:
        """Send a form as the page shows it, with something else in it."""
        page = self.page()
        form = next((form for form in page.split("<form ")[1:]
                     if f'data-with="section={section}&' in form), "")  # fmt: skip
        fields = dict(re.findall(r'<input name="([^"]*)" value="([^"]*)"', form))
        fields |= dict(re.findall(r'type="number"[^>]* name="([^"]*)" value="([^"]*)"', form))
        fields |= dict.fromkeys(re.findall(r'name="([^"]*)" value="1" checked', form), "1")
        fields |= dict(re.findall(
            r'<select name="([^"]*)".*?<option value="([^"]*)" selected', form))  # fmt: skip
        digest = re.search("digest=([0-9a-f]*)", page)
        fields |= {"section": section, "digest": digest[1] if digest else ""}
        answer = (phone or self.site.host).post("/machine/settings/save", **fields | given)
        self.said = html.unescape(answer.text)
        return answer.status_code

    @property
    def request(self) -> Mapping[str, str] | None:
        path = self.places.request
        return json.loads(path.read_text()) if path.exists() else None

    def end(self, fault: str) -> None:
        """Let root come to its end."""
        assert self.request is not None
        self.places.status.write_text(json.dumps({"fault": fault}))
        self.places.request.unlink()


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[Pi]:
    made = Pi(tmp_path, service=True)
    yield made
    made.site.journal.close()


@pytest.fixture
def pc(tmp_path: Path) -> Iterator[Pi]:
    made = Pi(tmp_path, service=False)
    yield made
    made.site.journal.close()


def test_root_is_asked_for_what_is_different_and_for_nothing_else(pi: Pi) -> None:
    assert "/machine/settings" in pi.site.host.open("/machine").text
    assert pi.save("", camera="usb:0", learn="") == 204
    assert pi.request is not None
    assert json.loads(pi.request["changes"]) == {"camera": "usb:0", "learn": False}
    assert pi.places.request.stat().st_mode & 0o777 == 0o600
    assert pi.file.read_text() == FILE
    assert "the table restarts with these settings" in pi.page()
    assert pi.save("pins", **{"pins.green": "17"}) == 422
    assert pi.said.strip() == "nothing is different"


@pytest.mark.parametrize("fault", OUTCOMES)
def test_everybody_is_told_of_the_restart_and_the_host_how_it_ended(pi: Pi, fault: str) -> None:
    follower = HelperFollower("settings", pi.helper, pi.site.table, pi.editor.notice)
    follower.start()
    try:
        assert pi.save("sound", **{"sound.volume": "70"}) == 204
        wait_until(lambda: bool(pi.site.table.scene.troubles))
        stranger = html.unescape(pi.site.stranger.client.get("/table").text)
        assert "The table restarts with other settings" in stranger
        pi.end(fault)
        wait_until(lambda: not pi.site.table.scene.troubles)
    finally:
        follower.stop()
    assert OUTCOMES[fault] in pi.page()
    # The table that comes after the restart says so, too.
    pi.furnish(pi.places)
    assert OUTCOMES[fault] in pi.page()


def test_a_table_that_starts_while_root_is_at_work_says_so(pi: Pi) -> None:
    """Root restarts it with what is to be saved, and can only then say how that ended."""
    pi.places.status.write_text(json.dumps({"step": "saving"}))
    pi.furnish(pi.places)
    assert "the table restarts with these settings" in pi.page()
    pi.places.status.write_text(json.dumps({"fault": ""}))
    assert OUTCOMES[""] in pi.page()


def test_without_a_service_the_table_writes_the_file_itself(pc: Pi) -> None:
    pc.file.chmod(0o640)
    assert pc.save("pins", **{"pins.green": "5"}) == 204
    assert pc.file.read_text().startswith(FILE.partition("[mqtt]")[0])
    assert "# in the attic" in pc.file.read_text()
    assert pc.file.stat().st_mode & 0o777 == 0o640
    assert load(pc.file).pins.green == 5
    assert "from the next start" in pc.page()
    assert [path.name for path in pc.file.parent.glob("*settings*")] == ["settings.toml"]


def test_a_unit_that_an_update_puts_there_is_asked_from_then_on(pi: Pi) -> None:
    pi.places.waits.unlink()
    pi.furnish(pi.places)
    assert "from the next start" in pi.page()
    pi.places.waits.symlink_to("anything")
    assert pi.save("pins", **{"pins.green": "5"}) == 204
    assert pi.request is not None
    assert pi.file.read_text() == FILE


def test_a_file_that_cannot_be_written_is_said_and_as_it_was(pc: Pi) -> None:
    # There is no room for the name of another file beside it.
    path = pc.file.rename(pc.file.with_name("x" * 250))
    pc.furnish(None, path)
    assert pc.save("pins", **{"pins.green": "5"}) == 503
    assert pc.said.startswith("the disk refuses: File name too long")
    assert path.read_text() == FILE
    assert "Saved" not in pc.page()


def test_a_file_that_is_gone_is_made_anew_and_one_behind_a_link_stays_behind_it(pc: Pi) -> None:
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


@pytest.mark.parametrize(
    ("section", "given", "said"),
    [
        ("", {"camera": "/home"}, "choose one of the list"),
        ("", {"time_zone": "Mars"}, "'Mars' is not a time zone"),
        ("pins", {"pins.red": "28"}, "28 is not a GPIO pin"),
        ("pins", {"pins.red": ""}, "choose a whole number"),
        ("pins", {"pins.red": "-1"}, "choose a whole number"),
        ("sound", {"sound.volume": "0"}, "0 is not a volume"),
        ("mqtt", {"mqtt.name": "", "code": CODE}, "is needed to publish"),
        ("mqtt", {"mqtt.user": "", "code": CODE}, "a password needs a user"),
        ("mqtt", {"mqtt.host": "<b>" * 100, "code": CODE}, "choose up to 200 letters"),
    ],
)
def test_a_mistake_is_told_at_its_field_and_what_was_typed_stays(
    pi: Pi, section: str, given: dict[str, str], said: str
) -> None:
    assert pi.save(section, **given) == 422
    assert said in pi.said
    page = pi.site.host.open("/machine/settings").text
    key, typed = next(iter(given.items()))
    field = page[page.index(f'name="{key}"') :]
    assert 'aria-invalid="true"' in field[: field.index(">")]
    assert said[1:] in html.unescape(field[: field.index("</div>")])
    assert f'value="{html.escape(typed)}"' in field
    assert pi.request is None


def test_what_no_page_shows_cannot_be_sent(pi: Pi) -> None:
    assert pi.save("pins", port="81", data="/", **{"pins.green": "6", "mqtt.host": "mine"}) == 204
    assert pi.request is not None
    assert json.loads(pi.request["changes"]) == {"pins.green": 6}
    for section in ("hall", "hotspot", "nonsense"):
        assert pi.save(section, **{f"{section}.name": "x", "code": CODE}) == 422


def test_secrets_are_on_no_page_in_no_log_and_stay_if_they_are_left_empty(
    pi: Pi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert "hush" not in pi.page()
    assert pi.save("mqtt", code=CODE, **{"mqtt.password": "sesame", "mqtt.host": "attic"}) == 204
    assert pi.request is not None
    wanted = {"mqtt.password": "sesame", "mqtt.host": "attic"}
    assert json.loads(pi.request["changes"]) == wanted
    assert pi.request["code"] == CODE
    for text in (pi.page(), pi.site.phones[1].open("/seat").text, caplog.text):
        assert not re.search(f"sesame|hush|{CODE}", text)
    assert "mqtt.host = 'attic'" in caplog.text
    assert "mqtt.password is another" in caplog.text
    assert pi.save("mqtt", code=CODE, **{"mqtt.host": "attic"}) == 204
    assert json.loads(pi.request["changes"]) == {"mqtt.host": "attic"}
    given = {"forget mqtt.password": "1", "mqtt.user": "", "mqtt.host": "broker"}
    assert pi.save("mqtt", code=CODE, **given) == 204
    assert json.loads(pi.request["changes"]) == {"mqtt.user": "", "mqtt.password": ""}


def test_nobody_else_sees_or_changes_a_setting(pi: Pi) -> None:
    for phone in (pi.site.phones[1], pi.site.stranger):
        assert phone.client.get("/machine/settings").status_code in (302, 303, 403)
        assert phone.client.get("/live/settings").status_code in (302, 303, 403)
        assert pi.save("pins", phone, **{"pins.green": "5"}) in (302, 303, 403)
    forged = pi.site.host.client.post("/machine/settings/save", data=pi.site.now,
                                      headers={"X-Page": "0" * 64})  # fmt: skip
    assert forged.status_code == 403
    assert pi.request is None


def test_the_owners_things_need_a_code_that_only_root_can_check(pc: Pi) -> None:
    assert "Only the owner changes this" in pc.page()
    assert pc.save("mqtt", code=CODE, **{"mqtt.host": "mine"}) == 422
    assert pc.file.read_text() == FILE


def test_what_the_owner_edits_meanwhile_is_never_overwritten(pi: Pi) -> None:
    pi.page()
    digest = re.search("digest=([0-9a-f]*)", pi.page())
    assert digest is not None
    pi.file.write_text(FILE + "tls = true\n")
    assert pi.save("pins", digest=digest[1], **{"pins.green": "5"}) == 409
    assert "look again" in pi.said
    assert pi.request is None


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"camera = 0", "The settings file has a mistake"), (b"camera = ", "The settings file has"),
     (b"\xff", "not UTF-8"), (None, "The disk refuses")],
)  # fmt: skip
def test_a_file_with_a_mistake_is_said_and_left_alone(
    pi: Pi, content: bytes | None, said: str
) -> None:
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


def test_a_table_without_a_file_says_so(pi: Pi) -> None:
    pi.site.furnish(
        settings=SettingsEditor(pi.site.table, None, RootHelper(None), read_sections, rewrite)
    )
    assert "started without a settings file" in pi.page()
    assert pi.save("pins") == 422

"""Translations: catalogues complete and well set, and no text of a page that passes them by."""

import ast
import random
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from gettext import translation as compiled_catalogue
from itertools import chain, count, cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo
from page_scenes import page_words
from scenes import Words
from school import PICTURES, Class
from sites import NAMES, Site
from test_page_scenes import SCENES
from tiers import later
from wording import Texts, ill_set

import companion.games.cards.terms as card_terms
import companion.games.dice.terms as dice_terms
from companion.camera.camera_lock import LockState
from companion.camera.empty_tray import EmptyTrayState
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.terms import LANGUAGES
from companion.games.terms import read_terms
from companion.setup.aiming import SetupView
from companion.table.scene import Phase
from docs.generate.translations import ROOT, catalogues, compiled, extracted, read
from vision.cards.capture import CardFlaw
from vision.dice.advice import Advice, Fault, Region
from vision.dice.teach import DieFlaw
from vision.imaging.crop import Crop
from web.i18n import CATALOGUES
from web.language import NAMES as LANGUAGE_NAMES
from web.live import draw_page
from web.serving.server import MAX_BODY
from web.setup.advice import setup_page
from web.teaching.lesson import FLAWS

WEB = ROOT / "web"
FRENCH = WEB / "translations/fr/LC_MESSAGES/messages.po"
PLACE = r"%\(\w+\)s|\{\w+\}"
TAG = r"<[^>]+>"

every_catalogue = pytest.mark.parametrize(
    "path", catalogues(), ids=lambda path: path.parent.parent.name
)


def forms(message: Message) -> list[tuple[str, str]]:
    """Each form of a message, with its translation: one, or one for each plural."""
    if isinstance(message.string, str):
        return [(message.id, message.string)]
    one, many = message.id
    return [(many if number else one, text) for number, text in enumerate(message.string)]


def texts(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


# Complete


def test_there_is_a_catalogue_for_each_language_but_english():
    assert {path.parent.parent.name for path in catalogues()} == set(LANGUAGES) - {"en"}
    assert set(LANGUAGE_NAMES) == set(LANGUAGES)


@every_catalogue
def test_a_catalogue_holds_every_text_of_the_sources_and_no_other(path):
    known = {str(message.id) for message in texts(read(path))}
    needed = {str(message.id) for message in texts(extracted())}
    assert (needed - known, known - needed) == (set(), set()), "run: make translations"


@every_catalogue
def test_every_text_is_translated_for_certain(path):
    catalogue = read(path)
    for message in texts(catalogue):
        assert not message.fuzzy, message.id
        assert all(text.strip() for _, text in forms(message)), message.id
        assert len(forms(message)) == (catalogue.num_plurals if message.pluralizable else 1)


@every_catalogue
def test_what_the_table_reads_is_what_the_catalogue_says(path):
    with path.with_suffix(".mo").open("rb") as file:
        compiled_texts, written = (
            sorted(chain.from_iterable(map(forms, texts(each))))
            for each in (read_mo(file), read(path))
        )
    assert compiled_texts == written, "run: make translations"
    assert compiled(read(path))


@every_catalogue
def test_a_translation_has_the_places_and_the_markup_of_its_text(path):
    for message in texts(read(path)):
        for text, translation in forms(message):
            for part in (PLACE, TAG):
                assert sorted(re.findall(part, translation)) == sorted(re.findall(part, text))
            assert re.sub(f"{PLACE}|%%", "", translation).count("%") == 0, translation


# Well set


def test_french_texts_are_set_as_french_is_and_address_everybody_alike():
    for message in texts(read(FRENCH)):
        for text, translation in forms(message):
            assert not re.search(r"\b(tu|toi|ton|ta|tes)\b", translation, re.IGNORECASE)
            said = re.sub(TAG, "", translation)
            assert not ill_set(re.sub(r"%\((name|sentence)\)s", "{who}", said)), translation
            if not re.match(PLACE, text) and not re.match(PLACE, said):
                assert text[0].isupper() == said[0].isupper(), translation
            ends = ".!?…"
            assert (text[-1] in ends) == (said[-1] in ends), translation


def test_what_is_the_same_in_french_is_meant_to_be():
    pairs = chain.from_iterable(map(forms, texts(read(FRENCH))))
    assert {text for text, translation in pairs if text == translation} == {
        "%(cards)s (%(name)s)", "%(hertz)s hertz", "%(num)s table", "%(num)s tables", "Android",
        "Code", "HTTPS", "iPhone, iPad", "Options", "Points", "Tables", "The Walking Dead",
        "Version %(number)s", "Volume", "Wi-Fi",
    }  # fmt: skip


# Nothing passes them by


@pytest.mark.parametrize("package", ["companion", "web"])
def test_a_text_to_be_translated_has_nothing_written_into_it(package):
    names, found = {"gettext", "ngettext", "lazy_gettext", "Message", "Refused"}, 0
    for path in (ROOT / package).rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in names:
                found += 1
                # The first argument of Refused is a problem.
                for text in call.args[: 1 + (call.func.id == "Refused")]:
                    assert not isinstance(text, ast.JoinedStr | ast.BinOp), f"{path}:{text.lineno}"
    assert found > 20


OWN = {"Bang companion", *LANGUAGE_NAMES.values()}
RANKS = r"\b[AJQK]\b"
"""What is the same in every language; ranks are those on the cards."""


def own_texts(site: Site, template: str) -> list[str]:
    """What a template says that isn't marked for translation."""
    parts, translated = [], False
    for _, kind, value in site.app.jinja_env.lex(template):
        if kind == "name" and value in ("trans", "endtrans"):
            translated = value == "trans"
        elif kind == "data" and not translated:
            parts.append(value)
    found = []
    for text in Texts("".join(parts)).found:
        for own in OWN:
            text = text.replace(own, "")
        if re.search(r"[^\W\d_]", text):
            found.append(text.strip())
    return found


def test_a_template_has_no_text_of_its_own(site):
    templates = sorted(WEB.glob("**/*.html"))
    assert len(templates) > 50
    found = {path: own_texts(site, path.read_text(encoding="utf-8")) for path in templates}
    assert not any(found.values()), {path: texts for path, texts in found.items() if texts}
    planted = '<p title="Aim">{% trans %}Go{% endtrans %} {{ _("on") }} Stop</p>'
    assert own_texts(site, planted) == ["Aim", "Stop"]


def test_scripts_say_nothing_by_themselves():
    scripts = list(WEB.glob("static/scripts/*.js"))
    assert scripts
    for path in scripts:
        script = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for text in re.findall(r'"([^"\n]*)"', script):
            assert not re.match(r"[A-Z]?[a-z’']+ [a-z’' ]+[.!?]?$", text), text


# Pages in a language in which every text is marked


def marked(text: str) -> str:
    """A text in which all but the places and the markup stands in ⟦ ⟧."""
    parts = re.split(f"({PLACE}|{TAG})", text)
    return "".join(
        part if number % 2 or not part.strip() else f"⟦{part}⟧" for number, part in enumerate(parts)
    )


def marked_terms(part: Any) -> Any:
    """A table of terms, marked; places are filled as in any other."""
    if isinstance(part, str):
        return marked(part)
    if is_dataclass(part):
        return replace(part, **{f.name: marked_terms(getattr(part, f.name)) for f in fields(part)})
    if isinstance(part, Mapping):
        return {key: marked_terms(value) for key, value in part.items()}
    parts = [marked_terms(value) for value in part]
    return type(part)(*parts) if hasattr(part, "_fields") else tuple(parts)


def unmarked(page: str, site: Site) -> set[str]:
    """The words of a page that no catalogue and no table of terms knows."""
    left = set()
    people = (person.name for person in site.view.people)
    own = {*OWN, *NAMES, *people, site.table.scene.code, "localhost", "http", "code"}
    for text in Texts(page).found:
        while text != (inner := re.sub("⟦[^⟦⟧]*⟧", " ", text)):
            text = inner
        for name in own:
            text = text.replace(name, "")
        text = re.sub(RANKS, "", text)
        if re.search(r"[^\W\d_]", text):
            left.add(" ".join(text.split()))
    return left


@pytest.fixture(scope="session")
def marks(tmp_path_factory) -> Path:
    """A folder of catalogues: French in which every text is marked."""
    folder = tmp_path_factory.mktemp("marks")
    catalogue = read(FRENCH)
    for message in texts(catalogue):
        # French has as many plurals as English.
        plural = message.pluralizable
        message.string = tuple(map(marked, message.id)) if plural else marked(message.id)
    file = folder / "fr/LC_MESSAGES/messages.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(catalogue))
    return folder


@pytest.fixture
def open_site(tmp_path, marks, monkeypatch):
    """Opens a table whose pages are in the marked language."""

    def read_marked(kind: type, *files: Path) -> Any:
        found = read_terms(kind, *files)
        return marked_terms(found) if files[-1].stem.endswith("fr") else found

    kept = (dice_terms.edition_terms, card_terms.terms)
    for module, read_once in zip((dice_terms, card_terms), kept, strict=True):
        monkeypatch.setattr(module, "read_terms", read_marked)
        read_once.cache_clear()
    folders = map(str, count())

    def make(*args, **options) -> Site:
        made = Site(tmp_path / next(folders), *args, language="fr", **options)
        made.app.extensions[CATALOGUES]["fr"] = compiled_catalogue("messages", marks, ["fr"])
        return made

    yield make
    for read_once in kept:
        read_once.cache_clear()


def check(site: Site, *seats: int) -> None:
    """The pages of some phones, as they are now, and those for everybody."""
    pages = {f"{seat}": site.phones[seat].open() for seat in {0, *seats}}
    pages |= {path: site.stranger.open(path) for path in ("/", "/table", "/story")}
    for name, page in pages.items():
        assert page.status_code == 200
        assert unmarked(page.text, site) == set(), name


class MarkedWords(Words):
    """Words of scenes that hold one thing: nothing on any page is untranslated."""

    def go_on(self, states: list[Any], done: str, follows: str) -> list[Any]:
        if not follows.startswith("refused: "):
            return super().go_on(states, done, follows)
        for moment in states:
            refusal = self.refused(moment, done)
            # What no page sends is refused in English.
            if not refusal.startswith("400"):
                assert unmarked(f"<p>{refusal}</p>", moment.played.table) == set()
        return []

    def hold(self, states: list[Any], follows: str) -> list[Any]:
        for moment in states:
            check(moment.played.table, 1 % len(moment.played.table.phones), -1)
        return states


@pytest.mark.tables
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_no_page_of_a_scene_says_anything_untranslated(open_site, scene):
    scene.check(MarkedWords(*page_words(open_site)))


def test_marks_are_found_missing(open_site):
    site = open_site()
    page = site.host.open("/seat").text
    assert "⟦You are the host.⟧" in page
    assert unmarked(page.replace("⟦You are the host.⟧", "You are already the host."), site)
    assert unmarked('<p title="Oh">⟦That ⟧Ann⟦ did.⟧</p>', site) == {"Oh"}
    assert unmarked("<p>⟦No camera (⟧unplugged⟦)⟧</p>", site) == {"unplugged"}


SOME_RULES = frozenset(HouseRule) - {HouseRule.FALLEN_KEEP_PLACES}
"""As many as go together."""


@pytest.mark.tables
@pytest.mark.parametrize(
    ("ruleset", "people", "seed"),
    [("base", 6, 1), ("walking-dead", 3, 2), *later(("walking-dead", 5, 3))],
)
def test_a_game_says_nothing_untranslated(open_site, ruleset, people, seed):
    chance = random.Random(seed)
    site = open_site(
        "x" * people,
        phones=people - 1,
        chance=random.Random(seed),
        ruleset=ruleset,
        settings={"house_rules": SOME_RULES, "ask_always": True},
    ).start()
    asked = set()
    for _ in range(400):
        if site.view.phase is not Phase.PLAYING:
            break
        action = site.view.question.action
        # Each question in full; of rolls only some.
        if action is not Action.ROLL or chance.random() < 0.1:
            asked.add(action)
            check(site, site.view.question.seat % len(site.phones))
        site.play_on(chance)
    check(site, *range(len(site.phones)))
    assert len(asked) > 2


def test_the_pages_of_the_camera_say_nothing_untranslated(open_site):
    site = open_site()
    view = site.table.view(site.view.people[0].id)

    def shown(template: str, **known: object) -> str:
        with site.app.test_request_context("/"):
            return draw_page(template, view, known, proved="page")

    def sight(dice: int, sure: int, *advice: Advice) -> SimpleNamespace:
        return SimpleNamespace(dice=dice, sure=sure, advice=advice)

    advice = (Advice(fault, side, 9, 12) for fault in Fault for side in (*Region, None))
    seen = (sight(5, 5), sight(5, 4), sight(5, 3), sight(1, 1), sight(3, 3))
    sights = [None, *seen, *(sight(0, 0, one) for one in advice)]
    for each, lock, tray in zip(sights, cycle(LockState), cycle(EmptyTrayState), strict=False):
        with site.app.test_request_context("/"):
            page = setup_page(SetupView(True, each, lock, 50, tray, 0))
        assert unmarked(shown("setup", shown=page), site) == set()
    assert unmarked(shown("setup", shown=None), site) == set()


@pytest.mark.tables
def test_lessons_say_nothing_untranslated(open_site):
    lesson = Class(open_site())
    host, school = lesson.site.host, lesson.school

    def do(what: str, **fields: object) -> None:
        lesson.do(what, **fields)
        check_page()

    def check_page() -> None:
        assert unmarked(host.open("/teach").text, lesson.site) <= {"pips", "print"}

    check_page()
    lesson.begin("Ann")
    for flaw in DieFlaw:
        school.shown = Crop(None, flaw)
        do("take")
        school.shown = Crop(PICTURES["beer"][0], flaw)
        do("take")
        lesson.do("face", face="arrow", anew=1)
    school.shown = None
    lesson.see(True)
    check_page()
    for _ in range(6):
        do("take")
    lesson.do("face", face="arrow", anew=1)
    lesson.show_all()
    check_page()
    for what in ("check", "use"):
        do(what)
    lesson.shared.close()
    assert {*DieFlaw, *CardFlaw} == set(FLAWS) - {""}


def test_what_is_too_much_is_refused_with_nothing_untranslated(open_site):
    site = open_site()
    for answer in (
        site.host.post("/people/add", name="x" * MAX_BODY),
        site.stranger.client.post("/language"),
        *(site.stranger.send("/join", {"name": "Eve", "code": "?"}) for _ in range(12)),
    ):
        assert answer.status_code >= 400
        assert unmarked(f"<p>{answer.text}</p>", site) == set(), answer.text

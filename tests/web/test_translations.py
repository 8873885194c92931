"""Translations: catalogues complete and well set, and no text of a page that passes them by."""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from gettext import translation as compiled_catalogue
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo
from school import PICTURES, Class
from sites import NAMES, Phone, Site
from stand_ins import Die, reading
from tiers import later
from wording import Texts, ill_set

import companion.games.dice.terms as tables
from companion.camera.camera_lock import LockState
from companion.camera.empty_tray import EmptyTrayState
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.rulesets import Edition
from companion.games.dice.terms import LANGUAGES, DiceTerms
from companion.setup.aiming import SetupView
from companion.table.scene import CameraStatus, Phase, SimulatedTray
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
def test_a_catalogue_holds_every_text_of_the_sources_and_no_other(path: Path):
    known = {str(message.id) for message in texts(read(path))}
    needed = {str(message.id) for message in texts(extracted())}
    assert (needed - known, known - needed) == (set(), set()), "run: make translations"


@every_catalogue
def test_every_text_is_translated_for_certain(path: Path):
    catalogue = read(path)
    for message in texts(catalogue):
        assert not message.fuzzy, message.id
        assert all(text.strip() for _, text in forms(message)), message.id
        assert len(forms(message)) == (catalogue.num_plurals if message.pluralizable else 1)


@every_catalogue
def test_what_the_table_reads_is_what_the_catalogue_says(path: Path):
    with path.with_suffix(".mo").open("rb") as file:
        read_by_the_table = sorted(
            form for message in texts(read_mo(file)) for form in forms(message)
        )
    said = sorted(form for message in texts(read(path)) for form in forms(message))
    assert read_by_the_table == said, "run: make translations"
    assert compiled(read(path))


@every_catalogue
def test_a_translation_has_the_places_and_the_markup_of_its_text(path: Path):
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
    same = {
        text
        for message in texts(read(FRENCH))
        for text, translation in forms(message)
        if text == translation
    }
    assert same == {
        "%(cards)s (%(name)s)", "%(hertz)s hertz", "%(num)s table", "%(num)s tables", "Android",
        "Code", "HTTPS", "iPhone, iPad", "Options", "Points", "Tables", "The Walking Dead",
        "Version %(number)s", "Volume", "Wi-Fi",
    }  # fmt: skip


# Nothing passes them by


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The texts of a module that are to be translated, with the names of the calls."""
    places = {"Refused": 1}
    names = {"gettext", "ngettext", "lazy_gettext", "Message", "Refused"}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names:
            place = places.get(call.func.id, 0)
            if len(call.args) > place:
                yield call.func.id, call.args[place]


@pytest.mark.parametrize("package", ["companion", "web"])
def test_a_text_to_be_translated_has_nothing_written_into_it(package: str):
    found = 0
    for path in (ROOT / package).rglob("*.py"):
        for name, text in calls(ast.parse(path.read_text(encoding="utf-8"))):
            found += 1
            assert not isinstance(text, ast.JoinedStr | ast.BinOp), f"{path}:{text.lineno}: {name}"
    assert found > 20


OWN = {"Bang companion", *LANGUAGE_NAMES.values()}
"""What is the same in every language."""


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


def test_a_template_has_no_text_of_its_own(site: Site):
    templates = sorted(WEB.glob("**/*.html"))
    assert len(templates) > 50
    found = [
        f"{path.relative_to(WEB)}: {text}"
        for path in templates
        for text in own_texts(site, path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)
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
    own = {*OWN, *NAMES, site.table.scene.code, "localhost", "http", "code"}
    for text in Texts(page).found:
        while text != (inner := re.sub("⟦[^⟦⟧]*⟧", " ", text)):
            text = inner
        for name in own:
            text = text.replace(name, "")
        if re.search(r"[^\W\d_]", text):
            left.add(" ".join(text.split()))
    return left


@pytest.fixture(scope="session")
def marks(tmp_path_factory) -> Path:
    """A folder of catalogues: French in which every text is marked."""
    folder = tmp_path_factory.mktemp("marks")
    catalogue = read(FRENCH)
    for message in texts(catalogue):
        message.string = (
            tuple(marked(message.id[min(n, 1)]) for n in range(catalogue.num_plurals))
            if message.pluralizable
            else marked(message.id)
        )
    file = folder / "fr/LC_MESSAGES/messages.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(catalogue))
    return folder


@pytest.fixture
def open_site(tmp_path, marks, monkeypatch):
    """Opens a table whose pages are in the marked language."""
    terms = tables.edition_terms

    def marked_french(edition: Edition, language: str) -> DiceTerms:
        found = terms(edition, language)
        return marked_terms(found) if language == "fr" else found

    monkeypatch.setattr(tables, "edition_terms", marked_french)
    folders = map(str, count())

    def make(*args, **options) -> Site:
        made = Site(tmp_path / next(folders), *args, language="fr", **options)
        made.app.extensions[CATALOGUES]["fr"] = compiled_catalogue("messages", marks, ["fr"])
        return made

    return make


def check(site: Site) -> None:
    """Everybody's pages, as they are now."""
    pages = {f"{seat}": phone.open("/seat") for seat, phone in enumerate(site.phones)}
    pages |= {path: site.stranger.open(path) for path in ("/", "/?code=XXXX", "/table", "/story")}
    for name, page in pages.items():
        assert page.status_code == 200
        assert unmarked(page.text, site) == set(), name


def test_marks_are_found_missing(open_site):
    site = open_site()
    page = site.host.open("/seat").text
    assert "⟦You are the host.⟧" in page
    assert unmarked(page.replace("⟦You are the host.⟧", "You are already the host."), site)
    assert unmarked('<p title="Oh">⟦That ⟧Ann⟦ did.⟧</p>', site) == {"Oh"}
    assert unmarked("<p>⟦No camera (⟧unplugged⟦)⟧</p>", site) == {"unplugged"}


@pytest.mark.tables
def test_a_lobby_says_nothing_untranslated(open_site):
    first = Phone(open_site(""))
    first.open()
    site = open_site("srodo", phones=3, settings={"house_rules": SOME_RULES})
    check(site)
    for option, value in (("roles", "cards"), ("characters", "choice"), ("characters", "cards"),
                          ("roles", "dealt"), ("sheriff", "turn")):  # fmt: skip
        assert site.host.post("/game/options", option=option, value=value).status_code == 204
        check(site)


SOME_RULES = frozenset(HouseRule) - {HouseRule.FALLEN_KEEP_PLACES}
"""As many as go together."""


@pytest.mark.parametrize("roles", ["dealt", "cards"])
@pytest.mark.parametrize("characters", ["choice", "cards"])
def test_dealing_says_nothing_untranslated(open_site, roles, characters):
    site = open_site("srod", phones=3)
    site.host.post("/game/options", option="roles", value=roles)
    site.host.post("/game/options", option="characters", value=characters)
    site.start()
    check(site)
    round = site.view.dealing.round
    # All the same: everybody must enter again.
    for seat in range(4):
        phone = site.phones[seat] if seat < 3 else site.host
        entry = site.table.view(phone_person(site, min(seat, 3) % 3 if seat < 3 else 0))
        offers = entry.dealing.to_enter[seat]
        fields = {"seat": seat, "round": round}
        if offers.roles:
            fields["role"] = offers.roles[0]
        if offers.characters:
            fields["character"] = offers.characters[0]
        phone.post("/cards/enter", **fields)
        check(site)
    if roles == "cards":
        assert site.view.dealing.wrong


def phone_person(site: Site, seat: int) -> int:
    return site.view.people[seat].id


def test_seats_on_other_phones_say_nothing_untranslated(open_site):
    site = open_site()
    new = Phone(site)
    assert new.ask("/seat/claim", person=phone_person(site, 1)).status_code == 303
    check(site)
    assert unmarked(new.open("/").text, site) == set()
    claim = site.table.view(phone_person(site, 0)).requests.claims[0]
    site.host.post("/seat/answer", claim=claim.number, yes=1)
    check_open(site)
    site.phones[2].post("/host/bid")
    check_open(site)
    site.phones[3].post("/host/vote", person=phone_person(site, 2), yes=1)
    site.host.post("/host/vote", person=phone_person(site, 2), yes=1)
    check_open(site)


def check_open(site: Site) -> None:
    """The pages of those who have one."""
    for phone in site.phones:
        assert unmarked(phone.open("/").text, site) == set()


THROWN = [Die("beer", 100.0 * number) for number in range(5)]
DOUBTFUL = [Die("beer", 100.0 * n, sure=n > 1, likely=("beer", "arrow")) for n in range(5)]
AGAIN = [Die("arrow", 100.0 * number, 300.0) for number in range(5)]

SEEN = [
    ("empty", []), ("moving", []), ("blocked", []), ("too_near", []), ("cocked", THROWN),
    ("ok", THROWN), ("ok", AGAIN), ("unsure", DOUBTFUL), ("unsure", [*DOUBTFUL[:1], *THROWN[1:]]),
    *(("count", THROWN[:count]) for count in (4, 3, 1)),
]  # fmt: skip
"""What a camera may say of the tray."""


def check_some(site: Site, seat: int) -> None:
    """The pages that differ most: of a seat, of the host, and for everybody."""
    for phone in {site.host, site.phones[seat % len(site.phones)]}:
        assert unmarked(phone.live("seat"), site) == set()
    for page in ("table", "story"):
        assert unmarked(site.stranger.live(page), site) == set()


@pytest.mark.tables
@pytest.mark.parametrize("rolled", [False, True])
def test_the_tray_says_nothing_untranslated(open_site, rolled):
    site = open_site("soro", phones=3).start()
    if rolled:
        site.roll("arrow", "beer", "dynamite", "gatling", "beer")
    for verdict, dice in SEEN:
        site.table.see(reading(verdict, dice))
        check_some(site, 1)
        # Both buttons, so that each refusal of theirs is shown too.
        if verdict != "ok":
            site.table.press_green()
            check_some(site, 1)
        if verdict != "empty":
            site.table.press_red()
            check_some(site, 1)
    if site.view.rolling:
        site.table.watch(CameraStatus("simulated", tray=SimulatedTray()))
        check_some(site, 1)
        site.host.post("/dice/pick", die=1)
        check_some(site, 1)
        site.table.watch(CameraStatus("none"))
        check_some(site, 1)
        site.host.post("/dice/by-hand")
        site.host.post("/dice/mark", die=0, face="beer")
        check_some(site, 1)


@pytest.mark.tables
@pytest.mark.parametrize(
    ("ruleset", "people", "seed"),
    [("base", 6, 1), ("walking-dead", 3, 2), *later(("walking-dead", 5, 3))],
)
def test_a_game_says_nothing_untranslated(open_site, ruleset, people, seed):
    chance = random.Random(seed)
    settings = {"house_rules": SOME_RULES, "ask_always": True}
    site = open_site(
        "x" * people,
        phones=people - 1,
        chance=random.Random(seed),
        ruleset=ruleset,
        settings=settings,
    ).start()
    asked = set()
    for _ in range(400):
        if site.view.phase is not Phase.PLAYING:
            break
        action = site.view.question.action
        # Each question in full; of rolls only some.
        if action is not Action.ROLL or chance.random() < 0.1:
            asked.add(action)
            check_some(site, site.view.question.seat)
        site.play_on(chance)
        if chance.random() < 0.05 and site.table.view(phone_person(site, 0)).to_undo:
            site.host.post("/game/undo")
            check_some(site, 0)
            if site.view.lying:
                site.table.press_red()
    check(site)
    assert len(asked) > 2


def test_the_pages_of_the_camera_say_nothing_untranslated(open_site):
    site = open_site()
    view = site.table.view(phone_person(site, 0))

    def shown(template: str, **known: object) -> str:
        with site.app.test_request_context("/"):
            return draw_page(template, view, known, proved="page")

    class Sight(NamedTuple):
        dice: int
        sure: int
        advice: tuple[Advice, ...] = ()

    advice = (Advice(fault, side, 9, 12) for fault in Fault for side in (*Region, None))
    seen = (Sight(5, 5), Sight(5, 4), Sight(5, 3), Sight(1, 1), Sight(3, 3))
    sights = [None, *seen, *(Sight(0, 0, (one,)) for one in advice)]
    for number, sight in enumerate(sights):
        locks, trays = list(LockState), list(EmptyTrayState)
        lock, tray = locks[number % len(locks)], trays[number % len(trays)]
        with site.app.test_request_context("/"):
            page = setup_page(SetupView(True, sight, lock, 50, tray, 0))
        assert unmarked(shown("setup", shown=page), site) == set()
    assert unmarked(shown("setup", shown=None), site) == set()


@pytest.mark.tables
def test_lessons_say_nothing_untranslated(open_site):
    lesson = Class(open_site())
    host, school = lesson.site.host, lesson.school

    def check_page() -> None:
        assert unmarked(host.open("/teach").text, lesson.site) <= {"pips", "print"}

    check_page()
    lesson.begin("Ann")
    for flaw in DieFlaw:
        school.shown = Crop(None, flaw)
        lesson.do("take")
        check_page()
        school.shown = Crop(PICTURES["beer"][0], flaw)
        lesson.do("take")
        check_page()
        lesson.do("face", face="arrow", anew=1)
    school.shown = None
    lesson.see(True)
    check_page()
    for _ in range(6):
        lesson.do("take")
        check_page()
    lesson.do("face", face="arrow", anew=1)
    lesson.show_all()
    check_page()
    lesson.do("check")
    check_page()
    lesson.do("use")
    check_page()
    lesson.shared.close()
    assert {*DieFlaw, *CardFlaw} == set(FLAWS) - {""}, (
        "a reader finds no flaw that pages don't know"
    )


def test_refusals_say_nothing_untranslated(open_site):
    site = open_site("srod", phones=3)
    answers = [
        site.stranger.post("/game/start"),
        site.phones[1].post("/game/start"),
        site.stranger.client.post("/language"),
        site.stranger.send("/join", {"name": "Bob", "code": "?"}),
        site.stranger.send("/join", {"name": "Bob", "code": site.table.scene.code}),
        site.stranger.send("/join", {"name": "x" * 30, "code": site.table.scene.code}),
        site.stranger.client.get("/record"),
        site.stranger.client.get("/live/nothing"),
        site.stranger.client.get("/nothing"),
        site.stranger.client.get("/language"),
        site.host.post("/people/add", name="x" * MAX_BODY),
        site.host.post("/game/undo"),
        site.host.post("/people/remove", person=99),
        site.host.send("/game/start", {"version": 0}),
        site.host.post("/game/options", option="roles", value="none"),
        *(site.stranger.send("/join", {"name": "Eve", "code": "?"}) for _ in range(12)),
    ]
    for answer in answers:
        assert answer.status_code >= 400
        assert unmarked(f"<p>{answer.text}</p>", site) == set(), answer.text

"""The pages without a browser: who may ask for what, what is refused, what stays secret."""

import dataclasses
import random
import re
from html import unescape
from urllib.parse import parse_qs, urlencode

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import ROOT
from random_games import KINDS
from sites import Phone, Site, endpoints, finish, first_load, reason
from tiers import later
from wording import OWN, Texts

from companion.games.cards.rules.titles import Suit, Title
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.record import replay
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS, Edition
from companion.games.dice.terms import terms
from companion.settings import Settings
from companion.table.scene import Phase, Signal, Trouble
from web.access import For, Throttle, audience, guard
from web.games.cards.board import drawing_of
from web.games.dice.board import ability_changes
from web.serving.refusals import JOINS
from web.serving.server import MAX_BODY
from web.serving.stream import Broadcast

pytestmark = pytest.mark.tables

WEB = ROOT / "web"


@pytest.fixture
def playing(site) -> Site:
    return site.start()


# Who may ask for what


def test_an_app_with_an_endpoint_of_no_audience_does_not_start():
    app = Flask(__name__, static_folder=None)
    app.add_url_rule("/open", "open", audience(For.EVERYBODY)(lambda: ""))
    app.add_url_rule("/secret", "secret", lambda: "")
    with pytest.raises(RuntimeError, match="endpoint secret does not say for whom it is"):
        guard(app)


def test_every_press_is_for_its_audience_alone(playing):
    presses = endpoints(playing, "POST")
    for path, who in presses.items():
        if who is not For.EVERYBODY:
            assert reason(playing.stranger.post(path), 403) == (
                "this phone has no seat at the table"
            ), path
        if who is For.HOST:
            assert reason(playing.phones[1].post(path), 403) == ("only the host can do that"), path
    assert {path for path, who in presses.items() if who is For.EVERYBODY} == {
        "/join",
        "/language",
        "/queue/leave",
        "/seat/claim",
        "/seat/withdraw",
    }


def test_every_page_is_for_its_audience_alone(playing):
    for path, who in endpoints(playing, "GET").items():
        if who is not For.EVERYBODY:
            assert playing.stranger.client.get(path).location == "/", path
        if who is For.HOST:
            assert reason(playing.phones[1].client.get(path), 403) == "only the host can do that"


def test_every_press_proves_its_page(playing):
    version = playing.view.version
    for path in endpoints(playing, "POST"):
        for proof in ("", "0" * 64, playing.phones[1].proof, playing.stranger.proof, "ä"):
            answer = playing.host.send(path, playing.now, **{"X-Page": proof})
            assert reason(answer, 403) == "This page is out of date. Reload it.", path
    assert playing.view.version == version


def test_a_seat_is_opened_by_its_cookie_alone_and_asked_for_on_a_page(playing):
    assert reason(Phone(playing).send("/join", {"name": "Eve"}), 403)
    for cookie in ("", "x", "ä" * 40, "0" * 3000):
        phone = Phone(playing)
        phone.client.set_cookie("seat", cookie)
        answer = phone.client.get("/seat")
        assert (answer.status_code, answer.location) == (303, "/")


def test_cookies_are_hidden_from_scripts_and_other_sites(site):
    cookies = Phone(site).client.get("/").headers.getlist("Set-Cookie")
    phone = Phone(site)
    phone.open()
    cookies += phone.send("/join", {"name": "Zoë", "code": site.table.scene.code}).headers.getlist(
        "Set-Cookie"
    )
    assert len(cookies) == 3
    assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in cookies)


def test_there_is_no_secret_key(site):
    assert site.app.secret_key is None
    names = [entry.name for entry in dataclasses.fields(Settings)]
    assert not [name for name in names if re.search("key|secret", name)]


def test_a_phone_with_a_seat_goes_straight_to_it(site):
    assert site.host.client.get("/").location == "/seat"
    assert site.host.send("/join", {"name": "Ann again"}).location == "/seat"
    assert len(site.view.people) == 4


# Joining


def test_the_first_phone_needs_no_code_and_the_others_do(tmp_path):
    site = Site(tmp_path, roles="")
    first, second = Phone(site), Phone(site)
    assert 'name="code"' not in first.open().text
    first.join("Ann", "")
    assert 'name="code"' in second.open().text
    assert "code" in reason(second.send("/join", {"name": "Bob", "code": "AAA"}), 403)
    page = second.open(f"/?code={site.table.scene.code}").text
    assert f'type="hidden" name="code" value="{site.table.scene.code}"' in page
    second.join("Bob", site.table.scene.code.lower())
    assert [person.name for person in site.view.people] == ["Ann", "Bob"]


def test_a_phone_remembers_its_name(site):
    site.phones[1].client.delete_cookie("seat")
    assert 'value="Bob"' in site.phones[1].open().text


def test_names_are_shown_as_they_are_and_never_as_markup(tmp_path):
    site = Site(tmp_path, roles="")
    Phone(site).join("<b>Ann</b>&\"'", "")
    page = Phone(site).open().text
    assert "&lt;b&gt;Ann&lt;/b&gt;&amp;&#34;&#39;" in page
    assert "<b>Ann" not in page
    assert "<b>Ann" not in Phone(site).live("table")


def test_joining_again_and_again_is_slowed_down(site):
    """Together with asking for a seat, or for another host."""
    asking, code = site.stranger, site.table.scene.code
    for number in range(JOINS - len(site.phones)):
        path, said = ("/seat/claim", code) if number % 2 else ("/join", "????")
        asking.send(path, {"name": "Eve", "person": 99, "code": said})
    for path in ("/seat/claim", "/join"):
        said = reason(asking.send(path, {"name": "Eve", "person": 2, "code": code}), 429)
        assert said == "Too many tries. Wait a minute, then try again."
    assert reason(site.phones[1].post("/host/bid"), 429)
    asking.client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    assert asking.send("/join", {"name": "Eve", "code": code}).status_code == 303


def test_a_throttle_forgets_what_is_long_ago_and_does_not_grow():
    times = iter((0.0, 1.0, 2.0, 60.0, 60.5, 61.0))
    throttle = Throttle(tries=2, seconds=60, clock=times.__next__)
    assert [throttle.allows("a") for _ in range(6)] == [True, True, False, True, False, True]
    throttle = Throttle(tries=1, addresses=2)
    assert [throttle.allows(address) for address in "abab"] == [True, True, False, False]
    assert [throttle.allows(address) for address in "cba"] == [True, False, True]


# What is no press at all


GARBAGE = ("", "x", "1.0", "-", "1e3", "٣", "9" * 400, "0x1", "None", "\x00", "💥", "[]", " 1")


def test_numbers_are_numbers(playing):
    playing.throw("beer", "arrow", "arrow", "gatling", "beer")
    said = {"die": 0, "face": "beer", "seat": 0, "action": "beer"}
    for path, field in (
        *(("/dice/accept", field) for field in ("version", "reading")),
        *(("/dice/mark", "die"), ("/dice/stop", "version"), ("/game/move", "seat")),
    ):
        for garbage in GARBAGE:
            answer = playing.host.post(path, **said | {field: garbage})
            assert reason(answer, 400) == f"{field}: a whole number is needed"


def test_a_body_that_is_no_form_is_refused(playing):
    for body, kind in (
        (b'{"version": 1', "application/json"),
        (b"version=1", "text/plain"),
        (b"--x\r\nnothing", "multipart/form-data; boundary=x"),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
    ):
        answer = playing.host.client.post(
            "/dice/stop", data=body, content_type=kind, headers={"X-Page": playing.host.proof}
        )
        assert reason(answer, 400)


def test_too_much_is_refused(playing):
    assert reason(playing.host.post("/people/add", name="x" * MAX_BODY), 413)
    assert reason(playing.host.post("/game/move", **{f"a{n}": "" for n in range(3000)}), 413)


FIELDS = (
    *("version", "reading", "name", "code", "person", "places", "die", "face", "thrown", "seat"),
    *("action", "target", "target-0", "count", "shot-0", "shot-1", "double", "beer"),
    *("claim", "yes", "option", "value", "round", "role", "character"),
)
VALUES = (
    *(*GARBAGE, "0", "1", "-1", "4", "7", "beer", "shoot", "heal", "beer:1", "none", "99999999"),
    *("roles", "cards", "turn", "outlaw", "bart_cassidy"),
)


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    path=st.integers(0, 999),
    phone=st.integers(0, 3),
    fields=st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES) | st.text(max_size=9)),
    current=st.booleans(),
)
def test_no_press_is_answered_with_a_failure_of_the_table(playing, path, phone, fields, current):
    # Nobody would be left to press the others.
    leaving = {"/seat/leave", "/people/phoneless", "/people/remove"}
    addresses = sorted(endpoints(playing, "POST").keys() - leaving)
    address = addresses[path % len(addresses)]
    sent = playing.now | fields if current else fields
    answer = playing.phones[phone].send(address, sent)
    assert answer.status_code in (200, 204, 303) or reason(answer, answer.status_code)
    assert answer.status_code < 500
    if playing.view.phase is Phase.LOBBY:
        playing.host.post("/game/start")


def test_a_press_that_cannot_be_saved_is_answered_so_and_changes_nothing(playing):
    playing.throw("beer", "arrow", "gatling", "gatling", "beer")
    before = playing.view
    playing.journal.close()
    assert reason(playing.host.post("/dice/accept"), 503).startswith("nothing was changed")
    assert list(playing.view.troubles) == [Trouble.SAVING]
    assert dataclasses.replace(playing.view, troubles={}) == before


# What a page offers can be pressed


PAIR = 'name="([^"]*)" value="([^"]*)"'


def answer_of(page: str, chance: random.Random) -> dict[str, list[str]]:
    """Answer a page's question at random, or nothing if it asks none.

    A button is pressed: of each step, of all, or one for everything.
    """
    form = unescape(page.partition('id="question"')[2].partition("</form>")[0])
    at_once = re.findall('data-with="(.*?)"', form)
    steps = re.findall("<fieldset data-step.*?</fieldset>", form, re.DOTALL) or [form]
    buttons = [re.findall(f"<button [^>]*{PAIR}", step) for step in steps]
    if at_once and (chance.random() < 0.5 or not any(buttons)):
        return parse_qs(chance.choice(at_once))
    hidden, ticks = (
        re.findall(f'<input type="{kind}" {PAIR}', form) for kind in ("hidden", "checkbox")
    )
    (most,) = re.findall('data-most="(.*?)"', form) or [0]
    ticked = chance.sample(ticks, chance.randint(0, min(int(most), len(ticks))))
    return parse_qs(urlencode([*hidden, *map(chance.choice, filter(None, buttons)), *ticked]))


FOREIGN = {
    RULESETS[ruleset]: re.compile(rf"\b({OWN[edition, 'en']})", re.IGNORECASE)
    for ruleset, edition in (("base", Edition.WALKING_DEAD), ("walking-dead", Edition.BASE))
}
"""The words of the other edition."""


@pytest.mark.parametrize("seed", [*range(1, 5), *later(0, *range(5, 12))])
def test_whatever_a_page_offers_is_legal_offered_to_its_player_and_in_the_words_of_the_edition(
    tmp_path, seed
):
    chance, people = random.Random(seed), 3 + seed % 6
    ruleset = ("base", "walking-dead")[seed % 4 == 3]
    site = Site(tmp_path, "x" * people, phones=people - seed % 2, chance=random.Random(seed),
                ruleset=ruleset).start()  # fmt: skip
    foreign, asked = FOREIGN[RULESETS[ruleset]], set()
    while site.view.phase is Phase.PLAYING:
        view = site.view
        if view.rolling:
            often = (Face.ARROW, Face.BULLSEYE1, Face.BULLSEYE2, Face.GATLING)
            site.play_on(chance, (*Face, *often))
            continue
        asked.add(view.question.action)
        decider = view.question.seat if view.people[view.question.seat].has_phone else 0
        for seat, phone in enumerate(site.phones):
            page = phone.live("seat")
            assert not foreign.search(said(page))
            answer = answer_of(page, chance)
            assert bool(answer) == (seat == decider)
            if answer:
                answered = phone.post("/game/move", **answer)
                assert answered.status_code == 204, answered.text
                break
        assert not foreign.search(said(site.stranger.live("table")))
    assert asked >= {Action.SHOOT, Action.BEER}
    for page in (site.host.live("seat"), site.stranger.live("table"), site.stranger.live("story")):
        assert not foreign.search(said(page))


def test_every_page_shows_the_goals_of_open_roles_and_no_other(tmp_path):
    words = terms(RULESETS["base"], "en")
    for roles, shown in (("dor", "deputy outlaw renegade"), ("soro", "sheriff")):
        site, people = Site(tmp_path / roles, roles).start(), len(roles)
        for page in (phone.live("seat") for phone in site.phones):
            dealt = (role for role in Role if role[0] in roles)
            goals = [role for role in dealt if words.goal(role, people) in unescape(page)]
            assert goals == shown.split()


@pytest.mark.parametrize("rule", HouseRule)
@pytest.mark.parametrize("ruleset", ["base", "base-fr", "walking-dead"])
def test_a_house_rule_that_names_a_character_stands_beside_his_ability(tmp_path, rule, ruleset):
    site = Site(tmp_path, ruleset=ruleset, settings={"house_rules": frozenset({rule})})
    words = terms(RULESETS[ruleset], RULESETS[ruleset].language)
    for character, card in words.characters.items():
        assert bool(ability_changes(site.view, character)) == (card.name in words.house_rules[rule])


def said(page: str) -> str:
    return "\n".join(Texts(page).found)


# Secrets


def audiences(site: Site) -> dict[str, str]:
    """All that everybody receives, as far as it is the same by rights in every game."""
    seen = {f"stranger {page}": site.stranger.live(page) for page in ("join", "table", "story")}
    for seat, phone in enumerate(site.phones):
        seen |= {f"{seat} {page}": phone.live(page) for page in ("seat", "table", "story")}
        seen[f"{seat} loaded"] = phone.open("/seat").text.replace(phone.proof, "")
    return {name: text.replace(site.table.scene.code, "CODE") for name, text in seen.items()}


@pytest.mark.parametrize(
    ("game", "seed", "every"), [("dice", 1, 1), ("cards", 5, 6), *later(("dice", 0, 1))]
)
def test_games_that_differ_in_hidden_roles_look_alike_to_everybody(tmp_path, game, seed, every):
    """every: which moves are looked at."""
    selection = KINDS[game].game.select("base")
    characters = random.Random(seed).sample(sorted(selection.ruleset.characters), 5)
    sites = [
        Site(tmp_path / roles, roles, characters, phones=4, selection=selection).start()
        for roles in ("sorod", "srodo")
    ]
    chances, compared = [random.Random(seed), random.Random(seed)], 0
    while all(player.alive for site in sites for player in site.view.game.players):
        one, other = map(audiences, sites)
        assert one == other
        compared += 1
        for site, chance in every * list(zip(sites, chances, strict=True)):
            site.play_on(chance)
    assert compared * every > 10


def test_the_record_is_given_out_after_the_game_only_and_then_pages_name_all_roles(playing):
    assert reason(playing.stranger.client.get("/record"), 403)
    answer = finish(playing).stranger.client.get("/record")
    assert answer.headers["Content-Disposition"] == "attachment; filename=bang-game-1.jsonl"
    *_, last = replay(answer.data.splitlines(keepends=True))
    assert last.result == playing.view.game.result
    for page in (playing.host.live("seat"), playing.stranger.live("table")):
        assert all(role in page for role in ("role sheriff", "role outlaw", "role renegade"))


# What pages are made of


def asks(page: str) -> list[str]:
    """Everything that a page asks for, or leads to."""
    return re.findall(r' (?:src|href|action|data-src)="(.*?)"', page)


INLINE = re.compile(r"<[^>]* (?:style|on\w+)=|<(?:script|style)\b[^>]*>\s*[^<\s]")
"""What a strict policy would not let run."""


def pages(site: Site) -> dict[str, str]:
    return {
        "join": site.stranger.open("/").text,
        "seat": site.host.open("/seat").text,
        "table": site.stranger.open("/table").text,
        "story": site.stranger.open("/story").text,
    }


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(site):
    for stage in (pages(site), pages(site.start())):
        for name, page in stage.items():
            assert not INLINE.search(page), name
            assert all(re.match("/[^/]|/$|#", ask) for ask in asks(page)), name
    policy = site.stranger.client.get("/table").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'; ")
    assert "unsafe" not in policy


def test_a_page_first_loads_less_than_100_kilobytes(playing):
    playing.throw("beer", "arrow", "gatling", "gatling", "beer")
    for path in ("/", "/table", "/story"):
        assert first_load(playing, playing.stranger.client, path) < 100_000, path
    assert first_load(playing, playing.host.client, "/seat") < 100_000


def test_files_are_kept_by_a_phone_until_they_change(site):
    page = site.stranger.open("/table").text
    named = [ask for ask in asks(page) if ask.startswith("/static/")]
    versions = {re.match("/static/([0-9a-f]{12})/", ask)[1] for ask in named}
    assert len(versions) == 1
    (version,) = versions
    other = version.translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))
    for ask in named:
        for address, kept in (
            (ask, True),
            (ask.replace(version, other), False),
            (ask.replace(f"{version}/", ""), False),
        ):
            with site.stranger.client.get(address) as answer:
                assert answer.status_code == 200
                assert ("immutable" in answer.headers["Cache-Control"]) == kept
    missing = site.stranger.client.get(f"/static/{version}/nothing")
    assert missing.status_code == 404
    assert "immutable" not in missing.headers.get("Cache-Control", "")


OPENED = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
"""How a browser asks for a page that a person opens."""


def test_a_page_that_is_refused_leads_back_to_the_table(playing):
    client = playing.phones[1].client
    for address, status, said in (
        ("/nowhere", 404, "There is no such page."),
        ("/setup", 403, "Only the host"),
    ):
        answer = client.get(address, headers=OPENED)
        assert (answer.status_code, answer.mimetype) == (status, "text/html")
        assert said in answer.text
        assert '<a href="/">Back to the table</a>' in answer.text
        # Scripts, and programs, read one line.
        assert client.get(address).mimetype == "text/plain"


def test_what_is_pushed_first_is_what_the_page_shows(playing):
    for phone, name in ((playing.host, "seat"), (playing.stranger, "table")):
        page = phone.open(f"/{name}").text
        shown = page.partition("<main>")[2].partition("</main>")[0]
        assert shown.strip() == phone.live(name).strip()


def test_every_icon_that_pages_name_is_drawn():
    drawn = {}
    for sprite in ("icons", "faces", "cards"):
        text = (WEB / "static" / f"{sprite}.svg").read_text()
        drawn[sprite] = set(re.findall(r'<symbol id="(\w+)"', text))
    templates = "".join(path.read_text() for path in WEB.rglob("*.html"))
    named = set(re.findall(r'icon\("(\w+)"\)', templates))
    assert named <= drawn["icons"]
    assert set(re.findall(r'icon\("(\w+)", "cards"\)', templates)) <= drawn["cards"]
    assert {*map(drawing_of, Title), *Suit} <= drawn["cards"]
    # That the machine ends is shown by the light alone.
    assert {*Role, *Signal} - {Signal.ENDING} <= drawn["icons"]


def test_a_die_is_shown_as_the_camera_sees_it(tmp_path):
    site = Site(tmp_path, die_picture=lambda die: b"\xff\xd8" if die == 2 else None).start()
    answer = site.stranger.client.get("/die/2.jpg")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8", "image/jpeg")
    assert site.stranger.client.get("/die/1.jpg").status_code == 204
    site.throw("beer", "arrow", "gatling", "gatling", "beer")
    assert 'data-src="/die/0.jpg' in site.host.live("seat")


def test_streams_of_players_have_their_own_places(playing):
    playing.furnish(streams=Broadcast(players=1, spectators=0))
    assert reason(playing.stranger.client.get("/live/table"), 503)
    assert playing.host.live("seat")

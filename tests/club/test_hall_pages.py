"""The hall's pages without a browser: who may change what, what is shown, what liars can't do."""

import csv
import io
import math
import re
from html.parser import HTMLParser
from urllib.parse import parse_qsl

import pytest
from cases import cases
from clubs import Club, ClubTable, spoil
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sites import Phone, endpoints, reason
from waiting import wait_until

from companion.base.refused import Message
from companion.club.hall.hall import BrokerMessage
from web.access import For, Throttle
from web.hall.app import create_hall_app
from web.hall.live import BYTES_PER_S, LEAST_S, SHARE, DrawnHall, HallNews
from web.serving.stream import Broadcast

pytestmark = pytest.mark.tables

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


class Browser(Phone):
    """Somebody who looks at the hall's pages."""

    def read(self, path: str = "/") -> str:
        answer = self.open(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def press(self, path: str, **fields):
        self.open("/tournament")
        return self.post(path, **fields)


class Pages:
    """A club with its pages, an organiser and a spectator."""

    def __init__(self, folder, password: str = "buffalo", file: str = "") -> None:
        self.club = Club(folder, password, name="Saloon")
        self.club.hall.report_connection("")
        self.streams = Broadcast()
        few = Throttle(tries=5)
        self.app = create_hall_app(self.club.hall, self.streams, throttle=few, password_file=file)
        self.club.hall.listeners.add(self.streams.notify)
        self.spectator, self.organiser = Browser(self), Browser(self)

    @property
    def now(self) -> dict[str, int]:
        """What a press names of the page that it is on."""
        return {"version": self.club.view.shared}

    def reader(self, language: str) -> Browser:
        """Another browser, which asks for pages in a language."""
        browser = Browser(self)
        browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
        return browser

    def draw(self, players=NAMES[:4]) -> "Pages":
        """Found a tournament, and draw its first round at a table without a broker."""
        self.found(players).press("/tournament/draw", more="Bar", how="lot")
        return self

    def sign_in(self) -> "Pages":
        assert self.organiser.press("/organiser/enter", password="buffalo").status_code == 303
        return self

    def press(self, path: str, **fields) -> None:
        answer = self.organiser.press(path, **fields)
        assert answer.status_code == 204, answer.text

    def found(self, players=NAMES) -> "Pages":
        self.press("/tournament/found", name="Cup", scheme="dollars", least=4, most=8)
        self.press("/tournament/enter", names="\n".join(players))
        return self

    @property
    def tournament(self):
        return self.club.view.tournament

    @property
    def seats(self) -> tuple[int, ...]:
        """The players at the first table of the round."""
        return self.tournament.open_round.tables[0].seats


@pytest.fixture
def pages(tmp_path):
    opened = Pages(tmp_path / "hall")
    yield opened
    opened.club.close()


@pytest.fixture
def signed_in(pages) -> Pages:
    return pages.sign_in()


class Wellformed(HTMLParser):
    """Notes tags that are closed in another order than they were opened."""

    VOID = frozenset({"input", "meta", "link", "img", "br", "use"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.scripts = 0
        self.feed(page)

    def handle_starttag(self, tag, attrs) -> None:
        self.scripts += tag == "script"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        pass

    def handle_endtag(self, tag) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


# Who may do what


def test_only_the_organiser_changes_anything(pages):
    pages.spectator.read()
    presses = endpoints(pages, "POST")
    assert len(presses) > 12
    for path, who in presses.items():
        answer = pages.spectator.press(path)
        if who is For.HOST:
            assert reason(answer, 403) == "only the organiser can do that"
        else:
            assert path in ("/organiser/enter", "/language")
    assert pages.tournament is None


def test_every_press_proves_its_page(signed_in):
    signed_in.organiser.read("/tournament")
    for path in endpoints(signed_in, "POST"):
        answer = signed_in.organiser.send(path, {}, **{"X-Page": "x"})
        assert "out of date" in reason(answer, 403)
    assert signed_in.tournament is None


def test_nobody_signs_in_with_another_password(pages):
    for guess in ("", "Buffalo", "buffalo ", "\x00", "é"):
        answer = pages.organiser.press("/organiser/enter", password=guess)
        assert reason(answer, 403) == "Wrong password. It is in the hall’s settings."
    # Now the right one has to wait, too.
    assert pages.organiser.press("/organiser/enter", password="buffalo").status_code == 429


def test_a_wrong_password_names_the_file_with_the_right_one(tmp_path):
    pages = Pages(tmp_path / "hall", file="organiser.txt")
    answer = pages.organiser.press("/organiser/enter", password="Buffalo")
    assert reason(answer, 403) == "Wrong password. It is in the hall’s file organiser.txt."
    pages.club.close()


def test_a_made_up_cookie_opens_nothing(pages):
    for value in ("", "x", "\udcff", "0" * 64):
        browser = Browser(pages)
        browser.client.set_cookie("organiser", value.encode("utf-8", "replace").decode())
        assert "/tournament/found" not in browser.read("/tournament")


def test_a_hall_without_a_password_has_no_organiser(tmp_path):
    pages = Pages(tmp_path / "hall", password="")
    assert "/organiser/enter" not in pages.organiser.read("/tournament")
    answer = pages.organiser.press("/organiser/enter", password="")
    assert answer.status_code == 403
    pages.club.close()


def test_an_organiser_stays_one_until_they_sign_out(signed_in):
    organiser, spectator = signed_in.organiser, signed_in.spectator
    # What is drawn once is shared only among those who may see the same.
    for _ in range(2):
        for looks in ("read", "live"):
            assert "/tournament/found" in getattr(organiser, looks)("tournament")
            assert "/tournament/found" not in getattr(spectator, looks)("tournament")
    assert organiser.press("/organiser/leave").status_code == 303
    assert "/tournament/found" not in organiser.read("/tournament")


# What is shown


def test_all_tables_are_shown_with_what_they_need(pages):
    oak, elm = ClubTable("Oak"), ClubTable("Elm", seed=2)
    troubled = elm.state(health__camera__fault="unplugged")
    pages.club.tell(oak.state(waiting=["Zoe"]), troubled, elm.result(1))
    page = pages.spectator.read()
    for said in ("Saloon", "2 tables · 2 playing", "1 table needs help", "Zoe",
                 "the camera doesn’t work (unplugged)", "Standings of the evening"):  # fmt: skip
        assert said in page
    assert not Wellformed(page).wrong


def test_each_table_has_an_id_of_its_own_on_the_page(pages):
    names = ("table 1", "table_1", "Table 1", "table.1", "table-1")
    pages.club.tell(*(ClubTable(name, name).state(health__camera__fault="x") for name in names))
    page = pages.spectator.read()
    ids, links = (re.findall(f'{kind}table-([^"]+)"', page) for kind in ('id="', 'href="#'))
    assert len(set(ids)) == len(names)
    assert sorted(links) == sorted(ids)


def test_the_pages_are_in_french_for_those_who_read_french(pages):
    pages.club.tell(ClubTable("Oak").result(1), ClubTable("Oak").state())
    french = pages.reader("fr")
    assert 'lang="fr"' in french.read()
    assert "1 table" in french.read()
    assert "Classement de la soirée" in french.read()
    assert french.press("/language", language="en").status_code == 303
    assert 'lang="en"' in french.read()


def test_faults_of_tables_are_told_in_the_language_of_the_page(pages):
    unplugged = "%(where)s: no picture came; has the camera been unplugged?"
    fault = Message(unplugged, where="usb:0")
    mqtt = Message("no broker runs at %(broker)s", broker="pi:1883")
    told = {
        "health__camera__fault": str(fault),
        "health__troubles": {"mqtt": str(mqtt), "green": "GPIO17", "oven": "cold"},
        "health__reasons": {
            "camera": {"text": fault.text, "particulars": fault.particulars},
            "mqtt": {"text": mqtt.text, "particulars": mqtt.particulars},
        },
    }
    pages.club.tell(ClubTable("Oak").state(**told))
    page = pages.spectator.read()
    assert f"the camera doesn’t work ({fault})" in page
    assert "the green button is stuck (GPIO17)" in page
    assert "it can’t publish everything (no broker runs at pi:1883)" in page
    assert "a part doesn’t work (oven: cold)" in page
    french = pages.reader("fr").read()
    assert "no picture came" not in french
    assert "no broker runs" not in french
    assert "le bouton vert est coincé (GPIO17)" in french
    assert "un élément ne fonctionne pas (oven\N{NO-BREAK SPACE}: cold)" in french


def test_a_table_is_drawn_again_only_if_it_changed(pages, monkeypatch):
    tables = [ClubTable(f"Table {n}", seed=n) for n in range(4)]
    pages.club.tell(*(table.state() for table in tables))
    before = pages.spectator.live("hall")
    drawings, environment = [], pages.app.jinja_env
    get = environment.get_template
    monkeypatch.setattr(environment, "get_template", lambda *of: drawings.append(of[0]) or get(*of))
    pages.club.tell(tables[2].state(steps=12))
    assert pages.spectator.live("hall") != before
    assert drawings.count("hall/table.html") == 1
    pages.club.tell(BrokerMessage(tables[2].topic("state"), b""))
    assert 'aria-label="Table 2"' not in pages.spectator.live("hall")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
ODD = st.sampled_from(["\ud800", "\r\ndata: x", "</p><script>", 2**70, -1, 1.0, 1e300, math.nan])


@given(data=st.data())
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_message_breaks_the_hall_or_its_pages(pages, data):
    """A true message with one thing in it replaced by anything, or by a text that can't be sent."""
    oak, elm = ClubTable("Oak"), ClubTable("Elm", kind="cards")
    true = (oak.state(), oak.state(phase="over"), oak.result(), elm.state())
    message = data.draw(st.sampled_from(true))
    said = spoil(message, lambda found: data.draw(st.sampled_from(found)), data.draw(ODD | JSON))
    pages.club.tell(said)
    pages.club.hall.tick()
    assert "\\ud800" not in repr(pages.club.view)
    for path in ("/", "/tournament"):
        page = pages.spectator.read(path)
        assert Wellformed(page).wrong == []
        # Idiomorph, and the page's own.
        assert Wellformed(page).scripts == 2
    for line in pages.spectator.live("hall").splitlines():
        assert "\r" not in line
    assert pages.spectator.client.get("/results.csv").status_code == 200


# The organiser


def test_an_evening_of_the_organiser(signed_in):
    pages = signed_in
    oak = ClubTable("Oak")
    pages.club.tell(oak.state(), oak.availability("online"))
    assert "no tournament" in reason(pages.spectator.client.get("/standings.csv"), 404)
    pages.press("/tournament/found", name="Cup", scheme="dollars", least=4, most=8)
    page = pages.organiser.read("/tournament")
    assert page.index('id="enter"') < page.index('id="draw"'), "players come before the first draw"
    pages.press("/tournament/enter", names="\n".join(NAMES))
    page = pages.organiser.read("/tournament")
    assert page.index('id="draw"') < page.index('id="enter"')
    assert "5 players at 1 of 1 tables" in page
    pages.press("/tournament/draw", table="Oak", how="lot")
    (table,) = pages.tournament.open_round.tables
    names = [pages.tournament.names[player] for player in table.seats]
    page = pages.spectator.read("/tournament")
    assert "Round 1" in page
    assert ", ".join(names) in page
    assert "Not there yet" not in page
    pages.club.tell(oak.result(1, tuple(names)))
    assert pages.tournament.open_round.tables[0].game.number == 1
    pages.press("/tournament/close")
    pages.press("/tournament/pause", player=1, yes=1)
    assert not pages.tournament.entrants[0].active
    pages.press("/tournament/pause", player=1, yes=0)
    pages.press("/tournament/rename", player=1, name="Annie")
    assert pages.tournament.names[1] == "Annie"
    pages.press("/tournament/draw", more=" Bar \n\n", how="ranked")
    assert pages.tournament.open_round.tables[0].table == "Bar"
    pages.press("/tournament/cancel")
    assert pages.tournament.open_round is None
    pages.press("/tournament/undo")
    assert pages.tournament.open_round is not None
    pages.press("/tournament/undo")
    pages.press("/tournament/remove")
    assert pages.tournament is None
    pages.press("/tournament/undo")
    assert len(pages.tournament.rounds) == 1


def test_people_at_another_table_are_named(signed_in):
    oak = ClubTable("Oak")
    signed_in.club.tell(oak.state())
    signed_in.found(("Ann", "Bob", "Cleo", "Zoe"))
    signed_in.press("/tournament/draw", table="Oak", how="lot")
    page = signed_in.spectator.read("/")
    assert "Not there yet: Zoe" in page
    assert "Not drawn here: Dan" in page


def test_a_result_can_be_entered_by_hand(signed_in):
    signed_in.draw()
    sheriff, outlaw, *_ = seats = signed_in.seats
    roles = dict(zip(seats, ("sheriff", "outlaw", "outlaw", "renegade"), strict=True))
    fields = {f"role-{player}": role for player, role in roles.items()} | {f"alive-{outlaw}": "1"}
    signed_in.press("/tournament/result", table="Bar", side="outlaws", **fields)
    game = signed_in.tournament.open_round.tables[0].game
    assert [(seat.won, seat.alive) for seat in game.seats] == [
        (False, False), (True, True), (True, False), (False, False)
    ]  # fmt: skip
    assert "(entered by hand)" in signed_in.spectator.read("/tournament")
    signed_in.press("/tournament/no-result", table="Bar")
    assert signed_in.tournament.open_round.tables[0].game is None
    only = {key: "outlaw" for key in fields if key.startswith("role-")}
    lives = {f"alive-{sheriff}": "1"}
    for entered, side, status, said in (
        (only, "law", 400, "the side that won needs a player"),
        (only | lives, "outlaws", 422, "these are not the roles that are dealt to 4 players"),
        (fields | lives, "outlaws", 422, "with these survivors, the game isn’t over"),
        (fields, "law", 422, "with these survivors, another side has won"),
    ):
        answer = signed_in.organiser.press("/tournament/result", table="Bar", side=side, **entered)
        assert said in reason(answer, status).lower()
    assert signed_in.tournament.open_round.tables[0].game is None


def test_a_duel_that_is_entered_by_hand_is_worth_something(signed_in):
    sheriff, *others = signed_in.draw().seats
    roles = ("sheriff", "outlaw", "outlaw", "renegade")
    entered = {f"role-{one}": role for one, role in zip((sheriff, *others), roles, strict=True)}
    entered |= {"side": "law", f"alive-{sheriff}": "1"}
    for last, worth in (("", 0), (str(others[0]), 0), (str(sheriff), 0), (str(others[-1]), 1600)):
        signed_in.press("/tournament/result", table="Bar", last=last, **entered)
        totals = {line.key: line.total for line in signed_in.club.view.ranking}
        assert totals == {sheriff: 3000, **dict.fromkeys(others, 0), others[-1]: worth}
    page = signed_in.organiser.read("/tournament")
    assert f'<option value="{others[-1]}" selected>' in page.partition('name="last"')[2]
    # It is kept, and shared with other halls.
    signed_in.club.restart()
    assert signed_in.club.view.ranking[1].total == 1600


def test_places_are_exchanged(signed_in):
    signed_in.draw([f"P{n}" for n in range(9)])
    (bye,), one = signed_in.tournament.open_round.byes, signed_in.seats[0]
    signed_in.press("/tournament/exchange", one=one, two=bye)
    assert signed_in.tournament.open_round.byes == (one,)


def test_what_can_not_be_done_is_refused_in_a_line(signed_in):
    before = signed_in.found().tournament
    for press, status in cases("club/hall.txt", "Presses of the organiser that are refused"):
        path, _, fields = press.partition(" ")
        given = dict(parse_qsl(fields, keep_blank_values=True))
        reason(signed_in.organiser.press(f"/tournament/{path}", **given), int(status))
        assert signed_in.tournament == before, press


# For other programs


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


SCRIPTS = ("प्रिया", "สมชาย", "தமிழ்ச்செல்வன்", "محمد", "נועה", "Нина", "美咲", "გიორგი")


def test_pages_and_tables_for_other_programs_hold_everything_in_any_script(signed_in):
    table = ClubTable("मेज़ १")
    signed_in.club.tell(table.state(people=[{"id": 1, "name": SCRIPTS[0], "has_phone": True}]))
    signed_in.found(("=cmd()", *SCRIPTS))
    signed_in.press("/tournament/draw", table=table.name, how="lot")
    names = signed_in.tournament.names
    signed_in.club.tell(table.result(1, tuple(names[player] for player in signed_in.seats)))
    page = signed_in.spectator.read()
    assert f'aria-label="{table.name}"' in page
    assert all(name in page for name in SCRIPTS)

    standings, rounds, results = (
        rows(signed_in.spectator.client.get(f"/{file}.csv").text)
        for file in ("standings", "rounds", "results")
    )
    # A spreadsheet takes it for no formula.
    players = {"'=cmd()", *SCRIPTS}
    (bye,) = players - {row["player"] for row in results}
    assert {row["player"]: (row["games"], row["byes"]) for row in standings} == {
        name: ("0", "1") if name == bye else ("1", "0") for name in players
    }
    assert [row["table"] for row in rounds] == [table.name] * 8 + [""]
    assert rounds[-1]["player"] == bye
    assert {row["player"] for row in rounds} == players
    told = [sum(int(row["points"]) for row in each) for each in (rounds[:8], standings)]
    assert told[0] == told[1]
    assert [row["table"] for row in results] == [table.name] * 8


# How often pages are drawn


def test_many_tables_are_drawn_less_often():
    drawn_hall = DrawnHall()
    drawn_hall.note_cost("x", 0.0)
    assert drawn_hall.pause_s == LEAST_S
    drawn_hall.note_cost("x", 0.3)
    assert drawn_hall.pause_s == SHARE * 0.3
    drawn_hall.note_cost("x" * BYTES_PER_S, 0.0)
    assert drawn_hall.pause_s == 1.0


def test_streams_hear_of_news_after_a_pause_and_the_last_news_is_never_lost():
    streams = Broadcast()
    news = HallNews(streams, lambda: 0.05)
    news.start()
    for _ in range(50):
        news.wake()
    wait_until(lambda: streams.news)
    before = streams.news
    news.wake()
    wait_until(lambda: streams.news > before)
    assert streams.news < 50
    news.stop()


def test_the_dice_of_an_edition_look_as_on_its_table(pages):
    for ruleset, look in (("walking-dead", "walking-dead"), ("base", ""), ('x" onclick="y', "")):
        pages.club.tell(ClubTable("One", seed=3).state(steps=8, game__ruleset=ruleset))
        shown = re.search('class="thrown ?([^"]*)"', pages.spectator.read())
        assert shown[1] == look

"""The hall in a browser: three live tables on a real broker, an organiser's phone and a television.

`make gallery` keeps the pictures.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from browser import Screens
from clubs import ClubTable
from layout import broken_words
from mosquitto import HOST, Mosquitto
from people import join
from playwright.sync_api import Page, expect
from published import RETRY_S, PublishedTable
from served import Served
from stand_ins import reading
from test_every_page import LOOKS, Gallery
from waiting import wait_until

from companion.app.hall import RunningHall, start_hall
from companion.club.publishing import owner
from companion.club.publishing.broker import BrokerAddress, BrokerConnection
from companion.club.publishing.outbox import FILE, Outbox
from companion.club.publishing.publisher import Publisher
from companion.club.publishing.topics import Topics
from companion.games.common.roles import IN_EITHER_BOX
from companion.settings import HallSettings, MqttSettings, Settings
from companion.table import seats
from companion.table.scene import CameraStatus, SimulatedTray

PREFIX = "club"
PLAYERS = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo", "Ines", "Jo", "Kim", "Lou",
           "Mia")  # fmt: skip


class DiceTable:
    """A table that plays with dice, and publishes what happens."""

    def __init__(self, folder: Path, port: int, name: str, screens: Screens) -> None:
        self.served = Served(folder, screens)
        self.publisher = Publisher(
            self.served.table,
            partial(Outbox, folder / FILE, 1 << 20),
            Topics(PREFIX, name),
            partial(BrokerConnection, BrokerAddress(HOST, port), retry_s=RETRY_S),
        )
        self.served.table.watch(CameraStatus("simulated", tray=SimulatedTray()))
        self.served.table.follow(lambda *_: self.publisher.look())
        self.publisher.start()

    def close(self) -> None:
        self.publisher.stop()
        self.served.stop()

    def play(self, names: Sequence[str], roles: str) -> None:
        """Let these people sit down, and deal."""
        self.served.names = names
        self.served.deal(roles, phones=1)


class CardTable(PublishedTable):
    """A table that plays with cards."""

    def __init__(self, folder: Path, port: int, name: str, screens: Screens) -> None:
        super().__init__(folder, port, name, PREFIX, "")
        self.publish()

    def play(self, names: Sequence[str], roles: str) -> None:
        """Let these people sit down, and deal; roles as they come."""
        join(self.table, names[0], self.table.scene.code)
        for name in names[1:]:
            self.do(seats.add_person, name)
        self.start_game()


class Saloon:
    """A hall with three tables on a broker."""

    def __init__(self, folder: Path, screens: Screens, stack: ExitStack) -> None:
        self.folder, self.screens, self.stack = folder, screens, stack
        self.broker = Mosquitto(folder / "broker")
        self.broker.start()
        stack.callback(self.broker.stop)
        settings = Settings(
            host=HOST,
            data=folder,
            mqtt=MqttSettings(prefix=PREFIX),
            hall=HallSettings(name="Saloon", port=0, password="buffalo"),
        )
        self.running: RunningHall = start_hall(
            settings, BrokerAddress(HOST, self.broker.port), stack
        )
        self.url = self.running.server.url

    def open_tables(self) -> None:
        made = {"Corner": DiceTable, "Window": DiceTable, "Bar": CardTable}
        self.tables = {
            name: kind(self.folder / name, self.broker.port, name, self.screens)
            for name, kind in made.items()
        }
        for table in self.tables.values():
            self.stack.callback(table.close)

    @property
    def tournament(self):
        return self.running.hall.view().tournament

    def names(self, table: str) -> list[str]:
        """Who was drawn at a table."""
        (drawn,) = (each for each in self.tournament.open_round.tables if each.table == table)
        return [self.tournament.names[player] for player in drawn.seats]


@pytest.fixture
def saloon(tmp_path, screens, stack, monkeypatch) -> Saloon:
    monkeypatch.setattr(owner, "CLAIM_S", 0.1)
    return Saloon(tmp_path, screens, stack)


def sign_in(organiser: Page) -> None:
    organiser.locator("#sign-in summary").click()
    organiser.locator("[name=password]").fill("buffalo")
    organiser.locator("#sign-in button").click()
    expect(organiser.locator("#found")).to_be_visible()


def press(page: Page, form: str, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"{form} [name={name}]").fill(value)
    page.locator(f"{form} button.main, {form} button:not([type])").first.click()


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look["locale"])
def test_a_club_night(saloon, screens, look):
    gallery = Gallery(screens, look, begin=210)
    show: Callable[[str, Page], None] = gallery.show
    television = screens.television(saloon.url, **look)
    expect(television.locator(".all > .part, .all > .card")).to_have_count(1)
    show("hall-empty", television)
    saloon.open_tables()
    expect(television.locator("article.lobby")).to_have_count(3)
    organiser = screens.phone(f"{saloon.url}tournament", **look)
    expect(organiser.locator("#sign-in")).to_be_visible()
    show("tournament-none", organiser)
    sign_in(organiser)
    show("tournament-found", organiser)
    press(organiser, "#found", name="Autumn Cup")
    press(organiser, "#enter", names="\n".join(PLAYERS))
    expect(organiser.locator("#players")).to_be_visible()
    show("tournament-draw", organiser)
    press(organiser, "#draw")
    expect(organiser.locator("#round-controls")).to_be_visible()
    for name, table in saloon.tables.items():
        drawn = saloon.names(name)
        table.play(drawn, "soro" if len(drawn) == 4 else "soord")
    expect(television.locator("article.playing")).to_have_count(3)
    corner = saloon.tables["Corner"].served
    corner.roll("12BBG")
    expect(television.locator("#table-Corner .thrown .face")).to_have_count(5)
    saloon.tables["Window"].served.table.watch(CameraStatus("usb:0", fault="no picture came"))
    corner.table.see(reading("unsure", corner.dice("12BB1", unsure="..A..")))
    expect(television.locator(".needs li")).to_have_count(1)
    show("hall-playing", television)
    phone = screens.phone(saloon.url, **look)
    expect(phone.locator("article.playing")).to_have_count(3)
    show("hall-phone", phone)
    saloon.tables["Bar"].finish_game()
    expect(organiser.locator(".drawn .done")).to_have_count(1)
    expect(television.locator("#table-Bar.over .won")).to_be_visible()
    show("tournament-round", organiser)
    # The Bar is the first table, by name.
    organiser.locator("#hand-2 summary").click()
    show("tournament-by-hand", organiser)
    by_hand(saloon, organiser, 2)
    by_hand(saloon, organiser, 3)
    expect(organiser.locator(".drawn .done")).to_have_count(3)
    organiser.locator("[data-press='/tournament/close']").click()
    expect(organiser.locator("#draw")).to_be_visible()
    show("tournament-standings", organiser)
    assert hidden(organiser) == 0
    expect(television.locator("aside table tbody tr")).to_have_count(12)
    show("hall-standings", television)
    assert hidden(television) == 0
    screens.expect("ERR_|Failed to load")
    saloon.broker.stop()
    expect(television.locator("#part-faults .notice")).to_be_visible()
    show("hall-no-broker", television)
    assert gallery.wrong == [], "\n".join(gallery.wrong)


def hidden(page: Page) -> int:
    """How many pixels of the standings can be seen only by scrolling."""
    return page.locator(".wide").evaluate("wide => wide.scrollWidth - wide.clientWidth")


def by_hand(saloon: Saloon, organiser: Page, number: int) -> None:
    """Enter that the law won at a table, whose Sheriff alone survived."""
    before = saloon.running.hall.view().shared
    # A press on an older page is refused.
    form = organiser.locator(f"#hand-{number} form[data-keep=hand-{number}-{before}]")
    expect(form).to_be_attached()
    if not form.is_visible():
        organiser.locator(f"#hand-{number} summary").click()
    seats = form.locator("select[name^=role-]").all()
    for select, role in zip(seats, IN_EITHER_BOX[len(seats)], strict=True):
        select.select_option(role)
    form.locator("[name^=alive-]").first.check()
    form.locator("button").click()
    wait_until(lambda: saloon.running.hall.view().shared > before, organiser)


def test_many_tables_fit_on_a_television(saloon, screens):
    television = screens.television(saloon.url)
    tables = [ClubTable(f"Table {number}", seed=number) for number in range(1, 31)]
    for table in tables:
        message = table.state(steps=15)
        saloon.running.hall.receive([message._replace(topic=f"{PREFIX}/{table.name}/state")])
    expect(television.locator("article.table")).to_have_count(30)
    bottom = television.evaluate(
        "Math.max(...[...document.querySelectorAll('article')]"
        ".map(card => card.getBoundingClientRect().bottom))"
    )
    assert bottom <= 720
    screens.shot(television, "hall-thirty")


LONG = ("Maximiliane von Zuse", "Ann", "Bartholomäus Jeffers", "Wolfgang-Amadeus")
"""Names as long as they can be."""


def fills(television: Page) -> None:
    """Assert that all that the hall tells stands on a television, and leaves little of it empty."""
    size = television.viewport_size
    cards = [card.bounding_box() for card in television.locator(".card:visible").all()]
    assert max(card["y"] + card["height"] for card in cards) <= size["height"]
    covered = sum(card["width"] * card["height"] for card in cards)
    assert covered > 0.6 * size["width"] * size["height"]
    assert broken_words(television, ".wide tbody th") == []
    assert hidden(television) == 0


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look["locale"])
def test_the_narrowest_phone_shows_everything_and_a_television_without_scrolling(
    saloon, screens, look
):
    gallery = Gallery(screens, look, begin=230)
    hall = saloon.running.hall
    unplugged = f"/dev/v4l/by-id/{'usb-Camera-' * 8}index0: no picture came"
    tables = [ClubTable(f"Table {number}", seed=number) for number in (1, 2)]
    tables.append(ClubTable("The_very_long_name_of_the_longest_table.", "longest", seed=9))

    def say(**state: object) -> None:
        for table in tables:
            message = table.state(steps=15, **state)
            hall.receive([message._replace(topic=f"{PREFIX}/{table.name}/state")])

    say(waiting=[*LONG], health__camera__fault=unplugged)
    for table in tables:
        for game in range(1, 6):
            told = table.result(game, (*LONG, *PLAYERS[game : game + 2]))
            hall.receive([told._replace(topic=f"{PREFIX}/{table.name}/result/{game}")])
    narrow = {"viewport": {"width": 320, "height": 640}}
    page = screens.phone(saloon.url, **look, **narrow)
    expect(page.locator("article.table")).to_have_count(3)
    gallery.show("hall-narrow", page, enlarged=False)
    organiser = screens.phone(f"{saloon.url}tournament", **look, **narrow)
    sign_in(organiser)
    press(organiser, "#found", name="The Grand Autumn Cup of All the Saloons of the County")
    press(organiser, "#enter", names="\n".join((*LONG, *PLAYERS[1:])))
    expect(organiser.locator("#players")).to_be_visible()
    organiser.locator("#players summary").click()
    gallery.show("tournament-draw-narrow", organiser, enlarged=False)
    organiser.locator("#players [data-opens]").first.click()
    gallery.show("tournament-rename-narrow", organiser, enlarged=False)
    organiser.locator("dialog[open] [data-closes]").first.click()
    press(organiser, "#draw")
    expect(organiser.locator("#round-controls")).to_be_visible()
    for number in (1, 2):
        organiser.locator(f"#hand-{number} summary").click()
        by_hand(saloon, organiser, number)
    organiser.locator("#exchange summary").click()
    gallery.show("tournament-round-narrow", organiser, enlarged=False)
    expect(page.locator("#part-round .done")).to_have_count(2)
    gallery.show("hall-standings-narrow", page, enlarged=False)
    assert broken_words(page, ".wide tbody th") == []
    say(waiting=["Zoe"])
    television = screens.television(saloon.url, **look)
    expect(television.locator("#part-round .done")).to_have_count(2)
    for width, height, name in ((1280, 720, "hall-wide"), (1920, 1080, "hall-large")):
        television.set_viewport_size({"width": width, "height": height})
        gallery.show(name, television)
        fills(television)
    assert gallery.wrong == [], "\n".join(gallery.wrong)

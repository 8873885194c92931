"""Every page in every state: read by axe-core, large enough to press, drawn for the gallery.

`make gallery` keeps the pictures.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from browser import Screens, choose_file
from card_table import CardTable
from home import Home, follow
from layout import lay_all, misfits, overflow, overlaps, small
from many_games import fill
from places import PICTURES, RECORDED
from playwright.sync_api import Page, expect
from served import Served, open_tab
from stand_ins import PLAIN, reading
from tiers import later
from waiting import wait_until

from companion.base.refused import Message
from companion.camera.pictures import WIDTH
from companion.games.cards.players import random_move as random_card_move
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.rules import apply as apply_card
from companion.games.cards.rules.state import CardState
from companion.games.common.endings import Side
from companion.games.dice.players import random_move
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action, Shoot, Shot
from companion.games.dice.rules.roles import Role
from companion.games.odds import estimate_odds
from companion.settings import Hotspot
from companion.setup.first_run import COLOURS
from companion.table import moves, rounds, seats
from companion.table.changes import Press
from companion.table.scene import CameraStatus, Phase, Signal, SimulatedTray
from companion.table.surface.cards.state import PileVerdict
from tests.tools.bench.symbols import profile_of
from vision.cards.deck import load_deck, save_deck
from vision.dice.profile import save_profile
from vision.profile_files import SHIPPED

CARD_RECORD = RECORDED / "cards/five-players-law.jsonl"
DARK = {"locale": "en-GB", "color_scheme": "dark"}
LIGHT = {"locale": "fr-FR", "color_scheme": "light"}
LOOKS = [DARK, *later(LIGHT)]
SHARES = [(LIGHT, {0}), *later((LIGHT, {1, 2}), (DARK, {0, 1, 2}))]
"""How games look, and which of three pictures are taken: those that follow each other are much
alike. French has the longer words."""


def name_look(value: dict[str, str] | set[int]) -> str:
    return "-".join(map(str, value.values() if isinstance(value, dict) else value))


ROLES = "soorod"
CHARACTERS = ("calamity_janet", "kit_carlson", "bart_cassidy", "pedro_ramirez", "el_gringo",
              "sid_ketchum")  # fmt: skip
UNPLUGGED = Message("%(where)s: no picture came; has the camera been unplugged?", where="usb:0")
SLOW = 180_000
TAUGHT = PICTURES / "renders" / "D"
RECORD = RECORDED / "six-players-renegade.jsonl"
SCRIPT = Path(__file__).with_name("every_page.js").read_text("utf-8").strip()
"""An expression, with functions by their names."""
GO_ON = "document.getAnimations().forEach(animation => animation.finish())"
AXE = AXE_FILE_PATH.read_text()
READ = """
axe.run({preload: false, resultTypes: ["violations"]}).then(({ violations }) => violations)
"""
"""Reads a page; its styles, which are loaded already, aren't fetched again."""

Shown = tuple[str, Page | Callable[[], Page]]
"""The name of a state, and its page, which may be opened only if it is looked at."""


def serious(page: Page) -> list[str]:
    """What axe-core finds serious or critical: rule, what it asks for, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(READ)
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:200]} {node['failureSummary'][-200:]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def unfit(page: Page, size: str = "") -> list[str]:
    """What of a phone's page is too wide or too small to press, with text of a size."""
    page.evaluate("size => document.documentElement.style.fontSize = size", size)
    # What is one pixel large is for those who hear the page.
    found = [f"too small: {what}" for what in small(page) if not what.startswith("1 x 1:")]
    if (wide := overflow(page)) > 0:
        found.append(f"{wide} pixels too wide")
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found


def narrow(page: Page, size: str) -> list[str]:
    """What is wrong with a page on the narrowest phone, also with text of a size."""
    usual = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 568})
    found = [*misfits(page), *unfit(page, size)]
    page.set_viewport_size(usual)
    return [f"320 pixels wide: {fault}" for fault in found]


class Gallery:
    """Looks at pages as they come, and notes what is wrong with them."""

    def __init__(
        self,
        screens: Screens,
        look: dict[str, str],
        begin: int = 1,
        taken: Collection[int] = (0, 1, 2),
    ) -> None:
        """begin: the number of the first picture; taken: what numbers leave if divided by 3."""
        self._screens, self._taken = screens, taken
        self._name = f"{look['locale'][:2]}-{look['color_scheme']}"
        self._count = begin - 1
        self.wrong: list[str] = []

    def show(self, name: str, page: Page | Callable[[], Page], *, enlarged: bool = True) -> None:
        """Hold a page to what all pages are held to; `enlarged`: with text of 200 %, too."""
        self._count += 1
        if self._count % 3 not in self._taken:
            return
        page = page() if callable(page) else page
        if not name.startswith("moment"):
            page.evaluate("window.quiet = 0")
            page.wait_for_function(f"() => {SCRIPT}.ended()")
        # What is only printed follows no table.
        if page.locator("[data-live]").count():
            lay_all(page)
        faults = serious(page)
        if page.viewport_size["width"] < 600:
            faults += unfit(page)
            cut_off = page.evaluate(f"{SCRIPT}.cutOff")
            faults += [f"cut off in its list: {label}" for label in cut_off]
            size = "200%" if enlarged else "100%"
            faults += [f"text of {size}: {fault}" for fault in misfits(page, size)]
            faults += narrow(page, size)
        self.wrong += [f"{name}: {fault}" for fault in faults]
        shot = f"{self._name}-{self._count:02}-{name}"
        # What lies below the screen is under the sheet, too.
        whole = not page.locator("dialog[open]").count()
        self._screens.shot(page, shot, full_page=whole)

    def show_all(self, shown: Iterator[Shown]) -> None:
        """Show pages; fail if anything is wrong with one."""
        for name, page in shown:
            self.show(name, page)
        assert not self.wrong, "\n".join(self.wrong)


def covered(television: Page) -> list[str]:
    """What of the end is told over the seat of a player, or over what else is told of it."""
    return overlaps(television, ".over .place, .over header, .poster, .award")


def ready(name: str, page: Page, awaited: str) -> Shown:
    """A page on which something has come."""
    expect(page.locator(awaited).first).to_be_visible(timeout=SLOW)
    return name, page


def sheet(name: str, page: Page, opens: str) -> Iterator[Shown]:
    """A sheet that a button opens, and that is closed again."""
    page.locator(opens).first.click()
    yield ready(name, page, "dialog[open]")
    page.keyboard.press("Escape")


class Audience:
    """The phones of a table by their seats, and its `table` page, opened when first looked at."""

    def __init__(self, table: Served, look: dict[str, str]) -> None:
        self._table, self._look = table, look
        self._pages: dict[int | str, Page] = {}

    def page(self, who: int | str) -> Page:
        """A page that shows the table as it is now."""
        if who not in self._pages:
            self._pages[who] = (
                self._table.television(reduced_motion="reduce", **self._look)
                if who == "table"
                else self._table.phone(who, **self._look)
            )
        self._table.shown_on(self._pages[who])
        return self._pages[who]

    def see(self, name: str, *whose: int | str) -> Iterator[Shown]:
        """What each of these pages shows now; the state's name goes on with whose page it is."""
        for who in whose:
            yield f"{name}-{who}", partial(self.page, who)


def evening(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.play_by("base", house_rules=frozenset({HouseRule.THIRST_AT_EACH_BEER}))
    audience = Audience(served, look)
    yield from joining(served, audience, look)
    yield from playing(served, audience)


def joining(served: Served, audience: Audience, look: dict[str, str]) -> Iterator[Shown]:
    stranger = served.screens.phone(served.url, **look)
    yield ready("join-first", stranger, "#join")
    yield "table-empty", partial(audience.page, "table")
    served.seat(len(ROLES), phones=len(ROLES) - 1)
    yield ready("join-code", stranger, "#join [name=code]")
    yield "lobby-host", partial(audience.page, 0)
    yield "lobby-guest", partial(audience.page, 1)
    yield "table-lobby", partial(audience.page, "table")
    served.dealer.roles, served.dealer.characters = ROLES, CHARACTERS
    served.do(rounds.start_game)
    served.shown_on(stranger)
    yield "join-late", stranger
    stranger.context.close()


def playing(served: Served, audience: Audience) -> Iterator[Shown]:
    def now(name: str) -> Iterator[Shown]:
        for whose, who in {"turn": 0, "other": 1, "table": "table"}.items():
            yield f"{name}-{whose}", partial(audience.page, who)

    yield from now("begin")
    host, guest = audience.page(0), audience.page(1)
    guest.locator("#part-me .me [data-hold]").focus()
    guest.keyboard.down("Space")
    yield ready("role-held", guest, "output .role")
    guest.keyboard.up("Space")
    served.table.see(reading("moving"))
    yield ready("rolling-turn", host, ".die.rolling")
    served.table.see(reading("unsure", served.dice("12BB1", unsure="..A..")))
    expect(host.locator("#tray.uncertain")).to_be_visible()
    yield from now("unsure")
    yield from sheet("sheet", host, "[data-opens='die-2']")
    served.table.see(reading("count", served.dice("12BB1")[:3]))
    yield ready("count-turn", host, "#tray.illegal")
    served.table.press_green()
    yield ready("refused-turn", host, ".notice")
    served.table.watch(CameraStatus("simulated", tray=SimulatedTray()))
    served.roll("12BBA")
    yield ready("picking-turn", host, "button.throw")
    served.table.press_red()
    assert served.view.question.action is Action.SHOOT
    yield from now("shooting")
    served.table.watch(CameraStatus("none", UNPLUGGED))
    yield ready("fault-table", audience.page("table"), ".fault")
    served.table.watch(CameraStatus("test"))
    answer(served)
    yield from asked(served, audience)
    # Kit Carlson, whose turn it is, takes arrows away; then the Gatling hits those who hold some.
    served.throw_and_stop("GGDAA")
    yield from asked(served, audience)
    served.undo()
    yield from now("undone")
    while served.view.game.players[1].alive and served.view.phase is Phase.PLAYING:
        throw_down(served)
    yield from now("fallen")
    assert served.view.phase is Phase.PLAYING
    while served.view.phase is Phase.PLAYING:
        throw_down(served)
    yield from now("over")
    assert covered(audience.page("table")) == []
    host.goto(f"{served.url}story")
    served.shown_on(host)
    yield "story", host


def asked(served: Served, audience: Audience) -> Iterator[Shown]:
    """Let everybody decide who is asked, and show where."""
    while not served.view.rolling:
        asks = served.view.question
        who, whose = (asks.seat, "asked") if asks.seat < 2 else ("table", "table")
        yield f"{asks.action.replace('_', '-')}-{whose}", partial(audience.page, who)
        answer(served)


def answer(served: Served) -> None:
    """Decide for the player who is asked; shots go to the second player if possible."""
    state = served.table.scene.history.state
    some = [random_move(state, Random(seed)) for seed in range(20)]
    move = max(some, key=lambda move: sum(s.target == 1 for s in getattr(move, "shots", ())))
    seat = move.seat if served.view.people[move.seat].has_phone else 0
    served.do(moves.move, move, seat=seat)


def throw_down(served: Served) -> None:
    """Play on, so that players fall."""
    if served.view.rolling:
        served.roll("112GG" if served.view.game.dice is None else "GGGGG")
        if served.view.rolling and Action.STOP in served.view.game.actions:
            served.table.press_red()
    else:
        answer(served)


def seating(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.seat(4)
    host, guest = served.phone(0, **look), served.phone(1, **look)
    spectator = served.screens.phone(f"{served.url}table", **look)
    served.shown_on(spectator)
    yield "spectator-lobby", spectator
    for options in ("#options", "#games", "#add"):
        host.locator(f"{options} > summary").click()
        expect(host.locator(f"{options} button").last).to_be_visible()
    yield "options-host", host
    host.locator("[data-opens=tapping]").click()
    for place in (2, 0):
        host.locator("#tapping .target").nth(place).click()
    expect(host.locator("#tapping [aria-pressed=true]")).to_have_count(2)
    yield "tapping-host", host
    host.keyboard.press("Escape")
    served.dealer.roles, served.dealer.characters = "soro", PLAIN
    served.do(rounds.start_game)
    served.shown_on(spectator)
    yield "spectator-game", spectator
    new = served.screens.phone(f"{served.url}?code={served.table.scene.code}", **look)
    new.locator("#claim [name=person]").nth(1).click()
    new.wait_for_url(f"{served.url}?asked=1")
    yield ready("claim-new", new, "#claim .claimed")
    yield ready("claim-host", host, ".asked")
    yield ready("claim-old", guest, ".asked")
    host.locator(".asked button:not(.main)").click()
    expect(host.locator(".asked")).to_have_count(0)
    served.table.do(seats.bid, Press(served.person(1)))
    yield ready("bid-host", host, "#bid")
    yield ready("bid-asking", guest, "#bid")
    served.table.do(seats.vote, Press(served.person(1)), served.person(1), yes=False)
    expect(host.locator("#bid")).to_have_count(0)
    open_tab(host, "more")
    host.locator("#phones summary").click()
    host.locator("#phones img").scroll_into_view_if_needed()
    expect(host.locator("#phones img")).not_to_have_js_property("naturalWidth", 0)
    yield "phones-host", host


def dealing(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.seat(4, phones=3)
    served.dealer.characters = PLAIN
    audience = Audience(served, look)
    guest = audience.page(1)

    def deal(roles: str, characters: str) -> None:
        for option, value in (("roles", roles), ("characters", characters)):
            served.do(rounds.choose, option, value)
        served.do(rounds.start_game)
        served.shown_on(guest)

    deal("cards", "cards")
    yield "cards-asked", guest
    dealt = served.view.dealing.round
    served.table.do(rounds.enter, Press(served.person(0)), 0, Role.RENEGADE, "black_jack", dealt)
    yield ready("cards-passed", audience.page(0), "[data-press='/cards/again']")
    yield ready("cards-table", audience.page("table"), ".ready")
    guest.locator("[data-opens=enter-1]").click()
    guest.locator("#enter-1 .target").first.click()
    expect(guest.locator("#enter-1 :checked").first).to_be_attached()
    yield "cards-entering", guest
    served.do(rounds.new_game)
    # A sheet that is open stays where the lobby was never shown.
    served.shown_on(guest)
    served.dealer.roles = "soro"
    deal("dealt", "choice")
    yield "choice-asked", guest
    guest.locator("[data-opens=enter-1]").click()
    guest.locator("#enter-1 .target").first.click()
    expect(guest.locator("#enter-1 :checked")).to_be_attached()
    yield "choice-choosing", guest


def counting(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.deal("soro")
    host, guest = served.phone(0, **look), served.phone(1, **look)
    served.roll("BAGGD")
    served.table.see(reading("count", served.dice("11BBB")[:3]))
    yield ready("beside-turn", host, ".beside button")
    expect(guest.locator(f"#tray.{served.view.signal}")).to_be_visible()
    yield "beside-other", guest
    guest.goto(f"{served.url}story")
    served.shown_on(guest)
    yield "story-so-far", guest
    # Before a first roll no die is known.
    served.do(rounds.new_game)
    served.do(rounds.start_game)
    served.table.see(reading("count", served.dice("BAGGD")[:3]))
    host.locator("[data-opens=missing]").click()
    yield ready("missing-die", host, "#missing")
    host.keyboard.press("Escape")
    host.locator("[data-press='/dice/by-hand']").click()
    yield ready("by-hand-turn", host, "#tray [data-opens=die-4]")
    host.locator("#tray [data-opens=die-4]").click()
    yield ready("by-hand-sheet", host, "#die-4")


def walking_dead(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.play_by("walking-dead")
    served.deal("soro", "calamity_janet")
    host, television = served.phone(0, **look), served.television(reduced_motion="reduce", **look)
    served.table.see(reading("ok", served.dice("12ABG")))
    yield ready("walking-dead-turn", host, "#tray.certain")
    yield ready("walking-dead-table", television, ".die .face")
    served.table.press_green()
    served.table.press_red()
    yield ready("walking-dead-question", host, "#question")
    served.table.watch(CameraStatus("none", UNPLUGGED))
    served.shown_on(host)
    yield "walking-dead-fault", host
    spectator = served.screens.phone(f"{served.url}table", **look)
    yield sound_panel(spectator)


def fall(served: Served) -> None:
    """Let Cleo, an Outlaw, fall by Gatlings and dynamite."""
    served.deal("sroo", "willy_the_kid", "paul_regret", "jourdonnais")
    while served.view.game.players[2].alive:
        served.roll("GGGDD" if served.view.game.turn == 0 else "DDDGG")
        if served.view.game.rolls:
            served.table.press_red()


def out(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.play_by(fallen_see_roles=True)
    fall(served)
    fallen = served.phone(2, **look)
    odds = estimate_odds(
        (Side.LAW, Side.OUTLAWS, Side.RENEGADE),
        Counter({Side.LAW: 200, Side.OUTLAWS: 120, Side.RENEGADE: 80}),
    )
    served.table.spectators.show(served.table.spectators.wanted(), odds)
    served.streams.notify()
    expect(fallen.locator(".bets .number")).to_have_count(3)
    fallen.locator(".bets button").first.click()
    expect(fallen.locator(".bets [aria-pressed=true]")).to_be_visible()
    assert list(served.table.view(served.person(2)).guesses.values()) == [Side.LAW]
    yield "out-odds", fallen
    spectator = served.screens.phone(f"{served.url}chances", **look)
    expect(spectator.locator(".outlook .number")).to_have_count(3)
    yield ready("chances", spectator, "#stakes")
    open_tab(fallen, "table")
    assert "renegade" not in fallen.locator("#others").inner_text().lower()
    open_tab(fallen, "now")
    fallen.locator("[data-hold='/roles']").focus()
    fallen.keyboard.down("Space")
    expect(fallen.locator("#roles")).to_contain_text(re.compile("Bob (Renegade|Renégat)"))
    yield "out-roles-held", fallen
    fallen.keyboard.up("Space")
    expect(fallen.locator("#roles")).to_be_empty()


def playing_moments(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.play_by("walking-dead")
    served.deal("soorod", "lucky_duke", "el_gringo", "paul_regret")
    television = served.television(**look)
    served.shown_on(television)

    def held(kind: str, ms: int) -> Shown:
        television.wait_for_function(f"at => {SCRIPT}.hold(at)", arg=[kind, ms])
        return f"moment-{kind}", television

    def press() -> Press:
        return Press(served.person(0), served.view.version)

    def shoot(*targets: int) -> None:
        shots = tuple(Shot(die, target) for die, target in enumerate(targets))
        served.table.do(moves.move, press(), Shoot(0, shots))

    served.roll("AAADD")
    yield held("arrows", 560)
    television.evaluate(GO_ON)
    served.table.do(moves.undo, press())
    served.throw_and_stop("1111D")
    shoot(5, 5, 5, 5)
    yield held("shots", 560)
    television.evaluate(GO_ON)
    while served.view.game.turn:
        served.throw_and_stop("GGGDD")
    served.throw_and_stop("1111D")
    television.reload()
    shoot(5, 5, 5, 5)
    assert not served.view.game.players[5].alive
    yield held("death", 1000)
    television.evaluate(GO_ON)
    yield sound_panel(served.television(reduced_motion="reduce", **look))


def sound_panel(page: Page) -> Shown:
    """Open what says whether and how loud the table page is heard."""
    page.locator("#sound summary").click()
    expect(page.locator("#sound [type=range]")).to_be_in_viewport()
    return "sound", page


def aiming(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    """All shots by one tap: every way, some of them, and with a beer that may double one."""
    served.deal("sorod", "slab_the_killer")
    player = served.phone(0, **look)
    for name, letters in (("beer", "11BAG"), ("every", "112AG"), ("some", "1122A")):
        if name == "every":
            # The next player has no beer to double with.
            answer(served)
            player = served.phone(1, **look)
        elif name == "some":
            served.undo()
            served.undo()
        served.throw_and_stop(letters)
        served.shown_on(player)
        yield ready(f"aim-{name}", player, "#question .hits")


def card_turns(table: CardTable, look: dict[str, str]) -> Iterator[Shown]:
    """A card game without a camera, from the lobby to a duel."""
    table.seat(5)
    audience = Audience(table, look)
    yield "cards-lobby-host", partial(audience.page, 0)
    table.dealer.roles = "sorod"
    table.dealer.characters = (
        "slab_the_killer", "jourdonnais", "lucky_duke", "jesse_jones", "sid_ketchum",
    )  # fmt: skip
    table.do(rounds.start_game)
    yield from audience.see("cards-turn", 0, 1, "table")
    yield from sheet("cards-take-sheet", audience.page(0), "[data-opens=play-cat_balou]")
    table.tap("mustang, remington, jail 2, bang 1")
    yield from audience.see("cards-shot", 1, 3, "table")
    shot = audience.page(1)
    yield ready("cards-flip", shot, "button.suit")
    for made, state, seat in (
        ("flip 9H, pass, end, dynamite, gatling", "early", 3),
        ("pass, pass, pass", "trade", 4),
        ("pass, end", "jail", 2),
        ("flip 2H 3S, end", "source", 3),
        ("draw deck, duel 0", "duel", 0),
    ):
        table.tap(made)
        yield from audience.see(f"cards-{state}", seat)


def card_endings(table: CardTable, look: dict[str, str]) -> Iterator[Shown]:
    """A last Beer, and how a card game ends."""
    table.deal_cards("sorod", "slab_the_killer", "jourdonnais")
    table.make(*until_somebody_is_dying(table.state))
    audience = Audience(table, look)
    yield from audience.see("cards-dying", table.state.awaited, "table")
    chance = Random(1)
    while table.view.phase is Phase.PLAYING:
        table.make(random_card_move(table.state, chance))
    yield from audience.see("cards-over", 0, 1, "table")
    assert covered(audience.page("table")) == []
    phone = audience.page(1)
    phone.goto(f"{table.url}story/1")
    yield ready("cards-story", phone, ".courses")
    phone.goto(f"{table.url}watch/1?step=9")
    yield ready("cards-replay", phone, "#step [data-step]")


def until_somebody_is_dying(state: CardState) -> Sequence[CardMove]:
    """Random moves after which a player must decide about a last Beer."""
    for seed in range(1000):
        chance, now, made = Random(seed), state, []
        while now.result is None:
            made.append(random_card_move(now, chance))
            now = apply_card(now, made[-1])
            if now.open and now.life[now.open.on] < 1:
                return made
    raise AssertionError("nobody is ever dying")


def laid_cards(table: CardTable, look: dict[str, str]) -> Iterator[Shown]:
    """What pages say of cards that the camera sees."""
    table.deal_cards("sorod", "black_jack", "jourdonnais", phones=2)
    table.watch()
    audience = Audience(table, look)

    def now(name: str, who: int | str = 0) -> Iterator[Shown]:
        yield f"laid-{name}", partial(audience.page, who)

    table.see(PileVerdict.UNSURE, sign="9H")
    yield from now("sign-unsure")
    table.see_sign("9H")
    table.lay("bang")
    yield from now("choose")
    yield from now("choose-other", 1)
    table.put_aside()
    table.see(PileVerdict.UNSURE, "stagecoach", "wells_fargo")
    yield from now("unsure")
    yield from sheet("laid-another", audience.page(0), "[data-opens^=another]")
    table.put_aside()
    table.lay("missed")
    yield from now("illegal")
    table.put_aside()
    table.see(PileVerdict.FACEDOWN)
    yield from now("facedown")
    table.see(PileVerdict.MANY)
    yield from now("many")
    yield from now("many-table", "table")
    table.put_aside()
    table.lay("panic")
    yield from now("take")
    table.put_aside()
    table.see(PileVerdict.GONE, "barrel", "jail")
    yield from now("gone")
    table.put_aside()
    table.tap("bang 1")
    yield from now("answer", 1)
    table.fail("usb:0")
    yield from now("fault")


def card_corrections(table: CardTable, look: dict[str, str]) -> Iterator[Shown]:
    """How a card of some moves ago is corrected, and a deck that doesn't agree with the count."""
    table.deal_cards("sorod", "bart_cassidy", "jourdonnais", "lucky_duke", phones=1)
    phone = table.phone(0, **look)

    def correcting(name: str, dialog: str) -> Iterator[Shown]:
        open_tab(phone, "story")
        phone.locator(f"#recent [data-opens={dialog}]").first.click()
        expect(phone.locator("dialog[open] .quoted")).not_to_be_empty()
        yield f"correct-{name}", phone
        phone.locator("dialog[open] .close").click()

    table.tap("bang 1, flip 4S, pass, beer")
    table.shown_on(phone)
    yield "correct-log", phone
    yield from correcting("title", "wrong-title")
    yield from correcting("sign", "wrong-sign")
    table.tap("jail 1, end")
    table.shown_on(phone)
    yield "correct-spent", phone
    table.tap("flip KH")
    while not table.view.deck_check:
        table.tap("end")
    table.shown_on(phone)
    phone.locator("#real-deck summary").click()
    yield "correct-deck", phone
    while table.view.game.turn:
        table.tap("end")
    table.tap("bang 1")
    table.watch()
    table.lay("missed")
    table.shown_on(phone)
    yield ready("answer-or-flip", phone, "#question [data-press='/pile/draw']")
    table.put_aside()
    table.tap("pass, jail 2, end, end")
    table.tap("flip 3S QH")
    table.shown_on(phone)
    yield from correcting("pair", "wrong-pair")


def card_moments(table: CardTable, look: dict[str, str]) -> Iterator[Shown]:
    """What the television plays for cards."""
    table.deal_cards("sorod", "slab_the_killer", "jourdonnais")
    television = table.television(**look)
    table.shown_on(television)

    def held(kind: str, ms: int) -> Iterator[Shown]:
        television.wait_for_function(f"at => {SCRIPT}.hold(at)", arg=[kind, ms])
        yield f"moment-{kind}", television
        television.evaluate(GO_ON)

    table.tap("stagecoach")
    yield from held("card", 700)
    table.tap("duel 3")
    yield from held("duel", 800)
    table.tap("pass, jail 2")
    yield from held("jail", 700)
    table.tap("bang 1, flip 9H")
    yield from held("flip", 1100)


def replaying(served: Served, look: dict[str, str]) -> Iterator[Shown]:
    served.deal("soorod", "calamity_janet", "el_gringo", "bart_cassidy")
    while served.view.phase is Phase.PLAYING:
        throw_down(served)
    phone = served.phone(1, **look)
    begin, fall = 4, served.table.past.replay(1, served.table.scene).last - 6
    for name, address in (("replay", f"step={begin}"), ("replay-roles", f"step={fall}&roles=1")):
        phone.goto(f"{served.url}watch/1?{address}")
        expect(phone.locator("#step [data-step]")).to_be_visible()
        yield name, phone
    phone.locator("#share summary").click()
    expect(phone.locator("#share img")).not_to_have_js_property("naturalWidth", 0)
    yield "replay-share", phone
    host = served.phone(0, **look)
    host.goto(f"{served.url}story")
    host.locator("#open summary").click()
    choose_file(host.locator("#record-file"), RECORD)
    host.wait_for_url("**/watch/opened-1")
    yield "replay-record", host
    television = served.screens.television(f"{served.url}watch/1?step={begin}", **look)
    yield ready("replay-wide", television, "#step [data-step]")


def first_run(home: Home, look: dict[str, str]) -> Iterator[Shown]:
    """Set the table up, from the lobby to a tick at each of five steps, which the table keeps."""
    home.start(wired=True)
    phone = home.host(**look)
    follow(phone, "/first-run")
    go_on = phone.locator("button.main[data-press='/first-run/go']")
    picture = phone.locator("#open .camera")
    expect(go_on).to_be_visible()
    yield "first-run", phone

    def press(path: str) -> None:
        phone.locator(f"[data-press='{path}']").first.click()

    def ticked(step: str) -> None:
        expect(phone.locator(f"#step-{step}.done #open")).to_be_visible(timeout=SLOW)

    go_on.click()
    # No hand reaches into a simulated tray.
    expect(phone.locator("#advice li")).to_be_visible(timeout=SLOW)
    press("/setup/throw")
    ticked("camera")
    yield "first-run-camera", phone
    go_on.click()
    press("/setup/take-out")
    yield ready("first-run-tray", phone, "#advice.well")
    press("/setup/tray")
    ticked("tray")
    # The saved picture, not the live one, which would soon show dice again.
    expect(picture).to_have_attribute("src", re.compile("/setup/tray.jpg"))
    expect(phone.locator("[data-press='/setup/tray']")).to_be_visible()
    go_on.click()
    press("/setup/throw")
    ticked("dice")
    expect(picture).to_have_js_property("naturalWidth", WIDTH, timeout=SLOW)
    yield "first-run-dice", phone
    go_on.click()
    yield ready("first-run-buttons", phone, "#press")
    buttons = home.running.controls.buttons
    buttons.press_red()
    yield ready("first-run-swapped", phone, "#open .advice")
    buttons.press_green()
    buttons.press_red()
    ticked("buttons")
    go_on.click()
    for colour in COLOURS:
        expect(phone.locator(f".lamp.{colour}")).to_be_visible()
        if colour is Signal.UNCERTAIN:
            phone.locator("[data-with='seen=0']").click()
            yield ready("first-run-light", phone, "#open .advice")
        phone.locator("[data-with='seen=1']").click()
    ticked("light")
    go_on.click()
    expect(phone.locator("#ready")).to_be_visible()
    yield ready("first-run-ready", phone, "a.button.main[href='/seat']")
    home.stop()
    home.start(camera="none")
    assert home.running.first_run.view().ticks.keys() == {
        "camera", "tray", "dice", "buttons", "light",
    }  # fmt: skip


def setting_up(home: Home, look: dict[str, str]) -> Iterator[Shown]:
    settings = home.data.with_name("settings.toml")
    settings.touch()
    home.start(file=settings, hotspot=Hotspot("Saloon", "abcdef234567"))
    home.simulated.throw([])
    phone = home.host(**look)

    def goto(path: str, ready: str) -> None:
        phone.goto(f"{home.url}{path}")
        expect(phone.locator(ready).first).to_be_visible(timeout=SLOW)

    goto("setup", ".well")
    yield "camera", phone
    goto("teach", "#begin")
    yield "teach", phone
    yield from teaching(phone, home.data / "profiles")
    goto("collection", "#add")
    yield "collection", phone
    yield from collecting(home, phone)
    goto("card", "img")
    yield "card", phone
    goto("backup", "#save")
    yield "backup", phone
    with phone.expect_download() as download:
        phone.locator("a[download]").click()
    choose_file(phone.locator("#backup-file"), download.value.path())
    yield ready("backup-uploaded", phone, "[data-press='/backup/restore']")
    goto("machine", "#off")
    yield "machine", phone
    goto("machine/settings", "#of-pins")
    yield "settings", phone


def collecting(home: Home, phone: Page) -> Iterator[Shown]:
    """Add the throw that lies in the tray, and correct a die of it."""
    expect(phone.locator("#add .camera")).not_to_have_js_property("naturalWidth", 0, timeout=SLOW)
    with phone.expect_response("**/setup/throw"):
        phone.locator("[data-press='/setup/throw']").click()
    tray = home.simulated.tray
    wait_until(lambda: len(tray.faces) == 5 and tray.at_rest, phone)
    phone.locator("[data-press='/collection/add']").click()
    yield ready("collection-throw", phone, "#download a")
    yield from sheet("collection-die", phone, ".throw-kept .collected")


def begin_lesson(phone: Page) -> None:
    """Begin a lesson, and show the first picture."""
    phone.locator("#begin [name=name]").fill("Mine")
    phone.locator("#begin button").click()
    phone.locator("[data-press='/teach/lay']").click()
    expect(phone.locator(".cut li")).to_have_count(1, timeout=SLOW)


def teaching(phone: Page, profiles: Path) -> Iterator[Shown]:
    """Begin a lesson, then leave it for one about dice that were taught before."""
    begin_lesson(phone)
    yield "lesson", phone
    save_profile(profile_of(TAUGHT), profiles / "Mine.dice")
    phone.locator("[data-opens=leave]").click()
    phone.locator("[data-press='/teach/leave']").click()
    phone.locator("[data-press='/teach/begin-again']").click()
    phone.locator("[data-press='/teach/check']").click()
    yield ready("lesson-checked", phone, "#checked")


def teaching_cards(home: Home, look: dict[str, str]) -> Iterator[Shown]:
    """The set-up for cards; begin a lesson, then leave it for one about a deck taught before."""
    home.start(game="cards")
    phone = home.host(**look)
    phone.goto(f"{home.url}setup")
    yield ready("card-camera", phone, "#advice")
    phone.goto(f"{home.url}teach")
    yield ready("card-teach", phone, "#begin")
    begin_lesson(phone)
    yield "card-lesson", phone
    phone.locator("#other-sign summary").click()
    yield "card-lesson-sign", phone
    save_deck(load_deck(SHIPPED / "print.cards"), home.data / "profiles/Mine.cards")
    phone.locator("[data-opens=leave]").click()
    phone.locator("[data-press='/teach/leave']").click()
    expect(phone.locator("[data-press='/teach/resume']")).to_be_visible()
    phone.locator("#known").scroll_into_view_if_needed()
    yield "card-unfinished", phone
    phone.locator("[data-press='/teach/begin-again']").click()
    phone.locator("[data-press='/teach/check']").click()
    yield ready("card-checked", phone, "#checked")


def statistics(home: Home, look: dict[str, str]) -> Iterator[Shown]:
    home.start("none")
    home.seated()
    empty = home.screens.phone(f"{home.url}statistics", **look)
    yield ready("statistics-empty", empty, "h1")
    fill(home.data, 60)
    (home.data / "games/ABCD-7.jsonl").write_bytes(b"{")
    cards = CARD_RECORD.read_bytes().replace(b"Player 0", b"Cleo")
    (home.data / "games/CARD-1.jsonl").write_bytes(cards)
    home.running.statistics.bring_up_to_date()
    phone = home.seated("statistics", **look)

    def drawn(page: Page) -> Page:
        expect(page.locator(".drawn svg")).not_to_have_count(0)
        return page

    for name, path in (
        ("statistics", "statistics"),
        ("player", "statistics/player?name=Cleo"),
        ("stand-in", "statistics/player?level=strong"),
        ("dice", "statistics/dice"),
    ):
        phone.goto(f"{home.url}{path}")
        yield name, drawn(phone)
    phone.goto(f"{home.url}statistics")
    for summary in drawn(phone).locator("figure summary").all():
        summary.click()
    yield "statistics-numbers", phone
    phone.goto(f"{home.url}statistics/games")
    yield ready("games", phone, "#wrong")
    phone.locator("[data-opens=delete-everything]").click()
    yield ready("delete-everything", phone, "dialog[open]")
    television = home.screens.television(f"{home.url}statistics", **look)
    yield "statistics-television", drawn(television)


@pytest.mark.parametrize(("look", "taken"), SHARES, ids=name_look)
@pytest.mark.parametrize(
    ("kind", "states", "begin"),
    [
        ("served", evening, 1),
        ("served", out, 92),
        ("served", playing_moments, 66),
        ("served", replaying, 120),
        ("card_table", card_turns, 160),
        ("card_table", card_endings, 174),
        ("card_table", laid_cards, 185),
        ("home", first_run, 100),
        *later(
            ("served", seating, 70),
            ("served", dealing, 80),
            ("served", counting, 86),
            ("served", walking_dead, 95),
            ("served", aiming, 246),
            ("card_table", card_moments, 200),
            ("card_table", card_corrections, 221),
            ("home", setting_up, 108),
            ("home", statistics, 140),
            ("home", teaching_cards, 240),
        ),
    ],
)
def test_every_page_can_be_read_heard_and_pressed(request, look, taken, kind, states, begin):
    """kind: the fixture of the table whose pages these are."""
    table = request.getfixturevalue(kind)
    Gallery(table.screens, look, begin, taken).show_all(states(table, look))

"""Pages of the card game with dealt hands, asked over HTTP: what they say, and to whom."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from dealt_hands import any_legal
from sites import Site
from tiers import later

from companion.games.cards.dealt.state import DECK, DealtState, OfferKind
from companion.games.cards.dealt_game import DEALT_GAME
from companion.games.cards.rules import events
from companion.games.cards.rules.titles import Title
from companion.table.scene import Phase
from web.games.cards.dealt.forms import name_of
from web.games.cards.dealt.pages import DEALT_PAGES

pytestmark = pytest.mark.tables

CHARACTERS = ("kit_carlson", "lucky_duke", "black_jack", "sid_ketchum", "jesse_jones")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, "sroo", CHARACTERS, selection=DEALT_GAME.select("base")).start()


def state_of(site: Site) -> DealtState:
    state: DealtState = site.table.scene.history.state
    return state


def decide_on(site: Site, seed: int) -> Iterator[DealtState]:
    """Let chance decide until the game is over; return each state before a decision."""
    chance = random.Random(seed)
    while site.view.phase is Phase.PLAYING:
        yield state_of(site)
        site.move(any_legal(state_of(site), chance))


@pytest.mark.parametrize("language", ["fr", *later("en")])
def test_every_page_of_a_game_is_drawn_and_sid_ketchum_may_trade_in_anybodys_turn(site, language):
    site.host.post("/game/language", language=language)
    offers, turns, sid = set(), set(), CHARACTERS.index("sid_ketchum")
    for state in islice(decide_on(site, 1), 0, 250, 2):
        shown = [phone.open("/seat") for phone in site.phones]
        shown.append(site.stranger.open("/table"))
        seat = state.decider
        for how in ("", "/play", "/end", "/trade"):
            shown.append(site.phones[seat].post(f"/hand/{seat}{how}"))
        assert all(page.status_code == 200 for page in shown)
        # All others see the same cards, but not those that Kit Carlson looks at.
        opened = state.offer is not None and state.offer.kind is not OfferKind.LOOK
        others = [page for place, page in enumerate(shown[:-3]) if place != seat]
        assert {'id="offered"' in page.text for page in others} == {opened}
        trades = f'data-reveal="/hand/{sid}/trade"' in shown[sid].text
        assert trades == (site.view.question.regain == sid)
        assert "/trade" not in shown[sid - 1].text
        turns |= {state.decider == sid} if trades else set()
        if state.offer:
            offers.add(state.offer.kind)
    assert offers
    assert False in turns


def offered(site: Site, seat: int) -> list[dict[str, str]]:
    """What the buttons of a player's page send, and those of the hand in its sheet."""
    phone = site.phones[seat]
    shown = phone.post(f"/hand/{seat}/play").text + phone.open("/seat").text
    buttons = "".join(re.findall(r"<button[^>]*>", shown))
    sent = re.findall(r'data-press="/game/move" data-with="([^"]+)"', buttons)
    return [dict(each.split("=") for each in fields.split("&amp;")) for fields in sent]


def test_cards_are_played_and_chosen_by_taps(site):
    """As a phone does: it presses a button of its page, or of the hand in its sheet.

    The page offers the same answers whatever a hand holds; what it lacks is refused in private.
    """
    chance, refused = random.Random(4), 0
    for _ in range(60):
        if site.view.phase is not Phase.PLAYING:
            break
        seat, version = state_of(site).decider, site.view.version
        phone, choices = site.phones[seat], offered(site, seat)
        if choices:
            fields = chance.choice(choices)
            lacks = fields["action"] == "play" and not holds(site, seat, fields["card"])
            answer = phone.post("/game/move", **fields)
            assert answer.status_code == (422 if lacks else 204), fields
            assert ("your hand has no" in answer.text) == lacks
            assert site.view.version == version or not lacks
            refused += lacks
            continue
        sheet = phone.post(f"/hand/{seat}/end").text
        (count,) = map(int, re.findall(r'data-most="(\d+)"', sheet))
        cards = re.findall(r'name="card" value="([^"]+)"', sheet)[:count]
        answer = phone.post("/game/move", seat=seat, action="end_turn", card=cards)
        assert answer.status_code == 204
    assert len(site.table.scene.history.moments) > 30
    assert refused


def holds(site: Site, seat: int, title: str) -> bool:
    return any(card.title == title for card in state_of(site).hands[seat])


def test_a_hand_offers_only_what_its_player_is_asked_and_nothing_once_the_game_is_over(site):
    def forms() -> list[tuple[int, str]]:
        """The seats whose sheets hold a form, and what for."""
        found = []
        for seat, phone in enumerate(site.phones):
            for how in ("", "/play", "/end", "/trade"):
                sheet = phone.post(f"/hand/{seat}{how}")
                held = len(state_of(site).hands[seat])
                assert how or sheet.text.count('<p class="title') == held
                found += [(seat, how)] * ("<form" in sheet.text)
        return found

    excess = getattr(site.view.question, "excess", 0)
    assert forms() == [(site.view.question.seat, "/end")] * bool(excess) + [(3, "/trade")] * (
        site.view.question.regain == 3
    )
    assert [*decide_on(site, 4)]
    assert forms() == []


def test_phones_tell_how_cards_moved_but_not_of_cards_that_a_player_still_chooses_among(site):
    told = {True: "", False: ""}
    for state in decide_on(site, 2):
        lines = DEALT_PAGES.just_happened(site.view)
        told[state.offer is not None] += " ".join(line.text for line in lines)
    assert all(verb in told[False] for verb in ("draws two cards", " takes ", " discards "))
    assert "draws" not in told[True]
    assert re.search(r" takes \w.* from the General Store", told[True])


def test_wrong_presses_change_nothing_and_tell_nothing(site):
    """Cards that aren't there, somebody else's, twice, from a stale page, and from strangers."""
    chance, tried = random.Random(6), 0
    for _ in range(40):
        if site.view.phase is not Phase.PLAYING:
            break
        state, now, seat = state_of(site), dict(site.now), state_of(site).decider
        mine, other = site.phones[seat], site.phones[seat - 1]
        for wrong in chance.sample(list(wrong_presses(state)), 5):
            answer = mine.post("/game/move", seat=seat, **wrong)
            assert answer.status_code in (400, 422), wrong
            tells = any(str(card.sign) in answer.text for hand in state.hands for card in hand)
            assert not tells
        legal = [
            fields for fields in offered(site, seat)
            if fields["action"] != "play" or holds(site, seat, fields["card"])
        ]  # fmt: skip
        if not legal:
            site.move(any_legal(state, chance))
            continue
        tried += 1
        fields = chance.choice(legal)
        assert other.post("/game/move", **fields).status_code == 403
        assert site.stranger.post("/game/move", **fields).status_code == 403
        assert state_of(site) == state
        assert mine.post("/game/move", **fields).status_code == 204
        after = state_of(site)
        assert mine.send("/game/move", now | fields).status_code == 409
        assert state_of(site) == after
        # After an undo, the page from before it counts as little.
        now = dict(site.now)
        assert site.host.post("/game/undo").status_code == 204
        assert mine.send("/game/move", now | fields).status_code == 409
        assert mine.post("/game/move", **fields).status_code == 204
        assert state_of(site) == after
    assert tried > 20


def wrong_presses(state: DealtState) -> Iterator[dict[str, object]]:
    """Decisions with cards that the player who decides doesn't hold or isn't offered."""
    hand = state.hands[state.decider]
    missing = next(card for card in DECK if card not in hand and card not in state.deck[-3:])
    titles = {card.title for card in hand}
    yield from ({"action": "play", "card": title} for title in Title if title not in titles)
    twice = [hand[:1] * 2] if hand else []
    for cards in ((missing, missing), (missing,), *twice):
        for action in ("trade", "end_turn"):
            yield {"action": action, "card": list(map(name_of, cards))}
    if state.offer is None or missing not in state.offer.cards:
        yield {"action": "choose", "card": name_of(missing)}
    yield {"action": "draw", "shown": str(missing.sign)}


def test_a_replay_is_there_once_the_game_is_over_and_shows_no_hand(site):
    for number, _ in enumerate(decide_on(site, 3)):
        if number < 3:
            assert site.stranger.open("/watch/1/1").status_code == 404
            assert site.host.open("/record/1").status_code != 200
    assert site.view.phase is Phase.OVER
    site.host.post("/game/new")
    replay = site.table.past.replay(1)
    assert replay is not None
    for step in range(0, replay.last + 1, 9):
        page = site.stranger.open(f"/watch/1/{step}")
        assert page.status_code == 200
        assert "/hand/" not in page.text


def test_an_undo_says_that_cards_stay_known_if_it_shows_any(site):
    chance, told = random.Random(2), Counter()
    for _ in range(120):
        if site.view.phase is not Phase.PLAYING:
            break
        site.move(any_legal(state_of(site), chance))
        moments = site.table.scene.history.moments
        undone = site.table.scene.history.landings[-1] + 1
        made = [event for each in moments[undone:] for event in each.state.events]
        shares = [event for event in made if events.is_share(event)]
        kinds = {type(event) for event in made if event not in shares}
        shows = bool(kinds & {events.Drawn, events.CardPlayed, events.CardFlipped})
        says = "stay known" in site.host.open("/seat").text
        assert says or not shows
        # Everybody saw what lay in the General Store.
        assert not (says and shares and len(shares) == len(made))
        told[says, bool(shares)] += 1
    assert set(told) >= {(True, False), (False, False), (False, True)}

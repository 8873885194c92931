"""Pages of the card game, asked over HTTP: what they say, refuse, and never contain."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from sites import Site, first_load, reason
from tiers import later

from companion.games.cards.game import CARD_GAME
from companion.games.cards.players import random_move
from companion.games.cards.rules.events import (
    CardAnswered,
    CardEvent,
    CardFlipped,
    CardPlayed,
    Discarded,
    Drawn,
    DrawnFromPile,
    DynamitePassed,
    Hurt,
    Inherited,
    JailServed,
    Occasion,
    Removed,
    SecondShown,
    Shuffled,
    Taken,
)
from companion.games.cards.rules.moves import HAND, End, Flip, Pass, Play
from companion.games.cards.rules.titles import SIGNS, Title
from companion.games.cards.terms import LANGUAGES, terms
from companion.games.common.events import Eliminated
from companion.games.common.roles import Role
from companion.games.game import DeckCopy, DeckDoubts
from companion.table.history import EntryStatus
from companion.table.scene import Phase
from companion.table.surface.cards.state import PileObservation, PileVerdict
from web.assets import FOLDER
from web.games.cards import helping, recount
from web.games.cards.board import SIGNS_BY_SUIT
from web.games.cards.cues import CUES, cue_of
from web.games.cards.helping import Helper
from web.games.cards.story import just_happened, last_move

pytestmark = pytest.mark.tables

CHARACTERS = ("kit_carlson", "rose_doolan", "bart_cassidy", "el_gringo", "suzy_lafayette")
NAMES = ("Ann", "Bob", "Cleo", "Dan")
PLAYED = ("bart_cassidy", "suzy_lafayette", "vulture_sam", "sid_ketchum")


def card_site(folder: Path, roles: str = "sroo", **options: object) -> Site:
    site = Site(folder, **{"roles": roles, "characters": CHARACTERS, **options})
    assert site.host.post("/game/choose", game=CARD_GAME.record_name).status_code == 204
    return site.start()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return card_site(tmp_path)


def make(site: Site, *made: object) -> None:
    for move in made:
        site.move(move)


def pages(site: Site) -> list[str]:
    shown = [phone.open("/seat").text for phone in site.phones]
    return [*shown, site.stranger.open("/table").text, site.stranger.open("/story").text]


def play_until(site: Site, reached: Callable[[], object]) -> None:
    """Draw cards and end turns until something is so."""
    while not reached():
        seat = site.view.game.turn
        drawing = Play(seat, Title.STAGECOACH)
        legal = CARD_GAME.check(site.table.scene.history.state, drawing) is None
        make(site, drawing if legal else End(seat))


# The real deck


def test_phones_say_what_to_do_about_a_deck_that_doesnt_agree_when_it_is_shuffled(
    site: Site,
) -> None:
    offered = "The deck doesn’t agree"
    assert offered not in site.host.open("/seat").text
    play_until(site, lambda: site.view.deck_check)
    words, left = terms("en"), site.view.deck_check.left
    page = site.host.open("/seat").text
    assert offered in page
    assert f"By the count, the deck has {words.quantity(left, words.card)} left." in page
    told = re.findall(r"<li>(.*?)</li>", page.partition("It is empty already")[2])
    assert [re.match(r"\w", line) is not None for line in told] == [True] * len(told) != []
    unseen = {copies.title for copies in site.view.deck_check.unseen}
    assert len(told) == len(unseen)
    assert offered not in site.stranger.open("/table").text


def test_a_card_that_is_there_twice_is_named_when_the_pile_is_shuffled(site: Site) -> None:
    play_until(site, lambda: site.view.deck_check)
    double = DeckDoubts(3, (), (DeckCopy("7H", Title.BEER), DeckCopy("5H")))
    told = "The camera saw one too many of: Beer (7 of hearts) and 5 of hearts."
    assert recount.twice(site.view, double) == told
    assert told not in recount.twice(site.view, double._replace(twice=()))

    def shuffled() -> bool:
        return any(isinstance(event, Shuffled) for event in last_move(site.view).events)

    play_until(site, shuffled)
    assert told in helping.lines(replace(site.view, deck_check=double))
    assert told not in helping.lines(site.view)


# What is decided on a phone


def test_a_shot_that_takes_two_missed_says_what_is_still_needed_after_a_flip(
    tmp_path: Path,
) -> None:
    characters = ("slab_the_killer", "jourdonnais", *CHARACTERS[2:])
    site = card_site(tmp_path, characters=characters)
    make(site, Play(0, Title.BANG, 1))
    page = site.phones[1].open("/seat").text
    assert "It takes two Missed!" in page
    assert page.index("a heart counts as Missed!") < page.index('card=missed"')
    make(site, Flip(1, (SIGNS["7H"],)))
    page = site.phones[1].open("/seat").text
    assert "Bob flips the 7 of hearts: it counts as Missed!" in page
    assert "It takes one more Missed!" in page
    make(site, Play(1, Title.MISSED))
    assert "one more Missed!" not in site.phones[1].open("/seat").text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": "dance"}, "action: nothing that is decided on a phone"),
        ({"action": "play", "card": "royal_flush"}, "card: there is none of this name"),
        ({"action": "play"}, "card: there is none of this name"),
        ({"action": "play", "card": "panic", "target": "you"}, "target: a whole number is needed"),
        ({"action": "play", "card": "panic", "take": "all"}, "take: there is none of this name"),
        ({"action": "flip", "sign-0": "11S"}, "sign-0: rank and suit are needed, such as 10S"),
        ({"action": "draw", "source": "sky"}, "source: a whole number is needed"),
        ({"action": "draw", "shown": "?"}, "shown: rank and suit are needed, such as 10S"),
        ({"action": "end", "seat": "x"}, "seat: a whole number is needed"),
    ],
)
def test_a_form_that_no_page_sends_is_refused(
    site: Site, fields: dict[str, str], said: str
) -> None:
    assert reason(site.host.post("/game/move", **{"seat": "0", **fields}), 400) == said


def test_what_the_rules_forbid_is_refused_in_the_words_of_the_game(site: Site) -> None:
    shot = {"seat": 0, "action": "play", "card": "bang", "target": 2}
    said = reason(site.host.post("/game/move", **shot), 422)
    assert said == "Cleo is out of reach, at distance 2."
    assert site.host.post("/game/move", **{**shot, "target": 1}).status_code == 204
    said = reason(site.host.post("/game/move", seat=0, action="end"), 422)
    assert said == "Not now: Bob decides."


def test_titles_that_cannot_be_played_say_why(site: Site) -> None:
    page = site.host.open("/seat").text
    assert "only an answer to a shot" in page
    make(site, Play(0, Title.BANG, 1), Pass(1), Play(0, Title.MUSTANG))
    off = re.findall(r'<li class="off">(.*?)</li>', site.host.open("/seat").text)
    told = [re.sub("<.*?>", "", line) for line in off]
    assert "BANG! only one a turn" in told
    assert "Mustang already before you" in told


def test_a_player_who_goes_on_playing_is_not_called_again_but_an_answer_calls(site: Site) -> None:
    def calls(phone: int) -> str:
        return re.search('data-calls="(.*?)"', site.phones[phone].open("/seat").text)[1]

    before = calls(0)
    make(site, Play(0, Title.STAGECOACH))
    assert calls(0) == before
    assert calls(1) == ""
    make(site, Play(0, Title.BANG, 1))
    assert calls(1).startswith("question-")


@pytest.mark.parametrize("path", ["/seat", "/table", "/story", "/watch/1", "/chances", "/"])
def test_a_page_of_a_card_game_first_loads_less_than_100_kilobytes(site: Site, path: str) -> None:
    assert first_load(site, site.host.client, path) < 100_000


# Never on a page


def move_on(site: Site, chance: random.Random, count: int) -> None:
    for _ in range(count):
        if site.view.phase is Phase.PLAYING:
            make(site, random_move(site.table.scene.history.state, chance))


CODES = r'content="\w+"|<b class="code">\w+|token=\w+|data-keep="\w{4}-1"'


@pytest.mark.parametrize("every", [4, *later(1)])
def test_two_games_that_differ_in_hidden_roles_have_the_same_pages(
    tmp_path: Path, every: int
) -> None:
    """All but the bytes that differ between any two tables: codes and proofs.

    every: which moves are looked at.
    """
    sites = [card_site(tmp_path / roles, roles) for roles in ("sroo", "soor")]
    chances = [random.Random(5) for _ in sites]
    compared = 0
    while all(all(player.alive for player in site.view.game.players) for site in sites):
        shown = [re.sub(CODES, "", "".join(pages(site))) for site in sites]
        assert shown[0] == shown[1]
        compared += 1
        for site, chance in zip(sites, chances, strict=True):
            move_on(site, chance, every)
    assert compared * every > 20


def test_no_spectator_is_promised_chances_that_nothing_works_out(site: Site) -> None:
    assert "/chances" not in site.stranger.open("/").text
    assert "This game has no chances to show" in site.stranger.open("/chances").text


# Cards in the tray


def lay(site: Site, verdict: PileVerdict, *likely: str, sign: str | None = None) -> None:
    site.table.see(PileObservation(PileVerdict.NONE))
    site.table.see(PileObservation(verdict, likely, sign))


def test_a_laid_card_asks_for_its_target_and_goes_on_by_one_tap(site: Site) -> None:
    lay(site, PileVerdict.OK, "bang")
    page = site.host.open("/seat").text
    assert "BANG!: on whom?" in page
    assert "BANG!: Ann chooses what it does." in site.stranger.open("/table").text
    tap = {"seat": 0, "action": "play", "card": "bang", "target": 1}
    assert site.host.post("/game/move", **tap).status_code == 204
    assert "Ann shoots at you." in site.phones[1].open("/seat").text


def test_an_uncertain_card_is_named_by_a_tap_or_put_aside(site: Site) -> None:
    lay(site, PileVerdict.UNSURE, "stagecoach", "wells_fargo")
    page = site.host.open("/seat").text
    assert 'data-press="/pile/title" data-with="title=wells_fargo"' in page
    assert site.host.post("/pile/title", title="wells_fargo").status_code == 204
    assert "Draw three cards." in site.host.open("/seat").text
    lay(site, PileVerdict.UNSURE, "stagecoach", "beer")
    assert reason(site.host.post("/pile/title", title="queen"), 422) == "there is no such card"
    assert site.host.post("/pile/ignore").status_code == 204
    assert "What do you play?" in site.host.open("/seat").text


def test_a_card_seen_for_a_moment_is_played_by_one_tap(site: Site) -> None:
    lay(site, PileVerdict.GONE, "barrel", "jail")
    page = site.host.open("/seat").text
    assert "Barrel or Jail was seen for a moment. Was it played?" in page
    notice = page.partition("was seen for a moment")[2].partition("No card was played")[0]
    assert re.findall(r'data-(?:with|opens)="(.*?)"', notice) == [
        "seat=0&amp;action=play&amp;card=barrel", "play-jail",
    ]  # fmt: skip
    assert "Barrel or Jail was seen for a moment: Ann says" in site.phones[1].open("/seat").text
    assert site.host.post("/game/move", seat=0, action="play", card="barrel").status_code == 204
    assert "seen for a moment" not in site.host.open("/seat").text


def test_a_card_that_cannot_be_played_says_why_on_every_page(site: Site) -> None:
    lay(site, PileVerdict.OK, "missed")
    said = "Missed! is only an answer to a shot. Take the card back."
    assert all(said in page for page in pages(site)[:-1])


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (PileVerdict.FACEDOWN, "A card lies face down, or is from another game"),
        (PileVerdict.MANY, "Several cards were laid at once: lay them one by one."),
        (PileVerdict.BLOCKED, "Something covers the pile: clear the tray."),
        (PileVerdict.MOVED, "The pile was moved, or a card was taken off it."),
    ],
)
def test_what_is_wrong_with_the_pile_is_said_on_every_page(
    site: Site, verdict: PileVerdict, said: str
) -> None:
    make(site, Play(0, Title.STAGECOACH))
    lay(site, verdict)
    assert all(said in page for page in pages(site)[:-1])


def wrong_cards(page: str) -> list[tuple[str, str, str]]:
    """The buttons of a page that correct a card: dialog, fields and name."""
    found = r'data-opens="(wrong-\w+)" data-with="(.*?)" aria-label="Wrong card: (.*?)"'
    return re.findall(found, page)


def test_a_correction_that_makes_a_later_move_illegal_quotes_it(site: Site) -> None:
    make(site, Play(0, Title.DUEL, 1), Pass(1), Play(0, Title.BANG, 1), Pass(1))
    said = reason(site.host.post("/game/retitle", number=1, card="bang", place=0), 422)
    quoted = "then “Ann plays BANG! on Bob” would be against the rules: Only one BANG! a turn."
    assert said == quoted


def test_each_line_of_the_log_that_names_a_card_leads_to_its_correction(site: Site) -> None:
    make(site, Play(0, Title.DYNAMITE), End(0), End(1), End(2), End(3))
    make(site, Flip(0, (SIGNS["KH"],)), Play(0, Title.BEER))
    expected = [
        ("wrong-title", "number=7&amp;place=0", "Beer"),
        ("wrong-sign", "number=6&amp;place=0", "K of hearts"),
        ("wrong-title", "number=1&amp;place=0", "Dynamite"),
    ]
    for page in ("/seat", "/story"):
        shown = site.host.open(page).text
        assert wrong_cards(shown) == (expected if page == "/story" else expected[:2])
        assert 'id="wrong-sign"' in shown
        assert wrong_cards(site.phones[2].open(page).text) == []
    corrected = {"number": 6, "place": 0, "card": "KD"}
    assert site.host.post("/game/retitle", **corrected).status_code == 204
    page = site.phones[2].open("/seat").text
    assert "Ann corrects which card Ann turned up: K of diamonds, not K of hearts." in page


def test_the_line_of_two_flipped_cards_leads_to_a_choice_of_the_other_one(tmp_path: Path) -> None:
    site = card_site(tmp_path, characters=("lucky_duke", *CHARACTERS[1:]))
    make(site, Play(0, Title.DYNAMITE), End(0), End(1), End(2), End(3))
    make(site, Flip(0, (SIGNS["4S"], SIGNS["KH"])))
    shown = site.host.open("/seat").text
    assert wrong_cards(shown)[:2] == [
        ("wrong-pair", "number=6&amp;place=0", "4 of spades"),
        ("wrong-pair", "number=6&amp;place=1", "K of hearts"),
    ]
    dialog = shown[shown.index('id="wrong-pair"') :]
    found = re.search(r'name="card" value="(\w+)"[^>]*>(?:<svg.*?</svg>)?<span>The other', dialog)
    assert found is not None
    assert site.view.game.players[0].life == 2
    for place in (0, 1):
        answer = site.host.post("/game/retitle", number=6, place=place, card=found[1])
        assert answer.status_code == 204
        assert site.view.game.players[0].life == (5 if place == 0 else 2)


def test_a_hand_that_does_not_agree_is_told_what_to_do_on_its_own_page(site: Site) -> None:
    make(site, Play(0, Title.STAGECOACH))
    told = "By the count, you hold %s. If you hold fewer, draw; if you hold more, put cards back."
    pages = [phone.open("/seat").text for phone in site.phones]
    held = ["eight cards", "four cards", "four cards", "three cards"]
    assert [told % cards in page for cards, page in zip(held, pages, strict=True)] == [True] * 4
    assert "By the count, you" not in site.stranger.open("/table").text


def test_a_card_laid_from_a_hand_that_is_empty_by_the_count_leads_to_the_count(site: Site) -> None:
    def laid(title: str) -> str:
        lay(site, PileVerdict.OK, title)
        return site.host.open("/seat").text

    make(site, Play(0, Title.SALOON), *[Play(0, Title.BEER)] * 5)
    told = "By the count, you hold no cards."
    earlier = "an earlier one was counted wrongly"
    used_up = laid(Title.SALOON)
    assert (earlier in used_up, site.view.game.players[0].hand) == (True, 1)
    site.host.post("/pile/ignore")
    make(site, Play(0, Title.BEER))
    # The first one is the Beer that was tapped.
    laid(Title.BEER)
    empty = laid(Title.BEER)
    assert "Ann has no card in hand. Take the card back." in empty
    question = empty[empty.index('id="question"') : empty.index("/pile/ignore")]
    assert (told in question, earlier in question) == (True, False)


def test_signs_that_the_deck_has_no_more_of_cannot_be_tapped(site: Site) -> None:
    def off(page: str) -> list[str]:
        return re.findall(r'sign-0=(\w+)"[^>]* disabled', page)

    make(site, Play(0, Title.DYNAMITE), End(0), End(1), End(2), End(3))
    assert off(site.host.open("/seat").text) == []
    assert "Grey ones" not in site.host.open("/seat").text
    make(site, Flip(0, (SIGNS["4H"],)), End(0))
    page = site.phones[1].open("/seat").text
    assert off(page) == ["4H"]
    assert "Grey ones were shown since the last shuffle" in page


def test_players_asked_later_answer_early_and_only_their_phone_shows_it(site: Site) -> None:
    make(site, Play(0, Title.GATLING))
    before = [phone.open("/seat").text for phone in site.phones]
    assert 'data-press="/game/early"' in before[2]
    assert 'data-press="/game/early"' not in before[1]
    answer = {"seat": 2, "action": "play", "card": "missed"}
    assert site.phones[2].post("/game/early", **answer).status_code == 204
    after = [phone.open("/seat").text for phone in site.phones]
    assert "Answer given early: Missed!" in after[2]
    assert [before[seat] == after[seat] for seat in range(4)] == [True, True, False, True]
    assert site.phones[2].post("/game/early-back", seat=2).status_code == 204
    assert site.phones[2].open("/seat").text == before[2]


def test_only_cards_in_play_have_the_blue_edge_of_what_lies_on_the_table(site: Site) -> None:
    make(site, Play(0, Title.MUSTANG), End(0))
    page = site.phones[1].open("/seat").text
    taken = r'<button class="(take[^"]*)"[^>]*card=cat_balou&amp;target=0&amp;take=(\w+)'
    edges = dict(re.findall(taken, page))
    assert edges == {"take": "hand", "take blue": "mustang"}


def test_a_barrel_is_flipped_by_hand_without_a_sheet_and_before_a_missed(tmp_path: Path) -> None:
    site = card_site(tmp_path, characters=(CHARACTERS[1], "jourdonnais", *CHARACTERS[2:]))
    make(site, Play(0, Title.BANG, 1))
    question = site.phones[1].open("/seat").text.partition('id="question"')[2]
    flip = question.index('data-with="seat=1&amp;action=flip&amp;sign-0=9H"')
    assert 'data-opens="flip' not in question
    assert flip < question.index("action=play&amp;card=missed")


# What players do with the real cards


def test_the_hands_are_dealt_before_the_first_turn(site: Site) -> None:
    dealt = "Deal the hands: each player gets as many cards as life points."
    for page in (site.host.open("/seat").text, site.stranger.open("/table").text):
        assert dealt in page
    make(site, Play(0, Title.STAGECOACH))
    assert dealt not in site.host.open("/seat").text
    assert site.host.post("/game/undo").status_code == 204
    assert dealt not in site.host.open("/seat").text


def test_after_an_undo_everybody_reads_how_many_cards_lay_where(site: Site) -> None:
    make(site, Play(0, Title.STAGECOACH))
    before, deck = site.view.game.players[0].hand, site.view.game.deck
    make(site, Play(0, Title.WELLS_FARGO))
    assert site.host.post("/game/undo").status_code == 204
    left = f"the deck has {deck}, the pile 1."
    told = f"Put the cards back as they were: you hold {before}, {left}"
    assert told in site.host.open("/seat").text
    assert f"Put the cards back as they were: {left}" in site.stranger.open("/table").text
    make(site, Play(0, Title.WELLS_FARGO))
    assert "Put the cards back" not in site.host.open("/seat").text


def test_after_a_correction_players_read_how_many_cards_they_hold(site: Site) -> None:
    make(site, Play(0, Title.STAGECOACH))
    number = site.view.latest
    held = site.view.game.players[0].hand
    corrected = {"number": number, "place": 0, "card": "wells_fargo"}
    assert site.host.post("/game/retitle", **corrected).status_code == 204
    assert site.view.game.players[0].hand == held + 1
    bar = site.host.open("/seat").text.partition('id="to-do"')[2].partition("</div>")[0]
    assert "By the count, you hold" in bar
    table = site.stranger.open("/table").text
    assert "By the count" not in table.partition('id="to-do"')[2].partition("</div>")[0]


def test_all_that_the_gatling_did_is_told_before_who_escaped_it(site: Site) -> None:
    events = [
        CardAnswered(1, Title.MISSED),
        CardAnswered(2, Title.MISSED),
        *(Hurt(seat, 1, Title.GATLING) for seat in (3, 0, 1)),
    ]
    statuses = (EntryStatus(moves=site.view.latest),) * len(events)
    told = just_happened(replace(site.view, story=tuple(events), statuses=statuses))
    losers = ("Dan", "Ann", "Bob")
    assert [line.text for line in told] == [f"{name} loses a life point." for name in losers]


HELP = [
    ([Drawn(0, 2, Occasion.TURN)], "Draw two cards.", "Ann draws two cards."),
    ([Eliminated(3, Role.OUTLAW), Drawn(0, 3, Occasion.REWARD)],
     "Draw three cards: Dan was an Outlaw.", "Ann draws three cards: Dan was an Outlaw."),
    ([Discarded(0, 2, Occasion.TURN)], "Lay two cards on the pile.",
     "Ann lays two cards on the pile."),
    ([Eliminated(2, Role.DEPUTY), Discarded(0, 4, Occasion.PENALTY)],
     "Lay all your cards on the pile: Cleo was a Deputy.",
     "Ann lays all their cards on the pile: Cleo was a Deputy."),
    ([Drawn(0, 1, Occasion.TURN), SecondShown(0, SIGNS["9H"]), Drawn(0, 1, Occasion.ABILITY)],
     "Draw a card.", "Ann draws a card."),
    ([Taken(0, 1, HAND, 1)], "Pull a card from Bob’s hand.", "Ann pulls a card from Bob’s hand."),
    ([Taken(1, 0, HAND, 2)], "Bob pulls two cards from your hand.",
     "Bob pulls two cards from Ann’s hand."),
    ([Taken(0, 1, Title.BARREL, 1)], "Take Barrel from Bob.", "Ann takes Barrel from Bob."),
    ([Taken(0, 0, Title.JAIL, 1)], "Take Jail into your hand.", "Ann takes Jail back."),
    ([Removed(0, Title.SCOPE)], "Lay your Scope on the pile.", "Ann lays Scope on the pile."),
    ([DrawnFromPile(0, None)], "Take the top card of the pile.",
     "Ann takes the top card of the pile."),
    ([CardFlipped(0, (SIGNS["5C"],), Title.JAIL, False), JailServed(0)],
     "Lay your Jail on the pile.", "Ann lays Jail on the pile."),
    ([CardFlipped(0, (SIGNS["5S"],), Title.DYNAMITE, True), Hurt(0, 3, Title.DYNAMITE)],
     "Lay your Dynamite on the pile.", "Ann lays Dynamite on the pile."),
    ([DynamitePassed(3, 1)], "Lay the Dynamite before Bob.", "Lay the Dynamite before Bob."),
    ([Shuffled(43)], "Once the deck is empty, shuffle the pile, 43 cards.",
     "Once the deck is empty, shuffle the pile, 43 cards."),
    ([Inherited(0, 2, 5)], "Take all cards of Cleo.", "Ann takes all cards of Cleo."),
    ([CardPlayed(0, Title.GENERAL_STORE, None), *(Drawn(s, 1, Occasion.CARD) for s in range(4))],
     "Turn up four cards: everybody takes one, beginning with Ann.",
     "Turn up four cards: everybody takes one, beginning with Ann."),
]  # fmt: skip


@pytest.mark.parametrize(("events", "own", "others"), HELP, ids=lambda value: str(value)[:40])
def test_help_at_the_real_table_is_one_sentence(
    events: list[object], own: str, others: str
) -> None:
    for reader, told in ((0, own), (None, others)):
        assert list(Helper(reader, 1, NAMES, terms("en"), PLAYED).tell(events)) == [told]


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_told_of_every_event_that_moves_real_cards(language: str) -> None:
    for events, _, _ in HELP:
        for reader in (0, 1, None):
            (told,) = Helper(reader, 2, NAMES, terms(language), PLAYED).tell(events)
            assert "{" not in told


def test_the_pile_is_shuffled_after_the_draw_that_empties_the_deck() -> None:
    drawn = [Shuffled(43), Drawn(2, 2, Occasion.TURN)]
    assert list(Helper(0, 2, NAMES, terms("en"), PLAYED).tell(drawn)) == [
        "Cleo draws two cards.",
        "Once the deck is empty, shuffle the pile, 43 cards.",
    ]


def test_kit_carlson_is_told_to_look_at_three_cards() -> None:
    drawn = [Drawn(0, 2, Occasion.TURN)]
    played = ("kit_carlson", *PLAYED[1:])
    (own,) = Helper(0, 0, NAMES, terms("en"), played).tell(drawn)
    assert own == "Look at the top three cards of the deck: keep two, put one back."
    (others,) = Helper(None, 0, NAMES, terms("en"), played).tell(drawn)
    assert others == "Ann looks at the top three cards of the deck, keeps two and puts one back."
    (store,) = Helper(0, 0, NAMES, terms("en"), played).tell([Drawn(0, 2, Occasion.CARD)])
    assert store == "Draw two cards."


def test_a_pulled_card_of_cat_balou_names_who_pulls_it() -> None:
    (told,) = Helper(0, 1, NAMES, terms("en"), PLAYED).tell([Removed(0, HAND)])
    assert told == "Bob pulls a card from your hand and lays it on the pile."


# What is heard


def test_every_kind_of_event_has_a_cue_with_sounds_that_exist() -> None:
    assert set(get_args(CardEvent)) <= set(CUES)
    sounds = {file.stem for file in (FOLDER / "sounds").glob("*.wav")}
    assert {sound for cue in CUES.values() for sound in cue.sounds} <= sounds
    assert cue_of(CardPlayed(0, Title.GATLING, None)).sounds == ("gatling",)


def test_signs_of_all_cards_are_offered_once_each() -> None:
    assert sorted(str(sign) for suit in SIGNS_BY_SUIT.values() for sign in suit) == sorted(SIGNS)

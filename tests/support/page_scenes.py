"""The words of scenes of pages, asked over HTTP; how a text of scenes is read: scenes.py.

A scene is `Dice` or `Cards`: a game of Ann, Bob, Cleo and Dan that has begun, or its `lobby`;
`roles` by their first letters, `as` whom the first ones play, `phones` how many have one, `in` a
ruleset, `house` its house rules, and `asking` where everything is asked.

Dice are `throw`n, or also accepted (`roll`), in letters; `see` is as in roll_scenes.py, `tap` a
move with cards as in card_scenes.py, `pile` what the camera sees of them. `press` sends fields to
an address from the host's phone, or `from` another; a refusal is told with its status. Who comes
to `join` or to `claim` a seat has the next phone.

Pages are named by the seat of a phone, what it shows elsewhere (`2/story`), or, on a phone without
a seat, their names (`table`), several with commas; in what stands there, ` … ` passes over
anything.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest
from card_evening import CALM
from card_scenes import move_of
from dice_scenes import FACES
from roll_scenes import STEPS as ROLLS
from roll_scenes import dice_of
from scenes import Words, options
from sites import Phone, Site, deal_to, finish, reason
from stand_ins import PLAIN, dice_game, reading
from table_scenes import Facts, Moment, Steps, Told, spaced, table_words
from wording import Texts

from companion.games.cards.game import CARD_GAME
from companion.table.surface.cards.state import PileObservation, PileVerdict


class Refusal(AssertionError):  # noqa: N818 (a refusal is an answer)
    """A press that changes nothing: the status of its answer, and the line."""


def known(site: Site) -> Iterator[tuple[str, object]]:
    """What pages send unless a scene says something else: of questions, the number of the first."""
    scene = site.table.scene
    yield "code", scene.code
    yield "round", scene.dealing.round if scene.dealing else 0
    yield "claim", next((claim.number for claim in scene.requests.claims), 0)
    yield "guest", next((guest.id for guest in scene.requests.queue), 0)


def press(site: Site, path: str, *fields: str, seat: int | str = 0) -> None:
    phone = site.phones[seat] if isinstance(seat, int) else site.stranger
    said = parse_qs("&".join(fields), keep_blank_values=True)
    answer = phone.post(path, **dict(known(site)) | said)
    if answer.status_code >= 400:
        raise Refusal(f"{answer.status_code} {reason(answer, answer.status_code)}")


def come(site: Site, path: str, **said: object) -> None:
    """Open the page that joins on a new phone, and send something from it."""
    site.phones.append(Phone(site))
    answer = site.phones[-1].ask(path, **said)
    assert answer.status_code == 303, answer.text


def see_pile(site: Site, verdict: str, *words: str) -> None:
    """Let the camera see titles anew, and perhaps a sign, which begins with no small letter."""
    titles = tuple(word for word in words if word[0].islower())
    (sign,) = [word for word in words if word not in titles] or [None]
    site.table.see(PileObservation(PileVerdict.NONE))
    site.table.see(PileObservation(PileVerdict(verdict), titles, sign))


def get(site: Site, path: str) -> None:
    """Ask for an address on a phone without a seat."""
    answer = site.stranger.client.get(path)
    if answer.status_code >= 400:
        raise Refusal(f"{answer.status_code} {reason(answer, answer.status_code)}")


STEPS: Steps = {
    **{word: ROLLS[word] for word in ("green", "red", "blind", "simulated")},
    "throw": lambda site, letters: site.throw(*map(FACES.__getitem__, letters)),
    "roll": lambda site, letters: site.roll(*map(FACES.__getitem__, letters)),
    "see": lambda site, verdict, *dice: site.table.see(reading(verdict, dice_of(dice))),
    "tap": lambda site, *made: site.move(move_of(site.table.scene.history.state, " ".join(made))),
    "pile": see_pile,
    "press": press,
    "get": get,
    "join": lambda site, name: come(site, "/join", name=name),
    "claim": lambda site, seat: come(site, "/seat/claim", person=site.view.people[int(seat)].id),
    "deal": deal_to,
    "finish": finish,
}


def pages(site: Site, who: str) -> Iterator[str]:
    """What is pushed first to each of these pages, with plain spaces."""
    for name in who.split(","):
        seat, _, page = name.partition("/")
        if seat.isdigit():
            shown = site.phones[int(seat)].live(page or "seat")
        else:
            shown = site.stranger.live(name)
        yield " ".join(unescape(shown).split())


def texts(site: Site, who: str) -> Iterator[str]:
    """What is read or heard on each of these pages."""
    for page in pages(site, who):
        yield " ".join(" ".join(Texts(page).found).split())


def stand(words: Sequence[str], where: Callable[[Site, str], Iterator[str]], site: Site) -> bool:
    """Whether something stands on all pages that are named before it."""
    who, *wanted = words
    pattern = ".*".join(map(re.escape, " ".join(wanted).split(" … ")))
    for shown in where(site, who):
        assert re.search(pattern, shown), shown
    return True


def lacks(site: Site, words: Sequence[str]) -> bool:
    """Whether something stands on none of these pages, read or not."""
    who, *unwanted = words
    for where in (pages, texts):
        for shown in where(site, who):
            assert " ".join(unwanted) not in shown, shown
    return True


def counts(site: Site, words: Sequence[str]) -> bool:
    """Whether something stands so often on each of these pages."""
    who, number, *wanted = words
    found = [page.count(" ".join(wanted)) for page in pages(site, who)]
    assert found == [int(number)] * len(found), found
    return True


def offered(site: Site, who: str, path: str) -> Iterator[list[str]]:
    """What buttons for an address send, page by page."""
    button = rf'data-press="{re.escape(path)}"(?: data-with="(.*?)")?'
    return (re.findall(button, page) for page in pages(site, who))


def offers(site: Site, words: Sequence[str]) -> bool:
    """Whether each page has a button for an address; with fields: just those that send them."""
    who, path, *fields = words
    for found in offered(site, who, path):
        assert [*filter(None, found)] == fields if fields else found, found
    return True


def reveals(site: Site, words: Sequence[str]) -> bool:
    """Whether a press on a phone is answered with something that nobody keeps."""
    seat, path, *wanted = words
    answer = site.phones[int(seat)].post(path)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store"), answer.text
    return " ".join(wanted) in answer.text


def buttons(site: Site) -> str:
    """The twins of the buttons on the host's page, with the reason of those that don't work."""
    (page,) = pages(site, "0")
    found = re.findall(r'data-press="/dice/(?:accept|stop)"( aria-dis.*?)?>(.*?)</button>', page)
    said = [(off, *re.sub("<[^>]*>", "|", text).strip("|").split(" |")) for off, text in found]
    assert all(bool(off) == bool(why) for off, _, *why in said)
    return " | ".join(": ".join(words) for _, *words in said)


FACTS: Facts = {
    "reads": lambda site, words: stand(words, texts, site),
    "has": lambda site, words: stand(words, pages, site),
    "lacks": lacks,
    "counts": counts,
    "reveals": reveals,
    "alike": lambda site, words: len({*pages(site, *words)}) == 1,
    "offers": offers,
    "offers-no": lambda site, words: not any(offered(site, *words)),
}
TOLD: Told = {
    "buttons": buttons,
    "asked": lambda site: spaced(
        seat for seat, phone in enumerate(site.phones) if 'id="question"' in phone.live("seat")
    ),
    "names": lambda site: spaced(person.name for person in site.view.people),
    "queue": lambda site: spaced(guest.name for guest in site.view.requests.queue),
    "turn": lambda site: site.view.game.turn,
    "rolls": lambda site: site.view.game.rolls,
    "life": lambda site: spaced(player.life for player in site.view.game.players),
    "asks": lambda site: site.view.question.action,
    "thrown": lambda site: spaced(n for n, die in enumerate(site.view.tray.dice) if die.thrown),
}


def refused(moment: Moment, step: str) -> str:
    with pytest.raises(Refusal) as caught:
        moment.played_again().attempt(step)
    return str(caught.value)


def page_words(open_site: Callable[..., Site]) -> Words:
    """The words of scenes at tables that `open_site` makes, with the options of a site."""

    def scene(text: str) -> Callable[[], Site]:
        game, given = options(text)
        ruleset, house_rules = given.get("in", ["base"])[0], given.get("house", ())
        dice = game == "Dice"
        own, others = given.get("as", []), PLAIN if dice else CALM
        made: dict[str, Any] = {
            "roles": given.get("roles", ["soro"])[0],
            "characters": (*own, *(each for each in others if each not in own)),
            "phones": int(given["phones"][0]) if "phones" in given else None,
            "selection": (dice_game(ruleset, house_rules) if dice else CARD_GAME.select(ruleset)),
            "settings": {"ask_always": "asking" in given},
        }

        def begin() -> Site:
            site = open_site(**made)
            return site if "lobby" in given else site.start()

        return begin

    return table_words(scene, STEPS, FACTS, TOLD)._replace(refused=refused)

"""The words of scenes at a watched pile of cards; how a text of scenes is read: scenes.py.

A scene is `Table`: five players, of whom the first is the Sheriff and its host. `as seat:character`
says who somebody is (others can do nothing special), `phones` how many have one, and `unwatched`
that no camera watches the pile yet.

What happens there is `lay` with a title that is read, and perhaps its sign; `flip` with a sign;
`see` with what the camera finds, its likely titles and their sign (`7H?`: it isn't sure); `tap`
with a move, in the words of card_scenes.py; `green`, `red`; and what people say of the pile.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from card_evening import CALM, CardEvening
from card_scenes import move_of
from scenes import Words, options
from table_scenes import Facts, Steps, Told, spaced, table_words

from companion.games.cards.rules.moves import CardAction, CardMove, Draw, Flip, Pass, Play
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.titles import SIGNS, Title
from companion.table import moves
from companion.table.history import Retitled
from companion.table.scene import CameraStatus
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PILE_MOVING, PileVerdict
from web.games.cards.pages import CARD_PAGES

UNPLUGGED = CameraStatus("usb", "unplugged")


def answer(seat: int, word: str) -> CardMove:
    """What a seat answers early: a title, `pass` or, as nobody may, `flip`."""
    match word:
        case "pass":
            return Pass(seat)
        case "flip":
            return Flip(seat, (SIGNS["4H"],))
        case _:
            return Play(seat, Title(word))


def see(evening: CardEvening, verdict: str, *words: str) -> None:
    """Let the camera see titles, and perhaps a sign, which begins with a capital or a digit."""
    signs = [word for word in words if not word[0].islower()]
    titles = [word for word in words if word[0].islower()]
    evening.see(PileVerdict(verdict), titles, *signs)


def retitle(evening: CardEvening, number: str, card: str, place: str = "0", seat: int = 0) -> None:
    """Correct a card, the one at a place of its move, on the phone of a seat."""
    evening.do(laying.retitle, int(number), card, int(place), by=seat + 1)


def insert(evening: CardEvening, after: str, title: str, target: str = "", by: int = 0) -> None:
    """Put a card in that was forgotten, on the phone of a seat."""
    evening.do(laying.insert, int(after), title, int(target) if target else None, by=by + 1)


def answer_early(evening: CardEvening, own: str, word: str, seat: int | None = None) -> None:
    """Answer early on the phone of the seat, or on another."""
    phone = int(own) if seat is None else seat
    evening.do(moves.answer_early, answer(int(own), word), by=phone + 1)


def take_back(evening: CardEvening, own: str, seat: int | None = None) -> None:
    phone = int(own) if seat is None else seat
    evening.do(moves.take_early_back, int(own), by=phone + 1)


STEPS: Steps = {
    "lay": lambda evening, title, sign="": evening.lay(title, sign=sign),
    "flip": lambda evening, sign: evening.flip(sign),
    "see": see,
    "moving": lambda evening: evening.table.see(PILE_MOVING),
    "unplug": lambda evening: evening.table.watch(UNPLUGGED),
    "tap": lambda evening, *made: evening.tap(move_of(evening.state, " ".join(made))),
    "tap-last": lambda evening, *made: evening.tap_last(move_of(evening.state, " ".join(made))),
    "green": lambda evening: evening.table.press_green(),
    "red": lambda evening: evening.table.press_red(),
    "name": lambda evening, title: evening.name(title),
    "sign": lambda evening, sign: evening.do(laying.name_sign, sign),
    "ignore": lambda evening: evening.ignore(),
    "ignore-owed": lambda evening: evening.ignore_owed(),
    "aside": lambda evening: evening.lay_aside(),
    "draw": lambda evening: evening.draw(),
    "discard": lambda evening: evening.do(laying.discard),
    "whose": lambda evening, seat: evening.do(laying.say_whose, int(seat)),
    "early": answer_early,
    "take-back": take_back,
    "retitle": retitle,
    "put-in": insert,
    "undo": lambda evening: evening.undo(),
    "restart": lambda evening: evening.reopen(),
}


def told(move: Any) -> str:
    """A move as a scene says it: the seat, and what the player did."""
    match move:
        case Play(seat, card, target, take):
            words: Iterable[object] = (card, "" if target is None else target, take or "")
        case Flip(seat, signs):
            words = ("flip", *signs)
        case Draw(seat, source, shown):
            words = ("show", shown) if shown else ("draw", source)
        case _:
            seat, words = move.seat, (CardAction(move.action),)
    return " ".join(filter(None, map(str, (seat, *words))))


def listed(values: Iterable[object]) -> str:
    return " | ".join(map(told, values))


TOLD: Told = {
    "is": lambda evening: evening.status,
    "light": lambda evening: evening.table.scene.signal,
    "says": lambda evening: evening.view.notice,
    "told": lambda evening: CARD_PAGES.just_happened(evening.view)[0].text,
    "title": lambda evening: evening.pile.title,
    "likely": lambda evening: spaced(evening.pile.likely),
    "sign": lambda evening: evening.pile.sign,
    "signs": lambda evening: spaced(evening.pile.signs),
    "moves": lambda evening: listed(evening.pile.moves),
    "others": lambda evening: listed(evening.pile.others),
    "why": lambda evening: evening.pile.reason,
    "copies": lambda evening: spaced(evening.pile.copies),
    "wants": lambda evening: evening.pile.awaits or "nothing",
    "may-be-owed": lambda evening: spaced((evening.pile.may_be_owed or ())[:3]),
    "discarded": lambda evening: evening.pile.discarded,
    "read": lambda evening: evening.pile.read_title or "",
    "owed": lambda evening: spaced(evening.owed),
    "taken-as-is": lambda evening: evening.table.scene.surface.state.taken_as_is,
    "early": lambda evening: spaced(sorted(evening.table.scene.surface.early)),
    "dropped": lambda evening: spaced(sorted(evening.table.scene.surface.dropped)),
    "made": lambda evening: len(evening.lines) - 1,
    "turn": lambda evening: evening.state.turn,
    "asks": lambda evening: evening.state.awaited,
    "life": lambda evening: spaced(evening.state.life),
    "hands": lambda evening: spaced(evening.state.hands),
    "pile": lambda evening: spaced(evening.state.pile),
    "bangs": lambda evening: evening.state.bangs,
    "passes": lambda evening: " | ".join(
        spaced((number, *seats)) for number, seats in evening.view.passes.items()
    ),
}


def last(evening: CardEvening, words: Sequence[str]) -> bool:
    """The last moves that were made, as many as are named."""
    count = " ".join(words).count(" | ") + 1
    moments = evening.table.scene.history.moments[-count:]  # type: ignore[union-attr]
    return listed(moment.move for moment in moments) == " ".join(words)


def in_play(evening: CardEvening, words: Sequence[str]) -> bool:
    return [*evening.state.in_play[int(words[0])]] == words[1:]


def whole(evening: CardEvening, words: Sequence[str]) -> bool:
    """Whether the record replays to the state, and a restart finds the same story."""
    *_, replayed = replay(line.encode() for line in evening.lines)
    before = replayed, lasting_story(evening), evening.view.statuses
    evening.reopen()
    return before == (evening.state, lasting_story(evening), evening.view.statuses)


def lasting_story(evening: CardEvening) -> list[object]:
    """The story without the pictures of corrected cards, which no restart brings back."""
    story = evening.view.story
    return [entry._replace(picture=0) if isinstance(entry, Retitled) else entry for entry in story]


FACTS: Facts = {
    "last": last,
    "whole": whole,
    "in-play": in_play,
    "unseen": lambda evening, words: evening.state.unseen[Title(words[0])] == int(words[1]),
    "settled": lambda evening, words: evening.state.open is None,
    "drawing": lambda evening, words: evening.pile.drawing,
    "not-drawing": lambda evening, words: not evening.pile.drawing,
    "may-be-flipped": lambda evening, words: evening.pile.may_be_flipped,
}


def pile_words(start: Callable[..., CardEvening]) -> Words:
    """The words of scenes at tables that `start` opens, as the fixture `card_evenings` does."""

    def scene(text: str) -> Callable[[], CardEvening]:
        _, given = options(text)
        characters = list(CALM)
        for word in given.get("as", ()):
            seat, _, character = word.partition(":")
            characters[int(seat)] = character
        phones, watched = int(given.get("phones", "1")[0]), "unwatched" not in given
        return partial(start, characters, phones=phones, watched=watched)

    return table_words(scene, STEPS, FACTS, TOLD)

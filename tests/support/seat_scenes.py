"""The words of scenes of seats and phones; how a text of scenes is read: scenes.py.

A scene is `Table`: P0 and so on, four `people` of whom all or so many have `phones`. It is in the
lobby unless it is `playing`; `roles`, `characters` and `sheriff` are how games are dealt there.

Phones have numbers from 0 in the order in which they came; `from P1` says whose page is pressed,
the host's if it is left out. `claim P1` asks for a seat on a new phone, with `code=` or `at=` an
address that isn't the usual one, or `before=` the phone which asked for another seat before.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from evening import HOST, Evening
from people import claim_seat, join
from scenes import Words, options
from stand_ins import dice_game
from table_scenes import Facts, Steps, Told, spaced, table_words

from companion.games.dice.rules.record import parse_header
from companion.table import moves, rounds, seats
from companion.table.changes import claim_of
from companion.table.scene import Phase, SeatNews
from companion.table.surface.dice import rolling
from companion.table.views import role_at


class PhonesEvening(Evening):
    """An evening to which new phones come; `numbers`: of what they ask the host, by phone."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.numbers: dict[int, int] = {}
        super().__init__(folder, **options)

    def who(self, name: str) -> int | None:
        """The person of this name, -1 of one who isn't there; None: nobody."""
        found = {person.name: person.id for person in self.view.people}
        return None if name == "nobody" else found.get(name, -1)

    def press_on(self, page: str, change: Any, *said: Any, **named: Any) -> None:
        self.do(change, *said, by=self.who(page) if page else HOST, **named)

    def ask_for(self, name: str, *how: str) -> None:
        """Ask for a seat on a new phone."""
        given = dict(word.split("=") for word in how)
        before = self.tokens[int(given["before"])] if "before" in given else ""
        code, address = given.get("code", self.table.scene.code), given.get("at", "")
        person = self.who(name)
        assert person is not None
        token = claim_seat(self.table, person, code, before, address=address)
        self.numbers[len(self.tokens)] = claim_of(self.table.scene, token).number  # type: ignore[union-attr]
        self.tokens.append(token)

    def restart(self, ruleset: str = "") -> None:
        """Restart the table; ruleset: what the settings say by then."""
        self.selection = dice_game(ruleset) if ruleset else self.selection
        self.reopen()

    def answer(self, phone: str, word: str, seat: str = "") -> None:
        """Say yes or no to what a phone asks, or asked."""
        self.press_on(seat, seats.answer_claim, self.numbers[int(phone)], yes=word == "yes")

    def look(self) -> None:
        """Look at a page, as it is now."""
        self.seen = self.version, self.round

    @property
    def round(self) -> int:
        dealing = self.view.dealing
        return dealing.round if dealing else 0

    def enter(self, seat: str, role: str, character: str, number: int, page: str = "") -> None:
        """Enter the cards of a seat, on its phone or the host's unless a page is named."""
        person = self.view.people[int(seat)]
        own = person.name if person.has_phone else ""
        cards = [None if card == "-" else card for card in (role, character)]
        self.press_on(page or own, rounds.enter, int(seat), *cards, number)

    def play_on(self) -> None:
        """Throw what decides nothing, in a new place."""
        self.roll("arrow", "arrow", "gatling", "gatling", "arrow", y=100.0 * self.version)

    def finish(self) -> None:
        """Let Indians take everybody: dynamite first, then arrows."""
        while self.view.phase is Phase.PLAYING:
            faces = ("dynamite", "dynamite", "dynamite", "arrow", "arrow")
            self.roll(*faces, y=100.0 * self.version)


def pressing(change: Any) -> Callable[..., None]:
    """A press that says nothing but a player's name."""
    return lambda evening, *names, seat="": evening.press_on(seat, change, *map(evening.who, names))


def told_as_words(change: Any) -> Callable[..., None]:
    """A press that says words as they are."""
    return lambda evening, *words, seat="": evening.press_on(seat, change, *words)


STEPS: Steps = {
    "join": lambda evening, name, code="": evening.tokens.append(
        join(evening.table, name, code or evening.table.scene.code)
    ),
    "claim": PhonesEvening.ask_for,
    "answer": PhonesEvening.answer,
    "add": told_as_words(seats.add_person),
    "remove": pressing(seats.remove_person),
    "leave": pressing(seats.leave),
    "take-phone": pressing(seats.take_phone),
    "order": lambda evening, *names, seat="": evening.press_on(
        seat, seats.order_people, [evening.who(name) for name in names]
    ),
    "bid": pressing(seats.bid),
    "vote": lambda evening, name, word, seat="": evening.press_on(
        seat, seats.vote, evening.who(name), yes=word == "yes"
    ),
    "hold-both": lambda evening: evening.table.hold_both_buttons(),
    "choose": told_as_words(rounds.choose),
    "start": pressing(rounds.start_game),
    "new-game": pressing(rounds.new_game),
    "again": pressing(rounds.play_again),
    "enter": lambda evening, number, role, character="-", seat="": evening.enter(
        number, role, character, evening.round, seat
    ),
    "enter-late": lambda evening, number, role: evening.enter(number, role, "-", evening.seen[1]),
    "enter-again": lambda evening, number, seat="": evening.press_on(
        seat, rounds.enter_again, int(number), evening.round
    ),
    "ask-role": lambda evening, number, seat: role_at(
        evening.table.scene, evening.who(seat), int(number)
    ),
    "look": PhonesEvening.look,
    "roll": PhonesEvening.play_on,
    "finish": PhonesEvening.finish,
    "stop": told_as_words(rolling.stop),
    "undo": told_as_words(moves.undo),
    "choose-game": told_as_words(rounds.choose_game),
    "ruleset": told_as_words(rounds.choose_ruleset),
    "house-rule": lambda evening, name, word, seat="": evening.press_on(
        seat, rounds.switch_house_rule, name, on=word == "on"
    ),
    "restart": PhonesEvening.restart,
}


def names_of(evening: PhonesEvening, what: Callable[[Any], object]) -> str:
    """The names of those on whose phones something holds."""
    people = evening.view.people
    return spaced(each.name for each in people if what(evening.table.view(each.id)))


def bid_of(evening: PhonesEvening) -> str:
    bids = [evening.table.view(each.id).requests.bid for each in evening.view.people]
    bid = next(filter(None, bids), None)
    return f"{bid.name} {bid.yes} of {bid.needed}" if bid else "-"


def news_of(news: SeatNews, which: str) -> str:
    return ", ".join(f"{each.kind} {each.name}" for each in getattr(news, which))


def holders(evening: PhonesEvening) -> str:
    """Whose seat each phone holds."""
    names = {person.id: person.name for person in evening.view.people}
    return spaced(map(names.get, map(evening.holder, evening.tokens)))  # type: ignore[arg-type]


def first(evening: PhonesEvening) -> str:
    return f"{evening.names[evening.turn]} {evening.game.players[evening.turn].role}"


def rules(evening: PhonesEvening) -> str:
    """By which rules the next game is played, or this one is."""
    selection = evening.view.selection
    return spaced([selection.ruleset.id, *sorted(selection.house_rules)])


def dealt(evening: PhonesEvening) -> str:
    """The cards of all players, as the record has them."""
    header = evening.table.scene.history.record.splitlines()[0]  # type: ignore[union-attr]
    players = parse_header(header.encode()).players
    return spaced(f"{player.role}:{player.character.id}" for player in players)


TOLD: Told = {
    "names": lambda evening: spaced(evening.names),
    "host": lambda evening: spaced(each.name for each in evening.view.people if each.host),
    "phones": holders,
    "waiting": lambda evening: spaced(
        number
        for number, token in enumerate(evening.tokens)
        if claim_of(evening.table.scene, token)
    ),
    "queue": lambda evening: spaced(guest.name for guest in evening.view.requests.queue),
    "bid": bid_of,
    "asked": lambda evening: names_of(
        evening, lambda view: view.requests.bid and view.requests.bid.asked
    ),
    "news": lambda evening: news_of(evening.view.news, "latest"),
    "all-news": lambda evening: news_of(evening.view.news, "all"),
    "without-phone": lambda evening: spaced(evening.table.view(1).passed_around),
    "decides": lambda evening: spaced(evening.table.view(1).decides),
    "says": lambda evening: evening.view.notice,
    "phase": lambda evening: evening.view.phase,
    "number": lambda evening: evening.view.game_number,
    "game": lambda evening: evening.view.selection.game.record_name,
    "rules": rules,
    "resumed": lambda evening: evening.view.resumed,
    "first": first,
    "dealt": dealt,
    "roles-are": lambda evening: evening.view.choices.options.roles,
    "entered": lambda evening: spaced(
        number for number, entered in enumerate(evening.view.dealing.entered) if entered
    ),
    "wrong": lambda evening: spaced(evening.view.dealing.wrong),
}


FACTS: Facts = {
    "undisturbed": lambda evening, words: evening.seen[0] == evening.version,
    "disturbed": lambda evening, words: evening.seen[0] != evening.version,
    "other-round": lambda evening, words: evening.seen[1] != evening.round,
    "sees-role": lambda evening, words: bool(
        role_at(evening.table.scene, evening.who(words[0]), int(words[1]))
    ),
}
"""`sees-role P1 2`: on the phone of P1, that of the third seat."""


def seat_words(folder: Path) -> Words:
    """The words of scenes at tables in a folder."""
    folders = (folder / f"table-{number}" for number in count())

    def scene(text: str) -> Callable[[], PhonesEvening]:
        _, given = options(text)
        people = {name: int(given[name][0]) for name in ("people", "phones") if name in given}
        chosen = {name: given[name][0] for name in ("roles", "characters", "sheriff")
                  if name in given}  # fmt: skip

        def begin() -> PhonesEvening:
            evening = PhonesEvening(next(folders), **people)
            evening.choose(**chosen)
            if "playing" in given:
                evening.start()
            return evening

        return begin

    return table_words(scene, STEPS, FACTS, TOLD)

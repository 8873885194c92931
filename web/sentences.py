"""What happened, what is refused, in the words of the game; what the dice need."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.events import (
    ArrowsDiscarded,
    ArrowsTaken,
    Cause,
    DynamiteExploded,
    Eliminated,
    Event,
    GameEnded,
    GatlingFired,
    IndiansAttacked,
    LifeGained,
    LifeLost,
    Rolled,
    ShotsFired,
    TurnBegan,
)
from companion.dicegame.faces import DICE, Face
from companion.dicegame.moves import Action
from companion.dicegame.reasons import Refusal
from companion.dicegame.terms import Terms
from companion.dicegame.views import SeatView
from companion.table.history import Undone
from companion.table.refused import Message
from companion.table.tray.status import Status
from companion.table.views import PersonView, TableView
from web.board import presses, terms_of
from web.chronicle import Luck
from web.i18n import gettext, ngettext, tenths


def faces(shown: Sequence[Face], words: Terms) -> str:
    """Return what dice show, the same ones together, in the order of the faces."""
    counts = Counter(shown)
    return words.listed(
        [_times(words.faces[face], counts[face]) for face in Face if face in counts]
    )


def _times(name: str, count: int) -> str:
    """`name`, and how many times where it is not once, on one line."""
    return f"{name}\N{NO-BREAK SPACE}×{count}" if count > 1 else name


class StoryLine(NamedTuple):
    """A line of the story: what kind of thing happened (for its look), and the sentence."""

    kind: str
    text: str


def tell(
    story: Sequence[Event | Undone], players: Sequence[SeatView], words: Terms
) -> Iterator[StoryLine]:
    """Tell a story, a line for each event; arrows taken one by one are one line."""
    teller = _Teller(players, words)
    for event in _joined(story):
        yield StoryLine(type(event).__name__, teller.tell(event))


RECENT = 40
"""So many events are recent at most: whoever undoes and decides again makes a turn long."""


def recent(story: Sequence[Event | Undone], turns: int = 2) -> Sequence[Event | Undone]:
    """Return the part of a story that begins with the last `turns` turns, RECENT events at most."""
    begins = [place for place, event in enumerate(story) if isinstance(event, TurnBegan)]
    return story[max(begins[-turns] if len(begins) >= turns else 0, len(story) - RECENT) :]


HEADLINES = frozenset(
    {
        "Eliminated",
        "GameEnded",
        "GatlingFired",
        "IndiansAttacked",
        "DynamiteExploded",
        "ShotsFired",
        "Undone",
    }
)
"""Kinds of lines that are told first where there are too many."""

FEW = 2
"""So many sentences at most say what just happened."""


def just_happened(view: TableView) -> tuple[StoryLine, ...]:
    """Return what came of the last move, in FEW sentences at most; nothing before the first one."""
    if view.game is None:
        return ()
    told = [
        line
        for line in tell(_since_last_roll(view.story), view.game.players, terms_of(view))
        if line.kind != "TurnBegan"
    ]
    if told and told[-1].kind == "Undone":
        return (told[-1],)
    # What the dice show is seen; what it brought about is told.
    if len(told) > 1:
        told = [line for line in told if line.kind != "Rolled"]
    if len(told) > FEW:
        told = [line for line in told if line.kind in HEADLINES] or told
    return tuple(told[-FEW:])


def undoing(view: TableView) -> str:
    """Return what everybody reads once this phone has taken the last move back."""
    assert view.game is not None
    assert view.to_undo is not None
    return _Teller(view.game.players, terms_of(view)).tell(view.to_undo)


def _since_last_roll(story: Sequence[Event | Undone]) -> Sequence[Event | Undone]:
    rolls = [place for place, event in enumerate(story) if isinstance(event, Rolled)]
    return story[rolls[-1] :] if rolls else ()


def _joined(story: Sequence[Event | Undone]) -> Iterator[Event | Undone]:
    waiting: ArrowsTaken | None = None
    for event in story:
        if isinstance(event, ArrowsTaken):
            if waiting and (waiting.seat, waiting.cause) == (event.seat, event.cause):
                waiting = replace(waiting, count=waiting.count + event.count)
                continue
            if waiting:
                yield waiting
            waiting = event
            continue
        if waiting:
            yield waiting
            waiting = None
        yield event
    if waiting:
        yield waiting


class _Teller:
    """Puts what happened into words; knows who fired last."""

    def __init__(self, players: Sequence[SeatView], words: Terms) -> None:
        self._players = players
        self._words = words
        self._story = words.story
        self._shooter: int | None = None

    def tell(self, event: Event | Undone) -> str:
        """Return the sentence for `event`, which follows those told before."""
        story = self._story
        match event:
            case Undone():
                return self._undone(event)
            case IndiansAttacked():
                return story.attack
            case GameEnded(result):
                return story.ends[result.side]
        who = self._players[event.seat].name
        match event:
            case TurnBegan():
                return story.begins.format(who=who)
            case Rolled():
                return self._rolled(event, who)
            case ArrowsTaken():
                return self._taken(event, who)
            case ArrowsDiscarded():
                return story.puts_back.format(who=who, arrows=self._arrows(event.count))
            case DynamiteExploded():
                return story.explodes.format(who=who)
            case ShotsFired():
                self._shooter = event.seat
                return self._shots(event, who)
            case GatlingFired():
                self._shooter = event.seat
                return story.fires.format(who=who)
            case LifeLost():
                return story.loses[event.cause].format(who=who, points=self._points(event.count))
            case LifeGained():
                return self._gained(event, who)
            case Eliminated():
                return story.out.format(who=who, role=self._words.roles[event.role])

    def _undone(self, event: Undone) -> str:
        story = self._story
        match event.action:
            case Action.ROLL:
                own, of = story.undone_roll, story.undone_roll_of
            case Action.STOP:
                own, of = story.undone_stop, story.undone_stop_of
            case _:
                own, of = story.undone_decision, story.undone_decision_of
        return (own if event.by == event.whose else of).format(
            by=self._players[event.by].name, who=self._players[event.whose].name
        )

    def _arrows(self, count: int) -> str:
        return self._words.counted(count, self._words.arrow)

    def _points(self, count: int) -> str:
        return self._words.counted(count, self._words.life_point)

    def _rolled(self, event: Rolled, who: str) -> str:
        shown = faces([event.dice[die] for die in event.thrown], self._words)
        if len(event.thrown) == DICE:
            return self._story.rolls.format(who=who, faces=shown)
        dice = self._words.counted(len(event.thrown), self._words.die)
        return self._story.rolls_again.format(who=who, dice=dice, faces=shown)

    def _shots(self, event: ShotsFired, who: str) -> str:
        hits: Counter[int] = Counter()
        for shot in event.shots:
            if shot.target is not None:
                hits[shot.target] += 1 if shot.beer is None else 2
        if not hits:
            return self._story.reaches_nobody.format(who=who)
        doubled = any(shot.beer is not None for shot in event.shots)
        whom = self._words.listed(
            [_times(self._players[seat].name, count) for seat, count in hits.items()]
        )
        shoots = self._story.shoots_double if doubled else self._story.shoots
        return shoots.format(who=who, whom=whom)

    def _taken(self, event: ArrowsTaken, who: str) -> str:
        arrows = self._arrows(event.count)
        if event.cause is Cause.ROLL:
            return self._story.takes.format(who=who, arrows=arrows)
        if event.seat != self._shooter:
            return self._story.takes_for_hits.format(who=who, arrows=arrows)
        hit = next(
            player.character
            for player in self._players
            if CHARACTERS[player.character].ability.arrow_for_attacker
        )
        whom = self._words.characters[hit].name
        return self._story.takes_for_hitting.format(who=who, arrows=arrows, whom=whom)

    def _gained(self, event: LifeGained, who: str) -> str:
        story, points = self._story, self._points(event.count)
        if event.cause is Cause.BEER:
            drinks = story.drinks if event.count else story.drinks_in_vain
            return drinks.format(who=who, points=points)
        gains = story.gains if event.count else story.gains_nothing
        return gains.format(who=who, points=points)


def said(text: str) -> str:
    """Return what the table says, in the language of the page."""
    if not isinstance(text, Message):
        return text
    told = {k: said(v) if isinstance(v, str) else v for k, v in text.particulars.items()}
    return gettext(text.text, **told)


def refused(reason: object, people: Sequence[PersonView], words: Terms) -> str:
    """Return why a press changed nothing: what the rules say, in the words of the game.

    people: in the order of the seats. What is no `Message` is said as it is.
    """
    if not isinstance(reason, Refusal):
        return said(str(reason) if not isinstance(reason, str) else reason)
    names = {seat: person.name for seat, person in enumerate(people)}

    def who(seat: int) -> str:
        return names.get(seat, "?")

    def arrows(count: int) -> str:
        return words.counted(count, words.arrow)

    # The place of each particular in the sentence, and how it is told there.
    told: Mapping[str, tuple[str, Callable[[Any], str]]] = {
        "seat": ("who", who),
        "seats": ("whom", lambda seats: words.listed([who(seat) for seat in seats])),
        "die": ("die", lambda die: str(die + 1)),
        "before": ("before", words.faces.__getitem__),
        "after": ("after", words.faces.__getitem__),
        "face": ("face", words.faces.__getitem__),
        "action": ("decides", words.questions.decides.__getitem__),
        "most": ("arrows", arrows),
        "arrows": ("arrows", arrows),
    }
    places = {}
    for particular, value in reason.particulars.items():
        if particular in told:
            place, tell = told[particular]
            places[place] = tell(value)
    return words.refusals[reason.reason].format(**places)


_TAPPED = (Status.INCOMPLETE, Status.BESIDE, Status.UNSURE)
"""A tap says what the camera can't."""


def waiting(view: TableView) -> str:
    """Return what the dice need now, for whom this page is; "" while no dice are awaited."""
    if not view.rolling or view.game is None:
        return ""
    tray, first, words = view.tray, view.game.dice is None, terms_of(view)
    if tray.status in _TAPPED and not presses(view).buttons:
        who = view.game.players[view.game.turn].name
        if tray.status is Status.BESIDE:
            return gettext("%(name)s says which dice were kept.", name=who)
        return gettext("%(name)s says what the dice show.", name=who)
    unsure = sum(not die.sure for die in tray.dice)
    match tray.status:
        case Status.EMPTY if view.by_hand:
            return gettext("Throw the dice, then tap each one to say what it shows.")
        case Status.INCOMPLETE:
            return gettext("Tap each die with a question mark to say what it shows.")
        case Status.LYING if view.by_hand:
            return gettext("Throw dice again and tap each one that was thrown, or stop.")
        case Status.LYING | Status.EMPTY if first:
            return gettext("Throw all five dice.")
        case Status.LYING | Status.EMPTY if view.camera.throws:
            return gettext("Tap the dice to throw again, or stop.")
        case Status.LYING | Status.EMPTY:
            return gettext("Throw dice again, or stop.")
        case Status.MOVING:
            return gettext("The dice are rolling.")
        case Status.PICKED_UP if not first:
            beside = sum(die.place is None for die in tray.dice)
            held = DICE - tray.seen - beside
            said = ngettext(
                "A die is in your hand: throw it, or lay it back.",
                "%(number)s dice are in your hand: throw them, or lay them back.",
                held,
                number=words.number(held),
            )
            return capital(said)
        case Status.PICKED_UP:
            return gettext("Throw all five dice.")
        case Status.READY:
            return gettext("All dice are read: accept them.")
        case Status.BESIDE:
            return gettext("Say which dice were kept beside the tray.")
        case Status.UNSURE if any(die.bumped for die in tray.dice):
            return gettext("Was this die kept or thrown? Tap it and say.")
        case Status.UNSURE:
            said = ngettext(
                "One die is uncertain: tap to say what shows.",
                "%(number)s dice are uncertain: tap to say what shows.",
                unsure,
                number=words.number(unsure),
            )
            return capital(said)
        case Status.COUNT:
            return ngettext(
                "The camera counts one die: five are needed.",
                "The camera counts %(number)s dice: five are needed.",
                tray.seen,
                number=words.number(tray.seen),
            )
        case Status.COCKED:
            return gettext("A die does not lie flat: lay it down or throw it again.")
        case Status.BLOCKED:
            return gettext("Something lies over the dice: clear the tray.")


def needed(view: TableView) -> str:
    """Return how many players the game needs."""
    words, players = terms_of(view), view.selection.ruleset.players
    least, most = words.number(players[0]), words.number(players[-1])
    if least == most:
        return capital(gettext("%(count)s players are needed.", count=least))
    return capital(gettext("%(least)s to %(most)s players are needed.", least=least, most=most))


def capital(text: str) -> str:
    """Return a text that begins like a sentence."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text that begins and ends like a sentence."""
    return capital(text) + ("" if text.endswith(".") else ".")


def short(name: str, letters: int = 9) -> str:
    """Return a name for where there is little room."""
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"


def odd(view: TableView, luck: Luck) -> str:
    """Return which face came up most unlike what was to be expected of so many dice."""
    if luck.oddest is None:
        return ""
    return gettext(
        "%(thrown)s dice: %(face)s ×%(count)s, %(expected)s expected",
        thrown=luck.thrown,
        face=terms_of(view).faces[luck.oddest],
        count=luck.faces[luck.oddest],
        expected=tenths(luck.expected),
    )

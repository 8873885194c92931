"""What happened, and what is to be done, in plain English: one sentence each."""

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
    Side,
    TurnBegan,
)
from companion.dicegame.faces import DICE, Face
from companion.dicegame.moves import Action
from companion.dicegame.roles import OPEN_ROLES, Role
from companion.dicegame.views import SeatView
from companion.game import Undone
from companion.scene import TableView
from companion.tray import Status

FACES = {
    Face.ARROW: "arrow",
    Face.DYNAMITE: "dynamite",
    Face.BULLSEYE1: "bull's eye 1",
    Face.BULLSEYE2: "bull's eye 2",
    Face.BEER: "beer",
    Face.GATLING: "Gatling",
}
"""Names of the faces."""

ROLES = {
    Role.SHERIFF: "Sheriff",
    Role.DEPUTY: "Deputy",
    Role.OUTLAW: "Outlaw",
    Role.RENEGADE: "Renegade",
}
"""Names of the roles."""

_GOALS = {
    Role.SHERIFF: "Rid the town of every Outlaw and Renegade.",
    Role.DEPUTY: "Protect the Sheriff: you win together.",
    Role.OUTLAW: "Bring the Sheriff down.",
    Role.RENEGADE: "Be the last one standing.",
}

_GOALS_OF_THREE = {
    Role.DEPUTY: "Take out the Renegade yourself, or be the last one standing.",
    Role.RENEGADE: "Take out the Outlaw yourself, or be the last one standing.",
    Role.OUTLAW: "Take out the Deputy yourself, or be the last one standing.",
}

SIDES = {
    Side.LAW: "The law wins: the Sheriff stands, and no Outlaw or Renegade is left.",
    Side.OUTLAWS: "The Outlaws win: the Sheriff has fallen.",
    Side.RENEGADE: "The Renegade wins: nobody else is left.",
    Side.DEPUTY: "The Deputy wins.",
    Side.OUTLAW: "The Outlaw wins.",
    Side.NONE: "Nobody is left, nobody wins.",
}
"""How a game ends."""

ASKED = {
    Action.HEAL: "Who gains a life point?",
    Action.SHOOT: "Whom do you shoot?",
    Action.BEER: "Who drinks?",
    Action.TAKE_ARROWS: "Take arrows in place of hits?",
    Action.DISCARD_ARROWS: "Put arrows back?",
    Action.DISCARD_FROM: "Whose arrows go back to the pile?",
}
"""What a player is asked."""

DECIDES = {
    Action.HEAL: "chooses who gains a life point",
    Action.ROLL: "throws the dice",
    Action.STOP: "throws the dice",
    Action.SHOOT: "chooses whom to shoot",
    Action.BEER: "chooses who drinks",
    Action.TAKE_ARROWS: "may take arrows in place of hits",
    Action.DISCARD_ARROWS: "may put arrows back",
    Action.DISCARD_FROM: "chooses whose arrows go back",
}
"""What the others see meanwhile, after the name."""


def goals(players: int) -> Mapping[Role, str]:
    """Return what each role is after, with so many players."""
    return _GOALS_OF_THREE if players == OPEN_ROLES else _GOALS


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(count: int) -> str:
    """Return a small number in a word."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, thing: str) -> str:
    """Return so many of a thing: `an arrow`, `two arrows`."""
    if count == 1:
        return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"
    return f"{number(count)} {'dice' if thing == 'die' else thing + 's'}"


def listed(things: Sequence[str]) -> str:
    """Return things as a list: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(things[:-1]), *things[-1:])))


def faces(shown: Sequence[Face]) -> str:
    """Return what dice show, the same ones together, in the order of the faces."""
    counts = Counter(shown)
    return listed(
        [
            FACES[face] + (f" ×{counts[face]}" if counts[face] > 1 else "")
            for face in Face
            if face in counts
        ]
    )


class Line(NamedTuple):
    """A line of the story: what kind of thing happened (for its look), and the sentence."""

    kind: str
    text: str


def tell(story: Sequence[Event | Undone], players: Sequence[SeatView]) -> Iterator[Line]:
    """Tell a story, a line for each event; arrows taken one by one are one line."""
    cast = _Cast(players)
    for event in _joined(story):
        if isinstance(event, ShotsFired | GatlingFired):
            cast.shooter = event.seat
        yield Line(type(event).__name__, _SENTENCES[type(event)](event, cast))


def recent(story: Sequence[Event | Undone], turns: int = 2) -> Sequence[Event | Undone]:
    """Return the part of a story that begins with the last `turns` turns."""
    begins = [place for place, event in enumerate(story) if isinstance(event, TurnBegan)]
    return story[begins[-turns] if len(begins) >= turns else 0 :]


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


class _Cast:
    """The players, by what sentences call them, and who fired last."""

    def __init__(self, players: Sequence[SeatView]) -> None:
        self._players = players
        self.shooter: int | None = None

    def __call__(self, seat: int) -> str:
        return self._players[seat].name

    def sharp_victim(self) -> str:
        """The character that makes whoever hits him take an arrow."""
        characters = (CHARACTERS[player.character] for player in self._players)
        return next(entry.name for entry in characters if entry.ability.arrow_for_attacker)


def _rolled(event: Rolled, name: _Cast) -> str:
    who, thrown = name(event.seat), faces([event.dice[die] for die in event.thrown])
    if len(event.thrown) == DICE:
        return f"{who} rolls {thrown}."
    return f"{who} rolls {counted(len(event.thrown), 'die')} again: {thrown}."


def _shots(event: ShotsFired, name: _Cast) -> str:
    hits: Counter[int] = Counter()
    for shot in event.shots:
        if shot.target is not None:
            hits[shot.target] += 1 if shot.beer is None else 2
    if not hits:
        return f"{name(event.seat)} has nobody in reach: the shots are lost."
    hit = listed([name(seat) + (f" ×{count}" if count > 1 else "") for seat, count in hits.items()])
    doubled = any(shot.beer is not None for shot in event.shots)
    return f"{name(event.seat)} shoots {hit}{', one shot doubled by a beer' if doubled else ''}."


_LOST_TO = {
    Cause.INDIANS: "to the Indian attack",
    Cause.DYNAMITE: "to the dynamite",
    Cause.BULLSEYE: "to a shot",
    Cause.GATLING: "to the Gatling",
}


def _lost(event: LifeLost, name: _Cast) -> str:
    points = counted(event.count, "life point")
    return f"{name(event.seat)} loses {points} {_LOST_TO[event.cause]}."


def _gained(event: LifeGained, name: _Cast) -> str:
    who = name(event.seat)
    if event.cause is Cause.BEER:
        if not event.count:
            return f"{who} drinks a beer, at full life already."
        return f"{who} drinks a beer and gains {counted(event.count, 'life point')}."
    if not event.count:
        return f"{who} would gain life, but has it all."
    return f"{who} gains {counted(event.count, 'life point')}."


def _taken(event: ArrowsTaken, name: _Cast) -> str:
    taken = f"{name(event.seat)} takes {counted(event.count, 'arrow')}"
    if event.cause is Cause.ROLL:
        return f"{taken}."
    if event.seat == name.shooter:
        return f"{taken} for hitting {name.sharp_victim()}."
    return f"{taken} in place of life points."


_SENTENCES: dict[type, Callable[[Any, _Cast], str]] = {
    TurnBegan: lambda event, name: f"It is {name(event.seat)}'s turn.",
    Rolled: _rolled,
    ArrowsTaken: _taken,
    ArrowsDiscarded: lambda event, name: (
        f"{name(event.seat)} puts {counted(event.count, 'arrow')} back."
    ),
    IndiansAttacked: lambda event, name: "The last arrow is taken: the Indians attack.",
    DynamiteExploded: lambda event, name: f"{name(event.seat)}'s dynamite explodes.",
    ShotsFired: _shots,
    GatlingFired: lambda event, name: f"{name(event.seat)} fires the Gatling at everybody.",
    LifeLost: _lost,
    LifeGained: _gained,
    Eliminated: lambda event, name: f"{name(event.seat)} is out: {ROLES[event.role]}.",
    GameEnded: lambda event, name: SIDES[event.result.side],
    Undone: lambda event, name: "The last move was taken back.",
}


def waiting(view: TableView) -> str:
    """Return what the dice need now, for everybody to read; "" while no dice are awaited."""
    if not view.rolling or view.game is None:
        return ""
    tray, first = view.tray, view.game.dice is None
    unsure = sum(not die.sure for die in tray.dice)
    match tray.status:
        case Status.EMPTY if view.by_hand:
            return "Throw the dice, then tap each one to say what it shows."
        case Status.INCOMPLETE:
            return "Tap each die with a question mark to say what it shows."
        case Status.LYING if view.by_hand:
            return "Throw dice again and tap each one that was thrown, or stop."
        case Status.LYING | Status.EMPTY if first:
            return "Throw all five dice."
        case Status.LYING | Status.EMPTY if view.eyes.throws:
            return "Tap the dice to throw again, or stop."
        case Status.LYING | Status.EMPTY:
            return "Throw dice again, or stop."
        case Status.MOVING:
            return "The dice are rolling."
        case Status.PICKED_UP if not first:
            if DICE - tray.seen == 1:
                return "A die is in your hand: throw it, or lay it back."
            held = capital(number(DICE - tray.seen))
            return f"{held} dice are in your hand: throw them, or lay them back."
        case Status.PICKED_UP:
            return "Throw all five dice."
        case Status.READY:
            return "All dice are read: accept them."
        case Status.UNSURE:
            which = "One die is" if unsure == 1 else f"{capital(number(unsure))} dice are"
            return f"{which} uncertain: tap to say what shows."
        case Status.COUNT:
            dice = "die" if tray.seen == 1 else "dice"
            return f"The camera counts {number(tray.seen)} {dice}: five are needed."
        case Status.COCKED:
            return "A die does not lie flat: lay it down or throw it again."
        case Status.BLOCKED:
            return "Something lies over the dice: clear the tray."


def capital(text: str) -> str:
    """Return a text that begins like a sentence."""
    return text[:1].upper() + text[1:]

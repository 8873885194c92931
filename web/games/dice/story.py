"""What happened in the dice game, a sentence for each event."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import TypeGuard

from companion.games.common.events import Eliminated, GameEnded, TurnBegan
from companion.games.dice.rules import events
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.views import SeatView
from companion.games.dice.terms import DiceTerms
from companion.games.game import Correction
from companion.table.history import Undone
from companion.table.views import TableView
from web.games.dice.board import terms_of
from web.games.game import StoryLine
from web.play import corrections

Entry = events.Event | Undone | Correction
"""An entry of the story."""


def faces(shown: Sequence[Face], words: DiceTerms) -> str:
    """Return what dice show, grouped, in the order of the faces."""
    counts = Counter(shown)
    return words.join([_times(words.faces[face], counts[face]) for face in Face if face in counts])


def _times(name: str, count: int) -> str:
    """Return `name` and, if not once, how many times, kept on one line."""
    return f"{name}\N{NO-BREAK SPACE}×{count}" if count > 1 else name


# Every page of a language tells the same story.
@lru_cache(maxsize=64)
def tell(
    story: tuple[Entry, ...], players: tuple[SeatView, ...], words: DiceTerms
) -> tuple[StoryLine, ...]:
    """Return a story, a line for each event; arrows and beers taken one by one become one line."""
    teller = _Teller(players, words)
    return tuple(
        StoryLine(type(event).__name__, teller.tell(event, count), count)
        for event, count in _join_taken(story)
    )


def tell_entries(view: TableView, story: tuple[Entry, ...]) -> tuple[StoryLine, ...]:
    """Return entries of the story of this table's game as sentences."""
    return tell(story, view.game.players, terms_of(view))


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
"""Kinds of lines to keep if there are too many."""

FEW = 2
"""The most sentences that say what just happened."""


def just_happened(view: TableView) -> tuple[StoryLine, ...]:
    """Return the effects of the last move, in at most FEW sentences; nothing before the first."""
    lines = tell_entries(view, _since_last_roll(view.story))
    told = [line for line in lines if line.kind != "TurnBegan"]
    if told and told[-1].kind == "Undone":
        return (told[-1],)
    if told and told[-1].kind == "Correction":
        return tuple(line for line in told if line.kind == "Correction")[-FEW:]
    # Players see what the dice show; the line tells the effects.
    if len(told) > 1:
        told = [line for line in told if line.kind != "Rolled"]
    if len(told) > FEW:
        told = [line for line in told if line.kind in HEADLINES] or told
    return tuple(told[-FEW:])


def _since_last_roll(story: tuple[Entry, ...]) -> tuple[Entry, ...]:
    for place in range(len(story) - 1, -1, -1):
        if isinstance(story[place], events.Rolled):
            return story[place:]
    return story if story and isinstance(story[-1], Correction) else ()


def _join_taken(story: Sequence[Entry]) -> Iterator[tuple[Entry, int]]:
    """Yield a story with arrows and beers taken one by one joined, and how many events each is."""

    def taker(numbered: tuple[int, Entry]) -> object:
        number, event = numbered
        if isinstance(event, events.ArrowsTaken) or _is_beer(event):
            return type(event), event.seat, event.cause
        return number

    for _, group in groupby(enumerate(story), taker):
        joined = [event for _, event in group]
        taken = [event.count for event in joined if isinstance(event, _COUNTED)]
        first = joined[0]
        yield (
            replace(first, count=sum(taken)) if isinstance(first, _COUNTED) else first,
            len(joined),
        )


_COUNTED = (events.ArrowsTaken, events.LifeGained)


def _is_beer(event: Entry) -> TypeGuard[events.LifeGained]:
    return isinstance(event, events.LifeGained) and event.cause is events.Cause.BEER


def speak(event: Entry, players: tuple[SeatView, ...], words: DiceTerms) -> str:
    """Return the sentence that tells an event aloud, without signs such as `×2`."""
    return _Teller(players, words, signs=False).tell(event)


class _Teller:
    """Puts events into words; remembers whose turn it is and who fired last."""

    def __init__(
        self, players: Sequence[SeatView], words: DiceTerms, *, signs: bool = True
    ) -> None:
        """`signs`: whether to add how often a player is hit."""
        self._players = players
        self._signs = signs
        self._words = words
        self._story = words.story
        self._shooter: int | None = None
        self._turn: int | None = None

    def tell(self, event: Entry, times: int = 1) -> str:
        """Return the sentence for `event`, which follows those told before.

        times: of how many alike it is the sum.
        """
        story = self._story
        match event:
            case Undone():
                return self._tell_undo(event)
            case Correction():
                names = [player.name for player in self._players]
                return corrections.tell_correction(event, names, self._words.faces)
            case events.IndiansAttacked():
                return story.attack
            case GameEnded(result):
                return story.ends[result.side]
        who = self._players[event.seat].name
        match event:
            case TurnBegan():
                self._turn = event.seat
                return story.begins.format(who=who)
            case events.Rolled():
                self._turn = event.seat
                return self._tell_roll(event, who)
            case events.ArrowsTaken():
                return self._tell_arrows(event, who)
            case events.ArrowsDiscarded():
                return story.puts_back.format(who=who, arrows=self._arrows(event.count))
            case events.DynamiteExploded():
                return story.explodes.format(who=who)
            case events.ShotsFired():
                self._shooter = event.seat
                return self._shots(event, who)
            case events.GatlingFired():
                self._shooter = event.seat
                return story.fires.format(who=who)
            case events.LifeLost():
                return story.loses[event.cause].format(who=who, points=self._points(event.count))
            case events.LifeGained():
                return self._tell_gain(event, who, times)
            case Eliminated():
                return story.out.format(who=who, role=self._words.roles[event.role])

    def _tell_undo(self, event: Undone) -> str:
        story = self._story
        if event.decisions > 1:
            count = self._words.number(event.decisions)
            return story.undone_more.format(by=self._players[event.by].name, moves=count)
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
        return self._words.quantity(count, self._words.arrow)

    def _points(self, count: int) -> str:
        return self._words.quantity(count, self._words.life_point)

    def _tell_roll(self, event: events.Rolled, who: str) -> str:
        shown = faces([event.dice[die] for die in event.thrown], self._words)
        if len(event.thrown) == DICE:
            return self._story.rolls.format(who=who, faces=shown)
        dice = self._words.quantity(len(event.thrown), self._words.die)
        return self._story.rolls_again.format(who=who, dice=dice, faces=shown)

    def _shots(self, event: events.ShotsFired, who: str) -> str:
        hits: Counter[int] = Counter()
        for shot in event.shots:
            if shot.target is not None:
                hits[shot.target] += 1 if shot.beer is None else 2
        if not hits:
            return self._story.reaches_nobody.format(who=who)
        doubled = any(shot.beer is not None for shot in event.shots)
        whom = self._words.join(
            [
                _times(self._players[seat].name, count if self._signs else 1)
                for seat, count in hits.items()
            ]
        )
        shoots = self._story.shoots_double if doubled else self._story.shoots
        return shoots.format(who=who, whom=whom)

    def _tell_arrows(self, event: events.ArrowsTaken, who: str) -> str:
        arrows = self._arrows(event.count)
        if event.cause is events.Cause.ROLL:
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

    def _tell_gain(self, event: events.LifeGained, who: str, beers: int) -> str:
        story, points = self._story, self._points(event.count)
        if _is_beer(event):
            told = {
                "who": who,
                "beers": self._words.quantity(beers, self._words.beer),
                "points": points,
            }
            if self._turn is None or self._turn == event.seat:
                return (story.drinks if event.count else story.drinks_in_vain).format(**told)
            told["giver"] = self._players[self._turn].name
            return (story.gives if event.count else story.gives_in_vain).format(**told)
        gains = story.gains if event.count else story.gains_nothing
        return gains.format(who=who, points=points)

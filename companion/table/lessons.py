"""What players corrected, passed on to what learns to read dice and cards, and keeps pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from companion.base.refused import Problem, Refused
from companion.table.changes import Press, check_current, check_host
from companion.table.history import KEPT, Retitled
from companion.table.scene import Scene
from companion.table.surface.dice.state import Place
from companion.table.surface.interface import AnySurface


class CorrectionLearner(Protocol):
    """Learns from players' corrections of dice, or of cards."""

    def learn(self, named: Sequence[Any], game: str, moment: int) -> None:
        """Learn what players named in the move `moment` of a game, as it was last seen.

        Replaces what that move taught before.
        """

    def take_back(self, game: str, moment: int) -> None:
        """Unlearn what was learned in a game from that move on."""

    def forget(self) -> None:
        """Begin again with what the reader knew at first."""


class Lessons:
    """The learners of a table, which hear of each change."""

    def __init__(
        self,
        follow: Callable[[Callable[[Scene, Scene], None]], None],
        amend: Callable[[Callable[[Scene], Scene]], None],
    ) -> None:
        """follow, amend: as those of `Table`."""
        self._follow, self._amend = follow, amend
        self._learners: dict[type[AnySurface], CorrectionLearner] = {}

    def teach(self, kind: type[AnySurface], learner: CorrectionLearner) -> None:
        """Teach `learner` what players correct on one kind of surface: the dice, or the cards."""

        def begin(scene: Scene) -> Scene:
            if not self._learners:
                self._follow(self._learn)
            self._learners[kind] = learner
            # What was undone: the table may have been killed before it could be unlearned.
            if scene.history is not None and isinstance(scene.surface, kind):
                learner.take_back(scene.game_name, len(scene.history.moments))
            return scene

        self._amend(begin)

    def show(self, counts: Mapping[str, int], fault: str = "") -> None:
        """Show what was learned, and why it could not be saved (empty if it could)."""
        self._amend(lambda now: replace(now, learned=counts, notice=fault or now.notice))

    def forget(self, scene: Scene, press: Press) -> None:
        """Make the reader forget everything it learned while playing. Raises Refused."""
        check_current(scene, press)
        check_host(scene, press.person)
        learner = self._learners.get(type(scene.surface))
        if learner is None:
            raise Refused(Problem.ILLEGAL, "this table doesn’t learn while playing")
        learner.forget()

    def _learn(self, before: Scene, now: Scene) -> None:
        """Learn from a change what players named, and unlearn what they took back."""
        was, history, learner = before.history, now.history, self._learners.get(type(now.surface))
        if was is history or learner is None:
            return
        if was is None or history is None or was.number != history.number:
            return
        if len(history.moments) < len(was.moments):
            learner.take_back(now.game_name, len(history.moments))
        for number, named in before.surface.lessons(was, history, before.shown):
            learner.learn(named, now.game_name, number)


# Pictures


class DieKeeper(Protocol):
    """Keeps pictures of dice whose reading players changed."""

    def keep(self, game: int, move: int, die: int) -> None:
        """Keep the picture of a die as it lies now, for the move of a game that will accept it."""


class RollKeeper(Protocol):
    """Keeps pictures of the dice of accepted rolls."""

    def keep(self, game: int, move: int, places: Sequence[Place | None]) -> None:
        """Keep the dice that a move of a game accepted, as they lie now; returns at once."""


CardKeeper = Callable[[int, int, int], None]
"""Keeps the card that an entry of a game's story corrected, by the watcher's number; at once."""


def picture_corrected(pictures: DieKeeper, before: Scene, now: Scene) -> None:
    """Have pictures kept of the dice whose reading a change has changed."""
    if now.history is None:
        return
    for said in now.corrections:
        if said.pictured and said.die is not None and said not in before.corrections:
            pictures.keep(now.history.number, len(now.history.moments), said.die)


def picture_accepted(pictures: RollKeeper, before: Scene, now: Scene) -> None:
    """Have the dice pictured that a change accepted, also where no camera saw them."""
    was, history = before.history, now.history
    if was is None or history is None or was.number != history.number:
        return
    move = len(was.moments)
    if len(history.moments) > move:
        moment = history.moments[move]
        if history.game.rolled(moment.move) is not None:
            pictures.keep(history.number, move, [die.place for die in moment.lying])


def picture_retitled(keep: CardKeeper, before: Scene, now: Scene) -> None:
    """Have pictures kept of the cards that a change corrected."""
    was, history = before.history, now.history
    if was is None or history is None or was.number != history.number:
        return
    begin = len(was.story)
    for number, entry in enumerate(history.story[begin:], begin + 1):
        if isinstance(entry, Retitled) and entry.picture:
            keep(history.number, number, entry.picture)


def find_kept(is_kept: Callable[[int, int], object], scene: Scene) -> Scene:
    """Return a resumed game that shows its corrected cards. is_kept: by game and entry."""
    history = scene.history
    if history is None:
        return scene
    story = tuple(
        entry._replace(picture=KEPT)
        if isinstance(entry, Retitled) and is_kept(history.number, number)
        else entry
        for number, entry in enumerate(history.story, 1)
    )
    return replace(scene, history=replace(history, story=story))

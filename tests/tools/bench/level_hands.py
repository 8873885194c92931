"""Players in a real browser for whom stand-ins decide: they only press and tap."""

from pathlib import Path
from typing import Any

from browser import Screens
from hands import Hands, together
from playwright.sync_api import Locator

from companion.games.dice.rules.faces import DICE, Face
from companion.games.dice.rules.moves import (
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Roll,
    Shoot,
    Shot,
    Stop,
    TakeArrows,
)
from companion.games.dice.rules.rules import apply
from companion.games.dice.rules.state import State
from companion.games.dice.stand_ins import decide
from companion.games.game import Decision


class LevelHands(Hands):
    """Hands of players who decide as stand-ins of a level do."""

    def __init__(
        self,
        folder: Path,
        screens: Screens,
        seed: int,
        players: int,
        level: str = "",
        **options: Any,
    ) -> None:
        """Begin a game that `seed` deals and plays; level: "": players decide by chance."""
        self.level = level
        super().__init__(folder, screens, seed, players, **options)

    def _decision(self, *coming: tuple[Move, State]) -> Decision:
        """What a stand-in decides, once moves to come are made."""
        history: Any = self.table.scene.history
        moments = history.moments
        states = [*(moment.state for moment in moments), *(state for _, state in coming)]
        made = [*(moment.move for moment in moments[1:]), *(move for move, _ in coming)]
        return decide(self.level, states, made, self.chance)

    def _throw_or_stop(self, state: State) -> Move:
        """The throw of the dice that a stand-in throws again; at first, of all."""
        if not self.level:
            return super()._throw_or_stop(state)
        again = self._decision().throw
        if not again:
            return Stop(state.turn)
        dice = list(state.dice) or [Face.ARROW] * DICE
        for die in again:
            dice[die] = self.chance.choice(tuple(Face))
        return Roll(state.turn, tuple(dice), again if state.rolls else None)

    def _is_content(self, state: State, roll: Roll) -> bool:
        if not self.level:
            return super()._is_content(state, roll)
        after = apply(state, roll)
        if after.awaits is None or after.awaits != state.awaits:
            return False
        return not self._decision((roll, after)).throw

    def _choose(self, form: Locator) -> list[Locator]:
        if not self.level:
            return super()._choose(form)
        move: Any = self._decision().move
        button = together(form, move)
        return [button] if button else self._buttons(form, move)

    def _buttons(self, form: Locator, move: Move) -> list[Locator]:
        """The buttons of a question that say a move."""
        match move:
            case Heal(_, target) | Beer(_, (target,)):
                return [form.locator(f"button[name=target][value='{target}']")]
            case Beer(_, targets):
                return [
                    form.locator(f"button[name='target-{beer}'][value='{target}']")
                    for beer, target in enumerate(targets)
                ]
            case TakeArrows(_, count) | DiscardArrows(_, count):
                return [form.locator(f"button[name=count][value='{count}']")]
            case DiscardFrom(_, targets):
                ticks = [
                    form.locator(f".tick:has([value='{target}'])").nth(targets[:nth].count(target))
                    for nth, target in enumerate(targets)
                ]
                return [*ticks, form.locator("button.main")]
        assert isinstance(move, Shoot)
        values = {f"shot-{shot.die}": _value(shot) for shot in move.shots}
        values["double"] = next((str(shot.die) for shot in move.shots if shot.beer is not None), "")
        names = [
            str(step.locator("button.target").first.get_attribute("name"))
            for step in form.locator("[data-step]").all()
        ]
        pressed = [form.locator(f"button[name='{n}'][value='{values[n]}']") for n in names]
        return pressed or [form.locator("button.main")]


def _value(shot: Shot) -> str:
    """What the button of a shot sends."""
    target = "none" if shot.target is None else str(shot.target)
    return target if shot.used_as is None else f"{shot.used_as}:{target}"

"""Random legal card games, laid card by card into the watched tray: the table follows each."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from card_evening import CardEvening

from companion.games.cards.players import random_move
from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import KINDS, Border
from companion.games.cards.rules.moves import CardMove, Draw, End, Flip, Pass, Play
from companion.games.cards.rules.record import replay
from companion.games.cards.rules.rules import apply
from companion.games.cards.rules.state import CardState
from companion.games.common.roles import ROLES
from companion.table.scene import Phase
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PileStatus, PileVerdict

pytestmark = pytest.mark.tables

TITLES = tuple(KINDS)


class Players:
    """People who lay down what they play, with all that happens at a real table."""

    def __init__(self, folder: Path, seed: int, *, restarts: bool = False) -> None:
        self.chance = random.Random(seed)
        count = self.chance.randint(4, 7)
        roles = [role[0] for role in ROLES[count]]
        self.chance.shuffle(roles)
        characters = self.chance.sample(sorted(CHARACTERS), count)
        self.evening = CardEvening(folder, "".join(roles), characters)
        self.evening.start()
        self.restarts = restarts

    def play(self, most: int) -> list[CardState]:
        """Play the game, and return the states that it must have gone through."""
        states = [self.evening.state]
        while self.evening.view.phase is Phase.PLAYING and len(states) <= most:
            move = random_move(states[-1], self.chance)
            self.make(move)
            states.append(apply(states[-1], move))
            assert self.evening.state == states[-1], move
            self.tidy(move)
            assert self.evening.state == states[-1], f"cards due after {move}"
        return states

    def happens(self, share: float) -> bool:
        return self.chance.random() < share

    def make(self, move: CardMove) -> None:
        """Make a move as people do."""
        evening = self.evening
        if self.happens(0.1):
            self.disturb()
        match move:
            case Play(card=card):
                self.lay(card)
            case Flip(signs=signs):
                if evening.pile.awaits != "sign":
                    evening.draw()
                self.flip([str(sign) for sign in signs])
            case Draw(shown=shown) if shown is not None:
                self.flip([str(shown)])
            case Pass():
                evening.table.press_red()
                return
            case End():
                evening.table.press_green()
                return
            case _:
                evening.tap(move)
                return
        self.restart()
        if evening.pile.status is PileStatus.CHOOSE:
            assert move in evening.pile.moves or isinstance(move, Flip)
            # If both flipped cards have the same effect, nobody chooses.
            evening.tap(move)

    def lay(self, card: str) -> None:
        evening = self.evening
        if self.happens(0.2):
            others = self.chance.sample(TITLES, 2)
            evening.see(PileVerdict.UNSURE, dict.fromkeys([card, *others]))
            before = evening.state
            assert evening.pile.status is PileStatus.UNSURE
            self.restart()
            assert evening.state == before
            evening.name(card)
        else:
            evening.lay(card, sign=str(self.chance.choice(KINDS[card].signs)))

    def flip(self, signs: Sequence[str]) -> None:
        evening = self.evening
        for sign in signs:
            if self.happens(0.2):
                evening.flip(f"{sign}?")
                assert evening.pile.status is PileStatus.SIGN_UNSURE
                self.restart()
                evening.table.do(laying.name_sign, evening.press, sign)
            else:
                evening.flip(sign)

    def disturb(self) -> None:
        """Let something happen that no move follows from."""
        evening, before = self.evening, self.evening.state
        evening.see(self.chance.choice([PileVerdict.BLOCKED, PileVerdict.NONE]))
        evening.see(PileVerdict.NONE)
        if self.happens(0.3):
            evening.see(PileVerdict.GONE, self.chance.sample(TITLES, 2))
        assert evening.state == before
        self.restart()

    def tidy(self, move: CardMove) -> None:
        """Lay the cards onto the pile that count as no move, and take blue ones back."""
        evening = self.evening
        if isinstance(move, Play) and KINDS[move.card].border is Border.BLUE:
            evening.see(PileVerdict.MOVED)
        while evening.view.phase is Phase.PLAYING and evening.owed:
            owed = evening.owed
            if len(owed) > 1 and self.happens(0.3):
                evening.see(PileVerdict.MANY)
                if evening.pile.status is PileStatus.MANY:
                    evening.ignore()
            elif owed[0] is None and self.happens(0.1):
                evening.see(PileVerdict.FACEDOWN)
            else:
                evening.lay(owed[0] or self.chance.choice(TITLES), sign="2S")
                if evening.pile.may_be_owed:
                    evening.lay_aside()
            assert len(evening.owed) < len(owed)
            self.restart()

    def restart(self) -> None:
        if self.restarts and self.happens(0.1):
            pile = self.evening.table.scene.surface.state
            self.evening.reopen()
            self.evening.see(PileVerdict.NONE)
            again = self.evening.table.scene.surface.state
            # Pictures are gone after a restart.
            laid = tuple(replace(card, number=0) for card in pile.laid)
            assert (again.laid, again.owed, again.drawing) == (laid, pile.owed, pile.drawing)


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 25))]
)
def test_a_game_laid_into_the_tray_goes_through_the_states_of_its_moves(tmp_path, seed):
    players = Players(tmp_path, seed, restarts=seed % 5 == 0)
    states = players.play(400)
    lines = players.evening.lines
    assert len(lines) == len(states)
    assert list(replay(line.encode() for line in lines)) == states
    players.evening.close()

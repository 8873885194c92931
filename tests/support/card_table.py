"""A card game on a running table, dealt as told, with cards laid in the tray for its camera."""

from card_evening import CALM
from card_scenes import move_of
from served import Served

from companion.base.refused import Message
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.moves import CardMove
from companion.games.cards.rules.state import CardState
from companion.table import moves
from companion.table.scene import CameraStatus
from companion.table.surface.cards import laying
from companion.table.surface.cards.state import PILE_MOVING, PileObservation, PileVerdict


class CardTable(Served):
    """A table with real screens on which the card game is played."""

    selection = CARD_GAME.select("base")
    plain = CALM
    pictures = 0
    """Of cards that the camera saw."""
    deal_cards = Served.deal

    @property
    def state(self) -> CardState:
        state: CardState = self.table.scene.history.state
        return state

    def make(self, *made: CardMove) -> None:
        """Make moves from the host's phone, or that of their player."""
        for move in made:
            self.do(moves.move, move, seat=move.seat if move.seat < len(self.tokens) else 0)

    def tap(self, made: str) -> None:
        """Make moves in the words of card_scenes.py, on phones as `make` does."""
        for text in made.split(", "):
            self.make(move_of(self.state, text))

    def watch(self) -> None:
        """Let a camera watch the pile."""
        self.see(PileVerdict.NONE)

    def see(self, verdict: PileVerdict, *likely: str, sign: str = "") -> None:
        """Let the camera see something on the pile."""
        self.table.see(PILE_MOVING)
        self.pictures += bool(likely)
        number = self.pictures if likely else 0
        seen = PileObservation(verdict, likely, sign or None, number=number)
        self.table.see(seen)

    def lay(self, title: str) -> None:
        """Let the camera see a card whose title is sure."""
        self.see(PileVerdict.OK, title)

    def see_sign(self, sign: str) -> None:
        """Name the sign of a flipped card on the host's phone."""
        self.do(laying.name_sign, sign)

    def put_aside(self) -> None:
        """Put aside what the camera claims to see, on the host's phone."""
        self.do(laying.ignore)

    def fail(self, where: str) -> None:
        """Let the camera fail."""
        fault = Message("%(where)s: no picture came; has the camera been unplugged?", where=where)
        self.table.watch(CameraStatus("test", fault=fault))

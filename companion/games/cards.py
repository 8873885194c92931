"""The card game behind the table's interface."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from companion.cardgame.characters import CHARACTERS
from companion.cardgame.check import check
from companion.cardgame.choices import CardQuestion, question
from companion.cardgame.events import CardEvent
from companion.cardgame.moves import CardMove, Pass
from companion.cardgame.reasons import CardReason, CardRefusal
from companion.cardgame.record import NAME, header_line, move_line, parse_header, parse_move
from companion.cardgame.rules import apply, start
from companion.cardgame.rulesets import RULESETS
from companion.cardgame.state import CardPlayer, CardSetup, CardState
from companion.cardgame.terms import CardTerms, terms
from companion.cardgame.views import CardView, view
from companion.common.audience import Audience
from companion.common.endings import TEAMS
from companion.common.refusals import refuse
from companion.common.roles import ROLES, Role
from companion.games.card_rules import LAID_CARD_RULES
from companion.table.game import AnyRuleset, Deck, Outcome, RecordOrigin, Seat, Selection, Standing
from companion.table.tray.corrections import Correction


class CardGame:
    """The card game; see `table.game.Game`."""

    record_name = NAME
    stand_ins = False
    rulesets: Mapping[str, AnyRuleset] = RULESETS
    house_rules: Sequence[str] = ()

    def __init__(self) -> None:
        self.dice = _NoDice()
        self.cards = LAID_CARD_RULES

    def select(self, ruleset: str, house_rules: Iterable[str] = ()) -> Selection:
        """Return the card game with a ruleset, by id. Raises ValueError."""
        if ruleset not in RULESETS:
            raise ValueError(f"{ruleset}: no such ruleset")
        for rule in house_rules:
            raise ValueError(f"{rule}: the card game has no house rules")
        return Selection(self, RULESETS[ruleset])

    def deck(self, ruleset: AnyRuleset, players: int) -> Deck:
        """Return the roles for this many players, and the characters."""
        roles = ROLES[players]
        kinds = tuple(role for role in Role if role in roles)
        return Deck(roles, kinds, Role.SHERIFF, RULESETS[ruleset.id].characters)

    def setup(self, selection: Selection, seats: Sequence[Seat]) -> CardSetup:
        """Return the setup of a game that was dealt. Raises SetupError."""
        players = [
            CardPlayer(seat.name, Role(seat.role), CHARACTERS[seat.character]) for seat in seats
        ]
        return CardSetup(RULESETS[selection.ruleset.id], tuple(players))

    def selection(self, setup: CardSetup) -> Selection:
        """Return the ruleset of a game."""
        return Selection(self, setup.ruleset)

    def start(self, setup: CardSetup) -> CardState:
        """Return the state before the first decision."""
        return start(setup)

    def check(self, state: CardState, move: CardMove) -> CardRefusal | None:
        """Return why a move is illegal; None if it is legal."""
        return check(state, move)

    def apply(self, state: CardState, move: CardMove) -> CardState:
        """Return the state after a move. Raises IllegalMove."""
        return apply(state, move)

    def only_move(self, state: CardState) -> None:
        """Return nothing: the rules themselves pass for a seat that has no choice."""
        return

    def standing(self, state: CardState) -> Standing:
        """Return where the game stands."""
        result = state.result
        return Standing(
            turn=state.turn,
            awaited=state.awaited,
            rolling=False,
            alive=tuple(seat in state.living for seat in range(len(state.life))),
            outcome=Outcome(*result) if result else None,
        )

    def events(self, state: CardState) -> tuple[CardEvent, ...]:
        """Return what the last move caused, in order."""
        return state.events

    def public_view(self, state: CardState) -> CardView:
        """Return what everybody may see."""
        return view(state, Audience.TABLE)

    def open_view(self, state: CardState) -> CardView:
        """Return what everybody may see once the game is over."""
        return view(state, Audience.RECORD)

    def question(self, state: CardState) -> CardQuestion | None:
        """Return the decision that the game waits for; None once it is over."""
        return question(state)

    def roles(self, state: CardState) -> tuple[Role, ...]:
        """Return the role of each seat."""
        return state.setup.roles

    def sides(self, players: int) -> tuple[str, ...]:
        """Return the sides that can win."""
        return tuple(dict.fromkeys(TEAMS.values()))

    def names(self, setup: CardSetup) -> tuple[str, ...]:
        """Return the players' names by seat."""
        return tuple(player.name for player in setup.players)

    def header_line(self, setup: CardSetup, origin: RecordOrigin) -> str:
        """Return the first line of the record, without the line feed; it names no origin."""
        return header_line(setup)

    def parse_header(self, line: bytes) -> CardSetup:
        """Return the setup from the first line of a record. Raises FormatError."""
        return parse_header(line)

    def move_line(self, move: CardMove) -> str:
        """Return a move as a line of the record, without the line feed."""
        return move_line(move)

    def parse_move(self, line: bytes) -> CardMove:
        """Return the move on a line of a record. Raises FormatError."""
        return parse_move(line)

    def terms(self, ruleset: AnyRuleset, language: str) -> CardTerms:
        """Return the names and sentences of the game in a language."""
        return terms(language)


class _NoDice:
    """A game without dice; see `table.game.DiceRules`."""

    def faces(self) -> Sequence[str]:
        """Return no faces."""
        return ()

    def lying(self, state: CardState) -> Sequence[str]:
        """Return no faces."""
        return ()

    def throwable(self, state: CardState) -> tuple[int, ...]:
        """Return no dice."""
        return ()

    def check_throw(self, state: CardState, die: int) -> CardRefusal:
        """Return that there is nothing to throw."""
        return refuse(CardReason.NO_DICE)

    def fixed_faces(self, state: CardState) -> frozenset[str]:
        """Return no faces."""
        return frozenset()

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> NoReturn:
        """Refuse: the game never awaits a roll. Raises ValueError."""
        raise ValueError(CardReason.NO_DICE)

    def stop(self, seat: int) -> Pass:
        """Return the move of the red button: no card as an answer."""
        return Pass(seat)

    def goes_on(self, state: CardState, faces: Sequence[str]) -> bool:
        """Return that nothing is thrown again."""
        return False

    def rolled(self, move: CardMove) -> None:
        """Return nothing: no move rolls dice."""
        return

    def thrown(self, move: CardMove) -> tuple[int, ...]:
        """Return no dice."""
        return ()

    def with_corrections(
        self, lines: Sequence[str], corrected: Mapping[int, Sequence[Correction]]
    ) -> Sequence[str]:
        """Return the lines as they are: no dice can be corrected."""
        return lines

    def corrections(self, header: bytes, line: bytes, players: int) -> tuple[Correction, ...]:
        """Return none."""
        return ()


CARD_GAME = CardGame()
"""The card game."""

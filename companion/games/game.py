"""The interface between the table and a game, of which every game is a value.

The table handles seats, dealing, undo, saving and phones. States, moves and texts belong to the
game: the table passes those values on without looking into them. A game is pure: it rolls no dice,
reads no clock and keeps nothing between calls.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from companion.games.common.audience import Audience, Viewer
from companion.games.common.played import Played

Reason: TypeAlias = object
"""Why a move is illegal. `str()` says it with the names used in records."""


class AnySetup:
    """What is dealt before the first turn; an immutable value of the game."""


class AnyState:
    """A moment of a game; an immutable value of the game. Equal states are the same moment."""


class AnyEvent:
    """A public event. `str()` describes it for a game without pages of its own."""


class AnyMove(Protocol):
    """A decision of one seat, as plain data."""

    @property
    def seat(self) -> int:
        """Whose it is."""

    @property
    def action(self) -> str:
        """The name of its kind in records."""


_Setup = TypeVar("_Setup")
_State = TypeVar("_State")
_Move = TypeVar("_Move", bound=AnyMove)
_Event = TypeVar("_Event")
_StateIn = TypeVar("_StateIn", contravariant=True)
_MoveOut = TypeVar("_MoveOut", covariant=True)
_EventIn = TypeVar("_EventIn", contravariant=True)


class AnyRuleset(Protocol):
    """One way to play a game."""

    @property
    def id(self) -> str:
        """Its name in records and settings."""

    @property
    def language(self) -> str:
        """The language of its pages by default."""

    @property
    def players(self) -> range:
        """The numbers of players allowed."""


class RecordOrigin(NamedTuple):
    """The origin of a record."""

    companion: str
    """The version of the product that writes it."""
    date: str
    """When the game began: a time in UTC, `2026-11-22T19:30:00Z`.

    With a `?` behind it if nobody confirmed it."""


class Deck(NamedTuple):
    """The secret roles and the characters that are dealt to a number of players."""

    roles: tuple[str, ...] = ()
    """A role for each player; empty if the game has none."""
    role_kinds: tuple[str, ...] = ()
    """The same roles, each once, in the order in which players choose from them."""
    first_role: str = ""
    """The role that takes the first turn."""
    characters: tuple[str, ...] = ()
    """The characters to deal from; empty if the game has none."""


class Outcome(NamedTuple):
    """How a game ended."""

    side: str
    """The side that won."""
    winners: tuple[int, ...]
    """Its seats, ascending."""


class Standing(NamedTuple):
    """The standing of a game, as far as the table needs it. All of it is public."""

    turn: int
    """The seat whose turn it is or, after the game, whose turn it was."""
    awaited: int | None
    """The seat that must decide; None once the game is over."""
    rolling: bool
    """Whether the decision is to throw dice or stop rolling."""
    alive: tuple[bool, ...]
    """By seat, whether the player is still in the game."""
    outcome: Outcome | None
    """How the game ended; None while it runs."""


class CorrectionKind(StrEnum):
    """What a player said about the dice of a roll."""

    FACE = "face"
    """What a die shows."""
    KEPT = "kept"
    """That a die was kept."""
    THROWN = "thrown"
    """That a die was thrown."""
    LEFT_OUT = "left out"
    """That something is not a die."""
    ADDED = "added"
    """A die that the camera misses."""
    BY_HAND = "by hand"
    """The whole roll, although there is a camera."""


class Correction(NamedTuple):
    """What a player changed in a reading, as the story tells it."""

    kind: CorrectionKind
    """What was said."""
    by: int | None
    """The seat that said it; None if unknown."""
    die: int | None = None
    """The die's number; None if it has none."""
    before: str | None = None
    """The face that the camera read; None if it was uncertain or saw none."""
    after: str | None = None
    """The face that was said; None if none was."""
    pictured: bool = False
    """Whether the camera saw the die."""


class Odds(NamedTuple):
    """How often each side won when a game was played on at random."""

    shares: Mapping[str, float]
    """The share of games won by each side that can win, in order."""
    games: int
    """How many games were played."""
    intervals: Mapping[str, tuple[float, float]] = {}
    """By side, the bounds that hold its true share 19 times in 20."""


class Named(Protocol):
    """A character as players see it."""

    @property
    def name(self) -> str:
        """The character's name."""


class GameTerms(Protocol):
    """The words that every game has, in one language."""

    @property
    def faces(self) -> Mapping[Any, str]:
        """The names of the faces, in the order in which players choose from them."""

    @property
    def roles(self) -> Mapping[Any, str]:
        """The names of the roles; empty if the game has none."""

    @property
    def characters(self) -> Mapping[str, Named]:
        """The characters by id; empty if the game has none."""

    @property
    def sides(self) -> Mapping[Any, str]:
        """The names of the sides that can win."""

    def goal(self, role: Any, players: int) -> str:
        """Return a role's goal in a game with this number of players."""

    def number(self, count: int) -> str:
        """Return a number as a word before a noun; a large one in digits."""

    def join(self, things: Sequence[str]) -> str:
        """Return items as a list: `a, b and c`."""


class TypedDiceRules(Protocol[_StateIn, _MoveOut]):
    """How a game is played with the dice in the tray."""

    def faces(self) -> Sequence[str]:
        """Return the names of the faces."""

    def lying(self, state: _StateIn) -> Sequence[str]:
        """Return the faces accepted so far this turn; empty before the first roll."""

    def throwable(self, state: _StateIn) -> tuple[int, ...]:
        """Return the numbers of the dice that may be thrown now."""

    def check_throw(self, state: _StateIn, die: int) -> Reason | None:
        """Return why a die may not be thrown now; None if it may."""

    def fixed_faces(self, state: _StateIn) -> frozenset[str]:
        """Return the faces that may not be thrown again."""

    def roll(self, seat: int, faces: Sequence[str], thrown: tuple[int, ...] | None) -> _MoveOut:
        """Return the move of a roll: all dice as they lie, and those thrown (None: all)."""

    def stop(self, seat: int) -> _MoveOut:
        """Return the move that stops rolling."""

    def goes_on(self, state: _StateIn, faces: Sequence[str]) -> bool:
        """Return whether dice may be thrown again once these are accepted, by the dice alone."""


DiceRules: TypeAlias = TypedDiceRules[AnyState, AnyMove]
"""The dice rules of any game."""


class Decision(NamedTuple):
    """What a stand-in decides: a move, or dice to throw again."""

    move: AnyMove | None
    """The move; None to throw dice."""
    throw: tuple[int, ...] = ()
    """The dice to throw again."""
    why: tuple[object, ...] = ()
    """The reasons for a move, as the game has them. They must give away no secret."""


class SeenGame(Protocol):
    """What everybody saw of a game, which can be played on to its end at random."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that can win, in their order."""

    def play(self, games: range) -> Counter[str]:
        """Play games, by their numbers, and return how often each side won.

        The same number gives the same game.
        """


class PublicGame(Protocol[_EventIn]):
    """How a game tells what everybody may see of it, as JSON values."""

    def player_entries(self, view: Any) -> Sequence[Mapping[str, Any]]:
        """Return the players by seat. view: the game's public view."""

    def board_entry(self, view: Any) -> Mapping[str, Any]:
        """Return what lies on the table, and what the awaited seat can choose from."""

    def event_entry(self, event: _EventIn) -> Mapping[str, Any]:
        """Return an event: its `kind`, and its fields."""


class ReadAs(StrEnum):
    """How the next card that is laid in the tray is read."""

    TITLE = "title"
    """By its title: it is played."""
    SIGN = "sign"
    """By its sign: it was flipped from the deck, or is shown."""


class Owed(NamedTuple):
    """A card that somebody must lay on the pile, where it counts as no move."""

    seat: int | None
    """The seat that owes it; None if that was saved by an earlier version."""
    card: str | None = None
    """Its title; None if it comes from a hand, where nobody knows it."""
    move: int = 0
    """The number of the move for which it is owed."""
    at_once: bool = False
    """Whether its player lays it as part of that move: nobody doubts which one it is."""


class CardNames(NamedTuple):
    """What cards are called in one language."""

    titles: Mapping[str, str]
    """The names of the cards, by title."""
    suits: Mapping[str, str]
    """The suits as they follow a rank, by their letters."""


OTHER_COUNTS = "other"
"""In place of a card's new name, says that of two flipped cards the other one counts."""


class SeenMove(NamedTuple, Generic[_State, _Move]):
    """A move of a game with cards, and what the camera saw of it."""

    move: _Move | None
    """The move; None at the start."""
    state: _State
    """The state after it."""
    signs: tuple[str, ...] = ()
    """The signs of the cards that it laid, as far as the camera was sure of them."""


class DeckCopy(NamedTuple):
    """A card of the deck."""

    sign: str
    """Its sign."""
    title: str = ""
    """Its title; empty if only its sign was seen."""


class UnseenCopies(NamedTuple):
    """The copies of a title that nobody has seen yet."""

    title: str
    """The title."""
    unseen: int
    """How many."""
    signs: tuple[str, ...]
    """Those that they can have, each once; more than `unseen` if copies were seen by title only."""


class DeckDoubts(NamedTuple):
    """What is known of the real deck when it is shuffled: a card may be missing, or there twice."""

    left: int
    """How many cards the deck has by the companion's count."""
    unseen: tuple[UnseenCopies, ...]
    """The copies that nobody has seen in this game: a missing card is among them."""
    twice: tuple[DeckCopy, ...]
    """The cards of which the camera saw one more than a deck has."""


class TypedAnswerRules(Protocol[_State, _Move]):
    """How several players answer one card, which asks them one after the other."""

    def answerers(self, state: _State) -> Mapping[int, _State]:
        """Return the seats that must answer the card being settled, in order; the first is awaited.

        Each comes with the state in which it must answer. Empty if the card doesn't ask several
        players one after the other.
        """

    def passing(self, state: _State) -> _Move | None:
        """Return the move by which the awaited seat plays no more cards as an answer, if any."""

    def ending(self, state: _State) -> _Move | None:
        """Return the move that ends the turn; None if it can't end, or cards must be chosen."""

    def plays_card(self, move: _Move) -> bool:
        """Return whether a move plays a card."""


AnswerRules: TypeAlias = TypedAnswerRules[AnyState, AnyMove]
"""The rules of answers of any game."""


class TypedCardRules(TypedAnswerRules[_State, _Move], Protocol[_State, _Move]):
    """How a game is played with cards that are laid in the tray, which is its discard pile.

    Who laid a card is never known: it counts as laid by the seat that must decide.
    """

    def titles(self) -> Sequence[str]:
        """Return the titles of the cards."""

    def signs(self) -> Sequence[str]:
        """Return the signs of the cards: rank and suit, `10S`."""

    def copies_of(self, title: str) -> Sequence[str]:
        """Return the sign of each copy of a title in the deck."""

    def names(self, language: str) -> CardNames:
        """Return what the cards are called in a language."""

    def awaits(self, state: _State) -> ReadAs | None:
        """Return how the next card is read, unless the awaited seat says that it will flip one.

        None if no card is awaited: a question must be answered first.
        """

    def may_flip(self, state: _State) -> bool:
        """Return whether the awaited seat may flip a card."""

    def must_be_flipped(self, state: _State, title: str) -> bool:
        """Return whether a card that is laid now, with this title, can only have been flipped."""

    def moves(self, state: _State, title: str) -> tuple[_Move, ...]:
        """Return all legal moves that laying a card with this title can mean."""

    def find_forgotten(self, state: _State, title: str, target: int | None) -> _Move | None:
        """Return the only move with a card of this title, on this seat if one is named."""

    def refused(self, state: _State, title: str) -> Reason:
        """Return why a card with this title can't be played now, though no move is legal."""

    def flipped(self, state: _State, signs: Sequence[str]) -> tuple[_Move, ...]:
        """Return the moves that these flipped or shown cards can mean, legal or not.

        None while more cards are wanted; several only if their effects differ.
        """

    def excess(self, state: _State) -> int:
        """Return how many cards are discarded if the turn ends now."""

    def gains(self, state: _State) -> bool:
        """Return whether the player whose turn it is got cards by the move that led here."""

    def lays(self, move: _Move) -> tuple[str | None, ...]:
        """Return the cards that a move itself lays in the tray: a title, None for one by sign."""

    def is_taken_back(self, move: _Move) -> bool:
        """Return whether a card that a move lays is only shown in the tray, and taken back."""

    def debts(self, before: _State, move: _Move, after: _State) -> tuple[Owed, ...]:
        """Return what is owed to the pile after a move, besides the cards that it lays itself."""

    def is_hidden(self, state: _State, title: str) -> bool:
        """Return whether a copy of this title may still come out of the deck or a hand."""

    def lying(self, state: _State) -> int:
        """Return how many cards lie in the tray once all that are owed were laid."""

    def lifts(self, before: _State, move: _Move, after: _State) -> bool:
        """Return whether a card is taken off the pile again after a move, or the pile shuffled."""

    def miscounted(
        self, moments: Sequence[tuple[_Move | None, _State]], title: str
    ) -> tuple[int, ...]:
        """Return the numbers of the moves without which a title could be played now.

        If the card really lies there, one of them counted a wrong title. Empty if the card can't be
        played for another reason.

        moments: each move of the game with the state after it, the start first.
        """

    def passes(
        self, moments: Sequence[tuple[_Move | None, _State]], number: int
    ) -> Mapping[int, int]:
        """Return the seats that passed on the card which a move answers, and the moves they did by.

        The card of the answer may have been theirs. Empty for any other move.
        """

    def check_deck(self, played: Sequence[SeenMove[_State, _Move]]) -> DeckDoubts | None:
        """Return what is known of the real deck; None while it is far from being shuffled.

        played: all moves of the game, the start first.
        """


CardRules: TypeAlias = TypedCardRules[AnyState, AnyMove]
"""The card rules of any game."""


class TypedHandRules(TypedAnswerRules[_State, _Move], Protocol[_State, _Move]):
    """How a game is played with hands that the companion deals: no dice, no cards in the tray."""

    def hand(self, state: _State, seat: int) -> Any:
        """Return what a seat holds, and what it can do with it now, for its player alone."""

    def can_only_pass(self, state: _State) -> bool:
        """Return whether the awaited seat has no answer. Only that seat may ever learn it."""


HandRules: TypeAlias = TypedHandRules[AnyState, AnyMove]
"""The hand rules of any game."""


class Seat(NamedTuple):
    """What is dealt to a player."""

    name: str
    """The player's name."""
    role: str
    """Empty if the game deals no roles."""
    character: str
    """Empty if the game deals no characters."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TypedGame(Generic[_Setup, _State, _Move, _Event]):
    """A game: plain values and pure functions.

    A game can do without what has a default.
    """

    record_name: str
    """The name in its records' headers, and of the game at the table."""
    recorded_as: str = ""
    """The name in its records' headers where they are those of another game; else empty."""
    title: str = "the game"
    """What error messages call it: `the dice game`."""
    rulesets: Mapping[str, AnyRuleset]
    """Its rulesets, by id."""
    house_rules: Sequence[str] = ()
    """The names of its house rules, in the order in which the host chooses from them."""
    contradictory: frozenset[str] = frozenset()
    """House rules that can't all be on."""
    dice: TypedDiceRules[_State, _Move] | None = None
    """Its dice rules; None if no dice are thrown into the tray."""
    cards: TypedCardRules[_State, _Move] | None = None
    """Its card rules; None if no cards are laid in the tray."""
    hands: TypedHandRules[_State, _Move] | None = None
    """Its hand rules; None if the companion deals no hands. It has dice, cards or these."""

    # Before the game

    deck: Callable[[AnyRuleset, int], Deck] = lambda ruleset, players: Deck()
    """Returns the deck for this number of players."""
    setup: Callable[["Selection", Sequence[Seat]], _Setup]
    """Returns the game that was dealt. Raises ValueError if that can't be played."""
    shuffle: Callable[[_Setup, Random], _Setup] = lambda setup, chance: setup
    """Returns it with what chance decides of it beside roles and characters."""
    characters: Callable[[_Setup], tuple[str, ...]] | None = None
    """Returns the characters by seat; None unless survivors may keep theirs for the next game."""
    selection: Callable[[_Setup], "Selection"]
    """Returns the rules that a game is played by."""

    # The game

    start: Callable[[_Setup], _State]
    """Returns the state before the first decision."""
    check: Callable[[_State, _Move], Reason | None]
    """Returns why a move is illegal; None if it is legal."""
    apply: Callable[[_State, _Move], _State]
    """Returns the state after a move. Raises ValueError if it is illegal."""
    only_move: Callable[[_State], _Move | None] = lambda state: None
    """Returns the move to make unasked because all legal moves are equivalent; else None."""

    rolled: Callable[[_Move | None], Sequence[str] | None] = lambda move: None
    """Returns the faces that a move rolled; None for any other move, and for none."""
    thrown: Callable[[_Move], tuple[int, ...]] = lambda move: ()
    """Returns the numbers of the dice that a move threw; empty for a move that rolled none."""
    named: Callable[[_Move], tuple[str, ...]] = lambda move: ()
    """Returns the cards that a move names: the title that it plays, or the signs it shows."""
    correction: Callable[
        [Sequence[tuple[_Move | None, _State]], int, int, str], Mapping[int, _Move]
    ] = lambda moments, number, place, card: {}
    """Returns the moves that change, by number, if a move names another card at a place.

    The name is a title, a sign, OTHER_COUNTS, or the seat whose card an answer was. Empty if the
    move can't be corrected so.
    """

    # What is known of it

    standing: Callable[[_State], Standing]
    """Returns the game's standing."""
    events: Callable[[_State], tuple[_Event, ...]]
    """Returns the events of the last move, in order."""
    view: Callable[[_State, Viewer], Any]
    """Returns what a viewer may see, for the game's own pages. It must contain no other secrets."""
    question: Callable[[_State], Any] = lambda state: None
    """Returns the decision to make now, for the game's own pages; None once it is over."""
    roles: Callable[[_State], tuple[str, ...]]
    """Returns all roles by seat. This is the game's secret."""
    sides: Callable[[int], tuple[str, ...]]
    """Returns the sides that can win a game with this number of players."""

    # The record

    names: Callable[[_Setup], tuple[str, ...]]
    """Returns the players' names by seat."""
    header_line: Callable[[_Setup, RecordOrigin], str]
    """Returns the first line of the record, without the line feed."""
    parse_header: Callable[[bytes], _Setup]
    """Reads the first line of a record. Raises ValueError."""
    move_line: Callable[[_Move], str]
    """Returns a move as a line of the record, without the line feed."""
    parse_move: Callable[[bytes], _Move]
    """Reads a line of a record. Raises ValueError."""
    record_line: Callable[[_State, str], str] = lambda state, line: line
    """Returns the line of the record for a moment, by its state and the line that the table keeps.

    Empty if the record doesn't tell of it: what only one player knows.
    """

    with_corrections: Callable[
        [Sequence[str], Mapping[int, Sequence[Correction]]], Sequence[str]
    ] = lambda lines, corrected: lines
    """Returns the lines of a record with what players corrected in the dice, by line."""
    corrections: Callable[[bytes, bytes, int], tuple[Correction, ...]] = (
        lambda header, line, players: ()
    )
    """Returns what players corrected in the dice of a line of a record. Raises ValueError.

    It is given the record's first line, that line, and the number of players.
    """

    # What is said of it

    terms: Callable[[AnyRuleset, str], GameTerms]
    """Returns its terms in a language, and the other texts of its own pages."""

    public: PublicGame[_Event] | None = None
    """What other programs are told of it; None: only what the table itself knows."""

    # How it is played without people

    decide: Callable[[str, Sequence[_State], Sequence[_Move], Random], Decision] | None = None
    """Decides as a stand-in of a level for the awaited seat, by what it may know.

    It is given the game from its start, and the move from each state to the next.
    """
    seen: Callable[[Sequence[_State], Sequence[_Move]], SeenGame] | None = None
    """Returns what everybody saw of a game, for its odds: its states, and the moves between them.

    It can be pickled, and must contain no secrets.
    """
    play: Callable[[_Setup, Sequence[str], Random], Played[_State, _Move]] | None = None
    """Plays a game to its end, by the levels of its stand-ins by seat or, without any, at random.

    The same `Random` gives the same game.
    """
    deals_hands: bool = False
    """Whether `play` deals cards to stand-ins, who hold them; without stand-ins, nobody does."""

    def select(self, ruleset: str, house_rules: Collection[str] = ()) -> "Selection":
        """Return the game with a ruleset and house rules, by their names.

        Raises ValueError if there are none of these names, or if house rules contradict each other.
        """
        if ruleset not in self.rulesets:
            raise ValueError(f"{ruleset}: no such ruleset")
        for name in house_rules:
            if name not in self.house_rules:
                missing = "such house rule" if self.house_rules else "house rules"
                raise ValueError(f"{name}: {self.title} has no {missing}")
        chosen = frozenset(rule for rule in self.house_rules if rule in house_rules)
        if self.contradictory and chosen >= self.contradictory:
            raise ValueError(f"{' and '.join(sorted(self.contradictory))} contradict each other")
        return Selection(self.opaque, self.rulesets[ruleset], chosen)

    @property
    def public_name(self) -> str:
        """Its name to other programs: that of its records."""
        return self.recorded_as or self.record_name

    @property
    def opaque(self) -> "Game":
        """The game as the table has it, which can't look into its values."""
        return cast("Game", self)

    @property
    def stand_ins(self) -> bool:
        """Whether the table can play seats itself."""
        return self.decide is not None

    @property
    def taught(self) -> Sequence[str]:
        """What its reader can be taught: the faces of its dice, or the titles of its cards."""
        if self.dice is not None:
            return self.dice.faces()
        return self.cards.titles() if self.cards is not None else ()

    def same(self, one: str, other: str) -> bool:
        """Return whether two records hold the same game, even if their versions or dates differ."""
        (first, _, moves), (second, _, others) = one.partition("\n"), other.partition("\n")
        try:
            setups = self.parse_header(first.encode()), self.parse_header(second.encode())
        except ValueError:
            return one == other
        return moves == others and setups[0] == setups[1]

    def public_view(self, state: _State) -> Any:
        """Return what everybody may see of a state."""
        return self.view(state, Audience.TABLE)

    def open_view(self, state: _State) -> Any:
        """Return the same with all secrets, for pages of a game that is over."""
        return self.view(state, Audience.RECORD)


Game: TypeAlias = TypedGame[AnySetup, AnyState, AnyMove, AnyEvent]
"""Any game as the table has it: setups, states, moves and events are only passed on."""


class WantedOdds(NamedTuple):
    """A game up to the moment whose odds are wanted. It contains secrets."""

    game: Game
    """Which game it is."""
    states: Sequence[AnyState]
    """The start, then the game after each move."""
    moves: Sequence[AnyMove]
    """The moves, one fewer than the states."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The game to play, and its rules."""

    game: Game
    """The game."""
    ruleset: AnyRuleset
    """One of the game's rulesets."""
    house_rules: frozenset[str] = frozenset()
    """The rulings that this table changes."""

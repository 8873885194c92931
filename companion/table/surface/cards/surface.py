"""The cards laid in the tray, which is the discard pile: what each means, and what it waits for."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, Self

from companion.base import codec
from companion.base.refused import Message, Problem, Refused
from companion.games.game import AnyMove, AnyState, CardRules, Game, ReadAs, SeenMove
from companion.table.history import History
from companion.table.surface.cards.saved import from_json, to_json
from companion.table.surface.cards.state import (
    LaidCard,
    Pile,
    PileObservation,
    PileState,
    PileStatus,
    PileVerdict,
)
from companion.table.surface.dice.state import Status, Tray
from companion.table.surface.interface import (
    EarlyAnswers,
    Seen,
    Signal,
    Surface,
    SurfaceView,
    TrayMove,
)

_SIGNALS = {
    PileStatus.MOVING: Signal.WAITING,
    PileStatus.CHOOSE: Signal.UNCERTAIN,
    PileStatus.UNSURE: Signal.UNCERTAIN,
    PileStatus.SIGN_UNSURE: Signal.UNCERTAIN,
    PileStatus.ILLEGAL: Signal.UNCERTAIN,
    PileStatus.FACEDOWN: Signal.ILLEGAL,
    PileStatus.MANY: Signal.ILLEGAL,
    PileStatus.BLOCKED: Signal.ILLEGAL,
}
"""What the light shows while something is with the pile."""

_CARD_WAITS = {
    PileStatus.CHOOSE: Message("a card waits in the tray: choose what it does, or put it aside"),
    PileStatus.UNSURE: Message("a card waits in the tray: tap its title, or put it aside"),
    PileStatus.SIGN_UNSURE: Message("a flipped card waits in the tray: tap its suit and rank"),
    PileStatus.FACEDOWN: Message("a card lies face down in the tray: turn it over"),
    PileStatus.MANY: Message("several cards were laid at once: lay them one by one"),
}
"""Why nobody can pass, nor end the turn: these cards may count."""


class NamedCard(NamedTuple):
    """A card whose title or sign a player named."""

    number: int
    """The watcher's number for its picture."""
    title: str | None = None
    """The title that it has; None if it was read by its sign."""
    sign: str | None = None
    """The sign that was named; None if it was read by its title."""


@dataclass(frozen=True)
class CardSurface(Surface[Pile]):
    """The cards laid in the tray."""

    rules: CardRules
    """How the game is played with them."""
    state: PileState = field(default_factory=PileState)
    """What is known about them."""
    early: Mapping[int, AnyMove] = field(default_factory=dict)
    """Answers that seats gave before they were awaited, by seat."""
    dropped: frozenset[int] = frozenset()
    """The seats whose early answers no longer fitted after the last move."""

    def show(self, history: History | None) -> Pile:
        """Return the cards, and what they wait for."""
        if history is None or history.standing.outcome:
            return Pile(PileStatus.UNWATCHED)
        return pile_of(self.state, self.rules, history)

    def view(
        self, history: History | None, shown: Pile, version: int, *, works: bool
    ) -> SurfaceView:
        """Return what pages see of the cards."""
        played = [
            SeenMove(
                moment.move,
                moment.state,
                tuple(card.sign for card in moment.cards if card.sign and card.sign_sure),
            )
            for moment in (history.moments if history else ())
        ]
        return SurfaceView(
            tray=Tray(Status.LYING if history else Status.EMPTY),
            pile=shown,
            deck_check=self.rules.check_deck(played) if played else None,
            by_hand=not works,
        )

    def early_answers(self, history: History, seats: tuple[int, ...]) -> EarlyAnswers:
        """Return what these seats may answer early, and what they have answered."""
        state, rules = history.state, self.rules
        return EarlyAnswers(
            questions={
                seat: history.game.question(rules.asking(state, seat))
                for seat in rules.asked(state)[1:]
                if seat in seats and seat not in self.early
            },
            given={seat: move for seat, move in self.early.items() if seat in seats},
            dropped=tuple(sorted(self.dropped & set(seats))),
        )

    def signal(self, history: History, shown: Pile) -> Signal:
        """Return what the light shows of the cards: certain while the turn can be ended."""
        if (signal := _SIGNALS.get(shown.status)) is not None:
            return signal
        may_end = self.rules.ending(history.state) is not None
        return Signal.CERTAIN if may_end else Signal.WAITING

    def watch(self, works: bool) -> Self:
        """Return the cards once no camera watches them: what was laid still waits."""
        return self if works else replace(self, state=camera_fails(self.state))

    def observe(self, seen: Seen, history: History | None, shown: Pile) -> Self:
        """Return the cards as the camera sees them now; a new one isn't a move yet."""
        if seen is None:
            return self.watch(False)
        if not isinstance(seen, PileObservation):
            return self
        if history is None or history.standing.outcome:
            return replace(self, state=replace(self.state, now=seen))
        known = with_seen(self.state, seen, shown, self.rules.titles())
        return self if known == self.state else replace(self, state=known)

    def green(self, history: History, shown: Pile) -> TrayMove:
        """End the turn. Raises Refused."""
        move = self.rules.ending(history.state)
        if move is None:
            reason = Message("the turn can’t end now")
            if self.rules.passing(history.state) is not None:
                reason = Message("an answer is awaited: lay a card, or press the red button")
            raise Refused(Problem.ILLEGAL, reason)
        return self.play(move, history, shown)

    def red(self, history: History, shown: Pile) -> TrayMove:
        """Pass: play no card as an answer. Raises Refused."""
        move = self.rules.passing(history.state)
        if move is None:
            raise Refused(Problem.ILLEGAL, "there is nothing to pass on now")
        return self.play(move, history, shown)

    def play(self, move: AnyMove, history: History, shown: Pile) -> TrayMove:
        """Return a move, unless it passes over cards that may count. Raises Refused.

        What lies there when a turn ends may be what is discarded then.
        """
        rules, state, laid = self.rules, history.state, self.state.laid
        if shown.status in _CARD_WAITS:
            ends = move == rules.ending(state)
            discarded = ends and (
                0 < len(laid) <= rules.excess(state) if laid else rules.excess(state)
            )
            if not discarded and (ends or move == rules.passing(state)):
                raise Refused(Problem.ILLEGAL, _CARD_WAITS[shown.status])
        return self._play(move, history)

    def _play(self, move: AnyMove, history: History, *, early: bool = False) -> TrayMove:
        cards = self.state.laid[: len(self.rules.lays(move))]
        return TrayMove(move, history.lying, cards=cards, early=early)

    def follow_up(self, history: History) -> Self | TrayMove | None:
        """Return what follows from an early answer, or from a laid card, whose turn has come.

        A laid card becomes a move if exactly one legal move follows from it.
        """
        if history.standing.outcome:
            return None
        return self._answer(history) or self._take_in(history)

    def _answer(self, history: History) -> Self | TrayMove | None:
        """Return the awaited seat's early answer; without it, if it no longer fits."""
        if not self.early:
            return None
        rules, asked = self.rules, self.rules.asked(history.state)
        for seat, move in self.early.items():
            if seat not in asked:
                return self.forget(seat, dropped=bool(rules.lays(move)))
        if not asked or asked[0] not in self.early:
            return None
        move = self.early[asked[0]]
        if history.game.check(history.state, move) is not None:
            return self.forget(asked[0], dropped=True)
        return self._play(move, history, early=True)

    def forget(self, seat: int, *, dropped: bool) -> Self:
        """Return the cards without a seat's early answer. dropped: whether it no longer fits."""
        return replace(
            self,
            early={other: move for other, move in self.early.items() if other != seat},
            dropped=self.dropped | {seat} if dropped else self.dropped,
        )

    def _take_in(self, history: History) -> Self | TrayMove | None:
        """Return what follows from the first card that waits."""
        known = self.state
        if not known.laid or known.held:
            return None
        shown = self.show(history)
        counted = with_due_counted(known, shown.awaits)
        if counted != known:
            return replace(self, state=counted)
        if shown.status is not PileStatus.CHOOSE or len(shown.moves) > 1 or shown.may_be_flipped:
            return None
        return self._play(shown.moves[0], history)

    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return the cards that still wait after a move, and those that are due."""
        known = self.forget(play.move.seat, dropped=False) if play.early else self
        dropped = self.dropped if play.early else frozenset()
        if after.standing.outcome:
            end = known.reset()
            return replace(end, dropped=dropped) if play.early else end
        state = after_move(self.state, self.rules, before.state, play.move, after.state)
        return replace(known, state=state, dropped=dropped)

    def undo(self, left: History, history: History, shown: Pile) -> Self:
        """Return the cards that go on waiting after an undo."""
        return replace(self.reset(), state=after_undo(self.state, shown))

    def reset(self) -> Self:
        """Return the cards as laid, without early answers."""
        dropped = frozenset(self.early)
        return replace(self, state=reset(self.state), early={}, dropped=dropped)

    @property
    def kept(self) -> object:
        """The cards that wait or are due, and the early answers."""
        return replace(self.state, now=None, taken_as_is=0), self.early

    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return the cards that wait or are due, and the early answers."""
        early = [[seat, game.move_line(move)] for seat, move in self.early.items()] if game else []
        return {"pile": to_json(self.state), "early": json.dumps(early) if early else ""}

    def restore(self, name: str, text: str, history: History) -> Self:
        """Return the cards with those that waited or were due, or with the early answers."""
        if name == "pile" and not history.standing.outcome:
            return replace(self, state=from_json(text, self.rules))
        if name != "early":
            raise ValueError("no cards are laid")
        said = codec.read(dict[int, str], json.loads(text))
        early = {seat: history.game.parse_move(line.encode()) for seat, line in said.items()}
        asked = self.rules.asked(history.state)[1:]
        if not all(seat in asked and move.seat == seat for seat, move in early.items()):
            raise ValueError("nobody asks for this answer")
        return replace(self, early=early)

    def lessons(
        self, was: History, now: History, shown: Pile
    ) -> Iterator[tuple[int, Sequence[NamedCard]]]:
        """Yield the cards that players named, or gave another title."""
        for number in range(1, len(now.moments)):
            if named := self._named_cards(was, now, number):
                yield number, named

    def _named_cards(self, was: History, now: History, number: int) -> tuple[NamedCard, ...]:
        """Return the cards of a move that a player named, or gave another title.

        was: the game before the press; number: of the move in the game after it.
        """
        rules, game, moment = self.rules, now.game, now.moments[number]
        move, known = moment.move, number < len(was.moments)
        if move is None or (known and was.moments[number].move == move):
            return ()
        found = []
        # Which of several signs counts first was chosen: what is left over was corrected.
        read = [card.sign for card in moment.cards]
        corrected = [sign for sign in game.named(move) if sign not in read]
        for card, title in zip(moment.cards, rules.lays(move), strict=False):
            if not card.number:
                continue
            if title is not None:
                if card.named or card.title != title:
                    found.append(NamedCard(card.number, title))
            elif card.sign not in game.named(move):
                if len(corrected) == 1:
                    found.append(NamedCard(card.number, sign=corrected[0]))
            elif card.named:
                found.append(NamedCard(card.number, sign=card.sign))
        return tuple(found)


# What everybody sees


def pile_of(known: PileState, rules: CardRules, history: History) -> Pile:
    """Return the pile as everybody sees it in a running game."""
    state = history.state
    drawing = rules.may_flip(state) and (known.drawing or _is_flip(known, rules, state))
    awaits = ReadAs.SIGN if drawing else rules.awaits(state)
    signs: tuple[str, ...] = ()
    if known.laid and awaits is ReadAs.TITLE:
        return _pile_of_title(known, known.laid[0], rules, history)
    if known.laid and awaits is ReadAs.SIGN:
        found = _pile_of_flips(known, rules, history, drawing)
        if not isinstance(found, tuple):
            return found
        signs = found
    status = _STATUSES.get(known.now.verdict) if known.now else PileStatus.UNWATCHED
    card = None
    if status is None and known.due:
        status = PileStatus.DUE
    moves: tuple[AnyMove, ...] = ()
    if status in (None, PileStatus.DUE) and known.counted is not None:
        card = known.counted
        moves = _other_moves(card, rules, history, awaits)
        if status is None and moves:
            status = PileStatus.COUNTED
    return Pile(
        status or PileStatus.WAITING,
        awaits,
        drawing,
        title=card.title if card else None,
        signs=signs,
        moves=moves,
        due=known.due,
    )


_STATUSES: Mapping[PileVerdict | None, PileStatus] = {
    None: PileStatus.MOVING,
    PileVerdict.FACEDOWN: PileStatus.FACEDOWN,
    PileVerdict.MANY: PileStatus.MANY,
    PileVerdict.BLOCKED: PileStatus.BLOCKED,
    PileVerdict.MOVED: PileStatus.MOVED,
}
"""What is wrong with a pile on which no card waits, by what the camera saw last."""


def _is_flip(known: PileState, rules: CardRules, state: AnyState) -> bool:
    """Return whether the card that waits was flipped, although nobody said so."""
    if not known.laid or known.held or known.laid[0].early:
        return False
    titles = known.laid[0].likely
    return bool(titles) and all(rules.must_be_flipped(state, title) for title in titles)


def _pile_of_title(known: PileState, card: LaidCard, rules: CardRules, history: History) -> Pile:
    """Return the pile while a card waits that is read by its title."""
    state = history.state
    waits = partial(Pile, awaits=ReadAs.TITLE, due=known.due)
    may_be_flipped = rules.may_flip(state) and not card.early
    if card.title is None:
        moves = tuple(move for title in card.likely for move in rules.moves(state, title))
        flips = may_be_flipped
        return waits(PileStatus.UNSURE, likely=card.likely, moves=moves, may_be_flipped=flips)
    waits = partial(waits, title=card.title)
    if moves := rules.moves(state, card.title):
        flips = may_be_flipped and not card.named
        return waits(PileStatus.CHOOSE, moves=moves, may_be_flipped=flips)
    played = [(moment.move, moment.state) for moment in history.moments]
    reason, copies = rules.refused(state, card.title), rules.miscounted(played, card.title)
    return waits(PileStatus.ILLEGAL, reason=reason, copies=copies)


def _pile_of_flips(
    known: PileState, rules: CardRules, history: History, drawing: bool
) -> Pile | tuple[str, ...]:
    """Return the pile while flipped cards wait; their signs while more are wanted."""
    game, state = history.game, history.state
    waits = partial(Pile, awaits=ReadAs.SIGN, drawing=drawing, due=known.due)
    signs: tuple[str, ...] = ()
    for card in known.laid:
        if card.sign is None or not card.sign_sure:
            return waits(PileStatus.SIGN_UNSURE, sign=card.sign, signs=signs)
        signs = (*signs, card.sign)
        moves = rules.flipped(state, signs)
        if legal := tuple(move for move in moves if game.check(state, move) is None):
            return waits(PileStatus.CHOOSE, signs=signs, moves=legal)
        if moves:
            reason = game.check(state, moves[0])
            return waits(PileStatus.ILLEGAL, signs=signs, reason=reason)
    return signs


def _other_moves(
    card: LaidCard, rules: CardRules, history: History, awaits: ReadAs | None
) -> tuple[AnyMove, ...]:
    """Return the legal moves that a card could mean which was counted as one that was due."""
    game, state = history.game, history.state
    if awaits is ReadAs.TITLE:
        return tuple(move for title in card.likely for move in rules.moves(state, title))
    if awaits is ReadAs.SIGN and card.sign is not None and card.sign_sure:
        moves = rules.flipped(state, [card.sign])
        return tuple(move for move in moves if game.check(state, move) is None)
    return ()


# What the camera, moves and presses change


AS_BEFORE = PileObservation(PileVerdict.NONE)
"""The observation of a pile on which nothing is new."""

_SEVERAL = 2
"""How many cards lie there at least when the camera sees several new ones."""


def camera_fails(known: PileState) -> PileState:
    """Return what is known once no camera watches the cards. What was laid still waits."""
    return replace(known, now=None, due=(), may_be_shown=(), counted=None, lifting=False)


def with_seen(
    known: PileState, seen: PileObservation, pile: Pile, titles: Collection[str]
) -> PileState:
    """Return what is known after an observation.

    pile: as everybody saw it before; titles: those that cards of the game have.
    """
    known = replace(known, now=seen)
    verdict = seen.verdict
    if verdict in (PileVerdict.OK, PileVerdict.UNSURE):
        likely = tuple(title for title in seen.likely if title in titles)
        sure = verdict is PileVerdict.OK and bool(likely) and likely[0] == seen.likely[0]
        card = LaidCard(
            likely[:1] if sure else likely, sure, seen.sign, seen.sign_sure, number=seen.number
        )
        known = without_illegal(known, pile)
        held = known.held and bool(known.laid)
        return replace(known, laid=(*known.laid, card), counted=None, held=held)
    if verdict is PileVerdict.MOVED:
        known = without_illegal(known, pile)
        if known.lifting or pile.status is PileStatus.ILLEGAL:
            return replace(known, now=AS_BEFORE, lifting=False)
    if verdict is PileVerdict.MANY and len(known.due) >= _SEVERAL:
        return take_as_it_lies(replace(known, due=(), counted=None))
    if verdict is PileVerdict.FACEDOWN and None in known.due:
        return take_as_it_lies(replace(known, due=_less(known.due, None), counted=None))
    return known


def without_illegal(known: PileState, pile: Pile) -> PileState:
    """Return what is known without a card that can't be played, which was taken back."""
    return without_waiting(known, pile) if pile.status is PileStatus.ILLEGAL else known


def without_waiting(known: PileState, pile: Pile) -> PileState:
    """Return what is known without the card that waits, or the flipped ones."""
    laid = () if pile.awaits is ReadAs.SIGN else known.laid[1:]
    return replace(known, laid=laid)


def take_as_it_lies(known: PileState) -> PileState:
    """Return what is known once the pile counts as it lies, though the camera couldn't read it."""
    return replace(known, now=AS_BEFORE, taken_as_is=known.taken_as_is + 1)


def ignore(known: PileState, pile: Pile) -> PileState | None:
    """Return what is known once players put aside what the camera claims to see.

    None if there is nothing to put aside.
    """
    if known.laid and pile.status in _ON_A_CARD:
        return without_waiting(known, pile)
    if pile.status in (PileStatus.FACEDOWN, PileStatus.MANY, PileStatus.BLOCKED):
        return take_as_it_lies(known)
    if pile.status is PileStatus.MOVED:
        return replace(known, now=AS_BEFORE)
    if known.due or known.counted:
        return replace(known, due=(), counted=None)
    return None


_ON_A_CARD = (
    PileStatus.CHOOSE,
    PileStatus.UNSURE,
    PileStatus.SIGN_UNSURE,
    PileStatus.ILLEGAL,
)
"""Statuses that are about a card which waits."""


def with_due_counted(known: PileState, awaits: ReadAs | None) -> PileState:
    """Return what is known once new cards that are due count as such.

    awaits: how the next card is read; of cards read by their titles, only the first is looked at.
    """
    laid: list[LaidCard] = []
    for card in known.laid:
        if not card.new or (laid and awaits is not ReadAs.SIGN):
            laid.append(card)
            continue
        due = _less_card(known.due, card)
        if card.title in known.may_be_shown:
            known = replace(known, may_be_shown=(), lifting=True)
        elif due is None:
            laid.append(replace(card, new=False))
        else:
            known = replace(known, due=due, counted=card)
    return replace(known, laid=tuple(laid))


def _less_card(due: tuple[str | None, ...], card: LaidCard) -> tuple[str | None, ...] | None:
    """Return the cards still due after one was laid; None if it isn't one of them."""
    for title in (*card.likely, None):
        if title in due:
            return _less(due, title)
    return None


def _less(due: tuple[str | None, ...], title: str | None) -> tuple[str | None, ...]:
    place = due.index(title)
    return due[:place] + due[place + 1 :]


def after_move(
    known: PileState, rules: CardRules, before: AnyState, move: AnyMove, after: AnyState
) -> PileState:
    """Return what is known after a move from one state of the game to the next."""
    laid, counted = list(known.laid), known.counted
    own: list[str | None] = []
    shown: list[str] = []
    lays = rules.lays(move)
    for title in lays:
        if laid:
            del laid[0]
        elif counted is not None:
            counted = None
        elif not rules.is_taken_back(move):
            own.append(title)
        elif title is not None:
            shown.append(title)
    due = rules.due(before, move, after)
    taken_as_is = known.taken_as_is
    now = known.now
    if move == rules.ending(before):
        # What was laid before the turn ended was discarded.
        due, laid = due[len(laid) :], []
        if due and now and now.verdict in (PileVerdict.MANY, PileVerdict.FACEDOWN):
            due = () if now.verdict is PileVerdict.MANY else due[1:]
            now, taken_as_is = AS_BEFORE, taken_as_is + 1
    elif not lays:
        due = known.due + due
    if now is None:
        own, due, shown = [], (), []
    elif now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(
        now=now,
        laid=tuple(replace(card, early=True) for card in laid),
        due=(*own, *due),
        may_be_shown=tuple(shown),
        # A player who presses quickly hasn't taken the card back yet.
        lifting=rules.lifts(before, move, after) or (known.lifting and not lays),
        taken_as_is=taken_as_is,
    )


def after_undo(known: PileState, pile: Pile) -> PileState:
    """Return what is known once a move was undone: cards that wait go on waiting, for a tap.

    Flipped ones don't: what they were flipped for may be undone.
    """
    laid = known.laid if pile.awaits is ReadAs.TITLE else ()
    return replace(reset(known), laid=laid, held=bool(laid))


def reset(known: PileState) -> PileState:
    """Return what is known once the game has moved otherwise: what lies there counts as laid."""
    now = known.now
    if now and now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(now, taken_as_is=known.taken_as_is)

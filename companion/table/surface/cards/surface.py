"""The cards laid in the tray, which is the discard pile: what each means, and what it waits for."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, Self

from companion.base.refused import Message, Problem, Refused
from companion.games.game import AnyMove, AnyState, CardRules, Game, Owed, ReadAs, SeenMove
from companion.table.history import History
from companion.table.surface.cards.saved import from_json, to_json
from companion.table.surface.cards.state import (
    GivenCard,
    GoneCard,
    LaidCard,
    Pile,
    PileObservation,
    PileState,
    PileStatus,
    PileVerdict,
)
from companion.table.surface.dice.state import Tray, TrayStatus
from companion.table.surface.interface import (
    EarlySurface,
    Seen,
    Signal,
    SurfaceView,
    TrayMove,
)

_SIGNALS = {
    PileStatus.MOVING: Signal.WAITING,
    PileStatus.CHOOSE: Signal.UNCERTAIN,
    PileStatus.UNSURE: Signal.UNCERTAIN,
    PileStatus.SIGN_UNSURE: Signal.UNCERTAIN,
    PileStatus.ILLEGAL: Signal.UNCERTAIN,
    PileStatus.GONE: Signal.UNCERTAIN,
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


_FOLLOWED = 8
"""A card that became a move is one of so many last ones: early answers may follow at once."""


class NamedCard(NamedTuple):
    """A card whose title or sign a player named."""

    number: int
    """The watcher's number for its picture."""
    title: str | None = None
    """The title that it has; None if it was read by its sign."""
    sign: str | None = None
    """The sign that was named; None if it was read by its title."""


@dataclass(frozen=True)
class CardSurface(EarlySurface[Pile]):
    """The cards laid in the tray."""

    answer_awaited = Message("an answer is awaited: lay a card, or press the red button")
    rules: CardRules
    """How the game is played with them."""
    state: PileState = field(default_factory=PileState)
    """What is known about them."""

    def show(self, history: History | None) -> Pile:
        """Return the cards, and what they wait for."""
        if history is None or history.standing.outcome:
            return Pile(PileStatus.UNWATCHED)
        shown = pile_of(self.state, self.rules, history, self.early)
        latest = history.moments[-_FOLLOWED:]
        now, made = self.state.now, {card.number for each in latest for card in each.cards}
        if now is None or not now.number or now.number in made:
            return shown
        title = now.likely[0] if now.verdict is PileVerdict.OK else None
        return replace(shown, read=now.number, read_title=title)

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
        moments = [(each.move, each.state) for each in played]
        passes = ((move, self.rules.passes(moments, move)) for move in range(1, len(moments)))
        return SurfaceView(
            tray=Tray(TrayStatus.LYING if history else TrayStatus.EMPTY),
            pile=shown,
            passes={move: tuple(seats) for move, seats in passes if seats},
            deck_check=self.rules.check_deck(played) if played else None,
            by_hand=not works,
        )

    def signal(self, history: History, shown: Pile) -> Signal:
        """Return what the light shows of the cards: certain while the turn can be ended."""
        if (signal := _SIGNALS.get(shown.status)) is not None:
            return signal
        may_end = self.rules.ending(history.state) is not None
        return Signal.CERTAIN if may_end else Signal.WAITING

    def read_last(self) -> int:
        """Return the number of the picture with the card laid last."""
        return self.state.now.number if self.state.now else 0

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
        lying = self.rules.lying(history.state)
        if seen.verdict is PileVerdict.GONE:
            return replace(self, state=with_gone(self.state, seen, self.rules, history.state))
        known = with_seen(self.state, seen, shown, self.rules.titles(), lying)
        return self if known == self.state else replace(self, state=known)

    def play(self, move: AnyMove, history: History, shown: Pile) -> TrayMove:
        """Return a move, unless it passes over cards that may count. Raises Refused.

        What lies there when a turn ends may be what is discarded then.
        """
        rules, state, laid = self.rules, history.state, self.state.laid
        ends = move == rules.ending(state)
        if self.state.discarding:
            if not ends:
                raise Refused(Problem.ILLEGAL, "you are discarding: end the turn, or play on first")
            if len(laid) > rules.excess(state):
                raise Refused(Problem.ILLEGAL, "more cards lie there than are discarded")
        if shown.status in _CARD_WAITS:
            discarded = ends and (
                0 < len(laid) <= rules.excess(state) if laid else rules.excess(state)
            )
            if (not discarded or shown.may_be_owed) and (ends or move == rules.passing(state)):
                raise Refused(Problem.ILLEGAL, _CARD_WAITS[shown.status])
        return self._play(move, history)

    def _play(self, move: AnyMove, history: History) -> TrayMove:
        cards = _cards_of(self.state, self.rules, move, early=False)
        return TrayMove(move, history.lying, cards=cards)

    def follow_up(self, history: History) -> Self | TrayMove | None:
        """Return what follows from an early answer, or from a laid card, whose turn has come.

        A laid card becomes a move if exactly one legal move follows from it.
        """
        if history.standing.outcome:
            return None
        return self.answer(history) or self._end(history) or self._take_in(history)

    def play_early(self, move: AnyMove, history: History) -> TrayMove:
        """Return the move of an early answer, with its card if that was laid."""
        cards = _cards_of(self.state, self.rules, move, early=True)
        return TrayMove(move, history.lying, cards=cards, early=True)

    def forget(self, seat: int, *, dropped: bool) -> Self:
        """Return the cards without a seat's early answer; its card, if it was laid, waits again."""
        known = self.state
        again = tuple(each.card for each in known.given if each.seat == seat)
        given = tuple(each for each in known.given if each.seat != seat)
        left = super().forget(seat, dropped=dropped)
        return replace(left, state=replace(known, laid=(*again, *known.laid), given=given))

    def _take_in(self, history: History) -> Self | TrayMove | None:
        """Return what follows from the first card that waits."""
        known = self.state
        if not known.laid or known.held or known.discarding:
            return None
        shown = self.show(history)
        counted = with_owed_counted(known, self.rules, history, shown)
        if counted != known:
            return replace(self, state=counted)
        if shown.status is not PileStatus.CHOOSE or shown.may_be_flipped or shown.may_be_owed:
            return None
        match shown.moves, shown.others:
            case _, (move,) if not shown.moves or move.seat in self.early:
                return self.give(move)
            case (move,), ():
                return self._play(move, history)
        return None

    def _end(self, history: History) -> Self | TrayMove | None:
        """Return the end of a turn, once its player has discarded or their last card is settled.

        They go on if another card was laid since, or if they hold too many.
        """
        known, move = self.state, self.rules.ending(history.state)
        if move is None or not (known.last or known.discarding):
            return None
        excess = self.rules.excess(history.state)
        if known.discarding:
            done = len(known.laid) == excess and not known.owed
            return self._play(move, history) if done else None
        if known.laid or excess:
            return replace(self, state=replace(known, last=False))
        return self._play(move, history)

    def give(self, move: AnyMove) -> Self:
        """Return the cards once the first one that waits is another seat's early answer."""
        known = self.state
        given = (*known.given, GivenCard(move.seat, known.laid[0]))
        return replace(
            self,
            state=replace(known, laid=known.laid[1:], given=given),
            early={**self.early, move.seat: move},
            dropped=self.dropped - {move.seat},
        )

    def find_unplayable(self, history: History, titles: Sequence[str]) -> str | None:
        """Return one of these titles that nobody can take for a move now; None if there is none."""
        if self.rules.awaits(history.state) is not ReadAs.TITLE:
            return None
        return next((each for each in titles if not self.rules.moves(history.state, each)), None)

    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return the cards that still wait after a move, and those that are owed."""
        known = self.after_answer(play)
        if after.standing.outcome:
            end = known.reset()
            return replace(end, dropped=known.dropped) if play.early else end
        state = after_move(self.state, self.rules, before, play, after)
        return replace(known, state=state)

    def undo(self, left: History, history: History, shown: Pile) -> Self:
        """Return the cards that go on waiting after an undo."""
        return replace(self.reset(), state=after_undo(self.state, shown, left))

    def reset(self) -> Self:
        """Return the cards as laid, without early answers."""
        return replace(super().reset(), state=reset(self.state))

    @property
    def kept(self) -> object:
        """The cards that wait or are owed, and the early answers."""
        return replace(self.state, now=None, gone=None, taken_as_is=0), self.early

    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return the cards that wait or are owed, and the early answers."""
        return {"pile": to_json(self.state), **super().facts(game)}

    def restore(self, name: str, text: str, history: History) -> Self:
        """Return the cards with those that waited or were owed, or with the early answers."""
        if name == "pile" and not history.standing.outcome:
            return replace(self, state=from_json(text, self.rules))
        return super().restore(name, text, history)

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
        if moment.cards == was.moments[min(number, len(was.moments)) - 1].cards:
            # A forgotten card was put in before this move, which was number - 1 until then.
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


def pile_of(
    known: PileState, rules: CardRules, history: History, early: Mapping[int, AnyMove]
) -> Pile:
    """Return the pile as everybody sees it in a running game; early: answers given, by seat."""
    state = history.state
    if known.discarding:
        return Pile(PileStatus.DISCARDING, owed=known.owed, discarded=len(known.laid))
    others = _others(known, rules, history, early)
    drawing = rules.may_flip(state) and (
        known.drawing or (not others and _is_flip(known, rules, state))
    )
    awaits = ReadAs.SIGN if drawing else rules.awaits(state)
    signs: tuple[str, ...] = ()
    if known.laid and awaits is ReadAs.TITLE:
        return _pile_of_title(known, known.laid[0], rules, history, others)
    if known.laid and awaits is ReadAs.SIGN:
        found = _pile_of_flips(known, rules, history, drawing, others)
        if not isinstance(found, tuple):
            return found
        signs = found
    status = _STATUSES.get(known.now.verdict) if known.now else PileStatus.UNWATCHED
    if status is None and (moves := _moves_of_gone(known, rules, state)):
        titles = dict.fromkeys(title for move in moves for title in rules.lays(move) if title)
        return Pile(PileStatus.GONE, awaits, likely=tuple(titles), moves=moves, owed=known.owed)
    status = status or (PileStatus.OWED if known.owed else PileStatus.WAITING)
    return Pile(status, awaits, drawing, signs=signs, owed=known.owed, last=known.last)


_STATUSES: Mapping[PileVerdict | None, PileStatus] = {
    None: PileStatus.MOVING,
    PileVerdict.FACEDOWN: PileStatus.FACEDOWN,
    PileVerdict.MANY: PileStatus.MANY,
    PileVerdict.BLOCKED: PileStatus.BLOCKED,
    PileVerdict.MOVED: PileStatus.MOVED,
}
"""What is wrong with a pile on which no card waits, by what the camera saw last."""


def _moves_of_gone(known: PileState, rules: CardRules, state: AnyState) -> tuple[AnyMove, ...]:
    """Return the moves that the card can mean which was seen for a moment."""
    gone = known.gone
    if gone is None or rules.awaits(state) is not ReadAs.TITLE:
        return ()
    moves = (move for title in gone.likely for move in rules.moves(state, title))
    return tuple(move for move in moves if move.seat == gone.seat)


def _is_flip(known: PileState, rules: CardRules, state: AnyState) -> bool:
    """Return whether the card that waits was flipped, although nobody said so."""
    if not known.laid or known.held or known.laid[0].early:
        return False
    titles = known.laid[0].likely
    return bool(titles) and all(rules.must_be_flipped(state, title) for title in titles)


def _pile_of_title(
    known: PileState,
    card: LaidCard,
    rules: CardRules,
    history: History,
    others: tuple[AnyMove, ...],
) -> Pile:
    """Return the pile while a card waits that is read by its title."""
    state = history.state
    waits = partial(Pile, awaits=ReadAs.TITLE, owed=known.owed)
    if card.new and not known.held:
        waits = partial(waits, may_be_owed=_find_debt(known.owed, card))
    may_be_flipped = rules.may_flip(state) and not card.early
    if card.title is None:
        moves = tuple(move for title in card.likely for move in rules.moves(state, title))
        flips = may_be_flipped
        return waits(PileStatus.UNSURE, likely=card.likely, moves=moves, may_be_flipped=flips)
    waits = partial(waits, title=card.title)
    if (moves := rules.moves(state, card.title)) or others:
        flips = may_be_flipped and not card.named
        return waits(PileStatus.CHOOSE, moves=moves, others=others, may_be_flipped=flips)
    played = [(moment.move, moment.state) for moment in history.moments]
    reason, copies = rules.refused(state, card.title), rules.miscounted(played, card.title)
    return waits(PileStatus.ILLEGAL, reason=reason, copies=copies)


def _pile_of_flips(
    known: PileState,
    rules: CardRules,
    history: History,
    drawing: bool,
    others: tuple[AnyMove, ...],
) -> Pile | tuple[str, ...]:
    """Return the pile while flipped cards wait; their signs while more are wanted."""
    game, state = history.game, history.state
    waits = partial(Pile, awaits=ReadAs.SIGN, drawing=drawing, owed=known.owed)
    signs: tuple[str, ...] = ()
    for card in known.laid:
        owed = _find_debt(known.owed, card) if card.new else None
        others = () if signs else others
        if owed or others:
            return waits(
                PileStatus.CHOOSE,
                title=card.title,
                signs=signs,
                others=others,
                may_be_flipped=True,
                may_be_owed=owed,
            )
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


def _others(
    known: PileState, rules: CardRules, history: History, early: Mapping[int, AnyMove]
) -> tuple[AnyMove, ...]:
    """Return the early answers that the first card can mean, of seats that are asked later.

    Of a seat that answered early, only that answer, while its card is still to be laid; then it is
    the only one.
    """
    card = known.laid[0] if known.laid and known.laid[0].new else None
    if card is None or (title := card.title) is None:
        return ()
    found: list[AnyMove] = []
    awaited = history.standing.awaited
    for seat, asking in rules.answerers(history.state).items():
        if seat == awaited:
            continue
        if seat in early:
            given = any(seat == each.seat for each in known.given)
            if rules.lays(early[seat]) == (title,) and not given:
                return (early[seat],)
            continue
        found += rules.moves(asking, title)
    return tuple(found)


# What the camera, moves and presses change


AS_BEFORE = PileObservation(PileVerdict.NONE)
"""The observation of a pile on which nothing is new."""

_SEVERAL = 2
"""How many cards lie there at least when the camera sees several new ones."""


def camera_fails(known: PileState) -> PileState:
    """Return what is known once no camera watches the cards. What was laid still waits."""
    return replace(known, now=None, owed=(), may_be_shown=(), lifting=False, gone=None)


def with_seen(
    known: PileState, seen: PileObservation, pile: Pile, titles: Collection[str], lying: int
) -> PileState:
    """Return what is known after an observation.

    pile: as everybody saw it before; titles: those that cards of the game have; lying: how many
    cards lie there by the game.
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
        return replace(known, laid=(*known.laid, card), held=held)
    if verdict is PileVerdict.MOVED:
        known = without_illegal(known, pile)
        # With no card of this game there, the last game's were taken out, or all are shuffled.
        empty = not (lying or known.laid or known.owed)
        if known.lifting or empty or pile.status is PileStatus.ILLEGAL:
            return replace(known, now=AS_BEFORE, lifting=False)
    if verdict is PileVerdict.MANY and len(known.owed) >= _SEVERAL and not pile.awaits:
        return take_as_it_lies(replace(known, owed=_owed_after_several(known.owed)))
    from_hands = [each for each in known.owed if each.card is None]
    if verdict is PileVerdict.FACEDOWN and from_hands:
        return take_as_it_lies(replace(known, owed=_without(known.owed, from_hands[0])))
    return known


def with_gone(
    known: PileState, seen: PileObservation, rules: CardRules, state: AnyState
) -> PileState:
    """Return what is known once a card was seen that is gone again; the last one is asked about."""
    known = replace(known, now=AS_BEFORE)
    moves = [move for title in seen.likely for move in rules.moves(state, title)]
    if not moves:
        return known
    likely = tuple(title for title in seen.likely if rules.moves(state, title))
    return replace(known, gone=GoneCard(moves[0].seat, likely))


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
    if pile.status is PileStatus.MANY and len(known.owed) >= _SEVERAL:
        known = replace(known, owed=_owed_after_several(known.owed))
    if pile.status in (PileStatus.FACEDOWN, PileStatus.MANY, PileStatus.BLOCKED):
        return take_as_it_lies(known)
    if pile.status is PileStatus.MOVED:
        return replace(known, now=AS_BEFORE)
    if pile.status is PileStatus.GONE:
        return replace(known, gone=None)
    if known.discarding:
        return replace(known, discarding=False, held=bool(known.laid))
    if known.owed:
        return replace(known, owed=())
    return None


_ON_A_CARD = (
    PileStatus.CHOOSE,
    PileStatus.UNSURE,
    PileStatus.SIGN_UNSURE,
    PileStatus.ILLEGAL,
)
"""Statuses that are about a card which waits."""


def with_owed_counted(
    known: PileState, rules: CardRules, history: History, pile: Pile
) -> PileState:
    """Return what is known once new cards count as owed that can be nothing else.

    Or of which nobody doubts that they are.

    Of cards read by their titles, only the first is looked at. pile: as everybody sees it.
    """
    awaits = pile.awaits
    laid: list[LaidCard] = []
    for card in known.laid:
        if not card.new or (laid and awaits is not ReadAs.SIGN):
            laid.append(card)
            continue
        owed = _find_debt(known.owed, card)
        playable = _may_be_played(card, rules, history.state, awaits)
        if card.title in known.may_be_shown and not playable:
            known = replace(known, may_be_shown=(), lifting=True)
        elif owed is None or (
            (pile.others or playable) and (card.early or not _is_undoubted(owed, history, awaits))
        ):
            laid.append(card)
        else:
            known = replace(known, owed=_without(known.owed, owed))
    return replace(known, laid=tuple(laid))


def _find_debt(owed: tuple[Owed, ...], card: LaidCard) -> Owed | None:
    """Return which of the cards that are owed a new one can be; None if it is none of them."""
    if not card.likely:
        return next(iter(owed), None)
    titles = (*card.likely, None)
    return next((each for title in titles for each in owed if each.card == title), None)


def _is_undoubted(owed: Owed, history: History, awaits: ReadAs | None) -> bool:
    """Return whether a card that is owed for the last move is part of it, or one seen in play.

    While a flip is wanted, a served Jail may also be another Jail that is flipped.
    """
    seen = owed.card is not None and awaits is not ReadAs.SIGN
    return owed.move == len(history.moments) - 1 and (owed.at_once or seen)


def _may_be_played(
    card: LaidCard, rules: CardRules, state: AnyState, awaits: ReadAs | None
) -> bool:
    """Return whether a new card can be something else than one that is owed."""
    titles = card.likely or tuple(rules.titles())
    flips = awaits is ReadAs.SIGN or (rules.may_flip(state) and not card.early)
    if flips and any(rules.is_hidden(state, title) for title in titles):
        return True
    return awaits is ReadAs.TITLE and any(rules.moves(state, title) for title in titles)


def _without(owed: tuple[Owed, ...], card: Owed) -> tuple[Owed, ...]:
    place = owed.index(card)
    return owed[:place] + owed[place + 1 :]


def _owed_after_several(owed: tuple[Owed, ...]) -> tuple[Owed, ...]:
    """Return what is still owed once two cards lie there at least; which ones, nobody knows."""
    (seat, *others) = {each.seat for each in owed}
    who = None if others else seat
    return tuple(Owed(who, move=each.move) for each in owed[_SEVERAL:])


def count_as_owed(known: PileState, pile: Pile) -> PileState | None:
    """Return what is known once the card that waits was owed; None if it can't be."""
    if pile.may_be_owed is None:
        return None
    place = len(pile.signs)
    laid = known.laid[:place] + known.laid[place + 1 :]
    return replace(known, laid=laid, owed=_without(known.owed, pile.may_be_owed))


def _cards_of(
    known: PileState, rules: CardRules, move: AnyMove, *, early: bool
) -> tuple[LaidCard, ...]:
    """Return the cards that lie there for a move. early: whether it was an early answer."""
    given = tuple(each.card for each in known.given if each.seat == move.seat)
    if early and given:
        return given
    lays, laid = rules.lays(move), known.laid
    if laid and lays and lays[0] not in (None, *laid[0].likely) and _find_debt(known.owed, laid[0]):
        # Another card was tapped than the one that lies there, which somebody owes.
        return ()
    return laid[: len(lays)]


def after_move(
    known: PileState, rules: CardRules, before: History, play: TrayMove, after: History
) -> PileState:
    """Return what is known after a move from one state of the game to the next."""
    move, number = play.move, len(after.moments) - 1
    given = any(each.seat == move.seat for each in known.given) and play.early
    laid = known.laid if given else known.laid[len(play.cards) :]
    tapped = rules.lays(move)[len(play.cards) :]
    own: list[Owed] = []
    shown: list[str] = []
    for title in tapped:
        if not rules.is_taken_back(move):
            own.append(Owed(move.seat, title, at_once=True))
        elif title is not None:
            shown.append(title)
    owed = rules.debts(before.state, move, after.state)
    taken_as_is = known.taken_as_is
    now = known.now
    if move == rules.ending(before.state):
        # What was laid before the turn ended was discarded.
        owed, laid = owed[len(laid) :], ()
        if owed and now and now.verdict in (PileVerdict.MANY, PileVerdict.FACEDOWN):
            owed = _owed_after_several(owed) if now.verdict is PileVerdict.MANY else owed[1:]
            now, taken_as_is = AS_BEFORE, taken_as_is + 1
    owed = tuple(each._replace(move=number) for each in (*own, *owed))
    if now is None:
        owed, shown = (), []
    elif now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(
        now=now,
        laid=tuple(replace(card, early=True) for card in laid),
        owed=known.owed + owed,
        given=tuple(each for each in known.given if each.seat != move.seat),
        may_be_shown=tuple(shown),
        # Who gets cards may have something to play with them.
        last=known.last
        and before.standing.turn == after.standing.turn
        and not rules.gains(after.state),
        # A player who presses quickly hasn't taken the card back yet.
        lifting=rules.lifts(before.state, move, after.state)
        or (known.lifting and not rules.lays(move)),
        gone=_glimpse_left(known, rules, move, before),
        taken_as_is=taken_as_is,
    )


def _glimpse_left(
    known: PileState, rules: CardRules, move: AnyMove, before: History
) -> GoneCard | None:
    """Return the card that was seen for a moment, until its player plays it, passes or ends."""
    gone, ending = known.gone, rules.ending(before.state)
    if gone is None or move == ending:
        return None
    settled = ending is None or {*rules.lays(move)} & {*gone.likely}
    return None if move.seat == gone.seat and settled else gone


def after_undo(known: PileState, pile: Pile, left: History) -> PileState:
    """Return what is known once only `left` is left: cards that wait go on waiting, for a tap.

    Flipped ones don't: what they were flipped for may be undone. What is owed for moves that are
    left stays owed.
    """
    laid = known.laid if pile.awaits is ReadAs.TITLE else ()
    owed = tuple(each for each in known.owed if each.move < len(left.moments))
    return replace(reset(known), laid=laid, owed=owed, held=bool(laid))


def reset(known: PileState) -> PileState:
    """Return what is known once the game has moved otherwise: what lies there counts as laid."""
    now = known.now and replace(known.now, number=0)
    if now and now.verdict is PileVerdict.MOVED:
        now = AS_BEFORE
    return PileState(now, taken_as_is=known.taken_as_is)

"""What cards laid in the tray mean in the card game; see `games.game.CardRules`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.games.cards.deck_check import SeenCardMove, check_deck
from companion.games.cards.rules import events
from companion.games.cards.rules.check import check, claim_refusal
from companion.games.cards.rules.claims import (
    answering,
    answers,
    excess,
    flips,
    may_flip,
    plays,
    shows_second,
    takes,
)
from companion.games.cards.rules.course import CardCourse
from companion.games.cards.rules.deck import KINDS, TARGETED, Border, Targeting, explodes, is_heart
from companion.games.cards.rules.moves import (
    HAND,
    CardMove,
    Draw,
    DrawSource,
    End,
    Flip,
    Pass,
    Play,
)
from companion.games.cards.rules.reasons import CardReason, CardRefusal
from companion.games.cards.rules.settling import ask
from companion.games.cards.rules.state import CardState, OpenCard, TurnPhase
from companion.games.cards.rules.titles import SAID_SIGNS, SIGNS, Sign, Title
from companion.games.cards.terms import terms
from companion.games.common.refusals import refuse
from companion.games.game import OTHER_COUNTS, CardNames, DeckDoubts, Owed, ReadAs

CardMoments = Sequence[tuple[CardMove | None, CardState]]
"""Each move of a game with the state after it, the start first."""

_TITLES = frozenset(map(str, Title))

_FLIP_EFFECTS = {Title.DYNAMITE: explodes}
"""Whether a flipped card has an effect, by what it is flipped for; for others, a heart has."""


class LaidCardRules:
    """The rules of cards laid in the tray."""

    def titles(self) -> Sequence[Title]:
        """Return all titles."""
        return tuple(KINDS)

    def signs(self) -> Sequence[str]:
        """Return the names of all signs."""
        return tuple(SIGNS)

    def copies_of(self, title: str) -> Sequence[str]:
        """Return the signs printed on a title's copies, each once for each copy."""
        return [str(sign) for sign in KINDS[Title(title)].signs]

    def names(self, language: str) -> CardNames:
        """Return the titles and suits of the game in a language."""
        words = terms(language)
        titles = {str(title): text.name for title, text in words.cards.items()}
        return CardNames(titles, {str(suit): name for suit, name in words.suits.items()})

    def awaits(self, state: CardState) -> ReadAs | None:
        """Return how the next card is read; None if a question must be answered first."""
        if state.result:
            return None
        if state.open:
            only_flips = may_flip(state) and not answers(state)
            return ReadAs.SIGN if only_flips else ReadAs.TITLE
        if state.phase is TurnPhase.PLAY:
            return ReadAs.TITLE
        return ReadAs.SIGN if shows_second(state) else None

    def may_flip(self, state: CardState) -> bool:
        """Return whether the awaited seat may flip a card, and the deck has one."""
        return may_flip(state)

    def must_be_flipped(self, state: CardState, title: str) -> bool:
        """Return whether a card with this title answers nothing, so that only a flip is left."""
        card = Title(title)
        return may_flip(state) and card not in answering(state) and state.unseen[card] > 0

    def moves(self, state: CardState, title: str) -> tuple[Play, ...]:
        """Return the legal moves with a card of this title, one for each target and use."""
        seat, card = state.awaited, Title(title)
        claims = plays(state)
        if seat is None or card not in claims:
            return ()
        if state.open or card not in TARGETED:
            return (Play(seat, card),)
        if KINDS[card].takes:
            return tuple(
                Play(seat, card, target, take)
                for target in claims[card]
                for take in takes(state, target)
            )
        return tuple(Play(seat, card, target) for target in claims[card])

    def find_forgotten(self, state: CardState, title: str, target: int | None) -> Play | None:
        """Return the one move that a card can be; None if none, or another one, is legal, too."""
        found = [move for move in self.moves(state, title) if target in (None, move.target)]
        return found[0] if len(found) == 1 else None

    def refused(self, state: CardState, title: str) -> CardRefusal:
        """Return why a card with this title can't be played now."""
        seat, card = state.awaited, Title(title)
        assert seat is not None
        if state.open or state.phase is not TurnPhase.PLAY:
            if state.open and not state.unseen[card]:
                return refuse(CardReason.USED_UP, card=card)
            refusal = check(state, Play(seat, card))
        else:
            refusal = claim_refusal(state, card)
        assert refusal is not None
        return refusal

    def flipped(self, state: CardState, signs: Sequence[str]) -> tuple[CardMove, ...]:
        """Return the moves that these cards can mean; none while more are wanted."""
        found = tuple(SIGNS[sign] for sign in signs)
        seat, card = state.awaited, state.open
        assert seat is not None
        if card is None:
            return (Draw(seat, None, found[0]),) if found else ()
        wanted = flips(state)
        if len(found) < wanted:
            return ()
        found = found[:wanted]
        effect = _FLIP_EFFECTS.get(card.card, is_heart)
        if len({effect(sign) for sign in found}) == 1:
            return (Flip(seat, found),)
        return Flip(seat, found), Flip(seat, found[::-1])

    def passing(self, state: CardState) -> Pass | None:
        """Return the move that plays no more cards as an answer; None if nobody must answer."""
        if state.result or state.open is None or not state.open.needed:
            return None
        return Pass(state.open.on)

    def ending(self, state: CardState) -> End | None:
        """Return the move that ends the turn; None if it can't end now."""
        if state.result or state.open or state.phase is not TurnPhase.PLAY:
            return None
        return End(state.turn)

    def excess(self, state: CardState) -> int:
        """Return how many cards the player discards if the turn ends now."""
        if self.ending(state) is None:
            return 0
        return excess(state)

    def gains(self, state: CardState) -> bool:
        """Return whether a card came to the player whose turn it is, drawn or taken."""
        found = events.Drawn, events.Taken, events.Inherited
        return any(isinstance(each, found) and each.seat == state.turn for each in state.events)

    def lays(self, move: CardMove) -> tuple[Title | None, ...]:
        """Return the cards that a move itself lays in the tray."""
        match move:
            case Play(card=card):
                return (card,)
            case Flip(signs=signs):
                return (None,) * len(signs)
            case Draw(shown=Sign()):
                return (None,)
        return ()

    def is_taken_back(self, move: CardMove) -> bool:
        """Return whether a card is only shown in the tray: a blue one, or one drawn openly."""
        match move:
            case Play(card=card):
                return KINDS[card].border is Border.BLUE
            case Draw(shown=shown):
                return shown is not None
        return False

    def debts(self, before: CardState, move: CardMove, after: CardState) -> tuple[Owed, ...]:
        """Return the cards that players must lay on the pile after a move, besides its own."""
        owed: list[Owed] = []
        for event in after.events:
            match event:
                case events.CardFlipped(seat, card=Title.JAIL):
                    owed.append(Owed(seat, Title.JAIL))
                case events.CardFlipped(seat, card=Title.DYNAMITE, success=True):
                    owed.append(Owed(seat, Title.DYNAMITE))
                case events.Removed(seat, take):
                    owed.append(Owed(seat, None if take == HAND else Title(take)))
                case events.Discarded(seat, count, occasion):
                    named: list[Title] = []
                    if occasion in (events.Occasion.OUT, events.Occasion.PENALTY):
                        there = before.in_play[seat]
                        named = [card for card in there if Owed(seat, card) not in owed]
                    owed += [Owed(seat, card) for card in named[:count]]
                    at_once = occasion is events.Occasion.ABILITY
                    owed += [Owed(seat, at_once=at_once)] * (count - len(named))
        return tuple(owed)

    def is_hidden(self, state: CardState, title: str) -> bool:
        """Return whether a copy of this title may still be in the deck or in a hand."""
        return state.unseen[Title(title)] > 0

    def lying(self, state: CardState) -> int:
        """Return how many cards the discard pile has."""
        return len(state.pile)

    def lifts(self, before: CardState, move: CardMove, after: CardState) -> bool:
        """Return whether a card is taken off the pile again, or the pile is shuffled."""
        if self.is_taken_back(move):
            return True
        if isinstance(move, Draw) and move.source == DrawSource.DISCARD:
            return True
        return any(isinstance(event, events.Shuffled) for event in after.events)

    def answerers(self, state: CardState) -> Mapping[int, CardState]:
        """Return the seats that a card for all still asks, each as if it were awaited."""
        card = state.open
        if state.result or card is None or card.by is None or not _asks_all(card):
            return {}
        found = {card.on: state}
        for place, seat in enumerate(card.waiting):
            course = CardCourse.of(state)
            ask(course, card.card, card.card, card.by, card.waiting[place:])
            found[seat] = course.ended()
        return found

    def plays_card(self, move: CardMove) -> bool:
        """Return whether a move names a card that is laid."""
        return isinstance(move, Play)

    def miscounted(self, moments: CardMoments, title: str) -> tuple[int, ...]:
        """Return the numbers of the moves without which a title could be played now."""
        state = moments[-1][1]
        match self.refused(state, title).reason:
            case CardReason.USED_UP:
                return self.copies(moments, title)
            case CardReason.SECOND_COPY:
                in_play, _ = _lying(moments, title)
                return (in_play[state.turn],)
            case CardReason.ONE_BANG:
                return _bangs_of_turn(moments)
        return ()

    def copies(self, moments: CardMoments, title: str) -> tuple[int, ...]:
        """Return the numbers of the moves that laid the copies of a title which now lie there.

        That is in play, or by title in the pile.
        """
        in_play, pile = _lying(moments, title)
        return tuple(sorted({*in_play.values(), *pile}))

    def check_deck(self, played: Sequence[SeenCardMove]) -> DeckDoubts | None:
        """Return what is known of the real deck; None while it is far from being shuffled."""
        return check_deck(played)

    def named(self, move: CardMove) -> tuple[str, ...]:
        """Return the title that a move plays, or the signs that it shows."""
        match move:
            case Play(card=card):
                return (card,)
            case Flip(signs=signs):
                return tuple(map(str, signs))
            case Draw(shown=Sign() as shown):
                return (str(shown),)
        return ()

    def passes(self, moments: CardMoments, number: int) -> Mapping[int, int]:
        """Return the seats that passed on the card for all which a move answers, and by which move.

        The card of the answer may have been theirs.
        """
        move, asked = moments[number][0], moments[number - 1][1].open
        if not isinstance(move, Play) or asked is None or asked.points or not _asks_all(asked):
            return {}
        found: dict[int, int] = {}
        for numbers in (range(number - 1, 0, -1), range(number + 1, len(moments))):
            for other in numbers:
                passed, card = moments[other][0], moments[other - 1][1].open
                if card is None or card.card is not asked.card:
                    break
                if isinstance(passed, Pass) and not card.points:
                    found[passed.seat] = other
        return found

    def correction(
        self, moments: CardMoments, number: int, place: int, card: str
    ) -> Mapping[int, CardMove]:
        """Return the moves that change if a move names another card at a place.

        card: a title, a sign, OTHER_COUNTS, or the seat whose card an answer was: it and that seat
        then change places. Empty if the move can't be corrected so.
        """
        move = moments[number][0]
        if move is None or place not in range(len(self.named(move))):
            return {}
        if isinstance(move, Play) and card.isdecimal():
            passed = self.passes(moments, number).get(seat := int(card))
            return {number: Pass(move.seat), passed: move._replace(seat=seat)} if passed else {}
        other = _renamed(move, place, card)
        return {number: other} if other and other != move else {}


def _renamed(move: CardMove, place: int, card: str) -> CardMove | None:
    """Return a move with another title, or another sign at a place; None if that can't be."""
    match move:
        case Play(seat, _, target, take) if card in _TITLES:
            title = Title(card)
            target = target if title in TARGETED else None
            return Play(seat, title, target, take if KINDS[title].takes else None)
        case Flip(seat, (counting, other)) if card == OTHER_COUNTS:
            return Flip(seat, (other, counting))
        case Flip(seat, signs) if card in SAID_SIGNS:
            return Flip(seat, (*signs[:place], SAID_SIGNS[card], *signs[place + 1 :]))
        case Draw(seat, source) if card in SAID_SIGNS:
            return Draw(seat, source, SAID_SIGNS[card])
    return None


def _asks_all(card: OpenCard) -> bool:
    """Return whether a card asks all other players, one after the other."""
    return KINDS[card.card].targeting is Targeting.NOBODY


def _lying(moments: CardMoments, title: str) -> tuple[Mapping[int, int], list[int]]:
    """Return the moves that laid what lies now: by seat in play, and in the pile."""
    in_play: Mapping[int, int] = {}
    pile: list[int] = []
    for number, (move, state) in enumerate(moments):
        if number and move is not None:
            in_play, pile = _track(Title(title), number, move, state, in_play, pile)
    return in_play, pile


def _bangs_of_turn(moments: CardMoments) -> tuple[int, ...]:
    """Return the numbers of the moves that count towards the limit of this turn."""
    found: list[int] = []
    for number, ((_, before), (_, after)) in enumerate(pairwise(moments), start=1):
        if not after.bangs:
            found.clear()
        elif after.bangs > before.bangs:
            found.append(number)
    return tuple(found)


def _track(
    card: Title,
    number: int,
    move: CardMove,
    after: CardState,
    in_play: Mapping[int, int],
    pile: list[int],
) -> tuple[Mapping[int, int], list[int]]:
    """Return which moves laid the copies in front of each seat, and those in the pile."""
    lying = dict(in_play)
    to_hand = defaultdict[int, int](int)
    passed: int | None = None
    for event in after.events:
        match event:
            case events.Taken(source=source, take=take) if take == card:
                to_hand[source] += 1
            case events.Inherited(source=source):
                to_hand[source] += 1
            case events.DynamitePassed(seat) if card is Title.DYNAMITE:
                passed = lying.pop(seat, number)
    laid = [*pile]
    for seat in list(lying):
        if card not in after.in_play[seat]:
            gone = lying.pop(seat)
            if seat not in to_hand:
                laid.append(gone)
    if isinstance(move, Play) and move.card is card:
        laid.append(number)
    for seat, titles in enumerate(after.in_play):
        if card in titles and seat not in lying:
            lying[seat] = passed if passed is not None else number
    laid = [one for one in laid if one not in lying.values()]
    if isinstance(move, Draw) and move.source == DrawSource.DISCARD:
        laid = laid[: after.pile.count(card)]
    # After a shuffle, only the latest lie in the pile.
    kept = after.pile.count(card)
    return lying, laid[len(laid) - kept :] if kept <= len(laid) else laid


LAID_CARD_RULES = LaidCardRules()
"""The rules of cards laid in the tray."""

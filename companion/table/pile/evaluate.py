"""Evaluate the pile: what everybody sees, from what is known about it and the game."""

from collections.abc import Mapping, Sequence

from companion.table.game import CardRules, Game, Move, ReadAs, State
from companion.table.pile.observation import LaidCard, PileVerdict
from companion.table.pile.state import PileState
from companion.table.pile.status import Pile, PileStatus

Moments = Sequence[tuple[Move | None, State]]
"""Each move of a game with the state after it, the start first."""


def pile_of(known: PileState, game: Game, moments: Moments) -> Pile:
    """Return the pile as everybody sees it in the last of these moments of a game with cards."""
    rules, state = game.cards, moments[-1][1]
    assert rules is not None
    drawing = rules.may_flip(state) and (known.drawing or _is_flip(known, rules, state))
    awaits = ReadAs.SIGN if drawing else rules.awaits(state)
    signs: tuple[str, ...] = ()
    if known.laid and awaits is ReadAs.TITLE:
        return _titled(known, known.laid[0], game, moments)
    if known.laid and awaits is ReadAs.SIGN:
        found = _flipped(known, game, state, drawing)
        if not isinstance(found, tuple):
            return found
        signs = found
    status = _STATUSES.get(known.now.verdict) if known.now else PileStatus.UNWATCHED
    card = None
    if status is None and known.due:
        status = PileStatus.DUE
    moves: tuple[Move, ...] = ()
    if status in (None, PileStatus.DUE) and known.counted is not None:
        card = known.counted
        moves = _other_moves(card, game, state, awaits)
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


def _is_flip(known: PileState, rules: CardRules, state: State) -> bool:
    """Return whether the card that waits was flipped, although nobody said so."""
    if not known.laid or known.held or known.laid[0].early:
        return False
    titles = known.laid[0].likely
    return bool(titles) and all(rules.must_be_flipped(state, title) for title in titles)


def _titled(known: PileState, card: LaidCard, game: Game, moments: Moments) -> Pile:
    """Return the pile while a card waits that is read by its title."""
    rules, state = game.cards, moments[-1][1]
    assert rules is not None
    if card.title is None:
        moves = tuple(move for title in card.likely for move in rules.moves(state, title))
        return Pile(
            PileStatus.UNSURE,
            ReadAs.TITLE,
            likely=card.likely,
            moves=moves,
            may_be_flipped=rules.may_flip(state) and not card.early,
            due=known.due,
        )
    moves = rules.moves(state, card.title)
    if moves:
        return Pile(
            PileStatus.CHOOSE,
            ReadAs.TITLE,
            title=card.title,
            moves=moves,
            may_be_flipped=rules.may_flip(state) and not (card.named or card.early),
            due=known.due,
        )
    return Pile(
        PileStatus.ILLEGAL,
        ReadAs.TITLE,
        title=card.title,
        reason=rules.refused(state, card.title),
        copies=rules.miscounted(moments, card.title),
        due=known.due,
    )


def _flipped(known: PileState, game: Game, state: State, drawing: bool) -> Pile | tuple[str, ...]:
    """Return the pile while flipped cards wait; their signs while more are wanted."""
    rules = game.cards
    assert rules is not None
    signs: list[str] = []
    for card in known.laid:
        if card.sign is None or not card.sign_sure:
            return Pile(
                PileStatus.SIGN_UNSURE,
                ReadAs.SIGN,
                drawing,
                sign=card.sign,
                signs=tuple(signs),
                due=known.due,
            )
        signs.append(card.sign)
        moves = rules.flipped(state, signs)
        legal = tuple(move for move in moves if game.check(state, move) is None)
        if legal:
            return Pile(
                PileStatus.CHOOSE,
                ReadAs.SIGN,
                drawing,
                signs=tuple(signs),
                moves=legal,
                due=known.due,
            )
        if moves:
            return Pile(
                PileStatus.ILLEGAL,
                ReadAs.SIGN,
                drawing,
                signs=tuple(signs),
                reason=game.check(state, moves[0]),
                due=known.due,
            )
    return tuple(signs)


def _other_moves(
    card: LaidCard, game: Game, state: State, awaits: ReadAs | None
) -> tuple[Move, ...]:
    """Return the legal moves that a card could mean which was counted as one that was due."""
    rules = game.cards
    assert rules is not None
    if awaits is ReadAs.TITLE:
        return tuple(move for title in card.likely for move in rules.moves(state, title))
    if awaits is ReadAs.SIGN and card.sign is not None and card.sign_sure:
        moves = rules.flipped(state, [card.sign])
        return tuple(move for move in moves if game.check(state, move) is None)
    return ()

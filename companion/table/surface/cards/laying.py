"""What phones change about the cards laid in the tray, and earlier ones."""

from collections.abc import Callable
from dataclasses import replace

from companion.base.refused import Message, Problem, Refused
from companion.games.game import AnyMove
from companion.table import history as histories
from companion.table import moves
from companion.table.changes import Permission, Press, change
from companion.table.history import History
from companion.table.scene import CardLayer, Scene, follow_up, renew, running, settle, with_history
from companion.table.surface.cards import surface as cards
from companion.table.surface.cards.state import PileState, PileStatus
from companion.table.surface.cards.surface import CardSurface


def _pile(scene: Scene) -> tuple[History, CardSurface]:
    """Return the running game with cards, and what is known of them. Raises Refused."""
    history = running(scene)
    if not isinstance(scene.surface, CardSurface):
        raise Refused(Problem.ILLEGAL, "this game has no cards in the tray")
    return history, scene.surface


def _settle(scene: Scene, state: PileState) -> Scene:
    """Return the scene once this is known of the cards, and what follows from that."""
    return settle(scene.with_surface(replace(_pile(scene)[1], state=state)))


# Presses about the card that was laid


@change(Permission.AWAITED, sees_tray=True)
def name_title(scene: Scene, _: int | None, title: str) -> Scene:
    """Say which card was laid. If exactly one legal move follows, it is made."""
    known = _pile(scene)[1]
    if title not in known.rules.titles():
        raise Refused(Problem.ILLEGAL, "there is no such card")
    laid = known.state.laid
    if not laid:
        raise Refused(Problem.ILLEGAL, "no card waits in the tray")
    card = replace(laid[0], likely=(title,), sure=True, named=True)
    return _settle(scene, replace(known.state, laid=(card, *laid[1:]), held=False))


@change(Permission.AWAITED, sees_tray=True)
def name_sign(scene: Scene, _: int | None, sign: str) -> Scene:
    """Say which suit and rank a flipped card shows that the camera isn't sure of."""
    known, shown = _pile(scene)[1], scene.shown
    if sign not in known.rules.signs():
        raise Refused(Problem.ILLEGAL, "there is no such suit and rank")
    if shown.status is not PileStatus.SIGN_UNSURE:
        raise Refused(Problem.ILLEGAL, "no flipped card waits in the tray")
    laid, number = known.state.laid, len(shown.signs)
    card = replace(laid[number], sign=sign, sign_sure=True, named=True)
    return _settle(scene, replace(known.state, laid=(*laid[:number], card, *laid[number + 1 :])))


@change(Permission.AWAITED, sees_tray=True)
def ignore(scene: Scene, _: int | None) -> Scene:
    """Put aside what the camera claims to see."""
    state = cards.ignore(_pile(scene)[1].state, scene.shown)
    if state is None:
        raise Refused(Problem.ILLEGAL, "no card waits in the tray")
    return _settle(scene, state)


@change(Permission.AWAITED, sees_tray=True)
def count_as_owed(scene: Scene, _: int | None) -> Scene:
    """Say that the card in the tray is one that somebody owed, and no move."""
    state = cards.count_as_owed(_pile(scene)[1].state, scene.shown)
    if state is None:
        raise Refused(Problem.ILLEGAL, "no card that waits in the tray was owed")
    return _settle(scene, state)


@change(Permission.AWAITED, sees_tray=True)
def say_whose(scene: Scene, _: int | None, seat: int) -> Scene:
    """Say that the card in the tray is the answer of a seat that is asked later."""
    known = _pile(scene)[1]
    for move in scene.shown.others:
        if move.seat == seat:
            return settle(scene.with_surface(known.give(move)))
    raise Refused(Problem.ILLEGAL, "the card in the tray can’t be this player’s")


@change(sees_tray=True)
def play_last(scene: Scene, person: int | None, made: AnyMove) -> Scene:
    """Play a card and say that it is the last one of this turn, which ends once it is settled."""
    history, known = _pile(scene)
    if known.rules.ending(history.state) is None or not known.rules.plays_card(made):
        raise Refused(Problem.ILLEGAL, "the turn can’t end now")
    said = replace(known, state=replace(known.state, last=True))
    return moves.move.function(scene.with_surface(said), person, made)


@change(Permission.TURN, sees_tray=True)
def discard(scene: Scene, _: int | None) -> Scene:
    """Say that the next cards in the tray are discarded before the turn ends."""
    history, known = _pile(scene)
    if not known.rules.excess(history.state):
        raise Refused(Problem.ILLEGAL, "no card needs to be discarded now")
    if known.state.now is None:
        raise Refused(Problem.ILLEGAL, "no camera watches the cards: end the turn, then discard")
    return _settle(scene, replace(known.state, discarding=True))


@change(Permission.AWAITED)
def lay(scene: Scene, _: int | None) -> Scene:
    """Lay a card into a simulated tray; the camera then sees it."""
    _pile(scene)
    if not scene.camera.tray:
        raise Refused(Problem.ILLEGAL, "this table can’t lay cards for you")
    return scene


def lay_card(scene: Scene, press: Press, title: str = "") -> None:
    """Lay a card with this title into a simulated tray; "": the top one of the deck.

    Raises Refused.
    """
    layer = _layer_for(scene, press)
    if title:
        layer.play(title)
    else:
        layer.flip()


def lift_card(scene: Scene, press: Press) -> None:
    """Take the topmost card off a simulated pile. Raises Refused."""
    _layer_for(scene, press).take_off()


def _layer_for(scene: Scene, press: Press) -> CardLayer:
    lay(scene, press)
    tray = scene.camera.tray
    if tray is None or tray.layer is None:
        raise Refused(Problem.ILLEGAL, "this table can’t lay cards for you")
    return tray.layer


@change(Permission.AWAITED, sees_tray=True)
def draw(scene: Scene, _: int | None) -> Scene:
    """Say that the next card in the tray is flipped from the deck ("Draw!")."""
    history, known = _pile(scene)
    laid, place, flips = known.state.laid, len(scene.shown.signs), scene.shown.may_be_flipped
    if not flips and not known.rules.may_flip(history.state):
        raise Refused(Problem.ILLEGAL, "nothing is drawn for now")
    if known.state.now is None:
        raise Refused(Problem.ILLEGAL, "no camera watches the cards: tap what was flipped")
    if flips:
        laid = (*laid[:place], replace(laid[place], new=False), *laid[place + 1 :])
    return _settle(
        scene, replace(known.state, drawing=known.rules.may_flip(history.state), laid=laid)
    )


# Corrections of earlier cards


@change()
def retitle(scene: Scene, person: int | None, number: int, card: str, place: int = 0) -> Scene:
    """Correct the title, sign or player of a card of a move, by its place; later moves stay."""
    history = running(scene)
    seat = moves.check_undo(scene, person)
    return _correct(scene, lambda: histories.retitle(history, seat, number, card, place), number)


@change()
def insert(scene: Scene, person: int | None, after: int, title: str, target: int | None) -> Scene:
    """Put a card that was forgotten in after so many moves; what was played since stays."""
    history, known = _pile(scene)
    seat, rules = moves.check_undo(scene, person), known.rules
    if after not in history.landings or title not in rules.titles():
        raise Refused(Problem.ILLEGAL, "you can’t go back to this moment")
    state = history.moments[after].state
    move = rules.find_forgotten(state, title, target)
    if move is None and not rules.moves(state, title):
        raise Refused(Problem.ILLEGAL, rules.refused(state, title))
    if move is None:
        raise Refused(Problem.ILLEGAL, "choose whom this card was played on, or play on from there")
    # What is owed for later moves is so for moves whose numbers are one higher.
    owed = tuple(each._replace(move=each.move + (each.move > after)) for each in known.state.owed)
    scene = scene.with_surface(replace(known, state=replace(known.state, owed=owed)))
    return _correct(scene, lambda: histories.insert(history, seat, move, after))


def _correct(scene: Scene, correct: Callable[[], History], number: int | None = None) -> Scene:
    """Return the scene with a corrected game. Raises Refused.

    number: of the move that changes, if it may be illegal itself.
    """
    try:
        corrected = correct()
    except histories.LaterIllegalError as error:
        if error.number == number:
            raise Refused(Problem.ILLEGAL, error.reason) from None
        history = running(scene)
        events = history.game.events(history.moments[error.number].state)
        reason = Message(
            "then “%(line)s” would be against the rules: %(reason)s",
            line=histories.Quoted(events[0]),
            reason=error.reason,
        )
        raise Refused(Problem.ILLEGAL, reason) from None
    except ValueError:
        raise Refused(Problem.ILLEGAL, "this card can’t be corrected so") from None
    surface = replace(_pile(scene)[1], dropped=frozenset())
    return renew(follow_up(with_history(scene, corrected, surface)))

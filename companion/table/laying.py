"""Changes to the cards laid in the tray: by the camera, by buttons and by phones."""

from dataclasses import replace
from typing import NamedTuple

from companion.table.changes import Permission, change, running
from companion.table.game import CardRules
from companion.table.history import History
from companion.table.moves import check_waiting, followed_up, played
from companion.table.pile import updates
from companion.table.pile.observation import PileObservation
from companion.table.pile.status import PileStatus
from companion.table.refused import Message, Problem, Refused
from companion.table.scene import Phase, Scene, renewed


def _card_game(scene: Scene) -> tuple[History, CardRules]:
    """Return the running game with cards, and its rules for them. Raises Refused."""
    history = running(scene)
    if history.game.cards is None:
        raise Refused(Problem.ILLEGAL, "this game has no cards in the tray")
    return history, history.game.cards


# The camera


def noted(scene: Scene, seen: PileObservation) -> Scene:
    """Return the scene with an observation by the camera, before a new card becomes a move."""
    history = scene.history
    rules = history.game.cards if history else None
    if rules is None or scene.phase is not Phase.PLAYING:
        return scene.with_pile(replace(scene.pile_state, now=seen))
    known = updates.observed(scene.pile_state, seen, scene.pile, rules.titles())
    return scene if known == scene.pile_state else scene.with_pile(known)


def taken_in(scene: Scene) -> Scene:
    """Return the scene once each new card became a move for which exactly one is legal."""
    after = followed_up(scene)
    return after if after.history is scene.history else renewed(after)


# The buttons


def ended(scene: Scene) -> Scene:
    """Return the scene after the turn is ended, as by the green button. Raises Refused."""
    history, rules = _card_game(scene)
    move = rules.ending(history.state)
    if move is None:
        reason = Message("the turn can’t end now")
        if rules.passing(history.state) is not None:
            reason = Message("an answer is awaited: lay a card, or press the red button")
        raise Refused(Problem.ILLEGAL, reason)
    check_waiting(scene, move)
    return played(scene, move, history.lying)


def passed(scene: Scene) -> Scene:
    """Return the scene after the awaited seat passes, as by the red button. Raises Refused."""
    history, rules = _card_game(scene)
    move = rules.passing(history.state)
    if move is None:
        raise Refused(Problem.ILLEGAL, "there is nothing to pass on now")
    check_waiting(scene, move)
    return played(scene, move, history.lying)


# Presses about the card that was laid


@change(Permission.AWAITED, sees_tray=True)
def name_title(scene: Scene, _: int | None, title: str) -> Scene:
    """Say which card was laid. If exactly one legal move follows, it is made."""
    rules = _card_game(scene)[1]
    if title not in rules.titles():
        raise Refused(Problem.ILLEGAL, "there is no such card")
    known = scene.pile_state
    if not known.laid:
        raise Refused(Problem.ILLEGAL, "no card waits in the tray")
    card = replace(known.laid[0], likely=(title,), sure=True, named=True)
    return taken_in(scene.with_pile(replace(known, laid=(card, *known.laid[1:]), held=False)))


@change(Permission.AWAITED, sees_tray=True)
def name_sign(scene: Scene, _: int | None, sign: str) -> Scene:
    """Say which suit and rank a flipped card shows that the camera isn't sure of."""
    rules = _card_game(scene)[1]
    if sign not in rules.signs():
        raise Refused(Problem.ILLEGAL, "there is no such suit and rank")
    known, pile = scene.pile_state, scene.pile
    if pile.status is not PileStatus.SIGN_UNSURE:
        raise Refused(Problem.ILLEGAL, "no flipped card waits in the tray")
    number = len(pile.signs)
    card = replace(known.laid[number], sign=sign, sign_sure=True, named=True)
    laid = (*known.laid[:number], card, *known.laid[number + 1 :])
    return taken_in(scene.with_pile(replace(known, laid=laid)))


@change(Permission.AWAITED, sees_tray=True)
def ignore(scene: Scene, _: int | None) -> Scene:
    """Put aside what the camera claims to see."""
    _card_game(scene)
    known = updates.ignored(scene.pile_state, scene.pile)
    if known is None:
        raise Refused(Problem.ILLEGAL, "no card waits in the tray")
    return taken_in(scene.with_pile(known))


@change(Permission.AWAITED)
def lay(scene: Scene, _: int | None) -> Scene:
    """Lay a card into a simulated tray; the camera then sees it."""
    _card_game(scene)
    if not scene.camera.throws:
        raise Refused(Problem.ILLEGAL, "this table can’t lay cards for you")
    return scene


@change(Permission.AWAITED, sees_tray=True)
def draw(scene: Scene, _: int | None) -> Scene:
    """Say that the next card in the tray is flipped from the deck ("Draw!")."""
    history, rules = _card_game(scene)
    if not rules.may_flip(history.state):
        raise Refused(Problem.ILLEGAL, "nothing is drawn for now")
    known = scene.pile_state
    if known.now is None:
        raise Refused(Problem.ILLEGAL, "no camera watches the cards: tap what was flipped")
    return taken_in(scene.with_pile(replace(known, drawing=True)))


# What the reader can learn from players


class NamedCard(NamedTuple):
    """A card whose title or sign a player named."""

    number: int
    """The watcher's number for its picture."""
    title: str | None = None
    """The title that it has; None if it was read by its sign."""
    sign: str | None = None
    """The sign that was named; None if it was read by its title."""


def named_cards(was: History, now: History, number: int) -> tuple[NamedCard, ...]:
    """Return the cards of a move that a player named, or gave another title.

    was: the game before the press; number: of the move in the game after it.
    """
    rules, moment = now.game.cards, now.moments[number]
    if rules is None or moment.move is None:
        return ()
    known = number < len(was.moments)
    if known and was.moments[number].move == moment.move:
        return ()
    found = []
    # Which of several signs counts first was chosen: what is left over was corrected.
    read = [card.sign for card in moment.cards]
    corrected = [sign for sign in rules.named(moment.move) if sign not in read]
    for card, title in zip(moment.cards, rules.lays(moment.move), strict=False):
        if not card.number:
            continue
        if title is not None:
            if card.named or card.title != title:
                found.append(NamedCard(card.number, title))
        elif card.sign not in rules.named(moment.move):
            if len(corrected) == 1:
                found.append(NamedCard(card.number, sign=corrected[0]))
        elif card.named:
            found.append(NamedCard(card.number, sign=card.sign))
    return tuple(found)

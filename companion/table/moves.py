"""Decisions in a game: moves, undo, and the guesses of eliminated players."""

from dataclasses import replace

from companion.table import history as histories
from companion.table.changes import change, decides, person_here, running, seat_of
from companion.table.game import Move
from companion.table.history import History
from companion.table.pile import updates
from companion.table.pile.status import PileStatus
from companion.table.refused import Message, Problem, Refused
from companion.table.saved import Person
from companion.table.scene import Phase, Scene, renewed, with_history
from companion.table.tray.corrections import Correction
from companion.table.tray.observation import NO_CAMERA, Observation, TrayDie
from companion.table.tray.state import watched
from companion.table.tray.status import Status
from companion.table.tray.updates import next_roll

MOST_LINES = 5000
"""The number of lines of a game, undone moves included, after which undo is refused.

Games have a few hundred. Without a limit, one phone could make each start ever longer."""


@change()
def move(scene: Scene, person: int | None, made: Move) -> Scene:
    """Make a decision from a phone. Only `rolling.accept` accepts dice."""
    history = running(scene)
    if history.game.dice.rolled(made) is not None:
        raise Refused(Problem.ILLEGAL, "throw the dice into the tray")
    if made.seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
    check_waiting(scene, made)
    return played(scene, made, history.lying)


_CARD_WAITS = {
    PileStatus.CHOOSE: Message("a card waits in the tray: choose what it does, or put it aside"),
    PileStatus.UNSURE: Message("a card waits in the tray: tap its title, or put it aside"),
    PileStatus.SIGN_UNSURE: Message("a flipped card waits in the tray: tap its suit and rank"),
    PileStatus.FACEDOWN: Message("a card lies face down in the tray: turn it over"),
    PileStatus.MANY: Message("several cards were laid at once: lay them one by one"),
}
"""Why nobody can pass, nor end the turn: these cards may count."""


def check_waiting(scene: Scene, made: Move) -> None:
    """Raise Refused if a move passes over cards in the tray that may count.

    What lies there when a turn ends may be what is discarded then.
    """
    history = running(scene)
    rules, pile = history.game.cards, scene.pile
    if rules is None or pile.status not in _CARD_WAITS:
        return
    ends = made == rules.ending(history.state)
    if ends and 0 < len(scene.pile_state.laid) <= rules.excess(history.state):
        return
    if ends and not scene.pile_state.laid and rules.excess(history.state):
        return
    if ends or made == rules.passing(history.state):
        raise Refused(Problem.ILLEGAL, _CARD_WAITS[pile.status])


@change()
def undo(scene: Scene, person: int | None) -> Scene:
    """Take back the last decision and what followed automatically."""
    history = running(scene)
    if not history.undoable:
        raise Refused(Problem.ILLEGAL, "there is nothing to undo")
    seat = _undoing(scene, person)
    return _undone(scene, histories.undo(history, seat))


@change()
def go_back(scene: Scene, person: int | None, moves: int) -> Scene:
    """Take back everything after this many moves of the game."""
    history = running(scene)
    seat = _undoing(scene, person)
    if moves not in history.landings:
        raise Refused(Problem.ILLEGAL, "you can’t go back to this moment")
    return _undone(scene, histories.go_back(history, seat, moves))


@change()
def retitle(scene: Scene, person: int | None, number: int, card: str, place: int = 0) -> Scene:
    """Correct the title or sign of a card of a move of the game, by its place; later moves stay."""
    history = running(scene)
    seat = _undoing(scene, person)
    try:
        corrected = histories.retitle(history, seat, number, card, place)
    except histories.LaterIllegalError as error:
        if error.number == number:
            raise Refused(Problem.ILLEGAL, error.reason) from None
        later = history.moments[error.number].move
        assert later is not None
        name = scene.people[later.seat].name
        reason = Message(
            "then move %(number)s, by %(name)s, would be against the rules: %(reason)s",
            number=error.number,
            name=name,
            reason=error.reason,
        )
        raise Refused(Problem.ILLEGAL, reason) from None
    except ValueError:
        raise Refused(Problem.ILLEGAL, "this card can’t be corrected so") from None
    after = with_history(scene, corrected)
    after = replace(after, pile_state=scene.pile_state, early=scene.early, dropped=frozenset())
    return renewed(followed_up(after))


def _undoing(scene: Scene, person: int | None) -> int:
    """Return the seat of a person who may undo now. Raises Refused."""
    if len(running(scene).lines) > MOST_LINES:
        raise Refused(Problem.ILLEGAL, "too much was undone in this game")
    here = person_here(scene, person)
    if here is None or not may_undo(scene, here):
        raise Refused(Problem.FORBIDDEN, "only the host and the player whose turn it is can undo")
    return scene.people.index(here)


def _undone(scene: Scene, left: History) -> Scene:
    history = running(scene)
    if left.standing.turn != history.standing.turn and scene.tray.status is Status.MOVING:
        raise Refused(Problem.ILLEGAL, "the dice are still rolling: wait until they lie still")
    old = _no_roll_of(left, history, scene)
    after = with_history(scene, left)
    if history.game.cards is not None and after.phase is Phase.PLAYING:
        after = after.with_pile(updates.undone(scene.pile_state, scene.pile))
    return renewed(replace(after, tray_state=next_roll(scene.tray_state, old)))


def _no_roll_of(left: History, undone: History, scene: Scene) -> Observation:
    """Return the dice that, as they lie, don't count as a roll after an undo."""
    camera, moment = watched(scene.tray_state), undone.moments[len(left.moments)]
    if camera is None:
        return NO_CAMERA
    rolled = undone.game.dice.rolled(moment.move) is not None
    if rolled and camera.at_rest.unmoved(replace(camera.at_rest, dice=moment.lying)):
        # The undone roll still lies there, and is asked for again.
        return NO_CAMERA
    if left.standing.turn == undone.standing.turn:
        return camera.accepted
    # The next player's throw must not become this player's.
    return camera.at_rest


@change(versioned=False)
def guess(scene: Scene, person: int | None, side: str) -> Scene:
    """Note an eliminated player's guess about which side will win.

    It changes nothing for the others, so their presses aren't refused because of it.
    """
    history, seat = running(scene), seat_of(scene, person_here(scene, person))
    if side not in history.game.sides(len(scene.people)):
        raise Refused(Problem.ILLEGAL, "there is no such side")
    if seat is None or scene.phase is Phase.OVER or history.standing.alive[seat]:
        raise Refused(Problem.FORBIDDEN, "only players who are out of the game can guess")
    if history.guesses.get(seat) == side:
        return scene
    return replace(scene, history=histories.guess(history, seat, side))


def played(
    scene: Scene,
    move: Move,
    lying: tuple[TrayDie, ...],
    *,
    accepted: Observation | None = None,
    corrected: tuple[Correction, ...] = (),
) -> Scene:
    """Return the scene after a move.

    lying: where the dice lie afterwards; accepted: the observation of the dice that the move
    accepts, None if it accepts none; corrected: what players corrected in them. Raises Refused.
    """
    scene = _made(scene, move, lying, corrected)
    if accepted is not None:
        scene = replace(scene, tray_state=next_roll(scene.tray_state, accepted))
    return renewed(followed_up(scene))


def followed_up(scene: Scene) -> Scene:
    """Return the scene after the early answers and the laid cards whose turn has come.

    A laid card becomes a move if exactly one legal move follows from it.
    """
    while (after := _answered_early(scene) or _one_taken_in(scene)) is not None:
        scene = after
    return scene


def _one_taken_in(scene: Scene) -> Scene | None:
    """Return the scene after one more laid card was taken in; None if none can be."""
    history, known = scene.history, scene.pile_state
    if not known.laid or known.held or history is None or scene.phase is not Phase.PLAYING:
        return None
    counted = updates.with_due_counted(known, scene.pile.awaits)
    if counted != known:
        return replace(scene, pile_state=counted)
    pile = scene.pile
    if pile.status is not PileStatus.CHOOSE or len(pile.moves) > 1 or pile.may_be_flipped:
        return None
    return _made(scene, pile.moves[0], history.lying)


def _made(
    scene: Scene,
    move: Move,
    lying: tuple[TrayDie, ...],
    corrected: tuple[Correction, ...] = (),
) -> Scene:
    history = running(scene)
    reason = history.game.check(history.state, move)
    if reason is not None:
        raise Refused(Problem.ILLEGAL, reason)
    before, rules, number = history.state, history.game.cards, len(history.moments)
    history = histories.play(history, move, lying, corrected, ask_always=scene.ask_always)
    if rules is not None and (cards := scene.pile_state.laid[: len(rules.lays(move))]):
        history = histories.with_cards(history, number, cards)
    after = with_history(scene, history)
    if rules is None or after.phase is not Phase.PLAYING:
        return after
    known = updates.moved(scene.pile_state, rules, before, move, history.state)
    return replace(after, pile_state=known, early=scene.early, dropped=frozenset())


def _answered_early(scene: Scene) -> Scene | None:
    """Return the scene after the awaited seat's early answer, or without it if it no longer fits.

    None if there is none.
    """
    history = running(scene)
    rules = history.game.cards
    if rules is None or not scene.early or scene.phase is not Phase.PLAYING:
        return None
    asked = rules.asked(history.state)
    for seat, made in scene.early.items():
        if seat not in asked:
            return _without_early(scene, seat, dropped=bool(rules.lays(made)))
    if not asked or asked[0] not in scene.early:
        return None
    made = scene.early[asked[0]]
    if history.game.check(history.state, made) is not None:
        return _without_early(scene, asked[0], dropped=True)
    left = _without_early(scene, asked[0], dropped=False)
    return replace(_made(left, made, history.lying), dropped=scene.dropped)


def _without_early(scene: Scene, seat: int, *, dropped: bool) -> Scene:
    return replace(
        scene,
        early={other: made for other, made in scene.early.items() if other != seat},
        dropped=scene.dropped | {seat} if dropped else scene.dropped,
    )


# Answers given early


@change()
def answer_early(scene: Scene, person: int | None, made: Move) -> Scene:
    """Keep the answer of a seat that will be asked later by the card being settled.

    Nothing that others see changes, so their presses aren't refused because of it.
    """
    history = running(scene)
    rules, seat = history.game.cards, made.seat
    if seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
    if rules is None or seat not in rules.asked(history.state)[1:]:
        raise Refused(Problem.ILLEGAL, "this player isn’t asked now")
    asking = rules.asking(history.state, seat)
    lays = rules.lays(made)
    if made != rules.passing(asking) and (not lays or None in lays):
        raise Refused(Problem.ILLEGAL, "only a card, or passing, can be an early answer")
    if (reason := history.game.check(asking, made)) is not None:
        raise Refused(Problem.ILLEGAL, reason)
    return replace(scene, early={**scene.early, seat: made}, dropped=scene.dropped - {seat})


@change()
def take_early_back(scene: Scene, person: int | None, seat: int) -> Scene:
    """Forget the early answer of a seat."""
    if seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "this decision is made on another phone")
    return _without_early(scene, seat, dropped=False)


def may_undo(scene: Scene, person: Person | None) -> bool:
    """Return whether a player may undo the last move now."""
    if scene.history is None or person is None or not scene.history.undoable:
        return False
    return person.host or scene.people.index(person) == scene.history.standing.turn

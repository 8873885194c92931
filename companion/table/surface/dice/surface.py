"""The dice in the tray: which were kept, which were thrown, and whether they can be accepted.

Dice keep their numbers (0-4) through a turn. A die in the same place with the same face was kept,
as was one that was seen to stay while others were picked up; any other was thrown.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Self

from companion.base.refused import Message, Problem, Refused
from companion.games.game import Correction, CorrectionKind, DiceRules, Game
from companion.table.history import History
from companion.table.surface.cards.state import Pile, PileStatus
from companion.table.surface.dice.saved import from_json, to_json
from companion.table.surface.dice.state import (
    COUNT_IS_RIGHT,
    EMPTY,
    NO_CAMERA,
    ByHand,
    CountCorrection,
    Place,
    Sight,
    Tray,
    TrayDie,
    TrayMark,
    TrayObservation,
    TrayState,
    TrayStatus,
    Unwatched,
    Watched,
    Wish,
)
from companion.table.surface.interface import Seen, Signal, Surface, SurfaceView, TrayMove
from vision.dice.matching import LIKELY, lies_there
from vision.dice.reading import DICE, TrayVerdict

if TYPE_CHECKING:
    from vision.dice.follow import FollowedDie

_SIGNALS = {
    TrayStatus.READY: Signal.CERTAIN,
    TrayStatus.UNSURE: Signal.UNCERTAIN,
    TrayStatus.BESIDE: Signal.UNCERTAIN,
    TrayStatus.COUNT: Signal.ILLEGAL,
    TrayStatus.TOO_NEAR: Signal.ILLEGAL,
    TrayStatus.COCKED: Signal.ILLEGAL,
    TrayStatus.BLOCKED: Signal.ILLEGAL,
}

_NOT_READY = {
    TrayStatus.EMPTY: Message("throw the dice first"),
    TrayStatus.MOVING: Message("the dice are still rolling"),
    TrayStatus.LYING: Message("no dice were thrown"),
    TrayStatus.PICKED_UP: Message("some dice are picked up: throw them or put them back"),
    TrayStatus.BESIDE: Message("tap the dice that were kept beside the tray"),
    TrayStatus.UNSURE: Message("a die is uncertain: tap it to choose its face"),
    TrayStatus.INCOMPLETE: Message("enter all five dice"),
    TrayStatus.COUNT: Message("five dice are needed"),
    TrayStatus.TOO_NEAR: Message("the camera is too near: raise it"),
    TrayStatus.COCKED: Message("a die is leaning: lay it flat or throw it again"),
    TrayStatus.BLOCKED: Message("something covers the dice: clear the tray"),
}

_DOUBTED = Message("perhaps there is one more die: look, and say that all is right")

_THROWN = Message("the dice were thrown: accept the roll first")
_NO_STOP = {
    TrayStatus.READY: _THROWN,
    TrayStatus.UNSURE: _THROWN,
    TrayStatus.BESIDE: _THROWN,
    TrayStatus.MOVING: Message("the dice are still rolling: wait until they lie still"),
    TrayStatus.COUNT: Message("five dice are needed before you can stop rolling"),
    TrayStatus.TOO_NEAR: Message("the camera is too near: raise it"),
    TrayStatus.COCKED: Message(
        "a die is leaning: lay it flat and accept the roll before you stop rolling"
    ),
    TrayStatus.BLOCKED: Message(
        "something covers the dice: clear the tray before you stop rolling"
    ),
}
"""Why rolling can't be stopped: these dice may have been thrown, and a throw counts."""


class NamedDie(NamedTuple):
    """A die whose face a player named; places are pixels of the picture that was read."""

    face: str
    """The face that the player named."""
    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""
    size: float
    """Edge of the top face."""


@dataclass(frozen=True)
class DiceSurface(Surface[Tray]):
    """The dice in the tray."""

    rules: DiceRules
    """How the game is played with them."""
    state: TrayState = field(default_factory=Unwatched)
    """What is known about them."""
    wish: Wish | None = None
    """The dice that a stand-in wants to be thrown again."""

    def show(self, history: History | None) -> Tray:
        """Return the dice as they may be accepted."""
        roll = self._awaited_roll(history)
        if roll is not None:
            wished = self.wish.dice if self.wish else ()
            return tray_of(self.state, roll, wished)
        if history is None:
            return Tray(TrayStatus.EMPTY)
        lying = history.lying
        known = self.rules.lying(history.state)
        return Tray(TrayStatus.LYING, lying if known else (), len(lying))

    def _awaited_roll(self, history: History | None) -> "AwaitedRoll | None":
        if history is None or not history.standing.rolling:
            return None
        rules, state = self.rules, history.state
        return AwaitedRoll(history.lying, not rules.lying(state), rules.fixed_faces(state))

    def view(
        self, history: History | None, shown: Tray, version: int, *, works: bool
    ) -> SurfaceView:
        """Return what pages see of the dice."""
        lying: Sequence[str] = ()
        throwable: tuple[int, ...] = ()
        may_stop = goes_on = False
        if history is not None:
            rules, standing, state = self.rules, history.standing, history.state
            lying = rules.lying(state)
            if standing.rolling:
                throwable = rules.throwable(state)
                may_stop = history.game.check(state, rules.stop(standing.turn)) is None
                ready = shown.status is TrayStatus.READY
                goes_on = ready and rules.goes_on(state, _faces(shown))
        return SurfaceView(
            tray=shown,
            pile=Pile(PileStatus.UNWATCHED),
            picked=self.picked,
            wish=self.wish.dice if self.wish and self.wish.version == version else (),
            lying=tuple(lying),
            throwable=throwable,
            may_stop=may_stop,
            goes_on=goes_on,
            by_hand=not isinstance(self.state, Watched),
        )

    @property
    def picked(self) -> frozenset[int]:
        """The dice to throw next, if the table throws them."""
        camera = camera_of(self.state)
        return camera.picked if camera else frozenset()

    def signal(self, history: History, shown: Tray) -> Signal:
        """Return what the light shows of a roll: certain while it can be accepted."""
        return _SIGNALS.get(shown.status, Signal.WAITING)

    def watch(self, works: bool) -> Self:
        """Return the dice once a camera works, or players enter them."""
        return replace(self, state=(camera_works if works else camera_fails)(self.state))

    def observe(self, seen: Seen, history: History | None, shown: Tray) -> Self:
        """Return the dice as the camera sees them now."""
        now = camera_of(self.state)
        if not isinstance(seen, TrayObservation) or (now is not None and now.now == seen):
            return self
        after = replace(self, state=observe(self.state, seen))
        known = after.state
        if not isinstance(known, Watched) or len(count(seen, known.count).dice) >= DICE:
            return after
        if history is None or after.show(history).status is not TrayStatus.PICKED_UP:
            return after
        return replace(after, state=replace(known, stayed=seen.dice))

    def green(self, history: History, shown: Tray) -> TrayMove:
        """Accept the dice. Raises Refused."""
        standing, state = history.standing, history.state
        if not standing.rolling:
            raise Refused(Problem.ILLEGAL, "no dice are needed now")
        if shown.status is not TrayStatus.READY:
            reason = _DOUBTED if shown.doubted else _NOT_READY[shown.status]
            raise Refused(Problem.ILLEGAL, reason)
        thrown = tuple(number for number, die in enumerate(shown.dice) if die.thrown)
        lying = tuple(replace(die, thrown=False, sure=True) for die in shown.dice)
        camera, faces = camera_of(self.state), _faces(shown)
        corrected = corrections_of(self.state, shown.dice)
        again = thrown if self.rules.lying(state) else None
        move = self.rules.roll(standing.turn, faces, again)
        return TrayMove(move, lying, camera.at_rest if camera else NO_CAMERA, corrected)

    def red(self, history: History, shown: Tray) -> TrayMove:
        """Stop rolling. Raises Refused."""
        if history.standing.rolling and shown.status in _NO_STOP:
            raise Refused(Problem.ILLEGAL, _NO_STOP[shown.status])
        return TrayMove(self.rules.stop(history.standing.turn), history.lying)

    def follow_up(self, history: History) -> None:
        """Return nothing: dice wait for a press."""

    def move_on(self, play: TrayMove, before: History, after: History) -> Self:
        """Return the dice once a move is made, which may have accepted them."""
        return self._next_roll(play.accepted)

    def undo(self, left: History, history: History, shown: Tray) -> Self:
        """Return the dice after an undo: as they lie, they may be no roll. Raises Refused."""
        other_turn = left.standing.turn != history.standing.turn
        if other_turn and shown.status is TrayStatus.MOVING:
            raise Refused(Problem.ILLEGAL, "the dice are still rolling: wait until they lie still")
        old = self._no_roll_of(left, history)
        return self._next_roll(old)

    def _no_roll_of(self, left: History, undone: History) -> TrayObservation:
        """Return the dice that, as they lie, don't count as a roll after an undo."""
        camera, moment = camera_of(self.state), undone.moments[len(left.moments)]
        if camera is None:
            return NO_CAMERA
        rolled = undone.game.rolled(moment.move) is not None
        if rolled and is_unmoved(camera.at_rest, replace(camera.at_rest, dice=moment.lying)):
            # The undone roll still lies there, and is asked for again.
            return NO_CAMERA
        if left.standing.turn == undone.standing.turn:
            return camera.accepted
        # The next player's throw must not become this player's.
        return camera.at_rest

    def reset(self) -> Self:
        """Return the dice without players' corrections."""
        return self._next_roll()

    def leave(self) -> Self:
        """Return the dice once the game is left: as they lie, they are no other game's roll."""
        camera = camera_of(self.state)
        return self._next_roll(camera.at_rest if camera else None)

    def _next_roll(self, accepted: TrayObservation | None = None) -> Self:
        return replace(self, state=next_roll(self.state, accepted), wish=None)

    def unwish(self) -> Self:
        """Return the dice without those that a stand-in wants to be thrown again."""
        return replace(self, wish=None) if self.wish else self

    def corrections(self, shown: Tray) -> tuple[Correction, ...]:
        """Return what players corrected in the dice of this roll."""
        return corrections_of(self.state, shown.dice)

    @property
    def kept(self) -> object:
        """What players said of this roll; None if nothing."""
        tray = _before(self.state)
        seen = camera_of(tray)
        said = (
            tray.marks,
            isinstance(tray, ByHand),
            *((seen.count, seen.picked) if seen else ()),
        )
        nothing = said in (({}, False), ({}, False, COUNT_IS_RIGHT, frozenset()))
        return None if nothing else (said, seen.at_rest.dice if seen else ())

    def facts(self, game: Game | None) -> Mapping[str, str]:
        """Return what players said of this roll."""
        tray = _before(self.state)
        return {"tray": "" if self.kept is None else to_json(tray, camera_of(tray))}

    def restore(self, name: str, text: str, history: History) -> Self:
        """Return the dice of the awaited roll as they were."""
        if name != "tray" or not history.standing.rolling:
            raise ValueError("no dice are awaited")
        return replace(self, state=from_json(text, self.rules.faces()))

    def lessons(
        self, was: History, now: History, shown: Tray
    ) -> Iterator[tuple[int, Sequence[NamedDie]]]:
        """Yield the dice that players named before they accepted them."""
        first = len(was.moments)
        if len(now.moments) > first and was.standing.rolling:
            named = self._named_dice(shown)
            if named and now.game.rolled(now.moments[first].move) is not None:
                yield first, named

    def _named_dice(self, shown: Tray) -> tuple[NamedDie, ...]:
        """Return the dice that a player corrected, or named when the reader was unsure."""
        camera = camera_of(self.state)
        if camera is None:
            return ()
        # A face that is only asked for because its die may lean would teach how faces look askew.
        doubted = {die.place for die in camera.now.dice if not (die.sure or die.leans)}
        named = {number for number, said in self.state.marks.items() if said.face is not None}
        return tuple(
            NamedDie(die.face, die.place.x, die.place.y, die.place.size)
            for number, die in enumerate(shown.dice)
            if number in named
            and die.face is not None
            and die.place is not None
            and (die.face != die.read or die.place in doubted)
        )


def _faces(shown: Tray) -> tuple[str, ...]:
    return tuple(die.face for die in shown.dice if die.face is not None)


# What everybody sees


@dataclass(frozen=True, slots=True)
class AwaitedRoll:
    """What the game says about the awaited roll."""

    lying: tuple[TrayDie, ...]
    """The dice last accepted: in this turn or, before its first roll, in an earlier one."""
    is_first: bool
    """Whether it is the first roll of a turn, which throws all dice."""
    fixed_faces: frozenset[str]
    """Faces that stay: a die that moved but still shows one counts as kept."""


def tray_of(tray: TrayState, roll: AwaitedRoll, wished: Collection[int] = ()) -> Tray:
    """Return the dice with their places, and whether they can be accepted.

    wished: the dice that a stand-in wants to be thrown again.
    """
    if not isinstance(tray, Watched):
        return _by_hand(() if roll.is_first else roll.lying, tray.marks, wished)
    if tray.accepted.dice and is_unmoved(tray.now, tray.accepted) and not tray.marks:
        return Tray(TrayStatus.LYING, roll.lying, len(tray.now.dice))
    seen = count(tray.now, tray.count)
    hindrance = TrayStatus.MOVING if seen.sight is Sight.MOVING else _HINDRANCES.get(seen.verdict)
    if hindrance is not None:
        cocked = seen.dice if hindrance is TrayStatus.COCKED else ()
        return Tray(hindrance, seen=len(seen.dice), cocked=cocked)
    read = _read_tray(seen, roll, tray.marks, () if roll.is_first else tray.stayed)
    if read.status is TrayStatus.READY and _is_doubted(tray):
        return replace(read, status=TrayStatus.UNSURE, doubted=True)
    return read


def _is_doubted(tray: Watched) -> bool:
    """Return whether one more die may lie there, and no player said anything yet."""
    seen = tray.now
    said = bool(tray.marks) or tray.count != COUNT_IS_RIGHT
    return seen.verdict is TrayVerdict.UNSURE and all(die.sure for die in seen.dice) and not said


def count(seen: TrayObservation, said: CountCorrection) -> TrayObservation:
    """Return an observation with the number of dice that players said."""
    if said == COUNT_IS_RIGHT:
        return seen
    there = tuple(
        die
        for die in seen.dice
        if die.place is None or not any(lies_there(die.place, place) for place in said.left_out)
    )
    more = tuple(TrayDie(face, thrown=True, sure=True) for face in said.added)
    return replace(seen, dice=there + more)


_HINDRANCES: Mapping[TrayVerdict | None, TrayStatus] = {
    TrayVerdict.BLOCKED: TrayStatus.BLOCKED,
    TrayVerdict.COCKED: TrayStatus.COCKED,
    TrayVerdict.EMPTY: TrayStatus.EMPTY,
    TrayVerdict.TOO_NEAR: TrayStatus.TOO_NEAR,
}
"""The reasons why dice can't be numbered."""


_LEFT = 2
"""This many unmoved dice mean that they weren't thrown with the others: a first roll throws
all five, and only one in 300 lands where it lay with the same face up.
"""


def _read_tray(
    seen: TrayObservation,
    roll: AwaitedRoll,
    marks: Mapping[int, TrayMark],
    stayed: Sequence[TrayDie],
) -> Tray:
    lying, first_roll = roll.lying, roll.is_first
    fixed = frozenset[str]() if first_roll else roll.fixed_faces
    missing = DICE - len(seen.dice)
    numbered, thrown = tell_kept_from_thrown(seen.dice, lying, stayed, fixed)
    if missing > 0 and not thrown:
        if missing <= sum(die.place is None for die in lying):
            return Tray(TrayStatus.LYING, lying, len(seen.dice))
        return Tray(TrayStatus.PICKED_UP, lying if not first_roll else (), len(seen.dice))
    if missing > 0 and not first_roll:
        choices = choices_beside(missing, set(range(DICE)) - set(numbered), lying, marks, fixed)
        if len(choices) > 1:
            return Tray(TrayStatus.BESIDE, lying, len(seen.dice), choices)
        for number in choices[0] if choices else ():
            numbered[number] = replace(lying[number], thrown=False, place=None, read=None)
    if len(numbered) + len(thrown) != DICE:
        return Tray(TrayStatus.COUNT, seen=len(seen.dice), counted=seen.dice)
    if first_roll and len(numbered) >= _LEFT:
        return Tray(TrayStatus.LYING, lying, len(seen.dice))
    free = [number for number in range(DICE) if number not in numbered]
    numbered |= dict(zip(free, thrown, strict=True))
    dice = tuple(numbered[number] for number in range(DICE))
    if first_roll and any(die.thrown for die in dice):
        dice = tuple(replace(die, thrown=True) for die in dice)
    dice = tuple(
        _apply_mark(die, marks.get(number), None if first_roll else lying[number], fixed)
        for number, die in enumerate(dice)
    )
    if not any(die.thrown for die in dice):
        return Tray(TrayStatus.LYING, dice, len(seen.dice))
    sure = all(die.sure and not die.bumped for die in dice)
    return Tray(TrayStatus.READY if sure else TrayStatus.UNSURE, dice, len(seen.dice))


def _apply_mark(
    die: TrayDie, mark: TrayMark | None, before: TrayDie | None, fixed: frozenset[str]
) -> TrayDie:
    """Apply a player's correction. `before`: the die as accepted, None before the first roll."""
    if mark is None:
        return die
    face = die.face if mark.face is None else mark.face
    said = die.said or mark.face is not None
    if before is None:
        return replace(die, face=face, sure=die.sure or mark.face is not None, said=said)
    if mark.thrown is False:
        return replace(
            die, face=before.face, sure=True, thrown=False, said=before.said, bumped=False
        )
    thrown = die.thrown
    if mark.thrown:
        thrown = True
        if die.bumped and mark.face is None:
            face = die.read
    elif mark.face is not None:
        # A die with a new face was thrown; one with the same face in place was misread.
        put_back = face in fixed
        same = face == before.face and (put_back or lies_on(die, before))
        thrown = face != before.face or (thrown and not same)
    sure = die.sure or mark.face is not None
    return replace(die, face=face, sure=sure, thrown=thrown, said=said, bumped=False)


def _by_hand(
    lying: Sequence[TrayDie], marks: Mapping[int, TrayMark], wished: Collection[int]
) -> Tray:
    dice = []
    for number in range(DICE):
        mark = marks.get(number, TrayMark())
        if mark.face is not None:
            dice.append(TrayDie(mark.face, thrown=True, sure=True, said=True))
        elif lying and (number not in wished or mark.thrown is False):
            die, thrown = lying[number], mark.thrown is True
            dice.append(die if die.thrown == thrown else replace(die, thrown=thrown))
        else:
            dice.append(TrayDie(None, thrown=True, sure=False))
    if not any(die.thrown for die in dice):
        return Tray(TrayStatus.LYING, tuple(dice), DICE)
    if not marks:
        return Tray(TrayStatus.EMPTY, tuple(dice))
    complete = all(die.face is not None for die in dice)
    return Tray(TrayStatus.READY if complete else TrayStatus.INCOMPLETE, tuple(dice), DICE)


def tell_kept_from_thrown(
    seen: Sequence[TrayDie],
    lying: Sequence[TrayDie],
    stayed: Sequence[TrayDie],
    fixed: frozenset[str],
) -> tuple[dict[int, TrayDie], list[TrayDie]]:
    """Return the dice that were kept, by number, and those that were thrown."""
    numbered: dict[int, TrayDie] = {}
    thrown = []
    known = {die.track: find_same(die, lying) for die in stayed}
    for die in seen:
        number = find_same(die, lying)
        if number is None or number in numbered:
            thrown.append(die)
        else:
            # Once accepted, its face is certain. But after it was seen in the
            # hand, nobody can tell whether it was thrown and landed here, or was put back.
            back = bool(stayed) and number not in known.values()
            numbered[number] = replace(
                die,
                face=lying[number].face,
                thrown=False,
                sure=True,
                said=lying[number].said,
                bumped=back,
            )
    for die in tuple(thrown):
        number = None if die.track is None else known.get(die.track)
        if number is not None and number not in numbered:
            thrown.remove(die)
            numbered[number] = replace(die, face=lying[number].face, thrown=False, bumped=True)
    for number, before in enumerate(lying):
        if before.face in fixed and number not in numbered:
            same = next((die for die in thrown if die.face == before.face), None)
            if same is not None:
                thrown.remove(same)
                numbered[number] = replace(same, thrown=False)
    return numbered, thrown


def choices_beside(
    missing: int,
    free: Collection[int],
    lying: Sequence[TrayDie],
    marks: Mapping[int, TrayMark],
    fixed: frozenset[str],
) -> tuple[tuple[int, ...], ...]:
    """Return the choices of `missing` dice, of those that moved, that may lie beside the tray.

    Dice with the same face are one choice. Players' answers decide, if possible; a
    dynamite that may not be thrown lies there, and dice that lay there before still do.
    """
    said = {number: mark.thrown for number, mark in marks.items()}
    may = {number for number in free if not said.get(number)}
    must = {number for number in may if said.get(number) is False or lying[number].face in fixed}
    before = {number for number in may if lying[number].place is None}
    if len(must | before) <= missing:
        must |= before
    elif len(must) <= missing:
        may = must | before
    choices = {
        tuple(sorted(str(lying[number].face) for number in chosen)): chosen
        for chosen in combinations(sorted(may, reverse=True), missing)
        if must <= set(chosen)
    }
    if not choices and said:
        return choices_beside(missing, free, lying, {}, fixed)
    return tuple(sorted(tuple(sorted(chosen)) for chosen in choices.values()))


# What the camera and moves of the game change


def camera_of(tray: TrayState) -> Watched | None:
    """Return the camera's observation, also while players enter the roll; None without a camera."""
    match tray:
        case Watched():
            return tray
        case ByHand(watched):
            return watched
        case Unwatched():
            return None


def last_accepted(tray: TrayState) -> TrayObservation:
    """Return the camera's observation of the dice accepted last."""
    return tray.watched.accepted if isinstance(tray, ByHand) else tray.accepted


def camera_works(tray: TrayState) -> TrayState:
    """Return the tray once a camera works; earlier observations and corrections no longer count.

    After a restart, earlier corrections count while the camera sees the same dice.
    """
    before = _before(tray)
    if before is not tray:
        return before
    return Watched(EMPTY, EMPTY, accepted=last_accepted(tray))


def camera_fails(tray: TrayState) -> TrayState:
    """Return the tray once no camera works."""
    return Unwatched(last_accepted(tray))


def observe(tray: TrayState, seen: TrayObservation) -> TrayState:
    """Return the tray after a new observation."""
    if isinstance(tray, Unwatched):
        tray = camera_works(tray)
    if isinstance(tray, ByHand):
        empty = seen.verdict is TrayVerdict.EMPTY
        stayed = () if empty else tray.watched.stayed
        return replace(tray, watched=replace(tray.watched, now=seen, stayed=stayed))
    assert isinstance(tray, Watched)
    tray = replace(tray, now=seen)
    if seen.sight is Sight.STILL:
        if not is_unmoved(seen, tray.at_rest):
            tray = replace(tray, marks={}, count=COUNT_IS_RIGHT)
        tray = replace(tray, at_rest=seen)
    return replace(tray, stayed=()) if seen.verdict is TrayVerdict.EMPTY else tray


def next_roll(tray: TrayState, accepted: TrayObservation | None = None) -> TrayState:
    """Return the tray once the game has moved on, which ends players' corrections.

    accepted: the camera's observation of the dice just accepted; None if none were.
    """
    before = last_accepted(tray)
    seen = camera_of(tray)
    if seen is None:
        return Unwatched(before if accepted is None else accepted)
    return Watched(seen.now, seen.at_rest, before if accepted is None else accepted)


def corrections_of(state: TrayState, dice: Sequence[TrayDie]) -> tuple[Correction, ...]:
    """Return how players corrected a roll. dice: the five dice as they are shown."""
    match state:
        case Watched():
            return (*_of_count(state), *_of_dice(state, dice))
        case ByHand() if state.marks:
            by = [mark.by for mark in state.marks.values() if mark.by is not None]
            return (Correction(CorrectionKind.BY_HAND, by[-1] if by else None),)
    return ()


def _of_count(state: Watched) -> Sequence[Correction]:
    count = state.count
    return [
        *(Correction(CorrectionKind.LEFT_OUT, count.by) for _ in count.left_out),
        *(Correction(CorrectionKind.ADDED, count.by, after=face) for face in count.added),
    ]


def _of_dice(state: Watched, dice: Sequence[TrayDie]) -> Sequence[Correction]:
    doubted = {die.place for die in state.now.dice if not die.sure}
    found = []
    for number, said in sorted(state.marks.items()):
        if number >= len(dice):
            continue
        die = dice[number]
        pictured = die.place is not None
        if said.face is not None and (die.place in doubted or said.face != die.read):
            before = None if die.place in doubted else die.read
            kind = CorrectionKind.FACE
            found.append(Correction(kind, said.by, number, before, said.face, pictured))
        if said.thrown is not None:
            kind = CorrectionKind.THROWN if said.thrown else CorrectionKind.KEPT
            found.append(Correction(kind, said.by, number, after=die.face, pictured=pictured))
    return found


def _before(tray: TrayState) -> TrayState:
    """Return the tray as it was before a restart, until a camera works again."""
    before = tray.before if isinstance(tray, Unwatched) else None
    return tray if before is None else before


def still(verdict: TrayVerdict, dice: "Sequence[FollowedDie]") -> TrayObservation:
    """Return the observation of a tray at rest from its reading."""
    return TrayObservation(
        Sight.STILL,
        verdict,
        tuple(
            TrayDie(
                face=die.face,
                thrown=True,
                sure=die.sure,
                likely=tuple(die.likely),
                # Each correction saves the places: tenths of a pixel are precise enough.
                place=Place(round(die.x, 1), round(die.y, 1), round(die.size, 1)),
                read=die.face,
                track=die.number,
                leans=die.leans,
            )
            for die in sorted(dice, key=lambda die: (die.x, die.y))
        ),
    )


def is_unmoved(seen: TrayObservation, other: TrayObservation) -> bool:
    """Return whether both show the same dice, lying still."""
    same = len(seen.dice) == len(other.dice)
    return seen is other or (
        same and all(find_same(die, other.dice) is not None for die in seen.dice)
    )


def lies_on(die: TrayDie, other: TrayDie) -> bool:
    """Return whether the camera sees a die in the place of another."""
    return bool(die.place and other.place and lies_there(die.place, other.place))


def find_same(die: TrayDie, others: Sequence[TrayDie]) -> int | None:
    """Return the number of the die among `others` that is this die, or None."""
    for number, other in enumerate(others):
        same = die.read in (other.read, other.face) or (
            not die.sure and other.face in die.likely[:LIKELY]
        )
        if same and lies_on(die, other):
            return number
    return None

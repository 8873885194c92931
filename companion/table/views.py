"""What each phone may see of the table: an allow-list, built field by field.

Nothing else of a `Scene` is sent to phones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from companion.base.refused import Problem, Refused
from companion.games.game import Odds, Selection, Standing
from companion.table.changes import decides, may_undo, person_here, seat_of, seats_without_phone
from companion.table.dealing import Dealing, EliminatedSee, EntryError
from companion.table.history import EntryStatus, Undone, to_undo
from companion.table.journal.saved import Person
from companion.table.scene import CameraStatus, Choices, Phase, Scene, SeatNews, Trouble
from companion.table.seats import characters_to_keep, voters_on, votes_needed
from companion.table.surface.interface import EarlySurface, Signal, SurfaceView


class PersonView(NamedTuple):
    """A person at the table, as everybody sees them."""

    id: int
    """Stays the same while they are at the table."""
    name: str
    """Their name."""
    has_phone: bool
    """Whether their own phone holds their seat."""
    host: bool
    """Whether they are the host."""
    left: bool = False
    """Whether they left during the game, so that the next one is dealt without them."""
    stand_in: str = ""
    """How a stand-in plays for them; empty if none does."""
    keeps: str = ""
    """In the lobby, the character that they keep for the next game; empty if none."""


class GuestView(NamedTuple):
    """A guest who waits for the next game, as everybody sees them."""

    id: int
    """Stays the same while they wait."""
    name: str
    """Their name."""


class ToEnter(NamedTuple):
    """What a player must still enter."""

    roles: tuple[str, ...]
    """The roles to choose from; empty if none is asked for."""
    characters: tuple[str, ...]
    """The characters to choose from; empty if none is asked for."""


class DealingView(NamedTuple):
    """Cards being dealt, as one phone may see them."""

    round: int
    """What an entry must name."""
    entered: tuple[bool, ...]
    """By seat, whether everything is entered."""
    wrong: tuple[EntryError, ...]
    """Why all players must enter their cards again."""
    to_enter: Mapping[int, ToEnter]
    """By seat, for those whose cards are entered on this phone."""


class ClaimView(NamedTuple):
    """A phone's request for a seat."""

    number: int
    """What an answer must name."""
    name: str
    """Whose seat it asks for."""
    mark: str
    """What the phone shows."""
    grants: bool
    """Whether this phone may say yes."""


class BidView(NamedTuple):
    """A player who asks to be the host."""

    person: int
    """Who asks."""
    name: str
    """Their name."""
    yes: int
    """How many phones have agreed."""
    needed: int
    """How many must agree; 0 if there is nobody to ask."""
    asked: bool
    """Whether this phone must still answer."""


@dataclass(frozen=True, slots=True)
class RequestsView:
    """What phones ask of those at the table, as one phone may see it."""

    queue: tuple[GuestView, ...]
    """The guests who wait for the next game, in order."""
    claims: tuple[ClaimView, ...] = ()
    """The requests for seats that this phone may answer."""
    bid: BidView | None = None
    """A player's request to become the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView(SurfaceView):
    """What one phone, or the table page, may see.

    It is the same for everybody but for the fields with a default, `dealing` and `guesses`.
    """

    version: int
    """Counts the changes that outdate what pages offer; presses send it."""
    reading: int
    """Counts the changes of `tray` and `pile`; presses about dice or cards send it."""
    phase: Phase
    """The phase of the evening."""
    code: str
    """The join code."""
    selection: Selection
    """The current selection; in the lobby, the next one."""
    games: tuple[str, ...]
    """The games that can be played, by the names in their records."""
    people: tuple[PersonView, ...]
    """The people at the table, clockwise; during a game, by seat."""
    person: int | None = None
    """The viewer; None for spectators."""
    seat: int | None = None
    """The viewer's seat in the game; None for others and before a game."""
    host: bool = False
    """Whether the viewer is the host."""
    decides: tuple[int, ...] = ()
    """The seats whose decisions are made on this phone."""
    passed_around: tuple[int, ...] = ()
    """Those of them whose players have no phone."""
    game: Any
    """What everybody may see of the game (`Game.public_view`), for its pages; None without one."""
    standing: Standing | None
    """The game's standing; None without one."""
    game_number: int
    """The number of the game; 0 without one."""
    question: Any
    """The decision to make (`Game.question`), on any phone; None if there is none."""
    rolling: bool
    """Whether dice are awaited."""
    signal: Signal
    """What the status light shows."""
    camera: CameraStatus
    """What reads the dice."""
    story: tuple[Any, ...]
    """Everything that happened in the game, undone or not, as `History.story` has it; last, the
    corrections of the dice that wait to be accepted."""
    statuses: tuple[EntryStatus, ...]
    """What became of each entry of the story."""
    latest: int
    """The number of the first move that the last press, or the last card, made."""
    reasons: Mapping[int, tuple[object, ...]]
    """Why stand-ins decided as they did, by the number of the move; public, as the game has it."""
    back_to: tuple[int, ...] = ()
    """The numbers of moves that this phone may go back to; empty if it may not undo."""
    notice: object
    """Why the last press of a button changed nothing; empty if it did."""
    troubles: Mapping[Trouble, str]
    """Parts that are failing, each with the reason."""
    to_undo: Undone | None = None
    """What an undo from this phone would take back; None if it may not undo."""
    learned: Mapping[str, int]
    """How many pictures of each face the reader has learned while playing."""
    choices: Choices
    """What players chose for the evening."""
    dealing: DealingView | None
    """The dealing while cards are being entered."""
    requests: RequestsView
    """What phones ask of those at the table, as far as this phone is concerned."""
    resumed: bool
    """Whether an undo resumed the game after its end, when all roles had been shown."""
    news: SeatNews
    """What changed about the seats."""
    fallen_see_roles: bool
    """Whether eliminated players may look at all roles."""
    fallen: bool = False
    """Whether the viewer is eliminated, in a running game."""
    sees_roles: bool = False
    """Whether the viewer may look at all roles now."""
    odds: Odds | None = None
    """The odds of each side; only for eliminated players."""
    guesses: Mapping[int, str]
    """Guesses by seat: the viewer's own; after the game, everybody's."""
    sides: tuple[str, ...]
    """The sides that can win the game."""
    events: tuple[Any, ...]
    """After the game, what happened and wasn't undone."""


def role_at(scene: Scene, person: int | None, seat: int) -> str:
    """Return the role at `seat`, for its owner or for the host, whose phone is passed round."""
    role = None
    if seat in decides(scene, person):
        if scene.history is not None:
            role = scene.history.game.roles(scene.history.state)[seat]
        elif scene.dealing is not None:
            role = scene.dealing.roles[seat]
    if not role:
        raise Refused(Problem.FORBIDDEN, "you can’t see this role")
    return role


def hand_at(scene: Scene, person: int | None, seat: int) -> Any:
    """Return the hand at `seat` (`HandRules.hand`), as `role_at` returns its role."""
    history = scene.history
    if history is None or history.game.hands is None or seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "you can’t see this hand")
    return history.game.hands.hand(history.state, seat)


def all_roles(scene: Scene, person: int | None) -> tuple[str, ...]:
    """Return all roles by seat, for an eliminated player if the table allows it."""
    if scene.history is None or not Viewer().view(scene, person).sees_roles:
        raise Refused(Problem.FORBIDDEN, "you can’t see the roles")
    return scene.history.game.roles(scene.history.state)


def may_see_chances(view: TableView) -> bool:
    """Return whether a phone may see chances: a spectator's, or that of an eliminated player.

    A phone that decides for a living player may not, even in the hands of an eliminated one.
    """
    alive = view.standing.alive if view.standing else ()
    playing = view.seat is not None and bool(alive) and not view.fallen
    return not playing and not any(alive[seat] for seat in view.decides if seat < len(alive))


class Viewer:
    """Works out views: what everybody may see, once for each scene, and what one phone adds."""

    def __init__(self) -> None:
        self._last: tuple[Scene, TableView] | None = None

    def view(self, scene: Scene, person: int | None = None) -> TableView:
        """Return what the phone of `person` may see or, without one, what everybody may."""
        last = self._last
        if last is None or last[0] is not scene:
            # Two threads may both work it out, with the same result.
            last = self._last = scene, _of_everybody(scene)
        here = person_here(scene, person)
        return last[1] if here is None else _of_person(scene, here, last[1])


def _of_everybody(scene: Scene) -> TableView:
    """Return what everybody may see."""
    history = scene.history
    phase, standing = scene.phase, history.standing if history else None
    over = phase is Phase.OVER
    chosen = scene.choices.options.fallen
    keeps = characters_to_keep(scene) if phase is Phase.LOBBY else {}
    tray = scene.surface.view(history, scene.shown, scene.version, works=scene.camera.works)
    return TableView(
        version=scene.version,
        reading=scene.reading,
        phase=phase,
        code=scene.code,
        selection=history.selection if history else scene.selection,
        games=tuple(scene.environment.games),
        people=tuple(
            PersonView(
                entry.id,
                entry.name,
                entry.token is not None,
                entry.host,
                entry.id in scene.left,
                scene.stand_ins.levels.get(entry.id, ""),
                keeps.get(seat, ""),
            )
            for seat, entry in enumerate(scene.people)
        ),
        # Pages don't even contain a player's own role: `role_at` returns it on request.
        game=history.game.public_view(history.state) if history else None,
        standing=standing,
        game_number=history.number if history else 0,
        question=history.game.question(history.state) if history else None,
        **{each.name: getattr(tray, each.name) for each in fields(tray)},
        rolling=standing is not None and standing.rolling,
        signal=scene.signal,
        camera=scene.camera,
        story=history.story + scene.corrections if history else (),
        statuses=history.statuses + (EntryStatus(len(history.moments)),) * len(scene.corrections)
        if history
        else (),
        latest=scene.latest or (len(history.moments) - 1 if history else 0),
        reasons=scene.stand_ins.reasons,
        notice=scene.notice,
        troubles=scene.troubles,
        learned=scene.learned,
        choices=scene.choices,
        dealing=_dealing_view(scene.dealing, ()) if scene.dealing else None,
        resumed=history.resumed if history else False,
        news=scene.news,
        requests=RequestsView(
            tuple(GuestView(guest.id, guest.name) for guest in scene.requests.queue)
        ),
        fallen_see_roles=scene.environment.fallen_see_roles
        if chosen is None
        else chosen is EliminatedSee.ROLES,
        # A guess may give away what its player knows, so others only see it after the game.
        guesses=history.guesses if history and over else {},
        sides=history.game.sides(len(scene.people)) if history else (),
        events=history.events if history and over else (),
    )


def _of_person(scene: Scene, here: Person, everybody: TableView) -> TableView:
    """Return what the phone of a person at the table may see."""
    history, seat, seats = scene.history, seat_of(scene, here), decides(scene, here.id)
    over = everybody.phase is Phase.OVER
    alive = everybody.standing.alive if everybody.standing else ()
    fallen = bool(alive) and seat is not None and not over and not alive[seat]
    undoes = may_undo(scene, here)
    own = (
        {other: side for other, side in history.guesses.items() if other == seat} if history else {}
    )
    return replace(
        everybody,
        person=here.id,
        seat=seat,
        host=here.host,
        decides=seats,
        passed_around=seats_without_phone(scene) if here.host and seat is not None else (),
        early=scene.surface.early_answers(history, seats)
        if history and isinstance(scene.surface, EarlySurface)
        else everybody.early,
        back_to=history.landings if history and undoes else (),
        to_undo=to_undo(history, scene.people.index(here)) if history and undoes else None,
        dealing=_dealing_view(scene.dealing, seats) if scene.dealing else None,
        requests=replace(
            everybody.requests, claims=_claims(scene, here), bid=_bid_view(scene, here)
        ),
        fallen=fallen,
        sees_roles=fallen and everybody.fallen_see_roles,
        # A phone that decides for a living player doesn't get them.
        odds=scene.odds if fallen and not any(alive[other] for other in seats) else None,
        guesses=everybody.guesses if over else own,
    )


def _dealing_view(dealing: Dealing, decides: tuple[int, ...]) -> DealingView:
    return DealingView(
        round=dealing.round,
        entered=tuple(dealing.has_entered(seat) for seat in range(len(dealing.roles))),
        wrong=dealing.wrong,
        to_enter={
            seat: ToEnter(
                dealing.deck.role_kinds if dealing.roles[seat] is None else (),
                dealing.offers[seat] if dealing.characters[seat] is None else (),
            )
            for seat in decides
        },
    )


def _claims(scene: Scene, here: Person) -> tuple[ClaimView, ...]:
    """Return the claims a phone may answer: the host's all, others those for their own seat."""
    names = {person.id: person.name for person in scene.people}
    return tuple(
        ClaimView(claim.number, names[claim.person], claim.mark, here.host)
        for claim in scene.requests.claims
        if here.host or claim.person == here.id
    )


def _bid_view(scene: Scene, here: Person) -> BidView | None:
    bid = scene.requests.bid
    if bid is None:
        return None
    voters = voters_on(scene, bid)
    return BidView(
        person=bid.person,
        name=next(person.name for person in scene.people if person.id == bid.person),
        yes=sum(bid.votes.get(person, False) for person in voters),
        needed=votes_needed(scene, bid),
        asked=here.host or (here.id in voters and here.id not in bid.votes),
    )

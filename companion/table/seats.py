"""Who sits at the table, and which phone holds which seat.

A seat passes to another phone in one way only: that phone asks for it (`claim`), and the host
agrees (`answer_claim`). The host's role passes differently (`bid`, `vote`), without giving a seat.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.base.names import check_name
from companion.base.refused import Problem, Refused
from companion.table.changes import Permission, change, check_code, claim_of, digest, guest_of
from companion.table.dealing import CharacterSource
from companion.table.journal.saved import Person
from companion.table.scene import (
    Bid,
    Claim,
    Guest,
    LastGame,
    News,
    NewsKind,
    Phase,
    Scene,
    SeatNews,
    renew,
)

MAX_PEOPLE = 8

MAX_GUESTS = 8
"""How many guests can wait for the next game."""

MOST_NEWS = 100
"""How many changes of seats the story of a game keeps."""

_MARKS = tuple(f"{number:02}" for number in range(100))
"""Signs by which the host recognises the phone that asks for a seat."""


def find(scene: Scene, person: int | None) -> Person:
    """Return a person at the table."""
    for entry in scene.people:
        if entry.id == person:
            return entry
    raise Refused(Problem.ILLEGAL, "this player is no longer at the table")


def _holder(scene: Scene, person: int | None) -> Person:
    """Return the person whose phone sent a press."""
    entry = find(scene, person)
    if entry.token is None:
        raise Refused(Problem.FORBIDDEN, "this phone has no seat at the table")
    return entry


@change(versioned=False)
def join(scene: Scene, _: int | None, name: str, code: str, secret: str) -> Scene:
    """Give a phone a seat, which it holds by its secret.

    The first to join is the host and needs no code. During a game, or at a full table, the phone
    waits for the next game.
    """
    if scene.people:
        check_code(scene, code)
    if scene.phase is not Phase.LOBBY or len(scene.people) == MAX_PEOPLE:
        return _wait(scene, name, digest(secret))
    host = not any(person.host for person in scene.people)
    return sit(scene, name, digest(secret), host=host)


# Before the game


@change(Permission.HOST, phase=Phase.LOBBY)
def add_person(scene: Scene, _: int | None, name: str) -> Scene:
    """Add a player without a phone."""
    return sit(scene, name, None, host=False)


def sit(scene: Scene, name: str, token: str | None, *, host: bool) -> Scene:
    """Return the scene with one more person. Raises Refused."""
    people = scene.people
    name = check_name(name, names(scene))
    if len(people) == MAX_PEOPLE:
        raise Refused(Problem.ILLEGAL, "all %(most)s seats are taken", most=MAX_PEOPLE)
    number = 1 + max((entry.id for entry in people), default=0)
    return renew(_seat_people(scene, (*people, Person(number, name, token, host))))


def names(scene: Scene) -> list[str]:
    """Return the names of everybody who plays or waits."""
    return [person.name for person in scene.people] + [guest.name for guest in scene.requests.queue]


@change(Permission.HOST, phase=Phase.LOBBY)
def order_people(scene: Scene, _: int | None, order: Sequence[int]) -> Scene:
    """Seat all players in this order, clockwise."""
    people = {person.id: person for person in scene.people}
    if sorted(order) != sorted(people):
        raise Refused(Problem.STALE, "The players have changed. Check the page, then try again.")
    return renew(_seat_people(scene, [people[person] for person in order]))


@change(Permission.HOST, phase=Phase.LOBBY)
def remove_person(scene: Scene, host: int | None, removed: int) -> Scene:
    """Remove a player from the table."""
    if removed == host:
        raise Refused(Problem.ILLEGAL, "the host can’t be removed")
    return with_guests(_remove(scene, removed), MAX_PEOPLE)


def _remove(scene: Scene, person: int) -> Scene:
    """Return the scene without a player; the next phone clockwise takes over from a host."""
    entry = find(scene, person)
    place = scene.people.index(entry)
    others = scene.people[:place] + scene.people[place + 1 :]
    if entry.host:
        others = _host_passed_on(scene.people, place, others)
    sheriff, survivors = scene.last.sheriff, scene.last.survivors
    if sheriff == person:
        # The player to their left is still the next one.
        sheriff = scene.people[place - 1].id if others else 0
    left = replace(
        with_stand_in(_without_requests(_seat_people(scene, others), person), person),
        last=LastGame(sheriff, {one: kept for one, kept in survivors.items() if one != person}),
        left=scene.left - {person},
    )
    return renew(with_news(left, *_new_host(scene.people, others)))


def with_stand_in(scene: Scene, person: int, level: str = "") -> Scene:
    """Return the scene in which a stand-in of a level plays for a person; without one, nobody."""
    others = {other: at for other, at in scene.stand_ins.levels.items() if other != person}
    stand_ins = replace(scene.stand_ins, levels=others | ({person: level} if level else {}))
    return replace(scene, stand_ins=stand_ins, surface=scene.surface.unwish())


@change()
def leave(scene: Scene, person: int | None) -> Scene:
    """Leave the table; during a game the seat stays, without a phone, until the next game."""
    entry = find(scene, person)
    if scene.phase is Phase.LOBBY:
        return with_guests(_remove(scene, entry.id), MAX_PEOPLE)
    left = _without_phone(scene, entry.id, NewsKind.LEFT)
    return replace(left, left=left.left | {entry.id})


@change(Permission.HOST)
def take_phone(scene: Scene, host: int | None, person: int) -> Scene:
    """Let the host decide for a player who lost their phone."""
    if person == host:
        raise Refused(Problem.ILLEGAL, "the host needs a phone")
    return _without_phone(scene, person, NewsKind.PHONELESS)


def _without_phone(scene: Scene, person: int, why: NewsKind) -> Scene:
    """Return the scene with a seat taken from its phone; the host decides for it."""
    entry = find(scene, person)
    if entry.token is None:
        raise Refused(Problem.ILLEGAL, "%(name)s has no phone", name=entry.name)
    before, place = scene.people, scene.people.index(entry)
    people = _with_entry(scene.people, replace(entry, token=None))
    if entry.host:
        people = _host_passed_on(scene.people, place, people)
        if not any(other.host for other in people):
            raise Refused(Problem.ILLEGAL, "yours is the only phone at the table")
    claims = scene.requests.claims
    scene = _without_requests(_seat_people(scene, people), person).ask(claims=claims)
    return renew(with_news(scene, News(why, entry.name), *_new_host(before, people)))


# Guests, who wait for the next game


def _wait(scene: Scene, name: str, token: str) -> Scene:
    """Return the scene with a phone in the queue for the next game."""
    name = check_name(name, names(scene))
    if len(scene.requests.queue) == MAX_GUESTS:
        raise Refused(Problem.ILLEGAL, "%(most)s guests are waiting already", most=MAX_GUESTS)
    number = 1 + max((guest.id for guest in scene.requests.queue), default=0)
    queued = scene.ask(queue=(*scene.requests.queue, Guest(number, name, token)))
    # The host who deals the next game has seen who will be in it.
    return renew(queued) if scene.phase is Phase.OVER else queued


@change(versioned=False)
def leave_queue(scene: Scene, _: int | None, guest: Guest | None) -> Scene:
    """Wait for the next game no longer."""
    return _without_guest(scene, guest)


@change(Permission.HOST, versioned=False)
def remove_guest(scene: Scene, _: int | None, number: int) -> Scene:
    """Remove a guest from the queue."""
    queue = scene.requests.queue
    return _without_guest(scene, next((guest for guest in queue if guest.id == number), None))


def _without_guest(scene: Scene, guest: Guest | None) -> Scene:
    if guest not in scene.requests.queue:
        raise Refused(Problem.STALE, "this guest is no longer waiting")
    return scene.ask(queue=tuple(other for other in scene.requests.queue if other != guest))


def for_next_game(scene: Scene, most: int) -> Scene:
    """Return the scene between two games: without those who left, and with guests seated.

    most: how many can play.
    """
    for person in sorted(scene.left):
        scene = _remove(scene, person)
    return with_guests(scene, most)


def with_guests(scene: Scene, most: int) -> Scene:
    """Return the scene with guests in the free seats, in the order in which they came."""
    news, free = scene.news, max(0, most - len(scene.people))
    seated, waiting = scene.requests.queue[:free], scene.requests.queue[free:]
    scene = scene.ask(queue=waiting)
    for guest in seated:
        host = not any(person.host for person in scene.people)
        scene = sit(scene, guest.name, guest.token, host=host)
    return replace(scene, news=news)


# A seat on another phone, another host. These changes concern seats, not what a page shows of the
# game. They need no version and leave half-given answers on other phones alone.


@change(versioned=False)
def claim(
    scene: Scene,
    _: int | None,
    person: int,
    code: str,
    secret: str,
    before: str = "",
    address: str = "",
) -> Scene:
    """Ask for a seat from a phone that holds none, which its secret will open.

    It opens nothing until the host agrees. before: the secret that the same phone had when it last
    asked, or waited; address: where it asks from, which can ask for one seat at a time.
    """
    check_code(scene, code)
    earlier = claim_of(scene, before)
    others = tuple(asked for asked in scene.requests.claims if asked != earlier)
    if address and any(asked.address == digest(asked.token + address) for asked in others):
        raise Refused(
            Problem.ILLEGAL,
            "another phone at your address has asked for a seat: the host must answer it first",
        )
    find(scene, person)
    if any(asked.person == person for asked in others):
        # Otherwise the host's yes to one phone could reach another.
        raise Refused(
            Problem.ILLEGAL, "another phone has asked for this seat: the host must answer it first"
        )
    marks = {asked.mark for asked in others}
    mark = secrets.choice([mark for mark in _MARKS if mark not in marks])
    token = digest(secret)
    asked_from = digest(token + address) if address else ""
    request = Claim(secrets.randbelow(10**9), person, token, mark, asked_from)
    scene = scene.ask(claims=(*others, request))
    guest = guest_of(scene, before)
    return scene if guest is None else _without_guest(scene, guest)


@change(versioned=False)
def answer_claim(scene: Scene, person: int | None, number: int, *, yes: bool) -> Scene:
    """Answer a phone's request for a seat.

    The host may say yes or no, the player who holds the seat only no, and nobody else may answer.
    """
    looker = _holder(scene, person)
    found = next((claim for claim in scene.requests.claims if claim.number == number), None)
    if found is None:
        raise Refused(Problem.STALE, "this request is closed")
    if not looker.host and (yes or found.person != person):
        raise Refused(Problem.FORBIDDEN, "only the host can do that")
    return _grant(scene, found) if yes else _withdrawn(scene, found)


@change(versioned=False)
def withdraw_claim(scene: Scene, _: int | None, asked: Claim | None) -> Scene:
    """Withdraw the request for a seat."""
    return _withdrawn(scene, asked)


def _withdrawn(scene: Scene, asked: Claim | None) -> Scene:
    if asked not in scene.requests.claims:
        raise Refused(Problem.STALE, "this request is closed")
    return scene.ask(claims=tuple(claim for claim in scene.requests.claims if claim != asked))


def _grant(scene: Scene, claim: Claim) -> Scene:
    entry = replace(find(scene, claim.person), token=claim.token)
    claims = tuple(other for other in scene.requests.claims if other.person != claim.person)
    moved = _seat_people(scene, _with_entry(scene.people, entry)).ask(claims=claims)
    moved = replace(with_stand_in(moved, entry.id), left=scene.left - {entry.id})
    return with_news(moved, News(NewsKind.MOVED, entry.name))


# Another host


@change(versioned=False)
def bid(scene: Scene, person: int | None) -> Scene:
    """Ask the other phones to make you the host."""
    entry = _holder(scene, person)
    if entry.host:
        raise Refused(Problem.ILLEGAL, "you are already the host")
    if scene.requests.bid is not None:
        raise Refused(Problem.ILLEGAL, "the phones are already being asked")
    return scene.ask(bid=Bid(entry.id, {}))


@change(versioned=False)
def vote(scene: Scene, person: int | None, candidate: int, *, yes: bool) -> Scene:
    """Answer a player who asks to be the host.

    In a game, more than half of its phones must agree, not counting theirs and the host's. In the
    lobby, where anybody can sit down, all of them must. If the host's phone answers, it decides
    alone. The player may take the request back.
    """
    asked, looker = scene.requests.bid, _holder(scene, person)
    if asked is None or asked.person != candidate:
        raise Refused(Problem.STALE, "this request is closed")
    if looker.host:
        return _host(scene, candidate) if yes else scene.ask(bid=None)
    if looker.id == candidate:
        if yes:
            raise Refused(Problem.FORBIDDEN, "the other phones must agree")
        return scene.ask(bid=None)
    asked = replace(asked, votes={**asked.votes, looker.id: yes})
    said = [asked.votes.get(voter) for voter in voters_on(scene, asked)]
    needed = votes_needed(scene, asked)
    if said.count(True) >= needed:
        return _host(scene, candidate)
    return scene.ask(bid=None if said.count(False) > len(said) - needed else asked)


@change(versioned=False)
def vouch(scene: Scene, _: int | None) -> Scene:
    """Grant a request that only the host's lost phone could, because both buttons are held.

    That is a player's request to be the host or, where no other phone holds a seat, a new phone's
    request for the host's seat.
    """
    if scene.requests.bid is not None:
        return _host(scene, scene.requests.bid.person)
    host = next((person for person in scene.people if person.host), None)
    others = any(person.token and not person.host for person in scene.people)
    wanted = [claim for claim in scene.requests.claims if host and claim.person == host.id]
    if others or not wanted:
        raise Refused(Problem.ILLEGAL, "nobody has asked to be the host")
    return _grant(scene, wanted[0])


def _host(scene: Scene, person: int) -> Scene:
    people = [replace(entry, host=entry.id == person) for entry in scene.people]
    changed = _seat_people(scene, people).ask(bid=None)
    return with_news(changed, News(NewsKind.HOST, find(scene, person).name))


def _host_passed_on(
    before: Sequence[Person], place: int, people: Sequence[Person]
) -> tuple[Person, ...]:
    """Make the next player with a phone the host, clockwise from the earlier `place`."""
    heirs = [*before[place + 1 :], *before[:place]]
    heir = next((person.id for person in heirs if person.token is not None), None)
    return tuple(replace(person, host=person.id == heir) for person in people)


def voters_on(scene: Scene, bid: Bid) -> tuple[int, ...]:
    """Return the voters on a bid: all phones but the host's and the asking player's."""
    return tuple(
        person.id
        for person in scene.people
        if person.token is not None and not person.host and person.id != bid.person
    )


def votes_needed(scene: Scene, bid: Bid) -> int:
    """Return how many phones must agree to a bid; 0 if there are none to ask."""
    voters = len(voters_on(scene, bid))
    if scene.phase is Phase.LOBBY:
        # Strangers who sat down could outvote the others, but can't override a no.
        return voters
    return voters // 2 + 1 if voters else 0


def _new_host(before: Sequence[Person], after: Sequence[Person]) -> tuple[News, ...]:
    """Return the news of who is the host now; empty if that has not changed."""
    was = {person.id for person in before if person.host}
    return tuple(
        News(NewsKind.HOST, person.name) for person in after if person.host and person.id not in was
    )


def with_news(scene: Scene, *news: News) -> Scene:
    """Return the scene with news of seats, which the story of a game keeps."""
    if scene.phase is Phase.LOBBY:
        return replace(scene, news=replace(scene.news, latest=news))
    return replace(scene, news=SeatNews(news, (*scene.news.all, *news)[-MOST_NEWS:]))


def _seat_people(scene: Scene, people: Sequence[Person]) -> Scene:
    return replace(scene, people=tuple(people), notice="", news=replace(scene.news, latest=()))


def _with_entry(people: Sequence[Person], entry: Person) -> tuple[Person, ...]:
    return tuple(entry if person.id == entry.id else person for person in people)


def _without_requests(scene: Scene, person: int) -> Scene:
    """Return the scene without a person's requests and those for their seat."""
    claims = tuple(claim for claim in scene.requests.claims if claim.person != person)
    bid = scene.requests.bid
    if bid and (bid.person == person or find(scene, bid.person).host):
        bid = None
    return scene.ask(claims=claims, bid=bid)


def characters_to_keep(scene: Scene) -> Mapping[int, str]:
    """Return the characters that survivors of the last game keep, by seat."""
    chosen = scene.choices.options.characters is CharacterSource.KEPT
    if not chosen or scene.selection.game.characters is None:
        return {}
    survivors = scene.last.survivors
    return {
        seat: survivors[person.id]
        for seat, person in enumerate(scene.people)
        if person.id in survivors
    }

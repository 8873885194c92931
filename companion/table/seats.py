"""Who sits at the table, and which phone holds his seat.

Each function takes a `Scene` and returns a new one, or raises `Refused` with the reason; who may
press what, and that nothing counts before it is saved, is the table's.

A seat passes to another phone by one way alone: a phone asks for it (`claim`), and the host says
yes (`answer`). Who is the host passes by another (`bid`, `vote`), and gives no seat.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.table.dealing import Dealing, Options
from companion.table.journal import Person
from companion.table.refused import Problem, Refused
from companion.table.scene import Bid, Claim, News, NewsKind, Phase, Scene, voters_on

MAX_NAME = 20
"""Letters in a name at most."""

MAX_PEOPLE = 8


def find(scene: Scene, person: int | None) -> Person:
    """Return somebody at the table."""
    for entry in scene.people:
        if entry.id == person:
            return entry
    raise Refused(Problem.ILLEGAL, "nobody of that name is here")


def _holder(scene: Scene, person: int | None) -> Person:
    """Whose phone pressed something."""
    entry = find(scene, person)
    if entry.token is None:
        raise Refused(Problem.FORBIDDEN, "this phone has no seat at the table")
    return entry


def sit(scene: Scene, name: str, token: str | None, *, host: bool) -> Scene:
    """Give somebody a place; `token`: the digest of his phone's secret, None without one."""
    people = scene.people
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused(Problem.ILLEGAL, "a name has 1 to %(most)s letters", most=MAX_NAME)
    if any(entry.name.casefold() == name.casefold() for entry in people):
        raise Refused(Problem.ILLEGAL, "somebody is called %(name)s already", name=name)
    if len(people) == MAX_PEOPLE:
        raise Refused(Problem.ILLEGAL, "all %(most)s places are taken", most=MAX_PEOPLE)
    number = 1 + max((entry.id for entry in people), default=0)
    return _seated(scene, (*people, Person(number, name, token, host)))


def move(scene: Scene, person: int, places: int) -> Scene:
    """Move somebody so many places along the table, clockwise."""
    entry = find(scene, person)
    people = list(scene.people)
    place = people.index(entry)
    people.pop(place)
    people.insert((place + places) % (len(people) + 1), entry)
    return _seated(scene, people)


def order(scene: Scene, order: Sequence[int]) -> Scene:
    """Put everybody in this order, clockwise."""
    people = {person.id: person for person in scene.people}
    if sorted(order) != sorted(people):
        raise Refused(Problem.STALE, "others sit here by now: look again")
    return _seated(scene, [people[person] for person in order])


def remove(scene: Scene, person: int) -> Scene:
    """Let somebody go; who is host passes on clockwise, to the next phone."""
    entry = find(scene, person)
    place = scene.people.index(entry)
    others = scene.people[:place] + scene.people[place + 1 :]
    if entry.host:
        others = _host_passed_on(scene.people, place, others)
    sheriff = scene.sheriff
    if sheriff == person:
        # Whoever sat on his left is still the next one.
        sheriff = scene.people[place - 1].id if others else 0
    return replace(_without_requests(_seated(scene, others), person), sheriff=sheriff)


def leave(scene: Scene, person: int) -> Scene:
    """Let somebody go by himself: before a game, or as a player without a phone."""
    if scene.phase is Phase.LOBBY:
        return remove(scene, person)
    return without_phone(scene, person)


def without_phone(scene: Scene, person: int) -> Scene:
    """Take the phone from a seat: what it knew it is told no more, and the host decides for it."""
    entry = find(scene, person)
    if entry.token is None:
        raise Refused(Problem.ILLEGAL, "%(name)s has no phone", name=entry.name)
    place = scene.people.index(entry)
    people = _replaced(scene.people, replace(entry, token=None))
    if entry.host:
        people = _host_passed_on(scene.people, place, people)
        if not any(other.host for other in people):
            raise Refused(Problem.ILLEGAL, "yours is the only phone at the table")
    claims = scene.claims
    scene = replace(_without_requests(_seated(scene, people), person), claims=claims)
    return replace(scene, news=News(NewsKind.PHONELESS, entry.name))


# A seat on another phone


def claim(scene: Scene, request: Claim) -> Scene:
    """Let a phone ask for a seat."""
    find(scene, request.person)
    if any(claim.person == request.person for claim in scene.claims):
        # Else the host's yes to one phone could reach another.
        raise Refused(
            Problem.ILLEGAL, "another phone asks for this seat: the host answers it first"
        )
    return replace(scene, claims=(*scene.claims, request))


def answer(scene: Scene, person: int | None, number: int, *, yes: bool) -> Scene:
    """Say yes or no to a phone that asks for a seat.

    The host says either; who holds the seat may say no, and nobody else anything.
    """
    looker = _holder(scene, person)
    found = next((claim for claim in scene.claims if claim.number == number), None)
    if found is None:
        raise Refused(Problem.STALE, "nobody asks that any more")
    if not looker.host and (yes or found.person != person):
        raise Refused(Problem.FORBIDDEN, "only the host's phone does that")
    return _granted(scene, found) if yes else withdraw(scene, found)


def withdraw(scene: Scene, asked: Claim | None) -> Scene:
    """Let a phone ask no more for a seat."""
    if asked not in scene.claims:
        raise Refused(Problem.STALE, "nobody asks that any more")
    return replace(scene, claims=tuple(claim for claim in scene.claims if claim != asked))


def _granted(scene: Scene, claim: Claim) -> Scene:
    entry = replace(find(scene, claim.person), token=claim.token)
    claims = tuple(other for other in scene.claims if other.person != claim.person)
    return replace(
        _seated(scene, _replaced(scene.people, entry)),
        claims=claims,
        news=News(NewsKind.MOVED, entry.name),
    )


# Another host


def bid(scene: Scene, person: int | None) -> Scene:
    """Let somebody ask the other phones to make him the host."""
    entry = _holder(scene, person)
    if entry.host:
        raise Refused(Problem.ILLEGAL, "you are the host")
    if scene.bid is not None:
        raise Refused(Problem.ILLEGAL, "that is asked already")
    return replace(scene, bid=Bid(entry.id))


def vote(scene: Scene, person: int | None, candidate: int, *, yes: bool) -> Scene:
    """Answer who wants to be the host.

    More than half of the phones must agree, not counting his own and the host's. The host's
    phone alone decides if it answers, and whoever asked may take that back.
    """
    asked, looker = scene.bid, _holder(scene, person)
    if asked is None or asked.person != candidate:
        raise Refused(Problem.STALE, "nobody asks that any more")
    if looker.host:
        return _host(scene, candidate) if yes else replace(scene, bid=None)
    if looker.id == candidate:
        if yes:
            raise Refused(Problem.FORBIDDEN, "the other phones say that")
        return replace(scene, bid=None)
    asked = replace(asked, votes={**asked.votes, looker.id: yes})
    said = [asked.votes.get(voter) for voter in voters_on(scene, asked)]
    if said.count(True) * 2 > len(said):
        return _host(scene, candidate)
    return replace(scene, bid=None if said.count(False) * 2 >= len(said) else asked)


def vouch(scene: Scene) -> Scene:
    """Grant what only the host's lost phone could: somebody is seen to hold both buttons.

    That is who wants to be the host; where no other phone holds a seat, the host's own.
    """
    if scene.bid is not None:
        return _host(scene, scene.bid.person)
    host = next((person for person in scene.people if person.host), None)
    others = any(person.token and not person.host for person in scene.people)
    wanted = [claim for claim in scene.claims if host and claim.person == host.id]
    if others or not wanted:
        raise Refused(Problem.ILLEGAL, "nobody asks to be the host")
    return _granted(scene, wanted[0])


def _host(scene: Scene, person: int) -> Scene:
    people = [replace(entry, host=entry.id == person) for entry in scene.people]
    news = News(NewsKind.HOST, find(scene, person).name)
    return replace(_seated(scene, people), bid=None, news=news)


def _host_passed_on(
    before: Sequence[Person], place: int, people: Sequence[Person]
) -> tuple[Person, ...]:
    """Make the next with a phone the host, clockwise from who sat at `place` before."""
    heirs = [*before[place + 1 :], *before[:place]]
    heir = next((person.id for person in heirs if person.token is not None), None)
    return tuple(replace(person, host=person.id == heir) for person in people)


def _seated(scene: Scene, people: Sequence[Person]) -> Scene:
    return replace(scene, people=tuple(people), notice="", news=None)


def _replaced(people: Sequence[Person], entry: Person) -> tuple[Person, ...]:
    return tuple(entry if person.id == entry.id else person for person in people)


def _without_requests(scene: Scene, person: int) -> Scene:
    """The scene without what somebody asked, or what was asked of his seat."""
    claims = tuple(claim for claim in scene.claims if claim.person != person)
    bid = scene.bid
    if bid and (bid.person == person or find(scene, bid.person).host):
        bid = None
    return replace(scene, claims=claims, bid=bid)


# Dealing


def next_first(scene: Scene) -> int | None:
    """Return the seat on the left of the last Sheriff's; None where that is nobody's."""
    for seat, person in enumerate(scene.people):
        if person.id == scene.sheriff:
            return (seat + 1) % len(scene.people)
    return None


# What is saved beside games and people


def facts(scene: Scene) -> Mapping[str, str]:
    """Return what a journal must hold of the scene, by name; `restored` reads it."""
    return {
        "options": scene.options.to_json(),
        "dealing": scene.dealing.to_json() if scene.dealing else "",
        "sheriff": str(scene.sheriff),
        "claims": json.dumps([[c.number, c.person, c.token, c.mark] for c in scene.claims]),
        "bid": json.dumps([scene.bid.person, list(scene.bid.votes.items())]) if scene.bid else "",
    }


def restored(scene: Scene, saved: Mapping[str, str]) -> Scene:
    """Return the scene with these facts. Raises ValueError, KeyError or TypeError."""
    if "options" in saved:
        scene = replace(scene, options=Options.from_json(saved["options"]))
    if saved.get("dealing"):
        scene = replace(scene, dealing=Dealing.from_json(saved["dealing"]))
    if saved.get("bid"):
        person, votes = json.loads(saved["bid"])
        scene = replace(scene, bid=Bid(person, dict(votes)))
    claims = json.loads(saved.get("claims", "[]"))
    return replace(
        scene,
        sheriff=int(saved.get("sheriff", 0)),
        claims=tuple(Claim(*claim) for claim in claims),
    )

"""Ten thousand requests that should achieve nothing: no failure, no change, no secret."""

import random
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote_from_bytes

import pytest
from sites import Site, endpoints
from test_web import GARBAGE

from companion.games.dice.rules.roles import Role
from companion.games.dice.terms import LANGUAGES, terms
from companion.table.journal.journal import FILE

pytestmark = pytest.mark.processes

REQUESTS = 10_000
UNDATED = (
    *("/join", "/language", "/role/0", "/roles", "/game/guess", "/seat/claim", "/seat/answer"),
    *("/host/bid", "/host/vote", "/cards/enter", "/cards/again"),
    *("/hand/0", "/hand/0/play", "/hand/0/trade"),
)
"""Presses that name no version: they are good whatever the table shows, or count by a number."""

SAID = {
    **dict.fromkeys(("die", "target", "shot-0", "count", "places", "claim", "kept"), "1"),
    "face": "beer",
    "seat": "0",
    "action": "beer",
    "name": "Mallory",
    "answer": "yes",
    "language": "xx",
}
"""What presses say that could count."""

SECRET_ROLES = ("deputy", "outlaw", "renegade")


class Attack(NamedTuple):
    """A request: whose phone sends it, and what."""

    phone: int
    method: str
    path: str
    body: bytes | dict[str, object] = b""
    headers: Mapping[str, str] = MappingProxyType({})
    kind: str = "application/x-www-form-urlencoded"


class Attacker:
    """Makes up requests that must not count, from what is known at a table in mid-game."""

    def __init__(self, site: Site, accepted: list[Attack], seed: int) -> None:
        self.site, self.accepted = site, accepted
        self.chance = random.Random(seed)
        self.presses = sorted(endpoints(site, "POST"))
        self.pages = sorted(endpoints(site, "GET"))
        self.dated = [path for path in self.presses if path not in UNDATED]

    def attacks(self) -> Iterator[Attack]:
        kinds = (self.malformed, self.forged, self.replayed, self.reordered, self.strange)
        while True:
            yield self.chance.choice(kinds)()

    def malformed(self) -> Attack:
        """A press of the host whose form is none, or says nothing that can be."""
        chance, proof = self.chance, {"X-Page": self.site.host.proof}
        path = chance.choice(self.dated)
        if chance.random() < 0.5:
            wrong = {"version": chance.choice([*GARBAGE, "-1", "2147483648"])}
            return Attack(0, "POST", path, self.fields() | wrong, proof)
        kind = chance.choice([
            "application/json", "multipart/form-data", "multipart/form-data; boundary=x",
            "text/plain; charset=utf-99", "application/x-www-form-urlencoded", "\x7f",
        ])  # fmt: skip
        body = chance.randbytes(chance.choice([0, 1, 40, 400, 20_000]))
        return Attack(0, "POST", path, body, proof, kind)

    def forged(self) -> Attack:
        """A good press, but for what proves it: no seat, another's proof, somebody else's page."""
        chance, phones = self.chance, self.site.phones
        sender = chance.randrange(len(phones) + 1)
        others = [p.proof for n, p in enumerate(phones) if n != sender]
        proof = chance.choice(["", "0" * 64, "ä", chance.randbytes(32).hex(), *others])
        fields = self.fields() | self.site.now
        path, by_form = chance.choice(self.presses), chance.random() < 0.3
        said, headers = ({"page": proof}, {}) if by_form else ({}, {"X-Page": proof})
        return Attack(sender, "POST", path, fields | said, headers)

    def replayed(self) -> Attack:
        """What was accepted before, once more, byte by byte."""
        return self.chance.choice(self.accepted)

    def reordered(self) -> Attack:
        """A good press before its time, or after it."""
        chance, now = self.chance, dict(self.site.now)
        phone = chance.randrange(len(self.site.phones))
        field = "version" if chance.random() < 0.7 else "reading"
        now[field] += chance.choice([-2, -1, 1, 2, 100])
        path = chance.choice(self.dated) if field == "version" else "/dice/accept"
        proof = {"X-Page": self.site.phones[phone].proof}
        return Attack(phone, "POST", path, self.fields() | now, proof)

    def strange(self) -> Attack:
        """No press at all: methods, paths and headers that nobody asks for."""
        chance = self.chance
        noise = quote_from_bytes(chance.randbytes(chance.choice([1, 9, 300])), safe="")
        path = chance.choice([
            *self.pages, f"/{noise}", f"/live/{noise}", f"/teach/{'9' * 30}.jpg",
            f"/role/{chance.choice(['-1', '99999999999999999999', noise])}",
            f"/die/{chance.choice(['-1', '7', '9' * 30, noise])}.jpg",
            "/static/../access.py", "/static/%2e%2e/access.py", "/static//etc/passwd",
            "/static/..%5caccess.py", f"/?code={noise}", f"/seat?{noise}={noise}",
        ])  # fmt: skip
        headers = {
            "Accept-Language": chance.choice(["fr;q=x", noise, "en" * 500, "*", "fr-\x7f"]),
            "Cookie": chance.choice([f"seat={noise}", f"visit={noise}; seat=", "=;=;", noise * 5]),
            "Range": chance.choice(["bytes=5-1", f"bytes={noise}", "bytes=0-"]),
            "If-None-Match": noise,
            "Host": chance.choice(["evil.example", "[::1", "a" * 300, "table:99999"]),
            "X-Forwarded-For": "127.0.0.1",
            "X-HTTP-Method-Override": "POST",
        }
        chosen = {name: headers[name] for name in chance.sample(sorted(headers), 2)}
        method = chance.choice(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])
        return Attack(chance.randrange(len(self.site.phones) + 1), method, path, b"", chosen)

    def fields(self) -> dict[str, object]:
        """What presses say, some of it."""
        chance, said = self.chance, {"code": self.site.table.scene.code, "person": "1", **SAID}
        return {name: said[name] for name in chance.sample(sorted(said), chance.randint(0, 8))}


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path, settings={"ask_always": True}).start()


def play_on(site: Site) -> list[Attack]:
    """Play a turn and a half, and return the presses that were accepted."""
    accepted = []

    def press(phone: int, path: str, **fields: object) -> None:
        body = site.now | fields
        answer = site.phones[phone].send(path, body)
        assert answer.status_code == 204, answer.text
        accepted.append(Attack(phone, "POST", path, body, {"X-Page": site.phones[phone].proof}))

    site.throw("beer", "arrow", "gatling", "gatling", "beer")
    press(0, "/dice/mark", die=0, face="dynamite")
    press(0, "/dice/mark", die=0, face="beer")
    press(0, "/dice/accept")
    press(0, "/dice/stop")
    press(0, "/game/move", seat=0, action="beer", **{"target-0": 1, "target-1": 2})
    press(0, "/game/undo")
    press(0, "/game/move", seat=0, action="beer", **{"target-0": 0, "target-1": 0})
    site.throw("bullseye1", "arrow", "gatling", "dynamite", "beer")
    press(1, "/dice/accept")
    assert site.view.game.turn == 1
    return accepted


def send(site: Site, attack: Attack) -> tuple[int, str]:
    """Send it; return the status, and all that comes back: headers and body."""
    client = [*site.phones, site.stranger][attack.phone].client
    # The throttle of joining would hide what is behind it.
    sender = {"REMOTE_ADDR": f"192.0.2.{secrets.randbelow(250)}"}
    kind = attack.kind if attack.method == "POST" else None
    asked = {"method": attack.method, "data": attack.body, "content_type": kind}
    with client.open(attack.path, **asked, headers=attack.headers, environ_base=sender) as answer:
        # A stream never ends.
        body = next(iter(answer.response), b"") if "/live/" in attack.path else answer.data
    if attack.path.startswith("/static/") and answer.status_code == 200:
        body = b""
    return answer.status_code, f"{answer.headers}\n{body.decode(errors='replace')}"


def secrets_of(site: Site) -> Callable[[int, str], list[str]]:
    """What finds secrets in an answer: roles, and the tokens and proofs of other phones."""
    words = [terms(site.view.selection.ruleset, language) for language in LANGUAGES]
    roles = {table.roles[role] for table in words for role in SECRET_ROLES}
    hidden = re.compile("|".join(map(re.escape, {*SECRET_ROLES, *roles})), re.IGNORECASE)
    tokens = [phone.client.get_cookie("seat").value for phone in site.phones]
    proofs = [phone.proof for phone in site.phones]
    # Everybody knows who is Sheriff, and what their goal is.
    public = [escape(table.goal(Role.SHERIFF, len(site.view.people))) for table in words]

    def found(sender: int, text: str) -> list[str]:
        for goal in public:
            text = text.replace(goal, "")
        others = [*tokens, *(proof for seat, proof in enumerate(proofs) if seat != sender)]
        return [*hidden.findall(text), *(secret for secret in others if secret in text)]

    return found


def saved(folder: Path) -> dict[str, bytes]:
    """The journal's files, as they are on the disk."""
    return {path.name: path.read_bytes() for path in folder.glob(f"{FILE}*")}


@pytest.mark.slow
def test_ten_thousand_bad_requests_fail_change_and_tell_nothing(site, tmp_path):
    accepted = play_on(site)
    attacker = Attacker(site, accepted, seed=1)
    found = secrets_of(site)
    scene, written = site.table.scene, saved(tmp_path)
    statuses = dict.fromkeys((200, 303, 400, 403, 404, 405, 409, 413), 0)
    for _, attack in zip(range(REQUESTS), attacker.attacks(), strict=False):
        status, answer = send(site, attack)
        assert status < 500, attack
        assert site.table.scene is scene, attack
        assert found(attack.phone, answer) == [], attack
        if attack.method == "POST" and "X-Page" in attack.headers:
            assert status >= 300, attack
        statuses[status] = statuses.get(status, 0) + 1
    assert saved(tmp_path) == written
    assert len(site.streams) == 0
    assert all(statuses.values()), f"{statuses}: some refusal was never met"
    # The table goes on as if nothing had happened.
    assert site.phones[1].post("/dice/stop").status_code == 204
    assert saved(tmp_path) != written, "what is written would have been seen"


def test_what_finds_secrets_finds_them(site):
    found = secrets_of(site)
    assert "Outlaw" in found(1, site.phones[1].post("/role/1").text)
    assert found(0, site.phones[1].open("/seat").text) == [site.phones[1].proof]
    assert found(1, site.phones[1].open("/seat").text) == []

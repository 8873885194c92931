"""A host's phone that plays through the pages alone, and goes on after every restart.

    python -m tests.tools.boot.player URL PHONE MOVES

PHONE: a file with what the phone remembers, made by the first run; MOVES: presses to be accepted;
`off`, which turns the machine off; `end`, which goes back to the lobby; `story [ADDRESS]`, which
prints the story of the game that runs, or the one there; `look`, which waits for the page of the
Pi; `back`, to the version before; `update ARCHIVE [CODE]`, which has that installed; `set KEY VALUE
[CODE]`, which changes a setting (an empty VALUE unticks it); `answers STATUS SECONDS`, which waits
for any page and prints it.
Prints a JSON line: how many were, and the story that the table tells then. Runs with the standard
library only, so that it can be started inside a container's network.
"""

import hashlib
import html
import http.client
import json
import random
import re
import sys
import time
import urllib.parse
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

PATIENCE_S = 120.0
"""So long dice may roll, and so long a table may be gone."""

PREFERRED = ("/dice/stop", "/dice/accept")
"""What is pressed where both may be: a turn that stops plays on."""


class Page(HTMLParser):
    """What one can do on a page, and what it says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.proof = self.phase = ""
        self.state: dict[str, str] = {}
        self.presses: set[str] = set()
        self.throws = False
        self.faces: dict[str, list[str]] = {}
        self.uncertain: dict[str, str] = {}
        self.form: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self._form = self._line = self._at_once = False
        self._most = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "meta" and said.get("name") == "page":
            self.proof = said["content"]
        if "data-version" in said:
            self.state = {"version": said["data-version"]}
            self.state["reading"] = said.get("data-reading", "0")
            # The page, the phase, and how its game looks.
            self.phase = " ".join(said.get("class", "").split()[1:2])
        self._most = int(said.get("data-most", self._most))
        if tag == "form":
            self._form = said.get("id") == "question"
        if tag == "button":
            self._press(said)
        # A line of the story says what kind it is of; other lists have plain items.
        if tag == "li" and said.get("class"):
            self._line = True
            self.lines.append("")
        if self._form and not self._at_once and tag in ("input", "button") and said.get("name"):
            self._answer(said)

    def _press(self, button: dict[str, str]) -> None:
        path, fields = button.get("data-press", ""), button.get("data-with", "")
        if self._form and path == "/game/move" and not self._at_once:
            # One button answers everything, and steps that ask for the same change nothing.
            self._at_once = True
            self.form = urllib.parse.parse_qs(fields)
        self.throws |= path == "/dice/throw"
        if path and not {"disabled", "aria-disabled"} & set(button):
            self.presses.add(path)
        if path == "/dice/mark" and "face=" in fields:
            said = dict(urllib.parse.parse_qsl(fields))
            self.faces.setdefault(said["die"], []).append(said["face"])
            # Of a die that the camera isn't sure of, the likeliest face comes first.
            if "guess" in button.get("class", "").split():
                self.uncertain.setdefault(said["die"], said["face"])

    def _answer(self, field: dict[str, str]) -> None:
        """Fill in the first answer that there is."""
        values = self.form.setdefault(field["name"], [])
        if not values or (field.get("type") == "checkbox" and len(values) < self._most):
            values.append(field["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = False
        if tag == "li":
            self._line = False

    def handle_data(self, data: str) -> None:
        if self._line:
            self.lines[-1] += data


class SettingsForm(HTMLParser):
    """What a browser sends of the form with the settings of a section."""

    def __init__(self, section: str, text: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._section, self._inside, self._select = section, False, ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            sent = dict(urllib.parse.parse_qsl(said.get("data-with", ""), keep_blank_values=True))
            self._inside = sent.get("section") == self._section
            self.fields |= sent if self._inside else {}
        elif self._inside and tag == "select":
            self._select = said["name"]
        elif self._inside and tag == "option" and "selected" in said:
            self.fields[self._select] = said["value"]
        elif self._inside and tag == "input" and said.get("type", "") != "checkbox":
            self.fields[said["name"]] = said.get("value", "")
        elif self._inside and "checked" in said:
            self.fields[said["name"]] = said["value"]


class Phone:
    """The phone: its cookies outlive it in a file."""

    def __init__(self, url: str, memory: Path, patience_s: float = 0) -> None:
        """Remember in a file; patience_s: for how long broken connections are made again.

        Browsers do so for pages, never for presses.
        """
        self._url = urllib.parse.urlsplit(url)
        self._memory, self._patience_s = memory, patience_s
        self._cookies: dict[str, str] = {}
        self.shown = ""
        """The path of the last answer, wherever the table led."""
        if memory.exists():
            self._cookies = json.loads(memory.read_text())

    def ask(self, path: str, proof: str = "", **fields: Any) -> tuple[int, str]:
        """Load a page, or press where there are fields. Raises OSError."""
        begun = time.monotonic()
        while True:
            try:
                return self._ask(path, proof, fields)
            except OSError:
                if fields or time.monotonic() - begun >= self._patience_s:
                    raise
                time.sleep(0.1)

    def _ask(self, path: str, proof: str, fields: dict[str, Any]) -> tuple[int, str]:
        server = http.client.HTTPConnection(self._url.netloc, timeout=PATIENCE_S + self._patience_s)
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items())}
        body = None
        if fields:
            body = urllib.parse.urlencode(fields, doseq=True)
            headers |= {"X-Page": proof, "Content-Type": "application/x-www-form-urlencoded"}
        try:
            server.request("POST" if fields else "GET", path, body, headers)
            answer = server.getresponse()
            text = answer.read().decode()
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        finally:
            server.close()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
            self._memory.write_text(json.dumps(self._cookies))
        if answer.status == 303 and not fields:
            return self._ask(answer.headers["Location"], proof, {})
        self.shown = path
        return answer.status, text

    def upload(self, path: str, proof: str, piece: bytes) -> str:
        """Send a piece of a file; return the refusal, or ""."""
        server = http.client.HTTPConnection(self._url.netloc, timeout=PATIENCE_S)
        cookie = "; ".join(f"{k}={v}" for k, v in self._cookies.items())
        try:
            server.request("POST", path, piece, {"Cookie": cookie, "X-Page": proof})
            answer = server.getresponse()
            said = answer.read().decode()
        finally:
            server.close()
        return "" if answer.status == http.client.NO_CONTENT else said

    def look(self) -> Page:
        return Page(self.ask("/seat")[1])

    def join(self) -> None:
        """Take the host's place, with two others who have no phones."""
        if "seat" in self._cookies:
            return
        page = Page(self.ask("/")[1])
        assert self._press("/join", page, name="Ann")
        for name in ("Bob", "Cleo"):
            assert self._press("/people/add", self.look(), name=name)

    def press(self) -> bool:
        """Do the next thing that is to be done; False where the table is to be waited for.

        A press whose answer did not come, from a table with which one is patient, is no answered
        one: it may count or not.
        """
        try:
            return self._press_next(self.look())
        except OSError:
            if not self._patience_s:
                raise
            return False

    def _press_next(self, page: Page) -> bool:
        if page.phase == "lobby":
            return self._press("/game/start", page)
        if page.phase == "over":
            # It counts for no move, since a table between two games has no story.
            self._press("/game/new", page)
            return False
        if page.form:
            return self._press("/game/move", page, **page.form)
        for path in PREFERRED:
            if path in page.presses:
                return self._press(path, page)
        if "/dice/throw" in page.presses:
            # Nor does this, which may be pressed again until the camera sees the dice roll.
            self._press("/dice/throw", page)
        elif page.faces and not page.throws:
            self._enter({die: random.choice(faces) for die, faces in page.faces.items()})
        else:
            self._enter(page.uncertain)
        return False

    def _enter(self, dice: dict[str, str]) -> None:
        """Enter what dice show: all where there is no camera, otherwise those it isn't sure of."""
        for die, face in dice.items():
            self._press("/dice/mark", self.look(), die=die, face=face)

    def _press(self, path: str, page: Page, **fields: Any) -> bool:
        """Press; False where the table refuses because the page was not up to date any more.

        Dice come to rest between a page and a press. What the newest page still offers and the
        table refuses ends the program.
        """
        status, said = self.ask(path, page.proof, **page.state, **fields)
        if status in (204, 303):
            return True
        newest = self.look()
        if (newest.state, newest.presses, newest.form) == (page.state, page.presses, page.form):
            raise SystemExit(f"{path} {fields}: {status} {said.strip()}")
        return False

    def story(self, path: str = "/story") -> list[str]:
        """What happened, oldest first, as everybody may read it; `shown` is its address then."""
        return told_in(self.ask(path)[1])


def told_in(page: str) -> list[str]:
    """The story on its page, oldest first."""
    return [re.sub(r"\s+", " ", line).strip() for line in reversed(Page(page).lines)]


def wait_for(
    url: str, seconds: float = PATIENCE_S, runs: Callable[[], bool] = lambda: True
) -> float:
    """Return after how many seconds the table's page answers. Raises TimeoutError.

    runs: whether what should answer still runs.
    """
    begun = time.monotonic()
    wait_for_page(url, http.client.OK, seconds, runs)
    return time.monotonic() - begun


def wait_for_page(
    url: str, status: int, seconds: float, runs: Callable[[], bool] = lambda: True
) -> str:
    """Return the first page once it comes with a status. Raises TimeoutError."""
    begun = time.monotonic()
    host = urllib.parse.urlsplit(url).netloc
    while runs() and time.monotonic() - begun < seconds:
        server = http.client.HTTPConnection(host, timeout=seconds)
        try:
            server.request("GET", "/")
            answer = server.getresponse()
            if answer.status == status:
                return answer.read().decode()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            server.close()
        time.sleep(0.02)
    raise TimeoutError(f"{url} does not answer within {seconds:.0f} s")


def play(url: str, memory: Path, moves: int, patience_s: float = 0) -> list[str]:
    """Press so many times, each of which the table accepts; returns the story then."""
    phone = Phone(url, memory, patience_s)
    phone.join()
    done, last = 0, time.monotonic()
    while done < moves:
        if phone.press():
            done, last = done + 1, time.monotonic()
        else:
            assert time.monotonic() - last < PATIENCE_S + patience_s, "nothing can be pressed"
            time.sleep(0.1)
    story = phone.story()
    assert story, "the story of a game that runs is empty"
    return story


def end_game(url: str, memory: Path, patience_s: float = 0) -> None:
    """Go back to the lobby in the middle of a game."""
    phone = Phone(url, memory, patience_s)
    page = phone.look()
    assert phone.ask("/game/new", page.proof, **page.state)[0] == http.client.NO_CONTENT


def turn_off(url: str, memory: Path) -> None:
    """Turn the machine off from the host's page about it."""
    phone = Phone(url, memory)
    page = Page(phone.ask("/machine")[1])
    assert "/machine/off" in page.presses, "this machine can't be turned off"
    assert phone.ask("/machine/off", page.proof, **page.state)[0] == http.client.NO_CONTENT


PIECE = 16 * 1024
"""Bytes of an upload in one request."""


def update(url: str, memory: Path, archive: Path, code: str = "") -> str:
    """Upload a release, let it be installed, and return what the page says in the end."""
    phone = Phone(url, memory, PATIENCE_S)
    phone.join()
    content, page = archive.read_bytes(), Page(phone.ask("/machine")[1])
    for at in range(0, len(content), PIECE):
        place = f"/machine/piece?at={at}&size={len(content)}"
        if refused := phone.upload(place, page.proof, content[at : at + PIECE]):
            return refused
    digest = hashlib.sha256(content).hexdigest()
    return _follow(phone, "/machine/update", sha256=digest, code=code)


def go_back(url: str, memory: Path) -> str:
    """Let the version before take over; return what the page says in the end."""
    return _follow(Phone(url, memory, PATIENCE_S), "/machine/back")


def change_setting(url: str, memory: Path, key: str, value: str, code: str = "") -> str:
    """Change a setting of the file; return what the page says in the end."""
    phone = Phone(url, memory, PATIENCE_S)
    phone.join()
    form = SettingsForm(key.rpartition(".")[0], phone.ask("/machine/settings")[1])
    sent = form.fields | {key: value, "code": code}
    # A box that isn't ticked isn't sent.
    sent = {name: text for name, text in sent.items() if text or name != key}
    ended = "Saved|has changed|as it was before|is being updated"
    return _follow(phone, "/machine/settings/save", "/machine/settings", ended, **sent)


def _follow(
    phone: Phone, path: str, shown: str = "/machine", ended: str = "is done|n’t installed",
    **fields: str,
) -> str:  # fmt: skip
    page = Page(phone.ask(shown)[1])
    status, said = phone.ask(path, page.proof, **page.state, **fields)
    if status != http.client.NO_CONTENT:
        return said
    begun = time.monotonic()
    while time.monotonic() - begun < 5 * PATIENCE_S:
        told = re.findall(
            r'<p (?:role="status" )?class="[a-z ]+"[^>]*>(.*?)</p>', phone.ask(shown)[1]
        )
        if found := [line for line in map(html.unescape, told) if re.search(ended, line)]:
            return found[0]
        time.sleep(1)
    raise TimeoutError("the change doesn't end")


if __name__ == "__main__":
    where, remembers, presses, *more = sys.argv[1:]
    if presses == "answers":
        print(wait_for_page(where, int(more[0]), float(more[1])))
        sys.exit()
    wait_for(where)
    if presses == "off":
        turn_off(where, Path(remembers))
    elif presses == "end":
        end_game(where, Path(remembers))
    elif presses == "story":
        print(json.dumps(Phone(where, Path(remembers), PATIENCE_S).story(*more)))
    elif presses == "back":
        print(go_back(where, Path(remembers)))
    elif presses == "set":
        print(change_setting(where, Path(remembers), *more))
    elif presses == "update":
        print(update(where, Path(remembers), Path(more[0]), *more[1:]))
    elif presses == "look":
        assert Phone(where, Path(remembers), PATIENCE_S).ask("/machine")[0] == http.client.OK
    else:
        print(json.dumps(play(where, Path(remembers), int(presses))))

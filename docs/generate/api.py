"""Describe what programs are told: `docs/dev/api.md`, from the endpoints and the JSON Schemas.

python -m docs.generate.api docs/dev/api.md
"""

import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.club.publishing.reading import MessageKind, schema
from web.api import routes

WIDTH = 100
"""Of a line, in characters."""

INTRODUCTION = """\
# For other programs

This page lists what a table tells other programs over HTTP, and every key of its messages;
[MQTT](mqtt.md) carries the same messages. Everything is for reading, and for everybody: a table
tells programs what spectators see, and nothing else.

| address | what it does |
|---|---|
{endpoints}
```sh
curl http://bang.local/api/state
curl -N http://bang.local/api/events
```

`/api/state` has an `ETag`: a request with `If-None-Match` is answered 304 as long as nothing has
changed. `/api/events` are [server-sent
events](https://html.spec.whatwg.org/multipage/server-sent-events.html) of the types `state`,
`event` and `result`: the state at once and after each change, and everything that happens from
then on. A browser that lost its connection sends the last `id` that it got as `Last-Event-ID`, and
gets what it missed of this game and the one before; no `event` is left out, but states are, for a
client that is slow. A silence is broken by an event `beat`. Each address may have 16 streams open;
[security](security.md) has the other limits.

Pages of other sites may read this only if the setting [`origins`](../settings.md#the-settings-file)
names them.

`schema` is the version of a message, now {version}. It grows only where an earlier program would
misread a message; keys may be added without that, so ignore those that you don't know. The [kinds
of events](mqtt.md#events) and their keys stand beside the topics.

This page is written from the endpoints and from the JSON Schema files in
`companion/club/publishing/schemas`; what is wrong here is corrected there.
"""


def endpoints() -> Iterator[str]:
    """Yield a line for each address."""
    for address, view in (("/api/state", routes.state), ("/api/events", routes.events)):
        says = (inspect.getdoc(view) or "").partition("\n")[0]
        yield f"| `GET {address}` | {says} |\n"


def kind_of(described: Mapping[str, Any]) -> str:
    """Return what a value can be, in a few words."""
    if "const" in described:
        return f"`{described['const']}`"
    if "enum" in described:
        return ", ".join(f"`{value}`" for value in described["enum"])
    kinds = described["type"]
    found = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    if kinds == "array" and described["items"]["type"] != "object":
        return f"array of {kind_of(described['items'])}"
    return found


def keys(described: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Yield a line for each key of an object, with those inside it."""
    required = described.get("required", ())
    for key, value in described.get("properties", {}).items():
        path = f"{where}{key}"
        there = "" if key in required else "; may be missing"
        text = value["description"].replace("|", "\\|")
        yield f"| `{path}` | {kind_of(value)}{there} | {text} |\n"
        if "properties" in value:
            yield from keys(value, f"{path}.")
        elif "properties" in value.get("items", {}):
            yield from keys(value["items"], f"{path}[].")


def page() -> str:
    """Return the page."""
    version = schema(MessageKind.STATE)["properties"]["schema"]["const"]
    parts = [INTRODUCTION.format(endpoints="".join(endpoints()), version=version)]
    for kind in MessageKind:
        described = schema(kind)
        head = f"## {described['title']}\n\n{textwrap.fill(described['description'], WIDTH)}\n"
        table = f"| key | type | what it is |\n|---|---|---|\n{''.join(keys(described))}"
        parts.append(f"{head}\n{table}")
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")

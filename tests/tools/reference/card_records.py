"""Random records of the card game: legal ones, and ones with a mistake.

A random player walks through what the reference awaits. In some games players hoard cards on long
turns, so that the deck is shuffled often and runs out.
"""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.tools.reference import cards
from tests.tools.reference.cards import BLUE, COPIES, LIFE, ROLES, SIGNS, Game, Json

ACTIONS = 250
"""The most actions of a record."""

TASTES = ("deck", "any", "blue", "fights", "hoard")
"""Which cards a game prefers: as often as the deck holds them, all alike, and so on."""

HOARDED = ("stagecoach", "wells_fargo", "panic")
FIGHTS = ("bang", "missed", "gatling", "indians", "duel", "dynamite", "beer")


def legal(chance: Random) -> bytes:
    """A record without a mistake."""
    return written(walk(chance))


def broken(chance: Random) -> bytes:
    """A record with a mistake in one of its lines, or with a line that may be one."""
    lines = walk(chance)
    at = chance.randrange(len(lines)) if chance.random() < 0.15 else chance.randrange(1, len(lines))
    spoil = chance.choice((spoiled_value, spoiled_value, spoiled_keys, another_action, swapped))
    lines[at] = spoil(lines, at, chance)
    data = written(lines)
    if chance.random() < 0.1:
        cut = chance.randrange(len(data))
        odd = chance.choice((b"", b"\n", b"\xff", b"{", b'"', b"NaN", b"\xef\xbb\xbf"))
        data = data[:cut] + odd + data[cut:]
    return data


def written(lines: Sequence[Json]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def walk(chance: Random) -> list[Json]:
    """The lines of a game, up to its end or for some actions."""
    count = chance.choice((4, 4, 5, 6, 7))
    roles = chance.sample(ROLES[count], count)
    characters = chance.sample(sorted(LIFE), count)
    players = [
        {"name": f"P{seat}", "role": role, "character": character}
        for seat, (role, character) in enumerate(zip(roles, characters, strict=True))
    ]
    header = {"record": "bang-card", "version": 1, "ruleset": "base", "players": players}
    game, taste = cards.set_up(header), chance.choice(TASTES)
    steps = cards.play(game)
    next(steps)
    lines: list[Json] = [header]
    most = chance.randint(30, ACTIONS)
    while game["awaits"] and len(lines) <= most:
        lines.append(action(game, taste, chance))
        steps.send(lines[-1])
    return lines


def action(game: Game, taste: str, chance: Random) -> Json:
    """A legal action."""
    seat, kinds, plays = (game["awaits"][key] for key in ("seat", "actions", "plays"))
    able = cards.trader(game)
    if able is not None and chance.random() < 0.25:
        return {"action": "regain", "seat": able}
    ends = 0.02 if taste == "hoard" else 0.25
    if "end" in kinds and (not plays or chance.random() < ends):
        return {"action": "end", "seat": seat}
    kind = chance.choice([kind for kind in kinds if kind != "end"])
    entry: Json = {"action": kind, "seat": seat}
    if kind == "flip":
        entry["signs"] = flipped(game, seat, chance)
    elif kind == "draw":
        entry |= drawn(game, seat, chance)
    elif kind == "play":
        entry["card"] = card = chosen(plays, taste, chance)
        if plays[card]:
            entry["target"] = target = chance.choice(plays[card])
            if card in ("panic", "cat_balou"):
                entry["take"] = chance.choice(cards.held(game, target, seat))
    return entry


def chosen(plays: dict[str, list[int]], taste: str, chance: Random) -> str:
    weights: Callable[[str], int] = {
        "deck": lambda title: COPIES[title],
        "blue": lambda title: 5 if title in BLUE else 1,
        "fights": lambda title: 8 if title in FIGHTS else 1,
        "hoard": lambda title: 99 if title in HOARDED else 1,
    }.get(taste, lambda title: 1)
    titles = list(plays)
    return chance.choices(titles, [weights(title) for title in titles])[0]


def possible(game: Game) -> list[str]:
    return [sign for sign in SIGNS if game["shown"].count(sign) < SIGNS[sign]]


def flipped(game: Game, seat: int, chance: Random) -> list[str]:
    """Signs that may be flipped, now and then by their suits alone."""
    ranked = "S" if game["open"]["card"] == "dynamite" else ""
    signs = fully_flipped(game, seat, chance)
    if chance.random() < 0.25:
        return [sign if sign[-1] in ranked else sign[-1] for sign in signs]
    return signs


def fully_flipped(game: Game, seat: int, chance: Random) -> list[str]:
    able = 2 if cards.is_(game, seat, "lucky_duke") else 1
    if min(able, game["deck"] + len(game["pile"])) == 1:
        return [chance.choice(possible(game))]
    if game["deck"] == 1:
        return chance.choices(list(SIGNS), k=2)
    return chance.sample(possible(game), 2)


def drawn(game: Game, seat: int, chance: Random) -> Json:
    if cards.is_(game, seat, "black_jack"):
        return {"shown": chance.choice(list(SIGNS) if game["deck"] == 1 else possible(game))}
    if cards.is_(game, seat, "pedro_ramirez"):
        return {"from": chance.choice(("deck", "discard"))}
    full = [one for one in cards.others(game, seat) if game["players"][one]["hand"]]
    return {"from": chance.choice(["deck", *full])}


# Mistakes

ODD: tuple[Any, ...] = (
    None,
    True,
    1.0,
    -1,
    7,
    99,
    "",
    "hand",
    "bang",
    "deck",
    "discard",
    [],
    {},
    ["4H"],
    "4H",
)


def spoiled_value(lines: list[Json], at: int, chance: Random) -> Json:
    entry = dict(lines[at])
    key = chance.choice(list(entry))
    near = [chance.choice(list(COPIES)), chance.randrange(-1, 8), chance.choice(list(SIGNS))]
    entry[key] = chance.choice((*ODD, *near, *near, *near))
    return entry


def spoiled_keys(lines: list[Json], at: int, chance: Random) -> Json:
    entry = dict(lines[at])
    if chance.random() < 0.5:
        del entry[chance.choice(list(entry))]
    else:
        key = chance.choice(("target", "take", "card", "signs", "from", "shown", "note"))
        entry[key] = chance.choice((*ODD, 0, 1, 2, 3))
    return entry


def another_action(lines: list[Json], at: int, chance: Random) -> Json:
    seat = chance.choice([lines[at].get("seat", 0), chance.randrange(7)])
    return chance.choice(
        (
            {"action": "end", "seat": seat},
            {"action": "pass", "seat": seat},
            {"action": "regain", "seat": seat},
            {"action": "draw", "seat": seat, "from": chance.choice(("deck", "discard", 0, 1, 2))},
            {"action": "count", "seat": seat, "hand": chance.randrange(-1, 9)},
            {"action": "draw", "seat": seat, "shown": chance.choice(list(SIGNS))},
            {"action": "flip", "seat": seat, "signs": chance.choices(list(SIGNS), k=2)},
            {"action": "flip", "seat": seat, "signs": chance.choices([*SIGNS, *"SHDC"], k=1)},
            {"action": "play", "seat": seat, "card": chance.choice(list(COPIES))},
            {
                "action": "play",
                "seat": seat,
                "card": chance.choice(list(COPIES)),
                "target": chance.randrange(7),
            },
            {
                "action": "play",
                "seat": seat,
                "card": chance.choice(("panic", "cat_balou", "bang")),
                "target": chance.randrange(7),
                "take": chance.choice(("hand", *COPIES)),
            },
        )
    )


def swapped(lines: list[Json], at: int, chance: Random) -> Json:
    return chance.choice(lines)

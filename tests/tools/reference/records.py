"""Random records of the game: legal ones, and ones with a mistake.

A random player plays the reference's game with loaded dice. How a record is written (blanks, order
of keys, escapes, line ends) is random too.
"""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.tools.reference import rules
from tests.tools.reference.rules import FACES, LIFE, ROLES, RULESETS, Game, Json

ACTIONS = 120
"""The most actions of a record."""

WEIGHTS = {
    "fair": (1, 1, 1, 1, 1, 1),
    "arrows": (6, 1, 1, 1, 1, 1),
    "dynamite": (1, 3, 1, 1, 1, 1),
    "shots": (1, 1, 4, 3, 1, 1),
    "brawl": (2, 0, 3, 3, 1, 4),
    "slab": (1, 0, 3, 3, 4, 1),
    "gatling": (1, 0, 1, 1, 1, 6),
    "raid": (4, 0, 1, 1, 0, 4),
    "beers": (1, 1, 1, 1, 5, 1),
}
"""How often loaded dice show each of FACES."""

DECIDERS = (
    "bart_cassidy",
    "black_jack",
    "calamity_janet",
    "el_gringo",
    "kit_carlson",
    "pedro_ramirez",
    "rose_doolan",
    "sid_ketchum",
    "slab_the_killer",
    "vulture_sam",
)
"""Those whose abilities take part in what can go wrong most."""

NAMES = (
    "Ann",
    "ann",
    " ",
    "0",
    "null",
    "Ann\u2028Bob",
    "\u2029\x85\x0b",
    "Zoë",
    "Zoe\u0308",
    "\ufeffBea",
    'Q"\\/',
    "\n\t\r",
    "\x00",
    "\x7f",
    "牛仔",
    "🤠",
    "שריף",
    "\ud83e",
    "e" * 300,
)

COMPANIONS = ("0.2.0", "0", "10.0.0rc1", "0.3.0.dev1+g4b7e09e", "1-2", "1" * 40)
NO_COMPANIONS = ("", "v0.2.0", ".2", "0.2 ", "0.2.0\n", "0_2", "\u0661.0", "1" * 41, None, 2, 0.2)
NO_DATES: tuple[Any, ...] = (
    "", "2026", "2026-11", "20261122", "2026-1-2", "26-11-22", "2026-00-10", "2026-13-01",
    "2026-11-00", "2026-11-31", "2026-02-29", "1900-02-29", "0000-01-01", "2026-W47-7",
    "2026-11-22 ", "2026-11-22\n", "2026-11-22T19:30Z", "2026-11-22T19:30:00",
    "2026-11-22t19:30:00z", "2026-11-22 19:30:00Z", "2026-11-22T19:30:00+00:00",
    "2026-11-22T19:30:00.5Z", "2026-11-22T24:00:00Z", "2026-11-22T19:60:00Z",
    "2026-11-22T19:30:60Z", "\u0662026-11-22", "2026-11-2\u0662", None, 20261122, [],
)  # fmt: skip

ODD_VALUES: tuple[Json, ...] = (
    None,
    True,
    False,
    "",
    "0",
    "beer",
    "arrow ",
    "BEER",
    [],
    [[]],
    {},
    {"die": 0},
    -1,
    5,
    9,
    10**30,
)
RAW_VALUES = (
    "1.0",
    "0.0",
    "-0.0",
    "1e0",
    "1E400",
    "NaN",
    "Infinity",
    "-Infinity",
    "01",
    "+1",
    "0x1",
    ".5",
    "1.",
    "1_0",
    "'beer'",
    "None",
    "True",
    "undefined",
    "",
    "9" * 5000,
    "[" * 1000 + "]" * 1000,
    "[" * 100_000 + "]" * 100_000,
    '{"a":' * 1000 + "1" + "}" * 1000,
    '"\\x41"',
    '"\\u12"',
    '"\n"',
    '"tab\t"',
    '"beer',
    "[1,]",
    "/**/1",
)


class Raw(str):
    """Text that is written as it stands, where a value belongs."""


class Pairs(list[tuple[str, Any]]):
    """An object as its keys and values, in order; so that a key can stand twice."""


class Luck(NamedTuple):
    """What a game is like: how often each of FACES is rolled, and at whom players aim."""

    weights: tuple[int, ...]
    aim: int
    """-1: the weakest, so that players fall early; 1: the strongest, so that many fall at once;
    0: anybody."""


# Writing


def legal(chance: Random) -> bytes:
    """A record that breaks no rule; the game may end, or break off anywhere."""
    return join(chance, [write(chance, value) for value in game_of(chance)])


def join(chance: Random, lines: list[bytes]) -> bytes:
    """The lines as a file, with any of the line ends that are allowed."""
    style = chance.choice(("\n", "\n", "\r\n", "mixed"))
    ends = [(chance.choice(("\n", "\r\n")) if style == "mixed" else style).encode() for _ in lines]
    if ends and chance.random() < 0.3:
        ends[-1] = b""
    return b"".join(line + end for line, end in zip(lines, ends, strict=True))


def write(chance: Random, value: Json) -> bytes:
    """A value as one line of JSON, one way of many."""
    tidy = chance.random() < 0.5
    text = json.dumps(value) if tidy and is_plain(value) else encode(chance, value)
    before, after = ("", "") if tidy else (blanks(chance), blanks(chance))
    return f"{before}{text}{after}".encode()


def is_plain(value: Json) -> bool:
    if isinstance(value, Raw | Pairs):
        return False
    if isinstance(value, dict | list):
        return all(map(is_plain, value.values() if isinstance(value, dict) else value))
    return True


def encode(chance: Random, value: Json) -> str:
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict | Pairs):
        pairs = list(value.items() if isinstance(value, dict) else value)
        chance.shuffle(pairs)
        between = [
            f"{quote(chance, key)}{blanks(chance)}:{blanks(chance)}{encode(chance, entry)}"
            for key, entry in pairs
        ]
        return "{" + f",{blanks(chance)}".join(between) + "}"
    if isinstance(value, list):
        return "[" + f"{blanks(chance)},".join(encode(chance, entry) for entry in value) + "]"
    return quote(chance, value) if isinstance(value, str) else json.dumps(value)


def quote(chance: Random, text: str) -> str:
    """A string, some letters escaped that need not be."""
    if chance.random() < 0.05:
        return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 65536 else c for c in text) + '"'
    lone = any("\ud800" <= letter <= "\udfff" for letter in text)
    return json.dumps(text, ensure_ascii=lone or chance.random() < 0.5)


def blanks(chance: Random) -> str:
    return "".join(chance.choices(" \t\r", k=chance.choice((0, 0, 0, 1, 1, 3))))


# Playing


def game_of(chance: Random, most: int = ACTIONS) -> list[Json]:
    """The header and up to `most` actions of a legal game."""
    header = random_header(chance)
    game = rules.set_up(header)
    steps = rules.play(game)
    next(steps)
    luck = Luck(WEIGHTS[chance.choice(list(WEIGHTS))], chance.choice((-1, 0, 1)))
    values = [header]
    while game["awaits"] and len(values) <= most:
        action = decide(chance, game, luck)
        steps.send(action)
        values.append(action)
    if chance.random() < 0.5:
        values[0] = header | {"version": 3, **random_origin(chance)}
        if chance.random() < 0.5:
            correct(chance, values)
        if "date" in values[0] and chance.random() < 0.3:
            values[0] |= {"version": 5, "date": f"{values[0]['date']}?"}
    return values


def correct(chance: Random, values: list[Json]) -> None:
    """Say what players corrected in the dice of some rolls."""
    values[0]["version"] = 4
    for action in values[1:]:
        if action["action"] == "roll" and chance.random() < 0.3:
            some = range(chance.choice((1, 1, 2, 5)))
            action["corrected"] = [random_said(chance, len(values[0]["players"])) for _ in some]


def random_said(chance: Random, players: int) -> Json:
    """One correction by one of so many players, or by nobody known."""
    kind = chance.choice(list(rules.SAID))
    needed, optional = rules.SAID[kind]
    said = {"die": chance.randrange(5), "face": chance.choice(FACES), "read": chance.choice(FACES)}
    keys = needed | {key for key in optional if chance.random() < 0.7}
    seat = {"seat": chance.randrange(players)} if chance.random() < 0.8 else {}
    return {"kind": kind, **seat, **{key: said[key] for key in sorted(keys)}}


def random_header(chance: Random) -> Json:
    ruleset = chance.choice(("base", *RULESETS))
    number = 4 if ruleset == "quick" else chance.choice((3, 3, 4, 5, 6, 7, 8, 8))
    roles = chance.sample(ROLES[number], number)
    characters = chance.sample(chance.choice((list(LIFE), DECIDERS)), number)
    names = chance.sample(NAMES, number)
    return {
        "record": "bang-dice",
        "version": 1,
        "ruleset": ruleset,
        "players": [
            {"name": name, "role": role, "character": character}
            for name, role, character in zip(names, roles, characters, strict=True)
        ],
    }


def random_origin(chance: Random) -> Json:
    """Which version wrote a record, and mostly when."""
    day = f"{chance.choice((1, 1970, 2024, 2026, 9999)):04}-{chance.randint(1, 12):02}-"
    day += f"{chance.randint(1, 28):02}"
    hour, minute, second = chance.choice((0, 9, 23)), chance.choice((0, 59)), chance.choice((0, 59))
    moment = f"{day}T{hour:02}:{minute:02}:{second:02}Z"
    date = chance.choice(({}, {"date": day}, {"date": moment}, {"date": "2024-02-29"}))
    return {"companion": chance.choice(COMPANIONS), **date}


def decide(chance: Random, game: Game, luck: Luck) -> Json:
    """A legal action, any that is awaited."""
    seat = game["awaits"]["seat"]
    kind = chance.choice(game["awaits"]["actions"])
    action = {"action": kind, "seat": seat}
    alive = rules.living(game)
    if kind == "heal":
        action["target"] = chance.choice(alive)
    elif kind == "roll":
        action |= decide_roll(chance, game, luck.weights)
    elif kind == "shoot":
        action["shots"] = decide_shots(chance, game, luck.aim)
    elif kind == "beer":
        friend = chance.choice([seat, *alive])
        action["targets"] = [chance.choice([friend, *alive]) for _ in range(game["most"])]
    elif kind == "discard_from":
        held = [s for s in alive for _ in range(game["players"][s]["arrows"])]
        action["targets"] = chance.sample(held, chance.randint(0, min(game["most"], len(held))))
    elif kind != "stop":
        action["count"] = chance.randint(0, game["most"])
    return action


def decide_roll(chance: Random, game: Game, weights: tuple[int, ...]) -> Json:
    rolled = chance.choices(FACES, fateful(chance, game, weights), k=5)
    if game["rolls"] == 0:
        return {"dice": rolled}
    loose = [die for die in range(5) if die not in rules.fixed_dice(game)]
    rerolled = sorted(chance.sample(loose, chance.randint(1, len(loose))))
    dice = [rolled[die] if die in rerolled else game["dice"][die] for die in range(5)]
    return {"dice": dice, "rerolled": rerolled}


def fateful(chance: Random, game: Game, weights: tuple[int, ...]) -> tuple[int, ...]:
    """Weights that let an attack that would eliminate somebody come, and shots follow it."""
    doomed = [player for player in game["players"] if 0 < player["life"] <= player["arrows"]]
    if chance.random() < 0.3:
        return weights
    if game["fallen"]:
        return WEIGHTS["shots"]
    return WEIGHTS["arrows"] if doomed else weights


def decide_shots(chance: Random, game: Game, aim: int) -> list[Json]:
    shots = []
    for die in rules.dice_showing(game, "bullseye1", "bullseye2"):
        shot: Json = {"die": die}
        face = game["dice"][die]
        if rules.is_played_by(game, game["turn"], "calamity_janet") and chance.random() < 0.6:
            face = shot["as"] = chance.choice(("bullseye1", "bullseye2"))
        targets = rules.in_reach(game, face)
        if not targets:
            shot["target"] = None
        else:
            chance.shuffle(targets)
            shot["target"] = max(targets, key=lambda seat: aim * game["players"][seat]["life"])
        shots.append(shot)
    beers = rules.dice_showing(game, "beer")
    hitting = [shot for shot in shots if shot["target"] is not None]
    may_double = rules.is_played_by(game, game["turn"], "slab_the_killer") and beers and hitting
    if may_double and chance.random() < 0.7:
        chance.choice(hitting)["beer"] = chance.choice(beers)
    return shots


# Spoiling


def broken(chance: Random) -> bytes:
    """A record with one mistake somewhere; by luck the change may be legal."""
    values = game_of(chance, chance.randint(0, ACTIONS))
    lines = delicate(values) if chance.random() < 0.3 else of_one_kind(chance, values)
    at = max(chance.choices(lines, k=2))  # rather late, when players have fallen
    # What follows the mistake tells nothing, except where the change turned out to be legal.
    values = values[: at + chance.randint(2, 8)]
    how = chance.random()
    if how < 0.5 and at > 0:
        misplay(chance, values, at)
    elif how < 0.75:
        misspell(chance, values, at)
    written = [write(chance, value) for value in values]
    if 0.75 <= how < 0.95:
        spoil_lines(chance, written, at)
    elif how >= 0.95:
        written = spoil_end(chance, written, values)
    return join(chance, written)


def of_one_kind(chance: Random, values: list[Json]) -> list[int]:
    """The indices of the header, or of all lines with one kind of action.

    Preferred are those about which the rules say most.
    """
    kinds = ["roll again" if "rerolled" in value else value.get("action") for value in values]
    much = [kind for kind in ("shoot", "shoot", "shoot", "roll again") if kind in kinds]
    kind = chance.choice([*dict.fromkeys(kinds), *much])
    return [index for index, other in enumerate(kinds) if other == kind]


def delicate(values: list[Json]) -> list[int]:
    """The indices of the lines where an ability decides what is legal; of all if none."""
    able = {
        "roll": ("black_jack",),
        "shoot": ("calamity_janet", "rose_doolan", "slab_the_killer"),
        "take_arrows": ("bart_cassidy",),
        "discard_arrows": ("pedro_ramirez",),
        "discard_from": ("kit_carlson",),
    }
    characters = [player["character"] for player in values[0]["players"]]
    return [
        index
        for index, value in enumerate(values)
        if index > 0 and characters[value["seat"]] in able.get(value["action"], ())
    ] or list(range(len(values)))


def misplay(chance: Random, values: list[Json], at: int) -> None:
    """Let a player decide what the rules may not allow, or decide out of turn."""
    game = game_after(values[:at])
    value = values[at] = copy.deepcopy(values[at])
    kind = value["action"]
    players = len(game["players"])
    if chance.random() < 0.1:
        seat = chance.choice((value["seat"], random_seat(chance, players)))
        values.insert(at, random_action(chance, players, seat))
    elif chance.random() < 0.1:
        value["seat"] = random_seat(chance, players)
    elif "rerolled" in value and "dynamite" in game["dice"] and chance.random() < 0.5:
        roll_fixed(chance, value, game["dice"])
    elif "rerolled" in value and chance.random() < 0.1:
        value |= {"dice": list(game["dice"]), "rerolled": []}
    elif kind == "roll":
        chance.choice(IN_ROLL)(chance, value)
    elif "count" in value:
        value["count"] = game["most"] + chance.choice((-1, 0, 1, 1, 1, 2))
    elif kind == "shoot" and chance.random() < 0.5:
        shoot_anybody(chance, game, value["shots"])
    elif kind in ("heal", "beer", "discard_from") and chance.random() < 0.6:
        misdirect(chance, game, value)
    else:
        values[at] = random_action(chance, players, value["seat"], value)


def game_after(values: list[Json]) -> Game:
    """The game after a header and legal actions."""
    game = rules.set_up(values[0])
    steps = rules.play(game)
    next(steps)
    for value in values[1:]:
        steps.send(copy.deepcopy(value))
    return game


def misdirect(chance: Random, game: Game, value: Json) -> None:
    """Choose an eliminated player, if any, or discard more of a player's arrows than they hold."""
    seats = range(len(game["players"]))
    seat = chance.choice([s for s in seats if not game["players"][s]["alive"]] or seats)
    if value["action"] == "heal":
        value["target"] = seat
    elif value["action"] == "beer":
        value["targets"][chance.randrange(len(value["targets"]))] = seat
    else:
        seat = chance.choice([seat, *rules.living(game)])
        held = game["players"][seat]["arrows"]
        value["targets"] = [seat] * min(held + 1, game["most"])


def shoot_anybody(chance: Random, game: Game, shots: list[Json]) -> None:
    """One shot at anybody or at nobody, or doubled whether it may be or not."""
    shot = chance.choice(shots)
    beers = rules.dice_showing(game, "beer")
    if beers and chance.random() < 0.5:
        shot["beer"] = chance.choice(beers)
    else:
        shot["target"] = chance.choice((None, *range(len(game["players"]))))


def misspell(chance: Random, values: list[Json], at: int) -> None:
    """Change what a line says, whatever it means."""
    value = values[at] = copy.deepcopy(values[at])
    if at == 0 and chance.random() < 0.75:
        chance.choice(IN_HEADER)(chance, value)
    else:
        values[at] = chance.choice(ANYWHERE)(chance, value)


# Anywhere in a line


def entries(value: Json) -> list[tuple[Any, Any]]:
    """Every entry of a value at any depth, as its container and its key or index there."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [entry for key in keys for entry in entries(value[key])]


def replace_entry(chance: Random, value: Json) -> Json:
    container, key = chance.choice(entries(value))
    raw = chance.random() < 0.5
    container[key] = Raw(chance.choice(RAW_VALUES)) if raw else chance.choice(ODD_VALUES)
    return value


def retype_entry(chance: Random, value: Json) -> Json:
    """Write a value, best a number, as another type that means nearly the same."""
    found = entries(value)
    numbers = [(container, key) for container, key in found if type(container[key]) is int]
    container, key = chance.choice(numbers if numbers and chance.random() < 0.7 else found)
    entry = container[key]
    forms: list[Json] = [Raw(f"[{json.dumps(entry)}]"), Raw(json.dumps(json.dumps(entry)))]
    if type(entry) is int:
        forms += [float(entry), f"{entry}", entry == 1, Raw(f"{entry}e0"), entry + 2**64]
    if isinstance(entry, str):
        forms += [entry.upper(), f"{entry} ", [entry]]
    container[key] = chance.choice(forms)
    return value


def remove_entry(chance: Random, value: Json) -> Json:
    container, key = chance.choice(entries(value))
    del container[key]
    return value


def repeat_entry(chance: Random, value: Json) -> Json:
    """Let a list hold an entry twice, or an object a key twice."""
    lists = [found for found, key in entries(value) if isinstance(found, list) and key == 0]
    if lists and chance.random() < 0.4:
        found = chance.choice(lists)
        found.insert(chance.randint(0, len(found)), chance.choice(found))
        return value
    paired: list[Pairs] = []
    value = to_pairs(value, paired)
    found = chance.choice(paired)
    key, entry = chance.choice(found)
    found.append((key, chance.choice((entry, None, 0, "beer"))))
    return value


def to_pairs(value: Json, found: list[Pairs]) -> Json:
    """The value with every object as Pairs; those not empty are appended to `found`."""
    if isinstance(value, list):
        return [to_pairs(entry, found) for entry in value]
    if not isinstance(value, dict):
        return value
    pairs = Pairs((key, to_pairs(entry, found)) for key, entry in value.items())
    if pairs:
        found.append(pairs)
    return pairs


def add_key(chance: Random, value: Json) -> Json:
    objects = [value] + [
        found[key] for found, key in entries(value) if isinstance(found[key], dict)
    ]
    key = chance.choice(
        ("as", "beer", "rerolled", "corrected", "target", "count", "dice", "note", "", "Seat")
    )
    found = chance.choice(objects)
    found.setdefault(key, chance.choice((None, 0, 1, 2, [], [0], "bullseye1", "bullseye2", {})))
    return value


def rename_key(chance: Random, value: Json) -> Json:
    container, key = chance.choice([entry for entry in entries(value) if isinstance(entry[1], str)])
    container[chance.choice((key.upper(), f"{key} ", f"{key}s"))] = container.pop(key)
    return value


def swap_entries(chance: Random, value: Json) -> Json:
    """Turn a list round, or put another value of the line in a value's place."""
    lists = [found for found, key in entries(value) if isinstance(found, list) and key == 1]
    if lists and chance.random() < 0.5:
        chance.choice(lists).reverse()
        return value
    (one, key), (other, second) = chance.choices(entries(value), k=2)
    one[key] = copy.deepcopy(other[second])
    return value


def wrap(chance: Random, value: Json) -> Json:
    return chance.choice(([value], Raw(json.dumps(json.dumps(value))), {"action": value}))


ANYWHERE: tuple[Callable[[Random, Json], Json], ...] = (
    replace_entry,
    retype_entry,
    remove_entry,
    repeat_entry,
    add_key,
    rename_key,
    swap_entries,
    wrap,
)


# In the header


def change_player(chance: Random, header: Json) -> None:
    """Give one player another's name, role or character, or one from the box."""
    player, other = chance.sample(header["players"], 2)
    key = chance.choice(("name", "role", "character"))
    box: dict[str, tuple[str, ...]] = {
        "name": ("", " ", "Zoë"),
        "role": ("sheriff", "deputy", "outlaw", "renegade", "leader"),
        "character": (*LIFE, "rick", "Bart Cassidy"),
    }
    player[key] = chance.choice((other[key], chance.choice(box[key])))


def change_number(chance: Random, header: Json) -> None:
    """Let a player leave or join, whatever the roles are then."""
    players = header["players"]
    if chance.random() < 0.5:
        del players[chance.randrange(len(players))]
    else:
        extra = {
            "name": f"Extra {chance.random()}",
            "role": chance.choice(("deputy", "outlaw", "renegade")),
            "character": chance.choice(list(LIFE)),
        }
        players.insert(chance.randint(0, len(players)), extra)


def change_ruleset(chance: Random, header: Json) -> None:
    header["ruleset"] = chance.choice(("quick", *RULESETS, "base-en", "Base", ""))


def change_version(chance: Random, header: Json) -> None:
    key = chance.choice(("record", "version"))
    header[key] = chance.choice((0, 1, 2, 3, 4, 5, 6, "1", "bang-dice", "dice", True, 1.0, 3.0))


def change_origin(chance: Random, header: Json) -> None:
    """Say wrongly where the record comes from, or say it in a version that knows no such key."""
    key = chance.choice(("companion", "date", "date"))
    if chance.random() < 0.15:
        header.pop(key, None)
    else:
        header[key] = chance.choice(NO_COMPANIONS if key == "companion" else NO_DATES)


IN_HEADER: tuple[Callable[[Random, Json], None], ...] = (
    change_player,
    change_player,
    change_number,
    change_ruleset,
    change_version,
    change_origin,
    change_origin,
)


# In a roll


def change_die(chance: Random, roll: Json) -> None:
    """Another face; where the die was kept, it may not change."""
    roll["dice"][chance.randrange(5)] = chance.choice(FACES)


def roll_others(chance: Random, roll: Json) -> None:
    """Other dice are said to be rolled again than showed another face."""
    roll["rerolled"] = sorted(chance.sample(range(5), chance.randint(0, 5)))


def muddle_rolled(chance: Random, roll: Json) -> None:
    """The list of dice rolled again is not ascending, or none, or there should be none."""
    rolled = roll.pop("rerolled", None)
    if rolled is None:
        roll["rerolled"] = chance.choice(([0, 1, 2, 3, 4], []))
    elif chance.random() < 0.8:
        twice, strange = [*rolled, rolled[-1]], [*rolled, 5]
        roll["rerolled"] = chance.choice((rolled[::-1], rolled[::-1], twice, twice, strange))


def roll_another_number(chance: Random, roll: Json) -> None:
    roll["dice"] = [*roll["dice"], "arrow"] if chance.random() < 0.5 else roll["dice"][:-1]


IN_ROLL: tuple[Callable[[Random, Json], None], ...] = (
    change_die,
    roll_others,
    muddle_rolled,
    roll_another_number,
)


def roll_fixed(chance: Random, roll: Json, before: list[str]) -> None:
    """Roll dynamite again; Black Jack may."""
    die = chance.choice([die for die in range(5) if before[die] == "dynamite"])
    roll["dice"][die] = chance.choice(FACES)
    roll["rerolled"] = sorted({die, *roll["rerolled"]})


# In any action


def random_seat(chance: Random, players: int) -> int:
    """Mostly a seat of the game."""
    return chance.randrange(players) if chance.random() < 0.9 else chance.randint(-1, 9)


def random_action(chance: Random, players: int, seat: int, like: Json = None) -> Json:
    """An action in the right form, or nearly, whatever the rules say; of the kind of `like`."""
    kind = like["action"] if like else chance.choice(list(rules.KEYS))
    action: Json = {"action": kind, "seat": seat}
    if kind == "heal":
        action["target"] = random_seat(chance, players)
    elif kind == "roll":
        action["dice"] = chance.choices(FACES, k=5)
        if chance.random() < 0.5:
            action["rerolled"] = sorted(chance.sample(range(5), chance.randint(1, 5)))
    elif kind == "shoot":
        shots = like["shots"] if like else [{"die": chance.randrange(5), "target": 0}]
        action["shots"] = random_shots(chance, players, shots)
    elif kind in ("beer", "discard_from"):
        targets = list(like["targets"]) if like else [seat]
        for index in range(len(targets)):
            if chance.random() < 0.5:
                targets[index] = random_seat(chance, players)
        number = max(len(targets) + chance.choice((-1, 0, 0, 0, 0, 1)), 0)
        action["targets"] = [*targets, random_seat(chance, players)][:number]
    elif kind in ("take_arrows", "discard_arrows"):
        action["count"] = chance.randint(-1, 5)
    return action


def random_shots(chance: Random, players: int, shots: list[Json]) -> list[Json]:
    """Mostly one change: another target or face, a beer; seldom other dice."""
    shots = [dict(shot) for shot in shots]
    how = chance.random()
    if how < 0.1:
        return chance.choices(shots, k=len(shots) + chance.choice((-1, 0, 1)))
    shot = chance.choice(shots)
    if how < 0.7:
        shot["target"] = None if chance.random() < 0.2 else random_seat(chance, players)
    if 0.6 < how < 0.8:
        shot["as"] = chance.choice(("bullseye1", "bullseye2", "bullseye1", "bullseye2", "beer"))
    if how > 0.75:
        shot["beer"] = chance.choice((*range(5), *range(5), -1, 5))
    return shots


# In the lines


def spoil_lines(chance: Random, lines: list[bytes], at: int) -> None:
    """Drop, repeat, exchange, add or damage a line."""
    line = lines[at]
    cut = chance.randint(0, len(line))
    how = chance.randrange(12)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, line)
    elif how == 2 and len(lines) > 1:
        at = min(at, len(lines) - 2)
        lines[at : at + 2] = lines[at + 1], lines[at]
    elif how == 3:
        lines.insert(at + chance.randint(0, 1), chance.choice((b"", b" ", b"\t", b"\r", b"\x0c")))
    elif how == 4:
        lines[at] = line[:cut]
    elif how == 5:
        lines[at : at + 1] = [line[:cut], line[cut:]]
    elif how == 6:
        lines[at] = line + chance.choice((line, b",", b" //", b"}", b"\0", b"\x0b", b"\xc2\xa0"))
    elif how == 7:
        lines[at] = b"\xef\xbb\xbf" + line
    elif how == 8:
        bad = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80")
        lines[at] = line[:cut] + chance.choice(bad) + line[cut:]
    elif how == 9:
        lines[at] = chance.choice((b"null", b"[]", b"{}", b"0", b'"roll"', b"NaN", b"true"))
    elif how == 10:
        lines.insert(at + 1, lines[0])
    else:
        byte = chance.choice((b'"', b",", b":", b"}", b"[", b"0", b"\\", b"\x1f"))
        lines[at] = line[:cut] + byte + line[cut + chance.randint(0, 1) :]


def spoil_end(chance: Random, lines: list[bytes], values: list[Json]) -> list[bytes]:
    """Add what no longer belongs to the game, or spoil the whole file."""
    how = chance.randrange(8)
    if how < 5:
        players = len(values[0]["players"])
        seat = chance.choice((values[-1].get("seat", 0), random_seat(chance, players)))
        extra = write(chance, random_action(chance, players, seat))
        return [*lines, chance.choice((extra, extra, b"", b"{}", lines[-1]))]
    if how == 5:
        return []
    text = b"\n".join(lines)
    if how == 6:
        return [text.replace(b"\n", b"\r")]
    return [text.decode().encode(chance.choice(("utf-16", "utf-16-le", "utf-32-be")))]

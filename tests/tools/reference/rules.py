"""A second implementation of the rules, to hold the product's against.

It is written from the rulings and the record format alone, shares no code with the product, and
prefers plain to fast: a game is one dictionary that changes, a turn is a generator that reads like
the rulings and yields wherever a player must decide.
"""

import json
from collections.abc import Container, Generator, Iterable, Iterator
from typing import Any

Json = Any
Game = dict[str, Any]
"""The game now: `ruleset`, `turn` (seat), `rolls`, `dice`, `pile` and `players` as in the printed
state; of this turn also `fallen` (seats eliminated) and `doubling` (Slab's beer die); `awaits`
(as printed), `most` (how many arrows, beers or seats that decision may name) and `result`."""
Steps = Generator[None, Json, None]
"""Part of a turn: yields where an action is awaited, and is sent that action."""

FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")
RULESETS = ("base", "base-fr", "walking-dead", "quick")
ROLES = {
    3: ["deputy", "outlaw", "renegade"],
    4: ["outlaw", "outlaw", "renegade", "sheriff"],
    5: ["deputy", "outlaw", "outlaw", "renegade", "sheriff"],
    6: ["deputy", "outlaw", "outlaw", "outlaw", "renegade", "sheriff"],
    7: ["deputy", "deputy", "outlaw", "outlaw", "outlaw", "renegade", "sheriff"],
    8: ["deputy", "deputy", "outlaw", "outlaw", "outlaw", "renegade", "renegade", "sheriff"],
}
LIFE = {
    "bart_cassidy": 8,
    "black_jack": 8,
    "calamity_janet": 8,
    "el_gringo": 7,
    "jesse_jones": 9,
    "jourdonnais": 7,
    "kit_carlson": 7,
    "lucky_duke": 8,
    "paul_regret": 9,
    "pedro_ramirez": 8,
    "rose_doolan": 9,
    "sid_ketchum": 8,
    "slab_the_killer": 8,
    "suzy_lafayette": 8,
    "vulture_sam": 9,
    "willy_the_kid": 8,
}
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PREY = {"deputy": "renegade", "renegade": "outlaw", "outlaw": "deputy"}
"""Who hunts whom in the game of three."""
KEYS = {
    "heal": {"target"},
    "roll": {"dice"},
    "stop": set(),
    "shoot": {"shots"},
    "take_arrows": {"count"},
    "discard_arrows": {"count"},
    "beer": {"targets"},
    "discard_from": {"targets"},
}
"""Each action's keys beside `action` and `seat`; a second roll also has `rerolled`."""
SAID = {
    "face": ({"die", "face"}, {"read"}),
    "kept": ({"die"}, set()),
    "thrown": ({"die"}, set()),
    "left_out": (set(), set()),
    "added": ({"face"}, set()),
    "by_hand": (set(), set()),
}
"""The keys of each kind of correction beside `kind` and `seat`: needed, optional."""


class Wrong(Exception):  # noqa: N818
    """A record is wrong: `line` is its first wrong line, counted from 1, `reason` says why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"{line}: {reason}")
        self.line = line
        self.reason = reason


class IllegalError(Exception):
    """What a line says is no JSON, no header, no action, or against the rules."""


def replay(lines: Iterable[bytes], viewer: int | str | None = None) -> Iterator[Json]:
    """Yield the states of a record: after the header, then after each action.

    `lines` keep their ends. `viewer` is a seat, `"table"`, or None for one who may see all roles.
    Raises Wrong, after the states up to there.
    """
    number = 1
    source = iter(lines)
    try:
        first = next(source, None)
        require(first is not None, "the record is empty")
        game = set_up(parse(first or b""))
        require(viewer in (None, "table", *range(len(game["players"]))), f"no seat {viewer}")
        steps = play(game)
        next(steps)
        yield shown(game, viewer)
        for line in source:
            number += 1
            action = parse(line)
            require(game["awaits"] is not None, "the game is over")
            steps.send(action)
            yield shown(game, viewer)
    except IllegalError as error:
        raise Wrong(number, str(error)) from None


def shown(game: Game, viewer: int | str | None) -> Json:
    """The state as it is printed for a viewer (see `replay`)."""
    players = []
    for seat, player in enumerate(game["players"]):
        open_to_all = (
            player["role"] == "sheriff"
            or not player["alive"]
            or len(game["players"]) == 3
            or game["result"] is not None
        )
        known = open_to_all or viewer is None or viewer == seat
        players.append({**player, "role": player["role"] if known else None})
    return {
        "turn": game["turn"],
        "rolls": game["rolls"],
        "dice": game["dice"] and list(game["dice"]),
        "pile": game["pile"],
        "players": players,
        "awaits": game["awaits"],
        "result": game["result"],
    }


# Reading a line


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise IllegalError(reason)


def parse(line: bytes) -> Json:
    """The value that a line holds."""
    try:
        return json.loads(
            line.decode("utf-8"), object_pairs_hook=keys_once, parse_constant=no_constant
        )
    except (ValueError, RecursionError) as error:
        raise IllegalError(f"not JSON: {error}") from None


def keys_once(pairs: list[tuple[str, Json]]) -> Json:
    require(len({key for key, _ in pairs}) == len(pairs), "the same key twice")
    return dict(pairs)


def no_constant(name: str) -> None:
    raise IllegalError(f"{name} is no JSON")


def check_object(value: Json, needed: set[str], optional: Container[str] = ()) -> None:
    require(type(value) is dict, "an object is expected")
    missing = needed - set(value)
    unknown = [key for key in value if key not in needed and key not in optional]
    require(not missing, f"missing keys: {missing}")
    require(not unknown, f"unknown keys: {unknown}")


def check_list(value: Json, least: int, most: int) -> None:
    require(type(value) is list, "a list is expected")
    require(least <= len(value) <= most, f"{least} to {most} entries are expected")


def check_integer(value: Json, least: int, most: int) -> None:
    require(type(value) is int, "an integer is expected")
    require(least <= value <= most, f"{least} to {most} is expected")


def check_word(value: Json, words: Container[str]) -> None:
    require(type(value) is str and value in words, f"one of {words} is expected")


def check_origin(header: Json) -> None:
    """Version 3: which version of the product wrote the record, and when the game began."""
    companion, date = header["companion"], header.get("date", "2000-01-01")
    require(type(companion) is str and 1 <= len(companion) <= 40, "a version is expected")
    require(companion[0] in DIGITS, "a version begins with a digit")
    require(set(companion) <= {*DIGITS, *LETTERS, *".+-"}, "a letter that no version has")
    require(type(date) is str, "a date is expected")
    if header["version"] == 5:
        date = date.removesuffix("?")
    form = "".join("0" if letter in DIGITS else letter for letter in date)
    require(form in ("0000-00-00", "0000-00-00T00:00:00Z"), "another form of a date")
    year, month, day = int(date[:4]), int(date[5:7]), int(date[8:10])
    require(year >= 1 and 1 <= month <= 12, "no such month")
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    require(1 <= day <= days[month - 1], "no such day")
    clock = date[11:19] or "00:00:00"
    require(clock[:2] < "24" and clock[3:5] < "60" and clock[6:] < "60", "no such time")


# Setting up


def set_up(header: Json) -> Game:
    """The game before its first turn. House rules are not known here, nor is version 2."""
    needed = {"record", "version", "ruleset", "players"}
    version = header.get("version") if type(header) is dict else None
    if type(version) is int and version in (3, 4, 5):
        check_object(header, {*needed, "companion"}, ["date"])
        check_origin(header)
    else:
        check_object(header, needed)
        check_integer(header["version"], 1, 1)
    check_word(header["record"], ["bang-dice"])
    check_word(header["ruleset"], RULESETS)
    check_list(header["players"], *((4, 4) if header["ruleset"] == "quick" else (3, 8)))
    for player in header["players"]:
        check_object(player, {"name", "role", "character"})
        require(type(player["name"]) is str and player["name"] != "", "a name is expected")
        check_word(player["role"], ROLES[8])
        check_word(player["character"], LIFE)
    number = len(header["players"])
    for key in ("name", "character"):
        require(len({player[key] for player in header["players"]}) == number, f"a {key} twice")
    roles = [player["role"] for player in header["players"]]
    require(sorted(roles) == ROLES[number], f"{number} players need the roles {ROLES[number]}")

    players = []
    for player in header["players"]:
        life = LIFE[player["character"]] + (2 if player["role"] == "sheriff" else 0)
        players.append(
            {
                "life": life,
                "max_life": life,
                "arrows": 0,
                "alive": True,
                "character": player["character"],
                "role": player["role"],
            }
        )
    return {
        "ruleset": header["ruleset"],
        "corrected": version in (4, 5),
        "turn": roles.index("deputy" if number == 3 else "sheriff"),
        "rolls": 0,
        "dice": None,
        "pile": 9,
        "players": players,
        "fallen": [],
        "doubling": [],
        "awaits": None,
        "most": 0,
        "result": None,
    }


# What the table knows


def living(game: Game) -> list[int]:
    """The seats of the living players, ascending."""
    return [seat for seat, player in enumerate(game["players"]) if player["alive"]]


def is_played_by(game: Game, seat: int, character: str) -> bool:
    return bool(game["players"][seat]["character"] == character)


def living_seat(game: Game, character: str) -> int | None:
    """The seat of this character, if somebody alive plays it."""
    return next((seat for seat in living(game) if is_played_by(game, seat, character)), None)


def turn_is_over(game: Game) -> bool:
    """Whether the game is over, or the player whose turn it is was eliminated."""
    return game["result"] is not None or not game["players"][game["turn"]]["alive"]


def distance(game: Game, one: int, other: int) -> int:
    """Places between two seats, the shorter way round."""
    places = [
        seat
        for seat, player in enumerate(game["players"])
        if player["alive"] or (game["ruleset"] == "base" and seat in game["fallen"])
    ]
    apart = abs(places.index(one) - places.index(other))
    return min(apart, len(places) - apart)


def in_reach(game: Game, face: str) -> list[int]:
    """The living whom the player whose turn it is may shoot with this bull's eye."""
    shooter = game["turn"]
    reach = 2 if face == "bullseye2" and len(living(game)) > 3 else 1
    reaches = (reach, reach + 1) if is_played_by(game, shooter, "rose_doolan") else (reach,)
    return [seat for seat in living(game) if distance(game, shooter, seat) in reaches]


def dice_showing(game: Game, *faces: str) -> list[int]:
    """The indices of the dice that show one of the faces, ascending."""
    return [die for die, face in enumerate(game["dice"]) if face in faces]


def fixed_dice(game: Game) -> list[int]:
    """The dice that may not be rolled again, while others may."""
    return [] if is_played_by(game, game["turn"], "black_jack") else dice_showing(game, "dynamite")


def rolls_allowed(game: Game) -> int:
    return 4 if is_played_by(game, game["turn"], "lucky_duke") else 3


# Life and arrows


def gain(game: Game, seat: int, points: int) -> None:
    player = game["players"][seat]
    player["life"] = min(player["life"] + points, player["max_life"])


def lose(game: Game, seat: int, points: int) -> None:
    player = game["players"][seat]
    player["life"] = max(player["life"] - points, 0)


def discard(game: Game, seat: int, arrows: int) -> None:
    game["players"][seat]["arrows"] -= arrows
    game["pile"] += arrows


def discard_all(game: Game, seat: int) -> None:
    discard(game, seat, game["players"][seat]["arrows"])


def take_arrow(game: Game, seat: int) -> None:
    discard(game, seat, -1)
    if game["pile"] == 0:
        attack_by_indians(game)


def attack_by_indians(game: Game) -> None:
    for seat in living(game):
        arrows = game["players"][seat]["arrows"]
        lose(game, seat, min(arrows, 1) if is_played_by(game, seat, "jourdonnais") else arrows)
        discard_all(game, seat)
    eliminate(game, by_shooter=False)


def eliminate(game: Game, by_shooter: bool) -> None:
    """All without life points leave the game, Vulture Sam gains, and the game may end.

    `by_shooter`: they fell to a bull's eye or the Gatling of the player whose turn it is.
    """
    fallen = [seat for seat in living(game) if game["players"][seat]["life"] == 0]
    for seat in fallen:
        game["players"][seat]["alive"] = False
        discard_all(game, seat)
    game["fallen"] += fallen
    vulture = living_seat(game, "vulture_sam")
    if vulture is not None:
        gain(game, vulture, 2 * len(fallen))
    if len(game["players"]) == 3:
        judge_three(game, fallen if by_shooter else [])
    else:
        judge(game)


def judge(game: Game) -> None:
    """End the game of 4 to 8 players if it is over."""
    alive = [game["players"][seat]["role"] for seat in living(game)]
    if "sheriff" not in alive:
        if alive == ["renegade"]:
            game["result"] = {"side": "renegade", "winners": living(game)}
        else:
            game["result"] = {"side": "outlaws", "winners": seats_of(game, "outlaw")}
    elif "outlaw" not in alive and "renegade" not in alive:
        game["result"] = {"side": "law", "winners": seats_of(game, "sheriff", "deputy")}


def judge_three(game: Game, shot: list[int]) -> None:
    """End the game of three if it is over; `shot` fell to the player whose turn it is."""
    shooter = game["players"][game["turn"]]["role"]
    if PREY[shooter] in [game["players"][seat]["role"] for seat in shot]:
        game["result"] = {"side": shooter, "winners": [game["turn"]]}
    elif len(living(game)) == 1:
        last = living(game)[0]
        game["result"] = {"side": game["players"][last]["role"], "winners": [last]}
    elif not living(game):
        game["result"] = {"side": "none", "winners": []}


def seats_of(game: Game, *roles: str) -> list[int]:
    """The seats that have one of the roles, dead or alive, ascending."""
    return [seat for seat, player in enumerate(game["players"]) if player["role"] in roles]


# Playing


def play(game: Game) -> Steps:
    """The whole game, turn by turn; after its end nothing is awaited."""
    while game["result"] is None:
        yield from turn(game)
    game["awaits"] = None
    yield


def ask(game: Game, seat: int, *actions: str, most: int = 0) -> Generator[None, Json, Json]:
    """Await one of these actions from this seat, and return it, its keys checked."""
    game["awaits"] = {"seat": seat, "actions": list(actions)}
    game["most"] = most
    action = yield
    require(type(action) is dict and "action" in action, "an action is expected")
    check_word(action["action"], actions)
    rolls_again = action["action"] == "roll" and game["rolls"] > 0
    keys = KEYS[action["action"]] | ({"rerolled"} if rolls_again else set())
    corrected = game["corrected"] and action["action"] == "roll"
    check_object(action, {"action", "seat"} | keys, ["corrected"] if corrected else [])
    check_said(game, action)
    check_integer(action["seat"], seat, seat)
    return action


def check_said(game: Game, action: Json) -> None:
    """What players corrected in the dice of a roll."""
    if "corrected" not in action:
        return
    check_list(action["corrected"], 1, 1000)
    for said in action["corrected"]:
        require(type(said) is dict and "kind" in said, "a correction is expected")
        check_word(said["kind"], SAID)
        needed, optional = SAID[said["kind"]]
        check_object(said, {"kind", *needed}, {"seat", *optional})
        for key, most in (("seat", len(game["players"]) - 1), ("die", 4)):
            if key in said:
                check_integer(said[key], 0, most)
        for key in ("read", "face"):
            if key in said:
                check_word(said[key], FACES)


def ask_count(game: Game, seat: int, action: str, most: int) -> Generator[None, Json, int]:
    """Ask for up to `most` arrows, and return how many; nobody is asked where `most` is 0."""
    if most < 1:
        return 0
    answer = yield from ask(game, seat, action, most=most)
    check_integer(answer["count"], 0, most)
    return int(answer["count"])


def turn(game: Game) -> Steps:
    game["rolls"], game["dice"], game["fallen"], game["doubling"] = 0, None, [], []
    for step in (start, roll, blow_up, shoot, drink, fire_gatling, end):
        yield from step(game)
        if turn_is_over(game):
            break
    if game["result"] is None:
        number = len(game["players"])
        clockwise = [(game["turn"] + step) % number for step in range(1, number + 1)]
        game["turn"] = next(seat for seat in clockwise if seat in living(game))


def start(game: Game) -> Steps:
    if is_played_by(game, game["turn"], "sid_ketchum"):
        action = yield from ask(game, game["turn"], "heal")
        check_living(game, action["target"])
        gain(game, action["target"], 1)


def check_living(game: Game, seat: Json) -> None:
    check_integer(seat, 0, len(game["players"]) - 1)
    require(seat in living(game), f"player {seat} is eliminated")


def roll(game: Game) -> Steps:
    rolling = True
    while rolling:
        choices = ["roll", "stop"] if game["rolls"] else ["roll"]
        action = yield from ask(game, game["turn"], *choices)
        if action["action"] == "stop":
            return
        check_list(action["dice"], 5, 5)
        for face in action["dice"]:
            check_word(face, FACES)
        rolled = check_rerolled(game, action) if game["rolls"] else [0, 1, 2, 3, 4]
        game["dice"] = list(action["dice"])
        game["rolls"] += 1
        for die in rolled:
            if game["dice"][die] == "arrow":
                take_arrow(game, game["turn"])
                if turn_is_over(game):
                    return
        exploded = len(dice_showing(game, "dynamite")) >= 3
        rolling = not exploded and game["rolls"] < rolls_allowed(game)


def check_rerolled(game: Game, action: Json) -> list[int]:
    """The dice just rolled, of a second or later roll."""
    rerolled = action["rerolled"]
    check_list(rerolled, 1, 5)
    for die in rerolled:
        check_integer(die, 0, 4)
        require(die not in fixed_dice(game), f"die {die} is dynamite")
    require(rerolled == sorted(set(rerolled)), "the dice rolled must be ascending")
    for die, face in enumerate(action["dice"]):
        kept = die not in rerolled
        require(not kept or face == game["dice"][die], f"die {die} was kept, but changed")
    return list(rerolled)


def blow_up(game: Game) -> Steps:
    """Dynamite."""
    if len(dice_showing(game, "dynamite")) >= 3:
        lose(game, game["turn"], 1)
        eliminate(game, by_shooter=False)
        if not turn_is_over(game):
            yield from let_pedro_discard(game, {game["turn"]: 1})


def shoot(game: Game) -> Steps:
    """Bull's eyes."""
    bullseyes = dice_showing(game, "bullseye1", "bullseye2")
    if not bullseyes:
        return
    action = yield from ask(game, game["turn"], "shoot")
    shots = action["shots"]
    check_list(shots, len(bullseyes), len(bullseyes))
    hits: dict[int, int] = {}
    for die, shot in zip(bullseyes, shots, strict=True):
        check_shot(game, shot, die)
        if shot["target"] is not None:
            hits[shot["target"]] = hits.get(shot["target"], 0) + (2 if "beer" in shot else 1)
    used = [shot["beer"] for shot in shots if "beer" in shot]
    require(len(used) <= 1, "only one shot may be doubled")
    game["doubling"] = used
    yield from damage(game, hits)


def check_shot(game: Game, shot: Json, die: int) -> None:
    optional = []
    if is_played_by(game, game["turn"], "calamity_janet"):
        optional.append("as")
    if is_played_by(game, game["turn"], "slab_the_killer"):
        optional.append("beer")
    check_object(shot, {"die", "target"}, optional)
    check_integer(shot["die"], die, die)
    face = game["dice"][die]
    if "as" in shot:
        check_word(shot["as"], ("bullseye1", "bullseye2"))
        face = shot["as"]
    targets = in_reach(game, face)
    if shot["target"] is None:
        require(not targets, "somebody is in reach")
        require("beer" not in shot, "a lost shot cannot be doubled")
    else:
        check_integer(shot["target"], 0, len(game["players"]) - 1)
        require(shot["target"] in targets, f"player {shot['target']} is not in reach")
    if "beer" in shot:
        check_integer(shot["beer"], 0, 4)
        require(shot["beer"] in dice_showing(game, "beer"), f"die {shot['beer']} is no beer")


def damage(game: Game, hits: dict[int, int]) -> Steps:
    """A damage event of the player whose turn it is; `hits`: how many each seat takes."""
    lost = dict(hits)
    bart = living_seat(game, "bart_cassidy")
    if bart in hits:
        most = min(hits[bart], game["pile"] - 1)
        count = yield from ask_count(game, bart, "take_arrows", most)
        discard(game, bart, -count)
        lost[bart] -= count
    for seat, points in lost.items():
        lose(game, seat, points)
    gringo = living_seat(game, "el_gringo")
    eliminate(game, by_shooter=True)
    if game["result"] is not None:
        return
    yield from let_pedro_discard(game, lost)
    if gringo in lost:
        take_arrow(game, game["turn"])


def let_pedro_discard(game: Game, lost: dict[int, int]) -> Steps:
    """`lost`: the life points that each seat has just lost."""
    pedro = living_seat(game, "pedro_ramirez")
    if pedro in lost:
        most = min(lost[pedro], game["players"][pedro]["arrows"])
        count = yield from ask_count(game, pedro, "discard_arrows", most)
        discard(game, pedro, count)


def drink(game: Game) -> Steps:
    """Beers; the one that doubled a shot heals nobody."""
    drinker = game["turn"]
    beers = len(dice_showing(game, "beer")) - len(game["doubling"])
    if beers == 0:
        return
    action = yield from ask(game, drinker, "beer", most=beers)
    check_list(action["targets"], beers, beers)
    jesse_is_low = (
        is_played_by(game, drinker, "jesse_jones") and game["players"][drinker]["life"] <= 4
    )
    for seat in action["targets"]:
        check_living(game, seat)
        gain(game, seat, 2 if jesse_is_low and seat == drinker else 1)


def fire_gatling(game: Game) -> Steps:
    shooter = game["turn"]
    gatlings = len(dice_showing(game, "gatling"))
    fires = gatlings >= (2 if is_played_by(game, shooter, "willy_the_kid") else 3)
    if fires:
        discard_all(game, shooter)
    if is_played_by(game, shooter, "kit_carlson"):
        yield from let_kit_discard(game, gatlings)
    if fires:
        spared = (shooter, living_seat(game, "paul_regret"))
        yield from damage(game, {seat: 1 for seat in living(game) if seat not in spared})


def let_kit_discard(game: Game, gatlings: int) -> Steps:
    if gatlings == 0 or not any(player["arrows"] for player in game["players"]):
        return
    action = yield from ask(game, game["turn"], "discard_from", most=gatlings)
    check_list(action["targets"], 0, gatlings)
    for seat in action["targets"]:
        check_living(game, seat)
        require(game["players"][seat]["arrows"] > 0, f"player {seat} holds no arrow left")
        discard(game, seat, 1)


def end(game: Game) -> Steps:
    shot = dice_showing(game, "bullseye1", "bullseye2")
    if is_played_by(game, game["turn"], "suzy_lafayette") and not shot:
        gain(game, game["turn"], 2)
    yield from ()  # a step like the others, though nobody is asked

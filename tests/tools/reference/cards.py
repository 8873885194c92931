"""A second implementation of the card game, to hold the product's against.

It is written from the rulings and the record format alone, shares no code with the product, and
prefers plain to fast: a game is one dictionary that changes, a turn is a generator that reads like
the rulings and yields wherever a player must decide.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Set
from typing import Any

from tests.tools.reference.rules import IllegalError, Wrong, parse, require

Json = Any
Game = dict[str, Any]
"""The game now, with the keys of the printed state, and of its own: `pile` (titles, signs and None,
from below) and `shown` (signs since the last shuffle)."""
Question = tuple[int, list[str], dict[str, list[int]]] | None
"""Whose action is awaited, which kinds, and at which seats each title may be played; None: done."""
Steps = Generator[None, Json, Any]
"""Part of a turn: yields where an action is awaited, and is sent that action."""

COPIES = {
    "bang": 25, "missed": 12, "beer": 6, "saloon": 1, "stagecoach": 2, "wells_fargo": 1,
    "general_store": 2, "panic": 4, "cat_balou": 4, "gatling": 1, "indians": 2, "duel": 3,
    "barrel": 2, "dynamite": 1, "jail": 3, "mustang": 2, "scope": 1, "volcanic": 2,
    "schofield": 3, "remington": 1, "rev_carabine": 1, "winchester": 1,
}  # fmt: skip
GUNS = {"volcanic": 1, "schofield": 2, "remington": 3, "rev_carabine": 4, "winchester": 5}
BLUE = {"barrel", "dynamite", "jail", "mustang", "scope", *GUNS}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SIGNS = {rank + suit: 1 if n < 6 else 2 for n, rank in enumerate(RANKS) for suit in "SHDC"}
SAID = SIGNS | dict.fromkeys("SHDC", 20)
ROLES = {
    4: ["outlaw", "outlaw", "renegade", "sheriff"],
    5: ["deputy", "outlaw", "outlaw", "renegade", "sheriff"],
    6: ["deputy", "outlaw", "outlaw", "outlaw", "renegade", "sheriff"],
    7: ["deputy", "deputy", "outlaw", "outlaw", "outlaw", "renegade", "sheriff"],
}
LIFE = {
    "bart_cassidy": 4, "black_jack": 4, "calamity_janet": 4, "el_gringo": 3, "jesse_jones": 4,
    "jourdonnais": 4, "kit_carlson": 4, "lucky_duke": 4, "paul_regret": 3, "pedro_ramirez": 4,
    "rose_doolan": 4, "sid_ketchum": 4, "slab_the_killer": 4, "suzy_lafayette": 4,
    "vulture_sam": 4, "willy_the_kid": 4,
}  # fmt: skip


def replay(lines: Iterable[bytes], viewer: int | str | None = None) -> Iterator[Json]:
    """Yield the states of a record: after the header, then after each action.

    `viewer` is a seat, `"table"`, or None for one who may see all roles. Raises Wrong, after the
    states up to there.
    """
    number = 1
    source = iter(lines)
    try:
        first = next(source, None)
        require(first is not None, "the record is empty")
        game = set_up(parse(first or b""))
        steps = play(game)
        next(steps)
        yield shown(game, viewer)
        for line in source:
            number += 1
            action = read(parse(line))
            require(game["result"] is None, "the game is over")
            steps.send(action)
            yield shown(game, viewer)
    except IllegalError as error:
        raise Wrong(number, str(error)) from None


def shown(game: Game, viewer: int | str | None) -> Json:
    over = game["result"] is not None
    players = []
    for seat, player in enumerate(game["players"]):
        known = player["role"] == "sheriff" or not player["alive"] or over
        hidden = not known and viewer is not None and viewer != seat
        players.append(
            {**player, "in_play": [*player["in_play"]], "role": None if hidden else player["role"]}
        )
    return {
        "turn": game["turn"],
        "phase": game["phase"],
        "bangs": game["bangs"],
        "deck": game["deck"],
        "discard": len(game["pile"]),
        "top": game["pile"][-1] if game["pile"] else None,
        "regain": None if over else trader(game),
        "players": players,
        "open": game["open"] and {**game["open"]},
        "awaits": game["awaits"],
        "result": game["result"],
    }


# Reading


def exactly(entry: Json, keys: set[str], more: Set[str] = frozenset()) -> None:
    require(isinstance(entry, dict), "no object")
    require(keys <= entry.keys() <= keys | more, f"keys {sorted(entry)}")


def whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def set_up(header: Json) -> Game:
    exactly(header, {"record", "version", "ruleset", "players"})
    require(header["record"] == "bang-card" and header["ruleset"] == "base", "another game")
    require(whole(header["version"]) and header["version"] == 1, "another version")
    entries = header["players"]
    require(isinstance(entries, list) and len(entries) in ROLES, "not 4 to 7 players")
    for entry in entries:
        exactly(entry, {"name", "role", "character"})
        require(all(isinstance(value, str) for value in entry.values()), "no text")
        require(entry["name"] != "" and entry["character"] in LIFE, "no name, or no character")
    require(sorted(entry["role"] for entry in entries) == ROLES[len(entries)], "roles")
    for key in ("name", "character"):
        require(len({entry[key] for entry in entries}) == len(entries), f"the same {key} twice")
    players = []
    for entry in entries:
        life = LIFE[entry["character"]] + (entry["role"] == "sheriff")
        players.append(
            {
                "life": life,
                "max_life": life,
                "hand": life,
                "in_play": [],
                "alive": True,
                "character": entry["character"],
                "role": entry["role"],
            }
        )
    return {
        "turn": [entry["role"] for entry in entries].index("sheriff"),
        "phase": "start", "bangs": 0, "deck": 80 - sum(p["hand"] for p in players), "pile": [],
        "shown": [], "players": players, "open": None, "awaits": None, "result": None,
    }  # fmt: skip


def read(entry: Json) -> Json:
    """The action, if it has the form of one."""
    require(isinstance(entry, dict) and "action" in entry, "no action")
    kind = entry["action"]
    require(isinstance(kind, str), "no kind")
    keys = {"action", "seat"}
    if kind == "flip":
        exactly(entry, keys | {"signs"})
        require(isinstance(entry["signs"], list), "no signs")
        require(all(isinstance(s, str) and s in SAID for s in entry["signs"]), "no such sign")
    elif kind == "draw":
        exactly(entry, keys, {"from", "shown"})
        require(len(entry) == 3, "from or shown")
        if "shown" in entry:
            require(isinstance(entry["shown"], str) and entry["shown"] in SAID, "no such sign")
        else:
            source = entry["from"]
            require(whole(source) or source in ("deck", "discard"), "from nowhere")
    elif kind == "play":
        exactly(entry, keys | {"card"}, {"target", "take"})
        require(isinstance(entry["card"], str) and entry["card"] in COPIES, "no such title")
        require(whole(entry.get("target", 0)), "no target")
        take = entry.get("take", "hand")
        require(isinstance(take, str) and (take == "hand" or take in COPIES), "no such take")
    elif kind == "count":
        exactly(entry, keys | {"hand"})
        require(whole(entry["hand"]), "no number")
    else:
        require(kind in ("pass", "regain", "end"), "no such action")
        exactly(entry, keys)
    require(whole(entry["seat"]), "no seat")
    return entry


# Looking


def living(game: Game, after: int | None = None) -> list[int]:
    """The living seats; clockwise from the left of `after`, which comes last."""
    seats = [seat for seat, player in enumerate(game["players"]) if player["alive"]]
    if after is None:
        return seats
    return [s for s in seats if s > after] + [s for s in seats if s <= after]


def others(game: Game, seat: int) -> list[int]:
    return [one for one in living(game, seat) if one != seat]


def is_(game: Game, seat: int, character: str) -> bool:
    return game["players"][seat]["character"] == character


def of(game: Game, character: str) -> int | None:
    """The seat of a living player with this character."""
    return next((seat for seat in living(game) if is_(game, seat, character)), None)


def left(game: Game, title: str) -> int:
    """How many copies of a title nobody sees."""
    seen = game["pile"].count(title)
    return COPIES[title] - seen - sum(title in p["in_play"] for p in game["players"])


def away(game: Game, seat: int, target: int) -> int:
    ring = living(game)
    steps = (ring.index(target) - ring.index(seat)) % len(ring)
    far = "mustang" in game["players"][target]["in_play"]
    near = "scope" in game["players"][seat]["in_play"]
    places = min(steps, len(ring) - steps)
    places += far + is_(game, target, "paul_regret") - near - is_(game, seat, "rose_doolan")
    return max(places, 1)


def trader(game: Game) -> int | None:
    seat = of(game, "sid_ketchum")
    if seat is None:
        return None
    sid = game["players"][seat]
    return seat if sid["hand"] >= 2 and sid["life"] < sid["max_life"] else None


def held(game: Game, seat: int, taker: int) -> list[str]:
    """What can be taken from a seat."""
    hand = ["hand"] if seat != taker and game["players"][seat]["hand"] else []
    return hand + game["players"][seat]["in_play"]


def reached(game: Game, seat: int, title: str) -> list[int] | None:
    """The targets of a card on one's own turn; None if it names nobody."""
    me = game["players"][seat]
    near = sorted(others(game, seat))
    if title in ("bang", "missed"):
        reach = max([GUNS[gun] for gun in me["in_play"] if gun in GUNS] or [1])
        return [one for one in near if away(game, seat, one) <= reach]
    if title == "duel":
        return near
    if title == "jail":
        return [
            one
            for one in near
            if game["players"][one]["role"] != "sheriff"
            and "jail" not in game["players"][one]["in_play"]
        ]
    if title in ("panic", "cat_balou"):
        return [
            one
            for one in living(game)
            if held(game, one, seat)
            and (one == seat or title == "cat_balou" or away(game, seat, one) <= 1)
        ]
    return None


def own_plays(game: Game, seat: int) -> dict[str, list[int]]:
    me = game["players"][seat]
    janet = is_(game, seat, "calamity_janet")
    free = is_(game, seat, "willy_the_kid") or "volcanic" in me["in_play"]
    plays = {}
    for title in COPIES if me["hand"] else ():
        if not left(game, title) or (title == "missed" and not janet):
            continue
        if title in ("bang", "missed") and game["bangs"] and not free:
            continue
        if title in BLUE and title != "jail" and title in me["in_play"]:
            continue
        targets = reached(game, seat, title)
        if targets is None or targets:
            plays[title] = targets or []
    return plays


def answers(game: Game, seat: int, *titles: str) -> dict[str, list[int]]:
    if is_(game, seat, "calamity_janet") and titles != ("beer",):
        titles = ("bang", "missed")
    if not game["players"][seat]["hand"]:
        return {}
    return {title: [] for title in titles if left(game, title)}


# Moving cards


def shuffle(game: Game) -> None:
    if game["deck"] == 0 and game["pile"]:
        game["deck"] = len(game["pile"])
        game["pile"], game["shown"] = [], []


def lay(game: Game, card: str | None) -> None:
    game["pile"].append(card)
    shuffle(game)


def lay_hand(game: Game, seat: int, count: int) -> None:
    for _ in range(count):
        game["players"][seat]["hand"] -= 1
        lay(game, None)


def lay_all(game: Game, seat: int) -> None:
    player = game["players"][seat]
    while player["in_play"]:
        lay(game, player["in_play"].pop(0))
    lay_hand(game, seat, player["hand"])


def draw(game: Game, seat: int, count: int) -> None:
    for _ in range(count):
        if game["deck"]:
            game["deck"] -= 1
            game["players"][seat]["hand"] += 1
            shuffle(game)


def show(game: Game, sign: str, counted: bool = True) -> None:
    if counted:
        require(game["shown"].count(sign) < SAID[sign], f"{sign} was shown before")
        game["shown"].append(sign)
    game["deck"] -= 1
    shuffle(game)


def flip(game: Game, seat: int, signs: list[str]) -> str:
    able = min(2 if is_(game, seat, "lucky_duke") else 1, game["deck"] + len(game["pile"]))
    require(len(signs) == able, f"{able} cards are flipped")
    known = not (able == 2 and game["deck"] == 1)
    for sign in signs:
        show(game, sign, known)
    for sign in signs:
        lay(game, sign)
    return signs[0]


def steal(game: Game, seat: int, source: int, count: int) -> None:
    count = min(count, game["players"][source]["hand"])
    game["players"][source]["hand"] -= count
    game["players"][seat]["hand"] += count


# Asking


def ask(game: Game, question: Callable[[], Question]) -> Steps:
    """Wait for an action that the question allows; None if there is nothing to decide (any more).

    Sid Ketchum may act meanwhile, and a hand may be counted; then the question is put anew.
    """
    while (asked := question()) is not None:
        seat, kinds, plays = asked
        game["awaits"] = {"seat": seat, "actions": kinds, "plays": plays}
        action = yield
        game["awaits"] = None
        if action["action"] == "regain":
            require(trader(game) == action["seat"], "cannot regain")
            lay_hand(game, action["seat"], 2)
            game["players"][action["seat"]]["life"] += 1
            if game["open"] is None:
                refill(game)
            continue
        if action["action"] == "count":
            count(game, action["seat"], action["hand"])
            continue
        require(action["seat"] == seat and action["action"] in kinds, "not awaited")
        if action["action"] == "play":
            require(action["card"] in plays, "cannot be played")
            targets = plays[action["card"]]
            require(("target" in action) == bool(targets), "target or none")
            require(not targets or action["target"] in targets, "no such target")
            takes = bool(targets) and action["card"] in ("panic", "cat_balou")
            require(("take" in action) == takes, "take or none")
            require(not takes or action["take"] in held(game, action["target"], seat), "no take")
        return action
    return None


def count(game: Game, seat: int, hand: int) -> None:
    require(0 <= seat < len(game["players"]) and game["players"][seat]["alive"], "nobody there")
    player = game["players"][seat]
    more = hand - player["hand"]
    require(hand >= 0 and 0 != more <= game["deck"] + len(game["pile"]), "cannot be")
    if more < 0:
        game["deck"] -= more
        player["hand"] = hand
    else:
        draw(game, seat, more)
    if game["open"] is None:
        refill(game)


def refill(game: Game) -> None:
    seat = of(game, "suzy_lafayette")
    if seat is not None and game["players"][seat]["hand"] == 0:
        draw(game, seat, 1)


# A game


def play(game: Game) -> Steps:
    while game["result"] is None:
        seat = game["turn"]
        game["phase"], game["bangs"] = "start", 0
        yield from take_turn(game, seat)
        if game["result"] is None:
            game["turn"] = living(game, seat)[0]
    game["open"] = None
    yield


def take_turn(game: Game, seat: int) -> Steps:
    me = game["players"][seat]
    if "dynamite" in me["in_play"]:
        yield from burn(game, seat)
        if game["result"] or not me["alive"]:
            return
    if "jail" in me["in_play"]:
        sign = yield from start_flip(game, seat, "jail")
        me["in_play"].remove("jail")
        lay(game, "jail")
        refill(game)
        if not (sign or "").endswith("H"):
            return
    game["phase"] = "draw"
    yield from first_phase(game, seat)
    refill(game)
    game["phase"] = "play"
    while True:

        def question() -> Question:
            plays = own_plays(game, seat)
            return seat, (["play"] if plays else []) + ["end"], plays

        action = yield from ask(game, question)
        if action["action"] == "end":
            break
        yield from play_card(game, seat, action)
        settle(game)
        if game["result"] or not me["alive"]:
            return
    lay_hand(game, seat, max(0, me["hand"] - me["life"]))
    refill(game)


def start_flip(game: Game, seat: int, card: str) -> Steps:
    game["open"] = {"card": card, "by": None, "on": seat, "needed": 0, "barrels": 0}
    action = yield from ask(game, lambda: (seat, ["flip"], {}) if game["deck"] else None)
    require(not (action and card == "dynamite" and "S" in action["signs"]), "the rank counts")
    sign = flip(game, seat, action["signs"]) if action else None
    game["open"] = None
    return sign


def burn(game: Game, seat: int) -> Steps:
    me = game["players"][seat]
    sign = yield from start_flip(game, seat, "dynamite")
    me["in_play"].remove("dynamite")
    if sign and sign[-1] == "S" and sign[:-1] in "23456789":
        lay(game, "dynamite")
        game["open"] = {"card": "dynamite", "by": None, "on": seat, "needed": 0, "barrels": 0}
        yield from hit(game, seat, 3, None)
        settle(game)
    else:
        game["players"][living(game, seat)[0]]["in_play"].append("dynamite")
        refill(game)


def first_phase(game: Game, seat: int) -> Steps:
    me = game["players"][seat]

    def question() -> Question:
        if me["character"] == "jesse_jones":
            able = any(game["players"][one]["hand"] for one in others(game, seat))
        elif me["character"] == "pedro_ramirez":
            able = bool(game["pile"])
        else:
            able = me["character"] == "black_jack" and game["deck"] + len(game["pile"]) > 1
        return (seat, ["draw"], {}) if able else None

    action = yield from ask(game, question)
    if action is None:
        draw(game, seat, 2)
    elif me["character"] == "black_jack":
        require("shown" in action, "a second card is shown")
        draw(game, seat, 1)
        show(game, action["shown"])
        me["hand"] += 1
        draw(game, seat, 1 if action["shown"][-1] in "HD" else 0)
    else:
        source = action.get("from")
        if source == "discard":
            require(me["character"] == "pedro_ramirez", "not from the pile")
            game["pile"].pop()
            me["hand"] += 1
        elif source == "deck":
            draw(game, seat, 1)
        else:
            require(me["character"] == "jesse_jones", "not from a hand")
            require(source in others(game, seat), "not from there")
            require(game["players"][source]["hand"] > 0, "no card there")
            steal(game, seat, source, 1)
        draw(game, seat, 1)


def play_card(game: Game, seat: int, action: Json) -> Steps:
    card, target, take = action["card"], action.get("target"), action.get("take")
    players = game["players"]
    me = players[seat]
    me["hand"] -= 1
    if card in BLUE:
        if card in GUNS:
            for gun in [gun for gun in me["in_play"] if gun in GUNS]:
                me["in_play"].remove(gun)
                lay(game, gun)
        players[seat if target is None else target]["in_play"].append(card)
        return
    lay(game, card)
    if card in ("bang", "missed"):
        game["bangs"] += 1
        slab = is_(game, seat, "slab_the_killer")
        yield from shoot(game, card, seat, target, 2 if slab else 1)
    elif card == "beer" and len(living(game)) > 2:
        me["life"] = min(me["life"] + 1, me["max_life"])
    elif card == "saloon":
        for one in living(game):
            players[one]["life"] = min(players[one]["life"] + 1, players[one]["max_life"])
    elif card in ("stagecoach", "wells_fargo"):
        draw(game, seat, 2 if card == "stagecoach" else 3)
    elif card == "general_store":
        for one in [seat, *others(game, seat)]:
            draw(game, one, 1)
    elif card == "panic":
        if take == "hand":
            steal(game, seat, target, 1)
        else:
            players[target]["in_play"].remove(take)
            me["hand"] += 1
    elif card == "cat_balou":
        if take == "hand":
            lay_hand(game, target, 1)
        else:
            players[target]["in_play"].remove(take)
            lay(game, take)
    elif card == "gatling":
        for one in others(game, seat):
            yield from shoot(game, card, seat, one, 1)
    elif card == "indians":
        for one in others(game, seat):
            yield from defy(game, card, seat, one)
    elif card == "duel":
        yield from fight(game, seat, target)


def shoot(game: Game, card: str, by: int, on: int, needed: int) -> Steps:
    barrels = is_(game, on, "jourdonnais") + ("barrel" in game["players"][on]["in_play"])
    game["open"] = {"card": card, "by": by, "on": on, "needed": needed, "barrels": int(barrels)}
    while game["open"]["needed"]:

        def question() -> Question:
            able = ["flip"] if game["open"]["barrels"] and game["deck"] else []
            plays = answers(game, on, "missed")
            able += ["play"] if plays else []
            return (on, [*able, "pass"], plays) if able else None

        action = yield from ask(game, question)
        if action is None or action["action"] == "pass":
            yield from hit(game, on, 1, by)
            return
        if action["action"] == "flip":
            heart = flip(game, on, action["signs"])[-1] == "H"
            game["open"]["barrels"] -= 1
            game["open"]["needed"] -= heart
        else:
            game["players"][on]["hand"] -= 1
            lay(game, action["card"])
            game["open"]["barrels"] = 0
            game["open"]["needed"] -= 1


def discards_bang(game: Game, seat: int) -> Steps:
    """Whether a seat discards a BANG!."""

    def question() -> Question:
        plays = answers(game, seat, "bang")
        return (seat, ["play", "pass"], plays) if plays else None

    action = yield from ask(game, question)
    if action is None or action["action"] == "pass":
        return False
    game["players"][seat]["hand"] -= 1
    lay(game, action["card"])
    return True


def defy(game: Game, card: str, by: int, on: int) -> Steps:
    game["open"] = {"card": card, "by": by, "on": on, "needed": 1, "barrels": 0}
    if not (yield from discards_bang(game, on)):
        yield from hit(game, on, 1, by)


def fight(game: Game, by: int, on: int) -> Steps:
    now, then = on, by
    while True:
        game["open"] = {"card": "duel", "by": by, "on": now, "needed": 1, "barrels": 0}
        if not (yield from discards_bang(game, now)):
            break
        now, then = then, now
    yield from hit(game, now, 1, None if now == by else by)


def hit(game: Game, seat: int, points: int, cause: int | None) -> Steps:
    me = game["players"][seat]
    me["life"] -= points
    while me["life"] < 1:
        game["open"] |= {"on": seat, "needed": 1 - me["life"], "barrels": 0}

        def question() -> Question:
            game["open"]["needed"] = 1 - me["life"]
            if me["life"] > 0:
                return None
            plays = answers(game, seat, "beer") if len(living(game)) > 2 else {}
            if not plays and trader(game) != seat:
                return None
            return seat, (["play"] if plays else []) + ["pass"], plays

        action = yield from ask(game, question)
        if action is None and me["life"] > 0:
            break
        if action is None or action["action"] == "pass":
            eliminate(game, seat, cause)
            return
        me["hand"] -= 1
        lay(game, "beer")
        me["life"] += 1
    if me["character"] == "bart_cassidy":
        draw(game, seat, points)
    if me["character"] == "el_gringo" and cause is not None:
        steal(game, seat, cause, points)


def eliminate(game: Game, seat: int, cause: int | None) -> None:
    me = game["players"][seat]
    me["alive"], me["life"] = False, 0
    sam = of(game, "vulture_sam")
    if sam is None:
        lay_all(game, seat)
    else:
        game["players"][sam]["hand"] += len(me["in_play"]) + me["hand"]
        me["in_play"], me["hand"] = [], 0
    if cause is not None and me["role"] == "outlaw":
        draw(game, cause, 3)
    law = cause is not None and game["players"][cause]["role"] == "sheriff"
    if law and me["role"] == "deputy":
        assert cause is not None
        lay_all(game, cause)


def settle(game: Game) -> None:
    game["open"] = None
    roles = [player["role"] for player in game["players"]]
    alive = [roles[seat] for seat in living(game)]
    if "sheriff" not in alive:
        side, winning = ("renegade", ["renegade"]) if alive == ["renegade"] else (
            "outlaws", ["outlaw"]
        )  # fmt: skip
    elif "outlaw" in alive or "renegade" in alive:
        refill(game)
        return
    else:
        side, winning = "law", ["sheriff", "deputy"]
    winners = [seat for seat, role in enumerate(roles) if role in winning]
    game["result"] = {"side": side, "winners": winners}

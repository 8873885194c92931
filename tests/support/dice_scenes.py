"""The words of scenes of the dice game; how a text of scenes is read: scenes.py.

A scene is a turn about to begin: players clockwise, as in `game`, and `life`, `arrows` (of all, or
seat:count), `turn`, `house` rules, and `in` which rulesets it is tried. Dice are letters: A arrow,
D dynamite, 1 and 2 bull's eyes, B beer, G Gatling. What a move `tells` are all events that it
causes, each with what it names. Tests in Python have the same words for moves:
`play(scene, "roll AAB12", "stop")`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from scenes import Words, by_seat, numbers, options, told

from companion.games.common.refusals import IllegalMove
from companion.games.dice.rules import moves
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.check import check
from companion.games.dice.rules.faces import BULLSEYES, Dice, Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rules import apply, start
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.rules.state import Awaits, Player, Setup, State

ROLES = {role[0].upper(): role for role in Role}
FACES = dict(zip("AD12BG", Face, strict=True))

# Nothing about them matters in these places: not on the turn played, not when they are hit.
ON_TURN = ("paul_regret", "jourdonnais")
OFF_TURN = (
    "jesse_jones", "kit_carlson", "willy_the_kid", "rose_doolan", "slab_the_killer", "lucky_duke",
    "black_jack", "calamity_janet",
)  # fmt: skip


def game(
    players: str,
    *,
    ruleset: str = "base",
    turn: int = 0,
    life: Mapping[int, int] | int = 5,
    arrows: Mapping[int, int] | None = None,
) -> State:
    """A turn about to begin.

    players: `S O:el_gringo R O`, clockwise. Those without a character get one without influence.
    life: of everybody, or by seat (5 for the others); 0 fell on an earlier turn. arrows: by seat.
    """
    words = [word.partition(":") for word in players.split()]
    named = {character for _, _, character in words}
    spare = [character for character in OFF_TURN if character not in named]
    on_turn = next(character for character in ON_TURN if character not in named)
    setup = Setup(
        RULESETS[ruleset],
        tuple(
            Player(
                f"P{seat}",
                ROLES[role],
                CHARACTERS[character or (on_turn if seat == turn else spare.pop(0))],
            )
            for seat, (role, _, character) in enumerate(words)
        ),
    )
    points = {} if isinstance(life, int) else life
    common = life if isinstance(life, int) else 5
    heals = setup.players[turn].character.ability.heals_at_start
    return replace(
        start(setup),
        turn=turn,
        life=tuple(points.get(seat, common) for seat in range(len(words))),
        living=tuple(seat for seat in range(len(words)) if points.get(seat, common)),
        arrows=tuple((arrows or {}).get(seat, 0) for seat in range(len(words))),
        awaits=Awaits(turn, moves.Action.HEAL if heals else moves.Action.ROLL),
    )


def dice(letters: str) -> Dice:
    return tuple(FACES[letter] for letter in letters)


def move_of(state: State, text: str) -> moves.Move:
    """The move of the player who is asked, as scenes say it: `shoot 1 -`, `drink 0 0`.

    `again` throws all dice but those whose place holds a dot; `throw-of` names the dice that a roll
    threw, and `shots` the targets by the dice.
    """
    assert state.awaits
    seat = state.awaits.seat
    word, *given = text.split()
    match word:
        case "roll":
            return moves.Roll(seat, dice(*given))
        case "throw-of":
            return moves.Roll(seat, dice(given[0]), numbers(given[1:]))
        case "again":
            after = map(FACES.get, given[0], state.dice)
            thrown = tuple(die for die, letter in enumerate(given[0]) if letter != ".")
            return moves.Roll(seat, tuple(after), thrown)
        case "stop":
            return moves.Stop(seat)
        case "shoot":
            shooting = [die for die, face in enumerate(state.dice) if face in BULLSEYES]
            aimed = zip(shooting, given, strict=True)
            return moves.Shoot(seat, tuple(shot(die, word) for die, word in aimed))
        case "shots":
            return moves.Shoot(seat, tuple(shot(*word.split(":")) for word in given))
    if word in FOR_SEATS:
        return FOR_SEATS[word](seat, numbers(given))
    return ONE_NUMBER[word](seat, *numbers(given))


FOR_SEATS: Mapping[str, Callable[[int, tuple[int, ...]], moves.Move]] = {
    "drink": moves.Beer,
    "discard-from": moves.DiscardFrom,
}
ONE_NUMBER: Mapping[str, Callable[[int, int], moves.Move]] = {
    "heal": moves.Heal, "take": moves.TakeArrows, "put-back": moves.DiscardArrows,
}  # fmt: skip


def shot(die: int | str, word: str) -> moves.Shot:
    """A seat or `-`; `1/as2` uses the die as the other face, `1/beer3` doubles with die 3."""
    target, _, twist = word.partition("/")
    used_as = FACES[twist[2:]] if twist.startswith("as") else None
    beer = int(twist.removeprefix("beer")) if twist.startswith("beer") else None
    return moves.Shot(int(die), None if target == "-" else int(target), used_as, beer)


def play(state: State, *made: str) -> State:
    """Make moves; `throw` is a roll after which its player stops, unless rolling is over."""
    for text in made:
        word, _, letters = text.partition(" ")
        state = throw(state, letters) if word == "throw" else apply(state, move_of(state, text))
    return state


def throw(state: State, letters: str) -> State:
    """Roll once and, unless rolling is over by itself, stop."""
    state = play(state, f"roll {letters}")
    return play(state, "stop") if "stop" in state.actions else state


def refusal(state: State, text: str) -> str:
    """Why the move is illegal: both who asks and who tries anyway are told the same."""
    made = move_of(state, text)
    with pytest.raises(IllegalMove) as illegal:
        apply(state, made)
    assert illegal.value.refusal == check(state, made)
    return str(illegal.value)


def reached(state: State, face: str = "") -> set[int | None]:
    """Whom the only bull's eye may hit, by trying every seat; None: it may be lost.

    face: that it is used as.
    """
    tried = {str(seat): seat for seat in range(len(state.life))} | {"-": None}
    used = f"/as{face}" if face else ""
    return {
        target
        for word, target in tried.items()
        if check(state, move_of(state, f"shoot {word}{used}")) is None
    }


def ended(state: State) -> tuple[str, tuple[int, ...]]:
    """The side that won and its seats; a game that is over awaits nobody."""
    assert state.result is not None
    assert state.awaits is None
    return state.result.side, state.result.winners


def reaches(state: State, words: list[str]) -> bool:
    """Whom the only bull's eye may hit: seats or `nobody`, and `as 2` which face."""
    named, _, face = " ".join(words).partition(" as ")
    wanted = {None} if named == "nobody" else {*numbers(named.split())}
    return reached(state, face) == wanted


FACTS: dict[str, Callable[[State, list[str]], bool]] = {
    "life": lambda state, words: state.life == numbers(words),
    "arrows": lambda state, words: state.arrows == numbers(words),
    "pile": lambda state, words: [state.pile] == [*numbers(words)],
    "turn": lambda state, words: [state.turn] == [*numbers(words)],
    "rolls": lambda state, words: [state.rolls] == [*numbers(words)],
    "dice": lambda state, words: state.dice == dice("".join(words)),
    "asks": lambda state, words: state.awaits == (int(words[0]), words[1]),
    "may": lambda state, words: list(state.actions) == words,
    "living": lambda state, words: state.living == numbers(words),
    "fallen": lambda state, words: state.aside.fallen == numbers(words),
    "reaches": reaches,
    "tells": lambda state, words: told(state.events) == " ".join(words),
    "goes-on": lambda state, words: state.result is None and not words,
    "ends": lambda state, words: ended(state) == (words[0], numbers(words[1:])),
}


def scene(text: str) -> list[State]:
    """The beginnings that a line describes: one for each ruleset."""
    players, given = options(text)
    rulesets = given.pop("in", ["base"])
    rules = frozenset(map(HouseRule, given.pop("house", ())))
    turn = int(*given.pop("turn", ["0"]))
    held: dict[str, Any] = {name: by_seat(words) for name, words in given.items()}
    states = [game(players, ruleset=one, turn=turn, **held) for one in rulesets]
    return [replace(one, setup=replace(one.setup, house_rules=rules)) for one in states]


DICE_WORDS = Words(scene, play, refusal, FACTS)

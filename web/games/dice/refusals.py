"""Why a move of the dice game is illegal, in the words of the game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.dice.rules.reasons import Reason, Refusal
from companion.games.dice.terms import DiceTerms


def tell_refusal(reason: Refusal[Reason], names: Sequence[str], words: DiceTerms) -> str:
    """Return why the dice game refuses a move. names: of the players, by seat."""

    def who(seat: int) -> str:
        return names[seat] if seat < len(names) else "?"

    def arrows(count: int) -> str:
        return words.quantity(count, words.arrow)

    # The placeholder of each detail in the sentence, and its text.
    told: Mapping[str, tuple[str, Callable[[Any], str]]] = {
        "seat": ("who", who),
        "seats": ("whom", lambda seats: words.join([who(seat) for seat in seats])),
        "die": ("die", lambda die: str(die + 1)),
        "before": ("before", words.faces.__getitem__),
        "after": ("after", words.faces.__getitem__),
        "face": ("face", words.faces.__getitem__),
        "action": ("decides", words.questions.decides.__getitem__),
        "most": ("arrows", arrows),
        "arrows": ("arrows", arrows),
    }
    places = {}
    for particular, value in reason.particulars.items():
        if particular in told:
            place, tell = told[particular]
            places[place] = tell(value)
    return words.refusals[reason.reason].format(**places)

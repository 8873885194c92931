"""Dealing: roles and characters by chance."""

from collections.abc import Sequence
from random import Random

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.house import HouseRule
from companion.dicegame.roles import ROLES
from companion.dicegame.rulesets import Ruleset
from companion.dicegame.state import Player, Setup, SetupError

_IDS = tuple(sorted(CHARACTERS))


def deal(
    ruleset: Ruleset,
    names: Sequence[str],
    chance: Random,
    house_rules: frozenset[HouseRule] = frozenset(),
) -> Setup:
    """Deal to the players of these names, clockwise.

    Raises SetupError where so many can't play, or not by these names or house rules.
    """
    count = len(names)
    if count not in ruleset.players:
        raise SetupError(f"{ruleset.id} is for {ruleset.numbers}, not {count}")
    roles = chance.sample(ROLES[count], count)
    characters = chance.sample(_IDS, count)
    players = [
        Player(name, role, CHARACTERS[character])
        for name, role, character in zip(names, roles, characters, strict=True)
    ]
    return Setup(ruleset, tuple(players), house_rules)

"""Tell kept dice, thrown dice and dice beside the tray apart.

Dice keep their numbers (0-4) through a turn. A die in the same place with the same face
was kept, as was one that was seen to stay while others were picked up; any other was
thrown.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from companion.table.tray.observation import TrayDie, find_same
from companion.table.tray.state import Mark


def kept_and_thrown(
    seen: Sequence[TrayDie],
    lying: Sequence[TrayDie],
    stayed: Sequence[TrayDie],
    fixed: frozenset[str],
) -> tuple[dict[int, TrayDie], list[TrayDie]]:
    """Return the dice that were kept, by number, and those that were thrown."""
    numbered: dict[int, TrayDie] = {}
    thrown = []
    known = {die.track: find_same(die, lying) for die in stayed}
    for die in seen:
        number = find_same(die, lying)
        if number is None or number in numbered:
            thrown.append(die)
        else:
            # Once accepted, its face is certain. But after it was seen in the
            # hand, nobody can tell whether it was thrown and landed here, or was put back.
            back = bool(stayed) and number not in known.values()
            numbered[number] = replace(
                die,
                face=lying[number].face,
                thrown=False,
                sure=True,
                said=lying[number].said,
                bumped=back,
            )
    for die in tuple(thrown):
        number = None if die.track is None else known.get(die.track)
        if number is not None and number not in numbered:
            thrown.remove(die)
            numbered[number] = replace(die, face=lying[number].face, thrown=False, bumped=True)
    for number, before in enumerate(lying):
        if before.face in fixed and number not in numbered:
            same = next((die for die in thrown if die.face == before.face), None)
            if same is not None:
                thrown.remove(same)
                numbered[number] = replace(same, thrown=False)
    return numbered, thrown


def choices_beside(
    missing: int,
    free: Collection[int],
    lying: Sequence[TrayDie],
    marks: Mapping[int, Mark],
    fixed: frozenset[str],
) -> tuple[tuple[int, ...], ...]:
    """Return the choices of `missing` dice, of those that moved, that may lie beside the tray.

    Dice with the same face are one choice. Players' answers decide, if possible; a
    dynamite that may not be thrown lies there, and dice that lay there before still do.
    """
    said = {number: mark.thrown for number, mark in marks.items()}
    may = {number for number in free if not said.get(number)}
    must = {number for number in may if said.get(number) is False or lying[number].face in fixed}
    before = {number for number in may if lying[number].place is None}
    if len(must | before) <= missing:
        must |= before
    elif len(must) <= missing:
        may = must | before
    choices = {
        tuple(sorted(str(lying[number].face) for number in chosen)): chosen
        for chosen in combinations(sorted(may, reverse=True), missing)
        if must <= set(chosen)
    }
    if not choices and said:
        return choices_beside(missing, free, lying, {}, fixed)
    return tuple(sorted(tuple(sorted(chosen)) for chosen in choices.values()))

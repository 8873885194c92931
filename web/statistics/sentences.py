"""What pages of statistics say: players, dates, dice, and what figures mean."""

from collections.abc import Iterator, Mapping, Sequence

from companion.games.game import GameTerms
from companion.memory.statistics.fairness import Fairness, FairnessTest
from companion.memory.statistics.highlights import GamesWon, Highlights
from companion.memory.statistics.notes import BY_HAND, SEVERAL, SIMULATED
from companion.memory.statistics.queries import SideWins, Wins
from companion.memory.statistics.rating import Rating
from web import dates
from web.i18n import gettext, ngettext, percent, tenths
from web.seat.sentences import LEVELS
from web.text import capital


def who(name: str, level: str) -> str:
    """Return what a player is called: people by their names, stand-ins by how they play."""
    if not level:
        return name
    return gettext("Stand-in: %(level)s", level=str(LEVELS.get(level, level)).lower())


def rating(found: Rating) -> str:
    """Return a rating with how far it may be off."""
    return f"{tenths(found.mean)} ± {tenths(found.reach)}"


def win_ratio(wins: Wins) -> str:
    """Return how often something won, of how many games."""
    return f"{wins.won}/{wins.games}"


def place(name: str) -> str:
    """Return where a player sat: how many places after the one who began."""
    if name == "0":
        return gettext("Begins")
    return ngettext("%(num)s place later", "%(num)s places later", int(name))


def day(date: str) -> str:
    """Return the day of a date in the time of this place; a text for no date."""
    return dates.day(date) if date else gettext("Without a date")


def dice(name: str | None) -> str:
    """Return what a set of dice is called."""
    if name is None:
        return gettext("Dice of games before it was noted which")
    return {
        BY_HAND: gettext("Dice entered by hand"),
        SIMULATED: gettext("Simulated dice"),
        SEVERAL: gettext("Games in which the set of dice was changed"),
    }.get(name, name)


def verdict(test: FairnessTest, words: GameTerms) -> str:
    """Return in a sentence whether dice are fair."""
    if not test.thrown:
        return gettext("Nothing was thrown with these dice.")
    face, often = capital(words.faces[test.oddest.face]), test.oddest.times > test.oddest.expected
    match test.verdict:
        case Fairness.FAIR:
            return gettext("Nothing speaks against these dice.")
        case Fairness.TOO_FEW:
            return gettext("Nothing speaks against these dice yet; more throws will tell more.")
        case Fairness.ODD if often:
            return gettext("%(face)s: perhaps these dice show it too often.", face=face)
        case Fairness.ODD:
            return gettext("%(face)s: perhaps these dice show it too rarely.", face=face)
        case _ if often:
            return gettext("%(face)s: these dice show it too often.", face=face)
    return gettext("%(face)s: these dice show it too rarely.", face=face)


def reasons(test: FairnessTest, words: GameTerms) -> str:
    """Return what a verdict is based on."""
    oddest = test.oddest
    told = gettext(
        "Of fair dice thrown as often, %(chance)s look at least as uneven. The oddest face is "
        "%(face)s: ×%(count)s, %(expected)s expected.",
        chance=small(test.chance),
        face=words.faces[oddest.face],
        count=oddest.times,
        expected=tenths(oddest.expected),
    )
    return f"{told} " + gettext(
        "Dice that show one face a quarter too often would be found out by so many throws in "
        "%(power)s of all cases.",
        power=percent(test.power),
    )


def misreads(test: FairnessTest) -> str:
    """Return what was allowed for misread dice."""
    if not test.read:
        return gettext("No camera read these dice, so players are believed.")
    return gettext(
        "The camera read %(read)s of them, and players corrected %(misread)s of its readings. The "
        "test assumes that as many misreads went unnoticed.",
        read=test.read,
        misread=test.misread,
    )


def small(chance: float) -> str:
    """Return a chance in percent, with a decimal if it is small."""
    if 0 < chance < 0.001:
        return gettext("less than %(chance)s", chance=percent(0.001).replace("0", tenths(0.1), 1))
    if chance < 0.1:
        return percent(chance).replace(f"{100 * chance:.0f}", tenths(100 * chance), 1)
    return percent(chance)


def signed_points(share: float) -> str:
    """Return a difference of shares in points of a percent, with its sign."""
    points = round(100 * share, 1)
    sign = "−" if points < 0 else "+" if points else ""
    return sign + tenths(abs(points))


def tenth_percent(share: float) -> str:
    """Return a share in percent with a decimal."""
    return percent(share).replace(f"{100 * share:.0f}", tenths(100 * share), 1)


def percent_sign() -> str:
    """Return the sign of percents, with the space before it that the language wants."""
    return percent(0)[1:]


def sides(found: Sequence[SideWins], words: GameTerms) -> Sequence[tuple[str, str]]:
    """Return the sides that ever won with their names, in their usual order."""
    return [
        (str(side), capital(name))
        for side, name in words.sides.items()
        if any(side in line.sides for line in found)
    ]


def characters(words: GameTerms) -> Mapping[str, str]:
    """Return the names of the characters by id."""
    return {name: card.name for name, card in words.characters.items()}


def places() -> Mapping[str, str]:
    """Return what places after the first player are called."""
    return {str(number): place(str(number)) for number in range(8)}


def luck(test: FairnessTest, words: GameTerms) -> str:
    """Return in a sentence whether a player's throws stand out."""
    oddest = test.oddest
    if not test.looks_unfair:
        return gettext("Ordinary luck: in %(thrown)s dice nothing stands out.", thrown=test.thrown)
    return gettext(
        "Unusual: %(face)s ×%(count)s, %(expected)s expected.",
        face=words.faces[oddest.face],
        count=oddest.times,
        expected=tenths(oddest.expected),
    )


def how_unusual(test: FairnessTest) -> str:
    """Return how often fair dice give somebody throws like that."""
    return gettext(
        "Of players with fair dice, %(chance)s throw at least as unevenly.",
        chance=small(test.chance),
    )


# What people tell each other


def games_won(count: GamesWon) -> str:
    """Return how often a player won, of how many games."""
    return gettext("%(won)s of %(games)s won", won=count.won, games=count.games)


def stories(found: Highlights) -> Iterator[str]:
    """Yield what is worth telling of all players, in sentences."""
    if found.streak:
        name, wins = found.streak
        yield gettext("On a streak: %(name)s, with %(wins)s wins in a row.", name=name, wins=wins)
    if found.evening:
        date, count = found.evening
        yield gettext(
            "Best evening: %(name)s on %(day)s, %(won)s.",
            name=count.name,
            day=day(date),
            won=games_won(count),
        )
    if found.favourite:
        shooter, target, shots = found.favourite
        yield gettext(
            "Favourite victim: %(target)s, for %(shooter)s (%(shots)s shots).",
            target=target,
            shooter=shooter,
            shots=shots,
        )


def own_stories(found: Highlights) -> Iterator[str]:
    """Yield what is worth telling of one player, in sentences."""
    if found.streak:
        yield gettext("Longest streak: %(wins)s wins in a row.", wins=found.streak.wins)
    if found.evening:
        date, count = found.evening
        yield gettext("Best evening: %(day)s, %(won)s.", day=day(date), won=games_won(count))
    if found.favourite:
        target, shots = found.favourite.target, found.favourite.shots
        yield gettext("Favourite victim: %(name)s (%(shots)s shots).", name=target, shots=shots)
    if found.hunter:
        shooter, shots = found.hunter.shooter, found.hunter.shots
        yield gettext("Shot most often by %(name)s (%(shots)s shots).", name=shooter, shots=shots)

"""Why a stand-in decided as it did, as sentences. All of it was seen by everybody."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.dice.rules.motives import Why, WhyKind
from companion.games.dice.rules.roles import Role
from companion.table.views import TableView
from web.games.dice.board import terms_of
from web.i18n import gettext, ngettext

Particulars = Mapping[str, Any]


def because(view: TableView, why: Why) -> str:
    """Return a reason as a sentence."""
    words, told = terms_of(view), dict(why.particulars)
    seat = told.pop("target", None)
    if isinstance(seat, int):
        told["name"] = view.people[seat].name
    told["sheriff"] = words.roles[Role.SHERIFF]
    told["arrows"] = words.arrow.many
    told["points"] = words.life_point.many
    return _SENTENCES[why.kind](told)


_SENTENCES: Mapping[WhyKind, Callable[[Particulars], str]] = {
    WhyKind.DYNAMITE: lambda _: gettext("Another throw could end the rolling badly."),
    WhyKind.GOOD_ENOUGH: lambda _: gettext("These dice are better than another throw promises."),
    WhyKind.NOBODY: lambda _: gettext("Nobody is in reach."),
    WhyKind.ONLY_ONE: lambda told: gettext("Only %(name)s is in reach.", **told),
    WhyKind.SHERIFF: lambda told: gettext("%(name)s is the %(sheriff)s.", **told),
    WhyKind.SHOT_SHERIFF: lambda told: ngettext(
        "%(name)s has shot the %(sheriff)s.",
        "%(name)s has shot the %(sheriff)s %(num)s times.",
        told["times"],
        **told,
    ),
    WhyKind.HELPED_SHERIFF: lambda told: ngettext(
        "%(name)s has helped the %(sheriff)s.",
        "%(name)s has helped the %(sheriff)s %(num)s times.",
        told["times"],
        **told,
    ),
    WhyKind.WEAKEST: lambda told: gettext(
        "Nobody in reach has fewer %(points)s than %(name)s.", **told
    ),
    WhyKind.SOMEBODY: lambda told: gettext(
        "Somebody in reach had to be hit, and it is %(name)s.", **told
    ),
    WhyKind.OWN_LIFE: lambda told: gettext("They have %(life)s of %(most)s %(points)s.", **told),
    WhyKind.THEIR_LIFE: lambda told: gettext(
        "%(name)s has %(life)s of %(most)s %(points)s.", **told
    ),
    WhyKind.FULL: lambda _: gettext("Nobody needs it more."),
    WhyKind.ARROWS: lambda told: gettext("The fewer %(arrows)s, the better.", **told),
    WhyKind.CHANCE: lambda _: gettext("This stand-in decides at random."),
}
"""By kind; a throw is no line of the log, so its reasons are missing."""

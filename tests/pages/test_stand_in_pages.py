"""Stand-ins on the pages: added with a tap, marked everywhere, and their throws asked for."""

import pytest
from layout import fits, lay_all, overflow
from playwright.sync_api import expect
from served import Served

from companion.table import seats, stand_ins
from companion.table.changes import Press


def press(served: Served) -> Press:
    return Press(served.person(0), served.view.version, served.view.reading)


@pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.slow)])
def test_the_host_fills_the_table_with_stand_ins(served: Served, language: str) -> None:
    served.seat(1)
    host = served.phone(0, locale=language, viewport={"width": 320, "height": 568})
    row = host.locator("[data-press='/people/stand-in']")
    for number, level in enumerate(("strong", "sensible", "random"), 1):
        host.locator(f"[data-with='level={level}']").tap()
        expect(host.locator("#order li")).to_have_count(number + 1)
    marks = {"en": "stand-in: strong", "fr": "joué par la table"}
    expect(host.locator("#order li").nth(1)).to_contain_text(marks[language])
    lay_all(host)
    fits(host)
    expect(row).to_have_count(3)
    assert list(served.table.scene.stand_ins.levels.values()) == ["strong", "sensible", "random"]


def test_a_stand_in_takes_over_and_its_throw_is_asked_for(served: Served) -> None:
    served.deal("sroo")
    person = served.view.people[0].id
    other = served.view.people[1].id
    host, television = served.phone(1), served.television()
    # The Sheriff goes to bed: the next phone is the host's.
    served.table.do(seats.leave, Press(person, served.view.version))
    host.locator("#phones summary").tap()
    host.locator(f"#phone-{person} [data-with='person={person}&level=strong']").tap()
    expect(host.locator(f"#phone-{person}")).to_contain_text("stand-in: strong")
    served.roll("AAB12")
    asked = Press(person, served.view.version, served.view.reading)
    served.table.do(stand_ins.ask_for_throw, asked, (0, 1))
    for page in (host, television):
        expect(page.locator(".guide")).to_contain_text(
            "Ann throws again: arrow\N{NO-BREAK SPACE}×2."
        )
        expect(page.locator("body")).to_contain_text("stand-in")
        assert overflow(page) == 0
    host.locator(f"[data-with='person={person}&level=']").tap()
    expect(host.locator(f"#phone-{person}")).not_to_contain_text("stand-in: strong")
    assert served.table.scene.stand_ins.levels == {}
    assert served.table.view(other).host

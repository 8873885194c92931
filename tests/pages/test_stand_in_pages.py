"""Stand-ins on the pages: added with a tap, marked everywhere, and their throws asked for."""

import pytest
from layout import fits, lay_all
from playwright.sync_api import expect
from served import Served
from tiers import later


@pytest.mark.parametrize("language", ["fr", *later("en")])
def test_the_host_fills_the_table_with_stand_ins(served: Served, language: str) -> None:
    served.seat(1)
    host = served.phone(0, locale=language, viewport={"width": 320, "height": 568})
    host.locator("#options > summary").tap()
    row = host.locator("#options [data-press='/people/stand-in']")
    for number, level in enumerate(("strong", "sensible", "random"), 1):
        host.locator(f"#options [data-with='level={level}']").tap()
        expect(host.locator("#order li")).to_have_count(number + 1)
    marks = {"en": "stand-in: strong", "fr": "joué par la table"}
    expect(host.locator("#order li").nth(1)).to_contain_text(marks[language])
    lay_all(host)
    fits(host)
    expect(row).to_have_count(3)
    assert list(served.table.scene.stand_ins.levels.values()) == ["strong", "sensible", "random"]

"""Too many dice, or too few: players put the camera right by a tap or two."""

from playwright.sync_api import expect
from served import Served
from stand_ins import reading


def test_a_thing_that_is_no_die_is_left_out_by_two_taps(served: Served) -> None:
    served.deal("soro")
    served.table.see(reading("count", [*served.dice("BBGAB"), served.dice("GBBBB")[0]]))
    player, other = served.phone(0), served.phone(1)
    expect(other.get_by_text("The camera sees six dice. There must be five.")).to_be_visible()
    assert other.get_by_role("button", name="Die 6").count() == 0
    expect(player.locator(".die.counted")).to_have_count(6)
    player.locator(".die.counted button").nth(0).click()
    player.get_by_role("dialog", name="Die 1").get_by_role("button", name="Not a die").click()
    expect(other.get_by_text("All dice are read")).to_be_visible()
    player.locator("button.accept").click()
    expect(player.get_by_text("Roll 2 of 3")).to_be_visible()
    assert len(served.view.game.dice) == 5


def test_a_die_that_the_camera_misses_is_named_by_two_taps(served: Served) -> None:
    served.deal("soro")
    served.table.see(reading("count", served.dice("BBGAB")[:4]))
    player = served.phone(0)
    player.get_by_role("button", name="Add a die").click()
    sheet = player.get_by_role("dialog", name="Add a die")
    sheet.get_by_role("button", name="Dynamite").click()
    expect(player.get_by_label("Die 5: dynamite")).to_be_visible()
    player.locator("button.accept").click()
    expect(player.get_by_text("Roll 2 of 3")).to_be_visible()
    assert "dynamite" in served.view.game.dice

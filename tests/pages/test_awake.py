"""Pages keep their screen on while a game is played, and take a place on the home screen."""

from playwright.sync_api import Page, expect
from served import Served
from waiting import wait_until

from companion.table import rounds

LOCKS = """
const ask = WakeLock.prototype.request;
WakeLock.prototype.request = async function (kind) {
  const lock = await ask.call(this, kind);
  document.documentElement.dataset.locked = kind;
  lock.addEventListener("release", () => delete document.documentElement.dataset.locked);
  return lock;
};
"""
WITHOUT = "delete Navigator.prototype.wakeLock"  # as over HTTP


def opened(served: Served, script: str) -> Page:
    """The phone of the first seat, in the lobby, with a script before those of the page."""
    return served.phone(0, script=script, permissions=["screen-wake-lock"])


def test_the_screen_stays_on_while_a_game_is_played(served: Served) -> None:
    served.deal("soro")
    page = opened(served, LOCKS)
    expect(page.locator("html")).to_have_attribute("data-locked", "screen")
    served.do(rounds.new_game)
    expect(page.locator(".seat.lobby")).to_be_visible()
    expect(page.locator("html")).not_to_have_attribute("data-locked", "screen")


def test_without_the_api_a_film_keeps_the_screen_on(served: Served) -> None:
    served.deal("soro")
    page = opened(served, WITHOUT)
    film = page.locator("video.awake")
    wait_until(lambda: film.evaluate("film => film.currentTime") > 0.5, page)
    # Chromium asks for a picture, and that the element is shown.
    assert film.evaluate("film => film.videoWidth")
    assert film.evaluate("film => film.checkVisibility({ visibilityProperty: true })")
    served.do(rounds.new_game)
    expect(page.locator(".seat.lobby")).to_be_visible()
    assert film.evaluate("film => film.paused")


def test_a_phone_can_put_the_table_on_its_home_screen(served: Served) -> None:
    served.deal("soro")
    page = served.phone(0)
    manifest = page.evaluate("fetch(document.querySelector('[rel=manifest]').href)"
                             ".then(file => file.json())")  # fmt: skip
    assert (manifest["name"], manifest["start_url"]) == ("Bang companion", "/")
    sizes = page.evaluate(
        """async (icons) => {
          const base = document.querySelector("[rel=manifest]").href;
          const images = icons.map(() => new Image());
          images.forEach((image, number) => (image.src = new URL(icons[number].src, base)));
          await Promise.all(images.map(image => image.decode()));
          return images.map(image => image.naturalWidth);
        }""",
        manifest["icons"],
    )
    assert sizes[-1] == 512
    told = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert told["errors"] == []

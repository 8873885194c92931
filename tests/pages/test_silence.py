"""Wi-Fi was away and took the connection with it, without a word: the page looks for the table."""

from contextlib import ExitStack, suppress

from mosquitto import SlowProxy
from playwright.sync_api import TimeoutError, expect
from served import Served


def test_a_page_whose_connection_died_silently_comes_back(served: Served, stack: ExitStack) -> None:
    way = SlowProxy(served.server.port, bytes_per_s=1e9)
    stack.callback(way.close)
    address = f"http://127.0.0.1:{way.port}"
    television = served.screens.television(f"{address}/static/icon.svg")
    television.clock.install()
    television.goto(f"{address}/table")
    expect(television.locator(".code")).to_have_text(served.table.scene.code)
    way.silent = True
    served.seat(1)
    ann = television.get_by_text("Ann").first
    expect(ann).to_be_hidden()
    way.silent = False
    # Where the machine is busy a first try may still fall into the silence.
    for _ in range(5):
        television.clock.fast_forward(41_000)
        with suppress(TimeoutError):
            ann.wait_for(timeout=20_000)
            break
    expect(ann).to_be_visible()
    expect(television.locator("#lost")).to_be_hidden()

"""Long texts are sent compressed to browsers that take that, and are the same texts."""

import gzip

import pytest
from sites import Site

FILES = ("styles/base.css", "scripts/patching.js", "icons.svg")


@pytest.fixture
def client(site: Site):
    browser = site.app.test_client()
    browser.get("/", buffered=True)  # what proves its pages stays the same from now on
    return browser


def fetch(client, path: str, takes: str, **headers: str):
    return client.get(path, headers={"Accept-Encoding": takes, **headers}, buffered=True)


@pytest.mark.parametrize("path", ["/table", "/join.svg", *(f"/static/{file}" for file in FILES)])
def test_a_long_text_is_the_same_compressed(client, path):
    plain, small = fetch(client, path, "identity"), fetch(client, path, "gzip, deflate")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < 0.7 * len(plain.data)
    assert int(small.headers["Content-Length"]) == len(small.data)
    assert "Accept-Encoding" in small.vary
    assert "Accept-Encoding" in plain.vary


def test_short_texts_refusals_and_pieces_go_as_they_are(client):
    assert "Content-Encoding" not in fetch(client, "/static/icon.svg", "gzip").headers
    assert "Content-Encoding" not in fetch(client, "/nowhere", "gzip").headers
    piece = fetch(client, "/static/styles/base.css", "gzip", Range="bytes=0-9")
    assert "Content-Encoding" not in piece.headers


def test_a_file_that_is_still_known_is_not_sent_again(client):
    file = "/static/styles/base.css"
    first = fetch(client, file, "gzip")
    again = fetch(client, file, "gzip", **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_stream_is_not_waited_for(client):
    answer = client.get("/live/table", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert next(answer.response).startswith(b"retry: ")
    answer.close()

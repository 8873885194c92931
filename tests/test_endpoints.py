"""The list of what the server answers is current, and nothing else is answered."""

from pathlib import Path

from list_endpoints import AUDIENCES, made, page

from web.access import For

ENDPOINTS = Path(__file__).parent.parent / "docs" / "endpoints.md"


def test_the_list_of_endpoints_is_current():
    assert ENDPOINTS.read_text(encoding="utf-8") == page(), (
        "run: python -m tests.list_endpoints docs/endpoints.md"
    )


def test_every_endpoint_says_what_it_does_and_for_whom(tmp_path):
    app = made(tmp_path)
    listed = page()
    assert set(AUDIENCES) == set(For)
    for rule in app.url_map.iter_rules():
        (line, *_) = (line for line in listed.splitlines() if f"| `{rule.rule}` |" in line)
        assert AUDIENCES[app.view_functions[rule.endpoint].audience] in line
        assert line.rstrip("| ").endswith((".", "1 if so"))


def test_every_change_is_a_post_and_every_post_is_a_change(tmp_path):
    """A link, a picture or a page that is fetched ahead changes nothing."""
    for rule in made(tmp_path).url_map.iter_rules():
        assert rule.methods <= {"GET", "HEAD", "OPTIONS"} or rule.methods == {"POST", "OPTIONS"}

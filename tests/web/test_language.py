"""Languages: which one a page is in, how it is changed, and that its stream keeps it."""

import pytest
from cases import cases
from sites import Phone, Site, reason

pytestmark = pytest.mark.tables

CODE = {"en": "Code from the table", "fr": "Code affiché à la table"}


def phone(site: Site, asks: str = "", chosen: str = "") -> Phone:
    """A phone whose browser asks for languages, and on which one may have been chosen."""
    made = Phone(site)
    if asks:
        made.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = asks
    if chosen:
        made.client.set_cookie("language", chosen)
    return made


@pytest.mark.parametrize(("known", "expected"), cases("web/languages.txt", "What a browser"))
def test_a_page_is_in_the_language_chosen_else_asked_for_else_set(tmp_path, known, expected):
    asks, chosen, language, ruleset = map(str.strip, known.split("|"))
    site = Site(tmp_path, ruleset=ruleset, language=language)
    asking = phone(site, asks, chosen)
    page = asking.open("/").text
    assert f'<html lang="{expected}"' in page
    assert CODE[expected] in page
    assert CODE[expected] in asking.live("join")


def test_a_tap_changes_the_language_of_one_phone_and_shows_the_same_page_again(site):
    for path in ("/table", "/story", f"/?code={site.table.scene.code}"):
        one, other = phone(site), phone(site)
        one.open(path)
        answer = one.send("/language", {"language": "fr"}, Referer=f"http://localhost{path}")
        assert (answer.status_code, answer.location) == (303, f"http://localhost{path}")
        assert '<html lang="fr"' in one.open(path).text
        assert 'data-with="language=en"' in one.open(path).text
        assert '<html lang="en"' in other.open(path).text
    site.host.post("/language", language="fr")
    assert "Vous êtes l’hôte." in site.host.live("seat")
    assert "Seats, clockwise" in site.phones[1].live("seat")


def choose(site: Site, language: str) -> None:
    assert site.host.post("/game/language", language=language).status_code == 204


def test_the_host_chooses_the_language_of_all_pages_but_of_those_that_have_their_own(tmp_path):
    site = Site(tmp_path, language="en")
    british, chosen = phone(site, "en-GB"), phone(site, "en-GB", "en")
    choose(site, "fr")
    assert CODE["fr"] in british.open("/").text
    assert CODE["en"] in chosen.open("/").text
    assert "Vous êtes l’hôte." in site.host.live("seat")
    choose(site, "")
    assert CODE["en"] in british.open("/").text


def test_an_open_page_is_loaded_anew_when_its_language_changes(site):
    for page in ("table", "join"):
        waiting, own = phone(site, "en"), phone(site, "en", "en")
        streams = [each.client.get(f"/live/{page}", buffered=False) for each in (waiting, own)]
        drawn = [iter(answer.response) for answer in streams]
        for pushed in drawn:
            assert b"data-reload" not in next(pushed)
        choose(site, "fr")
        assert b"<p data-reload></p>" in next(drawn[0])
        assert b"data-reload" not in next(drawn[1])
        for answer in streams:
            answer.close()
        choose(site, "")


def test_the_language_of_the_table_outlasts_a_restart(site):
    choose(site, "fr")
    site.journal.close()
    again = Site(site.journal.path.parent, roles="")
    assert again.view.choices.language == "fr"
    assert '<html lang="fr"' in phone(again, "en").open("/").text


def test_a_language_is_chosen_by_a_page_of_this_table_alone(site):
    stranger = phone(site)
    assert reason(stranger.send("/language", {"language": "fr"}), 403)
    stranger.open("/table")
    for wrong in ("", "de", "FR", "en,fr"):
        assert reason(stranger.send("/language", {"language": wrong}), 400)
    assert stranger.send("/language", {"language": "fr"}).location == "/"

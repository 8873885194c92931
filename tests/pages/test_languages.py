"""Languages on real screens: asked for by the browser, changed with one tap, kept by pushes."""

from playwright.sync_api import Page, expect
from served import Served, add_player


def tap(page: Page, name: str) -> None:
    page.locator("footer").get_by_role("button", name=name).click()


def test_who_joins_in_french_stays_in_french(served: Served) -> None:
    served.screens.expect("422")
    phone = served.screens.phone(served.url, locale="en-GB")
    tap(phone, "Français")
    expect(phone.get_by_text("Votre nom")).to_be_visible()
    assert phone.evaluate("document.documentElement.lang") == "fr"
    phone.get_by_label("Votre nom").fill("Ann")
    phone.get_by_role("button", name="Ouvrir la table").click()
    phone.wait_for_url("**/seat")
    expect(phone.get_by_text("Vous êtes l’hôte.")).to_be_visible()
    add_player(phone, "Bob")
    expect(phone.get_by_text("sans téléphone", exact=True)).to_be_visible()
    add_player(phone, "bob")
    # Unlike the page, a refusal is said by the script.
    expect(phone.get_by_role("alert")).to_have_text("Le nom Bob est pris : choisissez-en un autre.")


def test_the_hosts_language_reaches_every_word_of_an_open_television(served: Served) -> None:
    served.seat(4)
    host, television = served.phone(0), served.television(locale="en-GB")
    expect(television.locator("#sound [data-state]")).to_have_text("Sound off")
    television.locator("#sound summary").click()
    expect(television.get_by_label("Volume")).to_be_visible()
    host.locator("#options > summary").click()
    host.get_by_role("group", name="Language").get_by_role("button", name="Français").click()
    expect(television.locator("#sound [data-state]")).to_have_text("Son coupé")
    television.locator("#sound summary").click()
    expect(television.get_by_text("Annonces")).to_be_visible()
    assert television.title().startswith("La table")
    expect(television.locator("footer")).to_contain_text("English")

"""Terms: every edition in every language, complete, correct by the rules, and well set."""

import re
from dataclasses import fields

import pytest
from places import ROOT
from wording import OWN, ill_set, places_of, texts

from companion.games.common.endings import Side
from companion.games.dice.rules.characters import CHARACTERS, Ability
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.hand import DYNAMITES
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import OPEN_ROLES, ROLES, Role
from companion.games.dice.rules.rulesets import RULESETS, Edition, Ruleset
from companion.games.dice.terms import LANGUAGES, DiceTerms, edition_terms, terms
from docs.generate.characters import page

CHARACTERS_PAGE = ROOT / "docs/characters.md"


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=RULESETS.values(), ids=lambda rules: rules.id)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return request.param


@pytest.fixture
def words(ruleset: Ruleset, language: str) -> DiceTerms:
    """Of each ruleset in each language."""
    return terms(ruleset, language)


# Complete


def test_every_ruleset_is_shown_in_every_language(words):
    assert set(words.faces) == set(Face)
    assert set(words.roles) == set(words.goals) == set(Role)
    assert set(words.goals_of_three) == set(ROLES[OPEN_ROLES])
    assert set(words.characters) == set(CHARACTERS)
    decided = set(Action) - {Action.ROLL, Action.STOP}
    assert set(words.questions.asked) == decided
    assert set(words.questions.decides) == set(Action)
    assert set(words.questions.answers) == {Action.SHOOT, Action.DISCARD_FROM}
    assert set(words.story.loses) == set(Cause) - {Cause.BEER, Cause.ROLL, Cause.ABILITY}
    assert set(words.story.ends) == set(Side)
    assert set(words.refusals) == set(Reason)
    assert set(words.house_rules) == set(HouseRule)
    for place, text in texts(words):
        assert text == " ".join(re.split("[ \n\t]+", text)), place
        assert text.strip() or place == ".last_of_list", place


def test_a_ruleset_is_shown_in_its_own_language_unless_told_otherwise():
    assert {ruleset.language for ruleset in RULESETS.values()} == set(LANGUAGES)
    with pytest.raises(KeyError):
        terms(RULESETS["base"], "de")


def test_what_differs_has_different_names_and_texts(words):
    for table in (
        list(words.faces.values()),
        [*words.roles.values(), *words.goals.values(), *words.goals_of_three.values()],
        [text for card in words.characters.values() for text in card],
        list(words.questions.asked.values()),
        list(words.story.loses.values()),
        list(words.story.ends.values()),
        list(words.house_rules.values()),
    ):
        assert len(set(table)) == len(table)


def test_every_sentence_has_the_places_that_it_has_in_english(words):
    assert places_of(words) == places_of(edition_terms(Edition.BASE, "en"))


# Correct


def test_characters_of_the_base_game_are_named_by_their_id(language):
    """Those of the other edition stand on the page of all characters."""
    for character, card in terms(RULESETS["base"], language).characters.items():
        assert card.name.casefold() == character.replace("_", " ")


def numbers(ability: Ability) -> set[int]:
    """The numbers in which an ability differs from what everybody does."""

    def within(value: object) -> set[int]:
        if isinstance(value, tuple):
            return {number for part in value for number in within(part)}
        return {value} if isinstance(value, int) and not isinstance(value, bool) else set()

    usual = Ability()
    both = ((getattr(ability, one.name), getattr(usual, one.name)) for one in fields(Ability))
    changed = tuple(value for value, other in both if value != other)
    return within(changed) | ({DYNAMITES} if ability.rerolls_dynamite else set())


def test_the_numbers_of_abilities_are_known():
    found = {id: numbers(character.ability) for id, character in CHARACTERS.items()}
    assert {id: counts for id, counts in found.items() if counts} == {
        "black_jack": {3}, "jesse_jones": {4}, "jourdonnais": {1}, "lucky_duke": {4},
        "rose_doolan": {1, 2, 3}, "suzy_lafayette": {2}, "vulture_sam": {2}, "willy_the_kid": {2},
    }  # fmt: skip


def test_an_ability_says_the_numbers_that_it_has(words):
    for id, character in CHARACTERS.items():
        said = set(re.findall(r"\w+", words.characters[id].ability.casefold()))
        said |= {"un"} & {word.removesuffix("e") for word in said}
        assert {words.number(count) for count in numbers(character.ability)} <= said, id


def test_an_ability_addresses_the_player_in_few_words(words, language):
    address = {"en": r"\b(you|your)\b", "fr": r"\b(vous|votre|vos)\b"}[language]
    for id, card in words.characters.items():
        assert re.search(address, card.ability, re.IGNORECASE), id
        assert re.fullmatch(r"[A-Z][^.]*\.( [A-Z][^.]*\.)?", card.ability), id
        assert len(card.ability) <= 180, id
        assert len(card.name) <= 20, id


def test_a_sentence_fits_a_phone(words):
    for place, text in texts(words):
        assert len(text) <= (180 if place.startswith(".characters") else 90), place
    for part in (words.story, words.refusals, words.house_rules):
        for place, text in texts(part):
            assert text.endswith("."), place
    assert all(text.endswith("?") for text in words.questions.asked.values())
    assert all(text[0].islower() for text in words.questions.decides.values())


COUNTED = {
    "en": "no arrows, an arrow, two arrows, nine arrows, 11 arrows",
    "fr": "aucune flèche, une flèche, deux flèches, neuf flèches, 11 flèches",
}


def test_things_are_counted_in_words(language):
    words = terms(RULESETS["base"], language)
    counted = [words.quantity(count, words.arrow) for count in (0, 1, 2, 9, 11)]
    assert ", ".join(counted) == COUNTED[language]


def test_things_are_listed_as_one_says_it():
    words = terms(RULESETS["base"], "fr")
    lists = ["", "a", "a et b", "a, b et c"]
    assert [words.join(things) for things in ("", "a", "ab", "abc")] == lists


def test_a_goal_depends_on_how_many_play():
    words = terms(RULESETS["base"], "en")
    assert words.goal(Role.OUTLAW, OPEN_ROLES) != words.goal(Role.OUTLAW, 4)
    assert words.goal(Role.OUTLAW, 4) == words.goal(Role.OUTLAW, 8)


# In the edition's own words


@pytest.mark.parametrize("ruleset", ["base", "walking-dead"])
def test_no_edition_uses_the_words_of_the_other(ruleset, language):
    ours = RULESETS[ruleset]
    other = next(r for r in RULESETS.values() if r.edition is not ours.edition)
    names = [card.name for card in terms(other, language).characters.values()]
    own, foreign = OWN[ours.edition, language], OWN[other.edition, language]
    foreign = "|".join([foreign, *(rf"{name}\b" for name in names)])
    words = terms(ours, language)
    said = {place: re.sub(r"{\w+}", "", text) for place, text in texts(words)}
    for place, text in said.items():
        assert not re.search(rf"\b({foreign})", text, re.IGNORECASE), place
    for used in own.split("|"):
        assert any(re.search(rf"\b{used}", text, re.IGNORECASE) for text in said.values()), used


def test_no_language_is_left_untranslated(ruleset):
    english = dict(texts(terms(ruleset, "en")))
    same = {text for place, text in texts(terms(ruleset, "fr")) if text == english[place]}
    names = {card.name for card in terms(ruleset, "en").characters.values()}
    both = {"six", "The Walking Dead"}
    own = {"dynamite", "Gatling"} if ruleset.edition is Edition.BASE else set()
    assert same - names == both | own


# Well set


def test_french_has_its_own_spaces_and_english_the_apostrophes_of_the_rest_of_a_page(ruleset):
    assert [place for place, text in texts(terms(ruleset, "fr")) if ill_set(text)] == []
    assert [place for place, text in texts(terms(ruleset, "en")) if "'" in text] == []


def test_the_page_of_all_characters_is_up_to_date():
    assert CHARACTERS_PAGE.read_text(encoding="utf-8") == page(), (
        "run: python -m docs.generate.characters docs/characters.md"
    )

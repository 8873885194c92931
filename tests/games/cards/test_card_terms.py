"""Terms of the card game: in every language, complete and well set."""

import random
import re

import pytest
from card_strategies import deal, play_on
from places import ROOT
from wording import ill_set, places, places_of, texts

from companion.games.cards.rules.characters import CHARACTERS
from companion.games.cards.rules.deck import KINDS
from companion.games.cards.rules.events import CardAnswered, CardPlayed, Occasion
from companion.games.cards.rules.moves import CardAction
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.rules.rules import start
from companion.games.cards.rules.rulesets import RULESETS
from companion.games.cards.rules.titles import SIGNS, Suit, Title
from companion.games.cards.terms import LANGUAGES, terms
from companion.games.cards.terms.telling import card_name, tell, tell_refusal
from companion.games.cards.terms.words import CardTerms
from companion.games.common.endings import TEAMS
from companion.games.common.refusals import refuse
from companion.games.common.roles import Role
from companion.games.dice.rules.rulesets import Edition
from companion.games.dice.terms import edition_terms


@pytest.fixture(params=LANGUAGES)
def words(request: pytest.FixtureRequest) -> CardTerms:
    """In each language."""
    return terms(request.param)


def test_a_ruleset_is_shown_in_a_language_that_has_words_for_it():
    assert {ruleset.language for ruleset in RULESETS.values()} <= set(LANGUAGES)


def test_every_name_and_sentence_is_there(words):
    assert set(words.roles) == set(words.goals) == set(Role)
    assert set(words.characters) == set(CHARACTERS)
    assert set(words.cards) == set(Title)
    assert set(words.suits) == set(words.any_of_suit) == set(Suit)
    assert set(words.decides) == set(CardAction)
    assert set(words.sides) == set(words.story.ends) == set(TEAMS.values())
    assert set(words.refusals) == set(CardReason)
    assert set(words.story.draws) == set(Occasion) - {Occasion.PENALTY, Occasion.OUT}
    assert set(words.story.discards) == set(Occasion) - {
        Occasion.CARD,
        Occasion.STORE,
        Occasion.REWARD,
    }
    assert set(words.story.flips) == {Title.BARREL, Title.JAIL, Title.DYNAMITE}
    assert words.goal(Role.OUTLAW, 5) == words.goals[Role.OUTLAW]


def test_every_sentence_has_the_places_that_it_has_in_english(words):
    english = terms("en")
    assert places_of(words.story) == places_of(english.story)
    assert places_of(words.refusals) == places_of(english.refusals)


def test_a_card_that_ends_in_an_exclamation_mark_ends_its_sentence(words):
    for card in (Title.BANG, Title.MISSED, Title.INDIANS):
        for event in (CardPlayed(0, card, None), CardAnswered(0, card)):
            assert tell(event, ["Ann"], words).endswith(words.cards[card].name)
    assert [place for place, text in texts(words) if "!." in text] == []
    refusal = refuse(CardReason.NO_ANSWER, card=Title.BANG)
    assert "!." not in tell_refusal(refusal, ["Ann"], words)


def test_french_is_well_set_and_a_colon_stays_on_its_line():
    names = r"\b(BANG|Raté|Indiens)!"
    for place, text in texts(terms("fr")):
        assert not ill_set(re.sub(names, "Duel", text)), place
        assert not re.search(r"(?<![\u00a0\d]):", text), place


def test_roles_and_characters_are_called_as_in_the_dice_game():
    for language in LANGUAGES:
        words, dice = terms(language), edition_terms(Edition.BASE, language)
        assert words.roles == dice.roles
        names = {id: card.name for id, card in dice.characters.items()}
        assert {id: text.name for id, text in words.characters.items()} == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_set_well(language):
    words = terms(language)
    sentences = [
        *texts(words.story),
        *texts(words.refusals),
        *((title, text.effect) for title, text in words.cards.items()),
        *((id, text.ability) for id, text in words.characters.items()),
    ]
    for path, text in sentences:
        assert text[-1] in ".!", path
        assert text[0].isupper() or text[0] == "{", path
        assert "  " not in text, path
        assert len(text) < 160, path
        # In French, a space that keeps the line together stands before these.
        assert not re.search(r" [:;!?»]" if language == "fr" else r"\s[:;!?]", text), path
        assert "'" not in text, path


def test_weapons_say_how_far_they_reach(words):
    for title, text in words.cards.items():
        reach = KINDS[title].reach
        if reach is not None:
            assert re.search(rf"(Reach|Portée) {reach}\.", text.effect)


def test_a_card_is_named_by_title_or_by_rank_and_suit():
    assert card_name(Title.GENERAL_STORE, terms("en")) == "General Store"
    assert card_name(SIGNS["10S"], terms("en")) == "10 of spades"
    assert card_name(SIGNS["QH"], terms("fr")) == "Q de cœur"


def test_every_event_of_whole_games_is_told(words):
    told = set()
    for seed in range(24):
        chance = random.Random(seed)
        game = play_on(start(deal(4 + seed % 4, chance)), chance)
        names = [player.name for player in game.states[0].setup.players]
        for state in game.states:
            for event in state.events:
                sentence = tell(event, names, words)
                assert "{" not in sentence
                told.add((type(event), re.sub(r"Player \d|\d+", "", sentence)))
    assert len(told) > 100


PARTICULARS = {"seat": 1, "other": 2, "awaited": "play", "distance": 3, "needed": 2, "count": 1}
PARTICULARS |= {"card": Title.CAT_BALOU, "take": Title.BARREL, "sign": SIGNS["10S"]}
"""What refusals may name."""


def test_every_refusal_is_told_by_what_it_names_in_records(words):
    for reason in CardReason:
        refusal = refuse(reason, **{place: PARTICULARS[place] for place in places(reason)})
        assert "{" not in str(refusal)
        told = tell_refusal(refusal, ("Ann", "Ben", "Cat"), words)
        assert "{" not in told
        assert "?" not in told, reason
        assert ("Ben" in told) is ("{who}" in words.refusals[reason]), reason


def test_a_refusal_that_names_no_player_at_the_table_names_nobody():
    refusal = refuse(CardReason.ELIMINATED, seat=7)
    assert tell_refusal(refusal, ("Ann", "Ben"), terms("en")) == "? is out of the game."


def test_the_docs_have_all_characters_in_the_words_of_the_pages():
    page = (ROOT / "docs/card-game.md").read_text("utf-8")
    for id, text in terms("en").characters.items():
        assert f"| {text.name} | {CHARACTERS[id].life} | {text.ability} |" in page

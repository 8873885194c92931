"""Stand-ins of the card game: what they know, whom they take for what, and how they play."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from card_scenario import game
from card_strategies import deal
from dealt_hands import decide, hold
from tiers import later

from companion.games.cards.dealt.moves import Choose, EndTurn, Trade, TurnUp
from companion.games.cards.dealt.options import check
from companion.games.cards.dealt.state import DealtState, OfferKind
from companion.games.cards.minds.keep import worst
from companion.games.cards.minds.known import knowledge
from companion.games.cards.minds.levels import MINDS
from companion.games.cards.minds.match import play_match, play_steps
from companion.games.cards.minds.memory import remember
from companion.games.cards.minds.unseen import chance_of_none, chance_to_hit
from companion.games.cards.rules.moves import HAND, CardMove, Draw, DrawSource, Pass, Play
from companion.games.cards.rules.titles import Title
from companion.games.common.beliefs import Memory, believe, no_memory
from companion.games.common.roles import Role


def decision(state: DealtState, level: str = "strong", memory: Memory | None = None) -> object:
    """What a stand-in decides whose turn it is."""
    seat = state.decider
    assert seat is not None
    known = memory or no_memory(len(state.hands))
    move = MINDS[level](knowledge(state, seat), known, random.Random(1))
    assert check(state, move) is None
    return move


def seen(state: DealtState, *moves: CardMove) -> Memory:
    """What everybody remembers if these moves were made in this state."""
    memory = no_memory(len(state.hands))
    for move in moves:
        memory = remember(memory, knowledge(state, None), move)
    return memory


def test_a_seat_knows_its_hand_and_what_lies_open() -> None:
    state = hold(game("S O R O", pile="beer -", in_play={2: "scope"}), {1: "bang jail"})
    known = knowledge(state, 1)
    assert known.hand == state.hands[1]
    assert (known.pile, known.in_play) == (state.pile, state.in_play)
    assert known.roles == (Role.SHERIFF, Role.OUTLAW, None, None)
    assert known.hidden_roles == (Role.OUTLAW, Role.RENEGADE)
    assert knowledge(state, None).hand == ()
    assert not hasattr(known, "deck")


@pytest.mark.parametrize("swap", [(2, 3), (3, 1)])
def test_the_game_that_a_seat_knows_has_no_hidden_role(swap: tuple[int, int]) -> None:
    state = hold(game("S O R O", hands=2))
    one, other = swap
    players = list(state.public.setup.players)
    roles = [player.role for player in players]
    roles[one], roles[other] = roles[other], roles[one]
    setup = replace(
        state.public.setup,
        players=tuple(p._replace(role=r) for p, r in zip(players, roles, strict=True)),
    )
    twin = replace(state, public=replace(state.public, setup=setup))
    assert knowledge(twin, 0) == knowledge(state, 0)
    assert knowledge(twin, 0).game.setup == knowledge(state, 0).game.setup


def test_nobody_sees_what_kit_carlson_looks_at_nor_what_is_to_come() -> None:
    state = hold(game("S O:kit_carlson R O", hands=1))
    state = decide(state, EndTurn(0))
    assert knowledge(state, 1).offer == state.offer
    assert knowledge(state, 2).offer is knowledge(state, None).offer is None
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    assert knowledge(state, 0).offer == state.offer is not None
    assert not hasattr(knowledge(state, 0), "luck")


def test_roles_follow_from_deeds() -> None:
    state = hold(game("S O R O D", turn=2, hands=4))
    nothing = believe(no_memory(5), knowledge(state, None))
    assert nothing[3] == {Role.DEPUTY: 0.25, Role.OUTLAW: 0.5, Role.RENEGADE: 0.25}
    attacked = believe(seen(state, Play(2, Title.DUEL, 0)), knowledge(state, None))
    assert attacked[2][Role.OUTLAW] > 0.75
    freed = hold(game("S O R O D", turn=2, hands=4, in_play={0: "jail", 1: "jail"}))
    helped = believe(seen(freed, Play(2, Title.CAT_BALOU, 0, Title.JAIL)), knowledge(state, None))
    assert helped[2][Role.DEPUTY] > 0.4
    # Answers and what is aimed at nobody say nothing.
    idle = seen(state, Play(2, Title.INDIANS), Play(2, Title.PANIC, 2, Title.SCOPE), Pass(1))
    assert idle == no_memory(5)
    # What is known anyway stays so, but is remembered.
    sheriff = hold(game("S O R O D", hands=4))
    memory = seen(sheriff, Play(0, Title.DUEL, 3))
    assert (memory.weights, len(memory.deeds)) == (no_memory(5).weights, 1)


def test_hands_are_estimated_by_all_cards_that_are_seen() -> None:
    scene = game("S O R O", hands={0: 0, 1: 2, 2: 0, 3: 2}, pile="missed " * 6)
    known = knowledge(hold(scene, {3: "missed missed"}), 3)
    # Four of them lie somewhere in 72 cards.
    assert chance_of_none(known, 1, Title.MISSED) == pytest.approx((68 / 72) ** 2)
    assert chance_of_none(known, 2, Title.MISSED) == 1.0
    assert chance_to_hit(known, 1) == pytest.approx((68 / 72) ** 2)
    assert chance_to_hit(known, 1, 2) > chance_to_hit(known, 1)
    guarded = knowledge(hold(game("S O R O", in_play={1: "barrel"})), 3)
    none = chance_of_none(guarded, 1, Title.MISSED)
    assert chance_to_hit(guarded, 1) == pytest.approx(none * 0.75)


@pytest.mark.parametrize(
    ("players", "hand", "expected"),
    [
        # An Outlaw shoots the Sheriff next to them; a Deputy doesn't.
        ("S O R O", "bang missed", Play(1, Title.BANG, 0)),
        ("S D R O O", "bang missed", Play(1, Title.BANG, 2)),
        # First what draws, then what reaches further, then what disarms.
        ("S O R O", "bang stagecoach schofield", Play(1, Title.STAGECOACH)),
        ("S O R O", "bang barrel schofield", Play(1, Title.BARREL)),
        ("S O R O", "bang panic missed", Play(1, Title.PANIC, 0, HAND)),
        # Nobody shoots at friends only.
        ("S O R O", "saloon missed", EndTurn(1)),
    ],
)
def test_strong_plays_what_helps_its_side(players: str, hand: str, expected: object) -> None:
    count = len(hand.split())
    state = hold(game(players, turn=1, hands=count), {1: hand})
    assert decision(state) == expected


def test_levels_remember_who_attacked_the_sheriff() -> None:
    state = hold(game("S O R O D", turn=4, hands=2), {4: "bang missed"})
    before = hold(game("S O R O D", turn=3, hands=2))
    memory = seen(before, *[Play(3, Title.DUEL, 0)] * 3)
    for level in ("sensible", "strong"):
        assert decision(state, level, memory) == Play(4, Title.BANG, 3), level
    # Outlaws don't shoot each other.
    state = hold(game("S O R O D", turn=1, hands=1, in_play={1: "winchester"}), {1: "bang"})
    for level in ("sensible", "strong"):
        assert decision(state, level, memory) == Play(1, Title.BANG, 0), level


def test_players_take_the_dynamite_off_themselves_but_no_burden_off_an_enemy() -> None:
    hands = {0: 0, 1: 1, 2: 0, 3: 0}
    scene = game("S O R O", turn=1, hands=hands, in_play={1: "dynamite"})
    assert decision(hold(scene, {1: "panic"})) == Play(1, Title.PANIC, 1, Title.DYNAMITE)
    scene = game("S O R O", turn=0, hands={**hands, 0: 1}, in_play={3: "jail"})
    for level in ("sensible", "strong"):
        assert decision(hold(scene, {0: "cat_balou"}), level) != Play(0, Title.CAT_BALOU, 3, "jail")


def test_shots_are_answered_and_flips_come_first() -> None:
    scene = game("S O R O", hands=2, in_play={1: "barrel"})
    state = hold(scene, {0: "bang", 1: "missed beer"}, deck="4C")
    state = decide(state, Play(0, Title.BANG, 1))
    assert decision(state) == TurnUp(1)
    state = decide(state, TurnUp(1))
    assert decision(state) == Play(1, Title.MISSED)


def test_a_single_missed_is_not_wasted_on_slab_the_killer() -> None:
    for hand, move in (("missed beer", Pass(1)), ("missed missed", Play(1, Title.MISSED))):
        state = hold(game("S:slab_the_killer O R O", hands=2), {0: "bang", 1: hand})
        assert decision(decide(state, Play(0, Title.BANG, 1))) == move


def test_the_dying_spend_what_can_save_them_and_nothing_otherwise() -> None:
    for hand, life, move in (
        ("beer bang jail", 1, Play(1, Title.BEER)),
        ("saloon bang jail", 1, Pass(1)),
    ):
        state = hold(game("S O R O", life={1: life}), {0: "bang", 1: hand})
        state = decide(state, Play(0, Title.BANG, 1), Pass(1))
        assert decision(state) == move
    state = hold(game("S O:sid_ketchum R O", life={1: 1}), {0: "bang", 1: "jail bang scope"})
    state = decide(state, Play(0, Title.BANG, 1), Pass(1))
    assert isinstance(decision(state), Trade)


def test_the_least_useful_cards_are_discarded() -> None:
    scene = game("S O R O", life={0: 2}, hands=4, in_play={0: "winchester"})
    state = hold(scene, {0: "schofield missed dynamite beer"})
    cards = worst(knowledge(state, 0), 2)
    assert {card.title for card in cards} == {Title.SCHOFIELD, Title.DYNAMITE}


def test_offered_cards_are_chosen_by_their_use() -> None:
    state = hold(game("S O:lucky_duke R O", in_play={1: "barrel"}), {0: "bang"}, deck="4C 6H")
    state = decide(state, Play(0, Title.BANG, 1), TurnUp(1))
    chosen = decision(state)
    assert isinstance(chosen, Choose)
    assert str(chosen.card.sign) == "6H"
    state = hold(game("S O:lucky_duke R O", in_play={1: "dynamite"}), deck="2S 6H")
    state = decide(state, EndTurn(0), TurnUp(1))
    chosen = decision(state)
    assert isinstance(chosen, Choose)
    assert str(chosen.card.sign) == "6H"
    state = hold(game("S O:kit_carlson R O", hands=1), deck="missed dynamite beer")
    state = decide(state, EndTurn(0))
    chosen = decision(state)
    assert isinstance(chosen, Choose)
    assert chosen.card.title is Title.DYNAMITE
    state = hold(game("S O R O", hands=1), {0: "general_store"}, deck="jail beer dynamite scope")
    state = decide(state, Play(0, Title.GENERAL_STORE))
    assert state.offer is not None
    assert state.offer.kind is OfferKind.STORE
    chosen = decision(state)
    assert isinstance(chosen, Choose)
    assert chosen.card.title is Title.BEER


def test_the_first_card_comes_from_where_it_is_worth_most() -> None:
    for pile, source in (("beer", DrawSource.DISCARD), ("dynamite", DrawSource.DECK)):
        state = hold(game("S O:pedro_ramirez R O", hands=1, pile=pile))
        assert decision(decide(state, EndTurn(0))) == Draw(1, source)
    state = hold(game("S O:jesse_jones R O", hands=1))
    assert decision(decide(state, EndTurn(0))) == Draw(1, 0)


@pytest.mark.parametrize("players", [5, *later(4, 6, 7)])
def test_the_same_chance_gives_the_same_game(players: int) -> None:
    setup = deal(players, random.Random(players))
    minds = [tuple(MINDS.values())[seat % 3] for seat in range(players)]
    first, second = (play_match(setup, minds, random.Random(5)) for _ in range(2))
    assert first.moves == second.moves
    assert first.end.result is not None
    assert first.turns == second.turns > 3


@pytest.mark.tables
def test_all_levels_decide_legally_with_every_character() -> None:
    characters, offers = Counter[str](), Counter[OfferKind]()
    for number in range(24):
        chance = random.Random(number)
        setup = deal(4 + number % 4, chance)
        minds = [tuple(MINDS.values())[(seat + number) % 3] for seat in range(len(setup.players))]
        # A decision that isn't legal raises.
        steps = play_steps(setup, minds, chance)
        characters.update(player.character.id for player in setup.players)
        offers.update(step.state.offer.kind for step in steps if step.state.offer)
    assert len(characters) == 16
    assert len(offers) == 3


@pytest.mark.tables
@pytest.mark.parametrize(
    ("better", "worse", "games", "more"),
    [
        ("strong", "random", 60, 1.4),
        *later(("sensible", "random", 60, 1.4), ("strong", "sensible", 200, 1)),
    ],
)
def test_higher_levels_win_more(better: str, worse: str, games: int, more: float) -> None:
    chance, wins = random.Random(7), Counter[str]()
    for number in range(games):
        setup = deal(5, chance)
        levels = [(better, worse)[(seat + number) % 2] for seat in range(5)]
        end = play_match(setup, [MINDS[level] for level in levels], chance).end
        assert end.result is not None
        wins.update(levels[seat] for seat in end.result.winners)
    assert wins[better] > more * wins[worse]

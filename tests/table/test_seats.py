"""Seats: taken over, left, ordered, without a phone; another host; and cards that are entered.

Whoever sits at the table must not come to another seat, and so to another role, but by the
host's word; and whatever was answered is on the disk, at any moment.
"""

import random
import shutil
import threading
from contextlib import ExitStack, closing
from functools import partial

import pytest
from evening import refusal
from people import claim_seat, join
from stand_ins import PLAIN, Dealer, dice_game
from tiers import later

from companion.app.build import start_table
from companion.games.dice.rules.characters import CHARACTERS
from companion.games.dice.rules.record import parse_header
from companion.games.dice.rules.roles import ROLES, Role, first_role
from companion.games.registry import GAMES
from companion.settings import Settings
from companion.table import moves, rounds, seats
from companion.table.changes import Press, claim_of, person_of
from companion.table.dealing import EntryError
from companion.table.journal.journal import Journal
from companion.table.scene import NewsKind, Phase
from companion.table.surface.dice import rolling
from companion.table.table import Problem, Refused, Table
from companion.table.views import role_at
from web.app import create_app
from web.serving.stream import Broadcast
from web.site import TableSite

FORBIDDEN, ILLEGAL, STALE = Problem.FORBIDDEN, Problem.ILLEGAL, Problem.STALE

IDS = sorted(CHARACTERS)


def answer(evening, number, *, yes, by=1):
    """Say yes or no to a phone that asks for a seat."""
    evening.do(seats.answer_claim, number, by=by, yes=yes)


def role_of(evening, person, seat):
    return role_at(evening.table.scene, person, seat)


# A seat on another phone


@pytest.mark.parametrize("running", [False, True])
def test_a_new_phone_gets_a_seat_once_the_host_says_yes(evening, running):
    if running:
        evening.start()
    version = evening.version
    token, number = evening.claim(2)
    assert evening.holder(token) is None, "nothing is opened before that"
    assert evening.holder(evening.tokens[1]) == 2
    answer(evening, number, yes=True)
    assert (evening.holder(token), claim_of(evening.table.scene, token)) == (2, None)
    assert evening.holder(evening.tokens[1]) is None, "the old phone is dead"
    assert evening.view.news.latest == ((NewsKind.MOVED, "P1"),)
    assert not running or evening.version == version, "no press is disturbed"


def test_a_new_phone_gets_nothing_where_the_host_says_no(evening):
    token, number = evening.claim(2)
    answer(evening, number, yes=False)
    assert (evening.holder(token), evening.holder(evening.tokens[1])) == (None, 2)
    assert refusal(answer, evening, number, yes=True) is STALE
    token, _ = evening.claim(2)
    assert refusal(answer, evening, number, yes=True) is STALE, "nor is the next one granted"
    assert evening.holder(token) is None


def test_only_the_host_says_yes_and_who_holds_the_seat_may_say_no(evening):
    token, number = evening.claim(2)
    for person, yes in ((2, True), (3, True), (4, True), (3, False), (4, False)):
        assert refusal(answer, evening, number, yes=yes, by=person) is FORBIDDEN
    assert refusal(answer, evening, number, yes=True, by=None) is ILLEGAL
    answer(evening, number, yes=False, by=2)
    assert claim_of(evening.table.scene, token) is None


def test_who_is_asked_sees_the_question_and_nobody_else(evening):
    token, _ = evening.claim(2)
    mark = claim_of(evening.table.scene, token).mark
    seen = {person: evening.table.view(person).requests.claims for person in (1, 2, 3, None)}
    assert [(claim.name, claim.mark, claim.grants) for claim in seen[1]] == [("P1", mark, True)]
    assert [claim.grants for claim in seen[2]] == [False]
    assert seen[3] == seen[None] == ()


def test_a_seat_is_asked_for_with_the_code_and_by_one_phone_at_a_time(evening):
    assert refusal(claim_seat, evening.table, 2, "????") is FORBIDDEN
    assert refusal(claim_seat, evening.table, 99, evening.table.scene.code) is ILLEGAL
    first, _ = evening.claim(2)
    assert refusal(evening.claim, 2) is ILLEGAL
    second, number = evening.claim(3, before=first)
    assert claim_of(evening.table.scene, first) is None, "one phone asks for one seat"
    evening.claim(2)
    answer(evening, number, yes=True)
    assert evening.holder(second) == 3


def test_a_seat_without_a_phone_gets_one(evenings):
    evening = evenings(phones=3).start()
    assert evening.table.view(1).passed_around == (3,)
    token, number = evening.claim(4)
    answer(evening, number, yes=True)
    assert evening.table.view(1).passed_around == ()
    assert refusal(role_of, evening, 1, 3) is FORBIDDEN
    assert isinstance(role_of(evening, evening.holder(token), 3), Role)


# Leaving, and seats that lose their phone


def test_who_leaves_before_the_game_leaves_no_seat(evening):
    evening.do(seats.leave, by=2)
    assert evening.names == ["P0", "P2", "P3"]
    assert evening.holder(evening.tokens[1]) is None


def test_the_host_who_leaves_is_followed_by_the_next_phone_clockwise(evenings):
    evening = evenings(people=5, phones=4)
    evening.do(seats.order_people, [1, 5, 2, 3, 4])
    assert evening.names == ["P0", "P4", "P1", "P2", "P3"]
    evening.do(seats.leave)
    assert evening.host == 2, "P4 has no phone"
    for person in (2, 3, 4):
        evening.do(seats.leave, by=person)
    assert (evening.names, evening.host) == (["P4"], None)
    assert refusal(join, evening.table, "Eve", "") is FORBIDDEN
    join(evening.table, "Eve", evening.table.scene.code)
    assert evening.view.people[1].host


def test_who_leaves_during_a_game_leaves_a_seat_to_the_host(evening):
    evening.start()
    evening.do(seats.leave, by=2)
    assert evening.names == ["P0", "P1", "P2", "P3"]
    assert evening.table.view(1).passed_around == (1,)
    assert evening.holder(evening.tokens[1]) is None
    assert isinstance(role_of(evening, 1, 1), Role)
    assert evening.view.news.latest == ((NewsKind.LEFT, "P1"),)


def test_the_only_phone_of_a_game_stays_until_both_buttons_give_its_seat_to_another(evenings):
    evening = evenings(phones=1).start()
    assert evening.refused(seats.leave) is ILLEGAL
    assert evening.holders == [1]
    token, _ = evening.claim(1)
    evening.table.hold_both_buttons()
    assert (evening.holder(token), evening.holders) == (1, [None])


def test_the_host_takes_the_phone_from_who_lost_it_and_everybody_is_told(evening):
    evening.start()
    assert evening.refused(seats.take_phone, 3, by=2) is FORBIDDEN
    assert evening.refused(seats.take_phone, 1) is ILLEGAL
    token, number = evening.claim(3)
    evening.do(seats.take_phone, 3)
    assert evening.holder(evening.tokens[2]) is None
    assert evening.view.news.latest == ((NewsKind.PHONELESS, "P2"),)
    assert evening.table.view(1).decides == (0, 2)
    answer(evening, number, yes=True)
    assert evening.holder(token) == 3
    assert evening.table.view(1).decides == (0,)


def play_a_move(evening):
    evening.roll("arrow", "arrow", "gatling", "gatling", "arrow", y=100.0 * evening.version)


def test_the_story_of_a_game_keeps_who_decided_for_whom(evening):
    """Since the host may look at the role of a seat without a phone, everybody knows of it."""
    assert evening.view.news.all == ()
    turn = evening.start().turn
    evening.do(seats.take_phone, 3)
    page = create_app(TableSite(evening.table, Broadcast())).test_client().get("/story/1").text
    assert "P2 has no phone now" in page
    token, number = evening.claim(3)
    answer(evening, number, yes=True)
    bidder(evening)(1, True)
    told = ((NewsKind.PHONELESS, "P2"), (NewsKind.MOVED, "P2"), (NewsKind.HOST, "P1"))
    play_a_move(evening)
    assert (evening.turn, evening.view.news.latest) == (turn, told[-1:])
    evening.do(rolling.stop)
    assert evening.turn != turn
    assert evening.view.news.latest == ()
    for _ in range(2):
        assert evening.view.news.all == told
        evening.reopen()
    assert evening.holder(token) == 3
    evening.do(rounds.new_game)
    assert evening.view.news.all == ()


def test_one_address_asks_for_one_seat_at_a_time(evening):
    code, ask = evening.table.scene.code, partial(claim_seat, evening.table)
    first = ask(2, code, address="192.0.2.1")
    assert refusal(ask, 3, code, address="192.0.2.1") is ILLEGAL
    ask(3, code, address="192.0.2.2")
    evening.reopen()
    ask = partial(claim_seat, evening.table)
    for address in ("192.0.2.1", "192.0.2.2"):
        assert refusal(ask, 4, code, address=address) is ILLEGAL, "a restart changes nothing"
    # A phone that asks for another seat instead may.
    again = ask(4, code, first, address="192.0.2.1")
    answer(evening, claim_of(evening.table.scene, again).number, yes=False)
    ask(4, code, address="192.0.2.1")


# Another host


def bidder(evening, candidate=2):
    evening.do(seats.bid, by=candidate)
    return lambda person, yes: evening.do(seats.vote, candidate, by=person, yes=yes)


@pytest.mark.parametrize("people", range(3, 9))
def test_more_than_half_of_the_other_phones_in_a_game_make_another_host(evenings, people):
    evening = evenings(people=people).start()
    vote = bidder(evening)
    others = list(range(3, people + 1))
    for agreed, person in enumerate(others, start=1):
        assert evening.view.people[0].host
        vote(person, True)
        if agreed * 2 > len(others):
            break
    assert (evening.host, evening.view.requests.bid) == (2, None)
    assert evening.view.news.latest == ((NewsKind.HOST, "P1"),)
    assert evening.holder(evening.tokens[0]) == 1, "the old host keeps their seat"
    for seat in {0, *range(2, people)}:
        assert refusal(role_of, evening, 2, seat) is FORBIDDEN, "a host sees no other role"


def test_half_of_the_other_phones_are_too_few_and_half_against_end_it(evenings):
    evening = evenings(people=6).start()
    vote = bidder(evening)
    for person in (3, 4, 4):
        vote(person, True)
    assert evening.host == 1, "nobody counts twice"
    assert evening.table.view(2).requests.bid[2:] == (2, 3, False)
    vote(5, False)
    assert evening.table.view(2).requests.bid is not None
    vote(6, False)
    assert (evening.host, evening.table.view(2).requests.bid) == (1, None)


def test_before_a_game_phones_that_only_sat_down_outvote_nobody(evenings):
    """Two played, went back to the lobby, and four phones that never played joined there."""
    evening = evenings(phones=2).start()
    evening.do(rounds.new_game)
    for person in (3, 4):
        evening.do(seats.remove_person, person)
    code = evening.table.scene.code
    puppets = [evening.holder(join(evening.table, f"Puppet {n}", code)) for n in range(4)]
    vote = bidder(evening, puppets[0])
    for puppet in puppets[1:]:
        vote(puppet, True)
    assert evening.host == 1
    assert evening.table.view(1).requests.bid.asked, "the host sees it and may refuse"
    assert evening.table.view(2).requests.bid.asked
    vote(2, False)
    assert (evening.host, evening.view.requests.bid) == (1, None)


@pytest.mark.parametrize("people", [3, 8])
def test_before_a_game_all_other_phones_make_another_host(evenings, people):
    evening = evenings(people=people)
    vote = bidder(evening)
    for person in range(3, people + 1):
        assert evening.host == 1
        vote(person, True)
    assert evening.host == 2


def test_the_phone_of_the_host_decides_alone_if_it_answers(evening):
    bidder(evening)(1, False)
    assert (evening.host, evening.table.view(2).requests.bid) == (1, None)
    bidder(evening)(1, True)
    assert evening.host == 2


def test_nobody_votes_for_themselves_and_an_answer_counts_for_who_asked_alone(evening):
    vote = bidder(evening)
    assert refusal(vote, 2, True) is FORBIDDEN
    assert evening.refused(seats.bid, by=3) is ILLEGAL
    assert evening.refused(seats.bid, by=1) is ILLEGAL
    assert refusal(vote, None, True) is ILLEGAL
    vote(2, False)
    assert refusal(vote, 3, True) is STALE
    assert evening.table.view(2).requests.bid is None
    evening.do(seats.bid, by=3)
    assert refusal(vote, 4, True) is STALE
    assert evening.host == 1


def test_both_buttons_stand_in_for_phones_that_cannot_agree(evenings):
    evening = evenings(phones=2).start()
    evening.do(seats.bid, by=2)
    assert evening.table.view(2).requests.bid.needed == 0
    evening.table.hold_both_buttons()
    assert evening.host == 2


def test_both_buttons_are_held_at_their_pins(tmp_path):
    with ExitStack() as stack:
        settings = Settings(host="127.0.0.1", port=0, camera="none", data=tmp_path / "data")
        running = start_table(settings, stack)
        code = running.table.scene.code
        tokens = [join(running.table, name, code) for name in ("Ann", "Bob")]
        host, other = (person_of(running.table.scene, token) for token in tokens)
        running.table.do(seats.bid, Press(other))
        changed = threading.Event()
        running.table.follow(lambda *_: changed.set() if running.table.view(other).host else None)
        for pin in (settings.pins.green, settings.pins.red):
            running.controls.pins.factory.pin(pin).drive_low()
        assert changed.wait(60)
        assert not running.table.view(host).host


def test_both_buttons_give_no_seat_while_another_phone_could_ask(evening):
    evening.start()
    tokens = [evening.claim(person)[0] for person in (1, 2)]
    evening.table.hold_both_buttons()
    assert evening.view.notice == "nobody has asked to be the host"
    assert [evening.holder(token) for token in tokens] == [None, None]


def test_who_wanted_to_be_the_host_and_became_it_asks_no_more(evening):
    evening.do(seats.bid, by=2)
    evening.do(seats.leave, by=1)
    assert evening.host == 2
    assert evening.table.view(3).requests.bid is None


# The order of the table


def test_the_host_puts_all_in_order_at_once(evening):
    evening.do(seats.order_people, [3, 1, 4, 2])
    assert evening.names == ["P2", "P0", "P3", "P1"]
    assert evening.refused(seats.order_people, [1, 2, 3, 4], by=2) is FORBIDDEN
    for wrong in ([], [1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 4, 5], [1, 1, 2, 3, 4]):
        assert evening.refused(seats.order_people, wrong, by=1) is STALE
    evening.start()
    assert evening.refused(seats.order_people, [1, 2, 3, 4], by=1) is ILLEGAL


# The next Sheriff


def first(evening):
    return evening.names[evening.turn]


@pytest.mark.parametrize("people", [3, 5])
def test_in_turn_the_next_begins_on_the_left_of_the_last_one(evenings, people):
    evening = evenings(people=people).start(sheriff="turn")
    names = evening.names
    place = names.index(first(evening))
    for step in range(1, people + 2):
        play_a_move(evening)
        evening.reopen()
        evening.do(rounds.new_game)
        evening.reopen()
        assert first(evening.start()) == names[(place + step) % people]
        assert evening.game.players[evening.turn].role is first_role(people)


def test_a_game_that_nobody_played_does_not_count(evening):
    evening.start(sheriff="turn")
    play_a_move(evening)
    evening.do(rounds.new_game)
    second = first(evening.start())
    evening.do(rounds.new_game)
    # Nobody rolled in the second game: the turn is still at who begins on the left of the first.
    assert first(evening.start()) == second


def test_where_the_last_sheriff_left_their_left_neighbour_is_next(evening):
    evening.start(sheriff="turn")
    play_a_move(evening)
    sheriff, names = evening.turn, evening.names
    evening.do(rounds.new_game)
    evening.do(seats.leave, by=evening.person(sheriff))
    join(evening.table, "New", evening.table.scene.code)
    assert first(evening.start()) == names[(sheriff + 1) % 4]


# After the end


def finish(evening):
    """Let Indians take everybody: dynamite first, then arrows."""
    while evening.view.phase is Phase.PLAYING:
        faces = ("dynamite", "dynamite", "dynamite", "arrow", "arrow")
        evening.roll(*faces, y=100.0 * evening.version)


def test_every_page_says_that_a_game_resumed_after_its_end_has_open_roles(evening):
    finish(evening.start())
    assert not evening.view.resumed
    evening.do(moves.undo)
    assert evening.view.phase is Phase.PLAYING
    evening.reopen()
    assert evening.view.resumed
    client = create_app(TableSite(evening.table, Broadcast())).test_client()
    said = "it goes on with open roles"
    for path in ("/", "/table", "/story/1"):
        assert said in client.get(path).text, path
    client.set_cookie("seat", evening.tokens[1])
    assert said in client.get("/seat").text
    evening.do(rounds.new_game)
    assert not evening.view.resumed
    assert said not in client.get("/table").text


def test_playing_again_takes_one_press_and_keeps_seats_and_phones(evening):
    evening.start()
    assert evening.refused(rounds.play_again) is ILLEGAL
    names = evening.names
    finish(evening)
    assert evening.view.phase is Phase.OVER
    assert evening.refused(rounds.play_again, by=2) is FORBIDDEN
    evening.do(rounds.play_again)
    assert (evening.view.phase, evening.view.game_number) == (Phase.PLAYING, 2)
    assert (evening.names, evening.holders) == (names, [1, 2, 3, 4])


# Cards that are entered


def enter(evening, seat, role=None, character=None, number=None):
    """Enter the cards of a seat, on its phone or the host's."""
    person = evening.view.people[seat]
    number = evening.view.dealing.round if number is None else number
    by = person.id if person.has_phone else evening.host
    evening.do(rounds.enter, seat, role, character, number, by=by)


def enter_all(evening, roles):
    for seat, role in enumerate(roles):
        enter(evening, seat, role)


def test_the_game_begins_with_the_last_card_entered(evenings):
    evening = evenings(people=5, phones=3).start(roles="cards", characters="cards")
    assert (evening.view.phase, evening.view.game) == (Phase.DEALING, None)
    roles = random.Random(2).sample(ROLES[5], 5)
    for seat in range(5):
        assert evening.view.dealing.entered == (True,) * seat + (False,) * (5 - seat)
        enter(evening, seat, roles[seat], IDS[seat])
        evening.reopen()
    assert evening.view.phase is Phase.PLAYING
    header = evening.table.scene.history.record.splitlines()[0].encode()
    entered = [(player.role, player.character.id) for player in parse_header(header).players]
    assert entered == list(zip(roles, IDS, strict=False))


def test_wrong_roles_are_entered_again_by_all(evening):
    evening.start(roles="cards")
    before = evening.view.dealing.round
    enter_all(evening, (Role.OUTLAW, *ROLES[4][1:]))
    dealing = evening.view.dealing
    assert (dealing.wrong, dealing.entered) == ((EntryError.ROLES,), (False,) * 4)
    assert dealing.round != before
    assert refusal(enter, evening, 0, Role.SHERIFF, number=before) is STALE
    enter_all(evening, ROLES[4])
    assert evening.view.phase is Phase.PLAYING


def test_cards_are_entered_for_ones_own_seat_and_those_without_phone_alone(evenings):
    evening = evenings(phones=3).start(roles="cards", characters="cards")
    number = evening.view.dealing.round
    card = (Role.OUTLAW, IDS[0], number)
    for person, seat in ((2, 0), (2, 3), (1, 1), (None, 0), (None, 3)):
        assert evening.refused(rounds.enter, seat, *card, by=person) is FORBIDDEN
        assert evening.refused(rounds.enter_again, seat, number, by=person) is FORBIDDEN
    evening.do(rounds.enter, 3, *card, by=1)
    assert role_of(evening, 1, 3) is Role.OUTLAW
    # Nothing is entered at seat 1 yet.
    for person, seat in ((2, 3), (3, 3), (None, 3), (2, 0), (2, 1)):
        assert refusal(role_of, evening, person, seat) is FORBIDDEN


def test_cards_that_were_mistaken_are_entered_again_and_leave_other_phones_alone(evening):
    evening.start(roles="cards")
    version = evening.version
    enter(evening, 1, Role.SHERIFF)
    assert refusal(enter, evening, 1, Role.OUTLAW) is ILLEGAL
    evening.do(rounds.enter_again, 1, evening.view.dealing.round, by=2)
    enter(evening, 1, Role.OUTLAW)
    assert role_of(evening, 2, 1) is Role.OUTLAW
    enter(evening, 0, Role.SHERIFF)
    enter(evening, 2, Role.OUTLAW)
    assert evening.version == version
    enter(evening, 3, Role.RENEGADE)
    assert evening.version == version + 1


def test_one_of_two_is_seen_by_its_owner_alone(evenings):
    evening = evenings(phones=3, chance=Dealer("sroo", PLAIN)).start(characters="choice")
    asked = {who: evening.table.view(who).dealing.to_enter for who in (1, 2, 3, None)}
    offers = {
        who: {seat: each.characters for seat, each in seats.items()} for who, seats in asked.items()
    }
    assert offers == {1: {0: PLAIN[:2], 3: PLAIN[6:]}, 2: {1: PLAIN[2:4]}, 3: {2: PLAIN[4:6]},
                      None: {}}  # fmt: skip
    for seat in range(4):
        enter(evening, seat, character=PLAIN[2 * seat + 1])
    assert [player.character for player in evening.game.players] == list(PLAIN[1::2])


def test_the_host_deals_no_game_after_all(evening):
    evening.start(roles="cards", characters="choice")
    enter(evening, 0, Role.SHERIFF, evening.table.view(1).dealing.to_enter[0].characters[0])
    assert evening.refused(rounds.new_game, by=2) is FORBIDDEN
    join(evening.table, "Eve", evening.table.scene.code)
    assert "Eve" not in evening.names
    evening.do(rounds.new_game)
    assert (evening.view.phase, evening.view.dealing) == (Phase.LOBBY, None)
    assert refusal(role_of, evening, 1, 0) is FORBIDDEN


def test_how_games_are_dealt_is_the_hosts_choice_and_is_kept(evening):
    assert evening.refused(rounds.choose, "roles", "cards", by=2) is FORBIDDEN
    assert evening.refused(rounds.choose, "roles", "joker") is ILLEGAL
    assert evening.refused(rounds.choose, "joker", "cards") is ILLEGAL
    evening.do(rounds.choose, "roles", "cards")
    evening.reopen()
    assert evening.view.choices.options.roles == "cards"


# Killed at any moment, and nobody comes to a seat by themselves


def random_press(evening, phones, chance):
    """One press of anybody, right or wrong; return who pressed, and whether it gave a seat."""
    scene = evening.table.scene
    people = [person.id for person in scene.people]
    person, other = chance.choice([*people, None]), chance.choice(people)
    seat = chance.randrange(len(people))
    bid = scene.requests.bid
    number = scene.dealing.round if scene.dealing else 0
    yes = chance.random() < 0.6
    claims = [claim.number for claim in scene.requests.claims] or [0]
    offered = scene.dealing.offers[seat] if scene.dealing else ()
    options = [("roles", "cards"), ("roles", "dealt"), ("characters", "choice")]
    entry = (seat, chance.choice([None, *Role]), chance.choice([None, *offered]), number)
    presses = {
        "claim": lambda: phones.append(claim_seat(evening.table, other, scene.code)),
        "answer": lambda: answer(evening, chance.choice(claims), yes=yes, by=person),
        "bid": (seats.bid,),
        "vote": lambda: evening.do(seats.vote, bid.person if bid else other, by=person, yes=yes),
        "vouch": evening.table.hold_both_buttons,
        "leave": (seats.leave,),
        "take": (seats.take_phone, other),
        "order": (seats.order_people, chance.sample(people, len(people))),
        "choose": (rounds.choose, *chance.choice(options)),
        "start": (rounds.start_game,),
        "new": (rounds.new_game,),
        "again": (rounds.enter_again, seat, number),
        "enter": (rounds.enter, *entry),
        "add": (seats.add_person, f"N{chance.randrange(10**6)}"),
    }
    kind = chance.choice([*presses, "enter", "enter", "answer", "vote"])
    press = presses[kind]
    try:
        press() if callable(press) else evening.do(*press, by=person)
    except Refused:
        return kind, person, False
    return kind, person, True


@pytest.mark.parametrize("seed", [*range(3), *later(*range(3, 6))])
def test_whatever_is_pressed_seats_pass_on_by_the_hosts_word_alone(evenings, seed, tmp_path):
    chance = random.Random(seed)
    evening = evenings(people=5, phones=4)
    phones = list(evening.tokens)
    seen = set()
    for press in range(250):
        held = {token: evening.holder(token) for token in phones}
        before = evening.table.scene
        host = evening.host
        kind, person, done = random_press(evening, phones, chance)
        scene = evening.table.scene
        assert done or scene.people == before.people
        if done:
            seen.add(kind)
        now = {token: evening.holder(token) for token in held}
        taken = {token for token in held if now[token] not in (None, held[token])}
        if taken:
            assert kind in ("answer", "vouch")
            assert kind == "vouch" or person == host
        lost = {token for token in held if held[token] and not now[token]}
        for token in lost - taken:
            assert kind in ("answer", "vouch", "leave", "take")
            assert person == (held[token] if kind == "leave" else host) or kind == "vouch"
        assert sum(entry.host for entry in scene.people) == any(p.token for p in scene.people)
        holders = [holder for holder in now.values() if holder is not None]
        assert len(holders) == len(set(holders)), "two phones hold a seat"
        if not any(entry.token for entry in scene.people):
            break
        if press % 5 == 0:
            # A copy of the folder at any moment is what a kill at that moment leaves.
            shutil.copytree(evening.folder, tmp_path / f"copy-{press}")
            with closing(Journal(tmp_path / f"copy-{press}")) as journal:
                killed = Table(journal, GAMES, dice_game()).scene
            assert killed.version > scene.version
            for part in ("people", "choices", "dealing", "requests", "last"):
                assert getattr(killed, part) == getattr(scene, part), part
            assert (killed.history and killed.history.record) == (
                scene.history and scene.history.record
            )
    assert len(seen) > 5

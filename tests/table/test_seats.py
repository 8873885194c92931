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
from people import claim_seat, join
from stand_ins import PLAIN, Dealer, dice_game

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
from companion.table.scene import CameraStatus, NewsKind, Phase
from companion.table.surface.dice import rolling
from companion.table.surface.dice.state import Mark
from companion.table.table import Problem, Refused, Table
from companion.table.views import role_at
from web.app import create_app
from web.serving.stream import Broadcast
from web.site import TableSite

IDS = sorted(CHARACTERS)


class Evening:
    """A table with people; the first `phones` hold phones, the first is the host."""

    def __init__(self, folder, people=4, phones=None, chance=None):
        self.folder, self.chance = folder, chance or random.Random(7)
        self.open()
        phones = people if phones is None else phones
        self.tokens = [join(self.table, f"P{n}", self.table.scene.code) for n in range(phones)]
        for number in range(phones, people):
            self.table.do(seats.add_person, Press(1, self.version), f"P{number}")

    def open(self):
        self.journal = Journal(self.folder)
        self.table = Table(self.journal, GAMES, dice_game(), chance=self.chance)
        self.table.watch(CameraStatus("test"))

    def reopen(self):
        self.journal.close()
        self.open()

    @property
    def view(self):
        return self.table.view()

    @property
    def version(self):
        return self.view.version

    @property
    def host(self):
        return next((person.id for person in self.view.people if person.host), None)

    @property
    def names(self):
        return [person.name for person in self.view.people]

    def start(self, **options):
        for option, value in options.items():
            self.table.do(rounds.choose, Press(self.host, self.version), option, value)
        self.table.do(rounds.start_game, Press(self.host, self.version))
        return self

    def claim(self, person, before=""):
        """Ask for a seat on a new phone; return its secret and the number of the question."""
        token = claim_seat(self.table, person, self.table.scene.code, before)
        return token, claim_of(self.table.scene, token).number

    def enter(self, seat, role=None, character=None, number=None):
        person = self.view.people[seat]
        dealing = self.view.dealing
        self.table.do(
            rounds.enter,
            Press(person.id if person.has_phone else self.host),
            seat,
            role,
            character,
            dealing.round if number is None else number,
        )

    def roll(self, *faces):
        self.table.do(rolling.enter_by_hand, Press(self.host, self.version))
        for die, face in enumerate(faces):
            view = self.view
            self.table.do(
                rolling.mark, Press(self.host, view.version, view.reading), die, Mark(face=face)
            )
        self.table.do(rolling.accept, Press(self.host, self.version, self.view.reading))


@pytest.fixture
def evenings(tmp_path):
    made = []

    def make(**options):
        made.append(Evening(tmp_path / str(len(made)), **options))
        return made[-1]

    yield make
    for evening in made:
        evening.journal.close()


@pytest.fixture
def evening(evenings):
    return evenings()


def refusal(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value.problem


# A seat on another phone


@pytest.mark.parametrize("running", [False, True])
def test_a_new_phone_gets_a_seat_once_the_host_says_yes(evening, running):
    if running:
        evening.start()
    token, number = evening.claim(2)
    assert person_of(evening.table.scene, token) is None, "nothing is opened before that"
    assert person_of(evening.table.scene, evening.tokens[1]) == 2
    evening.table.do(seats.answer_claim, Press(evening.host), number, yes=True)
    assert person_of(evening.table.scene, token) == 2
    assert person_of(evening.table.scene, evening.tokens[1]) is None, "the old phone is dead"
    assert evening.view.news.latest == ((NewsKind.MOVED, "P1"),)
    assert claim_of(evening.table.scene, token) is None


def test_a_new_phone_gets_nothing_where_the_host_says_no(evening):
    token, number = evening.claim(2)
    evening.table.do(seats.answer_claim, Press(evening.host), number, yes=False)
    assert person_of(evening.table.scene, token) is None
    assert person_of(evening.table.scene, evening.tokens[1]) == 2
    assert (
        refusal(evening.table.do, seats.answer_claim, Press(evening.host), number, yes=True)
        is Problem.STALE
    )


def test_only_the_host_says_yes_and_who_holds_the_seat_may_say_no(evening):
    token, number = evening.claim(2)

    def answer(person, number, *, yes):
        evening.table.do(seats.answer_claim, Press(person), number, yes=yes)

    for person in (2, 3, 4):
        assert refusal(answer, person, number, yes=True) is Problem.FORBIDDEN
    for person in (3, 4):
        assert refusal(answer, person, number, yes=False) is Problem.FORBIDDEN
    assert refusal(answer, None, number, yes=True) is Problem.ILLEGAL
    answer(2, number, yes=False)
    assert claim_of(evening.table.scene, token) is None


def test_who_is_asked_sees_the_question_and_nobody_else(evening):
    token, _ = evening.claim(2)
    mark = claim_of(evening.table.scene, token).mark
    seen = {person: evening.table.view(person).requests.claims for person in (1, 2, 3, None)}
    assert [(claim.name, claim.mark, claim.grants) for claim in seen[1]] == [("P1", mark, True)]
    assert [claim.grants for claim in seen[2]] == [False]
    assert seen[3] == seen[None] == ()


def test_a_seat_is_asked_for_with_the_code_and_by_one_phone_at_a_time(evening):
    assert refusal(claim_seat, evening.table, 2, "????") is Problem.FORBIDDEN
    assert refusal(claim_seat, evening.table, 99, evening.table.scene.code) is Problem.ILLEGAL
    first, _ = evening.claim(2)
    assert refusal(evening.claim, 2) is Problem.ILLEGAL
    second, number = evening.claim(3, before=first)
    assert claim_of(evening.table.scene, first) is None, "one phone asks for one seat"
    evening.claim(2)
    evening.table.do(seats.answer_claim, Press(evening.host), number, yes=True)
    assert person_of(evening.table.scene, second) == 3


def test_a_yes_to_a_question_that_is_gone_grants_nothing_to_the_next_one(evening):
    _, number = evening.claim(2)
    evening.table.do(seats.answer_claim, Press(2), number, yes=False)
    token, _ = evening.claim(2)
    assert (
        refusal(evening.table.do, seats.answer_claim, Press(evening.host), number, yes=True)
        is Problem.STALE
    )
    assert person_of(evening.table.scene, token) is None


def test_a_seat_without_a_phone_gets_one(evenings):
    evening = evenings(phones=3).start()
    assert evening.table.view(evening.host).passed_around == (3,)
    token, number = evening.claim(4)
    evening.table.do(seats.answer_claim, Press(evening.host), number, yes=True)
    assert evening.table.view(evening.host).passed_around == ()
    assert refusal(role_at, evening.table.scene, evening.host, 3) is Problem.FORBIDDEN
    assert isinstance(role_at(evening.table.scene, person_of(evening.table.scene, token), 3), Role)


def test_asking_for_a_seat_disturbs_no_press(evening):
    evening.start()
    version = evening.version
    _, number = evening.claim(2)
    evening.table.do(seats.answer_claim, Press(evening.host), number, yes=True)
    assert evening.version == version


# Leaving, and seats that lose their phone


def test_who_leaves_before_the_game_leaves_no_seat(evening):
    evening.table.do(seats.leave, Press(2, evening.version))
    assert evening.names == ["P0", "P2", "P3"]
    assert person_of(evening.table.scene, evening.tokens[1]) is None


def test_the_host_who_leaves_is_followed_by_the_next_phone_clockwise(evenings):
    evening = evenings(people=5, phones=4)
    evening.table.do(seats.move_person, Press(evening.host, evening.version), 5, -3)
    assert evening.names == ["P0", "P4", "P1", "P2", "P3"]
    evening.table.do(seats.leave, Press(evening.host, evening.version))
    assert evening.host == 2, "P4 has no phone"
    evening.table.do(seats.leave, Press(2, evening.version))
    evening.table.do(seats.leave, Press(3, evening.version))
    evening.table.do(seats.leave, Press(4, evening.version))
    assert (evening.names, evening.host) == (["P4"], None)
    assert refusal(join, evening.table, "Eve", "") is Problem.FORBIDDEN
    join(evening.table, "Eve", evening.table.scene.code)
    assert evening.view.people[1].host


def test_who_leaves_during_a_game_leaves_a_seat_to_the_host(evening):
    evening.start()
    evening.table.do(seats.leave, Press(2, evening.version))
    assert evening.names == ["P0", "P1", "P2", "P3"]
    assert evening.table.view(evening.host).passed_around == (1,)
    assert person_of(evening.table.scene, evening.tokens[1]) is None
    assert isinstance(role_at(evening.table.scene, evening.host, 1), Role)
    assert evening.view.news.latest == ((NewsKind.LEFT, "P1"),)


def test_the_only_phone_of_a_game_stays(evenings):
    evening = evenings(phones=1).start()
    assert refusal(evening.table.do, seats.leave, Press(1, evening.version)) is Problem.ILLEGAL
    assert person_of(evening.table.scene, evening.tokens[0]) == 1


def test_the_host_takes_the_phone_from_who_lost_it_and_everybody_is_told(evening):
    evening.start()

    def take(host, person, version):
        evening.table.do(seats.take_phone, Press(host, version), person)

    assert refusal(take, 2, 3, evening.version) is Problem.FORBIDDEN
    assert refusal(take, 1, 1, evening.version) is Problem.ILLEGAL
    token, number = evening.claim(3)
    take(1, 3, evening.version)
    assert person_of(evening.table.scene, evening.tokens[2]) is None
    assert evening.view.news.latest == ((NewsKind.PHONELESS, "P2"),)
    assert evening.table.view(1).decides == (0, 2)
    evening.table.do(seats.answer_claim, Press(1), number, yes=True)
    assert person_of(evening.table.scene, token) == 3
    assert evening.table.view(1).decides == (0,)


def test_news_of_a_seat_stay_for_the_turn(evening):
    evening.start()
    turn = evening.view.game.turn
    evening.table.do(seats.take_phone, Press(1, evening.version), 2)
    evening.roll("arrow", "arrow", "gatling", "gatling", "arrow")
    assert (evening.view.game.turn, evening.view.news.latest) == (
        turn,
        ((NewsKind.PHONELESS, "P1"),),
    )
    evening.table.do(rolling.stop, Press(1, evening.version))
    assert evening.view.game.turn != turn
    assert evening.view.news.latest == ()


def test_the_story_of_a_game_keeps_who_decided_for_whom(evening):
    """Since the host may look at the role of a seat without a phone, everybody knows of it."""
    assert evening.view.news.all == ()
    evening.start()
    evening.table.do(seats.take_phone, Press(1, evening.version), 3)
    token, number = evening.claim(3)
    evening.table.do(seats.answer_claim, Press(1), number, yes=True)
    bidder(evening)(1, True)
    told = (
        (NewsKind.PHONELESS, "P2"),
        (NewsKind.MOVED, "P2"),
        (NewsKind.HOST, "P1"),
    )
    evening.roll("arrow", "arrow", "gatling", "gatling", "arrow")
    evening.table.do(rolling.stop, Press(2, evening.version))
    assert evening.view.news.all == told
    evening.reopen()
    assert evening.view.news.all == told
    assert person_of(evening.table.scene, token) == 3
    evening.table.do(rounds.new_game, Press(2, evening.version))
    assert evening.view.news.all == ()


def test_one_address_asks_for_one_seat_at_a_time(evening):
    code, ask = evening.table.scene.code, partial(claim_seat, evening.table)
    first = ask(2, code, address="192.0.2.1")
    assert refusal(ask, 3, code, address="192.0.2.1") is Problem.ILLEGAL
    ask(3, code, address="192.0.2.2")
    evening.reopen()
    ask = partial(claim_seat, evening.table)
    for address in ("192.0.2.1", "192.0.2.2"):
        assert refusal(ask, 4, code, address=address) is Problem.ILLEGAL, (
            "a restart changes nothing"
        )
    # A phone that asks for another seat instead may.
    again = ask(4, code, first, address="192.0.2.1")
    number = claim_of(evening.table.scene, again).number
    evening.table.do(seats.answer_claim, Press(1), number, yes=False)
    ask(4, code, address="192.0.2.1")


# Another host


def bidder(evening, candidate=2):
    evening.table.do(seats.bid, Press(candidate))
    return lambda person, yes: evening.table.do(seats.vote, Press(person), candidate, yes=yes)


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
    assert person_of(evening.table.scene, evening.tokens[0]) == 1, "the old host keeps their seat"


def test_half_of_the_other_phones_are_too_few_and_half_against_end_it(evenings):
    evening = evenings(people=6).start()
    vote = bidder(evening)
    vote(3, True)
    vote(4, True)
    vote(4, True)
    assert evening.host == 1, "nobody counts twice"
    assert evening.table.view(2).requests.bid[2:] == (2, 3, False)
    vote(5, False)
    assert evening.table.view(2).requests.bid is not None
    vote(6, False)
    assert (evening.host, evening.table.view(2).requests.bid) == (1, None)


def test_before_a_game_phones_that_only_sat_down_outvote_nobody(evenings):
    """Two played, went back to the lobby, and four phones that never played joined there."""
    evening = evenings(people=4, phones=2).start()
    evening.table.do(rounds.new_game, Press(1, evening.version))
    puppets = []
    for person in (3, 4):
        evening.table.do(seats.remove_person, Press(1, evening.version), person)
    for number in range(4):
        token = join(evening.table, f"Puppet {number}", evening.table.scene.code)
        puppets.append(person_of(evening.table.scene, token))
    vote = bidder(evening, puppets[0])
    for puppet in puppets[1:]:
        vote(puppet, True)
    assert evening.host == 1
    assert evening.table.view(1).requests.bid.asked, "the host sees it and may refuse"
    assert evening.table.view(2).requests.bid.asked
    vote(2, False)
    assert (evening.host, evening.view.requests.bid) == (1, None)


@pytest.mark.parametrize("people", range(3, 9))
def test_before_a_game_all_other_phones_make_another_host(evenings, people):
    evening = evenings(people=people)
    vote = bidder(evening)
    for person in range(3, people + 1):
        assert evening.host == 1
        vote(person, True)
    assert evening.host == 2


def test_the_phone_of_the_host_decides_alone_if_it_answers(evening):
    vote = bidder(evening)
    vote(1, False)
    assert (evening.host, evening.table.view(2).requests.bid) == (1, None)
    bidder(evening)(1, True)
    assert evening.host == 2


def test_nobody_agrees_to_himself_and_who_asked_may_take_it_back(evening):
    vote = bidder(evening)
    assert refusal(vote, 2, True) is Problem.FORBIDDEN
    assert refusal(evening.table.do, seats.bid, Press(3)) is Problem.ILLEGAL
    assert refusal(evening.table.do, seats.bid, Press(1)) is Problem.ILLEGAL
    assert refusal(vote, None, True) is Problem.ILLEGAL
    vote(2, False)
    assert refusal(vote, 3, True) is Problem.STALE
    assert evening.table.view(2).requests.bid is None


def test_an_answer_to_one_who_asked_counts_for_no_other(evening):
    vote = bidder(evening, 2)
    vote(2, False)
    evening.table.do(seats.bid, Press(3))
    assert refusal(vote, 4, True) is Problem.STALE
    assert evening.host == 1


def test_to_be_the_host_is_to_see_no_other_role(evening):
    evening.start()
    vote = bidder(evening)
    vote(3, True)
    vote(4, True)
    assert evening.host == 2
    for seat in (0, 2, 3):
        assert refusal(role_at, evening.table.scene, 2, seat) is Problem.FORBIDDEN


def test_both_buttons_stand_in_for_phones_that_cannot_agree(evenings):
    evening = evenings(phones=2).start()
    evening.table.do(seats.bid, Press(2))
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
            running.pins.factory.pin(pin).drive_low()
        assert changed.wait(60)
        assert not running.table.view(host).host


def test_both_buttons_give_the_only_phones_seat_to_its_new_phone(evenings):
    evening = evenings(phones=1).start()
    token, _ = evening.claim(1)
    evening.table.hold_both_buttons()
    assert person_of(evening.table.scene, token) == 1
    assert person_of(evening.table.scene, evening.tokens[0]) is None


def test_both_buttons_give_no_seat_while_another_phone_could_ask(evening):
    evening.start()
    tokens = [evening.claim(person)[0] for person in (1, 2)]
    evening.table.hold_both_buttons()
    assert evening.view.notice == "nobody has asked to be the host"
    assert [person_of(evening.table.scene, token) for token in tokens] == [None, None]


def test_who_wanted_to_be_the_host_and_became_it_asks_no_more(evening):
    evening.table.do(seats.bid, Press(2))
    evening.table.do(seats.leave, Press(1, evening.version))
    assert evening.host == 2
    assert evening.table.view(3).requests.bid is None


# The order of the table


def test_the_host_puts_all_in_order_at_once(evening):
    evening.table.do(seats.order_people, Press(1, evening.version), [3, 1, 4, 2])
    assert evening.names == ["P2", "P0", "P3", "P1"]
    assert refusal(
        evening.table.do, seats.order_people, Press(2, evening.version), [1, 2, 3, 4]
    ) is (Problem.FORBIDDEN)
    for wrong in ([], [1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 4, 5], [1, 1, 2, 3, 4]):
        assert (
            refusal(evening.table.do, seats.order_people, Press(1, evening.version), wrong)
            is Problem.STALE
        )
    evening.start()
    assert (
        refusal(evening.table.do, seats.order_people, Press(1, evening.version), [1, 2, 3, 4])
        is Problem.ILLEGAL
    )


# The next Sheriff


def first(evening):
    return evening.view.people[evening.view.game.turn].name


def play_a_move(evening):
    evening.roll("arrow", "arrow", "gatling", "gatling", "arrow")


@pytest.mark.parametrize("people", [3, 5])
def test_in_turn_the_next_begins_on_the_left_of_the_last_one(evenings, people):
    evening = evenings(people=people).start(sheriff="turn")
    names = evening.names
    place = names.index(first(evening))
    for step in range(1, people + 2):
        play_a_move(evening)
        evening.reopen()
        evening.table.do(rounds.new_game, Press(1, evening.version))
        evening.reopen()
        evening.start()
        assert first(evening) == names[(place + step) % people]
        game = evening.view.game
        assert game.players[game.turn].role is first_role(people)


def test_a_game_that_nobody_played_does_not_count(evening):
    evening.start(sheriff="turn")
    play_a_move(evening)
    evening.table.do(rounds.new_game, Press(1, evening.version))
    evening.start()
    second = first(evening)
    evening.table.do(rounds.new_game, Press(1, evening.version))
    # Nobody rolled in the second game: the turn is still at who begins on the left of the first.
    assert first(evening.start()) == second


def test_where_the_last_sheriff_left_his_left_neighbour_is_next(evening):
    evening.start(sheriff="turn")
    play_a_move(evening)
    sheriff = evening.view.game.turn
    names = evening.names
    evening.table.do(rounds.new_game, Press(1, evening.version))
    evening.table.do(seats.leave, Press(evening.view.people[sheriff].id, evening.version))
    join(evening.table, "New", evening.table.scene.code)
    assert first(evening.start()) == names[(sheriff + 1) % 4]


# After the end


def test_every_page_says_that_a_game_resumed_after_its_end_has_open_roles(evening):
    evening.start()
    finish(evening)
    assert not evening.view.resumed
    evening.table.do(moves.undo, Press(1, evening.version))
    assert evening.view.phase is Phase.PLAYING
    evening.reopen()
    assert evening.view.resumed
    client = create_app(TableSite(evening.table, Broadcast())).test_client()
    said = "it goes on with open roles"
    for path in ("/", "/table", "/story/1"):
        assert said in client.get(path).text, path
    client.set_cookie("seat", evening.tokens[1])
    assert said in client.get("/seat").text
    evening.table.do(rounds.new_game, Press(1, evening.version))
    assert not evening.view.resumed
    assert said not in client.get("/table").text


def test_the_story_page_keeps_the_seats_that_changed_hands(evening):
    evening.start()
    evening.table.do(seats.take_phone, Press(1, evening.version), 3)
    page = create_app(TableSite(evening.table, Broadcast())).test_client().get("/story/1").text
    assert "P2 has no phone now" in page


# Playing again


def test_playing_again_takes_one_press_and_keeps_seats_and_phones(evening):
    evening.start()
    assert (
        refusal(evening.table.do, rounds.play_again, Press(1, evening.version)) is Problem.ILLEGAL
    )
    names = evening.names
    finish(evening)
    assert evening.view.phase is Phase.OVER
    assert (
        refusal(evening.table.do, rounds.play_again, Press(2, evening.version)) is Problem.FORBIDDEN
    )
    evening.table.do(rounds.play_again, Press(1, evening.version))
    assert (evening.view.phase, evening.view.game_number) == (Phase.PLAYING, 2)
    assert evening.names == names
    assert [person_of(evening.table.scene, token) for token in evening.tokens] == [1, 2, 3, 4]


def finish(evening):
    """Let Indians take everybody: dynamite first, then arrows."""
    while evening.view.phase is Phase.PLAYING:
        evening.roll("dynamite", "dynamite", "dynamite", "arrow", "arrow")


# Cards that are entered


def enter_all(evening, roles, characters=IDS):
    for seat, role in enumerate(roles):
        evening.enter(seat, role, characters[seat] if characters else None)


def test_the_game_begins_with_the_last_card_entered(evenings):
    evening = evenings(people=5, phones=3).start(roles="cards", characters="cards")
    assert (evening.view.phase, evening.view.game) == (Phase.DEALING, None)
    roles = random.Random(2).sample(ROLES[5], 5)
    for seat in range(5):
        assert evening.view.dealing.entered == (True,) * seat + (False,) * (5 - seat)
        evening.enter(seat, roles[seat], IDS[seat])
        evening.reopen()
    assert evening.view.phase is Phase.PLAYING
    header = evening.table.scene.history.record.splitlines()[0].encode()
    players = parse_header(header).players
    assert [(player.role, player.character.id) for player in players] == list(
        zip(roles, IDS, strict=False)
    )


def test_wrong_roles_are_entered_again_by_all_and_nobody_is_named(evenings):
    told = []
    for wrong in range(4):
        evening = evenings().start(roles="cards")
        roles = list(ROLES[4])
        roles[wrong] = Role.OUTLAW if roles[wrong] is not Role.OUTLAW else Role.SHERIFF
        before = evening.view.dealing.round
        enter_all(evening, roles, None)
        dealing = evening.view.dealing
        assert (dealing.wrong, dealing.entered) == ((EntryError.ROLES,), (False,) * 4)
        assert dealing.round != before
        with pytest.raises(Refused) as late:
            evening.enter(0, Role.SHERIFF, number=before)
        assert late.value.problem is Problem.STALE
        told.append([evening.table.view(person).dealing._replace(round=0) for person in (1, 2)])
        enter_all(evening, ROLES[4], None)
        assert evening.view.phase is Phase.PLAYING
    assert told == [told[0]] * 4


def test_cards_are_entered_for_ones_own_seat_and_those_without_phone_alone(evenings):
    evening = evenings(phones=3).start(roles="cards", characters="cards")
    number = evening.view.dealing.round

    def enter(person, *entered):
        evening.table.do(rounds.enter, Press(person), *entered)

    for person, seat in ((2, 0), (2, 3), (1, 1), (None, 0), (None, 3)):
        assert refusal(enter, person, seat, Role.OUTLAW, IDS[0], number) is Problem.FORBIDDEN
        assert (
            refusal(evening.table.do, rounds.enter_again, Press(person), seat, number)
            is Problem.FORBIDDEN
        )
    enter(1, 3, Role.OUTLAW, IDS[0], number)
    assert role_at(evening.table.scene, 1, 3) is Role.OUTLAW
    for person, seat in ((2, 3), (3, 3), (None, 3), (2, 0)):
        assert refusal(role_at, evening.table.scene, person, seat) is Problem.FORBIDDEN
    assert refusal(role_at, evening.table.scene, 2, 1) is Problem.FORBIDDEN, (
        "nothing is entered there yet"
    )


def test_cards_that_were_mistaken_are_entered_again(evening):
    evening.start(roles="cards")
    evening.enter(1, Role.SHERIFF)
    assert refusal(evening.enter, 1, Role.OUTLAW) is Problem.ILLEGAL
    evening.table.do(rounds.enter_again, Press(2), 1, evening.view.dealing.round)
    evening.enter(1, Role.OUTLAW)
    assert role_at(evening.table.scene, 2, 1) is Role.OUTLAW


def test_what_is_entered_on_one_phone_leaves_the_others_alone(evening):
    evening.start(roles="cards")
    version = evening.version
    for seat in range(3):
        evening.enter(seat, ROLES[4][seat])
    assert evening.version == version
    evening.enter(3, ROLES[4][3])
    assert evening.version == version + 1


def test_roles_are_dealt_and_characters_entered(evenings):
    evening = evenings(chance=Dealer("oosr")).start(characters="cards")
    assert [role_at(evening.table.scene, seat + 1, seat)[0] for seat in range(4)] == list("oosr")
    for seat in range(4):
        evening.enter(seat, character=IDS[-seat - 1])
    assert evening.view.game.turn == 2
    shown = [player.character for player in evening.view.game.players]
    assert shown == IDS[-1:-5:-1]


def test_one_of_two_is_seen_by_its_owner_alone(evenings):
    evening = evenings(phones=3, chance=Dealer("sroo", PLAIN)).start(characters="choice")
    offers = {
        person: {
            seat: asked.characters
            for seat, asked in evening.table.view(person).dealing.to_enter.items()
        }
        for person in (1, 2, 3, None)
    }
    assert offers == {1: {0: PLAIN[:2], 3: PLAIN[6:]}, 2: {1: PLAIN[2:4]}, 3: {2: PLAIN[4:6]},
                      None: {}}  # fmt: skip
    for seat in range(4):
        evening.enter(seat, character=PLAIN[2 * seat + 1])
    assert [player.character for player in evening.view.game.players] == list(PLAIN[1::2])


def test_the_host_deals_no_game_after_all(evening):
    evening.start(roles="cards", characters="choice")
    evening.enter(0, Role.SHERIFF, evening.table.view(1).dealing.to_enter[0].characters[0])
    assert (
        refusal(evening.table.do, rounds.new_game, Press(2, evening.version)) is Problem.FORBIDDEN
    )
    join(evening.table, "Eve", evening.table.scene.code)
    assert "Eve" not in evening.names
    evening.table.do(rounds.new_game, Press(1, evening.version))
    assert (evening.view.phase, evening.view.dealing) == (Phase.LOBBY, None)
    assert refusal(role_at, evening.table.scene, 1, 0) is Problem.FORBIDDEN


def test_how_games_are_dealt_is_the_hosts_choice_and_is_kept(evening):

    def choose(person, option, value, version):
        evening.table.do(rounds.choose, Press(person, version), option, value)

    assert refusal(choose, 2, "roles", "cards", evening.version) is Problem.FORBIDDEN
    assert refusal(choose, 1, "roles", "joker", evening.version) is Problem.ILLEGAL
    assert refusal(choose, 1, "joker", "cards", evening.version) is Problem.ILLEGAL
    choose(1, "roles", "cards", evening.version)
    evening.reopen()
    assert evening.view.choices.options.roles == "cards"


# Killed at any moment, and nobody comes to a seat by themselves


def random_press(evening, chance):
    """One press of anybody, right or wrong; return who pressed, and whether it gave a seat."""
    table, view = evening.table, evening.view
    people = [person.id for person in view.people]
    person = chance.choice([*people, None])
    other = chance.choice(people)
    seat = chance.randrange(len(people))
    scene = table.scene
    bid = scene.requests.bid
    claims = [claim.number for claim in scene.requests.claims] or [0]
    number = scene.dealing.round if scene.dealing else 0
    yes = chance.random() < 0.6
    presses = {
        "claim": lambda: evening.phones.append(claim_seat(table, other, table.scene.code)),
        "answer": lambda: table.do(
            seats.answer_claim, Press(person), chance.choice(claims), yes=yes
        ),
        "bid": lambda: table.do(seats.bid, Press(person)),
        "vote": lambda: table.do(
            seats.vote,
            Press(person),
            bid.person if bid else other,
            yes=yes,
        ),
        "vouch": table.hold_both_buttons,
        "leave": lambda: table.do(seats.leave, Press(person, view.version)),
        "take": lambda: table.do(seats.take_phone, Press(person, view.version), other),
        "order": lambda: table.do(
            seats.order_people, Press(person, view.version), chance.sample(people, len(people))
        ),
        "choose": lambda: table.do(
            rounds.choose,
            Press(person, view.version),
            *chance.choice([("roles", "cards"), ("roles", "dealt"), ("characters", "choice")]),
        ),
        "start": lambda: table.do(rounds.start_game, Press(person, view.version)),
        "new": lambda: table.do(rounds.new_game, Press(person, view.version)),
        "again": lambda: table.do(rounds.enter_again, Press(person), seat, number),
        "enter": lambda: table.do(
            rounds.enter,
            Press(person),
            seat,
            chance.choice([None, *Role]),
            chance.choice([None, *(scene.dealing.offers[seat] if scene.dealing else ())]),
            number,
        ),
        "add": lambda: table.do(
            seats.add_person, Press(person, view.version), f"N{chance.randrange(10**6)}"
        ),
    }
    kind = chance.choice([*presses, "enter", "enter", "answer", "vote"])
    try:
        presses[kind]()
    except Refused:
        return kind, person, False
    return kind, person, True


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_pressed_seats_pass_on_by_the_hosts_word_alone(evenings, seed, tmp_path):
    chance = random.Random(seed)
    evening = evenings(people=5, phones=4)
    evening.phones = list(evening.tokens)
    seen = set()
    for press in range(250):
        held = {token: person_of(evening.table.scene, token) for token in evening.phones}
        before = evening.table.scene
        host = evening.host
        kind, person, done = random_press(evening, chance)
        scene = evening.table.scene
        assert done or scene.people == before.people
        if done:
            seen.add(kind)
        now = {token: person_of(evening.table.scene, token) for token in held}
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
        if not scene.people or not any(entry.token for entry in scene.people):
            break
        if press % 5 == 0:
            # A copy of the folder at any moment is what a kill at that moment leaves.
            copy = tmp_path / f"copy-{press}"
            shutil.copytree(evening.folder, copy)
            with closing(Journal(copy)) as journal:
                killed = Table(journal, GAMES, dice_game()).scene
                assert killed.version > scene.version
                for part in ("people", "choices", "dealing", "requests", "sheriff"):
                    assert getattr(killed, part) == getattr(scene, part), part
                assert (killed.history and killed.history.record) == (
                    scene.history and scene.history.record
                )
    assert len(seen) > 5

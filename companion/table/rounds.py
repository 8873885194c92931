"""Starting, ending and repeating games: what players choose, dealing, and what follows."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from companion.base.refused import Message, Problem, Refused
from companion.table import dealing, history, seats
from companion.table.changes import Permission, change, decides, person_here
from companion.table.dealing import FirstTurn
from companion.table.history import History
from companion.table.scene import LastGame, Phase, Scene, SeatNews, renew, select, with_history


@change(Permission.HOST, phase=Phase.LOBBY)
def choose(scene: Scene, _: int | None, option: str, value: str) -> Scene:
    """Set how the next game is dealt. option: a field of `DealOptions`."""
    try:
        options = scene.choices.options.with_choice(option, value)
    except ValueError:
        raise Refused(Problem.ILLEGAL, "there is no such option") from None
    return renew(scene.choose(options=options))


@change(Permission.HOST, phase=Phase.LOBBY)
def choose_language(scene: Scene, _: int | None, language: str) -> Scene:
    """Set the language of all pages, by its code; "": each phone has its own."""
    return renew(scene.choose(language=language))


@change(versioned=False)
def mute(scene: Scene, person: int | None, on: bool) -> Scene:
    """Mute the table's sounds and announcer, or let them be heard again.

    Any player may. It changes nothing that pages offer, so presses aren't refused because of it.
    """
    if person_here(scene, person) is None:
        raise Refused(Problem.FORBIDDEN, "only players can mute the table")
    return scene.choose(muted=on)


@change(Permission.HOST, phase=Phase.LOBBY)
def choose_game(scene: Scene, _: int | None, name: str) -> Scene:
    """Set which game is played next, by the name in its records."""
    game = scene.environment.games.get(name)
    if game is None:
        raise Refused(Problem.ILLEGAL, "there is no such option")
    if game is scene.selection.game:
        return scene
    usual = scene.environment.usual
    if usual.game is not game:
        usual = game.select(next(iter(game.rulesets)))
    return renew(select(scene, usual))


@change(Permission.HOST, phase=Phase.LOBBY)
def choose_ruleset(scene: Scene, _: int | None, ruleset: str) -> Scene:
    """Set by which rules the next game is played."""
    return _with_rules(scene, ruleset, scene.selection.house_rules)


@change(Permission.HOST, phase=Phase.LOBBY)
def switch_house_rule(scene: Scene, _: int | None, name: str, on: bool) -> Scene:
    """Turn a house rule of the next game on or off."""
    if name not in scene.selection.game.house_rules:
        raise Refused(Problem.ILLEGAL, "there is no such option")
    others = scene.selection.house_rules - {name}
    return _with_rules(scene, scene.selection.ruleset.id, others | {name} if on else others)


def _with_rules(scene: Scene, ruleset: str, house_rules: Collection[str]) -> Scene:
    game = scene.selection.game
    if ruleset not in game.rulesets:
        raise Refused(Problem.ILLEGAL, "there is no such option")
    try:
        selection = game.select(ruleset, house_rules)
    except ValueError:
        raise Refused(
            Problem.ILLEGAL, "these house rules contradict each other: turn one off first"
        ) from None
    return renew(select(scene, selection))


@change(Permission.HOST, phase=Phase.LOBBY)
def start_game(scene: Scene, _: int | None) -> Scene:
    """Deal, and start the game unless players must still enter or choose cards."""
    return _deal(scene)


@change(Permission.HOST, phase=Phase.OVER)
def play_again(scene: Scene, _: int | None) -> Scene:
    """Deal a new game after a game: without those who left, and with the guests who waited."""
    most = scene.selection.ruleset.players[-1]
    return _deal(seats.for_next_game(_leave_game(scene), most))


@change(Permission.HOST)
def new_game(scene: Scene, _: int | None) -> Scene:
    """Leave this game (finished, running or being dealt) for the lobby.

    Those who left are gone, and guests who waited have seats.
    """
    return renew(seats.for_next_game(_leave_game(scene), seats.MAX_PEOPLE))


@change(versioned=False)
def enter(
    scene: Scene,
    person: int | None,
    seat: int,
    role: str | None,
    character: str | None,
    number: int,
) -> Scene:
    """Enter the cards that a player holds or chooses, in the round `number` of dealing.

    With the last entry the game starts or, if the cards can't be right, everybody enters again.
    """
    entered = _entering(scene, person, seat, number).enter(seat, role, character)
    checked = entered.without_errors(scene.version + 1)
    scene = replace(scene, dealing=checked)
    if checked.complete:
        return _begin_game(scene)
    # Unless the round is over, others are in the middle of entering their cards.
    return renew(scene) if entered.complete else scene


@change(versioned=False)
def enter_again(scene: Scene, person: int | None, seat: int, number: int) -> Scene:
    """Clear the entry of a seat in the round `number` of dealing."""
    return replace(scene, dealing=_entering(scene, person, seat, number).take_back(seat))


def _entering(scene: Scene, person: int | None, seat: int, number: int) -> dealing.Dealing:
    """Return the dealing in which a seat enters its cards. Raises Refused."""
    if scene.dealing is None or scene.dealing.round != number:
        raise Refused(Problem.STALE, "Something has changed. Check the page, then try again.")
    if seat not in decides(scene, person):
        raise Refused(Problem.FORBIDDEN, "these cards are entered on another phone")
    return scene.dealing


def _deal(scene: Scene) -> Scene:
    count, ruleset, options = len(scene.people), scene.selection.ruleset, scene.choices.options
    if count not in ruleset.players:
        least, most = ruleset.players[0], ruleset.players[-1]
        needed = Message("this game needs %(least)s to %(most)s players", least=least, most=most)
        if least == most:
            needed = Message("this game needs %(count)s players", count=most)
        raise Refused(Problem.ILLEGAL, needed)
    if scene.stand_ins.levels and not scene.selection.game.stand_ins:
        raise Refused(Problem.ILLEGAL, "stand-ins can’t play this game: remove them first")
    if scene.stand_ins.levels and options.players_enter:
        raise Refused(Problem.ILLEGAL, "stand-ins need roles and characters that are dealt here")
    deck = scene.selection.game.deck(ruleset, count)
    first = next_first(scene) if options.sheriff is FirstTurn.TURN else None
    number, keeps = scene.version + 1, seats.characters_to_keep(scene)
    chance = scene.environment.chance
    dealt = dealing.begin(number, count, deck, chance, options, first, keeps)
    scene = replace(scene, dealing=dealt, news=SeatNews())
    return _begin_game(scene) if dealt.complete else renew(scene)


def _begin_game(scene: Scene) -> Scene:
    """Return the scene with the game that was dealt."""
    assert scene.dealing is not None
    selection, environment = scene.selection, scene.environment
    seats = scene.dealing.seats([person.name for person in scene.people])
    setup = selection.game.shuffle(selection.game.setup(selection, seats), environment.chance)
    game = history.begin(
        scene.last_game + 1,
        selection.game,
        setup,
        environment.origin(),
        ask_always=environment.ask_always,
    )
    return renew(replace(with_history(scene, game), dealing=None))


def _leave_game(scene: Scene) -> Scene:
    """Return the scene without its game; it remembers who started, and who survived as whom."""
    game = scene.history
    left = with_history(scene, None)
    if game is not None and game.undoable:
        sheriff = scene.people[game.moments[0].standing.turn].id
        left = replace(left, last=LastGame(sheriff, _survivors(scene, game)))
    return replace(left, dealing=None, news=SeatNews())


def _survivors(scene: Scene, game: History) -> Mapping[int, str]:
    """Return the characters of those who are alive after a game, by person."""
    if game.standing.outcome is None or game.game.characters is None:
        return {}
    characters = game.game.characters(game.game.parse_header(game.moments[0].line.encode()))
    return {
        scene.people[seat].id: characters[seat]
        for seat, alive in enumerate(game.standing.alive)
        if alive
    }


def next_first(scene: Scene) -> int | None:
    """Return the seat to the left of the last Sheriff's; None if nobody has it."""
    for seat, person in enumerate(scene.people):
        if person.id == scene.last.sheriff:
            return (seat + 1) % len(scene.people)
    return None

"""The base game in English."""

from companion.games.common.endings import Side
from companion.games.common.words import CharacterText, Noun
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import Role
from companion.games.dice.terms.words import Questions, RulesText, Story, Terms

_NO_MOVE = "There is no such move. Reload this page."
"""The refusal of a move that no page offers."""

ENGLISH = Terms(
    numbers=("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    last_of_list=" and ",
    faces={
        Face.ARROW: "arrow",
        Face.DYNAMITE: "dynamite",
        Face.BULLSEYE1: "bull’s eye 1",
        Face.BULLSEYE2: "bull’s eye 2",
        Face.BEER: "beer",
        Face.GATLING: "Gatling",
    },
    roles={
        Role.SHERIFF: "Sheriff",
        Role.DEPUTY: "Deputy",
        Role.OUTLAW: "Outlaw",
        Role.RENEGADE: "Renegade",
    },
    goals={
        Role.SHERIFF: "Rid the town of every Outlaw and Renegade.",
        Role.DEPUTY: "Protect the Sheriff: you win together.",
        Role.OUTLAW: "Bring the Sheriff down.",
        Role.RENEGADE: "Be the last one standing.",
    },
    goals_of_three={
        Role.DEPUTY: "Take out the Renegade yourself, or be the last one standing.",
        Role.OUTLAW: "Take out the Deputy yourself, or be the last one standing.",
        Role.RENEGADE: "Take out the Outlaw yourself, or be the last one standing.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Bart Cassidy",
            "Hit by a bull’s eye or the Gatling, you may take arrows instead of losing life "
            "points, one for one, but never the last arrow in the pile.",
        ),
        "black_jack": CharacterText(
            "Black Jack",
            "You may roll dynamite again while fewer than three dice show it.",
        ),
        "calamity_janet": CharacterText(
            "Calamity Janet",
            "Each of your bull’s eyes may count as the other one: a 1 as a 2, a 2 as a 1.",
        ),
        "el_gringo": CharacterText(
            "El Gringo",
            "A player who makes you lose life points with bull’s eyes or the Gatling takes one "
            "arrow, however many points it was.",
        ),
        "jesse_jones": CharacterText(
            "Jesse Jones",
            "With four life points or fewer before the beers of your turn, you gain two for each "
            "beer that you drink yourself.",
        ),
        "jourdonnais": CharacterText(
            "Jourdonnais",
            "An Indian attack never takes more than one life point from you.",
        ),
        "kit_carlson": CharacterText(
            "Kit Carlson",
            "For each Gatling among your final dice, even without three of them, you may put back "
            "an arrow of any player, yourself included.",
        ),
        "lucky_duke": CharacterText(
            "Lucky Duke",
            "You may roll four times a turn, once more than the others.",
        ),
        "paul_regret": CharacterText(
            "Paul Regret",
            "The Gatling never hits you.",
        ),
        "pedro_ramirez": CharacterText(
            "Pedro Ramirez",
            "For each life point that you lose to a bull’s eye, the Gatling or dynamite, you may "
            "put back one of your arrows.",
        ),
        "rose_doolan": CharacterText(
            "Rose Doolan",
            "Your bull’s eyes reach one place further, too: a 1 hits at one or two places, a 2 at "
            "two or three.",
        ),
        "sid_ketchum": CharacterText(
            "Sid Ketchum",
            "At the start of your turn you choose who gains one life point, which may be yourself.",
        ),
        "slab_the_killer": CharacterText(
            "Slab the Killer",
            "Once a turn you may spend a beer to make one bull’s eye count twice on its target.",
        ),
        "suzy_lafayette": CharacterText(
            "Suzy Lafayette",
            "If your final dice show no bull’s eye, you gain two life points at the end of your "
            "turn.",
        ),
        "vulture_sam": CharacterText(
            "Vulture Sam",
            "Each time another player is eliminated and you live on, you gain two life points.",
        ),
        "willy_the_kid": CharacterText(
            "Willy the Kid",
            "Two Gatlings instead of three are enough for you to fire, once a turn.",
        ),
    },
    die=Noun("no dice", "a die", "dice"),
    arrow=Noun("no arrows", "an arrow", "arrows"),
    beer=Noun("no beers", "a beer", "beers"),
    life_point=Noun("no life points", "a life point", "life points"),
    life="{life} of {most} life points",
    pile="{arrows} in the pile",
    questions=Questions(
        asked={
            Action.HEAL: "Who gains a life point?",
            Action.SHOOT: "Whom do you shoot?",
            Action.BEER: "Who drinks?",
            Action.TAKE_ARROWS: "Take arrows instead of losing life points?",
            Action.DISCARD_ARROWS: "Put arrows back?",
            Action.DISCARD_FROM: "Whose arrows go back to the pile?",
        },
        decides={
            Action.HEAL: "chooses who gains a life point",
            Action.ROLL: "throws the dice",
            Action.STOP: "throws the dice",
            Action.SHOOT: "chooses whom to shoot",
            Action.BEER: "chooses who drinks",
            Action.TAKE_ARROWS: "may take arrows instead of losing life points",
            Action.DISCARD_ARROWS: "may put arrows back",
            Action.DISCARD_FROM: "chooses whose arrows go back",
        },
        answers={
            Action.SHOOT: "Shoot",
            Action.DISCARD_FROM: "Put back",
        },
        shot="Shot {number}: {face}",
        used_as="as {face}",
        nobody_in_reach="Nobody is in reach: this shot is lost.",
        lose_shot="Lose it",
        double="Spend a beer to double a shot?",
        double_it="Double it",
        double_shot="Double shot {number}",
        all_shots="All shots at once",
        all_beers="All to one player",
        one_by_one="Or one at a time",
        keep_beer="No, keep the beer",
        arrows_save="Each arrow that you take saves a life point. The last one stays in the pile.",
        holds="You hold {arrows}. You may put one back for each life point that you just lost.",
        takes_away="Tap what goes back to the pile: {arrows} at most.",
        arrow_of="An arrow of {who}",
        out_of_reach="out of reach",
        out="out",
    ),
    sides={
        Side.LAW: "The Sheriff and the Deputies",
        Side.OUTLAWS: "The Outlaws",
        Side.RENEGADE: "A Renegade",
        Side.DEPUTY: "The Deputy",
        Side.OUTLAW: "The Outlaw",
        Side.NONE: "Nobody",
    },
    story=Story(
        begins="It is {who}’s turn.",
        rolls="{who} rolls {faces}.",
        rolls_again="{who} rolls {dice} again: {faces}.",
        takes="{who} takes {arrows}.",
        takes_for_hitting="{who} takes {arrows} for hitting {whom}.",
        takes_for_hits="{who} takes {arrows} instead of losing life points.",
        puts_back="{who} puts {arrows} back.",
        attack="The last arrow is taken: the Indians attack.",
        explodes="{who}’s dynamite explodes.",
        shoots="{who} shoots {whom}.",
        shoots_double="{who} shoots {whom}, one shot doubled by a beer.",
        reaches_nobody="{who} has nobody in reach: the shots are lost.",
        fires="{who} fires the Gatling at everybody.",
        loses={
            Cause.INDIANS: "{who} loses {points} to the Indian attack.",
            Cause.DYNAMITE: "{who} loses {points} to the dynamite.",
            Cause.BULLSEYE: "{who} loses {points} to a shot.",
            Cause.GATLING: "{who} loses {points} to the Gatling.",
        },
        gains="{who} gains {points}.",
        gains_nothing="{who} is already at full life and gains nothing.",
        drinks="{who} drinks {beers} and gains {points}.",
        drinks_in_vain="{who} drinks {beers}, but is already at full life.",
        gives="{giver} gives {beers} to {who}, who gains {points}.",
        gives_in_vain="{giver} gives {beers} to {who}, who is already at full life.",
        out="{who} is out: {role}.",
        ends={
            Side.LAW: "The law wins: the Sheriff stands, and no Outlaw or Renegade is left.",
            Side.OUTLAWS: "The Outlaws win: the Sheriff has fallen.",
            # With three players, the winner may not be the only one alive.
            Side.RENEGADE: "The Renegade wins alone.",
            Side.DEPUTY: "The Deputy wins alone.",
            Side.OUTLAW: "The Outlaw wins alone.",
            Side.NONE: "Nobody is left, so nobody wins.",
        },
        undone_roll="{by} undoes a roll.",
        undone_roll_of="{by} undoes a roll by {who}.",
        undone_stop="{by} undoes the decision to stop rolling.",
        undone_stop_of="{by} undoes {who}’s decision to stop rolling.",
        undone_decision="{by} undoes a decision.",
        undone_decision_of="{by} undoes a decision by {who}.",
        undone_more="{by} undoes the last {moves} moves.",
    ),
    refusals={
        Reason.OVER: "The game is over.",
        Reason.NOT_AWAITED: "Not now: {who} {decides}.",
        Reason.NOT_YOURS: "Not now: {who} {decides}.",
        Reason.NO_SEAT: _NO_MOVE,
        Reason.ELIMINATED: "{who} is out of the game.",
        Reason.NOT_FIVE_DICE: "A roll has five dice.",
        Reason.FIRST_ROLL: "The first roll throws all five dice.",
        Reason.NO_DICE_NAMED: "Throw at least one die again, or stop rolling.",
        Reason.NO_SUCH_DIE: _NO_MOVE,
        Reason.NOT_ASCENDING: _NO_MOVE,
        Reason.KEPT: "Die {die} was kept: it must still show {before}, not {after}.",
        Reason.DYNAMITE_STAYS: "Die {die} shows dynamite, which can’t be thrown again. Put it "
        "back.",
        Reason.OTHER_BULLSEYES: "Each bull’s eye needs one target.",
        Reason.DOUBLED_TWICE: "Only one shot a turn can count double.",
        Reason.COUNTS_AS_IT_LIES: "You can’t use a bull’s eye as the other one.",
        Reason.NOT_USED_AS: "Die {die} can’t count as {face}.",
        Reason.MUST_HIT: "Die {die} must hit somebody: it reaches {whom}.",
        Reason.OUT_OF_REACH: "Die {die} does not reach {who}, only {whom}.",
        Reason.REACHES_NOBODY: "Die {die} reaches nobody, not even {who}.",
        Reason.NO_DOUBLING: "You can’t double a shot.",
        Reason.NO_BEER: "Die {die} shows no beer.",
        Reason.LOST: "Die {die} hits nobody: there is nothing to double.",
        Reason.TOO_MANY_ARROWS: "At most {arrows}.",
        Reason.BEERS_LEFT: "Choose who drinks each beer.",
        Reason.GATLING_DICE: "At most {arrows}, one for each Gatling.",
        Reason.HOLDS_FEWER: "{who} holds {arrows}: no more can go back.",
    },
    rulesets={
        "base": RulesText(
            "Base game",
            "Players who are out keep their place until the turn ends.",
        ),
        "base-fr": RulesText(
            "French rules",
            "Players who are out no longer take up a place.",
        ),
        "walking-dead": RulesText(
            "The Walking Dead",
            "Its dice, roles and characters. Players who are out no longer take up a place.",
        ),
        "quick": RulesText(
            "Four players",
            "The one-page rules for exactly four. Players who are out no longer take up a place.",
        ),
    },
    house_rules={
        HouseRule.FALLEN_KEEP_PLACES: "Players who are out keep their place until the turn ends.",
        HouseRule.FALLEN_LEAVE_PLACES: "Players who are out take up no place from the moment they "
        "are out.",
        HouseRule.PLACES_EITHER_WAY: "With four players left, Rose Doolan’s bull’s eye 2 reaches "
        "her neighbours too.",
        HouseRule.THIRST_AT_EACH_BEER: "Jesse Jones’s life points are checked before each beer, "
        "not just before the first.",
        HouseRule.VULTURE_OUTLIVES: "Vulture Sam also gains from players eliminated at the same "
        "moment, and so survives.",
        HouseRule.GATLING_DISCARD_LAST: "The player who fires the Gatling puts their arrows back "
        "after its hits, not before.",
        HouseRule.KIT_DISCARDS_LAST: "Kit Carlson makes players put arrows back after the "
        "Gatling’s hits, not before.",
        HouseRule.ONE_ARROW_A_TURN: "A player who hits El Gringo takes at most one arrow a turn, "
        "even for two hits.",
    },
)

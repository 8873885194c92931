"""The Walking Dead in English: where its words differ from the base game."""

from dataclasses import replace

from companion.games.common.endings import Side
from companion.games.common.words import CharacterText, Noun
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import Role
from companion.games.dice.terms.english import ENGLISH

WALKING_DEAD_ENGLISH = replace(
    ENGLISH,
    faces={
        Face.ARROW: "Walker",
        Face.DYNAMITE: "Infection",
        Face.BULLSEYE1: "Range 1",
        Face.BULLSEYE2: "Range 2",
        Face.BEER: "First Aid",
        Face.GATLING: "Grenade",
    },
    roles={
        Role.SHERIFF: "Leader",
        Role.DEPUTY: "Survivor",
        Role.OUTLAW: "Savior",
        Role.RENEGADE: "Loner",
    },
    goals={
        Role.SHERIFF: "Get rid of every Savior and Loner.",
        Role.DEPUTY: "Protect the Leader: you win together.",
        Role.OUTLAW: "Bring the Leader down.",
        Role.RENEGADE: "Be the last one standing.",
    },
    goals_of_three={
        Role.DEPUTY: "Take out the Loner yourself, or be the last one standing.",
        Role.OUTLAW: "Take out the Survivor yourself, or be the last one standing.",
        Role.RENEGADE: "Take out the Savior yourself, or be the last one standing.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Rick",
            "Hit at Range or by a Grenade, you may take Walkers instead of losing Health, one for "
            "one, but never the last Walker in the pile.",
        ),
        "black_jack": CharacterText(
            "Abraham",
            "You may roll Infection again while fewer than three dice show it.",
        ),
        "calamity_janet": CharacterText(
            "Michonne",
            "Each of your Range dice may count as the other one: Range 1 as 2, Range 2 as 1.",
        ),
        "el_gringo": CharacterText(
            "The Governor",
            "A player who makes you lose Health at Range or with a Grenade takes one Walker, "
            "however much it was.",
        ),
        "jesse_jones": CharacterText(
            "Negan",
            "With four Health or less before the First Aid of your turn, you gain two for each "
            "First Aid that you keep for yourself.",
        ),
        "jourdonnais": CharacterText(
            "Jesus",
            "You never lose more than one Health when everybody is overrun.",
        ),
        "kit_carlson": CharacterText(
            "Eugene",
            "For each Grenade among your final dice, even without three of them, you may put back "
            "a Walker of any player, yourself included.",
        ),
        "lucky_duke": CharacterText(
            "Ezekiel",
            "You may roll four times a turn, once more than the others.",
        ),
        "paul_regret": CharacterText(
            "Rosita",
            "A Grenade never hits you.",
        ),
        "pedro_ramirez": CharacterText(
            "Glenn",
            "For each Health that you lose at Range, to a Grenade or to Infection, you may put "
            "back one of your Walkers.",
        ),
        "rose_doolan": CharacterText(
            "Andrea",
            "Your Range dice reach one place further, too: Range 1 hits at one or two places, "
            "Range 2 at two or three.",
        ),
        "sid_ketchum": CharacterText(
            "Father Gabriel",
            "At the start of your turn you choose who gains one Health, which may be yourself.",
        ),
        "slab_the_killer": CharacterText(
            "Tyrese",
            "Once a turn you may spend a First Aid to make one Range die count twice on its "
            "target.",
        ),
        "suzy_lafayette": CharacterText(
            "Maggie",
            "If your final dice show neither Range 1 nor Range 2, you gain two Health at the end "
            "of your turn.",
        ),
        "vulture_sam": CharacterText(
            "Dwight",
            "Each time another player is eliminated and you live on, you gain two Health.",
        ),
        "willy_the_kid": CharacterText(
            "Carl",
            "Two Grenades instead of three are enough for you to throw one, once a turn.",
        ),
    },
    arrow=Noun("no Walkers", "a Walker", "Walkers"),
    beer=Noun("no First Aid", "First Aid", "First Aid"),
    life_point=Noun("no Health", "one Health", "Health"),
    life="{life} of {most} Health",
    questions=replace(
        ENGLISH.questions,
        asked={
            Action.HEAL: "Who gains one Health?",
            Action.SHOOT: "Whom do you shoot?",
            Action.BEER: "Who gets First Aid?",
            Action.TAKE_ARROWS: "Take Walkers instead of losing Health?",
            Action.DISCARD_ARROWS: "Put Walkers back?",
            Action.DISCARD_FROM: "Whose Walkers go back to the pile?",
        },
        decides={
            Action.HEAL: "chooses who gains one Health",
            Action.ROLL: "throws the dice",
            Action.STOP: "throws the dice",
            Action.SHOOT: "chooses whom to shoot",
            Action.BEER: "chooses who gets First Aid",
            Action.TAKE_ARROWS: "may take Walkers instead of losing Health",
            Action.DISCARD_ARROWS: "may put Walkers back",
            Action.DISCARD_FROM: "chooses whose Walkers go back",
        },
        answers={
            Action.SHOOT: "Shoot",
            Action.DISCARD_FROM: "Put back",
        },
        double="Spend a First Aid to double a shot?",
        keep_beer="No, keep the First Aid",
        arrows_save="Each Walker that you take saves one Health. The last one stays in the pile.",
        holds="You hold {arrows}. You may put one back for each Health that you just lost.",
        arrow_of="A Walker of {who}",
    ),
    sides={
        Side.LAW: "The Leader and the Survivors",
        Side.OUTLAWS: "The Saviors",
        Side.RENEGADE: "A Loner",
        Side.DEPUTY: "The Survivor",
        Side.OUTLAW: "The Savior",
        Side.NONE: "Nobody",
    },
    story=replace(
        ENGLISH.story,
        takes_for_hits="{who} takes {arrows} instead of losing Health.",
        attack="The last Walker is taken: everybody is overrun.",
        explodes="The Infection breaks out in {who}.",
        shoots_double="{who} shoots {whom}, one shot doubled by a First Aid.",
        fires="{who} throws a Grenade at everybody.",
        loses={
            Cause.INDIANS: "{who} loses {points} to the Walkers.",
            Cause.DYNAMITE: "{who} loses {points} to the Infection.",
            Cause.BULLSEYE: "{who} loses {points} to a shot.",
            Cause.GATLING: "{who} loses {points} to the Grenade.",
        },
        gains_nothing="{who} is already at full Health and gains nothing.",
        drinks="{who} uses {beers} and gains {points}.",
        drinks_in_vain="{who} uses {beers}, but is already at full Health.",
        gives="{giver} gives {beers} to {who}, who gains {points}.",
        gives_in_vain="{giver} gives {beers} to {who}, who is already at full Health.",
        ends={
            Side.LAW: "The Survivors win: the Leader stands, and no Savior or Loner is left.",
            Side.OUTLAWS: "The Saviors win: the Leader has fallen.",
            Side.RENEGADE: "The Loner wins alone.",
            Side.DEPUTY: "The Survivor wins alone.",
            Side.OUTLAW: "The Savior wins alone.",
            Side.NONE: "Nobody is left, so nobody wins.",
        },
    ),
    refusals={
        **ENGLISH.refusals,
        Reason.DYNAMITE_STAYS: "Die {die} shows Infection, which can’t be thrown again. Put it "
        "back.",
        Reason.OTHER_BULLSEYES: "Each Range die needs one target.",
        Reason.COUNTS_AS_IT_LIES: "You can’t use a Range die as the other one.",
        Reason.NO_BEER: "Die {die} shows no First Aid.",
        Reason.BEERS_LEFT: "Choose who gets each First Aid.",
        Reason.GATLING_DICE: "At most {arrows}, one for each Grenade.",
    },
    house_rules={
        **ENGLISH.house_rules,
        HouseRule.PLACES_EITHER_WAY: "With four players left, Andrea’s Range 2 reaches her "
        "neighbours too.",
        HouseRule.THIRST_AT_EACH_BEER: "Negan’s Health is checked before each First Aid, not just "
        "before the first.",
        HouseRule.VULTURE_OUTLIVES: "Dwight also gains Health from players eliminated at the same "
        "moment, and so survives.",
        HouseRule.GATLING_DISCARD_LAST: "The player who throws a Grenade puts their Walkers back "
        "after its hits, not before.",
        HouseRule.KIT_DISCARDS_LAST: "Eugene makes players put Walkers back after the Grenade’s "
        "hits, not before.",
        HouseRule.ONE_ARROW_A_TURN: "A player who hits The Governor takes at most one Walker a "
        "turn, even for two hits.",
    },
)

"""The Walking Dead in French: where its words differ from the base game.

The edition was printed in English only. The words come from the French version of the series
(`rôdeur`, `Sauveur`); the names are those on the cards.
"""

from dataclasses import replace

from companion.games.common.endings import Side
from companion.games.common.words import CharacterText, Noun
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import Role
from companion.games.dice.terms.french import FRENCH

WALKING_DEAD_FRENCH = replace(
    FRENCH,
    faces={
        Face.ARROW: "rôdeur",
        Face.DYNAMITE: "infection",
        Face.BULLSEYE1: "portée 1",
        Face.BULLSEYE2: "portée 2",
        Face.BEER: "soin",
        Face.GATLING: "grenade",
    },
    roles={
        Role.SHERIFF: "Chef",
        Role.DEPUTY: "Survivant",
        Role.OUTLAW: "Sauveur",
        Role.RENEGADE: "Solitaire",
    },
    goals={
        Role.SHERIFF: "Débarrassez-vous des Sauveurs et des Solitaires.",
        Role.DEPUTY: "Protégez le Chef : vous gagnez ensemble.",
        Role.OUTLAW: "Abattez le Chef.",
        Role.RENEGADE: "Survivez à tous les autres.",
    },
    goals_of_three={
        Role.DEPUTY: "Éliminez vous-même le Solitaire, ou survivez aux deux autres.",
        Role.OUTLAW: "Éliminez vous-même le Survivant, ou survivez aux deux autres.",
        Role.RENEGADE: "Éliminez vous-même le Sauveur, ou survivez aux deux autres.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Rick",
            "Quand un dé de portée ou une grenade vous touche, vous pouvez prendre des rôdeurs au "
            "lieu de perdre des points de santé, un par point, mais jamais le dernier de la pile.",
        ),
        "black_jack": CharacterText(
            "Abraham",
            "Vous pouvez relancer les infections tant que moins de trois dés en montrent une.",
        ),
        "calamity_janet": CharacterText(
            "Michonne",
            "Chacun de vos dés de portée peut compter comme l’autre : un 1 comme un 2, un 2 comme "
            "un 1.",
        ),
        "el_gringo": CharacterText(
            "The Governor",
            "Si les dés de portée ou la grenade d’un joueur vous font perdre des points de santé, "
            "il prend un rôdeur, un seul, quel que soit le nombre de points perdus.",
        ),
        "jesse_jones": CharacterText(
            "Negan",
            "Si vous avez quatre points de santé ou moins avant les soins de votre tour, chaque "
            "soin que vous vous donnez en rend deux.",
        ),
        "jourdonnais": CharacterText(
            "Jesus",
            "Quand les rôdeurs submergent tout le monde, vous ne perdez jamais plus d’un point de "
            "santé.",
        ),
        "kit_carlson": CharacterText(
            "Eugene",
            "Pour chaque grenade de votre tirage final, même s’il y en a moins de trois, vous "
            "pouvez faire rendre un rôdeur au joueur de votre choix, y compris vous-même.",
        ),
        "lucky_duke": CharacterText(
            "Ezekiel",
            "Vous pouvez lancer les dés quatre fois par tour, une fois de plus que les autres.",
        ),
        "paul_regret": CharacterText(
            "Rosita",
            "Une grenade ne vous touche jamais.",
        ),
        "pedro_ramirez": CharacterText(
            "Glenn",
            "Pour chaque point de santé que vous font perdre un dé de portée, une grenade ou "
            "l’infection, vous pouvez rendre un de vos rôdeurs.",
        ),
        "rose_doolan": CharacterText(
            "Andrea",
            "Vos dés de portée atteignent aussi une place plus loin : un 1 touche à une ou deux "
            "places, un 2 à deux ou trois.",
        ),
        "sid_ketchum": CharacterText(
            "Father Gabriel",
            "Au début de votre tour, vous choisissez qui gagne un point de santé : ce peut être "
            "vous.",
        ),
        "slab_the_killer": CharacterText(
            "Tyrese",
            "Une fois par tour, vous pouvez dépenser un soin pour qu’un de vos dés de portée "
            "compte double contre sa cible.",
        ),
        "suzy_lafayette": CharacterText(
            "Maggie",
            "Si votre tirage final ne montre aucun dé de portée, vous gagnez deux points de santé "
            "à la fin de votre tour.",
        ),
        "vulture_sam": CharacterText(
            "Dwight",
            "Chaque fois qu’un autre joueur est éliminé et que vous restez en jeu, vous gagnez "
            "deux points de santé.",
        ),
        "willy_the_kid": CharacterText(
            "Carl",
            "Deux grenades au lieu de trois vous suffisent pour en lancer une, une fois par tour.",
        ),
    },
    arrow=Noun("aucun rôdeur", "un rôdeur", "rôdeurs"),
    beer=Noun("aucun soin", "un soin", "soins"),
    life_point=Noun("aucun point de santé", "un point de santé", "points de santé"),
    life="points de santé : {life} sur {most}",
    questions=replace(
        FRENCH.questions,
        asked={
            Action.HEAL: "Qui gagne un point de santé ?",
            Action.SHOOT: "Sur qui tirez-vous ?",
            Action.BEER: "Qui reçoit un soin ?",
            Action.TAKE_ARROWS: "Prendre des rôdeurs au lieu de perdre des points de santé ?",
            Action.DISCARD_ARROWS: "Rendre des rôdeurs ?",
            Action.DISCARD_FROM: "Quels rôdeurs retournent à la pile ?",
        },
        decides={
            Action.HEAL: "choisit qui gagne un point de santé",
            Action.ROLL: "lance les dés",
            Action.STOP: "lance les dés",
            Action.SHOOT: "choisit sur qui tirer",
            Action.BEER: "choisit qui reçoit un soin",
            Action.TAKE_ARROWS: "peut prendre des rôdeurs au lieu de perdre des points de santé",
            Action.DISCARD_ARROWS: "peut rendre des rôdeurs",
            Action.DISCARD_FROM: "choisit les rôdeurs qui retournent à la pile",
        },
        answers={
            Action.SHOOT: "Tirer",
            Action.DISCARD_FROM: "Rendre",
        },
        double="Dépenser un soin pour doubler un tir ?",
        keep_beer="Non, garder le soin",
        arrows_save="Chaque rôdeur pris vous épargne un point de santé ; le dernier de la pile "
        "y reste.",
        holds="Vous avez {arrows} : rendez-en un au plus par point de santé perdu.",
        arrow_of="Un rôdeur devant {who}",
    ),
    sides={
        Side.LAW: "Le Chef et les Survivants",
        Side.OUTLAWS: "Les Sauveurs",
        Side.RENEGADE: "Un Solitaire",
        Side.DEPUTY: "Le Survivant",
        Side.OUTLAW: "Le Sauveur",
        Side.NONE: "Personne",
    },
    story=replace(
        FRENCH.story,
        takes_for_hits="{who} prend {arrows} au lieu de perdre des points de santé.",
        attack="Le dernier rôdeur est pris : tout le monde est submergé.",
        explodes="L’infection se déclare chez {who}.",
        shoots_double="{who} tire sur {whom}, avec un tir doublé par un soin.",
        fires="{who} lance une grenade sur tous les autres.",
        loses={
            Cause.INDIANS: "{who} perd {points} à cause des rôdeurs.",
            Cause.DYNAMITE: "{who} perd {points} à cause de l’infection.",
            Cause.BULLSEYE: "{who} perd {points} à cause d’un tir.",
            Cause.GATLING: "{who} perd {points} à cause de la grenade.",
        },
        gains_nothing="{who} a déjà tous ses points de santé et n’en gagne aucun.",
        drinks="{who} utilise {beers} et gagne {points}.",
        drinks_in_vain="{who} utilise {beers}, mais a déjà tous ses points de santé.",
        gives="{giver} donne {beers} à {who}, qui gagne {points}.",
        gives_in_vain="{giver} donne {beers} à {who}, qui a déjà tous ses points de santé.",
        ends={
            Side.LAW: "Les Survivants l’emportent : le Chef tient bon, et il ne reste ni Sauveur "
            "ni Solitaire.",
            Side.OUTLAWS: "Les Sauveurs l’emportent : le Chef est tombé.",
            Side.RENEGADE: "Le Solitaire l’emporte seul.",
            Side.DEPUTY: "Le Survivant l’emporte seul.",
            Side.OUTLAW: "Le Sauveur l’emporte seul.",
            Side.NONE: "Il ne reste personne : personne ne gagne.",
        },
    ),
    refusals={
        **FRENCH.refusals,
        Reason.DYNAMITE_STAYS: "Le dé {die} montre une infection, qui ne se relance jamais : "
        "reposez-le.",
        Reason.OTHER_BULLSEYES: "Il faut une cible pour chaque dé de portée.",
        Reason.COUNTS_AS_IT_LIES: "Vous ne pouvez pas utiliser un dé de portée comme l’autre.",
        Reason.NO_BEER: "Le dé {die} ne montre pas de soin.",
        Reason.BEERS_LEFT: "Choisissez qui reçoit chaque soin.",
        Reason.GATLING_DICE: "Au plus {arrows}, un par grenade.",
        Reason.HOLDS_FEWER: "Impossible d’en rendre autant. Devant {who} : {arrows}.",
    },
    house_rules={
        **FRENCH.house_rules,
        HouseRule.PLACES_EITHER_WAY: "À quatre joueurs, la portée 2 d’Andrea atteint aussi ses "
        "voisins.",
        HouseRule.THIRST_AT_EACH_BEER: "Les points de santé de Negan sont comptés avant chacun "
        "de ses soins.",
        HouseRule.VULTURE_OUTLIVES: "Dwight profite aussi des joueurs éliminés en même temps "
        "que lui, et survit ainsi.",
        HouseRule.GATLING_DISCARD_LAST: "Le joueur qui lance une grenade rend ses rôdeurs après "
        "ses effets, et non avant.",
        HouseRule.KIT_DISCARDS_LAST: "Eugene fait rendre des rôdeurs après les effets de la "
        "grenade, et non avant.",
        HouseRule.ONE_ARROW_A_TURN: "Un joueur ne prend qu’un rôdeur par tour pour avoir touché "
        "The Governor, même deux fois.",
    },
)

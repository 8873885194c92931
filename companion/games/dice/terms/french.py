"""The base game in French.

Write a no-break space before `:` and inside « », and a narrow one before `;`, `!` and `?`.
"""

from companion.games.common.endings import Side
from companion.games.common.words import CharacterText, Noun
from companion.games.dice.rules.events import Cause
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.house import HouseRule
from companion.games.dice.rules.moves import Action
from companion.games.dice.rules.reasons import Reason
from companion.games.dice.rules.roles import Role
from companion.games.dice.terms.words import Questions, RulesText, Story, Terms

_NO_MOVE = "Ce coup n’existe pas : rechargez cette page."
"""The refusal of a move that no page offers."""

FRENCH = Terms(
    numbers=("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
    last_of_list=" et ",
    faces={
        Face.ARROW: "flèche",
        Face.DYNAMITE: "dynamite",
        Face.BULLSEYE1: "viseur 1",
        Face.BULLSEYE2: "viseur 2",
        Face.BEER: "bière",
        Face.GATLING: "Gatling",
    },
    roles={
        Role.SHERIFF: "Shérif",
        Role.DEPUTY: "Adjoint",
        Role.OUTLAW: "Hors-la-loi",
        Role.RENEGADE: "Renégat",
    },
    goals={
        Role.SHERIFF: "Débarrassez la ville des Hors-la-loi et des Renégats.",
        Role.DEPUTY: "Protégez le Shérif : vous gagnez ensemble.",
        Role.OUTLAW: "Abattez le Shérif.",
        Role.RENEGADE: "Survivez à tous les autres.",
    },
    goals_of_three={
        Role.DEPUTY: "Éliminez vous-même le Renégat, ou survivez aux deux autres.",
        Role.OUTLAW: "Éliminez vous-même l’Adjoint, ou survivez aux deux autres.",
        Role.RENEGADE: "Éliminez vous-même le Hors-la-loi, ou survivez aux deux autres.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Bart Cassidy",
            "Quand un viseur ou la Gatling vous touche, vous pouvez prendre des flèches au lieu de "
            "perdre des points de vie, une par point, mais jamais la dernière de la pile.",
        ),
        "black_jack": CharacterText(
            "Black Jack",
            "Vous pouvez relancer les dynamites tant que moins de trois dés en montrent une.",
        ),
        "calamity_janet": CharacterText(
            "Calamity Janet",
            "Chacun de vos viseurs peut compter comme l’autre : un 1 comme un 2, un 2 comme un 1.",
        ),
        "el_gringo": CharacterText(
            "El Gringo",
            "Si les viseurs ou la Gatling d’un joueur vous font perdre des points de vie, il prend "
            "une flèche, une seule, quel que soit le nombre de points perdus.",
        ),
        "jesse_jones": CharacterText(
            "Jesse Jones",
            "Si vous avez quatre points de vie ou moins avant les bières de votre tour, chaque "
            "bière que vous buvez vous en rend deux.",
        ),
        "jourdonnais": CharacterText(
            "Jourdonnais",
            "Une attaque des Indiens ne vous coûte jamais plus d’un point de vie.",
        ),
        "kit_carlson": CharacterText(
            "Kit Carlson",
            "Pour chaque Gatling de votre tirage final, même s’il y en a moins de trois, vous "
            "pouvez faire rendre une flèche au joueur de votre choix, y compris vous-même.",
        ),
        "lucky_duke": CharacterText(
            "Lucky Duke",
            "Vous pouvez lancer les dés quatre fois par tour, une fois de plus que les autres.",
        ),
        "paul_regret": CharacterText(
            "Paul Regret",
            "La Gatling ne vous touche jamais.",
        ),
        "pedro_ramirez": CharacterText(
            "Pedro Ramirez",
            "Pour chaque point de vie que vous font perdre un viseur, la Gatling ou la dynamite, "
            "vous pouvez rendre une de vos flèches.",
        ),
        "rose_doolan": CharacterText(
            "Rose Doolan",
            "Vos viseurs portent aussi une place plus loin : un 1 touche à une ou deux places, un "
            "2 à deux ou trois.",
        ),
        "sid_ketchum": CharacterText(
            "Sid Ketchum",
            "Au début de votre tour, vous choisissez qui gagne un point de vie : ce peut être "
            "vous.",
        ),
        "slab_the_killer": CharacterText(
            "Slab the Killer",
            "Une fois par tour, vous pouvez dépenser une bière pour qu’un de vos viseurs compte "
            "double contre sa cible.",
        ),
        "suzy_lafayette": CharacterText(
            "Suzy Lafayette",
            "Si votre tirage final ne montre aucun viseur, vous gagnez deux points de vie à la fin "
            "de votre tour.",
        ),
        "vulture_sam": CharacterText(
            "Vulture Sam",
            "Chaque fois qu’un autre joueur est éliminé et que vous restez en jeu, vous gagnez "
            "deux points de vie.",
        ),
        "willy_the_kid": CharacterText(
            "Willy the Kid",
            "Deux Gatling au lieu de trois vous suffisent pour tirer, une fois par tour.",
        ),
    },
    die=Noun("aucun dé", "un dé", "dés"),
    arrow=Noun("aucune flèche", "une flèche", "flèches"),
    beer=Noun("aucune bière", "une bière", "bières"),
    life_point=Noun("aucun point de vie", "un point de vie", "points de vie"),
    life="points de vie : {life} sur {most}",
    pile="{arrows} dans la pile",
    questions=Questions(
        asked={
            Action.HEAL: "Qui gagne un point de vie ?",
            Action.SHOOT: "Sur qui tirez-vous ?",
            Action.BEER: "Qui boit ?",
            Action.TAKE_ARROWS: "Prendre des flèches au lieu de perdre des points de vie ?",
            Action.DISCARD_ARROWS: "Rendre des flèches ?",
            Action.DISCARD_FROM: "Quelles flèches retournent à la pile ?",
        },
        decides={
            Action.HEAL: "choisit qui gagne un point de vie",
            Action.ROLL: "lance les dés",
            Action.STOP: "lance les dés",
            Action.SHOOT: "choisit sur qui tirer",
            Action.BEER: "choisit qui boit",
            Action.TAKE_ARROWS: "peut prendre des flèches au lieu de perdre des points de vie",
            Action.DISCARD_ARROWS: "peut rendre des flèches",
            Action.DISCARD_FROM: "choisit les flèches qui retournent à la pile",
        },
        answers={
            Action.SHOOT: "Tirer",
            Action.DISCARD_FROM: "Rendre",
        },
        shot="Tir {number} : {face}",
        used_as="comme {face}",
        nobody_in_reach="Personne n’est assez près : ce tir est perdu.",
        lose_shot="Perdre ce tir",
        double="Dépenser une bière pour doubler un tir ?",
        double_it="Le doubler",
        double_shot="Doubler le tir {number}",
        all_shots="Tous les tirs à la fois",
        all_beers="Tout à une même personne",
        one_by_one="Ou séparément",
        keep_beer="Non, garder la bière",
        arrows_save="Chaque flèche prise vous épargne un point de vie ; la dernière de la pile "
        "y reste.",
        holds="Vous avez {arrows} : rendez-en une au plus par point de vie perdu.",
        takes_away="Touchez ce qui retourne à la pile : {arrows} au plus.",
        arrow_of="Une flèche devant {who}",
        out_of_reach="trop loin",
        out="hors jeu",
    ),
    sides={
        Side.LAW: "Le Shérif et les Adjoints",
        Side.OUTLAWS: "Les Hors-la-loi",
        Side.RENEGADE: "Un Renégat",
        Side.DEPUTY: "L’Adjoint",
        Side.OUTLAW: "Le Hors-la-loi",
        Side.NONE: "Personne",
    },
    story=Story(
        begins="À {who} de jouer.",
        rolls="{who} obtient {faces}.",
        rolls_again="{who} relance {dice} : {faces}.",
        takes="{who} prend {arrows}.",
        takes_for_hitting="{who} prend {arrows} pour avoir touché {whom}.",
        takes_for_hits="{who} prend {arrows} au lieu de perdre des points de vie.",
        puts_back="{who} rend {arrows}.",
        attack="La dernière flèche est prise : les Indiens attaquent.",
        explodes="La dynamite explose devant {who}.",
        shoots="{who} tire sur {whom}.",
        shoots_double="{who} tire sur {whom}, avec un tir doublé par une bière.",
        reaches_nobody="{who} ne peut atteindre personne : les tirs sont perdus.",
        fires="{who} déclenche la Gatling sur tous les autres.",
        loses={
            Cause.INDIANS: "{who} perd {points} à cause des Indiens.",
            Cause.DYNAMITE: "{who} perd {points} à cause de la dynamite.",
            Cause.BULLSEYE: "{who} perd {points} à cause d’un tir.",
            Cause.GATLING: "{who} perd {points} à cause de la Gatling.",
        },
        gains="{who} gagne {points}.",
        gains_nothing="{who} a déjà tous ses points de vie et n’en gagne aucun.",
        drinks="{who} boit {beers} et gagne {points}.",
        drinks_in_vain="{who} boit {beers}, mais a déjà tous ses points de vie.",
        gives="{giver} offre {beers} à {who}, qui gagne {points}.",
        gives_in_vain="{giver} offre {beers} à {who}, qui a déjà tous ses points de vie.",
        out="{who} est hors jeu : {role}.",
        ends={
            Side.LAW: "La loi l’emporte : le Shérif tient bon, et il ne reste ni Hors-la-loi ni "
            "Renégat.",
            Side.OUTLAWS: "Les Hors-la-loi l’emportent : le Shérif est tombé.",
            Side.RENEGADE: "Le Renégat l’emporte seul.",
            Side.DEPUTY: "L’Adjoint l’emporte seul.",
            Side.OUTLAW: "Le Hors-la-loi l’emporte seul.",
            Side.NONE: "Il ne reste personne : personne ne gagne.",
        },
        undone_roll="{by} annule un lancer.",
        undone_roll_of="{by} annule un lancer fait par {who}.",
        undone_stop="{by} annule l’arrêt des lancers.",
        undone_stop_of="{by} annule l’arrêt des lancers décidé par {who}.",
        undone_decision="{by} annule une décision.",
        undone_decision_of="{by} annule une décision prise par {who}.",
        undone_more="{by} annule les {moves} derniers coups.",
    ),
    refusals={
        Reason.OVER: "La partie est finie.",
        Reason.NOT_AWAITED: "Pas maintenant : {who} {decides}.",
        Reason.NOT_YOURS: "Pas maintenant : {who} {decides}.",
        Reason.NO_SEAT: _NO_MOVE,
        Reason.ELIMINATED: "{who} est hors jeu.",
        Reason.NOT_FIVE_DICE: "Un lancer compte cinq dés.",
        Reason.FIRST_ROLL: "Le premier lancer se fait avec les cinq dés.",
        Reason.NO_DICE_NAMED: "Relancez au moins un dé, ou arrêtez les lancers.",
        Reason.NO_SUCH_DIE: _NO_MOVE,
        Reason.NOT_ASCENDING: _NO_MOVE,
        Reason.KEPT: "Le dé {die} a été gardé : il doit toujours montrer {before}, et non {after}.",
        Reason.DYNAMITE_STAYS: "Le dé {die} montre une dynamite, qui ne se relance jamais : "
        "reposez-le.",
        Reason.OTHER_BULLSEYES: "Il faut une cible pour chaque viseur.",
        Reason.DOUBLED_TWICE: "Un seul tir par tour peut compter double.",
        Reason.COUNTS_AS_IT_LIES: "Vous ne pouvez pas utiliser un viseur comme l’autre.",
        Reason.NOT_USED_AS: "Le dé {die} ne peut pas compter comme {face}.",
        Reason.MUST_HIT: "Le dé {die} doit toucher quelqu’un : il atteint {whom}.",
        Reason.OUT_OF_REACH: "Le dé {die} n’atteint pas {who}, mais seulement {whom}.",
        Reason.REACHES_NOBODY: "Le dé {die} n’atteint personne, pas même {who}.",
        Reason.NO_DOUBLING: "Vous ne pouvez pas doubler un tir.",
        Reason.NO_BEER: "Le dé {die} ne montre pas de bière.",
        Reason.LOST: "Le dé {die} ne touche personne : il n’y a rien à doubler.",
        Reason.TOO_MANY_ARROWS: "Au plus {arrows}.",
        Reason.BEERS_LEFT: "Choisissez qui boit chaque bière.",
        Reason.GATLING_DICE: "Au plus {arrows}, une par Gatling.",
        Reason.HOLDS_FEWER: "Impossible d’en rendre autant. Devant {who} : {arrows}.",
    },
    rulesets={
        "base": RulesText(
            "Jeu de base",
            "Les joueurs éliminés gardent leur place jusqu’à la fin du tour.",
        ),
        "base-fr": RulesText(
            "Règle française",
            "Les joueurs éliminés n’occupent plus de place.",
        ),
        "walking-dead": RulesText(
            "The Walking Dead",
            "Ses dés, rôles et personnages. Les éliminés n’occupent plus de place.",
        ),
        "quick": RulesText(
            "Quatre joueurs",
            "La règle d’une page, pour quatre joueurs. Les éliminés n’occupent plus de place.",
        ),
    },
    house_rules={
        HouseRule.FALLEN_KEEP_PLACES: "Les joueurs éliminés gardent leur place jusqu’à la fin du "
        "tour.",
        HouseRule.FALLEN_LEAVE_PLACES: "Les joueurs éliminés n’occupent plus de place, dès leur "
        "élimination.",
        HouseRule.PLACES_EITHER_WAY: "À quatre joueurs, le viseur 2 de Rose Doolan atteint aussi "
        "ses voisins.",
        HouseRule.THIRST_AT_EACH_BEER: "Les points de vie de Jesse Jones sont comptés avant "
        "chacune de ses bières.",
        HouseRule.VULTURE_OUTLIVES: "Vulture Sam profite aussi des joueurs éliminés en même "
        "temps que lui, et survit ainsi.",
        HouseRule.GATLING_DISCARD_LAST: "Le joueur qui déclenche la Gatling rend ses flèches après "
        "les tirs, et non avant.",
        HouseRule.KIT_DISCARDS_LAST: "Kit Carlson fait rendre des flèches après les tirs de la "
        "Gatling, et non avant.",
        HouseRule.ONE_ARROW_A_TURN: "Un joueur ne prend qu’une flèche par tour pour avoir touché "
        "El Gringo, même deux fois.",
    },
)

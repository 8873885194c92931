"""The card game in French.

Write a no-break space before `:` and inside « », and a narrow one before `;`, `!` and `?`.
"""

from companion.cardgame.events import CardSide, Occasion
from companion.cardgame.moves import CardAction
from companion.cardgame.reasons import CardReason
from companion.cardgame.terms.words import (
    CardStory,
    CardTerms,
    CardText,
    CharacterText,
    FlipText,
)
from companion.cardgame.titles import Suit, Title
from companion.common.roles import Role
from companion.common.words import Noun

_NO_MOVE = "Ce coup n’existe pas : rechargez cette page."
"""The refusal of a move that no page offers."""

FRENCH = CardTerms(
    numbers=("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
    last_of_list=" et ",
    roles={
        Role.SHERIFF: "Shérif",
        Role.DEPUTY: "Adjoint",
        Role.OUTLAW: "Hors-la-loi",
        Role.RENEGADE: "Renégat",
    },
    goals={
        Role.SHERIFF: "Éliminez les Hors-la-loi et le Renégat.",
        Role.DEPUTY: "Protégez le Shérif : vous gagnez ensemble.",
        Role.OUTLAW: "Abattez le Shérif.",
        Role.RENEGADE: "Soyez le dernier en vie.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Bart Cassidy",
            "Pour chaque point de vie perdu, si vous survivez, vous piochez une carte.",
        ),
        "black_jack": CharacterText(
            "Black Jack",
            "À votre tour, montrez la deuxième carte piochée. Si c’est un cœur ou un carreau, "
            "piochez-en une troisième.",
        ),
        "calamity_janet": CharacterText(
            "Calamity Janet", "Vos BANG! valent aussi Raté!, et vos Raté! valent aussi BANG!."
        ),
        "el_gringo": CharacterText(
            "El Gringo",
            "Pour chaque point de vie qu’un joueur vous prend, prenez une carte au hasard dans sa "
            "main.",
        ),
        "jesse_jones": CharacterText(
            "Jesse Jones",
            "La première carte de votre tour peut venir de la main d’un autre joueur, au hasard.",
        ),
        "jourdonnais": CharacterText(
            "Jourdonnais",
            "Vous avez toujours une Planque. Une vraie Planque est une chance de plus.",
        ),
        "kit_carlson": CharacterText(
            "Kit Carlson",
            "À votre tour, regardez les trois premières cartes de la pioche, gardez-en deux et "
            "reposez la troisième.",
        ),
        "lucky_duke": CharacterText(
            "Lucky Duke", "Quand vous dégainez, retournez deux cartes et choisissez celle qui vaut."
        ),
        "paul_regret": CharacterText(
            "Paul Regret", "Les autres vous voient un rang plus loin, comme avec un Mustang."
        ),
        "pedro_ramirez": CharacterText(
            "Pedro Ramirez",
            "La première carte de votre tour peut être celle du dessus de la défausse.",
        ),
        "rose_doolan": CharacterText(
            "Rose Doolan", "Vous voyez les autres un rang plus près, comme avec une Lunette."
        ),
        "sid_ketchum": CharacterText(
            "Sid Ketchum",
            "À tout moment, vous pouvez défausser deux cartes pour regagner un point de vie.",
        ),
        "slab_the_killer": CharacterText(
            "Slab the Killer", "Il faut deux Raté! pour annuler un BANG! que vous jouez."
        ),
        "suzy_lafayette": CharacterText(
            "Suzy Lafayette", "Dès que votre main est vide, vous piochez une carte."
        ),
        "vulture_sam": CharacterText(
            "Vulture Sam", "Vous prenez toutes les cartes de chaque autre joueur éliminé."
        ),
        "willy_the_kid": CharacterText(
            "Willy the Kid", "Vous pouvez jouer autant de BANG! que vous voulez à votre tour."
        ),
    },
    cards={
        Title.BANG: CardText(
            "BANG!", "Tire sur un joueur à portée de votre arme. Une seule fois par tour."
        ),
        Title.MISSED: CardText("Raté!", "Annule un tir contre vous."),
        Title.BEER: CardText(
            "Bière", "Vous regagnez un point de vie, sauf s’il ne reste que deux joueurs."
        ),
        Title.SALOON: CardText("Saloon", "Tout le monde regagne un point de vie."),
        Title.STAGECOACH: CardText("Diligence", "Piochez deux cartes."),
        Title.WELLS_FARGO: CardText("Wells Fargo", "Piochez trois cartes."),
        Title.GENERAL_STORE: CardText(
            "Magasin",
            "Retournez une carte par joueur. Chacun en prend une, dans le sens horaire, vous "
            "d’abord.",
        ),
        Title.PANIC: CardText(
            "Braquage",
            "Prenez une carte à un joueur à distance 1, ou une des vôtres devant vous.",
        ),
        Title.CAT_BALOU: CardText(
            "Coup de foudre",
            "Un joueur défausse une carte, ou vous défaussez une des vôtres devant vous.",
        ),
        Title.GATLING: CardText("Gatling", "Tire sur tous les autres."),
        Title.INDIANS: CardText(
            "Indiens!", "Chacun des autres défausse un BANG! ou perd un point de vie."
        ),
        Title.DUEL: CardText(
            "Duel",
            "Votre adversaire et vous défaussez un BANG! à tour de rôle. Le premier qui ne le fait "
            "pas perd un point de vie.",
        ),
        Title.BARREL: CardText("Planque", "Visé par un tir, dégainez : un cœur vaut un Raté!."),
        Title.DYNAMITE: CardText(
            "Dynamite",
            "Au début de votre tour, dégainez. Du 2 au 9 de pique, vous perdez trois points de "
            "vie. Sinon, elle passe à gauche.",
        ),
        Title.JAIL: CardText(
            "Prison", "Au début de son tour, le prisonnier dégaine. Sans cœur, il passe son tour."
        ),
        Title.MUSTANG: CardText("Mustang", "Les autres vous voient un rang plus loin."),
        Title.SCOPE: CardText("Lunette", "Vous voyez les autres un rang plus près."),
        Title.VOLCANIC: CardText("Volcanic", "Portée 1. Jouez autant de BANG! que vous voulez."),
        Title.SCHOFIELD: CardText("Schofield", "Portée 2."),
        Title.REMINGTON: CardText("Remington", "Portée 3."),
        Title.REV_CARABINE: CardText("Carabine", "Portée 4."),
        Title.WINCHESTER: CardText("Winchester", "Portée 5."),
    },
    suits={
        Suit.SPADES: "de pique",
        Suit.HEARTS: "de cœur",
        Suit.DIAMONDS: "de carreau",
        Suit.CLUBS: "de trèfle",
    },
    card=Noun("aucune carte", "une carte", "cartes"),
    life_point=Noun("aucun point de vie", "un point de vie", "points de vie"),
    decides={
        CardAction.FLIP: "dégaine",
        CardAction.DRAW: "pioche",
        CardAction.PLAY: "joue une carte",
        CardAction.PASS: "répond ou passe",
        CardAction.REGAIN: "regagne un point de vie",
        CardAction.END: "joue des cartes",
    },
    sides={
        CardSide.LAW: "Le Shérif et les Adjoints",
        CardSide.OUTLAWS: "Les Hors-la-loi",
        CardSide.RENEGADE: "Le Renégat",
    },
    story=CardStory(
        begins="C’est le tour de {who}.",
        draws={
            Occasion.TURN: "{who} pioche {cards}.",
            Occasion.CARD: "{who} pioche {cards}.",
            Occasion.ABILITY: "Capacité de {who} : {cards} de plus.",
            Occasion.REWARD: "{who} pioche {cards} en récompense.",
        },
        draws_from_pile="{who} prend la carte du dessus de la défausse.",
        draws_known_from_pile="{who} prend dans la défausse : {card}.",
        shows="{who} montre : {card}.",
        plays="{who} joue : {card}.",
        plays_on="{who} joue contre {whom} : {card}.",
        plays_on_themselves="{who} joue contre une de ses cartes : {card}.",
        answers="{who} répond : {card}.",
        flips={
            Title.BARREL: FlipText(
                "{who} dégaine : {cards}. Sauvetage !", "{who} dégaine : {cards}. Aucun effet."
            ),
            Title.JAIL: FlipText(
                "{who} dégaine : {cards}, et sort de prison.",
                "{who} dégaine : {cards}, et reste en prison.",
            ),
            Title.DYNAMITE: FlipText(
                "{who} dégaine : {cards}. La Dynamite explose.",
                "{who} dégaine : {cards}. La Dynamite n’explose pas.",
            ),
        },
        cancels="Le coup rate {who}.",
        loses="{who} perd {points}.",
        regains="{who} regagne un point de vie.",
        regains_nothing="{who} ne regagne rien.",
        trades="{who} échange deux cartes contre un point de vie.",
        takes_from_hand="{who} prend {cards} dans la main de {whom}.",
        takes="{who} prend à {whom} : {card}.",
        takes_back="{who} reprend en main : {card}.",
        removed_from_hand="{who} défausse une carte au hasard.",
        removed="{who} défausse : {card}.",
        discards={
            Occasion.TURN: "{who} défausse {cards} de trop.",
            Occasion.ABILITY: "{who} défausse {cards}.",
            Occasion.PENALTY: "{who} a éliminé un Adjoint et défausse tout : {cards}.",
            Occasion.OUT: "{who} défausse tout : {cards}.",
        },
        passes_dynamite="La Dynamite passe à {whom}.",
        serves="{who} passe son tour en prison.",
        shuffles="La pioche est vide : mélangez la défausse, {cards}.",
        inherits="{who} prend tout ce que {whom} avait : {cards}.",
        out="{who} est hors jeu : {role}.",
        ends={
            CardSide.LAW: "La loi l’emporte : il ne reste ni Hors-la-loi ni Renégat.",
            CardSide.OUTLAWS: "Les Hors-la-loi l’emportent : le Shérif est tombé.",
            CardSide.RENEGADE: "Le Renégat l’emporte seul.",
        },
    ),
    refusals={
        CardReason.OVER: "La partie est finie.",
        CardReason.NOT_AWAITED: "Pas maintenant.",
        CardReason.NOT_YOURS: "Pas maintenant : la décision est à {who}.",
        CardReason.NO_DICE: "Ce jeu n’a pas de dés.",
        CardReason.NO_SEAT: _NO_MOVE,
        CardReason.ELIMINATED: "{who} est hors jeu.",
        CardReason.CANT_REGAIN: "{who} ne peut pas échanger deux cartes contre un point de vie.",
        CardReason.NO_CARDS: "{who} n’a aucune carte en main.",
        CardReason.USED_UP: "Toutes les cartes de ce titre sont posées ou défaussées : {card}.",
        CardReason.ONLY_AN_ANSWER: "Cette carte ne répond qu’à un tir : {card}.",
        CardReason.NO_ANSWER: "Cette carte n’aide pas ici : {card}.",
        CardReason.ONE_BANG: "Un seul BANG! par tour.",
        CardReason.SECOND_COPY: "Déjà devant {who} : {card}.",
        CardReason.NOBODY: "Cette carte n’atteint personne : {card}.",
        CardReason.NEEDS_TARGET: "Choisissez un joueur pour cette carte : {card}.",
        CardReason.NO_TARGET: _NO_MOVE,
        CardReason.ONESELF: "Vous ne pouvez pas la jouer contre vous-même : {card}.",
        CardReason.OUT_OF_REACH: "{who} est hors de portée, à distance {distance}.",
        CardReason.NO_CARD_THERE: "{who} n’a aucune carte à prendre.",
        CardReason.SHERIFF: "Le Shérif ne va pas en prison.",
        CardReason.JAILED: "{who} est déjà en prison.",
        CardReason.NEEDS_TAKE: "Choisissez une carte pour : {card}.",
        CardReason.NO_TAKE: _NO_MOVE,
        CardReason.NOT_THERE: "{who} n’a plus cette carte.",
        CardReason.FLIPS: "Retournez {needed} cartes.",
        CardReason.FLIPS_ONE: "Retournez une carte.",
        CardReason.SHOWN_TOO_OFTEN: "Déjà vue, la pioche ne peut plus contenir cette carte : "
        "{sign}.",
        CardReason.NEEDS_SOURCE: "Choisissez d’où vient la première carte.",
        CardReason.NO_SOURCE: _NO_MOVE,
        CardReason.NEEDS_SHOWN: "Montrez votre deuxième carte.",
        CardReason.NOT_SHOWN: _NO_MOVE,
        CardReason.NOTHING_TO_DRAW: "Il n’y a pas de carte à piocher là.",
    },
)

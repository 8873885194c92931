"""The card game in French.

Write a no-break space before `:` and inside « », and a narrow one before `;`, `!` and `?`.
"""

from companion.games.cards.rules.events import Occasion
from companion.games.cards.rules.moves import CardAction
from companion.games.cards.rules.reasons import CardReason
from companion.games.cards.rules.titles import Suit, Title
from companion.games.cards.terms.words import (
    AnswerNeed,
    CardQuestions,
    CardStory,
    CardTerms,
    CardText,
    FlipText,
    TableHelp,
    Told,
)
from companion.games.common.endings import Side
from companion.games.common.roles import Role
from companion.games.common.words import CharacterText, Noun

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
            "Calamity Janet", "Vos BANG! valent aussi Raté!, et vos Raté! valent aussi BANG!"
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
        Title.BARREL: CardText("Planque", "Visé par un tir, dégainez : un cœur vaut un Raté!"),
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
        Side.LAW: "Le Shérif et les Adjoints",
        Side.OUTLAWS: "Les Hors-la-loi",
        Side.RENEGADE: "Le Renégat",
    },
    story=CardStory(
        begins="À {who} de jouer.",
        draws={
            Occasion.TURN: "{who} pioche {cards}.",
            Occasion.CARD: "{who} pioche {cards}.",
            Occasion.ABILITY: "{who} pioche {cards} de plus par sa capacité.",
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
                "{who} dégaine : {cards}. C’est un Raté!", "{who} dégaine : {cards}. Aucun effet."
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
        takes_from_hand="{who} prend à {whom} {cards} de sa main.",
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
        inherits="{who} prend tout ce qui était à {whom} : {cards}.",
        out="{who} est hors jeu : {role}.",
        ends={
            Side.LAW: "La loi l’emporte : il ne reste ni Hors-la-loi ni Renégat.",
            Side.OUTLAWS: "Les Hors-la-loi l’emportent : le Shérif est tombé.",
            Side.RENEGADE: "Le Renégat l’emporte seul.",
        },
        undone="{by} annule son dernier coup.",
        undone_of="{by} annule le dernier coup, joué par {who}.",
        undone_more="{by} annule les {moves} derniers coups.",
        retitled="{by} corrige la carte jouée par {who} : {after}, et non {before}.",
        signed_again="{by} corrige la carte dégainée par {who} : {after}, et non {before}.",
        other_counts="{by} choisit l’autre carte dégainée par {who} : {after}, et non {before}.",
        of_other="{by} corrige : la carte {after} était à {to}, et non à {who}.",
    ),
    questions=CardQuestions(
        why={
            AnswerNeed.SHOT: Told("{who} tire sur vous.", "{who} tire sur {whom}."),
            AnswerNeed.GATLING: Told("{who} vous vise avec sa Gatling.", "{who} tire sur {whom}."),
            AnswerNeed.INDIANS: Told(
                "Indiens! Posez un BANG!, ou perdez un point de vie.",
                "Indiens! {whom} pose un BANG! ou perd un point de vie.",
            ),
            AnswerNeed.DUEL: Told(
                "Duel ! Posez un BANG!, ou perdez un point de vie.",
                "Duel ! {whom} pose un BANG! ou perd un point de vie.",
            ),
            AnswerNeed.DYING: Told(
                "Vous êtes à terre. Pour rester en jeu, regagnez {points}.",
                "{whom} est à terre et doit regagner {points}.",
            ),
            AnswerNeed.DYNAMITE: Told(
                "La Dynamite est devant vous : dégainez. Du 2 au 9 de pique, elle explose.",
                "{whom} dégaine pour la Dynamite.",
            ),
            AnswerNeed.JAIL: Told(
                "Vous êtes en prison : dégainez. Un cœur vous libère.",
                "{whom} dégaine pour sortir de prison.",
            ),
        },
        passes={
            AnswerNeed.SHOT: "Encaisser",
            AnswerNeed.GATLING: "Encaisser",
            AnswerNeed.INDIANS: "Encaisser",
            AnswerNeed.DUEL: "Céder",
            AnswerNeed.DYING: "Renoncer",
        },
        cost={
            AnswerNeed.SHOT: "perdre un point de vie",
            AnswerNeed.GATLING: "perdre un point de vie",
            AnswerNeed.INDIANS: "perdre un point de vie",
            AnswerNeed.DUEL: "perdre un point de vie",
            AnswerNeed.DYING: "vous êtes hors jeu",
        },
        more_missed="Il faut {number} Raté!",
        another_missed="Il faut encore un Raté!",
        plays="Que jouez-vous ?",
        empty_hand="Vous n’avez aucune carte en main.",
        on_whom="{card} : sur qui ?",
        which_card="{card} : quelle carte ?",
        hand_card="main",
        off={
            CardReason.USED_UP: "toutes posées ou défaussées",
            CardReason.ONLY_AN_ANSWER: "seulement en réponse à un tir",
            CardReason.ONE_BANG: "un seul par tour",
            CardReason.SECOND_COPY: "déjà devant vous",
            CardReason.NOBODY: "n’atteint personne",
        },
        out_of_reach="hors de portée",
        no_card="aucune carte",
        jailed="déjà en prison",
        no_jail="le Shérif ne va pas en prison",
        end="Finir le tour",
        end_discards="défausser {cards}",
        flips="Dégainer !",
        flip_helps="gratuit ; un cœur vaut un Raté!",
        flipped="Quelle carte est retournée ?",
        flipped_first="Touchez d’abord la carte qui compte.",
        flipped_second="Touchez maintenant l’autre.",
        shows="Montrez votre deuxième carte. Laquelle est-ce ?",
        source="D’où vient votre première carte ?",
        from_deck="La pioche",
        from_hand="La main de : {who}",
        from_pile="La défausse : {card}",
        from_pile_unnamed="La carte du dessus de la défausse",
        regain="Deux cartes contre un point de vie",
        life="{life} points de vie sur {most}",
        hand="{cards} en main",
        in_play="En jeu",
        out="hors jeu",
        distance="à distance {distance}",
        in_reach="à distance {distance}, à portée",
        reach="Vous tirez jusqu’à distance {distance}.",
        deck="Pioche",
        pile="Défausse",
        on_top="Dessus : {card}",
    ),
    help=TableHelp(
        deal="Distribuez les mains : autant de cartes que de points de vie à chacun.",
        draw=Told("Piochez {cards}.", "{who} pioche {cards}."),
        look=Told(
            "Regardez les trois premières cartes de la pioche : gardez-en deux, reposez l’autre.",
            "{who} regarde les trois premières cartes de la pioche, en garde deux et repose "
            "l’autre.",
        ),
        reward=Told(
            "Piochez {cards} : {whom} était Hors-la-loi.",
            "{who} pioche {cards} : {whom} était Hors-la-loi.",
        ),
        draw_from_pile=Told(
            "Prenez la carte du dessus de la défausse.",
            "{who} prend la carte du dessus de la défausse.",
        ),
        lay=Told("Défaussez {cards}.", "{who} défausse {cards}."),
        penalty=Told(
            "Défaussez toutes vos cartes : {whom} était Adjoint.",
            "{who} défausse toutes ses cartes : {whom} était Adjoint.",
        ),
        lay_all=Told(
            "Défaussez toutes vos cartes : d’abord celles en jeu, puis votre main.",
            "{who} défausse toutes ses cartes : d’abord celles en jeu, puis sa main.",
        ),
        pull=Told(
            "Prenez à {whom} {cards} de sa main.", "{who} prend à {whom} {cards} de sa main."
        ),
        pulled_from="{who} tire {cards} dans votre main.",
        take=Told("Prenez à {whom} : {card}.", "{who} prend à {whom} : {card}."),
        take_back=Told("Reprenez en main : {card}.", "{who} reprend en main : {card}."),
        pulled_onto_pile=Told(
            "{who} tire une carte dans votre main et la défausse.",
            "{who} prend à {whom} une carte de sa main et la défausse.",
        ),
        onto_pile=Told("Défaussez votre carte : {card}.", "{whom} défausse : {card}."),
        pass_dynamite="Posez la Dynamite devant {whom}.",
        shuffle="Dès que la pioche est vide, mélangez la défausse, {cards}.",
        put_back=Told(
            "Remettez les cartes comme avant : {hand} dans votre main, {deck} dans la pioche, "
            "{pile} dans la défausse.",
            "Remettez les cartes comme avant : {deck} dans la pioche, {pile} dans la défausse.",
        ),
        inherit=Told(
            "Prenez tout ce qui était à {whom}.", "{who} prend tout ce qui était à {whom}."
        ),
        store="Retournez {cards} : chacun en prend une, {who} d’abord.",
    ),
    refusals={
        CardReason.OVER: "La partie est finie.",
        CardReason.NOT_AWAITED: "Pas maintenant.",
        CardReason.NOT_YOURS: "Pas maintenant : la décision est à {who}.",
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

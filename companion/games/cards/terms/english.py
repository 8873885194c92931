"""The card game in English."""

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

_NO_MOVE = "There is no such move. Reload this page."
"""The refusal of a move that no page offers."""

ENGLISH = CardTerms(
    numbers=("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    last_of_list=" and ",
    roles={
        Role.SHERIFF: "Sheriff",
        Role.DEPUTY: "Deputy",
        Role.OUTLAW: "Outlaw",
        Role.RENEGADE: "Renegade",
    },
    goals={
        Role.SHERIFF: "Eliminate the Outlaws and the Renegade.",
        Role.DEPUTY: "Protect the Sheriff: you win together.",
        Role.OUTLAW: "Bring the Sheriff down.",
        Role.RENEGADE: "Be the last one alive.",
    },
    characters={
        "bart_cassidy": CharacterText(
            "Bart Cassidy", "For each life point that you lose and survive, draw a card."
        ),
        "black_jack": CharacterText(
            "Black Jack",
            "Show the second card that you draw on your turn. If it is a heart or a diamond, draw "
            "a third.",
        ),
        "calamity_janet": CharacterText(
            "Calamity Janet", "Your BANG! cards also count as Missed!, and the other way round."
        ),
        "el_gringo": CharacterText(
            "El Gringo",
            "For each life point that a player takes from you, take a random card from that "
            "player’s hand.",
        ),
        "jesse_jones": CharacterText(
            "Jesse Jones",
            "The first card of your turn may come from another player’s hand, at random.",
        ),
        "jourdonnais": CharacterText(
            "Jourdonnais", "You always have a Barrel. A real one is another chance to flip."
        ),
        "kit_carlson": CharacterText(
            "Kit Carlson",
            "On your turn, look at the top three cards of the deck, keep two and put one back.",
        ),
        "lucky_duke": CharacterText(
            "Lucky Duke", "Whenever you flip a card, flip two and choose the one that counts."
        ),
        "paul_regret": CharacterText(
            "Paul Regret", "Others see you one place farther away, as if you had a Mustang."
        ),
        "pedro_ramirez": CharacterText(
            "Pedro Ramirez",
            "The first card of your turn may be the top card of the discard pile.",
        ),
        "rose_doolan": CharacterText(
            "Rose Doolan", "You see others one place nearer, as if you had a Scope."
        ),
        "sid_ketchum": CharacterText(
            "Sid Ketchum", "At any time, you may discard two cards to regain one life point."
        ),
        "slab_the_killer": CharacterText(
            "Slab the Killer", "Others need two Missed! to cancel a BANG! card of yours."
        ),
        "suzy_lafayette": CharacterText(
            "Suzy Lafayette", "Whenever your hand is empty, draw a card."
        ),
        "vulture_sam": CharacterText(
            "Vulture Sam", "Take all cards of every other player who is eliminated."
        ),
        "willy_the_kid": CharacterText(
            "Willy the Kid", "You may play any number of BANG! cards on your turn."
        ),
    },
    cards={
        Title.BANG: CardText("BANG!", "Shoots a player in reach of your weapon. One a turn."),
        Title.MISSED: CardText("Missed!", "Cancels a shot at you."),
        Title.BEER: CardText(
            "Beer", "You regain one life point, but not while only two players are left."
        ),
        Title.SALOON: CardText("Saloon", "Everybody regains one life point."),
        Title.STAGECOACH: CardText("Stagecoach", "Draw two cards."),
        Title.WELLS_FARGO: CardText("Wells Fargo", "Draw three cards."),
        Title.GENERAL_STORE: CardText(
            "General Store",
            "Turn up a card for each player. Everybody takes one, clockwise, beginning with you.",
        ),
        Title.PANIC: CardText(
            "Panic!", "Take a card from a player at distance 1, or one of your own in play."
        ),
        Title.CAT_BALOU: CardText(
            "Cat Balou", "Any player discards a card, or you discard one of your own in play."
        ),
        Title.GATLING: CardText("Gatling", "Shoots everybody else."),
        Title.INDIANS: CardText(
            "Indians!", "Everybody else discards a BANG! or loses one life point."
        ),
        Title.DUEL: CardText(
            "Duel",
            "You and another player discard a BANG! by turns, beginning with them. The first who "
            "doesn’t loses one life point.",
        ),
        Title.BARREL: CardText("Barrel", "When shot at, flip a card: a heart counts as Missed!"),
        Title.DYNAMITE: CardText(
            "Dynamite",
            "At the start of your turn, flip a card. From 2 to 9 of spades, you lose three life "
            "points. Otherwise it goes on to the left.",
        ),
        Title.JAIL: CardText(
            "Jail",
            "At the start of the prisoner’s turn, they flip a card. Without a heart, they miss the "
            "turn.",
        ),
        Title.MUSTANG: CardText("Mustang", "Others see you one place farther away."),
        Title.SCOPE: CardText("Scope", "You see others one place nearer."),
        Title.VOLCANIC: CardText("Volcanic", "Reach 1. Play any number of BANG! cards."),
        Title.SCHOFIELD: CardText("Schofield", "Reach 2."),
        Title.REMINGTON: CardText("Remington", "Reach 3."),
        Title.REV_CARABINE: CardText("Rev. Carabine", "Reach 4."),
        Title.WINCHESTER: CardText("Winchester", "Reach 5."),
    },
    suits={
        Suit.SPADES: "of spades",
        Suit.HEARTS: "of hearts",
        Suit.DIAMONDS: "of diamonds",
        Suit.CLUBS: "of clubs",
    },
    card=Noun("no cards", "a card", "cards"),
    life_point=Noun("no life points", "a life point", "life points"),
    decides={
        CardAction.FLIP: "flips a card",
        CardAction.DRAW: "draws cards",
        CardAction.PLAY: "plays a card",
        CardAction.PASS: "answers or passes",
        CardAction.REGAIN: "regains a life point",
        CardAction.END: "plays cards",
    },
    sides={
        Side.LAW: "The Sheriff and the Deputies",
        Side.OUTLAWS: "The Outlaws",
        Side.RENEGADE: "The Renegade",
    },
    story=CardStory(
        begins="It is {who}’s turn.",
        draws={
            Occasion.TURN: "{who} draws {cards}.",
            Occasion.CARD: "{who} draws {cards}.",
            Occasion.ABILITY: "{who}’s ability brings {cards}.",
            Occasion.REWARD: "{who} draws {cards} as a reward.",
        },
        draws_from_pile="{who} takes the top card of the discard pile.",
        draws_known_from_pile="{who} takes {card} from the discard pile.",
        shows="{who} shows {card}.",
        plays="{who} plays {card}.",
        plays_on="{who} plays {card} on {whom}.",
        plays_on_themselves="{who} plays {card} on a card of their own.",
        answers="{who} answers with {card}.",
        flips={
            Title.BARREL: FlipText(
                "{who} flips the {cards}: it counts as Missed!", "{who} flips the {cards}: no help."
            ),
            Title.JAIL: FlipText(
                "{who} flips the {cards}: free.", "{who} flips the {cards}: not free."
            ),
            Title.DYNAMITE: FlipText(
                "{who} flips the {cards}: the Dynamite explodes.",
                "{who} flips the {cards}: the Dynamite doesn’t explode.",
            ),
        },
        cancels="{who} isn’t hit.",
        loses="{who} loses {points}.",
        regains="{who} regains a life point.",
        regains_nothing="{who} regains nothing.",
        trades="{who} trades two cards for a life point.",
        takes_from_hand="{who} takes {cards} from {whom}’s hand.",
        takes="{who} takes {card} from {whom}.",
        takes_back="{who} takes their own {card} back.",
        removed_from_hand="{who} discards a random card.",
        removed="{who} discards {card}.",
        discards={
            Occasion.TURN: "{who} discards {cards} beyond the limit.",
            Occasion.ABILITY: "{who} discards {cards}.",
            Occasion.PENALTY: "{who} eliminated a Deputy and discards everything: {cards}.",
            Occasion.OUT: "{who} discards everything: {cards}.",
        },
        passes_dynamite="The Dynamite goes on to {whom}.",
        serves="{who} misses a turn in jail.",
        shuffles="The deck is empty: shuffle the discard pile, {cards}.",
        inherits="{who} takes all that {whom} had: {cards}.",
        out="{who} is out: {role}.",
        ends={
            Side.LAW: "The law wins: no Outlaw and no Renegade is left.",
            Side.OUTLAWS: "The Outlaws win: the Sheriff has fallen.",
            Side.RENEGADE: "The Renegade wins alone.",
        },
        undone="{by} undoes their last move.",
        undone_of="{by} undoes {who}’s last move.",
        undone_more="{by} undoes the last {moves} moves.",
        retitled="{by} corrects what {who} played: {after}, not {before}.",
        signed_again="{by} corrects which card {who} turned up: {after}, not {before}.",
        other_counts="{by} corrects which of {who}’s two cards counts: {after}, not {before}.",
        of_other="{by} corrects whose card it was: {after} is {to}’s, not {who}’s.",
    ),
    questions=CardQuestions(
        why={
            AnswerNeed.SHOT: Told("{who} shoots at you.", "{who} shoots at {whom}."),
            AnswerNeed.GATLING: Told("{who} fires the Gatling at you.", "{who} fires at {whom}."),
            AnswerNeed.INDIANS: Told(
                "Indians! Lay a BANG!, or lose a life point.",
                "Indians! {whom} lays a BANG! or loses a life point.",
            ),
            AnswerNeed.DUEL: Told(
                "Duel! Lay a BANG!, or lose a life point.",
                "Duel! {whom} lays a BANG! or loses a life point.",
            ),
            AnswerNeed.DYING: Told(
                "You are dying. To stay in the game, regain {points}.",
                "{whom} is dying, and needs {points}.",
            ),
            AnswerNeed.DYNAMITE: Told(
                "The Dynamite lies before you: flip a card. From 2 to 9 of spades, it explodes.",
                "{whom} flips a card for the Dynamite.",
            ),
            AnswerNeed.JAIL: Told(
                "You are in jail: flip a card. A heart sets you free.",
                "{whom} flips a card to get out of jail.",
            ),
        },
        passes={
            AnswerNeed.SHOT: "Take it",
            AnswerNeed.GATLING: "Take it",
            AnswerNeed.INDIANS: "Take it",
            AnswerNeed.DUEL: "Give in",
            AnswerNeed.DYING: "Let go",
        },
        cost={
            AnswerNeed.SHOT: "lose a life point",
            AnswerNeed.GATLING: "lose a life point",
            AnswerNeed.INDIANS: "lose a life point",
            AnswerNeed.DUEL: "lose a life point",
            AnswerNeed.DYING: "you are out",
        },
        more_missed="It takes {number} Missed!",
        another_missed="It takes one more Missed!",
        plays="What do you play?",
        empty_hand="You have no card in hand.",
        on_whom="{card}: on whom?",
        which_card="{card}: which card?",
        hand_card="hand",
        off={
            CardReason.USED_UP: "all are in play or in the pile",
            CardReason.ONLY_AN_ANSWER: "only an answer to a shot",
            CardReason.ONE_BANG: "only one a turn",
            CardReason.SECOND_COPY: "already before you",
            CardReason.NOBODY: "reaches nobody now",
        },
        out_of_reach="out of reach",
        no_card="no cards",
        jailed="already in jail",
        no_jail="the Sheriff can’t be jailed",
        end="End turn",
        end_discards="lay {cards} on the pile",
        flips="Draw!",
        flip_helps="costs nothing; a heart counts as Missed!",
        flipped="Which card was flipped?",
        flipped_first="First tap the flipped card that counts.",
        flipped_second="Now tap the other one.",
        shows="Show your second card. Which is it?",
        source="Where does your first card come from?",
        from_deck="The deck",
        from_hand="{who}’s hand",
        from_pile="The pile: {card}",
        from_pile_unnamed="The top card of the pile",
        regain="Two cards for a life point",
        life="{life} of {most} life points",
        hand="{cards} in hand",
        in_play="In play",
        out="out of the game",
        distance="at distance {distance}",
        in_reach="at distance {distance}, in reach",
        reach="You shoot up to distance {distance}.",
        deck="Deck",
        pile="Pile",
        on_top="On top: {card}",
    ),
    help=TableHelp(
        deal="Deal the hands: each player gets as many cards as life points.",
        draw=Told("Draw {cards}.", "{who} draws {cards}."),
        look=Told(
            "Look at the top three cards of the deck: keep two, put one back.",
            "{who} looks at the top three cards of the deck, keeps two and puts one back.",
        ),
        reward=Told(
            "Draw {cards}: {whom} was an Outlaw.", "{who} draws {cards}: {whom} was an Outlaw."
        ),
        draw_from_pile=Told(
            "Take the top card of the pile.", "{who} takes the top card of the pile."
        ),
        lay=Told("Lay {cards} on the pile.", "{who} lays {cards} on the pile."),
        penalty=Told(
            "Lay all your cards on the pile: {whom} was a Deputy.",
            "{who} lays all their cards on the pile: {whom} was a Deputy.",
        ),
        lay_all=Told(
            "Lay your cards on the pile: first those before you, then your hand.",
            "{who} lays all their cards on the pile: first those in play, then the hand.",
        ),
        pull=Told("Pull {cards} from {whom}’s hand.", "{who} pulls {cards} from {whom}’s hand."),
        pulled_from="{who} pulls {cards} from your hand.",
        take=Told("Take {card} from {whom}.", "{who} takes {card} from {whom}."),
        take_back=Told("Take {card} into your hand.", "{who} takes {card} back."),
        pulled_onto_pile=Told(
            "{who} pulls a card from your hand and lays it on the pile.",
            "{who} pulls a card from {whom}’s hand and lays it on the pile.",
        ),
        onto_pile=Told("Lay your {card} on the pile.", "{whom} lays {card} on the pile."),
        pass_dynamite="Lay the Dynamite before {whom}.",
        shuffle="Once the deck is empty, shuffle the pile, {cards}.",
        put_back=Told(
            "Put the cards back as they were: you hold {hand}, the deck has {deck}, "
            "the pile {pile}.",
            "Put the cards back as they were: the deck has {deck}, the pile {pile}.",
        ),
        inherit=Told("Take all cards of {whom}.", "{who} takes all cards of {whom}."),
        store="Turn up {cards}: everybody takes one, beginning with {who}.",
    ),
    refusals={
        CardReason.OVER: "The game is over.",
        CardReason.NOT_AWAITED: "Not now.",
        CardReason.NOT_YOURS: "Not now: {who} decides.",
        CardReason.NO_SEAT: _NO_MOVE,
        CardReason.ELIMINATED: "{who} is out of the game.",
        CardReason.CANT_REGAIN: "{who} can’t trade two cards for a life point now.",
        CardReason.NO_CARDS: "{who} has no card in hand.",
        CardReason.USED_UP: "Every {card} lies in play or in the discard pile.",
        CardReason.ONLY_AN_ANSWER: "{card} is only an answer to a shot.",
        CardReason.NO_ANSWER: "{card} doesn’t help now.",
        CardReason.ONE_BANG: "Only one BANG! a turn.",
        CardReason.SECOND_COPY: "{who} already has {card} in play.",
        CardReason.NOBODY: "{card} reaches nobody now.",
        CardReason.NEEDS_TARGET: "Choose a player for {card}.",
        CardReason.NO_TARGET: _NO_MOVE,
        CardReason.ONESELF: "You can’t play {card} on yourself.",
        CardReason.OUT_OF_REACH: "{who} is out of reach, at distance {distance}.",
        CardReason.NO_CARD_THERE: "{who} has no card to take.",
        CardReason.SHERIFF: "The Sheriff can’t be jailed.",
        CardReason.JAILED: "{who} is already in jail.",
        CardReason.NEEDS_TAKE: "Choose a card for {card}.",
        CardReason.NO_TAKE: _NO_MOVE,
        CardReason.NOT_THERE: "{who} doesn’t have this card any more.",
        CardReason.FLIPS: "Flip {needed} cards.",
        CardReason.FLIPS_ONE: "Flip one card.",
        CardReason.SHOWN_TOO_OFTEN: "The deck has no {sign} left: it was shown before.",
        CardReason.NEEDS_SOURCE: "Choose where the first card comes from.",
        CardReason.NO_SOURCE: _NO_MOVE,
        CardReason.NEEDS_SHOWN: "Show your second card.",
        CardReason.NOT_SHOWN: _NO_MOVE,
        CardReason.NOTHING_TO_DRAW: "There is no card to draw there.",
    },
)

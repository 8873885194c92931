"""Players of the card game in a real browser: they tap by chance, and their touches are counted."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from browser import Screens
from card_table import CardTable
from playwright.sync_api import Locator, expect

from companion.games.cards.players import random_move
from companion.games.cards.rules.moves import CardAction, CardMove, Draw, Flip, Play
from companion.games.cards.rules.titles import Sign
from companion.table import rounds
from companion.table.scene import Phase


class CardHands(CardTable):
    """A table dealt by chance, and the hands of its players, who tap everything."""

    def __init__(
        self,
        folder: Path,
        screens: Screens,
        seed: int,
        players: int,
        begun: int = 0,
        **options: Any,
    ) -> None:
        """Begin a game that `seed` deals and plays.

        begun: so many decisions are made before phones are opened; options: of the phones.
        """
        self.chance = random.Random(seed)
        super().__init__(folder, screens, dealer=random.Random(seed))
        self.seat(players)
        self.do(rounds.start_game)
        for _ in range(begun):
            self.make(random_move(self.state, self.chance))
        self.phones = [self.phone(seat, **options) for seat in range(players)]
        self.taps: Counter[int] = Counter()
        """How many decisions took so many taps."""

    def play(self) -> None:
        """Play to the end."""
        while self.view.phase is Phase.PLAYING:
            self.decide(random_move(self.state, self.chance))

    def decide(self, move: CardMove) -> None:
        """Make a decision on the phone of its player, with as few taps as it needs."""
        phone, version = self.phones[move.seat], self.view.version
        shown = phone.locator(f"[data-version='{version}']").first
        expect(shown).to_be_attached(timeout=60_000)
        # What has just appeared takes no taps for a moment.
        expect(phone.locator("#question[inert]")).to_have_count(0)
        taps = self._buttons(phone.locator("#part-regain, #part-question"), move)
        for button in taps:
            button.tap(timeout=60_000)
        after = f"[data-version='{version}']"
        expect(phone.locator(after)).to_have_count(0, timeout=60_000)
        self.taps[len(taps)] += 1

    def _buttons(self, page: Locator, move: CardMove) -> list[Locator]:
        """The buttons that make a move, in order."""

        def making(fields: str) -> Locator:
            return page.locator(f"[data-with='seat={move.seat}&{fields}']")

        def of_sign(sign: Sign, button: Callable[[str], str]) -> list[Locator]:
            """The suit and, where it matters, then the rank."""
            if (suit := page.locator(button(sign.suit))).count():
                return [suit]
            return [
                page.locator(f".suit:has({button(str(sign))}) summary"),
                page.locator(button(str(sign))),
            ]

        match move:
            case Play(_, card, target, take):
                more = f"&target={target}" if target is not None else ""
                more += f"&take={take}" if take else ""
                button = making(f"action=play&card={card}{more}")
                if button.count() > 1:
                    # Beside its title, and once more in the sheet.
                    return [button.first]
                opener = page.locator(f".title[data-opens='play-{card}']")
                return [opener, button] if opener.count() else [button]
            case Flip(_, signs):
                if len(signs) == 1:
                    fields = f"seat={move.seat}&action=flip&sign-0="
                    return of_sign(signs[0], lambda sign: f"[data-with='{fields}{sign}']")
                return [
                    button
                    for number, sign in enumerate(signs)
                    for button in of_sign(
                        sign, partial("[name='sign-{}'][value='{}']".format, number)
                    )
                ]
            case Draw(_, source, None):
                return [making(f"action=draw&source={source}")]
            case Draw(_, _, shown):
                fields = f"seat={move.seat}&action=draw&shown="
                return of_sign(shown, lambda sign: f"[data-with='{fields}{sign}']")
        assert move.action in (CardAction.PASS, CardAction.END, CardAction.REGAIN)
        return [making(f"action={move.action}")]

"""The rules of BANG!, the card game: pure, like those of the dice game.

Real cards are dealt, held and played at the table. The rules keep what the table can see: a hand is
a number, never the cards in it.
"""

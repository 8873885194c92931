"""The card game with dealt hands: who holds which card, under the public rules.

The companion shuffles the deck and deals. The public game stays as it is with real cards: a value
of `rules`, which knows hands by their numbers. Here each of its events moves real cards, so that
hands, deck and pile always fit it. Like the rules, all of it is pure: chance comes in as a number.
"""

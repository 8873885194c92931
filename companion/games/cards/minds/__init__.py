"""Stand-ins of the card game: they hold hands, and decide by them and by what everybody saw."""

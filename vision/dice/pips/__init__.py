"""Read dice with pips, of any make."""

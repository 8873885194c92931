"""Read dice with pips, whatever their make."""

"""Cards on their way to the players: entering, choosing, and looking at roles."""

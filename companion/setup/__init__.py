"""Setting up: aiming, the first run, teaching dice and cards, collecting pictures."""

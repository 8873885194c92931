"""Train and calibrate what counts pips."""

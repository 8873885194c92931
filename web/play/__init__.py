"""The parts that all games share: dice, decisions and guesses."""

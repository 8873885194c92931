"""What each process that a test forks begins with: the dice that ship are known already."""

import memory

from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader

memory.share()
DiceReader(load_profile("print"))

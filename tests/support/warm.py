"""What each process that a test forks begins with: the dice that ship are known already."""

import cv2
import memory

from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader

# Threads of OpenCV's own would not be there in a forked process.
cv2.setNumThreads(1)
memory.share()
DiceReader(load_profile("print"))

"""What works on this machine and what doesn't, and how to mend it: `bang-companion doctor`."""

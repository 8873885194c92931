"""What works on this machine, what doesn't, and how to fix it: `bang-companion doctor`."""

"""Dealing: entering and choosing cards, and looking at roles."""

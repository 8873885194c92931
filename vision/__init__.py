"""Frames in, readings out: finds dice in pictures and tells their faces."""

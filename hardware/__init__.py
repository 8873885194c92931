"""Cameras, buttons and the status light, and their stand-ins."""

"""Cameras, buttons and the status light, each with a simulated counterpart."""

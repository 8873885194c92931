"""Attacks on the running table from the network, as tests and as a benchmark."""

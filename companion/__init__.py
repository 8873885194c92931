"""The running table: rules, journal, settings and the commands that join everything."""

__version__ = "0.3.0"

"""The running table: rules, journal, settings and the commands that join everything."""

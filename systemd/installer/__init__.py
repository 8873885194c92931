"""Installs, changes and removes the service, as root. Nothing but the standard library is needed.

`version` builds one in a folder of its own; `change` lets it take the place of the one before;
`hotspot` and `uninstall` are steps of their own. Each either happens or leaves things as they were.
"""

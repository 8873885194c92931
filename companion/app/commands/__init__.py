"""The commands, one module each.

Each has `SUMMARY`, `DESCRIPTION` and `EXAMPLE` for its help, `add_arguments(parser)`, and
`run(arguments)`, which returns the exit status. What a command needs is imported inside `run`, so
that help, `--version` and `replay` start without OpenCV, numpy and Flask.
"""

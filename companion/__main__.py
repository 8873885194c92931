"""`python -m companion` is the command `bang-companion`."""

from companion.app.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

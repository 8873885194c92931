"""`python -m companion` is the command `bang-companion`."""

from companion.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""`python -m companion` is the command `bang-companion`."""

import os
import signal


def main() -> int:
    """Prepare the process, run one command and return its exit status."""
    # Ctrl-C ends the process at once. As an exception it would leave a traceback, and get lost in
    # imports. Code that has something to tidy up says so: see `companion.app.interrupts`. The
    # installed command blocks it until here: Python's own start would leave a traceback, too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    # What the program writes holds the roles of a running game: it is for its owner alone. Under
    # systemd the unit says the same.
    os.umask(0o077)

    from companion.app import cli

    return cli.main()


if __name__ == "__main__":
    raise SystemExit(main())

"""`python -m corrigenda` is the command `corrigenda`.

The command line is imported here, so that Ctrl+C during the imports is no traceback.
"""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; the exit code."""
    code = _run()
    if code == _INTERRUPTED:
        # If Ctrl+C came while a module made code from text, as dataclasses do, Python would end by
        # the signal, although the interrupt was handled. It forgets this when it runs a text again.
        exec("")
    return code


def _run() -> int:
    try:
        from corrigenda import cli
    except KeyboardInterrupt:
        print("corrigenda: interrupted", file=sys.stderr)
        return _INTERRUPTED
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())

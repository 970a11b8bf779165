"""`python -m corrigenda` is the command `corrigenda`.

The command line is imported here, so that Ctrl+C during the imports is no traceback.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; the exit code."""
    try:
        from corrigenda import cli
    except KeyboardInterrupt:
        print("corrigenda: interrupted", file=sys.stderr)
        return 130
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())

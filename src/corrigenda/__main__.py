"""`python -m corrigenda` is the command `corrigenda`."""

import sys

from corrigenda.cli import main

sys.exit(main())

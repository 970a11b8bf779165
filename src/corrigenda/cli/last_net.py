"""The end of every command: each way to fail is one line on standard error, and an exit code.

0 is success, 1 a user's error or a full disk, 2 wrong usage, 70 a mistake of the program itself,
130 Ctrl+C. `--debug` shows the traceback.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from corrigenda.cli.display import printable_lines
from corrigenda.errors import CorrigendaError

INTERNAL_ERROR = 70
INTERRUPTED = 130
_Hook = Callable[["sys.UnraisableHookArgs"], None]
_ONE_PRESS = 1.0
"""Seconds after Ctrl+C in which another one is the same: it must not stop the clean-up."""


def exit_code(command: Callable[[], object], *, debug: bool) -> int:
    """Run a command and flush what it printed; the exit code says how it ended."""
    try:
        return _exit_code(command, debug)
    except KeyboardInterrupt:  # while an error was told
        return _code_of(KeyboardInterrupt())


def _exit_code(command: Callable[[], object], debug: bool) -> int:
    try:
        code = _run(command)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough.
        _drop_output()
        return 0
    except BaseException as error:
        if debug:
            import traceback

            traceback.print_exc()
        _drop_output()
        return _code_of(error)


def _run(command: Callable[[], object]) -> int:
    if sys.stdout is None:
        raise CorrigendaError(
            "standard output is closed", remedy="Open it, e.g. `> FILE` or `> /dev/null`."
        )
    try:
        command()
    except SystemExit as ended:  # --help and --version
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return 0


def _code_of(error: BaseException) -> int:
    """Say in one line what happened; the exit code for it."""
    if isinstance(error, CorrigendaError):
        tell(f"error: {error}")
        return error.exit_code
    if isinstance(error, KeyboardInterrupt) or _was_interrupted(error):
        tell("interrupted")
        return INTERRUPTED
    if _is_out_of_memory(error):
        tell(
            "error: there is not enough memory\n"
            "  Give shorter lines or fewer sentences, or a machine with more memory."
        )
        return 1
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        tell(
            "error: the system allows no more threads or processes\n"
            "  Allow more (ulimit -u), or use fewer: --workers 0, or --threads 1."
        )
        return 1
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else "input or output: "
        tell(f"error: {where}{(error.strerror or str(error)).lower()}")
        return 1
    kind = type(error).__name__
    first = next(iter(str(error).splitlines()), "")[:200]
    tell(
        f"internal error: {kind}: {first}\n"
        "  This is a mistake of the program. Run the command again with --debug, and report the "
        "traceback\n  and the command to the maintainers (SECURITY.md says how)."
    )
    return INTERNAL_ERROR


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether there was no memory, also while a package was loaded into it."""
    while isinstance(error, ImportError) and error.__cause__ is not None:
        error = error.__cause__
    return isinstance(error, MemoryError) or (
        isinstance(error, ImportError) and "failed to map segment" in str(error)
    )


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl+C came during an import, which some packages report as another error."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return _ctrl_c.pressed is not None


class _CtrlC:
    """Remembers that Ctrl+C was pressed: a package may turn the interrupt into its own error."""

    def __init__(self) -> None:
        self.pressed: float | None = None
        """When it was pressed; those that count as the same do not change it."""
        self.code: int | None = None
        """The exit code, once it is known."""

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.code is not None:
            # All is written. What is left is only the end of Python, and a traceback in it.
            os._exit(self.code)
        now = time.monotonic()
        if self.pressed is None or now - self.pressed > _ONE_PRESS:
            self.pressed = now
            signal.default_int_handler(number, frame)


_ctrl_c = _CtrlC()


def _hook_for_lost(others: _Hook) -> _Hook:
    """Where Python cannot raise an interrupt, it is lost, and the next one counts as the first.

    `others` gets what is no interrupt.
    """

    def lost(problem: sys.UnraisableHookArgs) -> None:
        if issubclass(problem.exc_type, KeyboardInterrupt):
            _ctrl_c.pressed = None
        else:
            others(problem)

    return lost


def end_at_ctrl_c(code: int) -> None:
    """From now on Ctrl+C ends the process at once, with the exit code that is known already."""
    _ctrl_c.code = code


def tell(text: str) -> None:
    """A line of this program on standard error, which may be closed or full."""
    try:
        print(f"corrigenda: {printable_lines(text)}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def prepare() -> None:
    """Make sure that every error can be shown; ignore a width that is not one."""
    _ctrl_c.pressed = None
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, _ctrl_c)
            sys.unraisablehook = _hook_for_lost(sys.unraisablehook)
    if not re.fullmatch("[0-9]{1,6}", os.environ.get("COLUMNS", "0")):
        del os.environ["COLUMNS"]
    _prepare_streams()


def _prepare_streams() -> None:
    """A character that a terminal cannot show is shown as its code; a closed stderr is none."""
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """What could not be printed must not be tried again when Python ends."""
    try:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return

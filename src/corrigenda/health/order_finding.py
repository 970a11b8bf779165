"""What is said about lines that are out of step: shifted, shuffled, or of another text."""

from __future__ import annotations

from corrigenda.health.finding import SHOWN_LINES, Finding
from corrigenda.health.order import Order
from corrigenda.health.tally import counted

_REMEDY = "Line i of every text must belong to sentence i: check how the file was made."


def order_finding(order: Order, lines: int, system: str | None, text: str) -> Finding | None:
    """The finding about lines that belong to other lines, or to none, if there are many."""
    if order.is_moved(lines):
        return _moved(order, lines, system, text)
    if not order.is_unrelated:
        return None
    message = (
        f"{counted(order.unrelated, lines)} share little with their source: they are shuffled, or "
        "belong to another text."
    )
    shown = tuple(order.unrelated_lines[:SHOWN_LINES])
    return Finding("out-of-step", system, text, message, order.unrelated / lines, shown, _REMEDY)


def _moved(order: Order, lines: int, system: str | None, text: str) -> Finding:
    moved = [line for line, _ in order.moved]
    shown = tuple(moved[:SHOWN_LINES])
    shifts = order.common_shifts()
    if not shifts:
        # Lines that no line was found for are out of step, too, where most others are.
        count = max(len(moved), order.unrelated if order.is_unrelated else 0)
        message = f"{counted(count, lines)} belong to other lines of the source: they are shuffled."
        return Finding("out-of-step", system, text, message, count / lines, shown, _REMEDY)
    count = max(len(moved), order.unrelated)
    way = "earlier" if shifts[0] > 0 else "later"
    message = (
        f"shifted by {shifts[0]:+d} from line {moved[0]:,} on: each line belongs to the source "
        f"{_lines(abs(shifts[0]))} {way}"
    )
    if len(shifts) > 1:
        message += f" (further on by {' and '.join(f'{each:+d}' for each in shifts[1:])})"
    return Finding(
        "out-of-step", system, text, f"{message}; {counted(count, lines)} are out of step.",
        count / lines, shown, _REMEDY, shifts[0], moved[0],
    )  # fmt: skip


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count:,} lines"

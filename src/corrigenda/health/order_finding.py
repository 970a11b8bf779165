"""What is said about lines that are out of step: shifted, shuffled, or of another text."""

from __future__ import annotations

from corrigenda.health.finding import SHOWN_LINES, Finding
from corrigenda.health.order import Order
from corrigenda.health.tally import counted

_REMEDY = "Line i of every text must belong to sentence i: check how the file was made."


def order_finding(order: Order, lines: float, system: str | None, text: str) -> Finding | None:
    """The finding about lines that belong to other lines, or to none, if there are many."""
    if order.is_moved(lines):
        return _moved(order, lines, system, text)
    if not order.is_unrelated:
        return None
    count = counted(order.unrelated, lines, about=order.is_estimate)
    message = f"{count} share little with their source: they are shuffled, or of another text."
    shown = tuple(order.unrelated_lines[:SHOWN_LINES])
    return Finding("out-of-step", system, text, message, order.unrelated / lines, shown, _REMEDY)


def _moved(order: Order, lines: float, system: str | None, text: str) -> Finding:
    moved = [line for line, _ in order.moved]
    shown = tuple(moved[:SHOWN_LINES])
    shifts = order.common_shifts()
    if not shifts:
        # Lines that no line was found for are out of step, too, where most others are.
        count = max(order.moved_count, order.unrelated if order.is_unrelated else 0)
        shown_count = counted(count, lines, about=order.is_estimate)
        message = f"{shown_count} belong to other lines of the source: they are shuffled."
        return Finding("out-of-step", system, text, message, count / lines, shown, _REMEDY)
    count = max(order.moved_count, order.unrelated)
    first = order.start(shifts[0])
    shown = tuple(line for line in moved if line >= first)[:SHOWN_LINES]
    way = "earlier" if shifts[0] > 0 else "later"
    until = f"to line {moved[-1]:,}" if len(shifts) == 1 and order.is_over else "on"
    message = (
        f"shifted by {shifts[0]:+d} from line {first:,} {until}: each line belongs to the source "
        f"{_lines(abs(shifts[0]))} {way}"
    )
    if len(shifts) > 1:
        message += f" (further on by {' and '.join(f'{each:+d}' for each in shifts[1:])})"
    message += f"; {counted(count, lines, about=order.is_estimate)} are out of step."
    return Finding(
        "out-of-step", system, text, message, count / lines, shown, _REMEDY, shifts[0], first,
    )  # fmt: skip


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count:,} lines"

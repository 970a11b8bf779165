"""The report: leaderboard, tests, plots and every sentence, in one HTML file.

The room is also a call: `corrigenda.report(corpus, systems)` makes a report.
"""

import sys
from types import ModuleType
from typing import Any

from corrigenda.report.build import ReportOptions, report, write_report
from corrigenda.report.call import ReportPage, report_on
from corrigenda.report.human import HumanScores

__all__ = ["HumanScores", "ReportOptions", "ReportPage", "report", "report_on", "write_report"]


class _CallableReport(ModuleType):
    """Python gives the package the name of this room, so the public call of that name is here."""

    __wrapped__ = staticmethod(report_on)  # `inspect.signature` and `help` show it

    def __call__(self, *args: Any, **kwargs: Any) -> ReportPage:
        return report_on(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableReport

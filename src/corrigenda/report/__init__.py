"""The report: leaderboard, tests, plots and every sentence, in one HTML file."""

from corrigenda.report.build import ReportOptions, report, write_report
from corrigenda.report.human import HumanScores

__all__ = ["HumanScores", "ReportOptions", "report", "write_report"]

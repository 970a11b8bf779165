"""File formats: one module per format, each with the functions that read and write it."""

from corrigenda.formats.ixml import read_corpus as read_ixml
from corrigenda.formats.jsonl import read_corpus as read_jsonl
from corrigenda.formats.m2 import read_corpus as read_m2
from corrigenda.formats.m2 import read_hypotheses as read_m2_hypotheses
from corrigenda.formats.text import read_corpus as read_text
from corrigenda.formats.text import read_hypotheses

__all__ = [
    "read_hypotheses",
    "read_ixml",
    "read_jsonl",
    "read_m2",
    "read_m2_hypotheses",
    "read_text",
]

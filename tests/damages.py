"""Ways in which the file of a system is wrong although each line looks like a sentence.

Each takes the lines of an output, and a share of the lines to damage where that makes sense.
"""

from __future__ import annotations

import html
import json
import random
import re
import unicodedata
from collections.abc import Callable, Sequence

Lines = list[str]
_OPENING, _CLOSING = "([{", ")]}.,;:!?%"
_CONTRACTION = re.compile(r" (n't|'(?:s|re|ve|ll|d|m))(?= |$)", re.IGNORECASE)
_CYRILLIC = str.maketrans("aeopcxy", "аеорсху")
_WIDE = str.maketrans(".,;:!?", "．，；：！？")
_GREEK = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβκδεφγηιξκλμνοπθρστυβωχψζ")


def detokenised(line: str) -> str:
    """The sentence as people write it: no blanks before punctuation or inside contractions.

    As with other detokenisers, blanks around a hyphen stay: they may be a dash.
    """
    text = _CONTRACTION.sub(r"\1", " ".join(line.split()))
    text = re.sub(r" ([.,;:!?%)\]}])", r"\1", text)
    text = re.sub(r"([(\[{$#]) ", r"\1", text)
    text = re.sub(r"`` ?| ?''", '"', text)
    return re.sub(r'" ([^"]*?) "', r'"\1"', text)


def glued_contractions(line: str) -> str:
    """Contractions are one word, and all else is tokenised."""
    return _CONTRACTION.sub(r"\1", line)


def shuffled(lines: Sequence[str], share: float = 1.0, seed: int = 0) -> Lines:
    """A share of the lines exchange their places."""
    generator = random.Random(seed)
    chosen = sorted(generator.sample(range(len(lines)), int(share * len(lines))))
    others = chosen[:]
    generator.shuffle(others)
    moved = list(lines)
    for place, other in zip(chosen, others, strict=True):
        moved[place] = lines[other]
    return moved


def shifted(lines: Sequence[str], shift: int, first: int = 0) -> Lines:
    """From line `first` (from 0) on, each line is `shift` lines too low, or too high if negative.

    Lines are inserted or lost there; the end of the file is filled up or cut.
    """
    head, tail = list(lines[:first]), list(lines[first:])
    if shift > 0:
        return [*head, *[""] * shift, *tail][: len(lines)]
    return [*head, *tail[-shift:], *[""] * -shift]


def on_share(change: Callable[[str], str], share: float = 1.0) -> Callable[[Sequence[str]], Lines]:
    """Change a share of the lines, spread evenly."""

    def damage(lines: Sequence[str]) -> Lines:
        return [
            change(line) if int((place + 1) * share) > int(place * share) else line
            for place, line in enumerate(lines)
        ]

    return damage


def _pieces(word: str) -> list[str]:
    return [word] if len(word) < 6 else [word[: len(word) // 2], word[len(word) // 2 :]]


def bpe(line: str) -> str:
    return " ".join("@@ ".join(_pieces(word)) for word in line.split())


def sentencepiece(line: str) -> str:
    return " ".join("▁" + " ".join(_pieces(word)) for word in line.split())


def wordpiece(line: str) -> str:
    return " ".join(" ##".join(_pieces(word)) for word in line.split())


def repeated(line: str) -> str:
    words = line.split()
    return " ".join(words[:3] + words[3:5] * 12)


def cut_at_words(limit: int) -> Callable[[Sequence[str]], Lines]:
    return lambda lines: [" ".join(line.split()[:limit]) for line in lines]


def cut_at_characters(limit: int) -> Callable[[Sequence[str]], Lines]:
    return lambda lines: [line[:limit] for line in lines]


def half(line: str) -> str:
    words = line.split()
    return " ".join(words[: max(1, len(words) // 2)])


def as_json(line: str) -> str:
    return json.dumps({"correction": line}, ensure_ascii=False)


ON_LINES: dict[str, tuple[str, Callable[[str], str]]] = {
    "detokenised": ("tokenised-differently", detokenised),
    "contractions": ("tokenised-differently", glued_contractions),
    "bpe": ("subword-marks", bpe),
    "sentencepiece": ("subword-marks", sentencepiece),
    "marks of subwords removed": (
        "tokenised-differently",
        lambda line: bpe(line).replace("@@", ""),
    ),
    "wordpiece": ("subword-marks", wordpiece),
    "bytes": ("subword-marks", lambda line: "Ġ" + line.replace(" ", " Ġ")),
    "joiners": ("subword-marks", lambda line: re.sub(r" ([.,;:!?])", r" ￭\1", line)),
    "unknown words": ("placeholders", lambda line: re.sub(r"\b\w{4,}", "<unk>", line, count=1)),
    "other unknown words": ("placeholders", lambda line: re.sub(r"\b\w{4,}", " ⁇ ", line, count=1)),
    "digits": ("placeholders", lambda line: re.sub(r"\d", "#", line)),
    "zeros": ("placeholders", lambda line: re.sub(r"\d", "0", line)),
    "numbers": ("placeholders", lambda line: re.sub(r"\b\d[\d.,]*", "NUM", line)),
    "prefix": ("constant-affix", lambda line: f"Corrected: {line}"),
    "two words before": ("constant-affix", lambda line: f"Output sentence : {line}"),
    "suffix": ("constant-affix", lambda line: f"{line} [END]"),
    "quoted": ("constant-affix", lambda line: f'"{line}"'),
    "curly quotes around": ("constant-affix", lambda line: f"“{line}”"),
    "sgml": ("markup", lambda line: f"<s> {line} </s>"),
    "seg": ("markup", lambda line: f'<seg id="1">{line}</seg>'),
    "entities": ("markup", lambda line: html.escape(line + ' "so" &')),
    "json": ("markup", as_json),
    "markdown": ("markup", lambda line: f"**{line}**"),
    "code": ("markup", lambda line: f"```{line}```"),
    "empty": ("empty", lambda line: ""),
    "half": ("truncated", half),
    "loops": ("repeated", repeated),
    "the line again": ("repeated", lambda line: " ".join([line] * 4)),
    "laughs": ("repeated", lambda line: f"{line} {'ha' * 40}"),
    "not a number": ("repeated", lambda line: "nan"),
    "refusal": ("repeated", lambda line: "I am sorry , but I can not help with that ."),
    "lower": ("case", str.lower),
    "upper": ("case", str.upper),
    "title": ("case", str.title),
    "one capital": ("case", str.capitalize),
    "small first": ("case", lambda line: line[:1].lower() + line[1:]),
    "zero width": ("invisible-characters", lambda line: line.replace(" ", " \u200b")),
    "soft hyphen": ("invisible-characters", lambda line: line.replace("e", "e\u00ad", 1)),
    "bom": ("invisible-characters", lambda line: "\ufeff" + line),
    "homoglyphs": ("invisible-characters", lambda line: line.translate(_CYRILLIC)),
    "nfd": ("invisible-characters", lambda line: unicodedata.normalize("NFD", line)),
    "curly": ("invisible-characters", lambda line: line.replace("'", "’").replace('"', "”")),
    "mathematical letters": (
        "script",
        lambda line: "".join(
            chr(0x1D41A + ord(letter) - 97) if "a" <= letter <= "z" else letter for letter in line
        ),
    ),
    "greek": ("script", lambda line: line.lower().translate(_GREEK)),
    "no marks": ("punctuation", lambda line: " ".join(re.sub(r"[.,;:!?]", "", line).split())),
    "no end": ("punctuation", lambda line: re.sub(r"[ .?!]+$", "", line)),
    "two ends": ("punctuation", lambda line: f"{line} ."),
    "mojibake": ("encoding", lambda line: line.replace("e", "é").encode().decode("latin-1")),
    "question marks": ("encoding", lambda line: re.sub(r"\w", "?", line)),
    "replaced": ("encoding", lambda line: line.replace("e", "\ufffd", 1)),
    "wide marks": ("invisible-characters", lambda line: line.translate(_WIDE)),
    "hyphens": ("invisible-characters", lambda line: f"{line[:-1].replace('-', '‑')}so‑called ."),
    "ligatures": (
        "invisible-characters",
        lambda line: re.sub("fi|fl|[ei]", "\ufb01", line, count=1),
    ),
    "end of text": ("markup", lambda line: f"{line}<|endoftext|>"),
    "escaped": ("markup", lambda line: line.replace(" ", "\\n", 1)),
    "changes": ("markup", lambda line: re.sub(r"^(\S+)", r"[-\1-] {+\1+}", line)),
    "declared": ("markup", lambda line: f'<?xml version="1.0"?>{line}'),
    "underlined": ("markup", lambda line: f"_{line}_"),
    "struck out": ("markup", lambda line: re.sub(r"(\w{3,})", r"~~\1~~ \1", line, count=1)),
    "bold": ("markup", lambda line: re.sub(r"(\w{3,})", r"**\1**", line, count=1)),
    "dash before": ("constant-affix", lambda line: f"- {line}"),
    "twice": ("too-long", lambda line: f"{line} -> {line}"),
    "no last words": ("truncated", lambda line: " ".join(line.split()[:-4])),
    "no first words": ("truncated", lambda line: " ".join(line.split()[4:])),
    "no blanks": ("tokenised-differently", lambda line: line.replace(" ", "")),
    "underscores": ("tokenised-differently", lambda line: line.replace(" ", "_")),
    "characters": ("tokenised-differently", " ".join),
}
"""By name: the code of the finding, and what happens to a line."""

"""Generated text of any size: invented words and errors, the same for the same seed.

Lengths and frequencies are close to those of learner essays: about 23 words per sentence, a few
very frequent words and many rare ones, and about one wrong word in ten in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

WORDS = 30_000
MEAN_LENGTH = 23
BLOCK_SENTENCES = 50_000
_SYLLABLES = (
    "ba",
    "de",
    "fi",
    "go",
    "hu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "sha",
)

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Text:
    """Sentences as one array of words, and for each word the number of its sentence."""

    words: Ids
    sentence: Ids
    sentences: int

    def lines(self) -> Iterator[str]:
        vocabulary = made_up_words()
        words = vocabulary[self.words].tolist()
        ends = np.cumsum(np.bincount(self.sentence, minlength=self.sentences)).tolist()
        begin = 0
        for end in ends:
            yield " ".join(words[begin:end])
            begin = end


def made_up_words() -> npt.NDArray[np.object_]:
    """Distinct words of two to five syllables: each digit of a number is written as a syllable."""
    base = len(_SYLLABLES)
    words = []
    for number in range(base, base + WORDS):
        syllables = []
        while number:
            number, digit = divmod(number, base)
            syllables.append(_SYLLABLES[digit])
        words.append("".join(syllables))
    return np.array(words, dtype=object)


def correct_text(sentences: int, random: np.random.Generator) -> Text:
    lengths = np.clip(random.gamma(4.0, MEAN_LENGTH / 4.0, sentences).round(), 1, 200).astype(
        np.int64
    )
    return Text(
        _frequent_words(int(lengths.sum()), random),
        np.repeat(np.arange(sentences), lengths),
        sentences,
    )


def changed(text: Text, rate: float, random: np.random.Generator) -> Text:
    """The text with words replaced, deleted and inserted, each at a third of the rate."""
    chance = random.random(len(text.words))
    words = np.where(chance < rate / 3, _frequent_words(len(chance), random), text.words)
    times = np.ones(len(words), np.int64)
    times[(chance >= rate / 3) & (chance < 2 * rate / 3)] = 0
    times[(chance >= 2 * rate / 3) & (chance < rate)] = 2
    copies = np.repeat(words, times)
    second = np.flatnonzero(np.repeat(times == 2, times))[1::2]
    copies[second] = _frequent_words(len(second), random)
    return Text(copies, np.repeat(text.sentence, times), text.sentences)


def _frequent_words(count: int, random: np.random.Generator) -> Ids:
    # Rank r has a probability near 1 / r: invert the logarithm.
    return (np.exp(random.random(count) * np.log(WORDS)) - 1).astype(np.int64)


@dataclass(frozen=True)
class Files:
    source: Path
    references: tuple[Path, ...]
    hypotheses: tuple[Path, ...]


def write_files(
    folder: Path, sentences: int, *, references: int, systems: int, seed: int = 0
) -> Files:
    """Write the text files of a corpus, with one block in memory at a time.

    The source is correct text with many changes. A reference is the same correct text with a few
    other changes. A system is the source with some more changes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = Files(
        folder / "source.txt",
        tuple(folder / f"ref{number}.txt" for number in range(references)),
        tuple(folder / f"system{number}.txt" for number in range(systems)),
    )
    for path in (files.source, *files.references, *files.hypotheses):
        path.write_bytes(b"")
    random = np.random.default_rng(seed)
    for begin in range(0, sentences, BLOCK_SENTENCES):
        perfect = correct_text(min(BLOCK_SENTENCES, sentences - begin), random)
        errors = changed(perfect, 0.1, random)
        _append(files.source, errors)
        for path in files.references:
            _append(path, changed(perfect, 0.03, random))
        for path in files.hypotheses:
            _append(path, changed(errors, 0.05, random))
    return files


def _append(path: Path, text: Text) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in text.lines())

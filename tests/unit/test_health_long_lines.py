"""Very long lines are not examined: they would take more memory and time than their scores."""

from __future__ import annotations

import pytest

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health import Examination, examine, long_lines

SOURCES = tuple(f"This are sentence {place} of the text ." for place in range(40))
REFERENCES = tuple((text.replace("are", "is"),) for text in SOURCES)
OUTPUTS = tuple(text for (text,) in REFERENCES)


def replaced(texts: tuple[str, ...], long: str) -> tuple[str, ...]:
    return (*texts[:20], long, *texts[21:])


def without(texts: tuple[object, ...]) -> tuple[object, ...]:
    return (*texts[:20], *texts[21:])


@pytest.mark.parametrize("where", ["source", "reference", "second reference", "output"])
def test_a_line_that_is_too_long_is_left_out_of_all_texts(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_lines, "LONGEST_EXAMINED", 100)
    long = "<s> @@ word " * 40
    sources, references, outputs = SOURCES, REFERENCES, OUTPUTS
    if where == "source":
        sources = replaced(sources, long)
    elif where == "output":
        outputs = replaced(outputs, long)
    else:
        more = (long,) if where == "reference" else ("short", long)
        references = (*references[:20], more, *references[21:])
    kept, (output,), places = long_lines.without_long_lines(
        Corpus(sources, references), [Hypotheses("ours", outputs)]
    )
    assert kept.sources == without(SOURCES)
    assert kept.references == without(REFERENCES)
    assert output.sentences == without(OUTPUTS)
    assert places.tolist() == [*range(20), *range(21, 40)]


def test_nothing_is_found_in_lines_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus(SOURCES, REFERENCES)
    systems = [Hypotheses("ours", tuple(f"{text} @@ {text}" * 9 for text in OUTPUTS))]
    assert examine(corpus, systems)
    monkeypatch.setattr(long_lines, "LONGEST_EXAMINED", 100)
    examination = Examination()
    examination.add(corpus, systems)
    assert examination.findings() == ()


def test_short_lines_are_the_same_texts() -> None:
    corpus, systems = Corpus(SOURCES, REFERENCES), [Hypotheses("ours", OUTPUTS)]
    same, outputs, _ = long_lines.without_long_lines(corpus, systems)
    assert same is corpus
    assert outputs is systems

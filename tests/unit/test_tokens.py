"""Words for raw text: anchored at the source, so that an untouched sentence has no edits."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damages
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.missing import with_missing
from corrigenda.data import SAMPLE
from corrigenda.errors import FormatError, SentenceError, UsageError
from corrigenda.formats import read_hypotheses, read_m2, read_text
from corrigenda.scoring import evaluate
from corrigenda.text.tokenisers import tokeniser
from corrigenda.tokens import Retokeniser, anchored
from examples import examples

WORDS = st.lists(
    st.sampled_from(["He", "goes", ",", ".", "n't", "is", "'s", "3", "3.5", "(", "well-known", "日", "本"]),
    max_size=10,
)  # fmt: skip
SPACED = st.lists(st.sampled_from(["", " ", "  "]), min_size=12, max_size=12)
RAW = ("intl", "char", "zh")


@pytest.mark.parametrize("name", RAW)
@given(source=WORDS, blanks=SPACED)
@settings(max_examples=examples(60))
def test_an_untouched_sentence_has_the_words_of_its_source(
    name: str, source: list[str], blanks: list[str]
) -> None:
    """Whatever blanks were lost or added, and whatever the tokeniser does."""
    text = "".join(word + blank for word, blank in zip(source, blanks, strict=False))
    assert anchored(source, text, tokeniser(name)) == source


@pytest.mark.parametrize("name", RAW)
@given(source=WORDS, output=WORDS, blanks=SPACED)
@settings(max_examples=examples(60))
def test_no_character_is_lost(
    name: str, source: list[str], output: list[str], blanks: list[str]
) -> None:
    text = "".join(word + blank for word, blank in zip(output, blanks, strict=False))
    words = anchored(source, text, tokeniser(name))
    assert "".join(words) == "".join(text.split())
    assert all(words)
    assert "".join(tokeniser(name)(text)) == "".join(text.split())


@pytest.mark.parametrize(
    ("source", "text", "words"),
    [
        ("It is n't far .", "It wasn't far.", "It was n't far ."),
        ("It is n't far .", "It isn't far away, is it?", "It is n't far away , is it ?"),
        ("He have a well-known dog .", "He has a well - known dog.", "He has a well-known dog ."),
        ("I go", "", ""),
        ("", "He goes.", "He goes ."),
    ],
)
def test_by_hand(source: str, text: str, words: str) -> None:
    assert anchored(source.split(), text, tokeniser("intl")) == words.split()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("intl", "It isn ' t $ 3.50 , 日本語 。"),
        ("zh", "It isn ' t $ 3.50 , 日 本 語 。"),
        ("char", "I t i s n ' t $ 3 . 5 0 , 日 本 語 。"),
    ],
)
def test_tokenisers(name: str, words: str) -> None:
    assert tokeniser(name)("It isn't $3.50, 日本語。") == words.split()


def test_there_is_no_such_tokeniser() -> None:
    with pytest.raises(UsageError, match="no tokeniser 'moses'"):
        Retokeniser("moses")


def test_gold_edits_keep_their_words() -> None:
    gold = read_m2(SAMPLE / "gold.m2")
    raw = Hypotheses("ours", tuple(map(damages.detokenised, gold.sources)))
    retokeniser = Retokeniser("auto")
    corpus, (output,) = retokeniser(gold, [raw])
    assert output.sentences == tuple(" ".join(each.split()) for each in gold.sources)
    assert (corpus.sources, corpus.references) == (gold.sources, gold.references)
    assert retokeniser.removed["ours"] > 50
    with pytest.raises(UsageError, match="gold edits"):
        Retokeniser("intl")(gold, [raw])


def test_the_signature_says_so() -> None:
    text = {"source": ["He go, too.", "Hi, there!"], "hypothesis": ["He goes, too.", "Hi, there!"]}
    corpus = Corpus.from_lists(text["source"], ["He goes, too.", "Hi there!"])
    (result,) = evaluate(corpus, {"ours": text["hypothesis"]}, ["green"], tokenise="auto")
    assert "|tok:auto(intl)|" in result.signature
    (plain,) = evaluate(corpus, {"ours": text["hypothesis"]}, ["green"])
    assert "tok:" not in plain.signature


def shifting(line: str) -> str:
    """A detokeniser that shifts punctuation to the left or right and counts quotes."""
    text, blank, quotes = "", "", 0
    for word in line.split():
        left = re.fullmatch(r"[,.?!:;%}\])]+|n't|'\w+", word) or (word in QUOTES and quotes % 2)
        right = re.fullmatch(r"[(\[{$]+", word) or (word in QUOTES and quotes % 2 == 0)
        text += word if left else blank + word
        blank = "" if right else " "
        quotes += word in QUOTES
    return text


QUOTES = ('"', "``", "''", "'")


def gluing(line: str) -> str:
    """A detokeniser that knows only the end of words: contractions stay apart."""
    return re.sub(r" ([.,;:!?)])", r"\1", line.replace("( ", "("))


@pytest.mark.slow
@pytest.mark.parametrize("detokenise", [damages.detokenised, shifting, gluing])
@pytest.mark.parametrize("name", ["T5", "TransGEC"])
def test_raw_text_scores_as_tokenised_text_does(
    conll: Corpus, shared: Path, name: str, detokenise: Callable[[str], str]
) -> None:
    """Raw text with `auto` beside the tokenised text as it was shipped."""
    output = read_hypotheses(shared / "data" / "seeda" / "outputs" / "all" / f"{name}.txt")
    raw = Corpus(
        tuple(map(detokenise, conll.sources)),
        tuple(tuple(map(detokenise, each)) for each in conll.references),
    )
    raw_output = Hypotheses(name, tuple(map(detokenise, output.sentences)))
    expected = evaluate(conll, [output], ["green", "m2"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(raw, [raw_output], ["green", "m2"], tokenise="auto")
    for one, other in zip(found, expected, strict=True):
        assert one.score == pytest.approx(other.score, abs=0.005)


def test_blanks_of_raw_text_count_and_those_of_a_tokeniser_do_not() -> None:
    source = ("It is well-known,and his/her everyday life.", "He said so.", "Yes, he did.")
    corpus = Corpus(source, tuple((text,) for text in source))
    raw = Hypotheses("raw", ("It is well - known, and his/her every day life.", *source[1:]))
    tokenised = Hypotheses(
        "tokenised",
        ("It is well - known , and his / her everyday life .", "He said so .", "Yes , he did ."),
    )
    made, (one, other) = Retokeniser("auto")(corpus, [raw, tokenised])
    assert made.sources[0] == "It is well-known,and his/her everyday life ."
    assert made.references == tuple((text,) for text in made.sources)
    assert one.sentences[0] == "It is well - known , and his/her every day life ."
    assert one.sentences[1:] == made.sources[1:]
    assert other.sentences == made.sources


@pytest.mark.parametrize(
    ("choice", "source", "text", "removed"),
    [
        ("auto", "He go , too .", "He goes, too.", 1),
        ("auto", "He go, too.", "He goes , too .", 1),
        ("auto", "He go, too. So. So.", "He goes, too. So . So.", 1),
        ("auto", "I go alot. So.", "I goes a lot. So.", 0),
        ("auto", "He go , too .", "He goes , too .", 0),
        ("intl", "He go , too .", "He goes, too.", 1),
        ("intl", "He go , alot .", "He goes, a lot.", 1),
        ("char", "He go , alot .", "He goes, a lot.", 2),
    ],
)
def test_edits_of_tokenisation_alone_are_counted(
    choice: str, source: str, text: str, removed: int
) -> None:
    retokeniser = Retokeniser(choice)
    retokeniser(Corpus((source,), ((source,),)), [Hypotheses("ours", (text,))])
    assert retokeniser.to_dict()["removed"] == {"ours": removed}


def test_long_lines_that_repeat() -> None:
    """The time of a search that is not bounded grows with the cube of the length."""
    source, text = "ab, " * 3_500 + "a", "ba " * 4_600 + "b"
    corpus = Corpus(("so", source), (("so",), (source,)))
    retokeniser = Retokeniser("intl")
    retokeniser(corpus, [Hypotheses("ours", ("so", text))])
    assert retokeniser.removed["ours"] == 0


@pytest.mark.parametrize("choice", ["auto", "intl"])
def test_a_line_that_needs_too_much_memory(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRIGENDA_MAX_MEMORY", "1")
    text = "a, b " * 2_000
    corpus = Corpus(("so", text + "c d"), (("so",), (text + "c d",)))
    with pytest.raises(SentenceError, match=r"sentence 2: .* characters that differ need more"):
        Retokeniser(choice)(corpus, [Hypotheses("ours", ("so", "d c" + text.replace(",", " ,")))])


def test_missing_references() -> None:
    corpus = Corpus(("He go .", "", "Hi ."), (("He goes .", " "), ("", ""), ("Hi .", "Hi !")))
    assert with_missing(corpus, "empty") is corpus
    assert with_missing(corpus, "none").references == (("He goes .",), ("", ""), ("Hi .", "Hi !"))
    with pytest.raises(FormatError, match="reference 2: line 11 is empty"):
        with_missing(corpus, "error", first_line=11)


def test_parts_of_a_tokenised_corpus_keep_what_was_given() -> None:
    corpus = read_text(SAMPLE / "source.txt", [SAMPLE / "ref0.txt"])
    output = read_hypotheses(SAMPLE / "strong.txt")
    made, (words,) = Retokeniser("auto")(corpus, [output])
    parts = [made[part] for part in made.blocks(17)]
    assert Corpus.joined(parts).given == corpus
    assert made.at([3, 5]).given == corpus.at([3, 5])
    outputs = [words[part] for part in made.blocks(17)]
    assert Hypotheses.joined(outputs).given == output
    assert words.at([3, 5]).given == output.at([3, 5])

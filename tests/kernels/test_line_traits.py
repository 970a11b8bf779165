"""The traits of lines against their definitions in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.kernels.line_traits import (
    SCRIPTS,
    TRAITS,
    LineTraits,
    line_traits,
    nearest,
    shared_bits,
)
from examples import examples

PIECES = st.sampled_from(
    ["a", "B", "é", "д", "Ж", "中", " ", "  ", "\t", ",", ".", "!", "'s", "n't", "isn't", "@@", "##x",
     "▁", "<b>", "</b>", "<unk>", "&amp;", "\u200b", "’", '"', "7", "word", "\u00a0"]
)  # fmt: skip
LINES = st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=6)


def trait(lines: list[str], name: str) -> list[int]:
    return getattr(line_traits(lines, threads=1), name).tolist()


@given(LINES)
@settings(max_examples=examples(60))
def test_plain_definitions(lines: list[str]) -> None:
    words = [line.split() for line in lines]
    assert trait(lines, "words") == [len(each) for each in words]
    assert trait(lines, "characters") == [sum(map(len, each)) for each in words]
    for name, test in (
        ("upper", str.isupper),
        ("lower", str.islower),
        ("letters", str.isalpha),
        ("invisible", lambda character: character == "\u200b"),
        ("straight", lambda character: character in "'\""),
        ("curly", lambda character: character == "’"),
        ("sentencepiece", lambda character: character == "▁"),
    ):
        expected = [sum(map(test, "".join(each))) for each in words]
        assert trait(lines, name) == expected, name
    assert trait(lines, "width") == [len(line.strip()) for line in lines]
    free = [sum(word in ",.;:?!" for word in each) for each in words]
    assert trait(lines, "free") == free
    assert trait(lines, "bpe") == [sum(word.endswith("@@") for word in each) for each in words]


@given(LINES)
@settings(max_examples=examples(60))
def test_equal_hashes_mean_equal_words(lines: list[str]) -> None:
    hashes = line_traits(lines, threads=1).hashes
    for one, first in enumerate(lines):
        for other, second in enumerate(lines):
            same_words = first.split() == second.split()
            same_ink = "".join(first.split()) == "".join(second.split())
            assert (hashes[one, 0] == hashes[other, 0]) == same_words
            assert (hashes[one, 1] == hashes[other, 1]) == same_ink


@given(LINES, st.integers(1, 4))
@settings(max_examples=examples(30))
def test_threads_and_neighbours_change_nothing(lines: list[str], threads: int) -> None:
    together = line_traits(lines * 200, threads=threads)
    for place, line in enumerate(lines):
        alone = line_traits([line], threads=1)
        assert (together.numbers[place] == alone.numbers[0]).all()
        assert (together.hashes[place] == alone.hashes[0]).all()
        assert (together.sketches[place] == alone.sketches[0]).all()


@pytest.mark.parametrize(
    ("line", "name", "expected"),
    [
        ("An up-to-date one , 3 times .", "runs", 6),
        ("Isn't it ? Isn’t it ?", "runs", 4),
        ("de\u0301ja\u0300 vu\u200bs", "runs", 2),
        ("I do n't , I don't , I don 't .", "cut_contractions", 1),
        ("We can ’t .", "cut_contractions", 1),
        ("This is __so__ and ~~so~~ new .", "emphasis", 2),
        ("Fill in the ____ , some_name and __init .", "emphasis", 0),
        ("A well\u2010known co\u2011worker", "mixed_words", 2),
        ("He goes , and stays .", "glued", 0),
        ("He goes, and stays.", "glued", 2),
        ("He met Mr. Hill .", "glued", 0),
        ("It is n't Ann 's .", "free_contractions", 2),
        ("It isn't Ann's .", "glued_contractions", 2),
        ("O'Neill 's", "glued_contractions", 0),
        ("un@@ happy", "bpe", 1),
        ("play ##ing # 1", "wordpiece", 1),
        ("<s> a < b > c </s>", "tags", 2),
        ("a <unk> b", "tags", 0),
        ("a <b and c> d", "tags", 0),
        ('<s id="1"> a <br /> b', "tags", 2),
        ("<unk> and [UNK] and ⁇ and UNK", "unknown", 4),
        ("well @-@ known", "bpe", 1),
        ("ĠThe Ġdog Ġsat", "sentencepiece", 3),
        ("Ġorġ mar id-dar illum", "sentencepiece", 0),
        ("a ￭, b", "sentencepiece", 1),
        ("10 of 2007", "digits", 3),
        ("a well-known , well - known man", "inner_hyphens", 1),
        ("a well-known , well - known man", "free_hyphens", 1),
        ("`code` and ``quotes'' and [-old-] {+new+}", "emphasis", 3),
        ("می\u200cروم", "invisible", 0),
        ("go\u200cing", "invisible", 1),
        ("ខ្ញុំ\u200bទៅ", "invisible", 0),
        ("❤\ufe0f wo\ufe0frd", "invisible", 1),
        ("ha" * 20, "repeats", 20),
        ("-" * 40, "repeats", 1),
        (" ".join(["a b c d e f g h i j k"] * 5), "repeats", 5),
        (" ".join(["so", *["a b c d e f g h i j k"] * 4]), "repeats", 4),
        ("AT&amp;T &#39; R&D;", "entities", 2),
        ("the cat the cat the cat sat", "repeats", 3),
        ("so . . . . . .", "repeats", 1),
        ("very very good", "repeats", 2),
        ("раper", "mixed_words", 1),
        ("the Жук", "mixed_words", 0),
        ('" the cat', "first_case", 2),
        ("1 The cat", "first_case", 1),
        ("The Cat Sat 3", "capitalised", 3),
        ("{ x }", "last", ord("}")),
        ("", "first", 0),
    ],
)
def test_by_hand(line: str, name: str, expected: int) -> None:
    assert trait([line], name) == [expected]


@pytest.mark.parametrize(
    ("line", "script"),
    [("Ein Fuß", "Latin"), ("Ο σκύλος", "Greek"), ("собака", "Cyrillic"), ("كلب", "Arabic"),
     ("강아지", "Hangul"), ("犬がいる", "Chinese or Japanese"), ("สุนัข", "Thai"), ("ໝາ", "Lao"),
     ("ཁྱི", "Tibetan"), ("ခွေး", "Burmese"), ("ឆ្កែ", "Khmer"), ("𝐝𝐨𝐠", "full-width Latin")],
)  # fmt: skip
def test_scripts(line: str, script: str) -> None:
    assert trait([line], "script") == [SCRIPTS.index(script)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Vcera jsem sel do skoly", "Včera jsem šel do školy"), ("Αυτη ειναι", "Αυτή είναι"),
     ("Toi di hoc hom qua", "Tôi đi học hôm qua"), ("كتب", "كَتَبَ"),
     ("мы живем", "мы живём")],
)  # fmt: skip
def test_accents_do_not_change_a_sketch(one: str, other: str) -> None:
    sketches = line_traits([one, other], threads=1).sketches
    assert (sketches[0] == sketches[1]).all()


def test_a_sketch_sees_letters_alone() -> None:
    one, other, third = line_traits(
        ["The cats ' house is n't far .", "the CATS' house isn't far", "Quite another thing"],
        threads=1,
    ).sketches
    assert (one == other).all()
    assert (one != third).any()


@given(LINES, LINES)
@settings(max_examples=examples(30))
def test_shared_bits_and_nearest(lines: list[str], others: list[str]) -> None:
    ones = line_traits([line + " and so on and on" for line in lines], threads=1)
    rest = line_traits([line + " and on and so on" for line in others], threads=1)

    def bits(traits: LineTraits, row: int) -> set[int]:
        return set(np.flatnonzero(np.unpackbits(traits.sketches[row].view(np.uint8))).tolist())

    found, alike = nearest(ones.sketches, rest.sketches, np.arange(len(lines)), threads=2)
    for row in range(len(lines)):
        mine = bits(ones, row)
        assert ones.sizes[row] == len(mine)
        shares = []
        for other in range(len(others)):
            theirs = bits(rest, other)
            pair = shared_bits(ones.sketches, rest.sketches, np.array([row]), np.array([other]))
            assert pair.tolist() == [len(mine & theirs)]
            small, large = sorted([len(mine), len(theirs)])
            shares.append(len(mine & theirs) / small if 2 * small >= large > 0 else 0.0)
        assert alike[row] == pytest.approx(max(shares))
        assert found[row] == (shares.index(max(shares)) if max(shares) > 0 else -1)


def test_rows_outside_are_refused() -> None:
    sketches = line_traits(["a"], threads=1).sketches
    with pytest.raises(ValueError, match="between 0 and 0"):
        nearest(sketches, sketches, np.array([1]), threads=1)
    with pytest.raises(ValueError, match="another row"):
        shared_bits(sketches, sketches, np.array([0]), np.array([0, 0]))


def test_no_lines() -> None:
    traits = line_traits([], threads=1)
    assert traits.numbers.shape == (0, len(TRAITS))
    assert len(traits) == 0

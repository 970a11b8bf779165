"""Plain text from words: only blanks change, and the words come back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.text.detokeniser import detokenise
from corrigenda.text.tokenisers import international_at_edges
from examples import examples
from tiny_models import (  # noqa: F401
    encoder_folder,
    language_model_folder,
    needs_torch,
    regressor_folder,
    score_cache,
    translator_folder,
)

WORDS = st.sampled_from(
    ["I", "dogs", "can", "well-known", "3.5", "中", "国", ",", ".", "?", "n't", "'s", "(", ")", '"',
     "'", "``", "''", "$", "%", "-", "/", "...", "¿", "。", "'so", "Mr."]
)  # fmt: skip
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("tokenised", "plain"),
    [
        ("He did n't go , did he ?", "He didn't go, did he?"),
        ("It is Ann 's ( and mine ) .", "It is Ann's (and mine)."),
        ('" So , " he said , " it is . "', '"So," he said, "it is."'),
        ("`` So , '' he said .", "``So,'' he said."),
        ("the boys ' room and the ' new ' one", "the boys' room and the 'new' one"),
        ("how 'direct ' is it", "how 'direct' is it"),
        ("It costs $ 5 , or 10 % more ...", "It costs $5, or 10% more..."),
        ("a well - known man and / or woman", "a well - known man and / or woman"),
        ('a 5 " screen', 'a 5 " screen'),
        ("我 昨天 去 了 学校 。", "我昨天去了学校。"),
        ("나는 학교에 간다 .", "나는 학교에 간다."),
        ("Plain text, isn't it?", "Plain text, isn't it?"),
        ("", ""),
    ],
)
def test_by_hand(tokenised: str, plain: str) -> None:
    assert detokenise(tokenised) == plain


@given(SENTENCES)
@settings(max_examples=examples(200))
def test_only_blanks_change(sentence: str) -> None:
    assert "".join(detokenise(sentence).split()) == "".join(sentence.split())


@given(st.lists(WORDS.filter(lambda word: word[0] not in "'`\""), max_size=12).map(" ".join))
@settings(max_examples=examples(200))
def test_once_is_enough(sentence: str) -> None:
    """Loose quotes aside: in plain text they may find another partner."""
    plain = detokenise(sentence)
    assert detokenise(plain) == plain


@given(st.lists(st.sampled_from(["I", "dog", "ran", ",", "(", "well-known", "3.5", '" a "', "?"])))
@settings(max_examples=examples(200))
def test_words_come_back(words: list[str]) -> None:
    sentence = " ".join(words)
    assert international_at_edges(detokenise(sentence)) == sentence.split()


@pytest.mark.model
@needs_torch
@pytest.mark.usefixtures("score_cache")
@pytest.mark.parametrize("name", ["bertscore", "bartscore", "scribendi", "impara", "some"])
def test_models_read_plain_text(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def folder(kind: str) -> str:
        return str(request.getfixturevalue(f"{kind}_folder"))

    models = {
        "bertscore": lambda: f"model={folder('encoder')},idf=true",
        "bartscore": lambda: f"model={folder('translator')}",
        "scribendi": lambda: f"model={folder('language_model')}",
        "impara": lambda: f"model={folder('regressor')},similarity_model={folder('encoder')}",
        "some": lambda: ",".join(
            f"{part}={folder('regressor')}" for part in ("grammaticality", "fluency", "meaning")
        ),
    }
    metric = f"{name}:{models[name]()}"

    def other(text: str) -> str:
        return detokenise(text).replace("school", "c b a")

    # Some models do not see blanks, so other words stand for plain text.
    monkeypatch.setattr("corrigenda.metrics.plain_text.detokenise", other)
    texts = ("he go to school , a b", "he goes to school , a", "he goes ( school ) .", "a school b")
    source, output, *references = texts
    words = Corpus((source,), (tuple(references),))
    plain = Corpus((other(source),), (tuple(map(other, references)),))
    (made,) = evaluate(words, [Hypotheses("a", (output,))], [f"{metric},detokenise=true"])
    (given_plain,) = evaluate(plain, [Hypotheses("a", (other(output),))], [metric])
    (as_it_is,) = evaluate(words, [Hypotheses("a", (output,))], [metric])
    assert made.score == given_plain.score
    assert made.score != as_it_is.score or name == "scribendi"
    assert "|detokenise:true|" in made.signature
    assert "detokenise" not in given_plain.signature

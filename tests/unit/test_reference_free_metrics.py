"""Scribendi, IMPARA and SOME: against their models, asked one by one, and against gec-metrics."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.metrics.scribendi import distance_ratio, token_sort_ratio
from corrigenda.neural import settings as model_settings
from examples import examples
from lazily import Lazily
from tiny_models import (  # noqa: F401
    encoder_folder,
    language_model_folder,
    make_regressor,
    needs_torch,
    regressor_folder,
    score_cache,
    translator_folder,
)

torch = Lazily("torch")
transformers = Lazily("transformers")
with_models = [needs_torch, pytest.mark.model, pytest.mark.usefixtures("score_cache")]

SOURCES = (
    "he go to school every days",
    "a b c d",
    "he goes to school every day .",
    "a b",
    "",
    "d e f g a b c",
    "he go",
)
OUTPUTS = (
    "he goes to school every day",
    "a b c d",
    "every day he goes to school .",
    "",
    "a",
    "c b a g f e d",
    "he goes",
)
CORPUS = Corpus(SOURCES, ((),) * len(SOURCES))
SYSTEM = Hypotheses("ours", OUTPUTS)


def scores_of(specification: str, corpus: Corpus = CORPUS, system: Hypotheses = SYSTEM) -> list:
    (result,) = evaluate(corpus, [system], [specification], level="sentence", threads=1)
    return result.sentence_scores.tolist()


# Similar strings, without a model.


def slow_distance(one: str, other: str) -> int:
    """Insertions and deletions cost 1, substitutions 2."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            cost = min(row[j] + 1, row[j - 1] + 1, before + (0 if left == right else 2))
            before, row[j] = row[j], cost
    return row[-1]


@settings(max_examples=examples(200))
@given(one=st.text("ab c", max_size=12), other=st.text("ab c", max_size=12))
def test_the_distance_ratio_is_the_slow_one(one, other):
    total = len(one) + len(other)
    expected = 1 - slow_distance(one, other) / total if total else 1.0
    assert distance_ratio(one, other) == pytest.approx(expected)


@settings(max_examples=examples(100))
@given(one=st.text("aB .,1", max_size=12), other=st.text("aB .,1", max_size=12))
def test_the_token_sort_ratio_is_that_of_rapidfuzz_rounded(one, other):
    fuzz = pytest.importorskip("rapidfuzz.fuzz")
    process = pytest.importorskip("rapidfuzz.utils").default_process
    expected = fuzz.token_sort_ratio(one, other, processor=process)
    assert 100 * token_sort_ratio(one, other, drop_latin1=False) == pytest.approx(
        expected, abs=0.51
    )
    assert token_sort_ratio(one, other, drop_latin1=True) == token_sort_ratio(
        one, other, drop_latin1=False
    )


FUZZYWUZZY = [
    ("He don’t know .", "He doesn’t know .", 93),
    ("He don’t know .", "He don't know .", 100),
    ("“ Yes ” , he said .", '" Yes " , he said .', 100),
    ("привет мир", "пока", 14),
    ("привет , мир", "Мир привет !", 100),
    ("the café", "the caf", 100),
    ("naïve idea", "naive idea", 95),
    ("a — b", "b a", 100),
    ("snake_case x", "snake case x", 58),
    ("łódź", "lodz", 29),
    ("İ a", "i a", 86),
    ('"', "", 100),
    ("", "", 100),
    ("a", "", 0),
    ("x y z", "z y", 75),
    ("中文 词", "词 中文", 100),
]
"""What fuzzywuzzy 0.18.0 with python-Levenshtein 0.27 gives on Python 3, in hundredths."""


@pytest.mark.parametrize(("one", "other", "expected"), FUZZYWUZZY)
def test_the_token_sort_ratio_is_that_of_fuzzywuzzy(one, other, expected):
    assert token_sort_ratio(one, other, drop_latin1=True) == expected / 100


def test_letters_of_latin1_are_left_out_as_published():
    assert token_sort_ratio("é", "ß", drop_latin1=True) == 1.0
    assert token_sort_ratio("é", "ß", drop_latin1=False) == 0.0


# Against the models, one sentence at a time.


@cache
def loaded(kind: str, folder: str) -> Any:
    return getattr(transformers, kind).from_pretrained(folder).eval()


@cache
def tokenizer_of(folder: str) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder)


def perplexity(folder: str, text: str) -> float:
    tokenizer = tokenizer_of(folder)
    model = loaded("AutoModelForCausalLM", folder)
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text)["input_ids"]]])
    with torch.no_grad():
        return float(torch.exp(model(input_ids=ids, labels=ids).loss))


def slow_scribendi(folder: str, source: str, output: str, threshold: float = 0.8) -> int:
    if source == output:
        return 0
    if not output or perplexity(folder, source) <= perplexity(folder, output):
        return -1
    texts = source, output
    closest = max(token_sort_ratio(*texts, drop_latin1=True), distance_ratio(*texts))
    return 1 if closest >= threshold else -1


def rating(folder: str, *texts: str, pooling: str = "model") -> float:
    tokenizer = tokenizer_of(folder)
    model = loaded("AutoModelForSequenceClassification", folder)
    # In lists: a single empty text would be taken as no text.
    encoded = tokenizer(*([text] for text in texts), return_tensors="pt")
    with torch.no_grad():
        output = model(**encoded, output_hidden_states=True)
        if pooling == "mean":
            return float(model.classifier(output.hidden_states[-1].mean(1)))
        return float(output.logits)


def similarity(folder: str, one: str, other: str) -> float:
    tokenizer = tokenizer_of(folder)
    model = loaded("AutoModel", folder)
    with torch.no_grad():
        means = [
            model(**tokenizer(text, return_tensors="pt")).last_hidden_state.mean(1)
            for text in (one, other)
        ]
    return float(torch.nn.functional.cosine_similarity(*means))


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


class TestAgainstTheModels:
    pytestmark = with_models

    @pytest.mark.parametrize("batch_tokens", [1, 4096])
    def test_scribendi(self, language_model_folder, batch_tokens):  # noqa: F811
        expected = [
            slow_scribendi(language_model_folder, *texts)
            for texts in zip(SOURCES, OUTPUTS, strict=True)
        ]
        assert {-1, 0, 1} == set(expected)
        with model_settings.using(batch_tokens=batch_tokens):
            assert scores_of(f"scribendi:model={language_model_folder}") == expected

    def test_scribendi_adds_up_or_takes_the_mean(self, language_model_folder):  # noqa: F811
        specification = f"scribendi:model={language_model_folder}"
        total = sum(scores_of(specification))
        for aggregate, expected in (("sum", total), ("mean", total / len(SOURCES))):
            (result,) = evaluate(CORPUS, [SYSTEM], [f"{specification},aggregate={aggregate}"])
            assert result.score == pytest.approx(expected)
            assert f"|aggregate:{aggregate}|" in result.signature
            assert result.signature.endswith("|refs:0|level:corpus|v:0.1.0")

    def test_impara(self, regressor_folder, encoder_folder):  # noqa: F811
        similarities = [
            similarity(encoder_folder, *each) for each in zip(SOURCES, OUTPUTS, strict=True)
        ]
        threshold = sorted(similarities)[2] + 1e-3
        expected = [
            sigmoid(rating(regressor_folder, output)) if similar > threshold else 0.0
            for output, similar in zip(OUTPUTS, similarities, strict=True)
        ]
        assert expected.count(0.0) == 3
        models = f"model={regressor_folder},similarity_model={encoder_folder}"
        found = scores_of(f"impara:{models},threshold={threshold}")
        assert found == pytest.approx(expected, abs=1e-6)

    def test_at_the_threshold_the_original_says_zero(self, regressor_folder, encoder_folder):  # noqa: F811
        """The cosine of equal texts is exactly 1. gec-metrics keeps the score there."""
        same = Hypotheses("same", SOURCES)
        models = f"model={regressor_folder},similarity_model={encoder_folder}"
        assert scores_of(f"impara:{models},threshold=1", system=same) == [0.0] * len(SOURCES)
        assert min(scores_of(f"impara:{models}", system=same)) > 0

    def test_impara_ged(self, regressor_folder):  # noqa: F811
        expected = [sigmoid(rating(regressor_folder, output, pooling="mean")) for output in OUTPUTS]
        found = scores_of(f"impara:model={regressor_folder},similarity_model=none,pooling=mean")
        assert found == pytest.approx(expected, abs=1e-6)
        assert found != pytest.approx(
            scores_of(f"impara:model={regressor_folder},similarity_model=none"), abs=1e-3
        )

    def test_some(self, regressor_folder, tmp_path):  # noqa: F811
        other, third = (str(make_regressor(tmp_path / str(seed), seed)) for seed in (1, 2))
        specification = f"some:grammaticality={regressor_folder},fluency={other},meaning={third}"
        expected = []
        for source, output in zip(SOURCES, OUTPUTS, strict=True):
            g, f = rating(regressor_folder, output), rating(other, output)
            m = rating(third, source, output)
            g, f, m = ((x - 1) / 3 for x in (g, f, m))
            expected.append(0.55 * g + 0.43 * f + 0.02 * m)
        assert scores_of(specification) == pytest.approx(expected, abs=1e-5)


# Texts that are too long.


class TestTruncation:
    pytestmark = with_models

    LONG = " ".join(["a"] * 70)

    def remarks(self, specification: str, *outputs: str, reference: str | None = None) -> dict:
        references = ((),) if reference is None else ((reference,),)
        corpus = Corpus(("a b",) * len(outputs), references * len(outputs))
        (result,) = evaluate(corpus, [Hypotheses("ours", outputs)], [specification], threads=1)
        return dict(result.remarks)

    def test_every_metric_with_a_model(self, request):
        folders = {
            name: request.getfixturevalue(f"{name}_folder")
            for name in ("encoder", "translator", "regressor", "language_model")
        }
        rating = folders["regressor"]
        for specification in (
            f"bertscore:model={folders['encoder']}",
            f"bartscore:model={folders['translator']}",
            f"pt-m2:model={folders['encoder']}",
            f"pt-m2:scorer=bartscore,model={folders['translator']}",
            f"scribendi:model={folders['language_model']}",
            f"impara:model={rating},similarity_model=none,max_length=60",
            f"impara:model={rating},similarity_model={folders['encoder']}",
            f"some:grammaticality={rating},fluency={rating},meaning={rating},max_length=60",
        ):
            reference = None if metric(specification).needs_references == "none" else "a b"
            with pytest.warns(UserWarning, match="1 sentence is longer than the model reads"):
                found = self.remarks(specification, "a b", self.LONG, reference=reference)
            assert found == {"truncated_sentences": 1}
            assert self.remarks(specification, "a b", reference=reference) == {
                "truncated_sentences": 0
            }
            with pytest.warns(UserWarning, match="longer"):  # also from the store
                found = self.remarks(specification, self.LONG, reference=reference)
            assert found == {"truncated_sentences": 1}


class TestMistakes:
    def test_parameters(self):
        for specification in (
            "scribendi:threshold=2",
            "scribendi:aggregate=median",
            "impara:max_length=1",
            "impara:similarity_model=none,threshold=0.5",
            "some:weight_g=-1",
        ):
            with pytest.raises(MetricError):
                metric(specification)

    @needs_torch
    @pytest.mark.model
    def test_a_model_with_several_outputs_is_refused(self, tmp_path):
        folder = make_regressor(tmp_path / "model")
        config = (folder / "config.json").read_text(encoding="utf-8")
        labels = '"id2label": {"0": "x", "1": "y"}, "label2id": {"x": 0, "y": 1}, '
        start = config.index('"id2label"')
        end = config.index('"initializer_range"')
        (folder / "config.json").write_text(config[:start] + labels + config[end:], "utf-8")
        with pytest.raises(CorrigendaError, match=r"2 numbers per text|cannot be loaded"):
            scores_of(f"impara:model={folder},similarity_model=none")


# Against gec-metrics, where it is installed; the extra `bench` has it.


class TestGecMetrics:
    """The same scores, sentence by sentence, with the same models."""

    pytestmark = with_models

    @pytest.fixture(autouse=True)
    def _no_graphics_card(self, monkeypatch):
        pytest.importorskip("gec_metrics", exc_type=ImportError)
        monkeypatch.setattr(torch.nn.Module, "cuda", lambda self: self)

    # gec-metrics cannot score an empty sentence with a language model: it divides by zero.
    FILLED = tuple(place for place, text in enumerate(OUTPUTS) if text and SOURCES[place])

    def texts(self) -> tuple[list[str], list[str]]:
        return [SOURCES[i] for i in self.FILLED], [OUTPUTS[i] for i in self.FILLED]

    def ours(self, specification: str) -> list[float]:
        return scores_of(specification, CORPUS.at(self.FILLED), SYSTEM.at(self.FILLED))

    def test_scribendi(self, language_model_folder):  # noqa: F811
        from gec_metrics.metrics.scribendi import Scribendi

        theirs = Scribendi(Scribendi.Config(model=language_model_folder, no_cuda=True))
        expected = theirs.score_sentence(*self.texts())
        assert self.ours(f"scribendi:model={language_model_folder}") == expected
        (result,) = evaluate(
            CORPUS.at(self.FILLED),
            [SYSTEM.at(self.FILLED)],
            [f"scribendi:model={language_model_folder}"],
        )
        assert result.score == theirs.score_corpus(*self.texts())

    def test_impara(self, regressor_folder, encoder_folder):  # noqa: F811
        from gec_metrics.metrics.impara import IMPARA

        for threshold in (0.9, 0.97):
            config = IMPARA.Config(
                model_qe=regressor_folder,
                model_se=encoder_folder,
                no_cuda=True,
                threshold=threshold,
                max_length=64,
            )
            expected = IMPARA(config).score_sentence(*self.texts())
            models = f"model={regressor_folder},similarity_model={encoder_folder}"
            found = self.ours(f"impara:{models},threshold={threshold},max_length=64")
            assert found == pytest.approx(expected, abs=1e-5)

    def test_impara_differs_at_the_threshold(self, regressor_folder, encoder_folder, monkeypatch):  # noqa: F811
        """Its fault: where similarity and threshold are equal, the original says 0."""
        from gec_metrics.metrics import impara

        config = impara.IMPARA.Config(
            model_qe=regressor_folder, model_se=encoder_folder, no_cuda=True, threshold=1.0,
            max_length=64,
        )  # fmt: skip
        monkeypatch.setattr(impara.SimilarityEstimator, "forward", lambda self, *_: torch.ones(1))
        assert impara.IMPARA(config).score_sentence(["a b"], ["a b"])[0] > 0
        models = f"model={regressor_folder},similarity_model={encoder_folder}"
        same = Hypotheses("same", ("a b",))
        found = scores_of(f"impara:{models},threshold=1", Corpus(("a b",), ((),)), same)
        assert found == [0.0]

    def test_some(self, regressor_folder, tmp_path):  # noqa: F811
        from gec_metrics.metrics.some import SOME

        other = str(make_regressor(tmp_path / "other", 1))
        config = SOME.Config(
            model_g=regressor_folder, model_f=other, model_m=regressor_folder, no_cuda=True,
            max_length=128,
        )  # fmt: skip
        expected = SOME(config).score_sentence(*self.texts())
        found = self.ours(
            f"some:grammaticality={regressor_folder},fluency={other},meaning={regressor_folder}"
        )
        assert found == pytest.approx(expected, abs=1e-5)

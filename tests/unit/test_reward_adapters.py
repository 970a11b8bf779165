"""The adapters behave as the libraries expect. The tests do not need the libraries."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

import corrigenda
from corrigenda.errors import CorrigendaError, FormatError, MetricError, UsageError
from corrigenda.rewards import Accumulator, EvaluationModule, reward, trl_reward
from examples import examples
from reference_free import KeptWords
from small_corpora import cases

SOURCES = ["He go home .", "I has it ."]
OUTPUTS = ["He goes home .", "I has it ."]
REFERENCES = [["He goes home ."], ["I have it .", "I had it ."]]


class TestTrl:
    def test_completions_and_columns_to_floats(self):
        """As GRPOTrainer calls it: by keyword, columns repeated per output, and other columns."""
        scores = trl_reward("green")(
            prompts=["Correct: …"] * 2,
            completions=OUTPUTS,
            completion_ids=[[1, 2], [3]],
            trainer_state=object(),
            source=SOURCES,
            references=REFERENCES,
        )
        assert scores == reward("green")(SOURCES, OUTPUTS, REFERENCES).tolist()
        assert all(type(score) is float for score in scores)

    def test_conversations(self):
        completions = [
            [{"role": "assistant", "content": OUTPUTS[0]}],
            [
                {"role": "assistant", "content": None, "tool_calls": []},
                {"role": "tool", "content": "nothing"},
                {
                    "role": "assistant",
                    "content": [{"type": "text", "text": OUTPUTS[1]}, {"type": "image"}],
                },
            ],
        ]
        function = trl_reward("green")
        assert function(completions=completions, source=SOURCES, references=REFERENCES) == function(
            completions=OUTPUTS, source=SOURCES, references=REFERENCES
        )
        silent = [[], [{"role": "tool", "content": "I has it ."}]]
        assert function(completions=silent, source=SOURCES, references=REFERENCES) == function(
            completions=["", ""], source=SOURCES, references=REFERENCES
        )

    def test_names_of_columns_and_of_the_reward(self):
        function = trl_reward(
            "green:beta=1", source="text", references="target", name="green_f1", threads=1
        )
        assert function.__name__ == "green_f1"
        assert trl_reward("gleu").__name__ == "gleu"
        assert function(completions=["a b c d"], text=["a b c d"], target=["a b c d"]) == [1.0]
        with pytest.raises(FormatError, match="no column 'text'; it has prompts, target"):
            function(completions=["a"], prompts=["a"], target=["a"])
        with pytest.raises(
            UsageError,
            match="green needs references, but the data set has no column 'target'; "
            "it has prompts, text",
        ):
            function(completions=["a"], prompts=["a"], text=["a"])

    def test_a_data_set_without_references(self):
        function = trl_reward(KeptWords())
        assert function(completions=["a b"], source=["a c"]) == [0.5]
        assert function(completions=["a b"], source=["a c"], references=[["a c"]]) == [0.5]

    def test_text_around_the_sentence(self):
        function = trl_reward(reward("green"), extract=lambda text: text.rpartition("Answer:")[2])
        assert function(
            completions=["Let me see.\nAnswer: a b c d"],
            source=["a c c d"],
            references=[["a b c d"]],
        ) == [1.0]

    def test_pickle(self):
        function = pickle.loads(pickle.dumps(trl_reward("green", source="text")))
        assert function(completions=["a b c d"], text=["a b c d"], references=["a b c d"]) == [1.0]
        assert function.__name__ == "green"


class TestEvaluationModule:
    def test_compute(self):
        computed = EvaluationModule("green").compute(
            sources=SOURCES, predictions=OUTPUTS, references=REFERENCES
        )
        corpus = corrigenda.Corpus.from_lists(SOURCES, REFERENCES, references_by="sentence")
        result = corrigenda.evaluate(corpus, {"": OUTPUTS}, ["green"])[0]
        assert computed == {
            "green": result.score,
            "precision": result.precision,
            "recall": result.recall,
            "signature": result.signature,
        }

    def test_in_parts(self):
        module = EvaluationModule("gleu", level="sentence")
        module.add(sources=SOURCES[0], prediction=OUTPUTS[0], reference=REFERENCES[0])
        module.add_batch(sources=SOURCES[1:], predictions=OUTPUTS[1:], references=REFERENCES[1:])
        assert module.compute() == EvaluationModule("gleu", level="sentence").compute(
            sources=SOURCES, predictions=OUTPUTS, references=REFERENCES
        )
        with pytest.raises(CorrigendaError, match="no sentences"):
            module.compute()

    def test_added_sentences_and_those_of_compute(self):
        module = EvaluationModule("m2")
        module.add(sources="a b", prediction="a\nc", reference="a c")
        assert module.compute(sources=["d"], predictions=["d"], references=["d"])["m2"] == 1.0

    def test_a_metric_without_references(self):
        module = EvaluationModule(KeptWords())
        module.add(sources="a b", prediction="a")
        module.add_batch(sources=["a b"], predictions=["a c"])
        computed = module.compute(sources=["c", "d"], predictions=["c", "d"])
        assert computed["kept"] == 4 / 6
        assert "|refs:0|" in str(computed["signature"])

    def test_a_metric_that_needs_references_and_gets_none(self):
        module = EvaluationModule("green")
        with pytest.raises(UsageError, match="green needs references, but the source 'a b' has"):
            module.compute(sources=["a b"], predictions=["a"])

    def test_name_citation_and_description(self):
        module = EvaluationModule("green")
        assert module.name == "green"
        assert "Koyama" in module.citation
        assert module.description


@pytest.mark.slow
@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize(
    "name", ["green", "gleu:draws=7", "gleu:variant=2015", "bleu", "m2", "imeasure"]
)
@settings(max_examples=examples(12))
@given(cases(max_sentences=8), cases(max_sentences=4))
def test_states_merge_to_the_score_of_the_whole(name, level, first, second):
    """Two processes with two batches each. One state is sent as a pickle, the other as arrays."""
    whole = corrigenda.Corpus(
        (*first.corpus.sources, *second.corpus.sources),
        (*first.corpus.references, *second.corpus.references),
    )
    outputs = (*first.hypotheses.sentences, *second.hypotheses.sentences)
    expected = corrigenda.evaluate(whole, {"": outputs}, [name], level=level)[0].score

    def filled(case) -> Accumulator:
        accumulator = Accumulator(name, level=level)
        middle = len(case.corpus) // 2
        for part in (slice(0, middle), slice(middle, None)):
            accumulator.update(
                case.corpus.sources[part],
                case.hypotheses.sentences[part],
                case.corpus.references[part],
            )
        return accumulator

    merged = pickle.loads(pickle.dumps(filled(first)))
    merged.merge_state(filled(second))
    assert merged.compute() == expected
    assert merged.compute() == expected
    joined = Accumulator(name, level=level)
    states = [filled(first).state(), filled(second).state(), Accumulator(name).state()]
    for state in states:
        joined.merge_state(state)
    assert joined.compute() == expected


class TestAccumulator:
    def test_a_call_scores_its_batch_and_adds_it(self):
        accumulator = Accumulator("green")
        assert accumulator(["a b c d"], ["a b c d"], ["a b c d"]) == 1.0
        assert accumulator(["a b c d"], ["c"], ["a b c d"]) < accumulator.compute() < 1.0

    def test_reset(self):
        accumulator = Accumulator("green")
        accumulator.update(["a b c d"], ["c"], ["a b c d"])
        accumulator.reset()
        with pytest.raises(CorrigendaError, match="no sentences"):
            accumulator.compute()
        accumulator.update(["a b c d"], ["a b c d"], ["a b c d"])
        accumulator.update([], [], [])
        assert accumulator.compute() == 1.0

    def test_a_metric_without_references(self):
        accumulator = Accumulator(KeptWords())
        assert accumulator(["a b"], ["a"]) == 0.5
        accumulator.update(["c", "d"], ["c", "d"])
        assert accumulator.compute() == 0.75
        with pytest.raises(UsageError, match="m2 needs references, but the source 'a b' has none"):
            Accumulator("m2").update(["a b"], ["a"])

    def test_only_states_of_the_same_metric_merge(self):
        accumulator = Accumulator("green")
        accumulator.update(["a b c d"], ["c"], ["a b c d"])
        other = Accumulator("green:n=2")
        other.update(["a b c d"], ["c"], ["a b c d"])
        with pytest.raises(MetricError, match="cannot be merged"):
            accumulator.merge_state(other)
        with pytest.raises(MetricError, match="counts of shape"):
            accumulator.merge_state(other.state())
        with pytest.raises(MetricError, match="counts of shape"):
            accumulator.merge_state(
                {"counts": np.zeros((3, 28), int), "references": np.array([1, 1])}
            )

    def test_what_is_refused(self):
        with pytest.raises(MetricError, match="level"):
            Accumulator("green", level="paragraph")
        with pytest.raises(MetricError, match="whole corpus"):
            Accumulator("cleme")


def test_none_of_the_libraries_is_imported():
    code = (
        "import sys, corrigenda.rewards as rewards\n"
        "rewards.trl_reward('green')(completions=['a'], source=['a'], references=['a'])\n"
        "libraries = ('torch', 'trl', 'evaluate', 'torchmetrics', 'datasets')\n"
        "print([name for name in libraries if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "[]"

"""Rankings by ratings, and labels of single edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats.edit_labels import EditKey, read_edit_labels
from corrigenda.formats.ratings import Rating
from corrigenda.human.ratings import normalised, rank_ratings
from corrigenda.meta.edit_level import auc, edit_agreement
from examples import examples


def test_judges_with_other_scales_agree_after_normalising():
    """One judge rates around 80 and one around 30, with half the spread."""
    values = [1.0, 2.0, 3.0]
    ratings = [Rating(str(i), "high", "A", 80 + 4 * v) for i, v in enumerate(values)]
    ratings += [Rating(str(i), "low", "A", 30 + 2 * v) for i, v in enumerate(values)]
    assert normalised(ratings) == pytest.approx([-1, 0, 1, -1, 0, 1])
    assert normalised([Rating("0", "x", "A", 5.0)]) == [0.0]


def test_systems_by_ratings():
    pytest.importorskip("scipy")
    generator = np.random.default_rng(0)
    ratings = []
    for sentence in range(60):
        for judge, scale in (("x", 1.0), ("y", 10.0)):
            for system, mean in (("good", 3.0), ("fair", 1.0), ("twin", 1.0)):
                value = scale * (mean + generator.normal())
                ratings.append(Rating(str(sentence), judge, system, value))
    found = rank_ratings(ratings)
    assert found.systems[0].name == "good"
    assert [system.cluster for system in found.systems] == [1, 2, 2]
    assert found.p_values["fair", "good"] < 0.001 < 0.01 < found.p_values["fair", "twin"]
    for system in found.systems:
        assert system.interval[0] < system.score < system.interval[1]
    assert (found.sentences, found.judges, found.ratings) == (60, 2, 360)
    with pytest.raises(CorrigendaError, match="two systems"):
        rank_ratings(ratings[:1])


FILE = """<Source with context>
Before .
<t>He [go] home with [a] dog .</t>
After .

<Correction>
<s1>He [go→goes|True] home with [a→the|False] dog .</s1>
<s2>He [go→goes|True] home with a dog [.→!|False]</s2>
<s3>He [go→goes] |True home with a dog .</s3>
<s4>He goes home with a dog .</s4>
"""


def test_labels_are_read_and_problems_are_reported(tmp_path):
    for judge in ("one", "two"):
        (tmp_path / judge).mkdir()
    (tmp_path / "one" / "0.txt").write_text(FILE, encoding="utf-8")
    (tmp_path / "two" / "0.txt").write_text(FILE.replace("the|False", "the|True"), encoding="utf-8")
    found = read_edit_labels([tmp_path / "one", tmp_path / "two"])
    source = "He go home with a dog ."
    assert found.majority() == {
        EditKey(source, 1, 2, "goes"): True,
        EditKey(source, 6, 7, "!"): False,
    }
    problems = [str(problem) for problem in found.problems]
    assert len(problems) == 4
    assert "0.txt:9: a mark is not complete" in problems[0]
    assert "is not the source" in problems[1]
    with pytest.raises(FormatError, match=r"no \*\.txt files"):
        read_edit_labels([tmp_path])


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=14).filter(
        lambda rows: len({right for _, right in rows}) == 2
    )
)
@settings(max_examples=examples(60))
def test_auc_is_the_share_of_pairs_in_order(rows):
    values = np.array([value for value, _ in rows], float)
    right = np.array([right for _, right in rows])
    pairs = [
        (a > b) + (a == b) / 2 for a in values[right].tolist() for b in values[~right].tolist()
    ]
    assert auc(values, right) == pytest.approx(np.mean(pairs))


def test_the_interval_of_auc_resamples_sentences():
    """With all weights on whole sentences it is the AUC of the repeated edits."""
    generator = np.random.default_rng(1)
    edits = [EditKey(f"s{number // 3}", number, number + 1, "x") for number in range(60)]
    labels = {edit: bool(generator.random() < 0.7) for edit in edits}
    scores = {edit: float(generator.integers(0, 5) + 2 * labels[edit]) for edit in edits}
    found = edit_agreement(scores, labels, resamples=40, seed=3, confidence=0.9)
    draws, slow = np.random.default_rng(3), []
    for _ in range(40):
        drawn = [edits[3 * place + k] for place in draws.integers(0, 20, 20) for k in range(3)]
        values = np.array([scores[edit] for edit in drawn])
        slow.append(auc(values, np.array([labels[edit] for edit in drawn])))
    assert found.auc_interval == pytest.approx(tuple(np.quantile(slow, [0.05, 0.95])))
    assert found.beats_chance
    assert np.isnan(edit_agreement(scores, labels, resamples=0).auc_interval).all()


def test_scores_against_labels():
    edits = [EditKey("s", place, place + 1, "x") for place in range(4)]
    labels = dict(zip(edits, [True, True, False, False], strict=True))
    found = edit_agreement({edits[0]: 1.0, edits[1]: -1.0, edits[2]: -2.0}, labels)
    assert (found.edits, found.right, found.unscored) == (3, 2, 1)
    assert found.auc == 1.0
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.accuracy_chance == pytest.approx(2 / 3)
    with pytest.raises(CorrigendaError, match="no labelled edit"):
        edit_agreement({}, labels)


def test_the_labels_of_seeda(shared):
    folder = shared / "data" / "seeda" / "edit_labels"
    found = read_edit_labels(sorted(folder.iterdir()))
    assert {label.judge for label in found.labels} == {"annotator1", "annotator2", "annotator3"}
    assert len(found.labels) > 3000
    # Every output was read, or its problem is known; few marks are malformed.
    assert 0 < len(found.problems) < 0.1 * len(found.labels)
    majority = found.majority()
    assert 0.3 < np.mean(list(majority.values())) < 0.9

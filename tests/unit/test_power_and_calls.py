"""Power, and the calls corrigenda.compare, corrigenda.rank and corrigenda.meta."""

from __future__ import annotations

import json
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest

import corrigenda
from corrigenda.analysis.all_pairs import p_value_matrix
from corrigenda.analysis.power import power_of
from corrigenda.analysis.significance import adjusted
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats.ratings import read_ratings, read_score_table, read_system_scores
from corrigenda.human.ranking import rank
from corrigenda.meta import benchmark
from corrigenda.meta.settings import MetaSettings


class TestPower:
    def test_by_the_formula(self):
        found = power_of(0.02, 0.01, 100)
        reach = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
        assert found.smallest_difference == pytest.approx(reach * 0.01)
        assert found.needed == int(np.ceil(100 * (reach / 2) ** 2))
        assert found.more == found.needed - 100
        assert power_of(found.smallest_difference, 0.01, 100).power == pytest.approx(0.8, abs=1e-4)

    def test_statsmodels_says_the_same(self):
        """A one-sample z-test of a mean with effect size difference / deviation."""
        power = pytest.importorskip("statsmodels.stats.power")
        for size in (0.01, 0.02, 0.05):
            ours = power_of(size, 0.02, 64, confidence=0.9)
            theirs = power.NormalIndPower(ddof=0).power(size / 0.16, 64, 0.1, ratio=0)
            assert ours.power == pytest.approx(theirs, abs=1e-6)

    def test_no_difference_and_no_spread(self):
        assert power_of(0, 0.1, 10).needed is None
        assert power_of(0, 0.1, 10).power == pytest.approx(0.05)

    @pytest.mark.parametrize("difference", [0.0, 1.0])
    def test_without_a_spread_nothing_is_known(self, difference):
        """Resamples of one sentence are all the same. That is no certainty."""
        found = power_of(difference, 0, 1)
        assert (found.power, found.smallest_difference, found.needed, found.more) == (None,) * 4

    def test_the_promised_power_is_met(self):
        """Two made-up systems: with the needed number of sentences 80 % of the tests find it."""
        generator = np.random.default_rng(0)
        needed = power_of(0.1, 0.5 / np.sqrt(50), 50).needed
        means = generator.normal(0.1, 0.5, (4000, needed)).mean(axis=1)
        found = np.abs(means) > NormalDist().inv_cdf(0.975) * 0.5 / np.sqrt(needed)
        assert found.mean() == pytest.approx(0.8, abs=0.03)


class TestCompare:
    def test_every_pair_as_the_matrix_says(self):
        systems = sample_systems()
        found = corrigenda.compare(
            sample_corpus(), systems, ["green", "bleu"], pairs=True, health="quiet"
        )
        assert len(found.rows) == 20
        results = corrigenda.evaluate(sample_corpus(), systems, ["green"], health="quiet")
        matrix = p_value_matrix(results)
        pairs = list(combinations(range(5), 2))
        expected = adjusted([matrix[pair] for pair in pairs])
        assert [row.corrected_p_value for row in found.rows[:10]] == expected
        assert found.standings[0].system == "strong"
        assert found.standings[0].cluster == 1
        assert set(found.columns()) >= {"system", "other", "difference", "p_value"}
        assert len(found.columns()["low"]) == 20

    def test_a_baseline_by_name(self):
        found = corrigenda.compare(
            sample_corpus(), sample_systems()[:3], ["green"], baseline="eager", health="quiet"
        )
        assert [(row.system, row.other) for row in found.rows] == [
            ("strong", "eager"),
            ("cautious", "eager"),
        ]
        assert found.rows[0].significant
        with pytest.raises(CorrigendaError, match="no system 'x'"):
            corrigenda.compare(
                sample_corpus(), sample_systems()[:2], ["green"], baseline="x", health="quiet"
            )


def test_rank_of_a_file_has_intervals_clusters_and_a_table():
    found = corrigenda.rank(SAMPLE / "judgments.xml")
    assert found.resampling.unit == "sentences"
    assert found.systems == rank(SAMPLE / "judgments.xml").systems
    data = json.loads(json.dumps(found.to_dict()))
    assert data["systems"][0]["cluster"] == 1
    assert len(data["systems"][0]["interval"]) == 2
    assert data["resampling"]["resamples"] == 1000
    assert [entry["better"] for entry in data["neighbours"]] == [
        "strong", "eager", "cautious", "unchanged",
    ]  # fmt: skip
    assert found.columns()["system"][0] == "strong"


class TestMeta:
    def test_it_is_a_call_and_a_room(self):
        import corrigenda.meta.analysis

        report = corrigenda.meta("sample", ["green", "bleu"], settings=MetaSettings(resamples=50))
        assert report.columns()["metric"] == ["green", "bleu"]
        assert corrigenda.meta.analysis.MetaReport is type(report)

    def test_other_references(self):
        sample = benchmark.load("sample")
        few = corrigenda.Corpus(
            sample.corpus.sources, tuple(given[:1] for given in sample.corpus.references)
        )
        settings = MetaSettings(resamples=0)
        other = corrigenda.meta("sample", ["green"], references=few, settings=settings)
        usual = corrigenda.meta("sample", ["green"], settings=settings)
        assert other.metrics[0].scores.tolist() != usual.metrics[0].scores.tolist()
        wrong = corrigenda.Corpus(few.sources[::-1], few.references)
        with pytest.raises(CorrigendaError, match="sentence 1 of sample"):
            corrigenda.meta("sample", ["green"], references=wrong)
        with pytest.raises(CorrigendaError, match="has 60 sentences"):
            corrigenda.meta("sample", ["green"], references=few[:5])

    def test_gmeg(self, shared, monkeypatch):
        monkeypatch.setenv("CORRIGENDA_DATA", str(shared / "data"))
        loaded = benchmark.load("gmeg-wiki")
        assert loaded.subset(["base"]) == ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
        assert loaded.corpus.reference_range == (3, 3)
        report = corrigenda.meta(
            loaded, ["bleu"], systems=["all"], settings=MetaSettings(resamples=50)
        )
        assert report.human.tolist() == [loaded.published["published"][n] for n in report.systems]
        assert report.metrics[0].correlations["pearson"].interval_over == "both"
        means = [np.nanmean(loaded.ratings[name]) for name in report.systems]
        # The published means are of all ratings, ours of the means of the sentences.
        assert np.corrcoef(means, report.human)[0, 1] > 0.99

    @pytest.mark.slow
    def test_seeda_has_a_standing_column(self, shared, monkeypatch):
        """With GPT-3.5, REF-F and INPUT every reference-based metric falls."""
        monkeypatch.setenv("CORRIGENDA_DATA", str(shared / "data"))
        report = corrigenda.meta(
            "seeda-s",
            ["green:unit=char"],
            settings=MetaSettings(aggregations=("mean",), resamples=0),
        )
        assert len(report.systems) == 12
        assert round(report.metrics[0].standing["pearson"], 2) == 0.32


class TestRatings:
    def test_tables(self, tmp_path):
        table = tmp_path / "t.csv"
        table.write_text("a,b\n1,2\n,3.5\n")
        found = read_score_table(table, 2)
        assert found["b"] == [2, 3.5]
        assert np.isnan(found["a"][1])
        with pytest.raises(FormatError, match="2 rows of scores for 3 sentences"):
            read_score_table(table, 3)
        scores = tmp_path / "s.csv"
        scores.write_text("system,score\na,7\n")
        assert read_system_scores(scores) == {"a": 7}

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ("sentence,judge,system\n", "no column 'score'"),
            ("sentence,judge,system,score\n1,x,A,good\n", "'good', not a number"),
            ("sentence,judge,system,score\n1,x,A\n", "3 values, but there are 4 columns"),
            ("sentence,judge,system,score\n", "no ratings"),
        ],
    )
    def test_mistakes(self, tmp_path, content, problem):
        path = tmp_path / "r.csv"
        path.write_text(content)
        with pytest.raises(FormatError, match=problem):
            read_ratings(path)

"""Pairs of outputs, tie calibration, pairwise accuracies, resampled correlations, clusters."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.analysis.significance import adjusted
from corrigenda.corpus import Corpus
from corrigenda.human.expected_wins import expected_wins
from corrigenda.judgments import LOSS, WIN, Judgments, RankedOutput, Ranking
from corrigenda.meta import benchmark, pairwise
from corrigenda.meta.analysis import analyse
from corrigenda.meta.comparison import compare_metrics, deciding_test
from corrigenda.meta.pairwise import (
    Differences,
    net_wins,
    one_sided_p_values,
    pairwise_accuracy,
    soft_accuracy,
)
from corrigenda.meta.resampling import Resamples
from corrigenda.meta.scores import score_systems
from corrigenda.meta.sentence import (
    JudgedPairs,
    agreement_on,
    best_epsilon,
    judged_pairs,
    sentence_indices,
)
from corrigenda.meta.settings import MetaSettings
from corrigenda.metrics import metric
from examples import examples


def ranking(sentence, *outputs):
    return Ranking(
        str(sentence), "x", tuple(RankedOutput(tuple(names), rank) for names, rank in outputs)
    )


class TestPairsOfOutputs:
    judgments = Judgments((ranking(0, ("AB", 1), ("C", 2), ("D", 2)),))
    scores = np.array([[0.9], [0.9], [0.5], [0.1]])

    def test_systems_with_one_output_are_one_output(self):
        outputs = judged_pairs("ABCD", self.judgments, count=1)
        systems = judged_pairs("ABCD", self.judgments, count=1, pairs_of="systems")
        assert (len(outputs.first), outputs.decided) == (3, 2)
        assert (len(systems.first), systems.decided) == (6, 4)
        assert agreement_on(outputs, self.scores).accuracy == 1

    def test_equal_texts_are_one_output_even_if_they_were_listed_apart(self):
        apart = Judgments((ranking(0, ("A", 1), ("B", 1), ("C", 2), ("D", 2)),))
        texts = [["same text"], ["same  text"], ["c"], ["d"]]
        assert judged_pairs("ABCD", apart, count=1, outputs=texts).decided == 2
        assert judged_pairs("ABCD", apart, count=1).decided == 4

    @pytest.mark.parametrize(("kind", "decided"), [("outputs", 2286), ("systems", 9381)])
    def test_seeda(self, seeda, kind, decided):
        names = seeda.subset(["base"])
        pairs = judged_pairs(names, seeda.judgments, count=1312, first_sentence=1, pairs_of=kind)
        assert pairs.decided == decided
        (green,) = score_systems([metric("green")], seeda.corpus_for, seeda.outputs(names))
        found = agreement_on(pairs, green.sentences)
        assert round(found.accuracy, 3) == (0.637 if kind == "outputs" else 0.581)


@pytest.fixture(scope="module")
def seeda(shared):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_DATA", str(shared / "data"))
        return benchmark.load("seeda-s")


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-1, 1)), min_size=1, max_size=12))
@settings(max_examples=examples(80))
def test_the_best_epsilon_is_the_best_of_all(pairs):
    differences = np.array([difference / 4 for difference, _ in pairs])
    outcome = np.array([outcome for _, outcome in pairs])

    def right(epsilon):
        return sum(
            (0 if abs(difference) <= epsilon else np.sign(difference)) == judged
            for difference, judged in zip(differences, outcome, strict=True)
        )

    candidates = [0.0, *np.abs(differences)]
    found = best_epsilon(differences, outcome)
    assert right(found) == max(map(right, candidates))
    assert found == min(each for each in candidates if right(each) == right(found))


def test_calibration_is_on_other_sentences_and_its_chance_is_known():
    """A metric of noise gets about its level by chance, although ε is tuned."""
    generator = np.random.default_rng(0)
    judgments = Judgments(
        tuple(
            ranking(number, ("A", 1), ("B", 1 + int(generator.random() < 0.6)))
            for number in range(400)
        )
    )
    pairs = judged_pairs("AB", judgments, count=400)
    noise = agreement_on(pairs, generator.normal(size=(2, 400))).calibrated
    assert noise.chance == pytest.approx(max(np.mean(pairs.outcome == 0), 0.3), abs=0.05)
    assert noise.accuracy <= noise.chance + 0.05
    perfect = np.stack([pairs.outcome * 1.0, np.zeros(400)])
    assert agreement_on(pairs, perfect).calibrated.accuracy == 1


class TestPairwise:
    def test_accuracy_by_hand(self):
        assert pairwise_accuracy(np.array([3.0, 2, 1]), np.array([3.0, 1, 2])) == pytest.approx(
            2 / 3
        )
        assert pairwise_accuracy(np.array([1.0, 1, 1]), np.array([3.0, 1, 2])) == 0.5

    @given(st.lists(st.integers(-2, 2), min_size=1, max_size=8))
    @settings(max_examples=examples(20))
    def test_p_values_equal_all_flips(self, differences):
        row, no_win = np.array([differences], float), np.zeros((1, len(differences)))
        sums = [
            sum(sign * value for sign, value in zip(signs, differences, strict=True))
            for signs in itertools.product((1, -1), repeat=len(differences))
        ]
        observed = sum(differences)
        exact = np.mean([(each > observed) + (each == observed) / 2 for each in sums])
        found = one_sided_p_values(
            Differences.of_scores(np.concatenate([row, no_win])), resamples=4000, seed=0
        )[0]
        assert found == pytest.approx(exact, abs=0.05)
        turned = one_sided_p_values(
            Differences.of_scores(np.concatenate([no_win, row])), resamples=4000, seed=0
        )[0]
        assert turned == pytest.approx(1 - found, abs=0.05)

    def test_net_wins_by_hand(self):
        judgments = Judgments(
            (
                ranking(0, ("A", 1), ("B", 2)),
                ranking(0, ("B", 2), ("A", 1)),
                ranking(1, ("C", 1), ("A", 2)),
            )
        )
        places = sentence_indices(judgments, 0, 3)
        net = net_wins(judgments.pairs, places, ("C", "A", "B"), 3)
        # The pairs are C-A, C-B, A-B.
        assert net.some(slice(3)).tolist() == [[0, 1, 0], [0, 0, 0], [2, 0, 0]]
        assert net.some(slice(1, 3)).tolist() == [[0, 0, 0], [2, 0, 0]]

    def test_blocks_of_pairs_give_the_same_p_values(self, monkeypatch):
        scores = np.random.default_rng(1).integers(0, 4, (9, 30)).astype(float)
        expected = one_sided_p_values(Differences.of_scores(scores), resamples=300, seed=1)
        monkeypatch.setattr(pairwise, "_CELLS_AT_ONCE", 1000)
        found = Differences.of_scores(scores)
        assert len(list(found.blocks(300))) == 12
        assert one_sided_p_values(found, resamples=300, seed=1).tolist() == expected.tolist()

    def test_a_metric_that_agrees_in_everything(self):
        p_values = np.array([0.1, 0.9])
        assert soft_accuracy(p_values, p_values) == 1
        assert soft_accuracy(p_values, np.array([0.5, 0.5])) == pytest.approx(0.6)

    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "value"), [("green:unit=char", 0.890), ("m2", 0.816)])
    def test_seeda(self, seeda, name, value):
        """Computed independently, with the p-values of ties counted whole and not half."""
        names = seeda.subset(["base"])
        (found,) = score_systems([metric(name)], seeda.corpus_for, seeda.outputs(names))
        places = sentence_indices(seeda.judgments, 1, 1312)
        people = one_sided_p_values(
            net_wins(seeda.judgments.pairs, places, names, 1312), resamples=2000, seed=0
        )
        ours = one_sided_p_values(Differences.of_scores(found.sentences), resamples=2000, seed=0)
        assert soft_accuracy(people, ours) == pytest.approx(value, abs=0.007)


class TestResampledCorrelations:
    def test_weights_of_one_give_the_scores(self):
        sample = benchmark.load("sample")
        names = sample.subset(["base"])
        (green,) = score_systems([metric("green")], sample.corpus_for, sample.outputs(names))
        draws = Resamples(len(sample.corpus), len(names), 2, seed=0)
        object.__setattr__(draws, "weights", np.ones((2, len(sample.corpus))))
        places = sentence_indices(sample.judgments, 0, len(sample.corpus))
        pairs = sample.judgments.pairs
        human = draws.human(pairs, places, "expected-wins", names)
        wins = dict(zip(pairs.systems, expected_wins(pairs.wins()), strict=True))
        assert human[0] == pytest.approx([wins[name] for name in names])
        for how in ("corpus", "mean", "expected-wins"):
            assert draws.metric(green, how)[0] == pytest.approx(green.aggregated(how))

    def test_every_kind_of_interval_says_what_it_is(self):
        sample = benchmark.load("sample")
        names = sample.subset(["base"])
        methods = {
            "both": ("both", "jackknife+sentences", "mid-p+sentences"),
            "systems": ("systems", "jackknife", "mid-p"),
            "inputs": ("inputs", "boot-input", "boot-input"),
            "boot-both": ("both", "boot-both", "boot-both"),
        }
        widths = {}
        for kind, (over, of_r, of_ranks) in methods.items():
            report = analyse(
                sample, [metric("green")], names, MetaSettings(interval=kind, resamples=200)
            )
            found = report.metrics[0].correlations
            assert {each.interval_over for each in found.values()} == {over}
            assert found["pearson"].interval_method == of_r
            assert found["kendall"].interval_method == found["spearman"].interval_method == of_ranks
            assert found["pearson"].to_dict()["interval_method"] == of_r
            assert report.columns()["pearson_interval_method"] == [of_r]
            widths[kind] = found["pearson"].interval[1] - found["pearson"].interval[0]
        assert widths["both"] >= widths["systems"] > 0
        assert widths["boot-both"] > widths["inputs"] > 0


def test_identical_metrics_are_one_row_and_pairs_are_corrected():
    """On one reference, GLEU's mean over references is GLEU with any number of draws."""
    pytest.importorskip("scipy")
    sample = benchmark.load("sample")
    single = Corpus(sample.corpus.sources, tuple(given[:1] for given in sample.corpus.references))
    alone = replace(sample, corpus=single, annotated=None)
    metrics = [metric(name) for name in ("gleu:draws=2", "gleu:references=mean", "green", "bleu")]
    report = analyse(alone, metrics, sample.subset(["base"]), MetaSettings(resamples=0))
    found = compare_metrics(report, "corpus")
    assert found.same[str(metrics[0])] == [str(metrics[1])]
    assert len(found.pairs) == 3
    for pair in found.pairs.values():
        assert pair.corrected_permutation_p >= pair.permutation_p
        assert pair.corrected_williams_p >= pair.williams_p
    expected = adjusted([pair.permutation_p for pair in found.pairs.values()])
    assert [pair.corrected_permutation_p for pair in found.pairs.values()] == expected
    assert set(found.clusters) == set(found.same)
    assert found.unbeaten


def compared_on_the_sample():
    """Three metrics on five systems."""
    sample = benchmark.load("sample")
    metrics = [metric(name) for name in ("green", "m2", "gleu")]
    report = analyse(
        sample,
        metrics,
        sample.subset(["base"]),
        MetaSettings(resamples=0, aggregations=("corpus", "mean")),
    )
    return {how: compare_metrics(report, how) for how in ("corpus", "mean")}


def test_williams_decides_where_permutations_cannot():
    """5 systems have 32 exchanges of corpus scores: the smallest p is 2/32, above .05."""
    found = compared_on_the_sample()
    assert {pair.decided_by for pair in found["corpus"].pairs.values()} == {"simulated-williams"}
    assert {pair.decided_by for pair in found["mean"].pairs.values()} == {"permutation"}
    for pair in found["corpus"].pairs.values():
        assert pair.permutation_p >= 2 / 32
        assert pair.deciding_p == pair.corrected_simulated_p >= pair.simulated_p
    for pair in found["mean"].pairs.values():
        assert pair.deciding_p == pair.corrected_permutation_p
        assert pair.simulated_p is None


@pytest.mark.parametrize(
    ("systems", "correction", "tests", "decides"),
    [
        (5, "none", 1, "simulated-williams"),
        (6, "none", 1, "permutation"),
        (6, "bh", 10, "permutation"),
        (6, "holm", 2, "simulated-williams"),
        (9, "holm", 10, "permutation"),
        (8, "holm", 10, "simulated-williams"),
    ],
)
def test_which_test_decides(systems, correction, tests, decides):
    """By Holm the smallest p-value is multiplied by the number of tests."""
    settings = MetaSettings(correction=correction)
    assert deciding_test(np.zeros((systems, 1)), tests, settings) == decides


def test_a_metric_that_ties_loses_for_the_first_system_on_request():
    """Scores are equal everywhere. The judge prefers the second system in one of three pairs."""
    pairs = JudgedPairs(
        np.array([0, 0, 0]),
        np.array([1, 1, 1]),
        np.array([0, 1, 2]),
        np.array([WIN, LOSS, WIN]),
        pairs_of="systems",
    )
    equal = np.zeros((2, 3))
    undecided = agreement_on(pairs, equal)
    assert (undecided.agree, undecided.disagree, undecided.ties) == (0, 0, 3)
    decided = agreement_on(pairs, equal, metric_ties="first-loses")
    assert (decided.agree, decided.disagree, decided.ties) == (1, 2, 0)
    assert decided.accuracy == pytest.approx(1 / 3)


@pytest.mark.slow
def test_a_name_beside_the_dot_of_another_system_is_avoided():
    pytest.importorskip("matplotlib")
    from corrigenda.meta import plots

    dots = np.array([[0.0, 0.0], [30.0, 0.0]])
    beside_its_own = plots._box(6, 4, "AMU", 6)
    beside_the_other = plots._box(22, 4, "AMU", 6)
    assert plots._misread(beside_its_own, (0.0, 0.0), dots) == 0
    assert plots._misread(beside_the_other, (0.0, 0.0), dots) > 0
    assert plots._misread(beside_the_other, (30.0, 0.0), dots) == 0


def test_names_stay_inside_the_axes():
    """Names of a crowd near the top covered the title of the small multiples."""
    pytest.importorskip("matplotlib")
    from corrigenda.meta import plots

    generator = np.random.default_rng(4)
    figure, axes = plots._pyplot().subplots(figsize=(3.8, 3.2))
    x, y = np.append(generator.normal(0.45, 0.05, 12), 0.05), np.append(np.linspace(60, 68, 12), 0)
    names = [f"a-long-name-{number}" for number in range(13)]
    axes.scatter(x, y)
    axes.margins(0.12)
    plots._label_points(axes, x, y, names, size=6.5)
    room = axes.get_window_extent().extents * 72 / figure.dpi
    dots = axes.transData.transform(np.column_stack([x, y])) * 72 / figure.dpi
    for text in axes.texts:
        px, py = dots[names.index(text.get_text())]
        dx, dy = text.xyann
        _, bottom, _, top = plots._box(px + dx, py + dy, text.get_text(), dx, 6.5)
        assert room[1] <= bottom < top <= room[3]
    plots._pyplot().close(figure)


def test_few_systems_have_a_wide_grey_band():
    """Where |r| is inside, Student's t finds no correlation; 3 systems never say anything."""
    stats = pytest.importorskip("scipy.stats")
    from corrigenda.meta import plots

    assert plots._limit(3, 0.95) == 1.0
    for systems in (4, 7, 13):
        limit = plots._limit(systems, 0.95)
        t = limit * np.sqrt((systems - 2) / (1 - limit**2))
        assert 2 * stats.t.sf(t, systems - 2) == pytest.approx(0.05)


def test_labels_never_sit_on_a_dot_and_bands_hold_their_curves(tmp_path):
    pytest.importorskip("matplotlib")
    from corrigenda.meta import plots
    from corrigenda.meta.curves import beta_bands, beta_curves, default_points

    generator = np.random.default_rng(0)
    figure, axes = plots._pyplot().subplots(figsize=(6, 4.5))
    x, y = generator.normal(size=(2, 20)) * 0.2
    names = [f"system{number}" for number in range(20)]
    axes.scatter(x, y)
    plots._label_points(axes, x, y, names)
    dots = axes.transData.transform(np.column_stack([x, y])) * 72 / figure.dpi
    for text in axes.texts:
        place = names.index(text.get_text())
        dx, dy = text.xyann
        px, py = dots[place]
        box = plots._box(px + dx, py + dy, text.get_text(), dx)
        assert all(plots._overlap(box, (a - 3, b - 3, a + 3, b + 3)) == 0 for a, b in dots)
    plots._pyplot().close(figure)
    sample = benchmark.load("sample")
    report = analyse(
        sample,
        [metric("green"), metric("m2")],
        sample.subset(["base"]),
        MetaSettings(resamples=50),
    )
    betas = [0.5, 1.0, 2.0]
    curves, bands = beta_curves(report, betas), beta_bands(report, betas)
    for label, values in curves.items():
        low, high = bands[label]
        assert (low <= values + 1e-9).all()
        assert (values <= high + 1e-9).all()
    assert default_points(report)["green (corpus)"] == (2.0, curves["green (corpus)"][2])
    assert report.human_bounds.shape == report.metrics[0].bounds.shape == (2, 5)
    written = plots.write_all(report, tmp_path, "svg", betas)
    assert "sample-overview.svg" in {path.name for path in written}
    figures = {
        "bars: 95 % intervals over sentences": plots.overview(report),
        "grey: not different from 0 (95 %)": plots.top_k_figure(report),
    }
    for note, drawn in figures.items():
        titles = [drawn.get_suptitle(), *(axes.get_title() for axes in drawn.axes)]
        assert any(note in title for title in titles)
        plots._pyplot().close(drawn)


def test_labels_that_differ_in_signs_alone_have_figures_of_their_own():
    pytest.importorskip("matplotlib")
    from corrigenda.meta import plots

    labels = ["green:beta=0.5 (corpus)", "green:beta=0,5 (corpus)", "GREEN: beta 0.5, corpus", "日"]
    names = plots._file_names([*labels, "本"])
    assert names[:3] == [
        "green-beta-0-5-corpus",
        "green-beta-0-5-corpus-2",
        "GREEN-beta-0-5-corpus-3",
    ]
    assert len({name.lower() for name in names}) == 5

"""GoToScorer against its definition in slow Python, by hand, and against gec-metrics."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Hypotheses, evaluate, metric, reward
from corrigenda.analysis.explain import explain
from corrigenda.cli import main
from corrigenda.edits import Edit, extract_edits
from corrigenda.errors import MetricError, SentenceError
from corrigenda.metrics.gotoscorer import COUNTS
from corrigenda.metrics.gotoscorer_pieces import SourcePiece, judge_all, words_and_places
from corrigenda.metrics.gotoscorer_pieces import pieces_of as cut_pieces
from examples import examples
from small_corpora import sentences


def edits_of(source: str, text: str) -> tuple[Edit, ...]:
    return extract_edits(source.split(), text.split())


def pieces_of(words: list[str], edits: tuple[Edit, ...]) -> list[SourcePiece]:
    return cut_pieces(words_and_places(words), edits)


def corpus_of(source: str, *references: str) -> Corpus:
    gold = tuple(Annotation(i, edits_of(source, text)) for i, text in enumerate(references))
    return Corpus((source,), (references,), (gold,))


def systems_of(corpus: Corpus, *outputs: str) -> list[Hypotheses]:
    (source,) = corpus.sources
    return [
        Hypotheses(f"system {i}", (text,), (edits_of(source, text),))
        for i, text in enumerate(outputs)
    ]


# The definition, slowly: what stands at each place and at each span of the source.


def slow_pieces(words: list[str], edits: tuple[Edit, ...]) -> list[tuple[int, int, str, bool]]:
    inserted = {edit.start: edit.correction for edit in edits if edit.start == edit.end}
    starts = {edit.start: edit for edit in edits if edit.start < edit.end}
    found, place = [], 0
    while place <= len(words):
        inside = any(edit.start < place < edit.end for edit in edits)
        if not inside:
            found.append((place, place, inserted.get(place, ""), place in inserted))
        if place == len(words):
            break
        if place in starts:
            edit = starts[place]
            found.append((edit.start, edit.end, edit.correction, True))
            place = edit.end
        else:
            found.append((place, place + 1, words[place], False))
            place += 1
    return found


def slow_right(piece: tuple, own: list[tuple]) -> bool:
    start, end, text, edited = piece
    texts = [other[2] for other in own if other[:2] == (start, end)]
    if texts:
        return text in texts
    return start == end and not edited


def slow_edited(piece: tuple, own: list[tuple]) -> bool:
    start, end, text, _ = piece
    same = [other for other in own if other[:2] == (start, end)]
    if any(other[2] == text for other in same):
        return next(other[3] for other in same if other[2] == text)
    if same or start == end:
        return any(other[3] for other in same)
    return any(
        other[3] and (start <= other[0] < end or other[0] <= start < other[1]) for other in own
    )


def slow_counts(source: str, reference: str, output: str, others: list[str]) -> list[float]:
    words = source.split()
    gold = slow_pieces(words, edits_of(source, reference))
    own = slow_pieces(words, edits_of(source, output))
    rivals = [slow_pieces(words, edits_of(source, other)) for other in others]
    tp = fp = fn = tn = every = 0.0
    for piece in gold:
        wrong = sum(not slow_right(piece, rival) for rival in rivals)
        weight = wrong / len(rivals) if rivals else 1.0
        every += weight
        edited, right = slow_edited(piece, own), slow_right(piece, own)
        if edited and right:
            tp += weight
        elif edited:
            fp += weight
            fn += weight if piece[3] else 0
        elif right:
            tn += weight
        else:
            fn += weight
    return [tp, fp, fn, tn, every]


@settings(max_examples=examples(150))
@given(
    source=sentences(6),
    reference=sentences(6),
    outputs=st.lists(sentences(6), min_size=1, max_size=3),
    difficulty=st.sampled_from(["others", "all", "none"]),
)
def test_it_is_the_definition(source, reference, outputs, difficulty):
    corpus = corpus_of(source, reference)
    results = evaluate(
        corpus, systems_of(corpus, *outputs), [f"gotoscorer:difficulty={difficulty}"]
    )
    for place, result in enumerate(results):
        asked = {"all": outputs, "none": [], "others": outputs[:place] + outputs[place + 1 :]}
        expected = slow_counts(source, reference, outputs[place], asked[difficulty])
        assert [result.counts[name] for name in COUNTS] == pytest.approx(expected)
        tp, fp, fn, *_ = expected
        p, r = (tp / (tp + x) if tp + x else 0.0 for x in (fp, fn))
        f = 1.25 * p * r / (0.25 * p + r) if p + r else 0.0
        assert result.score == pytest.approx(f)


def test_pieces():
    words = ["this", "sentences", "contain", "error", "."]
    edits = edits_of(" ".join(words), "this sentence contains an error .")
    texts = [(piece.text, piece.edited) for piece in pieces_of(words, edits)]
    assert texts == [
        ("", False), ("this", False), ("", False), ("sentence contains an", True), ("", False),
        ("error", False), ("", False), (".", False), ("", False),
    ]  # fmt: skip
    assert pieces_of([], ()) == [SourcePiece(0, 0, "", False)]


def test_an_edit_that_everybody_finds_weighs_nothing():
    corpus = corpus_of("a b c d e f", "a X c d Y f")
    ours, *_ = evaluate(
        corpus, systems_of(corpus, "a X c d e f", "a X c d Y f", "a X c d e f"), ["gotoscorer"]
    )
    assert ours.counts["tp"] == 0  # both others find it, too
    assert ours.counts["fn"] == 0.5  # one of the others misses it
    assert "|difficulty:others|systems:2|" in ours.signature


def test_an_insertion_inside_a_wrong_replacement_is_missed():
    """gec-metrics counts it as rightly unchanged."""
    gold = pieces_of(list("abcd"), (Edit(2, 2, ("X",), "M"),))
    own = pieces_of(list("abcd"), (Edit(1, 3, ("Y",), "R"),))
    judged = {
        piece.text: judgment
        for piece, judgment in zip(gold, judge_all(gold, own), strict=True)
        if piece.edited
    }
    assert judged == {"X": (False, False)}


def test_one_reference_counts():
    corpus = corpus_of("a b c", "a b c", "a X c")
    for reference, score in ((0, 0.0), (1, 1.0)):
        (result,) = evaluate(
            corpus, systems_of(corpus, "a X c"), [f"gotoscorer:reference={reference}"]
        )
        assert result.score == score
    with pytest.raises(SentenceError, match="sentence 1 has no reference 2"):
        evaluate(corpus, systems_of(corpus, "a X c"), ["gotoscorer:reference=2"])


def test_other_systems_of_the_same_corpus_do_not_stay():
    corpus = corpus_of("a b c", "a X c")
    first = systems_of(corpus, "a X c", "a b c")
    second = systems_of(corpus, "a X c", "a X c")
    assert [evaluate(corpus, each, ["gotoscorer"])[0].counts["tp"] for each in (first, second)] == [
        1,
        0,
    ]


def test_a_batch_of_one_system_is_refused():
    with pytest.raises(MetricError, match="compares all systems"):
        reward("gotoscorer")


def test_explanation():
    corpus = corpus_of("a b c d e f", "a X c d Y f")
    systems = systems_of(corpus, "a X c W e f", "a b c d e f")
    result, _ = evaluate(corpus, systems, ["gotoscorer"], level="sentence")
    (table,) = explain(corpus, systems[0], result)
    assert [(row[1].text, row[3].text, row[4].text) for row in table.rows] == [
        ("b", "1.000", "right"),
        ("d", "0.000", "not needed"),
        ("e", "1.000", "missed"),
    ]


def test_the_command_says_which_reference_counts(capsys):
    corpus = ["--text", "a b c", "--reference", "a b c", "--reference", "a X c"]
    for reference in (0, 1):
        wanted = f"gotoscorer:edits=any,reference={reference}"
        assert main(["explain", *corpus, "--hypothesis", "a X c", "--metrics", wanted]) == 0
        out = capsys.readouterr().out
        assert f"reference {reference}; P" in out
        assert "all references" not in out


# Against gec-metrics, where it is installed; the extra `bench` has it.


class TestGecMetrics:
    pytestmark = pytest.mark.model

    @pytest.fixture
    def theirs(self, monkeypatch):
        pytest.importorskip("gec_metrics", exc_type=ImportError)
        from gec_metrics.metrics.gotoscorer import GoToScorer

        # Without spaCy: the edits are those of a minimal alignment, as above.
        monkeypatch.setattr("gec_metrics.metrics.errant.errant.load", lambda *_: None)
        scorer = GoToScorer(GoToScorer.Config(no_weight=True))
        scorer.edit_extraction = _given_edits
        return scorer

    CASES = (
        ("a b c d e f", "a X c d Y f", "a X c W e f"),
        ("a b c d", "a b c d", "a b c d"),
        ("a b c d", "a X b c", "a X b c"),
        ("a b c", "a b c X", "a b c Y"),
        ("a b c d", "X Y", "a X d"),
    )

    def counts(self, scorer, source, reference, output) -> list[float]:
        ((by_type,),) = scorer.score_base([source], [output], [[reference]])
        return [sum(getattr(each, name) for each in by_type.values()) for name in COUNTS[:4]]

    @pytest.mark.parametrize(("source", "reference", "output"), CASES)
    def test_counts(self, theirs, source, reference, output):
        corpus = corpus_of(source, reference)
        (ours,) = evaluate(corpus, systems_of(corpus, output), ["gotoscorer"])
        assert [ours.counts[name] for name in COUNTS[:4]] == self.counts(
            theirs, source, reference, output
        )

    def test_its_weights_ignore_where_a_piece_is(self, theirs):
        """Its fault: any piece with the same text counts, at whatever place."""
        from gec_metrics.cli.gen_gotoscorer_weight import annotate_weight

        source, reference, other = "a b c d", "a X c d", "a b c X"
        weights = annotate_weight(source, reference, [other], theirs)["weights"]
        pieces = pieces_of(source.split(), edits_of(source, reference))
        place = next(i for i, piece in enumerate(pieces) if piece.edited)
        assert weights[place] == 0  # it finds X in the wrong place
        corpus = corpus_of(source, reference)
        ours, _ = evaluate(corpus, systems_of(corpus, reference, other), ["gotoscorer"])
        assert ours.counts["tp"] == 1

    def test_it_overlooks_an_insertion_inside_a_wrong_replacement(self, theirs):
        """Its other fault: the missed insertion counts as rightly unchanged."""
        source, reference, output = "a b c d", "a b X c d", "a Y d"
        corpus = corpus_of(source, reference)
        (ours,) = evaluate(corpus, systems_of(corpus, output), ["gotoscorer"])
        assert ours.counts["fn"] == 1
        assert self.counts(theirs, source, reference, output)[2] == 0


def _given_edits(src: str, trg: str) -> list:
    from types import SimpleNamespace

    return [
        SimpleNamespace(o_start=e.start, o_end=e.end, c_str=e.correction, type="R:OTHER")
        for e in edits_of(src, trg)
    ]


def test_parameters_that_make_no_sense():
    for specification in ("gotoscorer:reference=-1", "gotoscorer:difficulty=x"):
        with pytest.raises(MetricError):
            metric(specification)

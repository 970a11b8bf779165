"""Soft edits with MiniLM agree with people as reported; all of it with CORRIGENDA_FULL."""

from __future__ import annotations

from pathlib import Path

import pytest

from corrigenda.meta import benchmark
from corrigenda.meta.correlation import pearson, spearman
from corrigenda.meta.scores import score_systems
from corrigenda.metrics import metric
from public_data import full
from tiny_models import minilm_folder

PROTOTYPE = {
    ("conll14", "base"): (0.943, 0.890),
    ("seeda-s", "base"): (0.869, 0.895),
    ("seeda-e", "base"): (0.874, 0.902),
    ("seeda-s", "all"): (0.841, 0.875),
    ("seeda-e", "all"): (0.819, 0.864),
    ("gmeg-fce", "all"): (0.989, 1.0),
    ("gmeg-wiki", "all"): (0.902, 0.833),
}
"""Benchmark and systems → r and ρ of the prototype."""
WITH_GAINS = {
    ("conll14", "base"): (0.935, 0.841),
    ("seeda-s", "base"): (0.924, 0.867),
    ("seeda-e", "base"): (0.930, 0.909),
    ("seeda-s", "all"): (0.847, 0.846),
    ("seeda-e", "all"): (0.834, 0.882),
    ("gmeg-fce", "all"): (0.997, 1.0),
    ("gmeg-wiki", "all"): (0.922, 0.976),
}
"""The same of soft edits with gains, as docs/research/fluent-edits.md reports it."""
GAINS = ",replacements=together,character_gain=6,meaning_gain=7"


@full
@pytest.mark.slow
@pytest.mark.model
@pytest.mark.parametrize(("name", "part"), PROTOTYPE)
@pytest.mark.parametrize(
    ("options", "reported"), [("", PROTOTYPE), (GAINS, WITH_GAINS)], ids=["prototype", "gains"]
)
def test_correlations_with_people(
    shared: Path,
    tmp_path_factory: pytest.TempPathFactory,
    options: str,
    reported: dict[tuple[str, str], tuple[float, float]],
    name: str,
    part: str,
) -> None:
    folder = minilm_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_DATA", str(shared / "data"))
        patch.setenv("CORRIGENDA_CACHE", str(tmp_path_factory.getbasetemp() / "soft-edits"))
        bench = benchmark.load(name)
        systems = bench.subset([part])
        made = metric(f"soft-edits:model={folder}{options}")
        (scored,) = score_systems([made], bench.corpus_for, bench.outputs(systems))
    human = bench.human(systems)
    found = float(pearson(scored.mean, human)), float(spearman(scored.mean, human))
    assert found == pytest.approx(reported[name, part], abs=0.005)

"""The public data sets: their contents, addresses and terms. None of them is bundled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from corrigenda.errors import UsageError

_GITHUB = "https://raw.githubusercontent.com"
_NUS = "https://www.comp.nus.edu.sg/~nlp/conll14st"


@dataclass(frozen=True)
class Download:
    """A file at its official place: an archive (*.tar.gz) or one file of the set."""

    url: str
    file_name: str


@dataclass(frozen=True)
class DataSet:
    """A public data set. `files` maps its files, in our own layout, to their SHA-256."""

    name: str
    title: str
    home: str
    terms: str
    citation: str
    downloads: tuple[Download, ...]
    derived: tuple[str, ...] = ()
    """Files that are made from the downloaded ones."""
    needs: tuple[str, ...] = ()
    """Other data sets that are needed to use this one."""

    @property
    def files(self) -> dict[str, str]:
        """The files of the set with their checksums."""
        return checksums().get(self.name, {})

    @property
    def paths(self) -> list[str]:
        """All files that a complete set has."""
        return [*self.files, *self.derived]


@cache
def checksums() -> dict[str, dict[str, str]]:
    """Set → file → SHA-256, from the file checksums.txt, which `sha256sum -c` can also read."""
    listed: dict[str, dict[str, str]] = {}
    content = resources.files("corrigenda.data").joinpath("checksums.txt").read_text("utf-8")
    for line in content.splitlines():
        digest, path = line.split("  ", 1)
        name, _, file = path.partition("/")
        listed.setdefault(name, {})[file] = digest
    return listed


_NO_LICENCE = (
    "The repository has no licence file: free to read and to cite; "
    "ask the authors before passing it on."
)
_JUDGMENTS_2015 = "grammatical/evaluation/c85e1bd4869a53af213f685528d0426a14fe5cad/data"
_RANKING_CSV = "cnap/gec-ranking/22f5aa983474472cbbbdc9ac9f6e455ed45ca081/data"
_RANKING_XML = "cnap/gec-ranking/d44352fcb53597355f7d1f3d98e921a051c4fb4b/data"

DATA_SETS = (
    DataSet(
        "conll14",
        "CoNLL-2014 test set, 12 submissions, human judgments",
        f"{_NUS}.html, https://github.com/grammatical/evaluation",
        "Test set and submissions: free to download from the organisers of the shared task. "
        f"Judgments: {_NO_LICENCE}",
        "Ng et al. (2014), CoNLL; Grundkiewicz, Junczys-Dowmunt, Gillian (2015), EMNLP",
        (
            Download(f"{_NUS}/conll14st-test-data.tar.gz", "conll14st-test-data.tar.gz"),
            Download(f"{_NUS}/official_submissions.tar.gz", "official_submissions.tar.gz"),
            Download(f"{_GITHUB}/{_JUDGMENTS_2015}/judgments.xml", "judgments.xml"),
        ),
        derived=("source.txt", "ref0.txt", "ref1.txt", "systems/INPUT.txt"),
    ),
    DataSet(
        "seeda",
        "SEEDA: 15 outputs on CoNLL-2014, judged by sentence and by edit",
        "https://github.com/tmu-nlp/SEEDA",
        _NO_LICENCE,
        "Kobayashi, Mita, Komachi (2024), TACL 12",
        (Download("https://codeload.github.com/tmu-nlp/SEEDA/tar.gz/HEAD", "SEEDA.tar.gz"),),
        needs=("conll14",),
    ),
    DataSet(
        "napoles15",
        "the first human ranking of the CoNLL-2014 submissions",
        "https://github.com/cnap/gec-ranking",
        _NO_LICENCE,
        "Napoles, Sakaguchi, Post, Tetreault (2015), ACL",
        (
            Download(f"{_GITHUB}/{_RANKING_CSV}/all_judgments.csv", "all_judgments.csv"),
            Download(f"{_GITHUB}/{_RANKING_XML}/all_judgments.xml", "all_judgments.xml"),
        ),
        needs=("conll14",),
    ),
    DataSet(
        "gmeg",
        "GMEG, development part: FCE and Wikipedia sentences, 6 systems, ratings by people",
        "https://github.com/grammarly/GMEG",
        "No terms are stated: ask the authors before passing it on.",
        "Napoles, Nădejde, Tetreault (2019), TACL 7",
        (Download("https://codeload.github.com/grammarly/GMEG/tar.gz/HEAD", "GMEG.tar.gz"),),
    ),
    DataSet(
        "jfleg",
        "JFLEG: 1,501 sentences with four fluent references each",
        "https://github.com/keisks/jfleg",
        "Creative Commons BY-NC-SA 4.0: name the authors, no commercial use, "
        "pass on under the same terms.",
        "Napoles, Sakaguchi, Tetreault (2017), EACL",
        tuple(
            Download(f"{_GITHUB}/keisks/jfleg/master/{part}/{part}.{kind}", f"{part}.{kind}")
            for part in ("dev", "test")
            for kind in ("src", "ref0", "ref1", "ref2", "ref3")
        ),
    ),
)


def data_set(name: str) -> DataSet:
    """A data set by its name."""
    for entry in DATA_SETS:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in DATA_SETS)
    raise UsageError(f"there is no data set {name!r}", remedy=f"The data sets are: {known}.")

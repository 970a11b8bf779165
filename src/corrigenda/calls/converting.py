"""`corrigenda.convert`: a corpus in another format."""

from __future__ import annotations

import io
import os
from pathlib import Path as FilePath

from corrigenda import writing
from corrigenda.core.evaluate import check_lengths
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError
from corrigenda.formats import text
from corrigenda.formats.registry import CORPUS_FORMATS
from corrigenda.formats.text import ReferenceFill
from corrigenda.scoring import Systems, checked_corpus, outputs_of


def convert(
    corpus: Corpus,
    systems: Systems = (),
    *,
    to: str,
    out: str | os.PathLike[str] | None = None,
    fill_missing: ReferenceFill | None = None,
) -> str | None:
    """Write a corpus in another format, as `corrigenda convert` does.

    Args:
        corpus: The sources, references and gold edits.
        systems: Names with lists of sentences, or a list of `Hypotheses`; for formats that can
            hold systems.
        to: `text`, `m2`, `ixml`, `jsonl`, `cherrant` or `essays`.
        out: A file, or for `text` and `essays` a folder. None returns the text.
        fill_missing: With `text`: what replaces a missing reference, `first` or `source`.

    Returns:
        The text of the file, or None if it was written to `out`.

    Example:
        >>> import corrigenda
        >>> corpus = corrigenda.Corpus.from_lists(["He go home ."], ["He goes home ."])
        >>> print(corrigenda.convert(corpus, to="m2"), end="")
        S He go home .
        A 1 2|||R|||goes|||REQUIRED|||-NONE-|||0
        <BLANKLINE>
    """
    names = ("text", *CORPUS_FORMATS)
    if to not in names:
        raise UsageError(f"to is {to!r}", remedy=f"The formats are: {', '.join(names)}.")
    outputs = outputs_of(systems)
    check_lengths(checked_corpus(corpus), outputs)
    if fill_missing is not None and to != "text":
        raise UsageError("fill_missing goes with to='text'", remedy="Leave it out.")
    if to == "text" or CORPUS_FORMATS[to].has_many_files:
        if out is None:
            raise UsageError(f"{to!r} has several files", remedy="Say into which folder: out=….")
        if to == "text":
            texts = text.corpus_texts(corpus, fill=fill_missing)
            _check_names([output.name for output in outputs], set(texts))
            text.write_folder(out, texts | {each.name: each.sentences for each in outputs})
            return None
        _check_names([output.name for output in outputs], set())
        files = CORPUS_FORMATS[to].load_files_module().files(corpus, outputs)
        with writing.together(make_folders=True) as batch:
            for name, content in files.items():
                with batch.text_file(FilePath(out) / name) as file:
                    file.write(content)
        return None
    if outputs and not CORPUS_FORMATS[to].holds_systems:
        raise UsageError(f"{to} files hold no systems", remedy="Leave them out, or take 'jsonl'.")
    made = io.StringIO()
    CORPUS_FORMATS[to].load_module().save(corpus, outputs, made)
    if out is None:
        return made.getvalue()
    with writing.text_file(out) as file:
        file.write(made.getvalue())
    return None


def _check_names(names: list[str], taken: set[str]) -> None:
    taken = set(taken)
    for name in names:
        if name in taken or not name or name in (".", "..") or set(name) & set("/\\\0"):
            raise UsageError(
                f"a system is called {name!r}, which cannot name its file here",
                remedy="Give it another name: systems={'ours': …}.",
            )
        taken.add(name)

"""spaCy's network, with each distinct window of words computed once.

The vector of a word depends on the word and on a few neighbours: layer n sees n words on each side.
The outputs of several systems share most of their windows with the source and with one another. So
each layer is computed for the distinct windows of a batch, and its rows are copied to the places
where they occur. The parser begins with a large layer for each word, which is treated alike.

The layers themselves stay spaCy's. A row of a matrix product does not depend on the other rows, so
the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from corrigenda.annotation.spacy_types import Document, Pipeline

Layer: TypeAlias = Any
"""A layer of a network (`thinc.Model`)."""
Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

_EMBEDDINGS = ("spacy.MultiHashEmbed.", "spacy.CharacterEmbed.", "spacy.HashEmbedCNN.")
"""Architectures that embed each word alone."""
_TRIAL = (("The", "cat", "sat", "."), ("The", "cat", "sits", "."), ("cat",))
_TOLERANCE = 1e-5
_MOST_ROWS = 2**20
"""Three numbers below this make one key of 64 bits."""


def share_windows(pipeline: Pipeline) -> None:
    """Let the pipeline compute each distinct window once, where its networks allow it."""
    for name, component in pipeline.pipeline:
        factory = pipeline.get_pipe_meta(name).factory
        if factory == "tok2vec":
            _share_vectors(pipeline, name, component)
        elif factory == "parser":
            _share_rows(component)


def _share_vectors(pipeline: Pipeline, name: str, component: Any) -> None:
    layers = _known_layers(component.model, pipeline.config["components"][name]["model"])
    if layers is None:
        return
    shared = _SharedVectors(pipeline.vocab, *layers, component.predict)
    make_document = import_module("spacy.tokens").Doc
    trial = [make_document(pipeline.vocab, list(words)) for words in _TRIAL]
    pairs = zip(component.predict(trial), shared.predict(trial), strict=True)
    if all(np.allclose(own, ours, rtol=0, atol=_TOLERANCE) for own, ours in pairs):
        component.predict = shared.predict


def _known_layers(model: Layer, config: Mapping[str, Any]) -> tuple[Layer, list[Layer]] | None:
    """The layer that embeds words, and the layers that look at windows; None for other networks."""
    embedding = config.get("embed", config)["@architectures"]
    if not embedding.startswith(_EMBEDDINGS) or len(model.layers) != 2:
        return None
    embed, encode = model.layers
    windows = [
        node.layers[0]
        for node in encode.walk()
        if len(node.layers) == 1
        and node.layers[0].layers
        and node.layers[0].layers[0].name == "expand_window"
    ]
    # Between two sentences there must be as many empty places as a word can see.
    if encode.attrs.get("pad") != len(windows) or not windows:
        return None
    if any(layer.layers[0].attrs["window_size"] != 1 for layer in windows):
        return None
    return embed, windows


class _SharedVectors:
    """Replaces the method `predict` of a component `tok2vec`.

    The documents are made of words alone, so equal words have equal features.
    """

    def __init__(
        self,
        vocabulary: Any,
        embed: Layer,
        windows: Sequence[Layer],
        plain: Callable[[Sequence[Document]], list[Vectors]],
    ) -> None:
        self._vocabulary = vocabulary
        self._embed = embed
        self._windows = [layer.layers[1:] for layer in windows]
        self._plain = plain
        self._make_document = import_module("spacy.tokens").Doc
        self._word = import_module("spacy.attrs").ORTH

    def predict(self, documents: Sequence[Document]) -> list[Vectors]:
        """The vectors of all words of each document."""
        words = [document.to_array(self._word) for document in documents]
        lengths = [len(of_document) for of_document in words]
        gap = len(self._windows)
        if not any(lengths) or sum(lengths) + gap * (len(words) + 1) >= _MOST_ROWS:
            return self._plain(documents)
        distinct, numbers = np.unique(np.concatenate(words), return_inverse=True)
        vectors = self._embedded(distinct)
        places = _places(lengths, gap)
        # Row 0 is the empty place.
        rows = np.zeros(places[-1] + 1 + gap, np.int64)
        rows[places] = numbers + 1
        for number, layers in enumerate(self._windows, 1):
            keys = _window_keys(rows, len(vectors))
            # Nobody looks at the empty places of the last layer.
            distinct_keys, rows = np.unique(
                keys[places] if number == gap else keys, return_inverse=True
            )
            windows = _rows_of_keys(distinct_keys, len(vectors))
            found = vectors[windows].reshape(len(windows), -1)
            for layer in layers:
                found = layer.predict(found)
            vectors = vectors[windows[:, 1]] + found
        return np.split(vectors[rows], np.cumsum(lengths)[:-1])

    def _embedded(self, words: npt.NDArray[np.uint64]) -> Vectors:
        """The vectors of words, after the vector of an empty place."""
        strings = self._vocabulary.strings
        document = self._make_document(self._vocabulary, [strings[word] for word in words.tolist()])
        (vectors,) = self._embed.predict([document])
        return np.concatenate([np.zeros((1, vectors.shape[1]), np.float32), vectors])


def _places(lengths: Sequence[int], gap: int) -> Places:
    """Where the words of documents stand if `gap` empty places are before each document."""
    begins = np.cumsum([gap, *(length + gap for length in lengths[:-1])])
    inside = np.arange(sum(lengths)) - np.repeat(np.cumsum([0, *lengths[:-1]]), lengths)
    return np.asarray(inside + np.repeat(begins, lengths), np.int64)


def _window_keys(rows: Places, count: int) -> Places:
    """A number for each place: its row and the rows of its neighbours."""
    around = np.concatenate([[0], rows, [0]])
    return np.asarray((around[:-2] * count + around[1:-1]) * count + around[2:], np.int64)


def _rows_of_keys(keys: Places, count: int) -> Places:
    """The three rows that make each key."""
    return np.stack([keys // (count * count), keys // count % count, keys % count], axis=1)


def _share_rows(parser: Any) -> None:
    """Let the parser's first layer compute equal rows once."""
    layers = parser.model.layers
    if len(layers) < 2 or layers[1].name != "precomputable_affine":
        return
    plain = layers[1]._func

    def shared(model: Layer, rows: Vectors, is_train: bool) -> tuple[Any, Any]:
        if is_train or not isinstance(rows, np.ndarray) or not len(rows):
            return plain(model, rows, is_train)  # type: ignore[no-any-return]
        whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * rows.shape[1])))
        _, first, numbers = np.unique(whole.ravel(), return_index=True, return_inverse=True)
        found, backward = plain(model, rows[first], is_train)
        # The layer puts a row for "no word" before all others.
        return found[np.concatenate([[0], numbers + 1])], backward

    layers[1]._func = shared

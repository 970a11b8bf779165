"""The layer of an encoder that gives the embeddings."""

from __future__ import annotations

from corrigenda.errors import MetricError
from corrigenda.neural.model_source import ModelSource

BEST_LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-cased": 9,
    "bert-large-cased": 18,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "albert-base-v2": 9,
    "microsoft/deberta-base": 9,
    "microsoft/deberta-large": 16,
    "microsoft/deberta-xlarge-mnli": 40,
}
"""The layers that agree best with human judgments on WMT16, from the bert-score package."""

_NUMBERS = ("num_hidden_layers", "n_layers", "encoder_layers", "n_layer", "num_layers")
_OWNERS = ("google-bert/", "FacebookAI/", "distilbert/", "albert/")


def number_of_layers(source: ModelSource) -> int | None:
    """The number of layers, or None if the model's configuration does not give it."""
    config = source.config()
    numbers = (config.get(name) for name in _NUMBERS)
    return next((number for number in numbers if isinstance(number, int)), None)


def chosen_layer(source: ModelSource, layer: int | None) -> int:
    """The given layer, else the best known layer of this model, else its last."""
    number = number_of_layers(source)
    if layer is None:
        name = source.name
        for owner in _OWNERS:
            name = name.removeprefix(owner)
        known = None if source.is_folder else BEST_LAYERS.get(name)
        if known is None and number is None:
            raise MetricError(
                f"the configuration of {source.name} does not give its number of layers",
                remedy="Write layer=NUMBER.",
            )
        return known if known is not None else int(number or 0)
    if layer < 0 or (number is not None and layer > number):
        raise MetricError(
            f"{source.name} has no layer {layer}",
            remedy=f"Its layers are 0 (the embeddings) to {number}.",
        )
    return layer


def last_layer(source: ModelSource) -> int:
    """The number of the model's last layer."""
    number = number_of_layers(source)
    if number is None:
        raise MetricError(
            f"the configuration of {source.name} does not give its number of layers",
            remedy="Give another encoder.",
        )
    return number

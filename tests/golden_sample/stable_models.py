"""Small models for a comparison with another program: their numbers come from numpy alone.

So they are the same with every version of torch and transformers, and what the other program gave
with them can be kept in a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_models

SPREAD = 0.4


def regressor(folder: Path, seed: int) -> str:
    """A BERT model with one number as its output."""
    return _renumbered(
        tiny_models.make_regressor(folder), "AutoModelForSequenceClassification", seed
    )


def encoder(folder: Path, seed: int) -> str:
    """A BERT model with two layers."""
    return _renumbered(tiny_models.make_encoder(folder), "AutoModel", seed)


def language_model(folder: Path, seed: int) -> str:
    """A GPT-2 model with one layer."""
    return _renumbered(tiny_models.make_language_model(folder), "AutoModelForCausalLM", seed)


def _renumbered(folder: Path, kind: str, seed: int) -> str:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    model: Any = getattr(transformers, kind).from_pretrained(folder)
    random = np.random.default_rng(seed)
    with torch.no_grad():
        for _, numbers in sorted(model.named_parameters()):
            drawn = random.normal(0, SPREAD, tuple(numbers.shape)).astype(np.float32)
            numbers.copy_(torch.from_numpy(drawn))
    model.save_pretrained(folder)
    return str(folder)


def all_models(folder: Path) -> dict[str, str]:
    """The folder of each model by its name."""
    return {
        "grammaticality": regressor(folder / "grammaticality", 1),
        "fluency": regressor(folder / "fluency", 2),
        "meaning": regressor(folder / "meaning", 3),
        "encoder": encoder(folder / "encoder", 4),
        "language model": language_model(folder / "language-model", 5),
    }

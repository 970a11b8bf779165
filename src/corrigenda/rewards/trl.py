"""A reward as TRL's trainers call it: completions and the columns of the data set in, a list of floats out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corrigenda.core.metric import Metric
from corrigenda.errors import FormatError
from corrigenda.rewards.scores import Reward, reward

Completion = str | Sequence[Mapping[str, Any]]
"""A text, or the messages of a conversation."""


def trl_reward(
    metric: Metric | str | Reward = "green",
    *,
    source: str = "source",
    references: str = "references",
    extract: Callable[[str], str] | None = None,
    name: str | None = None,
    **options: Any,
) -> TrlReward:
    """A reward function for `reward_funcs` of TRL's trainers.

    `source` and `references` name columns of the data set; a reference is a text or a list of texts.
    `extract` takes the corrected sentence out of a completion that says more. `options` are those of
    `reward`. TRL logs the reward under `name`, by default the metric's.
    """
    scorer = metric if isinstance(metric, Reward) else reward(metric, **options)
    return TrlReward(scorer, source, references, extract, name)


class TrlReward:
    """See `trl_reward`."""

    def __init__(
        self,
        scorer: Reward,
        source: str,
        references: str,
        extract: Callable[[str], str] | None,
        name: str | None,
    ) -> None:
        self.reward = scorer
        self.source = source
        self.references = references
        self.extract = extract
        self.__name__ = name or scorer.__name__

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> list[float]:
        """The reward of each completion; other columns, prompts and tokens are left alone."""
        texts = list(map(completion_text, completions))
        if self.extract is not None:
            texts = list(map(self.extract, texts))
        scores: list[float] = self.reward(
            self._column(self.source, columns), texts, self._column(self.references, columns)
        ).tolist()
        return scores

    def _column(self, name: str, columns: Mapping[str, Any]) -> Any:
        if name not in columns:
            raise FormatError(
                f"the data set has no column {name!r}; it has {', '.join(columns) or 'none'}",
                remedy='Name the columns: trl_reward(…, source="…", references="…").',
            )
        return columns[name]


def completion_text(completion: Completion) -> str:
    """The text itself, or what the last message of the assistant says."""
    if isinstance(completion, str):
        return completion
    said = [message for message in completion if message.get("role", "assistant") == "assistant"]
    return _content(said[-1].get("content")) if said else ""


def _content(content: Any) -> str:
    """A message's content: a text, a list of parts, of which texts count, or nothing."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text") or "" for part in content if part.get("type", "text") == "text")

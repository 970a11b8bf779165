"""A reward as TRL's trainers call it.

It takes completions and the columns of the data set, and returns a list of floats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from corrigenda.core.metric import Metric
from corrigenda.errors import FormatError, UsageError
from corrigenda.rewards.batch import BatchReferences
from corrigenda.rewards.scores import CACHE_SIZE, Reward, RewardBaseline, reward

Message = Mapping[str, object]
"""A message of a conversation: its `role` and its `content`."""
Completion = str | Sequence[Message]
"""A text, or the messages of a conversation."""


def trl_reward(
    metric: Metric | str | Reward = "green",
    *,
    source: str = "source",
    references: str = "references",
    extract: Callable[[str], str] | None = None,
    name: str | None = None,
    baseline: RewardBaseline = None,
    threads: int | None = None,
    cache_size: int = CACHE_SIZE,
) -> TrlReward:
    """A reward function for `reward_funcs` of TRL's trainers.

    `source` and `references` name columns of the data set; references are a text or a list of
    texts. If the metric needs no references, their column may be missing. `extract` takes the
    corrected sentence out of a completion that says more. `baseline`, `threads` and `cache_size`
    are those of `reward`. TRL logs the reward under `name`; the default is the metric's name.
    """
    scorer = (
        metric
        if isinstance(metric, Reward)
        else reward(metric, baseline=baseline, threads=threads, cache_size=cache_size)
    )
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

    def __call__(self, completions: Sequence[Completion], **columns: object) -> list[float]:
        """The reward of each completion. Other columns, prompts and tokens are ignored."""
        texts = list(map(completion_text, completions))
        if self.extract is not None:
            texts = list(map(self.extract, texts))
        scores: list[float] = self.reward(
            self._sources(columns), texts, self._references(columns)
        ).tolist()
        return scores

    def _sources(self, columns: Mapping[str, object]) -> Sequence[str]:
        if self.source not in columns:
            raise FormatError(_missing(self.source, columns), remedy=_REMEDY)
        # The reward checks what the column holds.
        return cast(Sequence[str], columns[self.source])

    def _references(self, columns: Mapping[str, object]) -> BatchReferences | None:
        metric = self.reward.metric
        if self.references not in columns and metric.needs_references != "none":
            problem = f"{metric.name} needs references, but {_missing(self.references, columns)}"
            raise UsageError(problem, remedy=_REMEDY)
        return cast(BatchReferences | None, columns.get(self.references))


_REMEDY = 'Name the columns: trl_reward(…, source="…", references="…").'


def _missing(name: str, columns: Mapping[str, object]) -> str:
    return f"the data set has no column {name!r}; it has {', '.join(columns) or 'none'}"


def completion_text(completion: Completion) -> str:
    """The text itself, or the text of the assistant's last message."""
    if isinstance(completion, str):
        return completion
    said = [message for message in completion if message.get("role", "assistant") == "assistant"]
    return _content(said[-1].get("content")) if said else ""


def _content(content: object) -> str:
    """The text of a message. Its content is a text, a list of parts with texts, or nothing."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = cast(Sequence[Mapping[str, str | None]], content)
    return "".join(part.get("text") or "" for part in parts if part.get("type", "text") == "text")

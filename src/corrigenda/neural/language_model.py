"""A loaded causal language model. It reads the common beginnings of texts once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import pairwise
from types import ModuleType

from corrigenda.errors import CorrigendaError
from corrigenda.neural.batches import batches
from corrigenda.neural.encoder import chosen_device, longest_input
from corrigenda.neural.model_source import ModelSource, load
from corrigenda.neural.padding import padded
from corrigenda.neural.parallel import in_order
from corrigenda.neural.prefix_trees import PrefixTree, prefix_trees
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.types import Tensor, Tokenizer, Tokens

_STATES_AT_ONCE = 256
"""For this many states the chances of all tokens are computed at once: they are large."""
_LARGEST_LOSS = 700
"""exp of a larger number is no float."""


class LanguageModel:
    """A causal language model and its tokenizer."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._torch = import_module("torch")
        self.device = chosen_device(settings.device)
        self._batch_tokens = settings.tokens_on(self.device)
        self._tokenizer: Tokenizer = load("AutoTokenizer", source)
        model = load("AutoModelForCausalLM", source, dtype=getattr(self._torch, settings.dtype))
        self._model = model.eval().to(self.device)
        self._exact = settings.dtype == "float32"
        self._longest = longest_input(self._tokenizer, model.config)
        marks = (self._tokenizer.bos_token_id, self._tokenizer.eos_token_id)
        begin = next((mark for mark in marks if mark is not None), None)
        if begin is None:
            raise CorrigendaError(
                f"the tokenizer of {source.name} has no token that begins a text",
                remedy="Give a causal language model with such a token, e.g. gpt2.",
            )
        self._begin = begin

    def tokens(self, texts: Sequence[str]) -> tuple[list[Tokens], list[bool]]:
        """The tokens of each text after the token that begins it; and whether it was cut."""
        found = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        whole = [(self._begin, *ids) for ids in found]
        return [ids[: self._longest] for ids in whole], [len(ids) > self._longest for ids in whole]

    def perplexities(
        self, rows: Sequence[Tokens], *, threads: int = 1
    ) -> Iterator[list[tuple[Tokens, float]]]:
        """Batch by batch, distinct rows of tokens and their perplexities.

        A row with nothing after its first token is infinitely surprising.
        """
        trees = list(prefix_trees(rows)) if self.reads_trees else []

        def of_trees(places: list[int]) -> list[tuple[Tokens, float]]:
            batch = [trees[place] for place in places]
            return [
                (rows[row], _perplexity(rows[row], total))
                for tree, sums in zip(batch, self.losses_of_trees(batch), strict=True)
                for row, total in zip(tree.rows, sums, strict=True)
            ]

        def of_rows(places: list[int]) -> list[tuple[Tokens, float]]:
            batch = [rows[place] for place in places]
            return list(
                zip(batch, map(_perplexity, batch, self.losses_of_rows(batch)), strict=True)
            )

        work, items = (of_trees, trees) if trees else (of_rows, rows)
        made = batches(list(map(len, items)), self._batch_tokens)
        return in_order(work, made, device=self.device, threads=threads)

    def losses_of_rows(self, batch: Sequence[Tokens]) -> list[float]:
        """The sum of the losses of each row, read as the model's authors do."""
        torch = self._torch
        ids, mask = padded(batch, self._begin, self.device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1]
            kept = mask[:, 1:].bool()
            losses = torch.zeros(kept.shape, dtype=torch.double, device=self.device)
            losses[kept] = _losses(torch, logits[kept], ids[:, 1:][kept])
            sums: list[float] = losses.sum(1).tolist()
            return sums

    def losses_of_trees(self, batch: Sequence[PrefixTree]) -> list[list[float]]:
        """For each tree, the sums of the losses of its rows. A node sees the nodes on its path."""
        torch = self._torch
        ids, mask = padded([tree.tokens for tree in batch], self._begin, self.device)
        positions, _ = padded([tree.depths for tree in batch], 0, self.device)
        with torch.inference_mode():
            states = self._model.base_model(
                input_ids=ids,
                attention_mask=self._paths(batch, ids.shape[1]),
                position_ids=positions,
                use_cache=False,
            )[0]
            parents, _ = padded([tree.parents for tree in batch], -1, self.device)
            kept = mask.bool() & (parents >= 0)
            rows = torch.arange(len(batch), device=self.device)[:, None].expand_as(parents)
            found = self._losses_after(states, rows[kept], parents[kept], ids[kept])
            losses = torch.zeros(ids.shape, dtype=torch.double, device=self.device)
            losses[kept] = found
        return [tree.sums(of_nodes) for tree, of_nodes in zip(batch, losses.tolist(), strict=True)]

    def _losses_after(self, states: Tensor, rows: Tensor, places: Tensor, next_: Tensor) -> Tensor:
        """The losses of tokens after the states at these rows and places."""
        torch, head = self._torch, self._model.get_output_embeddings()
        # Several tokens may follow one state; its chances are computed once.
        distinct, owner = torch.unique(rows * states.shape[1] + places, return_inverse=True)
        chosen = states.reshape(-1, states.shape[-1])[distinct]
        order = torch.argsort(owner, stable=True)
        firsts = range(0, len(distinct) + _STATES_AT_ONCE, _STATES_AT_ONCE)
        bounds = torch.searchsorted(owner[order], torch.tensor(firsts, device=self.device)).tolist()
        losses = torch.empty(len(owner), dtype=torch.double, device=self.device)
        for first, (begin, end) in zip(firsts, pairwise(bounds), strict=False):
            logits = head(chosen[first : first + _STATES_AT_ONCE]).float()
            part = order[begin:end]
            own = owner[part] - first
            losses[part] = (torch.logsumexp(logits, 1)[own] - logits[own, next_[part]]).double()
        return losses

    def _paths(self, batch: Sequence[PrefixTree], width: int) -> Tensor:
        """What each node sees: 0 for itself and the nodes before it on its path, else no number."""
        torch = self._torch
        sees = torch.eye(width, dtype=torch.bool).repeat(len(batch), 1, 1)
        for tree, of_tree in zip(batch, sees, strict=True):
            for node, parent in enumerate(tree.parents):
                if parent >= 0:
                    of_tree[node] |= of_tree[parent]
        kind = next(self._model.parameters()).dtype
        mask = torch.zeros(sees.shape, dtype=kind).masked_fill_(~sees, torch.finfo(kind).min)
        return mask[:, None].to(self.device)

    @cached_property
    def reads_trees(self) -> bool:
        """Whether the model takes trees: it gives their rows the losses that they have alone.

        A model without attention, or with another last step than a product, does not.
        """
        if not self._exact:
            return False
        words = [token % int(self._model.config.vocab_size) for token in range(5, 41)]
        rows = [(self._begin, *words[:12], *words[k : k + 6]) for k in (12, 18, 24)]
        (tree,) = prefix_trees(rows)
        try:
            (found,) = self.losses_of_trees([tree])
            alone = self.losses_of_rows(rows)
        except Exception:  # a model of another kind may refuse such an input in any way
            return False
        return all(
            math.isclose(total, alone[row], rel_tol=1e-3)
            for row, total in zip(tree.rows, found, strict=True)
        )


def _losses(torch: ModuleType, logits: Tensor, next_: Tensor) -> Tensor:
    """The loss of each token after the logits that were computed for it, in double precision."""
    parts = zip(logits.split(_STATES_AT_ONCE), next_.split(_STATES_AT_ONCE), strict=True)
    return torch.cat(
        [
            torch.nn.functional.cross_entropy(one.float(), tokens, reduction="none").double()
            for one, tokens in parts
        ]
    )


def _perplexity(row: Tokens, total: float) -> float:
    words = len(row) - 1
    return math.exp(min(total / words, _LARGEST_LOSS)) if words else math.inf


@lru_cache(maxsize=1)
def loaded_language_model(source: ModelSource, settings: ModelSettings) -> LanguageModel:
    """The model. Each process loads it once."""
    return LanguageModel(source, settings)

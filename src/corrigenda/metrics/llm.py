"""LLM-S and LLM-E: a chat model rates corrections (Kobayashi et al. 2024)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corrigenda import progress
from corrigenda.cache import folder as cache_folder
from corrigenda.core import spec
from corrigenda.core.choice import Pooled
from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric, Scope
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import MetricError
from corrigenda.metrics import llm_questions
from corrigenda.metrics.llm_questions import HIGHEST, LOWEST, Focus, Round, Variant
from corrigenda.neural.chat import (
    KEY_VARIABLES,
    Budget,
    ChatService,
    guessed_tokens,
    is_service_url,
)
from corrigenda.neural.score_store import ScoreStore
from corrigenda.neural.types import Pair, Scores

COUNTS = ("rating", "rated", "sentences")
DEFAULT_MODEL = "gpt-4-1106-preview"
DEFAULT_URL = "https://api.openai.com/v1"
_WRONG_ANSWERS = 3
"""How often a question is asked again if the answer has a wrong form."""
_AT_ONCE = 4
_WHAT = "questions answered"
_NUMBERS_SHOWN = 10


class _Asked(NamedTuple):
    """A round and its two messages."""

    of: Round
    messages: Pair


@dataclass(frozen=True, repr=False)
class Llm(Metric):
    """The mean rating by a chat model, on a scale from 0 to 1.

    Statistics [sentences, 3]: the rating on that scale, 1 if there is one, and 1 for the sentence.
    """

    name = "llm"
    title = "LLM-S, LLM-E: ratings by a chat model"
    citation = (
        "Kobayashi, Mita, Komachi (2024). Large Language Models Are State-of-the-Art Evaluator for "
        "Grammatical Error Correction. BEA."
    )
    needs_references = "none"
    needs_all_systems = True
    needs_service = True
    offers = frozenset({"explain"})
    own_scale = frozenset({"rating"})

    model: str = parameter(DEFAULT_MODEL, "name of the model at the service")
    base_url: str = parameter(DEFAULT_URL, "service that speaks OpenAI's protocol")
    variant: Variant = parameter("sentence", "rate sentences (LLM-S), or show the edits (LLM-E)")
    focus: Focus = parameter("overall", "what is rated")
    group: int = parameter(5, "distinct corrections that are rated together")
    overlap: int = parameter(1, "corrections that two rounds of a sentence share")
    orders: int = parameter(
        1,
        "in how many random orders corrections are shown, each second one backwards",
    )
    context: int = parameter(1, "sentences before and after that are shown")
    seed: int = parameter(0, "of the orders, and for the model")
    budget: int | None = parameter(
        None, "tokens that one run may use; then it stops", shown="no limit"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, group=1, overlap=0, orders=1, context=0, seed=0, budget=0)
        spec.check_at_most(self, overlap=self.group - 1)
        if not is_service_url(self.base_url):
            raise MetricError(
                "llm: base_url is not an address such as https://host/v1, without a password",
                remedy=f"Give the key in {KEY_VARIABLES[0]}, not in the address.",
            )

    @property
    def scope(self) -> Scope:
        """The neighbours of a sentence are shown."""
        return "corpus"

    @property
    def scope_remedy(self) -> str:
        """There is no setting for a sentence alone, because systems are rated together."""
        return "Ratings depend on the neighbours of a sentence: use corrigenda score."

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Rate the corrections of all systems together."""
        self._rate(corpus, systems)

    def _known(self, corpus: Corpus) -> dict[tuple[int, str], float | None]:
        """The rating of each text for a sentence; None if no answer was valid."""
        return corpus.once(("llm ratings", self), dict)

    def _rate(self, corpus: Corpus, systems: Sequence[Hypotheses]) -> None:
        known = self._known(corpus)
        asked: list[_Asked] = []
        for place in range(len(corpus)):
            texts = {_plain(system.sentences[place]) for system in systems}
            if any((place, text) not in known for text in texts):
                asked += self._questions(corpus, place, sorted(texts))
        if not asked:
            return
        found: dict[tuple[int, str], list[float]] = {}
        for each, answer in zip(asked, self._answers(asked), strict=True):
            for place, text in enumerate(each.of.corrections):
                ratings = found.setdefault((each.of.sentence, text), [])
                if answer is not None:
                    ratings.append(answer[place])
        for key, ratings in found.items():
            known[key] = math.fsum(ratings) / len(ratings) if ratings else None
        unrated = sorted({place for (place, _), found in known.items() if found is None})
        _report_unrated(unrated, is_nothing_rated=not any(known.values()))

    def _questions(self, corpus: Corpus, place: int, texts: Sequence[str]) -> Iterable[_Asked]:
        for order in range(self.orders):
            for each in llm_questions.rounds(
                place, texts, size=self.group, overlap=self.overlap, seed=self.seed, order=order
            ):
                yield _Asked(
                    each,
                    Pair(
                        llm_questions.instructions(self.variant, self.focus),
                        llm_questions.question(
                            each, corpus.sources, variant=self.variant, context=self.context
                        ),
                    ),
                )

    def _answers(self, asked: Sequence[_Asked]) -> list[Scores | None]:
        """The ratings of each round, from the cache or from the service."""
        store = None
        if cache_folder.is_enabled():
            key = f"llm 1 {self.base_url} {self.model} {self.seed}"
            store = ScoreStore(key, f"llm, {self.model}")
        distinct = {each.messages: len(each.of.corrections) for each in asked}
        answers: dict[Pair, Scores | None] = dict(store.read(distinct)) if store else {}
        rest = [messages for messages in distinct if messages not in answers]
        if rest:
            budget = Budget(self.budget)
            expected = sum(guessed_tokens("".join(messages)) for messages in rest)
            _note(
                f"llm: {len(rest):,} questions to {self.model}, at most {expected:,} tokens if "
                "none is asked again"
            )
            try:
                self._ask(rest, distinct, answers, store, budget)
            finally:
                _note(f"llm: {budget.used:,} tokens used")
        return [answers[each.messages] for each in asked]

    def _ask(
        self,
        rest: Sequence[Pair],
        numbers: Mapping[Pair, int],
        answers: dict[Pair, Scores | None],
        store: ScoreStore | None,
        budget: Budget,
    ) -> None:
        service = ChatService(self.base_url, self.model, self.seed)

        def ask(messages: Pair) -> Scores | None:
            form = llm_questions.schema(numbers[messages])
            for _ in range(_WRONG_ANSWERS):
                reply = service.ask(*messages, form, budget)
                found = llm_questions.ratings(reply.text, numbers[messages])
                if found is not None:
                    # Stored at once, so that an interrupted run keeps what it has paid for.
                    if store is not None:
                        store.write({messages: found})
                    return found
            return None

        progress.report(_WHAT, 0, len(rest), self.model)
        pool = ThreadPoolExecutor(_AT_ONCE, "llm")
        try:
            for done, (messages, found) in enumerate(
                zip(rest, pool.map(ask, rest), strict=True), 1
            ):
                answers[messages] = found
                progress.report(_WHAT, done, len(rest), self.model)
        finally:
            pool.shutdown(cancel_futures=True)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The rating of each sentence."""
        self._rate(corpus, [hypotheses])
        known = self._known(corpus)
        rows = []
        unrated = 0
        for place, text in enumerate(hypotheses.sentences):
            rating = known[place, _plain(text)]
            unrated += rating is None
            scaled = 0.0 if rating is None else (rating - LOWEST) / (HIGHEST - LOWEST)
            rows.append((scaled, float(rating is not None), 1.0))
        return Statistics(
            np.array(rows, np.float64).reshape(-1, len(COUNTS)),
            np.arange(len(corpus) + 1, dtype=np.int64),
            {"unrated_sentences": unrated},
        )

    def policy(self, level: Level) -> Pooled:
        """There are no references to choose from."""
        return Pooled()

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The mean over the sentences that were rated, and the same on the scale of the model."""
        totals = np.asarray(totals)
        score = ratio(totals[..., 0], totals[..., 1], undefined=0.0)
        return Measures(score, more={"rating": LOWEST + (HIGHEST - LOWEST) * score})

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sum of the ratings, the rated sentences, and all sentences."""
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The ratings of all corrections that were rated together."""
        own = _plain(hypotheses.sentences[0])
        rows = tuple(
            (
                ExplainedCell("–" if rating is None else f"{rating:.2f}"),
                ExplainedCell(text or "∅", "plain" if text == own else "faint"),
            )
            for (_, text), rating in sorted(
                self._known(corpus).items(), key=lambda each: (-(each[1] or 0), each[0])
            )
        )
        return [Explanation("ratings from 1 to 5", ("rating", "correction"), rows)]

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """All parameters but the budget."""
        fields = spec.parameters(self)
        del fields["budget"]
        # A signature separates its fields by colons and bars.
        fields["base_url"] = self.base_url.replace("://", " ").replace(":", " ")
        return fields


def _plain(text: str) -> str:
    return " ".join(text.split())


def _note(text: str) -> None:
    warnings.warn(text, stacklevel=2)


def _report_unrated(places: Sequence[int], *, is_nothing_rated: bool) -> None:
    """Say for which sentences the model gave no valid answer."""
    if not places:
        return
    shown = ", ".join(str(place + 1) for place in places[:_NUMBERS_SHOWN])
    more = ", …" if len(places) > _NUMBERS_SHOWN else ""
    meaning = (
        "nothing is rated, so a score of 0 says nothing about a system"
        if is_nothing_rated
        else "they do not count in the corpus score, and score 0 alone"
    )
    _note(
        f"llm: no valid answer for {len(places)} sentence{'s' if len(places) > 1 else ''} "
        f"({shown}{more}); {meaning}"
    )

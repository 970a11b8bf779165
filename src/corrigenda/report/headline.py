"""The result of a report in one or two sentences, and a title from its data."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.analysis.resolution import is_significant
from corrigenda.report.against import EarlierScores
from corrigenda.report.human import HumanScores
from corrigenda.report.resampling import all_pairs
from corrigenda.report.standings import Standings

_NAMED = 3


def title_of(names: Sequence[str]) -> str:
    """The names of a few systems, e.g. `strong, eager and 11 other systems`."""
    if len(names) <= _NAMED:
        return listed(names)
    return f"{', '.join(names[: _NAMED - 1])} and {len(names) - _NAMED + 1} other systems"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def headline(
    standings: Sequence[Standings],
    confidence: float,
    human: HumanScores | None,
    earlier: EarlierScores | None,
) -> str:
    """Who leads, whether the lead is significant, and what people and other metrics say."""
    sentences = [_lead(standings, confidence)]
    names = [result.system for result in standings[0].results]
    if human is not None and len(names) > 1:
        judged = [name for name in names if name in human.scores]
        if judged:
            first = max(judged, key=lambda name: human.scores[name])
            sentences.append(f"People put {first} first ({human.name}).")
    if earlier is not None:
        sentences.append(_since(standings[0], earlier))
    return " ".join(sentences)


def _lead(standings: Sequence[Standings], confidence: float) -> str:
    first = standings[0]
    best = _best(first)
    name, score = first.results[best].system, 100 * first.results[best].score
    if len(first.results) == 1:
        return f"{name} has {score:.2f} by {first.metric}."
    sure = [each for each in standings if _best(each) == best and not _close(each, confidence)]
    close = _close(first, confidence)
    if close:
        rivals = listed([first.results[place].system for place in close][:_NAMED])
        more = f" and {len(close) - _NAMED} more" if len(close) > _NAMED else ""
        text = f"{name} leads by {first.metric} ({score:.2f}), but not significantly above "
        text += f"{rivals}{more}."
    else:
        by = listed([str(each.metric) for each in sure])
        text = f"{name} leads ({score:.2f}); it is significantly above all others by {by}."
    others: dict[str, list[str]] = {}
    for each in standings[1:]:
        leader = each.results[_best(each)].system
        if leader != name:
            others.setdefault(leader, []).append(str(each.metric))
    return " ".join([text, *(f"{who} leads by {listed(by)}." for who, by in others.items())])


def _best(standings: Standings) -> int:
    scores = [result.score for result in standings.results]
    return scores.index(max(scores))


def _close(standings: Standings, confidence: float) -> list[int]:
    """The systems that are not significantly below the best, best first."""
    best = _best(standings)
    p_values = dict(zip(all_pairs(len(standings.results)), standings.p, strict=True))
    near = [
        place
        for place in range(len(standings.results))
        if place != best
        and not is_significant(p_values[max(place, best), min(place, best)], confidence)
    ]
    return sorted(near, key=lambda place: -standings.results[place].score)


def _since(standings: Standings, earlier: EarlierScores) -> str:
    """What changed by the first metric."""
    before = [(result, earlier.of(result)) for result in standings.results]
    changed = [
        f"{result.system} {100 * (result.score - score):+.2f}"
        for result, score in before
        if score is not None and abs(result.score - score) >= 5e-5
    ]
    new = [result.system for result, score in before if score is None]
    parts = [listed(changed) or "no change"] if len(new) < len(before) else []
    parts += [f"new: {listed(new)}"] if new else []
    gone = earlier.systems_without([result.system for result in standings.results])
    parts += [f"no longer here: {listed(gone)}"] if gone else []
    text = f"Since {earlier.name}, by {standings.metric}: {'; '.join(parts)}."
    here = len(standings.results[0].selection)
    if earlier.sentences in (None, here):
        return text
    return f"{text} But {earlier.name} has {earlier.sentences} sentences and this report {here}."

"""Adaptive assignment: outputs of the neighbours whose difference is least certain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, insert, select

from corrigenda.formats.campaign_schema import assignment, item

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from corrigenda.judge.settings import CampaignSettings
    from corrigenda.judge.standing import SentenceOutputs, Standing


def balanced_is_due(connection: Connection, settings: CampaignSettings, systems: int) -> bool:
    """Whether the next item comes from the balanced design: its share is too small, or at first."""
    rows = connection.execute(
        select(item.c.kind, func.sum(item.c.taken))
        .where(item.c.kind != "control")
        .group_by(item.c.kind)
    )
    given = {kind: int(count or 0) for kind, count in rows}
    balanced, total = given.get("main", 0), sum(given.values())
    return total < 2 * systems or balanced < settings.floor * (total + 1)


def budget_left(connection: Connection) -> int:
    """How many items may still be given out: as many as the design has places, less the taken."""
    places = select(func.sum(item.c.needed)).where(item.c.kind == "main")
    taken = select(func.sum(item.c.taken)).where(item.c.kind != "control")
    designed = connection.execute(places).scalar() or 0
    return int(designed) - int(connection.execute(taken).scalar() or 0)


def make_item(
    connection: Connection,
    judge_id: int,
    standing: Standing,
    written: Mapping[int, SentenceOutputs],
    settings: CampaignSettings,
    generator: np.random.Generator,
) -> int | None:
    """The id of a new item for a judge, or None if no sentence fits."""
    given = select(item.c.source_id, func.count()).join(
        assignment, assignment.c.item_id == item.c.id
    )
    uses = dict(connection.execute(given.group_by(item.c.source_id)).tuples().all())
    mine = given.where(assignment.c.judge_id == judge_id).group_by(item.c.source_id)
    seen = set(connection.execute(mine).scalars())
    unseen = {place: outputs for place, outputs in written.items() if place not in seen}
    chosen = chosen_item(standing, unseen, uses, settings.candidates, generator)
    return None if chosen is None else _insert(connection, *chosen)


def chosen_item(
    standing: Standing,
    sentences: Mapping[int, SentenceOutputs],
    uses: Mapping[int, int],
    size: int,
    generator: np.random.Generator,
) -> tuple[int, list[int]] | None:
    """A sentence and some of its outputs, or None if no sentence fits.

    The neighbours with the widest interval come first. Among the sentences on which they differ,
    one of the least used is taken.
    """
    uncertain = standing.uncertain()
    weights = {frozenset((each.better, each.worse)): each.width for each in uncertain}
    for each in uncertain:
        fitting = [
            place
            for place, outputs in sentences.items()
            if _differ(outputs, each.better, each.worse)
        ]
        if fitting:
            fewest = min(uses.get(place, 0) for place in fitting)
            least = [place for place in fitting if uses.get(place, 0) == fewest]
            chosen = least[int(generator.integers(len(least)))]
            target = (each.better, each.worse)
            return chosen, chosen_outputs(sentences[chosen], target, weights, size)
    return None


def chosen_outputs(
    outputs: SentenceOutputs,
    target: tuple[str, str],
    weights: Mapping[frozenset[str], float],
    size: int,
) -> list[int]:
    """The outputs of two neighbours, and then those that tell most about the other neighbours."""
    chosen = [_output_of(outputs, name) for name in target]
    while len(chosen) < min(size, len(outputs)):
        gains = {
            number: _gain(outputs, weights, number, chosen)
            for number in outputs
            if number not in chosen
        }
        chosen.append(max(gains, key=lambda number: (gains[number], -number)))
    return sorted(chosen)


def _gain(
    outputs: SentenceOutputs,
    weights: Mapping[frozenset[str], float],
    number: int,
    chosen: Sequence[int],
) -> float:
    """The widths of the intervals that comparisons of one more output would shrink."""
    return sum(
        weights.get(frozenset((one, other)), 0.0)
        for another in chosen
        for one in outputs[number]
        for other in outputs[another]
    )


def _output_of(outputs: SentenceOutputs, name: str) -> int:
    return next(number for number, systems in outputs.items() if name in systems)


def _differ(outputs: SentenceOutputs, one: str, other: str) -> bool:
    """Whether both systems have an output here, and not the same."""
    of_one = [number for number, systems in outputs.items() if one in systems]
    of_other = [number for number, systems in outputs.items() if other in systems]
    return bool(of_one and of_other) and of_one != of_other


def _insert(connection: Connection, place: int, outputs: Sequence[int]) -> int:
    last = connection.execute(select(func.max(item.c.position))).scalar_one()
    made = connection.execute(
        insert(item).values(
            position=last + 1,
            kind="adaptive",
            source_id=place,
            outputs=list(outputs),
            needed=1,
            taken=0,
        )
    )
    key = made.inserted_primary_key
    assert key is not None
    return int(key[0])

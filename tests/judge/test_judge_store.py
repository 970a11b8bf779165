"""Leases, answers, undone answers and people, on SQLite and PostgreSQL."""

from __future__ import annotations

import random
import threading
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from corrigenda.errors import CorrigendaError
from corrigenda.formats import campaign as campaign_format
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats.campaign_schema import (
    assignment,
    event,
    item,
    judge,
    judgment,
    metadata,
)
from corrigenda.judge.overview import overview
from corrigenda.judge.recording import GivenAnswer, NotYoursError
from corrigenda.judge.store import CampaignStore
from judging import corpus_and_systems, make_campaign

pytestmark = pytest.mark.slow


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def answer(key: str, ranks: list[int]) -> GivenAnswer:
    return GivenAnswer(key, "answer", {"ranks": ranks})


def person(store: CampaignStore, name: str | None = None) -> int:
    found = store.person(store.add_judge(name))
    assert found is not None
    return found.id


def judge_all(store: CampaignStore, judges: list[int]) -> int:
    made = 0
    left = list(judges)
    while left:
        for number in list(left):
            lease = store.lease(number)
            if lease is None:
                left.remove(number)
                continue
            made += 1
            ranks = list(range(1, len(lease.outputs) + 1))
            store.answer(number, lease.assignment_id, answer(f"key-{made}-of-a-judge", ranks))
    return made


def test_a_campaign_is_judged_as_designed(place: str) -> None:
    store = make_campaign(place, per_judge=20, controls=0.1, texts=corpus_and_systems(36, 3))
    judges = [person(store) for _ in range(2)]
    made = judge_all(store, judges)
    assert made == 40
    with store.reading() as connection:
        kinds = Counter(connection.execute(select(assignment.c.kind, assignment.c.judge_id)).all())
        slots = connection.execute(
            select(assignment.c.item_id, func.count())
            .where(assignment.c.slot.is_not(None))
            .group_by(assignment.c.item_id)
        ).all()
        needed = dict(connection.execute(select(item.c.id, item.c.needed)).all())
        taken = dict(connection.execute(select(item.c.id, item.c.taken)).all())
    for number in judges:
        assert kinds["repeat", number] == 2  # 12 % of 20
        assert kinds["control", number] == 2  # 10 % of 20
    assert all(count <= needed[number] for number, count in slots)
    assert dict(slots) == {number: count for number, count in taken.items() if count}
    rankings = store.judgments()
    assert len(rankings) == made - 4
    assert {ranking.judge for ranking in rankings.rankings} == {"judge1", "judge2"}
    store.close()
    assert judgments_format.read(place).rankings == rankings.rankings


def test_a_repeat_comes_at_a_distance_and_in_another_order(place: str) -> None:
    store = make_campaign(place, repeats=0.2, controls=0.0, repeat_distance=8)
    number = person(store)
    judge_all(store, [number])
    with store.reading() as connection:
        rows = connection.execute(select(assignment).order_by(assignment.c.id)).all()
    first = {
        row.item_id: (place, row.shown) for place, row in enumerate(rows) if row.kind == "main"
    }
    repeats = [(place, row) for place, row in enumerate(rows) if row.kind == "repeat"]
    assert repeats
    assert all(place - first[row.item_id][0] > 8 for place, row in repeats)
    assert any(row.shown != first[row.item_id][1] for _, row in repeats)
    assert all(sorted(row.shown) == sorted(first[row.item_id][1]) for _, row in repeats)
    store.close()


def test_the_same_key_counts_once(each_place: str) -> None:
    store = make_campaign(each_place)
    number = person(store)
    lease = store.lease(number)
    first = store.answer(number, lease.assignment_id, answer("k" * 20, [1, 2, 3, 4, 5]))
    again = store.answer(number, lease.assignment_id, answer("k" * 20, [5, 4, 3, 2, 1]))
    assert first.new
    assert not again.new
    assert again.judgment_id == first.judgment_id
    assert store.count(judgment) == 1
    assert [output.rank for output in store.judgments().rankings[0].outputs] == [1, 2, 3, 4, 5]
    store.close()


def test_a_later_answer_supersedes_and_nothing_is_deleted(place: str) -> None:
    store = make_campaign(place)
    number = person(store)
    lease = store.lease(number)
    store.answer(number, lease.assignment_id, answer("first-key-of-judge", [1, 2, 3, 4, 5]))
    store.answer(number, lease.assignment_id, answer("second-key-of-judge", [5, 4, 3, 2, 1]))
    with store.reading() as connection:
        rows = connection.execute(select(judgment).order_by(judgment.c.id)).all()
    assert [row.supersedes_id for row in rows] == [None, rows[0].id]
    assert len(store.judgments()) == 1
    assert store.judgments().rankings[0].outputs[0].rank == 5
    store.close()


def test_undo_opens_the_last_answer_again(place: str) -> None:
    store = make_campaign(place)
    number = person(store)
    first = store.lease(number)
    store.answer(number, first.assignment_id, answer("a-key-of-the-judge", [1, 1, 2, 2, 3]))
    second = store.lease(number)
    assert second.assignment_id != first.assignment_id
    assert store.undo(number, "undo-key-of-the-judge")
    assert store.undo(number, "undo-key-of-the-judge"), "a doubled request does nothing more"
    again = store.lease(number)
    assert again.assignment_id == first.assignment_id
    assert again.previous["ranks"] == [1, 1, 2, 2, 3]
    assert len(store.judgments()) == 0
    store.answer(number, first.assignment_id, answer("b-key-of-the-judge", [1, 2, 2, 2, 3]))
    assert store.lease(number).assignment_id == second.assignment_id
    assert len(store.judgments()) == 1
    assert store.count(judgment) == 3
    assert not store.undo(person(store), "undo-of-another-judge")
    store.close()


def test_a_skipped_item_goes_to_another_judge(place: str) -> None:
    store = make_campaign(place, overlap=0.0)
    one, other = person(store), person(store)
    lease = store.lease(one)
    skip = GivenAnswer("skip-key-of-a-judge", "skip", reason="unclear")
    store.answer(one, lease.assignment_id, skip)
    assert store.lease(one).source != lease.source
    assert store.lease(other).source == lease.source
    assert store.judgments().skipped == 1
    assert store.count(event, event.c.what == "skipped") == 1
    store.close()


def test_stale_leases_are_freed_and_late_answers_still_count(each_place: str) -> None:
    clock = Clock()
    store = make_campaign(each_place, overlap=0.0, lease_minutes=1, clock=clock)
    one, other = person(store), person(store)
    lease = store.lease(one)
    assert store.lease(other).source != lease.source
    clock.now += 61
    third = person(store)
    assert store.lease(third).source == lease.source, "the each_place is free again"
    store.answer(one, lease.assignment_id, answer("a-late-key-of-judge", [1, 2, 3, 4, 5]))
    assert len(store.judgments()) == 1
    expired = [row for row in store.events() if row["what"] == "expired"]
    assert {row["judge_id"] for row in expired} == {one, other}
    assert lease.assignment_id in [row["details"]["assignment"] for row in expired]
    with store.reading() as connection:
        held = connection.execute(
            select(assignment.c.item_id, func.count())
            .where(assignment.c.slot.is_not(None))
            .group_by(assignment.c.item_id)
        ).all()
    assert all(count == 1 for _, count in held)
    store.close()


def test_a_judge_who_comes_back_late_gets_the_same_item_if_it_is_free(place: str) -> None:
    clock = Clock()
    store = make_campaign(place, lease_minutes=1, clock=clock)
    one = person(store)
    lease = store.lease(one)
    clock.now += 3600
    assert store.lease(one).assignment_id == lease.assignment_id
    store.pause(one)
    clock.now += 12 * 3600
    other = person(store)
    assert store.lease(other).source != lease.source, "a paused item waits for a day"
    assert store.lease(one).assignment_id == lease.assignment_id
    store.close()


def test_items_and_keys_of_others_are_refused(place: str) -> None:
    store = make_campaign(place)
    one, other = person(store), person(store)
    lease = store.lease(one)
    with pytest.raises(NotYoursError):
        store.answer(other, lease.assignment_id, answer("key-of-another-judge", [1, 2, 3, 4, 5]))
    store.answer(one, lease.assignment_id, answer("key-of-this-judge-1", [1, 2, 3, 4, 5]))
    mine = store.lease(other)
    with pytest.raises(NotYoursError):
        store.answer(other, mine.assignment_id, answer("key-of-this-judge-1", [1, 2, 3, 4, 5]))
    assert store.shown(other, lease.assignment_id) is None
    assert store.count(judgment) == 1
    store.close()


def test_judges_at_once_never_share_a_place(each_place: str) -> None:
    store = make_campaign(each_place, texts=corpus_and_systems(24, 3), repeats=0.0, controls=0.0)
    judges = [person(store) for _ in range(8)]
    begin = threading.Barrier(len(judges))
    problems: list[BaseException] = []

    def play(number: int) -> None:
        try:
            begin.wait()
            judge_all_of(number)
        except BaseException as error:
            problems.append(error)

    def judge_all_of(number: int) -> None:
        for turn in range(100):
            lease = store.lease(number)
            if lease is None:
                return
            ranks = [1] * len(lease.outputs)
            store.answer(number, lease.assignment_id, answer(f"{number:04}-{turn:016}", ranks))

    threads = [threading.Thread(target=play, args=(number,)) for number in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    with store.reading() as connection:
        rows = connection.execute(select(item.c.needed, item.c.taken)).all()
    assert all(needed == taken for needed, taken in rows)
    assert len(store.judgments()) == sum(needed for needed, _ in rows)
    store.close()


def test_people_are_hashed_renewed_and_forgotten(place: str) -> None:
    store = make_campaign(place)
    token = store.add_judge("Anna")
    with pytest.raises(CorrigendaError, match="already"):
        store.add_judge("Anna")
    with store.reading() as connection:
        rows = connection.execute(select(judge)).all()
    assert token not in str(rows)
    anna = store.person(token)
    lease = store.lease(anna.id)
    given = GivenAnswer("key-of-anna-herself", "answer", {"ranks": [1] * 5}, comment="I am Anna")
    store.answer(anna.id, lease.assignment_id, given)
    newer = store.renew_token("Anna")
    assert store.person(token) is None
    assert store.person(newer).name == "Anna"
    assert store.forget("Anna") == f"forgotten-{anna.id}"
    assert store.person(newer) is None
    assert store.judgments().judges == (f"forgotten-{anna.id}",)
    with store.reading() as connection:
        everything = [
            str(connection.execute(select(table)).all()) for table in metadata.sorted_tables
        ]
    assert "Anna" not in "".join(everything)
    with pytest.raises(CorrigendaError, match="there is no judge 'Anna'"):
        store.forget("Anna")
    store.close()


def test_an_external_id_is_the_same_judge_again(place: str) -> None:
    store = make_campaign(place, completion_code="DONE-1")
    first = store.person(store.enter_by_external_id("5f3"))
    second = store.person(store.enter_by_external_id("5f3"))
    assert first == second
    assert first.code == "DONE-1"
    assert store.count(judge) == 1
    store.close()


@pytest.mark.parametrize("stop", ["7", "apart"])
def test_the_stop_rule_ends_the_campaign(place: str, stop: str) -> None:
    store = make_campaign(place, stop=stop, texts=corpus_and_systems(60, 3))
    number = person(store)
    made = 0
    while (lease := store.lease(number)) is not None:
        made += 1
        # The systems are always ranked by the number in their outputs.
        ranks = [int(text.split(" x")[1][0]) + 1 for text in lease.outputs if " x" in text]
        ranks += [3] * (len(lease.outputs) - len(ranks))
        store.answer(number, lease.assignment_id, answer(f"key-number-{made:09}", ranks))
    if stop == "7":
        assert made == 7
    else:
        assert 6 <= made < 60
        assert store.standing().apart
    store.close()


def taste(text: str, chance: random.Random) -> float:
    """How good an output is: SYS0 is far better; the others are hard to tell apart."""
    return {0: 3.0, 1: 0.4}.get(int(text.split(" x")[1][0]), 0.0) + chance.gauss(0, 0.8)


def test_adaptive_items_in_a_real_campaign(place: str) -> None:
    """Balanced first, then neighbours that are not apart; the budget holds and no item is idle."""
    store = make_campaign(
        place, assign="adaptive", mode="pair", controls=0.1, texts=corpus_and_systems(28, 4)
    )
    judges, chance, made = [person(store), person(store)], random.Random(5), 0
    left = list(judges)
    while left:
        number = left[made % len(left)]
        lease = store.lease(number)
        if lease is None:
            left.remove(number)
            continue
        made += 1
        scores = [taste(text, chance) for text in lease.outputs]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        store.answer(number, lease.assignment_id, answer(f"key-number-{made:09}", ranks))
    with store.reading() as connection:
        rows = connection.execute(
            select(assignment, item.c.kind.label("item_kind"), item.c.source_id, item.c.outputs)
            .join(item, item.c.id == assignment.c.item_id)
            .order_by(assignment.c.id)
        ).all()
        items = connection.execute(select(item)).all()
        writer = campaign_format.writers(connection)
    main = [row for row in rows if row.kind == "main"]
    assert len(main) == sum(each.needed for each in items if each.kind == "main")
    kinds = [row.item_kind for row in main]
    assert kinds[:8] == ["main"] * 8, "two per system are balanced"
    for end in range(1, len(kinds) + 1):
        assert kinds[:end].count("main") >= 0.25 * end - 1
    assert kinds.count("adaptive") > len(kinds) / 2
    used = Counter(row.item_id for row in main)
    assert all(used[each.id] == each.taken <= each.needed for each in items)
    assert all(used[each.id] == 1 for each in items if each.kind == "adaptive"), "none is idle"
    for number in judges:
        seen = Counter(row.source_id for row in main if row.judge_id == number)
        assert max(seen.values()) <= 2, "a balanced and an adaptive item of a sentence at most"
    late = Counter(
        frozenset(name for output in row.outputs for name in writer[output])
        for row in main[16:]
        if row.item_kind == "adaptive"
    )
    seen = overview(store)
    assert seen.places == seen.taken == len(main)
    assert sum(count for pair, count in late.items() if "SYS0" not in pair) > 0.8 * late.total()
    store.close()


def test_rows_are_only_added_to_judgments(place: str) -> None:
    """A key is unique in the database itself."""
    from sqlalchemy.exc import IntegrityError

    store = make_campaign(place)
    number = person(store)
    lease = store.lease(number)
    store.answer(number, lease.assignment_id, answer("the-only-key-of-it", [1] * 5))
    row = {
        "assignment_id": lease.assignment_id, "judge_id": number, "item_id": 1, "answer": {},
        "shown": [], "kind": "answer", "created": 1.0,
    }  # fmt: skip
    with pytest.raises(IntegrityError), store.writing() as connection:
        connection.execute(insert(judgment).values(key="the-only-key-of-it", **row))
    store.close()


@pytest.mark.parametrize("stop", ["²", "٣", "0", "-1", "1_0", "9" * 5000])
def test_a_stop_rule_that_is_no_number(tmp_path: Path, stop: str) -> None:
    with pytest.raises(CorrigendaError, match="--stop is"):
        make_campaign(tmp_path / "new.db", stop=stop)

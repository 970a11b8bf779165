"""Invented texts of many kinds have no finding: templates, chat, headlines, other scripts."""

from __future__ import annotations

import pytest

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.health import examine

NAMES = ("Ann", "Bill", "Carla", "David", "Emma", "Felix", "Greta", "Ida", "Jan", "Otto")
NUMBERS = range(10, 110)


def of_numbers(source: str, right: str) -> list[tuple[str, str]]:
    return [(source.format(number), right.format(number)) for number in NUMBERS]


def of_names(source: str, right: str) -> list[tuple[str, str]]:
    return [(source.format(name), right.format(name)) for name in NAMES * 4]


WORDS = [
    ("recieve", "receive"), ("seperate", "separate"), ("untill", "until"), ("wierd", "weird"),
    ("begining", "beginning"), ("beleive", "believe"), ("occured", "occurred"),
]  # fmt: skip
CHAT = [
    ("lol", "lol"), ("k", "ok"), ("ok", "ok"), ("how r u 2day m8", "how are you today mate"),
    ("i dont no", "i don't know"), ("thx 4 ur help", "thanks for your help"), ("no", "no"),
]  # fmt: skip
HEADLINES = [
    ("MINISTER RESIGN AFTER SCANDAL", "MINISTER RESIGNS AFTER SCANDAL"),
    ("Stock Market Fall On Monday", "Stock Market Falls On Monday"),
    ("Team Win The Cup Final Again", "Team Wins The Cup Final Again"),
]
LEARNERS = [
    ("i has a dog", "I have a dog ."), ("my name are tom", "My name is Tom ."),
    ("she do not know nothing", "She does not know anything ."),
]  # fmt: skip
TEXTS = {
    "one template": of_numbers("I goes to {} .", "I go to {} ."),
    "shorter by words": of_numbers("The the room {} is is free", "The room {} is free"),
    "shorter by a lot": of_names(
        "In my own personal opinion I think that {} is the best one of them .",
        "I think {} is the best .",
    ),
    "shorter last word": of_names("# {} is the bestest", "# {} is the best"),
    "two changes": of_numbers(
        "Er gehen in Haus {} und schlaft .", "Er geht in Haus {} und schläft ."
    ),
    "fewer marks": of_names("I love {} ! ! !", "I love {} !"),
    "no mark": of_names("Title of the {} page .", "Title of the {} page"),
    "blanks": of_names("I see {} everyday .", "I see {} every day ."),
    "joined": of_names("A well known {} came .", "A well-known {} came ."),
    "one result": [(f"He go {word} home .", "He goes home .") for word in ("at", "to", "in")] * 20,
    "numbers": of_numbers("{0} , 1 , {0}", "{0} , 1 and {0}"),
    "list": of_numbers("{}. Item nummber", "{}. Item number"),
    "dialogue": of_names('" Where is you , {} ? "', '" Where are you , {} ? "'),
    "dashes": of_names("- Do you has it , {} ?", "- Do you have it , {} ?"),
    "quotes": of_names("He said hello {} .", 'He said : " Hello {} . "'),
    "words": WORDS * 10,
    "chat": CHAT * 20,
    "headlines": HEADLINES * 20,
    "learners": LEARNERS * 20,
    "duplicates": [("He go home .", "He goes home .")] * 100,
    "few": LEARNERS + HEADLINES[:2],
    "capitals": [(before.upper(), after) for before, after in LEARNERS * 20],
    "Russian": of_numbers("Он пошла в магазин {} .", "Он пошёл в магазин {} ."),
    "Korean": of_numbers("나는 학교 에 간다 {} .", "나는 학교에 간다 {} ."),
    "Chinese": of_numbers("我 昨天 去 学校 的 {} 教室 。", "我 昨天 去 了 学校 的 {} 教室 。"),
    "Chinese with few blanks": of_numbers(
        "他 很高兴的跟第{}个人说话 。", "他 很高兴地跟第{}个人说话 。"
    ),
    "replies": [("ok", "OK ."), ("how are you", "How are you ?"), ("im fine", "I 'm fine .")] * 20,
    "moved words": of_numbers("Wir gehen in die kino {} .", "Wir gehen {} ins Kino ."),
    "long hyphens": of_numbers("We – {} people – is here .", "We – {} people – are here ."),
    "code": of_numbers("In C## the __init__ {} are called .", "In C## the __init__ {} is called ."),
    "Markdown that people remove": [
        pair
        for name in NAMES
        for pair in ((f"**{name}** are here .", f"{name} is here ."), *LEARNERS[1:], HEADLINES[1])
    ],
    "gaps": of_numbers("I ____ {} bookes ~~~~ .", "I ____ {} books ~~~~ ."),
    "Arabic": of_numbers("هو ذهبت الى البيت {} .", "هو ذهب إلى البيت {} ."),
    "Hindi": of_numbers("वह घर जाता हैं {} ।", "वह घर जाता है {} ।"),
    "Czech": of_numbers("Prijel jsem domu v {} .", "Přijel jsem domů v {} ."),
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_finding(name: str) -> None:
    """Neither for the reference itself nor for systems that are right on a part of the lines."""
    sources, right = (tuple(each) for each in zip(*TEXTS[name], strict=True))
    partly = tuple(
        before if place % 3 == 0 else after
        for place, (before, after) in enumerate(zip(sources, right, strict=True))
    )
    corpus = Corpus(sources, tuple((text,) for text in right))
    systems = [Hypotheses("right", right), Hypotheses("partly", partly)]
    assert not examine(corpus, systems)
    nearly = (sources[0], *right[1:])
    assert not examine(corpus, [Hypotheses("nearly", nearly)])
    if name != "no mark":  # only references can tell that marks were removed on purpose
        without = Corpus(sources, ((),) * len(sources))
        assert not examine(without, [Hypotheses("partly", partly)])

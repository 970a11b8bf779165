"""The page as a file: one file, nothing from outside, and no text becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corrigenda.report
from corrigenda.report.page import SCRIPTS, STYLES, json_block, page

PARTS = Path(corrigenda.report.__file__).parent / "page"
NASTY = [
    "</script><script>alert(1)</script>",
    "<!--",
    "]]>",
    "\u2028\u2029",
    '"><img src=x onerror=alert(1)>',
    "\ud800",
    "{{script}}",
]
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def block(html: str, start: str, end: str) -> str:
    found = re.search(f"{start}(.*?){end}", html, re.DOTALL)
    assert found
    return found[1]


@given(
    st.recursive(
        ANY_TEXT | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
        max_leaves=10,
    )
)
def test_a_block_of_json_keeps_the_data_and_no_text_ends_it(data):
    encoded = json_block(data)
    assert json.loads(encoded) == data
    assert not re.search("[<>&\u2028\u2029\ud800-\udfff\n\r]", encoded)


@pytest.mark.parametrize("text", NASTY)
def test_data_stay_inside_their_block(text: str):
    html = page({"title": text}, {"sources": [text]})
    assert html.encode("utf-8")
    assert html.count("<script") == 3
    assert json.loads(block(html, 'id="summary">', "</script>")) == {"title": text}
    assert json.loads(block(html, 'id="corpus">', "</script>")) == {"sources": [text]}


def test_the_policy_allows_only_this_script_and_this_style():
    html = page({}, {})
    policy = block(html, 'Content-Security-Policy" content="', '"')
    for start, end, directive in (
        ("<script>", "</script>", "script-src"),
        ("<style>", "</style>", "style-src"),
    ):
        digest = hashlib.sha256(block(html, start, end).encode()).digest()
        assert f"{directive} 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert html.index("Content-Security-Policy") < html.index("<style>") < html.index("<script")


def test_nothing_comes_from_outside():
    html = page({}, {})
    assert set(re.findall(r"https?://[^\s\"']+", html)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"<link|<img|<iframe|<object|@import|url\(|\bsrc=", html)


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_reads_text_as_markup_or_code(name: str):
    script = (PARTS / name).read_text(encoding="utf-8")
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|"
        r"srcdoc|fetch\(|XMLHttp"
    )
    assert not re.findall(forbidden, script)


def test_every_part_is_used():
    assert {path.name for path in PARTS.iterdir()} == {
        *SCRIPTS,
        *STYLES,
        "page.html",
        "schema.json",
    }


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES, "page.html"])
def test_no_part_is_long_or_wide(name: str):
    lines = (PARTS / name).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 200
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_function_of_a_script_is_long(name: str):
    lines = (PARTS / name).read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("function ")]
    for start in starts:
        length = next(n for n, line in enumerate(lines[start:], 1) if line.startswith("}"))
        assert length <= 40, lines[start]


def test_no_function_has_the_name_of_another():
    """All scripts share one scope, in which the later of two functions would count."""
    scripts = "".join((PARTS / part).read_text(encoding="utf-8") for part in SCRIPTS)
    names = re.findall(r"^function (\w+)", scripts, re.MULTILINE)
    assert len(names) == len(set(names))


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_function_of_a_script_is_used(name: str):
    scripts = "".join((PARTS / part).read_text(encoding="utf-8") for part in SCRIPTS)
    names = re.findall(r"^function (\w+)", (PARTS / name).read_text(encoding="utf-8"), re.MULTILINE)
    for function in names:
        assert len(re.findall(rf"\b{function}\b", scripts)) > 1, function


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_string_of_a_script_goes_over_a_line_end(name: str):
    """The page leaves out the indentation of lines, which must not change a text."""
    for line in (PARTS / name).read_text(encoding="utf-8").splitlines():
        if not line.lstrip().startswith(("//", "/*", "*")):
            assert line.count("`") % 2 == 0, line


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_line_of_code_ends_with_a_comment(name: str):
    """The page joins some lines of a statement, which a comment would hide."""
    for line in (PARTS / name).read_text(encoding="utf-8").splitlines():
        if not line.lstrip().startswith(("//", "/*", "*")):
            assert "//" not in line.replace("http://", ""), line


@pytest.mark.parametrize("name", STYLES)
def test_no_string_of_a_style_has_punctuation(name: str):
    """The page leaves out the spaces beside punctuation, which must not change a text."""
    strings = (PARTS / name).read_text(encoding="utf-8").split('"')[1::2]
    assert not [text for text in strings if re.search("[{};:,]", text)]

"""XML from untrusted files: what is read, what is refused, and the place of each error."""

from pathlib import Path

import pytest

from corrigenda.errors import FormatError
from corrigenda.formats import safe_xml


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_elements_have_attributes_text_children_and_lines(tmp_path):
    root = safe_xml.read(written(tmp_path, '<a>\n<b n="3">x &amp; y</b>\n<b n="-1"/><c/></a>'))
    first, second = root.named("b")
    assert (first.text, first.whole_number("n"), first.location.line) == ("x & y", 3, 2)
    assert (second.whole_number("n"), second.location.line) == (-1, 3)
    assert not root.only("c").children


def test_streamed_elements_are_complete_and_the_rest_is_forgotten(tmp_path):
    path = written(tmp_path, "<a>noise<b><c>1</c></b>" + "<d/>" * 50_000 + "<b><c>2</c></b></a>")
    assert [element.only("c").text for element in safe_xml.stream(path, "b")] == ["1", "2"]


def test_nested_elements_of_the_streamed_name_belong_to_the_outer_one(tmp_path):
    inner, outer = safe_xml.stream(written(tmp_path, "<a><b><b>x</b></b></a>"), "b")
    assert outer.children == [inner]


def test_latin1_is_read_as_declared(tmp_path):
    content = '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>'.encode("latin1")
    assert safe_xml.read(written(tmp_path, content)).text == "é"


HOSTILE = {
    "entities that expand": '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>',
    "an external file": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "an external declaration": '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>',
    "a parameter entity": '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]><a/>',
    "an undeclared entity": "<a>&x;</a>",
    "depth": "<a>" * 100 + "</a>" * 100,
    "an unclosed element": "<a><b></a>",
    "nothing": "",
    "no XML": "rank,system\n1,A\n",
    "two roots": "<a/><b/>",
    "a NUL": b"<a>\x00</a>",
    "bad UTF-8": b"<a>\xff\xfe</a>",
    "an unknown encoding": '<?xml version="1.0" encoding="klingon"?><a/>',
    "a multi-byte encoding": '<?xml version="1.0" encoding="shift_jis"?><a/>',
    "an attribute twice": '<a x="1" x="2"/>',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_or_broken_documents_are_refused_with_a_place(tmp_path, content):
    path = written(tmp_path, content)
    with pytest.raises(FormatError) as caught:
        safe_xml.read(path)
    assert caught.value.location.file == str(path)
    assert caught.value.location.line
    with pytest.raises(FormatError):
        list(safe_xml.stream(path, "never"))


@pytest.mark.parametrize("value", ["", "1.5", "one", "1_0", "١", " 1", "9" * 30])
def test_only_plain_digits_are_whole_numbers(tmp_path, value):
    element = safe_xml.read(written(tmp_path, f'<a n="{value}"/>'))
    with pytest.raises(FormatError, match="whole number"):
        element.whole_number("n")


def test_missing_and_repeated_parts_are_named(tmp_path):
    element = safe_xml.read(written(tmp_path, '<a n="0"><b/><b/></a>'))
    with pytest.raises(FormatError, match="no attribute 'm'"):
        element.attribute("m")
    with pytest.raises(FormatError, match="2 <b> elements"):
        element.only("b")
    with pytest.raises(FormatError, match="smaller than 1"):
        element.whole_number("n", least=1)


@pytest.mark.parametrize("begin", ["<a ", "<a x='", "<", "<a><!-- ", "<a><?x ", "<a></a", "<a>&"])
def test_a_long_tag_is_read_in_chunks_as_long_as_itself(tmp_path, monkeypatch, begin):
    """The parser starts a tag again with every chunk, so many chunks would take quadratic time."""
    fed = []
    feed = safe_xml._Builder.feed

    def counted(builder, chunk, *, final=False):
        fed.append(len(chunk))
        feed(builder, chunk, final=final)

    monkeypatch.setattr(safe_xml._Builder, "feed", counted)
    with pytest.raises(FormatError, match="not well-formed"):
        safe_xml.read(written(tmp_path, begin + "y" * 4_000_000))
    assert sum(fed) >= 4_000_000
    assert len(fed) < 12


def test_a_tag_is_bounded_and_its_line_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(safe_xml, "MOST_MARKUP_BYTES", 1 << 20)
    path = written(tmp_path, f"<a>\n<b c='{'y' * 3_000_000}'/></a>")
    with pytest.raises(FormatError, match=r"a tag, a comment .* more than 1 MB") as caught:
        safe_xml.read(path)
    assert caught.value.location.line == 2


def test_a_text_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(safe_xml, "MOST_TEXT", 1 << 20)
    assert safe_xml.read(written(tmp_path, f"<a>{'y' * 1_000_000}</a>")).text
    with pytest.raises(FormatError, match="<a> has more than 1 million characters"):
        safe_xml.read(written(tmp_path, f"<a>{'y' * 1_100_000}</a>"))


def test_the_elements_that_are_held_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(safe_xml, "MOST_ELEMENTS", 100)
    many = "<b><c/></b>" * 60
    assert len(list(safe_xml.stream(written(tmp_path, f"<a>{many}</a>"), "b"))) == 60
    with pytest.raises(FormatError, match="more than 100 elements"):
        safe_xml.read(written(tmp_path, f"<a>{many}</a>"))
    with pytest.raises(FormatError, match="more than 100 elements in <a>"):
        list(safe_xml.stream(written(tmp_path, f"<a>{many}</a>"), "a"))


def test_a_missing_element_is_an_error_at_the_outermost_one(tmp_path):
    with pytest.raises(FormatError, match="no <x> in the file") as caught:
        list(safe_xml.stream(written(tmp_path, "\n\n<a><b/></a>"), "x", remedy="Give one."))
    assert (caught.value.location.line, caught.value.remedy) == (3, "Give one.")

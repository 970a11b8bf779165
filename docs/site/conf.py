"""The documentation as a site: `make docs` builds it into build/site, and fails on any warning.

Sphinx reads the pages of docs/ as they are. This file adds what is made from the program: the help
of every command, the public names with their docstrings; and pages from outside docs/.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

os.environ["COLUMNS"] = "100"  # the width of the help texts

from sphinx.ext.napoleon import Config, GoogleDocstring

import corrigenda
from corrigenda.cli import GROUPS, parser

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
SOURCE = REPOSITORY / "build" / "site-source"
"""All pages are gathered here, because Sphinx reads one folder."""

project = "Corrigenda"
author = "The Corrigenda authors"
copyright = author  # noqa: A001
version = release = corrigenda.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["misc.highlighting_failure"]
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
default_role = "code"  # docstrings write `name`
add_module_names = False
autodoc_member_order = "bysource"
html_theme = "furo"
html_title = "Corrigenda"
html_static_path: list[str] = []
html_extra_path = [str(REPOSITORY / "build" / "site-extra")]
html_show_sphinx = False

ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "SECURITY.md": "project/security.md",
    "RELEASING.md": "project/releasing.md",
}
"""A file outside docs/ -> its page on the site."""
SECTIONS = {
    "Start": ["tutorial.md", "raw-text.md", "languages.md", "coming-from.md", "faq.md"],
    "Decide": [
        "which-metric.md",
        "statistics.md",
        "settings.md",
        "health.md",
        "attacks.md",
    ],
    "How to": [
        "gallery.md",
        "report.md",
        "slices.md",
        "attribution.md",
        "formats.md",
        "shared-tasks.md",
        "gate.md",
        "passport.md",
        "detective.md",
        "rewards.md",
        "bulk.md",
        "data.md",
    ],
    "People": ["judging.md", "human.md", "meta.md", "reproduce.md"],
    "Metrics": ["metrics/*.md"],
    "Reference": ["reference/commands.md", "reference/python.md", "api.md", "json.md"],
    "Project": ["project/*.md", "reliability.md", "research/*.md"],
    "Decisions": ["adr/*.md"],
}
"""The navigation. Sphinx warns, and so fails, if a page stands nowhere."""
GALLERY = """\
# Gallery

Everything here is made from the bundled sample: five invented systems on 60 invented sentences.

## A live report

`corrigenda report --gold gold.m2 --hyps *.txt --judgments judgments.xml` writes one HTML file.

<p><a href="gallery/report.html">Open the report of the sample</a></p>

![A report: leaderboard, tests of significance, plots, and every sentence](images/report.png)

## Scores

`corrigenda.evaluate(corpus, systems, ["green", "m2", "gleu"]).plot()`

![A panel per metric; strong is first in all of them](images/gallery-scores.svg)

## Differences

`corrigenda.compare(corpus, systems, ["green", "m2"]).plot()`: the difference of each system from
the first, with 95 % intervals.

![Both systems are below the first; no interval holds 0](images/gallery-differences.svg)

## What people say

`corrigenda.rank("judgments.xml").plot()`: Expected Wins with 95 % intervals.

![Five systems with intervals, the best on top](images/gallery-people.svg)
"""
_PARAMETERS = re.compile(r"<dl>\s*(<dd>(?:(?!</?dl).)*?)</dl>", re.DOTALL)
_LINK = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\(([^)#\s]+)((?:#[^)\s]*)?)\)")


def gather() -> None:
    """Write all pages into one folder, each with links that hold there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS / "images", SOURCE / "images")
    for suffix in ("ipynb", "csv"):  # pages link to them
        for path in DOCS.rglob(f"*.{suffix}"):
            there = SOURCE / path.relative_to(DOCS)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, there)
    pages = {str(path.relative_to(DOCS)): path for path in DOCS.rglob("*.md")}
    pages |= {page: REPOSITORY / path for path, page in ELSEWHERE.items() if page != "index.md"}
    for page, path in pages.items():
        if path.exists():
            _write(page, _relinked(path.read_text(encoding="utf-8"), path, page))
    _write("reference/commands.md", _commands())
    _write("reference/python.md", _python())
    _write("gallery.md", _gallery())
    with (SOURCE / "index.md").open("a", encoding="utf-8") as index:
        index.write(_navigation())


def _write(page: str, text: str) -> None:
    path = SOURCE / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _relinked(text: str, path: Path, page: str) -> str:
    """The text with its links, which are relative to `path`, made relative to the page."""

    def replace(link: re.Match[str]) -> str:
        target = (path.parent / link[2]).resolve()
        if "://" in link[2] or not target.is_relative_to(REPOSITORY):
            return link[0]
        place = str(target.relative_to(REPOSITORY))
        if place == "docs/adr":
            there = str(sorted(target.glob("*.md"))[0].relative_to(DOCS))
        elif place in ELSEWHERE:
            there = ELSEWHERE[place]
        elif target.is_relative_to(DOCS):
            there = str(target.relative_to(DOCS))
        else:
            return link[1]  # the site does not have it
        return f"[{link[1]}]({os.path.relpath(there, Path(page).parent)}{link[3]})"

    return _LINK.sub(replace, text)


def _navigation() -> str:
    lines = []
    for title, patterns in SECTIONS.items():
        found = [
            str(path.relative_to(SOURCE))
            for pattern in patterns
            for path in sorted(SOURCE.glob(pattern))
        ]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {title}", "", *found, "```"]
    return "\n".join([*lines, ""])


def _commands() -> str:
    """The help of every command."""
    (choices,) = (action.choices for action in parser()._actions if action.choices)
    lines = ["# Commands", "", "What `corrigenda COMMAND --help` prints."]
    for purpose, names in GROUPS.items():
        lines += ["", f"## {purpose.capitalize()}"]
        for name in names:
            lines += ["", f"### {name}", "", "```text", choices[name].format_help().rstrip(), "```"]
    return "\n".join([*lines, ""])


def _gallery() -> str:
    """What the program makes of the bundled sample: a live report and pictures."""
    from corrigenda.data import SAMPLE, sample_corpus, sample_systems

    folder = REPOSITORY / "build" / "site-extra" / "gallery"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    corpus, systems = sample_corpus(), sample_systems()
    corrigenda.report(
        corpus,
        systems,
        out=folder / "report.html",
        title="Five invented systems",
        judgments=SAMPLE / "judgments.xml",
        health="quiet",
    )
    metrics = ["green", "m2", "gleu"]
    scores = corrigenda.evaluate(corpus, systems, metrics, health="quiet").plot()
    compared = corrigenda.compare(corpus, systems[:3], metrics[:2]).plot()
    people = corrigenda.rank(SAMPLE / "judgments.xml").plot()
    pictures = {"scores": scores, "differences": compared, "people": people}
    for name, figure in pictures.items():
        figure.savefig(SOURCE / "images" / f"gallery-{name}.svg", metadata={"Date": None})
    return GALLERY


def _python() -> str:
    """Every public name, from its docstring."""
    lines = ["# Python", "", "The public names of `import corrigenda`."]
    homes = {name: f"{home}.{name}" for name, home in corrigenda._HOMES.items()}
    # Two rooms can be called; the functions that do the work have the docstrings.
    homes |= {
        "report": "corrigenda.report.call.report_on",
        "meta": "corrigenda.meta.calling.meta_evaluate",
    }
    for name, home in sorted(homes.items(), key=lambda item: item[0].lower()):
        kind = "class" if isinstance(getattr(corrigenda, name), type) else "function"
        members = [":members:"] if kind == "class" else []
        lines += ["", f"## {name}", "", "```{eval-rst}", f".. auto{kind}:: {home}"]
        lines += [f"   {option}" for option in members] + ["```"]
    return "\n".join([*lines, ""])


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _with_sections)
    app.connect("html-page-context", _accessible, priority=900)  # after the theme


def _with_sections(app: Any, what: str, *more: Any) -> None:
    """Read `Args:`, `Returns:` and `Example:` in the docstrings of calls.

    The extension napoleon would also look for sections in the docstrings of attributes, where a
    colon is only a colon.
    """
    lines = more[-1]
    if what == "function":
        lines[:] = GoogleDocstring(lines, Config(napoleon_use_rtype=False), app, what).lines()


def _accessible(app: Any, page: str, template: str, context: dict[str, Any], *more: Any) -> None:
    """Add what Sphinx leaves out for keyboards and screen readers.

    The headings of the navigation get a level. Code and tables that are wider than the screen can
    be scrolled by keys. Long signatures are no lists of definitions.
    """
    for place, old, new in (
        ("furo_navigation_tree", 'role="heading"', 'role="heading" aria-level="2"'),
        ("body", "<pre>", '<pre tabindex="0">'),
        ("body", '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ):
        if place in context:
            context[place] = context[place].replace(old, new)
    if "body" in context:
        context["body"] = _PARAMETERS.sub(_parameter_lines, context["body"])


def _parameter_lines(found: re.Match[str]) -> str:
    """The parameters of a long signature as lines; Sphinx makes a list without terms of them."""
    line = '<span style="display:block;margin-left:2rem">'
    return found[1].replace("<dd>", line).replace("</dd>", "</span>")


gather()

"""The documentation as a site: `make docs` builds it into build/site, and fails on any warning.

Sphinx reads the pages of docs/ as they are. This file adds what is made from the program: the help
of every command, the public names with their docstrings; and pages from outside docs/.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

os.environ["COLUMNS"] = "100"  # the width of the help texts

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
html_show_sphinx = False

ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "SECURITY.md": "project/security.md",
}
"""A file outside docs/ -> its page on the site."""
SECTIONS = {
    "Start": ["tutorial.md", "raw-text.md", "languages.md", "coming-from.md", "faq.md"],
    "Decide": [
        "passport.md",
        "detective.md",
        "shared-tasks.md",
        "gate.md",
        "which-metric.md",
        "differences.md",
        "health.md",
    ],
    "How to": ["formats.md", "report.md", "slices.md", "bulk.md", "rewards.md", "data.md"],
    "People": ["judging.md", "human.md", "meta.md", "reproduce.md"],
    "Metrics": ["metrics/*.md"],
    "Reference": ["reference/commands.md", "reference/python.md", "api.md", "json.md"],
    "Project": ["project/*.md", "reliability.md", "research/*.md"],
    "Decisions": ["adr/*.md"],
}
"""The navigation. Sphinx warns, and so fails, if a page stands nowhere."""
_LINK = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\(([^)#\s]+)((?:#[^)\s]*)?)\)")


def gather() -> None:
    """Write all pages into one folder, each with links that hold there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS / "images", SOURCE / "images")
    pages = {str(path.relative_to(DOCS)): path for path in DOCS.rglob("*.md")}
    pages |= {page: REPOSITORY / path for path, page in ELSEWHERE.items() if page != "index.md"}
    for page, path in pages.items():
        if path.exists():
            _write(page, _relinked(path.read_text(encoding="utf-8"), path, page))
    _write("reference/commands.md", _commands())
    _write("reference/python.md", _python())
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


def _python() -> str:
    """Every public name, from its docstring."""
    lines = ["# Python", "", "The public names of `import corrigenda`."]
    for name, home in sorted(corrigenda._HOMES.items(), key=lambda item: item[0].lower()):
        kind = "class" if isinstance(getattr(corrigenda, name), type) else "function"
        members = [":members:"] if kind == "class" else []
        lines += ["", f"## {name}", "", "```{eval-rst}", f".. auto{kind}:: {home}.{name}"]
        lines += [f"   {option}" for option in members] + ["```"]
    return "\n".join([*lines, ""])


gather()

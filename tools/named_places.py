"""The files and names that CONTRIBUTING.md tells its readers to look for exist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

GUIDE = Path("CONTRIBUTING.md")
# Places that a build makes, and names that are only examples of a form.
MADE = {".venv/bin/python", "docs/site", "docs/recorded"}
EXAMPLES = {"test_queue.cpp", "trailing_"}
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\s]+)`")  # one word in backquotes; commands have several
_PATH = re.compile(r"[\w.-]*(/[\w.-]*)+|\w+\.(h|cpp|def|py|md|txt|cmake)")
_IDENTIFIER = re.compile(r"_*[A-Za-z]\w*_\w+|_\w+|k[A-Z]\w+|([A-Z][a-z]+){2,}|[A-Z]{4,}")
# Spans in which the reader replaces something.
_FREE = re.compile(r"\b(\w+_)?(NAME|MODULE|FUNCTION|PAGE|FOLDER)(_\w+)?\b|[*{}]")
_SOURCES = {".h", ".cpp", ".def", ".py", ".cmake", ".txt", ".sh", ".toml", ""}


def place_faults(guide: str, paths: Iterable[Path], words: set[str]) -> list[str]:
    """Spans of `guide` that name no file or folder of `paths` and none of the sources' `words`."""
    known = {str(place) for path in paths for place in (path, *path.parents)}
    ends = {place[i:] for place in known for i in _starts(place)}
    text = _FENCED.sub(lambda fence: "\n" * fence[0].count("\n"), guide)
    faults = []
    for span in _SPAN.finditer(text):
        line = text.count("\n", 0, span.start()) + 1
        name = span[1].rstrip("/")
        if _FREE.search(name) or name in EXAMPLES | MADE:
            continue
        if _PATH.fullmatch(name):
            if name.removeprefix("./") not in ends:
                faults.append(f"{GUIDE}:{line}: there is no file or folder {name}")
        else:
            faults += [
                f"{GUIDE}:{line}: the sources have no {part}"
                for part in re.findall(r"\w+", name)
                if _IDENTIFIER.fullmatch(part) and part not in words
            ]
    return faults


def _starts(place: str) -> list[int]:
    return [0, *(i + 1 for i, c in enumerate(place) if c == "/")]


def words_of(root: Path, paths: Iterable[Path]) -> set[str]:
    """The words of the sources, without those of documents."""
    words: set[str] = set()
    for path in paths:
        if path.suffix in _SOURCES:
            words.update(re.findall(r"\w+", (root / path).read_text(errors="ignore")))
    return words

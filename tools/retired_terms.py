"""Finds the terms of retired_terms.txt in names and text."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cpp_text import code_only

TERMS = Path(__file__).with_suffix(".txt")
_LINE = re.compile(r"(phrase|identifier): (.+?) => (.+)")
# What stands for a space of a phrase: spaces, or a line break in a comment, string or list.
_GAP = r"(?:\s+|\s*[\"']?\s*\n\s*(?://+[!<]*|\#|\*|>|f?[\"'])?\s*)"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# The words of an identifier: device_words_, DeviceWords, kWords, WORDS.
_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")


@dataclass
class Term:
    pattern: re.Pattern[str]
    instead: str


@dataclass
class Terms:
    identifiers: list[Term]
    phrases: list[Term]


def read_terms(text: str) -> Terms:
    """The terms of a file like retired_terms.txt; raises ValueError for a line it cannot read."""
    terms = Terms([], [])
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise ValueError(f"not KIND: REGULAR EXPRESSION => INSTEAD: {line}")
        kind, expression, instead = parts.groups()
        if kind == "identifier":
            pattern = re.compile(f"(?:^|_)(?:{expression})(?:_|$)")
            terms.identifiers.append(Term(pattern, instead))
        else:
            pattern = re.compile(expression.replace(" ", _GAP))
            terms.phrases.append(Term(pattern, instead))
    return terms


def _python_names(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string


def _cpp_names(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(code_only(text).splitlines(), 1):
        for found in _IDENTIFIER.finditer(line):
            yield number, found[0]


def names_of(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """The identifiers of a Python or C++ file with their lines; of other files, none."""
    if path.suffix == ".py":
        yield from _python_names(text)
    elif path.suffix in {".h", ".cpp", ".def", ".c"}:
        yield from _cpp_names(text)


def _snake_case(name: str) -> str:
    return _BREAK.sub("_", name).lower()


def term_faults(terms: Terms, path: Path, text: str) -> list[str]:
    """One line for each retired term in the file's name, identifiers and text."""
    faults = []
    for term in terms.identifiers:
        if term.pattern.search(_snake_case(path.stem)):
            faults.append(f"{path}: file name: write {term.instead}")
    seen = set()
    for line, name in names_of(path, text):
        if name in seen:
            continue
        seen.add(name)
        for term in terms.identifiers:
            if term.pattern.search(_snake_case(name)):
                faults.append(f"{path}:{line}: identifier '{name}': write {term.instead}")
    lower = text.lower()
    for term in terms.phrases:
        for found in term.pattern.finditer(lower):
            line = text.count("\n", 0, found.start()) + 1
            words = " ".join(found[0].split())
            faults.append(f"{path}:{line}: '{words}': write {term.instead}")
    return faults

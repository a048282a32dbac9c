"""Random programs of array operations, cut into functions with hither.compile.

The program runs in two scopes. The functions are recorded with the variables of the first scope,
and run again with those of the second, when small kernels are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import hither as ht
from hither._hither import join_recordings_after

_VARIABLE = re.compile(r"\bv\d+\b")
_READS = re.compile(
    r"\b(show|keep|read_by_threads|explain|asarray|nonzero|unique\w*|repeat|bincount|extract)\("
)


class Unrecordable(Exception):
    """A statement reads elements on the host, so that the program cannot be compiled."""


def _parts(statements: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """The statements in order, in parts that are compiled or are not."""
    part: list[str] = []
    for text in statements:
        if not _READS.search(text):
            part.append(text)
            continue
        if part:
            yield True, part
        yield False, [text]
        part = []
    if part:
        yield True, part


class CompiledProgram:
    """Runs a program's statements. `names` are the functions and constants of their text, and
    `readers` those that read values. Only the second scope reads."""

    def __init__(self, names: dict[str, Any], readers: dict[str, Any]) -> None:
        silent = {name: lambda *_arguments: None for name in readers}
        self.scopes = [{**names, **silent}, {**names, **readers}]
        self.replays = 0

    def run(self, statements: list[str]) -> None:
        before = join_recordings_after(1)
        try:
            for compiled, part in _parts(statements):
                if compiled:
                    self._run_compiled(part)
                else:
                    for scope in self.scopes:
                        exec(part[0], scope)
        finally:
            join_recordings_after(before)

    def _run_compiled(self, part: list[str]) -> None:
        used = sorted({name for text in part for name in _VARIABLE.findall(text)})
        given = [name for name in used if name in self.scopes[0]]
        made = {name: f"{name} if '{name}' in locals() else None" for name in used}
        text = "\n    ".join([f"def part({', '.join(given)}):", *part,
                               f"return ({''.join(f'{x}, ' for x in made.values())})"])  # fmt: skip
        function: Any = None
        for scope in self.scopes:
            if function is None:
                exec(text, scope)
                function = ht.compile(scope["part"])
            try:
                values = function(*(scope[name] for name in given))
            except ht.InvalidTypeError as error:
                if "cannot read elements" in str(error):
                    raise Unrecordable from error
                raise
            for name, value in zip(used, values, strict=True):
                scope.pop(name, None)
                if value is not None:
                    scope[name] = value
        self.replays += not function.refusal

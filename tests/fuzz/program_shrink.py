"""Smaller variants of the expressions and statements of kernel_grammar."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

_BODIES = {"if": (2, 3), "for": (5,), "while": (4,)}
_ZERO = {"bool": False, "i64": 0, "u64": 0}


def smaller_bodies(body: list) -> Iterator[list]:
    """Bodies without one half, without one statement, or with one smaller statement."""
    half = len(body) // 2
    if half > 1:
        yield body[:half]
        yield body[half:]
    for n, statement in enumerate(body):
        yield body[:n] + body[n + 1 :]
        for part in _BODIES.get(statement[0], ()):
            if statement[0] == "if" and statement[part]:
                yield body[:n] + statement[part] + body[n + 1 :]
            for smaller in smaller_bodies(statement[part]):
                less = [*statement[:part], smaller, *statement[part + 1 :]]
                yield [*body[:n], less, *body[n + 1 :]]
    for n, statement in enumerate(body):
        for smaller in _with_smaller_expressions(statement):
            yield [*body[:n], smaller, *body[n + 1 :]]


def _is_expression(part: Any) -> bool:
    return isinstance(part, list) and len(part) > 1 and isinstance(part[0], str) and part[1] in (
        "i64", "u64", "f32", "f64", "c64", "c128", "bool"
    )  # fmt: skip


def _with_smaller_expressions(statement: list) -> Iterator[list]:
    for n, part in enumerate(statement):
        if n in _BODIES.get(statement[0], ()) or not _is_expression(part):
            continue
        for smaller in smaller_expressions(part):
            yield [*statement[:n], smaller, *statement[n + 1 :]]


def smaller_expressions(e: list) -> Iterator[list]:
    """The parts of the same type, a constant, and the expression with one smaller part."""
    if e[0] == "constant":
        return
    for part in e[2:]:
        if _is_expression(part) and part[1] == e[1]:
            yield part
    if e[0] not in ("load", "own", "id"):
        yield ["constant", e[1], _ZERO.get(e[1], 0.0)]
    if e[0] in ("load", "own"):
        return  # an index has to stay in range
    if e[0] == "op" and e[2] == "%" and e[4][0] == "constant":
        return  # it may be an index
    for n, part in enumerate(e[2:], 2):
        if _is_expression(part):
            for smaller in smaller_expressions(part):
                yield [*e[:n], smaller, *e[n + 1 :]]


def changed(program: dict, **parts: Any) -> dict:
    return {**copy.deepcopy(program), **copy.deepcopy(parts)}

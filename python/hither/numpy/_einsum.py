"""Contractions of einsum(): its subscripts, and pairs of operands as batched matrix products."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def parsed(given: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The subscripts as text, and the operands, from either form of einsum's arguments."""
    if not given:
        raise ValueError("einsum: the subscripts are missing")
    if isinstance(given[0], str):
        return given[0].replace(" ", ""), list(given[1:])
    values, lists = list(given[:-1:2]), list(given[1::2])
    output = given[-1] if len(given) % 2 else None
    if output is None and len(given) % 2 == 0:
        values, lists = list(given[::2]), list(given[1::2])
    text = ",".join(map(_letters, lists))
    return (text if output is None else f"{text}->{_letters(output)}"), values


def check_optimize(optimize: Any, operands: int) -> None:
    """Checks the argument optimize: a bool, a name, a path, or a pair of a name and a size."""
    given = optimize
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], (int, float)):
        given = given[0]
    if isinstance(given, str) or not np.iterable(given):
        if given not in (True, False, None, "greedy", "optimal"):
            raise InvalidValueError(
                "einsum", f"optimize is {optimize!r}; it is True, False, 'greedy', 'optimal' or a "
                "path of einsum_path()",
            )  # fmt: skip
        return
    steps = list(given)
    if not steps or steps[0] != "einsum_path":
        raise InvalidValueError("einsum", f"optimize is {optimize!r}, which is no path; a path "
                                "begins with 'einsum_path'")  # fmt: skip
    for step in steps[1:]:
        places = {int(place) for place in step}
        if not places or len(places) < len(step) or not places <= set(range(operands)):
            raise InvalidValueError("einsum", f"optimize contains {step!r}, and there are "
                                    f"{operands} operands at this step")  # fmt: skip
        operands += 1 - len(places)


def _letters(numbers: Any) -> str:
    if isinstance(numbers, str):
        raise InvalidTypeError(
            "einsum", f"the subscripts {numbers!r} follow an operand; they are the first argument"
        )
    for i in numbers:
        if i is not Ellipsis and not 0 <= i < len(_LETTERS):
            raise ValueError(f"einsum: subscript {i} is not in [0, {len(_LETTERS)})")
    return "".join("..." if i is Ellipsis else _LETTERS[i] for i in numbers)


@functools.lru_cache(1024)
def _subscripts(text: str, ranks: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """A letter for each axis of each operand and of the result. An ellipsis becomes letters."""
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    for given in (*terms, right):
        letters = given.replace("...", "", 1)
        if letters and not (letters.isascii() and letters.isalpha()):
            raise ValueError(f"einsum: {given!r} has other characters than letters and one '...'")
    if len(terms) != len(ranks):
        raise ValueError(f"einsum: {len(terms)} terms in {text!r}, {len(ranks)} operands")
    spare = [c for c in _LETTERS[::-1] if c not in text]
    extra = [rank - len(t.replace("...", "")) for t, rank in zip(terms, ranks, strict=True)]
    for term, rank, rest in zip(terms, ranks, extra, strict=True):
        if rest < 0 or (rest and "..." not in term):
            raise ValueError(f"einsum: {term!r} does not name the {rank} dimensions of its operand")
    most = max((e for t, e in zip(terms, extra, strict=True) if "..." in t), default=0)
    dots = "".join(spare[:most][::-1])
    if arrow and dots and "..." not in right:
        raise ValueError(f"einsum: the output {right!r} has no '...' for the {most} dimensions "
                         "that it stands for in the operands")  # fmt: skip
    expanded = tuple(t.replace("...", dots[most - e :] if "..." in t else "")
                     for t, e in zip(terms, extra, strict=True))  # fmt: skip
    if arrow:
        output = right.replace("...", dots)
    else:
        joined = "".join(expanded)
        once = sorted(c for c in set(joined) if joined.count(c) == 1 and c not in dots)
        output = dots + "".join(once)
    missing = [c for c in output if all(c not in t for t in expanded)]
    if missing or len(set(output)) < len(output):
        raise ValueError(f"einsum: the output {output!r} does not fit the terms of {text!r}")
    return expanded, output


def _diagonals(x: Array, term: str) -> tuple[Array, str]:
    """Replaces axes with the same letter by their diagonal."""
    if len(set(term)) == len(term):
        return x, term
    from ._indexing import diagonal

    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            if x.shape[first] != x.shape[second]:
                raise ValueError(f"einsum: axes {letter!r} have {x.shape[first]} and "
                                 f"{x.shape[second]} elements")  # fmt: skip
            x = diagonal(x, 0, first, second)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
    return x, term


def _summed(x: Array, term: str, kept: str) -> tuple[Array, str]:
    """Sums over the axes that neither other operands nor the result name."""
    axes = tuple(i for i, c in enumerate(term) if c not in kept)
    if axes:
        x = h.any(x, axis=axes) if x.dtype.kind == "b" else h.sum(x, axis=axes, dtype=x.dtype)
    return x, "".join(c for c in term if c in kept)


def contracted(text: str, arrays: list[Array], optimize: Any) -> Array:
    """The result of einsum for arrays of one dtype."""
    terms, output = _subscripts(text, tuple(x.ndim for x in arrays))
    if not arrays:
        raise ValueError("einsum: there are no operands")
    operands = [_diagonals(x, t) for x, t in zip(arrays, terms, strict=True)]
    for first, second in _order(terms, output, arrays, optimize):
        right = operands.pop(second)
        left = operands.pop(first)
        kept = output + "".join(t for _, t in operands)
        operands.append(_pair(left, right, kept))
    x, term = _summed(*operands[0], output)
    if term != output:
        x = h.permute_dims(x, tuple(term.index(c) for c in output))
    # As in NumPy, a diagonal or another order of the axes of one operand is a view of it.
    return x[...] if len(arrays) == 1 else x


def is_view(text: str, x: Array) -> bool:
    """Whether the result for one operand is a view of it: a diagonal, or another order of axes."""
    (term,), output = _subscripts(text, (x.ndim,))
    return set(term) == set(output)


def _order(terms: tuple[str, ...], output: str, arrays: list[Array], optimize: Any) -> list[Any]:
    """Which two operands to contract, one after the other."""
    if len(arrays) < 3:
        return [(0, 1)] * (len(arrays) - 1)
    shapes = [np.broadcast_to(np.int8(0), x.shape) for x in arrays]
    text = ",".join(terms) + "->" + output
    path = np.einsum_path(text, *shapes, optimize="greedy" if optimize is False else optimize)[0]
    pairs: list[Any] = []
    for step in path[1:]:
        places = sorted(step)
        while len(places) > 1:
            pairs.append((places[0], places[1]))
            # The product is at the end: later places of this step move.
            rest = [p - 2 for p in places[2:]]
            places = [*rest, _count_after(len(arrays), pairs) - 1] if rest else []
    return pairs


def _count_after(count: int, pairs: list[Any]) -> int:
    return count - len(pairs)


def _pair(left: tuple[Array, str], right: tuple[Array, str], kept: str) -> tuple[Array, str]:
    """The contraction of two operands: a batched product of matrices."""
    a, s = _summed(*left, kept + right[1])
    b, t = _summed(*right, kept + s)
    batch = [c for c in s if c in t and c in kept]
    inner = [c for c in s if c in t and c not in kept]
    rows = [c for c in s if c not in t]
    columns = [c for c in t if c not in s]
    sizes = dict(zip(s, a.shape, strict=True))
    for letter, extent in zip(t, b.shape, strict=True):
        if sizes.get(letter, 1) == 1:
            sizes[letter] = extent
        elif extent not in (1, sizes[letter]):
            raise ValueError(f"einsum: axis {letter!r} has {sizes[letter]} and {extent} elements")
    if not inner:
        first = _arranged(a, s, batch + rows, len(columns))
        second = _arranged(b, t, batch + columns, 0)
        shape = second.shape[: len(batch)] + (1,) * len(rows) + second.shape[len(batch) :]
        return _multiplied(first, h.reshape(second, shape)), "".join(batch + rows + columns)
    if batch and not rows and not columns:  # the product would be one of many short rows
        names = batch + inner
        both = _multiplied(_arranged(a, s, names, 0), _arranged(b, t, names, 0))
        return _summed(both, "".join(names), "".join(batch))
    first = _matrix(a, s, batch, rows, inner, sizes)
    second = _matrix(b, t, batch, inner, columns, sizes)
    if a.dtype.kind == "b":
        product = h.matmul(h.astype(first, np.int64), h.astype(second, np.int64)) != 0
    else:
        product = h.matmul(first, second)
    names = batch + rows + columns
    return h.reshape(product, tuple(sizes[c] for c in names)), "".join(names)


def _multiplied(a: Array, b: Array) -> Array:
    return a & b if a.dtype.kind == "b" else a * b


def _arranged(x: Array, term: str, names: list[str], trailing: int) -> Array:
    ordered = h.permute_dims(x, tuple(term.index(c) for c in names))
    return h.reshape(ordered, ordered.shape + (1,) * trailing)


def _matrix(
    x: Array, term: str, batch: list[str], rows: list[str], columns: list[str], sizes: Any
) -> Array:
    names = batch + rows + columns
    ordered = h.permute_dims(x, tuple(term.index(c) for c in names))
    ordered = h.broadcast_to(ordered, tuple(sizes[c] for c in names))
    shape = (*(sizes[c] for c in batch), math.prod(sizes[c] for c in rows),
             math.prod(sizes[c] for c in columns))  # fmt: skip
    return h.reshape(ordered, shape)

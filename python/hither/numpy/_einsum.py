"""Contractions of einsum(): its subscripts, and pairs of operands as batched matrix products."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.manipulation import element_strides
from .._hither import Array
from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []

Shapes = tuple[tuple[int, ...], ...]
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
    if optimize is False:
        return
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


class _Steps:
    """The steps of a contraction of operands with these shapes.

    A step is a function, the numbers of the arrays that it takes, and its other arguments. Its
    result is the next array. Only one step takes an array, which is not kept for longer.
    """

    def __init__(self, shapes: Shapes, of_bools: bool) -> None:
        self.shapes = list(shapes)
        self.of_bools = of_bools
        self.steps: list[tuple[Callable[..., Array], tuple[int, ...], tuple[Any, ...]]] = []

    def add(
        self, shape: tuple[int, ...], function: Callable[..., Array], *arrays: int, more: Any = ()
    ) -> int:
        """Adds a step whose result has this shape. Returns the number of the result."""
        self.steps.append((function, arrays, more))
        self.shapes.append(shape)
        return len(self.shapes) - 1

    def run(self, given: list[Array]) -> Array:
        """The result for operands of these shapes."""
        arrays = dict(enumerate(given))
        result = len(given)
        for function, taken, more in self.steps:
            arrays[result] = function(*[arrays.pop(i) for i in taken], *more)
            result += 1
        return arrays[result - 1]

    def permuted(self, x: int, axes: tuple[int, ...]) -> int:
        if axes == tuple(range(len(axes))):
            return x
        shape = tuple(self.shapes[x][axis] for axis in axes)
        return self.add(shape, h.permute_dims, x, more=(axes,))

    def reshaped(self, x: int, shape: tuple[int, ...]) -> int:
        return x if shape == self.shapes[x] else self.add(shape, h.reshape, x, more=(shape,))

    def diagonals(self, x: int, term: str) -> tuple[int, str]:
        """Replaces axes with the same letter by their diagonal."""
        for letter in dict.fromkeys(term):
            while term.count(letter) > 1:
                first = term.index(letter)
                second = term.index(letter, first + 1)
                shape = self.shapes[x]
                if shape[first] != shape[second]:
                    raise ValueError(f"einsum: axes {letter!r} have {shape[first]} and "
                                     f"{shape[second]} elements")  # fmt: skip
                shape = (*_without(shape, first, second), shape[first])
                x = self.add(shape, _diagonal, x, more=(first, second))
                term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
        return x, term

    def summed(self, x: int, term: str, kept: str) -> tuple[int, str]:
        """Sums over the axes that neither other operands nor the result name."""
        axes = tuple(i for i, c in enumerate(term) if c not in kept)
        if axes:
            shape = tuple(n for i, n in enumerate(self.shapes[x]) if i not in axes)
            x = self.add(shape, h.any if self.of_bools else _sum, x, more=(axes,))
        return x, "".join(c for c in term if c in kept)

    def multiplied(self, a: int, b: int) -> int:
        shape = np.broadcast_shapes(self.shapes[a], self.shapes[b])
        return self.add(shape, h.logical_and if self.of_bools else h.multiply, a, b)

    def arranged(self, x: int, term: str, names: list[str], trailing: int) -> int:
        x = self.permuted(x, tuple(term.index(c) for c in names))
        return self.reshaped(x, self.shapes[x] + (1,) * trailing)

    def matrix(
        self, x: int, term: str, batch: list[str], rows: list[str], columns: list[str], sizes: Any
    ) -> int:
        names = batch + rows + columns
        x = self.permuted(x, tuple(term.index(c) for c in names))
        whole = tuple(sizes[c] for c in names)
        if whole != self.shapes[x]:
            x = self.add(whole, h.broadcast_to, x, more=(whole,))
        return self.reshaped(x, (*(sizes[c] for c in batch), math.prod(sizes[c] for c in rows),
                                 math.prod(sizes[c] for c in columns)))  # fmt: skip

    def pair(self, left: tuple[int, str], right: tuple[int, str], kept: str) -> tuple[int, str]:
        """The contraction of two operands: a batched product of matrices."""
        a, s = self.summed(*left, kept + right[1])
        b, t = self.summed(*right, kept + s)
        batch = [c for c in s if c in t and c in kept]
        inner = [c for c in s if c in t and c not in kept]
        rows = [c for c in s if c not in t]
        columns = [c for c in t if c not in s]
        sizes = dict(zip(s, self.shapes[a], strict=True))
        for letter, extent in zip(t, self.shapes[b], strict=True):
            if sizes.get(letter, 1) == 1:
                sizes[letter] = extent
            elif extent not in (1, sizes[letter]):
                raise ValueError(f"einsum: axis {letter!r} has {sizes[letter]} and {extent} "
                                 "elements")  # fmt: skip
        if not inner:
            first = self.arranged(a, s, batch + rows, len(columns))
            second = self.arranged(b, t, batch + columns, 0)
            shape, count = self.shapes[second], len(batch)
            second = self.reshaped(second, shape[:count] + (1,) * len(rows) + shape[count:])
            return self.multiplied(first, second), "".join(batch + rows + columns)
        if batch and not rows and not columns:  # the product would be one of many short rows
            names = batch + inner
            both = self.multiplied(self.arranged(a, s, names, 0), self.arranged(b, t, names, 0))
            return self.summed(both, "".join(names), "".join(batch))
        first = self.matrix(a, s, batch, rows, inner, sizes)
        second = self.matrix(b, t, batch, inner, columns, sizes)
        shape = (*self.shapes[first][:-1], self.shapes[second][-1])
        product = self.add(shape, _product_of_bools if self.of_bools else h.matmul, first, second)
        names = batch + rows + columns
        return self.reshaped(product, tuple(sizes[c] for c in names)), "".join(names)


def _without(items: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    return items[:first] + items[first + 1 : second] + items[second + 1 :]


def _diagonal(x: Array, first: int, second: int) -> Array:
    """A view with the diagonal of two axes of one extent as the last axis."""
    strides = element_strides(x)
    shape = (*_without(x.shape, first, second), x.shape[first])
    joined = strides[first] + strides[second]
    return h.strided_view(x, shape, (*_without(strides, first, second), joined))


def _sum(x: Array, axes: tuple[int, ...]) -> Array:
    return h.sum(x, axis=axes, dtype=x.dtype)


def _product_of_bools(a: Array, b: Array) -> Array:
    return h.matmul(h.astype(a, np.int64), h.astype(b, np.int64)) != 0


def _contraction(text: str, shapes: Shapes, of_bools: bool, optimize: Any) -> _Steps:
    """The steps of einsum for operands of these shapes, which have one dtype."""
    terms, output = _subscripts(text, tuple(map(len, shapes)))
    if not shapes:
        raise ValueError("einsum: there are no operands")
    steps = _Steps(shapes, of_bools)
    operands = [steps.diagonals(i, term) for i, term in enumerate(terms)]
    for first, second in _order(terms, output, shapes, optimize):
        right = operands.pop(second)
        left = operands.pop(first)
        kept = output + "".join(t for _, t in operands)
        operands.append(steps.pair(left, right, kept))
    x, term = steps.summed(*operands[0], output)
    steps.permuted(x, tuple(term.index(c) for c in output))
    return steps


_known_contraction = functools.lru_cache(1024)(_contraction)


def contracted(text: str, arrays: list[Array], optimize: Any) -> Array:
    """The result of einsum for arrays of one dtype."""
    shapes = tuple(x.shape for x in arrays)
    of_bools = bool(arrays) and arrays[0].dtype.kind == "b"
    find = _known_contraction if isinstance(optimize, (bool, str)) else _contraction
    steps = find(text, shapes, of_bools, optimize)
    # As in NumPy, a diagonal or another order of the axes of one operand is a view of it.
    return steps.run(arrays) if steps.steps else arrays[0][...]


def is_view(text: str, x: Array) -> bool:
    """Whether the result for one operand is a view of it: a diagonal, or another order of axes."""
    (term,), output = _subscripts(text, (x.ndim,))
    return set(term) == set(output)


def _order(terms: tuple[str, ...], output: str, shapes: Shapes, optimize: Any) -> list[Any]:
    """Which two operands to contract, one after the other."""
    if len(shapes) < 3:
        return [(0, 1)] * (len(shapes) - 1)
    examples = [np.broadcast_to(np.int8(0), shape) for shape in shapes]
    text = ",".join(terms) + "->" + output
    path = np.einsum_path(text, *examples, optimize="greedy" if optimize is False else optimize)[0]
    pairs: list[Any] = []
    for step in path[1:]:
        places = sorted(step)
        while len(places) > 1:
            pairs.append((places[0], places[1]))
            # The product is at the end: later places of this step move.
            rest = [p - 2 for p in places[2:]]
            places = [*rest, len(shapes) - len(pairs) - 1] if rest else []
    return pairs

"""Determines whether the iterations of a prange loop access disjoint elements of an array. Either
the computation of the indices guarantees it, or a check at launch decides it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from .element_access import Access, Accesses, Gathered
from .numba_adapter import types
from .polynomial import Polynomial

_ONE = Polynomial.number(1)


@dataclass(frozen=True)
class Loop:
    """The prange loop: its index and the values of the index."""

    index: str
    start: Polynomial
    stop: Polynomial


@dataclass(frozen=True)
class Inner:
    """A loop inside an iteration, or another prange loop: the values of its index."""

    index: str
    least: Polynomial
    largest: Polynomial


@dataclass(frozen=True)
class Offset:
    """The part of an index that is added to step * index of the loop: `fixed`, and for each inner
    loop its index times a factor."""

    fixed: Polynomial
    inner: tuple[tuple[Polynomial, Inner], ...]


@dataclass(frozen=True)
class Spread:
    """A check of indices step * index + offset of an axis. It holds if the step is larger than the
    differences of the offsets, and if negative indices, which count from the end, do not equal
    others."""

    array: str
    axis: int
    loop: Loop
    step: Polynomial
    offsets: tuple[Offset, ...]


@dataclass(frozen=True)
class Distinct:
    """A check of indices from an index array. It holds if they are distinct."""

    array: str
    axis: int
    loop: Loop
    indices: str
    at: Polynomial


@dataclass(frozen=True)
class Apart:
    """A check of two arrays that derive from one array. It holds if they do not overlap, or if the
    second may be the same array and is."""

    array: str
    other: str
    may_be_same: bool


Check = Spread | Distinct | Apart


def own_elements(accesses: Accesses, uses: list[Access]) -> list[Spread | Distinct] | None:
    """The checks to make at launch. The list is empty if for each loop an axis always separates its
    iterations. The result is None if no check can exclude conflicts."""
    checks: list[Spread | Distinct] = []
    axes = min((len(use.index) for use in uses), default=0)
    for name in accesses.loops:
        found = [_keeps_apart(accesses, name, uses, axis) for axis in range(axes)]
        known = [check for check in found if check is not None]
        if not known:
            return None
        # In order of cost: no check, comparisons of numbers, a pass over an index array.
        checks += min(known, key=lambda check: (len(check), *(type(c) is Distinct for c in check)))
    return checks


def _keeps_apart(accesses, name, uses, axis):
    nest = accesses.nests[name]
    start, stop = accesses.polynomial(nest.start), accesses.polynomial(nest.stop)
    if start is None or stop is None:
        return None
    loop = Loop(name, start, stop)
    array = uses[0].array
    indices = {use.index[axis] for use in uses}
    check: Spread | Distinct | None
    if len(indices) == 1 and isinstance(index := next(iter(indices)), Gathered):
        check = _distinct(accesses, loop, array, axis, index)
    else:
        check = spread = _spread(accesses, loop, array, axis, indices)
        if spread is not None and _is_certain(spread):
            return []
        if spread is not None and _is_hopeless(spread):
            return None
    return [check] if check is not None and _is_array(accesses, array) else None


def _is_array(accesses, name) -> bool:
    """Whether the launch knows the extents of the array."""
    return isinstance(accesses.typemap.get(name), types.Array)


def _distinct(accesses, loop, array, axis, index) -> Distinct | None:
    step, rest = index.index.split(loop.index)
    shared = _is_shared(accesses, step) and _is_shared(accesses, rest)
    return Distinct(array, axis, loop, index.array, index.index) if step.terms and shared else None


def _spread(accesses, loop, array, axis, indices) -> Spread | None:
    steps, offsets = set(), []
    for index in sorted(indices, key=repr):
        if not isinstance(index, Polynomial):
            return None
        step, rest = index.split(loop.index)
        offset = _offset(accesses, rest)
        if offset is None or not _is_shared(accesses, step):
            return None
        steps.add(step)
        offsets.append(offset)
    step = steps.pop() if len(steps) == 1 else Polynomial()
    return Spread(array, axis, loop, step, tuple(offsets)) if step.terms else None


def _offset(accesses, rest) -> Offset | None:
    inner = []
    for name in sorted(rest.names() & _varying(accesses)):
        factor, rest = rest.split(name)
        limits = None if name in accesses.loops else accesses.bounds(name)
        if limits is None or not all(_is_shared(accesses, p) for p in (factor, *limits)):
            return None
        inner.append((factor, Inner(name, *limits)))
    return Offset(rest, tuple(inner))


def _is_shared(accesses, number: Polynomial) -> bool:
    return number.names().isdisjoint(_varying(accesses))


def _varying(accesses) -> set[str]:
    """Variables that differ between iterations: indices of loops, and variables that the body
    assigns."""
    return {*accesses.nests, *accesses.values}


def _is_certain(check: Spread) -> bool:
    """Whether the check always holds, assuming that no loop is empty. An empty loop accesses no
    elements."""
    positive = _positive(check)
    step, backwards = check.step, Polynomial().plus(check.step, -1)
    limits = [_limits(offset, positive) for offset in check.offsets]
    known = [pair for pair in limits if pair is not None]
    if len(known) < len(limits):
        return False
    if _at_least(step, 1, positive):
        first, last = check.loop.start, check.loop.stop.plus(_ONE, -1)
    elif _at_least(backwards, 1, positive):
        step, (first, last) = backwards, (check.loop.stop.plus(_ONE, -1), check.loop.start)
    else:
        return False
    lows, highs = zip(*known, strict=True)
    apart = all(
        _at_least(step.plus(high.plus(low, -1), -1), 1, positive)
        for low, high in product(lows, highs)
    )
    least = [check.step.times(first).plus(low) for low in lows]
    largest = [check.step.times(last).plus(high) for high in highs]
    no_negatives = all(_at_least(number, 0, positive) for number in least)
    negatives_only = all(
        _at_least(Polynomial().plus(number, -1), 1, positive) for number in largest
    )
    return apart and (no_negatives or negatives_only)


def _is_hopeless(check: Spread) -> bool:
    """Whether two offsets differ by the step or more for all values of the variables."""
    fixed = [offset.fixed for offset in check.offsets]
    return any(
        _at_least(high.plus(low, -1).plus(check.step, sign), 0, ())
        for low, high in product(fixed, fixed)
        for sign in (1, -1)
        if _at_least(Polynomial().plus(check.step, -sign), 1, ())
    )


def _positive(check: Spread) -> set[str]:
    """Names n of `range(n)` that are at least 1 wherever the array is accessed, which is only in
    loops that are not empty."""
    outer = Inner(check.loop.index, check.loop.start, check.loop.stop.plus(_ONE, -1))
    around = [{name for _, inner in o.inner for name in _counted_to(inner)} for o in check.offsets]
    return _counted_to(outer) | set.intersection(*around)


def _counted_to(loop: Inner) -> set[str]:
    end = loop.largest.plus(_ONE)
    is_name = [end] == [Polynomial.variable(name) for name in end.names()]
    return end.names() if is_name and _at_least(loop.least, 0, ()) else set()


def _limits(offset: Offset, positive) -> tuple[Polynomial, Polynomial] | None:
    low = high = offset.fixed
    for factor, inner in offset.inner:
        least, largest = factor.times(inner.least), factor.times(inner.largest)
        if _at_least(Polynomial().plus(factor, -1), 0, positive):
            least, largest = largest, least
        elif not _at_least(factor, 0, positive):
            return None
        low, high = low.plus(least), high.plus(largest)
    return low, high


def _at_least(number: Polynomial, bound: int, positive) -> bool:
    floor = number.floor(positive)
    return floor is not None and floor >= bound

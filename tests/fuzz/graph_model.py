"""The expected results of an array program: NumPy's values with the error allowed for each."""

from __future__ import annotations

import itertools
import math
import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from .graph_numpy import REFERENCE
from .graph_program import Program, Step, constants, flat, statement

MOST_ELEMENTS = 400_000
_MOST = {"e": 1e3}  # by dtype, else _MOST_OF_OTHERS: a step with larger values is left out
_MOST_OF_OTHERS = 1e6

# Results are elements of the operands, unchanged or negated.
MOVES = frozenset(
    "asarray view flip concat stack roll pad repeat tile take take_along_axis where minimum "
    "maximum min max negative positive conj real imag clip copy broadcast_to reshape index mask "
    "permute_dims matrix_transpose moveaxis squeeze expand_dims unstack".split()
)
# No rounding when operands are small multiples of a quarter.
PERIODIC = re.compile(r"\b(sin|cos|tan)\(")
EXACT = frozenset("add subtract multiply square sum matmul vecdot tensordot cumulative_sum diff "
                  "absolute cast".split())  # fmt: skip
# A change in the last bit of an operand may change the result entirely.
DISCRETE = frozenset(
    "equal not_equal less less_equal greater greater_equal floor ceil trunc round sign "
    "floor_divide remainder logical_and logical_or logical_xor logical_not isnan isinf isfinite "
    "signbit argmin argmax any all count_nonzero searchsorted nextafter nonzero argsort sort "
    "unique_values unique isin lexsort "
    "cast_to_integer bitwise_and bitwise_or bitwise_xor bitwise_invert bitwise_left_shift "
    "bitwise_right_shift".split()
)
_ADDS_UP = frozenset("sum cumulative_sum diff prod cumulative_prod var std bincount "
                     "add_reduceat".split())  # fmt: skip
# Any number of the operand's elements may add up to one element of the result.
_ALL_IN_ONE = frozenset(["bincount", "add_reduceat"])
_IN_ORDER = frozenset("sort argsort unique_values unique isin lexsort".split())
_BETWEEN = frozenset(["median", "percentile"])
_MULTIPLIES = frozenset(["prod", "cumulative_prod"])
PRODUCTS = frozenset(["matmul", "vecdot", "tensordot"])
WRITES = frozenset(["assign", "add_to", "add_at", "assign_mask", "assign_at"])
# The result depends on the sign of a zero, which a sum may have either way.
_BY_SIGN_OF_ZERO = frozenset(
    "divide reciprocal rsqrt copysign signbit atan2 power nextafter".split()
)
REAL_ONLY = frozenset(
    "less less_equal greater greater_equal maximum minimum exp2 log2 min max "
    "argmin argmax searchsorted clip cbrt rsqrt median percentile".split()
)
_BRANCHES = frozenset("sqrt rsqrt log log10 log1p asin acos atan asinh acosh atanh power tan tanh "
                      "reciprocal divide sign expm1 sinh cosh".split())  # fmt: skip
_INDICES = frozenset(["take", "take_along_axis", "mask", "assign_mask", "assign_at", "nonzero",
                      "index", "repeat", "searchsorted", "bincount", "add_at"])  # fmt: skip


class Skip(Exception):
    """The step is left out of the program."""


@dataclass
class Cell:
    """The error allowed in a piece of memory, which views share."""

    error: float = 0.0  # the largest distance from NumPy's values; inf: any value
    product: bool = False  # a matrix product may add in another order when it is eager


@dataclass
class Output:
    """The expected result of a read."""

    where: str
    value: np.ndarray
    error: float
    product: bool


def _largest(x: np.ndarray) -> float:
    if x.dtype.kind == "b":
        return 1.0
    if x.size == 0:
        return 0.0
    magnitude = np.abs(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64))
    finite = magnitude[np.isfinite(magnitude)]
    return float(finite.max()) if finite.size else 0.0


def _elements(f: str, values: list[np.ndarray]) -> int:
    """An upper bound on the size of the result."""
    if f in PRODUCTS or f in _INDICES:
        return math.prod(x.size // max(min(x.shape), 1) for x in values if x.ndim)
    if len(values) < 2:
        return 0
    try:
        return math.prod(np.broadcast_shapes(*(x.shape for x in values)))
    except ValueError:
        return 0  # the operation does not broadcast, or NumPy refuses the step


def _epsilon(x: np.ndarray) -> float:
    return float(np.finfo(x.dtype).eps) if x.dtype.kind in "fc" else 0.0


def _is_small_dyadic(x: np.ndarray) -> bool:
    if x.dtype.kind not in "fc":
        return True
    parts = [x.real, x.imag] if x.dtype.kind == "c" else [x]
    for part in parts:
        finite = part[np.isfinite(part)].astype(np.float64)
        if np.any(finite * 16 != np.trunc(finite * 16)):
            return False
    return True


class Model:
    """Runs steps with NumPy one by one and keeps those that it can run."""

    def __init__(self, program: Program) -> None:
        self.names: dict[str, Any] = {**constants(program), "xp": REFERENCE, "xnp": np}
        self.names["evaluate"] = self.names["synchronize"] = lambda *arrays: None
        self.names["show"] = lambda *arguments: None
        self.names["keep"] = lambda *arguments: None
        self.names["explain"] = lambda *arguments: None
        self.names["read_by_threads"] = lambda *arguments: None
        self.cells: dict[int, Cell] = {}
        self.statements: list[str] = []
        self.outputs: list[Output] = []
        self.seen: set[str] = set()  # operations, with the dtypes that they took
        self._kept_values: list[tuple[np.ndarray, Cell]] = []

    def value(self, n: int) -> np.ndarray:
        return self.names[f"v{n}"]

    def run(self, program: Program) -> None:
        for step, iteration in flat(program):
            self.step(step, iteration)
        self.finish(program["final"])

    def step(self, step: Step, iteration: int = 0) -> bool:
        """Runs the step. Returns False if it is left out."""
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._run(step, statement(step, iteration))
        except (Skip, TypeError, ValueError, IndexError, OverflowError, KeyError, AttributeError,
                MemoryError):  # fmt: skip
            return False
        return True

    def finish(self, order: list[int]) -> None:
        unread = sorted(set(self.cells) - set(order))
        if unread:
            self.statements.append("del " + ", ".join(f"v{n}" for n in unread))
        for n in order:
            if n not in self.cells:
                continue
            self._show(n)
            self.statements.append(f"show(v{n}, 'asnumpy')")
        for value, cell in self._kept_values:
            self._put("an export", value, cell)

    def _run(self, step: Step, text: str) -> None:
        f, of = step["f"], step["of"]
        if any(n not in self.cells for n in of):
            raise Skip
        values, cells = [self.value(n) for n in of], [self.cells[n] for n in of]
        self._check(f, values, cells)
        if f == "drop":
            del self.names[f"v{of[0]}"], self.cells[of[0]]
        elif "to" in step:
            self._make(step, text, values, cells)
        elif f == "add_to" and values[0].ndim == 0 and step["text"].startswith("{0} "):
            # NumPy's scalars are immutable: augmented assignment gives the variable a new one.
            name, op, value = text.split(" ", 2)
            operation = {"+=": "add", "-=": "subtract", "*=": "multiply"}[op]
            made = {"f": operation, "of": step["of"], "to": step["of"][0]}
            self._make(made, f"{name} = xp.{operation}({name}, {value})", values, cells)
        elif f in WRITES:
            self._write(f, step, text, values, cells)
        else:
            if f in ("show", "read_by_threads"):
                for n in of:
                    self._show(n)
            elif f == "keep":
                self._kept_values.append((values[0], cells[0]))
        self.statements.append(text)
        name = "cast" if f.startswith("cast_") else f
        self.seen.add(name)
        taken = values[1:] if f == "where" else values
        if taken and "to" in step:
            self.seen.add(f"{name}:{np.result_type(*taken)}")

    def _check(self, f: str, values: list[np.ndarray], cells: list[Cell]) -> None:
        if _elements(f, values) > MOST_ELEMENTS:
            raise Skip
        if f in REAL_ONLY and any(x.dtype.kind == "c" for x in values):
            raise Skip
        if f in ("take", "take_along_axis") and values[0].size == 0:
            raise Skip  # NumPy does not check the indices of an empty array
        if f == "assign_mask" and np.may_share_memory(*values[:2]):
            raise Skip  # NumPy reads the mask while it writes
        if f == "add_at" and not values[0].flags.writeable:
            raise Skip  # NumPy's ufunc.at writes to some read-only arrays
        if f == "clip" and values[0].dtype.kind == "b":
            raise Skip  # the standard does not define it
        if f in _BRANCHES and any(x.dtype.kind == "c" and np.any((x.imag == 0) | (x.real == 0))
                                  for x in values):  # fmt: skip
            raise Skip
        if f in _INDICES and any(
            c.error > 0 for x, c in zip(values, cells, strict=True) if x.dtype.kind in "biu"
        ):
            raise Skip  # shapes may depend on the values, or indices may be out of range
        if f in _BY_SIGN_OF_ZERO and any(x.dtype.kind in "fc" and np.any(x == 0) for x in values):
            raise Skip
        if f in ("copysign", "signbit") and np.any(np.isnan(values[-1])):
            raise Skip  # functions may give a NaN either sign
        if f == "power" and values[0].size == 0:
            raise Skip  # NumPy does not check the exponents of an empty array
        if f == "power" and len(values) == 1 and np.any(np.isneginf(values[0].real)):
            raise Skip  # since 2.4 NumPy's power(-inf, 0.5) is sqrt(-inf), the standard's inf
        to_integers = f == "power" and len(values) > 1 and values[1].dtype.kind == "i"
        if to_integers and np.any(values[1] < 0):
            raise Skip
        if f in ("bitwise_left_shift", "bitwise_right_shift") and np.any(values[-1] < 0):
            raise Skip
        if f in _IN_ORDER and any(c.error > 0 for c in cells):
            raise Skip
        is_complex = any(x.dtype.kind == "c" for x in values)
        if f in PRODUCTS and is_complex and not all(np.all(np.isfinite(x)) for x in values):
            raise Skip  # libraries differ in infinity times a complex number
        if f in _BETWEEN and not (values[0].size and np.all(np.isfinite(values[0]))):
            raise Skip  # NumPy makes NaN of infinite elements, and has another error
        if f == "searchsorted":
            x = values[0]
            sorted_ = np.all(x[1:] >= x[:-1]) and not any(np.any(np.isnan(y)) for y in values)
            if cells[0].error > 0 or not sorted_:
                raise Skip

    def _make(self, step: Step, text: str, values: list[np.ndarray], cells: list[Cell]) -> None:
        expression = text.partition(" = ")[2]
        if step["f"].startswith("cast"):
            _check_cast(values[0], np.dtype(step["dtype"]))
        result = np.asarray(eval(expression, self.names))
        if step["f"] in _MULTIPLIES:
            self._check_partial_products(step, expression, values[0])
        if result.size > MOST_ELEMENTS or result.ndim > 5:
            raise Skip
        largest = _largest(result)
        if result.dtype.kind in "fc" and largest > _MOST.get(result.dtype.char, _MOST_OF_OTHERS):
            raise Skip
        shared = [
            c
            for x, c in zip(values, cells, strict=True)
            if result.size and np.may_share_memory(x, result)
        ]
        if not shared:  # hither's results are in C order, NumPy's in the order of the operands
            result = np.asarray(result, order="C")
        cell = shared[0] if shared else Cell(
            self._error(step, expression, values, cells, result, largest),
            any(c.product for c in cells) or (step["f"] in PRODUCTS and result.dtype.kind in "fc"),
        )  # fmt: skip
        self.names[f"v{step['to']}"] = result
        self.cells[step["to"]] = cell

    def _check_partial_products(self, step: Step, expression: str, x: np.ndarray) -> None:
        """Skips products that may overflow in another order: zero times infinity is NaN."""
        if x.dtype.kind not in "fc":
            return
        bits = np.log2(np.maximum(np.abs(x), 1), dtype=np.float64)
        names = {**self.names, f"v{step['of'][0]}": bits}
        largest = np.max(eval(expression.replace("prod(", "sum("), names), initial=0)
        if not largest < np.log2(np.finfo(x.dtype).max):
            raise Skip

    def _write(self, f: str, step: Step, text: str, values: list[np.ndarray],
               cells: list[Cell]) -> None:  # fmt: skip
        target = values[0]
        if f in ("assign", "assign_mask", "assign_at"):
            for x in values[1:]:
                if x is not values[1] or f == "assign":
                    _check_cast(x, target.dtype)
        if f == "assign_mask" and len(values) > 2:  # adds two arrays and casts the sum
            both = np.result_type(target, values[2])
            if not np.can_cast(both, target.dtype, "same_kind"):
                raise Skip
        by_number = "{1}, 2" in step["text"]
        if f == "add_at" and by_number and target.dtype == np.uint64:
            raise Skip  # NumPy's ufunc.at takes the number as int64 and computes in float64
        if f in ("add_to", "add_at") and len(values) > 1 and not by_number:
            both = np.result_type(*values)
            if not np.can_cast(both, target.dtype, "same_kind"):
                raise Skip
            # hither refuses complex values for a real target.
            if np.any([x.dtype.kind == "c" for x in values]) and target.dtype.kind != "c":
                raise Skip
        before = target.copy()
        exec(text, self.names)
        largest = _largest(target)
        if target.dtype.kind in "fc" and largest > _MOST.get(target.dtype.char, _MOST_OF_OTHERS):
            target[...] = before
            raise Skip
        error = max(c.error for c in cells)
        if f in ("add_to", "add_at"):
            scale = 1 + sum(map(_largest, [before, *values[1:]]))
            if f == "add_at":  # an element is added to as often as there are indices
                scale *= 1 + max(x.size for x in [before[:3], *values[1:]])
            error = error * scale + self._rounding("add", [before, *values[1:]], target, scale**2)
        elif target.dtype.kind in "fc":
            error = error + (
                16 * _epsilon(target) * largest
                if any(_epsilon(x) < _epsilon(target) for x in values[1:])
                else 0
            )
        elif any(c.error > 0 for c in cells[1:]):
            error = math.inf
        if target.dtype.kind not in "fc" and error > 0:
            error = math.inf
        cells[0].error = max(cells[0].error, error)
        cells[0].product |= any(c.product for c in cells)

    def _error(self, step: Step, expression: str, values: list[np.ndarray], cells: list[Cell],
               result: np.ndarray, largest: float) -> float:  # fmt: skip
        f = step["f"]
        errors = [c.error for c in cells]
        uncertain = any(e > 0 for e in errors)
        # The sign of a complex number is continuous: it lies on the unit circle.
        discrete = result.dtype.kind not in "fc" or (
            f in DISCRETE and not (f == "sign" and result.dtype.kind == "c")
        )
        if uncertain and (discrete or math.inf in errors):
            return math.inf
        if discrete:
            return 0.0
        if f == "divide" and errors[-1] > 0 and np.any(np.abs(values[-1]) <= errors[-1]):
            return math.inf  # the denominator may be zero
        if f == "where" and errors[0] > 0:
            return math.inf
        if f in MOVES:
            lost = any(_epsilon(x) < _epsilon(result) for x in values)
            return max(errors, default=0.0) + (largest * _epsilon(result) if lost else 0.0)
        terms = max(1, max((x.size for x in values), default=1) // max(result.size, 1))
        if f in PRODUCTS or f in _ALL_IN_ONE:
            terms = max(x.size for x in values)
        scale = max(largest, math.prod(max(1.0, _largest(x)) for x in values) * terms)
        spread = self._spread(expression, values, cells, result, step["of"]) if uncertain else 0.0
        if f in PRODUCTS or f in _ADDS_UP:
            spread *= terms
        return spread + self._rounding(f, values, result, scale)

    def _rounding(self, f: str, values: list[np.ndarray], result: np.ndarray,
                  scale: float) -> float:  # fmt: skip
        epsilon = max([_epsilon(result), *(_epsilon(x) for x in values)])
        fits = f in EXACT and scale * 256 * epsilon < 1
        if fits and all(map(_is_small_dyadic, [*values, result])):
            return 0.0
        return 16 * epsilon * scale

    def _spread(self, expression: str, values: list[np.ndarray], cells: list[Cell],
                result: np.ndarray, of: list[int]) -> float:  # fmt: skip
        """The change of the result when operands change by their allowed errors."""
        if PERIODIC.search(expression) and any(cell.error > 0.5 for cell in cells):
            return math.inf  # the moves could be near a multiple of the period
        found = 0.0
        signs = itertools.product((1, -1), repeat=min(len(of), 2))
        for some, alternating in itertools.product(signs, (False, True)):
            names = dict(self.names)
            for place, (n, x, cell) in enumerate(zip(of, values, cells, strict=True)):
                if cell.error and x.dtype.kind in "fc":
                    moves = np.full(x.shape, cell.error * some[place % 2])
                    if alternating:  # a common change of all elements leaves a variance as it is
                        moves.ravel()[1::2] *= -1
                    names[f"v{n}"] = x + moves.astype(x.dtype)
            moved = np.asarray(eval(expression, names))
            if moved.shape != result.shape:
                return math.inf
            same = (moved == result) | (np.isnan(moved) & np.isnan(result))
            with np.errstate(all="ignore"):
                distance = np.abs(moved - result)[~same]
            if distance.size:
                found = max(found, float(np.max(np.where(np.isnan(distance), math.inf, distance))))
        return 4 * found

    def _show(self, n: int) -> None:
        self._put(f"v{n} after {len(self.statements)} statements", self.value(n), self.cells[n])

    def _put(self, where: str, value: np.ndarray, cell: Cell) -> None:
        self.outputs.append(Output(where, value.copy(), cell.error, cell.product))


def _check_cast(x: np.ndarray, dtype: np.dtype) -> None:
    """Skips casts of numbers that an integer type cannot hold, as languages do not define them."""
    if x.dtype.kind == "c" and dtype.kind != "c":
        raise Skip  # hither refuses it
    if x.dtype.kind == "f" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        bound = min(float(info.max), 2.0**62)
        if not np.all(np.isfinite(x)) or np.any(x > bound) or np.any(x < max(info.min, -(2.0**62))):
            raise Skip

"""Operators of sparse arrays, and element-wise functions."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ... import _hither as h
from ... import numpy as hnp
from ..._array.dtypes import refuse_float8
from ..._hither import Array, astype
from ..._names import a_type
from ...errors import InvalidTypeError, InvalidValueError, PlacementError, UnsupportedError
from ...numpy._placement import NUMBERS, as_array
from . import _combination, _functions, _products
from ._arguments import refuse_foreign
from ._warnings import SparseEfficiencyWarning

if TYPE_CHECKING:
    from ._sparse_array import SparseArray

__all__: list[str] = []

_FIXED_POINTS = (
    "arcsin arcsinh arctan arctanh ceil deg2rad expm1 floor log1p rad2deg rint sign sin sinh sqrt "
    "tan tanh trunc"
).split()
_NEGATED = {
    "eq": "not_equal", "ge": "less", "le": "greater",
}  # fmt: skip
_COMPARED = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}  # fmt: skip


def is_number(value: Any) -> bool:
    """Whether the value is one number: Python's, NumPy's, or an array without dimensions."""
    if isinstance(value, (*NUMBERS, np.generic)):
        return not isinstance(value, (np.str_, np.bytes_, np.void))
    return isinstance(value, (Array, np.ndarray)) and value.ndim == 0


def number(value: Any) -> Any:
    """One number in a form that functions of arrays take."""
    return value[()] if isinstance(value, np.ndarray) else value


class Arithmetic:
    """The operators. Sparse operands give sparse results, and dense ones dense results, except for
    products and quotients of elements."""

    __hash__: ClassVar[None] = None  # type: ignore[assignment]
    __array_priority__: float = 10.1

    def __add__(self: Any, other: Any) -> Any:
        return self._added("__add__", other, hnp.add)

    def __radd__(self: Any, other: Any) -> Any:
        return self._added("__add__", other, lambda x, y: hnp.add(y, x))

    def __sub__(self: Any, other: Any) -> Any:
        return self._added("__sub__", other, hnp.subtract)

    def __rsub__(self: Any, other: Any) -> Any:
        if is_number(other) and not isinstance(other, Array) and other == 0:
            return -self
        return self._added("__sub__", other, lambda x, y: hnp.subtract(y, x))

    def _added(self: Any, name: str, other: Any, function: Callable[..., Any]) -> Any:
        if is_number(other):
            if not isinstance(other, Array) and other == 0:
                return self.copy()
            raise UnsupportedError(
                name, "a number other than 0 added to a sparse array gives a dense array; "
                "use A.toarray() + number",
            )  # fmt: skip
        if self._is_sparse(other):
            return self._combined(name, other, function)
        x = self._dense_operand(name, other)
        return NotImplemented if x is NotImplemented else function(self.toarray(), x)

    def _combined(self: Any, name: str, other: Any, function: Callable[..., Any]) -> Any:
        """The function, which is 0 for zeros, of both matrices' elements."""
        self._check_same_shape(name, other)
        self._refuse_other_queue(name, other)
        whole = self._compressed()
        lines = _combination.combined(whole._lines(), other._lines_like(whole), function)
        return whole._of_lines(lines, self.shape)

    def _check_same_shape(self: Any, name: str, other: Any) -> None:
        if other.shape != self.shape:
            raise InvalidValueError(
                name,
                f"the operands have the shapes {self.shape} and {other.shape}; give equal ones",
            )

    def _dense_operand(self: Any, name: str, other: Any) -> Any:
        """A dense operand as an array on the queue of this one, or NotImplemented."""
        if isinstance(other, (Array, np.ndarray, list, tuple)) or hasattr(
            other, "__sycl_usm_array_interface__"
        ):
            x = as_array(name, "an operand", other, self.queue, self.data)
            self._refuse_other_queue(name, x)
            return x
        refuse_foreign(name, "an operand", other)
        return NotImplemented

    def _refuse_other_queue(self: Any, name: str, other: Any) -> None:
        if not other.queue.equivalent(self.queue):
            raise PlacementError(
                name,
                f"an operand is on a queue of {other.device} that is not equivalent to that of the "
                f"sparse array A, on {self.device}; move it with x.to_device(A.queue)",
            )

    def multiply(self: Any, other: Any) -> Any:
        """The products of elements: a sparse array, also for a dense operand. Shapes are
        broadcast."""
        if is_number(other):
            return self._with_data(hnp.multiply(self.data, number(other)))
        if self._is_sparse(other):
            if other.shape != self.shape:
                shape = np.broadcast_shapes(self.shape, other.shape)
                return self._broadcast_to(shape).multiply(other._broadcast_to(shape))
            return self._combined("multiply", other, hnp.multiply)
        return self._with_elements("multiply", other, hnp.multiply)

    def _with_elements(self: Any, name: str, other: Any, function: Callable[..., Any]) -> Any:
        """The function of the stored elements and those of a dense array."""
        x = self._dense_operand(name, other)
        if x is NotImplemented:
            refuse_foreign("multiply", "an operand", other)
            raise InvalidTypeError(name, f"an operand is {a_type(other)}, not an array or a number")
        shape = np.broadcast_shapes(self.shape, x.shape)
        if len(shape) > 2:
            raise InvalidValueError(name, f"the result would have {len(shape)} dimensions")
        whole = self._broadcast_to(shape)
        c = whole._coordinates()
        dense = h.broadcast_to(x, shape if len(shape) == 2 else (1, *shape))
        return whole._with_data(function(c.data, dense[c.row, c.column]))

    def __mul__(self: Any, other: Any) -> Any:
        if not (is_number(other) or self._is_sparse(other) or self._is_dense(other)):
            refuse_foreign("__mul__", "an operand", other)
            return NotImplemented
        return self.multiply(other)

    def __rmul__(self: Any, other: Any) -> Any:
        return self.__mul__(other)

    def _is_dense(self: Any, other: Any) -> bool:
        return isinstance(other, (Array, np.ndarray, list, tuple)) or hasattr(
            other, "__sycl_usm_array_interface__"
        )

    def __truediv__(self: Any, other: Any) -> Any:
        if is_number(other):
            wide = np.can_cast(self.dtype, np.float64)  # as in SciPy, float32 becomes float64
            data = astype(self.data, np.float64, copy=False) if wide else self.data
            return self._with_data(hnp.true_divide(data, number(other)))
        if self._is_sparse(other):
            self._check_same_shape("__truediv__", other)
            return hnp.true_divide(self.toarray(), other.toarray())
        if self._is_dense(other):
            return self._with_elements("__truediv__", other, hnp.true_divide)
        refuse_foreign("__truediv__", "an operand", other)
        return NotImplemented

    def __rtruediv__(self: Any, other: Any) -> Any:
        refuse_foreign("__truediv__", "an operand", other)
        return NotImplemented

    def __neg__(self: Any) -> Any:
        if self.dtype.kind == "b":
            raise UnsupportedError("__neg__", "the elements are bool; use A.astype(int)")
        return self._with_data(h.negative(self.data))

    def __pos__(self: Any) -> Any:
        return self.copy()

    def __abs__(self: Any) -> Any:
        return self._with_data(hnp.absolute(self._canonical().data), canonical=True)

    def __round__(self: Any, ndigits: int = 0) -> Any:
        return self._with_data(hnp.round(self._canonical().data, ndigits), canonical=True)

    def __pow__(self: Any, other: Any) -> Any:
        return self.power(other)

    def power(self: Any, n: Any, dtype: Any = None) -> Any:
        """Each element to the power `n`, a number that is not 0."""
        if not is_number(n) or isinstance(n, Array):
            raise UnsupportedError("power", "n must be a number; use A.toarray() ** n")
        if not n:
            raise UnsupportedError("power", "n is 0, so that all elements are 1; use ones()")
        data = self._canonical().data
        if dtype is not None:
            data = astype(data, h.dtype_argument(dtype), copy=False)
        return self._with_data(hnp.power(data, number(n)), canonical=True)

    def __matmul__(self: Any, other: Any) -> Any:
        return self._product("__matmul__", other)

    def __rmatmul__(self: Any, other: Any) -> Any:
        if is_number(other):
            raise InvalidValueError("__matmul__", "an operand is a number; use * instead of @")
        x = self._dense_operand("__matmul__", other)
        if x is NotImplemented:
            return NotImplemented
        if x.ndim > 2:
            raise InvalidValueError("__matmul__", f"an operand has {x.ndim} dimensions")
        self._check_inner(x.shape, self.shape)
        turned = self if self.ndim == 1 else self.T
        return turned._product("__matmul__", h.permute_dims(x, tuple(range(x.ndim))[::-1])).T

    def dot(self: Any, other: Any) -> Any:
        """The product with an array, a sparse array or a number."""
        return self * other if is_number(other) else self._product("dot", other)

    def _check_inner(self: Any, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        if first[-1] != second[0 if len(second) == 1 else -2]:
            raise InvalidValueError(
                "__matmul__", f"shapes {first} and {second} do not match: the last extent of the "
                "first has to be the first extent of the second",
            )  # fmt: skip

    def _product(self: Any, name: str, other: Any) -> Any:
        if is_number(other):
            raise InvalidValueError(name, "an operand is a number; use * instead of @")
        if self._is_sparse(other):
            self._refuse_other_queue(name, other)
            refuse_float8(name, (self.data, other.data))
            self._check_inner(self.shape, other.shape)
            return self._times_sparse(other)
        x = self._dense_operand(name, other)
        if x is NotImplemented:
            return NotImplemented
        refuse_float8(name, (self.data, x))
        if x.ndim not in (1, 2):
            raise InvalidValueError(name, f"an operand has {x.ndim} dimensions, not 1 or 2")
        self._check_inner(self.shape, x.shape)
        result = self._times_dense(x)
        return h.reshape(result, result.shape[1:]) if self.ndim == 1 else result

    def _times_sparse(self: Any, other: Any) -> Any:
        column = other if other.ndim == 2 else other.reshape((other.shape[0], 1))
        whole = self._compressed()
        first, second = whole._lines(), column._lines_like(whole)
        if whole._turned:
            first, second = second, first
        lines = _products.times_sparse(first, second)
        shape = (*self.shape[:-1], *other.shape[1:])
        result = whole._of_lines(lines, (whole._shape_as_2d[0], column.shape[1]))
        if shape == ():
            return h.sum(result.data, axis=0)
        return result if shape == result.shape else result.reshape(shape)

    def _compare(self: Any, other: Any, name: str) -> Any:
        function = getattr(hnp, _COMPARED[name])
        if is_number(other):
            value = number(other)
            if isinstance(value, Array):
                value = value.item()
            if value != value or not bool(getattr(operator, name)(0, value)):
                data = function(self._canonical().data, value)
                return self._with_data(data, canonical=True)._without_zeros()
            return self._compared_densely(value, name)
        if self._is_sparse(other):
            if other.shape != self.shape:
                if name in ("eq", "ne"):
                    return name == "ne"
                self._check_same_shape(f"__{name}__", other)
            if name in _NEGATED:
                return self._compared_densely(other.toarray(), name)
            return self._combined(f"__{name}__", other, function)
        x = self._dense_operand(f"__{name}__", other)
        return NotImplemented if x is NotImplemented else function(self.toarray(), x)

    def _compared_densely(self: Any, other: Any, name: str) -> Any:
        warnings.warn(
            f"the comparison {name} of zeros is true, so that the result is not sparse; the "
            "opposite comparison is faster",
            SparseEfficiencyWarning,
            stacklevel=4,
        )
        return self._of_dense(getattr(hnp, _COMPARED[name])(self.toarray(), other))

    def __eq__(self: Any, other: Any) -> Any:
        return self._compare(other, "eq")

    def __ne__(self: Any, other: Any) -> Any:
        return self._compare(other, "ne")

    def __lt__(self: Any, other: Any) -> Any:
        return self._compare(other, "lt")

    def __le__(self: Any, other: Any) -> Any:
        return self._compare(other, "le")

    def __gt__(self: Any, other: Any) -> Any:
        return self._compare(other, "gt")

    def __ge__(self: Any, other: Any) -> Any:
        return self._compare(other, "ge")

    def maximum(self: Any, other: Any) -> Any:
        """The larger of the elements of two arrays."""
        return self._extreme_of_two("maximum", other)

    def minimum(self: Any, other: Any) -> Any:
        """The smaller of the elements of two arrays."""
        return self._extreme_of_two("minimum", other)

    def _extreme_of_two(self: Any, name: str, other: Any) -> Any:
        function = getattr(hnp, name)
        if is_number(other):
            value = number(other)
            value = value.item() if isinstance(value, Array) else value
            if (value > 0) if name == "maximum" else (value < 0):
                warnings.warn(
                    f"{name} of zeros and {value} is {value}, so that the result is not sparse",
                    SparseEfficiencyWarning,
                    stacklevel=3,
                )
                return self._of_dense(function(self.toarray(), value))
            canonical = self._canonical()
            return canonical._with_data(function(canonical.data, value))._without_zeros()
        if self._is_sparse(other):
            return self._combined(name, other, function)
        x = self._dense_operand(name, other)
        if x is NotImplemented:
            raise InvalidTypeError(name, f"an operand is {a_type(other)}")
        return function(self.toarray(), x)

    _fixed_points: ClassVar[tuple[str, ...]] = tuple(_FIXED_POINTS)

    def __hither_function__(self: Any, name: str, args: Any, kwargs: Any) -> Any:
        """Functions of hither.numpy of this array."""
        return _functions.call_function(self, name, args, kwargs)

    def __array_ufunc__(self: Any, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """NumPy's functions: those of one array that keep zeros, and the operators."""
        if method != "__call__" or keywords:
            return NotImplemented
        if len(inputs) == 1:
            names = {"absolute": "__abs__", "negative": "__neg__", "conjugate": "conjugate"}
            name = names.get(ufunc.__name__, ufunc.__name__)
            known = name in _FIXED_POINTS or name in names.values()
            return getattr(self, name)() if known else NotImplemented
        if self._is_sparse(inputs[0]):
            return _functions.call_function(inputs[0], ufunc.__name__, inputs, {})
        reflected = _REFLECTED.get(ufunc.__name__)
        return NotImplemented if reflected is None else getattr(self, reflected)(inputs[0])


_REFLECTED = {
    "add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__", "matmul": "__rmatmul__",
    "equal": "__eq__", "not_equal": "__ne__", "less": "__gt__", "less_equal": "__ge__",
    "greater": "__lt__", "greater_equal": "__le__", "divide": "__rtruediv__",
}  # fmt: skip


def _element_function(name: str) -> Any:
    def method(self: SparseArray) -> SparseArray:
        return self._with_data(getattr(hnp, name)(self._canonical().data), canonical=True)

    method.__name__ = name
    method.__qualname__ = f"SparseArray.{name}"
    method.__doc__ = f"numpy.{name} of each element; that of 0 is 0."
    return method


for _name in _FIXED_POINTS:
    setattr(Arithmetic, _name, _element_function(_name))

"""@hither.reduction and @hither.scan: reductions and scans of arrays, written in Python."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._array.dtypes import kind_of
from ..._checked_call import checked
from ..._hither import Array, UserOp, UserReduction
from ..._names import a_type
from ...errors import CompileError, InvalidTypeError, InvalidValueError
from .device_func import DeviceFunction

__all__ = ["reduction", "scan"]


class Combination(DeviceFunction):
    """A function of two values that combines the elements of arrays. It is compiled once for each
    dtype. Kernels may call it with two scalars. Thread-safe."""

    def __init__(self, py_func: Callable, identity: Any) -> None:
        super().__init__(py_func)
        count = len(inspect.signature(py_func).parameters)
        if count != 2:
            raise InvalidTypeError(
                py_func.__name__,
                f"has {count} parameter{'' if count == 1 else 's'}; a function of two values "
                "combines the elements",
            )
        # That of calls with arrays, not of the function of two values.
        call = inspect.signature(type(self).__call__)
        self.__signature__ = call.replace(parameters=list(call.parameters.values())[1:])
        self.identity = identity
        self._lock = threading.Lock()
        self._operations: dict[tuple[np.dtype, bool], tuple[UserReduction, np.dtype]] = {}

    def _operation(self, x: Any, asked: Any) -> tuple[UserReduction, np.dtype]:
        """The operation for the elements of x, and the dtype of its results."""
        dtype = getattr(x, "dtype", None)
        if dtype is None and isinstance(x, (bool, int, float, complex)):
            dtype = np.dtype(type(x))
        if not isinstance(dtype, np.dtype):
            raise InvalidTypeError(
                self.__name__, f"takes an array, not {a_type(x)}; hither.asarray makes one"
            )
        key = (dtype if asked is None else np.dtype(asked), asked is not None)
        found = self._operations.get(key)
        if found is None:
            with self._lock:
                found = self._operations.get(key) or self._made(*key)
                self._operations[key] = found
        return found

    def _made(self, dtype: np.dtype, is_asked: bool) -> tuple[UserReduction, np.dtype]:
        # Numba has no arithmetic in floats of 16 bits.
        is_narrow = kind_of(dtype) == "f" and dtype.itemsize == 2
        compute = np.dtype(np.float32) if is_narrow else dtype
        operation, result = self._compiled(compute)
        if not is_asked and result != compute and np.can_cast(compute, result, "safe"):
            compute = dtype = result
            operation, result = self._compiled(compute)
        if result != compute and not (is_asked and np.can_cast(result, compute, "same_kind")):
            raise InvalidTypeError(
                self.__name__,
                f"returns {result} for two values of {compute}; it has to return {compute}, or a "
                "dtype that holds all its values and for which it returns that dtype again",
            )
        return UserReduction(operation, self._identity_in(compute)), dtype

    def _compiled(self, dtype: np.dtype) -> tuple[UserOp, np.dtype]:
        from ..numba.numba_version import check_kernels

        check_kernels()
        from ..numba.refused import KernelRefused
        from ..numba.scalar_function import compile_scalar_function

        try:
            made = compile_scalar_function(self, [str(dtype)] * 2)
        except KernelRefused as error:
            raise CompileError(self.__name__, str(error)) from None
        operation = UserOp(self.__name__, made.symbol, made.texts, made.operands, made.result)
        return operation, np.dtype(made.result)

    def _identity_in(self, dtype: np.dtype) -> Any:
        given = self.identity(dtype) if callable(self.identity) else self.identity
        value = np.asarray(given)
        if value.ndim or value.dtype.kind not in "biufc":
            raise InvalidTypeError(self.__name__, f"identity is {given!r}, not a number")
        with np.errstate(invalid="ignore", over="ignore"):
            cast = value.real.astype(dtype) if dtype.kind == "f" else value.astype(dtype)
        rounds = dtype.kind == "c" or (dtype.kind == "f" and not value.imag)
        if not rounds and cast != value:
            raise InvalidValueError(
                self.__name__,
                f"identity={given!r} is not a value of {dtype}; give a function of the dtype, for "
                "example identity=lambda dtype: np.iinfo(dtype).min, or reduce with dtype=",
            )
        return cast.item()


class Reduction(Combination):
    """A function of two values that reduces arrays. See hither.reduction."""

    def __call__(
        self,
        x: Any,
        axis: int | tuple[int, ...] | None = None,
        *,
        dtype: Any = None,
        keepdims: bool = False,
        queue: Any = None,
    ) -> Array:
        """The elements of x combined along axes. See hither.reduction."""
        operation, result = self._operation(x, dtype)
        return operation.reduce(x, axis, result, keepdims, queue)

    def __repr__(self) -> str:
        return f"<hither.reduction {self.py_func.__qualname__}>"


class Scan(Combination):
    """A function of two values that scans arrays. See hither.scan."""

    def __call__(
        self,
        x: Any,
        axis: int | None = None,
        *,
        dtype: Any = None,
        include_initial: bool = False,
        queue: Any = None,
    ) -> Array:
        """The elements of x up to each place of an axis, combined. See hither.scan."""
        operation, result = self._operation(x, dtype)
        return operation.scan(x, axis, result, include_initial, queue)

    def __repr__(self) -> str:
        return f"<hither.scan {self.py_func.__qualname__}>"


def _decorator(made: type, name: str, identity: Any) -> Callable[[Callable], Any]:
    if identity is None:
        raise InvalidTypeError(
            name, "identity is None; give the value e for which the function of e and x is x"
        )

    def decorate(function: Callable) -> Any:
        if not callable(function) or not hasattr(function, "__code__"):
            raise InvalidTypeError(
                name, f"decorates a Python function: @hither.{name}(identity=...) above its def"
            )
        return made(function, identity)

    return decorate


@checked
def reduction(*, identity: Any) -> Callable[[Callable[[Any, Any], Any]], Reduction]:
    """Makes a function of two values a reduction of arrays.

    Parameters
    ----------
    identity : number, or function of a dtype that returns one
        The value ``e`` for which ``function(e, x)`` is ``x``. It is the result for no elements, and
        is combined with elements any number of times.

    Returns
    -------
    decorator
        It makes a function ``f(x, axis=None, *, dtype=None, keepdims=False, queue=None)``, whose
        parameters are those of :func:`hither.sum`. `f` is lazy, and its kernel also computes the
        element-wise operations that make `x`. Kernels may call `f` with two numbers.

    Raises
    ------
    InvalidTypeError
        The function does not have two parameters, or returns another dtype.
    InvalidValueError
        The identity is not a value of the dtype.
    CompileError
        At the first call with a dtype: Numba cannot compile the function, or it raises exceptions.

    See Also
    --------
    scan, vectorize

    Notes
    -----
    The function has to be associative and commutative. Elements are combined along a tree that
    depends on shape, dtype and axes alone, so that results are the same in every run. The function
    is compiled for two values of the dtype of `x`. If it returns a dtype that holds all these
    values, as Numba's integer arithmetic returns int64 for int32, the reduction computes in that
    dtype. With `dtype`, the function's results are cast to it. float16 is computed in float32.

    Examples
    --------
    >>> import hither as ht
    >>> @ht.reduction(identity=1)
    ... def product_mod_7(a, b):
    ...     return a * b % 7
    >>> product_mod_7(ht.asarray([[3, 4], [5, 6]]), axis=1).tolist()
    [5, 2]
    """
    return _decorator(Reduction, "reduction", identity)


@checked
def scan(*, identity: Any) -> Callable[[Callable[[Any, Any], Any]], Scan]:
    """Makes a function of two values a scan of arrays: all partial results along an axis.

    Parameters
    ----------
    identity : number, or function of a dtype that returns one
        The value ``e`` for which ``function(e, x)`` is ``x``.

    Returns
    -------
    decorator
        It makes a function ``f(x, axis=None, *, dtype=None, include_initial=False, queue=None)``,
        whose parameters are those of :func:`hither.cumulative_sum`. `f` is lazy. Element i of its
        result combines the elements 0 to i of `x`, in order; with `include_initial` the result
        starts with the identity. Kernels may call `f` with two numbers.

    Raises
    ------
    InvalidTypeError
        The function does not have two parameters, or returns another dtype.
    InvalidValueError
        The identity is not a value of the dtype.
    CompileError
        At the first call with a dtype: Numba cannot compile the function, or it raises exceptions.

    See Also
    --------
    reduction, vectorize

    Notes
    -----
    The function has to be associative; it need not be commutative. Dtypes are those of
    :func:`hither.reduction`.

    Examples
    --------
    >>> import hither as ht
    >>> @ht.scan(identity=0)
    ... def largest_so_far(a, b):
    ...     return max(a, b)
    >>> largest_so_far(ht.asarray([3, 1, 4, 1, 5])).tolist()
    [3, 3, 4, 4, 5]
    """
    return _decorator(Scan, "scan", identity)

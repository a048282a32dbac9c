"""@hither.vectorize: lazy element-wise functions written in Python."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._array.dtypes import result_type
from ..._checked_call import checked
from ..._hither import UserOp
from ..._names import a_type
from ...errors import CompileError, InvalidTypeError
from .device_func import DeviceFunction, signature_texts

_MOST_OPERANDS = 3


class Vectorized(DeviceFunction):
    """A function of scalars that is called with arrays, or from kernels with scalars.

    With arrays it behaves as hither's element-wise operations: operands are broadcast, the queue
    comes from them, the operation is lazy and fuses with others. It is compiled once for each
    combination of dtypes. Python numbers take the arrays' dtype. Thread-safe.
    """

    def __init__(self, py_func: Callable, signatures: Sequence[str] = ()) -> None:
        super().__init__(py_func, signatures)
        self.nin = len(inspect.signature(py_func).parameters)
        self.nout = 1
        if not 1 <= self.nin <= _MOST_OPERANDS:
            raise InvalidTypeError(
                "vectorize",
                f"{py_func.__name__} has {self.nin} parameters; pass a function of 1 to "
                f"{_MOST_OPERANDS} numbers, or write a kernel for more arrays",
            )
        self._lock = threading.Lock()
        self._operations: dict[tuple[np.dtype, ...], UserOp] = {}

    def __call__(self, *operands: Any, queue: Any = None) -> Any:
        """The array of the function's values. Raises the errors of hither's element-wise functions,
        and CompileError."""
        if len(operands) != self.nin:
            raise InvalidTypeError(
                self.__name__, f"takes {self.nin} operand(s), {len(operands)} given"
            )
        return self._operation(self._dtypes(operands))(*operands, queue=queue)

    def _dtypes(self, operands: tuple) -> tuple[np.dtype, ...]:
        own = [getattr(x, "dtype", None) for x in operands]
        if None not in own:
            return tuple(own)
        plain = [x if d is None else d for x, d in zip(operands, own, strict=True)]
        for x in plain:
            if not isinstance(x, (bool, int, float, complex, np.dtype)):
                raise InvalidTypeError(self.__name__, f"takes arrays and numbers, not {a_type(x)}")
        if not any(own):
            return tuple(np.dtype(type(x)) for x in plain)
        common = result_type(*plain)
        return tuple(common if d is None else d for d in own)

    def _operation(self, dtypes: tuple[np.dtype, ...]) -> UserOp:
        found = self._operations.get(dtypes)
        if found is None:
            with self._lock:
                found = self._operations.get(dtypes) or self._compile(dtypes)
                self._operations[dtypes] = found
        return found

    def _compile(self, dtypes: tuple[np.dtype, ...]) -> UserOp:
        from ..numba.numba_version import check_kernels

        check_kernels()
        from ..numba.refused import KernelRefused
        from ..numba.scalar_function import compile_scalar_function

        try:
            made = compile_scalar_function(self, [str(d) for d in dtypes])
        except KernelRefused as error:
            raise CompileError(self.__name__, str(error)) from None
        return UserOp(self.__name__, made.symbol, made.texts, made.operands, made.result)

    def __repr__(self) -> str:
        return f"<hither.vectorize {self.py_func.__qualname__}>"


@checked
def vectorize(function: Any = None) -> Any:
    """Makes a function of 1 to 3 numbers an element-wise operation on arrays.

    The decorator takes no argument or signatures: `@hither.vectorize(["f4(f4, f4)",
    "f8(f8, f8)"])`. The first signature that the operands can be cast to determines the dtypes.
    """
    if function is None or isinstance(function, (str, list, tuple)):
        return functools.partial(Vectorized, signatures=signature_texts(function))
    if not callable(function) or not hasattr(function, "__code__"):
        raise TypeError("vectorize decorates a Python function: @hither.vectorize above its def")
    return Vectorized(function)

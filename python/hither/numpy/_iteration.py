"""nditer of hither's arrays, whose values are views of one element.

numpy.nditer chooses the order and the indices for arrays of the same shapes and strides that have
no memory of their own. It never reads them.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.manipulation import byte_strides
from .._hither import Array
from ..errors import InvalidTypeError
from ._placement import as_array, first_array, place_like

__all__ = ["nditer"]

_FLAGS = {"multi_index", "c_index", "f_index", "zerosize_ok", "refs_ok", "delay_bufalloc"}
_ASKED = ("ndim", "nop", "shape", "itersize", "finished", "has_index", "has_multi_index")


def _without_memory(x: Array) -> np.ndarray:
    """An array of the shape and strides of x whose elements must not be accessed."""
    memory = np.zeros(1, x.dtype)
    return np.lib.stride_tricks.as_strided(memory, x.shape, byte_strides(x))


class nditer:  # noqa: N801 - NumPy's name
    """numpy.nditer of hither arrays, one element after the other.

    A value is an array of no dimension. It is a view of one element, so that ``value[...] = 1``
    changes the array. The indices and the order are NumPy's. Without a hither.Array in ``op``, the
    call returns NumPy's own iterator.
    """

    def __new__(cls, op: Any, *args: Any, **kwargs: Any) -> Any:
        given = op if isinstance(op, (list, tuple)) else (op,)
        return object.__new__(cls) if first_array(given) is not None else np.nditer(
            op, *args, **kwargs
        )  # fmt: skip

    def __init__(
        self, op: Any, flags: Any = None, op_flags: Any = None, op_dtypes: Any = None,
        order: Any = "K", casting: Any = "safe", op_axes: Any = None, itershape: Any = None,
        buffersize: int = 0,
    ) -> None:  # fmt: skip
        flags = set(flags or ())
        others = {"op_axes": op_axes, "itershape": itershape, "buffersize": buffersize}
        refused = sorted(flags - _FLAGS) + [name for name, value in others.items() if value]
        if refused:
            raise InvalidTypeError(
                "nditer", f"does not take {', '.join(refused)} for hither's arrays; use "
                "numpy.nditer, and copy the arrays with hither.asnumpy(x)"
            )  # fmt: skip
        items = list(op) if isinstance(op, (list, tuple)) else [op]
        home: Any = first_array(items)
        given = [x if x is None else as_array("nditer", "op", x, home.queue, home) for x in items]
        modes: Any = self._modes(op_flags, given)
        dtypes = op_dtypes if isinstance(op_dtypes, (list, tuple)) else [op_dtypes] * len(given)
        arrays = self._allocated(given, dtypes, home)
        self.operands: tuple[Any, ...] = tuple(arrays)
        self._flags = flags
        self._it = np.nditer(
            [_without_memory(x) for x in arrays], list(flags | {"multi_index"}), modes,
            order=order, casting=casting,
        )  # fmt: skip
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
        # Views of read-only arrays are read-only, and so are views of broadcast ones.
        self._elements = [
            x if "readonly" not in mode else h.broadcast_to(x, shape)
            for x, mode in zip(arrays, modes, strict=True)
        ]
        self._started = False

    @staticmethod
    def _modes(op_flags: Any, arrays: Sequence[Any]) -> list[list[str]]:
        if op_flags is None:
            return [["writeonly", "allocate"] if x is None else ["readonly"] for x in arrays]
        if all(isinstance(flag, str) for flag in op_flags):
            op_flags = [op_flags] * len(arrays)
        return [list(flags) for flags in op_flags]

    @staticmethod
    def _allocated(arrays: list[Any], dtypes: Sequence[Any], home: Any) -> list[Array]:
        given = [x for x in arrays if x is not None]
        shape = np.broadcast_shapes(*(x.shape for x in given))
        common = np.result_type(*(x.dtype for x in given))
        for x, dtype in zip(arrays, dtypes, strict=True):
            if x is not None and dtype is not None and x.dtype != dtype:
                raise InvalidTypeError("nditer", f"op has dtype {x.dtype}; cast it with astype")
        return [
            h.empty(shape, dtype=common if dtype is None else dtype, **place_like(home))
            if x is None else x
            for x, dtype in zip(arrays, dtypes, strict=True)
        ]  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name in _ASKED or (name == "index" and self._flags & {"c_index", "f_index"}):
            return getattr(self._it, name)
        raise AttributeError(f"nditer of hither's arrays has no attribute {name!r} here")

    @property
    def multi_index(self) -> tuple[int, ...]:
        """The index of the present element, with the flag "multi_index"."""
        if "multi_index" not in self._flags:
            raise ValueError("Iterator is not tracking a multi-index; give flags=['multi_index']")
        return self._it.multi_index

    def __len__(self) -> int:
        return len(self.operands)

    def __getitem__(self, number: int) -> Array:
        return self._elements[number][(*self._it.multi_index, ...)]

    def __setitem__(self, number: int, value: Any) -> None:
        self._elements[number][self._it.multi_index] = value

    @property
    def value(self) -> Any:
        """The present element: an array of no dimension, or a tuple with one for each operand."""
        values = tuple(self[k] for k in range(len(self)))
        return values[0] if len(values) == 1 else values

    def iternext(self) -> bool:
        """Goes to the next element. The result says whether there is one."""
        return self._it.iternext()

    def reset(self) -> None:
        """Goes to the first element."""
        self._it.reset()
        self._started = False

    def close(self) -> None:
        """Has no effect: values are written to the arrays when they are assigned."""

    def __enter__(self) -> nditer:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.finished or (self._started and not self.iternext()):
            raise StopIteration
        self._started = True
        return self.value


# Of __init__: __new__ takes the arguments of NumPy's iterator too.
setattr(nditer, "__signature__", inspect.signature(nditer.__init__.__get__(0)))  # noqa: B010 - mypy

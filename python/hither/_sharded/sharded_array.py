"""The class of arrays that are divided among the queues of a mesh."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from .. import _hither as h
from .._hither import Array, Queue
from ..errors import ExchangeError, InvalidTypeError, InvalidValueError, UnsupportedError
from . import indexing, reductions
from .mesh import Mesh
from .operators import Operators
from .rows import Lengths, Pieces, Rows, joined, lengths_of, moved, uniform_bounds

__all__: list[str] = []


class NoSingleAddressError(ExchangeError, AttributeError):
    """The array has no address to export. As an AttributeError, it tells the operators of other
    arrays that this is not an array of one queue, so that they ask ShardedArray."""


class ShardedArray(Operators):
    """An array whose rows are divided among the queues of a mesh.

    A row is an index of the axis ``axis``. Part i is an array of hither on queue i. ``shard`` makes
    blocks of equal numbers of rows; views keep the rows where they are. Operations are lazy.
    Operators, element-wise functions and reductions of NumPy and ``hither.numpy``, ``matmul``,
    slices and assignment compute on the queues that have the rows, and move only the rows that an
    operation needs on another queue. Results of float reductions, too, have the same bits for every
    number of parts. A reduction of the divided axis gives an Array on the first queue.

    Raises
    ------
    InvalidTypeError
        If the class is called: ``shard`` makes sharded arrays.

    Examples
    --------
    >>> x = ht.shard([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], ht.Mesh("cpu", parts=2))
    >>> y = x[1:] - x[:-1]
    >>> y.shape, y.axis
    ((2, 2), 0)
    >>> (x @ x[:2]).sum(axis=0)
    Array([45., 66.])
    """

    __module__ = "hither"
    __slots__ = (
        "__weakref__",
        "_axis",
        "_dtype",
        "_fresh",
        "_known_lengths",
        "_mesh",
        "_pieces",
        "_shape",
    )
    __array_priority__: float = 1000.0
    __hash__: ClassVar[None] = None  # type: ignore[assignment]
    _is_sharded: bool = True

    _mesh: Mesh
    _axis: int
    _pieces: Pieces
    _shape: tuple[int, ...]
    _dtype: np.dtype
    _fresh: bool  # no other array can be a view of the pieces
    _known_lengths: tuple[Pieces, Lengths] | None  # see _held

    def __init__(self, *_: Any, **__: Any) -> None:
        raise InvalidTypeError("ShardedArray", "make one with hither.shard(x, mesh, axis)")

    @classmethod
    def _of(cls, mesh: Mesh, axis: int, pieces: Pieces) -> ShardedArray:
        self = object.__new__(cls)
        self._mesh, self._axis, self._pieces = mesh, axis, pieces
        first = pieces[0][0]
        rows = sum(piece.shape[axis] for part in pieces for piece in part)
        self._shape = (*first.shape[:axis], rows, *first.shape[axis + 1 :])
        self._dtype = first.dtype
        self._fresh = False
        self._known_lengths = None
        return self

    @classmethod
    def _known(
        cls, mesh: Mesh, axis: int, shape: tuple[int, ...], pieces: Pieces, lengths: Lengths
    ) -> ShardedArray:
        """An array of this shape, whose pieces have these rows."""
        made = object.__new__(cls)
        made._mesh, made._axis, made._shape = mesh, axis, shape
        made._pieces, made._known_lengths = pieces, (pieces, lengths)
        made._dtype = pieces[0][0].dtype
        made._fresh = False
        return made

    def _with(self, pieces: Pieces, lengths: Lengths) -> ShardedArray:
        """An array of this shape and mesh, whose pieces have these rows."""
        return self._known(self._mesh, self._axis, self._shape, pieces, lengths)

    def _held(self) -> tuple[Pieces, Lengths]:
        """The pieces, and the rows of each. Other threads may join the pieces at any time."""
        pieces, known = self._pieces, self._known_lengths
        if known is None or known[0] is not pieces:
            known = self._known_lengths = (pieces, lengths_of(pieces, self._axis))
        return known

    @property
    def mesh(self) -> Mesh:
        """The queues of the parts."""
        return self._mesh

    @property
    def queue(self) -> Mesh:
        """The mesh: where computation with this array runs."""
        return self._mesh

    @property
    def axis(self) -> int:
        """The axis that is divided."""
        return self._axis

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole array."""
        return self._shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self._shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def parts(self) -> tuple[Array, ...]:
        """One array for each queue of the mesh. They are this array's memory."""
        self._settle()
        return tuple(part[0] for part in self._pieces)

    @property
    def bounds(self) -> tuple[int, ...]:
        """The number of the first row of each part, and the number of all rows."""
        return self._rows().bounds

    def _settle(self) -> None:
        """Joins the pieces of each part. Results of operations on rows of several parts have
        several pieces. Views may follow."""
        self._fresh = False
        if any(len(part) > 1 for part in self._pieces):
            self._pieces = [[joined(part, self._axis)] for part in self._pieces]

    def _rows(self) -> Rows:
        pieces, lengths = self._held()
        return Rows(pieces, self._axis, lengths)

    def _gathered(self, queue: Queue) -> Array:
        # Each queue begins with the rows of another one, so that copies to all queues at once do
        # not read from one device together.
        count = len(self._pieces)
        own = next((k for k in range(count) if self._mesh[k] == queue), 0)
        copied = {}
        for k in ((own + i) % count for i in range(count)):
            copied[k] = [moved(piece, queue) for piece in self._pieces[k]]
        pieces = [piece for k in range(count) for piece in copied[k]]
        filled = [piece for piece in pieces if piece.shape[self._axis] > 0] or pieces[:1]
        return h.concat(filled, axis=self._axis) if len(filled) > 1 else h.copy(filled[0])

    def _mapped(self, function: Callable[[Array], Array], axis: int | None = None) -> ShardedArray:
        """The array of function(piece) for each piece, which keeps the rows."""
        self._fresh = False
        pieces = [[function(piece) for piece in part] for part in self._pieces]
        return ShardedArray._of(self._mesh, self._axis if axis is None else axis, pieces)

    def _piecewise(self, key: tuple[Any, ...], axis: int) -> ShardedArray:
        if all(item == slice(None) for item in key):
            return self
        return self._mapped(lambda piece: piece[key], axis)

    def reshard(self, axis: int) -> ShardedArray:
        """The same array, divided along another axis.

        Parameters
        ----------
        axis : int
            The axis; negative ones count from the end.

        Returns
        -------
        ShardedArray
            An array with blocks of equal numbers of rows; this array if it is divided along the
            axis.

        Raises
        ------
        AxisError
            If the axis is out of range.

        Examples
        --------
        >>> x = ht.shard([[1, 2], [3, 4]], ht.Mesh("cpu", parts=2))
        >>> x.reshard(1).parts[0]
        Array([[1],
               [3]])
        """
        (along,) = reductions.axes_of("reshard", (axis,), self.ndim)
        if along == self._axis:
            return self
        bounds = uniform_bounds(self._shape[along], len(self._mesh))
        lead = (slice(None),) * along
        pieces = [
            [h.concat([moved(piece[(*lead, slice(start, stop))], queue)
                       for part in self._pieces for piece in part], axis=self._axis)]
            for start, stop, queue in zip(bounds[:-1], bounds[1:], self._mesh, strict=True)
        ]  # fmt: skip
        return ShardedArray._of(self._mesh, along, pieces)

    def astype(self, dtype: Any, *, copy: bool = True) -> ShardedArray:
        """The array with elements of another dtype.

        Parameters
        ----------
        dtype : dtype
            The dtype of the result.
        copy : bool
            Whether an array of this dtype is copied.

        Returns
        -------
        ShardedArray
            The result.

        Examples
        --------
        >>> ht.shard([1, 2], ht.Mesh("cpu", parts=2)).astype(ht.float32).dtype
        dtype('float32')
        """
        if not copy and np.dtype(dtype) == self._dtype:
            return self
        return self._mapped(lambda piece: h.astype(piece, dtype))

    def copy(self) -> ShardedArray:
        """A copy on the same mesh.

        Returns
        -------
        ShardedArray
            The copy.

        Examples
        --------
        >>> x = ht.shard([1, 2], ht.Mesh("cpu", parts=2))
        >>> y = x.copy()
        >>> y[0] = 5
        >>> ht.gather(x)
        Array([1, 2])
        """
        return self._mapped(h.copy)

    def transpose(self, *axes: int) -> ShardedArray:
        """The array with its axes in another order. The rows stay where they are.

        Parameters
        ----------
        *axes : int
            The axes in their new order; without them they are reversed.

        Returns
        -------
        ShardedArray
            A view.

        Raises
        ------
        InvalidValueError
            If the axes do not name each axis once.

        Examples
        --------
        >>> ht.shard([[1, 2], [3, 4]], ht.Mesh("cpu", parts=2)).transpose().axis
        1
        """
        given = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
        order = tuple(given) or tuple(reversed(range(self.ndim)))
        numbers = tuple(reductions.axes_of("transpose", (k,), self.ndim)[0] for k in order)
        if sorted(numbers) != list(range(self.ndim)):
            raise InvalidValueError("transpose", f"axes {order} do not name each axis once")
        return self._mapped(lambda piece: piece.transpose(numbers), numbers.index(self._axis))

    @property
    def T(self) -> ShardedArray:  # noqa: N802 - NumPy's name
        """The array with its axes reversed."""
        return self.transpose()

    @property
    def real(self) -> ShardedArray:
        """The real parts."""
        return self._mapped(lambda piece: piece.real)

    @property
    def imag(self) -> ShardedArray:
        """The imaginary parts."""
        return self._mapped(lambda piece: piece.imag)

    def evaluate(self) -> None:
        """Submits the pending operations of all parts without waiting.

        Examples
        --------
        >>> (ht.shard([1, 2], ht.Mesh("cpu", parts=2)) + 1).evaluate()
        """
        h.evaluate(*(piece for part in self._pieces for piece in part))

    def synchronize(self) -> None:
        """Computes all parts and waits. Raises the error of work that failed.

        Examples
        --------
        >>> (ht.shard([1, 2], ht.Mesh("cpu", parts=2)) + 1).synchronize()
        """
        self.evaluate()
        # On a CPU, a thread that waits runs work that no other thread has begun: the last.
        h.synchronize(*(piece for part in self._pieces[::-1] for piece in part[::-1]))

    def tolist(self) -> Any:
        """Nested lists of Python numbers. Waits for the array.

        Returns
        -------
        list
            The elements.

        Examples
        --------
        >>> ht.shard([1, 2], ht.Mesh("cpu", parts=2)).tolist()
        [1, 2]
        """
        return self._gathered(self._mesh[0]).tolist()

    def item(self) -> Any:
        """The only element as a Python number. Waits for it.

        Returns
        -------
        number
            The element.

        Examples
        --------
        >>> ht.shard([3], ht.Mesh("cpu", parts=2)).item()
        3
        """
        return self._gathered(self._mesh[0]).item()

    def __getitem__(self, key: Any) -> Any:
        return indexing.get(self, key)

    if TYPE_CHECKING:  # made by puts_items()

        def __setitem__(self, key: Any, value: Any) -> None: ...

    def _put(self, key: Any, value: Any, temporary: bool) -> None:
        indexing.put(self, key, value, temporary)

    def __len__(self) -> int:
        return self._shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __repr__(self) -> str:
        return (
            f"<hither.ShardedArray of shape {self._shape} and dtype {self._dtype}, axis "
            f"{self._axis} in {len(self._mesh)} parts on {self._mesh!r}>"
        )

    def __matmul__(self, other: Any) -> Any:
        from .products import matmul

        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        from .products import matmul

        return matmul(other, self)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **given: Any) -> Any:
        from .functions import call_ufunc

        return call_ufunc(ufunc.__name__, method, inputs, given)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .functions import call_function

        return call_function(function.__name__, args, kwargs)

    def __hither_function__(self, name: str, args: Any, kwargs: Any) -> Any:
        from .functions import call_function

        return call_function(name, args, kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return importlib.import_module("hither.numpy")

    def _refuse_export(self, *_: Any, **__: Any) -> NoReturn:
        raise NoSingleAddressError(
            "ShardedArray",
            "its memory is on several queues, so that it has no single address; export the arrays "
            "x.parts one by one, or hither.gather(x)",
        )

    # A method __buffer__ would make the class a host array for hither and other packages.
    __dlpack__: Callable[..., NoReturn] = _refuse_export
    __dlpack_device__: Callable[..., NoReturn] = _refuse_export
    __array__: Callable[..., NoReturn] = _refuse_export
    __sycl_usm_array_interface__: property = property(_refuse_export)
    __array_interface__: property = property(_refuse_export)
    __cuda_array_interface__: property = property(_refuse_export)

    def __getattr__(self, name: str) -> NoReturn:
        if name in vars(ShardedArray):  # a property whose error is an AttributeError
            self._refuse_export()
        text = f"'ShardedArray' object has no attribute {name!r}"
        if not name.startswith("_") and hasattr(Array, name):
            text += "; hither.gather(x) is an array that has it, and so are the arrays x.parts"
        raise AttributeError(text, name=name, obj=None)

    def __reduce__(self) -> NoReturn:
        raise UnsupportedError(
            "pickle", "a mesh has no meaning in another process; pickle hither.gather(x)"
        )


h.puts_items(ShardedArray)

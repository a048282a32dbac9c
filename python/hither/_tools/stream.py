"""hither.stream(): computes with arrays that are larger than the device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from .._checked_call import checked
from .._device_context import device_context
from .._hither import Array, Queue, asarray, asnumpy, astype, copy, evaluate, synchronize
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError
from . import host_blocks
from .host_blocks import Block, HostBlocks, naming, queue_argument, side_by_side

__all__ = ["stream"]


@checked
def stream(
    f: Callable[..., Any],
    *arrays: Any,
    block: int | None = None,
    out: Any = None,
    queue: Any = None,
) -> Any:
    """Applies a function to consecutive parts of arrays on the host, on a device.

    The function is called once for each block of rows, in order and in the calling thread, with one
    hither array for each of ``arrays``. Its operations are lazy, and become kernels as usual. On a
    GPU, one block is copied to the device and one is copied back while one is computed; pinned
    memory of ``hither.empty(..., usm_type="host")`` is copied fastest. On a CPU, a block and its
    results stay in the caches.

    Parameters
    ----------
    f : callable
        Takes arrays of a block, and returns one array or a tuple of arrays, whose rows belong to
        the block's rows. The current queue is the block's meanwhile. Other arrays that it uses have
        to be on ``queue`` or an equivalent queue. It may write to the block.
    *arrays : numpy.ndarray or similar
        As for :func:`blocks`.
    block : int, optional
        As for :func:`blocks`.
    out : numpy.ndarray or tuple of numpy.ndarray, optional
        Where each result is stored: new NumPy arrays by default. It may be one of ``arrays``.
    queue : Queue, Device or str, optional
        Where to compute. The default is the current queue.

    Returns
    -------
    numpy.ndarray or tuple of numpy.ndarray
        The results of all blocks, or ``out``. A tuple if ``f`` returns one.

    Raises
    ------
    TypeError, ValueError
        If arguments or the results of ``f`` do not fit.
    Exception
        An error of ``f`` or of the device. Its notes name the block.

    Examples
    --------
    >>> import numpy
    >>> import hither as ht
    >>> x = numpy.arange(6.0)
    >>> ht.stream(lambda part: ht.sqrt(part) * 2, x, block=4)
    array([0.        , 2.        , 2.82842712, 3.46410162, 4.        ,
           4.47213595])
    """
    if not callable(f):
        raise InvalidTypeError("stream", f"f is {a_type(f)}; pass a function of arrays")
    target = queue_argument(queue)
    source = HostBlocks("stream", arrays, block, target)
    results = _Results(out, source)
    compute = _overlap if host_blocks.overlaps(target) else _compute_in_order
    compute(f, source, results, target)
    return results.collected()


def _compute_in_order(
    f: Callable[..., Any], source: HostBlocks, results: _Results, target: Queue
) -> None:
    for block, queue, parts in side_by_side(source, target):
        with naming(block), device_context(queue):
            results.copy_back(block, queue, results.checked(block, f(*parts)))
        del parts  # its memory is still in the caches when the next block gets it


def _overlap(f: Callable[..., Any], source: HostBlocks, results: _Results, target: Queue) -> None:
    """The results of one block are copied back while the next one is computed."""
    waiting: deque[tuple[Block, Future]] = deque()
    with ThreadPoolExecutor(1, "hither-download") as thread:
        for block, queue, parts in side_by_side(source, target):
            with naming(block), device_context(queue):
                found = results.checked(block, f(*parts))
                evaluate(*found)
            waiting.append((block, thread.submit(results.copy_back, block, queue, found)))
            del parts, found  # the block's memory is reused when its results have been copied
            if len(waiting) > 1:
                _wait(waiting)
        while waiting:
            _wait(waiting)


def _wait(waiting: deque[tuple[Block, Future]]) -> None:
    block, copied = waiting.popleft()
    with naming(block):
        copied.result()


class _Results:
    """The arrays on the host that receive the results."""

    def __init__(self, out: Any, source: HostBlocks) -> None:
        self._rows = source.rows
        self._several = isinstance(out, tuple | list)
        self._targets: list[np.ndarray] | None = None
        self._given = out is not None
        if self._given:
            self._targets = list(out) if self._several else [out]
            for target in self._targets:
                _check_target(target, source)

    def collected(self) -> Any:
        assert self._targets is not None  # there is at least one block
        return tuple(self._targets) if self._several else self._targets[0]

    def copy_back(self, block: Block, queue: Queue, arrays: Sequence[Array]) -> None:
        """Copies computed results to the host. Waits."""
        synchronize(*arrays)
        for target, x in zip(self._parts(block), arrays, strict=True):
            if x.size == 0:
                continue
            if target.flags.c_contiguous and target.dtype.isnative:
                queue.copy(target, x).wait()
            else:
                target[...] = asnumpy(x)

    def checked(self, block: Block, found: Any) -> list[Array]:
        """The results as arrays of the targets' dtypes, dense in memory."""
        arrays = list(found) if isinstance(found, tuple | list) else [found]
        for x in arrays:
            _check_result(x, block)
        if self._targets is None:
            self._several = isinstance(found, tuple | list)
            self._targets = [np.empty((self._rows, *x.shape[1:]), x.dtype) for x in arrays]
        if len(arrays) != len(self._targets):
            expected = "out has" if self._given else "the first block had"
            raise InvalidValueError(
                "stream", f"f returned {len(arrays)} arrays, but {expected} {len(self._targets)}"
            )
        return [
            _fitted(x, target, self._given) for x, target in zip(arrays, self._targets, strict=True)
        ]

    def _parts(self, block: Block) -> list[np.ndarray]:
        assert self._targets is not None
        return [target[block.start : block.stop] for target in self._targets]


def _check_result(x: Any, block: Block) -> None:
    if not isinstance(x, Array):
        raise InvalidTypeError("stream", f"f returned {a_type(x)}; it has to return hither arrays")
    rows = block.stop - block.start
    if x.ndim == 0 or x.shape[0] != rows:
        raise InvalidValueError(
            "stream",
            f"f returned an array of shape {x.shape} for a block of {rows} rows; results have as "
            f"many rows as their block (hither.blocks() iterates over blocks for reductions)",
        )


def _fitted(x: Array, target: np.ndarray, given: bool) -> Array:
    name = "out" if given else "the result of the first block"
    if x.shape[1:] != target.shape[1:]:
        raise InvalidValueError(
            "stream", f"f returned rows of shape {x.shape[1:]}, but {name} has {target.shape[1:]}"
        )
    native = target.dtype.newbyteorder("=")
    if x.dtype != native:
        if not np.can_cast(x.dtype, native, "same_kind"):
            raise InvalidTypeError(
                "stream",
                f"f returned {x.dtype}, which cannot be cast to {name}'s {target.dtype} by the "
                f"rule 'same_kind'",
            )
        x = astype(x, native)
    return x if x.flags.c_contiguous else copy(x)


def _check_target(target: Any, source: HostBlocks) -> None:
    if not isinstance(target, np.ndarray):
        raise InvalidTypeError(
            "stream", f"out is {a_type(target)}; pass a NumPy array or a memory map"
        )
    if target.ndim == 0 or target.shape[0] != source.rows:
        raise InvalidValueError(
            "stream",
            f"out has shape {target.shape}, but the arrays have {source.rows} rows along axis 0",
        )
    if not target.flags.writeable:
        raise InvalidValueError("stream", "out is read-only; open a memory map with mode 'r+'")
    asarray(np.empty((0,), target.dtype.newbyteorder("=")), device="cpu")  # raises for the dtype
    for x in source.arrays:
        if not isinstance(x, np.ndarray) or not np.may_share_memory(x, target):
            continue
        # Rows of one number may share memory, because a block is stored after it has been read.
        row = abs(target.strides[0])
        same = x.strides[0] == target.strides[0] and abs(x.ctypes.data - target.ctypes.data) < row
        if not same:
            raise InvalidValueError(
                "stream", "out overlaps one of the arrays in other rows; pass an array of its own"
            )

"""hither.blocks(): consecutive parts of arrays on the host, as arrays on a device."""

from __future__ import annotations

import contextlib
import operator
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from .._checked_call import checked
from .._device_context import current_queue
from .._hither import Array, Queue, asarray, default_queue
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["Block", "HostBlocks", "blocks", "naming", "overlaps", "queue_argument", "side_by_side"]

# A block on a GPU is copied in some milliseconds, which hides the time of a launch and of a thread
# that wakes up. On a CPU a block stays in the caches of its cores.
_BYTES, _BYTES_OF_A_CORE = 64 << 20, 4 << 20
# One block is copied to the device, one is computed, and one is copied back.
_BLOCKS_AT_ONCE = 3


class Block(NamedTuple):
    """The rows of one block."""

    number: int
    start: int
    stop: int
    rows: int

    def __str__(self) -> str:
        if self.rows == 0:
            return "the arrays have no rows"
        return f"block {self.number}: rows {self.start} to {self.stop - 1} of {self.rows}"


class HostBlocks:
    """Arrays on the host that are copied to a device block by block."""

    def __init__(self, where: str, arrays: Sequence[Any], block: Any, queue: Queue) -> None:
        if not arrays:
            raise InvalidTypeError(where, "takes at least one array on the host")
        self.arrays = [_host_array(where, i, x) for i, x in enumerate(arrays)]
        self.rows = self.arrays[0].shape[0]
        for i, x in enumerate(self.arrays):
            if x.shape[0] != self.rows:
                raise InvalidValueError(
                    where,
                    f"array {i} has {x.shape[0]} rows and array 0 has {self.rows}; blocks are "
                    f"parts along axis 0, which must be equally long",
                )
            asarray(np.empty((0,), x.dtype), queue=queue)  # raises if hither lacks the dtype
        self.block = self._default(queue) if block is None else _rows_argument(where, block)

    def __iter__(self) -> Iterator[Block]:
        """At least one block, which has no rows if the arrays have none."""
        for number, start in enumerate(range(0, max(self.rows, 1), self.block)):
            yield Block(number, start, min(start + self.block, self.rows), self.rows)

    def on(self, queue: Queue, block: Block) -> tuple[Array, ...]:
        """Copies of the block. Waits until the host's memory has been read."""
        return tuple(
            asarray(np.asarray(x[block.start : block.stop]), queue=queue, copy=True)
            for x in self.arrays
        )

    def _default(self, queue: Queue) -> int:
        row = sum(np.dtype(x.dtype).itemsize * _product(x.shape[1:]) for x in self.arrays)
        device = queue.device
        wanted = _BYTES if overlaps(queue) else device.max_compute_units * _BYTES_OF_A_CORE
        return max(1, wanted // max(1, row))


@checked
def blocks(*arrays: Any, block: int | None = None, queue: Any = None) -> Iterator[Any]:
    """Iterates over consecutive parts of arrays on the host, as arrays on a device.

    Use it to reduce arrays that are larger than the device. On a GPU, the next block is copied
    while the program computes with the present one. The copies are independent of the host's
    arrays: the program may write to a block, and may keep it. :func:`stream` also collects results.

    Parameters
    ----------
    *arrays : numpy.ndarray or similar
        Arrays with equal extents along axis 0: NumPy arrays, memory maps, and objects with
        ``shape``, ``dtype`` and slices, such as data sets of HDF5.
    block : int, optional
        The number of rows of a block; the last block may have fewer. The default is 64 MiB on a GPU
        and 4 MiB for each compute unit on a CPU.
    queue : Queue, Device or str, optional
        Where the blocks are. The default is the current queue. The blocks are on several queues
        that are equivalent to this one.

    Returns
    -------
    iterator of Array or of tuple of Array
        One array for each block, or one tuple if several arrays are given.

    Raises
    ------
    TypeError
        If an array is not on the host.
    ValueError
        If the arrays have different extents along axis 0, or ``block`` is not positive.
    OutOfMemoryError
        If the device has no memory for three blocks and the temporary arrays of the program.

    Examples
    --------
    >>> import numpy
    >>> import hither as ht
    >>> x = numpy.arange(10.0)
    >>> float(sum(part.sum() for part in ht.blocks(x, block=4)))
    45.0
    """
    target = queue_argument(queue)
    source = HostBlocks("blocks", arrays, block, target)
    return _unpacked(side_by_side(source, target), len(arrays) == 1)


def _unpacked(found: Iterator[Any], single: bool) -> Iterator[Any]:
    for block, _, arrays in found:
        if block.rows:
            yield arrays[0] if single else arrays
        del arrays


def side_by_side(
    source: HostBlocks, target: Queue
) -> Iterator[tuple[Block, Queue, tuple[Array, ...]]]:
    """The blocks on the device, in order. On a GPU, each block has a queue of its own, and a thread
    copies the next ones meanwhile."""
    if not overlaps(target):
        for block in source:
            # Without a name, so that a block's memory is still in the caches when the next gets it.
            yield block, target, _copied(source, target, block)
        return
    queues = [_equivalent(target) for _ in range(_BLOCKS_AT_ONCE)]
    waiting: deque[tuple[Block, Queue, Future]] = deque()
    with ThreadPoolExecutor(1, "hither-upload") as thread:
        try:
            for block in source:
                queue = queues[block.number % _BLOCKS_AT_ONCE]
                waiting.append((block, queue, thread.submit(source.on, queue, block)))
                if len(waiting) == _BLOCKS_AT_ONCE - 1:
                    yield _taken(waiting)
            while waiting:
                yield _taken(waiting)
        finally:
            for _, _, copy in waiting:
                copy.cancel()


def overlaps(target: Queue) -> bool:
    """Whether copies and computation overlap, which needs a device with memory of its own."""
    return target.device.device_type != "cpu"


def _equivalent(queue: Queue) -> Queue:
    return Queue(queue, in_order=queue.in_order, enable_profiling=queue.enable_profiling)


def _copied(source: HostBlocks, queue: Queue, block: Block) -> tuple[Array, ...]:
    with naming(block):
        return source.on(queue, block)


def _taken(
    waiting: deque[tuple[Block, Queue, Future]],
) -> tuple[Block, Queue, tuple[Array, ...]]:
    block, queue, copy = waiting.popleft()
    with naming(block):
        return block, queue, copy.result()


@contextlib.contextmanager
def naming(block: Block) -> Iterator[None]:
    """Adds the block to the text of an error."""
    try:
        yield
    except Exception as error:
        error.add_note(f"This happened in {block}.")
        raise


def queue_argument(queue: Any) -> Queue:
    """The current queue, or the one that `queue` names."""
    if queue is None:
        return current_queue()
    return queue if isinstance(queue, Queue) else default_queue(queue)


def _host_array(where: str, i: int, x: Any) -> Any:
    if isinstance(x, Array):
        raise InvalidTypeError(
            where,
            f"array {i} is on {x.device.filter_string} already; call the function with it, or pass "
            f"hither.asnumpy(x)",
        )
    if not (hasattr(x, "shape") and hasattr(x, "dtype") and hasattr(x, "__getitem__")):
        raise InvalidTypeError(
            where, f"array {i} is {a_type(x)}; pass a NumPy array or a memory map"
        )
    if len(x.shape) == 0:
        raise InvalidValueError(
            where, f"array {i} has no dimensions; blocks are parts along axis 0"
        )
    return x


def _rows_argument(where: str, block: Any) -> int:
    try:
        rows = operator.index(block)
    except TypeError:
        raise InvalidTypeError(
            where, f"block is {block!r}; it is a number of rows, such as block=1000"
        ) from None
    if rows < 1:
        raise InvalidValueError(where, f"block is {rows}; it must be at least 1")
    return rows


def _product(extents: Sequence[int]) -> int:
    result = 1
    for extent in extents:
        result *= extent
    return result

"""hither's C++ core. Private: import hither instead."""

# Made by tools/stubs.py.

from typing import Any

import numpy as np

from ._argument_types import Axes, DType, Nested, Operand, Shape, UsmType, Where

import _contextvars
from collections.abc import Callable, Iterator, Sequence
import types
from typing import overload

from hither._interop.pickled_names import (
    _same as __copy__,
    _same as __deepcopy__
)

version: str = '0.2.0'

def dtype_argument(dtype: object) -> Any:
    """
    NumPy's dtype object for `dtype`. TypeError if arrays cannot hold the dtype.
    """

def sub_device(parent: Device, partition: object, index: int) -> Device:
    """
    parent.create_sub_devices(partition)[index]; pickles of sub-devices call it.
    """

class Device:
    """
    A SYCL device.

    Device("gpu") takes a filter string `backend:device_type:index`. Every part is optional, and
    commas separate alternatives. Strings name root devices only. Device() is the default device: that
    of the device context, else the one that HITHER_DEVICE names, else a GPU if there is one, else a
    CPU. SYCL's descriptors are attributes (`max_compute_units`, `vendor`, ...), and so are aspects
    (`has_aspect_fp64`).
    """

    def __init__(self, device: Where | None = None) -> None: ...

    @property
    def filter_string(self) -> str: ...

    @property
    def backend(self) -> str: ...

    @property
    def device_type(self) -> str: ...

    @property
    def aspects(self) -> list[str]:
        """Names of its aspects."""

    def has_aspect(self, name: str) -> bool: ...

    def info(self, name: str) -> bool | int | str | list[int]:
        """A descriptor by name."""

    def print_device_info(self) -> None:
        """Prints name, versions, vendor and filter string."""

    @property
    def info_names(self) -> list[str]:
        """Names of the descriptors that it has."""

    @property
    def default_queue(self) -> Queue:
        """The default queue of the device, which its users share."""

    @property
    def default_context(self) -> Context: ...

    def __getattr__(self, arg: str, /) -> Any: ...

    def __dir__(self) -> list[str]: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> Any: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def create_sub_devices(self, partition: object | None) -> list[Device]:
        """
        Sub-devices of this device.

        `partition` is an int (the compute units of each sub-device), a sequence of ints (the
        compute units of the sub-devices), or an affinity domain ("numa", "L3_cache", ...).
        """

    @property
    def parent_device(self) -> Device | None:
        """The device that this sub-device is part of, or None."""

    @property
    def is_root(self) -> bool: ...

class DeviceOfQueue(Device):
    """
    The device of an array. As a device= argument it stands for the array's queue.
    """

    @property
    def sycl_queue(self) -> Queue:
        """The array's queue."""

    @property
    def sycl_context(self) -> Context: ...

    @property
    def sycl_device(self) -> Device: ...

def backends() -> list[str]:
    """The names of all back ends, with or without devices."""

def devices() -> list[Device]:
    """All root devices, in the order of preference as default."""

def absent_backends() -> list[str]:
    """
    Back ends without devices, each with the reason: "cuda: libcuda.so.1 is not installed".
    """

class Context:
    """
    A SYCL context, to which USM allocations and kernels belong.

    Context(devices) makes a new context for a device, or for a list of devices of one platform.
    Context(c) adopts a context of dpctl. Context.default(device) is the default context of a device,
    which its users share.
    """

    def __init__(self, devices: object | None = None) -> None: ...

    @staticmethod
    def default(device: Where | None = None) -> Context: ...

    @property
    def devices(self) -> list[Device]: ...

    @property
    def device_count(self) -> int: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Event:
    """The completion of one task. Event() is complete."""

    def __init__(self) -> None: ...

    def wait(self) -> None:
        """
        Blocks until the task is complete. Every call raises the error of a failed task.
        """

    @property
    def status(self) -> str:
        """"submitted", "running" or "complete". Never blocks."""

    @property
    def is_complete(self) -> bool: ...

    @property
    def profiling_submit(self) -> int:
        """
        Nanoseconds on the device's clock; needs a queue with enable_profiling=True.
        """

    @property
    def profiling_start(self) -> int: ...

    @property
    def profiling_end(self) -> int: ...

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def expect_host_tasks() -> None:
    """Records that other libraries may submit host tasks that take the GIL."""

def expects_host_tasks() -> bool:
    """
    Whether other libraries may submit host tasks that take the GIL: dpctl is imported, or a
    queue is shared with other libraries.
    """

class Queue:
    """
    A SYCL queue, to which work is submitted.

    Queue("gpu"), Queue(device), Queue(context, device) and Queue() make a new queue. It is in order,
    unless in_order=False. property="enable_profiling" is dpctl's form of enable_profiling=True.
    Queue(q) adopts a queue q of dpctl. On native_cpu, an in-order queue runs its work in the caller's
    thread, with the help of all cores; an out-of-order queue runs tasks concurrently.
    """

    def __init__(self, target: object | None = None, device: Where | None = ..., *, in_order: bool | None = None, enable_profiling: bool | None = None, property: object | None = None) -> None: ...

    @property
    def device(self) -> Device: ...

    @property
    def context(self) -> Context: ...

    @property
    def sycl_device(self) -> Device:
        """dpctl's name for device."""

    @property
    def sycl_context(self) -> Context:
        """dpctl's name for context."""

    @property
    def native_stream(self) -> int | None:
        """
        The CUDA stream of the queue's tasks (of some of them if it is out of order). None for
        other back ends.
        """

    @property
    def in_order(self) -> bool: ...

    @property
    def enable_profiling(self) -> bool: ...

    @property
    def backend(self) -> str: ...

    @property
    def name(self) -> bool | int | str | list[int]:
        """The device's name."""

    def equivalent(self, other: Queue) -> bool:
        """Same context, device and properties."""

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def copy(self, to: object, from_: object, nbytes: object | None = None, depends_on: object | None = None) -> Event:
        """
        Copies bytes. `to` and `from_` are each USM of hither, an object with
        __sycl_usm_array_interface__, or an object with the buffer protocol. It waits for the
        copy if hither does not own the memory.
        """

    def fill(self, to: object, pattern: object, depends_on: object | None = None) -> Event:
        """
        Fills memory with a pattern: an int from 0 to 255, or 1, 2, 4, 8 or 16 bytes.
        """

    def prefetch(self, memory: object, depends_on: object | None = None) -> Event: ...

    def submit_host(self, work: Callable, depends_on: object | None = None) -> Event:
        """
        Submits work() as a host task in the queue's order. An exception of work() becomes the
        KernelError of the event.
        """

    def submit_native(self, work: Callable, *, reads: object = (), writes: object = (), depends_on: object | None = None) -> Event:
        """
        Calls work(stream, *addresses) immediately, so that it can submit work of its own, or of
        a library, to the queue. `stream` is the address of the queue's CUDA stream or
        sycl::queue. `addresses` are those of the arrays in `reads` and `writes`, in this order.
        The work runs after depends_on, and in order with hither's operations on these arrays.
        Returns the event of its end.
        """

    def submit_barrier(self, depends_on: object | None = None) -> Event:
        """Returns an event that is complete when all work submitted so far is."""

    def wait(self) -> None:
        """
        Blocks until all submitted work is complete. Raises the error of the first failed task
        that no wait has raised yet.
        """

def default_queue(device: Where | None = None) -> Queue:
    """
    The cached default queue of a device. Without a device it is the queue of the device
    context, else that of the default device.
    """

class Memory:
    """
    A USM allocation. It is freed when the last reference is gone and the last kernel that
    uses it is complete. Memory that the host can access has the buffer protocol.
    """

    @property
    def nbytes(self) -> int: ...

    @property
    def pointer(self) -> int:
        """The address, as an int. The caller must keep this object alive."""

    @property
    def usm_type(self) -> UsmType: ...

    @property
    def queue(self) -> Queue:
        """The queue for which it was allocated."""

    @property
    def device(self) -> Any: ...

    @property
    def context(self) -> Context: ...

    @property
    def sycl_queue(self) -> Queue: ...

    @property
    def sycl_device(self) -> Device: ...

    @property
    def sycl_context(self) -> Context: ...

    @property
    def host_accessible(self) -> bool:
        """Whether host code can access the memory."""

    def copy_to_host(self, target: object | None = None) -> Any:
        """
        Copies all bytes into `target`, a writable buffer (default: a new bytearray), and
        returns it.
        """

    def copy_from_host(self, source: Axes) -> None:
        """
        Copies a buffer to the start of this memory. Blocks until the copy is complete.
        """

    def copy_from_device(self, source: Axes) -> None:
        """
        Copies the memory of an object with __sycl_usm_array_interface__, of any context, to the
        start of this memory. Blocks until the copy is complete.
        """

    def memset(self, value: int = 0) -> None: ...

    def tobytes(self) -> bytes: ...

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

    def __repr__(self) -> str: ...

class MemoryUSMDevice(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class MemoryUSMShared(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class MemoryUSMHost(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class PointerInfo:
    """Information about an address in USM."""

    @property
    def usm_type(self) -> UsmType: ...

    @property
    def device(self) -> Device: ...

    @property
    def base(self) -> int:
        """Start of the allocation."""

    @property
    def nbytes(self) -> int:
        """Size of the whole allocation."""

def pointer_info(pointer: int, context: Context) -> PointerInfo | None:
    """
    Information about an address in a context. None if the address is not USM of the
    context.
    """

def memory_over(object: object) -> Any:
    """
    The memory of an object with __sycl_usm_array_interface__, in place, from its first byte
    to its last, as a Memory of its USM type. Keeps the object alive.
    """

def memory_info(context: Context) -> tuple[Any, ...]:
    """
    The bytes of memory that are used, cached and free (None if unknown), and the peak.
    """

def trim_pools(context: Context) -> None:
    """Returns unused pool memory of the context to the system."""

class OpenContext:
    """
    An open device context, or an open block of a queue manager. hither.get_context()
    returns the innermost device context.
    """

    def __init__(self, queue: Queue, owner: object, previous: object | None, *, is_device_context: bool = True, on_serial: int = 0, keep_below: int = 0, always_warns: bool = False, dparray_results: bool = False) -> None: ...

    @property
    def queue(self) -> Queue:
        """The queue that the block computes on."""

    @property
    def device(self) -> Device: ...

    @property
    def context(self) -> Context: ...

    def __repr__(self) -> str: ...

    @property
    def owner(self) -> Any:
        """The device_context or the block that opened it."""

    @property
    def previous(self) -> Any:
        """The enclosing entry, or None."""

    @property
    def is_device_context(self) -> bool: ...

    @property
    def on_serial(self) -> int: ...

    @property
    def keep_below(self) -> int: ...

    def after(self, previous: object | None) -> OpenContext:
        """The same entry with another enclosing entry."""

context_variable: _contextvars.ContextVar = ...

def open_contexts() -> int:
    """
    Number of open device contexts in the process, in all threads and tasks.
    """

def set_dparray_type(type: object) -> None:
    """Registers the class of dparrays. hither.dparray calls it once."""

def offload_api() -> Any:
    """The interface of this module for _numba_hook, as a capsule."""

def context_queue() -> Queue | None:
    """
    Queue of the innermost device context or queue manager's block, or None.
    """

def innermost_device_context() -> Any:
    """The OpenContext of the innermost device_context, or None."""

class UsmView:
    """
    Another library's array, by its checked __sycl_usm_array_interface__. Keeps the object
    alive, and copies nothing.
    """

    def __init__(self, object: object) -> None: ...

    @property
    def pointer(self) -> int:
        """Address of the first element, including the offset."""

    @property
    def read_only(self) -> bool: ...

    @property
    def shape(self) -> tuple[Any, ...]: ...

    @property
    def strides(self) -> tuple[Any, ...]:
        """In elements."""

    @property
    def dtype(self) -> Any: ...

    @property
    def queue(self) -> Queue: ...

    @property
    def device(self) -> Any: ...

    @property
    def usm_type(self) -> UsmType: ...

    @property
    def owner(self) -> Any: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

def make_usm_interface(pointer: int, read_only: bool, shape: Shape, strides: object | None, dtype: DType, queue: Where) -> dict[str, Any]:
    """The dict of __sycl_usm_array_interface__; only its fields are checked."""

def queue_of_syclobj(syclobj: object) -> Queue:
    """The queue of a field `syclobj` of __sycl_usm_array_interface__."""

def counters() -> dict[str, Any]:
    """
    Process-wide totals since the start (live_allocations: now), as a dict.
    """

def disk_cache_use() -> tuple[Any, ...]:
    """
    The folder of the disk cache, the number of its entries, their bytes, and the largest
    number of bytes (0: the cache is disabled).
    """

def clear_disk_cache() -> None:
    """Deletes all entries of the disk cache."""

def set_spirv_emitter(command: Sequence[str], identity: str) -> None:
    """
    Sets the program that writes SPIR-V: `command` is a list of words, and `identity` (name and
    version) says what its output depends on. By default hither uses Numba's LLVM. The program reads
    requests from its standard input: the length of the text (8 bytes, little-endian) and LLVM
    assembly. It answers with one byte, b'B' or b'E', a length, and the SPIR-V binary or an error
    message. An empty command removes the program. Waits for kernels that are being compiled.
    """

class ArrayFlags:
    """
    Array.flags: attributes as in NumPy and dpctl, and the items
    "C_CONTIGUOUS" ("C"), "F_CONTIGUOUS" ("F") and "WRITEABLE" ("W").
    """

    def __getitem__(self, arg: str, /) -> bool: ...

    @property
    def c_contiguous(self) -> bool: ...

    @property
    def f_contiguous(self) -> bool: ...

    @property
    def writeable(self) -> bool: ...

    @property
    def writable(self) -> bool: ...

    @property
    def forc(self) -> bool:
        """Either of C and Fortran order."""

    @property
    def fnc(self) -> bool:
        """Fortran order and not C order."""

    @property
    def fc(self) -> bool:
        """C order and Fortran order."""

    @property
    def contiguous(self) -> bool:
        """Either of C and Fortran order."""

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __repr__(self) -> str: ...

@overload
def evaluate(arg: Array, /) -> None: ...

@overload
def evaluate(*args: Any) -> None:
    """Submits the pending operations of these arrays without waiting."""

@overload
def synchronize(arg: Array, /) -> None: ...

@overload
def synchronize(*args: Any) -> None:
    """
    Computes these arrays and waits. Raises the error of a failed task that one depends on.
    """

def asnumpy(x: object) -> Any:
    """A NumPy copy of x, whatever its device. Waits for x."""

def explain(x: object | None) -> str:
    """Describes the kernels that evaluating x would run."""

def add(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 + x2 (logical or for bool).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def subtract(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 - x2; bool is refused.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def multiply(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 * x2 (logical and for bool).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def divide(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 / x2 in floating point; integers give float64.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def floor_divide(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Largest integer not above x1 / x2; integer division by zero gives 0.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def remainder(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 - floor_divide(x1, x2) * x2, with the sign of x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def power(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 ** x2; integers wrap around.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def negative(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    -x; bool is refused.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def positive(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    +x; bool is refused.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def absolute(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    |x|; the modulus of complex numbers, in their real dtype.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def sign(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    -1, 0 or 1; x / |x| for complex; NaN for NaN.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def square(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x * x; bool gives int8.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def reciprocal(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    1 / x.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def sqrt(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Square root.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def cbrt(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Cube root.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def exp(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    e ** x.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def exp2(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    2 ** x.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def expm1(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    exp(x) - 1, accurate near 0.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def log(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Natural logarithm.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def log2(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Base-2 logarithm.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def log10(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Base-10 logarithm.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def log1p(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    log(1 + x), accurate near 0.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def sin(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Sine of radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def cos(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Cosine of radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def tan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Tangent of radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def asin(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse sine, in radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def acos(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse cosine, in radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def atan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse tangent, in radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def sinh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic sine.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def cosh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic cosine.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def tanh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic tangent.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def asinh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic sine.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def acosh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic cosine.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def atanh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic tangent.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def erf(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Error function.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def erfc(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    1 - erf(x), accurate for large x.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def atan2(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Angle of the point (x2, x1), in radians.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def hypot(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    sqrt(x1**2 + x2**2) without overflow.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def logaddexp(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    log(exp(x1) + exp(x2)) without overflow.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def copysign(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    |x1| with the sign of x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def nextafter(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Next representable number after x1 towards x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def floor(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Largest integer not above x; integers unchanged.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def ceil(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Smallest integer not below x; integers unchanged.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def trunc(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x without its fraction; integers unchanged.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def round(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Nearest integer, ties to even; integers unchanged.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def maximum(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The larger one; NaN if either is NaN.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def minimum(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The smaller one; NaN if either is NaN.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 == x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def not_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 != x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def less(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 < x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def less_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 <= x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def greater(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 > x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def greater_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 >= x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def logical_and(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Both are true (non-zero).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def logical_or(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Either is true.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def logical_xor(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Exactly one is true.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def logical_not(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is false (zero).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_and(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 & x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_or(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 | x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_xor(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 ^ x2.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_invert(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    ~x; logical not for bool.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_left_shift(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 << x2; 0 beyond the width.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def bitwise_right_shift(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 >> x2, sign-extending; the sign beyond the width.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def isnan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is NaN (either part).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def isinf(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is infinite (either part).

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def isfinite(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is neither infinite nor NaN.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def signbit(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The sign bit is set.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def real(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Real part.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def imag(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Imaginary part, 0 for real dtypes.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def conj(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Complex conjugate.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

def where(condition: Operand, x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x2 where x1 is true, else x3.

    Lazy. Operands are arrays and numbers, which broadcast and promote as in NumPy 2. The operation
    runs on the queue of the arrays, or on `queue`. Inside a device context, NumPy arrays are copied
    to its queue. Raises TypeError for dtypes that it does not support, and PlacementError if the
    queue cannot be inferred.
    """

elementwise_functions: list = ...

def asarray(obj: Nested | None, dtype: DType | Queue | Device | None = None, *, device: Where | None = None, copy: bool | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An Array of the content of `obj`: an Array, a number, nested lists, a NumPy array, or an object
    with the buffer protocol, __sycl_usm_array_interface__ or __dlpack__.

    asarray(x, queue, usm_type=...) is allowed too: the second positional argument may be a dtype, a
    queue or a device.

    Host memory is copied, unless copy=False, which shares it (read-only if the source is). An Array
    that already has the dtype, the queue and the usm_type is returned over the same memory, unless
    copy=True. `device` is a device, a queue or a filter string. Without a queue, Arrays and USM
    objects stay on their queues. Other data goes to the device context's queue, or to the default
    queue. Blocks while host memory is copied. Raises TypeError for dtypes that arrays cannot hold,
    and ValueError if copy=False is impossible.
    """

def from_dlpack(x: object, *, device: object | None = None, copy: bool | None = None, queue: object | None = None, sycl_queue: object | None = None) -> Array:
    """
    An array over the memory of an object with __dlpack__. The memory is copied if
    copy=True, or if the device requires it.
    """

def empty(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """An array of `shape` with uninitialised elements."""

def zeros(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """An array of zeros. The default dtype is float64."""

def ones(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """An array of ones. The default dtype is float64."""

def full(shape: Shape, fill_value: Operand | None, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An array of `shape` filled with a number, or with an array that broadcasts to `shape`.
    The default dtype is that of fill_value.
    """

def empty_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """empty(), with x's shape, dtype, queue and usm_type."""

def zeros_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """zeros(), with x's shape, dtype, queue and usm_type."""

def ones_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """ones(), with x's shape, dtype, queue and usm_type."""

def full_like(x: Array, fill_value: Operand | None, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """full(), with x's shape, dtype, queue and usm_type."""

def iota(count: int, start: object, step: object, dtype: DType, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """start + i * step for i in [0, count)."""

def astype(x: Array, dtype: DType, *, copy: bool = True, device: Where | None = None, queue: Where | None = None) -> Array:
    """
    x converted to another dtype. With copy=False, x itself if it has the dtype.
    """

def copy(x: Array, *, queue: Where | None = None) -> Array:
    """A copy of x in new memory, in C order."""

def on_queue(x: Array, queue: Where | None, function: str) -> Array:
    """
    x on `queue`, without a copy; x itself for None. Errors name `function`.
    """

def clip(x: Array, min: Operand | None = None, max: Operand | None = None, *, queue: Where | None = None) -> Array:
    """x limited to [min, max]; either may be None. NaN stays NaN."""

def reshape(x: Array, shape: Shape, *, copy: bool | None = None, queue: Where | None = None) -> Array:
    """
    x in another shape, with the elements in C order. One extent may be -1. A view if
    possible.
    """

def permute_dims(x: Array, axes: Axes | Sequence[Sequence[int]]) -> Array:
    """A view with the axes in another order."""

def expand_dims(x: Array, axis: Axes = 0) -> Array:
    """A view with axes of extent 1 at the positions `axis` of the result."""

def squeeze(x: Array, axis: Axes) -> Array:
    """A view without these axes of extent 1."""

def moveaxis(x: Array, source: Axes, destination: Axes) -> Array:
    """
    A view with the axes `source` at the positions `destination`; the others keep their
    order.
    """

def matrix_transpose(x: Array) -> Array:
    """A view with the last two axes exchanged."""

def flip(x: Array, axis: Axes | None = None) -> Array:
    """
    A view with the elements reversed along `axis` (an int, a tuple, or None for all axes).
    """

def unstack(x: Array, axis: int = 0) -> tuple[Any, ...]:
    """The views of x along `axis`, without that axis."""

def strided_view(x: Array, shape: Shape, strides: object) -> Array:
    """
    A view of the same first element, with strides in elements. Raises OutOfRangeError if it would reach outside of x.
    """

def broadcast_to(x: Array, shape: Shape) -> Array:
    """A view that repeats x to `shape`."""

def broadcast_shapes(*args: Any) -> tuple[Any, ...]:
    """The shape that arrays of these shapes broadcast to."""

def promote_types(type1: DType, type2: DType) -> Any:
    """The smallest dtype that both convert to."""

def can_cast_safely(arg0: object, arg1: object, /) -> bool: ...

class Range:
    """
    Number of work-items in 1 to 3 dimensions: Range(n), Range(n, m), Range(n, m, k).
    Dimension 0 is the outermost; the last one is contiguous.
    """

    @overload
    def __init__(self, arg: int, /) -> None: ...

    @overload
    def __init__(self, *args: Any) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> int: ...

    def size(self) -> int:
        """Total number of work-items."""

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class NdRange:
    """
    A range divided into work-groups: NdRange(global_size, local_size). Each size is an int,
    a tuple, a list or a Range, with the same number of dimensions. The local size divides
    the global size.
    """

    def __init__(self, global_size: object, local_size: object) -> None: ...

    @property
    def global_range(self) -> Range: ...

    @property
    def local_range(self) -> Range: ...

    def __repr__(self) -> str: ...

class LocalAccessor:
    """
    LocalAccessor(shape, dtype): a kernel argument that is an array in local memory inside the
    kernel. Each work-group has an array of its own, which is not initialised. `shape` is an int, a
    tuple of 1 to 3 ints or a Range. A launch raises InvalidValueError if it needs more than the
    device's local_mem_size bytes for each work-group.
    """

    def __init__(self, shape: Shape, dtype: DType) -> None: ...

    @property
    def shape(self) -> tuple[Any, ...]: ...

    @property
    def dtype(self) -> Any: ...

    def __getitem__(self, arg: object, /) -> None: ...

    def __setitem__(self, arg0: object, arg1: object, /) -> None: ...

    def __repr__(self) -> str: ...

class KernelDispatcher:
    """
    A kernel. kernel[range](*arguments) launches it over a range, and kernel(*arguments)
    over the shape of its first array. Both take queue= and depends_on=, and return None.
    """

    def __call__(self, /, *args: Any, **kwargs: Any) -> None:
        """Call self as a function."""

    def __init__(self, function: object, parameters: Sequence[str], defaults: dict[str, Any], options: object) -> None: ...

    def __getitem__(self, key: Any, /) -> ConfiguredKernel:
        """Return self[key]."""

    @property
    def py_func(self) -> Any:
        """The Python function."""

    @property
    def __wrapped__(self) -> Any: ...

    def __getattr__(self, arg: str, /) -> Any:
        """The attributes of the Python function: __name__ and so on."""

    @property
    def options(self) -> Any:
        """The options of the decorator."""

    @property
    def compile_time(self) -> float:
        """Seconds spent on compilation so far, including the part in Python."""

    def inspect_llvm(self) -> dict[str, Any]:
        """
        The optimised LLVM IR for the CPU, in a dict by the argument types of the calls so far.
        A kernel with work-groups is shown for the local size that was compiled last.
        """

    def inspect_asm(self) -> dict[str, Any]:
        """
        The assembly for the CPU, in a dict by the argument types of the calls so far. A kernel
        with work-groups is shown for the local size that was compiled last.
        """

    def inspect_spirv(self) -> dict[str, Any]:
        """
        The SPIR-V binary for devices that take SPIR-V, in a dict by the argument types of the
        calls so far.
        """

    def __repr__(self) -> str: ...

def library_kernels(code: bytes, where: str) -> list[Any]: ...

def load_kernel_source(key: str) -> Any: ...

def store_kernel_source(key: str, content: bytes) -> None: ...

def launch(kernel: object, range: object | None, *args: Any, **kwargs: Any) -> Event:
    """
    launch(kernel, range, *arguments, queue=None, depends_on=None): launches a kernel and
    returns its Event without waiting. With NumPy arguments it waits. `range` may be None.
    """

def scatter_combined(x: Array, key: object, value: object, reduction: str) -> bool:
    """
    x[key] combined with value, once for each index, in place and in order. Returns False, and
    does nothing, if the key has neither index arrays nor a mask.
    """

def scatter_rows(x: Array, indices: Array, value: object, reduction: str) -> None:
    """
    x[r, indices[r, i]] combined with value[r, i], in place and in order of i. Indices are not
    checked.
    """

def segment_reduce(x: Array, begins: Array, ends: Array, reduction: str, dtype: object | None = None) -> Array:
    """
    Reductions of x[begins[s]:ends[s]] for each s. Indices are not checked. Lazy.
    """

def take(x: Array, indices: Nested, axis: int | None = None, *, queue: Where | None = None) -> Array:
    """
    Elements of x along `axis` at the integers `indices`, whose shape replaces the axis.
    """

def take_along_axis(x: Array, indices: Nested, *, axis: int = -1, queue: Where | None = None) -> Array:
    """
    Elements of x along `axis` at `indices`, which have the shape of x except along `axis`.
    """

def searchsorted(x1: Operand, x2: Operand, *, side: str = 'left', sorter: Nested | None = None, queue: Where | None = None) -> Array:
    """
    The positions at which the elements of x2 belong in x1, which is 1-D and ascending, or
    is put into ascending order by the indices `sorter`. Lazy.
    """

def nonzero(x: Array, *, queue: Where | None = None) -> tuple[Any, ...]:
    """
    The indices of the nonzero elements, one int64 array for each axis. Waits.
    """

def sum(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Sum over `axis` (an int, a tuple, or None for all). Lazy."""

def prod(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Product over `axis`. Lazy."""

def min(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Smallest element over `axis`; NaN if any element is NaN. Lazy."""

def max(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Largest element over `axis`; NaN if any element is NaN. Lazy."""

def any(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Whether any element over `axis` is true. Lazy."""

def all(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Whether all elements over `axis` are true. Lazy."""

def count_nonzero(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Number of nonzero elements over `axis`. Lazy."""

def mean(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Mean over `axis`; integers give float64. Lazy."""

def var(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Variance over `axis`. The divisor is the number of elements minus `correction`. Lazy.
    """

def std(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: Where | None = None) -> Array:
    """Square root of var(). Lazy."""

def argmin(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Index of the first smallest element along `axis`, or of the flattened array. Lazy.
    """

def argmax(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Index of the first largest element along `axis`, or of the flattened array. Lazy.
    """

reduction_functions: list = ...

def cumulative_sum(x: Operand, *, axis: Axes | None = None, dtype: DType | None = None, include_initial: bool = False, queue: Where | None = None) -> Array:
    """Cumulative sums along `axis`. Lazy."""

def cumulative_prod(x: Operand, *, axis: Axes | None = None, dtype: DType | None = None, include_initial: bool = False, queue: Where | None = None) -> Array:
    """Cumulative products along `axis`. Lazy."""

def diff(x: Operand, *, axis: int = -1, n: int = 1, prepend: Operand | None = None, append: Operand | None = None, queue: Where | None = None) -> Array:
    """
    x[1:] - x[:-1] along `axis`, applied n times, after joining `prepend`, x and `append`.
    Lazy.
    """

def sort(x: Operand, *, axis: Axes = -1, descending: bool = False, stable: bool = True, queue: Where | None = None) -> Array:
    """
    The elements of an array in order along an axis.

    Parameters
    ----------
    x : Array
        An array of any dtype, with one dimension or more.
    axis : int
        The axis; negative ones count from the end.
    descending : bool
        The largest elements come first.
    stable : bool
        Has no effect: every sort is stable.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        An array of x's shape and dtype.

    Notes
    -----
    NaNs come last, in both directions. Complex elements are ordered by their real parts, then by
    their imaginary parts. The result is computed when it is needed.

    Examples
    --------
    >>> ht.sort(ht.asarray([3, 1, 2], device="native_cpu"))
    Array([1, 2, 3])
    """

def argsort(x: Operand, *, axis: Axes = -1, descending: bool = False, stable: bool = True, queue: Where | None = None) -> Array:
    """
    The indices that sort an array along an axis.

    Parameters
    ----------
    x : Array
        An array of any dtype, with one dimension or more.
    axis : int
        The axis; negative ones count from the end.
    descending : bool
        The indices of the largest elements come first.
    stable : bool
        Has no effect: every sort is stable. Equal elements keep their order, in both directions.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        int64 indices of x's shape.

    Notes
    -----
    NaNs come last, in both directions, and all NaNs are equal in order; so are -0.0 and 0.0.

    Examples
    --------
    >>> ht.argsort(ht.asarray([3, 1, 2], device="native_cpu"))
    Array([1, 2, 0])
    """

def concat(arrays: Sequence[Operand], axis: int | None = 0, *, queue: Where | None = None) -> Array:
    """
    Joins the arrays along `axis`. With axis=None they are flattened first. dtypes promote.
    """

def stack(arrays: Sequence[Operand], axis: int = 0, *, queue: Where | None = None) -> Array:
    """Joins the arrays, which have one shape, along a new axis."""

def roll(x: Array, shift: Axes, axis: Axes | None = None, *, queue: Where | None = None) -> Array:
    """
    x shifted by `shift` along `axis`. Elements beyond the last position reappear at the
    first.
    """

def repeat(x: Array, repeats: Nested, axis: int | None = None, *, queue: Where | None = None) -> Array:
    """
    Repeats each element. `repeats` is an int, or an integer array with a count for each
    element.
    """

def tile(x: Array, repetitions: Axes, *, queue: Where | None = None) -> Array:
    """The array repeated as a whole along each axis."""

def matmul(x1: Operand, x2: Operand, *, queue: Where | None = None, precision: str | None = None) -> Array:
    """
    Matrix product over the last two axes; the others broadcast. The same as x1 @ x2. Lazy.

    `precision` permits the device to round float32 and complex64 factors before it multiplies, if
    that is faster. Sums stay float32. The rounding changes an element of x1 @ x2 by at most
    (2 u + u**2) times that of abs(x1) @ abs(x2), where u is 2**-10 for 'tensorfloat32' and 2**-8 for
    'bfloat16'. It is a hint: devices may use full precision, and other dtypes ignore it. Other names
    raise ValueError.
    """

def tensordot(x1: Operand, x2: Operand, *, axes: Axes | Sequence[Sequence[int]] = 2, queue: Where | None = None) -> Array:
    """
    Sum of products over pairs of axes. `axes` is a number of axes (the last ones of x1 with
    the first ones of x2), or two sequences of axes.
    """

def vecdot(x1: Operand, x2: Operand, *, axis: int = -1, queue: Where | None = None) -> Array:
    """sum(conj(x1) * x2) along `axis`, which is negative."""

def set_blas_library(path: str) -> None:
    """
    Sets the path of the OpenBLAS that products on CPUs use. Call it before the first
    product.
    """

def set_cuda_folders(folders: Sequence[str]) -> None:
    """
    Sets folders in which NVIDIA's libraries are searched. Call it before the first use of
    one.
    """

def blas_name(device: Device) -> str:
    """The BLAS that products on this device use; empty for portable kernels."""

class KernelRecord:
    """One launch of an array expression or of a kernel."""

    @property
    def name(self) -> str:
        """The name of the kernel, or the operations of the expression in order."""

    @property
    def device(self) -> str:
        """Filter string of the device."""

    @property
    def source(self) -> str:
        """Source of the code: "memory", "disk" or "compiled"."""

    @property
    def items(self) -> int:
        """Work-items."""

    @property
    def bytes(self) -> int:
        """Bytes read and written, each buffer once."""

    @property
    def seconds(self) -> float:
        """Host time of the submission; on native_cpu the time of the kernel."""

    @property
    def compile_seconds(self) -> float: ...

    @property
    def bandwidth(self) -> float:
        """Bytes per second."""

    def __repr__(self) -> str: ...

def kernel_history() -> list[KernelRecord]:
    """
    The last launches of array expressions and kernels, at most 256, oldest first.
    """

def clear_kernel_history() -> None: ...

class UserOp:
    """A user-defined element-wise operation."""

    def __init__(self, name: str, symbol: str, code: Sequence[str], operands: Sequence[str], result: str) -> None: ...

    def __call__(self, *operands, queue: Where | None = None) -> Any:
        """
        Applies the operation lazily. Takes the same operands as hither's element-wise
        functions.
        """

def register_region(id: int, source: Axes, queue: Queue | None = None) -> None:
    """
    Registers a parallel region, which compiled host code launches by `id`, and compiles it
    for the device of `queue`.
    """

def region_uses(id: int) -> list[Any]:
    """(device, launches, bytes to it, bytes from it) for each device."""

def region_text(id: int, assembly: bool) -> str: ...

def queue_of_numpy_array(array: object) -> Queue | None:
    """The queue whose USM holds the array's data; None for host memory."""

def call_in_usm(like: object | None, function: object, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """
    Calls function(*arguments, **keywords), with NumPy allocating in shared USM of the queue
    `like`, of the queue of the array `like`, or (None) of the current queue.
    """

def move_to_usm(array: object, like: object | None) -> None:
    """
    Moves the data of an array that owns them into USM. For __array_finalize__.
    """

numpy_getitem: types.MethodDescriptorType = ...

def adopt(array: object, type: object, like: object | None) -> Any:
    """
    An array of `type` that takes over, or views, the USM of the exact numpy.ndarray
    `array`. Other objects are returned unchanged.
    """

class Array:
    """An n-dimensional array in USM, computed lazily on the queue that holds its data.

hither.asarray, hither.zeros and so on make arrays. Operations check their arguments at
once, and compute when a result is read; hither.evaluate and hither.synchronize force
the computation. Indexing with integers and slices gives writable views.

Parameters
----------
shape : int or tuple of int
    The shape.
dtype : dtype, optional
    The dtype of the result.
buffer : object, optional
    An object with the buffer protocol.
offset : int
    The diagonal: 0 is the main one, positive ones are above it.
strides : sequence of int, optional
    The strides, in elements; without them C order.
order : {"C", "F", "A", "K"}
    The order of the elements in memory.
queue : Queue, Device or str, optional
    Runs there, instead of on the queue of the arrays.
device : Device or str, optional
    Another name of ``queue``.
usm_type : {"device", "shared", "host"}, optional
    The kind of memory of the result.

Examples
--------
>>> import hither as ht
>>> x = ht.asarray([[1, 2], [3, 4]])
>>> (x + 1).sum(axis=0)
Array([6, 8])"""
    @property
    def T(self) -> Array: ...
    def __abs__(self, /) -> Array: ...
    def __add__(self, other: Operand, /) -> Array: ...
    def __and__(self, other: Operand, /) -> Array: ...
    def __array__(self, dtype: DType | None = ..., *, copy: bool | None = ...) -> Any: ...
    def __array_function__(self: Array, function: Any, types: Any, args: Any, kwargs: Any) -> Any: ...
    @property
    def __array_interface__(self) -> Any: ...
    def __array_namespace__(self, *, api_version: object | None = ...) -> Any: ...
    def __array_ufunc__(self: Array, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = ..., **given: Any) -> Any: ...
    def __bool__(self, /) -> bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, other: Operand, /) -> bool: ...
    def __copy__(self: Array) -> Array: ...
    @property
    def __cuda_array_interface__(self) -> Any: ...
    def __deepcopy__(self: Array, memo: dict[str, Any]) -> Array: ...
    def __divmod__(self, other: Operand, /) -> tuple[Array, Array]: ...
    def __dlpack__(self, *, stream: object | None = ..., max_version: object | None = ..., dl_device: object | None = ..., copy: object | None = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: Operand, /) -> Array: ...  # type: ignore[override]
    def __float__(self, /) -> float: ...
    def __floordiv__(self, other: Operand, /) -> Array: ...
    def __format__(x: Array, spec: str) -> str: ...
    def __ge__(self, other: Operand, /) -> Array: ...
    def __getitem__(self, key: Any, /) -> Array: ...
    def __gt__(self, other: Operand, /) -> Array: ...
    def __iadd__(self, other: Operand, /) -> Array: ...
    def __iand__(self, other: Operand, /) -> Array: ...
    def __ifloordiv__(self, other: Operand, /) -> Array: ...
    def __ilshift__(self, other: Operand, /) -> Array: ...
    def __imatmul__(self, other: Operand, /) -> Array: ...
    def __imod__(self, other: Operand, /) -> Array: ...
    def __imul__(self, other: Operand, /) -> Array: ...
    def __index__(self, /) -> int: ...
    def __init__(self: Array, *arguments: Any, **keywords: Any) -> None: ...
    def __int__(self, /) -> int: ...
    def __invert__(self, /) -> Array: ...
    def __ior__(self, other: Operand, /) -> Array: ...
    def __ipow__(self, other: Operand, /) -> Array: ...
    def __irshift__(self, other: Operand, /) -> Array: ...
    def __isub__(self, other: Operand, /) -> Array: ...
    def __iter__(self, /) -> Iterator[Array]: ...
    def __itruediv__(self, other: Operand, /) -> Array: ...
    def __ixor__(self, other: Operand, /) -> Array: ...
    def __le__(self, other: Operand, /) -> Array: ...
    def __len__(self, /) -> int: ...
    def __lshift__(self, other: Operand, /) -> Array: ...
    def __lt__(self, other: Operand, /) -> Array: ...
    def __matmul__(self, other: Operand, /) -> Array: ...
    def __mod__(self, other: Operand, /) -> Array: ...
    def __mul__(self, other: Operand, /) -> Array: ...
    def __ne__(self, other: Operand, /) -> Array: ...  # type: ignore[override]
    def __neg__(self, /) -> Array: ...
    def __or__(self, other: Operand, /) -> Array: ...
    def __pos__(self, /) -> Array: ...
    def __pow__(self, other: Operand, /) -> Array: ...
    def __radd__(self, other: Operand, /) -> Array: ...
    def __rand__(self, other: Operand, /) -> Array: ...
    def __rdivmod__(self, other: Operand, /) -> tuple[Array, Array]: ...
    def __reduce__(self: Array) -> tuple[Any, ...]: ...
    def __repr__(x: Array) -> str: ...
    def __rfloordiv__(self, other: Operand, /) -> Array: ...
    def __rlshift__(self, other: Operand, /) -> Array: ...
    def __rmatmul__(self, other: Operand, /) -> Array: ...
    def __rmod__(self, other: Operand, /) -> Array: ...
    def __rmul__(self, other: Operand, /) -> Array: ...
    def __ror__(self, other: Operand, /) -> Array: ...
    def __round__(self: Array, ndigits: Any = ...) -> Any: ...
    def __rpow__(self, other: Operand, /) -> Array: ...
    def __rrshift__(self, other: Operand, /) -> Array: ...
    def __rshift__(self, other: Operand, /) -> Array: ...
    def __rsub__(self, other: Operand, /) -> Array: ...
    def __rtruediv__(self, other: Operand, /) -> Array: ...
    def __rxor__(self, other: Operand, /) -> Array: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __sizeof__(self: Array) -> int: ...
    def __str__(x: Array) -> str: ...
    def __sub__(self, other: Operand, /) -> Array: ...
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...
    def __truediv__(self, other: Operand, /) -> Array: ...
    @property
    def __usm_ndarray__(self) -> Any: ...
    def __xor__(self, other: Operand, /) -> Array: ...
    def all(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def any(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def argmax(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def argmin(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def argpartition(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def argsort(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def asarray(self, queue: Where | None, *, usm_type: UsmType | None = ...) -> Array: ...
    def astype(self: Array, dtype: DType, order: str = ..., casting: Any = ..., subok: bool = ..., copy: bool = ..., *, device: Where = ..., queue: Where = ...) -> Array: ...
    @property
    def base(self) -> Array | None: ...
    def choose(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def clip(self, min: Operand | None = ..., max: Operand | None = ..., *, queue: Where | None = ...) -> Array: ...
    def collocate(self, other: Operand) -> Array: ...
    def compress(self: Array, condition: Operand, axis: Axes = ..., out: Any = ...) -> Array: ...
    def conj(self: Array, out: Any = ...) -> Array: ...
    def conjugate(self: Array, out: Any = ...) -> Array: ...
    def copy(self: Array, order: str = ..., *, queue: Where = ...) -> Array: ...
    def copy_to(self, target: object | None = ..., *, usm_type: UsmType | None = ...) -> Array: ...
    def copy_to_device(self: Array, ary: Any, stream: Any = ...) -> None: ...
    def copy_to_host(self: Array, ary: Any = ..., stream: Any = ...) -> Any: ...
    def cumprod(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def cumsum(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def device(self) -> Device: ...
    def diagonal(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def dot(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    def evaluate(self) -> Event: ...
    def fill(self: Array, value: Any) -> None: ...
    @property
    def flags(self) -> ArrayFlags: ...
    @property
    def flat(self) -> Any: ...
    @flat.setter
    def flat(self, values: Any) -> None: ...
    def flatten(self: Array, order: str = ...) -> Array: ...
    def get(self: Array) -> np.ndarray: ...
    @property
    def imag(self) -> Array: ...
    @imag.setter
    def imag(self, values: Any) -> None: ...
    def item(self: Array, *place: Any) -> Any: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def mT(self) -> Array: ...
    def max(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def mean(self, axis: Axes | None = ..., dtype: DType | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def min(self, axis: Axes | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def nonzero(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def partition(self: Array, kth: Any, axis: int = ..., kind: str = ..., order: Any = ...) -> None: ...
    def prod(self, axis: Axes | None = ..., dtype: DType | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def put(self: Array, indices: Nested, values: Any, mode: str = ...) -> None: ...
    @property
    def queue(self) -> Queue: ...
    def ravel(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def real(self) -> Array: ...
    @real.setter
    def real(self, values: Any) -> None: ...
    def repeat(self, repeats: Nested, axis: int | None = ..., *, queue: Where | None = ...) -> Array: ...
    def reshape(self: Array, *shape: Shape, order: str = ..., copy: bool | None = ..., **given: Any) -> Array: ...
    def round(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def searchsorted(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def set(self: Array, values: Any) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @shape.setter
    def shape(self, values: Any) -> None: ...
    @property
    def size(self) -> int: ...
    def sort(self: Array, axis: int = ..., kind: Any = ..., order: Any = ..., *, stable: Any = ...) -> None: ...
    def squeeze(self: Array, axis: Axes = ..., *, queue: Where = ...) -> Array: ...
    def std(self, axis: Axes | None = ..., dtype: DType | None = ..., *, correction: float = ..., keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    def sum(self, axis: Axes | None = ..., dtype: DType | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def swapaxes(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def sycl_context(self) -> Context: ...
    @property
    def sycl_device(self) -> Device: ...
    @property
    def sycl_queue(self) -> Queue: ...
    def synchronize(self) -> None: ...
    def take(self: Array, indices: Nested, axis: Axes = ..., out: Any = ..., mode: str = ..., *, queue: Where = ...) -> Array: ...
    def to_device(self, device: Where, *, stream: object | None = ...) -> Array: ...
    def tobytes(self: Array, order: str = ...) -> bytes: ...
    def tofile(self: Array, fid: Any, sep: str | None = ..., format: str = ...) -> None: ...
    def tolist(self: Array) -> Any: ...
    def trace(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def transpose(self: Array, *axes: Axes | Sequence[Sequence[int]]) -> Array: ...
    @property
    def usm_type(self) -> UsmType: ...
    def var(self, axis: Axes | None = ..., dtype: DType | None = ..., *, correction: float = ..., keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def view(self: Array, dtype: DType = ..., type: Any = ...) -> Array: ...
    __hash__: None  # type: ignore[assignment]

class ConfiguredKernel:
    def __call__(self, *args: Any) -> None: ...

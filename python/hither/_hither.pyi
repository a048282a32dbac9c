"""hither's C++ core. Private: import hither instead."""

# Made by tools/stubs.py.

from typing import Any

import numpy as np

import _contextvars
from collections.abc import Callable, Iterator, Sequence
import types
from typing import overload

from hither.pickled_names import (
    _same as __copy__,
    _same as __deepcopy__
)

version: str = '0.1.0'

def dtype_argument(dtype: object) -> Any:
    """
    NumPy's dtype object that `dtype` means; refuses what arrays cannot hold.
    """

def sub_device(parent: Device, partition: object, index: int) -> Device:
    """
    parent.create_sub_devices(partition)[index]; pickles of sub-devices call it.
    """

class Device:
    """
    A SYCL device.

    Device("gpu") takes a filter string `backend:device_type:index`, every part optional, alternatives
    separated by commas; strings name root devices only. Device() is the default device: that of the
    device context, else HITHER_DEVICE, else a GPU before a CPU. SYCL's descriptors are attributes
    (`max_compute_units`, `vendor`, ...), and so are aspects (`has_aspect_fp64`).
    """

    def __init__(self, device: object | None = None) -> None: ...

    @property
    def filter_string(self) -> str: ...

    @property
    def backend(self) -> str: ...

    @property
    def device_type(self) -> str: ...

    @property
    def aspects(self) -> list[str]:
        """Names of the aspects that it has."""

    def has_aspect(self, name: str) -> bool: ...

    def info(self, name: str) -> bool | int | str | list[int]:
        """A descriptor by name."""

    def print_device_info(self) -> None:
        """Prints name, versions, vendor and filter string."""

    @property
    def info_names(self) -> list[str]:
        """The descriptors that it answers."""

    @property
    def default_queue(self) -> Queue:
        """The queue that everyone who asks for this device gets."""

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

        partition: an int (as many compute units each), a sequence of ints (the compute units of each), or an affinity domain ("numa", "L3_cache", ...).
        """

    @property
    def parent_device(self) -> Device | None:
        """The device this is a part of, or None."""

    @property
    def is_root(self) -> bool: ...

class DeviceOfQueue(Device):
    """The device of an array; given as device= it means the array's queue."""

    @property
    def sycl_queue(self) -> Queue:
        """The array's queue."""

    @property
    def sycl_context(self) -> Context: ...

    @property
    def sycl_device(self) -> Device: ...

def devices() -> list[Device]:
    """Every root device, in the order in which the default is chosen."""

def absent_backends() -> list[str]:
    """
    Back ends without devices, each with the reason: "cuda: libcuda.so.1 is not installed".
    """

class Context:
    """
    What USM allocations and kernels belong to.

    Context(devices) makes a new one for a device or a list of devices of one platform;
    Context(c), c being a context of dpctl, is that context;
    Context.default(device) is the one that everyone who names that device shares.
    """

    def __init__(self, devices: object | None = None) -> None: ...

    @staticmethod
    def default(device: object | None = None) -> Context: ...

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
        Blocks until the task ended; raises the task's error, again at each call.
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
    """
    From now on other libraries put host tasks that take the GIL into queues of the process.
    """

def expects_host_tasks() -> bool:
    """
    Whether they may: dpctl is imported, or a queue is shared with other libraries.
    """

class Queue:
    """
    Where work is submitted.

    Queue("gpu"), Queue(device), Queue(context, device), Queue(): a new queue, in order unless in_order is
    False; property="enable_profiling" is dpctl's word for a keyword. Queue(q), q being a
    queue of dpctl: that queue. On native_cpu an in-order queue runs its work in the caller's thread with every core
    helping; an out-of-order queue runs tasks side by side.
    """

    def __init__(self, target: object | None = None, device: object | None = Ellipsis, *, in_order: bool | None = None, enable_profiling: bool | None = None, property: object | None = None) -> None: ...

    @property
    def device(self) -> Device: ...

    @property
    def context(self) -> Context: ...

    @property
    def sycl_device(self) -> Device:
        """dpctl's name of device."""

    @property
    def sycl_context(self) -> Context:
        """dpctl's name of context."""

    @property
    def native_stream(self) -> int | None:
        """
        The CUDA stream of the queue's tasks, of some of them if it is out of order; None where the back end
        is another.
        """

    @property
    def in_order(self) -> bool: ...

    @property
    def enable_profiling(self) -> bool: ...

    @property
    def is_in_order(self) -> bool: ...

    @property
    def has_enable_profiling(self) -> bool: ...

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
        Copies bytes between any two of: USM of hither, objects with __sycl_usm_array_interface__,
        objects with the buffer protocol. With memory that hither does not own it returns when the
        copy is done.
        """

    def memcpy(self, to: object, from_: object, nbytes: object | None = None, depends_on: object | None = None) -> Event:
        """SYCL's name of copy."""

    def fill(self, to: object, pattern: object, depends_on: object | None = None) -> Event:
        """Repeats a pattern: an int of one byte, or 1, 2, 4, 8 or 16 bytes."""

    def prefetch(self, memory: object, depends_on: object | None = None) -> Event: ...

    def submit_host(self, work: Callable, depends_on: object | None = None) -> Event:
        """
        Calls work() on the host in this queue's order; what it raises is the event's KernelError.
        """

    def submit_native(self, work: Callable, *, reads: object = (), writes: object = (), depends_on: object | None = None) -> Event:
        """
        Calls work(stream, *addresses) now, which puts work of its own, or of a library that it calls, into
        the queue: the address of its CUDA stream, or of its sycl::queue. The others are those of the arrays
        that it reads and writes, in that order; it is in order with all that hither does with them, and
        after depends_on. Returns the event at its end.
        """

    def submit_barrier(self, depends_on: object | None = None) -> Event:
        """An event that completes when everything submitted so far has."""

    def wait(self) -> None:
        """
        Blocks until all submitted work ended; raises the error of the first failed task that no wait
        has raised yet.
        """

def default_queue(device: object | None = None) -> Queue:
    """
    The cached default queue of a device; without one, the queue of the device context, else that of
    the default device.
    """

class Memory:
    """
    USM that Python owns; returned when the last reference and the last kernel are done
    with it. Host-accessible memory has the buffer protocol.
    """

    @property
    def nbytes(self) -> int: ...

    @property
    def pointer(self) -> int:
        """The address, as an int. Whoever takes it keeps the object alive."""

    @property
    def usm_type(self) -> str: ...

    def get_usm_type(self) -> str:
        """dpctl's name of usm_type."""

    @property
    def queue(self) -> Queue:
        """The queue that it was allocated for."""

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
        """May plain host code touch it?"""

    def copy_to_host(self, target: object | None = None) -> Any:
        """
        Copies everything into `target` (a writable buffer; a new bytearray without), returns it.
        """

    def copy_from_host(self, source: object) -> None:
        """Copies a buffer to the front of this memory. Blocks until it is done."""

    def copy_from_device(self, source: object) -> None:
        """
        Copies an object with __sycl_usm_array_interface__, also of another context, to the front.
        """

    def memset(self, value: int = 0) -> None: ...

    def tobytes(self) -> bytes: ...

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict: ...

    def __repr__(self) -> str: ...

class MemoryUSMDevice(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: object | None = None, copy: bool = False) -> None:
        """
        nbytes bytes, aligned to at least 64, for a queue (default: the current one). Or an object with
        __sycl_usm_array_interface__: its memory from its first byte to its last one, in place where it is
        of this kind and writable, and a copy with copy=True; ValueError where it is not, or queue is not its own.
        """

class MemoryUSMShared(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: object | None = None, copy: bool = False) -> None:
        """
        nbytes bytes, aligned to at least 64, for a queue (default: the current one). Or an object with
        __sycl_usm_array_interface__: its memory from its first byte to its last one, in place where it is
        of this kind and writable, and a copy with copy=True; ValueError where it is not, or queue is not its own.
        """

class MemoryUSMHost(Memory):
    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: object | None = None, copy: bool = False) -> None:
        """
        nbytes bytes, aligned to at least 64, for a queue (default: the current one). Or an object with
        __sycl_usm_array_interface__: its memory from its first byte to its last one, in place where it is
        of this kind and writable, and a copy with copy=True; ValueError where it is not, or queue is not its own.
        """

class PointerInfo:
    """What an address is in a context."""

    @property
    def usm_type(self) -> str: ...

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
    What an address is in a context; None when the context does not know it.
    """

def memory_over(object: object) -> Any:
    """
    The memory of an object with __sycl_usm_array_interface__, in place, from its first byte to its last
    one; of the kind that it is. It keeps the object alive.
    """

def trim_pools(context: Context) -> None:
    """Returns unused pool memory of the context to the system."""

class OpenContext:
    """
    A device context that is in force, or a block of a queue manager. hither.get_context() returns the innermost device context.
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
        """What opened it: a device_context, or a block."""

    @property
    def previous(self) -> Any:
        """The entry around this one, or None."""

    @property
    def is_device_context(self) -> bool: ...

    @property
    def on_serial(self) -> int: ...

    @property
    def keep_below(self) -> int: ...

    def after(self, previous: object | None) -> OpenContext:
        """The same entry, with another one around it."""

context_variable: _contextvars.ContextVar = ...

def open_contexts() -> int:
    """
    How many device contexts are open in the process, in any thread or task.
    """

def set_dparray_type(type: object) -> None:
    """Makes the class of dparrays known; called once, by hither.dparray."""

def offload_api() -> Any:
    """What _numba_hook needs of this module."""

def context_queue() -> Queue | None:
    """
    Queue of the innermost device context or queue manager's block, or None.
    """

def innermost_device_context() -> Any:
    """The OpenContext of the innermost device_context, or None."""

class UsmView:
    """
    An array of someone else, seen through __sycl_usm_array_interface__ and checked.
    Keeps the object alive; copies nothing.
    """

    def __init__(self, object: object) -> None: ...

    @property
    def pointer(self) -> int:
        """Address of the first element, the offset applied."""

    @property
    def read_only(self) -> bool: ...

    @property
    def shape(self) -> tuple: ...

    @property
    def strides(self) -> tuple:
        """In elements."""

    @property
    def dtype(self) -> Any: ...

    @property
    def queue(self) -> Queue: ...

    @property
    def device(self) -> Any: ...

    @property
    def usm_type(self) -> str: ...

    @property
    def owner(self) -> Any: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict: ...

def make_usm_interface(pointer: int, read_only: bool, shape: object, strides: object | None, dtype: object, queue: object) -> dict:
    """The dict of __sycl_usm_array_interface__; only its fields are checked."""

def queue_of_syclobj(syclobj: object) -> Queue:
    """
    The queue that the field `syclobj` of __sycl_usm_array_interface__ means.
    """

def counters() -> dict:
    """
    Process-wide totals since the start (live_allocations: now), as a dict.
    """

def set_spirv_emitter(command: Sequence[str], identity: str) -> None:
    """
    Names the program that writes SPIR-V, as a list of words, and what its output depends on
    (name and version). Nothing need be named: hither's own uses Numba's LLVM. A request on its
    standard input is the length of the text (8 bytes, little-endian) and LLVM assembly; an
    answer is one byte, b'B' or b'E', a length, and the SPIR-V binary or words on why there is
    none. An empty command takes the program away. Waits for kernels that are being compiled.
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
def evaluate(*args) -> None:
    """Submits what is pending for these arrays, without waiting."""

@overload
def synchronize(arg: Array, /) -> None: ...

@overload
def synchronize(*args) -> None:
    """Computes these arrays and waits; raises the error that one depends on."""

def asnumpy(x: object) -> Any:
    """A NumPy array with x's elements, copied from anywhere; waits."""

def explain(x: object | None) -> str:
    """The kernels that evaluating x would run, in words."""

def add(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 + x2 (logical or for bool).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def subtract(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 - x2; bool is refused.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def multiply(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 * x2 (logical and for bool).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def divide(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 / x2 in floating point; integers give float64.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def floor_divide(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Largest integer not above x1 / x2; integer division by zero gives 0.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def remainder(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 - floor_divide(x1, x2) * x2, with the sign of x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def power(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 ** x2; integers wrap around.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def negative(x: Any, /, *, queue: Any = None) -> Array:
    """
    -x; bool is refused.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def positive(x: Any, /, *, queue: Any = None) -> Array:
    """
    +x; bool is refused.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def absolute(x: Any, /, *, queue: Any = None) -> Array:
    """
    |x|; the modulus of complex numbers, in their real dtype.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def sign(x: Any, /, *, queue: Any = None) -> Array:
    """
    -1, 0 or 1; x / |x| for complex; NaN for NaN.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def square(x: Any, /, *, queue: Any = None) -> Array:
    """
    x * x; bool gives int8.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def reciprocal(x: Any, /, *, queue: Any = None) -> Array:
    """
    1 / x.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def sqrt(x: Any, /, *, queue: Any = None) -> Array:
    """
    Square root.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def cbrt(x: Any, /, *, queue: Any = None) -> Array:
    """
    Cube root.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def exp(x: Any, /, *, queue: Any = None) -> Array:
    """
    e ** x.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def exp2(x: Any, /, *, queue: Any = None) -> Array:
    """
    2 ** x.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def expm1(x: Any, /, *, queue: Any = None) -> Array:
    """
    exp(x) - 1, accurate near 0.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def log(x: Any, /, *, queue: Any = None) -> Array:
    """
    Natural logarithm.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def log2(x: Any, /, *, queue: Any = None) -> Array:
    """
    Base-2 logarithm.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def log10(x: Any, /, *, queue: Any = None) -> Array:
    """
    Base-10 logarithm.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def log1p(x: Any, /, *, queue: Any = None) -> Array:
    """
    log(1 + x), accurate near 0.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def sin(x: Any, /, *, queue: Any = None) -> Array:
    """
    Sine of radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def cos(x: Any, /, *, queue: Any = None) -> Array:
    """
    Cosine of radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def tan(x: Any, /, *, queue: Any = None) -> Array:
    """
    Tangent of radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def asin(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse sine, in radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def acos(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse cosine, in radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def atan(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse tangent, in radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def sinh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Hyperbolic sine.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def cosh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Hyperbolic cosine.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def tanh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Hyperbolic tangent.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def asinh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse hyperbolic sine.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def acosh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse hyperbolic cosine.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def atanh(x: Any, /, *, queue: Any = None) -> Array:
    """
    Inverse hyperbolic tangent.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def erf(x: Any, /, *, queue: Any = None) -> Array:
    """
    Error function.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def erfc(x: Any, /, *, queue: Any = None) -> Array:
    """
    1 - erf(x), accurate for large x.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def atan2(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Angle of the point (x2, x1), in radians.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def hypot(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    sqrt(x1**2 + x2**2) without overflow.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def logaddexp(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    log(exp(x1) + exp(x2)) without overflow.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def copysign(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    |x1| with the sign of x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def nextafter(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Next representable number after x1 towards x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def floor(x: Any, /, *, queue: Any = None) -> Array:
    """
    Largest integer not above x; integers unchanged.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def ceil(x: Any, /, *, queue: Any = None) -> Array:
    """
    Smallest integer not below x; integers unchanged.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def trunc(x: Any, /, *, queue: Any = None) -> Array:
    """
    x without its fraction; integers unchanged.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def round(x: Any, /, *, queue: Any = None) -> Array:
    """
    Nearest integer, ties to even; integers unchanged.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def maximum(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    The larger one; NaN if either is NaN.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def minimum(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    The smaller one; NaN if either is NaN.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def equal(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 == x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def not_equal(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 != x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def less(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 < x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def less_equal(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 <= x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def greater(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 > x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def greater_equal(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 >= x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def logical_and(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Both are true (non-zero).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def logical_or(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Either is true.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def logical_xor(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    Exactly one is true.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def logical_not(x: Any, /, *, queue: Any = None) -> Array:
    """
    x is false (zero).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_and(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 & x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_or(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 | x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_xor(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 ^ x2.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_invert(x: Any, /, *, queue: Any = None) -> Array:
    """
    ~x; logical not for bool.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_left_shift(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 << x2; 0 beyond the width.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def bitwise_right_shift(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x1 >> x2, sign-extending; the sign beyond the width.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def isnan(x: Any, /, *, queue: Any = None) -> Array:
    """
    x is NaN (either part).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def isinf(x: Any, /, *, queue: Any = None) -> Array:
    """
    x is infinite (either part).

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def isfinite(x: Any, /, *, queue: Any = None) -> Array:
    """
    x is neither infinite nor NaN.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def signbit(x: Any, /, *, queue: Any = None) -> Array:
    """
    The sign bit is set.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def real(x: Any, /, *, queue: Any = None) -> Array:
    """
    Real part.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def imag(x: Any, /, *, queue: Any = None) -> Array:
    """
    Imaginary part, 0 for real dtypes.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def conj(x: Any, /, *, queue: Any = None) -> Array:
    """
    Complex conjugate.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

def where(condition: Any, x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """
    x2 where x1 is true, else x3.

    Lazy; operands are arrays and numbers, which broadcast and promote as in NumPy 2.
    It runs where the arrays are, or on `queue`. Inside a device context NumPy arrays are
    copied to its queue. Raises TypeError for dtypes that it does not take, PlacementError
    when the queue cannot be inferred.
    """

elementwise_functions: list = ...

def asarray(obj: object | None, dtype: object | None = None, *, device: object | None = None, copy: bool | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None, **unknown) -> Array:
    """
    asarray(x, queue, usm_type=...): an argument after the first names a queue, a device or a dtype.

    An array of what `obj` holds: an Array, a number, nested lists, a NumPy array, or an object with the
    buffer protocol, __sycl_usm_array_interface__ or __dlpack__.

    Host memory is copied unless copy=False, which shares it (read-only if it is). An Array that already fits
    `dtype`, the queue and `usm_type` is returned over the same memory unless copy=True. `device` takes a
    device, a queue or a filter string. Without a queue, Arrays and USM objects stay on theirs, other data go
    to the device context's queue, else the default one. Blocks while host memory is copied. Raises TypeError for
    dtypes that arrays cannot hold, ValueError where copy=False is impossible.
    """

def from_dlpack(x: object, *, device: object | None = None, copy: bool | None = None, queue: object | None = None, sycl_queue: object | None = None) -> Array:
    """
    The memory of an object with __dlpack__, without a copy unless copy=True or the device asks for one.
    """

def empty(shape: object, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None) -> Array:
    """An array of `shape` whose elements are not set."""

def zeros(shape: object, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None) -> Array:
    """An array of zeros; float64 unless `dtype` says otherwise."""

def ones(shape: object, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None) -> Array:
    """An array of ones; float64 unless `dtype` says otherwise."""

def full(shape: object, fill_value: object | None, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None) -> Array:
    """
    An array of one number, or of what broadcasts to `shape`; of its dtype unless `dtype` says otherwise.
    """

def empty_like(x: Array, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None, shape: object | None = None) -> Array:
    """empty(), with x's shape, dtype, queue and usm_type."""

def zeros_like(x: Array, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None, shape: object | None = None) -> Array:
    """zeros(), with x's shape, dtype, queue and usm_type."""

def ones_like(x: Array, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None, shape: object | None = None) -> Array:
    """ones(), with x's shape, dtype, queue and usm_type."""

def full_like(x: Array, fill_value: object | None, dtype: object | None = None, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None, shape: object | None = None) -> Array:
    """full(), with x's shape, dtype, queue and usm_type."""

def iota(count: int, start: object, step: object, dtype: object, *, device: object | None = None, queue: object | None = None, sycl_queue: object | None = None, usm_type: object | None = None) -> Array:
    """start + i * step for i in [0, count)."""

def astype(x: Array, dtype: object, *, copy: bool = True, device: object | None = None, queue: object | None = None) -> Array:
    """
    x's elements as another dtype. With copy=False x itself where it has the dtype.
    """

def copy(x: Array, *, queue: object | None = None) -> Array:
    """A copy of x in new memory, in C order."""

def on_queue(x: Array, queue: object | None, function: str) -> Array:
    """
    x where queue= says that the function of this name runs; x itself for None.
    """

def clip(x: Array, min: object | None = None, max: object | None = None, *, queue: object | None = None) -> Array:
    """x limited to [min, max]; either may be None. NaN stays NaN."""

def reshape(x: Array, shape: object, *, copy: bool | None = None, queue: object | None = None) -> Array:
    """
    The elements in C order in another shape (one extent may be -1): a view where possible.
    """

def permute_dims(x: Array, axes: object) -> Array:
    """A view with the axes in another order."""

def expand_dims(x: Array, axis: object = 0) -> Array:
    """A view with axes of extent 1 at `axis` of the result."""

def squeeze(x: Array, axis: object) -> Array:
    """A view without these axes of extent 1."""

def moveaxis(x: Array, source: object, destination: object) -> Array:
    """
    A view with the axes `source` at the places `destination`; the others keep their order.
    """

def matrix_transpose(x: Array) -> Array:
    """A view with the last two axes exchanged."""

def flip(x: Array, axis: object | None = None) -> Array:
    """
    A view with the elements reversed along `axis` (an int, a tuple, or None for all axes).
    """

def unstack(x: Array, axis: int = 0) -> tuple:
    """The views of x along `axis`, without that axis."""

def broadcast_to(x: Array, shape: object) -> Array:
    """A view that repeats x to `shape`."""

def broadcast_shapes(*args) -> tuple:
    """The shape that arrays of these shapes broadcast to."""

def promote_types(type1: object, type2: object) -> Any:
    """The smallest dtype that both convert to."""

def can_cast_safely(arg0: object, arg1: object, /) -> bool: ...

class Range:
    """
    Number of work-items in 1 to 3 dimensions: Range(n), Range(n, m), Range(n, m, k).
    Dimension 0 is the outermost, the last one is contiguous.
    """

    @overload
    def __init__(self, arg: int, /) -> None: ...

    @overload
    def __init__(self, *args) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> int: ...

    def size(self) -> int:
        """Number of work-items in all."""

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class NdRange:
    """
    A range divided into work-groups: NdRange(global_size, local_size), each an int, a tuple, a
    list or a Range, with as many dimensions; local divides global.
    """

    def __init__(self, global_size: object, local_size: object) -> None: ...

    @property
    def global_range(self) -> Range: ...

    @property
    def local_range(self) -> Range: ...

    def __repr__(self) -> str: ...

class LocalAccessor:
    """
    LocalAccessor(shape, dtype): passed to a kernel, an array in local memory. Each work-group
    has its own, which nothing fills and which ends with the group. `shape` is an int, a
    tuple of 1 to 3 ints or a Range. A launch that wants more than the device has (local_mem_size bytes a
    group) is refused with InvalidValueError.
    """

    def __init__(self, shape: object, dtype: object) -> None: ...

    @property
    def shape(self) -> tuple: ...

    @property
    def dtype(self) -> Any: ...

    def __getitem__(self, arg: object, /) -> None: ...

    def __setitem__(self, arg0: object, arg1: object, /) -> None: ...

    def __repr__(self) -> str: ...

class KernelDispatcher:
    """
    A kernel. kernel[range](*arguments) launches it over a range, kernel(*arguments) over the
    shape of its first array; both take queue= and depends_on= and return None.
    """

    def __call__(self, /, *args, **kwargs):
        """Call self as a function."""

    def __init__(self, function: object, parameters: Sequence[str], defaults: dict, options: object) -> None: ...

    def __getitem__(self, key, /):
        """Return self[key]."""

    @property
    def py_func(self) -> Any:
        """The Python function."""

    @property
    def __wrapped__(self) -> Any: ...

    def __getattr__(self, arg: str, /) -> Any:
        """The function's own attributes: __name__ and so on."""

    @property
    def options(self) -> Any:
        """What the decorator was given."""

    @property
    def compile_time(self) -> float:
        """Seconds spent so far on compiling, the Python part included."""

    def inspect_llvm(self) -> dict:
        """
        The optimised LLVM IR for the CPU, by the types of the calls so far. A kernel with work-groups is shown for the local size that was new last.
        """

    def inspect_asm(self) -> dict:
        """
        The assembly for the CPU, by the types of the calls so far. A kernel with work-groups is shown for the local size that was new last.
        """

    def inspect_spirv(self) -> dict:
        """
        The SPIR-V binary that devices get which take SPIR-V, by the types of the calls so far.
        """

    def __repr__(self) -> str: ...

def library_kernels(code: bytes, where: str) -> list: ...

def load_kernel_source(key: str) -> Any: ...

def store_kernel_source(key: str, content: bytes) -> None: ...

def launch(kernel: object, range: object | None, *args, **kwargs) -> Event:
    """
    launch(kernel, range, *arguments, queue=None, depends_on=None): launches and returns the Event
    without waiting (with NumPy arguments it waits). `range` may be None.
    """

def take(x: Array, indices: object, axis: int | None = None, *, queue: object | None = None) -> Array:
    """
    Elements of x along `axis` at the integers `indices`, whose shape takes the axis's place.
    """

def take_along_axis(x: Array, indices: object, *, axis: int = -1, queue: object | None = None) -> Array:
    """
    Elements of x along `axis` at `indices`, which have x's shape but for that axis.
    """

def searchsorted(x1: object, x2: object, *, side: str = 'left', sorter: object | None = None, queue: object | None = None) -> Array:
    """
    Where each element of x2 belongs in x1, which is 1-D and ascending (or put so by the indices `sorter`). Lazy.
    """

def nonzero(x: Array, *, queue: object | None = None) -> tuple:
    """
    One int64 array an axis with the indices of the elements that are not zero; waits.
    """

def sum(x: object, axis: object | None = None, dtype: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Sum over `axis` (an int, a tuple, or None for all). Lazy."""

def prod(x: object, axis: object | None = None, dtype: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Product over `axis`. Lazy."""

def min(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Smallest element over `axis`; NaN if there is one. Lazy."""

def max(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Largest element over `axis`; NaN if there is one. Lazy."""

def any(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Whether an element over `axis` is true. Lazy."""

def all(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Whether all elements over `axis` are true. Lazy."""

def count_nonzero(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Number of elements over `axis` that are not zero. Lazy."""

def mean(x: object, axis: object | None = None, dtype: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """Mean over `axis`; integers give float64. Lazy."""

def var(x: object, axis: object | None = None, dtype: object | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: object | None = None) -> Array:
    """
    Variance over `axis`, divided by the number of elements less `correction`. Lazy.
    """

def std(x: object, axis: object | None = None, dtype: object | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: object | None = None) -> Array:
    """Square root of var(). Lazy."""

def argmin(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """
    Index of the first smallest element along `axis`, or of the flattened array. Lazy.
    """

def argmax(x: object, axis: object | None = None, *, keepdims: bool = False, queue: object | None = None) -> Array:
    """
    Index of the first largest element along `axis`, or of the flattened array. Lazy.
    """

reduction_functions: list = ...

def cumulative_sum(x: object, *, axis: object | None = None, dtype: object | None = None, include_initial: bool = False, queue: object | None = None) -> Array:
    """Sums of the elements up to each one along `axis`. Lazy."""

def cumulative_prod(x: object, *, axis: object | None = None, dtype: object | None = None, include_initial: bool = False, queue: object | None = None) -> Array:
    """Products of the elements up to each one along `axis`. Lazy."""

def diff(x: object, *, axis: int = -1, n: int = 1, prepend: object | None = None, append: object | None = None, queue: object | None = None) -> Array:
    """
    x[1:] - x[:-1] along `axis`, n times over; `prepend` and `append` join x first. Lazy.
    """

def concat(arrays: object, axis: int | None = 0, *, queue: object | None = None) -> Array:
    """
    The arrays joined along an axis; with axis=None flattened first. dtypes promote.
    """

def stack(arrays: object, axis: int = 0, *, queue: object | None = None) -> Array:
    """The arrays, of one shape, joined along a new axis."""

def roll(x: Array, shift: object, axis: object | None = None, *, queue: object | None = None) -> Array:
    """
    x moved by `shift` along `axis`; what leaves at the end enters at the start.
    """

def repeat(x: Array, repeats: object, axis: int | None = None, *, queue: object | None = None) -> Array:
    """
    Each element `repeats` times in a row (an int, or an integer array of a count for each).
    """

def tile(x: Array, repetitions: object, *, queue: object | None = None) -> Array:
    """The whole array repeated along each axis."""

def matmul(x1: object, x2: object, *, queue: object | None = None, precision: str | None = None) -> Array:
    """
    Matrix product over the last two axes; the others broadcast. The same as x1 @ x2. Lazy.

    `precision` lets the device round factors of float32 and complex64 before it multiplies,
    where it is faster so; sums stay float32. An element of x1 @ x2 is then off by no more than
    (2 u + u**2) times that of abs(x1) @ abs(x2), beside the sums' own rounding: u is 2**-10 for
    'tensorfloat32', 2**-8 for 'bfloat16'. Devices may compute in full all the same; for other
    dtypes it means nothing. ValueError for other names.
    """

def tensordot(x1: object, x2: object, *, axes: object = 2, queue: object | None = None) -> Array:
    """
    Sum of products over pairs of axes: as many last and first ones as `axes` says, or the two
    sequences of axes that it is.
    """

def vecdot(x1: object, x2: object, *, axis: int = -1, queue: object | None = None) -> Array:
    """sum(conj(x1) * x2) along `axis`, a negative one."""

def set_blas_library(path: str) -> None:
    """
    Names the OpenBLAS that products on CPUs use, before the first of them.
    """

def set_cuda_folders(folders: Sequence[str]) -> None:
    """
    Names folders in which NVIDIA's libraries may be, before the first use of one.
    """

def blas_name(device: Device) -> str:
    """The BLAS that products on this device use; empty for portable kernels."""

class KernelRecord:
    """One launch: of an array expression, or of a kernel."""

    @property
    def name(self) -> str:
        """The kernel's, or its operations from the first to the last."""

    @property
    def device(self) -> str:
        """Filter string of its device."""

    @property
    def source(self) -> str:
        """Where its code was: "memory", "disk", "compiled"."""

    @property
    def items(self) -> int:
        """Work-items."""

    @property
    def bytes(self) -> int:
        """Bytes read and written, each buffer once."""

    @property
    def seconds(self) -> float:
        """Host time of the submission; on native_cpu the kernel's own time."""

    @property
    def compile_seconds(self) -> float: ...

    @property
    def bandwidth(self) -> float:
        """Bytes a second."""

    def __repr__(self) -> str: ...

def kernel_history() -> list[KernelRecord]:
    """
    The last launches, of array expressions and of kernels, oldest first, at most 256.
    """

def clear_kernel_history() -> None: ...

class UserOp:
    """An element-wise operation of the program's own."""

    def __init__(self, name: str, symbol: str, code: Sequence[str], operands: Sequence[str], result: str) -> None: ...

    def __call__(self, *operands, queue: object | None = None) -> Any:
        """
        Applies it lazily. Takes what hither's own element-wise functions take.
        """

def register_region(id: int, source: object, queue: Queue | None = None) -> None:
    """
    Makes a parallel region known to host code that launches it by `id`, and compiles it for
    the device of `queue`.
    """

def region_uses(id: int) -> list:
    """(device, launches, bytes to it, bytes from it) for each device."""

def region_text(id: int, assembly: bool) -> str: ...

def queue_of_numpy_array(array: object) -> Queue | None:
    """The queue whose USM holds the array's data; None for host memory."""

def call_in_usm(like: object | None, function: object, arguments: tuple, keywords: dict) -> Any:
    """
    function(*arguments, **keywords), NumPy allocating in shared USM of the queue `like`, of
    the array `like`, or (None) of the current queue.
    """

def move_to_usm(array: object, like: object | None) -> None:
    """
    Moves the data of an array that owns them into USM; for __array_finalize__.
    """

numpy_getitem: types.MethodDescriptorType = ...

def adopt(array: object, type: object, like: object | None) -> Any:
    """
    An array of `type` that owns what the exact numpy.ndarray `array` owned in USM, or views
    it; anything else as it is.
    """

class Array:
    """An n-dimensional array in USM memory, computed lazily where its data is.

Made by hither.asarray, hither.zeros and so on. Operations check their arguments at once and
compute when something reads the result; hither.evaluate and hither.synchronize force it.
Indexing with integers and slices gives writable views."""
    @property
    def T(self) -> Array: ...
    def __abs__(self, /) -> Array: ...
    def __add__(self, other: Any, /) -> Array: ...
    def __and__(self, other: Any, /) -> Array: ...
    def __array__(self, dtype: object | None = ..., *, copy: bool | None = ...) -> Any: ...
    def __array_function__(self: Array, function: Any, types: Any, args: Any, kwargs: Any) -> Any: ...
    def __array_namespace__(self, *, api_version: object | None = ...) -> Any: ...
    def __array_ufunc__(self: Array, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = ..., **given: Any) -> Any: ...
    def __bool__(self, /) -> bool: ...
    def __complex__(self) -> complex: ...
    def __contains__(self, other: Any, /) -> bool: ...
    def __copy__(self: Array) -> Array: ...
    @property
    def __cuda_array_interface__(self) -> Any: ...
    def __deepcopy__(self: Array, memo: dict) -> Array: ...
    def __divmod__(self, other: Any, /) -> tuple[Array, Array]: ...
    def __dlpack__(self, *, stream: object | None = ..., max_version: object | None = ..., dl_device: object | None = ..., copy: object | None = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple: ...
    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]
    def __float__(self, /) -> float: ...
    def __floordiv__(self, other: Any, /) -> Array: ...
    def __format__(x: Array, spec: str) -> str: ...
    def __ge__(self, other: Any, /) -> Array: ...
    def __getitem__(self, key: Any, /) -> Array: ...
    def __gt__(self, other: Any, /) -> Array: ...
    def __iadd__(self, other: Any, /) -> Array: ...
    def __iand__(self, other: Any, /) -> Array: ...
    def __ifloordiv__(self, other: Any, /) -> Array: ...
    def __ilshift__(self, other: Any, /) -> Array: ...
    def __imatmul__(self, other: Any, /) -> Array: ...
    def __imod__(self, other: Any, /) -> Array: ...
    def __imul__(self, other: Any, /) -> Array: ...
    def __index__(self, /) -> int: ...
    def __int__(self, /) -> int: ...
    def __invert__(self, /) -> Array: ...
    def __ior__(self, other: Any, /) -> Array: ...
    def __ipow__(self, other: Any, /) -> Array: ...
    def __irshift__(self, other: Any, /) -> Array: ...
    def __isub__(self, other: Any, /) -> Array: ...
    def __iter__(self, /) -> Iterator[Array]: ...
    def __itruediv__(self, other: Any, /) -> Array: ...
    def __ixor__(self, other: Any, /) -> Array: ...
    def __le__(self, other: Any, /) -> Array: ...
    def __len__(self, /) -> int: ...
    def __lshift__(self, other: Any, /) -> Array: ...
    def __lt__(self, other: Any, /) -> Array: ...
    def __matmul__(self, other: Any, /) -> Array: ...
    def __mod__(self, other: Any, /) -> Array: ...
    def __mul__(self, other: Any, /) -> Array: ...
    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]
    def __neg__(self, /) -> Array: ...
    def __or__(self, other: Any, /) -> Array: ...
    def __pos__(self, /) -> Array: ...
    def __pow__(self, other: Any, /) -> Array: ...
    def __radd__(self, other: Any, /) -> Array: ...
    def __rand__(self, other: Any, /) -> Array: ...
    def __rdivmod__(self, other: Any, /) -> tuple[Array, Array]: ...
    def __reduce__(self: Array) -> tuple: ...
    def __repr__(x: Array) -> str: ...
    def __rfloordiv__(self, other: Any, /) -> Array: ...
    def __rlshift__(self, other: Any, /) -> Array: ...
    def __rmatmul__(self, other: Any, /) -> Array: ...
    def __rmod__(self, other: Any, /) -> Array: ...
    def __rmul__(self, other: Any, /) -> Array: ...
    def __ror__(self, other: Any, /) -> Array: ...
    def __rpow__(self, other: Any, /) -> Array: ...
    def __rrshift__(self, other: Any, /) -> Array: ...
    def __rshift__(self, other: Any, /) -> Array: ...
    def __rsub__(self, other: Any, /) -> Array: ...
    def __rtruediv__(self, other: Any, /) -> Array: ...
    def __rxor__(self, other: Any, /) -> Array: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __str__(x: Array) -> str: ...
    def __sub__(self, other: Any, /) -> Array: ...
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...
    def __truediv__(self, other: Any, /) -> Array: ...
    @property
    def __usm_ndarray__(self) -> Any: ...
    def __xor__(self, other: Any, /) -> Array: ...
    def all(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def any(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def argmax(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def argmin(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def asarray(self, queue: object | None, *, usm_type: object | None = ...) -> Array: ...
    def astype(self, dtype: object, *, copy: bool = ..., device: object | None = ..., queue: object | None = ...) -> Array: ...
    def clip(self, min: object | None = ..., max: object | None = ..., *, queue: object | None = ...) -> Array: ...
    def collocate(self, other: object) -> Array: ...
    def conj(self: Array) -> Array: ...
    def conjugate(self: Array) -> Array: ...
    def copy(self, *, queue: object | None = ...) -> Array: ...
    def copy_to(self, target: object | None = ..., *, usm_type: object | None = ...) -> Array: ...
    def copy_to_device(self: Array, ary: Any, stream: Any = ...) -> None: ...
    def copy_to_host(self: Array, ary: Any = ..., stream: Any = ...) -> Any: ...
    def cumprod(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def cumsum(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
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
    def flatten(self: Array, order: str = ...) -> Array: ...
    @property
    def imag(self) -> Array: ...
    def item(self) -> Any: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def mT(self) -> Array: ...
    def max(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def mean(self, axis: object | None = ..., dtype: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def min(self, axis: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def nonzero(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def prod(self, axis: object | None = ..., dtype: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def put(self: Array, indices: Any, values: Any, mode: str = ...) -> None: ...
    @property
    def queue(self) -> Queue: ...
    def ravel(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def real(self) -> Array: ...
    def repeat(self, repeats: object, axis: int | None = ..., *, queue: object | None = ...) -> Array: ...
    def reshape(self: Array, *shape: Any, copy: bool | None = ...) -> Array: ...
    def round(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def searchsorted(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    def squeeze(self, axis: object) -> Array: ...
    def std(self, axis: object | None = ..., dtype: object | None = ..., *, correction: float = ..., keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    def sum(self, axis: object | None = ..., dtype: object | None = ..., *, keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    def swapaxes(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    @property
    def sycl_context(self) -> Context: ...
    @property
    def sycl_device(self) -> Device: ...
    @property
    def sycl_queue(self) -> Queue: ...
    def synchronize(self) -> None: ...
    def take(self, indices: object, axis: int | None = ..., *, queue: object | None = ...) -> Array: ...
    def to_device(self, device: object, *, stream: object | None = ...) -> Array: ...
    def tolist(self: Array) -> Any: ...
    def trace(self: Array, *arguments: Any, **keywords: Any) -> Any: ...
    def transpose(self: Array, *axes: Any) -> Array: ...
    @property
    def usm_type(self) -> str: ...
    def var(self, axis: object | None = ..., dtype: object | None = ..., *, correction: float = ..., keepdims: bool = ..., queue: object | None = ...) -> Array: ...
    __hash__: None  # type: ignore[assignment]

class ConfiguredKernel:
    def __call__(self, *args: Any) -> None: ...

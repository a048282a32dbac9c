"""hither's C++ core. Private: import hither instead."""

# Made by tools/stubs.py.

from typing import Any

import numpy as np

from ._argument_types import Axes, DType, Nested, Operand, Shape, UsmType, Where

import _contextvars
from collections.abc import Callable, Iterator, Sequence
import enum
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

def view_as(x: Array, dtype: DType) -> Array:
    """A view of x's memory as elements of another dtype of the same size."""

def sub_device(parent: Device, partition: object, index: int) -> Device:
    """
    parent.create_sub_devices(partition)[index]; pickles of sub-devices call it.
    """

class Device:
    """
    A SYCL device.

    Parameters
    ----------
    device : str, Device or Queue, optional
        A filter string `backend:device_type:index`, of which every part is optional; commas separate
        alternatives. Strings name root devices only. Without it: the default device, which is that of the
        device context, else the one that HITHER_DEVICE names, else a GPU if there is one, else a CPU.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    SYCL's descriptors are attributes (`max_compute_units`, `vendor`, ...), and so are aspects
    (`has_aspect_fp64`).

    Examples
    --------
    >>> ht.Device("native_cpu").filter_string
    'native_cpu:cpu:0'
    """

    def __init__(self, device: Where | None = None) -> None: ...

    @property
    def filter_string(self) -> str:
        """The text backend:device_type:index, which names a root device."""

    @property
    def backend(self) -> str:
        """The name of the back end, such as "native_cpu" or "cuda"."""

    @property
    def device_type(self) -> str:
        """The kind of device, such as "cpu" or "gpu"."""

    @property
    def aspects(self) -> list[str]:
        """Names of its aspects."""

    def has_aspect(self, name: str) -> bool:
        """
        Whether the device has an aspect.

        Parameters
        ----------
        name : str
            The aspect, such as "fp64".

        Returns
        -------
        bool
            The answer.

        Raises
        ------
        InvalidValueError
            If there is no aspect of this name.

        Examples
        --------
        >>> ht.Device("native_cpu").has_aspect("fp64")
        True
        """

    def info(self, name: str) -> bool | int | str | list[int]:
        """
        A descriptor by name.

        Parameters
        ----------
        name : str
            The name; `info_names` lists them.

        Returns
        -------
        bool, int, str or list of int
            The value.

        Raises
        ------
        InvalidValueError
            If the device has no descriptor of this name.

        Examples
        --------
        >>> ht.Device("native_cpu").info("max_compute_units") > 0
        True
        """

    def print_device_info(self) -> None:
        """
        Prints name, versions, vendor and filter string.

        Examples
        --------
        >>> ht.Device("native_cpu").print_device_info()  # doctest: +ELLIPSIS
            driver_version ...
        """

    @property
    def info_names(self) -> list[str]:
        """Names of the descriptors that it has."""

    @property
    def default_queue(self) -> Queue:
        """The default queue of the device, which its users share."""

    @property
    def default_context(self) -> Context:
        """The default context of the device, which its users share."""

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

        Parameters
        ----------
        partition : int, sequence of int or str
            The compute units of each sub-device, those of the sub-devices in order, or an affinity domain
            ("numa", "L3_cache", ...).

        Returns
        -------
        list of Device
            The sub-devices.

        Raises
        ------
        InvalidValueError
            If the device cannot be divided in this way.

        Examples
        --------
        >>> ht.Device("native_cpu").create_sub_devices(1)[0].max_compute_units
        1
        """

    @property
    def parent_device(self) -> Device | None:
        """The device that this sub-device is part of, or None."""

    @property
    def is_root(self) -> bool:
        """Whether it is not part of another device."""

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
    """
    All root devices, in the order of preference as default.

    Returns
    -------
    list of Device
        The devices.

    Examples
    --------
    >>> "native_cpu" in [d.backend for d in ht.devices()]
    True
    """

def absent_backends() -> list[str]:
    """
    Back ends without devices.

    Returns
    -------
    list of str
        Each with the reason.

    Examples
    --------
    >>> ht.absent_backends()  # doctest: +SKIP
    ['cuda: libcuda.so.1 is not installed']
    """

class Context:
    """
    A SYCL context, to which USM allocations and kernels belong.

    Parameters
    ----------
    devices : Device, str or list of them, optional
        The devices, which are of one platform, or a context of dpctl, which is adopted.

    Notes
    -----
    Context.default(device) is the default context of a device, which its users share.

    Examples
    --------
    >>> ht.Context("native_cpu").devices
    [<Device native_cpu:cpu:0>]
    """

    def __init__(self, devices: object | None = None) -> None: ...

    @staticmethod
    def default(device: Where | None = None) -> Context:
        """
        The default context of a device, which its users share.

        Parameters
        ----------
        device : Device or str, optional
            The device.

        Returns
        -------
        Context
            The context.

        Raises
        ------
        InvalidValueError
            If the filter string names no device.

        Examples
        --------
        >>> ht.Context.default("cpu") == ht.default_queue("cpu").context
        True
        """

    @property
    def devices(self) -> list[Device]:
        """The devices of the context."""

    @property
    def device_count(self) -> int:
        """The number of devices."""

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Event:
    """
    The completion of one task. Event() is complete.

    Examples
    --------
    >>> ht.Event().is_complete
    True
    """

    def __init__(self) -> None: ...

    def wait(self) -> None:
        """
        Blocks until the task is complete, without the GIL.

        Raises
        ------
        Error
            The error of the task if it failed. Every call raises it.

        Examples
        --------
        >>> ht.Event().wait()
        """

    @property
    def status(self) -> str:
        """"submitted", "running" or "complete". Never blocks."""

    @property
    def is_complete(self) -> bool:
        """Whether the task is complete or has failed. Does not wait."""

    @property
    def profiling_submit(self) -> int:
        """
        When the task was submitted, in nanoseconds on the device's clock. It needs a
        queue with enable_profiling=True.
        """

    @property
    def profiling_start(self) -> int:
        """When the task began, on the clock of profiling_submit."""

    @property
    def profiling_end(self) -> int:
        """When the task ended, on the clock of profiling_submit."""

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

    Parameters
    ----------
    target : Device, Context, str or queue, optional
        The device, or a context, or a queue of dpctl, which is adopted.
    device : Device, optional
        The device, if target is a context.
    in_order : bool, optional
        Whether work runs in the order of its submission, which is the default.
    enable_profiling : bool, optional
        Whether events have times on the device's clock.
    property : str or sequence of str, optional
        dpctl's form of the two options.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    On native_cpu, an in-order queue runs its work in the caller's thread, with the help of all cores;
    an out-of-order queue runs tasks concurrently.

    Examples
    --------
    >>> q = ht.Queue("cpu")
    >>> ht.zeros(3, queue=q).queue == q
    True
    """

    def __init__(self, target: object | None = None, device: Where | None = ..., *, in_order: bool | None = None, enable_profiling: bool | None = None, property: object | None = None) -> None: ...

    @property
    def device(self) -> Device:
        """The device that runs the work."""

    @property
    def context(self) -> Context:
        """The SYCL context of the queue."""

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
    def in_order(self) -> bool:
        """Whether work runs in the order of its submission."""

    @property
    def enable_profiling(self) -> bool:
        """Whether events of the queue have times on the device's clock."""

    @property
    def backend(self) -> str:
        """The name of the device's back end."""

    @property
    def name(self) -> bool | int | str | list[int]:
        """The device's name."""

    def equivalent(self, other: Queue) -> bool:
        """
        Whether context, device and properties are the same.

        Parameters
        ----------
        other : Queue
            The other queue.

        Returns
        -------
        bool
            The answer.

        Examples
        --------
        >>> ht.Queue("cpu").equivalent(ht.default_queue("cpu"))
        True
        """

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def copy(self, to: object, from_: object, nbytes: object | None = None, depends_on: object | None = None) -> Event:
        """
        Copies bytes.

        Parameters
        ----------
        to : object
            The destination: USM, an object with __sycl_usm_array_interface__, or one with the buffer protocol.
        from_ : object
            The source, of the same kinds.
        nbytes : int, optional
            How many bytes; without it all.
        depends_on : list of Event, optional
            The copy runs after them.

        Returns
        -------
        Event
            The end of the copy.

        Notes
        -----
        It waits for the copy if hither does not own the memory.

        Examples
        --------
        >>> q = ht.Queue("cpu")
        >>> memory = ht.MemoryUSMDevice(4, queue=q)
        >>> q.copy(memory, b"abcd").wait()
        >>> memory.tobytes()
        b'abcd'
        """

    def fill(self, to: object, pattern: object, depends_on: object | None = None) -> Event:
        """
        Fills memory with a pattern.

        Parameters
        ----------
        to : object
            The memory.
        pattern : int or bytes
            An int from 0 to 255, or 1, 2, 4, 8 or 16 bytes.
        depends_on : list of Event, optional
            The work runs after them.

        Returns
        -------
        Event
            The end of the work.

        Raises
        ------
        InvalidTypeError
            If the pattern is neither such an int nor such bytes.
        InvalidValueError
            If its bytes do not divide those of the memory.

        Examples
        --------
        >>> q = ht.Queue("cpu")
        >>> memory = ht.MemoryUSMDevice(4, queue=q)
        >>> q.fill(memory, 7).wait()
        >>> memory.tobytes()
        b'\\x07\\x07\\x07\\x07'
        """

    def prefetch(self, memory: object, depends_on: object | None = None) -> Event:
        """
        Moves shared memory to the device before it is used there. A hint.

        Parameters
        ----------
        memory : object
            The memory.
        depends_on : list of Event, optional
            The work runs after them.

        Returns
        -------
        Event
            The end of the work.

        Examples
        --------
        >>> q = ht.Queue("cpu")
        >>> q.prefetch(ht.MemoryUSMShared(4, queue=q)).wait()
        """

    def submit_host(self, work: Callable, depends_on: object | None = None) -> Event:
        """
        Submits a function that runs on the host in the queue's order.

        Parameters
        ----------
        work : callable
            A function without parameters. Its exception becomes the KernelError of the event.
        depends_on : list of Event, optional
            The function runs after them.

        Returns
        -------
        Event
            The end of the function.

        Examples
        --------
        >>> ht.Queue("cpu").submit_host(lambda: print("on the host")).wait()
        on the host
        """

    def submit_native(self, work: Callable, *, reads: object = (), writes: object = (), depends_on: object | None = None) -> Event:
        """
        Lets a function submit work of its own, or of a library, to the queue.

        Parameters
        ----------
        work : callable
            work(stream, *addresses) is called immediately. stream is the address of the queue's CUDA stream or
            sycl::queue. addresses are those of the arrays in reads and writes, in this order.
        reads : sequence of Array
            Arrays that the work reads.
        writes : sequence of Array
            Arrays that the work writes.
        depends_on : list of Event, optional
            The work runs after them.

        Returns
        -------
        Event
            The end of the work.

        Notes
        -----
        The work runs in order with hither's operations on these arrays.

        Examples
        --------
        >>> queue.submit_native(work, reads=[x], writes=[y])  # doctest: +SKIP
        """

    def submit_barrier(self, depends_on: object | None = None) -> Event:
        """
        An event that is complete when all work submitted so far is.

        Parameters
        ----------
        depends_on : list of Event, optional
            Further events to wait for.

        Returns
        -------
        Event
            The event.

        Examples
        --------
        >>> ht.Queue("cpu").submit_barrier().wait()
        """

    def wait(self) -> None:
        """
        Blocks until all submitted work is complete.

        Raises
        ------
        Error
            The error of the first failed task that no wait for the queue has raised yet. Waits for events and
            reads of results do not count.

        Examples
        --------
        >>> ht.Queue("cpu").wait()
        """

def default_queue(device: Where | None = None) -> Queue:
    """
    The cached default queue of a device, which its users share.

    Parameters
    ----------
    device : Device, Queue or str, optional
        The device. Without it: the device context's queue, else the default device's.

    Returns
    -------
    Queue
        The queue.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.default_queue("cpu") == ht.default_queue("cpu")
    True
    """

class Memory:
    """
    A USM allocation, of one of the classes MemoryUSMDevice, MemoryUSMShared and MemoryUSMHost.

    Notes
    -----
    It is freed when the last reference is gone and the last kernel that uses it is complete. Memory
    that the host can access has the buffer protocol.

    Examples
    --------
    >>> isinstance(ht.MemoryUSMShared(64), ht.Memory)
    True
    """

    @property
    def nbytes(self) -> int:
        """The number of bytes."""

    @property
    def pointer(self) -> int:
        """The address, as an int. The caller must keep this object alive."""

    @property
    def usm_type(self) -> UsmType:
        """The kind of memory: "device", "shared" or "host"."""

    @property
    def queue(self) -> Queue:
        """The queue for which it was allocated."""

    @property
    def device(self) -> Any:
        """The device of the queue."""

    @property
    def context(self) -> Context:
        """The SYCL context to which the memory belongs."""

    @property
    def sycl_queue(self) -> Queue:
        """dpctl's name for queue."""

    @property
    def sycl_device(self) -> Device:
        """dpctl's name for device."""

    @property
    def sycl_context(self) -> Context:
        """dpctl's name for context."""

    @property
    def host_accessible(self) -> bool:
        """Whether host code can access the memory."""

    def copy_to_host(self, target: object | None = None) -> Any:
        """
        Copies all bytes to the host.

        Parameters
        ----------
        target : object, optional
            A writable buffer; without it a new bytearray.

        Returns
        -------
        object
            The buffer.

        Examples
        --------
        >>> ht.MemoryUSMHost(b"ab", copy=True).copy_to_host()  # doctest: +SKIP
        bytearray(b'ab')
        """

    def copy_from_host(self, source: Axes) -> None:
        """
        Copies a buffer to the start of this memory. Blocks until the copy is complete.

        Parameters
        ----------
        source : object
            An object with the buffer protocol.

        Raises
        ------
        AxisError
            If an axis is out of range.

        Examples
        --------
        >>> memory = ht.MemoryUSMDevice(2)
        >>> memory.copy_from_host(b"ab")
        >>> memory.tobytes()
        b'ab'
        """

    def copy_from_device(self, source: Axes) -> None:
        """
        Copies memory, of any context, to the start of this memory. Blocks until the copy is complete.

        Parameters
        ----------
        source : object
            An object with __sycl_usm_array_interface__.

        Raises
        ------
        AxisError
            If an axis is out of range.

        Examples
        --------
        >>> a, b = ht.MemoryUSMDevice(2), ht.MemoryUSMDevice(2)
        >>> a.memset(7)
        >>> b.copy_from_device(a)
        >>> b.tobytes()
        b'\\x07\\x07'
        """

    def memset(self, value: int = 0) -> None:
        """
        Sets all bytes. Blocks until they are set.

        Parameters
        ----------
        value : int
            From 0 to 255.

        Raises
        ------
        InvalidTypeError
            If the value is no such int.

        Examples
        --------
        >>> memory = ht.MemoryUSMDevice(2)
        >>> memory.memset(7)
        >>> memory.tobytes()
        b'\\x07\\x07'
        """

    def tobytes(self) -> bytes:
        """
        A copy of all bytes on the host.

        Returns
        -------
        bytes
            The bytes.

        Examples
        --------
        >>> len(ht.MemoryUSMDevice(3).tobytes())
        3
        """

    def __len__(self) -> int: ...

    def __bytes__(self) -> bytes: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

    def __repr__(self) -> str: ...

class MemoryUSMDevice(Memory):
    """
    Memory of a device.

    Parameters
    ----------
    nbytes : int or object
        The number of bytes, or an object with __sycl_usm_array_interface__, whose
        memory is used in place.
    alignment : int
        The address is a multiple of this power of two, and of 64.
    queue : Queue, Device or str, optional
        The queue for which the memory is allocated. Without it, that of
        the object, else the current queue.
    copy : bool
        Whether the memory of the object is copied, which also
        allows another kind of memory and another queue.

    Raises
    ------
    ValueError
        If nbytes is negative or alignment is no power of two, or if copy is False and the
        object's memory is read-only, of another kind or on another queue.
    OutOfMemoryError
        If the device has not enough memory.

    Notes
    -----
    The host can access it only on CPU devices. copy_to_host() copies it from every device.

    Examples
    --------
    >>> ht.MemoryUSMDevice(64).usm_type
    'device'
    """

    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class MemoryUSMShared(Memory):
    """
    Memory that the host and the devices access.

    Parameters
    ----------
    nbytes : int or object
        The number of bytes, or an object with __sycl_usm_array_interface__, whose
        memory is used in place.
    alignment : int
        The address is a multiple of this power of two, and of 64.
    queue : Queue, Device or str, optional
        The queue for which the memory is allocated. Without it, that of
        the object, else the current queue.
    copy : bool
        Whether the memory of the object is copied, which also
        allows another kind of memory and another queue.

    Raises
    ------
    ValueError
        If nbytes is negative or alignment is no power of two, or if copy is False and the
        object's memory is read-only, of another kind or on another queue.
    OutOfMemoryError
        If the device has not enough memory.

    Notes
    -----
    The memory migrates between host and devices on demand.

    Examples
    --------
    >>> ht.MemoryUSMShared(64).usm_type
    'shared'
    """

    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class MemoryUSMHost(Memory):
    """
    Memory of the host that devices access.

    Parameters
    ----------
    nbytes : int or object
        The number of bytes, or an object with __sycl_usm_array_interface__, whose
        memory is used in place.
    alignment : int
        The address is a multiple of this power of two, and of 64.
    queue : Queue, Device or str, optional
        The queue for which the memory is allocated. Without it, that of
        the object, else the current queue.
    copy : bool
        Whether the memory of the object is copied, which also
        allows another kind of memory and another queue.

    Raises
    ------
    ValueError
        If nbytes is negative or alignment is no power of two, or if copy is False and the
        object's memory is read-only, of another kind or on another queue.
    OutOfMemoryError
        If the device has not enough memory.

    Notes
    -----
    The memory stays on the host, and devices access it there.

    Examples
    --------
    >>> ht.MemoryUSMHost(64).usm_type
    'host'
    """

    def __init__(self, nbytes: object | None, *, alignment: int = 0, queue: Where | None = None, copy: bool = False) -> None:
        """
        Allocates nbytes bytes, aligned to at least 64, for a queue (default: the current
        queue). `nbytes` may also be an object with __sycl_usm_array_interface__: its memory,
        from the first byte to the last, is used in place, or copied with copy=True. Without
        copy=True, memory of another USM type, read-only memory and a `queue` other than that of
        the object raise ValueError.
        """

class PointerInfo:
    """
    Information about an address in USM.

    Examples
    --------
    >>> memory = ht.MemoryUSMShared(100)
    >>> ht.pointer_info(memory.pointer, memory.context).base == memory.pointer
    True
    """

    @property
    def usm_type(self) -> UsmType:
        """The kind of memory: "device", "shared" or "host"."""

    @property
    def device(self) -> Device:
        """The device for which it was allocated."""

    @property
    def base(self) -> int:
        """Start of the allocation."""

    @property
    def nbytes(self) -> int:
        """Size of the whole allocation."""

def pointer_info(pointer: int, context: Context) -> PointerInfo | None:
    """
    Information about an address.

    Parameters
    ----------
    pointer : int
        The address.
    context : Context
        The context.

    Returns
    -------
    PointerInfo or None
        None if the address is not USM of the context.

    Raises
    ------
    InvalidTypeError
        If the address is no int.
    InvalidValueError
        If the address is negative or 2**64 or more.

    Examples
    --------
    >>> memory = ht.MemoryUSMShared(100)
    >>> ht.pointer_info(memory.pointer, memory.context).usm_type
    'shared'
    """

def memory_over(object: object) -> Any:
    """
    The memory of an object with __sycl_usm_array_interface__, in place, from its first byte
    to its last, as a Memory of its USM type. Keeps the object alive.
    """

def memory_info(context: Context) -> tuple[Any, ...]:
    """
    The bytes of memory that are used, cached and free (None if unknown), the peak, and the
    limit (None if there is none).
    """

def set_memory_limit(device: Device, bytes: int | None) -> None:
    """
    Limits the memory that this process uses of a device; None ends the limit.
    """

def trim_pools(context: Context) -> None:
    """
    Returns unused pool memory of a context to the system.

    Parameters
    ----------
    context : Context
        The context.

    Examples
    --------
    >>> ht.trim_pools(ht.default_queue().context)
    """

class OpenContext:
    """
    An open device context, or an open block of a queue manager.

    Parameters
    ----------
    queue : Queue
        The queue that the block computes on.
    owner : object
        The device_context or the block that opened it.
    previous : OpenContext or None
        The enclosing entry.
    is_device_context : bool
        Whether a device_context opened it.
    on_serial : int
        The number of the rule for Numba functions with parallel=False.
    keep_below : int
        Parallel regions with fewer iterations run on the host.
    always_warns : bool
        Whether every kernel whose arrays have another queue warns.
    dparray_results : bool
        Whether arrays that Numba functions return become dparrays.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    device_context makes it, and hither.get_context() returns the innermost one.

    Examples
    --------
    >>> with ht.device_context("cpu") as queue:
    ...     context = ht.get_context()
    >>> context.queue == queue
    True
    """

    def __init__(self, queue: Queue, owner: object, previous: object | None, *, is_device_context: bool = True, on_serial: int = 0, keep_below: int = 0, always_warns: bool = False, dparray_results: bool = False) -> None: ...

    @property
    def queue(self) -> Queue:
        """The queue that the block computes on."""

    @property
    def device(self) -> Device:
        """The device of the queue."""

    @property
    def context(self) -> Context:
        """The SYCL context of the queue."""

    def __repr__(self) -> str: ...

    @property
    def owner(self) -> Any:
        """The device_context or the block that opened it."""

    @property
    def previous(self) -> Any:
        """The enclosing entry, or None."""

    @property
    def is_device_context(self) -> bool:
        """Whether it is a device context, and not a block of a queue manager."""

    @property
    def on_serial(self) -> int:
        """The number of the rule for Numba functions with parallel=False."""

    @property
    def keep_below(self) -> int:
        """Parallel regions with fewer iterations run on the host."""

    def after(self, previous: object | None) -> OpenContext:
        """
        The same entry with another enclosing entry.

        Parameters
        ----------
        previous : OpenContext or None
            The enclosing entry.

        Returns
        -------
        OpenContext
            The entry.

        Examples
        --------
        >>> with ht.device_context("cpu"):
        ...     context = ht.get_context()
        >>> context.after(None).previous is None
        True
        """

context_variable: _contextvars.ContextVar = ...

def host_runs_small_regions(queue: Queue) -> bool:
    """
    Whether Numba functions run regions of few operations in the calling thread.
    """

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
    Another library's array, by its checked __sycl_usm_array_interface__. It copies nothing.

    Parameters
    ----------
    object : object
        An object that has the interface. The view keeps it alive.

    Examples
    --------
    >>> ht.UsmView(ht.ones((2, 3))).shape
    (2, 3)
    """

    def __init__(self, object: object) -> None: ...

    @property
    def pointer(self) -> int:
        """Address of the first element, including the offset."""

    @property
    def read_only(self) -> bool:
        """Whether the memory must not be written."""

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of the array."""

    @property
    def strides(self) -> tuple[Any, ...]:
        """In elements."""

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""

    @property
    def queue(self) -> Queue:
        """The queue on which hither uses the array."""

    @property
    def device(self) -> Any:
        """The device of the queue."""

    @property
    def usm_type(self) -> UsmType:
        """The kind of memory: "device", "shared" or "host"."""

    @property
    def owner(self) -> Any:
        """The object that owns the memory."""

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

def make_usm_interface(pointer: int, read_only: bool, shape: Shape, strides: object | None, dtype: DType, queue: Where) -> dict[str, Any]:
    """The dict of __sycl_usm_array_interface__; only its fields are checked."""

def queue_of_syclobj(syclobj: object) -> Queue:
    """The queue of a field `syclobj` of __sycl_usm_array_interface__."""

def counters() -> dict[str, Any]:
    """
    Totals of the process since its start; live_allocations is the number of now.

    Returns
    -------
    dict
        The totals by name.

    Examples
    --------
    >>> ht.counters()["launches"] >= 0
    True
    """

def environment_is(variable: str, value: str) -> bool:
    """
    Whether the variable has the value. Takes a tenth of the time of os.environ.
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
    Sets the program that writes SPIR-V. By default hither uses Numba's LLVM.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments; none removes the program.
    identity : str
        Name and version, which say what its output depends on.

    Notes
    -----
    The program reads requests from its standard input: the length of the text (8 bytes,
    little-endian) and LLVM assembly. It answers with one byte, b'B' or b'E', a length, and the
    SPIR-V binary or an error message. The call waits for kernels that are being compiled.

    Examples
    --------
    >>> ht.set_spirv_emitter(["emitter"], "emitter 1.0")  # doctest: +SKIP
    """

class ArrayFlags:
    """
    Array.flags: attributes as in NumPy and dpctl, and the items
    "C_CONTIGUOUS" ("C"), "F_CONTIGUOUS" ("F"), "OWNDATA" ("O"), "WRITEABLE" ("W")
    and the other names of NumPy.
    """

    def __getitem__(self, arg: str, /) -> bool: ...

    @property
    def c_contiguous(self) -> bool: ...

    @property
    def f_contiguous(self) -> bool: ...

    def __setitem__(self, arg0: str, arg1: bool, /) -> None: ...

    @property
    def writeable(self) -> bool:
        """
        Whether elements can be assigned. True can be set if no elements repeat.
        """

    @writeable.setter
    def writeable(self, arg: bool, /) -> None: ...

    @property
    def writable(self) -> bool:
        """The same as writeable."""

    @writable.setter
    def writable(self, arg: bool, /) -> None: ...

    @property
    def aligned(self) -> bool:
        """True: elements are at multiples of their size."""

    @property
    def behaved(self) -> bool:
        """Aligned and writeable."""

    @property
    def carray(self) -> bool:
        """C order, and writeable."""

    @property
    def farray(self) -> bool:
        """Fortran order and not C order, and writeable."""

    @property
    def writebackifcopy(self) -> bool:
        """False: no array is a copy that is written back."""

    @property
    def fortran(self) -> bool: ...

    @property
    def owndata(self) -> bool:
        """Whether the array is all of its memory: x.base is None."""

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
    """
    Submits the pending operations of arrays without waiting.

    Parameters
    ----------
    *args : Array
        The arrays.

    Examples
    --------
    >>> x = ht.ones(3) + 1
    >>> ht.evaluate(x)
    """

@overload
def synchronize(arg: Array, /) -> None: ...

@overload
def synchronize(*args: Any) -> None:
    """
    Computes arrays and waits.

    Parameters
    ----------
    *args : Array
        The arrays.

    Raises
    ------
    Error
        The error of a failed task that one of the arrays depends on.

    Examples
    --------
    >>> x = ht.ones(3) + 1
    >>> ht.synchronize(x)
    """

def asnumpy(x: object, out: object | None = None, *, wait: bool = True) -> Any:
    """
    A NumPy copy of an array, whatever its device.

    Parameters
    ----------
    x : array_like
        The array.
    out : numpy.ndarray, optional
        Where the elements are written: an array of x's shape and dtype in C order.
        GPUs copy fastest to host USM: numpy.asarray() of an array with usm_type="host".
    wait : bool
        False returns while x is computed and copied; it needs out.

    Returns
    -------
    numpy.ndarray or Event
        The elements, in out if it is given. Without waiting, an event that is complete when out
        has them.

    Raises
    ------
    TypeError
        If out has another dtype than x, or is no NumPy array.
    ValueError
        If out has another shape or order, or wait is False without out.
    Error
        The error of the work that computes x. With wait=False the event's wait() may raise it.

    Notes
    -----
    Waits for the array unless wait=False. With wait=False the copy and later work of other queues
    run at the same time, except on in-order queues of the built-in CPU, which finish it first.
    Later operations of hither on x do not change what is copied. Do not read or write out before
    the event is complete; out is kept until then, and sometimes a moment longer.

    Examples
    --------
    >>> ht.asnumpy(ht.ones(2) + 1)
    array([2., 2.])
    >>> there = np.empty(2)
    >>> copied = ht.asnumpy(ht.ones(2) + 1, there, wait=False)
    >>> copied.wait()
    >>> there
    array([2., 2.])
    """

def borrowed_host_data(x: Array, own: bool) -> tuple[Any, ...]: ...

def note_host_work(x: Array, description: str) -> None:
    """Adds to explain() that this has made x's present value on the host."""

def explain(x: object | None) -> str:
    """
    Describes the kernels that would compute an array.

    Parameters
    ----------
    x : Array
        An array; it is not computed.

    Returns
    -------
    str
        A line for each kernel.

    Examples
    --------
    >>> print(ht.explain(ht.ones(3) + 1).partition(" on ")[0])
    kernel 1: add over (3,) float64
    """

def add(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 + x2 (logical or for bool).

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.add(ht.asarray([1, 2]), 0.5)
    Array([1.5, 2.5])
    """

def subtract(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 - x2; bool is refused.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.subtract(ht.asarray([5, 7]), 2)
    Array([3, 5])
    """

def multiply(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 * x2 (logical and for bool).

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.multiply(ht.asarray([1, 2]), 3)
    Array([3, 6])
    """

def divide(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 / x2 in floating point; integers give float64.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.divide(ht.asarray([1, 2]), 4)
    Array([0.25, 0.5 ])
    """

def floor_divide(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Largest integer not above x1 / x2; integer division by zero gives 0.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.floor_divide(ht.asarray([7, -7]), 2)
    Array([ 3, -4])
    """

def remainder(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 - floor_divide(x1, x2) * x2, with the sign of x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.remainder(ht.asarray([7, -7]), 3)
    Array([1, 2])
    """

def power(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 ** x2; integers wrap around.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.pow(ht.asarray([1, 2, 3]), 2)
    Array([1, 4, 9])
    """

def negative(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    -x; bool is refused.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.negative(ht.asarray([1, -2]))
    Array([-1,  2])
    """

def positive(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    +x; bool is refused.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.positive(ht.asarray([1, -2]))
    Array([ 1, -2])
    """

def absolute(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    |x|; the modulus of complex numbers, in their real dtype.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.abs(ht.asarray([-1.5, 2.0]))
    Array([1.5, 2. ])
    """

def sign(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    -1, 0 or 1; x / |x| for complex; NaN for NaN.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.sign(ht.asarray([-3, 0, 2]))
    Array([-1,  0,  1])
    """

def square(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x * x; bool gives int8.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.square(ht.asarray([2, 3]))
    Array([4, 9])
    """

def cube(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x * x * x, rounded about once; bool gives int8.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.cube(ht.asarray([2.0, 0.5]))
    Array([8.   , 0.125])
    """

def reciprocal(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    1 / x.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.reciprocal(ht.asarray([2.0, 4.0]))
    Array([0.5 , 0.25])
    """

def sqrt(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Square root.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.sqrt(ht.asarray([4.0, 9.0]))
    Array([2., 3.])
    """

def rsqrt(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    1 / sqrt(x), rounded about once.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.rsqrt(ht.asarray([4.0, 0.25]))
    Array([0.5, 2. ])
    """

def cbrt(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Cube root.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.cbrt(ht.asarray([8.0, 27.0]))
    Array([2., 3.])
    """

def exp(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    e ** x.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.exp(ht.asarray([0.0, 1.0]))
    Array([1.        , 2.71828183])
    """

def exp2(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    2 ** x.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.exp2(ht.asarray([1.0, 3.0]))
    Array([2., 8.])
    """

def expm1(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    exp(x) - 1, accurate near 0.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.expm1(ht.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10])
    """

def log(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Natural logarithm.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.log(ht.asarray([1.0, 10.0]))
    Array([0.        , 2.30258509])
    """

def log2(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Base-2 logarithm.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.log2(ht.asarray([1.0, 8.0]))
    Array([0., 3.])
    """

def log10(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Base-10 logarithm.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.log10(ht.asarray([1.0, 1000.0]))
    Array([0., 3.])
    """

def log1p(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    log(1 + x), accurate near 0.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.log1p(ht.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10])
    """

def sin(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Sine of radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.sin(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.47942554])
    """

def cos(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Cosine of radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.cos(ht.asarray([0.0, 0.5]))
    Array([1.        , 0.87758256])
    """

def tan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Tangent of radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.tan(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.54630249])
    """

def asin(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse sine, in radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.asin(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.52359878])
    """

def acos(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse cosine, in radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.acos(ht.asarray([1.0, 0.5]))
    Array([0.        , 1.04719755])
    """

def atan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse tangent, in radians.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.atan(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.46364761])
    """

def sinh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic sine.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.sinh(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.52109531])
    """

def cosh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic cosine.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.cosh(ht.asarray([0.0, 0.5]))
    Array([1.        , 1.12762597])
    """

def tanh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Hyperbolic tangent.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.tanh(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.46211716])
    """

def asinh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic sine.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.asinh(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.48121183])
    """

def acosh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic cosine.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.acosh(ht.asarray([1.0, 2.0]))
    Array([0.       , 1.3169579])
    """

def atanh(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Inverse hyperbolic tangent.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.atanh(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.54930614])
    """

def erf(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Error function.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.erf(ht.asarray([0.0, 0.5]))
    Array([0.        , 0.52049988])
    """

def erfc(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    1 - erf(x), accurate for large x.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.erfc(ht.asarray([0.0, 0.5]))
    Array([1.        , 0.47950012])
    """

def atan2(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Angle of the point (x2, x1), in radians.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.atan2(ht.asarray([1.0, -1.0]), 1.0)
    Array([ 0.78539816, -0.78539816])
    """

def hypot(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    sqrt(x1**2 + x2**2) without overflow.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.hypot(ht.asarray([3.0, 6.0]), ht.asarray([4.0, 8.0]))
    Array([ 5., 10.])
    """

def logaddexp(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    log(exp(x1) + exp(x2)) without overflow.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.logaddexp(ht.asarray([0.0, 1.0]), 0.0)
    Array([0.69314718, 1.31326169])
    """

def copysign(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    |x1| with the sign of x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.copysign(ht.asarray([1.0, 2.0]), -1.0)
    Array([-1., -2.])
    """

def nextafter(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Next representable number after x1 towards x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.nextafter(ht.asarray([1.0]), 2.0) > 1
    Array([ True])
    """

def floor(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Largest integer not above x; integers unchanged.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.floor(ht.asarray([1.7, -1.2]))
    Array([ 1., -2.])
    """

def ceil(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Smallest integer not below x; integers unchanged.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.ceil(ht.asarray([1.2, -1.7]))
    Array([ 2., -1.])
    """

def trunc(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x without its fraction; integers unchanged.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.trunc(ht.asarray([1.7, -1.7]))
    Array([ 1., -1.])
    """

def round(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Nearest integer, ties to even; integers unchanged.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.round(ht.asarray([0.5, 1.5, 2.4]))
    Array([0., 2., 2.])
    """

def maximum(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The larger one; NaN if either is NaN.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.maximum(ht.asarray([1, 5]), 3)
    Array([3, 5])
    """

def minimum(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The smaller one; NaN if either is NaN.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.minimum(ht.asarray([1, 5]), 3)
    Array([1, 3])
    """

def equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 == x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.equal(ht.asarray([1, 2]), 2)
    Array([False,  True])
    """

def not_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 != x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.not_equal(ht.asarray([1, 2]), 2)
    Array([ True, False])
    """

def less(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 < x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.less(ht.asarray([1, 2]), 2)
    Array([ True, False])
    """

def less_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 <= x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.less_equal(ht.asarray([1, 2]), 2)
    Array([ True,  True])
    """

def greater(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 > x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.greater(ht.asarray([1, 2]), 1)
    Array([False,  True])
    """

def greater_equal(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 >= x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.greater_equal(ht.asarray([1, 2]), 2)
    Array([False,  True])
    """

def logical_and(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Both are true (non-zero).

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.logical_and(ht.asarray([True, False]), True)
    Array([ True, False])
    """

def logical_or(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Either is true.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.logical_or(ht.asarray([True, False]), False)
    Array([ True, False])
    """

def logical_xor(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Exactly one is true.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.logical_xor(ht.asarray([True, False]), True)
    Array([False,  True])
    """

def logical_not(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is false (zero).

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.logical_not(ht.asarray([True, False]))
    Array([False,  True])
    """

def bitwise_and(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 & x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_and(ht.asarray([6, 5]), 3)
    Array([2, 1])
    """

def bitwise_or(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 | x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_or(ht.asarray([6, 5]), 3)
    Array([7, 7])
    """

def bitwise_xor(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 ^ x2.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_xor(ht.asarray([6, 5]), 3)
    Array([5, 6])
    """

def bitwise_invert(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    ~x; logical not for bool.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_invert(ht.asarray([0, 5]))
    Array([-1, -6])
    """

def bitwise_left_shift(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 << x2; 0 beyond the width.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_left_shift(ht.asarray([1, 2]), 3)
    Array([ 8, 16])
    """

def bitwise_right_shift(x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 >> x2, sign-extending; the sign beyond the width.

    Parameters
    ----------
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.bitwise_right_shift(ht.asarray([8, 9]), 1)
    Array([4, 4])
    """

def isnan(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is NaN (either part).

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.isnan(ht.asarray([1.0, ht.nan]))
    Array([False,  True])
    """

def isinf(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is infinite (either part).

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.isinf(ht.asarray([1.0, ht.inf]))
    Array([False,  True])
    """

def isfinite(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x is neither infinite nor NaN.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.isfinite(ht.asarray([1.0, ht.inf]))
    Array([ True, False])
    """

def signbit(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    The sign bit is set.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.signbit(ht.asarray([1.0, -0.0]))
    Array([False,  True])
    """

def real(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Real part.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.real(ht.asarray([1 + 2j]))
    Array([1.])
    """

def imag(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Imaginary part, 0 for real dtypes.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.imag(ht.asarray([1 + 2j]))
    Array([2.])
    """

def conj(x: Operand, /, *, queue: Where | None = None) -> Array:
    """
    Complex conjugate.

    Parameters
    ----------
    x : Array or number
        The operand.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.conj(ht.asarray([1 + 2j]))
    Array([1.-2.j])
    """

def where(condition: Operand, x1: Operand, x2: Operand, /, *, queue: Where | None = None) -> Array:
    """
    x1 where the condition is true, else x2.

    Parameters
    ----------
    condition : Array or bool
        Which elements come from x1.
    x1 : Array or number
        The first operand.
    x2 : Array or number
        The second operand; the operands broadcast.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the operands' common shape, on their queue.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Notes
    -----
    Lazy. Operands broadcast and promote as in NumPy 2. Inside a device context, NumPy arrays
    are copied to its queue.

    Examples
    --------
    >>> ht.where(ht.asarray([True, False]), 1, ht.asarray([5, 6]))
    Array([1, 6])
    """

elementwise_functions: list = ...

class CallRecorder:
    def __init__(self, arguments: tuple[Any, ...], keywords: dict[str, Any], variables: list[Any]) -> None: ...

    @property
    def numbers(self) -> list[Any]: ...

    @property
    def objects(self) -> list[Any]: ...

    @property
    def generators(self) -> list[Any]: ...

    def start(self) -> str: ...

    def stop(self) -> None: ...

    def abandon(self) -> None: ...

    def fixed(self) -> list[int]: ...

    def finish(self, result: object | None, traced: object, numbers: tuple[Any, ...]) -> str: ...

    def add_to(self, compiled: object, fixed: list[Any], numbers_of: object | None, draws: bool, arithmetic: tuple[list[Any], list[Any], int] | None) -> None: ...

    def add_plain_to(self, compiled: object) -> None: ...

MOST_PROGRAMS: int = 64

def describe_programs(compiled: object) -> list[str]: ...

def program_count(compiled: object) -> int: ...

def clear_programs(compiled: object) -> None: ...

def run_steps(compiled: object, count: int, state: object | None) -> Any: ...

def join_recordings_after(runs: int) -> int: ...

def recording_is_refused() -> bool: ...

def record_call(function: object, name: str, arrays: list[Any], numbers: list[Any]) -> Any: ...

def hold_state_of(type: object) -> None: ...

def refuse_recording(reason: str) -> None: ...

def set_traced_number_type(type: object) -> None: ...

def asarray(obj: Nested | None, dtype: DType | Queue | Device | None = None, *, device: Where | None = None, copy: bool | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, like: object | None = None) -> Array:
    """
    An array of the content of an object.

    Parameters
    ----------
    obj : array_like
        An Array, a number, nested lists, a NumPy array, or an object with the buffer protocol,
        __sycl_usm_array_interface__ or __dlpack__.
    dtype : dtype, optional
        The dtype of the result.
    device : Device, Queue or str, optional
        Where the array is made.
    copy : bool, optional
        Whether the elements are copied. None copies them if it is necessary.
    queue : Queue, Device or str, optional
        Another name of device.
    sycl_queue : Queue, optional
        Another name of device.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.
    like : Array, optional
        Gives the queue and the kind of memory that the call leaves open.

    Returns
    -------
    Array
        An array over the same memory if that is possible and copy is not True.

    Raises
    ------
    TypeError
        For dtypes that arrays cannot hold.
    ValueError
        If copy is False and a copy is necessary.

    Notes
    -----
    Host memory is copied, unless copy=False, which shares it (read-only if the source is).
    Without a queue, Arrays and USM objects stay on their queues, and other data goes to the device
    context's queue, or to the default queue. The second positional argument may be a queue or a
    device instead of a dtype. Blocks while host memory is copied.

    Examples
    --------
    >>> ht.asarray([[1, 2], [3, 4]])
    Array([[1, 2],
           [3, 4]])
    >>> ht.asarray([1, 2], dtype=ht.float32, device="cpu").dtype
    dtype('float32')
    """

def from_dlpack(x: object, *, device: object | None = None, copy: bool | None = None, queue: object | None = None, sycl_queue: object | None = None) -> Array:
    """
    An array over the memory of an object of another library, by DLPack.

    Parameters
    ----------
    x : object
        An object with __dlpack__.
    device : Device, Queue or str, optional
        Where the array is wanted.
    copy : bool, optional
        Whether the elements are copied. None copies them if it is necessary.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.
    sycl_queue : Queue, optional
        Another name of queue.

    Returns
    -------
    Array
        An array over the same memory, unless copy=True or the device requires a copy.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.from_dlpack(np.asarray([1.0, 2.0]))
    Array([1., 2.])
    """

def empty(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An array of the given shape with uninitialised elements.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of the
        device context, else the default device's.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.

    Returns
    -------
    Array
        An array of C order. The default dtype is float64.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If an extent is negative. If the filter string names no device. If usm_type has another value.

    Examples
    --------
    >>> ht.empty((2, 3)).shape
    (2, 3)
    """

def zeros(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of the
        device context, else the default device's.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.

    Returns
    -------
    Array
        An array of C order. The default dtype is float64.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If an extent is negative. If the filter string names no device. If usm_type has another value.

    Examples
    --------
    >>> ht.zeros((2, 2), dtype=ht.int32)
    Array([[0, 0],
           [0, 0]], dtype=int32)
    """

def ones(shape: Shape, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of the
        device context, else the default device's.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.

    Returns
    -------
    Array
        An array of C order. The default dtype is float64.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If an extent is negative. If the filter string names no device. If usm_type has another value.

    Examples
    --------
    >>> ht.ones(3)
    Array([1., 1., 1.])
    """

def full(shape: Shape, fill_value: Operand | None, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """
    An array that is filled with a number, or with an array that broadcasts to the shape.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result.
    fill_value : number or Array
        The elements.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of the
        device context, else the default device's.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.

    Returns
    -------
    Array
        An array of C order. The default dtype is that of fill_value.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If an extent is negative. If the filter string names no device. If usm_type has another value.

    Examples
    --------
    >>> ht.full(3, 7)
    Array([7, 7, 7])
    """

def empty_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """
    An uninitialised array with the shape, dtype, queue and kind of memory of another one.

    Parameters
    ----------
    x : Array
        An array.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of x.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.
    shape : int or tuple of int, optional
        Another shape than that of x.

    Returns
    -------
    Array
        An array of C order.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device. If usm_type has another value. If an extent is negative.

    Examples
    --------
    >>> ht.empty_like(ht.ones((2, 3))).shape
    (2, 3)
    """

def zeros_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """
    An array of zeros with the shape, dtype, queue and kind of memory of another one.

    Parameters
    ----------
    x : Array
        An array.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of x.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.
    shape : int or tuple of int, optional
        Another shape than that of x.

    Returns
    -------
    Array
        An array of C order.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device. If usm_type has another value. If an extent is negative.

    Examples
    --------
    >>> ht.zeros_like(ht.ones(3))
    Array([0., 0., 0.])
    """

def ones_like(x: Array, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """
    An array of ones with the shape, dtype, queue and kind of memory of another one.

    Parameters
    ----------
    x : Array
        An array.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of x.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.
    shape : int or tuple of int, optional
        Another shape than that of x.

    Returns
    -------
    Array
        An array of C order.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device. If usm_type has another value. If an extent is negative.

    Examples
    --------
    >>> ht.ones_like(ht.zeros(3))
    Array([1., 1., 1.])
    """

def full_like(x: Array, fill_value: Operand | None, dtype: DType | None = None, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None, shape: Shape | None = None) -> Array:
    """
    A filled array with the shape, dtype, queue and kind of memory of another one.

    Parameters
    ----------
    x : Array
        An array.
    fill_value : number or Array
        The elements.
    dtype : dtype, optional
        The dtype of the result.
    device, queue, sycl_queue : Queue, Device or str, optional
        Where the array is made: three names of one parameter. Without it, the queue of x.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory.
    shape : int or tuple of int, optional
        Another shape than that of x.

    Returns
    -------
    Array
        An array of C order.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device. If usm_type has another value. If an extent is negative.

    Examples
    --------
    >>> ht.full_like(ht.zeros(3), 7)
    Array([7., 7., 7.])
    """

def received(values: object, queue: Queue, carrier: Queue, usm_type: UsmType) -> Array:
    """
    A copy of NumPy's array on `queue`. `carrier`, an equivalent queue, copies, so that the
    copy does not wait for tasks of `queue`.
    """

def iota(count: int, start: object, step: object, dtype: DType, *, device: Where | None = None, queue: Where | None = None, sycl_queue: Where | None = None, usm_type: UsmType | None = None) -> Array:
    """start + i * step for i in [0, count)."""

def as_elements(x: Array, dtype: DType) -> Array:
    """
    The memory of a new array, which no other array names, as elements of another dtype.
    """

def astype(x: Array, dtype: DType, *, copy: bool = True, device: Where | None = None, queue: Where | None = None) -> Array:
    """
    The array converted to another dtype.

    Parameters
    ----------
    x : Array
        An array.
    dtype : dtype
        The dtype of the result.
    copy : bool
        With False, x itself is returned if it has the dtype.
    device : Device, Queue or str, optional
        Moves the result there.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of x's shape.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.astype(ht.asarray([1.7, -1.7]), ht.int64)
    Array([ 1, -1])
    """

def copy(x: Array, *, queue: Where | None = None) -> Array:
    """
    A copy of an array in new memory, in C order.

    Parameters
    ----------
    x : Array
        An array.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array that shares no memory with x.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> x = ht.zeros(2)
    >>> y = ht.copy(x)
    >>> y[0] = 1
    >>> x
    Array([0., 0.])
    """

def on_queue(x: Array, queue: Where | None, function: str) -> Array:
    """
    x on `queue`, without a copy; x itself for None. Errors name `function`.
    """

def clip(x: Array, min: Operand | None = None, max: Operand | None = None, *, queue: Where | None = None) -> Array:
    """
    The elements limited to an interval. NaN stays NaN.

    Parameters
    ----------
    x : Array
        An array.
    min : Array or number, optional
        The smallest values.
    max : Array or number, optional
        The largest values.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of x's shape.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.clip(ht.asarray([1, 5, 9]), 2, 6)
    Array([2, 5, 6])
    """

def reshape(x: Array, shape: Shape, *, copy: bool | None = None, queue: Where | None = None) -> Array:
    """
    The elements of an array in another shape, in C order.

    Parameters
    ----------
    x : Array
        An array.
    shape : int or tuple of int
        The shape. One extent may be -1, which is computed.
    copy : bool, optional
        Whether the elements are copied. None copies them if it is necessary.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A view if possible.

    Raises
    ------
    InvalidValueError
        If an extent is negative. If the filter string names no device.

    Examples
    --------
    >>> ht.reshape(ht.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]])
    """

def permute_dims(x: Array, axes: Axes | Sequence[Sequence[int]]) -> Array:
    """
    A view with the axes in another order.

    Parameters
    ----------
    x : Array
        An array.
    axes : tuple of int
        The axes of x, in the new order.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    InvalidValueError
        If the axes are not all axes of x, each once.
    AxisError
        If an axis is out of range.

    Examples
    --------
    >>> ht.permute_dims(ht.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """

def expand_dims(x: Array, axis: Axes = 0) -> Array:
    """
    A view with additional axes of extent 1.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int
        The places of the new axes in the result.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    AxisError
        If an axis is out of range.

    Examples
    --------
    >>> ht.expand_dims(ht.zeros((2, 3)), axis=0).shape
    (1, 2, 3)
    """

def squeeze(x: Array, axis: Axes) -> Array:
    """
    A view without axes of extent 1.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int
        The axes to remove.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If an axis has another extent than 1.

    Examples
    --------
    >>> ht.squeeze(ht.zeros((1, 2, 3)), axis=0).shape
    (2, 3)
    """

def moveaxis(x: Array, source: Axes, destination: Axes) -> Array:
    """
    A view with axes at other places; the others keep their order.

    Parameters
    ----------
    x : Array
        An array.
    source : int or tuple of int
        The axes to move.
    destination : int or tuple of int
        Their places in the result.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    AxisError
        If an axis is out of range.

    Examples
    --------
    >>> ht.moveaxis(ht.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """

def matrix_transpose(x: Array) -> Array:
    """
    A view with the last two axes exchanged.

    Parameters
    ----------
    x : Array
        An array.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    InvalidValueError
        If x has fewer than 2 dimensions.

    Examples
    --------
    >>> ht.matrix_transpose(ht.asarray([[1, 2], [3, 4]]))
    Array([[1, 3],
           [2, 4]])
    """

def flip(x: Array, axis: Axes | None = None) -> Array:
    """
    A view with the elements in reverse order.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.

    Returns
    -------
    Array
        A view.

    Raises
    ------
    AxisError
        If an axis is out of range.

    Examples
    --------
    >>> ht.flip(ht.asarray([1, 2, 3]))
    Array([3, 2, 1])
    """

def unstack(x: Array, axis: int = 0) -> tuple[Any, ...]:
    """
    The views of an array along an axis, without that axis.

    Parameters
    ----------
    x : Array
        An array.
    axis : int
        The axis; negative ones count from the end.

    Returns
    -------
    tuple of Array
        A view for each index.

    Raises
    ------
    AxisError
        If an axis is out of range.

    Examples
    --------
    >>> ht.unstack(ht.asarray([[1, 2], [3, 4]]))
    (Array([1, 2]), Array([3, 4]))
    """

def strided_view(x: Array, shape: Shape, strides: object) -> Array:
    """
    A view of the same first element, with strides in elements. Raises OutOfRangeError if it would reach outside of x.
    """

def broadcast_to(x: Array, shape: Shape) -> Array:
    """
    A view that repeats an array.

    Parameters
    ----------
    x : Array
        An array.
    shape : int or tuple of int
        The shape of the result.

    Returns
    -------
    Array
        A read-only view.

    Raises
    ------
    InvalidValueError
        If an extent is negative.

    Examples
    --------
    >>> ht.broadcast_to(ht.asarray([1, 2]), (2, 2))
    Array([[1, 2],
           [1, 2]])
    """

def broadcast_shapes(*args: Any) -> tuple[Any, ...]:
    """
    The shape that arrays of these shapes broadcast to.

    Parameters
    ----------
    *args : int or tuple of int
        The shapes.

    Returns
    -------
    tuple of int
        The shape.

    Examples
    --------
    >>> ht.broadcast_shapes((3, 1), 4)
    (3, 4)
    """

def promote_types(type1: DType, type2: DType) -> Any:
    """The smallest dtype that both convert to."""

def can_cast_safely(arg0: object, arg1: object, /) -> bool: ...

class Range:
    """
    A number of work-items in 1 to 3 dimensions.

    Parameters
    ----------
    *args : int
        The extents. Dimension 0 is the outermost one, and the last one is contiguous.

    Examples
    --------
    >>> ht.Range(4, 3).size()
    12
    """

    @overload
    def __init__(self, arg: int, /) -> None: ...

    @overload
    def __init__(self, *args: Any) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> int: ...

    def size(self) -> int:
        """
        The number of work-items.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> ht.Range(4, 3).size()
        12
        """

    def __eq__(self, arg: object | None, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class NdRange:
    """
    A range that is divided into work-groups.

    Parameters
    ----------
    global_size : int, tuple of int or Range
        The number of work-items.
    local_size : int, tuple of int or Range
        The number of items in a group, which divides the global size in each dimension.

    Examples
    --------
    >>> ht.NdRange(64, 16).local_range
    Range(16)
    """

    def __init__(self, global_size: object, local_size: object) -> None: ...

    @property
    def global_range(self) -> Range:
        """The number of work-items."""

    @property
    def local_range(self) -> Range:
        """The number of work-items of a group."""

    def __repr__(self) -> str: ...

class LocalAccessor:
    """
    An argument of a kernel that is an array in local memory inside the kernel.

    Parameters
    ----------
    shape : int, tuple of int or Range
        The shape, of 1 to 3 dimensions.
    dtype : dtype
        The dtype.

    Raises
    ------
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If an extent is negative.

    Notes
    -----
    Each work-group has an array of its own, which is not initialised. A launch raises
    InvalidValueError if it needs more than the device's local_mem_size bytes for each work-group.

    Examples
    --------
    >>> ht.LocalAccessor(16, ht.float32)
    LocalAccessor((16,), float32)
    """

    def __init__(self, shape: Shape, dtype: DType) -> None: ...

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of the array that a work-group has."""

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""

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

def take_printed(wait: bool) -> list[Any]:
    """
    What kernels that have ended printed: (kernel, texts of its calls of print, words, calls
    left out) for each launch; see _kernel.printing. With wait, that of all launches.
    """

def library_kernels(code: bytes, where: str) -> list[Any]: ...

def load_kernel_source(key: str) -> Any: ...

def store_kernel_source(key: str, content: bytes) -> None: ...

def launch(kernel: object, range: object | None, *args: Any, **kwargs: Any) -> Event:
    """
    Launches a kernel and returns its event without waiting. With NumPy arguments it waits.

    Parameters
    ----------
    kernel : kernel
        A function decorated with hither.kernel.
    range : Range, NdRange, int, tuple of int or None
        The work-items. None is the shape of the first array.
    *args
        The arguments of the kernel.
    **kwargs
        Arguments by name. queue names the queue, and depends_on is a list of events to wait for.

    Returns
    -------
    Event
        The end of the kernel.

    Examples
    --------
    >>> @ht.kernel
    ... def fill(x):
    ...     x[ht.get_global_id(0)] = 7
    >>> x = ht.zeros(3)
    >>> ht.launch(fill, ht.Range(3), x).wait()
    >>> x
    Array([7., 7., 7.])
    """

def take_in_range(x: Array, indices: Array, axis: int = 0) -> Array:
    """
    take() of indices that are at least 0 and less than the axis's extent, which is not
    checked. Lazy.
    """

def first_of_runs(differs: Array, of: Sequence[Array | None]) -> list[Array]:
    """
    For each x of `of`, the first element of each run of it, or its index if x is None. Runs
    begin at the first element and where `differs`, a mask of the others, is true. Waits.
    """

def occurrences(x: Array, low: int, count: int) -> Array:
    """
    Whether each of the integers low, ..., low + count - 1 occurs in x, as a vector. All
    elements of x are among these integers, which is not checked. Lazy.
    """

def search_if_ascending(sorted: Array, values: Array, right: bool) -> Array | None:
    """
    searchsorted() if `sorted` ascends and a GPU can check that while it searches; else None.
    """

def interpolate(x: Array, xp: Array, fp: Array) -> Array:
    """
    Values at x of the piecewise linear function through the points (xp, fp). Lazy.
    """

def put_in_range(x: Array, indices: Array, value: Array) -> None:
    """
    x[indices] = value along axis 0, for different indices that are at least 0 and less than
    the axis's extent, which is not checked.
    """

def assign_unread(target: Array, value: Array) -> None:
    """
    target[...] = value, of a value that will probably not be read: a pending one is not
    stored, and is computed again if it is read after all.
    """

def puts_items(type: type) -> None:
    """
    Gives a class the method __setitem__, which calls self._put(key, value, temporary): the
    last one tells whether probably nothing else refers to the value.
    """

def scatter_combined(x: Array, key: object | None, value: object, reduction: str) -> bool:
    """
    x[key] combined with value, once for each index, in place and in order. Returns False, and
    does nothing, if the key has neither index arrays nor a mask.
    """

def scatter_rows(x: Array, indices: Array, value: object, reduction: str) -> None:
    """
    x[r, indices[r, i]] combined with value[r, i], in place and in order of i. Indices are not
    checked.
    """

def segment_reduce(x: Array, begins: Array, ends: Array, reduction: str, dtype: DType | None = None) -> Array:
    """
    Reductions of x[begins[s]:ends[s]] for each s. Indices are not checked. Lazy.
    """

def sparse_product(data: Array, indices: Array, begins: Array, ends: Array, x: Array, dtype: DType) -> Array:
    """
    For each r, the sum of data[k] * x[indices[k]] over k in range(begins[r], ends[r]).
    Indices are not checked. Lazy.
    """

def library_sparse_product(data: Array, indices: Array, pointers: Array, x: Array, dtype: DType) -> Array | None:
    """
    The sums of data[k] * x[indices[k]] over k in range(pointers[r], pointers[r + 1]) by the
    library of the device, or None if it has none that is faster. Indices are not checked.
    Lazy.
    """

def library_sparse_matrices(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array], inner: int, columns: int) -> tuple[Array, Array, Array] | None:
    """
    The product of two sparse matrices, each (data, indices, pointers), by the library of the
    device, or None if it has none. Indices are int32 and not checked. It waits.
    """

def sparse_sums(a: Array, b: Array, structure: Sequence[Array], size: int, dtype: DType) -> Array:
    """
    The elements of a product of two sparse matrices, whose structure is not checked. Lazy.
    """

def row_function(function: str, operands: Sequence[Array], integers: Sequence[int], items: int, size: int) -> Array:
    """
    Indices that a function of the device library computes from vectors of indices, which are
    not checked. Lazy.
    """

def matrix_function(function: str, operands: Sequence[Array], integers: Sequence[int], items: int, size: int) -> Array:
    """
    Numbers that a function of the device library computes from stacks of small matrices. The
    integers are not checked. Lazy.
    """

def take(x: Array, indices: Nested, axis: int | None = None, *, queue: Where | None = None) -> Array:
    """
    Elements at given places of an axis.

    Parameters
    ----------
    x : Array
        An array.
    indices : array_like of int
        The indices; negative ones count from the end.
    axis : int, optional
        The axis; negative ones count from the end.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array in which the shape of the indices replaces the axis.

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidTypeError
        If the indices are not integers.
    InvalidValueError
        If the axis is missing, or the filter string names no device.
    OutOfRangeError
        If an index is out of range.

    Examples
    --------
    >>> ht.take(ht.asarray([10, 20, 30]), ht.asarray([2, 0]))
    Array([30, 10])
    """

def take_along_axis(x: Array, indices: Nested, *, axis: int = -1, queue: Where | None = None) -> Array:
    """
    Elements at places that differ along an axis, such as those of argsort.

    Parameters
    ----------
    x : Array
        An array.
    indices : array_like of int
        The indices; negative ones count from the end.
    axis : int
        The axis; negative ones count from the end.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the shape of the indices.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> x = ht.asarray([[3, 1], [5, 9]])
    >>> ht.take_along_axis(x, ht.argsort(x))
    Array([[1, 3],
           [5, 9]])
    """

def searchsorted(x1: Operand, x2: Operand, *, side: str = 'left', sorter: Nested | None = None, queue: Where | None = None) -> Array:
    """
    The places at which elements belong in an ascending array.

    Parameters
    ----------
    x1 : Array
        An array of one dimension, in ascending order.
    x2 : Array or number
        The elements that are searched.
    side : {"left", "right"}
        The place is before or after equal elements.
    sorter : array_like of int, optional
        Indices that put x1 into ascending order.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        int64 indices of x2's shape. Lazy.

    Raises
    ------
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Examples
    --------
    >>> ht.searchsorted(ht.asarray([1, 3, 5]), ht.asarray([3, 4]))
    Array([1, 2])
    """

def nonzero(x: Array, *, queue: Where | None = None) -> tuple[Any, ...]:
    """
    The indices of the elements that are not zero. Waits.

    Parameters
    ----------
    x : Array
        An array.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    tuple of Array
        An int64 array for each axis.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.nonzero(ht.asarray([0, 7, 8]))
    (Array([1, 2]),)
    """

def sum(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Sum over `axis` (an int, a tuple, or None for all). Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    dtype : dtype, optional
        The dtype of the result.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.sum(ht.asarray([[1, 2], [3, 4]]), axis=0)
    Array([4, 6])
    """

def prod(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Product over `axis`. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    dtype : dtype, optional
        The dtype of the result.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.prod(ht.asarray([1, 2, 4]))
    Array(8)
    """

def min(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Smallest element over `axis`; NaN if any element is NaN. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.min(ht.asarray([3, 1, 2]))
    Array(1)
    """

def max(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Largest element over `axis`; NaN if any element is NaN. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.max(ht.asarray([3, 1, 2]))
    Array(3)
    """

def any(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Whether any element over `axis` is true. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.any(ht.asarray([False, True]))
    Array(True)
    """

def all(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Whether all elements over `axis` are true. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.all(ht.asarray([False, True]))
    Array(False)
    """

def count_nonzero(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Number of nonzero elements over `axis`. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.count_nonzero(ht.asarray([0, 7, 8]))
    Array(2)
    """

def mean(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Mean over `axis`; integers give float64. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    dtype : dtype, optional
        The dtype of the result.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.mean(ht.asarray([1.0, 2.0, 6.0]))
    Array(3.)
    """

def var(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Variance over `axis`. The divisor is the number of elements minus `correction`. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    dtype : dtype, optional
        The dtype of the result.
    correction : float
        The divisor is the number of elements minus this.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.var(ht.asarray([1.0, 3.0]), correction=1)
    Array(2.)
    """

def std(x: Operand, axis: Axes | None = None, dtype: DType | None = None, *, correction: float = 0.0, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Square root of var(). Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    dtype : dtype, optional
        The dtype of the result.
    correction : float
        The divisor is the number of elements minus this.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.std(ht.asarray([1.0, 3.0]))
    Array(1.)
    """

def argmin(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Index of the first smallest element along `axis`, or of the flattened array. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.argmin(ht.asarray([3, 1, 2]))
    Array(1)
    """

def argmax(x: Operand, axis: Axes | None = None, *, keepdims: bool = False, queue: Where | None = None) -> Array:
    """
    Index of the first largest element along `axis`, or of the flattened array. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int or tuple of int, optional
        The axes; negative ones count from the end. None means all.
    keepdims : bool
        Whether the reduced axes stay, with extent 1.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the reduced axes.

    Raises
    ------
    InvalidTypeError
        For dtypes that the function does not support.
    PlacementError
        If the queue cannot be inferred from the arguments.
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Notes
    -----
    The kernel of a reduction also computes the operations on its operand.

    Examples
    --------
    >>> ht.argmax(ht.asarray([3, 1, 2]))
    Array(0)
    """

reduction_functions: list = ...

def running_min(x: Array, axis: int) -> Array:
    """The reduction of the elements up to each place along an axis. Lazy."""

def running_max(x: Array, axis: int) -> Array:
    """The reduction of the elements up to each place along an axis. Lazy."""

def running_any(x: Array, axis: int) -> Array:
    """The reduction of the elements up to each place along an axis. Lazy."""

def running_all(x: Array, axis: int) -> Array:
    """The reduction of the elements up to each place along an axis. Lazy."""

def cumulative_sum(x: Operand, *, axis: Axes | None = None, dtype: DType | None = None, include_initial: bool = False, queue: Where | None = None) -> Array:
    """
    Sums of the elements up to each place. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int, optional
        The axis; negative ones count from the end.
    dtype : dtype, optional
        The dtype of the result.
    include_initial : bool
        Whether the result begins with the initial value.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        The sums. Several dimensions need an axis.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.cumulative_sum(ht.asarray([1, 2, 3]))
    Array([1, 3, 6])
    """

def cumulative_prod(x: Operand, *, axis: Axes | None = None, dtype: DType | None = None, include_initial: bool = False, queue: Where | None = None) -> Array:
    """
    Products of the elements up to each place. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int, optional
        The axis; negative ones count from the end.
    dtype : dtype, optional
        The dtype of the result.
    include_initial : bool
        Whether the result begins with the initial value.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        The products. Several dimensions need an axis.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidTypeError
        If no array can have the dtype.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.cumulative_prod(ht.asarray([1, 2, 3]))
    Array([1, 2, 6])
    """

def diff(x: Operand, *, axis: int = -1, n: int = 1, prepend: Operand | None = None, append: Operand | None = None, queue: Where | None = None) -> Array:
    """
    Differences of neighbouring elements. Lazy.

    Parameters
    ----------
    x : Array
        An array.
    axis : int
        The axis; negative ones count from the end.
    n : int
        How often differences are taken.
    prepend : Array or number, optional
        Elements before the first.
    append : Array or number, optional
        Elements after the last.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array that is shorter by n along the axis.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.diff(ht.asarray([1, 4, 9]))
    Array([3, 5])
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

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidValueError
        If the filter string names no device.

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

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidValueError
        If the filter string names no device.

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
    Joins arrays along an axis.

    Parameters
    ----------
    arrays : sequence of Array
        The arrays.
    axis : int, optional
        The axis. With None the arrays are flattened first.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of the promoted dtype.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.concat([ht.zeros(2), ht.ones(1)])
    Array([0., 0., 1.])
    """

def stack(arrays: Sequence[Operand], axis: int = 0, *, queue: Where | None = None) -> Array:
    """
    Joins arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of Array
        The arrays.
    axis : int
        The axis; negative ones count from the end.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array with one more dimension.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.stack([ht.asarray([1, 2]), ht.asarray([3, 4])])
    Array([[1, 2],
           [3, 4]])
    """

class Border(enum.Enum):
    constant = 0

    edge = 1

    wrap = 2

    reflect = 3

    symmetric = 4

def pad(x: Array, widths: Sequence[tuple[int, int]], border: Border, constant: object) -> Array:
    """
    x with elements around it: a constant, its edges, itself (wrap), or its mirror image
    without (reflect) or with (symmetric) the last elements. Lazy.
    """

def roll(x: Array, shift: Axes, axis: Axes | None = None, *, queue: Where | None = None) -> Array:
    """
    The elements moved along axes. Elements beyond the last place appear again at the first.

    Parameters
    ----------
    x : Array
        An array.
    shift : int or tuple of int
        By how many places.
    axis : int or tuple of int, optional
        The axes. With None the array is flattened for the move.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array of x's shape.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.roll(ht.arange(5), 2)
    Array([3, 4, 0, 1, 2])
    """

def repeat(x: Array, repeats: Nested, axis: int | None = None, *, queue: Where | None = None) -> Array:
    """
    The array with each element repeated.

    Parameters
    ----------
    x : Array
        An array.
    repeats : int or array_like of int
        How often, or how often each element.
    axis : int, optional
        The axis; negative ones count from the end.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        The repeated elements. Without axis they are in one dimension.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.repeat(ht.asarray([1, 2]), 2)
    Array([1, 1, 2, 2])
    """

def tile(x: Array, repetitions: Axes, *, queue: Where | None = None) -> Array:
    """
    The array repeated as a whole along each axis.

    Parameters
    ----------
    x : Array
        An array.
    repetitions : int or tuple of int
        How often along each axis.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        The repeated array.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> ht.tile(ht.asarray([1, 2]), 2)
    Array([1, 2, 1, 2])
    """

def cross(a: Array, b: Array, axis: int) -> Array:
    """
    Cross products of vectors of three elements along a negative axis. Lazy.
    """

def dot(a: Array, b: Array) -> Array:
    """
    The product of matrices or vectors, or over a's last and b's last axis but one. Lazy.
    """

def inner(a: Array, b: Array) -> Array:
    """The product over the last axes of both arrays. Lazy."""

def matmul(x1: Operand, x2: Operand, *, queue: Where | None = None, precision: str | None = None) -> Array:
    """
    Matrix product over the last two axes; the others broadcast. The same as x1 @ x2. Lazy.

    Parameters
    ----------
    x1 : Array
        The first factor.
    x2 : Array
        The second factor.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.
    precision : {"tensorfloat32", "bfloat16"}, optional
        How far the device may round float32 and complex64 factors.

    Returns
    -------
    Array
        The product, in the promoted dtype.

    Raises
    ------
    ValueError
        If the shapes do not fit, or precision has another value.

    Notes
    -----
    With precision, the device may round factors before it multiplies, if that is faster; sums stay
    float32. The rounding changes an element of x1 @ x2 by at most (2 u + u**2) times that of
    abs(x1) @ abs(x2), where u is 2**-10 for "tensorfloat32" and 2**-8 for "bfloat16". It is a hint:
    devices may use full precision, and other dtypes ignore it.

    Examples
    --------
    >>> ht.matmul(ht.asarray([[1, 2], [3, 4]]), ht.asarray([5, 6]))
    Array([17, 39])
    """

def tensordot(x1: Operand, x2: Operand, *, axes: Axes | Sequence[Sequence[int]] = 2, queue: Where | None = None) -> Array:
    """
    Sum of products over pairs of axes. Lazy.

    Parameters
    ----------
    x1 : Array
        The first factor.
    x2 : Array
        The second factor.
    axes : int or two sequences of int
        How many of the last axes of x1 pair with the first of x2, or the pairs of axes.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array with the other axes of x1, then those of x2.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Examples
    --------
    >>> ht.tensordot(ht.asarray([1, 2]), ht.asarray([3, 4]), axes=1)
    Array(11)
    """

def vecdot(x1: Operand, x2: Operand, *, axis: int = -1, queue: Where | None = None) -> Array:
    """
    Sum of conj(x1) * x2 along an axis. Lazy.

    Parameters
    ----------
    x1 : Array
        The first factor.
    x2 : Array
        The second factor.
    axis : int
        The axis, which is negative.
    queue : Queue, Device or str, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        An array without the axis.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If the shapes of the operands do not fit. If the filter string names no device.

    Examples
    --------
    >>> ht.vecdot(ht.asarray([1, 2]), ht.asarray([3, 4]))
    Array(11)
    """

def set_blas_library(path: str) -> None:
    """
    Sets the OpenBLAS that products on CPUs use. Call it before the first product.

    Parameters
    ----------
    path : str
        The path of the library.

    Examples
    --------
    >>> ht.set_blas_library("libopenblas.so.0")  # doctest: +SKIP
    """

def set_cuda_folders(folders: Sequence[str]) -> None:
    """
    Sets folders in which NVIDIA's libraries are searched. Call it before the first use of
    one.
    """

def blas_name(device: Device) -> str:
    """
    The BLAS that products on a device use.

    Parameters
    ----------
    device : Device
        The device.

    Returns
    -------
    str
        The name; empty for hither's own kernels.

    Raises
    ------
    InvalidValueError
        If the filter string names no device.

    Examples
    --------
    >>> isinstance(ht.blas_name(ht.Device()), str)
    True
    """

class KernelRecord:
    """
    One launch of an array expression or of a kernel, or one function that NumPy computed on the host.

    Examples
    --------
    >>> ht.synchronize(ht.ones(1000) + 1)
    >>> ht.kernel_history()[-1].items > 0
    True
    """

    @property
    def name(self) -> str:
        """The name of the kernel, or the operations of the expression in order."""

    @property
    def device(self) -> str:
        """Filter string of the device."""

    @property
    def source(self) -> str:
        """
        Source of the code: "memory", "disk" or "compiled"; "host" for a function that NumPy computed.
        """

    @property
    def items(self) -> int:
        """Work-items, or elements on the host."""

    @property
    def bytes(self) -> int:
        """
        Bytes read and written, each buffer once; on the host the bytes copied.
        """

    @property
    def seconds(self) -> float:
        """
        Host time of the submission; on the host and on native_cpu the whole time.
        """

    @property
    def compile_seconds(self) -> float:
        """
        The time of the kernel's compilation, in seconds; 0 if it was compiled before.
        """

    @property
    def bandwidth(self) -> float:
        """Bytes per second."""

    def __repr__(self) -> str: ...

def kernel_history() -> list[KernelRecord]:
    """
    The last launches of array expressions and kernels, and functions that NumPy computed on the host: at most 256, oldest first.

    Returns
    -------
    list of KernelRecord
        The records.

    Examples
    --------
    >>> len(ht.kernel_history()) <= 256
    True
    """

def clear_kernel_history() -> None:
    """
    Forgets the records of kernel_history.

    Examples
    --------
    >>> ht.clear_kernel_history()
    """

def record_host_call(name: str, device: str, items: int, bytes: int, seconds: float) -> None:
    """
    Appends a function that NumPy computed on the host to kernel_history().
    """

class ProfileEvent:
    """
    One task, compilation, wait or function of NumPy on the host, in a profile.

    Notes
    -----
    Times are nanoseconds since the start of the profile.

    Examples
    --------
    >>> with ht.profile() as p:
    ...     ht.synchronize(ht.ones(1000) + 1)
    >>> "kernel" in {event.kind for event in p.events}
    True
    """

    @property
    def kind(self) -> str:
        """
        "kernel", "copy", "fill", "library", "host task", "compilation", "wait" or "fallback", a function that NumPy computed on the host.
        """

    @property
    def name(self) -> str:
        """
        The name of the kernel or function, or the operations of the expression in order.
        """

    @property
    def queue(self) -> str:
        """Description of the queue, or empty."""

    @property
    def queue_number(self) -> int:
        """Identifies the queue; 0 if none."""

    @property
    def thread(self) -> int:
        """The number of the thread that submitted it."""

    @property
    def source(self) -> str:
        """
        Source of the code: "memory", "disk" or "compiled"; "Numba" for its part of a compilation; or empty.
        """

    @property
    def line(self) -> str:
        """"FILE:LINE" of the Python code that submitted it, or empty."""

    @property
    def clock(self) -> str:
        """
        "device" if start and end were measured; "host" if the host has observed them.
        """

    @property
    def items(self) -> int:
        """Work-items or elements; 0 if unknown."""

    @property
    def bytes(self) -> int:
        """Bytes read and written, each buffer once; 0 if unknown."""

    @property
    def host_start(self) -> int:
        """Start of the submission or host work."""

    @property
    def host_end(self) -> int:
        """End of the submission or host work."""

    @property
    def start(self) -> int:
        """Start of the work in its queue, or -1."""

    @property
    def end(self) -> int:
        """End of the work in its queue, or -1."""

    def __repr__(self) -> str: ...

def begin_profile(limit: int, skipped: Sequence[str]) -> None:
    """Starts a profile; see hither/profile.h."""

def end_profile(seconds: float) -> bool:
    """
    Stops recording and waits for recorded work. Returns whether all has ended.
    """

def take_profile() -> tuple[list[ProfileEvent], int, int]:
    """
    The events, the number of events beyond the limit, and the nanoseconds of the profile.
    """

def range_interfaces() -> list[str]:
    """The interfaces to other profilers that this build has: "NVTX", "ITT"."""

class UserOp:
    """A user-defined element-wise operation."""

    def __init__(self, name: str, symbol: str, code: Sequence[str], operands: Sequence[str], result: str) -> None: ...

    def __call__(self, *operands, queue: Where | None = None) -> Any:
        """
        Applies the operation lazily. Takes the same operands as hither's element-wise
        functions.
        """

class UserReduction:
    """A reduction by a user-defined operation."""

    def __init__(self, op: UserOp, identity: object) -> None: ...

    def reduce(self, x: Operand, axis: Axes | None, dtype: DType | None, keepdims: bool, queue: Where | None) -> Array:
        """Reduces x along axes, lazily. `dtype` is the result's."""

    def scan(self, x: Operand, axis: Axes | None, dtype: DType | None, include_initial: bool, queue: Where | None) -> Array:
        """Combines the elements before and at each place along an axis, lazily."""

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
    The place of the first element in the buffer, in bytes.
strides : sequence of int, optional
    The strides of the elements in the buffer, in bytes. Without them, those of the order.
order : {"C", "F", "A", "K"}, optional
    The order of the elements in memory.
queue : Queue, Device or str, optional
    Runs there, instead of on the queue of the arrays.
device : Device or str, optional
    Another name of ``queue``.
usm_type : {"device", "shared", "host"}, optional
    The kind of memory of the result.

Raises
------
InvalidValueError
    If an extent is negative. If ``queue`` or ``device`` names no device. If ``usm_type`` has another value.
TypeError
    If no array can have the dtype.

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
    def __arrow_array__(self: Array, type: Any = ...) -> Any: ...
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
    def argpartition(self: Array, kth: Any, axis: Axes | None = ..., kind: Any = ..., order: Any | None = ...) -> Any: ...
    def argsort(self: Array, axis: Axes | None = ..., kind: Any | None = ..., order: Any | None = ..., *, stable: Any | None = ...) -> Any: ...
    def as_integer_ratio(self: Array) -> tuple[int, int]: ...
    def asarray(self, queue: Where | None, *, usm_type: UsmType | None = ...) -> Array: ...
    def astype(self: Array, dtype: DType, order: str = ..., casting: Any = ..., subok: bool = ..., copy: bool = ..., *, device: Where = ..., queue: Where = ...) -> Array: ...
    @property
    def base(self) -> Array | None: ...
    def bit_count(self: Array) -> int: ...
    def choose(self: Array, choices: Any, out: Any | None = ..., mode: Any = ...) -> Any: ...
    def clip(self: Array, min: Operand = ..., max: Operand = ..., out: Any = ..., **given: Any) -> Array: ...
    def collocate(self, other: Operand) -> Array: ...
    def compress(self: Array, condition: Operand, axis: Axes = ..., out: Any = ...) -> Array: ...
    def conj(self: Array, out: Any = ...) -> Array: ...
    def conjugate(self: Array, out: Any = ...) -> Array: ...
    def copy(self: Array, order: str = ..., *, queue: Where = ...) -> Array: ...
    def copy_to(self, target: object | None = ..., *, usm_type: UsmType | None = ...) -> Array: ...
    def copy_to_device(self: Array, ary: Any, stream: Any = ...) -> None: ...
    def copy_to_host(self: Array, ary: Any = ..., stream: Any = ...) -> Any: ...
    def cumprod(self: Array, axis: Axes | None = ..., dtype: DType | None = ..., out: Any | None = ...) -> Any: ...
    def cumsum(self: Array, axis: Axes | None = ..., dtype: DType | None = ..., out: Any | None = ...) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def device(self) -> Device: ...
    def diagonal(self: Array, offset: Any = ..., axis1: Any = ..., axis2: Any = ...) -> Any: ...
    def dot(self: Array, b: Any, out: Any | None = ...) -> Any: ...
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
    def hex(self: Array) -> str: ...
    @property
    def imag(self) -> Array: ...
    @imag.setter
    def imag(self, values: Any) -> None: ...
    def is_integer(self: Array) -> bool: ...
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
    def nonzero(self: Array) -> Any: ...
    def partition(self: Array, kth: Any, axis: int = ..., kind: str = ..., order: Any = ...) -> None: ...
    def prod(self, axis: Axes | None = ..., dtype: DType | None = ..., *, keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def put(self: Array, indices: Nested, values: Any, mode: str = ...) -> None: ...
    @property
    def queue(self) -> Queue: ...
    def ravel(self: Array, order: Any = ...) -> Any: ...
    @property
    def real(self) -> Array: ...
    @real.setter
    def real(self, values: Any) -> None: ...
    def repeat(self: Array, repeats: Nested, axis: Axes | None = ...) -> Any: ...
    def reshape(self: Array, *shape: Shape, order: str = ..., copy: bool | None = ..., **given: Any) -> Array: ...
    def round(self: Array, decimals: Any = ..., out: Any | None = ...) -> Any: ...
    def searchsorted(self: Array, v: Any, side: Any = ..., sorter: Nested | None = ...) -> Any: ...
    def set(self: Array, values: Any) -> None: ...
    def setflags(self: Array, write: Any = ..., align: Any = ..., uic: Any = ...) -> None: ...
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
    def swapaxes(self: Array, axis1: Any, axis2: Any) -> Any: ...
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
    def trace(self: Array, offset: Any = ..., axis1: Any = ..., axis2: Any = ..., dtype: DType | None = ..., out: Any | None = ...) -> Any: ...
    def transpose(self: Array, *axes: Axes | Sequence[Sequence[int]]) -> Array: ...
    @property
    def usm_type(self) -> UsmType: ...
    def var(self, axis: Axes | None = ..., dtype: DType | None = ..., *, correction: float = ..., keepdims: bool = ..., queue: Where | None = ...) -> Array: ...
    def view(self: Array, dtype: DType = ..., type: Any = ...) -> Array: ...
    __hash__: None  # type: ignore[assignment]

class ConfiguredKernel:
    def __call__(self, *args: Any) -> None: ...

class DirectCall:
    def __init__(self, general: Callable[..., Any], choose: Callable[..., Any], operands: int = 0, positional: int = 0, keywords: tuple[str, ...] = (), numbers: bool = False) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

class DirectMethod:
    def __init__(self, general: Callable[..., Any], choose: Callable[..., Any], operands: int = 0, positional: int = 0, keywords: tuple[str, ...] = (), numbers: bool = False) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

class CompiledCall:
    def __init__(self, function: Callable[..., Any], record: Callable[..., Any]) -> None: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...

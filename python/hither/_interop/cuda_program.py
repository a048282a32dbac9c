"""Kernels of a program in CUDA C++, PTX or a cubin, on hither's queues and arrays."""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._hither import Array, Event, NdRange, Queue, asarray, default_queue
from .._libraries.cuda.dynamic_library import DynamicLibrary
from .._libraries.host_call import has_memory
from .._names import a_type
from ..errors import (
    CompileError,
    DeviceError,
    InvalidTypeError,
    InvalidValueError,
    UnsupportedError,
)
from .native_argument import extents, packed, queue_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Kernel", "Program"]

_cuda = DynamicLibrary("cuda", "(it comes with NVIDIA's driver)")
_nvrtc = DynamicLibrary("nvrtc", "nvidia-cuda-nvrtc")
_ELF, _FATBIN = b"\x7fELF", b"\x50\xed\x55\xba"
_MOST_DYNAMIC_BYTES = 8  # CUfunction_attribute
_INVALID_VALUE = 1


def _message(status: int) -> str:
    name, text = ctypes.c_char_p(), ctypes.c_char_p()
    _cuda.raw("cuGetErrorName", status, ctypes.byref(name))
    _cuda.raw("cuGetErrorString", status, ctypes.byref(text))
    return f"{(name.value or b'unknown').decode()} ({status}): {(text.value or b'').decode()}"


def _check(status: int, where: str) -> None:
    if status:
        raise DeviceError(where, _message(status), status)


def _compiled(source: str, options: Sequence[str], queue: Queue) -> bytes:
    """Compiles CUDA C++ to a cubin by NVRTC. Raises CompileError with NVRTC's log."""
    if not _nvrtc:
        raise UnsupportedError(
            "Program",
            "CUDA C++ needs NVRTC, which is not installed: pip install nvidia-cuda-nvrtc, or set "
            "CUDA_HOME to a toolkit; PTX and cubins do not need it",
        )
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    _nvrtc.call(
        "nvrtcCreateProgram", ctypes.byref(handle), source.encode(), b"program.cu", 0, None, None
    )
    try:
        major, minor = str(queue.device.info("version")).split(".")
        words = [f"--gpu-architecture=sm_{major}{minor}", *options]
        given = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
        status = _nvrtc.raw("nvrtcCompileProgram", handle, len(words), given)
        if status:
            _nvrtc.call("nvrtcGetProgramLogSize", handle, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            _nvrtc.call("nvrtcGetProgramLog", handle, log)
            raise CompileError(
                "Program", f"NVRTC refused the source:\n{log.value.decode()}", status
            )
        _nvrtc.call("nvrtcGetCUBINSize", handle, ctypes.byref(size))
        code = ctypes.create_string_buffer(size.value)
        _nvrtc.call("nvrtcGetCUBIN", handle, code)
        return code.raw
    finally:
        _nvrtc.raw("nvrtcDestroyProgram", ctypes.byref(handle))


def _code_of(code: Any, options: Sequence[str], queue: Queue) -> bytes:
    if isinstance(code, os.PathLike):
        code = Path(code).read_bytes()
    if isinstance(code, (bytes, bytearray)):
        if code[:4] in (_ELF, _FATBIN):
            return bytes(code)
        code = bytes(code).decode()
    if not isinstance(code, str):
        raise InvalidTypeError("Program", f"code is {a_type(code)}, not text or bytes")
    if ".version" in code and ".target" in code:
        return code.encode() + b"\0"
    return _compiled(code, options, queue)


class _Module:
    """Loaded code. It is never unloaded before the context ends, because launches may use it."""

    def __init__(self, code: bytes, queue: Queue) -> None:
        self.queue = queue
        self._native = ctypes.c_void_p()
        self._functions: dict[str, ctypes.c_void_p] = {}
        self._lock = threading.Lock()
        log = ctypes.create_string_buffer(16384)
        options = (ctypes.c_int * 2)(5, 6)  # the error log and its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))

        def load(_stream: int) -> None:
            status = _cuda.raw(
                "cuModuleLoadDataEx", ctypes.byref(self._native), code, 2, options, values
            )
            if status:
                said = log.value.decode(errors="replace")
                raise CompileError("Program", f"{_message(status)}\n{said}".rstrip(), status)

        queue.submit_native(load)

    def function(self, name: str) -> ctypes.c_void_p:
        """The kernel of this name. The context must be current."""
        with self._lock:
            if name not in self._functions:
                found = ctypes.c_void_p()
                status = _cuda.raw(
                    "cuModuleGetFunction", ctypes.byref(found), self._native, name.encode()
                )
                if status:
                    raise InvalidValueError(
                        "Program", f'has no kernel {name!r} (extern "C" prevents name mangling)'
                    )
                self._functions[name] = found
            return self._functions[name]


class Program:
    """Code for an NVIDIA GPU: CUDA C++, PTX, a cubin or a fatbin::

        program = ht.cuda.Program(source, queue="cuda:gpu:0")
        program["saxpy"][ht.NdRange(n, 256)](np.float32(2), x, y)

    ``code`` is text, bytes or a path. CUDA C++ is compiled by NVRTC with ``options``, PTX by the
    driver. The code is loaded into the context of ``queue`` (a queue, a device or a filter string).
    Kernels run on the queue of their arrays, which must belong to this context.
    """

    def __init__(self, code: Any, *, queue: Any = None, options: Sequence[str] = ()) -> None:
        where = default_queue(queue)
        if where.native_stream is None:
            raise UnsupportedError(
                "Program",
                f"{where.device.filter_string} cannot load CUDA code: it is not a CUDA device; "
                'pass queue="cuda", or write the kernel with @hither.kernel for every device',
            )
        self._module = _Module(_code_of(code, options, where), where)

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of this name. Raises InvalidValueError if there is none."""
        self._module.queue.submit_native(lambda _stream: self._module.function(name))
        return Kernel(self._module, name)


class Kernel:
    """A kernel of a :class:`Program`: ``kernel[ht.NdRange(sizes, group)](*arguments)``.

    Arrays of hither or of another CUDA library are passed as addresses. Numbers of NumPy's types
    are passed unchanged; Python's bool, int, float and complex are passed as bool, 64-bit int,
    double and pairs of doubles. The arrays determine the queue, and all are treated as read and
    written. Sizes are in hither's order, in which CUDA's x is the last dimension, and are multiples
    of the group's sizes: the kernel must skip items beyond its data.
    """

    def __init__(self, module: _Module, name: str) -> None:
        self._module = module
        self.name = name

    def __getitem__(self, launch: Any) -> Any:
        if not isinstance(launch, tuple):
            launch = (launch,)
        sizes, *shared = launch
        if not isinstance(sizes, NdRange) or len(shared) > 1:
            raise InvalidTypeError(
                self.name, "is launched as kernel[ht.NdRange(sizes, group)] or kernel[NdRange, "
                "bytes of dynamic shared memory]"
            )  # fmt: skip
        whole, group = extents(sizes.global_range), extents(sizes.local_range)
        return lambda *arguments: self._launch(whole, group, shared[0] if shared else 0, arguments)

    def _launch(
        self, sizes: tuple[int, ...], group: tuple[int, ...], shared: int, arguments: tuple
    ) -> Event:
        groups = [size // items for size, items in zip(sizes, group, strict=True)]
        grid, block = ([*reversed(part), 1, 1][:3] for part in (groups, group))
        values: list[Any] = []
        arrays: list[Array] = []
        for argument in arguments:
            on_host = isinstance(argument, np.ndarray)
            if on_host and not hasattr(argument, "__sycl_usm_array_interface__"):
                raise InvalidTypeError(
                    self.name, "takes no NumPy arrays; copy them by hither.asarray"
                )
            value = asarray(argument) if has_memory(argument) else packed(self.name, argument)
            if isinstance(value, Array):
                if not value.flags["C_CONTIGUOUS"]:
                    raise InvalidValueError(self.name, "takes C-contiguous arrays; copy the view")
                arrays.append(value)
            values.append(value)
        queue = queue_of(self.name, arrays, self._module.queue)

        def give(stream: int, *addresses: int) -> None:
            left = iter(addresses)
            words = [ctypes.c_void_p(next(left)) if isinstance(v, Array) else v for v in values]
            pointers = (ctypes.c_void_p * max(1, len(words)))(
                *(ctypes.addressof(word) for word in words)
            )
            function = self._module.function(self.name)
            if shared:
                _check(
                    _cuda.raw("cuFuncSetAttribute", function, _MOST_DYNAMIC_BYTES, shared),
                    self.name,
                )
            status = _cuda.raw(
                "cuLaunchKernel", function, *grid, *block, shared, ctypes.c_void_p(stream),
                pointers, None,
            )  # fmt: skip
            if status == _INVALID_VALUE:
                raise InvalidValueError(
                    self.name, f"CUDA refuses {grid} groups of {block} items (in CUDA's order, x "
                    f"first) with {len(values)} arguments"
                )  # fmt: skip
            _check(status, self.name)

        return queue.submit_native(give, writes=arrays)

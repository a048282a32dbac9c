"""Programs for SYCL devices, built at run time."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import shlex
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._hither import Array, Event, LocalAccessor, NdRange, Queue, Range, asarray, default_queue
from .._libraries.host_call import has_memory
from .._names import a_type
from ..errors import (
    CompileError,
    DeviceError,
    InvalidTypeError,
    InvalidValueError,
    PlacementError,
    UnsupportedError,
)
from .native_argument import extents, packed, queue_of

__all__ = ["Kernel", "Program"]

_LANGUAGES = {"opencl": 0, "spirv": 1, "sycl": 2}
_SPIRV_MAGIC = b"\x03\x02\x23\x07"
_HEADER_WORDS = 5
_ERRORS = {1: DeviceError, 2: CompileError, 3: InvalidValueError, 4: UnsupportedError}
_POINTER, _LOCAL_BYTES = -1, -2
_INFO = (
    "num_args",
    "work_group_size",
    "preferred_work_group_size_multiple",
    "private_mem_size",
    "max_num_sub_groups",
    "max_sub_group_size",
    "compile_num_sub_groups",
    "compile_sub_group_size",
)


@functools.cache
def _driver() -> ctypes.CDLL:
    # The device registry has opened it.
    driver = ctypes.CDLL("libhither_sycl.so", mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    driver.hither_sycl_message.restype = ctypes.c_char_p
    return driver


def _call(where: str, function: str, *arguments: Any) -> None:
    words = (ctypes.c_int64(x) if isinstance(x, int) else x for x in arguments)
    if status := getattr(_driver(), f"hither_sycl_{function}")(*words):
        raise _ERRORS[status](where, _driver().hither_sycl_message().decode(errors="replace"))


def _texts(words: Sequence[str]) -> tuple[Any, int]:
    return (ctypes.c_char_p * max(1, len(words)))(*(w.encode() for w in words)), len(words)


def _checked(argument: str, words: Sequence[str]) -> list[str]:
    words = list(words)
    for word in words:
        if not isinstance(word, str):
            raise InvalidTypeError("Program", f"{argument} has {a_type(word)}; give texts")
    return words


class _Native:
    """A native object of the driver, released with this object. Running launches keep it alive."""

    def __init__(self, kind: str) -> None:
        self.address: ctypes.c_void_p = ctypes.c_void_p()
        # At the end of the process the devices are released first.
        weakref.finalize(self, _end, kind, self.address).atexit = False


def _end(kind: str, address: ctypes.c_void_p) -> None:
    if address:
        _call(kind, f"end_{kind}", address)


class Program:
    """Code for a SYCL device: OpenCL C, SPIR-V or SYCL C++::

        program = ht.sycl.Program(source, queue="opencl:cpu:0")
        program["saxpy"][ht.Range(n)](np.float32(2), x, y)

    ``code`` is text, bytes or a path. ``language`` is "opencl", "spirv" or "sycl"; by default,
    SPIR-V is recognised by its header, and other text is OpenCL C. ``options`` are the compiler's:
    a list, or one text in shell syntax. SYCL source is compiled by DPC++'s runtime compiler:
    ``files`` maps names of headers to their texts, and ``names`` lists the kernels that are
    instances of templates ("scale<float>"); other kernels are ``extern "C"`` free functions. The
    program is built for the device and context of ``queue`` (a queue, a device or a filter string),
    and runs on any queue of that context. It is released with the last reference to the program and
    its kernels, after running launches.
    """

    def __init__(
        self,
        code: Any,
        *,
        queue: Any = None,
        language: str | None = None,
        options: str | Sequence[str] = (),
        names: str | Sequence[str] = (),
        files: Mapping[str, str] | None = None,
    ) -> None:
        self.queue: Queue = default_queue(queue)
        if self.queue.backend not in ("opencl", "level_zero"):
            raise UnsupportedError(
                "Program",
                f"{self.queue.device.filter_string} cannot build OpenCL C, SPIR-V or SYCL: it is "
                "not a SYCL device; those of opencl and level_zero are",
            )
        code = _bytes_of(code)
        if language is None:
            language = "spirv" if code.startswith(_SPIRV_MAGIC) else "opencl"
        if language not in _LANGUAGES:
            known = ", ".join(map(repr, _LANGUAGES))
            raise InvalidValueError("Program", f"language={language!r} is none of {known}")
        if language != "sycl" and (names or files):
            raise InvalidValueError("Program", "names= and files= are for SYCL source only")
        if language == "spirv":
            _check_spirv(code)
        self.language = language
        self._kernels: dict[str, _Native] = {}
        self._lock = threading.Lock()
        self._native = _Native("program")
        words = shlex.split(options) if isinstance(options, str) else _checked("options=", options)
        known_names = _checked("names=", [names] if isinstance(names, str) else names)
        pairs = _checked("files=", [text for pair in (files or {}).items() for text in pair])

        def build(native: int) -> None:
            _call(
                "Program", "build", native, _LANGUAGES[language], code, len(code),
                *_texts(words), *_texts(known_names), *_texts(pairs),
                ctypes.byref(self._native.address),
            )  # fmt: skip

        self.queue.submit_native(build)

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of this name. Raises InvalidValueError if there is none."""
        with self._lock:
            if name not in self._kernels:
                found, program = _Native("kernel"), self._native.address
                try:
                    _call("Program", "kernel", program, name.encode(), ctypes.byref(found.address))
                except InvalidValueError:
                    raise InvalidValueError("Program", f"has no kernel {name!r}") from None
                self._kernels[name] = found
            return Kernel(self, name, self._kernels[name])

    def __contains__(self, name: str) -> bool:
        """Whether there is a kernel of this name."""
        try:
            self[name]
        except InvalidValueError:
            return False
        return True


def _check_spirv(code: bytes) -> None:
    """Raises CompileError unless the lengths of instructions are consistent. Otherwise OpenCL's
    SPIR-V readers may loop forever."""
    at = 4 * _HEADER_WORDS
    if not code.startswith(_SPIRV_MAGIC) or len(code) < at:
        raise CompileError("Program", "the code is not SPIR-V: it does not begin with the header")
    while at < len(code):
        words = int.from_bytes(code[at + 2 : at + 4], "little")
        if words == 0 or at + 4 * words > len(code):
            raise CompileError("Program", f"the SPIR-V is damaged at byte {at}")
        at += 4 * words


def _bytes_of(code: Any) -> bytes:
    if isinstance(code, os.PathLike):
        return Path(code).read_bytes()
    if isinstance(code, str):
        return code.encode()
    if isinstance(code, (bytes, bytearray, memoryview)):
        return bytes(code)
    raise InvalidTypeError("Program", f"code is {a_type(code)}, not text or bytes")


class Kernel:
    """A kernel of a :class:`Program`: ``kernel[range](*arguments)`` launches it and returns the
    event.

    ``range`` is a Range, or an NdRange of whole work-groups, in SYCL's order: OpenCL's dimension 0
    is the last one. C-contiguous arrays in USM of hither or another SYCL library are passed as
    addresses. They determine the queue, and all are treated as read and written. A LocalAccessor is
    local memory. Numbers of NumPy's types are passed unchanged; Python's bool, int, float and
    complex have 64 bits per part. ``queue=`` is another queue of the program's context to launch
    on. ``depends_on=`` is an event, or several, to wait for.
    """

    def __init__(self, program: Program, name: str, native: _Native) -> None:
        self._program = program
        self.name = name
        self._native = native

    def info(self, name: str) -> int:
        """One of SYCL's kernel descriptors for the program's device, or "num_args"."""
        if name not in _INFO:
            raise InvalidValueError(self.name, f"{name!r} is none of {', '.join(_INFO)}")
        value, which = ctypes.c_int64(), _INFO.index(name)

        def ask(native: int) -> None:
            kernel = self._native.address
            _call(self.name, "kernel_info", native, kernel, which, ctypes.byref(value))

        self._program.queue.submit_native(ask)
        return value.value

    def __getitem__(self, sizes: Any) -> Any:
        if isinstance(sizes, int):
            sizes = Range(sizes)
        if isinstance(sizes, NdRange):
            whole, group = extents(sizes.global_range), extents(sizes.local_range)
            if any(size % part for size, part in zip(whole, group, strict=True)):
                raise InvalidValueError(
                    self.name, f"takes whole work-groups: {group} does not divide {whole}"
                )
        elif isinstance(sizes, Range):
            whole, group = extents(sizes), ()
        else:
            raise InvalidTypeError(
                self.name, "is launched as kernel[ht.Range(sizes)] or kernel[ht.NdRange(...)]"
            )
        return lambda *arguments, queue=None, depends_on=None: self._launch(
            whole, group, arguments, queue, depends_on
        )

    def _launch(
        self,
        whole: tuple[int, ...],
        group: tuple[int, ...],
        arguments: tuple,
        queue: Queue | None,
        depends_on: Any,
    ) -> Event:
        values = [self._value(argument) for argument in arguments]
        arrays = [value for _, value in values if isinstance(value, Array)]
        if queue is None:
            queue = queue_of(self.name, arrays, self._program.queue)
        elif queue.context != self._program.queue.context:
            home = self._program.queue
            raise PlacementError(
                self.name, f"was loaded on {home}; {queue} belongs to another context"
            )
        self._check_local_memory(values, queue)
        sizes = (ctypes.c_int64 * len(whole))(*whole)
        local = (ctypes.c_int64 * len(group))(*group) if group else 0
        kinds = (ctypes.c_int64 * max(1, len(values)))(*(kind for kind, _ in values))

        def give(native: int, *addresses: int) -> None:
            left = iter(addresses)
            words = [
                ctypes.c_void_p(next(left)) if isinstance(v, Array) else v for _, v in values
            ]  # fmt: skip
            pointers = (ctypes.c_void_p * max(1, len(words)))(*map(ctypes.addressof, words))
            _call(
                self.name, "launch", native, self._native.address, len(whole), sizes, local,
                len(words), kinds, pointers,
            )  # fmt: skip

        return queue.submit_native(give, writes=arrays, depends_on=depends_on)

    def _check_local_memory(self, values: list[tuple[int, Any]], queue: Queue) -> None:
        asked = sum(value.value for kind, value in values if kind == _LOCAL_BYTES)
        if asked and asked > (most := queue.device.local_mem_size):
            raise InvalidValueError(
                self.name, f"needs {asked} bytes of local memory for LocalAccessors; "
                f"{queue.device.filter_string} has {most} (device.local_mem_size)"
            )  # fmt: skip

    def _value(self, argument: Any) -> tuple[int, Any]:
        """An argument's kind and value."""
        if isinstance(argument, LocalAccessor):
            count = math.prod(argument.shape) * argument.dtype.itemsize
            return _LOCAL_BYTES, ctypes.c_int64(max(1, count))
        if isinstance(argument, np.ndarray):
            raise InvalidTypeError(self.name, "takes no NumPy arrays; copy them by hither.asarray")
        if not has_memory(argument):
            number = packed(self.name, argument)
            return len(number), number
        x = asarray(argument)
        if not x.flags["C_CONTIGUOUS"]:
            raise InvalidValueError(self.name, "takes C-contiguous arrays; copy the view")
        return _POINTER, x

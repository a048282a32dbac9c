"""dpctl.program: kernels in OpenCL C and SPIR-V, and SyclQueue.submit for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import hither
from hither._names import a_type
from hither.compat.dpctl.numbers import number_of
from hither.sycl import Kernel, Program

__all__ = [
    "SyclKernel",
    "SyclProgram",
    "SyclProgramCompilationError",
    "create_program_from_source",
    "create_program_from_spirv",
]

SyclProgramCompilationError = hither.CompileError


class _Number(property):
    """A property of a kernel: the device's descriptor with the attribute's name."""

    def __init__(self, doc: str) -> None:
        super().__init__(lambda kernel: kernel._kernel.info(self.name), doc=doc)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class SyclKernel:
    """A kernel of a SyclProgram, for ``SyclQueue.submit``. Its properties are for its device."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def get_function_name(self) -> str:
        """Its name in the program."""
        return self._kernel.name

    def get_num_args(self) -> int:
        """The number of arguments."""
        return self.num_args

    num_args: _Number = _Number("The number of arguments.")
    work_group_size: _Number = _Number("The maximum number of work-items in a work-group.")
    preferred_work_group_size_multiple: _Number = _Number(
        "The preferred multiple of the size of a work-group."
    )
    private_mem_size: _Number = _Number("The minimum bytes of private memory of a work-item.")
    max_num_sub_groups: _Number = _Number("The maximum number of sub-groups in a work-group.")
    max_sub_group_size: _Number = _Number("The maximum number of work-items in a sub-group.")
    compile_num_sub_groups: _Number = _Number(
        "The number of sub-groups that the source requires, or 0."
    )
    compile_sub_group_size: _Number = _Number(
        "The size of sub-groups that the source requires, or 0."
    )


class SyclProgram:
    """A program that was built for a queue's context and device."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def get_sycl_kernel(self, kernel_name: str) -> SyclKernel:
        """The kernel of this name. Raises InvalidValueError, a ValueError, if there is none."""
        return SyclKernel(self._program[kernel_name])

    def has_sycl_kernel(self, kernel_name: str) -> bool:
        """Whether there is a kernel of this name."""
        return kernel_name in self._program


def _built(where: str, queue: Any, code: Any, language: str, copts: str) -> SyclProgram:
    if not isinstance(queue, hither.Queue):
        raise hither.InvalidTypeError(where, f"q={queue!r} is not a queue")
    if not isinstance(copts, str):
        raise hither.InvalidTypeError(where, f"copts is {a_type(copts)}, not a str")
    if queue.backend not in ("opencl", "level_zero"):
        name = queue.device.filter_string
        raise hither.UnsupportedError(
            where, f"{name} cannot build OpenCL C or SPIR-V; use a queue on a SYCL device"
        )
    return SyclProgram(Program(code, queue=queue, language=language, options=copts))


def create_program_from_source(q: hither.Queue, src: str, copts: str = "") -> SyclProgram:
    """Builds OpenCL C. SyclProgramCompilationError contains the compiler's log."""
    if not isinstance(src, str):
        raise hither.InvalidTypeError("src", f"is {a_type(src)}, not a str")
    return _built("create_program_from_source", q, src, "opencl", copts)


def create_program_from_spirv(
    q: hither.Queue,
    IL: bytes,  # noqa: N803
    copts: str = "",
) -> SyclProgram:
    """Builds the bytes of a SPIR-V module."""
    if not isinstance(IL, bytes | bytearray | memoryview):
        raise hither.InvalidTypeError("IL", f"is {a_type(IL)}, not bytes")
    return _built("create_program_from_spirv", q, IL, "spirv", copts)


def submit_async(
    queue: hither.Queue,
    kernel: SyclKernel,
    args: Sequence[Any],
    gS: Sequence[int],  # noqa: N803
    lS: Sequence[int] | None = None,  # noqa: N803
    dEvents: Any = None,  # noqa: N803
) -> hither.Event:
    """Launches the kernel on the queue over a global and, if given, a local size. Returns the
    event."""
    if not isinstance(kernel, SyclKernel):
        raise hither.InvalidTypeError("submit", f"{kernel!r} is not a SyclKernel")
    sizes = hither.Range(*gS) if lS is None else hither.NdRange(list(gS), list(lS))
    launch = kernel._kernel[sizes]
    return launch(*map(number_of, args), queue=queue, depends_on=dEvents)


def submit(
    queue: hither.Queue,
    kernel: SyclKernel,
    args: Sequence[Any],
    gS: Sequence[int],  # noqa: N803
    lS: Sequence[int] | None = None,  # noqa: N803
    dEvents: Any = None,  # noqa: N803
) -> hither.Event:
    """submit_async(), followed by a wait, as in dpctl."""
    event = submit_async(queue, kernel, args, gS, lS, dEvents)
    event.wait()
    return event


def keep_alive(queue: hither.Queue, args: Any, events: Any) -> hither.Event:
    """An event after ``events``. ``args`` are kept alive until it is complete."""
    return queue.submit_host(lambda kept=args: None, depends_on=events)

"""Transforms by cuFFT on NVIDIA GPUs."""

from __future__ import annotations

import ctypes
import math
import threading

from ..._hither import Array
from ..handle_cache import Kept
from ..transform_library import submit
from .dynamic_library import DynamicLibrary

__all__ = ["SIDE_BY_SIDE", "run", "takes"]

SIDE_BY_SIDE = True
LIBRARY = DynamicLibrary("cufft", "nvidia-cufft")
# cuFFT's names of (real to complex, complex to real, complex to complex) for each precision.
_KINDS = {
    "rfftn": (0x2A, 0x6A),
    "irfftn": (0x2C, 0x6C),
    "fftn": (0x29, 0x69),
    "ifftn": (0x29, 0x69),
}
_CALLS = {
    0x2A: "cufftExecR2C", 0x6A: "cufftExecD2Z", 0x2C: "cufftExecC2R", 0x6C: "cufftExecZ2D",
    0x29: "cufftExecC2C", 0x69: "cufftExecZ2Z",
}  # fmt: skip
_FORWARD, _INVERSE = -1, 1

_plans = Kept(32, lambda plan: LIBRARY.raw("cufftDestroy", plan))
_lock = threading.Lock()  # protects the plans: each has one work area and so one stream


def takes(_arrays: tuple[Array, ...]) -> bool:
    """Whether cuFFT is installed."""
    return bool(LIBRARY)


def _make_plan(kind: int, lengths: tuple[int, ...], count: int, first: bool, stream: int) -> int:
    plan, work = ctypes.c_int(), ctypes.c_size_t()
    extents = (ctypes.c_longlong * len(lengths))(*lengths)
    # For the first axis, the elements of a line have stride `count`.
    layout = (extents, count, 1) if first else (None, 1, 0)
    LIBRARY.call("cufftCreate", ctypes.byref(plan))
    LIBRARY.call(
        "cufftMakePlanMany64", plan.value, len(lengths), extents, *layout, *layout, kind, count,
        ctypes.byref(work),
    )  # fmt: skip
    LIBRARY.call("cufftSetStream", plan.value, ctypes.c_void_p(stream))
    return plan.value


def run(
    work: str, source: Array, result: Array, lengths: tuple[int, ...], first: bool = False
) -> None:
    """Runs a plan over the last axes, or the first; see transform_library.Library.run."""
    kind = _KINDS[work][source.dtype.char in "dD"]
    count = math.prod(source.shape[1:] if first else source.shape[: source.ndim - len(lengths)])
    direction = () if "r" in work else (_FORWARD if work == "fftn" else _INVERSE,)

    def give(stream: int, from_: int, to: int) -> None:
        with _lock:
            key = (kind, lengths, count, first, stream, source.device)
            plan = _plans.get_or_make(key, lambda: _make_plan(kind, lengths, count, first, stream))
            LIBRARY.call(_CALLS[kind], plan, from_, to, *direction)

    submit(work, source, result, give)

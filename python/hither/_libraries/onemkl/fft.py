"""Transforms by oneMKL on SYCL devices."""

from __future__ import annotations

import ctypes
import math
import threading

from ..._hither import Array
from ..handle_cache import Kept
from ..transform_library import submit
from .plugin import call, may_wait

__all__ = ["SIDE_BY_SIDE", "run", "takes"]

SIDE_BY_SIDE = False
_plans = Kept(32, lambda plan: call("end_plan", ctypes.c_void_p(plan)))
_lock = threading.Lock()


def takes(arrays: tuple[Array, ...]) -> bool:
    """Whether oneMKL can be called."""
    return may_wait(arrays[0].queue)


def _make_plan(single: bool, real: bool, lengths: tuple[int, ...], count: int) -> int:
    plan = ctypes.c_void_p()
    extents = (ctypes.c_int64 * len(lengths))(*lengths)
    call("plan", ctypes.byref(plan), single, real, len(lengths), extents, count)
    assert plan.value is not None
    return plan.value


def run(work: str, source: Array, result: Array, lengths: tuple[int, ...]) -> None:
    """Runs a plan over the last axes; see transform_library.Library.run."""
    inverse, real = work in ("ifftn", "irfftn"), work in ("rfftn", "irfftn")
    count = math.prod(source.shape[: source.ndim - len(lengths)])

    def give(native: int, from_: int, to: int) -> None:
        with _lock:  # a plan belongs to a queue, whose address a later queue may reuse
            key = (native, source.dtype.char in "fF", real, lengths, count)
            plan = _plans.get_or_make(key, lambda: _make_plan(*key[1:]))
            call("transform", ctypes.c_void_p(plan), native, inverse, from_, to)

    submit(work, source, result, give)

"""Kernels with the launch syntax of numba_dppy and numba_dpex."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import hither

__all__ = ["DEFAULT_LOCAL_SIZE", "Kernel", "kernel"]

DEFAULT_LOCAL_SIZE: tuple[int, ...] = ()
_ACCESS_TYPES = ("read_only", "write_only", "read_write")


def _range(size: Any) -> Any:
    """A hither.Range of an int or a sequence of ints. Ranges are returned unchanged."""
    if isinstance(size, hither.Range | hither.NdRange):
        return size
    return hither.Range(size) if isinstance(size, int) else hither.Range(*size)


def _group_of(extents: tuple[int, ...], most: int) -> tuple[int, ...]:
    """The largest extents of a group of at most `most` items that divide `extents`. Those of the
    last dimension come first."""
    local: list[int] = []
    for extent in reversed(extents):
        size = next((n for n in range(min(most, extent), 1, -1) if extent % n == 0), 1)
        local.insert(0, size)
        most //= size
    return tuple(local)


class Kernel:
    """A hither kernel whose ``f[g, l]`` means a global and a local size, each an int or a tuple.

    ``f[g]`` and ``f[g, DEFAULT_LOCAL_SIZE]`` leave the size of a work-group to the device.
    ``f(...)`` runs over the shape of the first array.
    """

    def __init__(self, function: Callable[..., Any], signature: Any = None, **options: Any) -> None:
        self.hither_kernel: Any = hither.kernel(signature, **options)(function)
        functools.update_wrapper(self, function)

    def __getitem__(self, key: Any) -> Callable[..., Any]:
        sizes = key if isinstance(key, tuple) else (key,)
        if len(sizes) not in (1, 2):
            raise hither.InvalidValueError(
                "kernel", f"takes a global size and a local size, not {len(sizes)} sizes"
            )
        local = sizes[1] if len(sizes) == 2 else DEFAULT_LOCAL_SIZE
        whole = _range(sizes[0])
        if isinstance(local, int) or len(local) > 0:
            return self.hither_kernel[hither.NdRange(whole, _range(local))]
        if isinstance(whole, hither.NdRange):
            return self.hither_kernel[whole]
        return functools.partial(self._launch, whole)

    def _launch(self, whole: Any, *arguments: Any) -> None:
        """Launches with work-groups of a size that hither chooses, if the kernel needs any."""
        try:
            self.hither_kernel[whole](*arguments)
        except hither.InvalidValueError as error:
            if "uses work-groups" not in str(error):
                raise
            extents = tuple(whole)
            queues = (a.queue for a in arguments if isinstance(a, hither.Array))
            device = next(queues, hither.current_queue()).device
            local = _group_of(extents, device.max_work_group_size)
            self.hither_kernel[hither.NdRange(whole, hither.Range(*local))](*arguments)

    def __call__(self, *arguments: Any) -> None:
        self.hither_kernel(*arguments)


def kernel(function: Any = None, *, access_types: Any = None, **options: Any) -> Any:
    """Decorator that makes a function a Kernel. It takes a signature, options, or no argument.

    ``access_types`` names the arrays that are "read_only", "write_only" and "read_write". hither
    infers this, so that the names are checked but have no effect.
    """
    if function is None or not callable(function):
        return functools.partial(_declared, function, access_types, options)
    return _declared(None, access_types, options, function)


def _declared(signature: Any, access_types: Any, options: dict[str, Any], function: Any) -> Kernel:
    for kind, names in (access_types or {}).items():
        if kind not in _ACCESS_TYPES:
            raise hither.InvalidValueError(
                "kernel", f"access_types has {kind!r}, which is none of {', '.join(_ACCESS_TYPES)}"
            )
        for name in names:
            if name not in inspect.signature(function).parameters:
                raise hither.InvalidValueError(
                    "kernel",
                    f"access_types names {name!r}, not a parameter of {function.__name__}",
                )
    return Kernel(function, signature, **options)

"""@hither.kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, overload

from ..._checked_call import checked
from ..._documentation import complete
from ..._environment import checks_kernels
from ..._hither import KernelDispatcher
from .item_parameter import item_parameter
from .options import CompileOptions


@overload
def kernel(function: Callable, /) -> KernelDispatcher: ...
@overload
def kernel(
    signature: str | Sequence[str] | None = None,
    /,
    *,
    debug: bool | None = None,
    fastmath: bool = False,
    cache: bool = False,
    fma: bool = True,
) -> Callable[[Callable], KernelDispatcher]: ...
@checked
def kernel(
    function: Any = None,
    /,
    *,
    debug: bool | None = None,
    fastmath: bool = False,
    cache: bool = False,
    fma: bool = True,
) -> Any:
    """Makes a Python function a kernel: its body runs once for every work-item of a range.

    `f[n](...)`, `f[n, m](...)`, `f[hither.Range(n)](...)` and `f[hither.NdRange(g, l)](...)`
    launch it over a range, and so does `f[(g, h), (l, k)]`, an NdRange. `f(...)` launches it over
    the shape of its first array argument. The launch uses the arrays' queue (computation follows
    data) and is asynchronous. NumPy arrays need a `device_context` around the call, or `queue=`.
    They are copied to the device and back, and the call returns after that.

    The function is compiled at the first call with arguments of new types. With signatures,
    `@hither.kernel("void(f8[:], f8)")`, a list of them, or Numba's objects, it is compiled for
    these types and the default device at the decoration, and other types are refused.

    `debug` checks every index; its default is the environment variable HITHER_DEBUG. An error
    inside a kernel is raised by the event, by `queue.wait()` and by reads of the arrays that the
    kernel writes. `fastmath` lets the compiler reorder floating-point arithmetic. `fma` lets GPUs
    fuse a multiplication and an addition, as CUDA's compilers do; without it, and on CPUs, each
    operation is rounded, as in NumPy. `cache` also stores Numba's output on disk, so that later
    processes do not import Numba for this kernel. Machine code is always cached.

    Raises at the call, or with signatures at the decoration: CompileError if the body cannot be a
    kernel, PlacementError if the arguments determine no queue or several, TypeError for wrong
    arguments.
    """
    if debug is None:
        debug = checks_kernels()
    if function is None or not callable(function):
        options = CompileOptions(debug, fastmath, cache, fma, _signature_texts(function))
        return functools.partial(_make, options=options)
    return _make(function, CompileOptions(debug, fastmath, cache, fma))


def _signature_texts(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    from .device_func import signature_texts

    return signature_texts(given)


def _make(function: Callable, options: CompileOptions) -> KernelDispatcher:
    if not callable(function) or not hasattr(function, "__code__"):
        raise TypeError("kernel decorates a Python function: @hither.kernel above its def")
    names, defaults = _parameters_of(function)
    dispatcher = KernelDispatcher(function, names, defaults, options)
    if options.cache:
        from ..numba.source_cache import tools

        tools()  # computed here, so that the first launch is faster
    if options.signatures:
        from ..numba.numba_version import check_kernels

        check_kernels()
        from ..numba.signature import eager_types

        for text in options.signatures:
            dispatcher._compile_for(eager_types(text))
    return dispatcher


def _parameters_of(function: Callable) -> tuple[list[str], dict[str, Any]]:
    """The names of a launch's arguments, and the default values."""
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(
                f"{function.__name__}: a kernel's parameters are positional; {parameter} is not"
            )
    passed = parameters if item_parameter(function) is None else parameters[1:]
    defaults = {p.name: p.default for p in passed if p.default is not p.empty}
    return [p.name for p in passed], defaults


complete("kernel", globals())

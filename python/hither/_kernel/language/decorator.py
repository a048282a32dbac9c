"""@hither.kernel."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, overload

from ..._environment import checks_kernels
from ..._hither import KernelDispatcher
from .device_func import signature_texts
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
    launch it over a range, `f(...)` over the shape of its first array argument; `f[(g, h), (l, k)]`
    is an NdRange too. The queue is the arrays' own (computation follows data); NumPy arrays need a
    `device_context` around the call, or `queue=`, are copied there and back, and the call returns
    when they are. Otherwise launches do not wait.

    The function is compiled when it is first called with arguments of new types. With signatures,
    `@hither.kernel("void(f8[:], f8)")`, a list of them, or Numba's own objects, it is compiled for
    these at once, for the default device, and takes no others. `debug` checks every index (default:
    the environment variable HITHER_DEBUG); an error inside a kernel is raised by the event, by
    `queue.wait()` and by reads of the arrays it writes. `fastmath` lets floating-point arithmetic
    be reordered. `fma` lets GPUs add a product without rounding it first, as CUDA's compilers do;
    without it, and on CPUs, each operation is rounded, as in NumPy.
    `cache` keeps what Numba makes of the function on disk, so that the next process does not even
    import Numba for it; the code that comes of it is always kept.

    Raises, at the call (with signatures, at the decoration): CompileError if the body cannot be a
    kernel, PlacementError if the arguments name no queue or several, TypeError for wrong arguments.
    """
    if debug is None:
        debug = checks_kernels()
    if function is None or not callable(function):
        options = CompileOptions(debug, fastmath, cache, fma, signature_texts(function))
        return functools.partial(_make, options=options)
    return _make(function, CompileOptions(debug, fastmath, cache, fma))


def _make(function: Callable, options: CompileOptions) -> KernelDispatcher:
    if not callable(function) or not hasattr(function, "__code__"):
        raise TypeError("kernel decorates a Python function: @hither.kernel above its def")
    names, defaults = _parameters_of(function)
    dispatcher = KernelDispatcher(function, names, defaults, options)
    if options.cache:
        from ..numba.source_cache import tools

        tools()  # now, so that the first launch need not
    if options.signatures:
        from ..numba.signature import eager_types

        for text in options.signatures:
            dispatcher._compile_for(eager_types(text))
    return dispatcher


def _parameters_of(function: Callable) -> tuple[list[str], dict[str, Any]]:
    """Names that a launch passes, and the defaults of those that have one."""
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(
                f"{function.__name__}: a kernel's parameters are positional; {parameter} is not"
            )
    passed = parameters if item_parameter(function) is None else parameters[1:]
    defaults = {p.name: p.default for p in passed if p.default is not p.empty}
    return [p.name for p in passed], defaults

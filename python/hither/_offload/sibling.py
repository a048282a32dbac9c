"""The offloaded version of a Numba function: a second dispatcher with separate types, options and
compiled code."""

from __future__ import annotations

import copy
import inspect
import threading
import warnings
from contextlib import contextmanager

from .. import _hither
from .._kernel.numba.device_function import forget_device_dispatchers
from ..errors import PerformanceWarning
from .cache import OffloadCache
from .compilation import Compilation, current, lowering
from .hook import KINDS, ON_SERIAL
from .numba_adapter import (
    Compiler,
    CPUDispatcher,
    NullCache,
    dispatcher_registry,
    errors,
    global_compiler_lock,
    jit_registry,
    normalize_signature,
    target_override,
    target_registry,
)
from .pipeline import OffloadCompiler
from .report import ParforReport
from .results import names_dparray
from .small_form import MOST_OPERATIONS
from .target import TARGET, host_target

VERSIONS = "_hither_versions"
CALLEES = "_hither_callees"
_lock = threading.RLock()


class OffloadDispatcher(CPUDispatcher):
    """Compiles host code whose parfors are regions."""

    targetdescr = host_target

    def __init__(self, py_func, locals=None, targetoptions=None, pipeline_class=OffloadCompiler):
        super().__init__(py_func, locals, targetoptions, pipeline_class=pipeline_class)
        # For each argument types: the parallel regions, and why a whole function is plain Numba.
        self.reports: dict[tuple, list[ParforReport]] = {}
        self.fallbacks: dict[tuple, str] = {}
        self.declared = False  # its explicit signatures are compiled or being compiled
        self.on_serial = ON_SERIAL[0]  # the treatment of callees with parallel=False
        self.small = False  # the host runs small regions itself
        self.single_task = False  # one work-item runs all iterations of a region
        self.serial_callee = None  # a callee with parallel=False, which the context refuses
        self.parallel_by_user = True  # False: hither set parallel=True, so warnings do not help
        self.names_dparray = names_dparray(py_func)  # arrays that it returns become dparrays

    def enable_caching(self):
        options = (self.on_serial, *sorted(map(repr, self.targetoptions.items())))
        small = ("small", MOST_OPERATIONS) if self.small else ()
        self._cache = OffloadCache(self.py_func, (*options, *small))

    def plain(self):
        """The version without Numba's parallel passes, for the same kind of context."""
        return sibling(self, False, self.on_serial, self.small)

    def compile(self, sig):
        arguments = tuple(normalize_signature(sig)[0])
        caller = current.get()
        queue = _hither.context_queue() or (caller and caller.queue)
        compilation = Compilation(self, queue, self.single_task)
        outer = current.set(compilation)
        outer_context = _hither.context_variable.set(None)  # the compiler's calls run on the host
        try:
            with target_override(TARGET):
                result = self._compile(sig, arguments)
        finally:
            _hither.context_variable.reset(outer_context)
            current.reset(outer)
        regions = [] if arguments in self.fallbacks else compilation.reports
        self.reports.setdefault(arguments, regions)
        return result

    def _compile(self, sig, arguments):
        try:
            with self._own_warnings():
                return super().compile(sig)
        except errors.ForceLiteralArg:
            raise
        except Exception as error:
            serial, self.serial_callee = self.serial_callee, None
            if serial is not None:  # Numba's error contains further text
                raise _conflict(serial) from None
            if not self.targetoptions.get("parallel"):
                raise
            return self._compile_serially(sig, arguments, error)

    @contextmanager
    def _own_warnings(self):
        """Suppresses Numba's warnings about parallel passes that the program did not ask for.
        Warning filters belong to the process, so a lock serialises their changes."""
        if self.parallel_by_user:
            yield
            return
        with global_compiler_lock, warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.NumbaPerformanceWarning)
            yield

    @global_compiler_lock
    def _compile_serially(self, sig, arguments, reason):
        """Compiles without Numba's parallel passes, which fail on some functions. The result is not
        stored on disk, so that the next process warns too."""
        compiler, cache = self._compiler, self._cache
        compiler._failed_cache.clear()
        options = compiler.targetoptions
        compiler.targetoptions = {k: v for k, v in options.items() if k != "parallel"}
        self._cache = NullCache()
        try:
            result = super().compile(sig)
        finally:
            compiler.targetoptions, self._cache = options, cache
        # The first lines of Numba's text name the pass.
        text = [t for t in str(reason).splitlines() if t.strip() and not t.startswith("Failed in")]
        self.fallbacks[arguments] = text[0].strip() if text else type(reason).__name__
        code = self.py_func.__code__
        warnings.warn_explicit(
            f"{self.py_func.__qualname__} runs on the host, without parallel regions: "
            f"{self.fallbacks[arguments]}",
            PerformanceWarning,
            code.co_filename,
            code.co_firstlineno,
        )
        return result


dispatcher_registry[target_registry[TARGET]] = OffloadDispatcher


def _jit(*args, **options):
    """Numba calls this for the bodies of @overload functions."""
    kept = {k: v for k, v in options.items() if k not in ("cache", "locals", "pipeline_class")}

    def wrap(function):
        return OffloadDispatcher(function, targetoptions={**kept, "nopython": True})

    return wrap(args[0]) if args and callable(args[0]) else wrap


jit_registry[target_registry[TARGET]] = _jit


def prepare(dispatcher, kind: int):
    """The dispatcher to call instead in a device context of a kind, an index of KINDS, or None for
    `dispatcher` itself. The result is stored in its attribute. Raises for functions with
    parallel=False, unless the kind allows them."""
    version = _version(dispatcher, *KINDS[kind])
    with _lock:
        known = getattr(dispatcher, VERSIONS) or (Ellipsis,) * len(KINDS)
        if known[kind] is not Ellipsis:
            return known[kind]
        setattr(dispatcher, VERSIONS, (*known[:kind], version, *known[kind + 1 :]))
        return version


def _version(dispatcher, on_serial: str, small: bool):
    if not is_offloadable(dispatcher):
        return None
    if _says_serial(dispatcher):
        if on_serial == "error":
            raise _conflict(dispatcher)
        if on_serial == "host":
            return None
    return _with_signatures(dispatcher, sibling(dispatcher, True, on_serial, small))


def _says_serial(dispatcher) -> bool:
    return dispatcher.targetoptions.get("parallel") is False


def _conflict(dispatcher) -> Exception:
    return errors.UnsupportedError(
        f"{dispatcher.__qualname__} says parallel=False, which conflicts with the device "
        "context; device_context(..., on_serial=...) determines the treatment of such functions: "
        "'ignore' the flag, run them on the 'host', or each parallel region as a 'single_task'"
    )


def _with_signatures(dispatcher, version):
    """Compiles the explicit signatures, which stay the only ones."""
    if dispatcher._can_compile:
        return version
    with global_compiler_lock:
        if not version.declared:
            version.declared = True  # set first, because a recursive function gets here again
            try:
                for signature in dispatcher.nopython_signatures:
                    version.compile(signature)
                version.disable_compile()
            except BaseException:
                version.declared = False
                raise
    return version


def is_offloadable(dispatcher) -> bool:
    """Whether a function can be offloaded. Excluded are object mode, generators, jitclasses,
    functions of Numba, and functions with a compiler class of the program."""
    function = dispatcher.py_func
    return not (
        dispatcher.targetoptions.get("forceobj")
        or inspect.isgeneratorfunction(function)
        or _is_numbas(function)
        or _is_of_jitclass(function)
        or dispatcher._compiler.pipeline_class is not Compiler
    )


def _is_of_jitclass(function) -> bool:
    """Whether it is a function that Numba generates for a jitclass's constructor or methods."""
    first = function.__code__.co_varnames[:1]
    return first == ("__numba_self_",) or "__numba_cls_" in function.__globals__


def _is_numbas(function) -> bool:
    module = function.__module__ or ""
    return module.startswith("numba.") and not module.startswith("numba.tests.")


def callee(dispatcher):
    """The version of a dispatcher that the function being compiled calls. Numba's internal
    functions are compiled without parallel passes, which take seconds, and those that loops on the
    host call without regions."""
    compilation = current.get()
    caller = compilation and compilation.version
    on_serial = caller.on_serial if caller else ON_SERIAL[0]
    parallel = is_offloadable(dispatcher)
    if parallel and _says_serial(dispatcher):
        if caller and on_serial == "error":
            caller.serial_callee = dispatcher
            raise _conflict(dispatcher)
        parallel = on_serial != "host"
    parallel = parallel and not lowering.get()
    small = caller is not None and caller.small
    return _with_signatures(dispatcher, sibling(dispatcher, parallel, on_serial, small))


def siblings_of(dispatcher) -> list[OffloadDispatcher]:
    with _lock:
        return list(dispatcher.__dict__.get(CALLEES, {}).values())


def _recompile(dispatcher) -> None:
    """`recompile()` of Numba's functions. Their versions for contexts are compiled again at the
    next call, with the current globals."""
    forget_device_dispatchers(dispatcher)
    with _lock:
        old = dispatcher.__dict__.pop(CALLEES, {}).values()
        setattr(dispatcher, VERSIONS, None)
    for version in old:
        forget_device_dispatchers(version)
        version._cache.flush()
    _recompile_plain(dispatcher)


_recompile_plain = CPUDispatcher.recompile
CPUDispatcher.recompile = _recompile


def sibling(dispatcher, parallel: bool, on_serial: str, small: bool) -> OffloadDispatcher:
    """The OffloadDispatcher of a dispatcher, with or without parallel regions, for contexts with
    this `on_serial`, in which the host runs small regions itself or not. It is created once."""
    given = dict(dispatcher.targetoptions)
    options = {k: v for k, v in given.items() if k != "parallel"}
    if parallel:  # the program's options of Numba's parallel passes are kept
        options["parallel"] = copy.copy(given.get("parallel")) or True
    with _lock:
        siblings = dispatcher.__dict__.setdefault(CALLEES, {})
        key = (parallel, on_serial, small)
        if key not in siblings:
            version = OffloadDispatcher(dispatcher.py_func, dispatcher.locals, options)
            version.on_serial, version.small = on_serial, small
            version.single_task = on_serial == "single_task" and _says_serial(dispatcher)
            version.parallel_by_user = bool(dispatcher.targetoptions.get("parallel"))
            if not isinstance(dispatcher._cache, NullCache):
                version.enable_caching()
            siblings[key] = version
        return siblings[key]

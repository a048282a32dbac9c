"""Functions that kernels call: the targets that they are compiled for, and their dispatchers."""

from __future__ import annotations

import functools
import inspect
import threading
from functools import cached_property
from types import FunctionType, ModuleType
from weakref import WeakKeyDictionary

from ..language.device_func import DeviceFunction
from ..language.options import declared_signatures
from .bind_calls import has_keyword_only
from .lowering_context import KernelContext, KernelOptions
from .method_types import TypesMethodsHere
from .numba_adapter import (
    Dispatcher,
    DUFunc,
    TargetDescriptor,
    dispatcher_registry,
    errors,
    jit_registry,
    normalize_signature,
    target_override,
    types,
    typing,
    ufunc_find_matching_loop,
)
from .pipeline import KernelCompiler
from .replacements import REPLACEMENTS
from .target import DEBUG_TARGET, TARGET, HitherKernel, HitherKernelDebug

_KEPT_OPTIONS = ("fastmath", "inline", "forceinline")


class KernelTypingContext(TypesMethodsHere, typing.BaseContext):
    """Types the scalar and array functions that kernels may use."""

    def __init__(self, debug: bool):
        self.debug = debug
        super().__init__()

    def load_additional_registries(self):
        from numba.core.typing import cmathdecl, enumdecl, mathdecl, npydecl

        for declarations in (cmathdecl, mathdecl, npydecl, enumdecl):
            self.install_registry(declarations.registry)

    def resolve_value_type(self, value):
        if isinstance(value, (FunctionType, type)):
            value = REPLACEMENTS.get(value, value)
        dispatcher = as_device_dispatcher(value, self.debug)
        if dispatcher is not None:
            return super().resolve_value_type(dispatcher)
        # typeof() would import CFFI before it finds that it knows no type.
        registered = self._get_global_type(value) if is_found_by_name(value) else None
        return super().resolve_value_type(value) if registered is None else registered


def is_found_by_name(value) -> bool:
    """Whether Numba may have registered the value: modules, and functions without a type."""
    if isinstance(value, ModuleType):
        return True
    return callable(value) and not isinstance(value, type) and not hasattr(value, "_numba_type_")


class KernelTarget(TargetDescriptor):
    """One typing and one lowering context, made at first use."""

    options = KernelOptions

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name

    @cached_property
    def typing_context(self):
        return KernelTypingContext(debug=self.name == DEBUG_TARGET)

    @cached_property
    def target_context(self):
        return KernelContext(self.typing_context, self.name)


kernel_target = KernelTarget(TARGET)
debug_target = KernelTarget(DEBUG_TARGET)


def target_for(debug: bool) -> KernelTarget:
    return debug_target if debug else kernel_target


class DeviceDispatcher(Dispatcher):
    """Compiles a function for each tuple of argument types that kernels call it with."""

    targetdescr = kernel_target

    def __init__(self, py_func, locals=None, targetoptions=None, pipeline_class=KernelCompiler):
        super().__init__(py_func, locals, dict(targetoptions or {}), pipeline_class=pipeline_class)
        self.declared = []
        self.ufunc: DUFunc | None = None  # the ufunc of this function, whose rules choose the types

    def compile(self, sig):
        with target_override(self.targetdescr.name):
            try:
                return super().compile(sig)
            except Exception:
                # Numba would raise it again, but front_end.py may compile once more.
                self._compiler._failed_cache.clear()
                raise

    def add_overload(self, result):
        # The dispatcher in C does not need the overload, because Python never calls this function.
        self.overloads[tuple(result.signature.args)] = result

    def declare(self, signatures):
        """Restricts the types to these, if there are any. Arguments are converted to them."""
        self.declared = [normalize_signature(text) for text in signatures]

    def get_call_template(self, args, kws):
        if self.ufunc is not None:
            args = self.loop_for(args)
        elif self.declared:
            args = self.declared_for(args)
        return super().get_call_template(args, kws)

    def declared_for(self, args):
        """The first declared argument types that `args` can be converted to."""
        context = self.targetdescr.typing_context
        for arguments, result in self.declared:
            if len(arguments) == len(args) and all(
                context.can_convert(given, declared) is not None
                for given, declared in zip(args, arguments, strict=True)
            ):
                if tuple(arguments) not in self.overloads:
                    self.compile(arguments if result is None else result(*arguments))
                return arguments
        raise errors.TypingError(
            f"{self.py_func.__name__} is declared for "
            f"{' or '.join(str(arguments) for arguments, _ in self.declared)}, not for {args}"
        )

    def loop_for(self, args):
        """The argument types of the ufunc's loop for these numbers. Calls with arrays have become
        loops before."""
        name = self.py_func.__name__
        if len(args) != self.ufunc.nin or not all(isinstance(t, types.Number) for t in args):
            raise errors.TypingError(
                f"inside a kernel, {name}, a function made by @vectorize, takes {self.ufunc.nin} "
                f"number(s), not {args}"
            )
        if not self.ufunc._frozen:
            return args
        loop = ufunc_find_matching_loop(self.ufunc, args)
        if loop is None:
            raise errors.TypingError(f"{name} has no loop that takes {args}")
        arguments = tuple(loop.inputs)
        if arguments not in self.overloads:
            (result,) = loop.outputs
            self.compile(result(*arguments))
        return arguments

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self.py_func.__name__} is a device function: only kernels can call it")


class DebugDeviceDispatcher(DeviceDispatcher):
    targetdescr = debug_target

    def __init__(self, py_func, locals=None, targetoptions=None, pipeline_class=KernelCompiler):
        options = dict(targetoptions or {}, boundscheck=True)
        super().__init__(py_func, locals, options, pipeline_class)


dispatcher_registry[HitherKernel] = DeviceDispatcher
dispatcher_registry[HitherKernelDebug] = DebugDeviceDispatcher


def _jit_for(dispatcher_class):
    def jit(*args, **options):
        """Numba calls this for the bodies of @overload functions."""

        def wrap(function):
            return dispatcher_class(function)

        return wrap(args[0]) if args and callable(args[0]) else wrap

    return jit


jit_registry[HitherKernel] = _jit_for(DeviceDispatcher)
jit_registry[HitherKernelDebug] = _jit_for(DebugDeviceDispatcher)

_lock = threading.Lock()
# Function or ufunc -> its dispatchers without and with bounds checks. They live as long as it does.
_dispatchers: WeakKeyDictionary[object, dict[bool, DeviceDispatcher]] = WeakKeyDictionary()


def _positional(function):
    """The function with positional parameters for its keyword-only ones, as bind_calls calls it."""
    if not has_keyword_only(function):
        return function
    code = function.__code__
    if code.co_flags & inspect.CO_VARARGS:
        raise errors.UnsupportedError(
            f"{function.__name__}: a device function has *arguments or keyword-only "
            "parameters, not both"
        )
    code = code.replace(co_argcount=code.co_argcount + code.co_kwonlyargcount, co_kwonlyargcount=0)
    result = FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
    return functools.update_wrapper(result, function, ("__module__", "__qualname__", "__doc__"))


def as_device_dispatcher(value, debug: bool) -> DeviceDispatcher | None:
    """The dispatcher for a @device_func, for a function that Numba compiles for the host, or for
    the function of a ufunc that @vectorize made.

    The result is None for everything else, including a DeviceDispatcher.
    """
    function, ufunc = value, None
    if isinstance(value, DUFunc):
        function, ufunc = value._dispatcher, value
    if isinstance(value, DeviceFunction):
        options = {}
    elif ufunc or (isinstance(value, Dispatcher) and not isinstance(value, DeviceDispatcher)):
        options = {k: v for k, v in function.targetoptions.items() if k in _KEPT_OPTIONS}
    else:
        return None
    with _lock:
        known = _dispatchers.setdefault(value, {})
        if debug not in known:
            make = DebugDeviceDispatcher if debug else DeviceDispatcher
            known[debug] = make(_positional(function.py_func), targetoptions=options)
            known[debug].ufunc = ufunc
            known[debug].declare(() if ufunc else declared_signatures(value))
        return known[debug]


def forget_device_dispatchers(value) -> None:
    """Drops the dispatchers of `value`, so that later compiles compile it again."""
    with _lock:
        _dispatchers.pop(value, None)

"""The Numba target of the host code of offloaded functions. It is separate from Numba's CPU target,
so that its code does not mix with code that the program compiles outside contexts."""

from __future__ import annotations

from functools import cached_property

from .._kernel.numba.lowering_context import CompiledFunction as KernelFunction
from .._kernel.numba.method_types import TypesMethodsHere
from . import symbols
from .numba_adapter import (
    CPU,
    CPUContext,
    CPUDispatcher,
    CPUTargetOptions,
    CPUTypingContext,
    DUFunc,
    GUFunc,
    NRTContext,
    StencilFunc,
    TargetDescriptor,
    cgutils,
    cpu_target,
    ir,
    target_override,
    target_registry,
    types,
)

TARGET = "hither_host"


class HitherHost(CPU):
    """The target's class in Numba's hierarchy, a subclass of CPU, which sees every CPU overload."""


target_registry[TARGET] = HitherHost


def _offloaded(dispatcher):
    from .sibling import callee

    return callee(dispatcher)


class HostTypingContext(TypesMethodsHere, CPUTypingContext):
    """The typing context of host code. Functions that an offloaded function refers to or gets as
    arguments are offloaded too.

    Numba records the implementation that typing chose for argument types once for all targets. A
    kernel may be compiled between the typing and the lowering of host code and replace the record.
    This class records the choices for the host, and HostContext restores them.
    """

    def __init__(self):
        self.chosen: dict = {}
        super().__init__()

    def _resolve_user_function_type(self, func, args, kws, literals=None):
        signature = super()._resolve_user_function_type(func, args, kws, literals)
        self._note(func, signature)
        return signature

    def _resolve_builtin_function_type(self, func, args, kws):
        signature = super()._resolve_builtin_function_type(func, args, kws)
        self._note(self._functions.get(func), signature)
        return signature

    def _note(self, function, signature):
        if signature is not None and isinstance(function, types.Function):
            key = function._impl_keys.get(signature.args)
            if key is not None:
                self.chosen[function, signature.args] = key

    def resolve_value_type(self, value):
        if type(value) is CPUDispatcher:
            value = _offloaded(value)
        try:
            return super().resolve_value_type(value)
        except ValueError:
            # Some objects, such as stencils, register in the CPU target's context only, which is
            # empty until something is compiled for it.
            with target_override("cpu"):
                cpu_target.typing_context.refresh()
                cpu_target.target_context.refresh()
            return cpu_target.typing_context.resolve_value_type(value)

    def resolve_function_type(self, function, args, kws):
        function = _type_here(function)
        if _is_of_jitclass(function):
            with target_override("cpu"):  # methods of jitclasses are compiled for this target
                return super().resolve_function_type(function, args, kws)
        return super().resolve_function_type(function, args, kws)


def _type_here(function):
    if isinstance(function, types.Dispatcher) and type(function.dispatcher) is CPUDispatcher:
        return types.Dispatcher(_offloaded(function.dispatcher))
    return function


def _is_of_jitclass(function) -> bool:
    this = getattr(function, "this", None)
    return isinstance(function, types.ClassType) or isinstance(this, types.ClassInstanceType)


class FunctionMemory(NRTContext):
    """Numba's reference counting, for memory that the device can access."""

    def meminfo_alloc_aligned_unchecked(self, builder, size, align):
        self._require_nrt()
        form = ir.FunctionType(cgutils.voidptr_t, [cgutils.intp_t, ir.IntType(32)])
        allocate = cgutils.get_or_insert_function(builder.module, form, symbols.ALLOCATE)
        allocate.return_value.add_attribute("noalias")
        if isinstance(align, int):
            align = self._context.get_constant(types.uint32, align)
        return builder.call(allocate, [size, align])

    def eh_check(self, builder):
        """Copies arrays back from the device before host code handles an exception."""
        raised = super().eh_check(builder)
        with cgutils.if_unlikely(builder, raised):
            form = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, form, symbols.FLUSH), [])
        return raised


class HostContext(CPUContext):
    """Lowers code that HostTypingContext typed."""

    def init(self):
        super().init()
        self.known = set()  # stencils by argument types, and the program's ufuncs
        symbols.install()

    @property
    def nrt(self):
        return FunctionMemory(self, self.enable_nrt)

    def get_function(self, fn, sig, _firstcall=True):
        here = _type_here(fn)
        if here is not fn and tuple(sig.args) not in here.dispatcher.overloads:
            here.dispatcher.compile(tuple(sig.args))  # typed by a pass for the CPU target only
        self._know(getattr(here, "typing_key", None), sig)
        self._choose(here, sig)
        return super().get_function(here, sig, _firstcall)

    def _choose(self, function, sig):
        """Restores the implementation that typing chose for the host. Numba's parallel passes type
        the calls that they insert without the typing context. If a kernel has replaced their
        choice, it is made again."""
        chosen = self.typing_context.chosen.get((function, sig.args))
        if chosen is not None:
            function._impl_keys[sig.args] = chosen
        elif isinstance(function, types.Function) and isinstance(
            function._impl_keys.get(sig.args), KernelFunction
        ):
            function.get_call_type(self.typing_context, sig.args, {})

    def _know(self, function, sig):
        """Registers the lowering of stencils that parallel passes have not replaced, and of
        functions made by @vectorize and @guvectorize. Numba compiles them in the CPU target's
        context and registers them only there."""
        if isinstance(function, (DUFunc, GUFunc)):
            if function not in self.known:
                function._install_cg(self)
                self.known.add(function)
            return
        if not isinstance(function, StencilFunc) or (function, sig.args) in self.known:
            return

        def lower(context, builder, sig, args):
            with target_override("cpu"):
                return function._lower_me(context, builder, sig, args)

        self.insert_func_defn([(lower, function, sig.args)])
        self.known.add((function, sig.args))


class HostTarget(TargetDescriptor):
    options = CPUTargetOptions

    @cached_property
    def typing_context(self):
        return HostTypingContext()

    @cached_property
    def target_context(self):
        return HostContext(self.typing_context, TARGET)


host_target = HostTarget(TARGET)

"""How functions that run inside kernels are lowered to LLVM IR."""

from __future__ import annotations

import operator
from functools import cached_property

from . import lower_shift, lower_ufunc
from .call_convention import KernelCallConvention
from .lower_print import print_values
from .lower_range import checked_range, iterator_of_range, next_of_range
from .lower_reshape import reshape
from .lower_slice import set_many, sets_many
from .numba_adapter import (
    BaseContext,
    TargetOptions,
    bind_implementation,
    cgutils,
    force_error_model,
    include_default_options,
    ir,
    npyfuncs,
    types,
)
from .text_library import TextCodegen

CONSTANT_SPACE = 4
_DIVISIONS = (operator.truediv, operator.itruediv)
_REMAINDERS = (operator.floordiv, operator.ifloordiv, operator.mod, operator.imod, divmod)


class KernelContext(BaseContext):
    """Lowers to self-contained LLVM IR text: no reference counts, no Python objects, no
    addresses."""

    allow_dynamic_globals = False
    strict_alignment = True

    def init(self):
        self._codegen = TextCodegen()

    def create_module(self, name):
        return self._codegen._create_empty_module(name)

    def codegen(self):
        return self._codegen

    @property
    def target_data(self):
        return self._codegen.target_data

    @property
    def enable_boundscheck(self):
        return self._boundscheck

    @enable_boundscheck.setter
    def enable_boundscheck(self, value):
        self._boundscheck = value

    @cached_property
    def call_conv(self):
        return KernelCallConvention(self)

    def load_additional_registries(self):
        # Importing these modules fills Numba's registry of built-in lowerings. NumPy's functions of
        # arrays are imported later, for kernels that use them (front_end.py).
        from numba.core import optional  # noqa: F401
        from numba.cpython import (  # noqa: F401
            builtins,
            charseq,
            cmathimpl,
            enumimpl,
            iterators,
            listobj,
            mathimpl,
            numbers,
            rangeobj,
            slicing,
            tupleobj,
        )
        from numba.np import arrayobj, npdatetime, npyimpl  # noqa: F401
        from numba.np.unsafe import ndarray  # noqa: F401

        for module in (cmathimpl, mathimpl, npyimpl):
            self.install_registry(module.registry)

    def get_function(self, fn, sig, _firstcall=True):
        key = getattr(fn, "typing_key", None)
        if key in _DIVISIONS and isinstance(sig.return_type, types.Complex):
            # Numba's complex division raises on a zero divisor under every error model.
            return bind_implementation(npyfuncs.np_complex_div_impl, self, sig)
        if key in lower_shift.OPERATORS:
            return bind_implementation(lower_shift.shift_of(key), self, sig)
        if key == "array.reshape":
            return bind_implementation(reshape, self, sig.as_function())
        if fn is print:
            return bind_implementation(print_values, self, sig)
        if key is operator.setitem and sets_many(sig):
            return bind_implementation(set_many, self, sig)
        if fn == "getiter" and isinstance(sig.args[0], types.RangeType):
            return bind_implementation(iterator_of_range, self, sig)
        if fn == "iternext" and isinstance(sig.args[0], types.RangeIteratorType):
            return bind_implementation(next_of_range, self, sig)
        found = super().get_function(fn, sig, _firstcall)
        if key is range and len(sig.args) == 3:
            return lambda builder, args, loc=None: checked_range(self, builder, found, args)
        if self._boundscheck and key in _REMAINDERS and isinstance(sig.args[1], types.Integer):
            return self._reporting_zeros(found)
        return found

    def _reporting_zeros(self, divide):
        def divide_or_raise(builder, args, loc=None):
            with force_error_model(self, "python"):
                return divide(builder, args, loc)

        return divide_or_raise

    def get_constant_generic(self, builder, ty, value):
        if isinstance(ty, types.Dispatcher):
            # Device functions are called by name; their values carry nothing.
            return ir.Constant(self.get_value_type(ty), None)
        return super().get_constant_generic(builder, ty, value)

    def make_constant_array(self, builder, ty, array):
        """An array of the program as constant memory of the kernel (address space 4)."""
        element = self.get_data_type(ty.dtype)
        content = bytearray(array.tobytes(order=ty.layout if ty.layout in "CF" else "C"))
        initial = cgutils.create_constant_array(ir.IntType(8), content)
        data = cgutils.add_global_variable(
            builder.module, initial.type, ".hither.constant", addrspace=CONSTANT_SPACE
        )
        data.linkage = "internal"
        data.global_constant = True
        data.initializer = initial
        data.align = self.get_abi_alignment(element)
        generic = builder.addrspacecast(data, ir.PointerType(initial.type))
        strides = _packed_strides(array, ty.layout)
        result = self.make_array(ty)(self, builder)
        self.populate_array(
            result,
            data=builder.bitcast(generic, result.data.type),
            shape=[self.get_constant(types.intp, n) for n in array.shape],
            strides=[self.get_constant(types.intp, n) for n in strides],
            itemsize=self.get_constant(types.intp, array.dtype.itemsize),
            meminfo=None,
            parent=None,
        )
        return result._getvalue()

    def get_ufunc_info(self, key):
        from numba.np import ufunc_db

        loops = ufunc_db.get_ufunc_info(key)
        if key in lower_shift.UFUNCS:
            return dict.fromkeys(loops, lower_shift.shift_of(key))
        if key in lower_ufunc.UFUNCS:
            return lower_ufunc.loops_of(key, loops)
        return loops

    def get_executable(self, library, fndesc, env):
        return CompiledFunction(fndesc.mangled_name)

    def post_lowering(self, module, library):
        if self.fastmath:
            from numba.core import fastmathpass

            fastmathpass.rewrite_module(module, self.fastmath)

    def declare_function(self, module, fndesc):
        function = super().declare_function(module, fndesc)
        function.attributes.add("alwaysinline")
        return function


def _packed_strides(array, layout):
    strides, step = [0] * array.ndim, array.dtype.itemsize
    order = range(array.ndim) if layout == "F" else reversed(range(array.ndim))
    for axis in order:
        strides[axis] = step
        step *= array.shape[axis]
    return strides


class CompiledFunction:
    """The key of a compiled device function in Numba. It cannot be executed."""

    def __init__(self, name):
        self.__name__ = name


class KernelOptions(
    include_default_options(
        "nopython", "fastmath", "debug", "boundscheck", "inline", "forceinline", "error_model"
    ),
    TargetOptions,
):
    def finalize(self, flags, options):
        flags.enable_pyobject = False
        flags.enable_looplift = False
        flags.nrt = False
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        flags.error_model = "numpy"
        flags.inherit_if_not_set("fastmath")
        flags.inherit_if_not_set("forceinline")
        flags.inherit_if_not_set("boundscheck")

"""NumPy's functions of real numbers that Numba computes with other results: cube roots by powers,
remainders without the sign of zero, and quotients whose division underflows. Here they are the
functions that arrays call, so that kernels and arrays agree."""

from __future__ import annotations

import numpy as np

from .numba_adapter import cgutils, ir, types

UFUNCS = (np.cbrt, np.remainder, np.floor_divide, np.divmod)
_REAL = ("f", "d")


def loops_of(ufunc, loops):
    """Numba's loops of one of UFUNCS, of which those of real numbers are replaced."""
    lower = {
        np.cbrt: _cube_root,
        np.remainder: _device_function("remainder"),
        np.floor_divide: _device_function("floor_divide"),
        np.divmod: _quotient_and_remainder,
    }[ufunc]
    return {types_: lower if types_[0] in _REAL else loop for types_, loop in loops.items()}


def _call(builder, name, arguments):
    kind = arguments[0].type
    function_type = ir.FunctionType(kind, [kind] * len(arguments))
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, arguments)


def _cube_root(context, builder, signature, arguments):
    is_single = signature.args[0] is types.float32
    return _call(builder, "cbrtf" if is_single else "cbrt", arguments)


def _device_function(name):
    """The lowering to a function of the device library."""

    def lower(context, builder, signature, arguments):
        suffix = "f32" if signature.args[0] is types.float32 else "f64"
        return _call(builder, f"hither_{name}_{suffix}", arguments)

    return lower


def _quotient_and_remainder(context, builder, signature, arguments):
    parts = [
        _device_function(name)(context, builder, signature, arguments)
        for name in ("floor_divide", "remainder")
    ]
    return context.make_tuple(builder, signature.return_type, parts)

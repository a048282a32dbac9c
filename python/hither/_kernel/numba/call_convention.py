"""Numba's call convention for functions that run inside kernels.

A function returns a status word; an exception calls `hither.raise` where it happens and leaves the
work-item by status. After inlining nothing is left of it in kernels that cannot raise.
"""

from __future__ import annotations

import os
import threading

from . import fault
from .numba_adapter import callconv, cgutils, errors, ir, numba

_KERNEL_FOLDER = os.path.dirname(os.path.dirname(__file__))
_INTERNAL_FOLDERS = (os.path.dirname(numba.__file__) + os.sep, _KERNEL_FOLDER + os.sep)
_i32 = ir.IntType(32)


def is_internal(file: str) -> bool:
    """Is it Numba's or our own, and not the user's?"""
    return not file or file.startswith(_INTERNAL_FOLDERS)


class Place(threading.local):
    """The Python source position that is being lowered on this thread."""

    file = ""
    line = 0

    def in_user_code(self) -> bool:
        return not is_internal(self.file)


place = Place()


def set_line(call) -> None:
    """Tells the compiler's refusals where the user's source calls something."""
    if place.in_user_code():
        parts = [_i32(place.line), ir.MetaDataString(call.module, place.file)]
        call.set_metadata("hither.line", call.module.add_metadata(parts))


def _internal_code(exception: type[BaseException] | None) -> int:
    """Status word for an exception in code of Numba's: its caller in user code reports it."""
    known = {
        IndexError: fault.INDEX_OUT_OF_BOUNDS,
        ZeroDivisionError: fault.ZERO_DIVISION,
        AssertionError: fault.ASSERTION,
        OverflowError: fault.OVERFLOW,
    }
    return known.get(exception, fault.FIRST_MESSAGE)


_INTERNAL = {
    fault.INDEX_OUT_OF_BOUNDS: (IndexError, None),
    fault.ZERO_DIVISION: (ZeroDivisionError, None),
    fault.ASSERTION: (AssertionError, None),
    fault.OVERFLOW: (OverflowError, None),
    fault.FIRST_MESSAGE: (ValueError, (fault.INTERNAL_DETAIL,)),
}


class KernelCallConvention(callconv.MinimalCallConv):
    """Status 0 is success, -1 a reported fault, a positive word one that user code has yet to
    report."""

    def decorate_function(self, fn, args, fe_argtypes, noalias=False):
        super().decorate_function(fn, args, fe_argtypes)
        for argument in self.get_arguments(fn) if noalias else ():
            if isinstance(argument.type, ir.PointerType):
                argument.add_attribute("noalias")

    def call_function(self, builder, callee, resty, argtys, args):
        status, out = super().call_function(builder, callee, resty, argtys, args)
        set_line(status.code)
        return status, out

    def call_compiled(self, builder, compiled, values):
        """Calls a function that Numba compiled, which the builder's module declares once. Returns
        what it returns."""
        description = compiled.fndesc
        form = self.get_function_type(description.restype, description.argtypes)
        callee = cgutils.get_or_insert_function(builder.module, form, description.llvm_func_name)
        _, value = self.call_function(
            builder, callee, description.restype, description.argtypes, values
        )
        return value

    def return_user_exc(self, builder, exc, exc_args=None, loc=None, func_name=None):
        if place.in_user_code():
            self.report(builder, exc, exc_args)
            self._return_errcode_raw(builder, callconv.RETCODE_EXC)
        else:
            self._return_errcode_raw(builder, _i32(_internal_code(exc)))

    def return_dynamic_user_exc(self, builder, exc, exc_args, nb_types, loc=None, func_name=None):
        raise errors.UnsupportedError(
            f"the arguments of {exc.__name__} must be constants: a kernel reports an exception by "
            "its line and a text that is known when it is compiled"
        )

    def return_status_propagate(self, builder, status):
        if place.in_user_code():
            for code, (exc, exc_args) in _INTERNAL.items():
                with cgutils.if_unlikely(
                    builder, builder.icmp_signed("==", status.code, _i32(code))
                ):
                    self.report(builder, exc, exc_args)
            self._return_errcode_raw(builder, callconv.RETCODE_EXC)
        else:
            self._return_errcode_raw(builder, status.code)

    def report(self, builder, exc, exc_args):
        """Makes the event of the launch say that the exception happened; the work-item goes on."""
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [_i32, _i32]), "hither.raise"
        )
        marker = fault.marker_of(fault.fault_of(exc, exc_args, place.file))
        builder.call(function, [_i32(marker), _i32(place.line)])

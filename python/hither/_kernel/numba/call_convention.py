"""Numba's call convention for functions that run inside kernels.

A function returns a status. An exception calls `hither.raise` where it is raised, and the status
then ends the work-item. After inlining, kernels that cannot raise contain no status checks.
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
    """Whether the file belongs to Numba or to hither, not to the user."""
    return not file or file.startswith(_INTERNAL_FOLDERS)


class Place(threading.local):
    """The Python source position that is being lowered on this thread."""

    file = ""
    line = 0

    def in_user_code(self) -> bool:
        return not is_internal(self.file)


place = Place()


def set_line(call) -> None:
    """Attaches the user's source line to a call, for error messages of the compiler."""
    if place.in_user_code():
        parts = [_i32(place.line), ir.MetaDataString(call.module, place.file)]
        call.set_metadata("hither.line", call.module.add_metadata(parts))


def _internal_code(exception: type[BaseException] | None) -> int:
    """Status for an exception inside Numba's code. The caller in user code reports it."""
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
    """Status 0 is success and -1 a reported fault. A positive status is a fault that user code has
    not reported yet."""

    def decorate_function(self, fn, args, fe_argtypes, noalias=False):
        super().decorate_function(fn, args, fe_argtypes)
        for argument in self.get_arguments(fn) if noalias else ():
            if isinstance(argument.type, ir.PointerType):
                argument.add_attribute("noalias")

    def call_function(self, builder, callee, resty, argtys, args):
        status, out = super().call_function(builder, callee, resty, argtys, args)
        set_line(status.code)
        return status, out

    def call_compiled(self, builder, compiled, values, name=None):
        """Calls a function that Numba compiled, under its own name or `name`, and returns its
        result. The builder's module declares the function once."""
        description = compiled.fndesc
        form = self.get_function_type(description.restype, description.argtypes)
        callee = cgutils.get_or_insert_function(
            builder.module, form, name or description.llvm_func_name
        )
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
        """Reports the exception through the event of the launch. The work-item continues."""
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [_i32, _i32]), "hither.raise"
        )
        marker = fault.marker_of(fault.fault_of(exc, exc_args, place.file))
        builder.call(function, [_i32(marker), _i32(place.line)])

"""`cache=True`: offloaded host code on the disk, beside Numba's own.

Kernels travel with it as text (`reload_init` of Numba's compile results registers them again);
their machine code is in hither's cache, for each device.
"""

from __future__ import annotations

import hashlib

from .._kernel.numba.source_cache import described
from ..errors import CompileError
from .numba_adapter import CompileResultCacheImpl, FunctionCache


class _FilesOfOurs(CompileResultCacheImpl):
    """Named apart from Numba's, which programs without hither read too."""

    def get_filename_base(self, fullname, abiflags):
        return f"{super().get_filename_base(fullname, abiflags)}.hither"


class OffloadCache(FunctionCache):
    """Numba's own key knows the function's bytecode; ours also everything that it names, so that a
    change in a function that it calls, or in a global, is noticed."""

    _impl_class = _FilesOfOurs

    def __init__(self, py_func, options: tuple):
        self.options = options  # of the version, that decide its code
        super().__init__(py_func)

    def _index_key(self, sig, codegen):
        text = described(self._py_func)
        if text is None:
            raise _NotKept
        digest = hashlib.sha256(text.encode()).hexdigest()
        return (*super()._index_key(sig, codegen), "hither", self.options, digest)

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except (_NotKept, CompileError):  # a region that has the id of another's
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except _NotKept:
            return


class _NotKept(Exception):
    """The function names something whose change could not be noticed."""

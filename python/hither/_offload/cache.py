"""`cache=True` for offloaded functions: stores host code on disk, next to Numba's cache files.

The files contain the kernels as text, which `reload_init` of Numba's compile results registers when
they are loaded. Machine code of kernels is in hither's disk cache, for each device.
"""

from __future__ import annotations

import hashlib

from .._kernel.numba.source_cache import described
from ..errors import CompileError
from .numba_adapter import CompileResultCacheImpl, FunctionCache

# Of the stored regions. Entries of other formats are not read, so a change of their fields or of
# what the host code passes to them needs another number.
FORMAT = 3


class _FilesOfOurs(CompileResultCacheImpl):
    """File names that differ from Numba's, which programs without hither read too."""

    def get_filename_base(self, fullname, abiflags):
        return f"{super().get_filename_base(fullname, abiflags)}.hither"


class OffloadCache(FunctionCache):
    """Numba's key depends on the function's bytecode. This key also depends on everything that the
    function refers to, so that a change of a called function or a global invalidates it."""

    _impl_class = _FilesOfOurs

    def __init__(self, py_func, options: tuple):
        self.options = options  # the options of the version that affect its code
        super().__init__(py_func)

    def _index_key(self, sig, codegen):
        text = described(self._py_func)
        if text is None:
            raise _NotKept
        digest = hashlib.sha256(text.encode()).hexdigest()
        return (*super()._index_key(sig, codegen), "hither", FORMAT, self.options, digest)

    def load_overload(self, sig, target_context):
        try:
            result = super().load_overload(sig, target_context)
        except (_NotKept, CompileError):  # CompileError: two regions with equal ids
            return None
        if result is not None:  # Numba's loader omits this; files of callers need it
            result.library._reload_init.update(result.reload_init)
        return result

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except _NotKept:
            return


class _NotKept(Exception):
    """The function refers to a value whose change could not be detected."""

"""The disk cache of compiled code, for `hither cache` and `hither doctor`."""

from __future__ import annotations

import os
from typing import NamedTuple

from .. import _hither

__all__ = ["CacheInfo", "cache_info", "clear_cache"]


class CacheInfo(NamedTuple):
    """The state of the disk cache."""

    folder: str  # empty if neither a variable nor the system names one
    entries: int
    bytes: int
    limit: int  # bytes; 0 if the cache is disabled

    @property
    def fault(self) -> str | None:
        """Why the cache is not used, with a remedy; None if it is."""
        if self.limit == 0 and self.folder:
            return "it is disabled: unset HITHER_DISK_CACHE, and HITHER_CACHE_SIZE if it is 0"
        if not self.folder:
            return "no folder is known: set HITHER_CACHE_DIR to a folder"
        existing = self.folder
        while not os.path.lexists(existing):
            existing = os.path.dirname(existing) or os.sep
        if not os.path.isdir(existing):
            return f"{existing} is not a folder: set HITHER_CACHE_DIR to another folder"
        if not os.access(existing, os.W_OK | os.X_OK):
            return f"{existing} is not writable: set HITHER_CACHE_DIR to a folder that is"
        return None


def cache_info() -> CacheInfo:
    """The folder, the entries and the limit of the disk cache."""
    return CacheInfo(*_hither.disk_cache_use())


def clear_cache() -> CacheInfo:
    """Deletes all entries. Returns the state before."""
    before = cache_info()
    _hither.clear_disk_cache()
    return before

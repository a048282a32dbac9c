"""The C++ loops of native/, built at the first use."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
from pathlib import Path

import numpy as np

SOURCES = Path(__file__).parent / "native"
CACHE = Path(__file__).parent.parent / ".cache" / "bench"
FLAGS = [
    "-std=c++20",
    "-O3",
    "-march=native",
    "-mprefer-vector-width=512",
    "-ffast-math",  # or the compiler calls libm element by element instead of libmvec
    "-fopenmp",
    "-fPIC",
    "-shared",
]

_library: ctypes.CDLL | None = None


def library() -> ctypes.CDLL:
    """The loops as functions of pointers and numbers; call() passes arrays to them."""
    global _library
    if _library is None:
        _library = ctypes.CDLL(str(_built()))
        _library.sum_all.restype = ctypes.c_double
        _library.argmax_all.restype = ctypes.c_int64
    return _library


def _built() -> Path:
    sources = sorted(SOURCES.glob("*.cpp"))
    text = b"".join(path.read_bytes() for path in [*sources, SOURCES / "stream.h"])
    cpu = Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    model = [line for line in cpu.splitlines() if line.startswith(("model name", "flags"))]
    key = hashlib.sha256(text + repr((FLAGS, model)).encode()).hexdigest()[:16]
    path = CACHE / f"native-{key}.so"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        compiler = os.environ.get("CXX", "g++")
        subprocess.run(
            [compiler, *FLAGS, *map(str, sources), "-o", str(unfinished), "-lmvec", "-lm"],
            check=True,
        )
        unfinished.rename(path)
    return path


def call(name: str, *arguments: np.ndarray | float | int) -> float | None:
    """Calls a loop. Arrays are passed as pointers: the caller ensures dtype and layout."""
    converted: list[object] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            converted.append(ctypes.c_void_p(argument.ctypes.data))
        elif isinstance(argument, float):
            converted.append(ctypes.c_double(argument))
        else:
            converted.append(ctypes.c_int64(argument))
    return getattr(library(), name)(*converted)

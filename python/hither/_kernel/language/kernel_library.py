"""Kernels written in C++ and compiled when a program is built."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..._hither import Event, launch, library_kernels

_NUMBER_TYPES: dict[str, Callable[[Any], Any]] = {
    "i1": np.bool_,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}


class LibraryKernel:
    """A kernel written in C++.

    `kernel[range](*arguments)` launches it over a range, `kernel(*arguments)` over the shape of its
    first array. Both take `queue=` and `depends_on=` and are asynchronous. Arrays are passed as the
    address of their first element: they must be C-contiguous and have the dtype that the kernel
    expects. Numbers are converted to the kernel's types. Placement, and the rules for NumPy arrays,
    are those of `@hither.kernel`.
    """

    def __init__(self, name: str, types: list[str], make: Callable) -> None:
        self.__name__ = self.__qualname__ = name
        self.parameter_types: tuple[str, ...] = tuple(types)
        self._numbers = [_number_type(t) for t in types]
        self._dispatcher = make(self, [f"#{i}" for i in range(len(types))])

    def launch(self, range: Any, *arguments: Any, **keywords: Any) -> Event:
        """Launches over `range` (None: the shape of the first array); returns the event."""
        given = [
            argument if convert is None else convert(argument)
            for argument, convert in zip(arguments, self._numbers, strict=False)
        ]
        return launch(self._dispatcher, range, *given, *arguments[len(given) :], **keywords)

    def __call__(self, *arguments: Any, **keywords: Any) -> None:
        self.launch(None, *arguments, **keywords)

    def __getitem__(self, range: Any) -> Callable[..., None]:
        def over_range(*arguments: Any, **keywords: Any) -> None:
            self.launch(range, *arguments, **keywords)

        return over_range

    def __repr__(self) -> str:
        return f"<hither kernel {self.__name__}({', '.join(self.parameter_types)})>"


def _number_type(type_name: str) -> Callable[[Any], Any] | None:
    if type_name.startswith("ptr"):
        return None
    return _NUMBER_TYPES.get(type_name) or _integer_type(int(type_name[1:]))


def _integer_type(bits: int) -> Callable[[Any], Any]:
    """Converts to an integer of this width, signed or unsigned, because LLVM's types do not
    distinguish them."""
    signed, unsigned = np.dtype(f"i{bits // 8}").type, np.dtype(f"u{bits // 8}").type

    def convert(value: Any) -> Any:
        number = value.__index__()
        return unsigned(number) if number > np.iinfo(signed).max else signed(number)

    return convert


class KernelLibrary:
    """The kernels of one file, as attributes and by name: `library.scale`, `library["scale"]`."""

    def __init__(self, code: bytes, name: str) -> None:
        self._name = name
        self._kernels = {
            kernel: LibraryKernel(kernel, types, make)
            for kernel, types, make in library_kernels(code, name)
        }

    def __getitem__(self, name: str) -> LibraryKernel:
        return self._kernels[name]

    def __getattr__(self, name: str) -> LibraryKernel:
        kernels = self.__dict__.get("_kernels", {})
        if name not in kernels:
            raise AttributeError(f"{self._name} has no kernel {name!r}; it has {list(kernels)}")
        return kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        return f"<hither.KernelLibrary {self._name}: {', '.join(self._kernels)}>"


def load_module(source: str | os.PathLike[str] | bytes) -> KernelLibrary:
    """Loads kernels written in C++ from `source`, a file of LLVM bitcode or its bytes.

    The CMake function `hither_add_kernels` makes such a file of C++ that includes
    <hither/device.h>. The kernels are compiled for a device when they are first launched there.
    Raises OSError if the file cannot be read, and CompileError if it is not bitcode that this
    version can read, or contains no kernels.
    """
    if isinstance(source, bytes):
        return KernelLibrary(source, "bytes")
    with open(source, "rb") as file:
        return KernelLibrary(file.read(), os.fspath(source))

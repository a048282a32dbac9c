"""Writes python/hither/_hither.pyi, the stub of the extension for type checkers.

`stubs.py` writes it from the built extension with nanobind's stub generator; `stubs.py --check`
fails if the file differs. The C++ code makes the array class and the element-wise functions without
nanobind, so this program writes their part.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

from made_file import write_or_check
from nanobind.stubgen import StubGen

import hither as ht
from hither import _hither

STUB = Path(__file__).parent.parent / "python/hither/_hither.pyi"
HEADER = """# Made by tools/stubs.py.

from typing import Any

import numpy as np
"""
OPERATORS = ("add sub mul truediv floordiv mod pow and or xor lshift rshift matmul").split()
RESULTS = {
    "__hash__": "None", "__bool__": "bool", "__int__": "int", "__float__": "float",
    "__complex__": "complex", "__index__": "int", "__len__": "int", "__contains__": "bool",
    "__iter__": "Iterator[Array]", "__divmod__": "tuple[Array, Array]",
    "__rdivmod__": "tuple[Array, Array]", "__setitem__": "None", "__delitem__": "None",
    "__buffer__": "memoryview", "__release_buffer__": "None",
}  # fmt: skip
ATTRIBUTES = {
    "shape": "tuple[int, ...]", "strides": "tuple[int, ...]", "dtype": "np.dtype[Any]",
    "ndim": "int", "size": "int", "itemsize": "int", "nbytes": "int", "usm_type": "str",
    "queue": "Queue", "sycl_queue": "Queue", "device": "Device", "sycl_device": "Device",
    "sycl_context": "Context", "T": "Array", "mT": "Array", "real": "Array", "imag": "Array",
    "__sycl_usm_array_interface__": "dict[str, Any]",
    "flags": "ArrayFlags",
}  # fmt: skip
SLOTS_THAT_ARE_NO_METHODS = {"__delitem__", "__release_buffer__", "__buffer__"}


def slot(name: str) -> str:
    """The stub of a method that CPython makes for a type slot."""
    result = RESULTS.get(name, "Array")
    parameters = {"__getitem__": ", key: Any", "__setitem__": ", key: Any, value: Any"}.get(name)
    if parameters is None:
        text = getattr(ht.Array, name).__text_signature__
        parameters = ", other: Any" if "value" in text or "key" in text else ""
    return f"    def {name}(self{parameters}, /) -> {result}: ..."


def method_of_nanobind(function: object) -> str:
    signature = re.sub(r"\\\d+", "...", function.__nb_signature__[0][0])
    result = RESULTS.get(function.__name__)
    if result:
        signature = signature.replace("-> object", f"-> {result}")
    return f"    {signature}: ..."


def method_in_python(name: str, function: object) -> str:
    wrapped = inspect.unwrap(function)
    if hasattr(wrapped, "__nb_signature__"):
        text = method_of_nanobind(wrapped)
        return re.sub(r"\(x: [\w.]+", "(self", text)
    signature = inspect.signature(function)
    text = str(signature.replace(return_annotation=inspect.Signature.empty))
    text = re.sub(r"= [^,)]+", "= ...", text.replace("'", ""))
    result = signature.return_annotation
    result = "Any" if result is inspect.Signature.empty else str(result)
    return f"    def {name}{text} -> {result}: ..."


def array_class() -> str:
    lines = ["class Array:", f'    """{inspect.getdoc(ht.Array)}"""']
    for name, member in sorted(ht.Array.__dict__.items()):
        kind = type(member).__name__
        if kind == "getset_descriptor":
            result = ATTRIBUTES.get(name, "Any")
            lines += ["    @property", f"    def {name}(self) -> {result}: ..."]
        elif kind == "wrapper_descriptor" and name not in SLOTS_THAT_ARE_NO_METHODS:
            ignore = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
            lines.append(slot(name) + ignore)
        elif kind == "nb_method":
            lines.append(method_of_nanobind(member))
        elif kind == "property":  # of Python code
            result = ATTRIBUTES.get(name, "Any")
            lines += ["    @property", f"    def {name}(self) -> {result}: ..."]
            if member.fset is not None:
                lines += [f"    @{name}.setter", f"    def {name}(self, values: Any) -> None: ..."]
        elif kind == "function":
            lines.append(method_in_python(name, member))
    lines.append("    __hash__: None  # type: ignore[assignment]")
    return "\n".join(lines) + "\n"


def stub() -> str:
    generator = StubGen(_hither)
    generator.put(_hither)
    text = generator.get()
    # The array class and kernels are defined in this module, under the package's name.
    text = re.sub(r"^from hither import \((.|\n)*?^\)\n|^import hither\n", "", text, flags=re.M)
    text = re.sub(r"^from hither import .*\n", "", text, flags=re.M)
    text += "\n" + array_class()
    text += "\nclass ConfiguredKernel:\n    def __call__(self, *args: Any) -> None: ...\n"
    text = re.sub(r"^def (\w+)\(([^:)]*)\):", element_wise, text, flags=re.M)
    text = re.sub(r"\bhither\.(_hither\.)?(?=[A-Z])", "", text)
    text = re.sub(r"\b_hither\.(?=[A-Z])", "", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = text.replace("-> object", "-> Any").replace("typing.Any", "Any")
    text = re.sub(r"\bfrom collections\.abc import .*", "from collections.abc import Callable, "
                  "Iterator, Sequence", text)  # fmt: skip
    docstring, rest = text.split("\n", 1)
    return f"{docstring}\n\n{HEADER}{rest}"


def element_wise(match: re.Match[str]) -> str:
    """The stub of an element-wise function: arrays and scalars to an array."""
    name, parameters = match.groups()
    typed = re.sub(r"\b(x|x1|x2|condition)\b", r"\1: Any", parameters)
    return f"def {name}({typed.replace('queue=None', 'queue: Any = None')}) -> Array:"


def main() -> int:
    return write_or_check(STUB, stub())


if __name__ == "__main__":
    sys.exit(main())

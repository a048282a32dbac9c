"""Writes the stubs for type checkers, from the built extension.

`stubs.py` writes python/hither/_hither.pyi with nanobind's stub generator, and the stubs of modules
whose names are made at run time; `stubs.py --check` fails if a file differs. The C++ code makes the
array class, the classes of direct calls and the element-wise functions without nanobind, so this
program writes their part, and it gives parameters the types of python/hither/_argument_types.py.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from made_file import write_or_check
from nanobind.stubgen import StubGen

import hither as ht
from hither import _hither

STUB = Path(__file__).parent.parent / "python/hither/_hither.pyi"
HEADER = """# Made by tools/stubs.py.

from typing import Any

import numpy as np

from ._argument_types import Axes, DType, Nested, Operand, Shape, UsmType, Where
"""
# Types of parameters of the same name, where the extension takes any object.
PARAMETERS = {
    "dtype": "DType", "queue": "Where", "device": "Where", "sycl_queue": "Where",
    "usm_type": "UsmType", "shape": "Shape", "axis": "Axes",
    "axes": "Axes | Sequence[Sequence[int]]",
    "x": "Operand", "x1": "Operand", "x2": "Operand", "condition": "Operand", "obj": "Nested",
    "fill_value": "Operand", "min": "Operand", "max": "Operand", "indices": "Nested",
    "sorter": "Nested", "prepend": "Operand", "append": "Operand", "repeats": "Nested",
    "repetitions": "Axes", "shift": "Axes", "source": "Axes", "destination": "Axes",
    "arrays": "Sequence[Operand]", "type1": "DType", "type2": "DType", "other": "Operand",
}  # fmt: skip
# Any object is right here: the extension checks it.
UNTYPED = {"from_dlpack", "asnumpy", "explain", "dtype_argument", "set_dparray_type", "adopt",
           "memory_over", "queue_of_numpy_array", "move_to_usm"}  # fmt: skip
GENERIC = {"tuple": "tuple[Any, ...]", "dict": "dict[str, Any]", "list": "list[Any]"}
# (operands, results) of a ufunc -> its class in the stub, and its parameters there.
UFUNCS = {(1, 1): ("_Unary", "x: Nested"), (2, 1): ("_Binary", "x1: Nested, x2: Nested")}
OPERATORS = ("add sub mul truediv floordiv mod pow and or xor lshift rshift matmul").split()
RESULTS = {
    "__hash__": "None", "__bool__": "bool", "__int__": "int", "__float__": "float",
    "__complex__": "complex", "__index__": "int", "__len__": "int", "__contains__": "bool",
    "__iter__": "Iterator[Array]", "__divmod__": "tuple[Array, Array]",
    "__rdivmod__": "tuple[Array, Array]", "__setitem__": "None", "__delitem__": "None",
    "__buffer__": "memoryview", "__release_buffer__": "None",
}  # fmt: skip
# Attributes made in C++ to which values can be assigned.
SETTABLE = {"shape"}
ATTRIBUTES = {
    "shape": "tuple[int, ...]", "strides": "tuple[int, ...]", "dtype": "np.dtype[Any]",
    "ndim": "int", "size": "int", "itemsize": "int", "nbytes": "int", "usm_type": "UsmType",
    "queue": "Queue", "sycl_queue": "Queue", "device": "Device", "sycl_device": "Device",
    "sycl_context": "Context", "base": "Array | None",
    "T": "Array", "mT": "Array", "real": "Array", "imag": "Array",
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
            if name in SETTABLE:
                lines += [f"    @{name}.setter", f"    def {name}(self, values: Any) -> None: ..."]
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
        elif kind in ("function", "DirectMethod"):
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
    # Signatures of classes, for inspect.signature().
    text = re.sub(r"^( *__signature__: .*\n\n|import hither\._class_.*\n)", "", text, flags=re.M)
    text += "\n" + array_class()
    text += "\nclass ConfiguredKernel:\n    def __call__(self, *args: Any) -> None: ...\n"
    for name in ("DirectCall", "DirectMethod"):
        text += (
            f"\nclass {name}:\n    def __init__(self, general: Callable[..., Any], choose: "
            "Callable[..., Any], operands: int = 0, positional: int = 0, keywords: tuple[str, ...] "
            "= (), numbers: bool = False) -> None: ...\n"
            "    def __call__(self, *args: Any, **keywords: Any) -> Any: ...\n"
        )
    text += (
        "\nclass CompiledCall:\n    def __init__(self, function: Callable[..., Any], record: "
        "Callable[..., Any]) -> None: ...\n"
        "    def __call__(self, *args: Any, **keywords: Any) -> Any: ...\n"
    )
    text = re.sub(r"^def (\w+)\(([^:)]*)\):", element_wise, text, flags=re.M)
    text = re.sub(r"\bhither\.(_hither\.)?(?=[A-Z])", "", text)
    text = re.sub(r"\b_hither\.(?=[A-Z])", "", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = text.replace("-> object", "-> Any").replace("typing.Any", "Any")
    text = re.sub(r"\bfrom collections\.abc import .*", "from collections.abc import Callable, "
                  "Iterator, Sequence", text)  # fmt: skip
    text = text.replace(
        "(self, /, *args, **kwargs):", "(self, /, *args: Any, **kwargs: Any) -> None:"
    )
    text = text.replace(
        "__getitem__(self, key, /):", "__getitem__(self, key: Any, /) -> ConfiguredKernel:"
    )
    text = text.replace(" = Ellipsis", " = ...")
    text = re.sub(r"^( *)def (\w+)\((.*)\) -> (.*?):(.*)$", typed, text, flags=re.M)
    docstring, rest = text.split("\n", 1)
    return f"{docstring}\n\n{HEADER}{rest}"


def typed(match: re.Match[str]) -> str:
    """The same definition with the types of PARAMETERS, and arguments for generic classes."""
    indent, name, parameters, result, rest = match.groups()

    def of_parameter(found: re.Match[str]) -> str:
        kind = None if name in UNTYPED else PARAMETERS.get(found[1])
        if (name, found[1]) == ("asarray", "dtype"):
            kind = "DType | Queue | Device"  # a queue is allowed in this place too
        return found[0] if kind is None else f"{found[1]}: {kind}{found[2] or ''}"

    parameters = re.sub(r"\b(\w+): (?:object|Any)( \| None)?(?=[,=) ]|$)", of_parameter, parameters)
    parameters = re.sub(r"(?<=\*)(args|kwargs)(?=,|$)", r"\1: Any", parameters)
    parameters, result = (
        re.sub(r"\b(tuple|dict|list)\b(?!\[|\()", lambda m: GENERIC[m[1]], part)
        for part in (parameters, result)
    )
    if name == "usm_type":
        result = "UsmType"
    return f"{indent}def {name}({parameters}) -> {result}:{rest}"


def element_wise(match: re.Match[str]) -> str:
    """The stub of an element-wise function: arrays and scalars to an array."""
    name, parameters = match.groups()
    annotated = re.sub(r"\b(x|x1|x2|condition)\b", r"\1: Any", parameters)
    annotated = annotated.replace("queue=None", "queue: Any | None = None")
    return f"def {name}({annotated}) -> Array:"


def reexported(names: list[str], of: str) -> str:
    """The stub of a module of hither._array whose names the extension lists."""
    aliases = {"abs": "absolute", "pow": "power"}
    lines = [f"    {aliases.get(n, n)} as {n}," for n in names]
    listed = "".join(f'    "{n}",\n' for n in names)
    body = "\n".join(["from .._hither import (", *lines, ")"])
    return f'"""{of}"""\n\n# Made by tools/stubs.py.\n\n{body}\n\n__all__ = [\n{listed}]\n'


def numpy_package() -> str:
    """The stub of hither.numpy, which collects the names of its modules."""
    import hither.numpy as hnp

    lines = []
    for module in hnp._MODULES:
        names = [n for n in module.__all__ if not _is_made(module, n)]
        lines += [f"from .{module.__name__.rpartition('.')[2]} import {n} as {n}" for n in names]
    made = [(n, m) for m in hnp._MODULES for n in m.__all__ if _is_made(m, n)]
    values = [f"{n}: {_type_of(getattr(m, n))}" for n, m in made]
    head = [
        '"""NumPy\'s names for arrays on devices."""', "", "# Made by tools/stubs.py.", "",
        "import builtins", "from typing import Any", "", "import numpy as np",
        "from numpy import __version__ as __version__", "",
        "from .._argument_types import DType, Nested, UsmType, Where",
        "from .._hither import Array, Array as ndarray",
        "from . import emath as emath, fft as fft, linalg as linalg, random as random",
        "from . import testing as testing",
    ]  # fmt: skip
    classes = [_ufunc_class(name, operands) for name, operands in UFUNCS.values()]
    listed = "".join(f'    "{n}",\n' for n in dict.fromkeys(hnp.__all__))
    return "\n".join([*head, *lines, "", *classes, "", *values, "", f"__all__ = [\n{listed}]", ""])


def _ufunc_class(name: str, operands: str) -> str:
    """A class of ufuncs with one result, for the types of a call."""
    return (
        f"class {name}(ufunc):\n"
        f"    def __call__(\n"
        f"        self, {operands}, /, out: Array | tuple[Array] | None = None, *,\n"
        "        where: Nested = True, casting: str = ..., order: str = ...,\n"
        "        dtype: DType | None = None, subok: builtins.bool = ..., signature: Any = None,\n"
        "        queue: Where | None = None, device: Where | None = None,\n"
        "        usm_type: UsmType | None = None,\n"
        "    ) -> Array: ..."
    )


def _is_made(module: Any, name: str) -> bool:
    """Whether the name is made at run time: no statement of the module's source defines it."""
    tree = ast.parse(Path(module.__file__).read_text())
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return False
        if isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == name for t in node.targets
        ):
            return False
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            return False
        if isinstance(node, ast.ImportFrom) and any(
            (a.asname or a.name) == name for a in node.names
        ):
            return False
    return True


def _type_of(value: Any) -> str:
    if type(value).__name__ == "ufunc" and type(value).__module__.startswith("hither"):
        return UFUNCS.get((value.nin, value.nout), ("ufunc",))[0]
    if isinstance(value, type):
        numpys = value.__module__ == "numpy" or issubclass(value, np.generic)
        return f"type[np.{value.__name__}]" if numpys else "type[Any]"
    if isinstance(value, (bool, int, float)):
        return f"builtins.{type(value).__name__}"  # the module has other objects of these names
    return "Any"


def main() -> int:
    array = Path(ht.__file__).parent / "_array"
    scans = ["cumulative_prod", "cumulative_sum", "diff", "nonzero", "searchsorted"]
    files = {
        STUB: stub(),
        array / "elementwise.pyi": reexported(
            ["abs", "clip", "pow", *_hither.elementwise_functions], "Element-wise functions."
        ),
        array / "reductions.pyi": reexported(
            [*scans, *_hither.reduction_functions], "Reductions, scans and searches."
        ),
        Path(ht.__file__).parent / "numpy" / "__init__.pyi": numpy_package(),
    }
    return max([write_or_check(file, text) for file, text in files.items()])


if __name__ == "__main__":
    sys.exit(main())

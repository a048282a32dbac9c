"""hither's C API through ctypes, with the layout of <hither/c_api.h>."""

from __future__ import annotations

import ctypes
import re
from ctypes import c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

import hither as ht

OK, VALUE, TYPE, PLACEMENT, BUFFER, COMPILE, KERNEL, PYTHON = 0, 1, 2, 5, 7, 9, 10, 12
FLOAT32, FLOAT64 = 10, 11
DEVICE, SHARED, HOST = 0, 1, 2
ARRAY, INPUT, INTEGER, REAL = 0, 1, 2, 4

TYPES = {
    "void": None, "hither_status": c_int32, "int32_t": c_int32, "int": c_int32,
    "int64_t": c_int64, "size_t": c_size_t, "uint32_t": c_uint32, "uint64_t": c_uint64,
    "hither_dtype": c_int32, "hither_usm_type": c_int32, "hither_device_type": c_int32,
    "hither_event_status": c_int32, "PyObject*": ctypes.py_object, "const char*": c_char_p,
    "hither_host_function": c_void_p, "hither_free_function": c_void_p,
    "hither_stream_function": c_void_p,
}  # fmt: skip


class View(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p), ("size", c_int64), ("itemsize", c_int64),
        ("shape", c_int64 * 16), ("strides", c_int64 * 16), ("ndim", c_int32),
        ("dtype", c_int32), ("usm_type", c_int32), ("read_only", c_int32),
        ("c_contiguous", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class PointerInfo(ctypes.Structure):
    _fields_ = [
        ("base", c_void_p), ("bytes", c_size_t), ("usm_type", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class Range(ctypes.Structure):
    _fields_ = [
        ("size", c_int64 * 3), ("local", c_int64 * 3), ("dimensions", c_int32),
        ("reserved", c_int32),
    ]  # fmt: skip


class Value(ctypes.Union):
    _fields_ = [
        ("array", c_void_p), ("integer", c_int64), ("unsigned_integer", c_uint64),
        ("real", c_double), ("parts", c_double * 2),
    ]  # fmt: skip


class Argument(ctypes.Structure):
    _fields_ = [("value", Value), ("kind", c_int32), ("reserved", c_int32)]


class KernelSource(ctypes.Structure):
    _fields_ = [
        ("entry", c_char_p), ("code", c_char_p), ("code_bytes", c_size_t),
        ("parameters", ctypes.POINTER(c_int32)), ("parameter_count", c_size_t),
        ("local_size", c_int64 * 3), ("independent_items", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class Launch(ctypes.Structure):
    _fields_ = [
        ("queue", c_void_p), ("depends_on", ctypes.POINTER(c_void_p)),
        ("depends_on_count", c_size_t),
    ]  # fmt: skip


HostFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, ctypes.POINTER(c_void_p),
                                ctypes.POINTER(c_char_p))  # fmt: skip
StreamFunction = ctypes.CFUNCTYPE(
    c_int32, c_void_p, c_void_p, ctypes.POINTER(c_void_p), ctypes.POINTER(c_char_p)
)
FreeFunction = ctypes.CFUNCTYPE(None, c_void_p)


def members() -> list[tuple[str, str, list[str]]]:
    """Name, result and parameter types of each function of the table, in their order."""
    text = (Path(ht.get_include()) / "hither" / "c_api_table.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = re.findall(r"([\w ]+?\*?) ?\(\*(\w+)\)\(([^;]*)\);", text)
    return [
        (name, result.strip(), [one_type(p) for p in parameters.split(",") if p != "void"])
        for result, name, parameters in found
    ]


def one_type(parameter: str) -> str:
    words = " ".join(parameter.split())
    return re.sub(r"(?<=[ *])\w+$", "", words).strip()


def ctype(name: str) -> Any:
    return TYPES.get(name, c_void_p)


def prototype(result: str, parameters: list[str]) -> Any:
    """Functions with PyObject* need the GIL; ctypes releases it around the others."""
    kind = ctypes.PYFUNCTYPE if "PyObject*" in [result, *parameters] else ctypes.CFUNCTYPE
    return kind(ctype(result), *map(ctype, parameters))


class Table:
    """`table.queue_select(...)` is the function itself; `table.check(status)` raises."""

    def __init__(self) -> None:
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
        self.address = pointer(ht._hither._C_API, b"hither._hither._C_API")
        self.version, self.bytes = (c_uint32 * 2).from_address(self.address)
        self.library_version = c_char_p.from_address(self.address + 8).value
        for i, (name, result, parameters) in enumerate(members()):
            address = c_void_p.from_address(self.address + 16 + 8 * i).value
            setattr(self, name, prototype(result, parameters)(address))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def check(self, status: int) -> None:
        if status != OK:
            self.raise_error(status)

    def make(self, function: str, *arguments: Any) -> Handle:
        """Calls a function whose last parameter is a hither_X**."""
        out = c_void_p()
        self.check(getattr(self, function)(*arguments, ctypes.byref(out)))
        names = {name: parameters for name, _, parameters in members()}
        noun = names[function][-1].removeprefix("hither_").rstrip("*")
        return Handle(self, noun, out.value)

    def array(self, x: Any) -> Handle:
        return self.make("array_from_object", x)


class Handle:
    """Released with the Python object."""

    def __init__(self, table: Table, noun: str, value: int | None) -> None:
        assert value
        self.table, self.noun, self._as_parameter_ = table, noun, value

    def __del__(self) -> None:
        getattr(self.table, f"{self.noun}_release")(self._as_parameter_)

    def object(self) -> Any:
        return getattr(self.table, f"{self.noun}_to_object")(self)

    def argument(self, kind: int = ARRAY) -> Argument:
        made = Argument(Value(array=self._as_parameter_), kind)
        made.handle = self  # to live as long
        return made


def arguments(*items: Any) -> Any:
    """Arrays, and numbers as they are."""
    found = []
    for item in items:
        if isinstance(item, Argument):
            found.append(item)
        elif isinstance(item, Handle):
            found.append(item.argument())
        elif isinstance(item, int):
            found.append(Argument(Value(integer=item), INTEGER))
        else:
            found.append(Argument(Value(real=item), REAL))
    made = (Argument * len(found))(*found)
    made.items = found
    return made

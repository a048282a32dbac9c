"""Exported tensors, interfaces, buffers, filter strings and pickles, many of them invalid.

hither imports each with the values that NumPy finds in the same memory, or refuses it with a Python
exception. It calls the deleter of a tensor once.
"""

from __future__ import annotations

import array
import ctypes
import gc
import pickle
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

import hither as ht

from .difference import Difference
from .dlpack_capsules import Producer

Program = dict[str, Any]

REFUSALS = (TypeError, ValueError, BufferError, OverflowError, MemoryError, ht.UnsupportedError)
BYTES = 512
USM = "__sycl_usm_array_interface__"
CUDA = "__cuda_array_interface__"
CODES = {"b": (6, 1), "i": (0, 1), "u": (1, 1), "f": (2, 1), "c": (5, 1)}
TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
FAR = [-(2**63), 2**63 - 1, 2**62, -(2**62), 2**32, -1, 2**40]


def _number(rng: random.Random) -> int:
    return rng.choice([0, 1, 2, 3, 4, 7, -1, -2, *FAR])


def _layout(rng: random.Random, item: int) -> tuple[list[int], list[int], int]:
    """A view of the memory: extents, strides in elements, and the first element."""
    left, shape, strides = BYTES // item, [], []
    low = high = 0
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        extent = rng.choice([0, 1, 2, 3, 5])
        stride = rng.choice([-7, -3, -1, 0, 1, 2, 4, 6])
        reach = max(extent - 1, 0) * stride
        if high - low + abs(reach) >= left:
            continue
        shape.append(extent)
        strides.append(stride)
        low, high = low + min(reach, 0), high + max(reach, 0)
    return shape, strides, -low + rng.randrange(max(1, left - (high - low)))


def _view(rng: random.Random) -> Program:
    code = rng.choice(TYPES)
    shape, strides, first = _layout(rng, np.dtype(code).itemsize)
    return {"type": code, "shape": shape, "strides": strides, "first": first}


def _make_dlpack(rng: random.Random) -> Program:
    wrong: dict[str, Any] = {}
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        name, value = rng.choice(
            [
                ("byte_offset", rng.choice([1, 3, 2**63, 2**64 - 8, 2**62 - 1])),
                ("data", None), ("shape", None), ("ndim", rng.choice([-1, 33, 2**31 - 1])),
                ("lanes", rng.choice([0, 2, 65535])), ("bits", rng.choice([0, 1, 7, 128, 255])),
                ("code", rng.choice([3, 4, 5, 17, 255])),
                ("device_type", rng.choice([0, 2, 3, 13, 14, 77, -1])),
                ("far stride", rng.choice(FAR)), ("far extent", rng.choice([*FAR, 0])),
                ("no strides", True), ("name", rng.choice(["", "dltensor2", "used_dltensor"])),
                ("version", rng.choice([0, 2, 2**31])), ("flags", rng.choice([1, 2, 3, 2**63])),
                ("device", rng.choice([None, [], [1], [1, "0"], "cpu", [2**40, 0], [1, 0, 0]])),
            ]
        )  # fmt: skip
        wrong[name] = value
    call = rng.choice(["from_dlpack", "asarray", "copy"])
    return {**_view(rng), "wrong": wrong, "versioned": rng.random() < 0.5, "call": call}


GARBAGE = [None, True, -1, 0.5, "x", [], [1], {}, [[1]], 2**70, "<f4", [0, 0], "\x00", "\ud800"]


def _make_interface(rng: random.Random) -> Program:
    wrong = {
        rng.choice(
            ["shape", "typestr", "data", "strides", "offset", "version", "syclobj", "descr",
             "typedescr", "stream", "mask"]
        ): rng.choice([*GARBAGE, _number(rng), [_number(rng), _number(rng)]])
        for _ in range(rng.choice([0, 0, 1, 1, 2]))
    }  # fmt: skip
    missing = rng.choice([None, None, None, "shape", "typestr", "data", "version", "syclobj"])
    return {**_view(rng), "wrong": wrong, "missing": missing}


def _make_buffer(rng: random.Random) -> Program:
    return {
        **_view(rng),
        "exporter": rng.choice(tuple(EXPORTERS)),
        "copy": rng.choice([None, True, False]),
        "to": rng.choice([None, None, "float64", "int32", "complex64", "bool"]),
    }


FILTER_PARTS = [
    "native_cpu", "opencl", "cuda", "level_zero", "cpu", "gpu", "null", "0", "1", "-1", "",
    "99999999999999999999", " ", "*", "x", "CPU", "\x00", "é", "accelerator", "+1", "0x0", "host",
    "all",
]  # fmt: skip


def _make_filter(rng: random.Random) -> Program:
    parts = [rng.choice(FILTER_PARTS) for _ in range(rng.choice([1, 1, 2, 3, 4]))]
    text = parts[0]
    for part in parts[1:]:
        text += rng.choice([":", ":", ":", ",", ", ", "::"]) + part
    return {"text": text}


def _make_pickle(rng: random.Random) -> Program:
    return {
        **_view(rng),
        "cut": rng.choice([None, None, rng.random()]),
        "state": rng.choice([None, None, 0, 1, 2]),
        "value": rng.choice([*GARBAGE, "nowhere:gpu:7", "shared", "host", "device"]),
    }


def make(rng: random.Random, device: str) -> Program:
    what = rng.choice(tuple(KINDS))
    return {"what": what, **KINDS[what][0](rng)}


def shrink(program: Program) -> Iterator[Program]:
    for key in program.get("wrong", {}):
        yield program | {"wrong": {k: v for k, v in program["wrong"].items() if k != key}}
    for i in range(len(program.get("shape", []))):
        fewer = {k: program[k][:i] + program[k][i + 1 :] for k in ("shape", "strides")}
        yield program | fewer
    if program.get("text"):
        for i in range(len(program["text"])):
            yield program | {"text": program["text"][:i] + program["text"][i + 1 :]}


def features(program: Program) -> Iterable[str]:
    yield program["what"]
    if "wrong" in program:
        for key in program["wrong"] or ["right"]:
            yield f"{program['what']}:{key}"
    if "type" in program:
        yield f"{program['what']}:{program['type']}"
    if "exporter" in program:
        yield f"buffer:{program['exporter']}"


def _memory() -> np.ndarray:
    return np.tile(np.array([1, 0, 0, 1, 0], np.uint8), BYTES)[:BYTES].copy()


def _expected(memory: np.ndarray, program: Program) -> np.ndarray:
    dtype = np.dtype(program["type"])
    base = memory[: BYTES // dtype.itemsize * dtype.itemsize].view(dtype)
    steps = [s * dtype.itemsize for s in program["strides"]]
    return as_strided(base[program["first"] :], program["shape"], steps)


def _same(found: ht.Array, expected: np.ndarray) -> None:
    values = ht.asnumpy(found)
    if values.shape != expected.shape or values.dtype != expected.dtype:
        raise Difference(f"{values.dtype} {values.shape}, not {expected.dtype} {expected.shape}")
    if not np.array_equal(values, expected, equal_nan=expected.dtype.kind in "fc"):
        raise Difference(f"{values!r}, not {expected!r}")


def _run_dlpack(program: Program, device: str) -> None:
    memory, wrong = _memory(), dict(program["wrong"])
    dtype = np.dtype(program["type"])
    code = 6 if dtype.kind == "b" else CODES[dtype.kind][0]
    fields: dict[str, Any] = {
        "data": memory.ctypes.data + program["first"] * dtype.itemsize,
        "device_type": 1, "ndim": len(program["shape"]), "code": code,
        "bits": 8 * dtype.itemsize, "lanes": 1, "shape": program["shape"],
        "strides": program["strides"],
    }  # fmt: skip
    if "far stride" in wrong and program["shape"]:
        # With an extent of two or more, the tensor leaves the memory and has to be refused unread.
        far = [wrong["far stride"] if abs(wrong["far stride"]) >= 2**60 else s
               for s in program["strides"]]  # fmt: skip
        fields["strides"] = far
    if "far extent" in wrong and program["shape"]:
        huge = wrong["far extent"] >= 2**62 or wrong["far extent"] < 0
        fields["shape"] = [wrong["far extent"] if huge else 0, *program["shape"][1:]]
    if "no strides" in wrong:
        small = int(np.prod(program["shape"])) + program["first"] <= BYTES // dtype.itemsize
        if small and "far extent" not in wrong:
            fields["strides"] = None
    for name in ("byte_offset", "data", "shape", "ndim", "lanes", "bits", "code", "device_type"):
        if name in wrong:
            fields[name] = wrong[name]
    options: dict[str, Any] = {"versioned": program["versioned"], "flags": wrong.get("flags", 0)}
    if "name" in wrong:
        options["name"] = wrong["name"].encode()
    if "version" in wrong:
        options["version"] = (wrong["version"], 0)
    if "device" in wrong:
        given = wrong["device"]
        options["device"] = tuple(given) if isinstance(given, list) else given
    producer = Producer(fields, memory, **options)
    try:
        found = {
            "from_dlpack": lambda: ht.from_dlpack(producer),
            "asarray": lambda: ht.asarray(producer),
            "copy": lambda: ht.asarray(producer, copy=True),
        }[program["call"]]()
    except REFUSALS:
        if producer.deletions > 1:
            raise Difference(f"the deleter was called {producer.deletions} times") from None
        return
    plain = set(wrong) <= {"version", "flags", "device"}
    if plain and ("version" not in wrong or not program["versioned"]):
        _same(found, _expected(memory, program))
    del found
    gc.collect()
    ht.synchronize(ht.ones(1, device="native_cpu"))
    if producer.deletions != 1:
        raise Difference(f"the deleter was called {producer.deletions} times")


class _Exporter:
    """An object with one interface attribute."""

    def __init__(self, name: str, fields: Any) -> None:
        setattr(self, name, fields)


def _run_interface(program: Program, device: str) -> None:
    host = _memory()
    dtype = np.dtype(program["type"])
    memory = ht.MemoryUSMShared(BYTES, queue=device)
    memory.copy_from_host(host)
    fields = {
        "shape": tuple(program["shape"]), "typestr": dtype.str,
        "data": (memory.pointer, False), "strides": tuple(program["strides"]),
        "offset": program["first"], "version": 1, "syclobj": memory.queue,
    }  # fmt: skip
    for key, value in program["wrong"].items():
        fields[key] = tuple(value) if isinstance(value, list) else value
    if key := program["missing"]:
        fields.pop(key, None)
    name = USM if program["what"] == "usm" else CUDA
    try:
        found = ht.asarray(_Exporter(name, fields))
        values = ht.asnumpy(found)
    except REFUSALS:
        if not program["wrong"] and not program["missing"] and name == USM:
            raise Difference("a valid interface was refused") from None
        return
    if name == USM and not program["wrong"] and not program["missing"]:
        _same(found, _expected(host, program))
    del values


def _ctypes(x: np.ndarray) -> Any:
    kind = {"f": ctypes.c_double, "i": ctypes.c_int32, "u": ctypes.c_uint8}.get(x.dtype.kind)
    flat = [v.item() for v in x.astype(kind or ctypes.c_int16).ravel()[:6]]
    return ((kind or ctypes.c_int16) * len(flat))(*flat)


EXPORTERS: dict[str, Callable[[np.ndarray], Any]] = {
    "numpy": lambda x: x,
    "read-only": lambda x: (x.setflags(write=False), x)[1],
    "memoryview": memoryview,
    "bytes": lambda x: x.tobytes(),
    "bytearray": lambda x: bytearray(x.tobytes()),
    "array": lambda x: array.array("d", [float(abs(v)) for v in x.ravel()]),
    "ctypes": _ctypes,
    "other order": lambda x: x.astype(x.dtype.newbyteorder()),
    "columns": np.asfortranarray,
    "record": lambda x: np.zeros(3, [("a", "i4"), ("b", x.dtype)]),
    "field": lambda x: np.zeros(3, [("a", "i1"), ("b", x.dtype)])["b"],
    "objects": lambda x: x.astype(object),
    "text": lambda x: x.astype("U8"),
    "dates": lambda x: np.zeros(x.shape, "M8[s]"),
    "long double": lambda x: x.astype(np.longdouble),
    "many dimensions": lambda x: np.zeros((1,) * 20, x.dtype),
    "broadcast": lambda x: np.broadcast_to(x, (2, *x.shape)),
    "list": lambda x: x.tolist(),
    "lists and arrays": lambda x: [ht.asarray(np.arange(3.0)), x],
    "matrix": lambda x: np.asmatrix(x) if x.ndim <= 2 else x,
    "masked": lambda x: np.ma.masked_array(x),
    "scalar": lambda x: x.ravel()[0] if x.size else x,
    "released": lambda x: _released(x),
    "endless": lambda x: _endless(),
}


def _released(x: np.ndarray) -> memoryview:
    view = memoryview(x)
    view.release()
    return view


def _endless() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


def _run_buffer(program: Program, device: str) -> None:
    x = _expected(_memory(), program)
    with warnings.catch_warnings(action="ignore"):
        exported = EXPORTERS[program["exporter"]](x)
    options = {k: v for k, v in (("copy", program["copy"]), ("dtype", program["to"])) if v}
    if program["copy"] is False:
        options["copy"] = False
    if program["to"]:
        options["dtype"] = getattr(ht, program["to"])
    try:
        found = ht.asarray(exported, device=device, **options)
        values = ht.asnumpy(found)
    except REFUSALS:
        return
    if isinstance(exported, (bytes, bytearray)):
        exported = np.frombuffer(exported, np.uint8)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            expected = np.asarray(exported).astype(values.dtype)
    except Exception:  # NumPy cannot convert it
        return
    real = np.asarray(exported).dtype
    comparable = real.kind != "c" or values.dtype.kind == "c"
    whole = values.dtype.kind not in "iu" or real.kind in "biu"
    if comparable and whole:
        if values.shape != expected.shape:
            raise Difference(f"shape {values.shape}, not {expected.shape}")
        if not np.array_equal(values, expected, equal_nan=values.dtype.kind in "fc"):
            raise Difference(f"{values!r}, not {expected!r}")


def _run_filter(program: Program, device: str) -> None:
    text = program["text"]
    for call in (ht.Device, ht.Queue, lambda t: ht.ones(2, device=t)):
        try:
            found = call(text)
        except REFUSALS:
            continue
        if isinstance(found, ht.Device) and ht.Device(found.filter_string) != found:
            raise Difference(f"{text!r} gives {found}, whose filter string gives another device")


def _run_pickle(program: Program, device: str) -> None:
    expected = _expected(_memory(), program)
    x = ht.asarray(expected, device=device)
    if program["state"] is not None:
        rebuild, state = x.__reduce_ex__(4)[:2]
        state = list(state)
        state[program["state"]] = program["value"]
        try:
            ht.asnumpy(rebuild(*state))
        except REFUSALS:
            return
        return
    text = pickle.dumps(x)
    if program["cut"] is not None:
        try:
            pickle.loads(text[: int(len(text) * program["cut"])])
        except (pickle.UnpicklingError, EOFError, *REFUSALS):
            return
        raise Difference("a truncated pickle was loaded")
    _same(pickle.loads(text), expected)


Kind = tuple[Callable[[random.Random], Program], Callable[[Program, str], None]]
KINDS: dict[str, Kind] = {
    "dlpack": (_make_dlpack, _run_dlpack),
    "usm": (_make_interface, _run_interface),
    "cuda": (_make_interface, _run_interface),
    "buffer": (_make_buffer, _run_buffer),
    "filter": (_make_filter, _run_filter),
    "pickle": (_make_pickle, _run_pickle),
}
FEATURES = frozenset(
    {*KINDS, *(f"buffer:{name}" for name in EXPORTERS)}
    | {f"{kind}:{code}" for kind in ("dlpack", "usm", "buffer", "pickle") for code in TYPES}
)


def run(program: Program, device: str) -> None:
    KINDS[program["what"]][1](program, device)

"""How much of NumPy hither.numpy has: python tests/conformance/numpy_names.py [device]

For each callable that takes or returns arrays (CALLS: the main namespace, linalg, fft, random) it
makes a call for each parameter, with NumPy and with hither, and compares values, dtypes and types
of the results. A name is present if all calls agree, and native if they do so for every numeric
dtype while the host must not compute, and copies at most 4 KiB to the host. Run it with
HITHER_STRICT_USM=1, so that copies on CPUs count.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hither as ht
import hither.numpy as hnp
from conformance.numpy_calls import ARGUMENTS, FFT, LARGE, LINALG, RANDOM, VALUES

DTYPES = "dfeFD?bhilBHIL"
MOST_BYTES = 4096
RTOL = {"e": 3e-2, "f": 2e-4, "F": 2e-4, "d": 1e-9, "D": 1e-9}
# Their elements are undefined or random: shapes and dtypes are compared.
UNDEFINED = {"empty", "empty_like"}
WRITES = {"put", "place", "putmask", "copyto", "fill_diagonal", "put_along_axis", "shuffle"}
# The order or sign of these results is not determined.
FREE = {"partition", "argpartition", "unique_values"}
SIGNLESS = {"eig", "eigh", "svd", "qr"}
# Functions of dtypes and texts, printing and storing: they run on the host by their nature.
OF_THE_HOST = set(
    "array2string array_repr array_str fromfile fromregex fromstring genfromtxt load loadtxt "
    "frombuffer fromiter save savetxt savez savez_compressed bytes vectorize".split()
)


def _calls(lists: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for usual, names in lists.items():
        for item in re.findall(r"\S+", names):
            name = re.match(r"\w+", item)[0]  # type: ignore[index]
            rest = item[len(name) :]
            given = rest[1:] if rest[:1] == "=" else f"{usual}, {rest[1:]}" if rest else usual
            found[name] = given.rstrip(",")
    return found


def _all_calls() -> dict[str, str]:
    """The argument list of each callable, by its name below numpy."""
    calls = _calls(ARGUMENTS)
    for name in dir(np):
        numpys = getattr(np, name)
        if isinstance(numpys, np.ufunc) and name != "isnat":
            calls[name] = "s, h" if name == "matmul" else "m, n" if numpys.nin == 2 else "m"
    calls |= {"matvec": "s, m[0]", "vecmat": "m[0], s", "ldexp": "m, m2",
              "bitwise_left_shift": "m, m2",
              "bitwise_right_shift": "m, m2", "left_shift": "m, m2", "right_shift": "m, m2",
              "arctanh": "x01", "atanh": "x01", "arccos": "x01", "acos": "x01", "arcsin": "x01",
              "asin": "x01"}  # fmt: skip
    for part, lists in (("linalg", LINALG), ("fft", FFT), ("random", RANDOM)):
        calls |= {f"{part}.{name}": given for name, given in _calls(lists).items()}
    return calls


CALLS = _all_calls()


def samples(xp: Any, dtype: str, scale: int = 1, **place: Any) -> dict[str, Any]:
    """Arrays of one dtype, made by NumPy or copied to the device."""
    rng = np.random.default_rng(7)

    def made(*shape: int, kind: Any = dtype, least: int = 1, most: int = 9) -> Any:
        whole = rng.integers(least, most, shape)
        if np.dtype(kind).kind in "fc":
            values = (whole + 0.5 * (whole % 2)).astype(kind)
        else:
            values = whole.astype(kind)
        if np.dtype(kind).kind == "c":
            values = values * np.asarray(1 + 0.25j, kind)
        return values if xp is np else ht.asarray(values, **place)

    rows, columns = 6 * scale, 4
    spread = np.eye(columns) * 30
    square = (rng.integers(1, 5, (columns, columns)) + spread).astype(dtype)
    hermitian = square + square.conj().T if np.dtype(dtype).kind != "b" else square
    sent = (lambda v: v) if xp is np else (lambda v: ht.asarray(v, **place))
    kind = dtype if np.dtype(dtype).kind in "iu" else "int64"
    found = {
        "np": xp, "v": made(rows * columns), "u": made(rows * columns), "w": made(5),
        "m": made(rows, columns), "n": made(rows, columns), "s": sent(square), "h": sent(hermitian),
        "t": made(2, 3, 4), "q": sent((rng.integers(1, 4, (6, 4, 24)) + np.eye(24).reshape(6, 4, 24)
        * 40).astype(dtype)), "c": made(5, 3), "d": made(5, 3), "f": made(5), "r": sent(np.arange(6)
        .astype(dtype)), "k": made(rows * columns, kind=kind),
        "j": made(rows, 1, kind="int64", most=4),
        "m2": made(rows, columns, kind="int8" if dtype in "?eFDfd" else dtype, most=4),
        "x01": sent((rng.random((rows, columns)) * 0.9).astype(dtype)),
        "i": sent(np.array([0, 2, 1])),
        "b": sent(rng.random((rows, columns)) > 0.5), "vb": sent(rng.random(rows * columns) > 0.5),
    }  # fmt: skip
    return found | _callables()


_FOLDER = tempfile.TemporaryDirectory()  # processes of one machine do not share it


def _callables() -> dict[str, Any]:
    folder = Path(_FOLDER.name)
    (folder / "raw").write_bytes(np.arange(6).tobytes())
    np.save(folder / "npy", np.arange(6.0))
    (folder / "npy.npy").rename(folder / "npy")
    return {
        "ends": lambda x: x[0] + x[1], "total": lambda x, axis: x.sum(axis),
        "twice": lambda x: x + x,
        "text": lambda: io.StringIO("1 2\n3 4\n5 6\n"), "sink": io.BytesIO,
        "path": lambda name: str(folder / name),
    }  # fmt: skip


def function_of(xp: Any, name: str) -> Any:
    for part in name.split("."):
        xp = getattr(xp, part)
    return xp


def parameters(name: str) -> list[tuple[str, str]]:
    """The parameters of NumPy's function that its argument list leaves out, and their values."""
    function = function_of(np, name)
    if isinstance(function, np.ufunc):
        values = {"where": "b", "casting": "'unsafe'", "order": "'C'", "dtype": "None"}
        shared = function.signature is None and function.nin == 2 and function.nout == 1
        return [*list(values.items())[: 4 if shared else 0], ("out", "OUT")]
    if name in ("vectorize", "fromstring"):  # a class, and a function without a signature
        return []
    given = CALLS[name]
    positional, named = _shape_of_call(given)
    found = []
    for place, p in enumerate(inspect.signature(function).parameters.values()):
        optional = p.default is not p.empty or p.kind is p.VAR_KEYWORD
        if place < positional or p.name in named or not optional:
            continue
        short = f"{name.split('.')[-1]}.{p.name}"
        value = VALUES.get(f"{name}.{p.name}", VALUES.get(short, VALUES.get(p.name)))
        if value is None:
            raise LookupError(f"VALUES has nothing for {name}.{p.name}")
        if value != "SKIP":
            found.append((p.name, value))
    return found


def _shape_of_call(given: str) -> tuple[int, set[str]]:
    call = ast.parse(f"f({given})", mode="eval").body
    assert isinstance(call, ast.Call)
    return len(call.args), {k.arg for k in call.keywords if k.arg}


def call_of(xp: Any, name: str, given: str, names: dict[str, Any], out: Any = None) -> Any:
    function = function_of(xp, name)
    if name == "vectorize":
        return function(names["twice"])(names["v"])
    arguments = eval(f"(lambda *a, **k: (a, k))({given})", dict(names))
    result = function(*arguments[0], **arguments[1])
    written = name.split(".")[-1] in WRITES
    return (result, arguments[0][0]) if written else result


def difference(name: str, result: Any, right: Any, dtype: str) -> str:
    """What differs between hither's result and NumPy's, or nothing."""
    if isinstance(right, (np.ndarray, np.generic)):
        if not isinstance(result, ht.Array):
            return f"a {type(result).__name__} instead of an array"
        if result.dtype != right.dtype or result.shape != right.shape:
            return f"{result.dtype}{result.shape} instead of {right.dtype}{right.shape}"
        last = name.split(".")[-1]
        if last in UNDEFINED or name.startswith("random."):
            return ""
        host = ht.asnumpy(result)
        if last in FREE:
            host, right = np.sort(host, None), np.sort(right, None)
        if last in SIGNLESS:
            host, right = np.abs(host), np.abs(right)
        rtol = max(RTOL.get(right.dtype.char, 0), RTOL.get(dtype, 0) if dtype in "eF" else 0)
        scale = np.abs(right[np.isfinite(right)]).max(initial=0) if right.dtype.char in RTOL else 0
        with np.errstate(all="ignore"):
            same = np.allclose(host, right, rtol=rtol, atol=rtol * 0.1 * scale, equal_nan=True)
        return "" if same else f"values: {host.reshape(-1)[:3]} instead of {right.reshape(-1)[:3]}"
    if isinstance(right, (tuple, list)):
        if not isinstance(result, (tuple, list)) or len(result) != len(right):
            return f"a {type(result).__name__} instead of {len(right)} results"
        texts = (difference(name, a, b, dtype) for a, b in zip(result, right, strict=True))
        return next(filter(None, texts), "")
    if isinstance(right, (bool, int, float)):
        same = result == right or name.startswith("random.")
        return "" if type(result) is type(right) and same else f"{result!r} instead of {right!r}"
    if isinstance(right, (np.dtype, str)) and result != right:
        return f"{result!r} instead of {right!r}"
    return ""


def outcome(
    name: str, extra: tuple[str, str] | None, dtype: str, scale: int = 1, **place: Any
) -> str:
    """What is wrong with a call, or nothing. NumPy's own errors leave nothing to compare."""
    host, own = samples(np, dtype, scale), samples(hnp, dtype, scale, **place)
    given = CALLS[name]
    try:
        if extra is not None and extra[1] == "OUT":
            result = call_of(np, name, given, host)
            many = isinstance(result, tuple)
            made = [np.zeros(x.shape, x.dtype) for x in (result if many else (result,))]
            host["OUT"] = tuple(made) if many else made[0]
            sent = [ht.asarray(x, **place) for x in made]
            own["OUT"] = tuple(sent) if many else sent[0]
        text = (
            given if extra is None else ", ".join(filter(None, (given, f"{extra[0]}={extra[1]}")))
        )
        if (
            extra is not None
            and extra[0] == "where"
            and "." not in name
            and isinstance(function_of(np, name), np.ufunc)
        ):
            text += ", out=np.zeros(m.shape, 'complex128')"
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            right = call_of(np, name, text, host)
    except (
        np.exceptions.ComplexWarning,
        TypeError,
        ValueError,
        AttributeError,
        np.linalg.LinAlgError,
        OverflowError,
        IndexError,
    ):
        return ""
    try:
        result = call_of(hnp, name, text, own)
        return difference(name, result, right, dtype)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def faults(name: str, dtypes: str = "dl", **place: Any) -> Iterator[str]:
    """What is wrong with the calls of a name for its parameters."""
    for extra in (None, *parameters(name)):
        for dtype in dtypes:
            text = outcome(name, extra, dtype, **place)
            if text:
                last = "" if extra is None else f", {extra[0]}={extra[1]}"
                yield f"{name}({CALLS[name]}{last}) {dtype}: {text}"


def native_faults(name: str, **place: Any) -> Iterator[str]:
    """Why the calls of a name are not native."""
    with ht.host_fallback("error"):
        for extra in (None, *parameters(name)):
            for dtype in DTYPES if extra is None else "d":
                text = outcome(name, extra, dtype, **place)
                if text:
                    yield f"{name} {extra} {dtype}: {text}"
        if name.split(".")[-1] in OF_THE_HOST:
            return
        text = bytes_of_large_call(name, **place)
        if text:
            yield f"{name}: {text}"


def bytes_of_large_call(name: str, **place: Any) -> str:
    """Whether a call on arrays of several times MOST_BYTES copies more than that to the host."""
    given = LARGE.get(name, CALLS[name])
    dtype = "d" if _takes(name, given, "d") else "l"
    names = samples(hnp, dtype, 400, **place)
    for value in names.values():
        if isinstance(value, ht.Array):
            value.evaluate()
    before = ht.counters()["bytes_to_host"]
    try:
        ht.evaluate(*_arrays(call_of(hnp, name, given, names)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    copied = ht.counters()["bytes_to_host"] - before
    return f"copies {copied} bytes to the host" if copied > MOST_BYTES else ""


def _takes(name: str, given: str, dtype: str) -> bool:
    """Whether NumPy's function takes this dtype."""
    try:
        call_of(np, name, given, samples(np, dtype, 400))
    except (TypeError, ValueError):
        return False
    return True


def _arrays(value: Any) -> list[ht.Array]:
    if isinstance(value, ht.Array):
        return [value]
    return [x for item in value for x in _arrays(item)] if isinstance(value, (tuple, list)) else []


def main() -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    place = {"device": sys.argv[1]} if len(sys.argv) > 1 else {}
    with ht.device_context(place.get("device") or ht.current_queue()):
        absent = {name: list(faults(name, **place)) for name in CALLS}
        hosted = {name: list(native_faults(name, **place)) for name in CALLS if not absent[name]}
    present = [name for name, texts in absent.items() if not texts]
    native = [name for name, texts in hosted.items() if not texts]
    for texts in absent.values():
        for text in texts[:3]:
            print("absent:", text.split("\n")[0][:200])
    for texts in hosted.values():
        if texts:
            print("not native:", texts[0].split("\n")[0][:200])
    count = len(CALLS)
    print(f"{count} names: {len(present) / count:.1%} present, {len(native) / count:.1%} native")


if __name__ == "__main__":
    main()

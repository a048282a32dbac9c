"""Runs Dask's own tests of arrays with hither's arrays as chunks.

`python tests/conformance/dask_tests.py [FILES] [-- PYTEST ARGUMENTS]`: names of files of
dask/array/tests, by default those in FILES. The tests make Dask arrays of NumPy's arrays and
compare with NumPy's: from_array() and the functions that create arrays make hither's chunks, and
results are copied to the host before they are compared. In the files test_cupy_*.py, hither.numpy
stands for CuPy. What fails is counted by reason; see REASONS.
"""

from __future__ import annotations

import functools
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.array.core
import dask.array.creation
import dask.array.utils
import numpy as np
import pytest
from outcomes import Counting

import hither as ht
import hither.dask
import hither.numpy

FILES = (
    "array_core creation ufunc reductions routines slicing reshape rechunk linalg fft overlap "
    "random percentiles gufunc map_blocks atop chunk stats shuffle dispatch array_function "
    "cupy_core cupy_creation cupy_gufunc cupy_linalg cupy_overlap cupy_percentile cupy_random "
    "cupy_reductions cupy_routines cupy_slicing"
).split()
# Expressions in the text of a failure -> why it is expected.
REASONS: dict[str, str] = {
    r"No module named 'cupy'|KeyError: 'cupy'|test_cupy_unsupported": "CuPy itself",
    r"fixture '\w+' not found": "plugins of pytest that are not installed",
    r"Timeout \(>": "the machine was too slow",
    r"the chunks were hither's|vectorize": "functions that make NumPy's arrays",
    r"PlacementError|dtype. inference failed|out= must be a hither": "NumPy's and hither's arrays "
    "in one operation",
    r"not a dtype that arrays can hold|a dtype of NumPy alone": "dtypes of NumPy alone",
    r"DID NOT WARN": "warnings that hither has no cause for",
    r"test_unique_kwargs|test_asanyarray": "hither takes what CuPy refuses",
    r"DID NOT RAISE RuntimeWarning": "warnings that hither has no cause for",
    r"MaskedArray": "masked arrays",
    r"an array has at most 32": "arrays of more than 32 dimensions",
    r"complex64 cannot be reduced in float64": "variances of complex numbers in float64",
    r"nan does not fit int64": "variances in int64",
    r"test_(nd_ffts_axes|wrap_fftns)\[float32": "rounding of float32 transforms",
    r"test_quantile_dtype|test_reductions_1D_nans\[x0-f4": "rounding and dtypes of float32",
    r"test_setitem_(1d|extended_API_2d_rhs)": "Dask strips placeholders from NumPy's indices only",
    r"dataframe|test_map_blocks_series|No dispatch for": "data frames",
    r"chunktype=numpy|isinstance\(|hither.Array'> == <class 'numpy": "tests that the chunks are "
    "NumPy's",
    r"test_ufunc_where_no_out": "elements that where= leaves out, which have no value",
    r"test_creation_data_producers|test_diag_2d_array_creation": "arrays that Dask keeps whole in "
    "its graph, as it keeps all but NumPy's",
    r"test_(from_array|blockwise_|meta\[|scalar_setitem)": "tests that the chunks are NumPy's",
    r"Truth of Delayed": "Dask asks for the dtype of a sum with a delayed value",
}
_inside: list[bool] = []  # not empty while Dask's own functions compare types


def as_chunk(x: Any) -> Any:
    """NumPy's array as hither's, if hither has its dtype."""
    if type(x) is not np.ndarray or x.dtype.kind not in "biufc" or x.dtype.itemsize > 16:
        return x
    if x.dtype.char in "gG" or not x.dtype.isnative:
        return x
    return ht.asarray(x)


def as_numpy(x: Any) -> Any:
    if isinstance(x, ht.Array):
        return ht.asnumpy(x)[()] if x.ndim == 0 else ht.asnumpy(x)
    if type(x) in (tuple, list):
        return type(x)(map(as_numpy, x))
    return x


def substitute_chunks() -> None:
    """Makes Dask's functions take NumPy's arrays as hither's chunks, and give results as NumPy's
    arrays to the tests."""
    dask.config.set({"array.backend": "hither"})
    original = da.from_array

    @functools.wraps(original)
    def from_array(x: Any, *args: Any, **given: Any) -> Any:
        # Dask's own functions make NumPy's chunks, as they do for users.
        by_test = sys._getframe(1).f_globals["__name__"].startswith("test_")
        return original(as_chunk(x) if by_test else x, *args, **given)

    for file, module in list(sys.modules.items()):
        if file.startswith("dask.array") and vars(module).get("from_array") is original:
            module.from_array = from_array  # type: ignore[attr-defined]
    for owner, name in ((da.Array, "compute"), (dask, "compute"), (dask.base, "compute")):
        setattr(owner, name, _to_numpy(getattr(owner, name)))


def compare_on_the_host() -> None:
    """Makes Dask's comparison of results copy hither's arrays to the host."""
    utils: Any = dask.array.utils
    check = utils.assert_eq

    @functools.wraps(check)
    def assert_eq(a: Any, b: Any, *args: Any, **given: Any) -> Any:
        return check(inspected(a, given), inspected(b, given), *args, **given)

    utils.assert_eq = da.assert_eq = assert_eq


def inspected(x: Any, given: dict[str, Any]) -> Any:
    """The values of a Dask array as NumPy's array, after Dask's checks of its graph and chunks."""
    if not isinstance(x, da.Array) or not isinstance(x._meta, ht.Array):
        return as_numpy(x)
    names = ("check_shape", "check_graph", "check_chunks", "check_ndim")
    checks = {name: given.get(name, True) for name in names}
    _inside.append(True)
    try:
        found = dask.array.utils._get_dt_meta_computed(
            x, scheduler=given.get("scheduler"), **checks
        )
    finally:
        _inside.pop()
    if given.get("check_type", True) and not isinstance(found[-1], ht.Array):
        raise AssertionError(f"the chunks were hither's, and the result is {type(found[-1])}")
    return as_numpy(found[-1])


def _to_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        result = function(*args, **given)
        return result if _inside else as_numpy(result)

    return call


def cupy_facade() -> types.ModuleType:
    """hither.numpy under the name of CuPy, with the functions that only CuPy has."""
    made = types.ModuleType("cupy")
    made.__dict__.update({k: v for k, v in vars(hither.numpy).items() if not k.startswith("__")})
    made.__dict__.update(ndarray=ht.Array, asnumpy=ht.asnumpy, __version__="13.0.0", __path__=[])
    return made


def adapted(source: str) -> str:
    """The text of a test of CuPy for hither; other tests as they are."""
    text = source.replace('pytest.importorskip("cupy")', '__import__("cupy_facade")')
    text = text.replace("dask.array.backends.register_cupy()", "")
    return text.replace('{"array.backend": "cupy"}', '{"array.backend": "hither"}')


def main() -> int:
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    names, more = given[:at] or list(FILES), given[at + 1 :]
    files = [name if name.startswith("test_") else f"test_{name}.py" for name in names]
    folder = Path(dask.array.__file__).parent / "tests"
    options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly"]
    counting = Counting(REASONS, by_name=True)
    compare_on_the_host()
    sys.modules["cupy_facade"] = cupy_facade()
    of_cupy = [name for name in files if name.startswith("test_cupy_")]
    for chosen in (of_cupy, [name for name in files if name not in of_cupy]):
        if chosen is not of_cupy:
            substitute_chunks()
        with tempfile.TemporaryDirectory() as place:
            # It defines the fixtures of Dask's tests.
            fixtures = Path(dask.__file__).parent / "conftest.py"
            (Path(place) / "conftest.py").write_text(fixtures.read_text())
            for name in chosen:
                (Path(place) / name).write_text(adapted((folder / name).read_text()))
            if chosen:
                pytest.main([*options, "-c", "/dev/null", "--rootdir", place, place, *more],
                            plugins=[counting])  # fmt: skip
    counting.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())

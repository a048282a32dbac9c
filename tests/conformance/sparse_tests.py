"""Runs SciPy's own tests of sparse arrays with hither's classes and functions.

`python tests/conformance/sparse_tests.py [FILES] [-- PYTEST ARGUMENTS]`: names of files of
scipy/sparse/tests, by default test_base.py. Formats that hither lacks are left out. The tests give
NumPy's arrays and compare with NumPy's, so that arguments of the outermost calls are copied to the
default queue and results from it. What fails is counted by reason; see REASONS.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import tempfile
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from outcomes import Counting

import hither as ht
import hither.scipy.sparse as sparse
from hither.scipy.sparse._sparse_array import SparseArray

DEFAULT = ("test_base.py",)
FORMATS = ("csr", "csc", "coo")
# Attributes and methods that tests need on the host.
OPERATORS = (
    "add radd sub rsub mul rmul truediv rtruediv matmul rmatmul pow eq ne lt le gt ge abs neg "
    "getitem setitem round"
).split()
# Expressions in the text of a failure, or in the test's name -> why it is expected.
REASONS = {
    r"longdouble|float128|complex256|clongdouble": "dtypes that hither's arrays do not hold",
    r"has no attribute '(tolil|todok|todia|tobsr)'|(lil|dok|dia|bsr)_(array|matrix)": "formats "
    "that hither does not have",
    r"is not \"csr\", \"csc\" or \"coo\"": "formats that hither does not have",
    r"at most 2 are stored|format has 1 or 2 dimensions": "arrays of more than two dimensions",
    r"DID NOT WARN": "warnings that hither has no cause for",
    r"Regex pattern did not match": "messages of errors are hither's",
    r"between instances of '(bsr|dia|dok|lil)_|'bool' object has no attribute 'toarr": (
        "formats that hither does not have"
    ),
    r"out= must be a hither.Array|__array_ufunc__": "NumPy's arrays as results",
    r"assert '<hither (Comp|COO)": "the text of repr and str is hither's",
    r"0D input|Input must be a sparse arr|tri\(\) missing": "SciPy's linalg of hither's arrays",
    r"test_constructor1_base|test_pickle|may_share_memory": "looks at the memory of NumPy's arrays",
    r"test_pow|test_(unary_)?ufunc": "numbers that differ from NumPy's in the last bit",
    r"test_has_(sorted_indices|canonical_format)": "assigned flags are not believed",
    r"test_dtype_check": "hither takes more dtypes",
    r"test_scalar_idx_dtype|test_constructor_smallcol": "int64 indices stay so",
    r"index array has 3 dimensions": "arrays of more than two dimensions",
    r"shape is \(1,\); this format has 2": "resize() keeps the number of dimensions",
}
_inside = threading.local()


def outermost(function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """The function for callers with NumPy's arrays, unless another such function calls it."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if getattr(_inside, "call", False):
            return function(*arguments, **keywords)
        _inside.call = True
        try:
            given = [moved_in(x) for x in arguments]
            options = {k: moved_in(v) for k, v in keywords.items()}
            result = function(*given, **options)
            if isinstance(options.get("out"), ht.Array):
                np.copyto(keywords["out"], ht.asnumpy(options["out"]))
                return keywords["out"]
            is_matrix = bool(arguments) and getattr(arguments[0], "_is_matrix", False)
            return moved_out(result, is_matrix and name != "toarray")
        finally:
            _inside.call = False

    return call


def moved_in(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind in "biufc":
        return ht.asarray(np.asarray(value))
    if type(value) in (tuple, list) and any(isinstance(x, np.ndarray) for x in value):
        return type(value)(map(moved_in, value))
    return value


def moved_out(value: Any, is_matrix: bool) -> Any:
    if isinstance(value, ht.Array):
        ordered = sorted(value.strides) == list(value.strides) and value.ndim == 2
        found = ht.asnumpy(value.T).T if ordered else ht.asnumpy(value)
        return np.asmatrix(found) if is_matrix and found.ndim == 2 else found[()]
    return tuple(moved_out(x, False) for x in value) if type(value) is tuple else value


def wrap_classes() -> None:
    """Makes the methods of hither's sparse arrays take and return NumPy's arrays."""
    classes = {c for kind in vars(sparse).values() if inspect.isclass(kind) for c in kind.__mro__}
    for owner in classes:
        if not owner.__module__.startswith("hither.scipy.sparse"):
            continue
        for name, value in list(vars(owner).items()):
            operator = name.strip("_") in OPERATORS and name.startswith("__")
            if inspect.isfunction(value) and (operator or not name.startswith("_")):
                setattr(owner, name, outermost(value, name))
            elif isinstance(value, property) and value.fset:
                setattr(owner, name, value.setter(outermost(value.fset)))
    for owner in classes:
        if "__init__" in vars(owner) and issubclass(owner, SparseArray):
            owner.__init__ = outermost(owner.__init__)


def facade() -> types.ModuleType:
    """scipy.sparse with hither's names where it has them."""
    made = types.ModuleType("sparse_facade")
    made.__dict__.update({k: v for k, v in vars(scipy.sparse).items() if not k.startswith("__")})
    for name in sparse.__all__:
        value = getattr(sparse, name)
        made.__dict__[name] = outermost(value) if inspect.isfunction(value) else value
    made.__dict__["linalg"] = scipy.sparse.linalg
    return made


def adapted(source: str) -> str:
    """The text of a test file with the facade in place of scipy.sparse."""
    text = re.sub(r"^import scipy\.sparse as sparse$", "import sparse_facade as sparse", source,
                  flags=re.MULTILINE)  # fmt: skip
    text = re.sub(r"^from scipy\.sparse import", "from sparse_facade import", text, flags=re.M)
    text = re.sub(r"^from scipy import sparse$", "import sparse_facade as sparse", text, flags=re.M)
    text = text.replace(  # data, row and col do not change their lengths one after the other
        """        M.data = np.r_[M.data.dtype.type(0), M.data]
        M.row = np.r_[M.row.dtype.type(i), M.row]
        M.col = np.r_[M.col.dtype.type(j), M.col]
        return M
""",
        """        parts = [(0, M.data), (i, M.row), (j, M.col)]
        x, y, z = [np.r_[p.dtype.type(v), p.get()] for v, p in parts]
        return type(M)((x, (y, z)), shape=M.shape)
""",
    )
    text = text.replace(
        "from scipy.sparse._sputils import (supported_dtypes, ",
        "supported_dtypes = SUPPORTED\nfrom scipy.sparse._sputils import (",
    )
    kinds = "np.bool_, np.byte, np.ubyte, np.short, np.ushort, np.intc, np.uintc, np.int_, np.uint"
    wanted = f"SUPPORTED = [{kinds}, np.float32, np.float64, np.complex64, np.complex128]\n"
    return text.replace("import numpy as np\n", f"import numpy as np\n{wanted}", 1)


def main() -> int:
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    files, more = given[:at] or list(DEFAULT), given[at + 1 :]
    sys.modules["sparse_facade"] = facade()
    wrap_classes()
    folder = Path(scipy.sparse.__file__).parent / "tests"
    counting = Counting(REASONS, by_name=True)
    with tempfile.TemporaryDirectory() as place:
        for name in files:
            (Path(place) / name).write_text(adapted((folder / name).read_text()))
        chosen = "not (DOK or LIL or DIA or BSR or 64Bit)"
        options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-k", chosen]
        pytest.main([*options, "--rootdir", place, place, *more], plugins=[counting])
    counting.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())

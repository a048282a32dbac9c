"""Runs SciPy's own tests of scipy.sparse.linalg with hither's functions.

`python tests/conformance/sparse_linalg_tests.py [FILES] [-- PYTEST ARGUMENTS]`: files of
scipy/sparse/linalg, by default those of functions that hither has. The tests give NumPy's and
SciPy's arrays, which are copied to the default queue; results are copied from it, and operators
and functions of the tests get NumPy's arrays. Only tests that call a function of hither are
counted.
"""

from __future__ import annotations

import importlib
import re
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse.linalg
from special_tests import Called, CountingCalls, calls

import hither as ht
from hither.scipy import sparse
from hither.scipy.sparse import linalg

DEFAULT = (
    "_eigen/arpack/tests/test_arpack.py", "_eigen/tests/test_svds.py",
    "_isolve/tests/test_iterative.py", "_isolve/tests/test_minres.py", "tests/test_norm.py",
)  # fmt: skip
SOURCES = ("_eigen._svds", "_eigen.arpack", "_eigen.arpack.arpack", "_isolve")
# Expressions in the text of a failure -> why it is expected.
REASONS = {
    r"DID NOT WARN": "SciPy's warnings of its own changes are not given",
    r"Regex pattern did not match": "messages of errors are hither's",
    r"dtype\('O'\)": "arrays of objects",
    r"No convergence": "the error's eigenvectors are hither's arrays",
}


def moved_in(value: Any) -> Any:
    """The value for a function of hither, on the default queue."""
    if isinstance(value, np.ndarray):
        return ht.asarray(np.ascontiguousarray(value)) if value.dtype.kind in "biufc" else value
    if scipy.sparse.issparse(value):
        return sparse.csr_array(value)
    if isinstance(value, scipy.sparse.linalg.LinearOperator):
        products = {
            name: outwards(getattr(value, name)) for name in ("rmatvec", "matmat", "rmatmat")
        }
        return linalg.LinearOperator(
            value.shape, outwards(value.matvec), dtype=value.dtype, **products
        )
    return outwards(value) if isinstance(value, types.FunctionType) else value


def moved_out(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(moved_out, value))
    return ht.asnumpy(value)[()] if isinstance(value, ht.Array) else value


def outwards(function: Any) -> Any:
    """The function of a test for hither's arrays."""
    return lambda *given: moved_in(function(*map(moved_out, given)))


class CalledForHost(Called):
    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        calls["all"] += 1
        given = {k: moved_in(v) for k, v in keywords.items()}
        return moved_out(self.own(*map(moved_in, arguments), **given))


def facade() -> types.ModuleType:
    """scipy.sparse.linalg and its parts with hither's functions where it has them."""
    made = types.ModuleType("linalg_facade")
    for source in ("", *(f".{name}" for name in SOURCES)):
        module = importlib.import_module(f"scipy.sparse.linalg{source}")
        made.__dict__.update({k: v for k, v in vars(module).items() if k[:2] != "__"})
    for name in ("bicgstab", "cg", "eigsh", "gmres", "inv", "minres", "norm", "spsolve", "svds"):
        scipys = getattr(scipy.sparse.linalg, name)
        made.__dict__[name] = CalledForHost(getattr(linalg, name), scipys)
    for name in ("ArpackError", "ArpackNoConvergence"):
        made.__dict__[name] = getattr(linalg, name)
    return made


def adapted(source: str) -> str:
    """The text of a test file with the facade in place of scipy.sparse.linalg."""
    return re.sub(r"^from scipy\.sparse\.linalg[\w.]* import", "from linalg_facade import", source,
                  flags=re.MULTILINE)  # fmt: skip


def main() -> int:
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    files, more = given[:at] or list(DEFAULT), given[at + 1 :]
    sys.modules["linalg_facade"] = facade()
    counting = CountingCalls(REASONS)
    with tempfile.TemporaryDirectory() as place:
        for name in files:
            source = Path(scipy.sparse.linalg.__file__).parent / name
            (Path(place) / source.name).write_text(adapted(source.read_text()))
        options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
        options += ["-p", "scipy.conftest", "--rootdir", place]
        pytest.main([*options, place, *more], plugins=[counting])
    counting.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())

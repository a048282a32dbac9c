"""Runs SciPy's own tests of special functions with hither's functions.

`python tests/conformance/special_tests.py [FILES] [-- PYTEST ARGUMENTS]`: names of files of
scipy/special/tests, by default those of functions that hither has. The tests give NumPy's arrays
and compare with NumPy's, so that arguments are copied to the default queue and results from it.
Only tests that call a function of hither are counted. Calls that SciPy computes on the host, such
as those of complex numbers, are errors.
"""

from __future__ import annotations

import functools
import re
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special
from outcomes import Counting

import hither as ht
from hither.scipy import special

DEFAULT = (
    "test_basic.py", "test_boxcox.py", "test_data.py", "test_digamma.py", "test_erfinv.py",
    "test_gamma.py", "test_logit.py", "test_logsumexp.py", "test_mpmath.py", "test_nan_inputs.py",
    "test_ndtr.py",
)  # fmt: skip
# Expressions in the text of a failure -> why it is expected.
REASONS = {
    r"forbids NumPy's function": "complex numbers, which SciPy computes on the host",
    r"longdouble|float128|is a dtype of NumPy alone": "dtypes that hither's arrays do not hold",
    r"violations: \d\.?\d*e-(31|32|45)": "subnormal results, which SLEEF rounds otherwise",
    r"DID NOT WARN|DID NOT RAISE|SpecialFunction": "warnings and errors of SciPy's error handling",
    r"Items are not equal: ACTUAL: np": "SciPy's factorial differs from gamma in the last bit",
}
calls: Counter[str] = Counter()


def moved_in(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        return ht.asarray(np.asarray(value))
    return value


def moved_out(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(moved_out, value))
    return ht.asnumpy(value)[()] if isinstance(value, ht.Array) else value


class Called:
    """A function of hither for NumPy's arrays, with the attributes of SciPy's."""

    def __init__(self, own: Any, scipys: Any) -> None:
        self.own, self.scipys = own, scipys
        functools.update_wrapper(self, self.scipys, ("__name__", "__doc__"), ())

    def __hash__(self) -> int:  # the tests look their functions up in SciPy's tables
        return hash(self.scipys)

    def __eq__(self, other: object) -> bool:
        return other is self or other is self.scipys

    def __getattr__(self, name: str) -> Any:
        return getattr(self.scipys, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        calls["all"] += 1
        outs = {k: v for k, v in keywords.items() if k == "out" and v is not None}
        given = {k: moved_in(v) for k, v in keywords.items() if v is not None}
        with ht.host_fallback("error"):
            result = moved_out(self.own(*map(moved_in, arguments), **given))
        for out in outs.values():
            np.copyto(out[0] if isinstance(out, tuple) else out, result)
        return result


def facade() -> types.ModuleType:
    """scipy.special with hither's functions where it has them."""
    made = types.ModuleType("special_facade")
    made.__dict__.update({k: v for k, v in vars(scipy.special).items() if k[:2] != "__"})
    for name in special.__all__:
        made.__dict__[name] = Called(getattr(special, name), getattr(scipy.special, name))
    return made


def adapted(source: str) -> str:
    """The text of a test file with the facade in place of scipy.special."""
    rules = {
        r"^from scipy import special$": "import special_facade as special",
        r"^import scipy\.special as sc$": "import special_facade as sc",
        r"^import scipy\.special\._ufuncs as cephes$": "import special_facade as cephes",
        r"^from scipy\.special import": "from special_facade import",
    }
    for old, new in rules.items():
        source = re.sub(old, new, source, flags=re.MULTILINE)
    return source


class CountingCalls(Counting):
    """Counts the tests that call a function of hither."""

    def pytest_runtest_setup(self, item: Any) -> None:
        calls.clear()

    def counts(self, report: pytest.TestReport) -> bool:
        return report.when == "call" and bool(calls["all"])


def main() -> int:
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    files, more = given[:at] or list(DEFAULT), given[at + 1 :]
    sys.modules["special_facade"] = facade()
    folder = Path(scipy.special.__file__).parent / "tests"
    counting = CountingCalls(REASONS)
    with tempfile.TemporaryDirectory() as place:
        for name in files:
            text = (folder / name).read_text()
            text = text.replace("os.path.dirname(__file__)", repr(str(folder)))
            (Path(place) / name).write_text(adapted(text))
        options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
        options += ["-p", "scipy.conftest"]
        pytest.main([*options, "--rootdir", place, place, *more], plugins=[counting])
    counting.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())

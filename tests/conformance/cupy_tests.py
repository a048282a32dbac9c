"""Runs CuPy's tests in dpnp's package on hither.numpy.

`python tests/conformance/cupy_tests.py FOLDER [TESTS ...] [PYTEST OPTIONS]`: FOLDER is an unpacked
wheel of dpnp, and TESTS are folders or files of its dpnp/tests/third_party/cupy; by default those
of creation, indexing, manipulation and sorting. Prints counts for each folder, and what fails, with
the reason where it is known; exits with 1 if one is not. HITHER_DEVICE says where.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from outcomes import Counting

import hither as ht
import hither.numpy as hnp

TESTS = "dpnp/tests/third_party/cupy"
DEFAULT = ["creation_tests", "indexing_tests", "manipulation_tests", "sorting_tests"]
OF_DPNP = "wants a refusal or a word of dpnp or CuPy, where NumPy computes or says another"
INSIDE = "uses the inside of CuPy or dpnp, or their names beyond NumPy's"
NUMBERS = "NumPy, too, returns a Python number"
MORE = "hither takes more dtypes, shapes and outputs"
# Expressions in the error or the name of a test -> why it fails.
REASONS = {
    r"_core'|NameError|ModuleNotFoundError|dpnp_iface|_dpnp_random|byte_bounds|SyclQueue": INSIDE,
    r"expected call not found|to be called once|get_random_state|RawModule|Kernel'": INSIDE,
    r"TestNdarrayInit::test_memptr|CuPyGetNDArray|CudaArrayInterface|cuda_array_int": INSIDE,
    r"assert \(\) == \[\]|subok|require_incorrect|TestArithmeticRaisesWithNumpyInput": OF_DPNP,
    r"name='reciprocal'|with_scalar_append|test_(callable|mixed)_funclist|TestRational": OF_DPNP,
    r"test_tri[lu]_indices|test_select_default_scalar|matrix_transpose_raises": OF_DPNP,
    r"bool_one_element|invalid_0darr|test_bad_dtype_adv_getitem|not an acceptable base": OF_DPNP,
    r"cupy_indices_integer_array_2|cupy_indices[45]|test_docstring|test_argspec": OF_DPNP,
    r"test_cum(sum|prod)_(arraylike|numpy_array)|weights_basic|nonsvd": OF_DPNP,
    r"array has at most 32 dimensions": "an array has at most 32 dimensions",
    r"strides=\(.* of neither order": "without a buffer, strides are those of an order",
    r"test_(flat)?nonzero\[1\]|test_argwhere\[1\]": "casts of negative numbers to uint64",
    r"test_cov_warns|_all_nan|ComplexWarning not": "NumPy's warnings of values are not given",
    r"ComparisonDifficult|ObjectComparison": "x == object is False, not an array",
    r"TestRand(int|omIntegers)2::test_goodness_of_fit$": NUMBERS,
    r"(real|imag)_inplace|real\.base is|imag\.base is|test_(real|imag)_nd": "parts are copies",
    r"float16 is not supported; cast": "NumPy, too, refuses float16 in linear algebra",
    r"out_f_contiguous|TakeErrorTypeMismatch|corrcoef_dtype|TestCov::test_cov$": MORE,
    r"test_sum_axis2_float16": "NumPy adds float16 numbers in float16 here, hither in float32",
    r"cannot be stored in": "complex numbers do not become real ones silently",
}


def asnumpy(x: Any, order: str = "C") -> np.ndarray:
    return x.get() if isinstance(x, ht.Array) else np.asarray(x, order=order)


class Address:
    """x.data as CuPy has it: the address of the first element."""

    def __init__(self, x: ht.Array) -> None:
        usm = x.__sycl_usm_array_interface__
        self.ptr = usm["data"][0] + usm.get("offset", 0) * x.itemsize


class Names(ModuleType):
    """hither.numpy, and what dpnp has besides NumPy's names."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "testing":
            return importlib.import_module("dpnp.tests.third_party.cupy.testing")
        return getattr(hnp, name)


def module(name: str, **names: Any) -> ModuleType:
    made = sys.modules[name] = Names(name)
    made.__path__ = []
    vars(made).update(names)
    return made


def install(checkout: Path) -> None:
    """Makes dpnp another name of hither.numpy, with the tests in the checkout inside."""
    for kind in ("ALL_INT_TYPES", "FLOAT_16", "COMPLEX_TYPES", "BOOL_TYPES"):
        os.environ.setdefault(f"DPNP_TEST_{kind}", "1")
    device = ht.Device(os.environ.get("HITHER_DEVICE", "native_cpu"))
    module(
        "dpctl", select_default_device=lambda: device, SyclDevice=lambda *a: device,
        utils=SimpleNamespace(intel_device_info=lambda d: {}),
    )  # fmt: skip
    module(
        "dpnp", __version__="0.20", asnumpy=asnumpy, default_float_type=lambda d=None: np.float64,
        is_supported_array_type=lambda x: isinstance(x, ht.Array), is_cuda_backend=lambda *a: False,
        cuda=SimpleNamespace(runtime=SimpleNamespace(is_hip=False)),
    )  # fmt: skip
    module("dpnp.exceptions", **{k: v for k, v in vars(np.exceptions).items() if k[:2] != "__"})
    module("dpnp.dpnp_utils", convert_item=lambda x: asnumpy(x) if isinstance(x, ht.Array) else x)
    for part in ("random", "linalg", "fft"):
        sys.modules[f"dpnp.{part}"] = getattr(hnp, part)
    vars(hnp.random)["dpnp_iface_random"] = SimpleNamespace(_dpnp_random_states={})
    ht.Array.asnumpy = ht.Array.get  # type: ignore[attr-defined]
    ht.Array.data = property(Address)  # type: ignore[assignment]
    sys.modules["dpnp"].__path__ = [str(checkout / "dpnp")]
    helper = importlib.import_module("dpnp.tests.helper")
    has: Any = {"has_support_aspect64": True, "has_support_aspect16": True, "is_cuda_device": False}
    for name, value in has.items():
        setattr(helper, name, lambda device=None, value=value: value)


def _fixture(name: str) -> Any:
    @pytest.fixture(name=name)
    def quiet() -> Iterator[None]:
        yield

    return quiet


# The fixtures of dpnp's conftest.py, which needs all of dpnp. All warnings are ignored here.
for _name in (
    "allow_fall_back_on_numpy", "suppress_complex_warning", "suppress_divide_numpy_warnings",
    "suppress_invalid_numpy_warnings", "suppress_divide_invalid_numpy_warnings",
    "suppress_dof_numpy_warnings", "suppress_mean_empty_slice_numpy_warnings",
    "suppress_overflow_encountered_in_cast_numpy_warnings",
):  # fmt: skip
    globals()[_name] = _fixture(_name)


class Folders(Counting):
    """Counts for each folder of tests, and files that cannot be imported."""

    def __init__(self) -> None:
        super().__init__(REASONS, by_name=True)
        self.folders: dict[str, Counter[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        super().pytest_runtest_logreport(report)
        if self.counts(report):
            folder = report.nodeid.partition(f"{TESTS}/")[2].partition("/")[0]
            self.folders.setdefault(folder, Counter())[report.outcome] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcomes["not collected"] += 1
            self._explain(report.nodeid, str(report.longrepr))

    def show(self) -> None:
        for folder, counts in self.folders.items():
            ran = counts["passed"] + counts["failed"]
            print(f"{folder}: {dict(counts)}, {100 * counts['passed'] / max(ran, 1):.1f} % pass")
        super().show()


def main() -> int:
    checkout = Path(sys.argv[1]).resolve()
    options = [v for v in sys.argv[2:] if v.startswith("-")]
    paths = [v for v in sys.argv[2:] if not v.startswith("-")] or DEFAULT
    install(checkout)
    os.chdir(checkout)
    outcomes = Folders()
    usual = ["-q", "--tb=short", "--show-capture=no", "--no-summary", "-W", "ignore"]
    usual += ["-p", "no:cacheprovider", "-o", "addopts=", "--noconftest", "-m", "not slow"]
    usual += ["--rootdir", ".", "--import-mode=importlib", "--continue-on-collection-errors"]
    chosen = [re.sub(r"^", f"{TESTS}/", path, count=1) for path in paths]
    pytest.main([*usual, *options, *chosen], plugins=[sys.modules[__name__], outcomes])
    outcomes.show()
    return 1 if outcomes.unknown or not outcomes.outcomes else 0


if __name__ == "__main__":
    sys.exit(main())

"""A plugin of pytest: hither.compat under the packages' names, and what a suite needs besides.

The suites take helper functions from inside their packages (which types a device has, say). Those
that decide what to test are here; any other name of a private module is there and raises when it is
used, so that the other tests of a file run.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from hither import compat
from hither.compat.dpctl.tensor import DLDeviceType


class PrivateNameError(NotImplementedError):
    """A test uses private names of another package."""


# What Python, pytest and Numba ask of every module.
NOT_PRIVATE = ("__", "_numba", "pytest", "setup", "teardown", "setUp", "tearDown")


class Private:
    """Stands for a private name; raises at every use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise PrivateNameError(self.name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(NOT_PRIVATE):
            raise AttributeError(name)
        return Private(f"{self.name}.{name}")


def has(device: Any) -> tuple[bool, bool]:
    return device.has_aspect_fp16, device.has_aspect_fp64


def all_data_types(fp16: bool, fp64: bool) -> list[np.dtype]:
    codes = "?bBhHiIqQ" + "e" * fp16 + "f" + "d" * fp64 + "F" + "D" * fp64
    return [np.dtype(code) for code in codes]


def can_cast(source: Any, to: Any, fp16: bool, fp64: bool, casting: str = "safe") -> bool:
    largest = "dD" if fp64 else "fF"
    inexact = source.kind in "biu" and to.kind in "fc" and to.char in largest
    lacking = not (fp16 and fp64)
    return to in all_data_types(fp16, fp64) and (
        np.can_cast(source, to, casting=casting) or (lacking and inexact)
    )


def where_type(first: Any, second: Any, device: Any) -> Any:
    """The result dtype of where(); None if the device does not support it."""
    both = np.promote_types(first, second)
    here = all_data_types(*has(device))
    if both in here:
        return both
    if first not in here or second not in here:
        return None
    return supported_dtype(both, device)


def supported_dtype(dtype: Any, device: Any) -> Any:
    fp16, fp64 = has(device)
    dtype = np.dtype(dtype)
    if dtype in all_data_types(fp16, fp64):
        return dtype
    return np.dtype({"e": "f", "d": "f", "D": "F"}[dtype.char])


def default_type(kind: str) -> Any:
    def name(target: Any) -> str:
        import hither

        device = getattr(target, "sycl_device", target)
        types = hither.__array_namespace_info__().default_dtypes(device=device)
        return np.dtype(types[kind]).str[1:]

    return name


# Ends of modules' names -> what tests choose their cases by.
HELPERS: dict[str, dict[str, Any]] = {
    "tensor._type_utils": {
        "_all_data_types": all_data_types,
        "_can_cast": can_cast,
        "_to_device_supported_dtype": supported_dtype,
        "_is_maximal_inexact_type": lambda t, fp16, fp64: np.dtype(t).char in (
            "dD" if fp64 else "fF"
        ),
    },
    "tensor._tensor_impl": {
        "default_device_fp_type": default_type("real floating"),
        "default_device_complex_type": default_type("complex floating"),
        "default_device_int_type": default_type("integral"),
        "default_device_bool_type": lambda target: "b1",
        "default_device_index_type": default_type("indexing"),
    },
    "numba_dpex.config": {"TESTING_SKIP_NO_DEBUGGING": True, "TESTING_SKIP_NO_DPNP": True},
    "numba_dpex.core.config": {"TESTING_SKIP_NO_DEBUGGING": True},
    "numba_dpex.ocl": {"atomic_support_present": lambda: True},
    "tensor._search_functions": {"_where_result_type": where_type},
    "tensor._usmarray": {"DLDeviceType": DLDeviceType},
    "tensor._numpy_helper": {"AxisError": IndexError},
}  # fmt: skip


class PrivateModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a module for each private name of the packages that hither.compat does not have."""

    packages = ("dpctl.", "dpnp.", "numba_dpex.")

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        package = next((p for p in self.packages if name.startswith(p)), None)
        if package is None or name.startswith(f"{package}tests"):
            return None
        private = package == "numba_dpex." or "._" in name
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if private else None

    def create_module(self, spec: Any) -> ModuleType:
        module = ModuleType(spec.name)
        module.__path__ = []
        for end, names in HELPERS.items():
            if spec.name.endswith(end):
                module.__dict__.update(names)
        return module

    def exec_module(self, module: ModuleType) -> None:
        def missing(name: str) -> Any:
            if name.startswith(NOT_PRIVATE):
                raise AttributeError(name)
            return Private(f"{module.__name__}.{name}")

        module.__getattr__ = missing  # type: ignore[method-assign]


def skip_if_dtype_not_supported(dtype: Any, target: Any) -> None:
    """As the suites' function, by isinstance where they compare types."""
    fp16, fp64 = has(getattr(target, "sycl_device", target))
    if np.dtype(dtype) not in all_data_types(fp16, fp64):
        pytest.skip(f"no {dtype} there")


@pytest.fixture
def suppress_invalid_numpy_warnings() -> Any:
    """As the fixture of dpnp's tests, whose own file needs all of dpnp."""
    with np.errstate(invalid="ignore"):
        yield


# Each suite's module with functions that its tests share.
WITH_HELPERS = {
    "dpctl": "dpctl.tests.helper",
    "dpnp": "dpnp.tests.tensor.helper",
    "numba_dpex": "numba_dpex.tests._helper",
}


def tests_of(package: str, checkout: Path) -> None:
    """Makes `package.tests` a package, in addition to hither's `package`."""
    tests = ModuleType(f"{package}.tests")
    tests.__path__ = [str(checkout / package / "tests")]
    tests.__file__ = str(checkout / package / "tests" / "__init__.py")
    sys.modules[tests.__name__] = tests
    if package == "dpnp":
        fixtures = ModuleType("dpnp.tests.conftest")
        vars(fixtures)["suppress_invalid_numpy_warnings"] = suppress_invalid_numpy_warnings
        sys.modules[fixtures.__name__] = fixtures
    names = importlib.import_module(WITH_HELPERS[package])
    names.skip_if_dtype_not_supported = skip_if_dtype_not_supported  # type: ignore[attr-defined]


def private_names_of_numba_dpex() -> None:
    """What the suite imports from the package itself, besides its public names."""
    package = sys.modules["numba_dpex"]
    public = package.__getattr__
    package.numba_version = package.dpctl_version = (9, 9, 9)  # type: ignore[attr-defined]
    package.config = importlib.import_module("numba_dpex.config")  # type: ignore[attr-defined]
    vars(package.config).update(HELPERS["numba_dpex.config"])
    package.ocl = importlib.import_module("numba_dpex.ocl")  # type: ignore[attr-defined]
    core = sys.modules["numba_dpex.core"]
    core.config = importlib.import_module("numba_dpex.core.config")  # type: ignore[attr-defined]

    def named(name: str) -> Any:
        try:
            return public(name)
        except AttributeError:
            if name.startswith(NOT_PRIVATE):
                raise
            return Private(f"numba_dpex.{name}")

    package.__getattr__ = named  # type: ignore[method-assign]
    for name in ("numba_dpex.core", "numba_dpex.core.types", "numba_dpex.core.exceptions"):
        PrivateModules().exec_module(sys.modules[name])


def start() -> None:
    package, checkout = os.environ["HITHER_COMPAT_SUITE"].split("=", 1)
    flavour = "seeds" if package == "numba_dpex" else "dpctl-0.21"
    compat.install(force=True, flavour=flavour)
    for name, module in list(sys.modules.items()):
        if name.startswith(PrivateModules.packages) and not hasattr(module, "__path__"):
            module.__path__ = []  # else Python looks for no modules inside
    sys.meta_path.append(PrivateModules())
    if package == "numba_dpex":
        private_names_of_numba_dpex()
    tests_of(package, Path(checkout))


start()

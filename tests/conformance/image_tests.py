"""Runs SciPy's own tests of images and signals with hither's functions.

`python tests/conformance/image_tests.py [FILES] [-- PYTEST ARGUMENTS]`: files of scipy, such as
ndimage/tests/test_filters.py; by default those of functions that hither has. The tests give NumPy's
arrays and compare with NumPy's, so that arguments are copied to the default queue, and results and
outputs from it. Only tests that call a function of hither are counted.
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
from special_tests import Called, CountingCalls, calls, moved_out

import hither as ht
from hither.scipy import ndimage, signal

DEFAULT = (
    "ndimage/tests/test_datatypes.py", "ndimage/tests/test_filters.py",
    "ndimage/tests/test_interpolation.py", "ndimage/tests/test_measurements.py",
    "ndimage/tests/test_splines.py", "signal/tests/test_result_type.py",
    "signal/tests/test_signaltools.py",
)  # fmt: skip
# Expressions in the text of a failure -> why it is expected.
REASONS = {
    r"'(float128|complex256|longdouble|clongdouble)'": "dtypes that hither's arrays do not hold",
    r"dtype\('>": "arrays of another byte order",
    r"Regex pattern did not match": "messages of errors are hither's",
    r"method='gust'": "filtfilt has one method for the ends of the array",
    r"input type 'object'": "arrays of objects",
    r"DID NOT RAISE RuntimeError": "hither filters float16, too",
}


def moved_in(value: Any) -> Any:
    """The array, and arrays in lists and tuples, on the default queue."""
    if isinstance(value, np.ndarray):
        return ht.asarray(value) if value.dtype.kind in "biufc" else value
    return type(value)(map(moved_in, value)) if type(value) in (list, tuple) else value


class CalledWithOutput(Called):
    """A function whose parameter `output` may be an array of NumPy, which it fills."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        calls["all"] += 1
        if any(isinstance(x, ht.Array) for x in arguments):  # a test's function calls it
            return self.own(*arguments, **keywords)
        given = {k: moved_in(v) for k, v in keywords.items()}
        moved = list(map(moved_in, arguments))
        result = moved_out(self.own(*moved, **given))
        names = list(inspect.signature(self.scipys).parameters)
        at = names.index("output") if "output" in names else len(names)
        pairs = [(keywords.get("output"), given.get("output"))]
        pairs += list(zip(arguments, moved, strict=True))[at : at + 1]
        for output, filled in pairs:
            if isinstance(output, np.ndarray) and isinstance(filled, ht.Array):
                np.copyto(output, ht.asnumpy(filled))
                result = output if isinstance(result, np.ndarray) else result
        return result


def facade(name: str, own: types.ModuleType, scipys: types.ModuleType) -> None:
    """Makes a module with SciPy's names, and hither's functions where it has them."""
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update({k: v for k, v in vars(scipys).items() if k[:2] != "__"})
    for function in own.__all__:
        value = CalledWithOutput(getattr(own, function), getattr(scipys, function))
        made.__dict__[function] = value


def adapted(source: str) -> str:
    """The text of a test file with the facades in place of SciPy's modules."""
    rules = {
        r"^from scipy import (ndimage|signal)$": r"import \1_facade as \1",
        r"^import scipy\.(ndimage|signal) as": r"import \1_facade as",
        r"^from scipy\.(ndimage|signal) import": r"from \1_facade import",
    }
    for old, new in rules.items():
        source = re.sub(old, new, source, flags=re.MULTILINE)
    return source


def main() -> int:
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    files, more = given[:at] or list(DEFAULT), given[at + 1 :]
    facade("ndimage_facade", ndimage, scipy.ndimage)
    facade("signal_facade", signal, scipy.signal)
    counting = CountingCalls(REASONS)
    with tempfile.TemporaryDirectory() as place:
        for name in files:
            source = Path(scipy.__file__).parent / name
            target = Path(place) / name.replace("/tests/", "_tests/")
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source.with_name("__init__.py"), target.parent)
            target.write_text(adapted(source.read_text()))
        options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
        options += ["-p", "scipy.conftest", "--rootdir", place]
        pytest.main([*options, place, *more], plugins=[counting])
    counting.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())

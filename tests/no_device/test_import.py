"""The modules that importing hither imports, and those that it does not."""

import pickle
import subprocess
import sys

import pytest

import hither as ht


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_numba_is_not_imported():
    assert run("import sys, hither; print('numba' in sys.modules)") == "False"


def test_all_lazy_names_exist():
    missing = [name for name in dir(ht) if not hasattr(ht, name)]
    assert missing == []


def test_kernel_stays_the_decorator():
    pytest.importorskip("hither.kernel")
    code = "import hither.kernel.decorator, hither; print(hither.kernel.__module__)"
    assert run(code) == "hither.kernel.decorator"


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no_such_name"):
        ht.no_such_name  # noqa: B018


def test_fork_after_import_still_works():
    code = (
        "import os, hither\n"
        "pid = os.fork()\n"
        "if pid == 0: os._exit(0 if hither.devices() else 1)\n"
        "print(os.waitpid(pid, 0)[1])"
    )
    assert run(code) == "0"


@pytest.mark.parametrize("value", [ht, ht.lapack, ht.sum, ht.sin], ids=lambda x: x.__name__)
def test_pickles_hold_names(value):
    """joblib and Dask pickle a function of the main program with the modules that it names."""
    assert pickle.loads(pickle.dumps(value)) is value

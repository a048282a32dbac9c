"""The modules that importing hither imports, and those that it does not."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import hither as ht


def run(code: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **variables},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.strip()


def test_numba_is_not_imported():
    assert run("import sys, hither; print('numba' in sys.modules)") == "False"


def test_few_modules_are_imported_beside_numpys():
    """`import hither` takes at most 1.3 of the time of `import numpy`. Times vary, so the test
    counts the modules that take most: each is a tenth of that time."""
    code = "import sys, numpy; n = set(sys.modules); import hither; print(*set(sys.modules) - n)"
    # A variable of the script `dev` needs no search for the name that was meant.
    names = run(code, HITHER_DEV_SYCL="1").split()
    found = {name for name in names if not name.startswith("hither")}
    assert not found & {"asyncio", "dataclasses", "glob", "importlib.metadata", "pathlib", "typing"}
    assert found <= {"__future__", "_signal", "atexit", "signal", "threading"}, found


def test_all_lazy_names_exist():
    missing = [name for name in dir(ht) if not hasattr(ht, name)]
    assert missing == []


def test_star_imports_public_names_only():
    names: dict = {}
    exec("from hither import *", names)
    names.pop("__builtins__")
    assert sorted(names) == sorted(set(ht.__all__))
    assert not [name for name in names if name.startswith("_")]
    assert not {"Any", "TYPE_CHECKING", "annotations", "importlib", "sys", "types"} & set(names)


def test_dir_lists_public_names_only():
    assert len(ht.__all__) == len(set(ht.__all__))
    assert set(dir(ht)) == {
        *ht.__all__, "__array_api_version__", "__array_namespace_info__", "__version__",
    }  # fmt: skip


PUBLIC_MODULES = (
    "blas compat compat.dparray compat.dpctl compat.dpctl.tensor compat.dpnp compat.dppl "
    "compat.numba_cuda compat.numba_dpex compat.numba_dppy cuda dask demo dparray errors fft "
    "lapack linalg numpy offload random scipy scipy.sparse scipy.sparse.linalg spirv_worker sycl "
    "__main__"
).split()


def test_public_modules_are_importable():
    assert run("".join(f"import hither.{name}\n" for name in PUBLIC_MODULES)) == ""


def test_all_other_modules_begin_with_an_underscore():
    folder = Path(ht.__file__).parent
    found = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
    public = {name.partition(".")[0] for name in PUBLIC_MODULES}
    assert {name for name in found if not name.startswith("_")} == public - {"__main__"}


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

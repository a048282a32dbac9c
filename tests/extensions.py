"""Builds examples/extensions once for all processes of a test run."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import hither as ht

SOURCE = Path(__file__).parents[1] / "examples" / "extensions"


def run(*command: object) -> None:
    """With this Python's hither, wherever the tests found it."""
    paths = [str(Path(ht.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    if shutil.which("ccache"):
        environment |= {"CMAKE_C_COMPILER_LAUNCHER": "ccache",
                        "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"}  # fmt: skip
    done = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def build(folder: Path) -> Path:
    """The folder with the modules; built by the first process that asks."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("compilers would run with the sanitizer's library")
    with open(folder / "extensions.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = folder / "extensions"
        if not (built / "done").exists():
            run("cmake", "-S", SOURCE, "-B", built, "-G", "Ninja",
                f"-DPython_EXECUTABLE={sys.executable}")  # fmt: skip
            run("cmake", "--build", built, "--parallel", "2")
            (built / "done").touch()
    return built


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """One for all workers of xdist, whose own folders lie in it."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def load(folder: Path, name: str) -> ModuleType:
    """Imports the module `name` that was built in `folder`."""
    if name in sys.modules:
        return sys.modules[name]
    files = list(folder.glob(f"{name}.*.so"))
    if not files:
        pytest.skip(f"{name} was not built: what it needs is not installed")
    spec = importlib.util.spec_from_file_location(name, files[0])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module

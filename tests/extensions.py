"""Builds extensions once for all processes of a test run."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import hither as ht
from hither import compat

EXT_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
SOURCE = Path(__file__).parents[1] / "examples" / "extensions"


def run(*command: object) -> None:
    """Runs a command with the same hither package as the tests."""
    paths = [str(Path(ht.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    if shutil.which("ccache"):
        environment |= {"CMAKE_C_COMPILER_LAUNCHER": "ccache",
                        "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"}  # fmt: skip
    done = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def build_once(folder: Path, name: str, build: Callable[[Path], None]) -> Path:
    """The folder `name` in `folder`, filled by the first process that asks."""
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("compilers would run with the sanitizer's library")
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = folder / name
        if not (built / "done").exists():
            built.mkdir(exist_ok=True)
            build(built)
            (built / "done").touch()
    return built


def build(folder: Path) -> Path:
    """The folder with the modules."""

    def work(built: Path) -> None:
        run("cmake", "-S", SOURCE, "-B", built, "-G", "Ninja",
            f"-DPython_EXECUTABLE={sys.executable}")  # fmt: skip
        run("cmake", "--build", built, "--parallel", "2")

    return build_once(folder, "extensions", work)


def build_cython(folder: Path, source: Path, *cpp_flags: object) -> Path:
    """The folder with the module of a .pyx file, for which hither.compat declares dpctl; in C, or
    in C++ with such flags."""
    name = source.stem
    language, compiler, suffix = ("--cplus", "g++", "cpp") if cpp_flags else ("-3", "gcc", "c")

    def work(built: Path) -> None:
        code, made = built / f"{name}.{suffix}", built / f"{name}{EXT_SUFFIX}"
        declared = compat.get_cython_dir()
        run(sys.executable, "-m", "cython", language, "-3", "-I", declared, source, "-o", code)
        python = f"-I{sysconfig.get_path('include')}"
        run(compiler, "-shared", "-fPIC", "-O0", python, code, *cpp_flags, "-o", made)

    return build_once(folder, name, work)


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """One folder for all workers of xdist, which contains their own folders."""
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

"""Kernels are compiled to SPIR-V on any machine; only running them needs a device."""

import math
import os
import shutil
import struct
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hither as ht

pytest.importorskip("llvmlite")


def spirv_of(kernel, *types):
    """The binary of a kernel for arguments of these types, each (dtype, rank, C-contiguous)."""
    kernel._compile_for(list(types))
    (binary,) = kernel.inspect_spirv().values()
    return binary


def check(binary, tmp_path):
    assert struct.unpack_from("<I", binary) == (0x07230203,)
    assert b"OpenCL.std" in binary
    if shutil.which("spirv-val"):
        path = tmp_path / "kernel.spv"
        path.write_bytes(binary)
        done = subprocess.run(
            ["spirv-val", "--target-env", "spv1.4", path], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


VECTOR = ("float64", 1, True)


def test_element_kernel(tmp_path):
    @ht.kernel
    def f(a, b):
        i = ht.get_global_id(0)
        b[i] = math.sin(a[i]) * a[i - 1] ** 2.5 + math.erf(a[i])

    check(spirv_of(f, VECTOR, VECTOR), tmp_path)


def test_barriers_local_memory_and_groups(tmp_path):
    @ht.kernel
    def f(a, b):
        tile = ht.local.array(64, np.float64)
        l = ht.get_local_id(0)  # noqa: E741
        tile[l] = a[ht.get_global_id(0)]
        ht.group_barrier(ht.get_group())
        total = ht.group_reduce(ht.get_group(), tile[63 - l], "mul")
        b[ht.get_global_id(0)] = total

    check(spirv_of(f, VECTOR, VECTOR), tmp_path)


def test_errors(tmp_path):
    @ht.kernel(debug=True)
    def f(a, b):
        i = ht.get_global_id(0)
        if a[i] < 0:
            raise ValueError("no root")
        b[i] = math.sqrt(a[i])

    check(spirv_of(f, VECTOR, VECTOR), tmp_path)


def test_atomics(tmp_path):
    @ht.kernel
    def f(a, b):
        ht.atomic.add(b, 0, a[ht.get_global_id(0)])
        ht.atomic.max(b, 1, a[ht.get_global_id(0)])

    check(spirv_of(f, VECTOR, VECTOR), tmp_path)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex64"])
def test_types(dtype, tmp_path):
    @ht.kernel
    def f(a, b):
        i = ht.get_global_id(0)
        b[i] = a[i] * a[i] + a[i]

    check(spirv_of(f, (dtype, 1, True), (dtype, 1, False)), tmp_path)


def test_what_devices_cannot_do_is_refused_with_words():
    @ht.kernel
    def f(a):
        i = ht.get_global_id(0)
        own = ht.private.array(4, np.float64)
        own[0] = own[1] = i
        a[i] = (own if i > 2 else a)[i & 1]

    with pytest.raises(ht.UnsupportedError, match="from several address spaces"):
        spirv_of(f, VECTOR)


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_an_emitter_of_ones_own_and_one_that_dies():
    done = run("""
        import hither as ht

        @ht.kernel
        def f(a):
            a[ht.get_global_id(0)] = 1

        f._compile_for([("float32", 1, True)])
        for command in (["/bin/sh", "-c", "echo 'LLVM ERROR: no' >&2; exit 3"], ["/no/such"], []):
            ht.set_spirv_emitter(command, "test")
            try:
                f.inspect_spirv()
            except ht.Error as error:
                print(type(error).__name__, error)
    """)
    assert done.returncode == 0, done.stderr
    dies, is_missing, is_none = done.stdout.splitlines()
    assert dies.startswith("CompileError") and "LLVM ERROR: no" in dies
    assert is_missing.startswith("UnsupportedError") and "/no/such" in is_missing
    assert is_none.startswith("UnsupportedError")

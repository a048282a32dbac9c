"""Kernels in Python: their code on a CPU, and their pickles."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def queue():
    return ht.Queue("native_cpu")


def code_of(kernel) -> str:
    (text,) = kernel.inspect_llvm().values()
    return text


def test_indices_that_count_up_are_no_negative_ones(queue):
    @ht.kernel(debug=False)
    def sums(x, out, last):
        i = ht.get_global_id(0)
        total = np.float32(0)
        for k in range(2, last, 3):
            total += x[k, i]
        out[i] = total

    x = np.arange(30 * 4, dtype=np.float32).reshape(30, 4)
    out = ht.zeros(4, dtype=ht.float32, queue=queue)
    sums[4](ht.asarray(x, queue=queue), out, 30)
    assert np.array_equal(ht.asnumpy(out), x[2::3].sum(0))
    text = code_of(sums)
    assert "fadd" in text and not re.search(r"icmp slt i64 [^,]*, 0|[al]shr i64 [^,]*, 63", text)


def test_a_tiled_product_reads_neighbours(queue):
    n, tile = 32, 16

    @ht.kernel(debug=False)
    def product(a, b, c):
        rows = ht.local.array((tile, tile), ht.float32)
        columns = ht.local.array((tile, tile), ht.float32)
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        y, x = ht.get_local_id(0), ht.get_local_id(1)
        total = np.float32(0)
        for t in range(0, a.shape[1], tile):
            rows[y, x] = a[i, t + x]
            columns[y, x] = b[t + y, j]
            ht.barrier(ht.LOCAL_MEM_FENCE)
            for k in range(tile):
                total += rows[y, k] * columns[k, x]
            ht.barrier(ht.LOCAL_MEM_FENCE)
        c[i, j] = total

    a, b = (np.random.default_rng(s).random((n, n), np.float32) for s in (1, 2))
    c = ht.zeros((n, n), dtype=ht.float32, queue=queue)
    product[ht.NdRange((n, n), (tile, tile))](
        ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), c
    )
    assert np.allclose(ht.asnumpy(c), a @ b, rtol=1e-5)
    text = code_of(product)
    assert "fadd <" in text and "masked.gather" not in text


def test_code_of_a_kernel_with_groups_is_for_the_size_it_ran_with(queue):
    @ht.kernel
    def total(x, out):
        out[ht.get_group_id(0)] = ht.group_reduce(ht.get_group(), x[ht.get_global_id(0)], "add")

    x = ht.ones(64, dtype=ht.float32, queue=queue)
    for local in (32, 16):
        total[ht.NdRange(64, local)](x, ht.zeros(64 // local, dtype=ht.float32, queue=queue))
        assert "define" in code_of(total)


@ht.device_func
def plus_one(value):
    return value + 1


@ht.kernel
def raise_all(x):
    x[ht.get_global_id(0)] = plus_one(x[ht.get_global_id(0)])


def test_kernels_of_modules_are_pickled_by_name():
    content = pickle.dumps(raise_all)
    assert pickle.loads(content) is raise_all
    assert b"raise_all" in content and len(content) < 200


def test_other_kernels_are_pickled_with_their_definition(queue):
    @ht.kernel(fastmath=True)
    def twice(x):
        x[ht.get_global_id(0)] = 2 * plus_one(x[ht.get_global_id(0)])

    content = pickle.dumps(twice)
    copied = pickle.loads(content)
    assert pickle.loads(content) is copied  # and compiled once
    assert copied.options == twice.options
    x = ht.ones(4, queue=queue)
    copied[4](x)
    np.testing.assert_array_equal(ht.asnumpy(x), 4)


def test_kernels_of_the_main_program_go_to_other_processes(queue):
    """As joblib, Dask and Ray send them, with the function that launches them."""
    program = """
import sys, hither as ht, numpy as np
from numba import cloudpickle

@ht.kernel
def double(x):
    x[ht.get_global_id(0)] *= 2

def task():
    x = ht.ones(4, queue="native_cpu")
    double[4](x)
    return ht.asnumpy(x).tolist()

sys.stdout.buffer.write(cloudpickle.dumps(task))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert pickle.loads(done.stdout)() == [2.0] * 4

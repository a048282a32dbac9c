"""Pickles that hither 0.1 made: they hold the names of modules that it had then."""

import base64
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hither as ht
import hither.dparray

PICKLES = {
    name: base64.b64decode(text)
    for name, text in json.loads(
        Path(__file__).with_name("pickles_of_0_1.json").read_text()
    ).items()
}
# cloudpickle stores the bytecode of functions, which belongs to one version of Python.
WITH_BYTECODE = {
    "bits", "bound function", "device function", "kernel", "shfl", "syncthreads_count",
}  # fmt: skip
NAMED = {
    "arange": ht.arange,
    "bits": ht.random.bits,
    "dparray module": hither.dparray,
    "get_global_id": ht.get_global_id,
    "kernel decorator": ht.kernel,
    "lapack": ht.lapack,
    "package": ht,
    "sin": ht.sin,
    "svd": ht.lapack.svd,
}


@pytest.mark.parametrize("name", sorted(PICKLES))
def test_every_pickle_loads(name):
    if name in WITH_BYTECODE and sys.version_info[:2] != (3, 11):
        pytest.skip("the pickle holds bytecode of Python 3.11")
    if name in {"kernel", "bits", "shfl", "syncthreads_count"}:
        pytest.importorskip("numba")
    pickle.loads(PICKLES[name])


@pytest.mark.parametrize("name", sorted(set(NAMED) - WITH_BYTECODE))
def test_names_are_the_same_objects(name):
    assert pickle.loads(PICKLES[name]) is NAMED[name]


def test_values_are_the_same():
    assert np.array_equal(ht.asnumpy(pickle.loads(PICKLES["array"])), np.arange(6.0).reshape(2, 3))
    assert np.array_equal(pickle.loads(PICKLES["dparray"]), np.arange(4.0))
    assert type(pickle.loads(PICKLES["dparray"])) is hither.dparray.DPArray
    assert pickle.loads(PICKLES["queue"]) == ht.default_queue("native_cpu")
    singular = pickle.loads(PICKLES["svd result"])
    assert type(singular) is type(ht.lapack.svd(ht.eye(2, device="native_cpu")))
    assert np.array_equal(ht.asnumpy(singular.S), np.ones(3))
    error = pickle.loads(PICKLES["errors"])[0]
    assert isinstance(error, ht.PlacementError) and (error.where, error.message) == ("f", "m")


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the pickle holds bytecode")
def test_a_kernel_runs():
    pytest.importorskip("numba")
    x = ht.ones(4, device="native_cpu")
    pickle.loads(PICKLES["kernel"])[ht.NdRange(4, 2)](x, 2.0)
    assert np.array_equal(ht.asnumpy(x), np.full(4, 6.0))


def test_former_modules_hide_no_functions():
    code = (
        "import hither\n"
        "before = hither.kernel, hither.device_context\n"
        "import hither.kernel.decorator, hither.device_context\n"
        "assert (hither.kernel, hither.device_context) == before\n"
        "import sys; print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"

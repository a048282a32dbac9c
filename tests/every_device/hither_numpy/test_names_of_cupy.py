"""CuPy's functions in hither.numpy, and what its other names are here."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from hither import dparray
from hither.numpy._names_of_cupy import REMEDIES
from hither.scipy import sparse
from property_tests import examples


@pytest.fixture(autouse=True)
def current(device):
    with ht.device_context(device):
        yield


def softmax(x):
    xp = hnp.get_array_module(x)
    e = xp.exp(x - x.max(axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


@settings(max_examples=examples(20), deadline=None)
@given(shape=st.lists(st.integers(1, 5), min_size=1, max_size=3), dtype=st.sampled_from("efdb"))
def test_one_function_for_arrays_on_the_host_and_on_a_device(shape, dtype):
    host = np.random.default_rng(0).integers(0, 4, shape).astype(dtype)
    wanted, found = softmax(host), softmax(hnp.asarray(host))
    assert type(wanted) is np.ndarray and isinstance(found, ht.Array)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(hnp.asnumpy(found), wanted, rtol=2e-3 if dtype == "e" else 1e-5)


@pytest.mark.either_mode
def test_the_module_of_any_values():
    x = hnp.ones(3)
    assert hnp.get_array_module() is np
    assert hnp.get_array_module(1, [2.0], np.ones(3), None) is np
    assert hnp.get_array_module(dparray.ones(3)) is np
    assert hnp.get_array_module(np.ones(3), x) is hnp
    assert hnp.get_array_module(sparse.csr_array(np.eye(2))) is hnp
    assert hnp.get_array_module(ht.shard(x, ht.Mesh([x.queue]))) is hnp


@pytest.mark.either_mode
def test_asnumpy_takes_everything():
    for value in (hnp.arange(3), np.arange(3), [0, 1, 2], range(3)):
        found = hnp.asnumpy(value)
        assert type(found) is np.ndarray and found.tolist() == [0, 1, 2]


@pytest.mark.either_mode
def test_other_names_say_what_to_use():
    for name in REMEDIES:
        with pytest.raises(AttributeError, match=r"hither\.|@hither|hither has|leave it out"):
            getattr(hnp, name)

"""Arrays that the tests of hither's libraries draw: devices, dtypes, stacks, layouts."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples


def _computes(device: ht.Device) -> bool:
    try:
        return int(ht.asarray(1, device=device) + 1) == 2
    except ht.UnsupportedError:
        return False


DEVICES = [d.filter_string for d in ht.devices() if _computes(d)]
FLOATS = ["float32", "float64", "complex64", "complex128"]
TOLERANCES = {"f": 2e-4, "F": 2e-4, "d": 1e-9, "D": 1e-9}
profile = settings(deadline=None, max_examples=examples(25))


def random_values(dtype, shape, seed):
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind in "biu":
        return random.integers(0, 2 if kind == "b" else 7, shape).astype(dtype)
    values = random.uniform(-1, 1, shape)
    if kind == "c":
        values = values + 1j * random.uniform(-1, 1, shape)
    return values.astype(dtype)


@st.composite
def laid_out(draw, shape, dtype, device=None):
    """The same values as a NumPy array and as one of hither's, in one of many layouts."""
    host = random_values(dtype, shape, draw(st.integers(0, 99)))
    device = device or draw(st.sampled_from(DEVICES))
    usm_type = draw(st.sampled_from(["device", "shared", "host"]))

    def array(values):
        return ht.asarray(np.ascontiguousarray(values), device=device, usm_type=usm_type)

    how = draw(st.sampled_from(["dense", "transposed", "reversed", "step", "pending"]))
    if how == "transposed" and host.ndim:
        return host, ht.permute_dims(array(host.T), tuple(range(host.ndim))[::-1])
    if how == "reversed" and host.ndim:
        return host, array(host[::-1])[::-1]
    if how == "step" and host.ndim:
        return host, array(np.repeat(host, 2, axis=-1))[..., ::2]
    if how == "pending" and host.dtype.kind in "fc":
        return host * 2, array(host) + array(host)
    return host, array(host)


STACKS = st.sampled_from([(), (), (1,), (3,), (2, 2), (0,), (2, 0)])
EXTENTS = st.sampled_from([0, 1, 2, 3, 5, 17])


def close(result, expected):
    expected = np.asarray(expected)
    assert (result.shape, str(result.dtype)) == (expected.shape, str(expected.dtype))
    tolerance = TOLERANCES.get(expected.dtype.char, 0)
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=tolerance, atol=tolerance * scale)

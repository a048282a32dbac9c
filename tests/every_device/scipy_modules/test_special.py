"""hither.scipy.special compared with SciPy's."""

from __future__ import annotations

import itertools
import os
import pickle

import numpy as np
import pytest
import scipy
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.scipy_modules.scipy_results import SETTINGS, outcome, same
from hither.scipy import special

UFUNCS = sorted(n for n in special.__all__ if hasattr(getattr(special, n), "nin"))
UNARY = [n for n in UFUNCS if getattr(special, n).nin == 1]
BINARY = [n for n in UFUNCS if getattr(special, n).nin == 2]
# Relative to the result, or to 1 where the result is a difference of larger numbers.
TOLERANCE = {"f": 3e-6, "d": 2e-13}
NEAR_ROOTS = {"gammaln": 1e-13, "psi": 1e-13, "digamma": 1e-13, "j0": 1e-14, "j1": 1e-14,
              "y0": 1e-14, "y1": 1e-14, "betaln": 1e-12, "kl_div": 1e-13}  # fmt: skip
EDGES = np.array(
    [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1.5, -2.5, 7.5, 8.0, 30.0, -30.0, 170.25, 1e-20,
     -1e-20, 1e-300, 1e20, -1e20, 1e300, np.inf, -np.inf, np.nan]
)  # fmt: skip


def values(name, shape, seed):
    """Arguments of all sizes; for inverse functions, of their domain."""
    rng = np.random.default_rng(seed)
    spread = rng.choice([-1, 1], shape) * np.exp(rng.uniform(-20, 4, shape))
    if name in ("erfinv", "logit", "ndtri", "erfcinv"):
        return rng.uniform(-1, 2, shape)
    return np.where(rng.random(shape) < 0.5, spread, rng.uniform(-20, 20, shape))


def close(name, result, right, wide):
    """`right` is SciPy's result, `wide` the same in float64."""
    host = ht.asnumpy(result)
    assert (host.dtype, host.shape) == (right.dtype, right.shape)
    with np.errstate(over="ignore"):
        wide = np.asarray(wide).astype(right.dtype)
    limit = TOLERANCE[right.dtype.char]
    exact = np.isfinite(right)
    # SciPy's quotients of exponentials overflow before the result does.
    overflow = np.isinf(right) & (np.abs(host) > np.finfo(right.dtype).max / 1e6)
    np.testing.assert_array_equal(np.where(exact | overflow, 0, host),
                                  np.where(exact | overflow, 0, right))  # fmt: skip
    near = NEAR_ROOTS.get(name, 0) * (1 if right.dtype.char == "d" else 1e8)
    tiny = float(np.finfo(right.dtype).tiny)
    np.testing.assert_allclose(host[exact], wide[exact], rtol=limit, atol=max(near, tiny))


def compared(device, name, *arrays):
    with np.errstate(all="ignore"):
        right = getattr(scipy.special, name)(*arrays)
        wide = getattr(scipy.special, name)(*(a.astype(np.float64) for a in arrays))
    result = getattr(special, name)(*(ht.asarray(a, device=device) for a in arrays))
    close(name, result, right, wide)


@SETTINGS
@given(name=st.sampled_from(UNARY), dtype=st.sampled_from("fd"), seed=st.integers(0, 999),
       shape=st.sampled_from([(), (0,), (1,), (37,), (5, 0, 3), (3, 5, 7)]))  # fmt: skip
def test_functions_of_one_element(device, name, dtype, seed, shape):
    compared(device, name, values(name, shape, seed).astype(dtype))


@SETTINGS
@given(name=st.sampled_from(BINARY), dtype=st.sampled_from("fd"), seed=st.integers(0, 999),
       shapes=st.sampled_from([((5,), (5,)), ((4, 1), (3,)), ((), (6,)), ((0, 2), (2,))])
)  # fmt: skip
def test_functions_of_two_elements(device, name, dtype, seed, shapes):
    compared(device, name, *(values(name, s, seed + i).astype(dtype) for i, s in enumerate(shapes)))


@pytest.mark.either_mode
@pytest.mark.parametrize("name", UFUNCS)
def test_dtypes_are_those_of_scipy(name):
    own, scipys = getattr(special, name), getattr(scipy.special, name)
    kinds = [np.dtype(c) for c in "?bBhHilLefdFD"] + [int, float, complex]
    pairs = itertools.product(kinds, repeat=own.nin)
    if scipy.__version__ >= "1.18":  # it prefers float32 for short and for mixed dtypes
        pairs = ((np.dtype(c),) * own.nin for c in "ilLfdFD")
    for given_kinds in pairs:
        asked = given_kinds + (None,) * own.nout
        same_dtypes(outcome(own.resolve_dtypes, asked), outcome(scipys.resolve_dtypes, asked))


def same_dtypes(result, right):
    if isinstance(right, Exception):
        assert isinstance(result, TypeError)
    else:
        assert result == right


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_edges(device, name, dtype):
    with np.errstate(over="ignore"):
        edges = EDGES.astype(dtype)
    if name in ("j0", "j1", "y0", "y1"):  # SciPy's phases of huge numbers have no correct digit
        edges = edges[~(np.abs(edges) > 1e5) | np.isinf(edges)]
    compared(device, name, edges)


@pytest.mark.parametrize("name", ["beta", "betaln", "xlogy", "xlog1py", "rel_entr", "kl_div"])
def test_edges_of_pairs(device, name):
    usual = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 40.0, 300.0, np.nan])
    a, b = np.meshgrid(usual, usual)
    compared(device, name, a, b)


@pytest.mark.parametrize("dtype", ["?", "b", "H", "i", "l", "e"])
@pytest.mark.parametrize("name", ["erfinv", "gammaln", "expit", "i0", "ndtr"])
def test_other_dtypes(device, name, dtype):
    if dtype in "?bHe" and np.lib.NumpyVersion(scipy.__version__) >= "1.18.0":
        pytest.skip("SciPy 1.18 computes them in float32, earlier ones and hither in float64")
    compared(device, name, np.array([0, 1, 1, 0], dtype))


def test_layouts(device):
    host = np.random.default_rng(1).uniform(-0.9, 0.9, (6, 8, 3))
    x = ht.asarray(host, device=device)
    for view in (np.s_[::2, 1:, ::-1], np.s_[:, None, 3], np.s_[..., 0]):
        close("erfinv", special.erfinv(x[view]), scipy.special.erfinv(host[view]),
              scipy.special.erfinv(host[view]))  # fmt: skip
    close("gammaln", special.gammaln(x.T + 2), scipy.special.gammaln(host.T + 2),
          scipy.special.gammaln(host.T + 2))  # fmt: skip


@pytest.mark.skipif(
    os.environ.get("HITHER_EAGER", "0") not in ("", "0"), reason="eager operations do not fuse"
)
def test_functions_fuse_with_operations_around_them(device):
    x = ht.asarray(np.linspace(0.1, 0.9, 1000), device=device)
    ht.clear_kernel_history()
    y = 2 * special.ndtri(special.expit(x) * 0.5) + special.xlogy(x, special.gammaln(x + 1) + 2)
    ht.asnumpy(y)
    assert len(ht.kernel_history()) == 1


def test_values_do_not_depend_on_fusion(device):
    x = ht.asarray(np.random.default_rng(1).uniform(0.01, 0.99, 1003), device=device)
    for name in UNARY:
        fused = ht.asnumpy(getattr(special, name)(x * 3 - 1) + 1)
        given_array = x * 3 - 1
        ht.evaluate(given_array)
        apart = getattr(special, name)(given_array)
        ht.evaluate(apart)
        np.testing.assert_array_equal(fused, ht.asnumpy(apart + 1), err_msg=name)


def test_out_where_and_dtype(device):
    host = np.array([0.25, 0.5, -0.5], np.float32)
    x = ht.asarray(host, device=device)
    out = ht.zeros(3, dtype=np.float64, device=device)
    assert special.erfinv(x, out=out) is out
    np.testing.assert_allclose(ht.asnumpy(out), scipy.special.erfinv(host), rtol=1e-6)
    mask = ht.asarray([True, False, True], device=device)
    special.expit(x, out=out, where=mask)
    np.testing.assert_allclose(ht.asnumpy(out)[::2], scipy.special.expit(host)[::2], rtol=1e-6)
    assert special.erfinv(x, dtype=np.float64).dtype == np.float64
    with pytest.raises(TypeError, match="no loop"):
        special.erfinv(x, dtype=np.int32)
    with pytest.raises(TypeError, match="out has dtype int"):
        special.erfinv(x, out=ht.zeros(3, dtype=np.int32, device=device))


def test_numbers_and_lists(device):
    with ht.device_context(device):
        same(special.beta(2, 3), scipy.special.beta(2, 3))
        same(special.erfinv(0.5), scipy.special.erfinv(0.5))
        same(special.gamma([1, 2, 5]), scipy.special.gamma([1, 2, 5]))


@pytest.mark.parametrize("size", [1, 7, 8, 100])
def test_functions_of_halves_in_vectors(device, size):
    host = np.resize(np.array([3, 0.5, -5, -0.5, 0, 2.5, -2, np.nan]).astype("f2"), size)
    x = ht.asarray(host, device=device)
    for name in ("rgamma", "gamma", "gammaln", "digamma", "gammasgn", "erfcx", "j0", "xlog1py"):
        more = (2,) if name == "xlog1py" else ()
        with np.errstate(all="ignore"):
            expected = getattr(scipy.special, name)(host.astype("f8"), *more)
        found = ht.asnumpy(getattr(special, name)(ht.astype(x, "float64"), *more))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_beta_of_the_smallest_numbers(device):
    a = np.array([1e-310, 5e-324, 5e-324, 1e-310, 1e-250, 1e-310, 1e-300, 1e-250])
    b = np.array([1e-310, 5e-324, 1e-310, 1e-308, 3e-251, -1e-310, -1e-300, -1.0000000001e-250])
    found = special.beta(ht.asarray(a, device=device), ht.asarray(b, device=device))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ht.asnumpy(found), (a + b) / a / b, rtol=1e-15)


def test_complex_numbers_are_computed_by_scipy_on_the_host(device):
    host = np.array([0.5 + 1j, -2j])
    x = ht.asarray(host, device=device)
    with ht.host_fallback("silent"):
        small = np.array([1e-20 + 1e-30j, 1e-6j - 1e-12])
        found = ht.asnumpy(special.log1p(ht.asarray(small, device=device)))
        np.testing.assert_allclose(found.real, scipy.special.log1p(small).real, rtol=1e-12)
        for name in ("gamma", "erf", "psi", "rgamma"):
            same(getattr(special, name)(x), getattr(scipy.special, name)(host))
    with ht.host_fallback("error"), pytest.raises(ht.UnsupportedError, match="gamma"):
        special.gamma(x)
    with pytest.raises(TypeError, match="erfinv: takes no operands of dtype complex128"):
        special.erfinv(x)


def test_scipys_functions_call_hithers(device):
    host = np.array([0.25, 0.5])
    x = ht.asarray(host, device=device)
    with ht.host_fallback("error"):
        same(scipy.special.erfinv(x), scipy.special.erfinv(host))
        same(scipy.special.digamma(x), scipy.special.digamma(host))
        same(scipy.special.beta(x, 2.0), scipy.special.beta(host, 2.0))


@pytest.mark.either_mode
def test_absent_names_tell_scipys():
    with pytest.raises(AttributeError, match=r"scipy\.special\.jv works with NumPy's arrays"):
        special.jv  # noqa: B018
    with pytest.raises(AttributeError, match='did you mean "erfinv"'):
        special.erfinvs  # noqa: B018
    assert not set(special.__all__) - set(dir(scipy.special))
    assert not {"erfinv", "gammaln", "i0", "expit"} & set(dir(ht))


@pytest.mark.either_mode
def test_ufuncs_describe_themselves():
    assert repr(special.erfinv) == "<ufunc 'erfinv' of hither.scipy.special>"
    assert pickle.loads(pickle.dumps(special.erfinv)) is special.erfinv
    assert special.beta.types == ["dd->d", "ff->f"] and special.gamma.nin == 1
    assert special.digamma is special.psi


SUMS = st.fixed_dictionaries({
    "shape": st.sampled_from([(7,), (1,), (3, 5), (2, 0, 3), ()]),
    "dtype": st.sampled_from("efdil"), "seed": st.integers(0, 99),
})  # fmt: skip


@SETTINGS
@given(name=st.sampled_from(["softmax", "log_softmax"]), drawn=SUMS, last=st.booleans())
def test_softmax(device, name, drawn, last):
    host = sums_values(drawn)
    if host.size == 0:
        return
    axis = -1 if last and host.ndim else None
    result = getattr(special, name)(ht.asarray(host, device=device), axis=axis)
    same(result, np.asarray(getattr(scipy.special, name)(host, axis=axis)), sums_limit(host))


@SETTINGS
@given(drawn=SUMS, weighted=st.booleans(), keepdims=st.booleans(), return_sign=st.booleans(),
       axis=st.sampled_from([None, 0, -1, (0, 1)]))  # fmt: skip
def test_logsumexp(device, drawn, weighted, keepdims, return_sign, axis):
    host = sums_values(drawn)
    if host.ndim < 2 and axis == (0, 1):
        axis = 0
    if host.ndim == 0 or host.size == 0:  # SciPy indexes the extents by None
        axis = None if host.ndim == 0 else 0
    options = {"axis": axis, "keepdims": keepdims, "return_sign": return_sign}
    b = np.random.default_rng(1).integers(-3, 4, host.shape).astype(host.dtype)
    wide = host.astype(np.float64)  # SciPy computes float16 in float16
    with np.errstate(all="ignore"):
        right = scipy.special.logsumexp(wide, b=b if weighted else None, **options)
        kind = np.asarray(scipy.special.logsumexp(host)).dtype if host.ndim == 1 else None
    weights = ht.asarray(b, device=device) if weighted else None
    result = special.logsumexp(ht.asarray(host, device=device), b=weights, **options)
    pairs = zip(result, right, strict=True) if return_sign else [(result, right)]
    for one, other in pairs:
        other = np.asarray(other)
        assert one.shape == other.shape
        assert kind is None or one.dtype == kind
        limit = sums_limit(host)
        np.testing.assert_allclose(ht.asnumpy(one), other, rtol=limit, atol=limit)


def sums_values(drawn):
    host = np.random.default_rng(drawn["seed"]).uniform(-9, 9, drawn["shape"])
    # SciPy multiplies exponentials by weights of 0 before it takes the logarithm.
    return (host * (1 if drawn["dtype"] == "e" else 70)).astype(drawn["dtype"])


def sums_limit(host):
    return {"e": 2e-2, "f": 2e-5}.get(host.dtype.char, 1e-12)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_of_numbers_and_small_integers(device, name):
    own, scipys = getattr(special, name), getattr(scipy.special, name)
    for axis in (0, -1, None):
        same(own(ht.asarray(2.5, device=device), axis=axis), np.asarray(scipys(2.5, axis=axis)))
    for dtype in (np.int8, np.int16, np.int32):
        host = np.array([3, 1, -2], dtype)
        same(own(ht.asarray(host, device=device)), scipys(host), 2e-3)


def test_a_number_as_weight_leaves_the_dtype(device):
    host = np.array([0.5, 1.5], np.float32)
    x = ht.asarray(host, device=device)
    for b in (2.0, -1, np.float64(2.0)):
        result = special.logsumexp(x, b=b, return_sign=True)
        same(result, scipy.special.logsumexp(host, b=b, return_sign=True))


def test_sums_of_infinite_and_cancelling_terms(device):
    inf = np.inf
    for host in ([inf, 1.0], [-inf, -inf], [np.nan, 1.0], [1e4, -1e4], [-1e5, -1e5], [0.0, -40.0]):
        given_array = ht.asarray(host, device=device)
        with np.errstate(all="ignore"):
            for name in ("logsumexp", "softmax", "log_softmax"):
                same(getattr(special, name)(given_array), getattr(scipy.special, name)(host))
            for b in ([1.0, -1.0], [0.0, 1.0], [-2.0, 1.0]):
                same(special.logsumexp(given_array, b=b, return_sign=True),
                     scipy.special.logsumexp(host, b=b, return_sign=True))  # fmt: skip


@SETTINGS
@given(dtype=st.sampled_from("FD"), weights=st.sampled_from([None, "d", "D"]),
       keepdims=st.booleans(), return_sign=st.booleans(), seed=st.integers(0, 99),
       axis=st.sampled_from([None, 0, -1, (0, 2)]))  # fmt: skip
def test_logsumexp_of_complex_numbers(device, dtype, weights, keepdims, return_sign, seed, axis):
    rng = np.random.default_rng(seed)
    real, imaginary = rng.normal(size=(2, 3, 4, 5)) * [[[[70]]], [[[4]]]]
    host = (real + 1j * imaginary).astype(dtype)
    b = None if weights is None else rng.integers(-2, 3, host.shape).astype(weights)
    options = {"axis": axis, "keepdims": keepdims, "return_sign": return_sign}
    with np.errstate(all="ignore"):
        right = scipy.special.logsumexp(host, b=b, **options)
    with ht.host_fallback("error"):
        given_b = None if b is None else ht.asarray(b, device=device)
        result = special.logsumexp(ht.asarray(host, device=device), b=given_b, **options)
    for one, other in zip(result, right, strict=True) if return_sign else [(result, right)]:
        same(one, np.asarray(other), 2e-4 if dtype == "F" and weights is None else 1e-5)


@pytest.mark.either_mode
def test_weights_on_another_queue_are_refused(device):
    other = ht.Queue(ht.Context(device), device)
    with pytest.raises(ht.PlacementError, match="logsumexp: b is on a queue"):
        special.logsumexp(ht.ones(3, device=device), b=ht.ones(3, queue=other))

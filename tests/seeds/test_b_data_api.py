"""Requirement B22: arrays follow the Python Array API standard.

tests/conformance/array_api_tests.py runs the standard's own suite. The tests here need no clone of
it: they check the names of version 2025.12, and run one program on NumPy and on hither.
"""

import sys

import numpy as np
import pytest

import hither as ht
from seeds import printed

FUNCTIONS = """
arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril
triu zeros zeros_like astype can_cast finfo iinfo isdtype result_type abs acos acosh add asin asinh
atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert bitwise_or bitwise_right_shift
bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
greater_equal hypot imag isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp
logical_and logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal
positive pow real reciprocal remainder round sign signbit sin sinh square sqrt subtract tan tanh
trunc take take_along_axis matmul matrix_transpose tensordot vecdot broadcast_arrays
broadcast_shapes broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll
squeeze stack tile unstack argmax argmin count_nonzero nonzero searchsorted where cumulative_sum
cumulative_prod max mean min prod std sum var all any diff e inf nan newaxis pi
__array_namespace_info__ __array_api_version__
""".split()
LINALG = """
cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm
""".split()
FFT = """
fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift
""".split()
ATTRIBUTES = """
dtype device mT ndim shape size T __abs__ __add__ __and__ __array_namespace__ __bool__ __complex__
__dlpack__ __dlpack_device__ __eq__ __float__ __floordiv__ __ge__ __getitem__ __gt__ __index__
__int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__
__pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ to_device __iadd__ __radd__ __imatmul__
""".split()


def test_b22_the_namespace_and_its_arrays_have_the_standards_names():
    xp = ht.ones(1).__array_namespace__(api_version="2025.12")
    assert xp is ht and xp.__array_api_version__ == "2025.12"
    assert [name for name in FUNCTIONS if not hasattr(xp, name)] == []
    assert [name for name in LINALG if not hasattr(xp.linalg, name)] == []
    assert [name for name in FFT if not hasattr(xp.fft, name)] == []
    assert [name for name in ATTRIBUTES if not hasattr(ht.Array, name)] == []
    info = xp.__array_namespace_info__()
    assert set(info.dtypes()) >= {"bool", "int8", "uint64", "float32", "complex128"}
    assert ht.Device() in info.devices() and info.default_device() == ht.Device()
    with pytest.raises(ValueError):
        ht.ones(1).__array_namespace__(api_version="1999.12")


def ridge(x, y, strength):
    """A program that uses only the standard."""
    xp = x.__array_namespace__()
    x = (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)
    gram = xp.matmul(x.T, x) + strength * xp.eye(x.shape[1], dtype=x.dtype, device=x.device)
    weights = xp.linalg.solve(gram, xp.matmul(x.T, xp.expand_dims(y, axis=1)))
    fitted = xp.squeeze(xp.matmul(x, weights), axis=1) + xp.mean(y)
    worst = xp.argmax(xp.abs(fitted - y))
    spectrum = xp.fft.rfft(xp.where(xp.isfinite(fitted), fitted, xp.asarray(0.0, device=x.device)))
    return weights, fitted, worst, xp.concat([xp.real(spectrum), xp.imag(spectrum)])


def test_b22_a_program_for_the_standard_gives_numpys_results(queue):
    random = np.random.default_rng(5)
    x, y = random.random((50, 4)), random.random(50)
    found = ridge(ht.asarray(x, queue=queue), ht.asarray(y, queue=queue), 0.5)
    for result, expected in zip(found, ridge(x, y, 0.5), strict=True):
        assert isinstance(result, ht.Array) and result.queue == queue
        np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.usefixtures("compat_names")
def test_b05_b22_the_listing_of_two_conformant_libraries(monkeypatch, two_queues):
    """Both are hither: with its own names, and with the names of dpnp, which has array()."""
    first, second = two_queues
    monkeypatch.setitem(sys.modules, "arLib1", ht)
    monkeypatch.setitem(sys.modules, "arLib2", sys.modules["dpnp"])
    names = {"q_used_by_arLib2": second}
    with ht.device_context(first):
        printed.run("xpu_data_api", names, {"dev": second}, arguments="(5,)")
    assert (names["A1"].queue, names["A1c"].queue, names["A2"].queue) == (first, second, second)
    assert names["A1c"].shape == names["A2"].shape == names["A1"].shape == (5,)


def test_b21_the_listing_of_collocate(sub_devices):
    context = ht.Context(sub_devices)
    first, second = (ht.Queue(context, device) for device in sub_devices)
    ran = []

    def func(ar1, ar2):
        ran.append((ar1 + ar2).queue)

    names = {"func": func, "arLib": ht, "ar1": ht.ones(3, queue=first)}
    printed.run("xpu_collocate", names | {"ar2": ht.ones(3, queue=first)})
    with pytest.raises(ht.PlacementError, match="collocate"):
        printed.run("xpu_collocate", names | {"ar2": ht.ones(3, queue=second)})
    far = ht.ones(3, queue=second)
    near = far.collocate(names["ar1"])
    names = printed.run("xpu_collocate", names | {"ar2": near})
    assert ran == [first, first]
    assert names["ar2_c"].queue == first
    assert ht.UsmView(near).pointer == ht.UsmView(far).pointer  # they have the same context

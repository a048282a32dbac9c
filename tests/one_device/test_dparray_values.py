"""Random operations on dparrays: values, dtypes, memory orders and errors are NumPy's."""

import warnings

import hypothesis
import hypothesis.extra.numpy
import numpy
from hypothesis import strategies as st

import hither.dparray as np

DTYPES = "?bhilqBHILQefdFD"
LAYOUTS = {
    "C": lambda x: x,
    "F": lambda x: x.copy(order="F"),
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
    "every second": lambda x: x[..., ::2],
    "broadcast": lambda x: numpy.broadcast_to(x, (2, *x.shape)),
}
UNARY = (
    "negative abs sign square isnan isfinite logical_not real imag conj sum prod max min any all "
    "mean std argmax argmin cumsum sort argsort ravel transpose flip unique nonzero diff ptp "
    "atleast_2d squeeze copy zeros_like count_nonzero array_str median"
).split()
BINARY = (
    "add subtract multiply divide floor_divide remainder power maximum minimum less equal "
    "logical_and hypot arctan2 copysign bitwise_or left_shift divmod append array_equal union1d "
    "outer kron allclose isin"
).split()
# Before 2.5 a reduction that refuses keeps an operand with an __array_ufunc__ of its own for ever.
NUMPY_KEEPS_REFUSED = numpy.lib.NumpyVersion(numpy.__version__) < "2.5.0"


def outcome(function, *arguments):
    """The values of a call, or the class of its exception."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except Exception as error:
            return type(error)


def check_same(result, expected):
    if isinstance(expected, tuple):
        assert len(result) == len(expected)
        for pair in zip(result, expected, strict=True):
            check_same(*pair)
    elif isinstance(expected, numpy.ndarray):
        assert isinstance(result, np.DPArray)
        assert result.usm_type == "shared"
        assert result.dtype == expected.dtype
        assert result.strides == expected.strides
        numpy.testing.assert_array_equal(result.as_ndarray(), expected)
    else:
        assert type(result) is type(expected)
        assert repr(result) == repr(expected)


def arrays():
    shapes = hypothesis.extra.numpy.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    made = st.sampled_from(DTYPES).flatmap(
        lambda code: hypothesis.extra.numpy.arrays(numpy.dtype(code), shapes)
    )
    return st.tuples(made, st.sampled_from(sorted(LAYOUTS)))


@hypothesis.settings(max_examples=400, deadline=None)
@hypothesis.given(arrays(), st.sampled_from(UNARY))
def test_unary_operations_are_numpys(given, name):
    plain, layout = given
    hypothesis.assume(plain.size or name not in ("max", "min", "ptp") or not NUMPY_KEEPS_REFUSED)
    if plain.ndim == 0:
        layout = "C"
    shared, reference = (
        LAYOUTS[layout](x) for x in (np.from_ndarray(plain), plain.copy(order="K"))
    )
    check_same(outcome(getattr(np, name), shared), outcome(getattr(numpy, name), reference))
    method = getattr(numpy.ndarray, name, None)
    if callable(method):
        check_same(outcome(getattr(shared, name)), outcome(getattr(reference, name)))


@hypothesis.settings(max_examples=400, deadline=None)
@hypothesis.given(arrays(), arrays(), st.sampled_from(BINARY), st.booleans())
def test_binary_operations_are_numpys(left, right, name, mixed):
    (a, a_layout), (b, b_layout) = left, right
    a_view = LAYOUTS[a_layout] if a.ndim else LAYOUTS["C"]
    b_view = LAYOUTS[b_layout] if b.ndim else LAYOUTS["C"]
    shared = a_view(np.from_ndarray(a)), b_view(b if mixed else np.from_ndarray(b))
    reference = a_view(a.copy(order="K")), b_view(b)
    check_same(outcome(getattr(np, name), *shared), outcome(getattr(numpy, name), *reference))


INDICES = st.one_of(
    st.just(...),
    st.none(),
    st.integers(-3, 3),
    st.slices(4),
    st.lists(st.integers(-2, 2), max_size=3),
    st.tuples(st.slices(3), st.integers(-2, 2)),
    st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=2), st.slices(3)),
)


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(arrays(), INDICES)
def test_indexing_is_numpys(given, index):
    plain, layout = given
    if plain.ndim == 0:
        layout = "C"
    shared, reference = (
        LAYOUTS[layout](x) for x in (np.from_ndarray(plain), plain.copy(order="K"))
    )
    check_same(outcome(lambda x: x[index], shared), outcome(lambda x: x[index], reference))
    mask = reference == reference
    check_same(outcome(lambda x: x[mask], shared), outcome(lambda x: x[mask], reference))
    if layout == "broadcast":
        return

    def written(x):
        x[index] = 1
        return x

    check_same(outcome(written, shared), outcome(written, reference))

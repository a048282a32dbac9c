"""hither.numpy has NumPy's names, parameters, values and dtypes."""

from __future__ import annotations

import importlib
import inspect
import warnings

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp
from conformance.numpy_names import CALLS, faults, function_of, outcome, parameters

PLACE = ("queue", "device", "usm_type")
# Other versions of NumPy have other names and parameters.
pytestmark = pytest.mark.skipif(
    not np.__version__.startswith("2.4."), reason="hither.numpy follows NumPy 2.4"
)


@pytest.mark.parametrize("first", range(0, len(CALLS), 30))
def test_calls_agree_with_numpy(queue, first):
    with warnings.catch_warnings(), np.errstate(all="ignore"), ht.device_context(queue):
        warnings.simplefilter("ignore")
        names = list(CALLS)[first : first + 30]
        found = {name: outcome(name, None, "d", queue=queue) for name in names}
    assert {name: text for name, text in found.items() if text} == {}


@pytest.mark.either_mode
@pytest.mark.parametrize("first", range(0, len(CALLS), 30))
def test_each_parameter_agrees_with_numpy(first):
    with warnings.catch_warnings(), np.errstate(all="ignore"), ht.device_context("native_cpu"):
        warnings.simplefilter("ignore")
        names = list(CALLS)[first : first + 30]
        found = [text for name in names for text in faults(name, "l", device="native_cpu")]
    assert found == []


def _names(function):
    """The parameters that can be given by position, then the other ones in alphabetical order."""
    given = inspect.signature(function).parameters.values()
    named = [p.name for p in given if p.kind is p.KEYWORD_ONLY and p.name not in PLACE]
    return [p.name for p in given if p.kind is not p.KEYWORD_ONLY] + sorted(named)


@pytest.mark.either_mode
def test_no_parameter_of_numpy_is_left_out():
    """Parameters have NumPy's names and order; then come the keywords of placement."""
    found = []
    for name in CALLS:
        numpys, result = function_of(np, name), function_of(hnp, name)
        if isinstance(numpys, (np.ufunc, type)) or name == "fromstring" or "random." in name:
            continue
        wanted = _names(numpys)
        names = [n for n in _names(result) if n in wanted]
        if names != wanted:
            found.append((name, wanted, names))
    assert found == []


@pytest.mark.either_mode
def test_keywords_of_placement_are_in_signatures():
    makers = "bartlett hanning kaiser diag_indices tril_indices mask_indices identity zeros iinfo"
    for function in (*(getattr(hnp, name) for name in makers.split()), hnp.random.default_rng,
                     hnp.random.Generator, hnp.random.RandomState, hnp.random.normal):  # fmt: skip
        found = inspect.signature(function).parameters
        assert all(p.kind is not p.VAR_KEYWORD for p in found.values()), function
        assert function is hnp.iinfo or set(PLACE) <= found.keys(), function
    assert hnp.iinfo(int_type="int8").max == 127
    assert hnp.random.default_rng(1, usm_type="shared").random(2).usm_type == "shared"


@pytest.mark.either_mode
def test_every_parameter_is_called():
    assert sum(len(parameters(name)) for name in CALLS) > 700


@pytest.mark.either_mode
def test_names_that_make_no_sense_say_so():
    with pytest.raises(TypeError, match=r"use numpy\.busday_count"):
        hnp.busday_count("2026-01-01", "2026-02-01")
    for make in (lambda: hnp.asarray(["a"]), lambda: hnp.zeros(2, "datetime64[s]"),
                 lambda: hnp.asarray([1], dtype=object), lambda: hnp.ones(2, np.longdouble),
                 lambda: hnp.array(np.zeros(2, [("x", int)])),
                 lambda: hnp.array("a"), lambda: hnp.array(None), lambda: hnp.asarray({1}),
                 lambda: hnp.full_like(hnp.ones(2), np.datetime64("2026")),
                 lambda: hnp.sum({1: 2}), lambda: hnp.add("a", "b")):  # fmt: skip
        with pytest.raises(TypeError, match=r"[nN]um[pP]y"):
            make()
    with pytest.raises(AttributeError, match=r"numpy\.ma works with NumPy's own arrays"):
        hnp.ma  # noqa: B018
    with pytest.raises(AttributeError, match=r"use hither\.asin"):
        ht.arcsin  # noqa: B018
    with pytest.raises(AttributeError, match=r"hither\.numpy has NumPy's functions"):
        ht.histogram  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        ht.nothing  # noqa: B018
    for module, name in ((ht.linalg, "cond"), (ht.fft, "fft2"), (ht.random, "poisson")):
        with pytest.raises(AttributeError, match=rf"{module.__name__[7:]} has NumPy's functions"):
            getattr(module, name)
    with pytest.raises(AttributeError, match='did you mean "inv"'):
        ht.linalg.invv  # noqa: B018


def test_classes_of_numpy_are_there_for_isinstance(queue):
    for name in ("matrix", "memmap", "recarray", "record"):
        own, numpys = getattr(hnp, name), getattr(np, name)
        assert not isinstance(hnp.ones(2, queue=queue), own)
        assert not isinstance(np.ones(2), (own, int))
        assert issubclass(numpys, own) and not issubclass(np.ndarray, own)
        with pytest.raises(TypeError, match=f"use numpy.{name}"):
            own([1])
    assert isinstance(np.rec.array([1, 2]), hnp.recarray)


def test_arrays_without_dimensions_are_scalars(queue):
    x = hnp.arange(3.0, queue=queue)
    for value in (x[0], x.sum(), hnp.float32(2), 1j, True, "a"):
        assert hnp.isscalar(value) is True
    for value in (x, x[:1], x[:0], [1], None, np.ones(()), np.ones(2)):
        assert hnp.isscalar(value) is False


def test_one_class_of_arrays(queue):
    assert hnp.ndarray is ht.Array
    x = hnp.ndarray((2, 3), "float32", queue=queue)
    assert x.shape == (2, 3) and x.dtype == np.float32 and x.queue == queue
    y = hnp.ndarray(2, np.int16, b"\x01\0\x02\0", queue=queue)
    assert y.tolist() == [1, 2]
    assert hnp.ndarray[int, np.dtype[np.float64]] is not None


@pytest.mark.parametrize("module", ["dtypes", "exceptions", "typing"])
def test_modules_of_numpys_classes_are_importable(module):
    hithers = importlib.import_module(f"hither.numpy.{module}")
    numpys = importlib.import_module(f"numpy.{module}")
    names = [name for name in numpys.__all__ if name != "NBitBase"]  # deprecated
    assert names and all(getattr(hithers, name) is getattr(numpys, name) for name in names)


def test_modules_of_numpy_are_importable():
    for module in "polynomial.chebyshev polynomial.hermite lib.array_utils lib.format".split():
        hithers = importlib.import_module(f"hither.numpy.{module}")
        assert hithers is importlib.import_module(f"numpy.{module}")
    package = importlib.import_module("hither.numpy.polynomial")
    assert package.Polynomial is np.polynomial.Polynomial and package.legendre.leggauss
    assert importlib.import_module("hither.numpy.version").full_version == np.__version__


def test_what_is_no_array_shares_no_memory(queue):
    x = hnp.arange(4, queue=queue)
    for shares in (hnp.shares_memory, hnp.may_share_memory):
        assert shares(x, x[1:]) and not shares(x, None) and not shares([1], x)
        assert not shares(x, x[:0])


@pytest.mark.either_mode
def test_modules_that_programs_name():
    assert hnp.random.mtrand.RandomState is hnp.random.RandomState
    assert hnp.version.version == hnp.__version__ == np.__version__

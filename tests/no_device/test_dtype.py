"""dtypes are NumPy's, and three of ml_dtypes."""

import subprocess
import sys

import numpy as np
import pytest

import hither as ht
from hither import _hither

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_dtype_is_numpys(name):
    numpys = np.dtype(name)
    assert np.dtype(getattr(ht, name)) == numpys
    for spelling in (name, numpys, numpys.type, numpys.str, getattr(ht, name)):
        assert _hither.dtype_argument(spelling) == numpys


@pytest.mark.parametrize(
    ("python", "name"),
    [(bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")],
)
def test_python_types_have_a_dtype(python, name):
    assert _hither.dtype_argument(python) == np.dtype(name)


@pytest.mark.parametrize(
    "wrong", ["float128", ">f4", "U3", object(), 3, np.dtype("M8"), "nonsense", "<"]
)
def test_other_dtypes_are_refused(wrong):
    with pytest.raises(ht.InvalidTypeError, match="is not a dtype that arrays can hold"):
        _hither.dtype_argument(wrong)


KINDS = [
    "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
    "numeric", ("bool", "integral"), (np.float64, "bool"), np.float32, np.dtype("int64"), (),
]  # fmt: skip


@pytest.mark.skipif(not hasattr(np, "isdtype"), reason="NumPy 1.26 has no isdtype")
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_isdtype_is_numpys(kind):
    dtypes = [np.dtype(code) for code in "?bBhHiIlLefdFD"]
    found = [ht.isdtype(dtype, kind) for dtype in dtypes]
    assert found == [np.isdtype(dtype, kind) for dtype in dtypes]


def test_isdtype_names_its_kinds():
    with pytest.raises(ValueError, match=r"'real' is no kind; the kinds are bool, .*numeric"):
        ht.isdtype(np.dtype("d"), "real")


ML_DTYPES = ["bfloat16", "float8_e4m3fn", "float8_e5m2"]


@pytest.mark.parametrize("name", ML_DTYPES)
def test_dtypes_of_ml_dtypes(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    added = np.dtype(getattr(ml_dtypes, name))
    assert getattr(ht, name) is added.type
    for spelling in (name, added, added.type):
        assert _hither.dtype_argument(spelling) == added
    assert ht.isdtype(added, "real floating")
    assert ht.isdtype(added, ("bool", "numeric"))
    assert not ht.isdtype(added, "integral")
    info = ht.finfo(name)
    assert (info.dtype, info.bits) == (added, 8 * added.itemsize)
    assert info.max == float(ml_dtypes.finfo(added).max)
    with pytest.raises(ht.InvalidTypeError, match="is not a dtype that arrays can hold"):
        _hither.dtype_argument(np.dtype(f"V{added.itemsize}"))


def test_other_dtypes_of_ml_dtypes_are_refused():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    with pytest.raises(ht.InvalidTypeError, match="float8_e5m2"):
        _hither.dtype_argument(ml_dtypes.float8_e5m2fnuz)


PROMOTED = [
    ("bfloat16", "bool", "bfloat16"), ("bfloat16", "int8", "bfloat16"),
    ("bfloat16", "uint8", "bfloat16"), ("bfloat16", "int16", "float32"),
    ("bfloat16", "uint16", "float32"), ("bfloat16", "int32", "float64"),
    ("bfloat16", "uint64", "float64"), ("bfloat16", "float16", "float32"),
    ("bfloat16", "float32", "float32"), ("bfloat16", "float64", "float64"),
    ("bfloat16", "complex64", "complex64"), ("bfloat16", "complex128", "complex128"),
    ("bfloat16", "bfloat16", "bfloat16"), ("bfloat16", "float8_e5m2", "bfloat16"),
    ("float8_e4m3fn", "float8_e5m2", "float16"), ("float8_e4m3fn", "float16", "float16"),
    ("float8_e5m2", "int8", "float16"), ("float8_e5m2", "float64", "float64"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "common"), PROMOTED)
def test_promotion_with_ml_dtypes(a, b, common):
    pytest.importorskip("ml_dtypes")
    expected = _hither.dtype_argument(common)
    assert ht.result_type(a, b) == ht.result_type(b, a) == expected
    assert ht.can_cast(a, b) == (expected == _hither.dtype_argument(b))
    assert ht.can_cast(b, a) == (expected == _hither.dtype_argument(a))


def test_python_numbers_take_bfloat16():
    pytest.importorskip("ml_dtypes")
    for number in (True, 2, 2.5):
        assert ht.result_type("bfloat16", number) == ht.bfloat16
    assert ht.result_type("bfloat16", 2j) == np.complex64


WITHOUT = """
import sys
sys.modules["ml_dtypes"] = None
import hither as ht
assert not hasattr(ht, "no_such_name")
for use in (lambda: ht.bfloat16, lambda: ht.zeros(2, dtype="bfloat16").dtype,
            lambda: ht.asnumpy(ht.ones(2, dtype="float8_e5m2"))):
    try:
        use()
    except ht.UnsupportedError as error:
        assert "pip install ml_dtypes" in str(error), error
    else:
        raise AssertionError("no error")
x = ht.asarray([1.5, 2], dtype="bfloat16")
assert (x * 2)[0].item() == 3
assert ht.asnumpy((x + x).astype("float32")).tolist() == [3, 4]
"""


def test_without_ml_dtypes_the_error_names_the_remedy():
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)

"""dtypes are NumPy's."""

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

"""Versions of Numba: tested, newer, older, without wheels, and without a correct result."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import hither as ht
from hither._kernel.numba import numba_version
from hither._tools import doctor

pytestmark = pytest.mark.either_mode


@pytest.fixture
def newer(monkeypatch):
    """The installed Numba counts as newer than the tested ones, and no check has been made."""
    monkeypatch.setattr(numba_version, "NEWEST", (0, 1))
    monkeypatch.setattr(numba_version, "_checks", {})


@pytest.fixture
def wrong_kernel(monkeypatch):
    def compute():
        numba_version._expect(np.ones(1), np.zeros(1))

    monkeypatch.setattr(numba_version, "_run_kernel", compute)


def make_kernel(*signature):
    @ht.kernel(*signature)
    def double(x):
        i = ht.get_global_id(0)
        x[i] = 2 * x[i]

    return double


def test_tested_versions_are_not_checked():
    numba_version.refuse_older()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numba_version.check_kernels()
        numba_version.check_loops()
    assert not numba_version._checks


def test_a_newer_version_warns_once_and_compiles_kernels(newer):
    kernel, x = make_kernel(), ht.ones(3)
    with pytest.warns(UserWarning, match="not tested with Numba .*; a kernel compiled") as seen:
        kernel(x)
        make_kernel()(x)
    assert len([w for w in seen if "Numba" in str(w.message)]) == 1
    assert ht.asnumpy(x).tolist() == [4, 4, 4]


def test_a_newer_version_warns_once_and_offloads_loops(newer):
    numba = pytest.importorskip("numba")

    @numba.njit
    def total(x):
        return np.sum(2 * x)

    with (
        pytest.warns(UserWarning, match="an offloaded loop compiled") as seen,
        ht.device_context("cpu"),
    ):
        assert total(np.ones(3)) == 6
        assert total(np.ones(3, np.float32)) == 6
    assert len([w for w in seen if "an offloaded loop" in str(w.message)]) == 1


@pytest.mark.parametrize(
    "use",
    [
        lambda: make_kernel()(ht.ones(3)),
        lambda: make_kernel("void(f8[:])"),
        lambda: ht.vectorize(lambda x: x + 1)(ht.ones(3)),
        lambda: ht.reduction(identity=0)(lambda a, b: a + b)(ht.ones(3)),
    ],
    ids=["kernel", "signature", "vectorize", "reduction"],
)
def test_a_newer_version_that_computes_wrong_values_is_refused(newer, wrong_kernel, use):
    for _ in range(2):
        with pytest.raises(ImportError, match=r"does not work with Numba .* fails .*pip install"):
            use()
    assert float(ht.sum(ht.ones(3))) == 3


def test_a_loop_that_fails_is_refused(newer, monkeypatch):
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(numba_version, "_run_loop", lambda: [][0])
    function = numba.njit(lambda x: np.sum(2 * x))
    with (
        ht.device_context("cpu"),
        pytest.raises(ImportError, match=r"an offloaded loop .*IndexError"),
    ):
        function(np.ones(3))
    assert function(np.ones(3)) == 6


def test_an_older_version_is_refused(monkeypatch):
    monkeypatch.setattr(numba_version, "OLDEST", (9, 9))
    with pytest.raises(ImportError, match=r"need Numba 9\.9 or later, but .* pip install"):
        numba_version.refuse_older()


def test_the_self_check_finds_wrong_values():
    with pytest.raises(ArithmeticError, match="computed"):
        numba_version._expect(np.ones(1), np.zeros(1))


def test_the_doctor_names_an_untested_version(newer):
    found = doctor._numba()
    assert found.level == "note"
    assert "not tested with Numba" in found.text


def test_the_doctor_names_a_version_that_fails(newer, wrong_kernel):
    assert "does not work with Numba" in doctor._numba().text


CODE = """
import sys
{prepare}
import hither as ht
assert float(ht.sum(ht.ones(3))) == 3
@ht.kernel
def kernel(x):
    x[ht.get_global_id(0)] = 1
try:
    kernel(ht.ones(3))
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        ("sys.modules['numba'] = None", "which is not installed: pip install 'hither[numba]'"),
        (
            "import types; sys.path.insert(0, {folder!r})",
            "whose import fails here: Numba needs another NumPy",
        ),
    ],
    ids=["absent", "unusable"],
)
def test_arrays_work_where_numba_cannot_be_imported(prepare, message, tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs another NumPy')")
    code = CODE.format(prepare=prepare.format(folder=str(tmp_path)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert message in done.stdout
    assert "arrays work without Numba" in done.stdout

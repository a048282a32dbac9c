"""Arguments that hither's libraries refuse, and the errors."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def a():
    return ht.eye(3) * 2


def refuses(kind, match, call):
    with pytest.raises(kind, match=match) as caught:
        call()
    assert isinstance(caught.value, ht.Error)


@pytest.mark.parametrize("name", ["inv", "solve"])
def test_singular_matrices(name):
    singular = ht.ones((2, 2))
    arguments = (singular, ht.ones(2)) if name == "solve" else (singular,)
    refuses(
        np.linalg.LinAlgError, f"{name}: Singular", lambda: getattr(ht.lapack, name)(*arguments)
    )
    singular.queue.wait()  # nothing is left to report
    assert ht.asnumpy(singular).tolist() == [[1, 1], [1, 1]]


def test_matrices_that_are_not_positive_definite(a):
    refuses(ht.LinAlgError, "cholesky: .*positive definite", lambda: ht.lapack.cholesky(-a))


@pytest.mark.parametrize(
    "name", ["inv", "det", "slogdet", "eig", "eigh", "eigvals", "eigvalsh", "cholesky"]
)
def test_matrices_that_are_not_square(name):
    x = ht.ones((2, 3))
    refuses(ht.LinAlgError, rf"{name}: x has shape \(2, 3\)", lambda: getattr(ht.lapack, name)(x))
    refuses(ht.LinAlgError, "1 dimensions", lambda: getattr(ht.lapack, name)(ht.ones(3)))


@pytest.mark.parametrize("name", ["svd", "svdvals", "qr", "pinv", "matrix_rank"])
def test_vectors_are_no_matrices(name):
    refuses(ht.LinAlgError, f"{name}: x has 1 dim", lambda: getattr(ht.lapack, name)(ht.ones(3)))


def test_shapes_that_do_not_fit(a):
    refuses(ht.LinAlgError, "x1 has shape", lambda: ht.lapack.solve(ht.ones((2, 3)), ht.ones(2)))
    refuses(ValueError, "x1 has 3 rows", lambda: ht.lapack.solve(a, ht.ones(2)))
    refuses(ValueError, "x1 has 3 rows", lambda: ht.lapack.lstsq(a, ht.ones((2, 1))))
    refuses(ht.LinAlgError, "stacks", lambda: ht.lapack.lstsq(ht.ones((2, 3, 3)), ht.ones(3)))
    refuses(ValueError, "rtol=-1 is negative", lambda: ht.lapack.lstsq(a, ht.ones((3, 1)), rtol=-1))
    refuses(ValueError, "the addend", lambda: ht.blas.gemm(a, a, c=ht.ones((2, 2))))
    refuses(ValueError, "vectors of equal length", lambda: ht.blas.dot(ht.ones(2), ht.ones(3)))
    refuses(ValueError, "vectors", lambda: ht.blas.axpy(1, a, a))
    refuses(ValueError, "3 elements", lambda: ht.linalg.cross(ht.ones(2), ht.ones(2)))
    refuses(IndexError, "out of range", lambda: ht.linalg.cross(ht.ones(3), ht.ones(3), axis=1))
    refuses(ValueError, "vectors", lambda: ht.linalg.outer(a, a))
    refuses(ht.LinAlgError, "equal", lambda: ht.linalg.matrix_power(ht.ones((2, 3)), 2))


@pytest.mark.parametrize("name", ["svd", "inv", "eigh"])
def test_float16_is_not_computed(name):
    x = ht.eye(2, dtype="float16")
    refuses(TypeError, "astype", lambda: getattr(ht.lapack, name)(x))


def test_options(a):
    refuses(ValueError, "mode", lambda: ht.lapack.qr(a, mode="raw"))
    refuses(ValueError, "ord", lambda: ht.linalg.matrix_norm(a, ord=3))
    refuses(ValueError, "ord", lambda: ht.linalg.vector_norm(a, ord="fro"))
    refuses(ValueError, "trans", lambda: ht.blas.gemm(a, a, trans_a="H"))
    refuses(ValueError, "trans", lambda: ht.blas.syrk(a, trans="C"))
    refuses(ValueError, "side", lambda: ht.blas.trmm(a, a, side="left"))
    refuses(ValueError, "norm", lambda: ht.fft.fft(a, norm="none"))


def test_transforms(a):
    refuses(IndexError, "axis 2", lambda: ht.fft.fft(a, axis=2))
    refuses(IndexError, "axis", lambda: ht.fft.fftn(a, s=(1, 2, 3)))
    refuses(ValueError, "twice", lambda: ht.fft.fftn(a, axes=(0, -2)))
    refuses(ValueError, "0 elements", lambda: ht.fft.fft(ht.ones(0)))
    refuses(ValueError, "0 elements", lambda: ht.fft.irfft(ht.ones(1)))
    refuses(ValueError, "-1 elements", lambda: ht.fft.fft(a, n=-1))
    refuses(ValueError, "lengths", lambda: ht.fft.fftn(a, s=(1, 2), axes=(0,)))
    refuses(TypeError, "real numbers", lambda: ht.fft.rfft(a + 1j))
    refuses(IndexError, "axis", lambda: ht.fft.fft(ht.asarray(1.0)))
    refuses(ValueError, "n=0", lambda: ht.fft.fftfreq(0))
    refuses(TypeError, "dtype", lambda: ht.fft.fftfreq(4, dtype="int32"))


LIBRARY_CALLS = [
    ("svd", lambda x, **q: ht.lapack.svd(x, **q)),
    ("fft", lambda x, **q: ht.fft.fft(x, **q)),
    ("nrm2", lambda x, **q: ht.blas.nrm2(x, **q)),
    ("matrix_norm", lambda x, **q: ht.linalg.matrix_norm(x, **q)),
]


@pytest.mark.parametrize(("name", "call"), LIBRARY_CALLS)
def test_what_is_no_array(name, call):
    refuses(TypeError, f"{name}: .*list", lambda: call([[1.0]]))
    refuses(TypeError, f"{name}: ", lambda: call("text"))
    refuses(ht.PlacementError, f"{name}: ", lambda: call(1.0))
    refuses(TypeError, f"{name}: .*float", lambda: call(1.0, queue="cpu"))
    refuses(ht.PlacementError, f"{name}: .*can not be determined", lambda: call(np.ones((2, 2))))


def test_arrays_that_disagree(sub_devices, a):
    here, there = (ht.asarray(np.eye(3), queue=ht.Queue(d)) for d in sub_devices)
    host = np.eye(3)
    refuses(ht.PlacementError, "solve: .*not equivalent", lambda: ht.lapack.solve(here, there))
    refuses(ht.PlacementError, "solve: .*host array", lambda: ht.lapack.solve(a, host))
    refuses(ht.PlacementError, "cannot access", lambda: ht.lapack(queue=here.queue).svd(there))
    refuses(ht.PlacementError, "cannot access", lambda: ht.fft(queue=here.queue).fft(there))
    refuses(ht.PlacementError, "gemm: ", lambda: ht.blas.gemm(here, here, c=there))
    with ht.device_context(here.queue):
        refuses(ht.PlacementError, "host array", lambda: ht.lapack.solve(a, host))


@pytest.mark.parametrize("library", ["blas", "lapack", "linalg", "fft", "random"])
def test_queues_that_are_none(library):
    with pytest.raises(ValueError):
        getattr(ht, library)(queue="no such device")
    with pytest.raises(TypeError):
        getattr(ht, library)(queue=3.5)
    with pytest.raises(AttributeError, match=f"hither.{library} has no function 'zeros'"):
        getattr(ht, library)("cpu").zeros  # noqa: B018


def test_scipy_that_is_not_installed(monkeypatch, cpu_by_default):
    a = ht.ones((3, 3))
    for module in [m for m in sys.modules if m.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "scipy", None)
    for name, call in {
        "lu": lambda: ht.lapack.lu(a),
        "lu_factor": lambda: ht.lapack.lu_factor(a),
        "solve_triangular": lambda: ht.blas.trsm(a, a),
    }.items():
        refuses(NotImplementedError, f"{name}: .*pip install scipy", call)


def test_random_numbers():
    random = ht.random.Generator(1)
    refuses(ValueError, "seed", lambda: ht.random.Generator(-1))
    refuses(ValueError, "seed", lambda: ht.random.Generator("text"))
    refuses(ValueError, "scale is negative", lambda: random.normal(0, -1))
    refuses(ValueError, "scale", lambda: random.exponential(ht.asarray([1.0, -1.0])))
    refuses(ValueError, "a is negative", lambda: random.weibull(-1))
    refuses(ValueError, "left equals right", lambda: random.triangular(1, 1, 1))
    refuses(TypeError, "dtype=int64", lambda: random.random(3, dtype="int64"))
    refuses(TypeError, "loc is .1.; it must be a number or an array", lambda: random.normal("1"))
    refuses(ValueError, "size", lambda: random.random(-1))
    refuses(ValueError, "size=2", lambda: random.normal(ht.ones(3), size=2))
    refuses(ValueError, "size=1", lambda: random.normal(ht.ones(3), size=1))
    refuses(ValueError, "size=3", lambda: random.normal(ht.ones((1, 3)), size=3))
    refuses(ValueError, "is empty", lambda: random.integers(5, 5))
    refuses(ValueError, "is empty", lambda: random.integers(ht.asarray([5]), 5))
    refuses(OverflowError, "int8", lambda: random.integers(0, 200, dtype="int8"))
    refuses(OverflowError, "uint8", lambda: random.integers(ht.asarray([-1]), 5, dtype="uint8"))
    refuses(TypeError, "integer", lambda: random.integers(0.5, 3))
    refuses(TypeError, "integer dtype", lambda: random.integers(3, dtype="float32"))
    refuses(ValueError, "poisson: ", lambda: random.poisson(-1))
    refuses(TypeError, "out", lambda: random.poisson(1.0, out=np.ones(1)))
    refuses(TypeError, "shuffle", lambda: random.shuffle(np.arange(3)))
    refuses(ValueError, "choice: ", lambda: random.choice(3, 5, replace=False))
    refuses(ValueError, "draw", lambda: setattr(random, "draw", -1))

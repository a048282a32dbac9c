"""hither's libraries on NVIDIA GPUs: the library that a call uses, and the error without it."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import hither as ht
from hither import _hither

DEVICES = [d.filter_string for d in ht.devices() if d.filter_string.startswith("cuda:")]
pytestmark = pytest.mark.skipif(not DEVICES, reason="no NVIDIA GPU")


@pytest.fixture
def queue():
    return ht.Device(DEVICES[0]).default_queue


@pytest.fixture
def blas(queue):
    name = ht.blas_name(queue.device)
    if not name:
        pytest.skip("cuBLAS is not installed")
    assert name.startswith("cuBLAS 1")
    return name


def close(x, y, dtype):
    eps = np.finfo(dtype).eps
    x, y = ht.asnumpy(x), np.asarray(y)
    assert x.dtype == np.dtype(dtype) and x.shape == y.shape
    assert np.linalg.norm(x.astype(np.complex128) - y) <= 64 * eps * max(1, np.linalg.norm(y))


def random(rng, shape, dtype):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_products_of_every_layout(queue, blas, dtype):
    rng = np.random.default_rng(1)
    for m, n, k in ((1, 1, 1), (3, 5, 7), (64, 32, 16), (1, 9, 100), (130, 1, 33)):
        a, b = random(rng, (m, k), dtype), random(rng, (k, n), dtype)
        exact = a.astype(np.complex128) @ b.astype(np.complex128)
        x, y = (ht.asarray(v, queue=queue) for v in (a, b))
        xt, yt = (ht.asarray(np.ascontiguousarray(v.T), queue=queue).T for v in (a, b))
        for left in (x, xt):
            for right in (y, yt):
                close(left @ right, exact, dtype)
        wide = ht.zeros((m, 2 * k), dtype=dtype, queue=queue)
        wide[:, ::2] = x
        close(wide[:, ::2] @ y, exact, dtype)
        wide[:, k:] = x
        close(wide[:, k:] @ y, exact, dtype)


@pytest.mark.parametrize("shapes", [
    ((4, 3, 5), (4, 5, 2)), ((4, 3, 5), (5, 2)), ((3, 5), (4, 5, 2)),
    ((2, 1, 3, 5), (1, 6, 5, 2)), ((2, 6, 3, 5), (2, 6, 5, 2)), ((2, 1, 3, 5), (7, 5, 2)),
])  # fmt: skip
def test_products_of_stacks(queue, blas, shapes):
    rng = np.random.default_rng(2)
    a, b = (random(rng, shape, np.float32) for shape in shapes)
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    close(x @ y, a.astype(np.float64) @ b, np.float32)
    moved = ht.asarray(np.ascontiguousarray(np.moveaxis(a, 0, -1)), queue=queue)
    close(ht.moveaxis(moved, -1, 0) @ y, a.astype(np.float64) @ b, np.float32)


def test_products_are_in_order_and_never_wait(queue, blas):
    a = ht.ones((2048, 2048), dtype=np.float32, queue=queue)
    for _ in range(20):
        a = a @ a * (1 / 2048)
        a += 1
        a -= 1
    assert float(a[17, 3]) == 1
    out_of_order = ht.Queue(queue.device, in_order=False)
    b = ht.ones((512, 512), queue=out_of_order)
    products = [b @ (b * i) for i in range(12)]
    assert [float(p[0, 0]) for p in products] == [512.0 * i for i in range(12)]


def test_products_in_a_context_of_ones_own(queue, blas):
    own = ht.Queue(ht.Context(queue.device), queue.device)
    a = ht.ones((30, 30), queue=own)
    assert float((a @ a)[0, 0]) == 30
    del a, own


@pytest.mark.parametrize("precision", ["tensorfloat32", "bfloat16"])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_factors_are_rounded_where_that_is_allowed(queue, blas, dtype, precision):
    rng = np.random.default_rng(3)
    a, b = (random(rng, (256, 256), dtype) for _ in range(2))
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    exact = a.astype(np.complex128) @ b
    full = np.linalg.norm(ht.asnumpy(x @ y) - exact)
    rounded = np.linalg.norm(ht.asnumpy(ht.matmul(x, y, precision=precision)) - exact)
    assert full < 2e-6 * np.linalg.norm(exact)
    assert 10 * full < rounded < 1e-2 * np.linalg.norm(exact)


PRODUCTS_WITHOUT_CUBLAS = """
import numpy as np, hither as ht
device = ht.Device({device!r})
assert ht.blas_name(device) == "", ht.blas_name(device)
for dtype in ("float16", "float32", "float64", "complex64", "complex128"):
    for m, n, k in ((5, 5, 5), (64, 64, 16), (129, 40, 17), (33, 1000, 70), (1100, 1300, 9)):
        r = np.random.default_rng(1)
        a, b = (r.integers(-3, 4, s).astype(dtype) for s in ((2, m, k), (2, k, n)))
        x, y = (ht.asarray(v, device=device) for v in (a, b))
        np.testing.assert_array_equal(ht.asnumpy(x @ y), a @ b)
        np.testing.assert_array_equal(ht.asnumpy(x[::-1, ::2] @ y[:1]), a[::-1, ::2] @ b[:1])
        turned = ht.asarray(np.ascontiguousarray(b.swapaxes(1, 2)), device=device)
        np.testing.assert_array_equal(ht.asnumpy(x @ ht.matrix_transpose(turned)), a @ b)
print("all well")
"""


def test_without_cublas_there_are_kernels():
    done = subprocess.run(
        [sys.executable, "-c", PRODUCTS_WITHOUT_CUBLAS.format(device=DEVICES[0])],
        capture_output=True, text=True, timeout=300,
        env=os.environ | {"HITHER_CUDA_LIBRARIES": "/nowhere"},
    )  # fmt: skip
    assert done.stdout.split("\n")[-2:] == ["all well", ""], done.stderr


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_stacks_of_matrices_large_enough_for_cusolver(queue, dtype, monkeypatch):
    cuda = pytest.importorskip("hither._libraries.cuda.lapack")
    if not cuda.LIBRARY:
        pytest.skip("cuSOLVER is not installed")
    monkeypatch.setattr(cuda, "_FASTER_ON_HOST", 0)
    n = 70
    rng = np.random.default_rng(4)
    a = random(rng, (3, 1, n, n), dtype) + (30 * np.eye(n)).astype(dtype)
    b = random(rng, (2, n, 5), dtype)
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    before = ht.counters()["launches"]
    wide = np.complex128
    close(ht.linalg.solve(x, y), np.linalg.solve(a.astype(wide), b.astype(wide)), dtype)
    close(ht.linalg.inv(x), np.linalg.inv(a.astype(wide)), dtype)
    factors = ht.lapack.lu_factor(x[0, 0])
    close(ht.lapack.lu_solve(factors, y[0, :, 0]), np.linalg.solve(a[0, 0], b[0, :, 0]), dtype)
    for tall in (x[..., :50], x[..., :50, :]):
        host = ht.asnumpy(tall).astype(wide)
        u, s, vh = ht.linalg.svd(tall, full_matrices=False)
        assert u.device == queue.device
        close(u * s[..., None, :].astype(dtype) @ vh, host, dtype)
        close(s, np.linalg.svd(host, compute_uv=False), np.dtype(dtype).char.lower())
        full = ht.linalg.svd(tall)
        assert full.U.shape[-2:] == (host.shape[-2],) * 2
        assert full.Vh.shape[-2:] == (host.shape[-1],) * 2
        close(ht.conj(full.U).mT @ full.U, eyes(host.shape[:-2], host.shape[-2]), dtype)
        for mode in ("reduced", "complete"):
            q, r = ht.linalg.qr(tall, mode=mode)
            close(q @ r, host, dtype)
            close(ht.conj(q).mT @ q, eyes(host.shape[:-2], q.shape[-1]), dtype)
        close(ht.linalg.pinv(tall), np.linalg.pinv(host), dtype)
        assert (ht.asnumpy(ht.linalg.matrix_rank(tall)) == 50).all()
    hermitian = x @ ht.conj(x).mT + 3 * ht.eye(n, dtype=dtype, queue=queue)
    host = ht.asnumpy(hermitian)
    values, vectors = ht.linalg.eigh(hermitian)
    close(hermitian @ vectors, ht.asnumpy(vectors * values[..., None, :].astype(dtype)), dtype)
    lower = ht.linalg.cholesky(hermitian)
    close(lower @ ht.conj(lower).mT, host, dtype)
    upper = ht.linalg.cholesky(hermitian, upper=True)
    close(ht.conj(upper).mT @ upper, host, dtype)
    sign, logarithm = ht.linalg.slogdet(x)
    exact = np.linalg.slogdet(a.astype(wide))
    np.testing.assert_allclose(ht.asnumpy(sign), exact[0], atol=1e-3)
    np.testing.assert_allclose(ht.asnumpy(logarithm), exact[1], rtol=1e-4)
    assert ht.counters()["launches"] > before
    with pytest.raises(ht.LinAlgError, match="Singular"):
        ht.linalg.inv(ht.zeros((n, n), dtype=dtype, queue=queue))
    with pytest.raises(ht.LinAlgError, match="positive definite"):
        ht.linalg.cholesky(-hermitian)


def eyes(stack, n):
    return np.broadcast_to(np.eye(n), (*stack, n, n))


CUDA_SOURCE = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
extern "C" __global__ void transpose(const double* x, double* y, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns) y[c * rows + r] = x[r * columns + c];
}
extern "C" __global__ void sums(const int* x, int* out) {
  extern __shared__ int part[];
  part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) { int s = 0; for (int i = 0; i < blockDim.x; ++i) s += part[i];
                          out[blockIdx.x] = s; }
}
"""
PTX = """
.version 7.0
.target sm_50
.address_size 64
.visible .entry set_all(.param .u64 to, .param .u32 value) {
  .reg .u64 %p; .reg .u32 %v, %i; .reg .u64 %o;
  ld.param.u64 %p, [to]; ld.param.u32 %v, [value];
  cvta.to.global.u64 %p, %p;
  mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %p, %p, %o;
  st.global.u32 [%p], %v; ret;
}
"""


def test_programs_in_cuda_cpp(queue):
    try:
        program = ht.cuda.Program(CUDA_SOURCE, queue=queue, options=["--use_fast_math"])
    except ht.UnsupportedError as error:
        pytest.skip(str(error))
    n = 100_001
    x = ht.arange(n, dtype=np.float32, queue=queue) * 1
    y = ht.ones(n, dtype=np.float32, queue=queue) + 0
    for _ in range(3):
        program["saxpy"][ht.NdRange(100_096, 256)](np.float32(2), x, y, n)
        y -= 1
    np.testing.assert_array_equal(ht.asnumpy(y), 6 * np.arange(n, dtype=np.float32) - 2)
    a = np.arange(15.0).reshape(3, 5)
    out = ht.zeros((5, 3), queue=queue)
    transpose = program["transpose"]
    transpose[ht.NdRange((8, 16), (8, 16))](
        ht.asarray(a, queue=queue), out, np.int32(3), np.int32(5)
    )
    np.testing.assert_array_equal(ht.asnumpy(out), a.T)
    sums = ht.zeros(4, dtype=np.int32, queue=queue)
    program["sums"][ht.NdRange(256, 64), 256](ht.arange(256, dtype=np.int32, queue=queue), sums)
    np.testing.assert_array_equal(ht.asnumpy(sums), np.arange(256).reshape(4, 64).sum(axis=1))


def test_programs_in_ptx(queue):
    program = ht.cuda.Program(PTX, queue=queue)
    x = ht.zeros(64, dtype=np.int32, queue=queue)
    program["set_all"][ht.NdRange(64, 64)](x, np.uint32(7))
    assert int(ht.sum(x)) == 7 * 64


def test_what_programs_refuse(queue):
    with pytest.raises(ht.CompileError, match="CUDA_ERROR_INVALID_PTX"):
        ht.cuda.Program(PTX.replace("ld.param.u64", "ld.nothing"), queue=queue)
    with pytest.raises(ht.UnsupportedError, match="not a CUDA device"):
        ht.cuda.Program(PTX, queue="cpu")
    program = ht.cuda.Program(PTX, queue=queue)
    with pytest.raises(ValueError, match="no kernel 'other'"):
        _ = program["other"]
    x = ht.zeros((8, 8), dtype=np.int32, queue=queue)
    with pytest.raises(ValueError, match="C-contiguous"):
        program["set_all"][ht.NdRange(8, 8)](x[:, ::2], np.uint32(1))
    with pytest.raises(TypeError, match="asarray"):
        program["set_all"][ht.NdRange(8, 8)](np.zeros(8, dtype=np.int32), np.uint32(1))
    with pytest.raises(TypeError, match="NdRange"):
        program["set_all"][64]
    with pytest.raises(TypeError, match="str"):
        program["set_all"][ht.NdRange(8, 8)](x, "7")
    with pytest.raises(ValueError, match="CUDA refuses"):
        program["set_all"][ht.NdRange(4096, 4096)](x, np.uint32(1))
    if program_compiles(queue):
        with pytest.raises(ht.CompileError, match=r"program\.cu"):
            ht.cuda.Program("__global__ void f() { oops }", queue=queue)


def program_compiles(queue) -> bool:
    try:
        ht.cuda.Program('extern "C" __global__ void f() {}', queue=queue)
    except ht.UnsupportedError:
        return False
    return True


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_stacks_of_small_matrices(queue, dtype, older, monkeypatch):
    stacks = pytest.importorskip("hither._libraries.cuda.stacks")
    if not stacks.LIBRARY:
        pytest.skip("cuSOLVER is not installed")
    monkeypatch.setattr(stacks, "_AT_ONCE", 3)  # several calls
    if older:
        monkeypatch.setattr(stacks, "_OF_64_BITS", "cusolverDnMissing")
    a = random(np.random.default_rng(6), (2, 4, 9, 9), dtype)
    x = ht.asarray(a, queue=queue)
    assert stacks.takes("eigh", x) and stacks.takes("svd", x)
    hermitian = x + ht.conj(x).mT
    values, vectors = ht.linalg.eigh(hermitian)
    close(hermitian @ vectors, ht.asnumpy(vectors * values[..., None, :].astype(dtype)), dtype)
    close(values, np.linalg.eigvalsh(ht.asnumpy(hermitian)), np.dtype(dtype).char.lower())
    u, s, vh = ht.linalg.svd(x[..., :5], full_matrices=False)
    close(u * s[..., None, :].astype(dtype) @ vh, a[..., :5], dtype)
    close(ht.linalg.pinv(x[..., :5]), np.linalg.pinv(a[..., :5]), dtype)


def test_matrices_whose_rotations_do_not_converge(queue, monkeypatch):
    stacks = pytest.importorskip("hither._libraries.cuda.stacks")
    if not stacks.LIBRARY:
        pytest.skip("cuSOLVER is not installed")
    a = np.random.default_rng(7).standard_normal((3, 4, 6))
    monkeypatch.setattr(
        stacks.Stacks, "_by_rotations", lambda self, *_: ht.ones(3, dtype="int32", queue=self.queue)
    )
    found = ht.linalg.svd(ht.asarray(a, queue=queue))
    for x, y in zip(found, np.linalg.svd(a), strict=True):
        close(x, y, "float64")


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_products_of_long_rows_are_cusparses(queue, dtype, index):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    sparse = pytest.importorskip("hither.scipy.sparse")
    rng = np.random.default_rng(5)
    a = scipy_sparse.random_array((500, 700), density=0.2, format="csr", rng=1).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 2j)
    a.indices, a.indptr = a.indices.astype(index), a.indptr.astype(index)
    mine = sparse.csr_array(a, queue=queue)
    x = random(rng, 701, dtype)
    whole = ht.asarray(x, queue=queue)
    for begin in (0, 1):  # aligned to 16 bytes, and not
        v = whole[begin : begin + 700]
        parts = mine.data, mine.indices, mine.indptr, v
        result = _hither.library_sparse_product(*parts, np.dtype(dtype))
        if result is None:
            pytest.skip("cuSPARSE is not installed")
        close(result, a @ x[begin : begin + 700], dtype)
        again = _hither.library_sparse_product(*parts, np.dtype(dtype))
        assert ht.asnumpy(result).tobytes() == ht.asnumpy(again).tobytes()
    close(mine[20:400] @ (2 * whole[:700]), a[20:400] @ (2 * x[:700]), dtype)
    step = ht.compile(lambda v: mine @ v + 1)
    for k in (1, 2):
        expected = mine @ (k * whole[:700]) + 1
        assert bool(ht.all(step(k * whole[:700]) == expected))
    matrices = ht.asarray(random(rng, (700, 3), dtype), queue=queue)
    close(mine @ matrices, a @ ht.asnumpy(matrices), dtype)


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_products_of_sparse_matrices_are_cusparses(queue, dtype, index):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    sparse = pytest.importorskip("hither.scipy.sparse")

    def matrix(height, width, seed):
        a = scipy_sparse.random_array((height, width), density=0.05, format="csr", rng=seed)
        a = a.astype(dtype) * (1 + 2j if np.dtype(dtype).kind == "c" else 1)
        a.indices, a.indptr = a.indices.astype(index), a.indptr.astype(index)
        return a, sparse.csr_array(a, queue=queue)

    (a, mine), (b, other) = matrix(300, 200, 1), matrix(200, 400, 2)
    kinds = np.int32
    parts = [
        (x.data, ht.astype(x.indices, kinds), ht.astype(x.indptr, kinds)) for x in (mine, other)
    ]
    if _hither.library_sparse_matrices(*parts, 200, 400) is None:
        pytest.skip("cuSPARSE is not installed")
    product = mine @ other
    assert product.indices.dtype == index
    assert product.nnz == (a @ b).nnz
    close(product.toarray(), (a @ b).toarray(), dtype)
    again = mine @ other
    for name in ("data", "indices", "indptr"):
        first, second = (ht.asnumpy(getattr(x, name)).tobytes() for x in (product, again))
        assert first == second
    close((product + product).toarray(), 2 * (a @ b).toarray(), dtype)
    close((mine[10:200] @ other).toarray(), (a[10:200] @ b).toarray(), dtype)


def test_products_of_sparse_matrices_with_parts_and_without_elements(queue):
    sparse = pytest.importorskip("hither.scipy.sparse")
    data, indices, indptr = [1.0, 2.0, 4.0, 8.0], [1, 0, 1, 2], [0, 3, 3, 4]
    parts = sparse.csr_array((data, indices, indptr), shape=(3, 3), queue=queue)
    dense = np.array([[2.0, 5, 0], [0, 0, 0], [0, 0, 8]])
    assert (ht.asnumpy((parts @ parts).toarray()) == dense @ dense).all()
    assert (ht.asnumpy((parts.T @ parts).toarray()) == dense.T @ dense).all()
    none = sparse.csr_array((3, 3), queue=queue)
    assert (none @ parts).nnz == (parts @ none).nnz == 0
    first = sparse.csr_array(([1.0], [0], [0, 1, 1, 1]), shape=(3, 3), queue=queue)
    last = sparse.csr_array(([1.0], [0], [0, 0, 0, 1]), shape=(3, 3), queue=queue)
    assert (first @ last).nnz == 0
    thin = sparse.csr_array(([3.0], [0], [0, 1]), shape=(1, 1), queue=queue)
    assert (ht.asnumpy((thin @ thin).toarray()) == [[9.0]]).all()

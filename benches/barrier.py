"""Kernels with work-groups, compared with the same kernels in OpenCL C on the OpenCL runtimes.

pyopencl and a runtime are optional. For Intel's runtime, `pip install pyopencl intel-opencl-rt
intel-cmplr-lib-rt`, and set OCL_ICD_VENDORS to a folder with a file intel.icd that contains the
path of libintelocl.so. Set LD_LIBRARY_PATH to the folder of that library: the runtime does not
start with an older libtbb.
"""

from __future__ import annotations

import numpy as np
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

TILE = 16
GROUP = 256
RADIUS = 2
EDGE = TILE + 2 * RADIUS

OPENCL = """
#define T 16
#define R 2
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, long n) {
  __local float as[T][T], bs[T][T];
  long i = get_global_id(1), j = get_global_id(0);
  int y = get_local_id(1), x = get_local_id(0);
  float sum = 0;
  for (long t = 0; t < n; t += T) {
    as[y][x] = a[i * n + t + x];
    bs[y][x] = b[(t + y) * n + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < T; k++) sum += as[y][k] * bs[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[i * n + j] = sum;
}
__kernel void tree(__global const float* x, __global float* sums) {
  __local float t[256];
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = get_local_size(0) / 2; h > 0; h /= 2) {
    if (l < h) t[l] += t[l + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = t[0];
}
__kernel void convolve(__global const float* in, __global const float* w, __global float* out,
                       long n) {
  __local float t[T + 2 * R][T + 2 * R];
  long i = get_global_id(1), j = get_global_id(0);
  int y = get_local_id(1), x = get_local_id(0);
  long oi = get_group_id(1) * T, oj = get_group_id(0) * T;
  for (int a = y; a < T + 2 * R; a += T)
    for (int b = x; b < T + 2 * R; b += T)
      t[a][b] = in[clamp(oi + a - R, 0L, n - 1) * n + clamp(oj + b - R, 0L, n - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int a = 0; a < 2 * R + 1; a++)
    for (int b = 0; b < 2 * R + 1; b++) sum += w[a * (2 * R + 1) + b] * t[y + a][x + b];
  out[i * n + j] = sum;
}
"""


@ht.kernel
def _matmul(a, b, c):
    rows = ht.local.array((TILE, TILE), ht.float32)
    columns = ht.local.array((TILE, TILE), ht.float32)
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    y, x = ht.get_local_id(0), ht.get_local_id(1)
    total = np.float32(0)
    for t in range(0, a.shape[1], TILE):
        rows[y, x] = a[i, t + x]
        columns[y, x] = b[t + y, j]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        for k in range(TILE):
            total += rows[y, k] * columns[k, x]
        ht.barrier(ht.LOCAL_MEM_FENCE)
    c[i, j] = total


@ht.kernel
def _tree(x, sums):
    tile = ht.local.array(GROUP, ht.float32)
    item = ht.get_local_id(0)
    tile[item] = x[ht.get_global_id(0)]
    ht.barrier(ht.LOCAL_MEM_FENCE)
    half = ht.get_local_size(0) // 2
    while half > 0:
        if item < half:
            tile[item] += tile[item + half]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        half //= 2
    if item == 0:
        sums[ht.get_group_id(0)] = tile[0]


@ht.kernel
def _group_sum(x, sums):
    total = ht.group_reduce(ht.get_group(), x[ht.get_global_id(0)], "add")
    if ht.get_local_id(0) == 0:
        sums[ht.get_group_id(0)] = total


@ht.kernel
def _convolve(image, weights, out):
    tile = ht.local.array((EDGE, EDGE), ht.float32)
    n = image.shape[0]
    y, x = ht.get_local_id(0), ht.get_local_id(1)
    top, left = ht.get_group_id(0) * TILE, ht.get_group_id(1) * TILE
    for a in range(y, EDGE, TILE):
        for b in range(x, EDGE, TILE):
            tile[a, b] = image[
                min(max(top + a - RADIUS, 0), n - 1), min(max(left + b - RADIUS, 0), n - 1)
            ]
    ht.barrier(ht.LOCAL_MEM_FENCE)
    total = np.float32(0)
    for a in range(2 * RADIUS + 1):
        for b in range(2 * RADIUS + 1):
            total += weights[a, b] * tile[y + a, x + b]
    out[ht.get_global_id(0), ht.get_global_id(1)] = total


class _OpenCL:
    """One OpenCL device with the kernels."""

    def __init__(self, device) -> None:
        import pyopencl as cl

        self.cl = cl
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, OPENCL).build()

    def prepare(self, name, inputs, out, size, extents, local):
        """A call that runs the kernel and waits for it."""
        cl = self.cl
        flags = cl.mem_flags.COPY_HOST_PTR
        buffers = [cl.Buffer(self.context, flags, hostbuf=x) for x in inputs]
        target = cl.Buffer(self.context, 0, out.nbytes)
        kernel = cl.Kernel(self.program, name)
        arguments = (*buffers, target, *(np.int64(e) for e in extents))

        def run():
            kernel(self.queue, size, local, *arguments)
            self.queue.finish()

        run()
        cl.enqueue_copy(self.queue, out, target)
        return lambda: (run(), out)[1]


def _opencl_devices() -> dict[str, _OpenCL]:
    try:
        import pyopencl as cl

        platforms = cl.get_platforms()
    except Exception:  # not installed, or no runtime
        return {}
    names = {"Intel(R) OpenCL": "Intel OpenCL", "Portable Computing Language": "PoCL"}
    return {
        names.get(platform.name, platform.name): _OpenCL(device)
        for platform in platforms
        for device in platform.get_devices(cl.device_type.CPU)
    }


def _row(effort, devices, case, kernel, name, inputs, out, local, extents, expected, tolerance):
    arrays = [ht.asarray(x) for x in inputs]
    target = ht.zeros(out.shape, dtype=ht.float32)
    size = inputs[0].shape

    def run():
        kernel[ht.NdRange(size, local)](*arrays, target)
        return done(target)

    contestants = {"NumPy": expected, "hither": run}
    for device, opencl in devices.items():
        contestants[device] = opencl.prepare(
            name, inputs, out.copy(), size[::-1], extents, local[::-1]
        )
    budget = Budget(0.5, "Intel OpenCL") if "Intel OpenCL" in devices else None
    return contest(case, contestants, effort, budget, tolerance=tolerance)


def _convolved(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    padded = np.pad(image, RADIUS, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape)
    return np.einsum("ijab,ab->ij", windows, weights)


def rows(effort: Effort) -> list[Row]:
    """Tiled product, tree reduction, group_reduce, and a convolution with halo."""
    devices = _opencl_devices()
    random = np.random.default_rng(1)
    result = []
    n = 512
    a, b = (random.random((n, n), np.float32) for _ in range(2))
    case = f"tiled product, {n} x {n}, groups of 16 x 16"
    result.append(
        _row(effort, devices, case, _matmul, "matmul", [a, b], a.copy(), (TILE, TILE), [n],
             lambda: a @ b, 1e-3)
    )  # fmt: skip
    x = random.random(1 << 24, np.float32)
    sums = np.empty(x.size // GROUP, np.float32)

    def expected():
        return x.reshape(-1, GROUP).sum(axis=1)

    for case, kernel in (("tree reduction", _tree), ("group_reduce", _group_sum)):
        case = f"{case}, 16 M in groups of {GROUP}"
        result.append(
            _row(effort, devices, case, kernel, "tree", [x], sums, (GROUP,), [], expected, 1e-3)
        )
    n = 2048
    image = random.random((n, n), np.float32)
    weights = random.random((2 * RADIUS + 1, 2 * RADIUS + 1), np.float32)
    case = f"convolution 5 x 5, {n} x {n}, groups of 16 x 16"
    result.append(
        _row(effort, devices, case, _convolve, "convolve", [image, weights], image.copy(),
             (TILE, TILE), [n], lambda: _convolved(image, weights), 1e-3)
    )  # fmt: skip
    return result

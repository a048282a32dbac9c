// What gpu_kernels.py computes, as one writes it in CUDA C++.
#define TILE 16
#define RADIUS 2
#define GROUP 256
#define BINS 256
#define EDGE (TILE + 2 * RADIUS)
#define SPAN (2 * RADIUS + 1)

extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float rows[TILE][TILE], columns[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int j = blockIdx.x * TILE + x, i = blockIdx.y * TILE + y;
  float total = 0;
  for (int t = 0; t < n; t += TILE) {
    rows[y][x] = a[i * n + t + x];
    columns[y][x] = b[(t + y) * n + j];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) total += rows[y][k] * columns[k][x];
    __syncthreads();
  }
  c[i * n + j] = total;
}

extern "C" __global__ void reduce(const float* values, float* sums, int n) {
  __shared__ float tile[GROUP];
  const int item = threadIdx.x;
  float total = 0;
  for (int i = blockIdx.x * blockDim.x + item; i < n; i += gridDim.x * blockDim.x)
    total += values[i];
  tile[item] = total;
  __syncthreads();
  for (int half = GROUP / 2; half > 0; half /= 2) {
    if (item < half) tile[item] += tile[item + half];
    __syncthreads();
  }
  if (item == 0) sums[blockIdx.x] = tile[0];
}

extern "C" __global__ void convolve(const float* image, const float* weights, float* out, int n) {
  __shared__ float tile[EDGE][EDGE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
  for (int a = y; a < EDGE; a += TILE)
    for (int b = x; b < EDGE; b += TILE)
      tile[a][b] = image[min(max(top + a - RADIUS, 0), n - 1) * n +
                         min(max(left + b - RADIUS, 0), n - 1)];
  __syncthreads();
  float total = 0;
  for (int a = 0; a < SPAN; ++a)
    for (int b = 0; b < SPAN; ++b) total += weights[a * SPAN + b] * tile[y + a][x + b];
  out[(top + y) * n + left + x] = total;
}

extern "C" __global__ void attract(const float* bodies, float* forces, int n) {
  __shared__ float tile[GROUP][4];
  const int item = threadIdx.x, i = blockIdx.x * GROUP + item;
  const float x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
  float fx = 0, fy = 0, fz = 0;
  for (int t = 0; t < n; t += GROUP) {
    for (int k = 0; k < 4; ++k) tile[item][k] = bodies[4 * (t + item) + k];
    __syncthreads();
    for (int k = 0; k < GROUP; ++k) {
      const float dx = tile[k][0] - x, dy = tile[k][1] - y, dz = tile[k][2] - z;
      const float near = dx * dx + dy * dy + dz * dz + 1e-3f;
      const float pull = tile[k][3] / (near * sqrtf(near));
      fx += dx * pull;
      fy += dy * pull;
      fz += dz * pull;
    }
    __syncthreads();
  }
  forces[3 * i] = fx;
  forces[3 * i + 1] = fy;
  forces[3 * i + 2] = fz;
}

extern "C" __global__ void histogram(const int* values, int* counts, int n) {
  __shared__ int bins[BINS];
  const int item = threadIdx.x;
  bins[item] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + item; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[values[i]], 1);
  __syncthreads();
  atomicAdd(&counts[item], bins[item]);
}

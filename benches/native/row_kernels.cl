// The kernels of benches/programs in C. kernel_peers.py puts the words in capitals before this text:
// it is OpenCL C for one peer and CUDA C++ for another. X() is the dimension of neighbours in memory.
// REAL is the type of the row, and TILE, GROUP, BINS, CLUSTERS and TAPS are constants.

KERNEL mandelbrot(GLOBAL int* count, long n, long most) {
  long i = Y(), j = X();
  REAL cr = -2 + 3 * (REAL)j / n, ci = (REAL)-1.5 + 3 * (REAL)i / n, zr = 0, zi = 0;
  long k = 0;
  while (k < most && zr * zr + zi * zi < 4) {
    REAL t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++k;
  }
  count[i * n + j] = k;
}

KERNEL gpairs(GLOBAL const REAL* points, GLOBAL const REAL* edges, GLOBAL REAL* hist, long n) {
  long i = X();
  REAL own[BINS];
  for (int b = 0; b < BINS; ++b) own[b] = 0;
  REAL x = points[i * 4], y = points[i * 4 + 1], z = points[i * 4 + 2], w = points[i * 4 + 3];
  for (long j = 0; j < n; ++j) {
    REAL dx = points[j * 4] - x, dy = points[j * 4 + 1] - y, dz = points[j * 4 + 2] - z;
    REAL d = dx * dx + dy * dy + dz * dz;
    int b = BINS - 1;
    while (b >= 0 && d <= edges[b]) {
      own[b] += w * points[j * 4 + 3];
      --b;
    }
  }
  for (int b = 0; b < BINS; ++b) hist[i * BINS + b] = own[b];
}

DEVICE uint drawn(uint s) {
  s ^= s << 13;
  s ^= s >> 17;
  return s ^ (s << 5);
}

KERNEL monte_carlo(GLOBAL int* hits, long draws) {
  uint s = (uint)X() * 747796405u + 1u;
  int inside = 0;
  for (long k = 0; k < draws; ++k) {
    s = drawn(s);
    float x = (s >> 8) * (1.0f / 16777216);
    s = drawn(s);
    float y = (s >> 8) * (1.0f / 16777216);
    if (x * x + y * y < 1) ++inside;
  }
  hits[X()] = inside;
}

KERNEL rejection(GLOBAL float* taken, GLOBAL int* tries) {
  uint s = (uint)X() * 747796405u + 1u;
  int k = 0;
  float x = 0, y = 1;
  while (y > x * x) {
    s = drawn(s);
    x = (s >> 8) * (1.0f / 16777216);
    s = drawn(s);
    y = (s >> 8) * (1.0f / 16777216);
    ++k;
  }
  taken[X()] = x;
  tries[X()] = k;
}

KERNEL binary_search(GLOBAL const REAL* sorted, GLOBAL const REAL* wanted, GLOBAL int* place,
                     long n) {
  REAL value = wanted[X()];
  long low = 0, high = n;
  while (low < high) {
    long middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  place[X()] = low;
}

KERNEL n_body(GLOBAL const REAL* bodies, GLOBAL REAL* forces, long n) {
  long i = X();
  REAL x = bodies[i * 4], y = bodies[i * 4 + 1], z = bodies[i * 4 + 2];
  REAL fx = 0, fy = 0, fz = 0;
  for (long j = 0; j < n; ++j) {
    REAL dx = bodies[j * 4] - x, dy = bodies[j * 4 + 1] - y, dz = bodies[j * 4 + 2] - z;
    REAL near = dx * dx + dy * dy + dz * dz + (REAL)1e-3;
    REAL pull = bodies[j * 4 + 3] / (near * sqrt(near));
    fx += dx * pull;
    fy += dy * pull;
    fz += dz * pull;
  }
  forces[i * 3] = fx;
  forces[i * 3 + 1] = fy;
  forces[i * 3 + 2] = fz;
}

KERNEL pairwise(GLOBAL const REAL* points, GLOBAL REAL* distance, long n, long dims) {
  long i = Y(), j = X();
  REAL total = 0;
  for (long k = 0; k < dims; ++k) {
    REAL d = points[i * dims + k] - points[j * dims + k];
    total += d * d;
  }
  distance[i * n + j] = sqrt(total);
}

KERNEL conv1d(GLOBAL const REAL* x, GLOBAL const REAL* taps, GLOBAL REAL* y) {
  long i = X();
  REAL total = 0;
  for (int k = 0; k < TAPS; ++k) total += taps[k] * x[i + k];
  y[i] = total;
}

KERNEL jacobi(GLOBAL const REAL* x, GLOBAL REAL* y, long n) {
  long i = Y(), j = X();
  if (i > 0 && i + 1 < n && j > 0 && j + 1 < n)
    y[i * n + j] = (REAL)0.25 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] +
                                 x[i * n + j + 1]);
}

KERNEL outer_add(GLOBAL const REAL* x, GLOBAL const REAL* y, GLOBAL REAL* z, long n) {
  z[Y() * n + X()] = x[Y()] + y[X()];
}

KERNEL tiled_product(GLOBAL const REAL* a, GLOBAL const REAL* b, GLOBAL REAL* c, long n) {
  LOCAL REAL rows[TILE][TILE], columns[TILE][TILE];
  long i = Y(), j = X();
  int y = LOCAL_Y(), x = LOCAL_X();
  REAL total = 0;
  for (long t = 0; t < n; t += TILE) {
    rows[y][x] = a[i * n + t + x];
    columns[y][x] = b[(t + y) * n + j];
    BARRIER();
    for (int k = 0; k < TILE; ++k) total += rows[y][k] * columns[k][x];
    BARRIER();
  }
  c[i * n + j] = total;
}

KERNEL block_reduce(GLOBAL const REAL* x, GLOBAL REAL* sums, long n) {
  LOCAL REAL tile[GROUP];
  int item = LOCAL_X();
  REAL total = 0;
  for (long i = X(); i < n; i += ITEMS_X()) total += x[i];
  tile[item] = total;
  BARRIER();
  for (int half_ = GROUP / 2; half_ > 0; half_ /= 2) {
    if (item < half_) tile[item] += tile[item + half_];
    BARRIER();
  }
  if (item == 0) sums[GROUP_X()] = tile[0];
}

KERNEL k_means(GLOBAL const REAL* points, GLOBAL const REAL* centres, GLOBAL int* sums, long n) {
  LOCAL int own[CLUSTERS * 3];
  int item = LOCAL_X();
  if (item < CLUSTERS * 3) own[item] = 0;
  BARRIER();
  for (long i = X(); i < n; i += ITEMS_X()) {
    REAL x = points[i * 2], y = points[i * 2 + 1], nearest = 1e30f;
    int label = 0;
    for (int c = 0; c < CLUSTERS; ++c) {
      REAL dx = x - centres[c * 2], dy = y - centres[c * 2 + 1];
      REAL d = dx * dx + dy * dy;
      if (d < nearest) {
        nearest = d;
        label = c;
      }
    }
    ADD_LOCAL(&own[label * 3], (int)(x * 4096));
    ADD_LOCAL(&own[label * 3 + 1], (int)(y * 4096));
    ADD_LOCAL(&own[label * 3 + 2], 1);
  }
  BARRIER();
  if (item < CLUSTERS * 3) sums[GROUP_X() * CLUSTERS * 3 + item] = own[item];
}

KERNEL group_tree(GLOBAL const REAL* x, GLOBAL REAL* sums) {
  LOCAL REAL tile[GROUP];
  int item = LOCAL_X();
  tile[item] = x[X()];
  BARRIER();
  for (int half_ = GROUP / 2; half_ > 0; half_ /= 2) {
    if (item < half_) tile[item] += tile[item + half_];
    BARRIER();
  }
  if (item == 0) sums[GROUP_X()] = tile[0];
}

KERNEL convolve(GLOBAL const REAL* in, GLOBAL const REAL* weights, GLOBAL REAL* out, long n) {
  LOCAL REAL tile[TILE + 4][TILE + 4];
  long i = Y(), j = X();
  int y = LOCAL_Y(), x = LOCAL_X();
  long top = i - y - 2, left = j - x - 2;
  for (int a = y; a < TILE + 4; a += TILE)
    for (int b = x; b < TILE + 4; b += TILE)
      tile[a][b] = in[CLAMP(top + a, n) * n + CLAMP(left + b, n)];
  BARRIER();
  REAL total = 0;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) total += weights[a * 5 + b] * tile[y + a][x + b];
  out[i * n + j] = total;
}

"""A kernel in Warp, which reads its source from a file."""

import warp as wp


@wp.kernel
def add(
    x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64), z: wp.array(dtype=wp.float64)
):
    """z = x + y."""
    i = wp.tid()
    z[i] = x[i] + y[i]

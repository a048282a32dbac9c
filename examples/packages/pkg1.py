"""Every function takes its queue as an argument; there is no default."""

import hither


def allocate(queue, shape):
    return hither.zeros(shape, queue=queue)


def gemm(queue, a, b):
    return hither.matmul(a, b, queue=queue)


def compute(queue, a, b):
    return hither.sqrt(a * a + b * b, queue=queue)

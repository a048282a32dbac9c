"""Every function is told its queue: nothing is guessed, nothing is global."""

import hither


def allocate(queue, shape):
    return hither.zeros(shape, queue=queue)


def gemm(queue, a, b):
    return hither.matmul(a, b, queue=queue)


def compute(queue, a, b):
    return hither.sqrt(a * a + b * b, queue=queue)

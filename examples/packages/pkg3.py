"""New arrays are placed on the package's default queue; computation follows data."""

import hither

queues = hither.QueueManager()
set_default_queue, current = queues.set_default_queue, queues.current


def allocate(shape):
    return hither.zeros(shape, queue=queues.queue())


def dot(a, b):
    return hither.matmul(hither.asarray(a), hither.asarray(b))


def compute(a, b=None):
    a = hither.asarray(a)
    return a + 1 if b is None else a + hither.asarray(b)

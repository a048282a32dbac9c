"""A package that computes with anybody's arrays, on a queue that it keeps in an object."""

import hither


class Library:
    """Every method submits to the queue that the object was made with, whatever defaults say."""

    def __init__(self, queue=None):
        self.queue = hither.default_queue(queue)

    def func(self, a):
        return hither.sum(hither.asarray(a) * 2, queue=self.queue)


func = Library().func

"""Arrays that are divided among several queues: the parts of one device, or several devices."""

from . import kernel_launch
from .mesh import Mesh
from .placing import gather, shard
from .sharded_array import ShardedArray

__all__ = ["Mesh", "ShardedArray", "gather", "shard"]

"""numpy.typing: the types of NumPy themselves, which say nothing about hither's arrays."""

from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import DTypeLike as DTypeLike
from numpy.typing import NDArray as NDArray

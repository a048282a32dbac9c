"""numpy.dtypes: the classes of NumPy themselves."""

from numpy.dtypes import *  # noqa: F403
from numpy.dtypes import __all__ as __all__

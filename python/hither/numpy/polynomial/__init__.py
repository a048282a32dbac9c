"""numpy.polynomial: the classes and modules of NumPy themselves."""

import sys

from numpy import polynomial as _numpys
from numpy.polynomial import *  # noqa: F403
from numpy.polynomial import __all__ as __all__

# `import hither.numpy.polynomial.chebyshev`, and the attributes of this package.
for _name in ("chebyshev", "hermite", "hermite_e", "laguerre", "legendre", "polynomial"):
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = getattr(_numpys, _name)

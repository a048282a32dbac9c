"""Functions and methods of arrays, with the names of NumPy and the Array API standard.

Importing this package adds methods to hither.Array, including those of NumPy's protocols.
"""

from . import (
    array_api,
    array_methods,
    creation,
    dtypes,
    elementwise,
    host_fallback,
    host_values,
    manipulation,
    numpy_methods,
    numpy_protocols,
    printing,
    products,
    quantiles,
    reductions,
    sets,
    sorting,
)

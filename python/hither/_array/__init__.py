"""Functions and methods of arrays, in the names of NumPy and the Array API standard.

Importing it gives hither.Array its methods and its part in NumPy's protocols.
"""

from . import (
    array_api,
    array_methods,
    creation,
    dtypes,
    elementwise,
    host_values,
    manipulation,
    numpy_protocols,
    printing,
    products,
    reductions,
)

"""scipy.sparse.linalg for sparse arrays on devices: names, parameters and values are SciPy's.

Iterative solvers keep their vectors on the queue of A. SciPy's ARPACK and SuperLU compute
eigenvalues and direct solutions on the host.
"""

from __future__ import annotations

from typing import Any

from ...._checked_call import check_functions
from ...._documentation import complete
from . import _eigen, _krylov, _minres, _operator, _solution
from ._eigen import *
from ._krylov import *
from ._minres import *
from ._operator import *
from ._solution import *

__all__: list[str] = []
for _module in (_eigen, _krylov, _minres, _operator, _solution):
    __all__ += _module.__all__
check_functions(globals(), __all__)
complete("scipy.sparse.linalg", globals())


def __getattr__(name: str) -> Any:
    from ...._libraries.scipy_module import absent_from

    raise absent_from("scipy.sparse.linalg", __name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)

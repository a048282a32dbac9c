"""scipy.sparse for arrays on devices: names, parameters and values are SciPy's.

Arrays have the formats CSR, CSC and COO. Their elements and indices are hither's arrays on one
queue, and calls run there. Constructors take the keywords ``queue``, ``device`` and ``usm_type``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..._documentation import complete
from . import _construction, _formats, _joining, _matrices, _warnings
from ._construction import *
from ._formats import *
from ._joining import *
from ._matrices import *
from ._warnings import *

if TYPE_CHECKING:
    from . import linalg

__all__ = ["linalg"]
for _module in (_construction, _formats, _joining, _matrices, _warnings):
    __all__ += _module.__all__
complete("scipy.sparse", globals())

# What programs can use in the place of formats that are absent.
_INSTEAD = {
    **dict.fromkeys(
        ("dia_array", "dia_matrix"),
        "spdiags(data, offsets, m, n) makes the same matrix in the format CSR",
    ),
    **dict.fromkeys(
        ("lil_array", "lil_matrix", "dok_array", "dok_matrix"),
        "csr_array takes assignments to elements, and coo_array lists of elements",
    ),
    **dict.fromkeys(("bsr_array", "bsr_matrix"), "csr_array holds the same elements"),
}


def __getattr__(name: str) -> Any:
    if name == "linalg":
        return importlib.import_module(".linalg", __name__)
    from ..._libraries.scipy_module import absent_from

    raise absent_from("scipy.sparse", __name__, name, __all__, _INSTEAD)


def __dir__() -> list[str]:
    return sorted(__all__)

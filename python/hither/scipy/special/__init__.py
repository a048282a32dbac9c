"""scipy.special for arrays on devices.

The element-wise functions are ufuncs as hither.numpy's are: lazy, with ``out``, ``where`` and
``dtype``, and fused with other operations into one kernel. Names, parameters, values and dtypes are
SciPy's. Complex numbers, for which SciPy has some of them, are computed by SciPy on the host; see
hither.host_fallback.
"""

from __future__ import annotations

from typing import Any

from ..._checked_call import check_functions
from ..._documentation import complete
from ..._libraries.scipy_module import absent_from
from . import _sums
from ._sums import log_softmax, logsumexp, softmax
from ._ufuncs import (
    beta,
    betaln,
    boxcox,
    boxcox1p,
    cbrt,
    digamma,
    entr,
    erf,
    erfc,
    erfcinv,
    erfcx,
    erfinv,
    exp2,
    exp10,
    expit,
    expm1,
    exprel,
    gamma,
    gammaln,
    gammasgn,
    i0,
    i0e,
    i1,
    i1e,
    inv_boxcox,
    inv_boxcox1p,
    j0,
    j1,
    k0,
    k0e,
    k1,
    k1e,
    kl_div,
    log1p,
    log_expit,
    log_ndtr,
    logit,
    ndtr,
    ndtri,
    psi,
    rel_entr,
    rgamma,
    xlog1py,
    xlogy,
    y0,
    y1,
)

__all__ = [
    "beta", "betaln", "boxcox", "boxcox1p", "cbrt", "digamma", "entr", "erf", "erfc", "erfcinv",
    "erfcx", "erfinv", "exp2", "exp10", "expit", "expm1", "exprel", "gamma", "gammaln", "gammasgn",
    "i0", "i0e", "i1", "i1e", "inv_boxcox", "inv_boxcox1p", "j0", "j1", "k0", "k0e", "k1", "k1e",
    "kl_div", "log1p", "log_expit", "log_ndtr", "log_softmax", "logit", "logsumexp", "ndtr",
    "ndtri", "psi", "rel_entr", "rgamma", "softmax", "xlog1py", "xlogy", "y0", "y1",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise absent_from("scipy.special", __name__, name, __all__)


check_functions(vars(_sums), _sums.__all__)
complete("scipy.special", globals())

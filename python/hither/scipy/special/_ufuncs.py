"""Element-wise functions: functions of the device library as operations that take part in lazy
fusion, with the parameters and dtypes of SciPy's ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _hither as h
from ..._hither import Array, UserOp
from ...numpy._direct import ByDtype
from ...numpy._ufunc import ufunc
from ._loops import Loops

__all__: list[str] = []


def _none(*operands: Any) -> Any:
    return NotImplemented


def _log1p(x: Array) -> Any:
    """log(1 + x). That of complex numbers has NumPy's errors, which SciPy's has not."""
    return NotImplemented if x.dtype.kind == "c" else h.log1p(x)


class DeviceFunction(ByDtype):
    """The functions ``hither_NAME_f32`` and ``hither_NAME_f64`` of the device library, by the dtype
    of the operands. For complex operands there is none."""

    def __init__(self, name: str, count: int) -> None:
        self.operations = {
            char: UserOp(name, f"hither_{name}_{suffix}", [], [dtype] * count, dtype)
            for char, suffix, dtype in (("f", "f32", "float32"), ("d", "f64", "float64"))
        }

    def chosen(self, *operands: Any) -> Callable[..., Any]:
        array = next(x for x in operands if isinstance(x, Array))
        return self.operations.get(array.dtype.char, _none)


class special_ufunc(ufunc):  # noqa: N801 - as ufunc
    """A function of elements with SciPy's values. See hither.numpy.ufunc for its attributes,
    keywords and methods.

    >>> from hither.scipy import special
    >>> special.expit([0.0]).tolist()
    [0.5]
    """

    def __init__(self, name: str, types: str, doc: str, native: Any = None) -> None:
        loops: Any = Loops(name, types)
        super().__init__(loops, native or DeviceFunction(name, loops.nin), doc)
        self.__module__ = "hither.scipy.special"

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r} of hither.scipy.special>"


# SciPy's loops, in SciPy's order, which decides the dtype for other operands.
_FLOAT_FIRST = "f->f d->d"
_DOUBLE_FIRST = "d->d f->f"
_COMPLEX_LAST = "d->d f->f D->D F->F"
_COMPLEX_AMONG = "d->d D->D f->f F->F"
_TWO_FLOAT_FIRST = "ff->f dd->d"
_TWO_DOUBLE_FIRST = "dd->d ff->f"
_TWO_COMPLEX = "dd->d ff->f DD->D FF->F"

erf: ufunc = special_ufunc("erf", _COMPLEX_LAST, "Error function.", h.erf)
erfc: ufunc = special_ufunc("erfc", _COMPLEX_LAST, "1 - erf(x), accurate for large x.", h.erfc)
erfcx: ufunc = special_ufunc("erfcx", _COMPLEX_LAST, "exp(x**2) erfc(x), which does not underflow.")
erfinv: ufunc = special_ufunc("erfinv", _FLOAT_FIRST, "The inverse of erf.")
erfcinv: ufunc = special_ufunc("erfcinv", _FLOAT_FIRST, "The inverse of erfc.")

gamma: ufunc = special_ufunc("gamma", _COMPLEX_AMONG, "Gamma function.")
gammaln: ufunc = special_ufunc(
    "gammaln", _DOUBLE_FIRST, "Logarithm of the absolute value of gamma(x)."
)
gammasgn: ufunc = special_ufunc("gammasgn", _DOUBLE_FIRST, "Sign of gamma(x).")
rgamma: ufunc = special_ufunc("rgamma", _COMPLEX_AMONG, "1 / gamma(x), which is 0 at the poles.")
psi: ufunc = special_ufunc(
    "psi", _COMPLEX_AMONG, "The derivative of gammaln.", DeviceFunction("digamma", 1)
)
digamma: ufunc = psi
beta: ufunc = special_ufunc("beta", _TWO_DOUBLE_FIRST, "gamma(x1) gamma(x2) / gamma(x1 + x2).")
betaln: ufunc = special_ufunc(
    "betaln", _TWO_DOUBLE_FIRST, "Logarithm of the absolute value of beta."
)

j0: ufunc = special_ufunc("j0", _DOUBLE_FIRST, "Bessel function of the first kind, of order 0.")
j1: ufunc = special_ufunc("j1", _DOUBLE_FIRST, "Bessel function of the first kind, of order 1.")
y0: ufunc = special_ufunc("y0", _DOUBLE_FIRST, "Bessel function of the second kind, of order 0.")
y1: ufunc = special_ufunc("y1", _DOUBLE_FIRST, "Bessel function of the second kind, of order 1.")
i0: ufunc = special_ufunc(
    "i0", _DOUBLE_FIRST, "Modified Bessel function of the first kind, of order 0."
)
i1: ufunc = special_ufunc(
    "i1", _DOUBLE_FIRST, "Modified Bessel function of the first kind, of order 1."
)
i0e: ufunc = special_ufunc("i0e", _DOUBLE_FIRST, "exp(-abs(x)) i0(x), which does not overflow.")
i1e: ufunc = special_ufunc("i1e", _DOUBLE_FIRST, "exp(-abs(x)) i1(x), which does not overflow.")
k0: ufunc = special_ufunc(
    "k0", _DOUBLE_FIRST, "Modified Bessel function of the second kind, of order 0."
)
k1: ufunc = special_ufunc(
    "k1", _DOUBLE_FIRST, "Modified Bessel function of the second kind, of order 1."
)
k0e: ufunc = special_ufunc("k0e", _DOUBLE_FIRST, "exp(x) k0(x), which does not underflow.")
k1e: ufunc = special_ufunc("k1e", _DOUBLE_FIRST, "exp(x) k1(x), which does not underflow.")

ndtr: ufunc = special_ufunc(
    "ndtr", _COMPLEX_LAST, "Distribution function of the normal distribution."
)
ndtri: ufunc = special_ufunc("ndtri", _FLOAT_FIRST, "The inverse of ndtr.")
log_ndtr: ufunc = special_ufunc(
    "log_ndtr", _COMPLEX_LAST, "Logarithm of ndtr, also where ndtr is 0."
)

expit: ufunc = special_ufunc("expit", _DOUBLE_FIRST, "1 / (1 + exp(-x)).")
log_expit: ufunc = special_ufunc("log_expit", _DOUBLE_FIRST, "Logarithm of expit.")
logit: ufunc = special_ufunc("logit", _DOUBLE_FIRST, "log(x / (1 - x)), the inverse of expit.")

xlogy: ufunc = special_ufunc("xlogy", _TWO_COMPLEX, "x1 log(x2), which is 0 where x1 is 0.")
xlog1py: ufunc = special_ufunc("xlog1py", _TWO_COMPLEX, "x1 log(1 + x2), which is 0 where x1 is 0.")
entr: ufunc = special_ufunc("entr", _FLOAT_FIRST, "-x log(x), the entropy of one probability.")
rel_entr: ufunc = special_ufunc(
    "rel_entr", _TWO_FLOAT_FIRST, "x1 log(x1 / x2), a relative entropy."
)
kl_div: ufunc = special_ufunc(
    "kl_div", _TWO_FLOAT_FIRST, "x1 log(x1 / x2) - x1 + x2, a Kullback-Leibler divergence."
)

boxcox: ufunc = special_ufunc(
    "boxcox", _TWO_FLOAT_FIRST, "(x1**x2 - 1) / x2, or log(x1) where x2 is 0."
)
boxcox1p: ufunc = special_ufunc(
    "boxcox1p", _TWO_FLOAT_FIRST, "boxcox(1 + x1, x2), accurate near 0."
)
inv_boxcox: ufunc = special_ufunc("inv_boxcox", _TWO_FLOAT_FIRST, "The inverse of boxcox.")
inv_boxcox1p: ufunc = special_ufunc("inv_boxcox1p", _TWO_FLOAT_FIRST, "The inverse of boxcox1p.")

cbrt: ufunc = special_ufunc("cbrt", _DOUBLE_FIRST, "Cube root.", h.cbrt)
exp2: ufunc = special_ufunc("exp2", _DOUBLE_FIRST, "2 ** x.", h.exp2)
exp10: ufunc = special_ufunc("exp10", _DOUBLE_FIRST, "10 ** x.")
expm1: ufunc = special_ufunc("expm1", _COMPLEX_LAST, "exp(x) - 1, accurate near 0.", h.expm1)
log1p: ufunc = special_ufunc("log1p", _COMPLEX_LAST, "log(1 + x), accurate near 0.", _log1p)
exprel: ufunc = special_ufunc("exprel", _DOUBLE_FIRST, "(exp(x) - 1) / x, which is 1 at 0.")

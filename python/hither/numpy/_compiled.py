"""Element-wise functions in LLVM IR, for what hither's operations cannot express exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array, UserOp, astype, where

__all__: list[str] = []

_GCD = """define i64 @hither_gcd(i64 %a, i64 %b) {
entry:
  br label %loop
loop:
  %x = phi i64 [ %a, %entry ], [ %y, %step ]
  %y = phi i64 [ %b, %entry ], [ %rest, %step ]
  %done = icmp eq i64 %y, 0
  br i1 %done, label %end, label %step
step:
  %rest = urem i64 %x, %y
  br label %loop
end:
  ret i64 %x
}"""
# A number below 2**-1022 is multiplied by 2**54 first, so that its exponent is in its bits.
_SPLIT = """  %bits0 = bitcast double %x to i64
  %shifted0 = lshr i64 %bits0, 52
  %exponent0 = and i64 %shifted0, 2047
  %small = icmp eq i64 %exponent0, 0
  %grown = fmul double %x, 0x4350000000000000
  %y = select i1 %small, double %grown, double %x
  %bits = bitcast double %y to i64"""
_MANTISSA = f"""define double @hither_frexp_mantissa(double %x) {{
{_SPLIT}
  %kept = and i64 %bits, -9218868437227405313
  %scaled = or i64 %kept, 4602678819172646912
  %mantissa = bitcast i64 %scaled to double
  %zero = fcmp oeq double %x, 0.0
  %endless = icmp eq i64 %exponent0, 2047
  %special = or i1 %zero, %endless
  %result = select i1 %special, double %x, double %mantissa
  ret double %result
}}"""
_EXPONENT = f"""define i32 @hither_frexp_exponent(double %x) {{
{_SPLIT}
  %shifted = lshr i64 %bits, 52
  %exponent = and i64 %shifted, 2047
  %bias = select i1 %small, i64 1076, i64 1022
  %unbiased = sub i64 %exponent, %bias
  %zero = fcmp oeq double %x, 0.0
  %endless = icmp eq i64 %exponent0, 2047
  %special = or i1 %zero, %endless
  %result = select i1 %special, i64 0, i64 %unbiased
  %short = trunc i64 %result to i32
  ret i32 %short
}}"""
# A factor 2**n is made of its bits. An n beyond the exponents of normal numbers is divided among
# four factors; then a result that is not 0 is rounded by the last multiplication alone.
_LDEXP = """define double @hither_ldexp(double %x, i64 %n) {
  %low = icmp slt i64 %n, -3000
  %raised = select i1 %low, i64 -3000, i64 %n
  %high = icmp sgt i64 %raised, 3000
  %power = select i1 %high, i64 3000, i64 %raised
  %shifted = add i64 %power, 1022
  %small = icmp ult i64 %shifted, 2045
  %quarter = ashr i64 %power, 2
  %part = select i1 %small, i64 0, i64 %quarter
  %parts = mul i64 %part, 3
  %rest = sub i64 %power, %parts
  %biased = add i64 %part, 1023
  %bits = shl i64 %biased, 52
  %factor = bitcast i64 %bits to double
  %biased_rest = add i64 %rest, 1023
  %bits_rest = shl i64 %biased_rest, 52
  %last = bitcast i64 %bits_rest to double
  %x1 = fmul double %x, %factor
  %x2 = fmul double %x1, %factor
  %x3 = fmul double %x2, %factor
  %result = fmul double %x3, %last
  ret double %result
}"""

_gcd = UserOp("gcd", "hither_gcd", [_GCD], ["uint64"] * 2, "uint64")
_mantissa = UserOp("frexp", "hither_frexp_mantissa", [_MANTISSA], ["float64"], "float64")
_exponent = UserOp("frexp", "hither_frexp_exponent", [_EXPONENT], ["float64"], "int32")
_scaled = UserOp("ldexp", "hither_ldexp", [_LDEXP], ["float64", "int64"], "float64")
_bessel = UserOp("i0", "hither_i0_f64", [], ["float64"], "float64")


def _magnitude(x: Any, other: Any) -> Any:
    """The absolute value as a uint64, also of the least int64. A number has the dtype of the other
    operand, which is an array."""
    if not isinstance(x, Array):
        h.full((), x, other.dtype, queue=other.queue)  # refuses what the dtype does not hold
        return abs(int(x))
    if x.dtype.kind == "i":
        x = h.absolute(x)
        return astype(astype(x, np.dtype(f"u{x.dtype.itemsize}")), np.uint64)
    return astype(x, np.uint64, copy=False)


def gcd(x1: Any, x2: Any) -> Any:
    """The greatest common divisor."""
    return _gcd(_magnitude(x1, x2), _magnitude(x2, x1))


def lcm(x1: Any, x2: Any) -> Any:
    """The least common multiple."""
    divisor = gcd(x1, x2)
    safe = where(divisor == 0, 1, divisor)
    return h.multiply(h.floor_divide(_magnitude(x1, x2), safe), _magnitude(x2, x1))


def frexp(x: Array) -> tuple[Array, Array]:
    """x as mantissa * 2**exponent, with a mantissa in [0.5, 1)."""
    wide = astype(x, np.float64)
    return _mantissa(wide), _exponent(wide)


def ldexp(x1: Any, x2: Any) -> Any:
    """x1 * 2**x2."""
    wide = astype(x1, np.float64, copy=False) if isinstance(x1, Array) else float(x1)
    return _scaled(wide, astype(x2, np.int64, copy=False) if isinstance(x2, Array) else int(x2))


def i0(x: Array) -> Array:
    """The modified Bessel function of the first kind and order 0."""
    return _bessel(astype(x, np.float64))


def spacing(x: Array) -> Array:
    """The distance to the neighbour of larger absolute value, which can be infinite."""
    # For float16, NumPy gives the distance to the next larger number, which has no sign.
    size = x if x.dtype.char == "e" else h.absolute(x)
    gap = h.nextafter(size, float("inf")) - size
    gap = where(h.isinf(x), float("nan"), gap)
    return gap if x.dtype.char == "e" else where(x < 0, h.negative(gap), gap)

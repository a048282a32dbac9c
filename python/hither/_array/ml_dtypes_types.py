"""hither.bfloat16, hither.float8_e4m3fn and hither.float8_e5m2, which are types of ml_dtypes."""

from .._hither import dtype_argument

__all__ = ["bfloat16", "float8_e4m3fn", "float8_e5m2"]

bfloat16 = dtype_argument("bfloat16").type
float8_e4m3fn = dtype_argument("float8_e4m3fn").type
float8_e5m2 = dtype_argument("float8_e5m2").type

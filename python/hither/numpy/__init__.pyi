"""NumPy's names for arrays on devices."""

# Made by tools/stubs.py.

import builtins
from typing import Any

import numpy as np
from numpy import __version__ as __version__

from .._argument_types import DType, Nested, UsmType, Where
from .._hither import Array, Array as ndarray
from . import emath as emath, fft as fft, linalg as linalg, random as random
from . import testing as testing
from ._host_names import apply_along_axis as apply_along_axis
from ._host_names import apply_over_axes as apply_over_axes
from ._host_names import can_cast as can_cast
from ._host_names import common_type as common_type
from ._host_names import finfo as finfo
from ._host_names import fromfunction as fromfunction
from ._host_names import iinfo as iinfo
from ._host_names import iscomplexobj as iscomplexobj
from ._host_names import isfortran as isfortran
from ._host_names import isrealobj as isrealobj
from ._host_names import isscalar as isscalar
from ._host_names import may_share_memory as may_share_memory
from ._host_names import min_scalar_type as min_scalar_type
from ._host_names import ndenumerate as ndenumerate
from ._host_names import ndim as ndim
from ._host_names import packbits as packbits
from ._host_names import poly1d as poly1d
from ._host_names import result_type as result_type
from ._host_names import shape as shape
from ._host_names import shares_memory as shares_memory
from ._host_names import size as size
from ._host_names import unpackbits as unpackbits
from ._host_names import vectorize as vectorize
from ._creation import array as array
from ._creation import asanyarray as asanyarray
from ._creation import asarray as asarray
from ._creation import asarray_chkfinite as asarray_chkfinite
from ._creation import ascontiguousarray as ascontiguousarray
from ._creation import asfortranarray as asfortranarray
from ._creation import astype as astype
from ._creation import copy as copy
from ._creation import empty as empty
from ._creation import empty_like as empty_like
from ._creation import eye as eye
from ._creation import from_dlpack as from_dlpack
from ._creation import full as full
from ._creation import full_like as full_like
from ._creation import identity as identity
from ._creation import meshgrid as meshgrid
from ._creation import ones as ones
from ._creation import ones_like as ones_like
from ._creation import require as require
from ._creation import tri as tri
from ._creation import tril as tril
from ._creation import triu as triu
from ._creation import vander as vander
from ._creation import zeros as zeros
from ._creation import zeros_like as zeros_like
from ._elementwise import ufunc as ufunc
from ._histograms import bincount as bincount
from ._histograms import digitize as digitize
from ._histograms import histogram as histogram
from ._histograms import histogram2d as histogram2d
from ._histograms import histogram_bin_edges as histogram_bin_edges
from ._histograms import histogramdd as histogramdd
from ._index_arrays import diag_indices as diag_indices
from ._index_arrays import diag_indices_from as diag_indices_from
from ._index_arrays import indices as indices
from ._index_arrays import ix_ as ix_
from ._index_arrays import mask_indices as mask_indices
from ._index_arrays import ravel_multi_index as ravel_multi_index
from ._index_arrays import tril_indices as tril_indices
from ._index_arrays import tril_indices_from as tril_indices_from
from ._index_arrays import triu_indices as triu_indices
from ._index_arrays import triu_indices_from as triu_indices_from
from ._index_arrays import unravel_index as unravel_index
from ._index_grids import broadcast as broadcast
from ._indexing import argwhere as argwhere
from ._indexing import choose as choose
from ._indexing import compress as compress
from ._indexing import diag as diag
from ._indexing import diagflat as diagflat
from ._indexing import diagonal as diagonal
from ._indexing import extract as extract
from ._indexing import flatnonzero as flatnonzero
from ._indexing import nonzero as nonzero
from ._indexing import piecewise as piecewise
from ._indexing import select as select
from ._indexing import take as take
from ._indexing import take_along_axis as take_along_axis
from ._indexing import trace as trace
from ._indexing import where as where
from ._insertion import append as append
from ._insertion import delete as delete
from ._insertion import insert as insert
from ._insertion import resize as resize
from ._insertion import trim_zeros as trim_zeros
from ._iteration import nditer as nditer
from ._joining import array_split as array_split
from ._joining import block as block
from ._joining import column_stack as column_stack
from ._joining import concat as concat
from ._joining import concatenate as concatenate
from ._joining import dsplit as dsplit
from ._joining import dstack as dstack
from ._joining import hsplit as hsplit
from ._joining import hstack as hstack
from ._joining import row_stack as row_stack
from ._joining import split as split
from ._joining import stack as stack
from ._joining import unstack as unstack
from ._joining import vsplit as vsplit
from ._joining import vstack as vstack
from ._manipulation import atleast_1d as atleast_1d
from ._manipulation import atleast_2d as atleast_2d
from ._manipulation import atleast_3d as atleast_3d
from ._manipulation import broadcast_arrays as broadcast_arrays
from ._manipulation import broadcast_to as broadcast_to
from ._manipulation import expand_dims as expand_dims
from ._manipulation import flip as flip
from ._manipulation import fliplr as fliplr
from ._manipulation import flipud as flipud
from ._manipulation import matrix_transpose as matrix_transpose
from ._manipulation import moveaxis as moveaxis
from ._manipulation import permute_dims as permute_dims
from ._manipulation import ravel as ravel
from ._manipulation import repeat as repeat
from ._manipulation import reshape as reshape
from ._manipulation import roll as roll
from ._manipulation import rollaxis as rollaxis
from ._manipulation import rot90 as rot90
from ._manipulation import squeeze as squeeze
from ._manipulation import swapaxes as swapaxes
from ._manipulation import tile as tile
from ._manipulation import transpose as transpose
from ._mathematics import angle as angle
from ._mathematics import around as around
from ._mathematics import clip as clip
from ._mathematics import fix as fix
from ._mathematics import i0 as i0
from ._mathematics import imag as imag
from ._mathematics import interp as interp
from ._mathematics import isclose as isclose
from ._mathematics import iscomplex as iscomplex
from ._mathematics import isneginf as isneginf
from ._mathematics import isposinf as isposinf
from ._mathematics import isreal as isreal
from ._mathematics import nan_to_num as nan_to_num
from ._mathematics import real as real
from ._mathematics import real_if_close as real_if_close
from ._mathematics import round as round
from ._mathematics import sinc as sinc
from ._mathematics import unwrap as unwrap
from ._nan_reductions import nanargmax as nanargmax
from ._nan_reductions import nanargmin as nanargmin
from ._nan_reductions import nancumprod as nancumprod
from ._nan_reductions import nancumsum as nancumsum
from ._nan_reductions import nanmax as nanmax
from ._nan_reductions import nanmean as nanmean
from ._nan_reductions import nanmin as nanmin
from ._nan_reductions import nanprod as nanprod
from ._nan_reductions import nanstd as nanstd
from ._nan_reductions import nansum as nansum
from ._nan_reductions import nanvar as nanvar
from ._order_statistics import median as median
from ._order_statistics import nanmedian as nanmedian
from ._order_statistics import nanpercentile as nanpercentile
from ._order_statistics import nanquantile as nanquantile
from ._order_statistics import percentile as percentile
from ._order_statistics import quantile as quantile
from ._padding import pad as pad
from ._polynomials import bartlett as bartlett
from ._polynomials import blackman as blackman
from ._polynomials import hamming as hamming
from ._polynomials import hanning as hanning
from ._polynomials import kaiser as kaiser
from ._polynomials import poly as poly
from ._polynomials import polyadd as polyadd
from ._polynomials import polyder as polyder
from ._polynomials import polydiv as polydiv
from ._polynomials import polyfit as polyfit
from ._polynomials import polyint as polyint
from ._polynomials import polymul as polymul
from ._polynomials import polysub as polysub
from ._polynomials import polyval as polyval
from ._polynomials import roots as roots
from ._products import convolve as convolve
from ._products import correlate as correlate
from ._products import cross as cross
from ._products import dot as dot
from ._products import einsum as einsum
from ._products import einsum_path as einsum_path
from ._products import inner as inner
from ._products import kron as kron
from ._products import outer as outer
from ._products import tensordot as tensordot
from ._products import vdot as vdot
from ._ranges import arange as arange
from ._ranges import geomspace as geomspace
from ._ranges import linspace as linspace
from ._ranges import logspace as logspace
from ._reductions import all as all
from ._reductions import any as any
from ._reductions import argmax as argmax
from ._reductions import argmin as argmin
from ._reductions import count_nonzero as count_nonzero
from ._reductions import cumprod as cumprod
from ._reductions import cumsum as cumsum
from ._reductions import cumulative_prod as cumulative_prod
from ._reductions import cumulative_sum as cumulative_sum
from ._reductions import diff as diff
from ._reductions import ediff1d as ediff1d
from ._reductions import max as max
from ._reductions import mean as mean
from ._reductions import min as min
from ._reductions import prod as prod
from ._reductions import ptp as ptp
from ._reductions import std as std
from ._reductions import sum as sum
from ._reductions import var as var
from ._sets import intersect1d as intersect1d
from ._sets import isin as isin
from ._sets import setdiff1d as setdiff1d
from ._sets import setxor1d as setxor1d
from ._sets import union1d as union1d
from ._sets import unique as unique
from ._sets import unique_all as unique_all
from ._sets import unique_counts as unique_counts
from ._sets import unique_inverse as unique_inverse
from ._sets import unique_values as unique_values
from ._sorting import argpartition as argpartition
from ._sorting import argsort as argsort
from ._sorting import lexsort as lexsort
from ._sorting import partition as partition
from ._sorting import sort as sort
from ._sorting import sort_complex as sort_complex
from ._statistics import allclose as allclose
from ._statistics import array_equal as array_equal
from ._statistics import array_equiv as array_equiv
from ._statistics import average as average
from ._statistics import corrcoef as corrcoef
from ._statistics import cov as cov
from ._statistics import gradient as gradient
from ._statistics import searchsorted as searchsorted
from ._statistics import trapezoid as trapezoid
from ._writes import copyto as copyto
from ._writes import fill_diagonal as fill_diagonal
from ._writes import place as place
from ._writes import put as put
from ._writes import put_along_axis as put_along_axis
from ._writes import putmask as putmask
from ._names_of_cupy import asnumpy as asnumpy
from ._names_of_cupy import get_array_module as get_array_module

class _Unary(ufunc):
    def __call__(
        self, x: Nested, /, out: Array | tuple[Array] | None = None, *,
        where: Nested = True, casting: str = ..., order: str = ...,
        dtype: DType | None = None, subok: builtins.bool = ..., signature: Any = None,
        queue: Where | None = None, device: Where | None = None,
        usm_type: UsmType | None = None,
    ) -> Array: ...
class _Binary(ufunc):
    def __call__(
        self, x1: Nested, x2: Nested, /, out: Array | tuple[Array] | None = None, *,
        where: Nested = True, casting: str = ..., order: str = ...,
        dtype: DType | None = None, subok: builtins.bool = ..., signature: Any = None,
        queue: Where | None = None, device: Where | None = None,
        usm_type: UsmType | None = None,
    ) -> Array: ...

False_: Any
ScalarType: Any
True_: Any
base_repr: Any
binary_repr: Any
bool: type[np.bool]
bool_: type[np.bool]
broadcast_shapes: Any
byte: type[np.int8]
bytes_: type[np.bytes_]
cdouble: type[np.complex128]
character: type[np.character]
clongdouble: type[np.clongdouble]
complex64: type[np.complex64]
complex128: type[np.complex128]
csingle: type[np.complex64]
datetime64: type[np.datetime64]
double: type[np.float64]
dtype: type[np.dtype]
e: builtins.float
errstate: type[np.errstate]
euler_gamma: builtins.float
exceptions: Any
flexible: type[np.flexible]
float16: type[np.float16]
float32: type[np.float32]
float64: type[np.float64]
format_float_positional: Any
format_float_scientific: Any
get_printoptions: Any
getbufsize: Any
geterr: Any
geterrcall: Any
half: type[np.float16]
index_exp: Any
inf: builtins.float
int8: type[np.int8]
int16: type[np.int16]
int32: type[np.int32]
int64: type[np.int64]
int_: type[np.int64]
intc: type[np.int32]
intp: type[np.int64]
isdtype: Any
issubdtype: Any
iterable: Any
little_endian: builtins.bool
long: type[np.int64]
longdouble: type[np.longdouble]
longlong: type[np.longlong]
mintypecode: Any
nan: builtins.float
ndindex: type[np.ndindex]
newaxis: Any
object_: type[np.object_]
pi: builtins.float
printoptions: Any
promote_types: Any
s_: Any
sctypeDict: Any
set_printoptions: Any
setbufsize: Any
seterr: Any
seterrcall: Any
short: type[np.int16]
show_config: Any
single: type[np.float32]
str_: type[np.str_]
timedelta64: type[np.timedelta64]
typecodes: Any
typename: Any
ubyte: type[np.uint8]
uint: type[np.uint64]
uint8: type[np.uint8]
uint16: type[np.uint16]
uint32: type[np.uint32]
uint64: type[np.uint64]
uintc: type[np.uint32]
uintp: type[np.uint64]
ulong: type[np.uint64]
ulonglong: type[np.ulonglong]
ushort: type[np.uint16]
void: type[np.void]
frombuffer: Any
fromfile: Any
fromiter: Any
fromstring: Any
genfromtxt: Any
load: Any
loadtxt: Any
array2string: Any
array_repr: Any
array_str: Any
save: Any
savetxt: Any
savez: Any
savez_compressed: Any
asmatrix: Any
bmat: Any
busday_count: Any
busday_offset: Any
datetime_as_string: Any
datetime_data: Any
frompyfunc: Any
fromregex: Any
is_busday: Any
nested_iters: Any
matrix: type[Any]
memmap: type[Any]
recarray: type[Any]
record: type[Any]
abs: _Unary
absolute: _Unary
acos: _Unary
acosh: _Unary
add: _Binary
arccos: _Unary
arccosh: _Unary
arcsin: _Unary
arcsinh: _Unary
arctan: _Unary
arctan2: _Binary
arctanh: _Unary
asin: _Unary
asinh: _Unary
atan: _Unary
atan2: _Binary
atanh: _Unary
bitwise_and: _Binary
bitwise_count: _Unary
bitwise_invert: _Unary
bitwise_left_shift: _Binary
bitwise_not: _Unary
bitwise_or: _Binary
bitwise_right_shift: _Binary
bitwise_xor: _Binary
cbrt: _Unary
ceil: _Unary
conj: _Unary
conjugate: _Unary
copysign: _Binary
cos: _Unary
cosh: _Unary
deg2rad: _Unary
degrees: _Unary
divide: _Binary
divmod: ufunc
equal: _Binary
exp: _Unary
exp2: _Unary
expm1: _Unary
fabs: _Unary
float_power: _Binary
floor: _Unary
floor_divide: _Binary
fmax: _Binary
fmin: _Binary
fmod: _Binary
frexp: ufunc
gcd: _Binary
greater: _Binary
greater_equal: _Binary
heaviside: _Binary
hypot: _Binary
invert: _Unary
isfinite: _Unary
isinf: _Unary
isnan: _Unary
isnat: _Unary
lcm: _Binary
ldexp: _Binary
left_shift: _Binary
less: _Binary
less_equal: _Binary
log: _Unary
log10: _Unary
log1p: _Unary
log2: _Unary
logaddexp: _Binary
logaddexp2: _Binary
logical_and: _Binary
logical_not: _Unary
logical_or: _Binary
logical_xor: _Binary
matmul: _Binary
matvec: _Binary
maximum: _Binary
minimum: _Binary
mod: _Binary
modf: ufunc
multiply: _Binary
negative: _Unary
nextafter: _Binary
not_equal: _Binary
positive: _Unary
pow: _Binary
power: _Binary
rad2deg: _Unary
radians: _Unary
reciprocal: _Unary
remainder: _Binary
right_shift: _Binary
rint: _Unary
sign: _Unary
signbit: _Unary
sin: _Unary
sinh: _Unary
spacing: _Unary
sqrt: _Unary
square: _Unary
subtract: _Binary
tan: _Unary
tanh: _Unary
true_divide: _Binary
trunc: _Unary
vecdot: _Binary
vecmat: _Binary
c_: Any
mgrid: Any
ogrid: Any
r_: Any
complexfloating: type[np.complexfloating]
floating: type[np.floating]
generic: type[np.generic]
inexact: type[np.inexact]
integer: type[np.integer]
number: type[np.number]
signedinteger: type[np.signedinteger]
unsignedinteger: type[np.unsignedinteger]
amax: Any
amin: Any

__all__ = [
    "emath",
    "fft",
    "linalg",
    "ndarray",
    "random",
    "testing",
    "False_",
    "ScalarType",
    "True_",
    "base_repr",
    "binary_repr",
    "bool",
    "bool_",
    "broadcast_shapes",
    "byte",
    "bytes_",
    "cdouble",
    "character",
    "clongdouble",
    "complex64",
    "complex128",
    "csingle",
    "datetime64",
    "double",
    "dtype",
    "e",
    "errstate",
    "euler_gamma",
    "exceptions",
    "flexible",
    "float16",
    "float32",
    "float64",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "getbufsize",
    "geterr",
    "geterrcall",
    "half",
    "index_exp",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "isdtype",
    "issubdtype",
    "iterable",
    "little_endian",
    "long",
    "longdouble",
    "longlong",
    "mintypecode",
    "nan",
    "ndindex",
    "newaxis",
    "object_",
    "pi",
    "printoptions",
    "promote_types",
    "s_",
    "sctypeDict",
    "set_printoptions",
    "setbufsize",
    "seterr",
    "seterrcall",
    "short",
    "show_config",
    "single",
    "str_",
    "timedelta64",
    "typecodes",
    "typename",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "ushort",
    "void",
    "frombuffer",
    "fromfile",
    "fromiter",
    "fromstring",
    "genfromtxt",
    "load",
    "loadtxt",
    "array2string",
    "array_repr",
    "array_str",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
    "asmatrix",
    "bmat",
    "busday_count",
    "busday_offset",
    "datetime_as_string",
    "datetime_data",
    "frompyfunc",
    "fromregex",
    "is_busday",
    "nested_iters",
    "matrix",
    "memmap",
    "recarray",
    "record",
    "apply_along_axis",
    "apply_over_axes",
    "can_cast",
    "common_type",
    "finfo",
    "fromfunction",
    "iinfo",
    "iscomplexobj",
    "isfortran",
    "isrealobj",
    "isscalar",
    "may_share_memory",
    "min_scalar_type",
    "ndenumerate",
    "ndim",
    "packbits",
    "poly1d",
    "result_type",
    "shape",
    "shares_memory",
    "size",
    "unpackbits",
    "vectorize",
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "astype",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "identity",
    "meshgrid",
    "ones",
    "ones_like",
    "require",
    "tri",
    "tril",
    "triu",
    "vander",
    "zeros",
    "zeros_like",
    "ufunc",
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isnat",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matvec",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "vecdot",
    "vecmat",
    "bincount",
    "digitize",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "diag_indices",
    "diag_indices_from",
    "indices",
    "ix_",
    "mask_indices",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
    "broadcast",
    "c_",
    "mgrid",
    "ogrid",
    "r_",
    "argwhere",
    "choose",
    "compress",
    "diag",
    "diagflat",
    "diagonal",
    "extract",
    "flatnonzero",
    "nonzero",
    "piecewise",
    "select",
    "take",
    "take_along_axis",
    "trace",
    "where",
    "append",
    "delete",
    "insert",
    "resize",
    "trim_zeros",
    "nditer",
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "row_stack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rollaxis",
    "rot90",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
    "angle",
    "around",
    "clip",
    "fix",
    "i0",
    "imag",
    "interp",
    "isclose",
    "iscomplex",
    "isneginf",
    "isposinf",
    "isreal",
    "nan_to_num",
    "real",
    "real_if_close",
    "round",
    "sinc",
    "unwrap",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "complexfloating",
    "floating",
    "generic",
    "inexact",
    "integer",
    "number",
    "signedinteger",
    "unsignedinteger",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
    "pad",
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "kaiser",
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
    "convolve",
    "correlate",
    "cross",
    "dot",
    "einsum",
    "einsum_path",
    "inner",
    "kron",
    "outer",
    "tensordot",
    "vdot",
    "arange",
    "geomspace",
    "linspace",
    "logspace",
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "ediff1d",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "argpartition",
    "argsort",
    "lexsort",
    "partition",
    "sort",
    "sort_complex",
    "allclose",
    "array_equal",
    "array_equiv",
    "average",
    "corrcoef",
    "cov",
    "gradient",
    "searchsorted",
    "trapezoid",
    "copyto",
    "fill_diagonal",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "asnumpy",
    "get_array_module",
    "lib",
]

"""Calls of NumPy's functions, for numpy_names.py: an argument list for each function, and a value
for each parameter that it leaves at its default.

Texts are evaluated with `np` and the arrays of `samples` (numpy_names.py): v, u, w are vectors,
m, n matrices, s a square matrix, t has three dimensions, b and vb are bools, i are indices.
"""

from __future__ import annotations

# Argument list -> functions of the main namespace that are called with it.
ARGUMENTS = {
    "m": "all amax amin any argmax argmin argwhere around asanyarray asarray asarray_chkfinite "
    "ascontiguousarray asfortranarray array array_repr array_str array2string argsort average copy "
    "corrcoef count_nonzero cov cumprod cumsum diag diagflat diagonal diff ediff1d empty_like fix "
    "flatnonzero flip fliplr flipud histogram histogram_bin_edges histogramdd imag iscomplex "
    "iscomplexobj isfortran isneginf isposinf isreal isrealobj isscalar matrix_transpose max mean "
    "median min nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian "
    "nanmin "
    "nanprod nanstd nansum nanvar ndim nonzero ones_like permute_dims prod ptp ravel real "
    "real_if_close require round rot90 shape sinc size sort sort_complex squeeze std sum trace "
    "transpose trapezoid tril tril_indices_from triu triu_indices_from unique unique_all "
    "unique_counts unique_inverse unique_values unstack unwrap var zeros_like gradient angle "
    "atleast_1d atleast_2d atleast_3d nanpercentile:50 nanquantile:0.5 percentile:50 quantile:0.5 "
    "clip:2,7 repeat:2 roll:3 tile:2 expand_dims:0 broadcast_to:(2,6,4) "
    "reshape:(4,6) resize:(3,5) take:i delete:1 pad:1 array_split:3 split:2 hsplit:2 vsplit:2 "
    "full_like:3 swapaxes:0,1 moveaxis:0,1 rollaxis:1 min_scalar_type common_type "
    "insert:1,v[:1] append:n "
    "allclose:n array_equal:n array_equiv:n isclose:n isin:n intersect1d:n union1d:n setdiff1d:n "
    "setxor1d:n shares_memory:m[1:] may_share_memory:m[1:] broadcast_arrays:n outer:n kron:n "
    "histogram2d=v,u inner:n vdot:n dot:n.T compress=[True,False,True,True,False,True],m,0 "
    "extract=b,m astype:'complex128' apply_along_axis=ends,0,m "
    "apply_over_axes=total,m,0 digitize:[2,4,6] can_cast=m.dtype,'complex128' "
    "result_type:'f4' nanargmax",
    "v": "argsort=x01 argpartition=x01,2 partition=x01,2 bincount=k poly=f polyder polyint "
    "roots=f vander=f convolve:w correlate:w polyadd:w "
    "polysub:w polymul=w,f polydiv:w polyval=w,m cross=c,d trim_zeros i0=u interp=u,r,r "
    "searchsorted=r,v lexsort=((v,u),) take_along_axis=m,j,1 put_along_axis=m,j,v[:1],1 "
    "put=m,i,v[:3] "
    "place=m,b,v[:3] putmask=m,b,v[:3] copyto=m,n fill_diagonal=s,v[0] choose=k%3,[v,u,v] "
    "select=[vb,~vb],[v,u] piecewise=v,[vb],[twice,3] where=b,m,n "
    "concatenate=[m,n], concat=[m,n], stack=[m,n], hstack=[m,n], vstack=[m,n], dstack=[m,n], "
    "column_stack=[v,u], row_stack=[v,u], block=[[m,n],[n,m]] dsplit=t,2 tensordot=m,n.T,1 "
    "einsum='ij,kj->ik',m,n einsum_path='ij,kj->ik',m,n meshgrid=v,w polyfit=u,v,2 packbits=k "
    "unpackbits=k.astype('uint8') indices=(2,3) ix_=i,i diag_indices=4 diag_indices_from=s "
    "tril_indices=4 triu_indices=4 mask_indices=4,np.triu ravel_multi_index=(i,i),(4,4) "
    "unravel_index=k,(6,6) broadcast_shapes=(2,1),(1,3) vectorize=twice",
    "": "arange=5 empty=(2,3) eye=4 full=(2,3),v[0] geomspace=1.,16. hamming=7 hanning=7 "
    "identity=3 "
    "kaiser=7,3. linspace=0.,3. logspace=0.,2. ones=(2,3) tri=4 zeros=(2,3) bartlett=7 blackman=7 "
    "fromfunction=np.add,(2,3) fromiter=range(4),float frombuffer=b'12345678' "
    "fromstring='1,2',sep=',' loadtxt=text() genfromtxt=text() "
    "fromfile=path('raw') load=path('npy') save=sink(),m "
    "savetxt=sink(),m savez=sink(),m savez_compressed=sink(),m from_dlpack=np.ones(3) "
    "mintypecode=['f','d'] promote_types='f4','f8'",
}  # fmt: skip
LINALG = {
    "s": "cholesky=h cond det eig eigh=h eigvals eigvalsh=h inv matrix_norm matrix_power:3 "
    "matrix_rank "
    "matrix_transpose multi_dot=[s,s,h], norm pinv qr slogdet solve:s svd svdvals tensorinv=q,2 "
    "tensorsolve=q,m trace diagonal lstsq=m,v[:6] vector_norm cross=c,d outer=v,u tensordot:s "
    "matmul:s vecdot:s",
}
FFT = {
    "m": "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft "
    "rfft2 "
    "rfftn fftfreq=5 rfftfreq=5",
}
RANDOM = {
    "": "beta=2.,3. binomial=5,.4 bytes=4 chisquare=2. choice=v dirichlet=[1.,2.] exponential "
    "f=2.,3. gamma=2. geometric=.4 gumbel hypergeometric=5,5,3 laplace logistic lognormal "
    "logseries=.4 "
    "multinomial=5,[.4,.6] multivariate_normal=[0.,1.],[[1.,0.],[0.,2.]] negative_binomial=5,.4 "
    "noncentral_chisquare=2.,1. noncentral_f=2.,3.,1. normal pareto=2. permutation=v poisson "
    "power=2. "
    "rand=2,3 randint=1,9 randn=2,3 random random_integers=1,9 random_sample ranf rayleigh sample "
    "shuffle=v standard_cauchy standard_exponential standard_gamma=2. standard_normal "
    "standard_t=3. "
    "triangular=0.,1.,2. uniform vonmises=0.,2. wald=1.,2. weibull=2. zipf=3.",
}  # fmt: skip

# A value for each parameter that the argument lists leave out. "function.parameter" is preferred.
VALUES = {
    "axis": "0", "axes": "(0,)", "keepdims": "True", "dtype": "'float64'", "order": "'F'",
    "like": "m", "device": "None", "subok": "False", "where": "b", "initial": "3", "ddof": "1",
    "correction": "1", "casting": "'unsafe'", "size": "(2, 3)", "norm": "'ortho'", "k": "1",
    "weights": "n", "copy": "True", "offset": "1", "overwrite_input": "False", "rtol": "0.5",
    "atol": "0.5", "equal_nan": "True", "kind": "None",
    "mean": "np.mean(m, axis=None, keepdims=True)",
    "assume_unique": "False", "range": "(2, 7)", "bins": "4", "density": "True", "num": "7",
    "endpoint": "False", "axis1": "1", "axis2": "0", "decimals": "-1", "max_work": "None",
    "precision": "3", "suppress_small": "True", "max_line_width": "40", "hermitian": "True",
    "UPLO": "'U'", "include_initial": "True", "mode": "'clip'", "method": "'lower'",
    "indexing": "'ij'", "sparse": "True", "bitorder": "'little'", "rowvar": "False", "s": "(4, 3)",
    "n": "5", "scale": "2.", "loc": "1.", "sorted": "True", "legacy": "False", "unpack": "False",
    "encoding": "None", "ndmin": "1", "delimiter": "None", "comments": "'#'", "max_rows": "2",
    "usecols": "(0,)", "converters": "None", "allow_pickle": "True", "count": "2", "out": "OUT",
    "kwargs": "SKIP", "kwds": "SKIP", "sigma": "2.", "lam": "3.",
    "alltrue.out": "OUT", "angle.deg": "True", "arange.stop": "9", "arange.step": "2",
    "arange.dtype": "'float32'", "arange.start": "2", "argpartition.kind": "'introselect'",
    "argsort.kind": "'stable'", "argsort.order": "None", "sort.order": "None",
    "partition.order": "None", "argpartition.order": "None", "partition.kind": "'introselect'",
    "argsort.stable": "True", "sort.stable": "True", "array.ndmin": "3", "array.ndmax": "5",
    "array.copy": "False", "asarray.copy": "None", "asanyarray.copy": "None",
    "array2string.separator": "','", "array2string.prefix": "'a'", "array2string.suffix": "'b'",
    "array2string.style": "SKIP", "array2string.formatter": "None", "array2string.threshold": "5",
    "array2string.edgeitems": "2", "array2string.sign": "'+'", "array2string.floatmode": "'fixed'",
    "array2string.precision": "2", "average.weights": "n", "average.returned": "True",
    "bincount.weights": "u", "bincount.minlength": "40", "choose.mode": "'wrap'",
    "clip.a_min": "SKIP", "clip.a_max": "SKIP", "clip.min": "SKIP", "clip.max": "SKIP",
    "compress.axis": "SKIP", "concatenate.axis": "1", "concat.axis": "1", "stack.axis": "1",
    "concatenate.dtype": "'complex128'", "concat.dtype": "'complex128'",
    "stack.dtype": "'complex128'",
    "hstack.dtype": "'complex128'", "vstack.dtype": "'complex128'",
    "row_stack.dtype": "'complex128'",
    "convolve.mode": "'same'", "correlate.mode": "'full'", "copyto.where": "b",
    "cov.y": "n", "corrcoef.y": "n", "cov.bias": "True", "cov.fweights": "np.asarray([1, 2, 1, 3])",
    "cov.aweights": "np.asarray([1., 2., 1., 3.])", "cov.dtype": "'complex128'",
    "corrcoef.dtype": "'complex128'", "cross.axisa": "-1", "cross.axisb": "-1", "cross.axisc": "0",
    "cross.axis": "1", "diag_indices.ndim": "3", "diff.n": "2", "diff.prepend": "m[:, :1]",
    "diff.append": "m[:, :1]", "digitize.right": "True", "ediff1d.to_end": "v[:2]",
    "ediff1d.to_begin": "v[:1]", "einsum.optimize": "True", "einsum_path.optimize": "'optimal'",
    "einsum_path.einsum_call": "False", "empty_like.dtype": "'float32'", "empty_like.shape": "(3,)",
    "ones_like.shape": "(3,)", "zeros_like.shape": "(3,)", "full_like.shape": "(3,)",
    "eye.M": "5", "tri.M": "5", "fill_diagonal.wrap": "True", "frombuffer.dtype": "'int16'",
    "frombuffer.offset": "4", "fromfile.dtype": "'int64'", "fromfile.sep": "''",
    "fromfile.offset": "8", "gradient.edge_order": "2",
    "gradient.axis": "1", "histogram.bins": "[1, 3, 5, 9]", "histogram2d.range": "[(1, 5), (2, 6)]",
    "histogram2d.weights": "u", "histogramdd.weights": "v[:6]", "histogramdd.range": "[(1, 9)] * 4",
    "histogramdd.bins": "2", "insert.axis": "0", "interp.left": "-1.", "interp.right": "99.",
    "interp.period": "9.", "intersect1d.return_indices": "True", "isin.invert": "True",
    "kron.out": "SKIP", "linspace.retstep": "True", "linspace.dtype": "'int32'",
    "logspace.base": "2.", "loadtxt.skiprows": "1", "loadtxt.quotechar": "None",
    "loadtxt.ndmin": "2", "load.mmap_mode": "None", "load.fix_imports": "True",
    "load.max_header_size": "10000", "mask_indices.k": "1", "meshgrid.copy": "False",
    "mintypecode.typeset": "'GDFgdf'", "mintypecode.default": "'d'", "nan_to_num.nan": "2.",
    "nan_to_num.posinf": "3.", "nan_to_num.neginf": "4.", "nan_to_num.copy": "True",
    "pad.mode": "'reflect'", "piecewise.kw": "SKIP", "place.mode": "SKIP", "polyder.m": "2",
    "polyfit.rcond": "1e-9", "polyfit.full": "True", "polyfit.w": "u", "polyfit.cov": "True",
    "polyint.m": "2", "polyint.k": "3", "put.mode": "'wrap'", "ravel_multi_index.mode": "'wrap'",
    "real_if_close.tol": "1000", "repeat.axis": "1", "require.requirements": "'C'",
    "reshape.shape": "SKIP", "reshape.copy": "True", "reshape.newshape": "SKIP", "roll.axis": "1",
    "rollaxis.start": "0", "rot90.k": "3", "rot90.axes": "(1, 0)", "save.fix_imports": "SKIP",
    "savetxt.fmt": "SKIP", "savetxt.newline": "SKIP", "savetxt.header": "SKIP",
    "savetxt.footer": "SKIP", "savetxt.comments": "SKIP", "savetxt.delimiter": "SKIP",
    "savetxt.encoding": "SKIP", "save.allow_pickle": "SKIP", "savez.allow_pickle": "SKIP",
    "savez_compressed.allow_pickle": "SKIP", "searchsorted.side": "'right'",
    "searchsorted.sorter": "np.arange(6)", "select.default": "7", "size.axis": "1",
    "sum.dtype": "'float32'", "take.mode": "'clip'", "take.axis": "1", "tensordot.axes": "SKIP",
    "transpose.axes": "(1, 0)", "permute_dims.axes": "(1, 0)", "trapezoid.x": "m",
    "trapezoid.dx": "2.", "squeeze.axis": "()", "tril_indices.m": "5", "triu_indices.m": "5",
    "trim_zeros.trim": "'f'", "trim_zeros.axis": "0", "unique.return_index": "True",
    "unique.return_inverse": "True", "unique.return_counts": "True", "unique.axis": "0",
    "unpackbits.count": "20", "unravel_index.order": "'F'", "unwrap.discont": "4.",
    "unwrap.period": "3", "vander.N": "3", "vander.increasing": "True", "where.x": "SKIP",
    "where.y": "SKIP", "percentile.weights": "n", "quantile.weights": "n",
    "nanpercentile.weights": "n", "nanquantile.weights": "n", "percentile.method": "'weibull'",
    "percentile.axis": "1", "astype.copy": "False", "unstack.axis": "1", "cumulative_sum.axis": "0",
    "geomspace.dtype": "'float32'", "logspace.dtype": "'float32'", "hanning.M": "SKIP",
    "indices.dtype": "'float32'", "expand_dims.axis": "SKIP", "copyto.casting": "'unsafe'",
    "genfromtxt.skip_footer": "1",
    "genfromtxt.missing_values": "None", "genfromtxt.filling_values": "None",
    "genfromtxt.names": "None", "genfromtxt.excludelist": "None", "genfromtxt.deletechars": "''",
    "genfromtxt.replace_space": "'_'", "genfromtxt.autostrip": "True",
    "genfromtxt.case_sensitive": "True", "genfromtxt.defaultfmt": "'f%i'",
    "genfromtxt.usemask": "False", "genfromtxt.loose": "True", "genfromtxt.invalid_raise": "True",
    "fromiter.count": "3", "fromfunction.dtype": "int", "genfromtxt.skip_header": "1",
    "fromstring.dtype": "'float64'", "fromstring.sep": "SKIP", "fromstring.count": "1",
    "ravel.order": "'F'", "dot.out": "OUT", "put_along_axis.axis": "SKIP", "sort.axis": "0",
    "take_along_axis.axis": "SKIP", "extract.arr": "SKIP", "choose.out": "OUT",
    "linalg.cond.p": "1", "linalg.cholesky.upper": "True", "linalg.norm.ord": "1",
    "linalg.norm.axis": "1", "linalg.matrix_norm.ord": "1", "linalg.vector_norm.ord": "3",
    "linalg.pinv.rcond": "0.1", "linalg.pinv.rtol": "0.1", "linalg.qr.mode": "'complete'",
    "linalg.lstsq.rcond": "0.1", "linalg.svd.full_matrices": "False",
    "linalg.svd.compute_uv": "False",
    "linalg.svd.hermitian": "SKIP", "linalg.tensorinv.ind": "SKIP",
    "linalg.tensorsolve.axes": "(0,)",
    "linalg.matrix_rank.tol": "0.1", "linalg.matrix_rank.rtol": "0.1", "linalg.cross.axis": "1",
    "linalg.tensordot.axes": "1", "linalg.trace.dtype": "'complex128'",
    "linalg.pinv.hermitian": "SKIP", "linalg.matrix_rank.hermitian": "SKIP",
    "fft.fft2.axes": "(1, 0)", "fft.ifft2.axes": "(1, 0)", "fft.fftn.axes": "(0, 1)",
    "fft.rfft2.axes": "(1, 0)", "fft.irfft2.axes": "(1, 0)", "fft.fftfreq.d": "0.5",
    "fft.rfftfreq.d": "0.5", "fft.fftn.s": "SKIP", "fft.ifftn.s": "SKIP", "fft.rfftn.s": "SKIP",
    "fft.irfftn.s": "SKIP", "random.choice.replace": "False", "random.choice.p": "SKIP",
    "random.multivariate_normal.check_valid": "'ignore'", "random.multivariate_normal.tol": "1e-7",
    "random.randint.high": "SKIP", "random.random_integers.high": "SKIP",
    "random.uniform.low": "-1.",
    "random.uniform.high": "3.", "random.randint.dtype": "'int32'", "random.lognormal.mean": "1.",
    "random.permutation.axis": "SKIP",
}  # fmt: skip

# Argument lists for arrays of 2400 rows, where those above fit 6 rows only.
LARGE = {
    "broadcast_to": "m, (2, *m.shape)", "reshape": "m, (4, -1)", "linalg.tensorsolve": "s, s[0]",
    "linalg.lstsq": "m, v[:2400]",
}  # fmt: skip

"""Interoperation: pickles, USM interfaces, dpctl, dpnp, native kernels, builds of extensions."""

from . import dask_import, dpctl_import, former_names, pickled_names

"""Exchange with other packages: pickles, USM interfaces, dpctl, dpnp, native programs, builds."""

from . import dpctl_import, former_names, pickled_names

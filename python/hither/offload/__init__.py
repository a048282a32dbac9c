"""Unmodified Numba functions, offloaded inside a device context."""

"""Unmodified Numba functions, offloaded inside a device context (see docs/guide/offload.md)."""

"""Unmodified Numba functions, offloaded inside a device context (see docs/explanation/offload.md)."""

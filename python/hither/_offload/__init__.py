"""Unmodified Numba functions, offloaded in a device context (docs/explanation/offload.md)."""

"""Kernels written in Python."""

"""Launches of kernels over the rows of sharded arrays."""

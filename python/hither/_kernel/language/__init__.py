"""Functions and classes that users call inside kernels, and the decorators that make kernels."""

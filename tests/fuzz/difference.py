"""The exception that a family raises when a check fails."""


class Difference(AssertionError):
    """Two computations of the same result do not agree."""

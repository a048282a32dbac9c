"""What a family raises when a check fails."""


class Difference(AssertionError):
    """Two ways to compute something do not agree."""

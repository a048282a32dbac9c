"""The front end's refusal of a function."""


class KernelRefused(Exception):
    """The function cannot be a kernel for these types; the text says why and what to do."""

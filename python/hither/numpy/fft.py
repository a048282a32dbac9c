"""numpy.fft for arrays on devices: NumPy's parameters for the transforms of hither.fft."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .. import fft as standard
from .._documentation import complete
from .._hither import Array, astype
from ..errors import InvalidValueError
from ._arguments import whole
from ._placement import deliver, operands, place_of

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip


def _finished(name: str, a: Array, result: Array, out: Any) -> Array:
    # NumPy's inverses of float16 stay in float16 if they consist of one real transform.
    if a.dtype.char == "e" and name in ("irfft", "hfft"):
        result = astype(result, a.dtype)
    return result if out is None else deliver(name, result, out, "same_kind")


def _along_one_axis(name: str, doc: str) -> Callable[..., Any]:
    transform = getattr(standard, name)

    def call(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
        n = None if n is None else whole(name, "n", n)
        return _finished(name, a, transform(a, n=n, axis=axis, norm=norm), out)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return operands("a")(call)


# The transforms of the last axis and of the others.
_STEPS = {"fftn": ("fft", "fft"), "ifftn": ("ifft", "ifft"), "rfftn": ("rfft", "fft"),
          "irfftn": ("irfft", "ifft")}  # fmt: skip


def _has_twice(axes: Any, ndim: int) -> bool:
    """Whether the axes, all of which exist, contain one twice."""
    exist = all(-ndim <= i < ndim for i in axes)
    return exist and len({i % ndim for i in axes}) < len(axes)


def _one_after_another(source: str, a: Array, s: Any, axes: tuple[int, ...], norm: Any) -> Array:
    """Transforms along axes of which some are named several times."""
    lengths = [a.shape[i] for i in axes] if s is None else list(s)
    if s is None and source == "irfftn":
        lengths[-1] = None
    last, other = _STEPS[source]
    steps = list(zip([other] * (len(axes) - 1) + [last], lengths, axes, strict=True))
    for name, n, axis in steps if source == "irfftn" else reversed(steps):
        a = getattr(standard, name)(a, n=n, axis=axis, norm=norm)
    return a


def _along_several_axes(name: str, source: str, axes: Any, doc: str) -> Callable[..., Any]:
    transform = getattr(standard, source)

    def call(a: Any, s: Any = None, axes: Any = axes, norm: Any = None, out: Any = None) -> Any:
        if s is not None:
            chosen = tuple(range(-len(s), 0)) if axes is None else tuple(axes)
            if len(s) != len(chosen):
                raise InvalidValueError(
                    name, f"s has {len(s)} extents for {len(chosen)} axes; give one for each axis"
                )
            s = tuple(
                a.shape[i] if n in (-1, None) else whole(name, "s", n)
                for n, i in zip(s, chosen, strict=True)
            )
        nothing = a.ndim == 0 if axes is None else len(axes) == 0
        if source in ("fftn", "ifftn") and nothing:
            return _finished(name, a, a, out)  # as in NumPy, also real numbers stay
        if axes is not None and _has_twice(axes, a.ndim):
            result = _one_after_another(source, a, s, tuple(axes), norm)
        else:
            result = transform(a, s=s, axes=axes, norm=norm)
        one_axis = len(axes) == 1 if axes is not None else a.ndim == 1
        return _finished("irfft" if source == "irfftn" and one_axis else name, a, result, out)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return operands("a")(call)


_Transform = Callable[..., Array]
fft: _Transform = _along_one_axis("fft", "The discrete Fourier transform along an axis.")
ifft: _Transform = _along_one_axis("ifft", "The inverse of fft().")
rfft: _Transform = _along_one_axis(
    "rfft", "The half of fft() that determines the transform of real numbers."
)
irfft: _Transform = _along_one_axis("irfft", "The inverse of rfft(), with n real numbers.")
hfft: _Transform = _along_one_axis(
    "hfft", "The transform of Hermitian-symmetric numbers, which is real."
)
ihfft: _Transform = _along_one_axis("ihfft", "The inverse of hfft().")
fftn: _Transform = _along_several_axes("fftn", "fftn", None, "The transform along several axes.")
ifftn: _Transform = _along_several_axes("ifftn", "ifftn", None, "The inverse of fftn().")
rfftn: _Transform = _along_several_axes(
    "rfftn", "rfftn", None, "The transform of real numbers along axes."
)
irfftn: _Transform = _along_several_axes("irfftn", "irfftn", None, "The inverse of rfftn().")
fft2: _Transform = _along_several_axes("fft2", "fftn", (-2, -1), "The transform along two axes.")
ifft2: _Transform = _along_several_axes("ifft2", "ifftn", (-2, -1), "The inverse of fft2().")
rfft2: _Transform = _along_several_axes(
    "rfft2", "rfftn", (-2, -1), "The transform of real numbers on planes."
)
irfft2: _Transform = _along_several_axes("irfft2", "irfftn", (-2, -1), "The inverse of rfft2().")


def _frequencies(name: str, n: int, d: Any, place: dict[str, Any]) -> Array:
    try:
        count = operator.index(n)
    except TypeError:
        raise ValueError(f"{name}: n={n!r} is not an integer") from None
    return getattr(standard, name)(count, d=float(d), **place)


def fftfreq(
    n: int, d: Any = 1.0, device: Any = None, *, queue: Any = None, usm_type: Any = None
) -> Array:
    """The frequencies of the elements of fft(), in cycles per unit of the distance d.

    >>> import hither.numpy as np
    >>> np.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    return _frequencies("fftfreq", n, d, place_of(queue, device, usm_type))


def rfftfreq(
    n: int, d: Any = 1.0, device: Any = None, *, queue: Any = None, usm_type: Any = None
) -> Array:
    """The frequencies of the elements of rfft()."""
    return _frequencies("rfftfreq", n, d, place_of(queue, device, usm_type))


@operands("x")
def fftshift(x: Any, axes: Any = None) -> Any:
    """The elements with the frequency 0 in the middle of each axis."""
    return standard.fftshift(x, axes=axes)


@operands("x")
def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of fftshift()."""
    return standard.ifftshift(x, axes=axes)


complete("numpy.fft", globals())

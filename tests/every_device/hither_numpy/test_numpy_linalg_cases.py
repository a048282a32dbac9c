"""Cases of linear algebra and transforms in which NumPy's results are not the obvious ones."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


def same(result, right):
    host = ht.asnumpy(result)
    assert (host.dtype, host.shape) == (right.dtype, right.shape)
    np.testing.assert_array_equal(host, right)


@pytest.mark.parametrize("text", ["ij", "ji", "ii->i", "...->...", "i...->...i", "ii", "ij->i"])
@pytest.mark.parametrize("dtype", ["int64", "float64", "int32"])
def test_einsum_of_one_operand_keeps_its_dtype_if_it_is_a_view(device, text, dtype):
    x = np.arange(9, dtype="int32").reshape(3, 3)
    result = hnp.einsum(text, ht.asarray(x, device=device), dtype=dtype)
    same(result, np.asarray(np.einsum(text, x, dtype=dtype)))


@pytest.mark.parametrize("text", ["...->", "i...->i", "...i,...i->i", "...,...->"])
def test_an_ellipsis_of_dimensions_has_to_be_in_the_output(device, text):
    x = np.ones((2, 2, 2))
    given = [ht.asarray(x, device=device)] * (1 + text.count(","))
    with pytest.raises(ValueError):
        np.einsum(text, *[x] * len(given))
    with pytest.raises(ValueError, match=r"has no '\.\.\.' for the \d dimensions"):
        hnp.einsum(text, *given)
    vectors = [ht.asarray(np.arange(3.0), device=device)] * 2
    same(hnp.einsum("...i,...i->i", *vectors), np.arange(3.0) ** 2)  # it stands for none


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (0, 0), (0, 2, 3), (2, 0, 3)])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex128"])
def test_pinv_of_no_elements_keeps_the_dtype(device, shape, dtype):
    x = np.zeros(shape, dtype)
    for options in ({}, {"hermitian": True}) if 0 in shape[-2:] else ({},):
        same(hnp.linalg.pinv(ht.asarray(x, device=device), **options), np.linalg.pinv(x, **options))


def test_cond_of_matrices_that_are_not_square(device):
    x = ht.asarray(np.arange(6.0).reshape(2, 3), device=device)
    for order in (1, -1, np.inf, -np.inf, "fro", "nuc"):
        with pytest.raises(np.linalg.LinAlgError):
            hnp.linalg.cond(x, order)


def test_cond_of_no_elements(device):
    with pytest.raises(np.linalg.LinAlgError, match="cond is not defined on empty arrays"):
        hnp.linalg.cond(ht.zeros((0, 0), device=device))


@pytest.mark.parametrize("name", ["rfft2", "irfft2", "rfftn", "irfftn"])
def test_half_transforms_need_an_axis(device, name):
    with pytest.raises(IndexError):
        getattr(np.fft, name)(np.ones((3, 4)), axes=())
    with pytest.raises(IndexError, match="no axis to transform"):
        getattr(hnp.fft, name)(ht.ones((3, 4), device=device), axes=())


def test_a_program_raises_and_catches_its_own_linalgerror(queue):
    with pytest.raises(hnp.linalg.LinAlgError, match=r"^degenerate$"):
        raise hnp.linalg.LinAlgError("degenerate")
    with pytest.raises(hnp.linalg.LinAlgError):
        raise hnp.linalg.LinAlgError
    with pytest.raises(hnp.linalg.LinAlgError):  # by NumPy or SciPy
        raise np.linalg.LinAlgError("singular")
    with pytest.raises(hnp.linalg.LinAlgError, match="inv: Singular matrix") as found:
        hnp.linalg.inv(hnp.zeros((2, 2), queue=queue))
    assert isinstance(found.value, ht.LinAlgError)
    with pytest.raises(ht.LinAlgError):
        raise ht.LinAlgError


@pytest.mark.parametrize("text", ["ij,jk->ik", "ij,jk->ki", "iij->j", "ij,ij->i", "ij,jk,kl->il"])
@pytest.mark.parametrize("dtype", ["?", "i4", "f8", "c16"])
def test_einsum_again_with_other_shapes(device, text, dtype):
    terms = text.partition("->")[0].split(",")
    for extent in (2, 3, 1, 2):  # the steps of a text and shapes are kept
        given = [np.arange(extent ** len(t)).reshape((extent,) * len(t)) % 3 for t in terms]
        given = [x.astype(dtype) for x in given]
        for optimize in (False, True):
            result = hnp.einsum(text, *[ht.asarray(x, device=device) for x in given],
                                optimize=optimize)  # fmt: skip
            same(result, np.asarray(np.einsum(text, *given)))


def test_the_steps_of_an_einsum_keep_no_array(device):
    x = ht.ones((4, 4), device=device)
    views = [hnp.einsum(text, x) for text in ("ij->ij", "ij->ji", "ii->i")]
    views[0][0, 1] = 5
    views[1][0, 2] = 6
    views[2][3] = 7
    assert (float(x[0, 1]), float(x[2, 0]), float(x[3, 3])) == (5, 6, 7)
    total = hnp.einsum("ij,jk->ik", x, x)
    x[:] = 0
    assert float(hnp.einsum("ij,jk->ik", x, x)[0, 0]) == 0 != float(total[0, 0])

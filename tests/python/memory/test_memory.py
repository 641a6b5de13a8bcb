"""bs.is_out_of_memory: what exceptions and texts say of memory."""

import errno
import warnings

import pytest

import native  # noqa: F401 - skips without the extension module

import batchscope as bs


class OutOfMemoryError(RuntimeError):
    pass


class Own(MemoryError):
    pass


LACKS = [MemoryError(), Own("mine"), OutOfMemoryError("of a framework"), OSError(errno.ENOMEM, "in any language"),
         RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
         RuntimeError("first line\nsecond line\nRuntimeError: CUDA out of memory."), "std::bad_alloc",
         "Unable to allocate 5.00 GiB for an array with shape (1, 2) and data type float64"]
NONE = [RuntimeError("cuDNN error: CUDNN_STATUS_NOT_SUPPORTED"), AttributeError("no attribute 'max_memory_allocated'"),
        KeyError("out_of_memory"), TypeError("out of memory"), OSError(errno.ENOSPC, "No space left on device"),
        "an illegal memory access was encountered", "unsupported memory format", "\udcff", ""]


@pytest.mark.parametrize("raised", LACKS, ids=repr)
def test_what_says_that_memory_was_out(raised):
    assert bs.is_out_of_memory(raised) is True


@pytest.mark.parametrize("raised", NONE, ids=repr)
def test_what_says_something_else(raised):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bs.is_out_of_memory(raised) is False


def test_what_it_was_raised_from_counts():
    try:
        try:
            raise MemoryError
        except MemoryError as raised:
            raise ValueError("the step failed") from raised
    except ValueError as raised:
        assert bs.is_out_of_memory(raised)


def test_words_that_are_no_proof_are_reported():
    words = "NewRT: memory alloc rejected"
    with pytest.warns(RuntimeWarning, match="smaller batch"):
        assert bs.is_out_of_memory(words) is False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bs.is_out_of_memory(RuntimeError(words), perhaps=True) is True

"""Tests that a model has not become slower, and fits into memory.

    pytest examples/python/test_speed.py

The models here are of stated laws and run in virtual time, so that this takes seconds; put a factory of your own in
their place: a function, "package.module:factory", or a file. Under pytest-xdist (-n 4) the measurements take turns, by
a lock of the user on the machine; tests that do not measure go on meanwhile and disturb. With a mark of their own,
measurements can be run apart: pytest -n 4 -m "not speed", then pytest -n 0 -m speed.
"""

import batchscope as bs

OLD = "synthetic:affine:2ms,10ms;memory=16MiB:1MiB"
NEW = "synthetic:affine:2ms,9.8ms;memory=16MiB:1MiB"


def test_the_new_model_is_not_slower():
    bs.assert_not_slower(NEW, OLD, margin=0.03, batch_sizes=[1, 4])


def test_a_batch_of_eight_fits():
    bs.assert_fits(NEW, 8, memory_limit="256MiB", soak_time=0.1)

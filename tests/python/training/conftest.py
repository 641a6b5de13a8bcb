"""What the tests of training share."""

import gc

import pytest


@pytest.fixture(autouse=True)
def one_thread():
    """Of torch; and objects of before are left out of garbage collections, each of which takes 0.1 s otherwise."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    gc.freeze()
    yield
    gc.unfreeze()
    torch.set_num_threads(before)


@pytest.fixture
def made(tmp_path):
    """made(net, optimizer, ...): a guard that is closed after the test; its folder is checkpoints."""
    from batchscope.torch import TrainingGuard

    guards = []

    def make(net, optimizer, folder="checkpoints", **keywords):
        guards.append(TrainingGuard(net, optimizer, tmp_path / folder, **keywords))
        return guards[-1]

    yield make
    for guard in guards:
        guard.close()

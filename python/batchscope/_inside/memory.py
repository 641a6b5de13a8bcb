"""Whether what failed says that memory was out, in the words of whatever library."""

import warnings

from batchscope import _core
from batchscope._explain import all_words_of


def lack_of(raised):
    """"host", "device": whose memory is out; "perhaps": the words are no proof; "none"."""
    words = raised if isinstance(raised, str) else all_words_of(raised)
    return _core.memory_lack(words.encode(errors="replace").decode())


def is_out_of_memory(raised, perhaps=False):
    """Whether an exception, or a text that a program printed, says that memory could not be had.

    Knows what CUDA and its libraries, HIP, Level Zero, Metal, ONNX Runtime, TensorRT, OpenVINO, XLA, TensorFlow, CuPy, vLLM,
    llama.cpp, NumPy, C++ and the kernel say. perhaps: the answer where the words fit other failures as well, such as unknown
    words with "memory" and "alloc" in them: False, with a warning that says so, unless it is given.
    """
    lack = lack_of(raised)
    if lack == "perhaps" and not perhaps:
        warnings.warn("this error may be an out-of-memory error: retry with a smaller batch, or pass perhaps=True",
                      RuntimeWarning, stacklevel=2)
    return lack in ("host", "device") or (lack == "perhaps" and perhaps)

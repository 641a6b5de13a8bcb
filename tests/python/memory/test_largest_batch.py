"""Lack of memory in the words of libraries: what `profile` records of it and what `tune --max-batch-only` makes of it."""

import json
import re
import subprocess
import sys

import pytest

from native import lines, profile

FACTORY = '''
def factory(batch_size):
    def step():
        if batch_size > 6:
            raise RuntimeError({words!r})
        return bytearray(batch_size << 20)
    return step
'''
OF_LIBRARIES = {
    "cublas": "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate(handle)",
    "onnxruntime": "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running MatMul node. "
                   "Status Message: bfc_arena.cc:376 Failed to allocate memory for requested buffer of size 268435456",
    "tensorflow": "OOM when allocating tensor with shape[64,1024,1024] and type float",
    "level-zero": "UR error: UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY",
    "below-its-first-line": "The step failed.\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.",
}
OTHER = "cuDNN error: CUDNN_STATUS_NOT_SUPPORTED"
NO_PROOF = "NewRT: memory alloc rejected"


def largest(program, *arguments):
    command = [program, "tune", "--max-batch-only", "--python", sys.executable, "-o", "max.jsonl", "--soak-time", "0.1s",
               "--ceilings", "ceilings.jsonl", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout


def searched(program, words):
    with open("net.py", "w", encoding="utf-8") as file:
        file.write(FACTORY.format(words=words))
    document = json.loads(largest(program, "-m", "net.py:factory", "--format", "json"))
    return document, document["configs"][0]


def failed_sizes(found):
    return [each["batch_size"] for each in found["probes"] if each["outcome"] == "failed"]


@pytest.mark.parametrize("name", OF_LIBRARIES)
def test_the_words_of_a_library_are_lack_of_memory(program, name):
    document, found = searched(program, OF_LIBRARIES[name])
    assert (found["max_batch_size"], found["bounded_by"], found["safe_batch_size"]) == (6, "out-of-memory", 5)
    # What ended it is not the limit that is known.
    assert document["answer"]["confidence"] == "shown"
    assert "% free" not in largest(program, "-m", "net.py:factory", "--resume")


def test_what_ran_out_far_below_the_limit_is_so_in_a_later_run(program):
    searched(program, OF_LIBRARIES["cublas"])
    document = json.loads(largest(program, "-m", "net.py:factory", "--format", "json", "--overwrite"))
    (found,) = document["configs"]
    assert (found["bounded_by"], found["safe_batch_size"], document["answer"]["confidence"]) == ("ceiling", 5, "shown")


def test_another_failure_is_none(program):
    _, found = searched(program, OTHER)
    assert (found["max_batch_size"], found["bounded_by"]) == (6, "failed")
    sizes = failed_sizes(found)
    assert sizes and all(sizes.count(size) == 2 for size in set(sizes))


def test_words_that_are_no_proof_are_tried_smaller_and_reported(program):
    _, found = searched(program, NO_PROOF)
    assert (found["max_batch_size"], found["bounded_by"], found["safe_batch_size"]) == (6, "failed", 5)
    assert "perhaps for lack of memory" in found["above"]["message"]
    sizes = failed_sizes(found)
    assert sizes and len(sizes) == len(set(sizes))


def test_what_is_left_free_is_one_statement(program):
    law = "synthetic:affine:5ms,1ms;process_sd=0;visit_sd=0;iteration_sd=0;load=1ms;memory=20510KiB:1850KiB"
    text = largest(program, "-m", law, "--memory-limit", "100MiB")
    printed = re.findall(r"leaves ([\d.]+ %) free", text)
    assert len(printed) == 2 and len(set(printed)) == 1


@pytest.mark.parametrize("words, kind", [(OF_LIBRARIES["cublas"], "out-of-memory"), (OTHER, "error"), (NO_PROOF, "error")])
def test_a_visit_records_what_it_was(program, words, kind):
    with open("net.py", "w", encoding="utf-8") as file:
        file.write(FACTORY.format(words=words))
    profile(program, "-m", "net.py:factory", "-b", "1,8")
    events = [each for each in lines("run.jsonl", "event") if each["kind"] in ("out-of-memory", "error", "crash")]
    assert {each["kind"] for each in events} == {kind}
    assert ("perhaps" in events[0]["message"]) == (words == NO_PROOF)

"""A machine whose GPUs are those of the fake driver, which a test may change while a program watches them."""

import contextlib
import json
import os
import pathlib
import re
import time
import urllib.error
import urllib.request

GIB = 1 << 30
DRIVER = {"driver_version": "580.65.06", "cuda_version": 13020}
H100 = {
    "name": "NVIDIA H100 80GB HBM3", "memory": {"total": 80 * GIB, "used": 40 * GIB}, "compute_capability": [9, 0],
    "sm_clock_mhz": 1980, "max_sm_clock_mhz": 1980, "default_sm_clock_mhz": 1980, "temperature_celsius": 55,
    "power_milliwatts": 500000, "utilization": {"gpu": 90, "memory": 40}, "throttle_reasons": 0, "mig": False,
    "processes": [],
}


def gpus(count, **changes):
    return [H100 | {"uuid": f"GPU-{index}"} | changes for index in range(count)]


class Machine:
    def __init__(self, program, folder):
        self.driver = program.parent.parent / "fake_driver"
        self._file = pathlib.Path(folder) / "gpus.json"

    def describe(self, described):
        """Replaces the file at once, so that nobody reads half of it."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps(DRIVER | {"gpus": described}))
        os.replace(fresh, self._file)

    def environment(self):
        folders = [str(self.driver), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        return os.environ | {"LD_LIBRARY_PATH": ":".join(folders), "FAKE_GPUS": str(self._file)}


@contextlib.contextmanager
def running(process):
    """Ends with the test, however that ends."""
    with process:
        try:
            yield process
        finally:
            process.kill()


def fetched(address, path="/metrics"):
    """The text; empty before the first sample is there."""
    try:
        with urllib.request.urlopen(address + path, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refused:
        assert refused.code == 503
        return ""


def series(text):
    """{'name{labels}': value} of Prometheus' text format."""
    return {name: float(value) for name, value in re.findall(r"^(\w+(?:\{[^\n]*\})?) ([^ \n]+)", text, re.MULTILINE)}


def eventually(look, seconds=60):
    """What `look` gives once it is true; asks again until then. Fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, f"not seen within {seconds} s; last: {seen!r}"
        time.sleep(0.05)
    return seen

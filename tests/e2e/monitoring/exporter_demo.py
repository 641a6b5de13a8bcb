"""The program that serves a scripted machine (libs/monitoring/exporter/tests/exporter_demo.cpp), and clients for it."""

import http.client
import os
import pathlib
import re
import subprocess
import time

NAME = re.compile(r"^# TYPE (\S+) (\w+)$", re.MULTILINE)
DEADLINE_S = 120


def until(condition, what, deadline_s=DEADLINE_S):
    """The first true value of `condition`, which is asked ever again."""
    end = time.monotonic() + deadline_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {deadline_s} s: {what}")


class Demo:
    def __init__(self, program, web_config="", names="", interval_ms=200, **options):
        path = pathlib.Path(program).parent / "exporter_demo"
        assert path.exists(), f"{path} is missing: ./dev test builds it"
        self.process = subprocess.Popen(
            [path, "127.0.0.1:0", str(web_config), names], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "INTERVAL_MS": str(interval_ms)}, **options)
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, problem, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        code = self.process.wait(DEADLINE_S)
        # A sanitizer tells by it of what leaked, too.
        assert problem or code == 0, f"exporter_demo ended with {code}"

    def tell(self, line):
        """Returns when it has been published."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == f"done {line}\n"

    def get(self, path="/metrics", headers=None, **tls):
        """Status and text, by a connection of its own."""
        kind = http.client.HTTPSConnection if tls else http.client.HTTPConnection
        connection = kind("127.0.0.1", self.port, timeout=DEADLINE_S, **tls)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def metrics(self):
        """Of the first sample at the latest."""
        return until(lambda: (lambda status, text: text if status == 200 else None)(*self.get()), "metrics")

    def status(self, field):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s*(\d+)", text, re.MULTILINE).group(1))

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

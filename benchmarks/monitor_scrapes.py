#!/usr/bin/env python3
"""How long scrapes of the monitor's server take, and what it holds: Markdown on standard output.

usage: monitor_scrapes.py EXPORTER_DEMO [--rate 50] [--seconds 60]

EXPORTER_DEMO serves a scripted machine of 8 GPUs, a new sample ten times a second. Scrapes are due at fixed times, and each is
timed from when it was due, so that one that is late counts. One line is of a client that keeps its connection, as Prometheus
does, one of a new connection each.
"""

import argparse
import http.client
import os
import pathlib
import re
import subprocess
import time


def resident_kib(pid):
    return int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))


def scrape(connection):
    connection.request("GET", "/metrics")
    answer = connection.getresponse()
    return answer.status, len(answer.read())


def times_of(port, rate, seconds, keeps):
    """Milliseconds of each scrape, and the bytes of the last."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    times, size = [], 0
    begin = time.perf_counter()
    for number in range(int(rate * seconds)):
        due = begin + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        if not keeps:
            connection.close()
        status, size = scrape(connection)
        if status != 200:
            raise SystemExit(f"a scrape was answered with {status}")
        times.append(1000 * (time.perf_counter() - due))
    connection.close()
    return sorted(times), size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    demo = subprocess.Popen([options.program, "127.0.0.1:0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "INTERVAL_MS": "100"})
    port = int(demo.stdout.readline().rpartition(":")[2])
    while scrape(http.client.HTTPConnection("127.0.0.1", port, timeout=60))[0] != 200:
        time.sleep(0.01)
    print("| connection | scrapes | bytes | median, ms | p99, ms | longest, ms | resident, MiB |\n|---|---|---|---|---|---|---|")
    for name, keeps in (("kept", True), ("new each time", False)):
        times, size = times_of(port, options.rate, options.seconds, keeps)
        at = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.99, 1)]
        print(f"| {name} | {len(times)} | {size} | {at[0]:.2f} | {at[1]:.2f} | {at[2]:.2f} | {resident_kib(demo.pid) / 1024:.1f} |")
    demo.stdin.close()
    demo.wait()


if __name__ == "__main__":
    main()

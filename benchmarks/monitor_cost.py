#!/usr/bin/env python3
"""What `batchscope monitor` costs on a machine of 8 GPUs, those of the fake driver, at a sample a second.

usage: monitor_cost.py PROGRAM FAKE_DRIVER_FOLDER GPUS.json [--seconds 60] [--rate 50]

It serves Prometheus, is scraped RATE times a second, and keeps a log. Prints rows of a Markdown table.
"""

import argparse
import http.client
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid):
    """Resident bytes, and those of them that are its own."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = {name: int(kib) * 1024 for name, kib in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}
    return found["Rss"], found["Private_Dirty"] + found.get("Private_Clean", 0)


def wait_for_a_sample(host, port):
    """Before the first one there is nothing to scrape: 503."""
    while True:
        connection = http.client.HTTPConnection(host, port, timeout=10)
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
        connection.close()
        if status == 200:
            return


def scraped(address, seconds, rate):
    """The times of scrapes, s, at even times whatever each takes."""
    host, port = address.removeprefix("http://").rsplit(":", 1)
    wait_for_a_sample(host, int(port))
    times, begun = [], time.perf_counter()
    for number in range(int(seconds * rate)):
        due = begun + number / rate
        while (left := due - time.perf_counter()) > 0:
            time.sleep(left)
        start = time.perf_counter()
        connection = http.client.HTTPConnection(host, int(port), timeout=10)
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        body = answer.read()
        times.append(time.perf_counter() - start)
        connection.close()
        if answer.status != 200 or b"batchscope_gpu_busy_ratio" not in body:
            raise SystemExit(f"{address}/metrics answered {answer.status}: {body[:200]!r}")
    return sorted(times)


def address_of(process):
    for line in process.stderr:
        found = re.search(r"http://[\d.]+:\d+", line)
        if found:
            return found.group(0)
    raise SystemExit("the monitor named no address")


# A training with its loader workers: PROCESSES of THREADS each, all waiting.
TREE = """
import os, threading, sys
for child in range({processes} - 1):
    if os.fork() == 0:
        break
for thread in range({threads} - 1):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""


def cost_of_watching(program, processes, threads, seconds):
    """CPU seconds a second of a monitor that watches them."""
    script = TREE.format(processes=processes, threads=threads)
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as tree:
        for _ in range(processes):
            tree.stdout.readline()
        command = [program, "monitor", "--quiet", "--pid", str(tree.pid)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(1)
            begun_at, begun = cpu_seconds(process.pid), time.perf_counter()
            time.sleep(seconds)
            cost = (cpu_seconds(process.pid) - begun_at) / (time.perf_counter() - begun)
            process.terminate()
        tree.stdin.close()
    return cost


def memory_after(program, environment, samples):
    """Resident bytes of one that has taken so many samples, ten a second, and those of them that are its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "monitor", "--plain", "--interval", "100ms", "--prometheus", "127.0.0.1:0", "--record", f"{folder}/log.jsonl"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            scraped(address_of(process), samples / 10, rate=1)
            found = memory(process.pid)
            process.terminate()
            process.stderr.read()
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("driver")
    parser.add_argument("gpus")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50)
    options = parser.parse_args()
    environment = os.environ | {"LD_LIBRARY_PATH": options.driver, "FAKE_GPUS": options.gpus}
    with tempfile.TemporaryDirectory() as folder:
        command = [options.program, "monitor", "--plain", "--prometheus", "127.0.0.1:0", "--record", f"{folder}/log.jsonl"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            address = address_of(process)
            quiet_from, quiet_begun = cpu_seconds(process.pid), time.perf_counter()
            time.sleep(options.seconds)
            quiet = (cpu_seconds(process.pid) - quiet_from) / (time.perf_counter() - quiet_begun)
            busy_from, busy_begun = cpu_seconds(process.pid), time.perf_counter()
            times = scraped(address, options.seconds, options.rate)
            busy = (cpu_seconds(process.pid) - busy_from) / (time.perf_counter() - busy_begun)
            resident, own = memory(process.pid)
            process.terminate()
            process.stderr.read()
    print(f"| CPU of `batchscope monitor`, 8 GPUs, a sample a second | {quiet:.2%} of a core | 1 % |")
    print(f"| the same under {options.rate:.0f} scrapes a second | {busy:.2%} of a core | - |")
    watching = cost_of_watching(options.program, 66, 20, options.seconds / 2)
    print(f"| CPU while it watches 66 processes of 20 threads each (`--pid`) | {watching:.2%} of a core | - |")
    print(f"| resident memory after {2 * options.seconds:.0f} s | {resident / MIB:.1f} MiB, of it {own / MIB:.1f} MiB not shared | 20 MiB |")
    samples = int(options.seconds * 25)
    resident, own = memory_after(options.program, environment, samples)
    print(f"| resident memory after {samples} samples | {resident / MIB:.1f} MiB, of it {own / MIB:.1f} MiB not shared | 20 MiB |")
    print(f"| scrape, p99 of {len(times)} at {options.rate:.0f} a second | {times[int(len(times) * 0.99)] * 1e3:.2f} ms "
          f"(median {times[len(times) // 2] * 1e3:.2f}) | 10 ms |")


if __name__ == "__main__":
    main()

"""What a report costs: made of 100,000 samples by PROGRAM. Prints Markdown."""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

TIMES = 5
SIZES = "1,2,3,4,6,8,12,16"
BLOCKS, ITERATIONS = 12, 1042
SAMPLES = len(SIZES.split(",")) * BLOCKS * ITERATIONS


def write_run(program, run):
    subprocess.run([program, "profile", "--engine", "synthetic", "-m", "affine:200us,1ms;anomaly=4:1.25;iteration_sd=0.02",
                    "-b", SIZES, "--blocks", str(BLOCKS), "--iterations", str(ITERATIONS), "--seed", "1", "-q", "-o", run],
                   check=True, capture_output=True)


def seconds_to_make(program, run, report):
    start = time.perf_counter()
    subprocess.run([program, "report", run, "-o", report, "--overwrite"], check=True, capture_output=True)
    return time.perf_counter() - start


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        run, report = pathlib.Path(folder, "run.jsonl"), pathlib.Path(folder, "report.html")
        write_run(program, run)
        made = [seconds_to_make(program, run, report) for _ in range(TIMES)]
        rows = [("making the page, whole program, s", f"{statistics.median(made):.2f} (worst {max(made):.2f})"),
                ("size of the page, MB", f"{report.stat().st_size / 1e6:.2f}")]
    print(f"\n## report of {SAMPLES:,} samples\n\nMedian of {TIMES}.\n\n"
          "| what | value |\n|---|---|")
    for what, value in rows:
        print(f"| {what} | {value} |")
    print("\nTarget: at most 1 s to make, 1.5 MB.")


if __name__ == "__main__":
    main(sys.argv[1])

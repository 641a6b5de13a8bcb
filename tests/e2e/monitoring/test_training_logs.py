"""Logs that frameworks write of a training, where `monitor` and `report` take one; and by what a log was judged."""

import gzip
import json
import random
import re
import signal

import pytest

from conftest import read_lines
from monitored import running

NANO = "".join(f"iter {step}: loss 3.5000, time {2000 if step % 8 == 0 else 125}.00ms, mfu 12.34%\n" for step in range(400))


def trainer_state():
    history = [{"epoch": step / 100, "learning_rate": 5e-5, "loss": float("nan") if step > 500 else 2.0, "step": step}
               for step in range(10, 1000, 10)]
    return {"best_metric": None, "global_step": 1000, "log_history": history, "max_steps": 1000}


def write(cli, name, text):
    (cli.folder / name).write_text(text)
    return name


def replayed(cli, name, *arguments):
    done = cli.run("monitor", "--replay", name, "--format", "json", *arguments)
    return json.loads(done.stdout), done.stderr


def ids(reported):
    return {each["finding"]["id"] for each in reported["findings"]}


def test_a_log_of_text_is_judged_as_steps_are(cli):
    reported, printed = replayed(cli, write(cli, "train.log", "number of parameters: 1M\n" + NANO))
    (loop,) = reported["training"]
    assert (loop["steps"], loop["last_step"]) == (400, 399)
    assert "training.periodic-slow-steps" in ids(reported)
    assert "log of nanoGPT" in printed and "loading_seconds" in printed
    assert "unreadable" not in printed


def test_a_state_without_times_is_judged_by_its_losses(cli):
    name = write(cli, "trainer_state.json", json.dumps(trainer_state(), indent=2, sort_keys=True))
    reported, printed = replayed(cli, name)
    assert ids(reported) == {"training.loss-not-finite"}
    assert "step_seconds" not in reported["training"][0]
    assert "lacks seconds (" in printed
    assert "no step times reported" in cli.run("monitor", "--replay", name).stdout


@pytest.mark.parametrize("page", ["page.html", "page.md"])
def test_a_report_takes_them_whatever_they_are_called(cli, page):
    for name, text in (("trainer_state.json", json.dumps(trainer_state(), indent=2)), ("train.log", NANO)):
        write(cli, name, text)
        printed = cli.run("report", name, "-o", page, "--overwrite").stderr
        assert ": format " in printed
        assert "loss" in (cli.folder / page).read_text()


def test_a_file_that_is_there_is_followed_and_no_socket(cli):
    write(cli, "train.log", NANO)
    write(cli, "steps", NANO)
    for name in ("train.log", "steps"):
        done = cli.run("monitor", "--plain", "--interval", "100ms", "--duration", "1s", "--steps", name, "--format", "json")
        assert json.loads(done.stdout)["training"][0]["steps"] == 400
        assert (cli.folder / name).read_text() == NANO


@pytest.mark.parametrize(("text", "printed"), [("no step\n", "received no training step from train.log"),
                                            ('{"step": 1, "loss": 2}\n', "seconds is missing")])
def test_a_file_without_steps_is_reported(cli, text, printed):
    write(cli, "train.log", text)
    assert printed in cli.run("monitor", "--plain", "--interval", "100ms", "--duration", "300ms", "--steps", "train.log").stderr


def test_a_socket_is_still_made(cli):
    with running(cli.start("monitor", "--plain", "--interval", "100ms", "--steps", "steps.sock")) as process:
        process.stdout.readline()
        assert (cli.folder / "steps.sock").is_socket()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_compressed_logs_are_read_as_others(cli):
    header = {"type": "monitor", "schema_version": 1, "tool_version": "0", "created": "2026-10-01T12:00:00Z", "host": "h"}
    steps = [{"type": "step", "time_ns": 1_790_000_000_000_000_000 + step * 1_000_000_000, "step": step, "seconds": 1.0}
             for step in range(50)]
    for name, text in (("train.log", NANO), ("log.jsonl", "".join(json.dumps(line) + "\n" for line in [header, *steps]))):
        write(cli, name, text)
        (cli.folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        plain, packed = replayed(cli, name)[0], replayed(cli, f"{name}.gz")[0]
        assert plain["training"] == packed["training"] and ids(plain) == ids(packed)
        assert plain["training"][0]["steps"] > 0
        cli.run("report", f"{name}.gz", "-o", "page.md", "--overwrite")
    printed = cli.run("monitor", "--plain", "--duration", "1s", "--steps", "train.log.gz", check=1).stderr
    assert "compressed" in printed and "--replay" in printed


def test_what_is_no_log_says_which_are_known(cli):
    write(cli, "notes.txt", "nothing\nof that kind\n")
    printed = cli.run("monitor", "--replay", "notes.txt", check=3).stderr
    assert "notes.txt" in printed and "Megatron-LM" in printed and "trainer" in printed.lower()


def test_lines_of_the_feed_are_replayed_and_what_is_missing_is_named(cli):
    random.seed(5)
    write(cli, "steps.jsonl", "".join(
        json.dumps({"step": step, "seconds": 210 if step == 187 else 2 + random.random() / 10, "batch_size": 4,
                    "loading_seconds": 208 if step == 187 else 0.01}) + "\n" for step in range(300)))
    reported, printed = replayed(cli, "steps.jsonl")
    (found,) = reported["findings"]
    assert found["finding"]["id"] == "training.slow-steps"
    assert "Step 187 " in found["finding"]["message"]
    assert found["finding"]["cause"] == "it waited for its batch"
    assert "it lacks" not in printed
    write(cli, "bad.jsonl", '{"step": 1, "loss": 2}\n')
    assert "seconds is missing" in cli.run("monitor", "--replay", "bad.jsonl", check=3).stderr


def judged_by(cli, name):
    return {each["name"]: each["value"] for each in read_lines(cli.folder / name)[0]["judged_by"]}


def busy_log(cli, name, *flags):
    """A GPU that is busy for a quarter of the time, recorded with targets."""
    cli.run("monitor", "--plain", "--interval", "100ms", "--duration", "300ms", "--record", name, *flags)
    (header, *_) = read_lines(cli.folder / name)
    gpu = {"gpu": "0", "up": True, "name": "NVIDIA H100 80GB HBM3", "busy_ratio": 0.25, "memory_used_bytes": 8 << 30,
           "memory_total_bytes": 80 << 30, "processes": [{"pid": 7, "memory_used_bytes": 8 << 30}]}
    lines = [{"type": "sample", "time_ns": 1_790_000_000_000_000_000 + second * 1_000_000_000, "gpus": [gpu],
              "host": {"cpus": 16, "cpu_busy_ratio": 0.3}} for second in range(400)]
    header.pop("window_seconds", None)
    return header, lines


def test_a_log_is_judged_by_the_targets_of_then(cli):
    header, lines = busy_log(cli, "log.jsonl", "--gpu-busy", "10-20%", "--gpu-memory", "5-10%", "--cpu-busy", "1-2%")
    by = judged_by(cli, "log.jsonl")
    assert (by["gpu_busy_low"], by["gpu_busy_high"], by["gpu_memory_high"], by["cpu_busy_low"]) == (0.1, 0.2, 0.1, 0.01)
    header["judged_by"] = [each for each in header["judged_by"] if not each["name"].endswith("_seconds")]

    def found(name, head, *flags):
        (cli.folder / name).write_text("".join(json.dumps(line) + "\n" for line in [head, *lines]))
        return ids(replayed(cli, name, *flags)[0])

    usual = {key: value for key, value in header.items() if key != "judged_by"}
    without, then = found("old.jsonl", usual), found("then.jsonl", header)
    assert "monitor.low-use" in without - then
    assert found("typed.jsonl", header, "--gpu-busy", "75-95%", "--gpu-memory", "80-95%", "--cpu-busy", "50-80%") == without


def test_a_page_speaks_of_the_targets_that_it_is_judged_by(cli):
    header, lines = busy_log(cli, "log.jsonl", "--gpu-busy", "50-95%")
    header["judged_by"] = [each for each in header["judged_by"] if not each["name"].endswith("_seconds")]
    for name, head, least in (("then", header, "50 %"), ("usual", {**header, "judged_by": []}, "75 %")):
        (cli.folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [head, *lines]))
        assert "monitor.low-use" in ids(replayed(cli, f"{name}.jsonl")[0])
        cli.run("report", f"{name}.jsonl", "-o", f"{name}.html")
        page = (cli.folder / f"{name}.html").read_text()
        assert set(re.findall(r"The GPU is busy less than ([0-9.]+ %) of the time", page)) == {least}


def test_targets_of_another_version_are_passed_over(cli):
    header, lines = busy_log(cli, "log.jsonl")
    header["judged_by"].append({"name": "of_tomorrow", "value": 1})
    (cli.folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    assert "unreadable" not in replayed(cli, "log.jsonl")[1]

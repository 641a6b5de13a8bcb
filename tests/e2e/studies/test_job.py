"""A study as a job: its blocks are measured one by one, anywhere, and merged."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest

from conftest import read_lines

LAW = "synthetic:affine:2ms,10ms;anomaly=4:1.25"


@pytest.fixture(autouse=True)
def own_node(monkeypatch, tmp_path):
    """Blocks of one node wait for each other; those of two tests need not."""
    monkeypatch.setenv("BATCHSCOPE_NODE", str(tmp_path)[-60:])


def make_job(cli, blocks=6, job="job", *more, model=LAW, **options):
    return cli.run("profile", "-m", model, "-b", "1,2,4,8", "--threads", "1", "--seed", "5", "--blocks", blocks, "--job", job,
                   *more, **options)


def block(cli, *blocks, job="job", **options):
    return cli.run("block", job, *blocks, "-q", **options)


def samples(path):
    return {(each["block"], each["config"]): (each["order"], each["warmup_ns"], each["samples_ns"])
            for each in read_lines(path) if each["type"] == "visit"}


def merged(cli, job="job", name="run.jsonl"):
    cli.run("merge", job, "-o", name)
    return samples(cli.folder / name)


def of_type(path, kind):
    return [each for each in read_lines(path) if each["type"] == kind]


def test_samples_are_the_same_in_any_order_and_in_any_process(cli):
    make_job(cli)
    subprocess.run(f"seq 0 5 | xargs -n1 {cli.program} block job -q", shell=True, check=True, cwd=cli.folder)
    one_by_one = merged(cli)
    assert len(one_by_one) == 24
    make_job(cli, 6, "other")
    block(cli, 1, 0, 5, 3, job="other")
    block(cli, 4, job="other")
    block(cli, 2, job="other")
    assert merged(cli, "other", "other.jsonl") == one_by_one
    run = cli.folder / "run.jsonl"
    assert [each["block"] for each in of_type(run, "place")] == [0, 1, 2, 3, 4, 5]
    assert len(of_type(run, "node")) == 1
    assert of_type(run, "end")[0]["reason"] == "blocks-done"
    found = json.loads(cli.run("analyze", "run.jsonl", "--format", "json").stdout)
    assert [each["batch_size"] for each in found["configs"]] == [1, 2, 4, 8]


def test_its_first_blocks_are_those_of_one_machine(cli):
    make_job(cli, 2)
    block(cli, 0, 1)
    cli.run("profile", "-m", LAW, "-b", "1,2,4,8", "--threads", "1", "--seed", "5", "--blocks", 2, "-o", "one.jsonl", "-q")
    assert merged(cli) == samples(cli.folder / "one.jsonl")


def test_eight_at_once_make_one_part(cli):
    make_job(cli, 2)
    running = [cli.start("block", "job", 0) for _ in range(8)]
    printed = [each.communicate()[1] for each in running]
    assert [each.returncode for each in running] == [0] * 8
    assert sum("measured" in text for text in printed) == 1
    assert os.listdir(cli.folder / "job/parts") == ["0.jsonl"]
    assert len(of_type(cli.folder / "job/parts/0.jsonl", "visit")) == 4


def test_blocks_may_be_measured_from_another_folder(cli):
    elsewhere = cli.folder / "elsewhere"
    elsewhere.mkdir()
    make_job(cli, 3)
    cli.run("block", "../job", 0, 1, 2, "-q", cwd=elsewhere)
    assert len(merged(cli)) == 12
    assert not list(elsewhere.iterdir())


def test_other_blocks_need_the_scouts(cli):
    make_job(cli, 4)
    assert "0 and 1" in block(cli, 2, check=1).stderr
    block(cli, 0, check=0)
    block(cli, 2, check=1)
    block(cli, 1, 2, check=0)


def test_more_blocks_are_added_and_nothing_else(cli):
    make_job(cli, 3)
    block(cli, 0, 1, 2)
    before = merged(cli)
    make_job(cli, 5)
    block(cli, *range(5))
    after = merged(cli)
    assert {key: value for key, value in after.items() if key[0] < 3} == before
    assert len(after) == 20
    assert "--timeout" in make_job(cli, 5, "job", "--timeout", "7s", check=2).stderr
    assert "--blocks" in make_job(cli, 4, check=2).stderr
    cli.run("profile", "-m", LAW, "-b", "1,2", "--threads", "1", "--blocks", 5, "--job", "job", check=2)


def test_missing_blocks_are_named_and_a_merged_run_is_not_resumed(cli):
    make_job(cli, 4)
    block(cli, 0, 1)
    assert "2, 3" in cli.run("merge", "job", "-o", "run.jsonl").stderr
    assert of_type(cli.folder / "run.jsonl", "end")[0]["reason"] == "interrupted"
    refused = cli.run("profile", "--resume", "-o", "run.jsonl", check=3)
    assert "batchscope block" in refused.stderr
    (cli.folder / "mine.jsonl").write_text("mine\n")
    cli.run("merge", "job", "-o", "mine.jsonl", check=2)
    assert (cli.folder / "mine.jsonl").read_text() == "mine\n"


def changed(path, change):
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record) + "\n")


@pytest.mark.parametrize("change", [lambda job: job.update(job_version=99),
                                    lambda job: job["header"].update(tool_version="0.0.1"),
                                    lambda job: job["header"]["models"][0].update(hash="another"),
                                    lambda job: job.update(blocks=0)])
def test_another_version_or_model_is_refused_before_anything_is_measured(cli, change):
    make_job(cli)
    changed(cli.folder / "job/job.json", change)
    block(cli, 0, check=3)
    assert not (cli.folder / "job/parts").exists()


def test_a_part_that_is_cut_short_is_refused(cli):
    make_job(cli, 3)
    block(cli, 0, 1, 2)
    part = cli.folder / "job/parts/2.jsonl"
    full = part.read_bytes()
    for bytes_left in len(full) // 2, full[:-1].rfind(b"\n") + 1:
        part.write_bytes(full[:bytes_left])
        assert "parts/2.jsonl" in cli.run("merge", "job", "-o", "run.jsonl", check=3).stderr
    part.unlink()
    block(cli, 2)
    cli.run("merge", "job", "-o", "run.jsonl")
    assert samples(part) == {key: value for key, value in samples(cli.folder / "run.jsonl").items() if key[0] == 2}


def test_what_fails_is_an_event_and_left_out_from_then_on(cli):
    make_job(cli, 4, model="synthetic:affine:2ms,10ms;throw_at=4")
    block(cli, *range(4))
    assert len(merged(cli)) == 12
    failed = [each for each in of_type(cli.folder / "run.jsonl", "event") if each["kind"] == "error"]
    assert [each["block"] for each in failed] == [0, 1]


def test_scouts_that_measure_nothing_end_the_study(cli):
    cli.run("profile", "-m", "synthetic:affine:2ms,10ms;throw_at=4", "-b", "4", "--threads", "1", "--blocks", 4, "--job", "job")
    block(cli, 0, 1)
    block(cli, 2, check=3)


def test_a_block_ends_with_its_standard_input_where_asked(cli):
    make_job(cli, 2, "job", "--min-visit-time", "100s", model="synthetic:affine:2ms,10ms;real=1")
    running = cli.start("block", "job", 0, "--end-with-stdin", stdin=subprocess.PIPE)
    time_out = time.monotonic() + 60
    while not children_of(running.pid) and time.monotonic() < time_out:
        pass
    workers = children_of(running.pid)
    assert workers
    running.stdin.close()
    assert running.wait(timeout=20) == 130
    assert not (cli.folder / "job/parts").exists()


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return file.read().split()
    except OSError:
        return []


def descendants_of(pid):
    children = children_of(pid)
    return [each for child in children for each in (*descendants_of(child), child)]


def test_an_interrupted_block_leaves_no_part_even_where_the_signal_was_blocked(cli):
    make_job(cli, 2, "job", "--min-visit-time", "100s", model="synthetic:affine:2ms,10ms;real=1")
    running = cli.start("block", "job", 0, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]))
    while not children_of(running.pid):
        pass
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=20) == 130
    assert not (cli.folder / "job/parts").exists()


def test_a_task_whose_processes_all_get_the_signal_leaves_no_part(cli):
    make_job(cli, 2, "job", "--min-visit-time", "100s", model="synthetic:affine:2ms,10ms;real=1")
    running = cli.start("block", "job", 0)
    while not children_of(running.pid):
        pass
    for pid in [*map(int, descendants_of(running.pid)), running.pid]:
        os.kill(pid, signal.SIGTERM)
    assert running.wait(timeout=20) == 130
    assert not (cli.folder / "job/parts").exists()


def test_an_engine_does_not_change_the_conditions(cli):
    make_job(cli, 1, env=os.environ | {"OMP_NUM_THREADS": "3"})
    assert json.loads((cli.folder / "job/job.json").read_text())["environment"]["OMP_NUM_THREADS"] == "3"
    block(cli, 0, env=os.environ | {"BATCHSCOPE_NODE": "n7", "SLURM_JOB_ID": "41", "SLURM_RESTART_COUNT": "1"},
          preexec_fn=lambda: os.nice(5))
    part = cli.folder / "job/parts/0.jsonl"
    place = of_type(part, "place")[0]
    assert of_type(part, "node")[0]["name"] == "n7"
    assert (place["job"], place["restarts"], place["devices"]) == ("slurm 41", 1, ["cpu"])
    assert place["nice"] == os.nice(0) + 5
    assert place["begin_ns"] < place["end_ns"]
    assert len([each for each in of_type(part, "event") if each["kind"] == "warning"]) == 2


@pytest.mark.parametrize("flags", [["--diagnose"], ["--budget", "60s"], ["--controls", "auto"], ["--isolation", "none"]])
def test_what_goes_step_by_step_is_refused(cli, flags):
    refused = make_job(cli, 6, "job", *flags, check=2)
    assert flags[0] in refused.stderr
    assert not (cli.folder / "job").exists()


def test_a_job_needs_a_number_of_blocks(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--job", "job", check=2)


def test_a_job_may_be_for_devices_that_are_not_here(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--device", "cuda:7", "--blocks", 3, "--job", "job")


def test_a_late_writer_is_dropped(cli):
    make_job(cli, 1, "job", "--iterations", "30", model="synthetic:affine:20ms,1ms;real=1")
    late = cli.start("block", "job", 0)
    while not children_of(late.pid):
        assert late.poll() is None
    part = cli.folder / "job/parts/0.jsonl"
    part.parent.mkdir(exist_ok=True)
    part.write_text("made meanwhile\n")
    assert "dropped" in late.communicate()[1]
    assert late.returncode == 0
    assert part.read_text() == "made meanwhile\n"
    assert os.listdir(part.parent) == ["0.jsonl"]


def test_a_full_disk_leaves_no_torn_part(cli):
    make_job(cli, 1)
    full = cli.run("block", "job", 0, check=1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
    assert "parts/0.jsonl" in full.stderr
    assert os.listdir(cli.folder / "job/parts") == []
    block(cli, 0)

"""`batchscope monitor` as its users call it: once, for a while, around a command, on a log."""

import itertools
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys

import pytest

from conftest import ROOT, read_lines
from monitored import H100, Machine, eventually, fetched, gpus, running, series

INTERVAL = ("--interval", "100ms")


@pytest.fixture
def machine(program, tmp_path):
    made = Machine(program, tmp_path)
    if not (made.driver / "libnvidia-ml.so.1").exists():
        pytest.skip(f"no driver library in {made.driver}: the target device_tests makes it")
    return made


def once(cli, *arguments, **options):
    done = cli.run("monitor", "--once", *INTERVAL, "--format", "json", *arguments, **options)
    return json.loads(done.stdout)


def test_a_machine_without_gpus_is_watched_and_says_so(cli):
    reported = once(cli)
    assert reported["reading"]["host"]["cpu_busy_ratio"] >= 0
    assert reported["reading"]["host"]["memory_total_bytes"] > 0
    assert reported["reading"]["gpu_absent"]
    text = cli.run("monitor", "--once", *INTERVAL).stdout
    assert "CPU" in text and reported["reading"]["gpu_absent"][:20] in text


def test_a_driver_that_is_not_loaded_is_reported_and_fails_nothing(cli, machine):
    environment = machine.environment() | {"FAKE_GPUS": str(ROOT / "libs/machine/gpu/tests/fixtures/no_driver.json")}
    text = cli.run("monitor", "--once", *INTERVAL, "--fail-on", "info", env=environment).stdout
    assert re.search("^cannot query any GPU: .*Driver Not Loaded", text, re.MULTILINE)
    assert "no other fault found" in text
    assert "Driver Not Loaded" in once(cli, env=environment)["reading"]["gpu_absent"]
    watched = ("monitor", "--duration", "300ms", *INTERVAL)
    assert "No GPU could be queried: " in cli.run(*watched, env=environment).stdout
    assert "Driver Not Loaded" in json.loads(cli.run(*watched, "--format", "json", env=environment).stdout)["gpu_absent"]


def test_of_eight_gpus_each_is_reported(cli, machine):
    machine.describe(gpus(8))
    reported = once(cli, env=machine.environment())
    read = reported["reading"]["gpus"]
    assert [each["gpu"] for each in read] == [str(number) for number in range(8)]
    assert all(each["up"] and each["busy_ratio"] == 0.9 and each["power_watts"] == 500 for each in read)


def test_a_lost_gpu_is_down_and_the_others_go_on(cli, machine):
    machine.describe([*gpus(3), {"name": "NVIDIA H100 80GB HBM3", "lost_after_calls": 0}])
    done = cli.run("monitor", *INTERVAL, "--duration", "3s", "--window", "1s", "--format", "json", "--fail-on", "high",
                   check=5, env=machine.environment())
    reported = json.loads(done.stdout)
    assert [each["down_seconds"] > 0 for each in reported["gpus"]] == [False, False, False, True]
    assert "lost" in reported["gpus"][3]["why_down"]
    assert any(each["finding"]["severity"] == "high" and "lost" in each["finding"]["message"] for each in reported["findings"])


def test_a_gpu_that_goes_and_comes_back(cli, machine):
    machine.describe(gpus(2))
    with running(cli.start("monitor", "--plain", *INTERVAL, "--prometheus", "127.0.0.1:0", stderr=subprocess.PIPE,
                   stdout=subprocess.DEVNULL, env=machine.environment())) as process:
        address = address_of(process)
        up = 'batchscope_gpu_up{gpu="1",uuid="GPU-1"}'
        eventually(lambda: series(fetched(address)).get(up) == 1)
        machine.describe([*gpus(1), {"name": H100["name"], "uuid": "GPU-1", "lost_after_calls": 0}])
        eventually(lambda: series(fetched(address)).get(up) == 0)
        assert not any(name.startswith("batchscope_gpu_busy_ratio{") and '"1"' in name for name in series(fetched(address)))
        assert series(fetched(address))['batchscope_gpu_busy_ratio{gpu="0",uuid="GPU-0"}'] == 0.9
        assert fetched(address, "/healthz").strip() == "ok"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def address_of(process):
    for line in process.stderr:
        line = line.decode() if isinstance(line, bytes) else line
        if found := re.search(r"http://[\d.]+:\d+", line):
            return found.group(0)
    pytest.fail("no address was named")


def test_a_command_keeps_its_exit_code_and_its_output(cli):
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)"
    done = cli.run("monitor", *INTERVAL, "--quiet", "--", sys.executable, "-c", script, check=7)
    assert done.stdout == "out\n"
    assert done.stderr.startswith("err\n")


def test_flags_behind_the_dashes_are_the_commands(cli):
    done = cli.run("monitor", "--", "printf", "%s|", "--once", "-x", "--", "--record")
    assert done.stdout == "--once|-x|--|--record|"


def test_a_command_that_cannot_be_started_is_an_error(cli):
    done = cli.run("monitor", "--", "/nowhere/program", check=1)
    assert "/nowhere/program" in done.stderr


def test_a_command_that_is_killed_ends_as_a_shell_says(cli):
    cli.run("monitor", *INTERVAL, "--", "sh", "-c", "kill -9 $$", check=137)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_sent_to_the_monitor_alone_reaches_the_command(cli, sent):
    # A signal just before a sleep would be seen only after it.
    script = f"import signal, sys, time; signal.signal({int(sent)}, lambda *_: sys.exit(3)); print('up', flush=True)\nwhile True: time.sleep(0.1)"
    with running(cli.start("monitor", *INTERVAL, "--", sys.executable, "-c", script, stdout=subprocess.PIPE)) as process:
        process.stdout.readline()
        process.send_signal(sent)
        assert process.wait(60) == 3


# It cleans up for longer than the monitor would take to send it a second one.
COUNTS_SIGNALS = """import signal, time
got = []
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGTERM: signal.signal(number, lambda number, _: got.append(number))
print('up', flush=True)
while not got: time.sleep(0.01)
time.sleep(0.7)
print(f'got {len(got)}', flush=True)"""


@pytest.mark.parametrize("key", [b"\x03", b"\x1c"])
def test_what_a_terminal_sends_reaches_the_command_once(cli, key):
    command = [cli.program, "monitor", "-q", *INTERVAL, "--", sys.executable, "-c", COUNTS_SIGNALS]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], list(map(str, command)))
    try:
        printed = read_until(terminal, b"up")
        os.write(terminal, key)
        assert b"got 1" in printed + read_until(terminal, b"got ", 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        os.close(terminal)


def read_until(terminal, word, more=0):
    printed = b""
    while word not in printed or len(printed) < printed.index(word) + len(word) + more:
        printed += os.read(terminal, 4096)
    return printed


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_what_the_full_group_is_sent_reaches_the_command_once(cli, sent):
    command = ("monitor", "-q", *INTERVAL, "--", sys.executable, "-c", COUNTS_SIGNALS)
    with running(cli.start(*command, start_new_session=True)) as process:
        process.stdout.readline()
        os.killpg(process.pid, sent)
        assert process.communicate(timeout=60)[0] == "got 1\n"
        assert process.returncode == 0


def test_a_reader_that_has_gone_ends_the_monitor_quietly(cli):
    with running(cli.start("monitor", "--plain", *INTERVAL, "--record", "log.jsonl")) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == ""
    assert len(read_lines(cli.folder / "log.jsonl")) > 1


def test_a_command_outlives_the_reader_of_what_is_reported(cli):
    with running(cli.start("monitor", "--plain", *INTERVAL, "--", "sh", "-c", "sleep 1; exit 4")) as process:
        process.stdout.close()
        process.stderr.close()
        assert process.wait(60) == 4


def test_the_processes_of_the_command_are_watched(cli):
    script = "import time\nwhile time.process_time() < 2: pass"
    cli.run("monitor", *INTERVAL, "--record", "log.jsonl", "--", sys.executable, "-c", script)
    samples = [line for line in read_lines(cli.folder / "log.jsonl") if line["type"] == "sample"]
    used = sum(each.get("cpu_cores", 0) * (after["time_ns"] - before["time_ns"]) / 1e9
               for before, after in itertools.pairwise(samples) for each in after.get("processes", ()))
    assert 1 < used < 2.5  # seconds of a CPU, however long they take


def test_a_log_replayed_gives_what_was_found(cli, machine):
    machine.describe([*gpus(1), {"name": "NVIDIA H100 80GB HBM3", "lost_after_calls": 0}])
    cli.run("monitor", "--plain", *INTERVAL, "--duration", "3s", "--window", "1s", "--record", "log.jsonl",
            env=machine.environment())
    lines = read_lines(cli.folder / "log.jsonl")
    assert lines[0]["type"] == "monitor" and lines[0]["interval_seconds"] == 0.1
    live = {line["finding"]["id"] for line in lines if line["type"] == "finding"}
    reported = json.loads(cli.run("monitor", "--replay", "log.jsonl", "--window", "1s", "--format", "json").stdout)
    assert live and {each["finding"]["id"] for each in reported["findings"]} == live
    assert "lost" in cli.run("monitor", "--replay", "log.jsonl", "--window", "1s").stdout


def test_a_killed_monitor_leaves_a_log_that_can_be_read(cli):
    log = cli.folder / "log.jsonl"
    with running(cli.start("monitor", "--plain", *INTERVAL, "--record", "log.jsonl", stdout=subprocess.DEVNULL)) as process:
        eventually(lambda: log.exists() and log.read_text().count('"sample"') >= 3)
        process.kill()
    assert cli.run("monitor", "--replay", "log.jsonl").stdout


@pytest.mark.parametrize(("broken", "printed"), [(1, "1 line of log.jsonl is unreadable: "),
                                              (2, "2 lines of log.jsonl are unreadable; first one: ")])
def test_lines_that_are_not_understood_are_counted(cli, broken, printed):
    cli.run("monitor", "--plain", *INTERVAL, "--duration", "300ms", "--record", "log.jsonl")
    with (cli.folder / "log.jsonl").open("a") as log:
        log.write("{\n" * broken)
    assert printed in cli.run("monitor", "--replay", "log.jsonl").stderr


def test_steps_come_through_a_socket(cli):
    with running(cli.start("monitor", "--plain", *INTERVAL, "--steps", "steps.sock", "--record", "log.jsonl",
                   stdout=subprocess.DEVNULL)) as process:
        path = cli.folder / "steps.sock"
        eventually(path.exists)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            for step in range(50):
                client.sendall(json.dumps({"step": step, "seconds": 0.25, "loss": 1 / (step + 1)}).encode() + b"\n")
            log = cli.folder / "log.jsonl"
            eventually(lambda: log.exists() and log.read_text().count('"type":"step"') == 50)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert not path.exists()


def test_steps_come_out_of_a_file_that_grows(cli):
    steps = cli.folder / "steps.jsonl"
    steps.write_text('{"step": 1, "seconds": 1}\n')
    with running(cli.start("monitor", "--plain", *INTERVAL, "--steps", "steps.jsonl", "--record", "log.jsonl",
                   stdout=subprocess.DEVNULL)) as process:
        log = cli.folder / "log.jsonl"
        eventually(lambda: log.exists() and log.read_text().count('"type":"step"') == 1)
        with steps.open("a") as file:
            file.write('{"step": 2, "seconds": 1, "loss": NaN}\n')
        eventually(lambda: '"loss_word":"nan"' in log.read_text())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_process_that_is_watched_ends_the_monitor_with_it(cli):
    with subprocess.Popen(["sleep", "600"]) as watched:
        with running(cli.start("monitor", "--plain", *INTERVAL, "--pid", watched.pid, stdout=subprocess.PIPE)) as process:
            process.stdout.readline()
            watched.kill()
            watched.wait()
            assert process.wait(60) == 0


@pytest.mark.parametrize("arguments, printed", [
    (("--once", "--duration", "1s"), "--once"),
    (("--replay", "x.jsonl", "--pid", "1"), "--replay"),
    (("--web-config", "web.yml"), "--prometheus"),
    (("--gpu-busy", "95-75%"), "--gpu-busy"),
    (("--gpu-busy", "much"), "--gpu-busy"),
    (("--interval", "1"), "--interval"),
    (("--interval", "1ms"), "--interval"),
    (("--fail-on", "bad"), "--fail-on"),
])
def test_what_cannot_be_meant_is_refused(cli, arguments, printed):
    assert printed in cli.run("monitor", *arguments, check=2).stderr


def test_a_log_that_exists_is_kept(cli):
    (cli.folder / "log.jsonl").write_text("mine\n")
    cli.run("monitor", "--once", *INTERVAL, "--record", "log.jsonl", check=2)
    assert (cli.folder / "log.jsonl").read_text() == "mine\n"


def test_a_log_that_is_none_is_an_input_error(cli):
    (cli.folder / "log.jsonl").write_text('{"type":"header"}\n')
    assert "log.jsonl" in cli.run("monitor", "--replay", "log.jsonl", check=3).stderr
    cli.run("monitor", "--replay", "nowhere.jsonl", check=3)


def test_a_reader_that_leaves_ends_nothing_with_an_error(cli):
    process = cli.start("monitor", "--plain", *INTERVAL, "--duration", "1s", stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.wait(60) in (0, 141)


def test_a_terminal_gets_a_screen_and_gets_its_own_back(cli, program):
    import pty

    parent, child = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen([program, "monitor", *INTERVAL, "--duration", "1s"], stdout=child, stdin=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=environment, cwd=cli.folder):
        os.close(child)
        shown = b""
        try:
            while piece := os.read(parent, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
    os.close(parent)
    assert b"\x1b[?1049h" in shown and b"\x1b[?1049l" in shown
    assert shown.index(b"\x1b[?25l") < shown.rindex(b"\x1b[?25h")
    assert b"CPU" in shown

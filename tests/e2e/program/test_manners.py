"""How the program behaves at a shell: help, messages, pipes that nobody reads on, colours, answers, progress."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios

import pytest

from verbs import VERBS, flags_of

LAW = "synthetic:affine:2ms,1ms"
NOISY = "synthetic:affine:2ms,1ms;visit_sd=0.2"


@pytest.fixture
def run_file(cli):
    cli.run("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "-o", "run.jsonl")
    return "run.jsonl"


# Help


def test_the_help_of_a_verb_is_found_in_two_ways(cli):
    listed = cli.run("help").stdout
    for verb in VERBS:
        assert re.search(rf"^  {verb} ", listed, re.MULTILINE)
        assert cli.run("help", *verb.split()).stdout == cli.run(*verb.split(), "--help").stdout


def test_the_help_of_a_group_lists_its_verbs(cli):
    listed = cli.run("help", "baseline").stdout
    assert listed.startswith("Usage: batchscope baseline VERB") and "profile" not in listed
    for verb in ("save", "list", "compare"):
        assert re.search(rf"^  baseline {verb} +\w", listed, re.MULTILINE)
    assert cli.run("baseline", "--help").stdout == cli.run("baseline", check=2).stdout == listed
    assert "--overwrite" in flags_of(cli, "baseline save") and "--margin" in flags_of(cli, "baseline compare")


def test_the_usual_flags_come_first(cli):
    text = cli.run("profile", "--help-all").stdout
    headings = re.findall(r"^(\w[\w ,]+):$", text, re.MULTILINE)
    assert headings[0] == "Usual flags" and len(headings) > 5
    assert headings[-3:] == ["Other flags", "Old flags, for one more version", "Examples"]
    assert text.index("--batch-sizes SIZES") < text.index("--optimizer")
    assert all(len(line) <= 100 for line in text.splitlines())


def test_the_help_of_every_verb_fits_a_screen(cli):
    shown = {verb: cli.run(*verb.split(), "--help").stdout for verb in VERBS}
    flags = {verb: len(re.findall(r"^  (?:-\w, |    )--", text, re.MULTILINE)) for verb, text in shown.items()}
    assert all(0 < count <= 20 for count in flags.values()), flags
    assert sum(flags[verb] for verb in ("profile", "tune", "compare")) <= 50
    for verb, text in shown.items():
        rest = set(flags_of(cli, verb)) - set(re.findall(r"--[\w-]+", text))
        assert not rest or f"{verb} --help-all" in text


def test_every_group_of_flags_has_help(cli):
    headings = re.findall(r"^(\w[\w ,]+):$", cli.run("tune", "--help-all").stdout, re.MULTILINE)
    topics = re.search(r"batchscope help\s+([a-z|-]+)\.$", cli.run("tune", "--help").stdout)[1].split("|")
    shown = [cli.run("help", topic).stdout for topic in topics]
    assert {text.split(" (")[0] for text in shown} == set(headings) - {
        "Usual flags", "Other flags", "Old flags, for one more version", "Examples"}


def test_help_tells_of_findings_and_of_metrics(cli):
    reported = cli.run("help", "scaling.departure").stdout
    assert reported.startswith("## scaling.departure: ")
    assert reported in cli.run("help", "findings").stdout
    assert "| `excess_over_law` | ratio |" in cli.run("help", "metrics").stdout


# Messages about what was typed


@pytest.mark.parametrize("arguments, words", [
    (["profle"], "did you mean profile?"),
    (["help", "anlyze"], "did you mean analyze?"),
    (["help", "scaling.departre"], "did you mean scaling.departure?"),
    (["baselin", "list"], "did you mean baseline?"),
    (["baseline", "sve"], "did you mean save?"),
    (["help", "baseline", "lst"], "did you mean list?"),
    (["baseline", "save", "main", "run.jsonl", "--overwrit"], "did you mean --overwrite?"),
    (["profile", "-m", LAW, "--batchsizes", "1"], "did you mean --batch-sizes?"),
    (["profile", "-m", LAW, "--isolation", "blok"], "did you mean block?"),
    (["profile", "-m", LAW, "--precision", "fp23"], "did you mean fp32?"),
    (["profile", "-m", LAW, "--blocks", "many"], "an integer from 1 to 100000"),
    (["profile", "-m", LAW, "--blocks"], "--blocks: needs a value"),
    (["profile", "-m", LAW, "--blocks", "2", "--blocks", "3"], "--blocks: appears 2 times (give it once)"),
    (["profile", "-m", LAW, "--only", "memory"], "add --diagnose, or omit this flag"),
    (["embed", "--texts", "a.txt"], "--model: is missing (add --model MODEL;"),
    (["doctor", "now"], "unexpected argument 'now'"),
    (["completion", "tcsh"], "choose one of bash, zsh, fish"),
])
def test_a_message_says_how_to_mend_it(cli, arguments, words):
    printed = cli.run(*arguments, check=2).stderr
    assert words in printed and len(printed.splitlines()) == 1


def test_a_baseline_that_is_misspelt_is_recognised(cli, run_file):
    cli.run("baseline", "save", "main", run_file)
    for typed in (["baseline", "compare", "mian", run_file], ["compare", "mian", run_file]):
        assert "did you mean main?" in cli.run(*typed, check=2).stderr


@pytest.mark.model
def test_a_model_that_is_misspelt_is_recognised(cli):
    printed = cli.run("profile", "-m", "distilbret", "-b", "1", check=2).stderr
    assert "did you mean distilbert?" in printed


# A reader that goes away


def to_nobody(cli, *arguments):
    """Exit code and messages of a call whose output nobody reads."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run([str(cli.program), *arguments], stdout=write, stderr=subprocess.PIPE, text=True, cwd=cli.folder,
                              timeout=300, check=False)
    finally:
        os.close(write)
    return done.returncode, done.stderr


def test_every_verb_is_silent_where_nobody_reads(cli, run_file):
    (cli.folder / "t.csv").write_text("batch,latency_ms\n1,2\n2,3\n")
    cli.run("baseline", "save", "main", run_file)
    calls = [["--help"], ["--version"], *(["help", *verb.split()] for verb in VERBS), ["help", "baseline"], ["completion", "bash"],
             ["complete", "fish", ""], ["analyze", run_file, "-q"], ["analyze", run_file, "-q", "--brief"],
             ["analyze", run_file, "-q", "--format", "json"], ["doctor"], ["baseline", "list"], ["trend", "main"],
             ["plan", run_file, "--rate", "10/s", "-q"], ["tune", "--replay", "t.csv", "-q"],
             ["tune", "--replay", "t.csv", "-q", "--brief"], ["profile", "-m", LAW, "-b", "1", "--dry-run"]]
    for arguments in calls:
        code, printed = to_nobody(cli, *arguments)
        assert code == 141 and "error" not in printed and "standard output" not in printed, arguments


def test_head_gets_its_lines_and_nothing_is_stated(cli, run_file):
    done = subprocess.run(["bash", "-c", f"{cli.program} help | head -n 1; echo ${{PIPESTATUS[0]}}"], capture_output=True,
                          text=True, cwd=cli.folder, timeout=60, check=True)
    assert done.stdout.startswith("batchscope ") and done.stderr == ""
    assert done.stdout.splitlines()[1] in ("0", "141"), "0 where all of it went into the pipe first"


def test_a_run_is_full_where_nobody_reads(cli):
    code, printed = to_nobody(cli, "profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "-o", "alone.jsonl")
    assert code == 141 and "error" not in printed
    lines = [json.loads(line) for line in (cli.folder / "alone.jsonl").read_text().splitlines()]
    assert sum(line["type"] == "visit" for line in lines) == 12 and lines[-1]["type"] == "end"
    both = subprocess.run(["bash", "-c", f"{cli.program} profile -m '{LAW}' -b 1,2 --blocks 6 -o both.jsonl 2>&1 | true"],
                          cwd=cli.folder, timeout=300, check=True)
    assert both.returncode == 0
    assert json.loads((cli.folder / "both.jsonl").read_text().splitlines()[-1])["type"] == "end"


def test_a_gate_answers_all_the_same(cli):
    cli.run("profile", "-m", LAW + ";anomaly=4:1.5", "-b", "1-8", "--blocks", "12", "-o", "odd.jsonl")
    assert to_nobody(cli, "analyze", "odd.jsonl", "-q", "--fail-on", "high")[0] in (5,)


# Colours


def at_terminal(cli, *arguments, columns=None, **variables):
    """What a call writes to a terminal that is so wide, or does not say how wide it is."""
    master, slave = pty.openpty()
    if columns:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")} | {"TERM": "xterm"} | variables
    with subprocess.Popen([str(cli.program), *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=cli.folder, env=env) as process:
        os.close(slave)
        text = b""
        while select.select([master], [], [], 60)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:  # the terminal is closed
                break
            if not part:
                break
            text += part
        process.wait(60)
    os.close(master)
    return text.decode()


def test_colours_are_where_a_terminal_wants_them(cli, run_file):
    calls = (["help", "profile"], ["analyze", run_file], ["profle"])
    for arguments in calls:
        assert "\x1b[" in at_terminal(cli, *arguments)
        assert "\x1b[" not in at_terminal(cli, *arguments, NO_COLOR="1")
        assert "\x1b[" not in at_terminal(cli, *arguments, TERM="dumb")
        assert "\x1b[" not in cli.run(*arguments, check=None).stdout


def test_a_dumb_terminal_gets_full_lines(cli):
    arguments = ("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "--overwrite", "-o", "run.jsonl")
    assert "\r\x1b[K" in at_terminal(cli, *arguments)
    printed = at_terminal(cli, *arguments, TERM="dumb")
    assert "\x1b" not in printed and "block 6/6" in printed


# The answer


def flat(text):
    """As it reads, wherever lines were broken."""
    return " ".join(text.split())


def answer_of(cli, run):
    """Its lines, unbroken."""
    return json.loads(cli.run("analyze", run, "--format", "json").stdout)["answer"]["lines"]


@pytest.mark.parametrize("verb, more", [("profile", ["--blocks", "6"]), ("tune", ["--instances", "1"])])
def test_brief_prints_the_answer_alone(cli, verb, more):
    asked = [verb, "-m", LAW, "-b", "1,2,4", "--threads", "1", "--seed", "1", "-q", *more]
    brief = cli.run(*asked, "-o", "brief.jsonl", "--brief").stdout
    assert flat(brief) == flat(" ".join(answer_of(cli, "brief.jsonl")))
    assert brief == cli.run("analyze", "brief.jsonl", "--brief").stdout
    full = cli.run(*asked, "-o", "whole.jsonl").stdout
    assert full.endswith("\n\n" + cli.run("analyze", "whole.jsonl", "--brief").stdout)
    assert len(full.splitlines()) > len(brief.splitlines()) + 2


def test_brief_prints_the_answer_of_a_search_for_the_largest_batch(cli):
    law = "synthetic:affine:5ms,1ms;process_sd=0;visit_sd=0;iteration_sd=0;load=1ms;memory=21250KiB:1850KiB"
    brief = cli.run("tune", "--max-batch-only", "-m", law, "--memory-limit", "100MiB", "--max-batch-size", "2", "--soak-time", "1s",
                    "-q", "-o", "max.jsonl", "--brief").stdout
    assert brief.startswith("Batch 2 fits") and "max_batch_size" not in brief
    assert cli.run("analyze", "max.jsonl", "--brief").stdout == brief
    usual, details = cli.run("analyze", "max.jsonl").stdout, cli.run("analyze", "max.jsonl", "-v").stdout
    assert usual.startswith(brief) and "max_batch_size" in usual
    assert "All sizes tried" in details and "All sizes tried" not in usual


def test_brief_prints_the_sentence_of_a_comparison(cli):
    laws = [f"synthetic:affine:{law};process_sd=0.004;visit_sd=0.004" for law in ("2ms,10ms", "2.0ms,10.0ms")]
    full = cli.run("compare", *laws, "-b", "4,8", "--blocks", "12", "--seed", "3").stdout
    brief = cli.run("compare", "compare.jsonl", "--brief").stdout
    assert full.startswith(brief + "\n") and "verdict" in full and "verdict" not in brief


def test_the_answer_is_as_wide_as_the_terminal(cli, run_file):
    measured = ["profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "-q", "--on-existing", "overwrite", "-o", run_file]
    for columns in (50, None):
        for call in (["analyze", run_file], measured):
            shown = at_terminal(cli, *call, "--brief", columns=columns, NO_COLOR="1").splitlines()
            lines = answer_of(cli, run_file)
            broken = [line for line in shown if not line.startswith("  batchscope ")]
            assert max(map(len, broken)) <= (columns or 80)
            # A line of the answer begins at the margin; what is left of it is indented.
            assert len([line for line in broken if line[0] != " "]) == len([line for line in lines if line[0] != " "])
            assert len(lines) <= 6 and (columns is None or any(line[0] == " " for line in broken))


# What a run says of itself before and while it measures


def test_progress_and_warnings_name_what_differs_within_the_run(cli):
    law = LAW + ";oom_above=1"
    done = cli.run("profile", "-m", law, "-b", "1,2", "--blocks", "4", "-o", "run.jsonl")
    assert "batch 2: out-of-memory" in done.stderr and not re.search("synthetic.*: out-of-memory", done.stderr)
    shown = at_terminal(cli, "profile", "-m", LAW, "-b", "1,2", "--blocks", "4", "-o", "shown.jsonl")
    assert re.search(r"visits; batch 2 [\d.]+ ms", shown)


def test_a_target_out_of_reach_is_reported_at_once(cli):
    done = cli.run("profile", "-m", NOISY, "-b", "1,2,4", "--target", "0.1%", "--seed", "3", "-o", "run.jsonl", "--format", "json")
    lines = done.stderr.splitlines()
    reported = next(index for index, line in enumerate(lines) if "not reachable" in line)
    assert "12 blocks give ±" in lines[reported] and "not ±0.1 %" in lines[reported] and "--target" in lines[reported]
    assert any(line.startswith("block 4/") for line in lines[reported:]), "while the run goes on"
    assert any("not reachable" in warning for warning in json.loads(done.stdout)["warnings"])
    events = [json.loads(line) for line in (cli.folder / "run.jsonl").read_text().splitlines() if '"event"' in line]
    assert any("not reachable" in event.get("what", event.get("message", "")) for event in events)


def test_virtual_time_needs_no_quiet_machine(cli):
    done = cli.run("profile", "-m", LAW, "-b", "1,2", "--blocks", "6", "--wait-for-quiet", "60s", "-o", "run.jsonl")
    assert "machine" not in done.stderr
    assert "--wait-for-quiet" in cli.run("profile", "-m", LAW, "--wait-for-quiet", "long", check=2).stderr


@pytest.mark.model
@pytest.mark.parametrize("verb", ["profile", "tune"])
def test_a_run_says_first_how_the_machine_is(cli, verb):
    more = ["--blocks", "1"] if verb == "profile" else ["--points", "1", "--verify-blocks", "0", "--instances", "1"]
    done = cli.run(verb, "-m", "mlp", "-b", "1", "--iterations", "3", "--threads", "1", *more, "-o", "run.jsonl", check=None)
    first = done.stderr.splitlines()[0]
    assert re.match(r"(warning: )?the machine is (quiet|busy: )", first)
    events = [line for line in (cli.folder / "run.jsonl").read_text().splitlines() if '"before the first visit' in line]
    assert len(events) == ("is busy" in first)

"""What nsys and ncu are shown of a run, told by a tool that writes it down."""

import subprocess

import pytest

import nvtx_record
from conftest import read_lines

MODEL = "synthetic:affine:5ms,2ms"
RUN = ["profile", "-m", MODEL, "-b", "1,2", "--blocks", "2", "--iterations", "4", "--warmup", "3", "--threads", "1",
       "--seed", "7", "-q"]


@pytest.fixture(autouse=True)
def built_with_nvtx(program):
    if not nvtx_record.recorder(program).exists():
        pytest.skip("built without NVTX's headers")


@pytest.fixture
def shown(cli):
    """shown(arguments...): runs the program; the visits that the tool was shown, as (range, what lies inside)."""

    def run(*arguments, **options):
        output = cli.folder / "nvtx.txt"
        cli.run(*arguments, env=nvtx_record.environment(cli.program, output), **options)
        return [visit for thread in nvtx_record.threads(output) for visit in thread]

    return run


# What the engine of laws tells of an iteration.
ITERATION = "iteration(forward, d2h)"


def parts(visit):
    """The names of its parts, and what lies inside the last one."""
    return visit.names(), [repr(each) for each in visit.inside[-1].inside]


def visits(cli):
    return [each for each in read_lines(cli.folder / "run.jsonl") if each["type"] == "visit"]


def test_every_visit_is_shown_with_its_parts_and_iterations(cli, shown):
    of_run = shown(*RUN, "-o", "run.jsonl")
    trial, measured = of_run[:-4], of_run[-4:]
    assert len(visits(cli)) == 4
    assert [each.name for each in trial] == [f"{MODEL} batch_size=1 fp32 cpu threads=1"]
    sizes = [(1, 2)[each["config"]] for each in visits(cli)]
    assert [each.name for each in measured] == [f"{MODEL} batch_size={size} fp32 cpu threads=1" for size in sizes]
    for visit in measured:
        assert parts(visit) == (["load", "prepare", "warm-up", "timed"], [ITERATION] * 4)
        load, prepare, warmup, _ = visit.inside
        assert (load.inside, prepare.inside) == ([], [])
        assert [repr(each) for each in warmup.inside] == [ITERATION] * 3


def test_a_step_of_training_is_shown_with_its_phases(shown):
    last = shown(*RUN, "--mode", "train", "-o", "run.jsonl")[-1]
    assert parts(last)[1] == ["iteration(forward, loss, backward, optimizer, d2h)"] * 4


def test_each_visit_is_shown_where_it_is_made(cli, shown):
    """A process a visit, a process a block, and the program itself; the trial before has one of its own."""
    for isolation, processes in (("config", 4), ("block", 2), ("none", 1)):
        of_run = shown(*RUN, "--isolation", isolation, "-o", f"{isolation}.jsonl")
        assert len(of_run) == 5
        reported = nvtx_record.events(cli.folder / "nvtx.txt")
        assert len({process for process, *_ in reported}) == processes + 1
        (cli.folder / "nvtx.txt").unlink()


@pytest.mark.model
def test_an_engine_shows_phases_while_they_run(shown):
    last = shown("profile", "-m", "mlp", "-b", "2", "--mode", "train", "--blocks", "1", "--iterations", "2", "--warmup", "1",
                 "--threads", "1", "-q", "-o", "run.jsonl")[-1]
    assert parts(last) == (["load", "prepare", "warm-up", "timed"], ["iteration(forward, loss, backward, optimizer)"] * 2)


@pytest.mark.model
def test_what_appears_for_causes_is_shown_apart(shown):
    of_run = shown("profile", "-m", "mlp", "-b", "2", "--blocks", "1", "--iterations", "2", "--warmup", "1", "--threads", "1",
                   "--diagnose", "--verify-causes", "off", "--verify", "off", "-q", "-o", "run.jsonl")
    diagnosed = [visit for visit in of_run if "diagnose" in visit.names()]
    assert len(diagnosed) == 1
    assert parts(diagnosed[0]) == (["load", "prepare", "warm-up", "timed", "diagnose"], [])


def test_iterations_that_are_waited_for_together_are_shown(shown):
    last = shown(*RUN, "--sync", "end", "-o", "run.jsonl")[-1]
    assert parts(last) == (["load", "prepare", "warm-up", "timed"], [ITERATION] * 6)


def test_instances_wait_for_each_other_visibly(shown):
    """Iterations while one waits are not shown as timed."""
    for visit in shown(*RUN, "--instances", "2", "-o", "run.jsonl")[1:]:
        assert visit.name.endswith("instances=2")
        assert visit.names() == ["load", "prepare", "warm-up", "wait for other instances", "timed",
                                 "wait for other instances"]
        assert visit.inside[4].names() == ["iteration"] * 4


def test_a_visit_that_fails_ends_all_that_it_began(cli, shown):
    of_run = shown("profile", "-m", f"{MODEL};throw_at=2", "-b", "1,2", "--blocks", "1", "--iterations", "4", "--warmup",
                   "3", "--seed", "7", "-q", "--isolation", "none", "-o", "run.jsonl")
    failed = [each for each in of_run if "batch_size=2" in each.name]
    assert [each.names() for each in failed] == [["load", "prepare", "warm-up"]]
    assert parts(failed[0])[1] == ["iteration"]


def test_without_a_tool_nothing_changes(cli, shown):
    """The times of a law are the same, and there is no trace of the tool."""
    shown(*RUN, "-o", "shown.jsonl")
    reported = (cli.folder / "nvtx.txt").read_text()
    cli.run(*RUN, "-o", "alone.jsonl")
    assert (cli.folder / "nvtx.txt").read_text() == reported

    def times(name):
        return [each["samples_ns"] for each in read_lines(cli.folder / name) if each["type"] == "visit"]

    assert times("shown.jsonl") == times("alone.jsonl")


def test_a_tool_that_cannot_be_loaded_stops_nothing(cli, monkeypatch):
    monkeypatch.setenv("NVTX_INJECTION64_PATH", str(cli.folder / "missing.so"))
    done = cli.run(*RUN, "-o", "run.jsonl")
    assert len(visits(cli)) == 4
    assert "nvtx" not in done.stderr.lower()


def test_ranges_of_a_program_are_shown(cli):
    program, output = cli.program.parent / "shown_ranges", cli.folder / "nvtx.txt"
    subprocess.run([program], env=nvtx_record.environment(cli.program, output), check=True, capture_output=True)
    first, *others = nvtx_record.threads(output)
    assert [repr(each) for each in first] == [
        "outer(inner, inner, inner)",
        "begun(begun inside(left to end_all))",
        "around a throw(throws, after the throw)",
        "ends first(goes on)", "goes on",
        "waits for threads",
        "ends elsewhere", "after it",
        "of a profiler that goes(of another profiler)", "of another profiler",
        "left open",
    ]
    assert [repr(each) for each in others] == ["[on a thread]", "[on a thread]"]


def test_ranges_of_an_iteration_lie_inside_it(cli):
    """A program that measures its own function: the C++ API."""
    program, output = cli.program.parent / "embed_texts", cli.folder / "nvtx.txt"
    if not program.exists():
        pytest.skip("built without the examples")
    subprocess.run([program, "profile", "run.jsonl", "1"], cwd=cli.folder, check=True, capture_output=True,
                   env=nvtx_record.environment(cli.program, output))
    (of_run,) = nvtx_record.threads(output)
    measured = visits(cli)
    assert len(of_run) == len(measured)
    for visit, recorded in zip(of_run, measured):
        timed = visit.inside[-1]
        assert (timed.name, len(timed.inside)) == ("timed", len(recorded["samples_ns"]))
        assert all(each.names() == ["tokenize", "pad", "forward", "pool"] for each in timed.inside)

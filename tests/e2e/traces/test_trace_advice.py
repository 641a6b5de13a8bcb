"""`batchscope trace`: advice that knows what was found, and what kernels are."""

import json

from kineto import Kineto, loader_bound


def reported(cli, trace, path):
    return json.loads(cli.run("trace", trace.write(path), "--format", "json").stdout)


def fix_of(document, finding):
    return next((each["fix"] for each in document["findings"] if each["id"] == finding), None)


def in_fp32(**how):
    trace = Kineto(dtype="float", **how)
    for i in range(5):
        trace.kernel("gemm", i * 1000, i * 1000 + 10, 980)
    return trace


def test_precision_is_what_the_device_has_units_for(cli, tmp_path):
    fixes = {name: fix_of(reported(cli, in_fp32(device=name, capability=capability), tmp_path / f"{name}.json"),
                          "trace.full-precision")
             for name, capability in (("Tesla V100", (7, 0)), ("NVIDIA GeForce RTX 2080 Ti", (7, 5)),
                                      ("NVIDIA A100", (8, 0)), ("Tesla P100", (6, 0)), ("AMD Instinct MI300X", (9, 4)))}
    for old in ("Tesla V100", "NVIDIA GeForce RTX 2080 Ti"):
        assert "torch.float16" in fixes[old] and "set_float32" not in fixes[old]
    assert "torch.bfloat16" in fixes["NVIDIA A100"] and "TF32" in fixes["NVIDIA A100"]
    assert "torch.bfloat16" in fixes["AMD Instinct MI300X"] and "TF32" not in fixes["AMD Instinct MI300X"]
    assert fixes["Tesla P100"] is None


def test_workers_are_advised_by_the_iterator(cli, tmp_path):
    trace = loader_bound()
    assert "num_workers=0" in fix_of(reported(cli, trace, tmp_path / "single.json"), "trace.data-loading")
    for event in trace.events:
        event["name"] = event["name"].replace("_SingleProcess", "_MultiProcessing")
    assert "already has workers" in fix_of(reported(cli, trace, tmp_path / "several.json"), "trace.data-loading")


def serving(kernel, operator, rank=None, last=300):
    """Ten layers in one step of a server, each with a kernel that sums over devices."""
    trace = Kineto(rank)
    for layer in range(20):
        at = layer * 1000
        for i in range(8):
            trace.kernel(f"layer {i}", at + 20 * i, at + 50 + 80 * i, 80)
        trace.correlation += 1
        trace.host("cpu_op", operator, at + 200, 30)
        trace.host("cuda_driver", "cuLaunchKernelEx", at + 205, 10, correlation=trace.correlation)
        trace.device("kernel", kernel, at + 690, last, correlation=trace.correlation)
    trace.host("user_annotation", "execute_context_1(888)", -10, 20_100)
    return trace


def test_all_reduces_of_engines_are_communication_and_layers_are_no_steps(cli, tmp_path):
    for number, (kernel, operator) in enumerate((
            ("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
             "symm_mem::multimem_all_reduce_"),
            ("void vllm::cross_device_reduce_2stage<__half, 8>(vllm::RankData*)", "_C_custom_ar::all_reduce"),
            ("mscclKernel_Sum_bf16_LL", "c10d::allreduce_"),
            ("fast_sum_of_peers", "vllm::all_reduce"))):
        document = reported(cli, serving(kernel, operator), tmp_path / f"{number}.json")
        assert document["devices"][0]["communication_ns"] == 20 * 300_000, kernel
        assert document["devices"][0]["compute_ns"] == 20 * 640_000, kernel
        assert document["steps"] == []
        assert [each["name"] for each in document["kernels"] if each.get("communicates")] == [kernel]


def test_a_straggler_is_judged_over_all_collectives(cli, tmp_path):
    name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
    first = serving(name, "c10d::allreduce_", rank=0)
    first.correlation += 1
    first.device("kernel", "ncclDevKernel_SendRecv", -40, 20, correlation=first.correlation)
    second = serving(name, "c10d::allreduce_", rank=1, last=20)
    for event in second.events:
        if event["name"] == name:
            event["ts"] += 280
    document = json.loads(cli.run("trace", first.write(tmp_path / "a.json"), second.write(tmp_path / "b.json"),
                                  "--format", "json").stdout)
    assert document["compared_collectives"] == 20
    assert document["findings"][0]["id"] == "trace.stragglers"
    assert "rank 1" in document["message"]


def test_counters_instead_of_kernels(cli, tmp_path):
    trace = Kineto()
    for i in range(5):
        trace.host("cuda_runtime", "cudaLaunchKernel", 100 * i, 10, correlation=i)
        trace.host("cuda_profiler_range", "gemm", 100 * i, 90)
    document = reported(cli, trace, tmp_path / "trace.json")
    assert "without profiler metrics" in fix_of(document, "trace.no-device")
    assert "ProfilerActivity" not in json.dumps(document["findings"])


def test_transfers_of_mtia_are_copies(cli, tmp_path):
    trace = Kineto()
    trace.device("mtia_ccp_events", "dma_request", 0, 100, direction="HOST_TO_DEVICE", size=4096)
    trace.device("mtia_ccp_events", "kernel_launch", 100, 300)
    device = reported(cli, trace, tmp_path / "trace.json")["devices"][0]
    assert (device["memcpy_ns"], device["compute_ns"]) == (100_000, 300_000)

#include <array>

#include "kinds.hpp"

namespace batchscope::findings {
namespace {

// Of the share of the time that would be saved at most.
constexpr const char* kSeverity =
    "by the largest gain, as a share of the device's time: low from 5 %, medium from 10 %, high "
    "from 20 %; info below";

constexpr std::array kTraceKinds = {
    KindRow<>{"trace.data-loading", "The device waits for data",
              "The device did nothing while the thread that starts its work was inside of a data "
              "loader (PyTorch's DataLoader, tf.data, or a range named so). Time in the loader "
              "while the device is busy does not count.",
              "Give the loader workers, and let them work ahead; move work out of the loader.",
              kSeverity},
    KindRow<>{
        "trace.synchronisation", "The host waits for the device, and then the device for the host",
        "The device did nothing while the thread that starts its work was in a call that returns "
        "once the device got somewhere (cudaStreamSynchronize, a copy from or to memory that is "
        "not pinned, cudaMalloc, cudaFree), or while it launched again what it could have launched "
        "during such a call: idle time of launching counts here up to the length of the wait "
        "before it. Waiting while the device is busy does not count.",
        "Take the calls named out of the loop: do not read values (.item(), .cpu(), print, a "
        "condition on a tensor) in every step.",
        kSeverity},
    KindRow<>{
        "trace.launch-bound", "Kernels finish faster than the host launches them",
        "The device did nothing while the host was going from one operator to the next.",
        "Launch fewer, larger kernels: CUDA graphs, fusion by a compiler, a larger batch, fused "
        "optimizers.",
        kSeverity},
    KindRow<>{"trace.small-batch", "The work is too small for the device",
              "The device is launch-bound, its kernels are short (half of them under 10 us), and "
              "most of their time is spent in launches with fewer blocks than the device has "
              "multiprocessors, or at an occupancy under a quarter. Together with launch-bound: "
              "the gain is the same, and counts once.",
              "Use a larger batch.", kSeverity},
    KindRow<>{"trace.host-work", "The device waits for work of the host",
              "The device did nothing while the host did something that launches nothing, for "
              "more than 100 us at a time: Python, operators on the CPU, logging, or what was "
              "not recorded.",
              "Move that work to another thread or process, or do it while the device is busy.",
              kSeverity},
    KindRow<>{"trace.device-held", "The device holds its own work back",
              "What ends the idle time was launched before it began, or long before it ran: the "
              "host was in time. The work waited for another stream, an event, another device, "
              "or within a graph. At least 5 % of the device's time.",
              "Look at what the kernels named wait for.", "low"},
    KindRow<>{"trace.lost-work", "Launches without recorded work",
              "The trace holds launches of kernels or graphs whose work it does not hold: at "
              "least 5 % of them, or as much as may hide 3 % of the device's time. Idle time "
              "that may hold such work is unknown, and no part of any gain.",
              "Record again: the nodes of graphs too, fewer steps at a time, and synchronise "
              "before the recording stops.",
              "medium where it may hide 10 % of the time, else low"},
    KindRow<>{"trace.graph-capture", "The capture of a graph was recorded",
              "Launches between the begin and the end of a capture run nothing: at least a tenth "
              "of all launches.",
              "Start the recording after the capture.", "info"},
    KindRow<>{"trace.pageable-copies", "Copies from or to memory that is not pinned",
              "Copies between host and device whose host memory is pageable take at least 3 % of "
              "the device's time, outside of kernels. Such a copy goes through a staging buffer "
              "and cannot run beside kernels.",
              "Pin the memory: pin_memory=True for the loader, .pin_memory() for tensors, and "
              "non_blocking=True for the copy.",
              kSeverity},
    KindRow<>{"trace.exposed-copies", "Copies run while no kernel does",
              "Copies and memsets that run while no kernel runs take at least 5 % of the "
              "device's time. The gain begins with half of what could hide behind kernels, and "
              "ends where none of them would be made.",
              "Copy the next batch on a stream of its own while this one is computed; copy less: "
              "smaller types, or keep the data on the device.",
              kSeverity},
    KindRow<>{"trace.device-copies", "Copies within a device or between devices",
              "Copies within the device's own memory, or between devices, take at least 3 % of "
              "its time in which no kernel runs.",
              "Do not make copies within a device; copy between devices while kernels run.",
              kSeverity},
    KindRow<>{
        "trace.full-precision", "Matrix products in fp32",
        "Products and convolutions whose operators take 32-bit floats take at least a fifth of "
        "the kernels' time, on a device that has units for 16 bits (NVIDIA: fp16 from compute "
        "capability 7.0 on, bfloat16 and TF32 from 8.0 on; AMD: gfx9 and later). Where the trace "
        "has no types of operators, the kernels' names decide, "
        "and the finding is a suspicion. The gain assumes that such a kernel becomes 1.3 to 3 "
        "times as fast (1.1 to 2 times where it uses TF32 already).",
        "Use automatic mixed precision (torch.autocast, with bfloat16 where the device has units "
        "for "
        "it), or at least TF32.",
        "low from a gain of 5 %, medium from 40 %: it is not measured, and changes what is "
        "computed"},
    KindRow<>{"trace.dominant-kernel", "One kernel takes most of the time",
              "A single kernel takes more than 40 % of the kernels' time.",
              "Look there first: another implementation (fused attention, another layout), other "
              "shapes, or a profile of that kernel alone.",
              "info"},
    KindRow<>{"trace.frequent-kernel", "A short kernel is called very often",
              "One kernel is called at least 1000 times (or 500 times a step), lasts under 20 us "
              "each time, and takes at least 10 % of the kernels' time.",
              "Fuse it with its neighbours (a compiler, foreach or fused optimizers).", "low"},
    KindRow<>{"trace.exposed-communication", "Communication is not hidden",
              "Kernels that talk to other devices run while nothing else does, for at least 5 % "
              "of the device's time. A part of it may be waiting for a slower device.",
              "Overlap it with the backward pass (buckets of DDP or FSDP), send less (bf16 "
              "gradients), and look for stragglers.",
              kSeverity},
    KindRow<>{
        "trace.stragglers", "Some ranks make the others wait",
        "Of several ranks of one job, one comes last to collectives, and the others wait in "
        "those for it for at least 5 % of their time, on average. The first collective does not "
        "count: recordings that begin apart meet there.",
        "Balance the work between ranks; look at the machines of the slow ones.", kSeverity},
    KindRow<>{"trace.memory-growth", "Memory grows from step to step",
              "What the allocator holds of the device at the end of a step rises in three of four "
              "steps, the last among them, falls in none, and by at least 1 % of its peak in all; "
              "the first step does not count.",
              "Look for what is kept: losses summed as tensors with their graph, lists of "
              "outputs, caches.",
              "medium; high where it would fill the device within 1000 steps"},
    KindRow<>{"trace.checkpointing", "Activations fill the memory",
              "Within steps memory rises and falls again by more than half of its peak, and the "
              "peak is above 80 % of the device's memory.",
              "Recompute activations (checkpointing), use 16 bits, or accumulate gradients of "
              "smaller batches.",
              "low; medium above 90 % of the device's memory"},
    KindRow<>{
        "trace.allocator", "The allocator asks the device for memory",
        "The device idles for at least 1 % of its time during calls that get or return "
        "memory of it, or what is reserved is over 1.3 times what is allocated at the peak, and "
        "1 GB more.",
        "Warm up before recording; for fragmentation set "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        kSeverity},
    KindRow<>{"trace.warm-up", "The recording has warm-up in it",
              "Modules are loaded, streams made, kernels compiled or algorithms tried out within "
              "what was recorded, or a few launches take over 5 ms while the device idles, as "
              "those do that load their kernel; for at least 2 % of its time in all. The "
              "severity is that of the time that it idles meanwhile.",
              "Skip steps before recording: schedule(skip_first=..., warmup=...) of "
              "torch.profiler; mark shapes as dynamic where it recompiles.",
              kSeverity},
    KindRow<>{"trace.recorder", "The recorder itself costs time",
              "The recorder's own events take at least 1 % of the time, or Python functions were "
              "recorded while the host is what limits: then the host looks slower than it is.",
              "Record again without stacks, shapes and memory, and compare.", "info"},
    KindRow<>{"trace.partial", "Not everything could be read",
              "The file ends in the middle, or holds what could not be understood. What was lost "
              "is counted; shares are of what was read.",
              "Record again; a profiler that is killed while it writes leaves such a file.",
              "medium where the file ends in the middle, low where events were lost"},
    KindRow<>{"trace.no-device", "No device was recorded",
              "The trace holds no kernel and no copy: nothing can be said of a device.",
              "Record with ProfilerActivity.CUDA; nsys: --trace=cuda,nvtx.", "info"},
    KindRow<>{"trace.host-loading", "The host waits for data",
              "Of a trace without a device: a data loader, with all that it calls, takes at "
              "least 5 % of the host's time in the steps.",
              "Give the loader workers, and let them work ahead; move work out of the loader.",
              "by the largest gain, as a share of the host's time: low from 5 %, medium from "
              "10 %, high from 20 %"},
    KindRow<>{"trace.host-communication", "The host talks to other processes",
              "Of a trace without a device: collectives of gloo, MPI or others take at least "
              "10 % of the host's time. A part of it may be waiting for a slower rank.",
              "Look at the traces of all ranks together.",
              "by the share of the host's time: medium from 10 %, high from 20 %"},
    KindRow<>{"trace.host-operator", "One operator takes most of the host's time",
              "Of a trace without a device: the own time of one operator, without what it calls, "
              "is at least 30 % of that of all.",
              "Look there first.", "info"},
    KindRow<>{"trace.host-long-steps", "A few steps of the host take far longer",
              "Of a trace without a device, with ten steps or more: steps of over three times the "
              "median take at least 10 % of the time beyond what they would at the median.",
              "Look at those steps: warm-up, a page fault, another process, a garbage "
              "collection.",
              "by that share: medium from 10 %, high from 20 %"},
    KindRow<>{"trace.host-one-thread", "One thread of several is at work",
              "Of a trace without a device: three threads or more were recorded, and for 80 % of "
              "the time in which any is at work only one is.",
              "Let more threads work: larger batches, more intra-operator threads.", "low"},
    KindRow<>{"trace.host-gaps", "The host's time is not recorded",
              "Of a trace without a device: no operator runs for at least 10 % of the host's "
              "time.",
              "Record with stacks, to see the lines of Python that run meanwhile.",
              "low from half of the time, info below"},
    KindRow<>{"trace.healthy", "The device is busy",
              "The device is busy at least 90 % of the time, and nothing was found that would "
              "gain 10 % of it.",
              "Look at the kernels that take most of the time.", "info"},
};

}  // namespace

std::span<const KindRow<>> trace_kinds() {
  return kTraceKinds;
}

}  // namespace batchscope::findings

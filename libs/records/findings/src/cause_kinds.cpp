#include <array>

#include "batchscope/findings/catalogue.hpp"
#include "kinds.hpp"

namespace batchscope::findings {
namespace {

constexpr const char* kCauseSeverity =
    "thresholds as for an excess, applied to the time without the fix over the time with it; info "
    "unless confirmed";

constexpr std::array kCauseKinds = {
    KindRow<>{
        "cause.heap-returned", "The C library returns memory to the kernel in every iteration",
        "glibc's malloc maps large blocks on their own and trims the top of the heap, so that the "
        "memory of an iteration goes back to the kernel when it is freed and is zeroed and mapped "
        "page by page in the next one. The signal is at least 1000 minor page faults per iteration "
        "with at least 1 % of its time spent in the kernel. The same batch size, and a neighbour "
        "with less of the signal, are measured again with and without a malloc that keeps its "
        "memory, in turn: confirmed when that saves time (at the error rate of all interventions "
        "of the run, and at least 1 %), refuted when it cannot save more than 3 %.",
        "Set the variable that the finding names for the process that serves or trains, or preload "
        "another malloc (jemalloc, tcmalloc). It keeps more memory resident.",
        kCauseSeverity},
    KindRow<>{
        "cause.small-pages", "The memory is in small pages",
        "At least 64 MiB of the process are anonymous memory with less than a tenth of it in huge "
        "pages; where the processor counts misses of its address cache, they account for at least "
        "2 % of the time (8 ns each, which decides only whether the experiment is worth it). The "
        "size is measured again with THP_MEM_ALLOC_ENABLE=1, with which torch asks for huge pages "
        "for large tensors.",
        "Set the variable that the finding names, where "
        "/sys/kernel/mm/transparent_hugepage/enabled is madvise or always.",
        kCauseSeverity},
    KindRow<>{"cause.primitive-cache", "oneDNN creates its kernels again in every iteration",
              "oneDNN's log shows kernels created, not found in the cache, in iterations after "
              "the warm-up: at least one in two iterations. The size is measured again with a "
              "cache of 4096 kernels. Only what runs through oneDNN is visible (in torch: low "
              "precision and convolutions; fp32 linear layers use MKL).",
              "Do not set ONEDNN_PRIMITIVE_CACHE_CAPACITY below its default of 1024; raise it "
              "where shapes vary a lot.",
              kCauseSeverity},
    KindRow<>{"cause.gemm-path", "Matrix products take a different path",
              "The implementation in which oneDNN's products spend most of their time differs "
              "from that at the next smaller size, and a sample costs over 3 % more than at that "
              "size. Both sizes are measured again with AVX2 only; what counts is how much more "
              "that saves than at the neighbour.",
              "Pad or split to a batch size on the faster path.", kCauseSeverity},
    KindRow<>{
        "cause.reorder", "oneDNN reorders data in every iteration",
        "Reorders take at least a tenth of an iteration after the warm-up, most often because "
        "weights are not packed for the kernel. There is no experiment for it here, so it is "
        "never more than suspected.",
        "Freeze the model before it is exported, so that its weights are packed once.",
        kCauseSeverity},
    KindRow<>{"cause.thread-imbalance", "The threads have unequal amounts of work",
              "The busiest thread works at least 1.2 times as long as the average thread (CPU "
              "time by thread, with OMP_WAIT_POLICY=passive so that waiting is not counted). The "
              "same batch is measured again as one single-threaded instance per thread; the time "
              "per sample is compared.",
              "Run more instances with fewer threads each, or choose a batch size that divides "
              "evenly among the threads.",
              kCauseSeverity},
    KindRow<>{"cause.last-level-cache", "A batch does not fit into the last-level cache",
              "Where the processor's counters can be read: 1.5 times the cache misses per sample "
              "of the next smaller size and at least 5 % fewer instructions per cycle, while "
              "page faults do not rise and a sample costs over 3 % more. The same samples are "
              "measured as smaller batches in several instances.",
              "Run smaller batches in more instances.", kCauseSeverity},
    KindRow<>{
        "cause.vector-clock", "Wide vectors lower the clock",
        "Where the processor's counters can be read: cycles over reference cycles are at least 3 % "
        "lower than at the next smaller size, with as many cycles per sample, and a sample costs "
        "over 3 % more. Both sizes are measured again with AVX2 only; what counts is how much more "
        "that saves than at the neighbour.",
        "Cap the instruction set as the finding says, or leave it: the wide vectors may still "
        "win.",
        kCauseSeverity},
    KindRow<>{
        "cause.remote-memory", "Memory is on another socket",
        "Where the processor's counters can be read: at least a tenth of the cache misses are "
        "served by another socket. There is no experiment for it here, so it is never more than "
        "suspected.",
        "Bind each instance's threads and memory to one socket (numactl).", kCauseSeverity},
    KindRow<>{
        "cause.launch-bound", "The device waits for the host",
        "The tracer shows the device busy for less than half of the traced time, and doubling the "
        "batch "
        "costs less than 20 %. No experiment is made for it, so it is never more than suspected.",
        "Issue fewer, larger kernels (on CUDA, replay the iteration as a graph), or use a larger "
        "batch, which costs little.",
        kCauseSeverity},
    KindRow<>{"cause.wave-quantization", "A kernel needs one more, partly filled wave",
              "The blocks of a launch, divided by those the device runs at once, cross an "
              "integer between this size and the next smaller one, the unfilled part of the "
              "final waves is at least 3 % of the traced time, and a sample costs over 3 % more. "
              "No experiment is made for it, so it is never more than suspected.",
              "Pad or split to a size whose blocks fill whole waves.", kCauseSeverity},
    KindRow<>{
        "cause.kernel-selection", "The libraries choose different kernels",
        "Kernels with at least a tenth of the traced time each do not occur at the next smaller "
        "size, and a sample costs over 3 % more than at that size. No experiment is made for it, "
        "so it is never more than suspected.",
        "Let the libraries try their kernels (cudnn.benchmark, max-autotune), or use a size with "
        "the faster ones.",
        kCauseSeverity},
    KindRow<>{"cause.device-allocator", "The allocator asks the device for memory in steady state",
              "The caching allocator requests memory from the device in at least one of ten "
              "timed iterations, which makes the host wait for the device. On CUDA the size is "
              "measured again with expandable segments; elsewhere there is no experiment for it, "
              "so it is never more than suspected.",
              "On CUDA, set the variable that the finding names; elsewhere, use few batch "
              "shapes, or smaller batches.",
              kCauseSeverity},
    KindRow<>{"cause.pageable-transfers", "Copies start from memory that is not pinned",
              "The tracer shows copies from or to pageable host memory in at least 2 % of the "
              "traced time. No "
              "experiment is made for it, so it is never more than suspected.",
              "Pin the loader's memory and copy without blocking.", kCauseSeverity},
    KindRow<>{"cause.padding", "Much of what is computed is padding",
              "With inputs of variable length, at least a fifth of the tokens of a batch are "
              "padding. The size is measured again with every sample at the mean length, which "
              "is what perfect bucketing could reach; a text pipeline is measured again with the "
              "texts sorted by length, all those of a file.",
              "Sort or bucket the samples by length, or limit the tokens of a batch.",
              kCauseSeverity},
    KindRow<>{"bottleneck.tokenization", "Tokenization takes a large share of the time",
              "In a text pipeline, the phase `tokenize` takes more than a fifth of the mean "
              "iteration, on the host's clock. A description, not a test.",
              "Give the tokenizer more threads (`--tokenizer-threads` measures them), or "
              "tokenize the next batch while the model runs on this one.",
              "medium above 20 %, high above 40 % of an iteration"},
    KindRow<>{kLoading, "Training waits for its data",
              "Waiting for the loader (the phase `load` of `--loader`) takes more than half of "
              "an iteration, worst at the size named. It is confirmed where another number of "
              "workers was measured too and is proven faster.",
              "Load ahead with more workers, keep more batches ready, or decode less.",
              "medium above 50 %, high above 75 % of an iteration"},
    KindRow<>{
        "bottleneck.transfers", "Copies take a large share of the time",
        "Copies between host and device take more than a quarter of an iteration, by events on the "
        "device's stream. A description, not a test.",
        "Pin the host's memory, overlap copies with computing, or keep the data on the device.",
        "medium above 25 %, high above 50 % of an iteration"},
    KindRow<>{"bottleneck.device-idle", "The device idles",
              "Under the tracer the device has neither a kernel nor a copy for more than 30 % of "
              "the time. A tracer slows the host, so this share is overstated; compare it with "
              "the shares of the phases.",
              "Issue fewer, larger kernels (on CUDA, as graphs), or use a larger batch.",
              "medium above 30 %, high above 50 % of the traced time"},
    KindRow<>{
        "cause.garbage-collection", "Python's garbage collector stops the model",
        "The collector takes at least 1 % of the timed part of the visits of a batch size. The "
        "same "
        "size is measured again with the collector off, and what is alive taken out of its sight "
        "(gc.freeze, gc.disable), in turn. Judged by the mean iteration, since a collection "
        "strikes "
        "few iterations.",
        "Call gc.collect() and gc.freeze() once the model is loaded; or gc.disable(), and "
        "gc.collect() where nobody waits.",
        kCauseSeverity},
    KindRow<>{"bottleneck.recompilation", "The model is compiled anew while it runs",
              "torch.compile compiled graphs in timed iterations: at least 1 % of their time "
              "(10 %: high). Counted by the compiler itself, also where the model calls it. What "
              "such iterations take of memory is no evidence of another cause.",
              "Find what changes between calls with TORCH_LOGS=recompiles; keep it out of the "
              "compiled code, mark the dimension as dynamic (mark_dynamic, dynamic=True), or use "
              "fewer shapes and warm up with each.",
              "medium from 1 % of the time, high from 10 %"},
    KindRow<>{"bottleneck.synchronisation", "The model waits for the device",
              "Calls of the device's runtime that wait for the device (those named "
              "...Synchronize, and a few more), beyond the one at the end of each iteration, "
              "take more than a tenth of the traced time.",
              "Remove code that reads values back to the host in the forward pass.",
              "medium above 10 %, high above 20 % of the traced time"}};

}  // namespace

std::span<const KindRow<>> cause_kinds() {
  return kCauseKinds;
}

}  // namespace batchscope::findings

#include <array>

#include "kinds.hpp"

namespace batchscope::findings {
namespace {

// Of GPUs that are used and not busy.
constexpr const char* kByBusy = "medium; high where the GPU is busy for less than 40 % of the time";
constexpr const char* kOfTraining =
    "low where nobody tells of a training, because a service with few requests looks the same; "
    "else medium, high where the GPU is busy for less than 40 % of the time";

// What is told of a window holds for most of it, and for a while longer before it is told.
constexpr std::array kMonitorKinds = {
    FindingKind{"monitor.gpu-down", "A GPU does not answer",
                "The driver does not answer for this GPU, or says that it is lost. Nothing else is "
                "told of it meanwhile.",
                "Stop what uses it, and reset it or restart the machine; where an XID was told, do "
                "what that one asks for.",
                "high"},
    FindingKind{"monitor.xid", "The driver told of an error (XID)",
                "The driver wrote an error with a number into the kernel's log. Known are 13, 31, "
                "43, 45, 48, 61 to 64, 74, 79, 92, 94, 95, 119 and 120: what each means, and "
                "whether the program's developer or the administrator mends it. The worst of the "
                "last ten minutes leads.",
                "What the finding says: for 13, 31, 43 and 45 look at the program, for the others "
                "at the GPU.",
                "high where the GPU needs a reset or may be broken, low for 45, else medium"},
    FindingKind{"monitor.ecc", "Memory of a GPU had an error that could not be corrected",
                "The counter of uncorrected errors rose since the monitor began.",
                "Go back to a checkpoint from before; reset the GPU, and replace it if this "
                "repeats.",
                "high"},
    FindingKind{"monitor.remap-pending", "A GPU needs a reset to replace a row of memory",
                "The driver marked a row of device memory that is to be replaced, which a reset "
                "does.",
                "Reset the GPU when it is free.", "medium"},
    FindingKind{"monitor.hardware-slowdown", "The hardware slows a GPU down",
                "The clock was halved or held down by the hardware itself (external power brake, "
                "or heat beyond the usual limit), for at least 2 % of the window.",
                "Check power cables and supplies, then cooling.",
                "medium; high where it costs more than 25 % of the speed"},
    FindingKind{"monitor.thermal", "A GPU slows down because of heat",
                "The clock was held down because of heat for at least 5 % of the window. What it "
                "costs is at most the throttled time, and at most what the mean clock is short of "
                "the highest.",
                "Check fans, dust, airflow and the room; lower the power limit until then.",
                "low; medium above 10 %, high above 25 % of the speed"},
    FindingKind{"monitor.power-cap", "A GPU is at its power limit",
                "The clock was held down by the power limit for at least 20 % of the window. That "
                "is usual at full load; small cards then run at half of their highest clock.",
                "Nothing, unless the limit was lowered: then raise it.",
                "info; low from 25 % of the clock lost"},
    FindingKind{"monitor.pcie-link", "A PCIe link is slower than it was",
                "While the GPU is busy, the link has fewer lanes or a lower generation than the "
                "best that was seen: at most 60 % of its rate. An idle GPU's does not count.",
                "Restart the machine; reseat the card or its riser.", "medium"},
    FindingKind{"monitor.pcie-replays", "Packets are sent again over PCIe",
                "At least 60 a minute: the link has errors, which cost time.",
                "Reseat the card or its riser.", "low; medium from 600 a minute"},
    FindingKind{
        "monitor.stalled", "A training stands still while its GPU spins",
        "A loop told its steps and tells no more, for 3 minutes and three times as long as "
        "it ever took from one to the next; a GPU that worked meanwhile has been busy ever "
        "since, for at least 90 % of the time, and fewer than 5 % of its multiprocessors are "
        "at work, or fewer than 30 % and neither memory nor tensor cores (where the GPU "
        "does not tell that: it draws less than 45 % of its power limit, and its memory is "
        "not used). A kernel waits for what does not come (suspected). Not while another "
        "loop goes on.",
        "Look where each rank stands (py-spy dump); set a timeout for collectives.", "high"},
    FindingKind{"monitor.straggler", "A GPU differs from those that it works with",
                "Of at least three GPUs of one name that are at work, in one training or for "
                "processes that are watched, one has a clock at least 8 % below the median of "
                "them, or in a training is busy for 20 % more or less of the time, or draws 25 % "
                "more or less power; and by at least four robust standard deviations. The others "
                "wait for it, or it for them.",
                "Compare clocks, limits, temperatures and links; look whether its share of the "
                "work is the same.",
                "medium; high from a difference of 25 %; where no processes are watched it may be "
                "of another "
                "job: medium by its clock, else low"},
    FindingKind{"monitor.loading", "A GPU waits for its data",
                "The GPU is busy for less than 75 % of the time, and the steps wait at least 10 % "
                "of their time for a batch and for much of what is idle (measured); or where no "
                "loop tells, the worker processes use at least 75 % of a CPU each, or several "
                "CPUs are at work all the time (suspected).",
                "More loader workers where CPUs are free, prefetching; else less work a sample.",
                kByBusy},
    FindingKind{"monitor.disk", "A GPU waits for disks",
                "The GPU is busy for less than 75 % of the time, work waits for disks for at least "
                "20 % of it (pressure, or delay accounting of the processes; or 10 % of the "
                "CPUs' time is iowait), and the loader's workers are not busy computing. Where at "
                "least four times as much is written as read it is told so: a checkpoint.",
                "Data on a local disk or in memory, larger files, more workers.", kByBusy},
    FindingKind{"monitor.host-bound", "A GPU waits for one thread of the host",
                "The GPU is busy for less than 75 % of the time, one thread of its process (or one "
                "CPU where nobody is watched) is at work for at least 90 % of it, and neither "
                "workers nor disks explain it.",
                "Fewer, larger kernels; work on the CPU out of the loop.", kOfTraining},
    FindingKind{"monitor.synchronisation", "A GPU works in bursts",
                "The GPU is busy for less than 75 % of the time, its readings swing (standard "
                "deviation of at least 25 %) at least three times a window, and neither data nor "
                "the host explain it: it waits "
                "for other GPUs or machines.",
                "Overlap communication, balance the work, check the network.", kOfTraining},
    FindingKind{"monitor.low-use", "A GPU is used little, and nothing explains it",
                "The GPU is busy for less than 75 % of the time, and no other signal stands out. "
                "A service with few requests looks like this.",
                "Record a trace of a few steps.", kOfTraining},
    FindingKind{"monitor.idle", "A GPU does nothing",
                "Nobody uses the GPU, or a program holds it and does nothing on it.",
                "Give it back where it is not needed.", "info"},
    FindingKind{"monitor.no-steps", "A training tells no more steps and holds its GPU",
                "A loop told its steps and tells no more, for 3 minutes and half as long again as "
                "its longest pause (30 minutes at most), and a GPU that worked meanwhile is still "
                "held and does nothing, or next to it. The program has ended and keeps what it "
                "has, or waits for what does not come (suspected). While another loop goes on, it "
                "is said of a GPU that went idle when this one made its last step, if another GPU "
                "is busy.",
                "Look where it stands (py-spy dump), its loader's workers included; else end it.",
                "low; medium 10 minutes after the last step, where no other loop goes on"},
    FindingKind{"monitor.small-batch", "A GPU is busy with work too small for it",
                "Some kernel runs nearly always, but fewer than 40 % of the multiprocessors are at "
                "work on average (measured); or where the GPU does not tell that, it draws less "
                "than 45 % of its power limit at a high clock (suspected).",
                "A larger batch, or several models on one GPU; fused kernels where memory is full.",
                "low; medium where fewer than 20 % of the multiprocessors are at work"},
    FindingKind{"monitor.memory-bound", "Device memory limits a GPU",
                "At least 65 % of the bandwidth of device memory is used, and tensor cores work "
                "for less than 15 % of the cycles.",
                "Larger batches for inference, fewer bits, fused kernels.", "low"},
    FindingKind{"monitor.gpu-memory", "Memory of a GPU is nearly full",
                "At least 95 % of it is in use.",
                "A smaller batch with accumulation, checkpointing, or 16 bits.",
                "low; medium where it reaches 97 % and moves"},
    FindingKind{
        "monitor.out-of-memory", "Programs end again and again with a GPU's memory full",
        "Three times within an hour at least 93 % of it was in use, and within 15 seconds "
        "at most 4 %: its program ended. That is how one looks that runs out of memory and "
        "is started again; a queue of jobs that fill the GPU looks the same (suspected). One "
        "that did nothing for three minutes before it ended does not count.",
        "Look for an out-of-memory error in the program's log; a smaller batch with "
        "accumulation, checkpointing, or 16 bits.",
        "medium"},
    FindingKind{
        "monitor.headroom", "Memory has room for a larger batch",
        "Less than 80 % of device memory is in use, steadily, in a training that tells "
        "its batch size. The size that fits is from the line of memory against batch size "
        "where several sizes were seen, else as if all memory grew with the batch; of several "
        "GPUs of a training the least is told.",
        "Try a larger batch, and adapt the learning rate.", "info"},
    FindingKind{
        "monitor.leak", "Memory rises and goes on to",
        "The lowest readings of half minutes, 4 minutes, half hours or 4 hours rise: by "
        "Mann and Kendall's test, corrected for autocorrelation (p < 0.0001), not as "
        "a random walk does, as fast in their later half and in many small steps, by at least "
        "64 MiB; over 20 minutes or more; of a GPU that works, over 4 minutes where it would be "
        "full in as "
        "long again. A warm-up or an allocator that takes a few blocks is none of that. The "
        "rate is Theil and Sen's slope.",
        "Look for what is kept from step to step.",
        "high where memory is full within an hour, medium within a day, and within ten times the "
        "time that it was seen to rise; else low"},
    FindingKind{"monitor.cpu-saturated", "No CPU is left",
                "The CPUs are at work for at least 92 % of the time.",
                "Fewer workers and threads; move what else runs on the machine.",
                "medium where a GPU waits meanwhile, or what is watched gets little of them; low "
                "where GPUs are busy; else info"},
    FindingKind{"monitor.cpu-quota", "The CPU quota stops work",
                "In at least 10 % of the periods of the container's CPU quota it was used up.",
                "Raise the limit, or use fewer workers and threads.",
                "low; medium from 30 % or where a GPU waits, high for both"},
    FindingKind{"monitor.steal", "The hypervisor takes CPU time",
                "At least 5 % of the time of the CPUs went to other guests of the host.",
                "CPUs of one's own, or another host.", "low; medium from 15 %, high from 30 %"},
    FindingKind{"monitor.host-memory", "Memory of the machine runs out",
                "Work waits for memory for at least 10 % of the time, or at least 95 % of it is in "
                "use, or over 256 MiB went to swap in the window. Of the container's limit where "
                "there is one.",
                "Fewer workers, less prefetching, a higher limit.",
                "medium; high where all work stands still for 10 % of the time"},
};

}  // namespace

std::span<const FindingKind> monitor_kinds() {
  return kMonitorKinds;
}

}  // namespace batchscope::findings

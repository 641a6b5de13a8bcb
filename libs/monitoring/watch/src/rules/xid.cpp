#include "xid.hpp"

#include <algorithm>
#include <array>

namespace batchscope::watch {
namespace {

using findings::Severity;

constexpr XidMeaning kUnknown{
    0, "an error that is not in the table here",
    "look the number up in NVIDIA's list of XID errors, and read the kernel's log (dmesg)",
    Severity::medium};

constexpr std::array kMeanings{
    XidMeaning{13, "an exception in a kernel, mostly an access out of bounds",
               "the developer of the program: run it under compute-sanitizer; if it comes with "
               "every program on this GPU alone, test the GPU (dcgmi diag -r 3)",
               Severity::medium},
    XidMeaning{31, "a page fault: a program used an address that is not its own",
               "the developer of the program: run it under compute-sanitizer, or with "
               "CUDA_LAUNCH_BLOCKING=1 to see the call",
               Severity::medium},
    XidMeaning{43, "a program was stopped after an error of its own; the GPU goes on",
               "the developer of the program: read its error; nothing is to be done to the GPU",
               Severity::medium},
    XidMeaning{45, "a program's work was removed, because it ended or because of an error before",
               "nothing where the program was stopped on purpose; else look at the error before it",
               Severity::low},
    XidMeaning{48, "an error of device memory that could not be corrected (double bit)",
               "the administrator: drain the machine and reset the GPU; replace it if this repeats",
               Severity::high},
    XidMeaning{61, "the GPU's own controller stopped at a breakpoint",
               "the administrator: reset the GPU and update the driver; if it repeats, have the "
               "GPU tested",
               Severity::high},
    XidMeaning{62, "the GPU's own controller halted",
               "the administrator: reset the GPU or restart the machine; if it repeats, have the "
               "GPU replaced",
               Severity::high},
    XidMeaning{63, "a row of device memory was marked to be replaced",
               "the administrator: reset the GPU at the next occasion, so that it is",
               Severity::medium},
    XidMeaning{64, "a row of device memory could not be marked to be replaced",
               "the administrator: drain the machine and reset the GPU; replace it if this repeats",
               Severity::high},
    XidMeaning{74, "an error of NVLink",
               "the administrator: check the links (nvidia-smi nvlink -e), reseat the GPU or the "
               "bridge, and reset",
               Severity::high},
    XidMeaning{79, "the GPU has fallen off the bus",
               "the administrator: restart the machine; check power, cooling and seating; if it "
               "repeats, have the GPU replaced",
               Severity::high},
    XidMeaning{92, "many errors of memory that were corrected",
               "the administrator: watch for errors that cannot be, and have the GPU tested",
               Severity::medium},
    XidMeaning{94, "an error of device memory that ended one program and nothing else",
               "restart the program; the administrator: reset the GPU at the next occasion",
               Severity::medium},
    XidMeaning{95, "an error of device memory that may have reached every program on the GPU",
               "the administrator: stop all programs on it and reset it at once; do not trust "
               "results since",
               Severity::high},
    XidMeaning{119, "the GPU's system processor (GSP) did not answer the driver",
               "the administrator: reset the GPU or restart the machine, and update the driver",
               Severity::high},
    XidMeaning{120, "an error of the GPU's system processor (GSP)",
               "the administrator: reset the GPU or restart the machine, and update the driver",
               Severity::high}};

}  // namespace

const XidMeaning& meaning_of_xid(int number) {
  const auto* const found =
      std::find_if(kMeanings.begin(), kMeanings.end(),
                   [&](const XidMeaning& each) { return each.number == number; });
  return found == kMeanings.end() ? kUnknown : *found;
}

}  // namespace batchscope::watch

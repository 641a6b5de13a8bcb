#include "xid.hpp"

#include <algorithm>
#include <array>

namespace batchscope::watch {
namespace {

using findings::Severity;

constexpr XidMeaning kUnknown{
    0, "an unknown error",
    "look up the number in NVIDIA's list of XID errors, and read the kernel's log (dmesg)",
    Severity::medium};

constexpr std::array kMeanings{
    XidMeaning{13, "an exception in a kernel, usually an access out of bounds",
               "developer: run the program under compute-sanitizer; if only this GPU has the "
               "error, with every program, test the GPU (dcgmi diag -r 3)",
               Severity::medium},
    XidMeaning{31, "a page fault: a program used an invalid address",
               "developer: run the program under compute-sanitizer, or with CUDA_LAUNCH_BLOCKING=1 "
               "to see the call",
               Severity::medium},
    XidMeaning{43, "the GPU stopped a faulty program; the GPU itself is fine",
               "developer: read the program's error; the GPU needs nothing", Severity::medium},
    XidMeaning{
        45, "the GPU removed a program's work, after its end or an earlier error",
        "nothing, if somebody stopped the program on purpose; else check the error before this one",
        Severity::low},
    XidMeaning{48, "an uncorrectable error of device memory (double bit)",
               "administrator: drain the machine and reset the GPU; replace it if this repeats",
               Severity::high},
    XidMeaning{
        61, "the GPU's own controller stopped at a breakpoint",
        "administrator: reset the GPU and update the driver; if it repeats, have the GPU tested",
        Severity::high},
    XidMeaning{
        62, "the GPU's own controller halted",
        "administrator: reset the GPU or restart the machine; if it repeats, have the GPU replaced",
        Severity::high},
    XidMeaning{63, "the driver marked a row of device memory for replacement",
               "administrator: reset the GPU at the next opportunity, which replaces the row",
               Severity::medium},
    XidMeaning{64, "the driver could not mark a row of device memory for replacement",
               "administrator: drain the machine and reset the GPU; replace it if this repeats",
               Severity::high},
    XidMeaning{74, "an NVLink error",
               "administrator: check the links (nvidia-smi nvlink -e), reseat the GPU or the "
               "bridge, and reset",
               Severity::high},
    XidMeaning{79, "the GPU has fallen off the bus",
               "administrator: restart the machine; check power, cooling and seating; if it "
               "repeats, have the GPU replaced",
               Severity::high},
    XidMeaning{92, "many corrected memory errors",
               "administrator: watch for uncorrectable errors, and have the GPU tested",
               Severity::medium},
    XidMeaning{94, "a device memory error that ended only one program",
               "restart the program; administrator: reset the GPU at the next opportunity",
               Severity::medium},
    XidMeaning{95, "a device memory error that may affect every program on the GPU",
               "administrator: stop all programs on the GPU and reset it now; do not trust their "
               "results since the error",
               Severity::high},
    XidMeaning{119, "the GPU's system processor (GSP) did not answer the driver",
               "administrator: reset the GPU or restart the machine, and update the driver",
               Severity::high},
    XidMeaning{120, "an error of the GPU's system processor (GSP)",
               "administrator: reset the GPU or restart the machine, and update the driver",
               Severity::high}};

}  // namespace

const XidMeaning& meaning_of_xid(int number) {
  const auto* const found =
      std::find_if(kMeanings.begin(), kMeanings.end(),
                   [&](const XidMeaning& each) { return each.number == number; });
  return found == kMeanings.end() ? kUnknown : *found;
}

}  // namespace batchscope::watch

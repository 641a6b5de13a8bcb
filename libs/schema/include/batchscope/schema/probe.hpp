#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace batchscope::schema {

// One try of a batch size by the search for the largest one, in a process of its own. It stands in
// the run file twice: before the process is started (no outcome yet, but what the machine had
// counted by then, so that a search that was killed can tell whether memory was what killed it),
// and again with what came of it.
struct Probe {
  int config = 0;  // index into RunFile::configs, whose batch size is not looked at
  int64_t batch_size = 1;
  // search: does it fit; confirm: does it again; soak: for long; need: what it takes without the
  // limit; ceiling: died in an earlier run, and is not tried.
  std::string purpose = "search";
  int64_t limit_bytes = 0;  // that was held; 0: none, as on an accelerator

  // Before: of this boot of the machine, and how many processes the kernel had killed for memory.
  std::string boot_id{};
  std::optional<int64_t> oom_kills{};

  // After; `outcome` is empty before: fits, failed, interrupted, [believed-]out-of-memory.
  std::string outcome{};
  std::string message{};                    // of what did not fit
  std::optional<int64_t> peak_bytes{};      // of its whole life
  std::string peak_of{};                    // group, resident, allocated: what that counts
  std::optional<int64_t> reserved_bytes{};  // accelerator: taken from the device
  int64_t iterations = 0;                   // made, warm-up included
  int64_t iteration_ns = 0;                 // the median of the timed ones
  int64_t wall_ns = 0;
  bool operator==(const Probe&) const = default;
};

}  // namespace batchscope::schema

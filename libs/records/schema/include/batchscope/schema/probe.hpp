#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "batchscope/schema/open_enum.hpp"

namespace batchscope::schema {

// Why a size is tried: does it fit, does it again, does it for long, what does it take without the
// limit; `ceiling` died in an earlier run, and is not tried.
enum class ProbePurpose { search, confirm, soak, need, ceiling, other };
std::string_view to_string(ProbePurpose purpose);

// What became of it. `interrupted` by the user: it says nothing. `believed_out_of_memory`: nobody
// saw it, the search was killed together with it, perhaps; it bounds its own run and no other.
enum class ProbeOutcome { fits, out_of_memory, believed_out_of_memory, failed, interrupted, other };
std::string_view to_string(ProbeOutcome outcome);

// One try of a batch size by the search for the largest one, in a process of its own. It stands in
// the run file twice: before the process is started (no outcome yet, but what the machine had
// counted by then, so that a search that was killed can tell whether memory was what killed it),
// and again with what came of it.
struct Probe {
  int config = 0;  // index into RunFile::configs, whose batch size is not looked at
  int64_t batch_size = 1;
  OpenEnum<ProbePurpose> purpose = ProbePurpose::search;
  int64_t limit_bytes = 0;  // that was held; 0: none, as on an accelerator

  // Before: of this boot of the machine, and how many processes the kernel had killed for memory.
  std::string boot_id{};
  std::optional<int64_t> oom_kills{};

  // After; `outcome` is empty before.
  OpenEnum<ProbeOutcome> outcome{};
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

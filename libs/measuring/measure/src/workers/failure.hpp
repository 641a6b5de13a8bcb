#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/measure/executor.hpp"

namespace batchscope::measure {

// What became of a worker that gave no answer.
struct WorkerEnd {
  base::ChildExit exit;
  bool overdue = false;     // killed because its deadline passed
  bool oom_killed = false;  // by the kernel, at the memory limit
  bool has_group = false;   // a memory group of its own, which tells so
  int64_t timeout_ns = 0;   // the deadline
  // Killed because somebody else wrote into its connection: the beginning of that, in quotes.
  std::optional<std::string> foreign;
  std::string output_tail;  // what it wrote last
};

// The model's own report: out-of-memory or error, by its kind or by its words. `device`: whose
// memory it takes.
schema::Event event_of(const base::Error& reported, std::string_view device);
// out-of-memory, timeout or crash, with the signal's name and what the process said last.
schema::Event event_of(const WorkerEnd& end);

}  // namespace batchscope::measure

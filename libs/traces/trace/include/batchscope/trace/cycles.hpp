#pragma once

#include <filesystem>
#include <string>

namespace batchscope::trace {

// Whose profile a file is, by the names that writers for TensorBoard give: torch's
// WORKER.SPAN.pt.trace.json, XLA's plugins/profile/SPAN/HOST.trace.json. Files of one worker that
// differ in the span are its profiles one after the other.
struct Worker {
  std::string name;  // with its folder; empty: the file's name says nothing
  std::string span;  // may be empty
};
Worker worker_of(const std::filesystem::path& file);

}  // namespace batchscope::trace

#pragma once

#include <optional>
#include <span>
#include <string>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::compare {

// What a machine is, whatever its name: "AMD EPYC, 2 cores, NVIDIA H200"; "unknown machine" where
// nothing was recorded.
std::string machine_words(const schema::Machine& machine);

// What has to be said where runs of either side were made on machines of different names or of
// different parts, a sentence.
std::optional<std::string> other_machines(std::span<const schema::RunFile> old_runs,
                                          std::span<const schema::RunFile> new_runs);

}  // namespace batchscope::compare

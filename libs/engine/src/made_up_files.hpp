#pragma once

#include <filesystem>
#include <span>

#include "batchscope/engine/sample_files.hpp"

namespace batchscope::engine {

// Makes the files of `source` in a new folder, which it returns. Errors: failed.
base::Result<std::filesystem::path> make_up_files(const SampleSource& source,
                                                  std::span<const InputSpec> inputs, uint64_t seed);

}  // namespace batchscope::engine

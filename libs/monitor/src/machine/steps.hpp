#pragma once

#include <filesystem>
#include <memory>

#include "batchscope/monitor/run.hpp"
#include "batchscope/sampling/clock.hpp"

namespace batchscope::monitor {

// Where training loops tell their steps: a file that is called .jsonl is followed, else a Unix
// socket is made. Errors: those of training::StepFeed.
base::Result<std::unique_ptr<StepSource>> step_source(const std::filesystem::path& path,
                                                      std::shared_ptr<sampling::Clock> clock);

}  // namespace batchscope::monitor

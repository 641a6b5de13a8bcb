#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "batchscope/measure/estimate.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::cli {

// What `profile` prints on standard output when it is done: an estimate a configuration, how the
// run ended, where the file is; as text or as one JSON document.
std::string results_text(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates,
                         const std::filesystem::path& path);
std::string results_json(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates,
                         const std::filesystem::path& path);

// What --dry-run prints.
std::string plan_text(const schema::Header& header, std::span<const schema::RunConfig> configs,
                      const measure::TimeEstimate& time);
std::string plan_json(const schema::Header& header, std::span<const schema::RunConfig> configs,
                      const measure::TimeEstimate& time);

}  // namespace batchscope::cli

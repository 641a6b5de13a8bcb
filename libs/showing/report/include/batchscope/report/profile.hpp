#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/document/text.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/measure/estimate.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

// What is told of a run that profile() measured: an estimate a configuration, how the run ended,
// `where` its file is, and the answer; as text or as one JSON document. `summary`: of that run
// alone. Names are untrusted: what steers a terminal is spelt out.
std::string profile_text(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates, std::string_view where,
                         const findings::Summary& summary, const document::TextStyle& style = {});
std::string profile_json(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates,
                         const std::filesystem::path& path, const findings::Summary& summary);

// Of a job that was not measured.
std::string dry_run_text(const schema::Header& header, std::span<const schema::RunConfig> configs,
                         const measure::TimeEstimate& time);
std::string dry_run_json(const schema::Header& header, std::span<const schema::RunConfig> configs,
                         const measure::TimeEstimate& time);

}  // namespace batchscope::report

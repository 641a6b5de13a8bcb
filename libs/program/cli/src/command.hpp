#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/commandline/command.hpp"

namespace batchscope::cli {

using enum commandline::ExitCode;
using commandline::exit_code;
using commandline::ExitCode;
using commandline::fail;
using commandline::VerbMain;

// Of all verbs.
inline constexpr std::array kFlagGroups = {
    commandline::FlagGroup{"measure", "What to measure"},
    commandline::FlagGroup{"loader", "Training on files"},
    commandline::FlagGroup{"texts", "Texts in, vectors out"},
    commandline::FlagGroup{"repeats", "How to measure"},
    commandline::FlagGroup{"diagnose", "Finding out why"},
    commandline::FlagGroup{"goal", "What is best"},
    commandline::FlagGroup{"search", "How to search"},
    commandline::FlagGroup{"max-batch", "The largest batch"},
    commandline::FlagGroup{"cluster", "On a cluster"},
    commandline::FlagGroup{"margin", "How to compare"},
    commandline::FlagGroup{"watch", "What to watch"},
    commandline::FlagGroup{"targets", "Targets"},
    commandline::FlagGroup{"export", "Outputs"},
    commandline::FlagGroup{"display", "Display"},
    commandline::FlagGroup{"output", "Output"},
};

inline constexpr std::array kLoaderParts = {
    commandline::MergedPart{"workers", "--loader-workers"},
    commandline::MergedPart{"prefetch", "--prefetch"},
    commandline::MergedPart{"to-device", "--prefetch-to-device"},
    commandline::MergedPart{"start-method", "--start-method"},
    commandline::MergedPart{"pin-memory", "--pin-memory"},
};
inline constexpr std::array kDiagnoseParts = {
    commandline::MergedPart{"causes", "--verify-causes", "auto", "off"},
    commandline::MergedPart{"verify", "--verify", "auto", "off"},
    commandline::MergedPart{"only", "--only"},
    commandline::MergedPart{"budget", "--diagnose-budget"},
};
// "yes": the flag of that part takes no value.
inline constexpr std::array kOnExistingParts = {
    commandline::MergedPart{"fail", "", "yes"},
    commandline::MergedPart{"resume", "--resume", "yes"},
    commandline::MergedPart{"overwrite", "--overwrite", "yes"},
};
// Of all verbs.
inline constexpr std::array kMergedFlags = {
    commandline::MergedFlag{"--loader", commandline::Takes::source, kLoaderParts},
    commandline::MergedFlag{"--diagnose", commandline::Takes::optional_parts, kDiagnoseParts},
    commandline::MergedFlag{"--on-existing", commandline::Takes::parts, kOnExistingParts},
};

// One verb's flags, with the words that stand for their values.
class Command : public commandline::Command {
 public:
  using commandline::Command::Command;
  // As commandline::Command::parse.
  bool parse(const std::vector<std::string>& arguments, int& exit);
};

// Messages on standard error. `quiet`: warnings and errors only.
base::Log make_log(bool quiet = false);

int analyze_verb(const std::vector<std::string>& arguments);
int baseline_compare_verb(const std::vector<std::string>& arguments);
int baseline_list_verb(const std::vector<std::string>& arguments);
int baseline_save_verb(const std::vector<std::string>& arguments);
int block_verb(const std::vector<std::string>& arguments);
int compare_verb(const std::vector<std::string>& arguments);
int doctor_verb(const std::vector<std::string>& arguments);
int embed_verb(const std::vector<std::string>& arguments);
int import_verb(const std::vector<std::string>& arguments);
int monitor_verb(const std::vector<std::string>& arguments);
int plan_verb(const std::vector<std::string>& arguments);
int noise_scale_verb(const std::vector<std::string>& arguments);
int profile_verb(const std::vector<std::string>& arguments);
int merge_verb(const std::vector<std::string>& arguments);
int report_verb(const std::vector<std::string>& arguments);
int trace_verb(const std::vector<std::string>& arguments);
int trend_verb(const std::vector<std::string>& arguments);
int tune_verb(const std::vector<std::string>& arguments);
int chart_verb(const std::vector<std::string>& arguments);
int worker_verb(const std::vector<std::string>& arguments);

}  // namespace batchscope::cli

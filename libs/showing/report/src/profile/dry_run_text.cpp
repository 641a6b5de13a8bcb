#include <fmt/format.h>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/profile.hpp"

namespace batchscope::report {
namespace {

// What variable-length input comes to, known before anything is measured.
std::string cycle_text(const schema::RunConfig& config) {
  const auto tokens = schema::tokens_of(config);
  if (!tokens) return "";
  return fmt::format(" ({} per cycle, padding {})", base::counted(tokens->iterations, "batch"),
                     findings::percent(1 - static_cast<double>(tokens->real) /
                                               static_cast<double>(tokens->padded)));
}

}  // namespace

std::string dry_run_text(const schema::Header& header, std::span<const schema::RunConfig> configs,
                         const measure::TimeEstimate& time) {
  std::string text = fmt::format(
      "{} x {} = {}, seed {}\n", base::counted(configs.size(), "configuration"),
      base::counted(header.plan.blocks, "block"), base::counted(time.visits, "visit"), header.seed);
  for (const schema::RunConfig& config : configs)
    text += fmt::format("  {}{}\n", schema::describe(config), cycle_text(config));
  text += fmt::format("isolation {}, sync {}, target \u00b1{}, budget at most {}\n",
                      header.plan.isolation.text(), header.plan.sync.text(),
                      base::format_level(header.plan.target),
                      base::format_seconds(header.plan.budget_s));
  for (const std::string& note : header.notes) text += note + "\n";
  const std::string likely = base::format_seconds(time.likely_s);
  if (time.at_least_s >= time.at_most_s) {
    return text + fmt::format("estimated time: {} (capped by --budget)\n", likely);
  }
  return text + fmt::format("estimated time: {} ({} to {}; {})\n", likely,
                            base::format_seconds(time.at_least_s),
                            base::format_seconds(time.at_most_s), time.basis);
}

}  // namespace batchscope::report

#include <fmt/format.h>

#include <array>

#include "batchscope/base/units.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

constexpr double kLargestMargin = 0.9;

Error refused(std::string what, std::string flag, std::string fix) {
  return {ErrorKind::usage, std::move(what), std::move(flag), std::move(fix)};
}

struct TypedFlag {
  bool typed;
  const char* name;
};

Result<void> check_alone(const TuneFlags& flags) {
  const ProfileFlags& profile = flags.profile;
  const std::array<TypedFlag, 15> useless{{
      {!flags.replay.empty(), "--replay"},
      {flags.objective != to_string(tune::Objective::throughput), "--objective"},
      {!profile.latency_budget.empty(), "--latency-budget"},
      {!flags.price_per_hour.empty(), "--price-per-hour"},
      {!flags.practical.empty(), "--practical"},
      {flags.points > 0, "--points"},
      {!flags.exports.empty(), "--export"},
      {!profile.axes[AxisId::batch_size].empty(), "--batch-sizes"},
      {profile.current_batch_size > 0, "--current-batch-size"},
      {profile.iterations > 0, "--iterations"},
      {!profile.min_visit_time.empty(), "--min-visit-time"},
      {!profile.isolation.empty(), "--isolation"},
      {!profile.axes[AxisId::instances].empty(), "--instances"},
      {profile.effective_batch > 0, "--effective-batch"},
      {!profile.text.pipeline.empty(), "--pipeline"},
  }};
  for (const TypedFlag& flag : useless) {
    if (!flag.typed) continue;
    return refused("has no effect on the search for the largest batch",
                   std::string(flag.name) + ", --max-batch-only", "leave one out");
  }
  return {};
}

Result<double> read_margin(const TuneFlags& flags) {
  if (flags.margin.empty()) return api::LargestBatchOptions{}.margin;
  const auto margin = base::parse_ratio(flags.margin);
  if (margin && *margin <= kLargestMargin) return *margin;
  return refused(fmt::format("'{}' is not a margin", flags.margin), "--margin",
                 "write a share of the limit from 0% to 90%, such as 5%");
}

Result<double> read_soak(const TuneFlags& flags) {
  if (flags.soak_time.empty()) return api::LargestBatchOptions{}.soak_s;
  const auto time = base::parse_duration(flags.soak_time);
  if (time && time->count() > 0) return std::chrono::duration<double>(*time).count();
  return refused(fmt::format("'{}' is not a time", flags.soak_time), "--soak-time",
                 "write for example 30s");
}

}  // namespace

Result<void> check_max_batch_flags(const TuneFlags& flags) {
  if (flags.max_batch_only) return check_alone(flags);
  if (flags.margin.empty() && flags.soak_time.empty()) return {};
  return refused("applies only to the search for the largest batch", "--margin, --soak-time",
                 "add --max-batch-only, or leave them out");
}

Result<api::LargestBatchOptions> read_largest_batch_options(const TuneFlags& flags,
                                                            std::vector<std::string> command_line) {
  auto measuring = read_flags(flags.profile, std::move(command_line));
  if (!measuring) return std::move(measuring).error();
  const auto margin = read_margin(flags);
  if (!margin) return margin.error();
  const auto soak_s = read_soak(flags);
  if (!soak_s) return soak_s.error();
  api::LargestBatchOptions options{*std::move(measuring), *margin, *soak_s};
  if (!flags.margin.empty()) options.stated.insert("--margin");
  if (!flags.soak_time.empty()) options.stated.insert("--soak-time");
  if (flags.max_batch_size > 0) options.at_most = flags.max_batch_size;
  options.forget_ceilings = flags.forget_ceilings;
  return options;
}

}  // namespace batchscope::cli

#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr double kLargestMargin = 0.9;

Error refused(std::string what, std::string flag, std::string fix) {
  return {ErrorKind::usage, std::move(what), std::move(flag), std::move(fix)};
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

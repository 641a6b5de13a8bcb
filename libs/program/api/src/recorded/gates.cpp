#include <fmt/format.h>

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::api {

using base::Error;
using base::ErrorKind;

Error no_regression_gate(std::string what) {
  return {ErrorKind::usage, std::move(what), "--fail-on-regression",
          fmt::format("measure both versions in one run (batchscope profile -m OLD -m NEW), or "
                      "give at least {} "
                      "runs a side (--baseline A1 A2 A3 --candidate B1 B2 B3)",
                      timing::kRunsToProve)};
}

base::Result<void> check_regression_gate(const std::vector<std::string>& paths,
                                         std::size_t baseline, std::size_t candidate) {
  if (baseline == 0 && candidate == 0) {
    if (paths.size() == 1) return {};
    return no_regression_gate(
        "single runs cannot tell a change in the program from variation between runs, so they "
        "support no gate");
  }
  if (baseline < timing::kRunsToProve || candidate < timing::kRunsToProve) {
    return no_regression_gate(
        fmt::format("{} against {} cannot tell a change in the program from variation between runs",
                    baseline, base::counted(candidate, "run")));
  }
  const auto repeats = repeats_among(paths);
  if (repeats.empty()) return {};
  return Error{ErrorKind::usage, "appears twice, and would count as two runs",
               repeats.front().second, "name each run once"};
}

}  // namespace batchscope::api

#include "recorded_inputs.hpp"

#include <fmt/format.h>

#include "batchscope/api/recorded.hpp"
#include "batchscope/base/units.hpp"

namespace batchscope::cli {

base::Result<void> check_outputs(const Output& output, const std::vector<std::string>& inputs) {
  for (const std::string& path : inputs) {
    if (auto distinct = check_distinct(output, path); !distinct) return distinct;
  }
  return check_writable(output);
}

void warn_of_repeats(const std::vector<std::string>& paths, const base::Log& log) {
  for (const auto& [first, second] : api::repeats_among(paths)) {
    log.warning(fmt::format("{} and {} are the same file: compare different ones", first, second));
  }
}

base::Result<std::optional<double>> read_practical(const std::string& text) {
  if (text.empty()) return std::optional<double>();
  const auto ratio = base::parse_ratio(text);
  if (!ratio || *ratio < 0 || *ratio >= 1) {
    return base::Error{base::ErrorKind::usage, "must be a share from 0% to below 100%",
                       "--practical", "use --practical 1%"};
  }
  return std::optional(*ratio);
}

}  // namespace batchscope::cli

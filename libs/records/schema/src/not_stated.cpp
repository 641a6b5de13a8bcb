#include "batchscope/schema/not_stated.hpp"

#include <fmt/format.h>

#include <vector>

#include "batchscope/base/counted.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

bool states_engine(const RunConfig& config) {
  return config.engine != kEngineNotStated;
}
bool is_measured_elsewhere(const RunConfig& config) {
  return !states_engine(config) || config.engine == kEngineCallable;
}
bool states_precision(const RunConfig& config) {
  return config.precision != kPrecisionNotStated;
}
bool states_device(const RunConfig& config) {
  return !config.device.empty();
}
bool states_threads(const RunConfig& config) {
  return config.threads > 0;
}

std::string not_stated_in_words(const RunConfig& config) {
  std::vector<const char*> missing;
  if (!states_precision(config)) missing.push_back("precision");
  if (!states_device(config)) missing.push_back("device");
  if (!states_threads(config)) missing.push_back("threads");
  if (missing.empty()) return "";
  std::string text = missing.front();
  for (std::size_t i = 1; i < missing.size(); ++i) {
    text += fmt::format("{}{}", i + 1 == missing.size() ? " and " : ", ", missing[i]);
  }
  return text + " not stated";
}

std::string execution_in_words(const RunConfig& config) {
  std::vector<std::string> parts;
  if (states_precision(config)) parts.emplace_back(to_string(config.precision));
  if (states_device(config)) parts.push_back(config.device);
  if (states_threads(config)) {
    parts.push_back(base::counted(config.threads, "thread"));
  }
  if (std::string missing = not_stated_in_words(config); !missing.empty()) {
    parts.push_back(std::move(missing));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace batchscope::schema

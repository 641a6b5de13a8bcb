
#include "axis_row.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/describe.hpp"

namespace batchscope::schema {
namespace {

std::string variables(const RunConfig& config, std::string_view between) {
  const auto stated = base::mapped(config.environment,
                                   [](const auto& each) { return each.first + "=" + each.second; });
  return base::join(stated, between);
}

std::string described(const RunConfig& config) {
  return variables(config, " ");
}

std::string value_of(const RunConfig& config) {
  return config.environment.empty() ? "unchanged" : described(config);
}

// Commas part the values that are compared, so that one in a value is escaped.
std::vector<Argument> arguments(const RunConfig& config) {
  std::vector<Argument> made;
  for (const auto& [name, value] : config.environment) {
    std::string typed = name + "=";
    for (const char c : value) typed += c == ',' ? std::string("\\,") : std::string(1, c);
    made.push_back({base::Subject::environment, std::move(typed)});
  }
  return made;
}

constexpr AxisPart kPart{"environment", AxisKind::setting, value_of,
                         [](const RunConfig& c) { return "environment " + value_of(c); }};

constexpr Field kField = field<&RunConfig::environment>(
    "environment", {.omit = Omit::empty, .description = "added to the worker's environment"});

}  // namespace

AxisRow environment_axis() {
  return {{.id = AxisId::environment,
           .name = "environment",
           .sets_outputs = false,
           .parts = std::span(&kPart, 1),
           .described = described,
           .words = [](const RunConfig& c) { return variables(c, ", "); },
           .forget = [](RunConfig& c) { c.environment.clear(); },
           .arguments = arguments,
           .of_process = true},
          std::span(&kField, 1)};
}

}  // namespace batchscope::schema

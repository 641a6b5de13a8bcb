#include "cause_rules.hpp"

#include <fmt/format.h>

#include "batchscope/causes/cause_findings.hpp"
#include "bottlenecks.hpp"

namespace batchscope::causes {
namespace {

std::vector<CauseRule> all_rules() {
  std::vector<CauseRule> rules;
  for (const auto part : {input_rules(), memory_rules(), kernel_rules(), processor_rules(),
                          interpreter_rules(), device_rules()}) {
    rules.insert(rules.end(), part.begin(), part.end());
  }
  return rules;
}

}  // namespace

std::span<const CauseRule> cause_rules() {
  static const std::vector<CauseRule> kCauseRules = all_rules();
  return kCauseRules;
}

findings::Catalogue kinds() {
  findings::Catalogue kinds;
  for (const auto part : {memory_rules(), kernel_rules(), processor_rules(), device_rules(),
                          input_rules(), interpreter_rules()}) {
    for (const CauseRule& rule : part) {
      // Two experiments of one cause.
      if (kinds.empty() || kinds.back().id != rule.kind.id) kinds.push_back(rule.kind.kind());
    }
  }
  return findings::joined({kinds, bottleneck_kinds()});
}

schema::RunConfig under(schema::RunConfig config,
                        const std::map<std::string, std::string>& environment) {
  for (const auto& [name, value] : environment) config.environment[name] = value;
  return config;
}

std::optional<schema::RunConfig> with_older_instructions(const schema::RunConfig& config) {
  return under(config, {{"ONEDNN_MAX_CPU_ISA", "AVX2"},
                        {"MKL_ENABLE_INSTRUCTIONS", "AVX2"},
                        {"ATEN_CPU_CAPABILITY", "avx2"}});
}

std::string export_line(const std::map<std::string, std::string>& environment) {
  std::string text = "export";
  for (const auto& [name, value] : environment) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace batchscope::causes

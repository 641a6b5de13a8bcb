#include "batchscope/findings/diagnosis_part.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::findings {
namespace {

using base::Name;

constexpr std::array kParts = {Name<DiagnosisPart>{DiagnosisPart::kernels, "kernels"},
                               Name<DiagnosisPart>{DiagnosisPart::memory, "memory"},
                               Name<DiagnosisPart>{DiagnosisPart::padding, "padding"},
                               Name<DiagnosisPart>{DiagnosisPart::sync, "sync"},
                               Name<DiagnosisPart>{DiagnosisPart::trace, "trace"},
                               Name<DiagnosisPart>{DiagnosisPart::transfers, "transfers"}};

}  // namespace

std::vector<std::string> names_of_diagnosis_parts() {
  std::vector<std::string> names;
  for (const auto& [part, name] : kParts) names.emplace_back(name);
  return names;
}

bool asks_for(const schema::MeasurementPlan& plan, DiagnosisPart part) {
  return plan.only.empty() || std::find(plan.only.begin(), plan.only.end(),
                                        base::name_of(kParts, part)) != plan.only.end();
}

bool asks_for_trace(const schema::MeasurementPlan& plan) {
  return asks_for(plan, DiagnosisPart::kernels) || asks_for(plan, DiagnosisPart::sync) ||
         asks_for(plan, DiagnosisPart::trace) || asks_for(plan, DiagnosisPart::transfers);
}

bool asks_for_trace_alone(const schema::MeasurementPlan& plan) {
  return !plan.only.empty() &&
         std::all_of(plan.only.begin(), plan.only.end(), [](const std::string& part) {
           return part == base::name_of(kParts, DiagnosisPart::trace);
         });
}

}  // namespace batchscope::findings

#include "batchscope/schema/diagnosis_part.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::schema {
namespace {

using base::Name;

constexpr std::array kParts = {Name<DiagnosisPart>{DiagnosisPart::kernels, "kernels"},
                               Name<DiagnosisPart>{DiagnosisPart::memory, "memory"},
                               Name<DiagnosisPart>{DiagnosisPart::padding, "padding"},
                               Name<DiagnosisPart>{DiagnosisPart::sync, "sync"},
                               Name<DiagnosisPart>{DiagnosisPart::trace, "trace"},
                               Name<DiagnosisPart>{DiagnosisPart::transfers, "transfers"}};

}  // namespace

base::Result<DiagnosisPart> parse_diagnosis_part(std::string_view text) {
  return base::value_of(kParts, "part of a diagnosis", text);
}

bool asks_for(const MeasurementPlan& plan, DiagnosisPart part) {
  return plan.only.empty() || std::find(plan.only.begin(), plan.only.end(),
                                        base::name_of(kParts, part)) != plan.only.end();
}

bool asks_for_trace(const MeasurementPlan& plan) {
  return asks_for(plan, DiagnosisPart::kernels) || asks_for(plan, DiagnosisPart::sync) ||
         asks_for(plan, DiagnosisPart::trace) || asks_for(plan, DiagnosisPart::transfers);
}

}  // namespace batchscope::schema

#pragma once

#include "batchscope/measure/session.hpp"
#include "batchscope/study/study.hpp"

namespace batchscope::study {

// The stages that follow the main part, planned from what was recorded so far; empty where there is
// nothing to measure.
measure::Stage control_stage(const schema::RunFile& run, const ControlOptions& controls);
measure::Stage diagnostic_stage(const schema::RunFile& run, const DiagnosisOptions& diagnosis);
// Of the experiments that the signals call for, the strongest first, those that the budget lets be
// decided: of one that it would not, the neighbour is left out first.
measure::Stage intervention_stage(const schema::RunFile& run, const DiagnosisOptions& diagnosis);
measure::Stage verify_stage(const schema::RunFile& run, const VerificationOptions& verification);

}  // namespace batchscope::study

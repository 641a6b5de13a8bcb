#pragma once

#include "batchscope/base/result.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::study {

// What to do about verdicts that the measured batch sizes leave ambiguous.
struct ControlOptions {
  bool automatic = false;  // measure the control sizes that the analysis proposes
  int blocks = schema::MeasurementPlan{}.blocks;  // of that stage: what a claim of dominance needs
  double budget_s = 600;                          // wall time of that stage
};

// Whether to find out why: the causes that the signals of the run raise are put to the test.
struct DiagnosisOptions {
  bool look = false;           // one diagnostic visit for each size in question
  bool interventions = false;  // measure with and without what takes the cause away
  int blocks = schema::MeasurementPlan{}.blocks;  // of that stage
  std::size_t most = 2;                           // interventions, the strongest signal first
  double budget_s = 600;                          // wall time of both
};

// Whether to hold the recommendation against visits that took no part in choosing it.
struct VerificationOptions {
  bool automatic = false;
  int blocks = schema::MeasurementPlan{}.blocks;  // one accident among fewer hides a gain of 10 %
  double budget_s = 600;                          // wall time of that stage
};

// What follows the main part.
struct FollowUps {
  ControlOptions controls{};
  DiagnosisOptions diagnosis{};
  VerificationOptions verification{};
};

// What the plan of a run says of them. Causes and verification share the plan's budget of the
// diagnosis, three parts to two, since causes take more visits; without one, what the main part
// leaves of a fixed budget of the run; else each has the run's 10 minutes.
FollowUps follow_ups_of(const schema::MeasurementPlan& plan);
// Takes over what one plan says of the diagnosis: whether, what, and how long.
void copy_diagnosis(const schema::MeasurementPlan& from, schema::MeasurementPlan& to);

// A whole study: the session's main part, then, where asked for and needed, one stage in which the
// proposed control sizes are measured beside all sizes of their table, one of longer visits where
// those of the table are too short, one diagnostic visit for each batch size in question and its
// neighbours, one stage in which proposed interventions are measured beside the same sizes without
// them, and one in which recommended configurations are measured again beside what they are
// compared with, then the end record. Where there are several engines, what they compute of the
// same input is compared after the main part. Errors: the session's.
base::Result<schema::End> run(measure::Session& session, FollowUps follow_ups);

}  // namespace batchscope::study

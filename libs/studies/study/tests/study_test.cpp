#include "batchscope/study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"

namespace batchscope::study {
namespace {

measure::Job job_of(const std::string& law, const std::vector<int64_t>& sizes) {
  measure::Job job;
  job.header.seed = 5;
  job.header.plan.blocks_fixed = true;
  job.header.plan.iterations = 5;
  for (const int64_t size : sizes) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = law;
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.models[law].name = law;
  return job;
}

// A whole study of a job, in virtual time.
schema::RunFile studied(measure::Job job, const FollowUps& parts) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  measure::Session session(std::move(job), {*executor, *sink, nullptr, {}});
  EXPECT_TRUE(run(session, parts));
  return session.recorded();
}

schema::RunFile run_study(const std::string& law, const std::vector<int64_t>& sizes,
                          const ControlOptions& controls) {
  return studied(job_of(law, sizes), {.controls = controls});
}

bool has_purpose(const schema::RunFile& recorded, schema::Purpose purpose) {
  return std::any_of(recorded.visits.begin(), recorded.visits.end(),
                     [&](const schema::Visit& visit) { return visit.purpose == purpose; });
}

// An odd size at the edge cannot be told from its neighbour, so controls are wanted.
constexpr auto kAmbiguous = "synthetic:affine:2ms,10ms;visit_sd=0.005;process_sd=0;anomaly=8:1.3";

TEST(Study, MeasuresTheProposedControlsBesideTheTable) {
  const schema::RunFile recorded = run_study(kAmbiguous, {1, 2, 4, 8}, {.automatic = true});
  EXPECT_TRUE(has_purpose(recorded, schema::Purpose::control));
  EXPECT_GT(recorded.configs.size(), 4u);
  ASSERT_TRUE(recorded.end);
}

TEST(Study, LeavesControlsAloneUnlessAsked) {
  const schema::RunFile recorded = run_study(kAmbiguous, {1, 2, 4, 8}, {.automatic = false});
  EXPECT_FALSE(has_purpose(recorded, schema::Purpose::control));
  EXPECT_EQ(recorded.configs.size(), 4u);
}

// Batch 8 loses a tenth to memory that goes back and forth.
constexpr auto kReturnsMemory =
    "synthetic:affine:5ms,2ms;visit_sd=0.01;process_sd=0.005;heap_returned=8:1.1";

schema::RunFile run_diagnosed(const std::string& law, double budget_s = 600) {
  return studied(job_of(law, {1, 2, 4, 8}),
                 {.diagnosis = {.interventions = true, .budget_s = budget_s}});
}

std::vector<findings::Status> causes_of(const schema::RunFile& recorded) {
  std::vector<findings::Status> statuses;
  for (const findings::Finding& finding : analyze::analyze(std::span(&recorded, 1)).findings) {
    if (finding.id.starts_with("cause.")) statuses.push_back(finding.status);
  }
  return statuses;
}

TEST(Study, ConfirmsACauseByItsIntervention) {
  const schema::RunFile recorded = run_diagnosed(kReturnsMemory);
  EXPECT_EQ(recorded.configs.size(), 6u) << "batch 8 and a neighbour, with the intervention";
  EXPECT_EQ(causes_of(recorded), std::vector{findings::Status::confirmed});
}

TEST(Study, ATightBudgetGoesToTheSizeInQuestion) {
  const schema::RunFile recorded = run_diagnosed(kReturnsMemory, 12);
  EXPECT_EQ(recorded.configs.size(), 5u) << "batch 8 alone";
  EXPECT_EQ(causes_of(recorded), std::vector{findings::Status::confirmed});
}

TEST(Study, RefutesASignalThatCostsNothing) {
  const schema::RunFile recorded =
      run_diagnosed("synthetic:affine:5ms,2ms;visit_sd=0.01;process_sd=0.005;heap_returned=8:1");
  EXPECT_EQ(causes_of(recorded), std::vector{findings::Status::refuted});
}

TEST(Study, WithoutASignalNothingIsPutToTheTest) {
  const schema::RunFile recorded = run_diagnosed("synthetic:affine:5ms,2ms;anomaly=4:1.2");
  EXPECT_FALSE(has_purpose(recorded, schema::Purpose::intervention));
  EXPECT_TRUE(causes_of(recorded).empty());
}

TEST(Study, VerifiesTheRecommendationInVisitsOfTheirOwn) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  measure::Session session(job_of("synthetic:affine:5ms,2ms;visit_sd=0.01", {1, 2, 4, 8}),
                           {*executor, *sink, nullptr, {}});
  EXPECT_TRUE(run(session, {.verification = {.automatic = true}}));
  const schema::RunFile& recorded = session.recorded();
  const auto pick = analyze::analyze(std::span(&recorded, 1)).recommendations.at(0);
  EXPECT_TRUE(pick.verified);
  EXPECT_EQ(pick.fresh_visits, 12);
}

std::vector<std::string> warnings_of(const schema::RunFile& recorded) {
  std::vector<std::string> warnings;
  for (const schema::Event& event : recorded.events) {
    if (event.kind == schema::EventKind::warning)
      warnings.push_back(event.what + " | " + event.fix);
  }
  return warnings;
}

TEST(Study, ABudgetThatIsTooSmallForTheCausesSaysWhatIsNeeded) {
  const auto rest = run_diagnosed(kReturnsMemory, 12);
  EXPECT_THAT(warnings_of(rest),
              testing::Contains(testing::AllOf(testing::HasSubstr("was enough for 2 of the 4"),
                                               testing::HasSubstr("use --diagnose=budget="))));
  EXPECT_THAT(warnings_of(run_diagnosed(kReturnsMemory, 1e-3)),
              testing::Contains(testing::HasSubstr("of the interventions")));
  EXPECT_TRUE(warnings_of(run_diagnosed(kReturnsMemory)).empty());
}

constexpr auto kPlain = "synthetic:affine:5ms,2ms;visit_sd=0.01";

schema::RunFile run_verified(double budget_s, std::optional<schema::RunFile> begun = {}) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  const measure::Job job = job_of(kPlain, {1, 2, 4, 8});
  const measure::Collaborators with{*executor, *sink, nullptr, {}};
  measure::Session session =
      begun ? measure::Session(job, *std::move(begun), with) : measure::Session(job, with);
  EXPECT_TRUE(run(session, {.verification = {.automatic = true, .budget_s = budget_s}}));
  return session.recorded();
}

TEST(Study, ABudgetThatIsTooSmallForTheVerificationSaysWhatIsNeeded) {
  EXPECT_THAT(warnings_of(run_verified(3)),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("of 12 blocks of the verific"),
                                                  testing::HasSubstr("--diagnose=budget="))));
  EXPECT_TRUE(warnings_of(run_verified(600)).empty());
}

// The visits of a block that was cut short have nothing to be paired with.
TEST(Study, AnInterruptedVerificationIsGoneOnWithToItsLastPair) {
  schema::RunFile begun = run_verified(600);
  const auto first = std::find_if(begun.visits.begin(), begun.visits.end(), [](const auto& visit) {
    return visit.purpose == schema::Purpose::verify;
  });
  begun.visits.erase(first + 3, begun.visits.end());  // a pair, and a half
  begun.end.reset();
  const schema::RunFile recorded = run_verified(600, begun);
  const auto pick = analyze::analyze(std::span(&recorded, 1)).recommendations.at(0);
  EXPECT_EQ(pick.fresh_visits, 12);
}

// What a study of these parts takes beyond its budget, but for its longest visit, s.
double overspent_s(const std::string& law, double budget_s, const FollowUps& parts) {
  measure::Job job = job_of(law, {1, 2, 4, 8});
  job.header.plan.blocks_fixed = false;
  job.header.plan.budget_fixed = true;
  job.header.plan.diagnose = true;
  job.header.plan.budget_s = budget_s;
  const schema::RunFile recorded = studied(std::move(job), parts);
  int64_t longest_ns = 0;
  for (const schema::Visit& visit : recorded.visits) {
    longest_ns = std::max(longest_ns, visit.wall_ns);
  }
  return recorded.end->wall_s - budget_s - 1e-9 * static_cast<double>(longest_ns);
}

// The longer visits are part of the diagnosis, whose budget is then not spent twice.
TEST(Study, ABudgetOfTheDiagnosisHoldsForItsLongerVisitsToo) {
  measure::Job job = job_of("synthetic:affine:2ms,10ms;settling=800ms:1.3:0.2", {1, 2, 4, 8});
  job.header.plan.iterations.reset();
  job.header.plan.diagnose = true;
  job.header.plan.diagnose_budget_s = 400;
  const FollowUps parts = follow_ups_of(job.header.plan);
  const schema::RunFile recorded = studied(std::move(job), parts);
  double spent_s = 0, longest_s = 0;
  for (const schema::Visit& visit : recorded.visits) {
    const double wall_s = 1e-9 * static_cast<double>(visit.wall_ns);
    if (visit.purpose != schema::Purpose::measure) spent_s += wall_s;
    longest_s = std::max(longest_s, wall_s);
  }
  EXPECT_TRUE(has_purpose(recorded, schema::Purpose::longer));
  EXPECT_LE(spent_s, 400 + longest_s);
}

TEST(Study, ABudgetHoldsForAllParts) {
  const ControlOptions controls{.automatic = true};
  const DiagnosisOptions diagnosis{.look = true, .interventions = true};
  const VerificationOptions verification{.automatic = true};
  for (const std::string law : {kAmbiguous, kReturnsMemory, kPlain}) {
    for (const double budget_s : {1.0, 4.0, 10.0, 20.0, 60.0}) {
      EXPECT_LE(overspent_s(law, budget_s, {controls, diagnosis, verification}), 0)
          << law << ", " << budget_s << " s";
    }
  }
}

findings::Recommendation pick_of(const std::string& law, const FollowUps& parts) {
  measure::Job job = job_of(law, {1, 2, 4, 8});
  job.header.plan.iterations.reset();
  const schema::RunFile recorded = studied(std::move(job), parts);
  return analyze::analyze(std::span(&recorded, 1)).recommendations.at(0);
}

TEST(Study, ADiagnosisMakesVisitsLongerWhereTheyAreTooShort) {
  for (const std::string law : {"synthetic:affine:2ms,10ms;settling=800ms:1.3:0.2",
                                "synthetic:affine:2ms,10ms;slow_iteration=31:8"}) {
    EXPECT_TRUE(pick_of(law, {}).visit_s_needed) << law;
    const findings::Recommendation pick = pick_of(law, {.diagnosis = {.look = true}});
    EXPECT_FALSE(pick.visit_s_needed) << law << ": " << pick.message;
    EXPECT_EQ(pick.config.shape.batch_size, 8) << law;
  }
}

TEST(Study, VerifiesWhatIsChosenForALoaderWithoutADiagnosis) {
  for (const bool automatic : {true, false}) {
    measure::Job job = job_of("synthetic:affine:5ms,2ms;visit_sd=0.01", {1, 8});
    for (auto& config : job.configs) config.loader = schema::Loader{"python:data.py:made"};
    if (!automatic) job.header.plan.verify = schema::Automatic::off;
    EXPECT_EQ(has_purpose(studied(std::move(job), {}), schema::Purpose::verify), automatic);
  }
}

// Visits of batch 1 end before the process has settled, those of batch 8 do not: of 6 blocks and
// more, the fresh ones tell it where those of the table are too few.
TEST(Study, FreshVisitsThatDoNotSettleVerifyNothing) {
  constexpr double kTruth = 8.0 * 12 / 82 - 1;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    measure::Job job = job_of("synthetic:affine:2ms,10ms;settling=800ms:1.3:0.2", {1, 8});
    job.header.seed = seed;
    job.header.plan.iterations.reset();
    job.header.plan.blocks = 5;
    const schema::RunFile recorded = studied(std::move(job), {.verification = {.automatic = true}});
    const auto pick = analyze::analyze(std::span(&recorded, 1)).recommendations.at(0);
    EXPECT_TRUE(has_purpose(recorded, schema::Purpose::verify));
    EXPECT_FALSE(pick.verified && pick.gain->ci->low > kTruth) << "seed " << seed;
  }
}

}  // namespace
}  // namespace batchscope::study

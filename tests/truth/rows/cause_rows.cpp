#include <algorithm>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kSizes = {1, 2, 4, 8};
const std::string kLaw = "affine:5ms,2ms";
// Of the time without the fix: 1 - 1 / 1.087.
constexpr double kSaved = 0.08;
constexpr const char* kCosts = ";heap_returned=8:1.087";
constexpr const char* kCostsNothing = ";heap_returned=8:1";
constexpr const char* kSlowForAnotherReason = ";anomaly=8:1.087";

findings::Summary diagnosed(const std::string& planted, uint64_t seed) {
  study::FollowUps follow_ups;
  follow_ups.diagnosis.interventions = true;
  const schema::RunFile run =
      measure({{kLaw + planted + kUsualNoise}, kSizes, 12, seed}, follow_ups);
  return analyze::analyze(std::span(&run, 1));
}

const findings::Finding* confirmed_cause(const findings::Summary& summary) {
  const auto found = std::find_if(
      summary.findings.begin(), summary.findings.end(), [](const findings::Finding& finding) {
        return finding.id == "cause.heap-returned" && finding.status == findings::Status::confirmed;
      });
  return found == summary.findings.end() ? nullptr : &*found;
}

Row named(const std::string& what, const std::string& planted, Goal goal) {
  return {"Causes", "memory given back to the kernel, " + what, goal,
          [=](uint64_t seed) { return confirmed_cause(diagnosed(planted, seed)) != nullptr; }};
}

Row saving_covered() {
  return {"Causes",
          "memory given back to the kernel, 8 % at batch 8: the interval of what the fix saves "
          "holds it",
          {0.93, 0.975},
          [](uint64_t seed) {
            const findings::Summary summary = diagnosed(kCosts, seed);
            const findings::Finding* cause = confirmed_cause(summary);
            return cause != nullptr && cause->gain->low <= kSaved && kSaved <= cause->gain->high;
          }};
}

findings::Recommendation verified(const std::string& law, uint64_t seed) {
  study::FollowUps follow_ups;
  follow_ups.verification.automatic = true;
  const schema::RunFile run = measure({{law + kUsualNoise}, kSizes, 12, seed}, follow_ups);
  return analyze::analyze(std::span(&run, 1)).recommendations.front();
}

Row gain_verified() {
  return {
      "Verification",
      "batch 8 is really 10 % faster per sample: verified in separate visits",
      {0.95, std::nullopt},
      [](uint64_t seed) { return verified("table:1=10ms,2=20ms,4=40ms,8=72.7ms", seed).verified; }};
}

Row curse_withdrawn() {
  return {
      "Verification",
      "no size is faster per sample: another one looks best and is verified all the same",
      {std::nullopt, 0.05},
      [](uint64_t seed) { return verified("table:1=10ms,2=20ms,4=40ms,8=80ms", seed).verified; }};
}

}  // namespace

std::vector<Row> cause_rows() {
  return {
      named("8 % at batch 8: named", kCosts, {0.95, std::nullopt}),
      saving_covered(),
      named("its signal without a cost: named all the same", kCostsNothing, {std::nullopt, 0.05}),
      named("absent, batch 8 slow for another reason: named all the same", kSlowForAnotherReason,
            {std::nullopt, 0.05}),
      gain_verified(),
      curse_withdrawn()};
}

}  // namespace batchscope::truth

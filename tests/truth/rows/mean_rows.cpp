// Sizes that take the same time a sample, where iterations that are slow now and then, or a warm-up
// that visits hardly reach the end of, make them look different.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kSizes = {1, 2, 4, 8};
// 0.5 % from batch 1 to 8, which is less than what matters.
constexpr const char* kFlat = "affine:0.1ms,16ms";
// 41 % from batch 1 to 8.
constexpr const char* kSteep = "affine:5ms,10ms";

double log_uniform(stats::Rng& rng, double low, double high) {
  return low * std::pow(high / low, rng.uniform());
}

// What is drawn for one experiment: options of the synthetic engine.
using Trouble = std::string (*)(stats::Rng& rng, double visit_s);

std::string each_nth(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";slow_iteration={:.0f}:{:.3g}", log_uniform(rng, 3, 300),
                     log_uniform(rng, 2, 100));
}
// Iterations that no fixed ratio tells from the others.
std::string each_nth_by_little(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";slow_iteration={:.0f}:{:.3g}", log_uniform(rng, 3, 30),
                     log_uniform(rng, 1.1, 2));
}
std::string at_random(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";slow_at_random={:.4g}:{:.3g}", 1 / log_uniform(rng, 3, 300),
                     log_uniform(rng, 2, 100));
}
std::string in_some_processes(stats::Rng& rng, double visit_s) {
  return each_nth(rng, visit_s) + ";slow_processes=0.08";
}
std::string by_the_clock(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";settling={:.0f}ms:{:.3g}:{:.2g}", log_uniform(rng, 100, 3000),
                     1.05 + 0.65 * rng.uniform(), 0.3 * rng.uniform());
}
// Small sizes end before it does, large ones see it in those iterations that warm them up.
std::string by_the_clock_for_long(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";settling={:.0f}ms:{:.3g}:{:.2g}", log_uniform(rng, 1500, 6000),
                     1.1 + 0.3 * rng.uniform(), 0.05 + 0.2 * rng.uniform());
}
// Each size dies away over iterations of its own number.
std::string by_sizes(stats::Rng& rng, double /*visit_s*/) {
  std::string made;
  for (const int64_t size : kSizes) {
    made += fmt::format(";settles={}:{:.0f}:{:.3g}", size,
                        log_uniform(rng, 4, 40 / std::sqrt(static_cast<double>(size))),
                        1.1 + 0.15 * rng.uniform());
  }
  return made;
}
std::string by_iterations(stats::Rng& rng, double /*visit_s*/) {
  return fmt::format(";slow_start=0:{:.0f}:{:.3g}", log_uniform(rng, 3, 80),
                     1.05 + 0.65 * rng.uniform());
}
// Visits reach its end: a size that is slow for as long as anybody looks is a slow size.
std::string by_size(stats::Rng& rng, double visit_s) {
  const int64_t size = kSizes[rng.below(kSizes.size())];
  const double iterations = std::max(7.0, visit_s / (0.016 * static_cast<double>(size)));
  return fmt::format(";slow_start={}:{:.0f}:{:.3g}", size, log_uniform(rng, 2, iterations / 2),
                     1.05 + 0.65 * rng.uniform());
}

Experiment experiment_of(uint64_t seed, const char* law, Trouble trouble, int blocks) {
  stats::Rng rng(stats::mix_seed(seed, 0x6d));
  const double visit_s = log_uniform(rng, 0.25, 1.5);
  Experiment made{{law + std::string(kStillNoise) + trouble(rng, visit_s)}, kSizes, blocks, seed};
  made.visit_s = visit_s;
  return made;
}

bool is_proven(const findings::Finding& finding) {
  return finding.status == findings::Status::proven && finding.severity > findings::Severity::info;
}

// Whether anything is said to be worth having, or odd, of sizes that are alike.
bool claims_something(const findings::Summary& summary) {
  constexpr double kTrueGain = 0.006;
  const auto gains = [](const findings::Recommendation& pick) {
    const bool reported = pick.verified || (pick.support == findings::Support::shown &&
                                            !pick.undecided && !pick.withdrawn);
    return reported && pick.gain && pick.gain->ci && pick.gain->ci->low > kTrueGain;
  };
  return std::any_of(summary.recommendations.begin(), summary.recommendations.end(), gains) ||
         std::any_of(summary.findings.begin(), summary.findings.end(), is_proven);
}

Row false_claim(const std::string& topic, const std::string& what, Trouble trouble, int blocks) {
  return {
      topic, fmt::format("{}, {} blocks", what, blocks), {std::nullopt, 0.05}, [=](uint64_t seed) {
        return claims_something(analyse(experiment_of(seed, kFlat, trouble, blocks)));
      }};
}

// Of sizes that are far apart, in visits of the usual length.
Row false_claim_of_many(const std::string& topic, const std::string& what, Trouble trouble,
                        const std::vector<int64_t>& sizes) {
  return {topic, what + ", 12 blocks", {std::nullopt, 0.05}, [=](uint64_t seed) {
            Experiment made = experiment_of(seed, kFlat, trouble, 12);
            made.sizes = sizes;
            made.visit_s = 0.5;
            return claims_something(analyse(made));
          }};
}

Row false_verification(const std::string& topic, const std::string& what, Trouble trouble,
                       int blocks = 12) {
  return {topic,
          fmt::format("{}, {} blocks, compared with separate visits", what, blocks),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            study::FollowUps follow_ups;
            follow_ups.verification.automatic = true;
            const schema::RunFile run =
                measure(experiment_of(seed, kFlat, trouble, blocks), follow_ups);
            return claims_something(analyze::analyze(std::span(&run, 1)));
          }};
}

// The same where a diagnosis makes visits longer.
findings::Summary diagnosed(const Experiment& experiment) {
  study::FollowUps follow_ups;
  follow_ups.diagnosis.look = follow_ups.verification.automatic = true;
  const schema::RunFile run = measure(experiment, follow_ups);
  return analyze::analyze(std::span(&run, 1));
}

Row false_diagnosis(const std::string& topic, const std::string& what, Trouble trouble) {
  return {topic, what + ", 12 blocks, with --diagnose", {std::nullopt, 0.05}, [=](uint64_t seed) {
            return claims_something(diagnosed(experiment_of(seed, kFlat, trouble, 12)));
          }};
}

Row found_by_diagnosis(const std::string& topic, const std::string& what,
                       const std::string& option) {
  return {topic,
          what + ", visits of 0.5 s, with --diagnose: a gain of 41 % is verified",
          {0.8, std::nullopt},
          [=](uint64_t seed) {
            Experiment made{{kSteep + std::string(kStillNoise) + option}, kSizes, 12, seed};
            made.visit_s = 0.5;
            const auto pick = diagnosed(made).recommendations.at(0);
            return pick.verified && pick.gain && std::abs(pick.gain->value - 0.41) < 0.1;
          }};
}

// Of a real gain, in visits that are long enough.
Row found(const std::string& topic, const std::string& what, const std::string& option,
          double visit_s, double at_least) {
  return {topic,
          fmt::format("{}, visits of {:g} s: a gain of 41 % is shown", what, visit_s),
          {at_least, std::nullopt},
          [=](uint64_t seed) {
            Experiment made{{kSteep + std::string(kStillNoise) + option}, kSizes, 12, seed};
            made.visit_s = visit_s;
            const findings::Summary summary = analyse(made);
            const auto& pick = summary.recommendations.at(0);
            return pick.support == findings::Support::shown && pick.gain &&
                   std::abs(pick.gain->value - 0.41) < 0.1;
          }};
}

}  // namespace

std::vector<Row> mean_rows() {
  const std::string slow = "Slow iterations: a gain, or a slow size, that is none";
  const std::string warm = "Warm-ups: a gain, or a slow size, that is none";
  std::vector<Row> rows;
  for (const int blocks : {4, 8, 12}) {
    rows.push_back(
        false_claim(slow, "each n-th, of 3 to 300, 2 to 100 times as long", each_nth, blocks));
    rows.push_back(false_claim(slow, "as many at random", at_random, blocks));
    rows.push_back(
        false_claim(slow, "each n-th in 8 % of the processes", in_some_processes, blocks));
    rows.push_back(false_claim(warm, "5 to 70 % by the clock, 0.1 to 3 s", by_the_clock, blocks));
    rows.push_back(false_claim(warm, "5 to 70 %, 3 to 80 iterations", by_iterations, blocks));
    rows.push_back(false_claim(warm, "5 to 70 % at one size, 2 iterations to half of a visit",
                               by_size, blocks));
  }
  rows.push_back(false_claim_of_many(slow, "each n-th, of 3 to 30, 1.1 to 2 times as long",
                                     each_nth_by_little, {1, 2, 4, 8, 16}));
  rows.push_back(false_claim_of_many(warm, "10 to 40 % by the clock, 1.5 to 6 s, batch 1 to 64",
                                     by_the_clock_for_long, {1, 4, 16, 64}));
  rows.push_back(
      false_claim_of_many(warm, "each size dies away over a number of its own", by_sizes, kSizes));
  rows.push_back(false_verification(slow, "each n-th", each_nth));
  rows.push_back(false_verification(slow, "as many at random", at_random));
  rows.push_back(false_verification(warm, "by the clock", by_the_clock));
  rows.push_back(false_verification(warm, "by iterations", by_iterations));
  const std::string power = "Slow iterations and warm-ups: real ones are found";
  rows.push_back(found(power, "each tenth twice as long", ";slow_iteration=10:2", 5, 0.8));
  rows.push_back(
      found(power, "one of 20 twice as long, at random", ";slow_at_random=0.05:2", 2, 0.8));
  rows.push_back(found(power, "30 % slower for 0.3 s", ";settling=300ms:1.3:0.1", 2, 0.8));
  rows.push_back(found(power, "30 % slower for 8 iterations", ";slow_start=0:8:1.3", 2, 0.8));
  return rows;
}

std::vector<Row> longer_visit_rows() {
  const std::string none = "Visits that are too short: a gain that is none";
  const std::string power = "Visits that are too short: a diagnosis makes them longer";
  std::vector<Row> rows;
  // Too few for the table to show a warm-up: the fresh visits have to.
  rows.push_back(false_verification(none, "slow iterations, each n-th", each_nth, 5));
  rows.push_back(false_verification(none, "warm-up by the clock", by_the_clock, 5));
  rows.push_back(false_verification(none, "warm-up by iterations", by_iterations, 5));
  rows.push_back(false_diagnosis(none, "slow iterations, each n-th", each_nth));
  rows.push_back(false_diagnosis(none, "warm-up by the clock", by_the_clock));
  for (const auto& [what, option] :
       {std::pair("30 % slower for 0.8 s", ";settling=800ms:1.3:0.1"),
        std::pair("each tenth twice as long", ";slow_iteration=10:2")}) {
    rows.push_back(found_by_diagnosis(power, what, option));
  }
  return rows;
}

}  // namespace batchscope::truth

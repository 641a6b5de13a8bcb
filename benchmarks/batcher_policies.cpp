// Batching policies before a real model: the same recorded arrivals (Poisson, lengths lognormal
// from 16 to 128 tokens) are replayed to each policy at rising rates, until more than 1 % of the
// requests take longer than the bound. Prints Markdown; takes ten minutes.
//
//   bench_batcher_policies [MODEL [REQUESTS [P99_MS]]]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "batchscope/engine/plugin.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"
#include "contest.hpp"

namespace {

using namespace batchscope;
using std::chrono::milliseconds;

constexpr int64_t kShortest = 16, kLongest = 128, kLengthStep = 4;
constexpr int64_t kLargestBatch = 8;
constexpr int kThreads = 2;
constexpr int kRepeats = 4;
constexpr double kLoad = 0.7;

struct Setting {
  int64_t max_batch;
  int delay_ms;
};
// What one would write into a server's configuration: the largest batch, and a delay that is small
// beside the time of a batch.
constexpr Setting kUsual{8, 10};
constexpr Setting kTried[] = {{1, 0},  {2, 0},  {2, 10}, {2, 50}, {4, 0},
                              {4, 10}, {4, 50}, {8, 0},  {8, 10}, {8, 50}};

struct Result {
  Contender contender;
  double measured_per_s = 0, simulated_per_s = 0;
  double load_per_s = 0;  // 70 % of the capacity
  double p50_s = 0, simulated_p50_s = 0, p90_s = 0, simulated_p90_s = 0;
  double slower = 1;  // batches at that load, beside the times that the simulator has of them
};

std::vector<int64_t> range(int64_t from, int64_t to, int64_t step) {
  std::vector<int64_t> values;
  for (int64_t value = from; value <= to; value += step) values.push_back(value);
  return values;
}

// Lengths as of a server that pads each request to the next multiple of kLengthStep: so there are
// few enough shapes to run and time every one that any policy can form.
std::vector<planning::Arrival> recording(std::size_t requests) {
  stats::Rng rng(3);
  std::vector<int64_t> lengths(1000);
  for (int64_t& length : lengths) {
    const auto drawn =
        std::clamp<int64_t>(std::llround(48 * std::exp(0.6 * rng.normal())), kShortest, kLongest);
    length = (drawn + kLengthStep - 1) / kLengthStep * kLengthStep;
  }
  return planning::draw_arrivals({}, 1, requests, lengths, 1);
}

Contender timeout(const Setting& setting, std::optional<int64_t> pad_to) {
  return {make_policy(serving::FixedTimeout{.max_batch = setting.max_batch,
                                            .max_delay = milliseconds(setting.delay_ms)}),
          pad_to};
}

// Of batches, so without one by one: the settings with which the simulator finds the highest rate.
Contender best_timeout(const Contest& contest) {
  const Setting* best = &kUsual;
  for (const Setting& tried : kTried) {
    if (tried.max_batch > 1 && contest.simulated_highest(timeout(tried, {})) >
                                   contest.simulated_highest(timeout(*best, {}))) {
      best = &tried;
    }
  }
  return timeout(*best, {});
}

// The first two are what the others are compared with.
std::vector<Contender> contenders(const serving::CostTable& table, const Contest& contest) {
  const serving::BatchCosts costs(table, kLargestBatch);
  return {timeout(kUsual, kLongest),
          timeout(kUsual, {}),
          best_timeout(contest),
          {make_policy(serving::TakeAll{.max_batch = 1})},
          {make_policy(serving::GoodSizes{
              .costs = costs, .sizes = range(1, kLargestBatch, 1), .by_length = true})},
          {make_policy(serving::TokenBudget{
              .max_tokens = 512, .max_batch = kLargestBatch, .bucket_ends = {32, 48, 64, 96}})}};
}

base::Result<Result> compete(const Contest& contest, const Contender& contender) {
  Result result{contender};
  result.simulated_per_s = contest.simulated_highest(contender);
  const auto measured = contest.measured_highest(contender);
  if (!measured) return measured.error();
  result.measured_per_s = *measured;
  result.load_per_s = kLoad * contest.capacity(contender);
  const Replay replay = contest.measured(contender, result.load_per_s);
  const auto simulated = contest.simulated(contender, result.load_per_s);
  result.slower = replay.batches_s / replay.timed_s;
  result.p50_s = stats::quantile(replay.latencies_s, 0.5);
  result.p90_s = stats::quantile(replay.latencies_s, 0.9);
  result.simulated_p50_s = stats::quantile(simulated, 0.5);
  result.simulated_p90_s = stats::quantile(simulated, 0.9);
  return result;
}

std::string name_of(const Contender& contender) {
  return fmt::format("{} ({}), padded to the {}", contender.policy->name(),
                     contender.policy->settings(), contender.pad_to ? "maximum" : "longest");
}

void print_setting(std::string_view model, std::size_t requests, double bound_ms,
                   const serving::CostTable& table, const Contest& contest) {
  const double longest_ms = 1e3 * table.mean_s(1, kLongest);
  fmt::print("## Policies before {}\n\n", model);
  fmt::print(
      "{} requests come as a Poisson process recorded once; the recording is stretched to each "
      "rate and replayed to each policy. Their lengths are lognormal (median 48, sigma 0.6) from "
      "{} to {} tokens, rounded up to multiples of {}: {:.1f} on average. {} fp32, {} threads, one "
      "instance.\n\n",
      requests, kShortest, kLongest, kLengthStep, contest.mean_length(), model, kThreads);
  fmt::print(
      "Every shape that can be formed ({} batch sizes by {} lengths) had run before, and was timed "
      "{} times in random order, {:.0f} % of the times after a pause: what the simulator and "
      "good-sizes go by. One request of {} tokens takes {:.0f} ms alone, one of {} takes {:.1f} "
      "ms, {} of {} take {:.0f} ms.\n\n",
      table.batch_sizes().size(), table.lengths().size(), kRepeats, 100 * (1 - kLoad), kLongest,
      longest_ms, kShortest, 1e3 * table.mean_s(1, kShortest), kLargestBatch, kLongest,
      1e3 * table.mean_s(kLargestBatch, kLongest));
  fmt::print(
      "The bound: at most 1 % of the requests later than {:g} ms, {:.0f} times what the longest "
      "takes alone. Padded to the maximum every request computes {} tokens, {:.2f} times what it "
      "has: about so much can be won by padding less, and more only where the batches formed take "
      "less a token.\n\n",
      bound_ms, bound_ms / longest_ms, kLongest,
      static_cast<double>(kLongest) / contest.mean_length());
}

void print_rates(const std::vector<Result>& results) {
  fmt::print(
      "| policy | highest rate that keeps the bound, /s | simulated | to the first | to the "
      "second |\n|---|---|---|---|---|\n");
  for (const Result& result : results) {
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", name_of(result.contender),
               result.measured_per_s, result.simulated_per_s,
               result.measured_per_s / results[0].measured_per_s,
               result.measured_per_s / results[1].measured_per_s);
  }
  fmt::print(
      "\nRates lie on a grid of 3 %. Target: at least 2 times the first and 1.3 times the "
      "second.\n");
}

void print_load(const std::vector<Result>& results) {
  fmt::print("\nAt {:.0f} % of what each policy carries, measured and simulated:\n\n", 100 * kLoad);
  fmt::print(
      "| policy | rate, /s | p50, ms | simulated | ratio | p90, ms | simulated | ratio | batches "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Result& result : results) {
    fmt::print("| {} | {:.2f} | {:.0f} | {:.0f} | {:.2f} | {:.0f} | {:.0f} | {:.2f} | {:.3f} |\n",
               name_of(result.contender), result.load_per_s, 1e3 * result.p50_s,
               1e3 * result.simulated_p50_s, result.simulated_p50_s / result.p50_s,
               1e3 * result.p90_s, 1e3 * result.simulated_p90_s,
               result.simulated_p90_s / result.p90_s, result.slower);
  }
  fmt::print(
      "\nThe last column: what the batches took, over what the simulator takes them to. Target: "
      "simulated within 15 % of measured.\n");
}

void print_settings(const Contest& contest) {
  fmt::print(
      "\nOther settings of fixed-timeout, simulated; one by one is a largest batch of 1:\n\n"
      "| settings | padded to the maximum, /s | to the longest, /s |\n|---|---|---|\n");
  for (const Setting& tried : kTried) {
    fmt::print("| {} | {:.2f} | {:.2f} |\n", timeout(tried, {}).policy->settings(),
               contest.simulated_highest(timeout(tried, kLongest)),
               contest.simulated_highest(timeout(tried, {})));
  }
}

int fail(const base::Error& error) {
  fmt::print(stderr, "bench_batcher_policies: {}\n", base::to_string(error));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "distilbert";
  const auto requests = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 600);
  const double bound_ms = argc > 3 ? std::atof(argv[3]) : 1000;
  auto torch = engine::load_plugin(
      "torch", engine::places_beside(std::filesystem::read_symlink("/proc/self/exe")));
  if (!torch) return fail(torch.error());
  engine::ModelSpec spec;
  spec.name = name;
  engine::ExecutionSpec execution;
  execution.threads = kThreads;
  auto model = (*torch)->load(spec, execution);
  if (!model) return fail(model.error());
  ServedModel served(**model);
  const auto table = served.measure(range(1, kLargestBatch, 1),
                                    range(kShortest, kLongest, kLengthStep), kRepeats, 1 - kLoad);
  if (!table) return fail(table.error());
  const Contest contest(served, *table, recording(requests), bound_ms / 1e3);
  print_setting(name, requests, bound_ms, *table, contest);
  std::vector<Result> results;
  for (const Contender& contender : contenders(*table, contest)) {
    auto result = compete(contest, contender);
    if (!result) return fail(result.error());
    results.push_back(*std::move(result));
    fmt::print(stderr, "{}: {:.2f}/s\n", name_of(contender), results.back().measured_per_s);
  }
  print_rates(results);
  print_load(results);
  print_settings(contest);
  return 0;
}

// Batching policies before a real model: the same recorded arrivals (Poisson, lengths lognormal
// from 16 to 128 tokens) are replayed to each policy at rising rates, until its p99 exceeds the
// bound.
//
//   bench_batcher_policies [MODEL [REQUESTS [P99_MS]]]       takes minutes; not part of ./dev bench

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <thread>

#include "batchscope/batching/batcher.hpp"
#include "batchscope/batching/simulate.hpp"
#include "batchscope/engine/plugin.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace {

using namespace batchscope;
using SteadyTime = std::chrono::steady_clock;

constexpr int64_t kLongest = 128;
constexpr int64_t kLargestBatch = 16;
constexpr double kStep = 1.1;  // between two rates that are tried

class NoPhases : public engine::PhaseSink {
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

// Runs batches of any shape; inputs are made once a shape.
class Runner {
 public:
  explicit Runner(engine::Model& model) : model_(model) {}

  base::Result<void> run(int64_t batch_size, int64_t seq_len) {
    auto& batch = prepared_[{batch_size, seq_len}];
    if (!batch) {
      auto made = model_.prepare(schema::Shape{.batch_size = batch_size, .seq_len = seq_len});
      if (!made) return made.error();
      batch = *std::move(made);
    }
    return model_.run(*batch, sink_);
  }

 private:
  engine::Model& model_;
  NoPhases sink_;
  std::map<std::pair<int64_t, int64_t>, std::unique_ptr<engine::Batch>> prepared_;
};

double seconds_since(SteadyTime::time_point start) {
  return std::chrono::duration<double>(SteadyTime::now() - start).count();
}

base::Result<batching::CostTable> measure(Runner& runner) {
  std::vector<batching::CostPoint> points;
  for (const int64_t b : {1, 2, 4, 8, 16}) {
    for (const int64_t s : {16, 32, 64, 96, 128}) {
      batching::CostPoint point{.batch_size = b, .seq_len = s};
      for (int i = 0; i < 7; ++i) {
        const auto start = SteadyTime::now();
        if (auto done = runner.run(b, s); !done) return done.error();
        if (i >= 2) point.times_s.push_back(seconds_since(start));
      }
      points.push_back(std::move(point));
    }
  }
  return batching::CostTable::from_points(std::move(points), "benchmark");
}

struct Contender {
  std::string name;
  std::shared_ptr<const batching::Policy> policy;
  std::optional<int64_t> pad_to;
};

std::vector<Contender> contenders(const batching::CostTable& table) {
  const auto timeout = make_policy(
      batching::FixedTimeout{.max_batch = 8, .max_delay = std::chrono::milliseconds(50)});
  std::vector<int64_t> sizes(kLargestBatch);
  for (int64_t i = 0; i < kLargestBatch; ++i) sizes[static_cast<std::size_t>(i)] = i + 1;
  return {
      {"timeout + max batch, padded to the maximum", timeout, kLongest},
      {"timeout + max batch, padded to the longest", timeout, {}},
      {"take-all", make_policy(batching::TakeAll{.max_batch = kLargestBatch}), {}},
      {"good-sizes",
       make_policy(batching::GoodSizes{
           .costs = batching::BatchCosts(table, kLargestBatch), .sizes = sizes, .by_length = true}),
       {}},
      {"token-budget",
       make_policy(batching::TokenBudget{
           .max_tokens = 512, .max_batch = kLargestBatch, .bucket_ends = {32, 48, 64, 96}}),
       {}}};
}

std::vector<batching::Arrival> recording(std::size_t requests) {
  stats::Rng rng(3);
  std::vector<int64_t> lengths(1000);
  for (int64_t& length : lengths) {
    length = std::clamp<int64_t>(std::llround(48 * std::exp(0.6 * rng.normal())), 16, kLongest);
  }
  return batching::draw_arrivals({}, 1, requests, lengths, 1);
}

std::vector<batching::Arrival> at_rate(std::vector<batching::Arrival> arrivals, double rate) {
  for (batching::Arrival& arrival : arrivals) arrival.time_s /= rate;
  return arrivals;
}

// Latencies from when each request was due, so that a late sender hides nothing.
std::vector<double> replay(Runner& runner, const Contender& contender,
                           const std::vector<batching::Arrival>& arrivals) {
  std::vector<double> latencies(arrivals.size());
  const auto start = SteadyTime::now();
  {
    batching::Batcher<int64_t, int> batcher(
        [&](std::span<const int64_t> tokens, int) -> base::Result<std::vector<int>> {
          const int64_t longest = *std::max_element(tokens.begin(), tokens.end());
          auto done =
              runner.run(static_cast<int64_t>(tokens.size()), contender.pad_to.value_or(longest));
          if (!done) return done.error();
          return std::vector<int>(tokens.size());
        },
        {.policy = contender.policy, .capacity = arrivals.size()});
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      const double due = arrivals[i].time_s;
      std::this_thread::sleep_until(start + std::chrono::duration<double>(due));
      batcher.submit(arrivals[i].tokens,
                     [&latencies, start, due, i](const batching::Answer<int>& answer) {
                       latencies[i] = answer ? seconds_since(start) - due : 1e9;
                     },
                     {.tokens = arrivals[i].tokens});
    }
  }
  return latencies;
}

class Contest {
 public:
  Contest(Runner& runner, const batching::CostTable& table, std::size_t requests, double bound_s)
      : runner_(runner), table_(table), recording_(recording(requests)), bound_s_(bound_s) {}

  // The highest rate on the grid whose p99 keeps the bound, from the simulated one on.
  double sustainable(const Contender& contender) {
    double rate = 1;
    while (simulated(contender, rate * kStep, 0.99) <= bound_s_) rate *= kStep;
    const auto keeps = [&](double tried) { return quantile(contender, tried, 0.99) <= bound_s_; };
    if (keeps(rate)) {
      while (keeps(rate * kStep)) rate *= kStep;
      return rate;
    }
    do rate /= kStep;
    while (rate > 0.05 && !keeps(rate));
    return rate;
  }

  double quantile(const Contender& contender, double rate, double probability) {
    return stats::quantile(replay(runner_, contender, at_rate(recording_, rate)), probability);
  }

  double simulated(const Contender& contender, double rate, double probability) const {
    const auto run = simulate(table_, *contender.policy, at_rate(recording_, rate),
                              {.pad_to = contender.pad_to, .warmup = 0});
    return stats::quantile(run.latencies_s, probability);
  }

  void print(const Contender& contender) {
    const double rate = sustainable(contender);
    const double load = 0.7 * rate;
    const auto latencies = replay(runner_, contender, at_rate(recording_, load));
    fmt::print("| {} | {:.2f} | {:.0f} / {:.0f} | {:.0f} / {:.0f} |\n", contender.name, rate,
               1e3 * stats::quantile(latencies, 0.5), 1e3 * simulated(contender, load, 0.5),
               1e3 * stats::quantile(latencies, 0.9), 1e3 * simulated(contender, load, 0.9));
    std::fflush(stdout);
  }

 private:
  Runner& runner_;
  const batching::CostTable& table_;
  std::vector<batching::Arrival> recording_;
  double bound_s_;
};

int fail(const base::Error& error) {
  fmt::print(stderr, "bench_batcher_policies: {}\n", base::to_string(error));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "distilbert";
  const auto requests = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 400);
  const double bound_ms = argc > 3 ? std::atof(argv[3]) : 1000;
  auto torch = engine::load_engine("torch");
  if (!torch) return fail(torch.error());
  engine::ModelSpec spec;
  spec.name = name;
  engine::ExecutionSpec execution;
  execution.threads = 2;
  auto model = (*torch)->load(spec, execution);
  if (!model) return fail(model.error());
  Runner runner(**model);
  const auto table = measure(runner);
  if (!table) return fail(table.error());
  Contest contest(runner, *table, requests, bound_ms / 1e3);
  fmt::print("## {}: {} requests, p99 within {:g} ms\n\n", name, requests, bound_ms);
  fmt::print("| policy | highest rate, /s | p50 at 70 %, ms: measured / simulated | p90 |\n");
  fmt::print("|---|---|---|---|\n");
  for (const Contender& contender : contenders(*table)) contest.print(contender);
  return 0;
}

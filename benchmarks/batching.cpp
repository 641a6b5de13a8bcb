// What handing a request to the batcher costs the thread that does so, what forming batches costs,
// whether its memory grows, and the simulator beside a bound that is known.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <latch>
#include <numeric>
#include <string_view>
#include <thread>
#include <vector>

#include "batchscope/planning/simulate.hpp"
#include "batchscope/serving/batcher.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace {

using namespace batchscope;
using serving::ResponseFuture;
using Echo = serving::Batcher<int, int>;

constexpr int kRequests = 200'000;

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

base::Result<std::vector<int>> echo(std::span<const int> requests, int) {
  return std::vector<int>(requests.begin(), requests.end());
}

template <class Submit>
std::vector<double> time_each(int count, const Submit& submit) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    submit(i);
    times.push_back(since(start));
  }
  return times;
}

void print_row(std::string_view what, const std::vector<double>& ns) {
  fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} |\n", what, stats::quantile(ns, 0.5),
             stats::quantile(ns, 0.9), stats::quantile(ns, 0.99));
}

// The instance is in a long batch meanwhile: the queue only grows.
template <class Submit>
void with_a_busy_instance(std::string_view what, const Submit& submit) {
  std::latch open(1), entered(1);
  Echo batcher(
      [&, first = true](std::span<const int> requests, int instance) mutable {
        if (first) {
          entered.count_down();
          open.wait();
          first = false;
        }
        return echo(requests, instance);
      },
      {.policy = make_policy(serving::TakeAll{.max_batch = 64}), .capacity = 2 * kRequests});
  batcher.submit(0, [](const ResponseFuture<int>&) {});
  entered.wait();
  print_row(what, time_each(kRequests, [&](int i) { submit(batcher, i); }));
  open.count_down();
}

void with_a_sleeping_instance() {
  Echo batcher(echo, {.policy = make_policy(serving::TakeAll{.max_batch = 64})});
  std::vector<double> times;
  for (int i = 0; i < kRequests / 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    auto submitted = batcher.submit(i);
    times.push_back(since(start));
    if (!submitted.answer.get()) return;
  }
  print_row("future, the instance asleep, so that it is woken each time", times);
}

void decisions() {
  const std::vector<int64_t> sizes = [] {
    std::vector<int64_t> all(32);
    std::iota(all.begin(), all.end(), 1);
    return all;
  }();
  std::vector<serving::CostPoint> points;
  for (const int64_t b : {1, 2, 4, 8, 16, 32}) {
    for (const int64_t s : {16, 32, 64, 128}) {
      points.push_back(
          {.batch_size = b, .seq_len = s, .times_s = {0.005 + 1e-5 * static_cast<double>(b * s)}});
    }
  }
  const auto table = serving::CostTable::from_points(points, "benchmark");
  if (!table) return;
  std::vector<serving::Waiting> queue;
  for (int i = 0; i < 64; ++i) queue.push_back({base::Nanoseconds(i), 16 + (i * 37) % 113});
  const auto row = [&](std::string_view what,
                       const std::shared_ptr<const serving::Policy>& policy) {
    std::size_t formed = 0;
    const auto times = time_each(2000, [&](int) {
      formed += policy->decide(queue, std::chrono::seconds(1), {}).members.size();
    });
    if (formed > 0) print_row(what, times);
  };
  row("take-all, batches of 32", make_policy(serving::TakeAll{.max_batch = 32}));
  row("good-sizes, sorted by length and cut by dynamic program",
      make_policy(serving::GoodSizes{
          .costs = serving::BatchCosts(*table, 32), .sizes = sizes, .by_length = true}));
  row("token-budget, 4 buckets",
      make_policy(serving::TokenBudget{.max_tokens = 1024, .bucket_ends = {32, 64, 96}}));
}

double resident_mb() {
  int64_t virtual_pages = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> virtual_pages >> pages;
  return static_cast<double>(pages * sysconf(_SC_PAGESIZE)) / 1e6;
}

void submit_from_threads(Echo& batcher, int threads, int each) {
  std::vector<std::thread> producers;
  for (int p = 0; p < threads; ++p) {
    producers.emplace_back([&] {
      for (int i = 0; i < each; ++i) batcher.submit(i, [](const ResponseFuture<int>&) {});
    });
  }
  for (std::thread& producer : producers) producer.join();
}

void memory() {
  constexpr int kProducers = 8, kFirst = 200'000, kAll = 1'000'000;
  Echo batcher(echo, {.policy = make_policy(serving::TakeAll{.max_batch = 32}), .capacity = 1024});
  submit_from_threads(batcher, kProducers, kFirst / kProducers);
  const double first = resident_mb();
  submit_from_threads(batcher, kProducers, (kAll - kFirst) / kProducers);
  fmt::print(
      "\n{} requests from {} threads, at most 1024 waiting: {:.1f} MB resident after the first {}, "
      "{:.1f} MB after the last.\n",
      kAll, kProducers, first, kFirst, resident_mb());
}

// The mean latency of take-all where a batch of b takes a b + t0, beside Inoue's bound of it.
void bound() {
  constexpr double kA = 0.001;
  std::vector<double> ratios;
  for (const double t0_over_a : {0.5, 1.0, 3.0, 10.0}) {
    std::vector<serving::CostPoint> points;
    for (int64_t b = 1; b <= 2000; ++b) {
      points.push_back({b, {}, {kA * (static_cast<double>(b) + t0_over_a)}});
    }
    const auto table = serving::CostTable::from_points(std::move(points), "benchmark");
    if (!table) return;
    for (const double load : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const auto run =
          planning::simulate(*table, *make_policy(serving::TakeAll{.max_batch = 2000}),
                             planning::draw_arrivals({}, load / kA, kRequests, {}, 11));
      ratios.push_back(planning::take_all_bound_s(kA, t0_over_a * kA, load / kA) /
                       stats::mean(run.latencies_s));
    }
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  const auto near =
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio <= 1.07; });
  fmt::print(
      "\nTake-all simulated, a batch of b taking a b + t0: Inoue's bound of the mean latency is "
      "{:.3f} to {:.3f} times the simulated mean in {} cases (t0 from 0.5 a to 10 a, loads from "
      "0.1 "
      "to 0.9), within 7 % in {} of them.\n\n",
      *least, *most, ratios.size(), near);
}

}  // namespace

int main() {
  fmt::print("## The dynamic batcher\n\n`submit` from one thread, {} times:\n\n", kRequests);
  fmt::print("| of | p50, ns | p90, ns | p99, ns |\n|---|---|---|---|\n");
  const auto clock = time_each(kRequests, [](int) {});
  with_a_busy_instance("callback, the instance busy", [](Echo& batcher, int i) {
    batcher.submit(i, [](const ResponseFuture<int>&) {});
  });
  with_a_busy_instance("future, the instance busy",
                       [](Echo& batcher, int i) { (void)batcher.submit(i); });
  with_a_sleeping_instance();
  print_row("reading the clock, which is in all of them", clock);
  fmt::print("\nOne decision over a queue of 64:\n\n| policy | p50, ns | p90, ns | p99, ns |\n");
  fmt::print("|---|---|---|---|\n");
  decisions();
  fmt::print(
      "\nTarget: at most 1000 ns p50 for a submit that finds the instance busy. One that has to "
      "wake "
      "a sleeping instance takes longer: the wake-up is a system call of the kernel.\n");
  memory();
  bound();
  return 0;
}

// Cost laws drawn at random, for the quality of searches.

#include "search_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "batchscope/stats/rng.hpp"

namespace batchscope::truth {
namespace {

using Law = std::function<double(double)>;  // ms of a batch

double between(stats::Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}
// Evenly in ln.
double factor_between(stats::Rng& rng, double low, double high) {
  return low * std::pow(high / low, rng.uniform());
}
template <std::size_t N>
double one_of(stats::Rng& rng, const std::array<int, N>& values) {
  return values[static_cast<std::size_t>(rng.below(N))];
}

constexpr std::array<int, 8> kLargest = {24, 32, 48, 64, 100, 128, 192, 256};

// a + b x, or a roofline, or with a price that grows with the size: a cache that is outgrown.
Law smooth(stats::Rng& rng, double largest) {
  const double fixed = factor_between(rng, 0.5, 60);
  const double each = factor_between(rng, 0.3, 3);
  const double kind = rng.uniform();
  if (kind < 0.4) return [=](double x) { return fixed + each * x; };
  const double bend = factor_between(rng, 2, largest);
  if (kind < 0.7) {
    const double memory = between(rng, 0.2, 0.9) * each;
    return [=](double x) {
      return std::max(fixed + memory * x, fixed + memory * bend + each * (x - bend));
    };
  }
  const double rise = between(rng, 0.1, 0.8);
  return [=](double x) { return fixed + each * x * (1 + rise * x / (x + bend)); };
}

Law staircase(stats::Rng& rng, double largest) {
  constexpr std::array<int, 9> kSteps = {4, 6, 8, 12, 16, 24, 32, 48, 64};
  double step = one_of(rng, kSteps);
  while (step > largest / 2) step = one_of(rng, kSteps);
  const double fixed = factor_between(rng, 0.2, 3) * step;
  const double slope = between(rng, 0, 0.3);
  return [=](double x) { return fixed + step * std::ceil(x / step) + slope * x; };
}

// A step of the price of every sample: memory given back to the kernel, another kernel.
Law cliff(stats::Rng& rng, double largest) {
  const Law base = smooth(rng, largest);
  const double edge = std::floor(factor_between(rng, 3, largest));
  const double height = between(rng, 1.08, 1.8);
  return [=](double x) { return base(x) * (x > edge ? height : 1); };
}

// It gets worse from one size to another, and is as it was beyond.
Law late_recovery(stats::Rng& rng, double largest) {
  const Law base = smooth(rng, largest);
  const double from = factor_between(rng, 4, largest / 3);
  const double to = std::min(from * between(rng, 2, 4), 0.9 * largest);
  const double height = between(rng, 1.1, 1.8);
  return [=](double x) { return base(x) * (x > from && x <= to ? height : 1); };
}

Law odd_two(stats::Rng& rng, double largest) {
  const Law base = rng.uniform() < 0.5 ? smooth(rng, largest) : cliff(rng, largest);
  const double height = between(rng, 1.2, 2.5);
  return [=](double x) { return base(x) * (x == 2 ? height : 1); };
}

using Family = Law (*)(stats::Rng&, double);

Law any(stats::Rng& rng, double largest) {
  constexpr std::array<Family, 5> kAll = {smooth, staircase, cliff, late_recovery, odd_two};
  return kAll[static_cast<std::size_t>(rng.below(kAll.size()))](rng, largest);
}

tune::RecordedTable point(schema::RunConfig config, double ms) {
  tune::RecordedTable made;
  made.config = std::move(config);
  made.mean_s = made.typical_s = made.latency_s = ms * 1e-3;
  return made;
}

template <Family family>
std::vector<tune::RecordedTable> every_size(uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 0x7a11));
  const double largest = one_of(rng, kLargest);
  const Law law = family(rng, largest);
  std::vector<tune::RecordedTable> table;
  for (double x = 1; x <= largest; ++x) {
    schema::RunConfig config;
    config.model = "law";
    config.shape.batch_size = static_cast<int64_t>(x);
    table.push_back(point(std::move(config), law(x)));
  }
  return table;
}

// Settings beside the batch size: what each is worth is drawn, and so is how much of the time of a
// batch each has a part in.
struct Settings {
  std::vector<std::string> engines;
  std::vector<schema::Precision> precisions;
  int cores = 1;
  std::vector<int64_t> sizes;
};

std::vector<tune::RecordedTable> settings_table(stats::Rng& rng, const Settings& settings) {
  const double largest = static_cast<double>(settings.sizes.back());
  std::vector<tune::RecordedTable> table;
  const double serial = between(rng, 0.02, 0.3);  // of a batch, that threads do not share
  const double contention = factor_between(rng, 0.02, 0.5);  // of one more instance
  const Law shape = any(rng, largest);
  for (const std::string& engine : settings.engines) {
    const double engine_fixed = factor_between(rng, 0.3, 5),
                 engine_each = factor_between(rng, 0.6, 1.7);
    // Half of the engines have a law of their own.
    const Law law = rng.uniform() < 0.5 ? any(rng, largest) : shape;
    for (const schema::Precision precision : settings.precisions) {
      const double precision_each =
          precision == schema::Precision::fp32 ? 1 : factor_between(rng, 0.35, 1.3);
      for (int threads = 1; threads <= settings.cores; threads *= 2) {
        for (int instances = 1; instances * threads <= settings.cores; instances *= 2) {
          const double speed = 1 / (serial + (1 - serial) / threads);
          const double crowd = 1 + contention * (instances - 1);
          for (const int64_t size : settings.sizes) {
            schema::RunConfig config;
            config.engine = engine;
            config.model = "law";
            config.precision = precision;
            config.threads = threads;
            config.instances = instances;
            config.shape.batch_size = size;
            const double ms = engine_fixed + law(static_cast<double>(size)) * engine_each *
                                                 precision_each * crowd / speed;
            table.push_back(point(std::move(config), ms));
          }
        }
      }
    }
  }
  return table;
}

std::vector<int64_t> doublings_to(int64_t largest) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= largest; size *= 2) {
    sizes.push_back(size);
    if (size >= 2 && size * 3 / 2 <= largest) sizes.push_back(size * 3 / 2);
  }
  return sizes;
}

// 2 engines, 1 precision, 2 cores: 6 settings of 10 sizes.
std::vector<tune::RecordedTable> few_settings(uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 0x7a12));
  return settings_table(rng, {{"a", "b"}, {schema::Precision::fp32}, 2, doublings_to(32)});
}

// Work that threads share but for a part of it, each at a price; a cliff, where there is one, lies
// at another size for every number of threads.
struct SharedWork {
  double fixed = 1, each = 1, serial = 0.1, thread_ms = 0;
  double bend = 1;     // below it a batch takes as long as at it
  double edge = 1e9;   // the cliff's size with one thread
  double edge_by = 1;  // and what a doubling of threads multiplies it by
  double height = 1;
  double spread = 0;  // of every point, for itself: kernels that suit a shape or do not

  double ms(double size, int threads, stats::Rng& rng) const {
    const double shared = serial + (1 - serial) / threads;
    const double cliff = size >= edge * std::pow(edge_by, std::log2(threads)) ? height : 1;
    const double work = each * std::max(size, bend) * shared * cliff;
    return (fixed + work + thread_ms * (threads - 1)) * std::exp(spread * rng.normal());
  }
};

SharedWork shared_work(stats::Rng& rng) {
  SharedWork work;
  work.fixed = factor_between(rng, 0.3, 8);
  work.each = factor_between(rng, 0.3, 2);
  work.serial = between(rng, 0.1, 0.8);
  work.thread_ms = rng.uniform() < 0.5 ? factor_between(rng, 0.02, 0.6) : 0;
  if (rng.uniform() < 0.3) work.bend = factor_between(rng, 4, 32);
  if (rng.uniform() < 0.7) {
    work.edge = factor_between(rng, 8, 64);
    work.edge_by = factor_between(rng, 0.6, 1.5);
    work.height = between(rng, 1.3, 2.5);
  }
  if (rng.uniform() < 0.3) work.spread = 0.05;
  return work;
}

// 4 numbers of threads of 12 sizes.
std::vector<tune::RecordedTable> numbers_of_threads(uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 0x7a14));
  const SharedWork work = shared_work(rng);
  std::vector<tune::RecordedTable> table;
  for (const int threads : {1, 2, 4, 8}) {
    for (const int64_t size : doublings_to(64)) {
      schema::RunConfig config;
      config.model = "law";
      config.threads = threads;
      config.shape.batch_size = size;
      table.push_back(point(std::move(config), work.ms(static_cast<double>(size), threads, rng)));
    }
  }
  return table;
}

// 2 engines, 2 precisions, 4 cores: 24 settings of 14 or 15 sizes.
std::vector<tune::RecordedTable> many_settings(uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 0x7a13));
  return settings_table(
      rng, {{"a", "b"}, {schema::Precision::fp32, schema::Precision::bf16}, 4, doublings_to(128)});
}

constexpr const char* kSizes = "1-24 to 1-256";

const std::array<LawFamily, 8> kFamilies{{
    {"smooth", kSizes, every_size<smooth>},
    {"staircase", kSizes, every_size<staircase>},
    {"a cliff", kSizes, every_size<cliff>},
    {"late recovery", kSizes, every_size<late_recovery>},
    {"an anomaly at 2", kSizes, every_size<odd_two>},
    {"any of these, 6 settings", "60 points", few_settings, true},
    {"work that threads share", "48 points", numbers_of_threads, true, true},
    {"any of these, 24 settings", "336 points", many_settings, true},
}};

}  // namespace

std::span<const LawFamily> law_families() {
  return kFamilies;
}

}  // namespace batchscope::truth

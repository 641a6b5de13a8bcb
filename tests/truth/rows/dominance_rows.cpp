// Whether a batch is rightly said to take longer than its parts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/engines/synthetic.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/tables/split_search.hpp"
#include "experiment.hpp"
#include "random_laws.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};

// Processes run in two ways, more of them in the slower one at larger sizes: memory of another
// node, fewer huge pages.
std::string slower_at_larger(stats::Rng& rng) {
  const double factor = 1.1 + 0.2 * rng.uniform();
  const double least = 0.3 * rng.uniform(), most = 0.5 + 0.5 * rng.uniform();
  std::string modes;
  for (std::size_t s = 0; s < kEight.size(); ++s) {
    const double share = least + (most - least) * static_cast<double>(s) / 7;
    modes += fmt::format(";modes={:.3f}:{:.3f}:{}", share, factor, kEight[s]);
  }
  return modes;
}

// Typical times over processes: geometric means, as the tables have them.
std::vector<double> true_times(const engines::SyntheticSpec& spec) {
  std::vector<double> times;
  for (const int64_t size : kEight) {
    double log_time = std::log(engines::true_time_ns(spec, size).value());
    for (const engines::ModesSpec& modes : spec.modes) {
      if (modes.batch_size == size) log_time += modes.share * std::log(modes.factor);
    }
    times.push_back(std::exp(log_time));
  }
  return times;
}

// Of a split that is no 3 % faster.
bool is_falsely_dominated(const findings::Finding& finding, const std::vector<double>& times) {
  if (finding.id != "scaling.dominated" || finding.status != findings::Status::proven) return false;
  const int64_t size = finding.batch_sizes.at(0);
  const auto split = tables::cheapest_split(kEight, times, size);
  const auto place = std::find(kEight.begin(), kEight.end(), size) - kEight.begin();
  return !split || times[static_cast<std::size_t>(place)] < 1.03 * split->time;
}

Row more_slow_at_larger(int blocks) {
  return {
      "Two ways in which processes run: a split called faster that is not",
      fmt::format("more slow processes at larger sizes: a + b x, 8 sizes to 16, {} blocks", blocks),
      {std::nullopt, 0.05},
      [=](uint64_t seed) {
        stats::Rng rng(stats::mix_seed(seed, 0x5e));
        const std::string model = random_affine(rng, 16) + kStillNoise + slower_at_larger(rng);
        const auto times = true_times(engines::parse_synthetic(model).value());
        const auto summary = analyse({{model}, kEight, blocks, seed});
        return std::any_of(summary.findings.begin(), summary.findings.end(),
                           [&](const auto& each) { return is_falsely_dominated(each, times); });
      }};
}

Row split_found(const std::string& what, const char* noise, double at_least) {
  return {"Split dominance",
          what + ", 15 % over 4 + 4, 12 blocks: proven at 8",
          {at_least, std::nullopt},
          [=](uint64_t seed) {
            // 17 ms at 8, 9 ms at 4.
            const std::string model = std::string("affine:1ms,2ms;anomaly=8:1.218") + noise;
            const auto summary = analyse({{model}, {1, 2, 4, 8}, 12, seed});
            return std::any_of(summary.findings.begin(), summary.findings.end(),
                               [](const findings::Finding& finding) {
                                 return finding.id == "scaling.dominated" &&
                                        finding.status == findings::Status::proven &&
                                        finding.batch_sizes == std::vector<int64_t>{8};
                               });
          }};
}

}  // namespace

std::vector<Row> dominance_rows() {
  std::vector<Row> rows;
  for (const int blocks : {6, 12}) rows.push_back(more_slow_at_larger(blocks));
  rows.push_back(split_found("a quiet machine", kStillNoise, 0.9));
  rows.push_back(split_found("the usual noise", kUsualNoise, 0.5));
  rows.push_back(split_found("a busy machine", kBusyNoise, 0));
  return rows;
}

}  // namespace batchscope::truth

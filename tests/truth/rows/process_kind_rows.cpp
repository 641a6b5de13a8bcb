// Runs without an odd size, on machines where a visit is not what the next one is: processes that
// run in one of two ways, one size that does, heavy tails.
#include <fmt/format.h>

#include <algorithm>

#include "claim_rows.hpp"
#include "experiment.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kPowers = {1, 2, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kToEight = {1, 2, 3, 4, 5, 6, 7, 8};

const char* const kTwoWays = "Processes that run in two ways: anything called proven";

Row two_ways(const std::vector<int64_t>& sizes, int blocks, double excess, double share) {
  const std::string noise = fmt::format("{};modes={}:{}", kStillNoise, share, 1 + excess);
  return any_claim(kTwoWays,
                   {fmt::format("two ways: 8 sizes to {}, {} blocks, {:.0f} % of processes {:.0f} "
                                "% slower",
                                sizes.back(), blocks, 100 * share, 100 * excess),
                    random_affine, sizes, noise, blocks});
}

Row clusters(const std::string& what, const std::string& modes, int blocks) {
  return any_claim(kTwoWays, {fmt::format("clusters: {{1, ..., 8}}, {} blocks, {}", blocks, what),
                              random_affine, kToEight, kStillNoise + modes, blocks});
}

bool is_right(const findings::Finding& finding, int64_t place) {
  if (finding.status != findings::Status::proven) return true;
  if (finding.batch_sizes != std::vector{place}) return false;
  return std::none_of(finding.evidence.begin(), finding.evidence.end(),
                      [](const findings::Evidence& evidence) {
                        return evidence.metric == "excess_over_law" && evidence.estimate.value < 0;
                      });
}

// In the mean that size is slower, and may be called so; but nothing else may.
Row one_size(int blocks, double share) {
  return {"One size that runs in two ways: another one accused, or this one called faster",
          fmt::format("two modes: a + b x, 8 sizes to 16, {} blocks, {:.0f} % of the processes of "
                      "one size 30 % slower",
                      blocks, 100 * share),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            stats::Rng rng(stats::mix_seed(seed, 1));
            const int64_t place = kEight[1 + rng.below(kEight.size() - 2)];
            const std::string model = random_affine(rng, kEight.back()) + kStillNoise +
                                      fmt::format(";modes={}:1.3:{}", share, place);
            const auto summary = analyse({{model}, kEight, blocks, seed});
            return !std::all_of(
                summary.findings.begin(), summary.findings.end(),
                [place](const findings::Finding& finding) { return is_right(finding, place); });
          }};
}

const char* const kScatter = "Visits that scatter: anything called proven";

Row heavy_tails(int degrees, int blocks) {
  const std::string noise = fmt::format(";process_sd=0.005;visit_sd=0.015;visit_df={}", degrees);
  return any_claim(kScatter,
                   {fmt::format("heavy tails: a + b x, 8 sizes to 16, {} blocks, visit noise 1.5 % "
                                "times t of {} degrees of freedom",
                                blocks, degrees),
                    random_affine, kEight, noise, blocks});
}

Row wide(const std::string& what, const Law& law, const std::vector<int64_t>& sizes, double sd,
         int blocks) {
  return any_departure(
      "Visits that scatter: a size called slow",
      {fmt::format("wide: {}, {} blocks, visit noise {:.0f} %", what, blocks, 100 * sd), law, sizes,
       fmt::format(";process_sd=0.01;visit_sd={}", sd), blocks});
}

}  // namespace

std::vector<Row> process_kind_rows() {
  std::vector<Row> rows;
  for (const auto& sizes : {kEight, kPowers}) {
    for (const int blocks : {6, 7, 12}) {
      for (const double excess : {0.16, 0.4, 1.0}) {
        for (const double share : {0.2, 0.3, 0.5}) {
          rows.push_back(two_ways(sizes, blocks, excess, share));
        }
      }
    }
  }
  for (const int blocks : {6, 12}) {
    rows.push_back(clusters("half of the machines 30 % slower", ";modes=0.5:1.3", blocks));
    rows.push_back(
        clusters("three kinds of machines, 30 % apart", ";modes=0.667:1.3;modes=0.5:1.3", blocks));
  }
  for (const int blocks : {6, 7, 12}) {
    for (const double share : {0.2, 0.3, 5.0 / 12, 0.5}) rows.push_back(one_size(blocks, share));
  }
  for (const int degrees : {2, 3}) {
    for (const int blocks : {6, 12}) rows.push_back(heavy_tails(degrees, blocks));
  }
  rows.push_back(wide("a convex curve, {1, ..., 8}", random_convex, kToEight, 0.08, 7));
  rows.push_back(wide("a + b x, 8 sizes to 16", random_affine, kEight, 0.10, 6));
  for (Row& row : rows) row.tested = false;
  return rows;
}

}  // namespace batchscope::truth

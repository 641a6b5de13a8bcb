// Runs without an odd size, where what a visit shows depends on when it is made.
#include <fmt/format.h>

#include "claim_rows.hpp"
#include "experiment.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kFour = {1, 2, 4, 8};

const char* const kTopic = "Order of the visits: anything called proven";

std::string in_words(const std::vector<int64_t>& sizes) {
  return sizes.size() == 4 ? "{1, 2, 4, 8}" : "8 sizes to 16";
}

Row carry_over(const std::vector<int64_t>& sizes, int blocks, double excess) {
  const std::string noise =
      fmt::format("{};carry_over={}:{}", kStillNoise, sizes.back(), 1 + excess);
  return any_claim(kTopic, {fmt::format("carry-over: a + b x, {}, {} blocks, the visit after the "
                                        "largest size {:.0f} % slower",
                                        in_words(sizes), blocks, 100 * excess),
                            random_affine, sizes, noise, blocks});
}

Row autocorrelated(int blocks, double sd, double rho) {
  const std::string noise = fmt::format("{};autocorrelated={}:{}", kStillNoise, sd, rho);
  return any_claim(kTopic, {fmt::format("autocorrelated: a + b x, 8 sizes to 16, {} blocks, visits "
                                        "of {:.0f} % that follow the one before by {}",
                                        blocks, 100 * sd, rho),
                            random_affine, kEight, noise, blocks});
}

// Somewhere in the middle half of the run.
Row step(int blocks, double excess) {
  const auto visits = static_cast<uint64_t>(blocks) * kEight.size();
  const Law law = [=](stats::Rng& rng, int64_t largest) {
    const uint64_t at = visits / 4 + rng.below(visits / 2);
    return random_affine(rng, largest) + fmt::format(";step={}:{}", at, 1 + excess);
  };
  return any_claim(kTopic,
                   {fmt::format("step: a + b x, 8 sizes to 16, {} blocks, the machine {:.0f}"
                                " % slower from somewhere in the middle on",
                                blocks, 100 * excess),
                    law, kEight, kStillNoise, blocks});
}

}  // namespace

std::vector<Row> order_rows() {
  std::vector<Row> rows;
  for (const double excess : {0.15, 0.40}) {
    for (const auto& sizes : {kFour, kEight}) {
      for (const int blocks : {6, 12}) rows.push_back(carry_over(sizes, blocks, excess));
    }
  }
  for (const int blocks : {6, 12}) {
    rows.push_back(autocorrelated(blocks, 0.03, 0.8));
    rows.push_back(autocorrelated(blocks, 0.05, 0.95));
    rows.push_back(step(blocks, 0.10));
    rows.push_back(step(blocks, 0.40));
  }
  for (Row& row : rows) row.tested = false;
  return rows;
}

}  // namespace batchscope::truth

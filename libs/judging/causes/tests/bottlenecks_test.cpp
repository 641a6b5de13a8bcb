#include <gtest/gtest.h>

#include <cmath>

#include "explained_run.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::causes {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;

// The severity of what is said of tokenization when it takes that share of every iteration; empty
// when nothing is.
std::string severity_at(double share) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4, 8}), affine(), 12, 3, quiet(), 1});
  for (schema::Visit& visit : run.visits) {
    double all = 0;
    for (const int64_t sample : visit.samples_ns) all += static_cast<double>(sample);
    visit.phases = {{"tokenize", std::llround(share * all), {}, 3}, {"forward", 10, {}, 3}};
  }
  for (const findings::Finding& finding : explained_findings(run)) {
    if (finding.id != "bottleneck.tokenization") continue;
    EXPECT_NEAR(finding.evidence.at(0).estimate.value, share, 1e-6);
    return std::string(to_string(finding.severity));
  }
  return "";
}

TEST(Bottlenecks, TokenizationNeedsNoDevice) {
  EXPECT_EQ(severity_at(0.19), "");
  EXPECT_EQ(severity_at(0.3), "medium");
  EXPECT_EQ(severity_at(0.5), "high");
}

}  // namespace
}  // namespace batchscope::causes

#include "sizes/smooth_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/tables/tables.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::tables {
namespace {

using testing::ElementsAre;

findings::Group group_of(const std::function<double(const schema::RunConfig&)>& law,
                         const FakeNoise& noise, std::vector<int64_t> sizes = {1, 2, 4, 8, 16}) {
  const schema::RunFile run = make_run({batch_sizes(sizes), law, 12, 3, noise, 4});
  return tables_of(view_run(run), {}).groups.at(0);
}

double size_of(const schema::RunConfig& config) {
  return static_cast<double>(config.shape.batch_size);
}

TEST(SmoothFacts, BestSizesAreThoseNotWorseThanTheBest) {
  // Per sample the same from 4 on.
  const auto law = [](const schema::RunConfig& config) {
    return 1e6 * std::max(size_of(config), 4.0);
  };
  const findings::Group group = group_of(law, {0.01, 0, 0, 0, 1});
  EXPECT_THAT(group.best_sizes, ElementsAre(4, 8, 16));
  EXPECT_EQ(group.knee, 4);
}

TEST(SmoothFacts, WithoutNoiseOnlyTheBestIsBest) {
  const findings::Group group = group_of(affine(), quiet());
  EXPECT_THAT(group.best_sizes, ElementsAre(16));
}

TEST(SmoothFacts, SaturationIsWhereADoublingBringsLessThanFivePercent) {
  const auto law = [](const schema::RunConfig& config) { return 1e6 + 1e6 * size_of(config); };
  // Gains of a doubling: 1 -> 2: 33 %, ..., 16 -> 32: 3.1 %.
  EXPECT_EQ(group_of(law, quiet(), {1, 2, 4, 8, 16, 32}).saturation, 16);
  EXPECT_EQ(group_of(law, quiet(), {1, 2, 4}).saturation, std::nullopt);
}

TEST(SmoothFacts, ALaterRecoveryIsNotSaturation) {
  const auto law = [](const schema::RunConfig& config) {
    const double x = size_of(config);
    return 1e6 * x * (x < 32 ? 1.0 : 0.5);
  };
  EXPECT_EQ(group_of(law, quiet(), {1, 2, 4, 8, 16, 32}).saturation, std::nullopt);
}

}  // namespace
}  // namespace batchscope::tables

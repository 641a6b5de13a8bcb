#include "batchscope/serving/waiting_line.hpp"

#include <deque>
#include <memory>

#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

// Against a queue from which single elements are erased.
TEST(WaitingLine, KeepsTheOrderWhateverIsTaken) {
  stats::Rng rng(7);
  WaitingLine<std::unique_ptr<int64_t>> line;
  std::deque<int64_t> expected;
  int64_t next = 0;
  for (int round = 0; round < 5000; ++round) {
    for (uint64_t i = rng.below(6); i > 0; --i) {
      line.push({base::Nanoseconds(next), next}, std::make_unique<int64_t>(next));
      expected.push_back(next++);
    }
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < std::min<std::size_t>(12, line.size()); ++place) {
      if (rng.below(3) == 0) places.push_back(place);
    }
    if (places.empty()) continue;
    const auto taken = line.take(places);
    for (std::size_t i = places.size(); i-- > 0;) {
      const auto at = expected.begin() + static_cast<std::ptrdiff_t>(places[i]);
      ASSERT_EQ(*taken[i], *at);
      expected.erase(at);
    }
    ASSERT_EQ(line.size(), expected.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      ASSERT_EQ(line.waiting()[i].tokens, expected[i]);
      ASSERT_EQ(*line.at(i), expected[i]);
    }
  }
}

}  // namespace
}  // namespace batchscope::serving

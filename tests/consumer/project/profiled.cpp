// A function of the project's own, measured and judged.
#include <cstdio>
#include <vector>

#include "batchscope/ranges/profiler.hpp"
#include "batchscope/study/profile.hpp"

int main() {
  batchscope::study::ProfileOptions options;
  options.blocks = 1;
  options.iterations = 3;
  const auto profiled = batchscope::study::profile(
      [](int64_t, batchscope::ranges::Profiler& profiler) {
        const auto range = profiler.range("work");
      },
      std::vector<int64_t>{1, 2}, options);
  if (!profiled) return 1;
  std::printf("%zu visits, %zu table", profiled->run.visits.size(),
              profiled->summary.groups.size());
  return 0;
}

#pragma once

#include <thread>
#include <vector>

namespace batchscope::trace {

// work(0) to work(threads - 1) at the same time; returns when all are done.
template <class Work>
void side_by_side(int threads, const Work& work) {
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([&work, i] { work(i); });
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace batchscope::trace

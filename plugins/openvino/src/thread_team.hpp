#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace batchscope::openvino_plugin {

// Threads that wait for work and do it together with the one that calls. They are kept, because
// starting one costs about as much as tokenizing a text.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size);  // the calling thread among them
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(others_.size()) + 1; }
  // work(i) for i in [0, parts), parts <= size(), each on a thread of its own; returns when all are
  // done. `work` throws nothing.
  void run(int parts, const std::function<void(int)>& work);

 private:
  void serve(int index);

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int)>* work_ = nullptr;
  int parts_ = 0;       // of this round
  int busy_ = 0;        // that have not finished it
  uint64_t round_ = 0;  // counts the calls of run
  bool over_ = false;
  std::vector<std::thread> others_;
};

}  // namespace batchscope::openvino_plugin

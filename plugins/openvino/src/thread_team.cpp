#include "thread_team.hpp"

namespace batchscope::openvino_plugin {

ThreadTeam::ThreadTeam(int size) {
  for (int index = 1; index < size; ++index) {
    others_.emplace_back([this, index] { serve(index); });
  }
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  begin_.notify_all();
  for (std::thread& other : others_) other.join();
}

void ThreadTeam::run(int parts, const std::function<void(int)>& work) {
  if (parts > 1) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      parts_ = parts;
      busy_ = parts - 1;
      ++round_;
    }
    begin_.notify_all();
  }
  if (parts > 0) work(0);
  if (parts > 1) {
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return busy_ == 0; });
  }
}

void ThreadTeam::serve(int index) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return over_ || round_ != seen; });
    if (over_) return;
    seen = round_;
    if (index >= parts_) continue;
    const auto* const work = work_;
    lock.unlock();
    (*work)(index);
    lock.lock();
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace batchscope::openvino_plugin

#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "activity.hpp"

namespace batchscope::simulated {

// One recording of an event.
class Mark {
 public:
  void set(int64_t ns);
  void wait();            // until the device has passed it, and the host's clock too
  void wait_on_device();  // only until it is set
  bool passed();
  int64_t ns();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  int64_t ns_ = 0;
};

struct Task {
  std::string name;
  Kind kind = Kind::other;
  std::function<void()> work;
  int64_t cost_ns = 0;  // < 0: what it took
  int64_t bytes = 0;
  bool pinned = false;
  int64_t issued_ns = 0;
  int64_t correlation = 0;         // of the call that issued it
  std::shared_ptr<Mark> mark;      // to be set behind the work
  std::shared_ptr<Mark> wait_for;  // of another stream
};

// What a stream is: a thread that does one task after the other, and a clock that advances by what
// they cost. A task begins when the one before is done and it has been issued.
class Queue {
 public:
  Queue(int device, int64_t id);
  void push(Task task);  // throws what a task threw
  std::shared_ptr<Mark> mark();
  void wait_for(std::shared_ptr<Mark> mark);
  void drain();  // throws what a task threw, now and ever after
  bool idle();
  void check();  // throws what a task threw

 private:
  void loop();
  Task next();
  void run(Task& task);
  void work(Task& task);
  static void issue(Task& task);
  int64_t start_of(const Task& task, int64_t begun_ns) const;

  int device_;
  int64_t id_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool busy_ = false;
  int64_t clock_ns_ = 0;  // the device's thread's while it is busy
  std::exception_ptr failed_;
  std::thread thread_;  // detached: it ends with the process
};

}  // namespace batchscope::simulated

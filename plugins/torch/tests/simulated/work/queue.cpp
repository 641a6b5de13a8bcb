#include "queue.hpp"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "state/clock.hpp"
#include "state/options.hpp"

namespace batchscope::simulated {

void Mark::set(int64_t ns) {
  const std::lock_guard lock(mutex_);
  ns_ = ns;
  done_ = true;
  changed_.notify_all();
}

void Mark::wait_on_device() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_; });
}

void Mark::wait() {
  {
    const HostWaits waiting;
    wait_on_device();
  }
  wait_until(ns());
}

// In virtual time the answer must not hang on how far the device's thread has come.
bool Mark::passed() {
  if (options().virtual_time) {
    const HostWaits waiting;
    wait_on_device();
  }
  const std::lock_guard lock(mutex_);
  return done_ && now_ns() >= ns_;
}

int64_t Mark::ns() {
  const std::lock_guard lock(mutex_);
  return ns_;
}

Queue::Queue(int device, int64_t id) : device_(device), id_(id), thread_([this] { loop(); }) {
  thread_.detach();
}

void Queue::check() {
  const std::lock_guard lock(mutex_);
  if (failed_) std::rethrow_exception(failed_);
}

// As the tracers of real drivers see what an operation or a copy is issued by.
void Queue::issue(Task& task) {
  if (task.kind == Kind::other) return;
  task.correlation = next_correlation();
  const TracedCall call(task.kind == Kind::kernel ? "cudaLaunchKernel" : "cudaMemcpyAsync",
                        task.correlation);
  spend(options().launch_ns);
}

void Queue::push(Task task) {
  check();
  issue(task);
  task.issued_ns = now_ns();
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

std::shared_ptr<Mark> Queue::mark() {
  Task task;
  task.mark = std::make_shared<Mark>();
  auto mark = task.mark;
  task.issued_ns = now_ns();
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
  return mark;
}

void Queue::wait_for(std::shared_ptr<Mark> mark) {
  Task task;
  task.wait_for = std::move(mark);
  push(std::move(task));
}

void Queue::drain() {
  const TracedCall call("cudaStreamSynchronize");
  mark()->wait();
  check();
}

bool Queue::idle() {
  if (options().virtual_time) return mark()->passed();
  const std::lock_guard lock(mutex_);
  return tasks_.empty() && !busy_ && now_ns() >= clock_ns_;
}

// What the host gave to do cannot begin before it was given; other tasks only hand on the time.
int64_t Queue::start_of(const Task& task, int64_t begun_ns) const {
  if (task.cost_ns < 0) return std::max(clock_ns_, begun_ns);
  return std::max(clock_ns_, task.issued_ns);
}

void Queue::work(Task& task) {
  if (!task.work || failed_) return;
  try {
    task.work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failed_ = std::current_exception();
  }
}

void Queue::run(Task& task) {
  if (task.wait_for) {
    task.wait_for->wait_on_device();
    clock_ns_ = std::max(clock_ns_, task.wait_for->ns());
  }
  const bool stated = task.cost_ns >= 0;
  // Results reach the host when the device's clock says so, not before.
  if (stated && task.kind == Kind::d2h) deliver_at(start_of(task, 0) + task.cost_ns);
  const int64_t begun = now_ns();
  work(task);
  task.work = nullptr;  // lets go of what it held
  const int64_t start = start_of(task, begun);
  clock_ns_ = stated ? start + task.cost_ns : std::max(start, now_ns());
  if (task.kind != Kind::other && tracing()) {
    trace({task.name, task.kind, start, clock_ns_, task.bytes, task.pinned, device_, id_,
           task.correlation});
  }
  keep_pace(clock_ns_);
  if (task.mark) task.mark->set(clock_ns_);
}

Task Queue::next() {
  std::unique_lock lock(mutex_);
  busy_ = false;
  changed_.wait(lock, [&] { return !tasks_.empty(); });
  busy_ = true;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

void Queue::loop() {
  const c10::InferenceMode no_autograd;  // writes to tensors of either kind
  at::init_num_threads();
  at::set_num_threads(1);
  while (true) {
    Task task = next();
    run(task);
  }
}

}  // namespace batchscope::simulated

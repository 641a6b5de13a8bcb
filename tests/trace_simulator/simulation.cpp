#include "simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>

namespace batchscope::trace_simulator {
namespace {

struct Stream {
  size_t last = kNothing;         // of Timeline::device
  std::vector<size_t> waits_for;  // before what comes next
  std::deque<int64_t> ends;       // of what was launched and may not be done
};

struct Post {
  int64_t at_ns = 0;
  size_t thread = 0;
};

class Loader {
 public:
  explicit Loader(const LoaderWorkers& workers)
      : workers_(workers), free_ns_(static_cast<size_t>(std::max(1, workers.workers)), 0) {}

  // When the next batch is there for a thread that asks now.
  int64_t take(int64_t now) {
    const size_t batch = taken_.size();
    int64_t ready = 0;
    if (batch >= static_cast<size_t>(workers_.ready)) {
      const size_t ahead = free_ns_.size() * static_cast<size_t>(workers_.prefetched);
      int64_t& free = free_ns_[batch % free_ns_.size()];
      const int64_t asked = batch < ahead ? 0 : taken_[batch - ahead];
      free = std::max(free, asked) + workers_.batch_ns[batch % workers_.batch_ns.size()];
      ready = free;
    }
    taken_.push_back(std::max(now, ready));
    return taken_.back();
  }

 private:
  const LoaderWorkers& workers_;
  std::vector<int64_t> free_ns_;
  std::vector<int64_t> taken_;
};

struct Thread {
  size_t index = 0;
  size_t next = 0;  // of the script
  int64_t now = 0;
  std::vector<size_t> open;  // of Timeline::host
};

class Simulation {
 public:
  Simulation(const Program& program, const World& world)
      : program_(program),
        world_(world),
        loader_(program.loader),
        threads_(program.threads.size()) {
    line_.states.resize(program.threads.size());
    for (size_t i = 0; i < threads_.size(); ++i) threads_[i].index = i;
  }

  Timeline run() {
    while (Thread* const thread = next_thread()) {
      const auto& script = program_.threads[thread->index].script;
      execute(*thread, script[thread->next++]);
    }
    return std::move(line_);
  }

 private:
  Thread* next_thread() {
    Thread* first = nullptr;
    bool all_done = true;
    for (Thread& thread : threads_) {
      const auto& script = program_.threads[thread.index].script;
      if (thread.next == script.size()) continue;
      all_done = false;
      const Instruction& next = script[thread.next];
      if (next.act == Act::await && !posts_.contains(next.mark)) continue;
      if (first == nullptr || thread.now < first->now) first = &thread;
    }
    if (first == nullptr && !all_done) std::abort();
    return first;
  }

  void execute(Thread& thread, const Instruction& step) {
    switch (step.act) {
      case Act::spend:
        return pass(thread, thread.now + cost(step.effort, step.ns), doing(step.effort));
      case Act::open:
        return open(thread, step.kind, step.name);
      case Act::close:
        return close(thread);
      case Act::call:
        return call(thread, step);
      case Act::copy:
        return copy(thread, step);
      case Act::synchronise_stream:
      case Act::synchronise_device:
      case Act::synchronise_record:
      case Act::allocate:
      case Act::release:
        return block(thread, step);
      case Act::record:
        records_[step.mark] = streams_[step.place].last;
        return;
      case Act::wait_for_record:
        if (records_[step.mark] != kNothing) {
          streams_[step.place].waits_for.push_back(records_[step.mark]);
        }
        return;
      case Act::post:
        posts_[step.mark] = {thread.now, thread.index};
        return;
      case Act::await:
        return await(thread, posts_[step.mark]);
      case Act::take_batch:
        return take_batch(thread, step);
      case Act::start_recording:
        line_.recorded_from_ns = thread.now;
        return;
    }
  }

  int64_t cost(Effort effort, int64_t ns) const {
    const bool real = effort == Effort::loading     ? world_.loading_takes_time
                      : effort == Effort::host_work ? world_.host_work_takes_time
                                                    : world_.launching_takes_time;
    return real ? ns : 0;
  }

  static Doing doing(Effort effort) {
    return effort == Effort::loading     ? Doing::loading
           : effort == Effort::host_work ? Doing::host_work
                                         : Doing::launching;
  }

  void pass(Thread& thread, int64_t to, Doing doing, size_t awaited = 0) {
    if (to <= thread.now) return;
    std::vector<HostState>& states = line_.states[thread.index];
    const bool same = !states.empty() && states.back().doing == doing && doing != Doing::awaiting;
    if (same) {
      states.back().end_ns = to;
    } else {
      states.push_back({thread.now, to, doing, awaited});
    }
    thread.now = to;
  }

  void open(Thread& thread, HostKind kind, const std::string& name) {
    thread.open.push_back(line_.host.size());
    HostEvent& event = line_.host.emplace_back();
    event.kind = kind;
    event.name = name;
    event.thread = thread.index;
    event.start_ns = thread.now;
  }

  void close(Thread& thread) {
    line_.host[thread.open.back()].end_ns = thread.now;
    thread.open.pop_back();
  }

  void call(Thread& thread, const Instruction& step) {
    open(thread, HostKind::runtime, step.name);
    line_.host.back().correlation = ++correlation_;
    const int64_t called = thread.now;
    Stream& stream = streams_[step.place];
    if (!step.work.empty()) wait_for_room(thread, stream);
    pass(thread, thread.now + cost(Effort::launching, step.ns), Doing::launching);
    for (const DeviceWork& work : step.work) add(thread, work, step.place, called, false);
    close(thread);
  }

  void wait_for_room(Thread& thread, Stream& stream) {
    while (!stream.ends.empty() && stream.ends.front() <= thread.now) stream.ends.pop_front();
    if (stream.ends.size() < program_.queue) return;
    pass(thread, stream.ends[stream.ends.size() - program_.queue], Doing::blocked);
  }

  void copy(Thread& thread, const Instruction& step) {
    open(thread, HostKind::runtime, step.name);
    line_.host.back().correlation = ++correlation_;
    const int64_t called = thread.now;
    const bool waits = world_.calls_wait;
    const Doing doing = waits ? Doing::blocked : Doing::launching;
    pass(thread, called + cost(Effort::launching, step.ns), doing);
    add(thread, step.work.front(), step.place, called, waits);
    if (waits) pass(thread, line_.device.back().end_ns + program_.return_ns, doing);
    close(thread);
  }

  void block(Thread& thread, const Instruction& step) {
    open(thread, HostKind::runtime, step.name);
    HostEvent& event = line_.host.back();
    event.correlation = ++correlation_;
    event.synchronises = step.act != Act::allocate && step.act != Act::release;
    event.place = step.place;
    const bool takes_time = event.synchronises || world_.calls_wait;
    int64_t until = thread.now + (takes_time ? cost(Effort::launching, step.ns) : 0);
    if (world_.calls_wait && step.act != Act::allocate) {
      const int64_t done =
          step.act == Act::synchronise_record ? recorded_at(step.mark) : done_at(step);
      if (done > thread.now) until = std::max(until, done + program_.return_ns);
    }
    pass(thread, until, Doing::blocked);
    close(thread);
  }

  int64_t recorded_at(int mark) {
    const size_t work = records_.contains(mark) ? records_[mark] : kNothing;
    return work == kNothing ? INT64_MIN : line_.device[work].end_ns;
  }

  // When all is done that was launched so far.
  int64_t done_at(const Instruction& step) const {
    int64_t done = INT64_MIN;
    for (const auto& [place, stream] : streams_) {
      const bool all = step.act != Act::synchronise_stream && place.device == step.place.device;
      if (stream.last == kNothing || (!all && place != step.place)) continue;
      done = std::max(done, line_.device[stream.last].end_ns);
    }
    return done;
  }

  void await(Thread& thread, const Post& post) {
    pass(thread, post.at_ns, Doing::awaiting, post.thread);
    pass(thread, thread.now + cost(Effort::launching, program_.wake_ns), Doing::launching);
  }

  void take_batch(Thread& thread, const Instruction& step) {
    open(thread, HostKind::range, step.name);
    if (world_.loading_takes_time) {
      pass(thread, loader_.take(thread.now) + step.ns, Doing::loading);
    }
    close(thread);
  }

  void add(const Thread& thread, const DeviceWork& work, Place place, int64_t called, bool blocks) {
    Stream& stream = streams_[place];
    DeviceEvent event;
    event.kind = work.kind;
    event.name = work.name;
    event.place = place;
    event.held_ns = work.held_ns;
    event.bytes = work.bytes;
    event.is_collective = work.is_collective;
    event.correlation = correlation_;
    event.thread = thread.index;
    event.called_ns = called;
    event.call_blocks = blocks;
    event.start_ns = std::max(called, thread.now + cost(Effort::launching, program_.latency_ns));
    if (stream.last != kNothing) stream.waits_for.push_back(stream.last);
    for (const size_t before : stream.waits_for) {
      const int64_t earliest = line_.device[before].end_ns + program_.spacing_ns;
      if (earliest <= event.start_ns) continue;
      event.start_ns = earliest;
      event.after = before;
    }
    event.start_ns += work.held_ns;
    event.end_ns = event.start_ns + work.ns;
    stream.waits_for.clear();
    stream.last = line_.device.size();
    stream.ends.push_back(event.end_ns);
    line_.device.push_back(std::move(event));
  }

  const Program& program_;
  const World& world_;
  Loader loader_;
  std::vector<Thread> threads_;
  Timeline line_;
  std::map<Place, Stream> streams_;
  std::map<int, size_t> records_;
  std::map<int, Post> posts_;
  int64_t correlation_ = 1000;
};

}  // namespace

Timeline simulate(const Program& program, const World& world) {
  return Simulation(program, world).run();
}

}  // namespace batchscope::trace_simulator

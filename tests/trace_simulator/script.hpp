#pragma once

#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "random.hpp"

namespace batchscope::trace_simulator {

// Writes what one thread does. Times are microseconds here, and drawn around what is given.
class Script {
 public:
  Script(HostThread& thread, Random& random, double noise)
      : thread_(thread), random_(random), noise_(noise) {}

  Random& random() { return random_; }
  int64_t draw_ns(double us) { return random_.around(us * 1000, noise_); }

  template <class Body>
  void within(HostKind kind, std::string name, Body body) {
    open(kind, std::move(name));
    body();
    act(Act::close);
  }
  void spend(Effort effort, double us);
  void spend_ns(Effort effort, int64_t ns);
  void launching(double us) { spend(Effort::launching, us); }

  void call(std::string name, double us);  // that starts nothing
  void launch(std::string name, double us, Place place, std::vector<DeviceWork> work);
  void copy(std::string name, double us, Place place, DeviceWork work);  // that blocks
  void synchronise_stream(std::string name, Place place);
  void synchronise_device(std::string name, Place place);
  void synchronise_record(int mark, Place place);
  void allocate(double us);
  void release(double us, Place place);
  void record(int mark, Place place);
  void wait_for_record(int mark, Place place);
  void post(int mark);
  void await(int mark);
  void take_batch(std::string name, double us);
  void start_recording() { act(Act::start_recording); }

 private:
  void open(HostKind kind, std::string name);
  Instruction& act(Act act);
  Instruction& call_of(Act act, std::string name, double us, Place place);

  HostThread& thread_;
  Random& random_;
  double noise_;
};

}  // namespace batchscope::trace_simulator

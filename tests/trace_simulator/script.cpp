#include "script.hpp"

namespace batchscope::trace_simulator {

Instruction& Script::act(Act act) {
  Instruction& step = thread_.script.emplace_back();
  step.act = act;
  return step;
}

Instruction& Script::call_of(Act act, std::string name, double us, Place place) {
  Instruction& step = this->act(act);
  step.name = std::move(name);
  step.ns = draw_ns(us);
  step.place = place;
  return step;
}

void Script::open(HostKind kind, std::string name) {
  Instruction& step = act(Act::open);
  step.kind = kind;
  step.name = std::move(name);
}

void Script::spend(Effort effort, double us) {
  Instruction& step = act(Act::spend);
  step.effort = effort;
  step.ns = draw_ns(us);
}

void Script::spend_ns(Effort effort, int64_t ns) {
  Instruction& step = act(Act::spend);
  step.effort = effort;
  step.ns = ns;
}

void Script::call(std::string name, double us) {
  call_of(Act::call, std::move(name), us, {});
}

void Script::launch(std::string name, double us, Place place, std::vector<DeviceWork> work) {
  call_of(Act::call, std::move(name), us, place).work = std::move(work);
}

void Script::copy(std::string name, double us, Place place, DeviceWork work) {
  call_of(Act::copy, std::move(name), us, place).work = {std::move(work)};
}

void Script::synchronise_stream(std::string name, Place place) {
  call_of(Act::synchronise_stream, std::move(name), 3, place);
}

void Script::synchronise_device(std::string name, Place place) {
  call_of(Act::synchronise_device, std::move(name), 4, place);
}

void Script::synchronise_record(int mark, Place place) {
  call_of(Act::synchronise_record, "cudaEventSynchronize", 3, place).mark = mark;
}

void Script::allocate(double us) {
  call_of(Act::allocate, "cudaMalloc", us, {});
}

void Script::release(double us, Place place) {
  call_of(Act::release, "cudaFree", us, place);
}

void Script::record(int mark, Place place) {
  call("cudaEventRecord", 1.5);
  Instruction& step = act(Act::record);
  step.mark = mark;
  step.place = place;
}

void Script::wait_for_record(int mark, Place place) {
  call("cudaStreamWaitEvent", 1.5);
  Instruction& step = act(Act::wait_for_record);
  step.mark = mark;
  step.place = place;
}

void Script::post(int mark) {
  act(Act::post).mark = mark;
}

void Script::await(int mark) {
  act(Act::await).mark = mark;
}

void Script::take_batch(std::string name, double us) {
  call_of(Act::take_batch, std::move(name), us, {});
}

}  // namespace batchscope::trace_simulator

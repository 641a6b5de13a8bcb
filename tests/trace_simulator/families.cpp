#include "families.hpp"

namespace batchscope::trace_simulator {
namespace {

// Kernels that take longer than launching them, samples that are there.
Workload healthy(Random& random) {
  Workload work;
  work.trains = random.chance(0.6);
  work.steps = work.trains ? 3 : random.full(5, 7);
  work.operators = random.full(24, 40);
  work.operator_us = random.uniform(8, 18);
  work.kernels_per_operator = random.full(1, 2);
  work.kernel_us = work.operator_us * random.uniform(10, 18);
  work.loading = random.chance(0.8) ? Loading::by_workers : Loading::none;
  work.workers = random.full(2, 4);
  work.batch_us = random.uniform(300, 1500);
  work.input_us = random.uniform(50, 300);
  work.waiting = random.chance(0.3) ? Waiting::item : Waiting::none;
  work.has_prologue = random.chance(0.3);
  work.has_other_threads = random.chance(0.3);
  work.names_forward = random.chance(0.4);
  return work;
}

// Of the time that a step of these takes the device, in microseconds.
double step_us(const Workload& work) {
  return work.kernel_us * work.operators * (work.trains ? 3 : 1) * 1.13;
}

Workload healthy_graphs(Random& random) {
  Workload work;
  work.trains = false;
  work.steps = random.full(5, 8);
  work.graph_kernels = random.full(150, 350);
  work.kernel_us = random.uniform(28, 45);
  work.kernel_spread = 0.9;
  work.input_us = 20;
  return work;
}

// The next graph is only launched once the last one is done and a token was chosen.
Workload graphs_with_waits(Random& random) {
  Workload work = healthy_graphs(random);
  work.kernel_us = random.uniform(4, 12);
  work.waiting = random.chance(0.5) ? Waiting::item : Waiting::to_host;
  work.host_work_us = random.uniform(300, 3000);
  work.host_work = random.chance(0.5) ? WorkKind::bare : WorkKind::python;
  return work;
}

Workload loads_in_thread(Random& random) {
  Workload work = healthy(random);
  work.loading = Loading::in_thread;
  work.loader_has_operators = random.chance(0.6);
  work.loader_name = random.chance(0.7) ? LoaderName::torch : LoaderName::own;
  work.batch_us = step_us(work) * random.uniform(0.6, 3);
  work.waiting = random.chance(0.5) ? Waiting::item : Waiting::none;
  return work;
}

Workload slow_workers(Random& random) {
  Workload work = healthy(random);
  work.loading = Loading::by_workers;
  work.steps = 8;
  work.operators = 15;
  work.workers = random.full(1, 2);
  work.batch_us = step_us(work) * work.workers * random.uniform(1.5, 4);
  return work;
}

Workload launches(Random& random) {
  Workload work = healthy(random);
  work.operators = random.full(30, 50);
  work.kernels_per_operator = random.full(1, 3);
  work.python_us = random.log_uniform(2, 60);
  work.kernel_us = (work.operator_us + work.python_us) * random.uniform(0.1, 0.6);
  work.kernel_spread = 0.7;
  work.input_us = 10;
  work.waiting = Waiting::none;
  return work;
}

Workload waits_each_step(Random& random) {
  Workload work = launches(random);
  work.trains = random.chance(0.5);
  work.kernel_us = (work.operator_us + work.python_us) * random.uniform(0.5, 2.5);
  constexpr Waiting kWaits[] = {Waiting::item, Waiting::device, Waiting::to_host};
  work.waiting = kWaits[random.full(0, 2)];
  return work;
}

Workload waits_often(Random& random) {
  Workload work = healthy(random);
  work.kernel_us = work.operator_us * random.uniform(1.2, 6);
  work.waits_every = random.full(1, 8);
  work.waiting = random.chance(0.5) ? Waiting::item : Waiting::none;
  return work;
}

Workload copies(Random& random) {
  Workload work = healthy(random);
  work.trains = random.chance(0.5);
  work.kernel_us = work.operator_us * random.uniform(1.2, 4);
  work.operators = 15;
  work.steps = 8;
  work.input = random.chance(0.6) ? InputCopy::pageable : InputCopy::synchronous;
  work.input_us = random.uniform(200, 3000);
  work.waiting = random.chance(0.5) ? Waiting::to_host : Waiting::none;
  return work;
}

Workload allocates(Random& random) {
  Workload work = healthy(random);
  work.kernel_us = work.operator_us * random.uniform(1.2, 3);
  work.allocates_us = random.uniform(300, 2000);
  work.steps = 6;
  work.operators = 15;
  return work;
}

WorkKind any_kind(Random& random) {
  return static_cast<WorkKind>(random.full(0, 4));
}

Workload host_bound(Random& random) {
  Workload work = healthy(random);
  work.host_work = any_kind(random);
  work.host_work_us = step_us(work) * random.uniform(1.2, 4);
  work.host_work_is_last = random.chance(0.5);
  return work;
}

// Python between operators, a while now and then.
Workload pauses(Random& random) {
  Workload work = healthy(random);
  work.kernel_us = work.operator_us * random.uniform(1.2, 3);
  work.pause_us = step_us(work) * random.uniform(0.3, 0.8);
  return work;
}

Workload exposed_communication(Random& random) {
  Workload work = healthy(random);
  work.trains = true;
  work.steps = 3;
  work.collectives = random.full(2, 6);
  work.collective_us = step_us(work) * random.uniform(0.1, 0.4) / work.collectives;
  return work;
}

Workload two_streams(Random& random) {
  Workload work = random.chance(0.5) ? launches(random) : waits_each_step(random);
  work.second_stream = true;
  return work;
}

// The recording begins in a step of one of them: what the other is in then is not in the trace.
Workload in_two_threads(Workload work, Devices devices) {
  work.devices = devices;
  work.has_prologue = false;
  if (work.loading == Loading::by_workers) work.loading = Loading::none;
  return work;
}

Workload two_devices(Random& random) {
  Workload work = random.chance(0.5) ? waits_each_step(random) : loads_in_thread(random);
  work.operators = 20;
  return in_two_threads(work, Devices::independent);
}

// Two threads that serve models of their own.
Workload shared_device(Random& random) {
  Workload work = random.chance(0.5) ? waits_each_step(random) : host_bound(random);
  work.trains = false;
  return in_two_threads(work, Devices::shared);
}

Workload dependent_devices(Random& random) {
  Workload work = healthy(random);
  work.devices = Devices::dependent;
  work.waiting = random.chance(0.5) ? Waiting::item : Waiting::none;
  return work;
}

Workload hidden_waits(Random& random) {
  Workload work = healthy(random);
  constexpr Waiting kWaits[] = {Waiting::item, Waiting::device, Waiting::late};
  work.waiting = kWaits[random.full(0, 2)];
  return work;
}

// The device has work for as long as the host loads.
Workload hidden_loading(Random& random) {
  Workload work = healthy(random);
  work.waiting = Waiting::none;
  work.steps = 6;
  work.kernel_us = work.operator_us * random.uniform(9, 16);
  work.loading = Loading::in_thread;
  work.batch_us = step_us(work) * random.uniform(0.2, 0.6);
  work.loader_has_operators = random.chance(0.5);
  return work;
}

Workload hidden_host_work(Random& random) {
  Workload work = hidden_loading(random);
  work.loading = Loading::none;
  work.host_work = any_kind(random);
  work.host_work_us = work.batch_us;
  work.host_work_is_last = true;
  return work;
}

Workload held_kernels(Random& random) {
  Workload work = healthy(random);
  work.held_us = random.log_uniform(150, 3000);
  work.waiting = Waiting::none;
  return work;
}

Workload loading_and_waits(Random& random) {
  Workload work = waits_each_step(random);
  work.loading = Loading::in_thread;
  work.loader_has_operators = random.chance(0.5);
  work.batch_us = random.uniform(500, 6000);
  return work;
}

Workload loading_and_launching(Random& random) {
  Workload work = launches(random);
  work.loading = random.chance(0.5) ? Loading::in_thread : Loading::by_workers;
  work.batch_us = random.uniform(500, 5000);
  if (work.loading == Loading::by_workers) work.batch_us *= 2 * work.workers;
  work.steps = 6;
  return work;
}

Workload host_work_and_waits(Random& random) {
  Workload work = waits_often(random);
  work.host_work = any_kind(random);
  work.host_work_us = random.uniform(500, 6000);
  work.host_work_is_last = random.chance(0.5);
  return work;
}

Workload anything(Random& random) {
  Workload work = random.chance(0.5) ? launches(random) : waits_often(random);
  work.kernel_us = work.operator_us * random.log_uniform(0.2, 6);
  work.loading = static_cast<Loading>(random.full(0, 2));
  work.batch_us = random.log_uniform(300, 8000);
  work.host_work = any_kind(random);
  work.host_work_us = random.chance(0.5) ? 0 : random.log_uniform(300, 6000);
  work.host_work_is_last = random.chance(0.5);
  work.waiting = static_cast<Waiting>(random.full(0, 4));
  work.input = static_cast<InputCopy>(random.full(0, 3));
  work.allocates_us = random.chance(0.2) ? 500 : 0;
  work.collectives = random.chance(0.3) ? 3 : 0;
  work.second_stream = random.chance(0.2);
  work.pause_us = random.chance(0.3) ? random.log_uniform(200, 2000) : 0;
  return work;
}

// Graphs whose kernels wait within them.
Workload graphs_with_holes(Random& random) {
  Workload work = healthy_graphs(random);
  work.kernel_us = random.uniform(4, 40);
  work.held_us = random.log_uniform(20, 800);
  work.waiting = static_cast<Waiting>(random.full(0, 4));
  work.host_work_us = random.chance(0.5) ? random.uniform(300, 3000) : 0;
  work.host_work = any_kind(random);
  return work;
}

}  // namespace

const std::vector<Family>& held_families() {
  static const std::vector<Family> all{{"graphs with holes", false, graphs_with_holes}};
  return all;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"healthy", true, healthy},
      {"healthy graphs", true, healthy_graphs},
      {"hidden waits", true, hidden_waits},
      {"hidden loading", true, hidden_loading},
      {"hidden host work", true, hidden_host_work},
      {"exposed communication", true, exposed_communication},
      {"loads in its thread", false, loads_in_thread},
      {"slow workers", false, slow_workers},
      {"launches", false, launches, true},
      {"waits each step", false, waits_each_step, true},
      {"waits often", false, waits_often, true},
      {"copies", false, copies},
      {"allocates", false, allocates},
      {"host work", false, host_bound},
      {"pauses", false, pauses},
      {"graphs with waits", false, graphs_with_waits},
      {"two streams", false, two_streams},
      {"two devices", false, two_devices},
      {"shared device", false, shared_device},
      {"dependent devices", false, dependent_devices},
      {"held kernels", false, held_kernels},
      {"loading and waits", false, loading_and_waits},
      {"loading and launching", false, loading_and_launching},
      {"host work and waits", false, host_work_and_waits},
      {"anything", false, anything},
  };
  return all;
}

Case draw_case(const Family& family, uint64_t seed, const Disturbance& disturbance) {
  Random random(seed);
  Workload workload = family.draw(random);
  workload.disturbance = disturbance;
  Case drawn;
  Style& style = drawn.style;
  style.is_2021 = random.chance(0.3);
  style.has_operators = !family.may_lack_operators || random.chance(0.85);
  style.has_python = style.has_operators && random.chance(0.6);
  style.python_is_elsewhere = random.chance(0.2);
  style.has_steps = style.has_operators && random.chance(0.7);
  style.has_flows = random.chance(0.7);
  style.has_overhead = random.chance(0.2);
  style.describes_devices_last = random.chance(0.5);
  style.process = random.full(300, 90'000);
  style.begin_ns = (style.is_2021 ? 1'623'142'623'460'000'000 : 1'419'116'104'994'671'000) +
                   random.full(0, 1'000'000'000);
  // Without a range nothing says that samples are loaded.
  if (!style.has_operators) workload.loading = Loading::none;
  drawn.program = make_program(workload, random);
  return drawn;
}

}  // namespace batchscope::trace_simulator

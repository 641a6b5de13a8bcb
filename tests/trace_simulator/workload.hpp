#pragma once

#include "program.hpp"
#include "random.hpp"

namespace batchscope::trace_simulator {

enum class Loading : uint8_t { none, in_thread, by_workers };
// The loader's range: PyTorch's own, or one that somebody named.
enum class LoaderName : uint8_t { torch, own };
// At the end of a step. late: for the end of the step before.
enum class Waiting : uint8_t { none, item, device, to_host, late };
enum class InputCopy : uint8_t { none, pinned, pageable, synchronous };
// What host work looks like in the trace.
enum class WorkKind : uint8_t { bare, python, range, long_operators, short_operators };
// Loops: one; two in threads of their own, on a device each or on one; one that uses two devices.
enum class Devices : uint8_t { one, independent, shared, dependent };

// What a first step does that no other does.
enum class First : uint8_t { compiles, captures, loads_modules };

// A first step that takes longer by so much, and a time after a step, which counts from 0, in which
// nothing is recorded. 0: there is none.
struct Disturbance {
  First first = First::compiles;
  int64_t first_ns = 0;
  int64_t hole_ns = 0;
  int hole_after = 0;
};

// A loop of steps, as people write them: load, copy, forward, backward on autograd's thread,
// optimizer, perhaps a wait for the loss. Times are medians in microseconds.
struct Workload {
  int steps = 4;
  bool trains = true;
  int operators = 30;      // of the forward pass; twice as many of the backward one
  double kernel_us = 100;  // of what a forward operator starts
  double kernel_spread = 0.5;
  double operator_us = 12;  // what launching one costs the host
  double python_us = 3;     // until it launches the next one
  int kernels_per_operator = 1;
  int graph_kernels = 0;  // a step is one graph of so many kernels instead; it does not train

  Loading loading = Loading::none;
  LoaderName loader_name = LoaderName::torch;
  double batch_us = 5000;
  int workers = 2;
  bool loader_has_operators = true;

  double host_work_us = 0;  // once a step, before the forward pass
  WorkKind host_work = WorkKind::bare;
  bool host_work_is_last = false;  // but for the wait, instead
  double pause_us = 0;             // of Python alone, four times in the forward pass

  Waiting waiting = Waiting::none;
  int waits_every = 0;  // operators of the forward pass; 0: never
  InputCopy input = InputCopy::pinned;
  double input_us = 300;
  double allocates_us = 0;  // once a step, after waiting for the device; 0: never

  int collectives = 0;  // in the backward pass, on a stream of their own
  double collective_us = 500;
  bool second_stream = false;  // some operators run beside the others
  Devices devices = Devices::one;
  double held_us = 0;         // some kernels start so much late, for no reason that is recorded
  bool has_prologue = false;  // a step before the recording begins
  bool has_other_threads = false;  // that load and watch, and start nothing
  bool names_forward = false;      // with a range, which old recorders write as an operator
  double noise = 0.15;
  Disturbance disturbance;
};

Program make_program(const Workload& workload, Random& random);

}  // namespace batchscope::trace_simulator

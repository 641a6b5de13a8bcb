#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program.hpp"
#include "simulation.hpp"

namespace batchscope::trace_simulator {

// How a recorder writes.
struct Style {
  // Kineto of 2021: whole microseconds, categories with a capital, ranges as operators, call stacks
  // instead of Python's functions, devices' threads as "stream 7". Else that of 2024 on:
  // nanoseconds as decimals of microseconds since baseTimeNanoseconds.
  bool is_2021 = false;
  bool has_operators = true;         // and ranges
  bool has_python = true;            // functions; those of 2021 have none
  bool python_is_elsewhere = false;  // on process 0, thread 0, as some recorders have it
  bool has_steps = true;             // ProfilerStep#
  bool has_flows = true;
  bool has_overhead = false;
  bool describes_devices_last = false;
  int64_t process = 4711;
  bool writes_steps() const { return has_steps && has_operators; }
  // When the program begins, on the recorder's clock.
  int64_t begin_ns = 1'419'116'104'994'671'000;
};

// A trace in pieces, so that a test can change the order of its events.
struct KinetoText {
  std::string head;
  std::vector<std::string> events;
  std::string tail;

  std::string full() const;
};

KinetoText kineto_text(const Program& program, const Timeline& line, const Style& style);

}  // namespace batchscope::trace_simulator

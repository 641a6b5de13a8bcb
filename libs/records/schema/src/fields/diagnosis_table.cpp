#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<Operation>() {
  static constexpr std::array kFields = {
      field<&Operation::name>("name", {.required = true}),
      field<&Operation::kind>("kind", {.required = true, .no_other_words = true}),
      field<&Operation::calls>("calls", {.least = 0}),
      field<&Operation::total_ns>("total_ns", {.least = 0}),
      field<&Operation::self_ns>("self_ns", {.least = 0}),
      field<&Operation::grid_blocks>("grid_blocks", {.stated_least = 0}),
      field<&Operation::threads_per_block>("threads_per_block", {.stated_least = 0}),
      field<&Operation::blocks_per_sm>("blocks_per_sm", {.stated_least = 0}),
      field<&Operation::occupancy>("occupancy"),
      field<&Operation::bytes>("bytes", {.stated_least = 0}),
      field<&Operation::pageable>("pageable", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Primitive>() {
  static constexpr std::array kFields = {
      field<&Primitive::kind>("kind", {.required = true}),
      field<&Primitive::implementation>("implementation", {.required = true}),
      field<&Primitive::calls>("calls", {.least = 0}),
      field<&Primitive::total_ns>("total_ns", {.least = 0}),
      field<&Primitive::created>("created", {.least = 0}),
      field<&Primitive::creation_ns>("creation_ns", {.least = 0})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Diagnosis>() {
  static constexpr auto kTraced = is_set<&Diagnosis::tracer>;
  static constexpr auto kKept = is_set<&Diagnosis::trace_file>;
  static constexpr auto kLogged = is_set<&Diagnosis::logged_iterations>;
  static constexpr std::array kFields = {
      field<&Diagnosis::counters>(
          "counters",
          {.omit = Omit::empty,
           .description = "hardware counters over the timed iterations, all threads, user space",
           .each_least = 0}),
      field<&Diagnosis::thread_busy_ns>(
          "thread_busy_ns", {.omit = Omit::empty,
                             .description = "CPU time of each thread over the timed iterations",
                             .each_least = 0}),
      field<&Diagnosis::anonymous_bytes>("anonymous_bytes", {.stated_least = 0}),
      field<&Diagnosis::huge_page_bytes>("huge_page_bytes", {.stated_least = 0}),
      field<&Diagnosis::tracer>("tracer", {.omit = Omit::empty}),
      field<&Diagnosis::traced_iterations>("traced_iterations", {.when = kTraced, .least = 0}),
      field<&Diagnosis::traced_ns>("traced_ns", {.when = kTraced, .least = 0}),
      field<&Diagnosis::operations>("operations",
                                    {.when = kTraced,
                                     .description = "summed over the traced iterations; kernels "
                                                    "and copies on the device"}),
      field<&Diagnosis::device_busy_ns>("device_busy_ns", {.stated_least = 0}),
      field<&Diagnosis::multiprocessors>("multiprocessors", {.stated_least = 0}),
      field<&Diagnosis::trace_file>(
          "trace_file",
          {.omit = Omit::empty,
           .description = "what the tracer recorded, in Chrome's trace format, compressed by gzip; "
                          "as seen from the folder of the run file"}),
      field<&Diagnosis::trace_bytes>("trace_bytes", {.when = kKept, .least = 0}),
      field<&Diagnosis::logged_iterations>("logged_iterations", {.omit = Omit::empty, .least = 0}),
      field<&Diagnosis::primitives>(
          "primitives",
          {.when = kLogged,
           .description = "from the kernel library's log, over the logged iterations"}),
      field<&Diagnosis::absent>(
          "absent", {.omit = Omit::empty, .description = "what could not be measured, and why"})};
  static constexpr Table kTable{
      kFields,
      "What a visit of purpose diagnostic saw; what could not be measured is listed under absent."};
  return kTable;
}

}  // namespace batchscope::schema

#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<Collections>() {
  static constexpr std::array kFields = {
      field<&Collections::count>("count", {.required = true, .least = 0}),
      field<&Collections::total_ns>("total_ns", {.least = 0, .most = kLongestNs}),
      field<&Collections::longest_ns>("longest_ns", {.least = 0, .most = kLongestNs})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Compilation>() {
  static constexpr std::array kFields = {
      field<&Compilation::total_ns>(
          "total_ns", {.least = 0, .most = kLongestNs, .description = "before the warm-up"}),
      field<&Compilation::graphs>("graphs", {.required = true, .least = 0}),
      field<&Compilation::graph_breaks>("graph_breaks", {.least = 0}),
      field<&Compilation::recompiled>(
          "recompiled",
          {.least = 0, .description = "graphs compiled anew in warm-up and timed iterations"}),
      field<&Compilation::recompiled_timed>("recompiled_timed", {.least = 0}),
      field<&Compilation::recompiled_timed_ns>("recompiled_timed_ns",
                                               {.least = 0, .most = kLongestNs})};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

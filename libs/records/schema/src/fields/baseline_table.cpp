#include <array>

#include "batchscope/schema/baseline.hpp"
#include "batchscope/schema/describe.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<SavedRun>() {
  static constexpr std::array kFields = {field<&SavedRun::file>("file", {.required = true}),
                                         field<&SavedRun::source>("source"),
                                         field<&SavedRun::saved>("saved"),
                                         field<&SavedRun::commit>("commit"),
                                         field<&SavedRun::created>("created"),
                                         field<&SavedRun::host>("host"),
                                         field<&SavedRun::machine>("machine"),
                                         field<&SavedRun::models>("models")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Baseline>() {
  static constexpr std::array kFields = {field<&Baseline::name>("name"),
                                         field<&Baseline::runs>("runs", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Baselines>() {
  static constexpr std::array kFields = {field<&Baselines::baselines>("baselines")};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

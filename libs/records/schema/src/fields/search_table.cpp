#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<TuneSettings>() {
  static constexpr std::array kFields = {
      field<&TuneSettings::objective>("objective", {.required = true}),
      field<&TuneSettings::latency_of>("latency_of", {.required = true}),
      field<&TuneSettings::price_per_hour>("price_per_hour"),
      field<&TuneSettings::points>("points"),
      field<&TuneSettings::practical>("practical"),
      field<&TuneSettings::verify_blocks>("verify_blocks")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<MaxBatchSettings>() {
  static constexpr std::array kFields = {
      field<&MaxBatchSettings::margin>("margin", {.required = true}),
      field<&MaxBatchSettings::soak_s>("soak_s", {.required = true}),
      field<&MaxBatchSettings::max_batch_size>("max_batch_size"),
      field<&MaxBatchSettings::limit_bytes>("limit_bytes", {.required = true}),
      field<&MaxBatchSettings::limit_of>("limit_of"),
      field<&MaxBatchSettings::limit_held>("limit_held"),
      field<&MaxBatchSettings::machine_bytes>("machine_bytes")};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

#include <algorithm>
#include <vector>

#include "axes/axis_row.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

void check_lengths(ReadFields& fields, const RunConfig& config) {
  const Shape& shape = config.shape;
  const bool fits = std::all_of(shape.lengths.begin(), shape.lengths.end(), [](int64_t length) {
    return length >= 1 && length <= kLargestSize;
  });
  if (!fits) return fields.fail("lengths", "holds one that is too small or too large");
  if (shape.lengths.empty() && shape.length_mix.empty()) return;
  const auto samples = static_cast<int64_t>(shape.lengths.size());
  if (samples == 0 || samples % effective_batch(config) != 0) {
    fields.fail("lengths", "is not a multiple of the batch size");
  }
  if (shape.length_mix.empty()) fields.fail("length_mix", "is missing");
  if (shape.seq_len) fields.fail("seq_len", "cannot be combined with lengths");
}

std::vector<Field> fields_of_config() {
  std::vector<Field> fields;
  for (const AxisRow& row : axis_rows()) {
    fields.insert(fields.end(), row.fields.begin(), row.fields.end());
  }
  fields.push_back(field<&RunConfig::shape, &Shape::lengths>(
      "lengths",
      {.omit = Omit::empty,
       .description = "with length_mix: tokens of every sample of one cycle of batches; each "
                      "batch_size of them in a row form a batch, padded to its longest",
       .each_least = 1,
       .fewest = 1}));
  return fields;
}

std::vector<Field> fields_of_record() {
  std::vector<Field> fields = {field<&ConfigRecord::index>(
      "index",
      {.required = true, .least = 0, .description = "by which visits and events refer to it"})};
  for (const Field& each : table_of<RunConfig>().fields) {
    fields.push_back(as_part<&ConfigRecord::config>(each));
  }
  return fields;
}

}  // namespace

template <>
const Table& table_of<RunConfig>() {
  static const std::vector<Field> kFields = fields_of_config();
  static const Table kTable{kFields, "", [](ReadFields& fields, void* of) {
                              check_lengths(fields, *static_cast<const RunConfig*>(of));
                            }};
  return kTable;
}

template <>
const Table& table_of<ConfigRecord>() {
  static const std::vector<Field> kFields = fields_of_record();
  static const Table kTable{kFields, "One configuration; precedes its first visit.",
                            [](ReadFields& fields, void* of) {
                              check_lengths(fields, static_cast<const ConfigRecord*>(of)->config);
                            }};
  return kTable;
}

}  // namespace batchscope::schema

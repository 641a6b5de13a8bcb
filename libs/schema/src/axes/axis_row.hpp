#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/axes.hpp"
#include "json_fields.hpp"

namespace batchscope::schema {

// An axis with its JSON in a configuration line.
struct AxisRow {
  Axis axis;
  // Puts it into the line; nothing where it may be left out.
  void (*write)(const RunConfig&, nlohmann::ordered_json&);
  // Reads it with its bounds; what is wrong is noted in the fields' problem.
  void (*read)(const JsonFields&, RunConfig&);
  // What can be told only when all axes are read; null: nothing.
  void (*check)(const JsonFields&, RunConfig&) = nullptr;
};

// In the order of AxisId.
std::span<const AxisRow> axis_rows();

AxisRow engine_axis();
AxisRow model_axis();
AxisRow batch_size_axis();
AxisRow seq_len_axis();
AxisRow precision_axis();
AxisRow device_axis();
AxisRow threads_axis();
AxisRow instances_axis();
AxisRow mode_axis();
AxisRow optimizer_axis();
AxisRow checkpointing_axis();
AxisRow accumulation_axis();
AxisRow loader_axis();
AxisRow pipeline_axis();
AxisRow environment_axis();

// For axes without words, or that no flag asks for.
std::string no_words(const RunConfig& config);
std::vector<Argument> no_arguments(const RunConfig& config);
// "1 thread", "2 threads".
std::string counted(int64_t n, std::string_view unit);

}  // namespace batchscope::schema

#pragma once

#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/fields.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

// An axis with its fields in a configuration line: mostly one, of RunConfig.
struct AxisRow {
  Axis axis;
  std::span<const Field> fields;
};

// In the order of AxisId.
std::span<const AxisRow> axis_rows();

// Those of each source here; axes.cpp puts them in order.
std::vector<AxisRow> model_axes();
std::vector<AxisRow> size_axes();
std::vector<AxisRow> execution_axes();
std::vector<AxisRow> training_axes();
AxisRow loader_axis();
AxisRow pipeline_axis();
AxisRow environment_axis();
std::vector<AxisRow> interpreter_axes();

// For axes without words, or that nothing asks for.
std::string no_words(const RunConfig& config);
std::vector<Argument> no_arguments(const RunConfig& config);

}  // namespace batchscope::schema

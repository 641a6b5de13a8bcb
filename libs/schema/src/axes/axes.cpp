#include "batchscope/schema/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axis_row.hpp"

namespace batchscope::schema {

std::span<const AxisRow> axis_rows() {
  static const std::array<AxisRow, kAxes> kRows = {
      engine_axis(),    model_axis(),     batch_size_axis(),    seq_len_axis(),
      precision_axis(), device_axis(),    threads_axis(),       instances_axis(),
      mode_axis(),      optimizer_axis(), checkpointing_axis(), accumulation_axis(),
      loader_axis(),    pipeline_axis(),  environment_axis()};
  return kRows;
}

std::span<const Axis> axes() {
  static const std::array<Axis, kAxes> kAll = [] {
    std::array<Axis, kAxes> all{};
    std::transform(axis_rows().begin(), axis_rows().end(), all.begin(),
                   [](const AxisRow& row) { return row.axis; });
    return all;
  }();
  return kAll;
}

const Axis& axis(AxisId id) {
  return axes()[static_cast<std::size_t>(id)];
}

std::string no_words(const RunConfig&) {
  return "";
}

std::vector<Argument> no_arguments(const RunConfig&) {
  return {};
}

std::string counted(int64_t n, std::string_view unit) {
  return fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s");
}

}  // namespace batchscope::schema

#include "batchscope/schema/axes.hpp"

#include <algorithm>
#include <array>

#include "axis_row.hpp"

namespace batchscope::schema {

namespace {

using Rows = std::array<AxisRow, kAxes>;

void put(const std::vector<AxisRow>& some, Rows& rows) {
  for (const AxisRow& row : some) rows[static_cast<std::size_t>(row.axis.id)] = row;
}

Rows all_rows() {
  Rows rows{};
  put(model_axes(), rows);
  put(size_axes(), rows);
  put(execution_axes(), rows);
  put(training_axes(), rows);
  put(interpreter_axes(), rows);
  put({loader_axis(), pipeline_axis(), environment_axis()}, rows);
  return rows;
}

}  // namespace

std::span<const AxisRow> axis_rows() {
  static const Rows kRows = all_rows();
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

std::string flag_named(std::string_view axis) {
  std::string flag = "--" + std::string(axis);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::vector<Argument> no_arguments(const RunConfig&) {
  return {};
}

}  // namespace batchscope::schema

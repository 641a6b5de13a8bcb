#include "row_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::csv {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::kEngineNotStated;
using schema::RunConfig;

Result<int64_t> integer_or(const RowView& row, const std::optional<size_t>& column,
                           std::string_view name, int64_t fallback) {
  if (row.text(column).empty()) return fallback;
  if (const auto value = row.integer(column)) return *value;
  return Error{ErrorKind::input,
               fmt::format("'{}' is not a positive whole number", row.text(column)),
               std::string(name), ""};
}

// Whether values of a column that nobody knows set something, a device or a length, rather than
// being measured: words, or whole numbers that come again and again.
bool are_settings(const std::map<std::string, int>& values, size_t rows) {
  const auto is_whole = [](const auto& each) {
    return base::parse_number<int64_t>(each.first).has_value();
  };
  const auto is_number = [](const auto& each) { return number(each.first).has_value(); };
  if (std::none_of(values.begin(), values.end(), is_number)) return true;
  return std::all_of(values.begin(), values.end(), is_whole) && 2 * values.size() <= rows;
}

}  // namespace

std::optional<double> number(std::string_view text) {
  const auto value = base::parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<int64_t> positive_integer(std::string_view text) {
  const auto value = base::parse_number<int64_t>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

Result<RunConfig> config_of(const RowView& row, const CsvColumns& columns,
                            const ImportOptions& options) {
  RunConfig config;
  config.engine = row.text_or(columns.engine, std::string(kEngineNotStated));
  config.model = row.text_or(columns.model, options.model);
  config.device = row.text_or(columns.device, options.device);
  const auto batch_size = row.integer(columns.batch_size);
  if (!batch_size || *batch_size > schema::kLargestSize) {
    return Error{ErrorKind::input,
                 fmt::format("'{}' is not a batch size", row.text(columns.batch_size)), "", ""};
  }
  config.shape.batch_size = *batch_size;
  if (!row.text(columns.seq_len).empty()) {
    auto seq_len = integer_or(row, columns.seq_len, "seq_len", 1);
    if (!seq_len) return std::move(seq_len).error();
    if (*seq_len > schema::kLargestSize) {
      return Error{ErrorKind::input, fmt::format("'{}' is not a sequence length", *seq_len), "",
                   ""};
    }
    config.shape.seq_len = *seq_len;
  }
  const std::string precision = row.text_or(columns.precision, options.precision);
  config.precision = schema::kPrecisionNotStated;
  if (!precision.empty()) {
    auto known = schema::parse_precision(precision);
    if (!known) return std::move(known).error();
    config.precision = *known;
  }
  auto mode = schema::parse_mode(row.text_or(columns.mode, "infer"));
  if (!mode) return std::move(mode).error();
  config.mode = *mode;
  auto threads = integer_or(row, columns.threads, "threads", options.threads);
  auto instances = integer_or(row, columns.instances, "instances", 1);
  if (!threads) return std::move(threads).error();
  if (!instances) return std::move(instances).error();
  config.threads = static_cast<int>(std::min<int64_t>(*threads, 1 << 20));
  config.instances = static_cast<int>(std::min<int64_t>(*instances, 1 << 20));
  return config;
}

std::vector<size_t> telling_columns(const CsvTable& table, const ImportOptions& options) {
  const CsvColumns& columns = *table.columns;
  std::vector<size_t> telling;
  for (const size_t column : columns.may_tell_apart) {
    std::map<RunConfig, std::string> first;
    std::map<std::string, int> values;
    bool differs = false;
    for (const CsvRow& row : table.rows) {
      const RowView view(row);
      const auto config = config_of(view, columns, options);
      if (!config) continue;
      const std::string value(view.text(column));
      ++values[value];
      differs |= first.try_emplace(*config, value).first->second != value;
    }
    if (differs && are_settings(values, table.rows.size())) telling.push_back(column);
  }
  return telling;
}

}  // namespace batchscope::csv

#include "row_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "column_words.hpp"

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
  return Error{ErrorKind::input, fmt::format("'{}' is not a positive integer", row.text(column)),
               std::string(name), ""};
}

// Rows by what they are of, as far as is known.
using Known = std::map<std::pair<RunConfig, std::vector<std::string>>, std::string>;

// The values of a column that nobody knows.
struct Values {
  std::map<std::string, int> counts;
  bool differs = false;  // between rows that are else alike
};

Values values_of(const CsvTable& table, const ImportOptions& options, size_t column,
                 const std::vector<size_t>& telling) {
  Values made;
  Known first;
  for (const CsvRow& row : table.rows) {
    const RowView view(row);
    const auto config = config_of(view, *table.columns, options);
    if (!config) continue;
    std::vector<std::string> reported;
    for (const size_t each : telling) reported.emplace_back(view.text(each));
    const std::string value(view.text(column));
    ++made.counts[value];
    made.differs |= first.try_emplace({*config, reported}, value).first->second != value;
  }
  return made;
}

bool are_words(const Values& values) {
  return std::none_of(values.counts.begin(), values.counts.end(),
                      [](const auto& each) { return number(each.first).has_value(); });
}

// Numbers that come again and again were set, whatever the column is called.
bool come_again(const Values& values, size_t rows) {
  return 2 * values.counts.size() <= rows;
}

Error ambiguous(const std::string& name) {
  return Error{ErrorKind::input,
               fmt::format("rows of one batch size differ in '{}', which is not a known setting or "
                           "measurement, so they may not be repeats",
                           name),
               "",
               fmt::format("import with --ignore '{}' if it is not a setting; otherwise keep the "
                           "rows of one value, or add a word to the numbers",
                           name)};
}

}  // namespace

bool is_ignored(const ImportOptions& options, const std::string& name) {
  return std::find(options.ignore.begin(), options.ignore.end(), name) != options.ignore.end();
}

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

std::optional<int64_t> RowView::bytes(const std::optional<CsvColumns::Memory>& column) const {
  if (!column) return std::nullopt;
  const std::string_view cell = text(column->index);
  const auto value = number(cell);
  if (!value) {
    const auto stated = base::parse_bytes(cell);
    return stated && *stated > 0 ? std::optional(*stated) : std::nullopt;
  }
  const double bytes = *value * column->bytes_per_unit.value_or(0);
  constexpr double kMost = 1e18;
  return bytes >= 1 && bytes < kMost ? std::optional(std::llround(bytes)) : std::nullopt;
}

Result<std::vector<size_t>> telling_columns(const CsvTable& table, const ImportOptions& options) {
  const std::vector<std::string>& names = table.header.front().fields;
  std::vector<size_t> telling, open;
  for (const size_t column : table.columns->may_tell_apart) {
    if (is_ignored(options, names[column])) continue;
    const Values values = values_of(table, options, column, {});
    if (!values.differs) continue;
    const bool words = are_words(values);
    if (!words && is_measured(normalised(names[column]))) continue;
    (words || come_again(values, table.rows.size()) ? telling : open).push_back(column);
  }
  for (const size_t column : open) {
    if (values_of(table, options, column, telling).differs) return ambiguous(names[column]);
  }
  return telling;
}

}  // namespace batchscope::csv

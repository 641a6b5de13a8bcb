#include "operations_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/characters.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using document::Cell;
using document::Column;
using document::TextTable;
using document::Tone;
using findings::brief;
using findings::enumerated;
using findings::fixed;
using findings::kAbsent;
using findings::OperationRow;
using findings::percent;
using findings::SizeDiagnosis;
using DiagnosedSizes = std::vector<SizeDiagnosis>;

constexpr SampleUnit kMicroseconds = {1000, "µs"};

double share_of_one(double ms, int64_t batch_size) {
  return ms / static_cast<double>(std::max<int64_t>(1, batch_size));
}

std::string calls_text(double calls) {
  const bool full = std::abs(calls - std::round(calls)) < 0.005;
  return "×" + (full ? fixed(calls, 0) : brief(calls));
}

Cell cost_cell(const OperationRow& row, const DiagnosedSizes& sizes, std::size_t at,
               const SampleUnit& unit) {
  const auto value = per_sample(row, sizes, at, unit);
  if (!value) return {kAbsent, "", Tone::dim};
  return {brief(*value), calls_text(row.at[at]->calls), Tone::plain};
}

Cell change_cell(const OperationRow& row) {
  const Tone tone = row.change >= kLargeChange     ? Tone::bad
                    : row.change >= kNotableChange ? Tone::caution
                                                   : Tone::plain;
  return {row.change < 0.0005 ? "0 %" : percent(row.change), "", tone};
}

struct Extremes {
  std::size_t least = 0, most = 0;  // indices of sizes
};

std::optional<Extremes> extremes(const OperationRow& row, const DiagnosedSizes& sizes) {
  std::optional<Extremes> found;
  const auto value = [&](std::size_t at) { return per_sample(row, sizes, at, {}); };
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    if (!value(at)) continue;
    if (!found) found = Extremes{at, at};
    if (*value(at) < *value(found->least)) found->least = at;
    if (*value(at) > *value(found->most)) found->most = at;
  }
  return found;
}

// Which sizes have it, or how much longer it takes at one than at another.
std::string change_in_words(const OperationRow& row, const DiagnosedSizes& sizes) {
  const std::vector<int64_t> present = sizes_of(row, sizes);
  if (present.empty()) return "";
  if (present.size() < sizes.size()) return "only at batch " + enumerated(present);
  const auto ends = extremes(row, sizes);
  if (row.change < kNotableChange || !ends) return "";
  const double least = *per_sample(row, sizes, ends->least, {});
  const double most = *per_sample(row, sizes, ends->most, {});
  if (least <= 0) return "";
  return fmt::format("a sample takes {} times as long at batch {} as at {}", brief(most / least),
                     sizes[ends->most].batch_size, sizes[ends->least].batch_size);
}

std::vector<Column> columns_of(const DiagnosedSizes& sizes, const SampleUnit& unit, bool words) {
  std::vector<Column> columns = {{"operation", "", true}};
  if (words) columns.push_back({"kind", "", true});
  for (const SizeDiagnosis& size : sizes) {
    columns.push_back(
        {fmt::format("batch {}", size.batch_size), fmt::format("{} per sample", unit.name)});
  }
  columns.push_back({"change", "of all"});
  if (words) columns.push_back({"what changes", "", true});
  return columns;
}

}  // namespace

SampleUnit sample_unit(const std::vector<OperationRow>& rows, const DiagnosedSizes& sizes) {
  double largest = 0;
  for (const OperationRow& row : rows) {
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      largest = std::max(largest, per_sample(row, sizes, at, {}).value_or(0));
    }
  }
  return largest >= 1 ? SampleUnit{} : kMicroseconds;
}

std::optional<double> per_sample(const OperationRow& row, const DiagnosedSizes& sizes,
                                 std::size_t at, const SampleUnit& unit) {
  if (at >= row.at.size() || at >= sizes.size() || !row.at[at]) return std::nullopt;
  return unit.per_ms * share_of_one(row.at[at]->ms, sizes[at].batch_size);
}

std::vector<int64_t> sizes_of(const OperationRow& row, const DiagnosedSizes& sizes) {
  std::vector<int64_t> present;
  for (std::size_t at = 0; at < std::min(row.at.size(), sizes.size()); ++at) {
    if (row.at[at]) present.push_back(sizes[at].batch_size);
  }
  return present;
}

TextTable operations_table(const std::vector<OperationRow>& rows, const DiagnosedSizes& sizes,
                           const OperationsLook& look) {
  if (rows.empty() || sizes.empty()) return {};
  const SampleUnit unit = sample_unit(rows, sizes);
  TextTable table{columns_of(sizes, unit, look.words), {}};
  for (std::size_t i = 0; i < std::min(rows.size(), look.most); ++i) {
    const OperationRow& row = rows[i];
    std::vector<Cell> cells = {{base::shorten(base::clean(row.name), look.name), "", Tone::plain}};
    if (look.words) cells.push_back({row.kind, "", Tone::plain});
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      cells.push_back(cost_cell(row, sizes, at, unit));
    }
    cells.push_back(change_cell(row));
    if (look.words) cells.push_back({change_in_words(row, sizes), "", Tone::plain});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace batchscope::report

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "batchscope/schema/describe.hpp"
#include "batchscope/telemetry/metrics.hpp"

// Every number of a sample in one row: its name in JSON, in Prometheus and in TensorBoard, and what
// it means. The fields that are written and the numbers that are exported are made of the rows.
namespace batchscope::telemetry {

template <class Of>
struct Row {
  schema::Field field;
  MetricDescriptor<Of> metric;  // without `get`: not exported by itself
};

template <class Of, class Value>
constexpr Of struct_of(Value Of::*);

template <class Value>
std::optional<double> as_number(const std::optional<Value>& value) {
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

template <class Value>
std::optional<double> as_number(const Value& value) {
  return static_cast<double>(value);
}

// Names, texts, lists, and what is counted by name.
template <auto kMember>
constexpr auto plain(std::string_view name, schema::FieldRules rules = {}) {
  return Row<decltype(struct_of(kMember))>{schema::field<kMember>(name, rules), {}};
}

// `exported`: its name as a metric, where that is not the one in JSON.
template <auto kMember>
constexpr auto gauge(std::string_view name, std::string_view help, schema::FieldRules rules = {},
                     std::string_view exported = {}) {
  using Of = decltype(struct_of(kMember));
  return Row<Of>{schema::field<kMember>(name, rules),
                 {exported.empty() ? name : exported, MetricKind::gauge, help,
                  [](const Of& of) { return as_number(of.*kMember); }}};
}

template <auto kMember>
constexpr auto counter(std::string_view name, std::string_view help) {
  auto row = gauge<kMember>(name, help);
  row.metric.kind = MetricKind::counter;
  return row;
}

template <class Of, std::size_t kSize>
constexpr auto fields_of(const std::array<Row<Of>, kSize>& rows) {
  std::array<schema::Field, kSize> fields{};
  for (std::size_t at = 0; at < kSize; ++at) fields[at] = rows[at].field;
  return fields;
}

template <const auto& kRows>
constexpr auto metrics_of() {
  constexpr auto is_exported = [](const auto& row) { return row.metric.get != nullptr; };
  constexpr auto kCount =
      static_cast<std::size_t>(std::count_if(kRows.begin(), kRows.end(), is_exported));
  std::array<std::remove_cvref_t<decltype(kRows[0].metric)>, kCount> metrics{};
  std::size_t at = 0;
  for (const auto& row : kRows) {
    if (is_exported(row)) metrics[at++] = row.metric;
  }
  return metrics;
}

}  // namespace batchscope::telemetry

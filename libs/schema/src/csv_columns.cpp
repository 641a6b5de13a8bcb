#include "csv_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace batchscope::schema {
namespace {

// "Latency (us)" -> "latency_us": lower case, every run of other characters one underscore.
std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

// The unit at the end of "latency_us", when what stands before it is one of `stems`.
template <size_t N>
std::optional<double> unit_after(std::string_view name,
                                 const std::array<std::string_view, N>& stems) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"_ns", 1.0}, {"_us", 1e3}, {"_ms", 1e6}, {"_s", 1e9}, {"_sec", 1e9}}};
  for (const auto& [suffix, scale] : kUnits) {
    if (!name.ends_with(suffix)) continue;
    const std::string_view stem = name.substr(0, name.size() - suffix.size());
    if (std::find(stems.begin(), stems.end(), stem) != stems.end()) return scale;
  }
  return std::nullopt;
}

struct NamedColumn {
  std::string_view name;
  std::optional<size_t> CsvColumns::*column;
};

constexpr std::array kNamed{
    NamedColumn{"batch", &CsvColumns::batch_size},
    NamedColumn{"batch_size", &CsvColumns::batch_size},
    NamedColumn{"seq_len", &CsvColumns::seq_len},
    NamedColumn{"model", &CsvColumns::model},
    NamedColumn{"precision", &CsvColumns::precision},
    NamedColumn{"device", &CsvColumns::device},
    NamedColumn{"threads", &CsvColumns::threads},
    NamedColumn{"instances", &CsvColumns::instances},
    NamedColumn{"mode", &CsvColumns::mode},
    NamedColumn{"engine", &CsvColumns::engine},
    NamedColumn{"repeats", &CsvColumns::repeats},
    NamedColumn{"memory_bytes", &CsvColumns::memory_bytes},
    NamedColumn{"memory_b", &CsvColumns::memory_bytes},
    NamedColumn{"throughput_per_s", &CsvColumns::throughput_per_s},
};

bool set_named(CsvColumns& columns, std::string_view name, size_t index) {
  for (const NamedColumn& known : kNamed) {
    if (known.name != name) continue;
    if (columns.*known.column) return false;  // the first of two counts
    columns.*known.column = index;
    return true;
  }
  return false;
}

bool set_timed(CsvColumns& columns, std::string_view name, size_t index) {
  constexpr std::array<std::string_view, 5> kTimes{"latency", "time", "latency_mean", "time_mean",
                                                   "mean"};
  constexpr std::array<std::string_view, 5> kSpreads{"std", "latency_std", "time_std", "std_dev",
                                                     "stddev"};
  if (const auto scale = unit_after(name, kTimes)) {
    if (columns.time) return false;
    columns.time = CsvColumns::Timed{index, *scale};
    return true;
  }
  if (const auto scale = unit_after(name, kSpreads)) {
    if (columns.spread) return false;
    columns.spread = CsvColumns::Timed{index, *scale};
    return true;
  }
  return false;
}

}  // namespace

std::optional<CsvColumns> find_columns(const std::vector<std::string>& names) {
  CsvColumns columns;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = normalised(names[i]);
    if (!set_named(columns, name, i) && !set_timed(columns, name, i))
      columns.unknown.push_back(names[i]);
  }
  if (!columns.batch_size) return std::nullopt;
  return columns;
}

}  // namespace batchscope::schema

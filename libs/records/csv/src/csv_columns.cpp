#include "csv_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "column_words.hpp"
#include "timing_lines.hpp"

namespace batchscope::csv {
namespace {

constexpr std::array<std::string_view, 5> kTimes{"latency", "time", "latency_mean", "time_mean",
                                                 "mean"};
constexpr std::array<std::string_view, 3> kRates{"per_s", "throughput", "throughput_per_s"};

// "latency_us" is "latency" in us, "us" alone is nothing in us, and "latency" is without a unit.
struct Quantity {
  std::string_view stem;
  std::optional<double> ns_per_unit;
};

Quantity quantity_in(std::string_view name) {
  const size_t last = name.rfind('_');
  const std::string_view end = last == std::string_view::npos ? name : name.substr(last + 1);
  const std::string_view before = last == std::string_view::npos ? "" : name.substr(0, last);
  const auto scale = ns_of_unit(end);
  return scale ? Quantity{before, scale} : Quantity{name, std::nullopt};
}

// "latency_std_us" -> "latency_us", "std" -> "": what the name says a spread is of; nothing where
// it is of no spread.
std::optional<std::string> spread_of(std::string_view name) {
  for (const std::string_view word : {"_std_dev_", "_stddev_", "_std_"}) {
    const std::string full = "_" + std::string(name) + "_";
    const size_t at = full.find(word);
    if (at == std::string::npos) continue;
    const std::string rest = full.substr(0, at) + "_" + full.substr(at + word.size());
    const size_t first = rest.find_first_not_of('_');
    if (first == std::string::npos) return "";
    return rest.substr(first, rest.find_last_not_of('_') - first + 1);
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

bool set_spread(CsvColumns& columns, std::string_view of, size_t index) {
  if (is_one_of(of, kRates)) {
    if (columns.rate_spread) return false;
    columns.rate_spread = index;
    return true;
  }
  const Quantity quantity = quantity_in(of);
  const bool known = quantity.stem.empty() || is_one_of(quantity.stem, kTimes);
  if (!known || columns.spread) return false;
  columns.spread = CsvColumns::Timed{index, quantity.ns_per_unit};
  return true;
}

// A time that states its unit takes the place of one that does not.
bool set_time(CsvColumns& columns, std::string_view name, size_t index,
              const std::vector<std::string>& names) {
  const Quantity quantity = quantity_in(name);
  if (!is_one_of(quantity.stem, kTimes)) return false;
  if (columns.time) {
    if (columns.time->ns_per_unit || !quantity.ns_per_unit) return false;
    columns.unknown.push_back(names[columns.time->index]);
  }
  columns.time = CsvColumns::Timed{index, quantity.ns_per_unit};
  return true;
}

bool set_memory(CsvColumns& columns, std::string_view name, size_t index) {
  const auto memory = memory_in(name);
  if (!memory || columns.memory) return false;
  columns.memory = CsvColumns::Memory{index, memory->bytes_per_unit, memory->unit};
  return true;
}

}  // namespace

std::optional<CsvColumns> find_columns(const std::vector<std::string>& names) {
  CsvColumns columns;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = normalised(names[i]);
    const bool share = names[i].find('%') != std::string::npos;  // of what, no name tells
    const auto spread = spread_of(name);
    const bool read =
        !share && (spread ? set_spread(columns, *spread, i)
                          : set_named(columns, name, i) || set_time(columns, name, i, names) ||
                                set_memory(columns, name, i));
    if (read) continue;
    columns.unknown.push_back(names[i]);
    if (!share && !spread && !counts_repeats(name)) columns.may_tell_apart.push_back(i);
  }
  if (!columns.batch_size) return std::nullopt;
  return columns;
}

bool settle_units(CsvColumns& columns, const std::vector<std::string>& names,
                  std::optional<double> ns_per_unit) {
  bool used = false;
  if (columns.time && !columns.time->ns_per_unit) {
    used = ns_per_unit.has_value();
    if (used) {
      columns.time->ns_per_unit = ns_per_unit;
    } else {
      columns.unknown.push_back(names[columns.time->index]);
      columns.time.reset();
    }
  }
  if (columns.spread && !columns.spread->ns_per_unit) {
    if (columns.time) {
      columns.spread->ns_per_unit = columns.time->ns_per_unit;
    } else {
      if (!columns.rate_spread) columns.rate_spread = columns.spread->index;
      columns.spread.reset();
    }
  }
  if (columns.rate_spread && !columns.throughput_per_s) {
    columns.unknown.push_back(names[*columns.rate_spread]);
    columns.rate_spread.reset();
  }
  return used;
}

}  // namespace batchscope::csv
